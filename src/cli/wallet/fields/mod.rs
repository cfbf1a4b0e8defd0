//! The fields of requests. Each struct is flags to people and JSON to the server, by the same names.

mod proposals;
mod reads;
mod sends;
mod tokens;

pub use proposals::{
    AddSignaturesFields, BuildFields, InputDataFields, ProposeFields, Proposing, SharesFields,
};
pub use reads::{
    AddressFields, AddressInfoFields, FilterFields, HistoryFields, IdFields, LastIndexFields,
    MoreAddressesFields, TokenFields, TokenUidFields, UtxoFields,
};
pub use sends::{ConsolidateFields, DataFields, HoldFields, ManyFields, PaymentFields, TransactionFields};
pub use tokens::{CreateNftFields, CreateTokenFields, MeltFields, Melting, MintFields, Minting, NewToken};

use super::sheets::beside;
use headless_wallet::ledger::Amount;
use serde::{Serialize, Serializer};
use std::str::FromStr;

/// What is asked before a request is sent.
pub trait Asks {
    /// The question, which a yes or a no answers.
    fn question(&self) -> String;
}

/// Whole cents.
#[derive(Clone, Copy)]
pub struct Cents(Amount);

impl Cents {
    /// As digits.
    pub fn digits(self) -> String {
        self.0.to_string()
    }
}

impl FromStr for Cents {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| "amounts are whole numbers of cents: 1250 is 12.50")
    }
}

impl Serialize for Cents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u128(self.0.cents())
    }
}

/// A token's uid, for which HTR has a name.
#[derive(Clone, Serialize)]
pub struct Token(pub String);

impl From<String> for Token {
    fn from(text: String) -> Self {
        Self(if text.eq_ignore_ascii_case("HTR") { "00".to_owned() } else { text })
    }
}

/// An amount of a token.
fn amount_of(amount: Cents, token: Option<&Token>) -> String {
    match token.map(|token| token.0.as_str()) {
        None | Some("00" | "") => beside(&amount.digits()),
        Some(uid) => format!("{} of token {uid}", amount.digits()),
    }
}
