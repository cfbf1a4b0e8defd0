//! What a stranger wrote, in a log line or an answer: short, and without what moves a cursor or begins a
//! line.

use std::fmt::{self, Write};

/// A text, cut after so many characters; what is not printable ASCII is shown as `?`.
pub(super) struct Shown<'a>(pub &'a str, pub usize);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(text, most) = *self;
        // The usual case, in one piece.
        if text.len() <= most && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return f.write_str(text);
        }
        let mut characters = text.chars();
        for character in characters.by_ref().take(most) {
            f.write_char(if character.is_ascii_graphic() || character == ' ' { character } else { '?' })?;
        }
        if characters.next().is_some() { f.write_char('…') } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_short_and_clean() {
        for (text, shown) in [
            ("/start", "/start"),
            ("1234567", "123456…"),
            ("123456", "123456"),
            ("a b\n\x1b", "a b??"),
            ("é\u{202e}x", "??x"),
        ] {
            assert_eq!(Shown(text, 6).to_string(), shown);
        }
    }
}
