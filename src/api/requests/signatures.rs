//! Signatures made elsewhere, on their way into a transaction of `/wallet/tx-proposal`.

use super::raw::{TRANSACTION, is_hex, transaction, tx_hex};
use super::send::each;
use crate::api::Refusal;
use crate::api::check::{Checker, Field};
use crate::api::check_twice::Form;
use crate::api::record::{Kind, Need, note};
use crate::api::texts::{
    INVALID_INDEX, INVALID_INPUT_SIGNATURE, INVALID_INPUT_SIGNATURES, INVALID_SIGNATURE_DATA,
    INVALID_SIGNATURE_INDEX, INVALID_SIGNATURES, INVALID_VALUES, no_such_input,
};
use crate::keys::{AccountPublic, KeyError};
use crate::ledger::Transaction;
use serde_json::{Map, Value};

const INDEX: &str = "must be an integer from 0 to 2147483647";

const BYTES: Form = Form {
    kind: Kind::Pattern("^([0-9A-Fa-f]{2})+$"),
    must: "must be bytes as hexadecimal digits",
    fits: is_hex,
};

fn is_bytes(text: &str) -> bool {
    text.len().is_multiple_of(2) && is_hex(text)
}

fn bytes(text: &str) -> Vec<u8> {
    hex::decode(text).unwrap_or_default()
}

/// Bytes that must be there. Digits that are half a byte too many are noted once they are known to be digits.
fn check_bytes<'a>(check: &mut Checker<'a>, fields: &[Field<'a>]) -> Vec<Option<&'a str>> {
    let texts = check.formed_texts(fields, BYTES);
    for (field, text) in fields.iter().zip(&texts) {
        if text.is_some_and(|text| !is_bytes(text)) {
            check.invalid(field, BYTES.must);
        }
    }
    texts
}

/// `POST /wallet/tx-proposal/add-signatures`.
#[derive(Clone, Debug, PartialEq)]
pub struct AddSignatures {
    /// Without the input data given.
    pub transaction: Transaction,
    /// What goes into which input; of several for one input, the last.
    pub signatures: Vec<(u8, Vec<u8>)>,
}

impl AddSignatures {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let hex = tx_hex(&mut check);
        let field = check.field("signatures");
        note("signatures", Kind::Array(0, None), Need::Required);
        note("signatures[]", Kind::Object(&[&["index", "data"]]), Need::Required);
        if !field.value.is_some_and(Value::is_array) {
            check.problem(&field, INVALID_SIGNATURES, "must be an array of {\"index\", \"data\"}");
        }
        let signatures: Vec<_> = field.elements().collect();
        let indexes = check.called(INVALID_SIGNATURE_INDEX, |check| {
            each(check, &signatures, "index", |check, field| {
                check.count(field, "must be the place of an input")
            })
        });
        let data: Vec<_> = signatures.iter().map(|signature| signature.member("data")).collect();
        let data = check.called(INVALID_SIGNATURE_DATA, |check| check_bytes(check, &data));
        check.finish()?;

        let transaction = transaction(hex)?;
        let inputs = transaction.inputs.len();
        let mut signatures = Vec::with_capacity(data.len());
        for (index, data) in indexes.into_iter().flatten().zip(data.into_iter().flatten()) {
            let place = u8::try_from(index).ok().filter(|place| usize::from(*place) < inputs);
            let place = place.ok_or_else(|| Refusal::failure(no_such_input(index, inputs)))?;
            signatures.push((place, bytes(data)));
        }
        Ok(Self { transaction, signatures })
    }
}

/// `GET /wallet/tx-proposal/get-wallet-inputs`.
#[derive(Clone, Debug, PartialEq)]
pub struct WalletInputsQuery {
    #[allow(missing_docs)]
    pub transaction: Transaction,
}

impl WalletInputsQuery {
    /// Reads the query of a request.
    pub fn from_query(query: &Map<String, Value>) -> Result<Self, Refusal> {
        let mut check = Checker::query(query);
        let hex = check.formed_text(&check.field("txHex"), TRANSACTION).unwrap_or_default();
        check.finish()?;
        Ok(Self { transaction: transaction(hex)? })
    }
}

/// `POST /wallet/tx-proposal/input-data`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MakeInputData {
    /// The index of the address that the spent output pays.
    pub index: u32,
    #[allow(missing_docs)]
    pub signatures: GivenSignatures,
}

/// Who signed an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenSignatures {
    /// The address's one key.
    One(Vec<u8>),
    /// Participants of a multisig wallet, by their xpubs.
    Participants(Vec<(String, Vec<u8>)>),
}

impl MakeInputData {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let one = check.form(|check| {
            let index = check_index(check);
            let field = check.field("signature");
            note("signature", BYTES.kind, Need::Optional);
            let signature = check.called(INVALID_INPUT_SIGNATURE, |check| check_bytes(check, &[field])[0]);
            (index, GivenSignatures::One(bytes(signature.unwrap_or_default())))
        });
        let several = check.form(|check| {
            let index = check_index(check);
            (index, GivenSignatures::Participants(check_participants(check)))
        });
        match (one, several) {
            (_, Ok((index, signatures))) | (Ok((index, signatures)), Err(_)) => {
                Ok(Self { index, signatures })
            }
            (Err(wrong), Err(others)) => {
                Err(Refusal::none_of(INVALID_VALUES, wrong.into_iter().chain(others).collect()))
            }
        }
    }
}

fn check_index(check: &mut Checker<'_>) -> u32 {
    let field = check.field("index");
    note("index", Kind::Integer(Some(0), Some((1 << 31) - 1)), Need::Required);
    let index = check.called(INVALID_INDEX, |check| {
        let index = check.count(&field, INDEX)?;
        let fits = u32::try_from(index).ok().filter(|index| *index < 1 << 31);
        if fits.is_none() {
            check.invalid(&field, INDEX);
        }
        fits
    });
    index.unwrap_or_default()
}

fn check_participants(check: &mut Checker<'_>) -> Vec<(String, Vec<u8>)> {
    let field = check.field("signatures");
    note("signatures", Kind::HexByName, Need::Optional);
    let given = field.value.and_then(Value::as_object);
    let read = given.and_then(|given| {
        let one = |(xpub, signature): (&String, &Value)| {
            let signature = signature.as_str().filter(|text| is_bytes(text))?;
            is_xpub(xpub).then(|| (xpub.clone(), bytes(signature)))
        };
        given.iter().map(one).collect::<Option<Vec<_>>>()
    });
    read.unwrap_or_else(|| {
        check.problem(
            &field,
            INVALID_INPUT_SIGNATURES,
            "must be an object of xpubs, each with a signature in hexadecimal digits",
        );
        Vec::new()
    })
}

fn is_xpub(text: &str) -> bool {
    !matches!(AccountPublic::from_xpub(text), Err(KeyError::InvalidXpub))
}
