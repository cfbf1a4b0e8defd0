//! What is paid and kept, and what of.

use super::{Asks, Cents, FilterFields, Token, amount_of};
use clap::{ArgAction, Args};
use serde::{Serialize, Serializer};
use std::str::FromStr;

#[derive(Args, Serialize)]
pub struct PaymentFields {
    /// Whom to pay.
    address: String,
    /// How much, in cents.
    #[arg(value_name = "CENTS")]
    value: Cents,
    /// Of this token [default: HTR].
    #[arg(long, value_name = "UID")]
    token: Option<Token>,
    /// Where the change goes: an address of the wallet.
    #[arg(long, visible_alias = "change", value_name = "ADDRESS")]
    change_address: Option<String>,
}

impl Asks for PaymentFields {
    fn question(&self) -> String {
        format!("Pay {} to {}?", amount_of(self.value, self.token.as_ref()), self.address)
    }
}

#[derive(Args)]
pub struct ManyFields {
    /// Pays an address, perhaps of a token: ADDRESS:CENTS or ADDRESS:CENTS:UID. May be repeated.
    #[arg(long, value_name = "PAYMENT")]
    to: Vec<Payment>,
    /// Keeps a text on the ledger for good; it costs a cent. May be repeated.
    #[arg(long, value_name = "TEXT")]
    data: Vec<String>,
    /// Spends this output: HASH:INDEX. May be repeated [default: the wallet chooses].
    #[arg(long, value_name = "OUTPUT")]
    input: Vec<Spend>,
    /// Where the change goes: an address of the wallet.
    #[arg(long, visible_alias = "change", value_name = "ADDRESS")]
    change_address: Option<String>,
}

#[derive(Clone, Serialize)]
pub(super) struct Payment {
    address: String,
    value: Cents,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<Token>,
}

impl FromStr for Payment {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split(':').map(str::to_owned);
        let (Some(address), Some(value), token, None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err("a payment is ADDRESS:CENTS or ADDRESS:CENTS:UID");
        };
        Ok(Self { address, value: value.parse()?, token: token.map(Token::from) })
    }
}

#[derive(Clone, Serialize)]
pub(super) struct Spend {
    pub hash: String,
    pub index: u8,
}

impl FromStr for Spend {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let output =
            text.split_once(':').and_then(|(hash, index)| Some((hash.to_owned(), index.parse().ok()?)));
        output
            .map(|(hash, index)| Self { hash, index })
            .ok_or("an output is HASH:INDEX, its index from 0 to 254")
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Made<'a> {
    Payment(&'a Payment),
    Text { r#type: &'static str, data: &'a str },
}

#[derive(Serialize)]
struct SendTx<'a> {
    outputs: Vec<Made<'a>>,
    inputs: &'a [Spend],
    change_address: Option<&'a str>,
}

fn outputs(count: usize) -> String {
    if count == 1 { "1 output".to_owned() } else { format!("{count} outputs") }
}

fn texts(data: &[String]) -> impl Iterator<Item = Made<'_>> {
    data.iter().map(|data| Made::Text { r#type: "data", data })
}

/// Payments and texts as outputs, in this order.
pub(super) fn send_tx<S: Serializer>(
    payments: &[Payment],
    data: &[String],
    inputs: &[Spend],
    change_address: Option<&str>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let outputs = payments.iter().map(Made::Payment).chain(texts(data)).collect();
    SendTx { outputs, inputs, change_address }.serialize(serializer)
}

impl Serialize for ManyFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        send_tx(&self.to, &self.data, &self.input, self.change_address.as_deref(), serializer)
    }
}

impl Asks for ManyFields {
    fn question(&self) -> String {
        format!("Send this transaction, of {}?", outputs(self.to.len() + self.data.len()))
    }
}

#[derive(Args)]
pub struct DataFields {
    /// The texts, of up to 150 characters each.
    #[arg(value_name = "TEXT", required = true)]
    data: Vec<String>,
    /// Where the change goes: an address of the wallet.
    #[arg(long, visible_alias = "change", value_name = "ADDRESS")]
    change_address: Option<String>,
}

impl Serialize for DataFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        send_tx(&[], &self.data, &[], self.change_address.as_deref(), serializer)
    }
}

impl Asks for DataFields {
    fn question(&self) -> String {
        format!("Keep this on the ledger for good, in {}?", outputs(self.data.len()))
    }
}

#[derive(Args, Serialize)]
pub struct ConsolidateFields {
    /// Where the sum goes: an address of the wallet.
    #[arg(value_name = "ADDRESS")]
    destination_address: String,
    #[command(flatten)]
    #[serde(flatten)]
    filter: FilterFields,
}

impl Asks for ConsolidateFields {
    fn question(&self) -> String {
        format!("Make one output of them, at {}?", self.destination_address)
    }
}

#[derive(Args, Serialize)]
pub struct TransactionFields {
    /// The transaction, as hexadecimal digits.
    #[arg(value_name = "HEX")]
    #[serde(rename = "txHex")]
    tx_hex: String,
}

impl Asks for TransactionFields {
    fn question(&self) -> String {
        "Send this transaction?".to_owned()
    }
}

#[derive(Args, Serialize)]
pub struct HoldFields {
    #[command(flatten)]
    #[serde(flatten)]
    transaction: TransactionFields,
    /// Gives them back instead.
    #[arg(long = "release", action = ArgAction::SetFalse)]
    mark_as_used: bool,
    /// For how long, in milliseconds [default: until they are spent or given back].
    #[arg(long, value_name = "MS")]
    ttl: Option<u64>,
}
