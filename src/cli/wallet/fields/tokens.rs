//! What is created, minted and melted.

use super::{Asks, Cents, Token, amount_of};
use clap::{ArgAction, Args};
use serde::Serialize;

#[derive(Args, Serialize)]
pub struct CreateTokenFields {
    #[command(flatten)]
    #[serde(flatten)]
    token: NewToken,
    /// Keeps a text on the ledger for good; it costs a cent. May be repeated.
    #[arg(long, value_name = "TEXT")]
    data: Vec<String>,
    /// How it is paid for: 1 by a deposit that melting returns, 2 by fees [default: 1].
    #[arg(long = "token-version", value_name = "1|2")]
    version: Option<u32>,
}

/// A token to be.
#[derive(Args, Serialize)]
pub struct NewToken {
    /// Its name, of at most 30 characters.
    name: String,
    /// Its symbol, of at most 5 characters.
    symbol: String,
    /// How much is minted, in cents. A hundredth of it is deposited in HTR, unless fees pay for it.
    #[arg(value_name = "CENTS")]
    amount: Cents,
    #[command(flatten)]
    #[serde(flatten)]
    places: Places,
    /// Without the authority to mint more, ever.
    #[arg(long = "no-mint", action = ArgAction::SetFalse)]
    create_mint: bool,
    /// Without the authority to melt.
    #[arg(long = "no-melt", action = ArgAction::SetFalse)]
    create_melt: bool,
    #[command(flatten)]
    #[serde(flatten)]
    mint: MintAuthority,
    #[command(flatten)]
    #[serde(flatten)]
    melt: MeltAuthority,
}

impl Asks for CreateTokenFields {
    fn question(&self) -> String {
        let NewToken { name, symbol, amount, .. } = &self.token;
        format!("Create the token {name} ({symbol}), {} of it?", amount.digits())
    }
}

#[derive(Args, Serialize)]
pub struct CreateNftFields {
    /// Its name, of at most 30 characters.
    name: String,
    /// Its symbol, of at most 5 characters.
    symbol: String,
    /// How many are minted.
    #[arg(value_name = "N")]
    amount: Cents,
    /// What identifies it, of at most 150 characters: mostly a URI.
    data: String,
    #[command(flatten)]
    #[serde(flatten)]
    places: Places,
    /// With the authority to mint more.
    #[arg(long)]
    create_mint: bool,
    /// With the authority to melt.
    #[arg(long)]
    create_melt: bool,
    #[command(flatten)]
    #[serde(flatten)]
    mint: MintAuthority,
    #[command(flatten)]
    #[serde(flatten)]
    melt: MeltAuthority,
}

impl Asks for CreateNftFields {
    fn question(&self) -> String {
        let Self { name, symbol, amount, .. } = self;
        format!("Create the NFT {name} ({symbol}), {} of it?", amount.digits())
    }
}

#[derive(Args, Serialize)]
pub struct MintFields {
    #[command(flatten)]
    #[serde(flatten)]
    minting: Minting,
    /// Keeps a text on the ledger for good; it costs a cent. May be repeated.
    #[arg(long, value_name = "TEXT")]
    data: Vec<String>,
}

/// What is minted, and for whom.
#[derive(Args, Serialize)]
pub struct Minting {
    #[command(flatten)]
    #[serde(flatten)]
    supply: Supply,
    #[command(flatten)]
    #[serde(flatten)]
    places: Places,
    #[command(flatten)]
    #[serde(flatten)]
    authority: MintAuthority,
}

impl Asks for MintFields {
    fn question(&self) -> String {
        format!("Mint {}?", self.minting.supply.text())
    }
}

#[derive(Args, Serialize)]
pub struct MeltFields {
    #[command(flatten)]
    #[serde(flatten)]
    melting: Melting,
    /// Keeps a text on the ledger for good; it costs a cent. May be repeated.
    #[arg(long, value_name = "TEXT")]
    data: Vec<String>,
}

/// What is melted.
#[derive(Args, Serialize)]
pub struct Melting {
    #[command(flatten)]
    #[serde(flatten)]
    supply: Supply,
    /// Where the change goes: an address of the wallet.
    #[arg(long, visible_alias = "change", value_name = "ADDRESS")]
    change_address: Option<String>,
    /// Who gets the deposit back [default: the wallet].
    #[arg(long, value_name = "ADDRESS")]
    deposit_address: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    authority: MeltAuthority,
}

impl Asks for MeltFields {
    fn question(&self) -> String {
        format!("Melt {}, for good?", self.melting.supply.text())
    }
}

/// How much of what.
#[derive(Args, Serialize)]
struct Supply {
    /// The token.
    #[arg(value_name = "UID")]
    token: Token,
    /// How much, in cents.
    #[arg(value_name = "CENTS")]
    amount: Cents,
}

impl Supply {
    fn text(&self) -> String {
        amount_of(self.amount, Some(&self.token))
    }
}

/// Where tokens and change go.
#[derive(Args, Serialize)]
struct Places {
    /// Who gets the tokens [default: the wallet].
    #[arg(long)]
    address: Option<String>,
    /// Where the change goes: an address of the wallet.
    #[arg(long, visible_alias = "change", value_name = "ADDRESS")]
    change_address: Option<String>,
}

#[derive(Args, Serialize)]
struct MintAuthority {
    /// Who gets the authority to mint [default: the wallet].
    #[arg(long, value_name = "ADDRESS")]
    mint_authority_address: Option<String>,
    /// Lets that be an address of somebody else.
    #[arg(long)]
    allow_external_mint_authority_address: bool,
}

#[derive(Args, Serialize)]
struct MeltAuthority {
    /// Who gets the authority to melt [default: the wallet].
    #[arg(long, value_name = "ADDRESS")]
    melt_authority_address: Option<String>,
    /// Lets that be an address of somebody else.
    #[arg(long)]
    allow_external_melt_authority_address: bool,
}
