//! Integers in requests: JSON numbers or decimal strings, of any size, never through floating point.

use crate::ledger::Amount;
use serde_json::Value;

/// Past this, JSON numbers with a fraction or an exponent are no exact integers to JavaScript clients.
const MAX_SAFE: i128 = (1 << 53) - 1;

/// The integer that `value` is, saturated to the range of `i128` (far past every amount of the ledger).
///
/// Strings: `[+-]?digits`. Numbers: any integer literal; with a fraction or an exponent only where that is an
/// integer up to 2^53−1 (`100.0`, `1e2`).
pub(crate) fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::String(text) => match text.strip_prefix('+') {
            Some(rest) => digits(rest).filter(|_| !rest.starts_with('-')),
            None => digits(text),
        },
        Value::Number(number) => {
            let text = number.as_str();
            digits(text).or_else(|| whole(text).filter(|number| (-MAX_SAFE..=MAX_SAFE).contains(number)))
        }
        _ => None,
    }
}

/// Whether `value` is an integer that is written with a fraction or an exponent and is too large for that.
pub(crate) fn is_inexact(value: &Value) -> bool {
    matches!(value, Value::Number(number) if integer(value).is_none() && whole(number.as_str()).is_some())
}

/// `-?digits`, saturated.
fn digits(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse::<i128>().unwrap_or(i128::MAX);
    Some(if negative { -size } else { size })
}

/// A JSON number with a fraction or an exponent, saturated, where it is an integer.
fn whole(text: &str) -> Option<i128> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let mantissa = digits(&format!("{whole}{fraction}"))?;
    let shift = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    match u32::try_from(shift) {
        Ok(up) => Some(mantissa.saturating_mul(10i128.saturating_pow(up))),
        Err(_) => {
            let unit = 10i128.checked_pow(shift.unsigned_abs())?;
            (mantissa % unit == 0).then(|| mantissa / unit)
        }
    }
}

/// An amount, or `None` below zero.
pub(crate) fn amount(number: i128) -> Option<Amount> {
    u128::try_from(number).ok().map(Amount::new)
}

#[cfg(test)]
mod tests {
    use super::integer;

    #[test]
    fn a_number_is_read_however_large_its_exponent_is() {
        for text in ["-34e236", "34e236", "-1e38", "1e16"] {
            let number = serde_json::from_str(text).expect("JSON");
            assert_eq!(integer(&number), None, "{text}");
        }
    }
}
