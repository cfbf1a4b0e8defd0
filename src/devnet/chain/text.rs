//! Values as the full node, a Python program, prints them in its refusals.

use crate::calendar::UtcTime;

/// Unix time as the node writes it, in UTC: `11/21/2026 09:33:58 AM`.
pub fn us_date_time(unix: u32) -> String {
    let UtcTime { year, month, day, hour, minute, second } = UtcTime::from_unix(unix.into());
    let half = if hour < 12 { "AM" } else { "PM" };
    format!("{month:02}/{day:02}/{year:04} {:02}:{minute:02}:{second:02} {half}", (hour + 11) % 12 + 1)
}

/// Bytes as Python prints them.
pub fn python_bytes(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut text = format!("b{quote}");
    for &byte in bytes {
        match byte {
            b'\\' => text.push_str("\\\\"),
            b'\t' => text.push_str("\\t"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\'' if quote == '\'' => text.push_str("\\'"),
            0x20..=0x7e => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text.push(quote);
    text
}

/// A big-endian number in decimal digits.
pub fn decimal(number: &[u8]) -> String {
    let mut limbs: Vec<u8> = number.to_vec();
    let mut groups = Vec::new();
    while limbs.iter().any(|&limb| limb != 0) {
        let mut remainder: u64 = 0;
        for limb in &mut limbs {
            let value = remainder << 8 | u64::from(*limb);
            *limb = u8::try_from(value / 1_000_000_000).expect("the remainder is below the divisor");
            remainder = value % 1_000_000_000;
        }
        groups.push(remainder);
    }
    let Some(first) = groups.pop() else { return "0".to_owned() };
    groups.iter().rev().fold(first.to_string(), |text, group| format!("{text}{group:09}"))
}

/// What a hash must be below for `weight`, in decimal digits: 2^(256 − weight) − 1 in double precision.
pub fn target(weight: f64) -> String {
    let target = (256.0 - weight).exp2() - 1.0;
    if target < 1.0 {
        return "0".to_owned();
    }
    let bits = target.to_bits();
    let exponent = i32::try_from(bits >> 52 & 0x7ff).expect("eleven bits") - 1_075;
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    if exponent <= 0 {
        return (mantissa >> -exponent).to_string();
    }
    // The mantissa in big-endian bytes, shifted by whole bytes and then by the bits that are left.
    let shift = exponent.unsigned_abs();
    let mut number = (u128::from(mantissa) << (shift % 8)).to_be_bytes().to_vec();
    number.extend(std::iter::repeat_n(0, (shift / 8) as usize));
    decimal(&number)
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates_and_bytes_are_written_as_the_node_writes_them() {
        assert_eq!(super::us_date_time(0), "01/01/1970 12:00:00 AM");
        assert_eq!(super::us_date_time(951_782_399), "02/28/2000 11:59:59 PM");
        assert_eq!(super::us_date_time(951_782_400), "02/29/2000 12:00:00 AM");
        assert_eq!(super::us_date_time(1_795_251_265), "11/21/2026 08:54:25 AM");
        assert_eq!(super::us_date_time(u32::MAX), "02/07/2106 06:28:15 AM");
        assert_eq!(super::python_bytes(b"a'\x00\n\\"), r#"b"a'\x00\n\\""#);
    }

    #[test]
    fn large_numbers_are_written_out() {
        assert_eq!(super::decimal(&[0, 0]), "0");
        assert_eq!(super::decimal(&[1, 0]), "256");
        assert_eq!(super::decimal(&[0xff; 16]), u128::MAX.to_string());
        // The numbers of a recorded refusal.
        assert_eq!(
            super::target(1.0),
            "57896044618658097711785492504343953926634992332820282019728792003956564819968"
        );
        assert_eq!(super::target(300.0), "0");
        assert_eq!(super::target(246.0), "1023");
        assert_eq!(super::target(200.0), "72057594037927936");
    }
}
