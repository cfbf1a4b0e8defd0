//! Amounts as people write them. A whole number without a unit is refused: it could be a hundredfold of what
//! was meant.
//!
//! ```text
//! 12.50        1250 cents              2 pieces (of an NFT)
//! 12.50 HTR    1250 cents of HTR       12 HTR = 12.00 HTR
//! 12.50 TEA    1250 cents of TEA       12 TEA is refused: the token may have no decimals
//! ```

/// What amounts look like.
pub const WRONG: &str = "write an amount as 12.50, 12.50 HTR or 1250 cents";

/// The cents of an amount, and what it is of, where that stands beside it.
pub fn read(text: &str) -> Result<(String, Option<&str>), String> {
    let (number, unit) = with_unit(text);
    // 1 250, as some write numbers. Behind a point it is a token, which may be called so.
    if is_whole(number) && unit.is_some_and(is_thousands) {
        return Err(WRONG.to_owned());
    }
    let whole = is_whole(number).then(|| number.to_owned());
    let is_zero = !number.bytes().any(|digit| (b'1'..=b'9').contains(&digit));
    let (in_cents, token) = match unit.map(|unit| (unit, in_cents(unit))) {
        // Who asks for an amount refuses negative ones.
        None if whole.is_some() && !is_zero && !number.starts_with('-') => return Err(bare(number)),
        None => (cents(number).or(whole), None),
        Some((_, Some(token))) => (whole, token),
        Some((unit, None)) if whole.is_some() && unit.eq_ignore_ascii_case("HTR") => {
            (Some(format!("{number}00")), Some(unit))
        }
        Some((unit, None)) if whole.is_some() && !is_zero => return Err(either(number, unit)),
        Some((unit, None)) => (cents(number).or(whole), Some(unit)),
    };
    Ok((in_cents.ok_or(WRONG)?, token))
}

/// Why a whole number alone is refused.
pub fn bare(number: &str) -> String {
    format!(
        "\"{number}\" could be {number}.00 or {number} cents: write \"{number}.00\" or \"{number} cents\""
    )
}

/// Why a whole number beside a token other than HTR is refused: NFTs have no decimals.
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
    let (sign, number) = cents.strip_prefix('-').map_or(("", cents), |number| ("-", number));
    let (digits, part) = number.split_once('.').unwrap_or((number, ""));
    if digits.is_empty() || !digits.bytes().chain(part.bytes()).all(|byte| byte.is_ascii_digit()) {
        return cents.to_owned();
    }
    let digits = format!("{digits:0>3}");
    let (whole, rest) = digits.split_at(digits.len() - 2);
    format!("{sign}{whole}.{rest}{part}")
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

/// Whether a unit is the smallest one, `cents` or `pieces`, and of which token.
fn in_cents(unit: &str) -> Option<Option<&str>> {
    let (name, of) = unit.split_once(' ').map_or((unit, None), |(name, of)| (name, Some(of.trim_start())));
    match (matches!(name, "cents" | "cent" | "pieces" | "piece"), of) {
        (true, None) => Some(None),
        (true, Some(of)) => of.strip_prefix("of ").map(|token| Some(token.trim_start())),
        (false, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_without_a_unit_is_not_guessed_at() {
        let fine = [
            ("12.50", "1250", None),
            ("12.5", "1250", None),
            ("0", "0", None),
            ("1250 cents", "1250", None),
            ("1 cent", "1", None),
            ("2 pieces", "2", None),
            ("12.50 HTR", "1250", Some("HTR")),
            ("12.50htr", "1250", Some("htr")),
            ("0 HTR", "000", Some("HTR")),
            ("15 HTR", "1500", Some("HTR")),
            ("15htr", "1500", Some("htr")),
            ("0 TEA", "0", Some("TEA")),
            ("1 piece of PIC", "1", Some("PIC")),
            ("1250 cents of HTR", "1250", Some("HTR")),
            ("5 cents of 00ff", "5", Some("00ff")),
            ("-3.00 TEA", "-300", Some("TEA")),
            ("5.00 00", "500", Some("00")),
            ("5.00 100", "500", Some("100")),
        ];
        for (text, number, token) in fine {
            assert_eq!(read(text), Ok((number.to_owned(), token)), "{text}");
        }
        let why = "\"7 TEA\" could be 7.00 TEA or 7 cents: write \"7.00 TEA\" or \"7 cents of TEA\"";
        assert_eq!(read("7 TEA"), Err(why.to_owned()));
        let why = "\"15\" could be 15.00 or 15 cents: write \"15.00\" or \"15 cents\"";
        assert_eq!(read("15"), Err(why.to_owned()));
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
