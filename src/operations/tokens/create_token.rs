//! create-token, also as a proposal for several participants.

use super::supply::{NOTES, authority, new_token, refuse_unused_authorities, supply_request};
use crate::api::integer::amount;
use crate::api::rules::{
    AMOUNT, DATA_LIST, NONEMPTY_ADDRESS, OPTIONAL_ADDRESS, flag, nonempty_token_text, noted, or_noted,
    strict_flag, token_text,
};
use crate::api::texts::{
    AMOUNT_NEGATIVE, AMOUNT_ZERO, CHANGE_NOT_FROM_THE_WALLET, READ_ONLY_CREATE, TOKEN_VERSION_MISSING,
};
use crate::api::{InvalidDetails, Literal};
use crate::json::type_name;
use crate::ledger::{Amount, MAX_TOKEN_NAME_CHARS, MAX_TOKEN_SYMBOL_CHARS, TokenVersion};
use crate::operations::addresses::{change_of_token, optional_address};
use crate::operations::multisig::SET_ASIDE;
use crate::operations::prelude::*;
use crate::wallet::Authority;
use serde_json::Value;

const NO_MINT: Argument =
    Argument::flag("create_mint", "no-mint").help("Creates it without the right to mint more");
const NO_MELT: Argument =
    Argument::flag("create_melt", "no-melt").help("Creates it without the right to melt");
const TOKEN_VERSION: Argument = Argument::flag("version", "token-version");

pub static CREATE_TOKEN: Operation =
    post("create-token", "/wallet/create-token", Group::Sending, Right::CreateTokens)
        .does("Create a token.")
        .package(&[method("createToken").example(
            "const { hash: uid, configurationString } = await wallet.createToken({ name: \"Coffee\", symbol: \"CFE\", amount: 10_000n });",
        )])
        .command(&[command("create-token")
            .places(&["name", "symbol", "amount"])
            .by(&[NO_MINT, NO_MELT, NOTES, TOKEN_VERSION])
            .after("Example:\n  headless-wallet wallet create-token 'Tour Token' TOUR 100.00")])
        .sends::<CreateToken>(
            READ_ONLY_CREATE,
            &[("example", r#"{"name": "Coffee", "symbol": "CFE", "amount": 1000}"#)],
        )
        .answers(answers![CreatedToken, DryRunAnswer, Failure])
        .refuses(answers![InvalidDetails]);

pub static PROPOSE_CREATE_TOKEN: Operation =
    post("propose-create-token", "/wallet/p2sh/tx-proposal/create-token", Group::Multisig, Right::Build)
        .does("Build a transaction that creates a token, for the participants to sign.")
        .package(&[method("proposeCreateToken")])
        .command(&[command("propose-create-token").places(&["name", "symbol", "amount"]).by(&[
            NO_MINT,
            NO_MELT,
            NOTES,
            TOKEN_VERSION,
            SET_ASIDE,
        ])])
        .proposes::<ProposeCreateToken>(&[(
            "example",
            r#"{"name": "Coffee", "symbol": "CFE", "amount": 1000}"#,
        )])
        .answers(answers![ProposalAnswer, Failure]);

supply_request! {
    /// `POST /wallet/create-token`.
    pub struct CreateToken in body_with_details, also = refuse_unused_authorities {
        name = token_text(MAX_TOKEN_NAME_CHARS),
        symbol = token_text(MAX_TOKEN_SYMBOL_CHARS),
        /// How much to mint, in cents.
        pub amount: Amount = MINTED,
        address = OPTIONAL_ADDRESS.or_null(),
        change_address = OPTIONAL_ADDRESS.or_null(),
        create_mint = strict_flag(true),
        mint_authority_address = OPTIONAL_ADDRESS.or_null(),
        allow_external_mint_authority_address = strict_flag(false),
        create_melt = strict_flag(true),
        melt_authority_address = OPTIONAL_ADDRESS.or_null(),
        allow_external_melt_authority_address = strict_flag(false),
        data = DATA_LIST.or_null(),
        version = VERSION,
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

impl Plans for CreateToken {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<service::Operation, CallError> {
        let network = call.network();
        let token = new_token!(self, network, address, self.data, self.version, false);
        Ok(service::Operation::CreateToken(token))
    }
}

supply_request! {
    /// `POST /wallet/p2sh/tx-proposal/create-token`.
    pub struct ProposeCreateToken in body, also = refuse_unused_authorities {
        name = nonempty_token_text(MAX_TOKEN_NAME_CHARS),
        symbol = nonempty_token_text(MAX_TOKEN_SYMBOL_CHARS),
        /// How much to mint, in cents.
        pub amount: Amount = AMOUNT,
        address = NONEMPTY_ADDRESS,
        change_address = NONEMPTY_ADDRESS,
        create_mint = flag(true),
        mint_authority_address = NONEMPTY_ADDRESS,
        allow_external_mint_authority_address = flag(false),
        create_melt = flag(true),
        melt_authority_address = NONEMPTY_ADDRESS,
        allow_external_melt_authority_address = flag(false),
        mark_inputs_as_used = flag(false),
        data = DATA_LIST.not_in_0_39(),
        version = VERSION.not_in_0_39(),
    }
}

impl Proposes for ProposeCreateToken {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<(service::Operation, bool), CallError> {
        call.check_change(self.change_address.as_deref(), CHANGE_NOT_FROM_THE_WALLET)?;
        let set_aside = self.mark_inputs_as_used;
        let network = call.network();
        let token = new_token!(self, network, address, self.data, self.version, false);
        Ok((service::Operation::CreateToken(token), set_aside))
    }
}
