//! Amounts as people write them. A whole number without a unit is refused: it could be a hundredfold of what
//! was meant.
//!
//! ```text
//! 12.50        1250 cents              2 pieces (of an NFT)
//! 12.50 HTR    1250 cents of HTR       12 HTR = 12.00 HTR
//! 12.50 TEA    1250 cents of TEA       12 TEA is refused: the token may have no decimals
//! ```

use headless_wallet::ledger::TokenUid;
use headless_wallet::limits::{Cap, LIMIT, Rule, Which};

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

// Spending limits as the command line takes and shows them: amounts have decimals or name their unit, where
// requests and settings have whole cents.

const SHAPES: &str = "limits are as 'spend 10.00 HTR per day' (spend or mint; HTR, a token's uid or *; 'spend 500 cents of UID per day' for what \
                      is counted in pieces; transaction, hour, day or lifetime; perhaps with 'unless approved by 2 of alice,bob,carol' after \
                      it), 'to ADDRESS', 'not to ADDRESS' or 'call CONTRACT METHOD'";

/// A limit in the words of requests and settings, of what was typed.
pub fn typed_limit(text: &str) -> Result<String, String> {
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    let in_cents = match *words {
        ["to" | "not" | "call", ..] => text.to_owned(),
        [verb, number, "cents" | "cent", "of", ref rest @ ..] if is_whole(number) => {
            format!("{verb} {number} {}", rest.join(" "))
        }
        [verb, number, token, ref rest @ ..] => match read(&format!("{number} {token}")) {
            Ok((cents, _)) => format!("{verb} {cents} {token} {}", rest.join(" ")),
            Err(why) if is_whole(number) => return Err(why),
            Err(_) => text.to_owned(),
        },
        _ => text.to_owned(),
    };
    let rule = in_cents.parse::<Rule>();
    rule.map(|rule| rule.to_string()).map_err(|_| SHAPES.to_owned())
}

/// A limit of requests and settings, as it is typed here.
pub fn shown_limit(text: &str) -> String {
    let Ok(Rule::Cap(Cap { verb, most, which, .. })) = text.parse::<Rule>() else { return text.to_owned() };
    let rest = text.split_once(" per ").map_or("", |(_, rest)| rest);
    match which {
        _ if most.cents() == 0 => text.to_owned(),
        Which::Token(TokenUid::Native) => {
            format!("{verb} {} {which} per {rest}", decimal(&most.to_string()))
        }
        // Not all tokens are divided.
        Which::Token(_) | Which::Each => format!("{verb} {most} cents of {which} per {rest}"),
    }
}

/// What must be said beside what a server says of a limit.
pub fn units(told: &str) -> Option<&'static str> {
    let of_amounts = ["spend", "mint"].map(|verb| format!("{LIMIT} \"{verb} "));
    of_amounts
        .iter()
        .any(|begin| told.contains(begin))
        .then_some("Amounts in that limit are cents: 100 is 1.00.")
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

    #[test]
    fn amounts_in_limits_are_as_people_write_them() {
        let uid = "1a".repeat(32);
        let both = [
            ("spend 10.00 HTR per day".to_owned(), "spend 1000 HTR per day".to_owned()),
            (
                "spend 0.10 HTR per day unless approved by 1 of alice,bob".to_owned(),
                "spend 10 HTR per day unless approved by 1 of alice,bob".to_owned(),
            ),
            (format!("mint 5 cents of {uid} per hour"), format!("mint 5 {uid} per hour")),
            ("mint 500 cents of * per transaction".to_owned(), "mint 500 * per transaction".to_owned()),
            ("spend 0 * per transaction".to_owned(), "spend 0 * per transaction".to_owned()),
            (
                "not to WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6".to_owned(),
                "not to WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6".to_owned(),
            ),
        ];
        for (people, server) in both {
            assert_eq!(typed_limit(&people), Ok(server.clone()));
            assert_eq!(shown_limit(&server), people);
        }
        assert_eq!(typed_limit("spend 1000 cents of HTR per day"), Ok("spend 1000 HTR per day".to_owned()));
        assert_eq!(typed_limit("spend 10 HTR per day"), Ok("spend 1000 HTR per day".to_owned()));
        assert_eq!(typed_limit("mint 5 * per hour"), Err(either("5", "*")));
        for text in [
            "spend 10.00 HTR a day",
            "spend 1.234 HTR per day",
            "spend HTR per day",
            "to nobody",
            "",
            "spend",
        ] {
            assert_eq!(typed_limit(text), Err(SHAPES.to_owned()), "{text}");
        }
    }
}
