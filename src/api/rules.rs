//! How the fields are read that several requests have.

use super::check::{Checker, Field};
use super::check_twice::Form;
use super::declare::{Context, Elements, Fields, Kind, Length, Literal, Rule};
use super::integer::amount;
use super::texts::{INVALID_PARTIAL_TX_FIELD, INVALID_TX_HEX, INVALID_VALUE, TRANSACTION_NOT_SUPPORTED};
use super::{Compat, Refusal};
use crate::keys::ADDRESS_INDEXES;
use crate::ledger::{Amount, MAX_DATA_OUTPUTS, MAX_DATA_TEXT_CHARS, Transaction};
use serde_json::Value;

/// The uid of HTR.
pub(crate) const NATIVE: &str = "00";
/// The last index that an address can have.
pub(crate) const MAX_INDEX: u32 = ADDRESS_INDEXES - 1;

/// What a reader gives where it has noted a problem: nobody sees it, for the problem is told instead.
pub(crate) fn noted<T>() -> Result<T, Refusal> {
    Err(Refusal::Fields(Vec::new()))
}

/// What was read, or nothing because of a problem that was noted.
pub(crate) fn or_noted<T>(read: Option<T>) -> Result<T, Refusal> {
    read.map_or_else(noted, Ok)
}

pub(crate) const TEXT: Rule<String> =
    Rule::required(Kind::Text, |check, field, _| or_noted(check.text(field).map(str::to_owned)));

/// A text, or nothing.
pub(crate) const OPTIONAL_TEXT: Rule<Option<String>> =
    Rule::optional(Kind::Text, |check, field, _| Ok(check.optional_text(field).map(str::to_owned)));

/// An address, as given.
pub(crate) const ADDRESS: Rule<String> = TEXT.of(Kind::Address);

/// An address, as given; an empty one is none.
pub(crate) const OPTIONAL_ADDRESS: Rule<Option<String>> =
    Rule::optional(Kind::Address, |check, field, _| Ok(not_empty(check.optional_text(field))));

pub(crate) const TOKEN: Rule<String> = Rule::required(Kind::TokenUid, |check, field, context| {
    or_noted(check.token(field, context.compat).map(str::to_owned))
})
.in_0_39(Kind::Text);

/// A token's uid, or nothing.
pub(crate) const OPTIONAL_TOKEN: Rule<Option<String>> =
    Rule::optional(Kind::TokenUid, |check, field, context| {
        Ok(check.optional_token(field, context.compat).map(str::to_owned))
    })
    .in_0_39(Kind::Text);

/// A token's uid; HTR if none is given.
pub(crate) const TOKEN_OR_HTR: Rule<String> =
    TOKEN_ELSE_HTR.default(Literal::Text(NATIVE)).in_0_39(Kind::Text);

/// The same in an object, whose description says that it is HTR.
pub(crate) const TOKEN_OF_PART: Rule<String> = TOKEN_ELSE_HTR.in_0_39(Kind::Text);

const TOKEN_ELSE_HTR: Rule<String> = Rule::optional(Kind::TokenUid, |check, field, context| {
    Ok(check.optional_token(field, context.compat).unwrap_or(NATIVE).to_owned())
});

/// An amount of at least 1.
pub(crate) const AMOUNT: Rule<Amount> =
    Rule::required(Kind::Amount, |check, field, _| or_noted(check.positive_amount(field)));

/// An amount of at least 1, or nothing.
pub(crate) const OPTIONAL_AMOUNT: Rule<Option<Amount>> = Rule::optional(Kind::Amount, |check, field, _| {
    field.value.map(|_| or_noted(check.positive_amount(field))).transpose()
});

/// A bound that amounts must be below, or that their sum must keep within; a negative one lets nothing
/// through, as 0 does.
pub(crate) const UPPER_BOUND: Rule<Option<Amount>> =
    Rule::optional(Kind::Integer(None, None), |check, field, context| {
        Ok(upper_bound(check.optional_integer(field, None), context.compat))
    });

/// A number as such a bound.
pub(crate) fn upper_bound(number: Option<i128>, compat: Compat) -> Option<Amount> {
    let number = number.filter(|n| *n != 0 || !compat.zero_means_not_given())?;
    Some(amount(number).unwrap_or(Amount::ZERO))
}

/// A bound that amounts must be above. Every amount is above a negative one.
pub(crate) const LOWER_BOUND: Rule<Option<Amount>> =
    Rule::optional(Kind::Integer(None, None), |check, field, context| {
        Ok(check.optional_integer(field, context.least()).and_then(amount))
    });

/// At most so many; in release 0.39, 0 stands for none and negative ones act as 1.
pub(crate) const MOST: Rule<Option<usize>> = Rule::optional(COUNT, |check, field, context| {
    Ok(most(check.optional_integer(field, context.least()), context.compat))
})
.in_0_39(Kind::Integer(None, None));

const COUNT: Kind = Kind::Integer(Some(0), None);

/// A count as a limit.
pub(crate) fn most(number: Option<i128>, compat: Compat) -> Option<usize> {
    let number = number.filter(|n| *n != 0 || !compat.zero_means_not_given())?;
    Some(if number < 0 { 1 } else { usize::try_from(number).unwrap_or(usize::MAX) })
}

/// A yes or no.
pub(crate) const fn flag(otherwise: bool) -> Rule<bool> {
    Rule::optional(Kind::Flag, read_flag).default(Literal::Flag(otherwise))
}

/// A yes or no that must be a JSON boolean.
pub(crate) const fn strict_flag(otherwise: bool) -> Rule<bool> {
    Rule::optional(Kind::StrictFlag, read_flag).default(Literal::Flag(otherwise))
}

fn read_flag<'a>(check: &mut Checker<'a>, field: &Field<'a>, context: Context) -> Result<bool, Refusal> {
    let Some(Literal::Flag(otherwise)) = context.default else { unreachable!("flags have a default") };
    Ok(check.flag(field, otherwise))
}

/// A token's name or symbol, of at most so many characters.
pub(crate) const fn token_text(most: usize) -> Rule<String> {
    Rule::required(Kind::ShortText(most), |check, field, context| {
        let text = check.text(field);
        or_noted(text.and_then(|text| within_limit(check, field, text, context)))
    })
}

/// A token's name or symbol, of at most so many characters; an empty one is refused with the fields.
pub(crate) const fn nonempty_token_text(most: usize) -> Rule<String> {
    token_text(most).formed(&NOT_EMPTY)
}

fn within_limit<'a>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    text: &str,
    Context { compat, kind, .. }: Context,
) -> Option<String> {
    let Kind::ShortText(most) = *kind else { unreachable!("declared so above") };
    let length = text.chars().count();
    if length > most && compat.checks_token_text_with_fields() {
        let name = field.path.rsplit('.').next().unwrap_or_default();
        let must = format!(
            "must have at most {most} characters (Token {name} size is {length} but maximum size is {most})"
        );
        check.too_long(field, most, must);
        return None;
    }
    Some(text.to_owned())
}

/// The form of texts that must hold something.
pub(crate) const NOT_EMPTY: Form = Form { must: "must not be empty", fits: |text| !text.is_empty() };

/// An address that must not be empty, as given; or nothing.
pub(crate) const NONEMPTY_ADDRESS: Rule<Option<String>> =
    OPTIONAL_TEXT.of(Kind::NonEmptyText).formed(&NOT_EMPTY);

/// The text of a data output.
pub(crate) const DATA: Rule<String> = Rule::required(DATA_TEXT, |check, field, context| {
    or_noted(check.data(field, context.compat.checks_data_outputs_with_fields()))
});

/// Texts of data outputs.
pub(crate) const DATA_LIST: Rule<Vec<String>> = Rule::optional(
    Kind::Array { of: &DATA_TEXT, least: 0, most: Some(MAX_DATA_OUTPUTS) },
    |check, field, context| Ok(check.data_list(field, context.compat.checks_data_outputs_with_fields())),
);

/// A text of a data output.
pub(crate) const DATA_TEXT: Kind = Kind::ShortText(MAX_DATA_TEXT_CHARS);

/// A transaction given as text.
pub(crate) const TRANSACTION: Form =
    Form { must: "must be a transaction as hexadecimal digits", fits: is_hex };

/// Whether a text has hexadecimal digits, and nothing else.
pub(crate) fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The transaction of hexadecimal digits.
fn transaction(hex: &str) -> Result<Transaction, Refusal> {
    read_as(Transaction::from_bytes, hex)
}

/// As [`transaction`], but with amounts in units of 10^-18, where the network is known later.
pub(crate) fn transaction_with_v2(hex: &str) -> Result<Transaction, Refusal> {
    read_as(Transaction::from_bytes_with_v2, hex)
}

fn read_as<E>(read: fn(&[u8]) -> Result<Transaction, E>, hex: &str) -> Result<Transaction, Refusal> {
    let transaction = hex::decode(hex).ok().and_then(|bytes| read(&bytes).ok());
    transaction.ok_or_else(|| Refusal::failure(TRANSACTION_NOT_SUPPORTED))
}

/// A transaction as hexadecimal digits, under `txHex`.
pub(crate) const TX_HEX: Rule<Transaction> =
    Rule::required(Kind::Hex, |check, field, _| or_noted(check.text(field)).and_then(transaction))
        .formed(&TRANSACTION)
        .named("txHex")
        .length(Length::Long)
        .called(INVALID_TX_HEX);

/// A proposal of an atomic swap, as text.
pub(crate) const PARTIAL_TX: Rule<String> = TEXT.length(Length::Long).called(INVALID_PARTIAL_TX_FIELD);

/// A transaction's id.
pub(crate) const TRANSACTION_ID: Rule<String> = TEXT
    .of(Kind::Pattern("^[0-9A-Fa-f]{64}$"))
    .formed(&Form { must: "must be a transaction id of 64 hexadecimal digits", fits: is_id });

/// Whether a text has the 64 hexadecimal digits of an id.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 64 && is_hex(text)
}

/// An object within a request.
pub(crate) const fn object<R: Fields>() -> Rule<R> {
    Rule::required(R::KIND, nested)
}

/// An object within a request, or nothing.
pub(crate) const fn optional_object<R: Fields>() -> Rule<Option<R>> {
    Rule::optional(R::KIND, |check, field, context| {
        field.value.map(|_| nested(check, field, context)).transpose()
    })
}

/// The members of an object; anything else has none.
pub(crate) const fn members<R: Fields>() -> Rule<R> {
    Rule::optional(R::KIND, |check, field, Context { compat, .. }| {
        or_noted(check.within(field, |check| R::read_one(check, compat)))
    })
}

fn nested<'a, R: Fields>(check: &mut Checker<'a>, field: &Field<'a>, context: Context) -> Result<R, Refusal> {
    if !field.value.is_some_and(Value::is_object) {
        check.wrong_type(field, "object", "must be an object");
        return noted();
    }
    or_noted(check.within(field, |check| R::read_one(check, context.compat)))
}

/// An array of objects: problems come by field, then by object.
pub(crate) const fn list<R: Fields + Into<T>, T>(least: usize, most: Option<usize>) -> Rule<Vec<T>> {
    Rule::required(Kind::Array { of: R::KIND_OF_ELEMENTS, least, most }, read_list::<R, T>)
}

pub(crate) fn read_list<'a, R: Fields + Into<T>, T>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    context: Context,
) -> Result<Vec<T>, Refusal> {
    let elements = elements(check, field, context);
    Ok(R::read_each(check, &elements, context.compat).into_iter().map(Into::into).collect())
}

/// The elements of an array, as it is declared; none of one that is refused.
pub(crate) fn elements<'a>(check: &mut Checker<'a>, field: &Field<'a>, context: Context) -> Vec<Field<'a>> {
    let Kind::Array { least, most, .. } = *context.kind else { unreachable!("declared as an array") };
    let Elements { must, called, twice } = *context.array.expect("declared how it is refused");
    if context.may_lack && field.value.is_none() {
        return Vec::new();
    }
    check.called(called, |check| {
        if most.is_some_and(|most| check.too_many(field, most, context.compat)) {
            Vec::new()
        } else if twice {
            check.some_elements(field, must)
        } else {
            if field.value.and_then(Value::as_array).is_none_or(|elements| elements.len() < least) {
                check.invalid(field, must);
            }
            field.elements().collect()
        }
    })
}

/// An array of at most so many objects, each of which is read whole before the next.
pub(crate) const fn rows<R: Fields>(most: usize) -> Rule<Vec<R>> {
    let kind = Kind::Array { of: R::KIND_OF_ELEMENTS, least: 0, most: Some(most) };
    Rule::optional(kind, |check, field, context| {
        let Kind::Array { most: Some(most), .. } = *context.kind else { unreachable!("declared so above") };
        let Some(value) = field.value else { return Ok(Vec::new()) };
        if value.as_array().is_none_or(|rows| rows.len() > most) {
            check.wrong_type(field, "array", context.array.expect("declared how it is refused").must);
            return noted();
        }
        let read = |row| check.within(&row, |check| R::read_one(check, context.compat));
        let read: Vec<_> = field.elements().map(read).collect();
        or_noted(read.into_iter().collect())
    })
}

/// An array of at most so many texts.
pub(crate) fn texts<'a>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    most: usize,
    must: &'static str,
) -> Option<Vec<String>> {
    let texts = field.value.and_then(Value::as_array).filter(|texts| texts.len() <= most);
    let texts = texts.and_then(|texts| texts.iter().map(|text| text.as_str().map(str::to_owned)).collect());
    if texts.is_none() {
        check.wrong_type(field, "array", must);
    }
    texts
}

/// How an array is refused, in one check.
pub(crate) const fn once(must: &'static str) -> Elements {
    Elements { must, called: INVALID_VALUE, twice: false }
}

/// How an array is refused, in two checks.
pub(crate) const fn twice(called: &'static str, must: &'static str) -> Elements {
    Elements { must, called, twice: true }
}

fn not_empty(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.is_empty()).map(str::to_owned)
}

/// Whether a value is neither `null`, `false`, 0 nor empty.
pub(crate) fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Number(number) => number.as_str() != "0",
        _ => true,
    }
}
