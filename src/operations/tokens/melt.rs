//! melt-tokens, also as a proposal for several participants.

use super::supply::{
    DATA_FIRST, DATA_LAST, NOTES, PROPOSED_TOKEN, authority, custom_token, refuse_unused_authorities,
    supply_request,
};
use crate::api::rules::{AMOUNT, DATA_LIST, NONEMPTY_ADDRESS, OPTIONAL_ADDRESS, TOKEN, flag};
use crate::api::texts::READ_ONLY_MELT;
use crate::ledger::{Amount, TokenVersion};
use crate::operations::addresses::{change_of_token, optional_address};
use crate::operations::multisig::SET_ASIDE;
use crate::operations::prelude::*;
use crate::wallet::{Authority, MeltRequest};

const LAST_MELT: Argument =
    Argument::flag("create_melt", "no-melt").help("Uses up the right to melt: afterwards, it is gone");

pub static MELT_TOKENS: Operation = post("melt-tokens", "/wallet/melt-tokens", Group::Sending, Right::Melt)
    .does("Melt tokens, and get their deposit back.")
    .package(&[method("meltTokens").throws(&["NO_AUTHORITY"])])
    .command(&[command("melt").places(&["token", "amount"]).by(&[LAST_MELT, NOTES, DATA_LAST])])
    .sends::<MeltTokens>(
        READ_ONLY_MELT,
        &[(
            "example",
            r#"{"token": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "amount": 100}"#,
        )],
    )
    .answers(answers![TransactionAnswer, DryRunAnswer, Failure]);

pub static PROPOSE_MELT_TOKENS: Operation =
    post("propose-melt-tokens", "/wallet/p2sh/tx-proposal/melt-tokens", Group::Multisig, Right::Build)
        .does("Build a transaction that melts tokens, for the participants to sign.")
        .package(&[method("proposeMeltTokens").throws(&["NO_AUTHORITY"])])
        .command(&[command("propose-melt")
            .places(&["token", "amount"])
            .by(&[LAST_MELT, NOTES, DATA_LAST, SET_ASIDE])])
        .proposes::<ProposeMeltTokens>(&[(
            "example",
            r#"{"token": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "amount": 100}"#,
        )])
        .answers(answers![ProposalAnswer, Failure]);

supply_request! {
    /// `POST /wallet/melt-tokens`.
    pub struct MeltTokens in body, also = refuse_unused_authorities {
        /// The uid of the token to melt.
        pub token: String = TOKEN,
        /// How much to melt, in cents. Of a token with a deposit, a hundredth comes back in HTR, rounded
        /// down.
        pub amount: Amount = AMOUNT,
        change_address = OPTIONAL_ADDRESS,
        /// Whether another authority takes the place of the spent one.
        pub create_melt: bool = flag(true).not_in_0_39(),
        melt_authority_address = OPTIONAL_ADDRESS,
        allow_external_melt_authority_address = flag(false),
        unshift_data = DATA_FIRST,
        data = DATA_LIST,
        /// Who gets the returned deposit; the wallet's current address if not given.
        pub deposit_address: Option<String> = OPTIONAL_ADDRESS,
    }
}

/// What a request is, for a wallet of a network. A token that nobody can have the authority over is said to
/// lack it.
macro_rules! melt_request {
    ($given:ident, $network:ident) => {
        MeltRequest {
            token: custom_token(&$given.token, Authority::Melt)?,
            version: TokenVersion::Deposit,
            amount: $given.amount,
            change_address: change_of_token($given.change_address, $network)?,
            deposit_address: optional_address($given.deposit_address, $network)?,
            authority: authority(
                $given.create_melt,
                $given.melt_authority_address,
                $given.allow_external_melt_authority_address,
                $network,
                Authority::Melt,
            )?,
            data: $given.data,
            data_first: $given.unshift_data,
        }
    };
}

impl Plans for MeltTokens {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<service::Operation, CallError> {
        let network = call.network();
        Ok(service::Operation::Melt(melt_request!(self, network)))
    }
}

supply_request! {
    /// `POST /wallet/p2sh/tx-proposal/melt-tokens`.
    pub struct ProposeMeltTokens in body, also = refuse_unused_authorities {
        /// The uid of the token to melt.
        pub token: String = PROPOSED_TOKEN,
        /// How much to melt, in cents. Of a token with a deposit, a hundredth comes back in HTR, rounded
        /// down.
        pub amount: Amount = AMOUNT,
        /// Who gets the returned deposit; the wallet's current address if not given.
        pub deposit_address: Option<String> = NONEMPTY_ADDRESS,
        change_address = NONEMPTY_ADDRESS,
        /// Whether another authority takes the place of the spent one.
        pub create_melt: bool = flag(true),
        melt_authority_address = NONEMPTY_ADDRESS,
        allow_external_melt_authority_address = flag(false),
        mark_inputs_as_used = flag(false),
        unshift_data = DATA_FIRST.not_in_0_39(),
        data = DATA_LIST.not_in_0_39(),
    }
}

impl Proposes for ProposeMeltTokens {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<(service::Operation, bool), CallError> {
        let set_aside = self.mark_inputs_as_used;
        let network = call.network();
        Ok((service::Operation::Melt(melt_request!(self, network)), set_aside))
    }
}
