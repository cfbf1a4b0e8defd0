//! Transactions that are built here and signed elsewhere, or by several participants.

use super::Asks;
use super::sends::{Payment, Spend, TransactionFields};
use clap::Args;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::str::FromStr;

#[derive(Args)]
pub struct BuildFields {
    /// Pays an address, perhaps of a token: ADDRESS:CENTS or ADDRESS:CENTS:UID. May be repeated.
    #[arg(long, value_name = "PAYMENT")]
    to: Vec<Payment>,
    /// Keeps these hexadecimal digits on the ledger for good; it costs a cent. May be repeated.
    #[arg(long, value_name = "HEX")]
    data: Vec<String>,
    /// Spends this output: HASH:INDEX. May be repeated [default: the wallet chooses].
    #[arg(long, value_name = "OUTPUT")]
    input: Vec<Spend>,
    /// Where the change goes: an address of the wallet.
    #[arg(long, visible_alias = "change", value_name = "ADDRESS")]
    change_address: Option<String>,
}

impl Serialize for BuildFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::sends::send_tx(&self.to, &self.data, &self.input, self.change_address.as_deref(), serializer)
    }
}

#[derive(Args, Serialize)]
pub struct InputDataFields {
    /// The index of the address whose output is spent.
    index: u32,
    /// The signature, as hexadecimal digits (DER).
    #[arg(value_name = "HEX", required_unless_present = "signatures", conflicts_with = "signatures")]
    signature: Option<String>,
    /// A participant's signature, of a multisig wallet: its account's xpub and the digits. To be repeated for each who signs.
    #[arg(long = "of", value_name = "XPUB:HEX")]
    #[serde(serialize_with = "by_xpub")]
    signatures: Vec<Signature>,
}

#[derive(Clone)]
struct Signature {
    xpub: String,
    digits: String,
}

impl FromStr for Signature {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (xpub, digits) = text.split_once(':').ok_or("a participant's signature is XPUB:HEX")?;
        Ok(Self { xpub: xpub.to_owned(), digits: digits.to_owned() })
    }
}

/// An object, or nothing where none is given.
fn by_xpub<S: Serializer>(list: &[Signature], serializer: S) -> Result<S::Ok, S::Error> {
    let object: BTreeMap<_, _> = list.iter().map(|one| (&one.xpub, &one.digits)).collect();
    Some(object).filter(|object| !object.is_empty()).serialize(serializer)
}

#[derive(Args, Serialize)]
pub struct AddSignaturesFields {
    #[command(flatten)]
    #[serde(flatten)]
    transaction: TransactionFields,
    /// An input's place in the transaction, and its data as `input-data` makes it. To be repeated for each input.
    #[arg(long = "input", value_name = "N:HEX", required = true)]
    signatures: Vec<GivenData>,
}

#[derive(Clone, Serialize)]
struct GivenData {
    index: u8,
    data: String,
}

impl FromStr for GivenData {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let input = text.split_once(':').and_then(|(index, data)| Some((index.parse().ok()?, data)));
        let (index, data) = input
            .filter(|(index, _)| *index < u8::MAX)
            .ok_or("an input's data is N:HEX, N being its place from 0 to 254")?;
        Ok(Self { index, data: data.to_owned() })
    }
}

/// What several participants are to sign.
#[derive(Args, Serialize)]
pub struct Proposing<Fields: Args> {
    #[command(flatten)]
    #[serde(flatten)]
    fields: Fields,
    /// Sets its inputs aside for a week, so that no other proposal or send takes them.
    #[arg(long = "set-aside")]
    #[serde(rename = "mark_inputs_as_used")]
    pub set_aside: bool,
}

#[derive(Args, Serialize)]
pub struct ProposeFields {
    /// Pays an address, perhaps of a token: ADDRESS:CENTS or ADDRESS:CENTS:UID. May be repeated.
    #[arg(long = "to", value_name = "PAYMENT", required = true)]
    outputs: Vec<Payment>,
    /// Spends this output: HASH:INDEX. May be repeated [default: the wallet chooses].
    #[arg(long = "input", value_name = "OUTPUT")]
    #[serde(serialize_with = "by_id")]
    inputs: Vec<Spend>,
    /// Where the change goes: an address of the wallet.
    #[arg(long, visible_alias = "change", value_name = "ADDRESS")]
    change_address: Option<String>,
}

/// Outputs as the operations of multisig wallets name them.
fn by_id<S: Serializer>(inputs: &[Spend], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Input<'a> {
        tx_id: &'a str,
        index: u8,
    }
    serializer.collect_seq(inputs.iter().map(|Spend { hash, index }| Input { tx_id: hash, index: *index }))
}

#[derive(Args, Serialize)]
pub struct SharesFields {
    #[command(flatten)]
    #[serde(flatten)]
    transaction: TransactionFields,
    /// What `my-signatures` gave to as many participants as must sign.
    #[arg(value_name = "SIGNATURES", required = true)]
    signatures: Vec<String>,
}

impl Asks for SharesFields {
    fn question(&self) -> String {
        "Sign and send this transaction?".to_owned()
    }
}
