//! Addresses as QR codes, for phones that are held before the terminal.

use super::table::is_colored;
use qrcode::{Color, EcLevel, QrCode};

/// What must be free around a code.
const MARGIN: usize = 2;

/// The code of what wallets for phones read, two rows of modules to a line.
pub fn address(address: &str) -> String {
    let Ok(code) = QrCode::with_error_correction_level(format!("hathor:{address}"), EcLevel::L) else {
        return String::new();
    };
    let (width, modules) = (code.width(), code.to_colors());
    let is_dark = |x: usize, y: usize| {
        let inside = |place: usize| place.checked_sub(MARGIN).filter(|place| *place < width);
        matches!((inside(x), inside(y)), (Some(x), Some(y)) if modules[y * width + x] == Color::Dark)
    };
    // Black on white where that can be said; else light on the terminal's ground, which most often is dark.
    let (colored, whole) = (is_colored(), width + 2 * MARGIN);
    let lines = (0..whole).step_by(2).map(|y| {
        let line: String = (0..whole)
            .map(|x| match (is_dark(x, y) == colored, is_dark(x, y + 1) == colored) {
                (true, true) => '\u{2588}',
                (true, false) => '\u{2580}',
                (false, true) => '\u{2584}',
                (false, false) => ' ',
            })
            .collect();
        if colored { format!("\x1b[30;107m{line}\x1b[0m") } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}
