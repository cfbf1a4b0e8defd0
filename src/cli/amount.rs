//! Amounts as people write them.
//!
//! ```text
//! 12.50    1250    1250 cents                without a token: 1250 are cents
//! 12.50 HTR        1250 cents of HTR         with one. `12 HTR` is neither: it may mean 12.00 HTR or 12 cents
//! ```

/// What amounts look like.
pub const WRONG: &str = "write an amount as 12.50, or as a whole number of cents: 1250 is 12.50";

/// The cents of an amount, and what it is of, where that stands beside it.
pub fn read(text: &str) -> Result<(String, Option<&str>), String> {
    let (number, unit) = with_unit(text);
    // 1 250, as some write numbers. Behind a point it is a token, which may be called so.
    if is_whole(number) && unit.is_some_and(is_thousands) {
        return Err(WRONG.to_owned());
    }
    let whole = is_whole(number).then(|| number.to_owned());
    let (in_cents, token) = match unit.map(|unit| (unit, in_cents(unit))) {
        None => return Ok((cents(number).or(whole).ok_or(WRONG)?, None)),
        Some((_, Some(token))) => (whole, token),
        Some((unit, None)) => {
            if whole.is_some_and(|digits| digits.bytes().any(|digit| digit != b'0' && digit != b'-')) {
                return Err(either(number, unit));
            }
            (cents(number).or(is_whole(number).then(|| number.to_owned())), Some(unit))
        }
    };
    Ok((in_cents.ok_or(WRONG)?, token))
}

/// Why a whole number beside a token is not taken: nobody knows which of two was meant, a hundredfold apart.
pub fn either(number: &str, token: &str) -> String {
    format!(
        "\"{number} {token}\" could be {number}.00 {token} or {number} cents: write \"{number}.00 {token}\" or \"{number} cents of {token}\""
    )
}

/// The cents of an amount with a point, such as 12.50 or 12.5.
pub fn cents(text: &str) -> Option<String> {
    let (whole, rest) = text.split_once('.')?;
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = whole.strip_prefix('-').unwrap_or(whole);
    if unsigned.is_empty() || !digits(unsigned) || !digits(rest) || !(1..=2).contains(&rest.len()) {
        return None;
    }
    Some(format!("{whole}{rest:0<2}"))
}

/// `12.50` of `1250`; what is no whole number stays what it is.
pub fn decimal(cents: &str) -> String {
    let (sign, digits) = cents.strip_prefix('-').map_or(("", cents), |digits| ("-", digits));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return cents.to_owned();
    }
    let digits = format!("{digits:0>3}");
    let (whole, rest) = digits.split_at(digits.len() - 2);
    format!("{sign}{whole}.{rest}")
}

/// Whether it is a whole number.
pub fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `12.50 HTR` in its two parts. HTR needs no space: no number ends so.
fn with_unit(text: &str) -> (&str, Option<&str>) {
    let end = text.len().saturating_sub("HTR".len());
    match text.split_once(' ') {
        Some((amount, unit)) if !unit.trim().is_empty() => (amount, Some(unit.trim())),
        None if end > 0 && text.get(end..).is_some_and(|unit| unit.eq_ignore_ascii_case("HTR")) => {
            (&text[..end], Some(&text[end..]))
        }
        _ => (text, None),
    }
}

/// Whether what stands behind a space is three more digits of a number.
fn is_thousands(text: &str) -> bool {
    let digits = text.split([' ', '.']).next().unwrap_or_default();
    digits.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit() || b" .".contains(&byte))
}

/// Whether a unit is `cents`, and of which token.
fn in_cents(unit: &str) -> Option<Option<&str>> {
    let (name, of) = unit.split_once(' ').map_or((unit, None), |(name, of)| (name, Some(of.trim_start())));
    match (matches!(name, "cents" | "cent"), of) {
        (true, None) => Some(None),
        (true, Some(of)) => of.strip_prefix("of ").map(|token| Some(token.trim_start())),
        (false, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_beside_a_token_is_not_guessed_at() {
        let fine = [
            ("12.50", "1250", None),
            ("12.5", "1250", None),
            ("1250", "1250", None),
            ("1250 cents", "1250", None),
            ("1 cent", "1", None),
            ("12.50 HTR", "1250", Some("HTR")),
            ("12.50htr", "1250", Some("htr")),
            ("0 HTR", "0", Some("HTR")),
            ("1250 cents of HTR", "1250", Some("HTR")),
            ("5 cents of 00ff", "5", Some("00ff")),
            ("-3.00 TEA", "-300", Some("TEA")),
            ("5.00 00", "500", Some("00")),
            ("5.00 100", "500", Some("100")),
        ];
        for (text, number, token) in fine {
            assert_eq!(read(text), Ok((number.to_owned(), token)), "{text}");
        }
        for (text, number, token) in [("10 HTR", "10", "HTR"), ("10HTR", "10", "HTR"), ("7 TEA", "7", "TEA")]
        {
            assert_eq!(read(text), Err(either(number, token)), "{text}");
        }
        let why = "\"10 HTR\" could be 10.00 HTR or 10 cents: write \"10.00 HTR\" or \"10 cents of HTR\"";
        assert_eq!(either("10", "HTR"), why);
        for text in [
            "",
            "HTR",
            "x",
            "1.234",
            "1,50",
            "12.50 cents",
            "1.5 cents of HTR",
            "x HTR",
            "1e3 HTR",
            "1 250",
            "1 250.00",
            "1 250 000",
        ] {
            assert_eq!(read(text), Err(WRONG.to_owned()), "{text}");
        }
    }
}
