//! create-token, also as a proposal for several participants.

use super::supply::authority;
use super::supply::refuse_unused_authorities;
use crate::api::check::{Checker, Field};
use crate::api::declare::{Context, Rule, request};
use crate::api::integer::amount;
use crate::api::rules::{
    AMOUNT, DATA_LIST, NONEMPTY_ADDRESS, OPTIONAL_ADDRESS, flag, nonempty_token_text, noted, or_noted,
    strict_flag, token_text,
};
use crate::api::texts::{
    AMOUNT_NEGATIVE, AMOUNT_ZERO, CHANGE_NOT_FROM_THE_WALLET, READ_ONLY_CREATE, TOKEN_VERSION_MISSING,
};
use crate::api::{
    CreatedToken, DryRunAnswer, Failure, Group, InvalidDetails, Kind, Literal, ProposalAnswer, Refusal,
    Right, method,
};
use crate::json::type_name;
use crate::ledger::{Amount, MAX_TOKEN_NAME_CHARS, MAX_TOKEN_SYMBOL_CHARS, Network, TokenVersion};
use crate::operations::addresses::{change_of_token, optional_address};
use crate::operations::call::{Call, Plans};
use crate::operations::error::CallError;
use crate::operations::operation::{Operation, answers, post};
use crate::operations::send::Proposes;
use crate::service;
use crate::wallet::{Authority, CreateTokenRequest};
use serde_json::Value;

pub static CREATE_TOKEN: Operation =
    post("create-token", "/wallet/create-token", Group::Sending, Right::CreateTokens, "Create a token.")
        .package(&[method("createToken")])
        .command("create-token")
        .sends::<CreateToken>(
            READ_ONLY_CREATE,
            &[("example", r#"{"name": "Coffee", "symbol": "CFE", "amount": 1000}"#)],
        )
        .answers(answers![CreatedToken, DryRunAnswer, Failure])
        .refuses(answers![InvalidDetails]);

pub static PROPOSE_CREATE_TOKEN: Operation = post(
    "propose-create-token",
    "/wallet/p2sh/tx-proposal/create-token",
    Group::Multisig,
    Right::Build,
    "Build a transaction that creates a token, for the participants to sign.",
)
.package(&[method("proposeCreateToken")])
.command("propose-create-token")
.proposes::<ProposeCreateToken>(&[("example", r#"{"name": "Coffee", "symbol": "CFE", "amount": 1000}"#)])
.answers(answers![ProposalAnswer, Failure]);

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

/// An amount of at least 1: less is refused once the other fields are right, in words of its own.
pub(crate) const MINTED: Rule<Amount> = Rule::required(Kind::Amount, |check, field, _| {
    let minted = or_noted(check.any_integer(field))?;
    if minted == 0 {
        return Err(Refusal::failure(AMOUNT_ZERO));
    }
    amount(minted).ok_or_else(|| Refusal::failure(AMOUNT_NEGATIVE))
});

/// A token version. 0 is none, and is refused once the other fields are right.
pub(crate) const VERSION: Rule<TokenVersion> =
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

impl CreateToken {
    /// The request for a wallet of `network`.
    ///
    /// # Errors
    /// [`Refusal::Failure`] if an address is none of `network`. Of one that must be the wallet's (for change;
    /// for an authority, unless another's is allowed) it says that it is not.
    pub fn for_network(self, network: Network) -> Result<CreateTokenRequest, Refusal> {
        Ok(CreateTokenRequest {
            name: self.name,
            symbol: self.symbol,
            version: self.version,
            amount: self.amount,
            address: optional_address(self.address, network)?,
            change_address: change_of_token(self.change_address, network)?,
            mint_authority: authority(
                self.create_mint,
                self.mint_authority_address,
                self.allow_external_mint_authority_address,
                network,
                Authority::Mint,
            )?,
            melt_authority: authority(
                self.create_melt,
                self.melt_authority_address,
                self.allow_external_melt_authority_address,
                network,
                Authority::Melt,
            )?,
            data: self.data,
            data_first: false,
        })
    }
}

impl Plans for CreateToken {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<service::Operation, CallError> {
        Ok(service::Operation::CreateToken(self.for_network(call.network())?))
    }
}

request! {
    /// `POST /wallet/p2sh/tx-proposal/create-token`.
    pub struct ProposeCreateToken in body, also = refuse_unused_authorities {
        /// The token's name.
        pub name: String = nonempty_token_text(MAX_TOKEN_NAME_CHARS),
        /// The token's symbol.
        pub symbol: String = nonempty_token_text(MAX_TOKEN_SYMBOL_CHARS),
        /// How much to mint, in cents.
        pub amount: Amount = AMOUNT,
        /// Who gets the minted tokens; the wallet's current address if not given.
        pub address: Option<String> = NONEMPTY_ADDRESS,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = NONEMPTY_ADDRESS,
        /// Whether the authority to mint more is created.
        pub create_mint: bool = flag(true),
        /// Who gets the authority to mint: an address of the wallet, unless others are allowed.
        pub mint_authority_address: Option<String> = NONEMPTY_ADDRESS,
        /// Whether the authority to mint may go to somebody else.
        pub allow_external_mint_authority_address: bool = flag(false),
        /// Whether the authority to melt is created.
        pub create_melt: bool = flag(true),
        /// Who gets the authority to melt: an address of the wallet, unless others are allowed.
        pub melt_authority_address: Option<String> = NONEMPTY_ADDRESS,
        /// Whether the authority to melt may go to somebody else.
        pub allow_external_melt_authority_address: bool = flag(false),
        /// Whether its inputs are set aside for a week, so that nothing else of this wallet spends them;
        /// `/wallet/utxos-selected-as-input` gives them back.
        pub mark_inputs_as_used: bool = flag(false),
        /// Texts kept on the ledger, one output each.
        pub data: Vec<String> = DATA_LIST.not_in_0_39(),
        /// 1: the token is paid for by a deposit, 2: by fees.
        pub version: TokenVersion = VERSION.not_in_0_39(),
    }
}

impl From<ProposeCreateToken> for CreateToken {
    fn from(proposed: ProposeCreateToken) -> Self {
        Self {
            name: proposed.name,
            symbol: proposed.symbol,
            amount: proposed.amount,
            address: proposed.address,
            change_address: proposed.change_address,
            create_mint: proposed.create_mint,
            mint_authority_address: proposed.mint_authority_address,
            allow_external_mint_authority_address: proposed.allow_external_mint_authority_address,
            create_melt: proposed.create_melt,
            melt_authority_address: proposed.melt_authority_address,
            allow_external_melt_authority_address: proposed.allow_external_melt_authority_address,
            data: proposed.data,
            version: proposed.version,
        }
    }
}

impl Proposes for ProposeCreateToken {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<(service::Operation, bool), CallError> {
        call.check_change(self.change_address.as_deref(), CHANGE_NOT_FROM_THE_WALLET)?;
        let set_aside = self.mark_inputs_as_used;
        let request = CreateToken::from(*self).for_network(call.network())?;
        Ok((service::Operation::CreateToken(request), set_aside))
    }
}
