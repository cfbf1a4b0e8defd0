//! mint-tokens and melt-tokens.

use crate::api::declare::{Rule, request};
use crate::api::rules::{AMOUNT, DATA_LIST, OPTIONAL_ADDRESS, TOKEN, flag};
use crate::ledger::Amount;

request! {
    /// `POST /wallet/mint-tokens`.
    pub struct MintTokens in body {
        /// The uid of the token to mint.
        pub token: String = TOKEN,
        /// How much to mint, in cents.
        pub amount: Amount = AMOUNT,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS,
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
    pub struct MeltTokens in body {
        /// The uid of the token to melt.
        pub token: String = TOKEN,
        /// How much to melt, in cents. Of a token with a deposit, a hundredth comes back in HTR, rounded
        /// down.
        pub amount: Amount = AMOUNT,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS,
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
const DATA_FIRST: Rule<bool> = flag(true).or_null().read_by(|check, field, _| {
    let blank = field.value.is_some_and(|value| value.is_null() || value == "");
    Ok(blank || check.flag(field, true))
});
