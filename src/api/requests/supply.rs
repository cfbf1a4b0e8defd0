//! mint-tokens and melt-tokens.

use super::start::says_something;
use crate::api::Compat;
use crate::api::check::Checker;
use crate::api::declare::{Rule, request};
use crate::api::rules::{AMOUNT, DATA_LIST, OPTIONAL_ADDRESS, TOKEN, flag};
use crate::ledger::Amount;
use serde_json::Value;

request! {
    /// `POST /wallet/mint-tokens`.
    pub struct MintTokens in body, also = refuse_unused_authorities {
        /// The uid of the token to mint.
        pub token: String = TOKEN,
        /// How much to mint, in cents.
        pub amount: Amount = AMOUNT,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS,
        /// Whether another authority takes the place of the spent one.
        pub create_mint: bool = flag(true).not_in_0_39(),
        /// Who gets the authority to mint: an address of the wallet, unless others are allowed.
        pub mint_authority_address: Option<String> = OPTIONAL_ADDRESS,
        /// Whether the authority to mint may go to somebody else.
        pub allow_external_mint_authority_address: bool = flag(false),
        /// Whether the outputs of `data` come first, in reverse order, rather than last.
        pub unshift_data: bool = DATA_FIRST,
        /// Texts kept on the ledger, one output each.
        pub data: Vec<String> = DATA_LIST,
        /// Who gets the minted tokens; the wallet's current address if not given.
        pub address: Option<String> = OPTIONAL_ADDRESS,
    }
}

request! {
    /// `POST /wallet/melt-tokens`.
    pub struct MeltTokens in body, also = refuse_unused_authorities {
        /// The uid of the token to melt.
        pub token: String = TOKEN,
        /// How much to melt, in cents. Of a token with a deposit, a hundredth comes back in HTR, rounded
        /// down.
        pub amount: Amount = AMOUNT,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS,
        /// Whether another authority takes the place of the spent one.
        pub create_melt: bool = flag(true).not_in_0_39(),
        /// Who gets the authority to melt: an address of the wallet, unless others are allowed.
        pub melt_authority_address: Option<String> = OPTIONAL_ADDRESS,
        /// Whether the authority to melt may go to somebody else.
        pub allow_external_melt_authority_address: bool = flag(false),
        /// Whether the outputs of `data` come first, in reverse order, rather than last.
        pub unshift_data: bool = DATA_FIRST,
        /// Texts kept on the ledger, one output each.
        pub data: Vec<String> = DATA_LIST,
        /// Who gets the returned deposit; the wallet's current address if not given.
        pub deposit_address: Option<String> = OPTIONAL_ADDRESS,
    }
}

/// A yes or no; what is left empty is a yes.
pub(super) const DATA_FIRST: Rule<bool> = flag(true).or_null().read_by(|check, field, _| {
    let blank = field.value.is_some_and(|value| value.is_null() || value == "");
    Ok(blank || check.flag(field, true))
});

/// Refuses the address of an authority that is not created. Without `create_mint` or `create_melt`, one is.
pub(super) fn refuse_unused_authorities(check: &mut Checker<'_>, compat: Compat) {
    refuse_unused(check, compat, true);
}

/// The same where an authority is created only on request.
pub(super) fn refuse_authorities_not_requested(check: &mut Checker<'_>, compat: Compat) {
    refuse_unused(check, compat, false);
}

fn refuse_unused(check: &mut Checker<'_>, compat: Compat, default: bool) {
    if !compat.refuses_unused_fields() {
        return;
    }
    for (create, address) in
        [("create_mint", "mint_authority_address"), ("create_melt", "melt_authority_address")]
    {
        let creates = match check.field(create).value {
            Some(Value::Bool(yes)) => *yes,
            Some(Value::String(text)) => text != "false" && text != "0",
            Some(Value::Number(number)) => number.as_str() != "0",
            _ => default,
        };
        let field = check.field(address);
        if !creates && field.value.is_some_and(says_something) {
            check.unused(&field, "must be left out: no such authority is created");
        }
    }
}
