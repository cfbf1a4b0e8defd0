//! What is asked of a wallet.

use super::{Cents, Token};
use clap::Args;
use serde::{Serialize, Serializer};

#[derive(Args, Serialize)]
pub struct AddressFields {
    /// The address at this index, rather than the current one.
    #[arg(long, value_name = "N")]
    index: Option<u32>,
    /// Takes the address out: the next time there is another.
    #[arg(long = "new", conflicts_with = "index")]
    pub mark_as_used: bool,
}

#[derive(Args, Serialize)]
pub struct LastIndexFields {
    /// Watches all addresses up to this index, and waits until they are loaded.
    #[arg(long = "set", value_name = "INDEX")]
    pub index: Option<u32>,
}

#[derive(Args, Serialize)]
pub struct MoreAddressesFields {
    /// How many more.
    #[arg(value_name = "N")]
    count: u32,
}

#[derive(Args, Serialize)]
pub struct AddressInfoFields {
    /// An address of the wallet.
    address: String,
    /// What it received of this token [default: HTR].
    #[arg(long, value_name = "UID")]
    token: Option<Token>,
}

#[derive(Args, Serialize)]
pub struct TokenFields {
    /// Of this token [default: HTR].
    #[arg(long, value_name = "UID")]
    token: Option<Token>,
}

impl TokenFields {
    /// Whether HTR is meant.
    pub fn is_htr(&self) -> bool {
        self.token.as_ref().is_none_or(|token| matches!(token.0.as_str(), "00" | ""))
    }
}

#[derive(Args, Serialize)]
pub struct TokenUidFields {
    /// The token.
    #[arg(value_name = "UID")]
    token: Token,
}

#[derive(Args, Serialize)]
pub struct UtxoFields {
    #[command(flatten)]
    #[serde(flatten)]
    filter: FilterFields,
    /// Leaves out what is locked.
    #[arg(long)]
    only_available_utxos: bool,
}

#[derive(Args, Serialize)]
pub struct FilterFields {
    /// At most so many.
    #[arg(long, value_name = "N")]
    max_utxos: Option<u32>,
    /// Of this token [default: HTR].
    #[arg(long, value_name = "UID")]
    token: Option<Token>,
    /// Only those of this address.
    #[arg(long, value_name = "ADDRESS")]
    filter_address: Option<String>,
    /// Only those of less.
    #[arg(long, value_name = "CENTS")]
    amount_smaller_than: Option<Cents>,
    /// Only those of more.
    #[arg(long, value_name = "CENTS")]
    amount_bigger_than: Option<Cents>,
    /// As many as come to no more than this.
    #[arg(long, value_name = "CENTS")]
    maximum_amount: Option<Cents>,
}

#[derive(Args)]
pub struct HistoryFields {
    /// At most so many, newest first.
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "all")]
    limit: u32,
    /// The whole history.
    #[arg(long)]
    all: bool,
}

impl Serialize for HistoryFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let limit = (!self.all).then_some(self.limit);
        serializer.collect_map(limit.map(|limit| ("limit", limit)))
    }
}

#[derive(Args, Serialize)]
pub struct IdFields {
    /// The transaction's hash.
    #[arg(value_name = "HASH")]
    id: String,
}
