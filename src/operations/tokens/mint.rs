//! mint-tokens, also as a proposal for several participants.

use super::supply::{
    DATA_FIRST, DATA_LAST, NOTES, PROPOSED_TOKEN, authority, custom_token, refuse_unused_authorities,
    supply_request,
};
use crate::api::rules::{AMOUNT, DATA_LIST, NONEMPTY_ADDRESS, OPTIONAL_ADDRESS, TOKEN, flag};
use crate::api::texts::READ_ONLY_MINT;
use crate::ledger::{Amount, TokenVersion};
use crate::operations::addresses::{change_of_token, optional_address};
use crate::operations::multisig::SET_ASIDE;
use crate::operations::prelude::*;
use crate::wallet::{Authority, MintRequest};

const LAST_MINT: Argument =
    Argument::flag("create_mint", "no-mint").help("Uses up the right to mint: afterwards, it is gone");

pub static MINT_TOKENS: Operation = post("mint-tokens", "/wallet/mint-tokens", Group::Sending, Right::Mint)
    .does("Mint more of a token.")
    .package(&[method("mintTokens").throws(&["NO_AUTHORITY"])])
    .command(&[command("mint").places(&["token", "amount"]).by(&[LAST_MINT, NOTES, DATA_LAST])])
    .sends::<MintTokens>(
        READ_ONLY_MINT,
        &[(
            "example",
            r#"{"token": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "amount": 100}"#,
        )],
    )
    .answers(answers![TransactionAnswer, DryRunAnswer, Failure]);

pub static PROPOSE_MINT_TOKENS: Operation =
    post("propose-mint-tokens", "/wallet/p2sh/tx-proposal/mint-tokens", Group::Multisig, Right::Build)
        .does("Build a transaction that mints more of a token, for the participants to sign.")
        .package(&[method("proposeMintTokens").throws(&["NO_AUTHORITY"])])
        .command(&[command("propose-mint")
            .places(&["token", "amount"])
            .by(&[LAST_MINT, NOTES, DATA_LAST, SET_ASIDE])])
        .proposes::<ProposeMintTokens>(&[(
            "example",
            r#"{"token": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "amount": 100}"#,
        )])
        .answers(answers![ProposalAnswer, Failure]);

supply_request! {
    /// `POST /wallet/mint-tokens`.
    pub struct MintTokens in body, also = refuse_unused_authorities {
        /// The uid of the token to mint.
        pub token: String = TOKEN,
        /// How much to mint, in cents.
        pub amount: Amount = AMOUNT,
        change_address = OPTIONAL_ADDRESS,
        /// Whether another authority takes the place of the spent one.
        pub create_mint: bool = flag(true).not_in_0_39(),
        mint_authority_address = OPTIONAL_ADDRESS,
        allow_external_mint_authority_address = flag(false),
        unshift_data = DATA_FIRST,
        data = DATA_LIST,
        address = OPTIONAL_ADDRESS,
    }
}

/// What a request is, for a wallet of a network. A token that nobody can have the authority over is said to
/// lack it.
macro_rules! mint_request {
    ($given:ident, $network:ident) => {
        MintRequest {
            token: custom_token(&$given.token, Authority::Mint)?,
            version: TokenVersion::Deposit,
            amount: $given.amount,
            address: optional_address($given.address, $network)?,
            change_address: change_of_token($given.change_address, $network)?,
            authority: authority(
                $given.create_mint,
                $given.mint_authority_address,
                $given.allow_external_mint_authority_address,
                $network,
                Authority::Mint,
            )?,
            data: $given.data,
            data_first: $given.unshift_data,
        }
    };
}

impl Plans for MintTokens {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<service::Operation, CallError> {
        let network = call.network();
        Ok(service::Operation::Mint(mint_request!(self, network)))
    }
}

supply_request! {
    /// `POST /wallet/p2sh/tx-proposal/mint-tokens`.
    pub struct ProposeMintTokens in body, also = refuse_unused_authorities {
        /// The uid of the token to mint.
        pub token: String = PROPOSED_TOKEN,
        /// How much to mint, in cents.
        pub amount: Amount = AMOUNT,
        address = NONEMPTY_ADDRESS,
        change_address = NONEMPTY_ADDRESS,
        /// Whether another authority takes the place of the spent one.
        pub create_mint: bool = flag(true),
        mint_authority_address = NONEMPTY_ADDRESS,
        allow_external_mint_authority_address = flag(false),
        mark_inputs_as_used = flag(false),
        unshift_data = DATA_FIRST.not_in_0_39(),
        data = DATA_LIST.not_in_0_39(),
    }
}

impl Proposes for ProposeMintTokens {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<(service::Operation, bool), CallError> {
        let set_aside = self.mark_inputs_as_used;
        let network = call.network();
        Ok((service::Operation::Mint(mint_request!(self, network)), set_aside))
    }
}
