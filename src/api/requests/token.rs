//! create-token and create-nft.

use super::supply::{refuse_authorities_not_requested, refuse_unused_authorities};
use crate::api::Refusal;
use crate::api::check::{Checker, Field};
use crate::api::declare::{Context, Kind, Literal, Rule, request};
use crate::api::integer::amount;
use crate::api::rules::{
    AMOUNT, DATA, DATA_LIST, OPTIONAL_ADDRESS, flag, noted, or_noted, strict_flag, token_text,
};
use crate::api::texts::{AMOUNT_NEGATIVE, AMOUNT_ZERO, TOKEN_VERSION_MISSING};
use crate::json::type_name;
use crate::ledger::{Amount, MAX_TOKEN_NAME_CHARS, MAX_TOKEN_SYMBOL_CHARS, TokenVersion};
use serde_json::Value;

request! {
    /// `POST /wallet/create-token`.
    pub struct CreateToken in body_with_details, also = refuse_unused_authorities {
        /// The token's name.
        pub name: String = token_text(MAX_TOKEN_NAME_CHARS),
        /// The token's symbol.
        pub symbol: String = token_text(MAX_TOKEN_SYMBOL_CHARS),
        /// How much to mint, in cents.
        pub amount: Amount = MINTED,
        /// Who gets the minted tokens; the wallet's current address if not given.
        pub address: Option<String> = OPTIONAL_ADDRESS.or_null(),
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS.or_null(),
        /// Whether the authority to mint more is created.
        pub create_mint: bool = strict_flag(true),
        /// Who gets the authority to mint: an address of the wallet, unless others are allowed.
        pub mint_authority_address: Option<String> = OPTIONAL_ADDRESS.or_null(),
        /// Whether the authority to mint may go to somebody else.
        pub allow_external_mint_authority_address: bool = strict_flag(false),
        /// Whether the authority to melt is created.
        pub create_melt: bool = strict_flag(true),
        /// Who gets the authority to melt: an address of the wallet, unless others are allowed.
        pub melt_authority_address: Option<String> = OPTIONAL_ADDRESS.or_null(),
        /// Whether the authority to melt may go to somebody else.
        pub allow_external_melt_authority_address: bool = strict_flag(false),
        /// Texts kept on the ledger, one output each.
        pub data: Vec<String> = DATA_LIST.or_null(),
        /// 1: the token is paid for by a deposit, 2: by fees.
        pub version: TokenVersion = VERSION,
    }
}

request! {
    /// `POST /wallet/create-nft`.
    pub struct CreateNft in body, also = refuse_authorities_not_requested {
        /// The token's name.
        pub name: String = token_text(MAX_TOKEN_NAME_CHARS),
        /// The token's symbol.
        pub symbol: String = token_text(MAX_TOKEN_SYMBOL_CHARS),
        /// How many to mint: pieces, not cents.
        pub amount: Amount = AMOUNT,
        /// What identifies the NFT: a link to its metadata, a URI of an asset, or any text.
        pub data: String = DATA,
        /// Who gets the minted tokens; the wallet's current address if not given.
        pub address: Option<String> = OPTIONAL_ADDRESS,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS,
        /// Whether the authority to mint more is created.
        pub create_mint: bool = flag(false),
        /// Who gets the authority to mint: an address of the wallet, unless others are allowed.
        pub mint_authority_address: Option<String> = OPTIONAL_ADDRESS,
        /// Whether the authority to mint may go to somebody else.
        pub allow_external_mint_authority_address: bool = flag(false),
        /// Whether the authority to melt is created.
        pub create_melt: bool = flag(false),
        /// Who gets the authority to melt: an address of the wallet, unless others are allowed.
        pub melt_authority_address: Option<String> = OPTIONAL_ADDRESS,
        /// Whether the authority to melt may go to somebody else.
        pub allow_external_melt_authority_address: bool = flag(false),
    }
}

/// An amount of at least 1: less is refused once the other fields are right, in words of its own.
pub(super) const MINTED: Rule<Amount> = Rule::required(Kind::Amount, |check, field, _| {
    let minted = or_noted(check.any_integer(field))?;
    if minted == 0 {
        return Err(Refusal::failure(AMOUNT_ZERO));
    }
    amount(minted).ok_or_else(|| Refusal::failure(AMOUNT_NEGATIVE))
});

/// A token version. 0 is none, and is refused once the other fields are right.
pub(super) const VERSION: Rule<TokenVersion> =
    Rule::optional(Kind::Numbers(&[1, 2]), version).default(Literal::Number(1));

fn version<'a>(check: &mut Checker<'a>, field: &Field<'a>, _: Context) -> Result<TokenVersion, Refusal> {
    match field.value {
        None => return Ok(TokenVersion::Deposit),
        Some(Value::Number(number)) => match number.as_str() {
            "0" => return Err(Refusal::failure(TOKEN_VERSION_MISSING)),
            "1" => return Ok(TokenVersion::Deposit),
            "2" => return Ok(TokenVersion::Fee),
            _ => {}
        },
        Some(_) => {}
    }
    let msg = match field.value {
        Some(Value::String(text)) => format!("Invalid enum value. Expected 0 | 1 | 2, received '{text}'"),
        Some(number @ Value::Number(_)) => {
            format!("Invalid enum value. Expected 0 | 1 | 2, received '{number}'")
        }
        other => format!("Expected 0 | 1 | 2, received {}", other.map_or("undefined", type_name)),
    };
    check.problem(field, msg, "must be 1 (paid by a deposit) or 2 (paid by fees)");
    noted()
}
