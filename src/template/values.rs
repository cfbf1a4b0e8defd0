//! Values of fields and variables.

use super::FieldKind;
use crate::json::type_name;
use crate::ledger::{Amount, TokenUid, VertexId};
use serde_json::Value;

/// The first variable `{name}` in a text.
pub fn variable_in(value: &Value) -> Option<&str> {
    let mut rest = value.as_str()?;
    loop {
        rest = &rest[rest.find('{')? + 1..];
        let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        if end > 0 && rest[end..].starts_with('}') {
            return Some(&rest[..end]);
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// `None` for numbers with a fraction, which no field takes.
pub(super) fn whole(value: &Value) -> Option<i128> {
    let number = value.as_number()?.as_str();
    // As JavaScript, which may write a whole number with a point.
    number.parse().ok().or_else(|| {
        let (whole, fraction) = number.split_once('.')?;
        if fraction.bytes().all(|digit| digit == b'0') { whole.parse().ok() } else { None }
    })
}

/// A whole number, or decimal digits in a text.
fn whole_or_digits(value: &Value) -> Option<i128> {
    match value {
        Value::String(digits) => {
            let cents = digits.parse::<Amount>().ok().filter(|_| !digits.is_empty())?.cents();
            Some(i128::try_from(cents).unwrap_or(i128::MAX))
        }
        value => whole(value),
    }
}

pub(super) enum Mismatch {
    Type,
    /// Of the right type; with the message of release 0.39.
    Value(String),
}

impl FieldKind {
    pub(super) fn check(self, value: &Value) -> Result<(), Mismatch> {
        let fits = |fits: bool| if fits { Ok(()) } else { Err(Mismatch::Type) };
        let within = |number: Option<i128>, least: i128, most: i128| match number {
            None => Err(Mismatch::Type),
            Some(number) if number < least => {
                Err(Mismatch::Value(format!("Number must be greater than or equal to {least}")))
            }
            Some(number) if number > most => {
                Err(Mismatch::Value(format!("Number must be less than or equal to {most}")))
            }
            Some(_) => Ok(()),
        };
        match self {
            Self::Number | Self::Position => fits(whole(value).is_some()),
            Self::Index => within(whole_or_digits(value), 0, 255),
            Self::Count => within(whole_or_digits(value), 1, 255),
            Self::Byte => within(whole(value), 0, 255),
            Self::Time => within(whole(value), 0, u32::MAX.into()),
            Self::Amount => match whole_or_digits(value) {
                None => Err(Mismatch::Type),
                Some(1..) => Ok(()),
                Some(_) => Err(Mismatch::Value("Amount must be positive non-zero".to_owned())),
            },
            Self::Id => fits(id(value).is_some()),
            Self::Token => fits(token(value).is_some()),
            Self::Address => fits(value.as_str().is_some_and(is_address)),
            Self::Script => fits(script(value).is_some()),
            Self::Authority => fits(matches!(value.as_str(), Some("mint" | "melt"))),
            Self::Target => fits(matches!(value.as_str(), Some("inputs" | "outputs" | "all"))),
            Self::Text => fits(value.is_string()),
            Self::ShortText(most) => match value.as_str().map(|text| text.encode_utf16().count()) {
                None | Some(0) => Err(Mismatch::Type),
                Some(count) if count > most => {
                    Err(Mismatch::Value(format!("String must contain at most {most} character(s)")))
                }
                Some(_) => Ok(()),
            },
            Self::TokenVersion => within(whole(value), 0, 2).map_err(|_| Mismatch::Type),
            Self::Flag => fits(value.is_boolean()),
            Self::Name => match value.as_str() {
                Some(name) if name.contains(is_word) => Ok(()),
                Some(_) => Err(Mismatch::Value("Invalid".to_owned())),
                None => Err(Mismatch::Type),
            },
            Self::Call => fits(value.is_object()),
            Self::Args | Self::Actions => fits(value.is_array()),
            Self::Any => Ok(()),
        }
    }

    /// The message of release 0.39 for a value that is not a variable.
    pub(super) fn mismatch(self, value: &Value) -> String {
        let received = type_name(value);
        let expected = match self {
            Self::Authority if value.is_string() || value.is_number() => {
                return of_enum("'mint' | 'melt'", value);
            }
            Self::Target if value.is_string() => return of_enum("'inputs' | 'outputs' | 'all'", value),
            Self::Authority => "'mint' | 'melt'",
            Self::Target => "'inputs' | 'outputs' | 'all'",
            Self::Flag => "boolean",
            Self::Text | Self::Name => "string",
            Self::Call => "object",
            Self::Args | Self::Actions => "array",
            _ if value.is_number() => "integer",
            _ => "number",
        };
        format!("Expected {expected}, received {received}")
    }

    /// The end of a sentence.
    pub fn must(self) -> &'static str {
        match self {
            Self::Number => "a whole number",
            Self::Position => "a whole number: the place where it is put, or -1 for the end",
            Self::Index => "the place of an output, from 0 to 255",
            Self::Count => "a whole number from 1 to 255",
            Self::Amount => "an amount of at least 1, in cents",
            Self::Id => "64 hexadecimal digits",
            Self::Token => "a token's uid: 00 for HTR, or 64 hexadecimal digits",
            Self::Address => "an address",
            Self::Script => "a script in hexadecimal digits",
            Self::Time => "a time in Unix seconds",
            Self::Authority => "mint or melt",
            Self::Text => "a text",
            Self::ShortText(30) => "a text of 1 to 30 characters",
            Self::ShortText(_) => "a text of 1 to 5 characters",
            Self::Byte => "a whole number from 0 to 255",
            Self::TokenVersion => "1, of a token that is paid for by a deposit, or 2, by fees",
            Self::Flag => "true or false",
            Self::Target => "inputs, outputs or all",
            Self::Name => "a text with a letter, a digit or an underscore in it",
            Self::Any => "JSON",
            Self::Call => "an object with a method",
            Self::Args => "an array",
            Self::Actions => "an array of actions",
        }
    }
}

fn of_enum(expected: &str, value: &Value) -> String {
    let received = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    format!("Invalid enum value. Expected {expected}, received '{received}'")
}

fn is_address(text: &str) -> bool {
    let is_digit = |digit: u8| digit.is_ascii_alphanumeric() && !b"0OIl".contains(&digit);
    (34..=35).contains(&text.len()) && text.bytes().all(is_digit)
}

pub(super) fn id(value: &Value) -> Option<VertexId> {
    value.as_str()?.parse().ok()
}

pub(super) fn token(value: &Value) -> Option<TokenUid> {
    value.as_str()?.parse().ok()
}

pub(super) fn script(value: &Value) -> Option<Vec<u8>> {
    hex::decode(value.as_str()?).ok().filter(|bytes| !bytes.is_empty())
}

pub(super) fn amount(value: &Value) -> Option<Amount> {
    let cents = whole_or_digits(value)?;
    Some(Amount::new(u128::try_from(cents).ok()?))
}

pub(super) fn number<N: TryFrom<i128>>(value: &Value) -> Option<N> {
    N::try_from(whole_or_digits(value)?).ok()
}
