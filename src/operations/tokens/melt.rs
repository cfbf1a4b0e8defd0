//! melt-tokens, also as a proposal for several participants.

use super::supply::refuse_unused_authorities;
use super::supply::{DATA_FIRST, PROPOSED_TOKEN, authority, custom_token};
use crate::api::declare::request;
use crate::api::rules::{AMOUNT, DATA_LIST, NONEMPTY_ADDRESS, OPTIONAL_ADDRESS, TOKEN, flag};
use crate::api::texts::READ_ONLY_MELT;
use crate::api::{DryRunAnswer, Failure, Group, ProposalAnswer, Refusal, Right, TransactionAnswer, method};
use crate::ledger::{Amount, Network, TokenVersion};
use crate::operations::addresses::{change_of_token, optional_address};
use crate::operations::call::{Call, Plans};
use crate::operations::error::CallError;
use crate::operations::operation::{Operation, answers, post};
use crate::operations::send::Proposes;
use crate::service;
use crate::wallet::{Authority, MeltRequest};

pub static MELT_TOKENS: Operation = post(
    "melt-tokens",
    "/wallet/melt-tokens",
    Group::Sending,
    Right::Melt,
    "Melt tokens, and get their deposit back.",
)
.package(&[method("meltTokens")])
.command("melt")
.sends::<MeltTokens>(
    READ_ONLY_MELT,
    &[(
        "example",
        r#"{"token": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "amount": 100}"#,
    )],
)
.answers(answers![TransactionAnswer, DryRunAnswer, Failure]);

pub static PROPOSE_MELT_TOKENS: Operation = post(
    "propose-melt-tokens",
    "/wallet/p2sh/tx-proposal/melt-tokens",
    Group::Multisig,
    Right::Build,
    "Build a transaction that melts tokens, for the participants to sign.",
)
.package(&[method("proposeMeltTokens")])
.command("propose-melt")
.proposes::<ProposeMeltTokens>(&[(
    "example",
    r#"{"token": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "amount": 100}"#,
)])
.answers(answers![ProposalAnswer, Failure]);

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

impl MeltTokens {
    /// The request for a wallet of `network`.
    ///
    /// # Errors
    /// [`Refusal::Failure`] if `token` is no custom token's uid, which is said as of a token without melt
    /// authority, or if an address is none of `network`.
    pub fn for_network(self, network: Network) -> Result<MeltRequest, Refusal> {
        Ok(MeltRequest {
            token: custom_token(&self.token, Authority::Melt)?,
            version: TokenVersion::Deposit,
            amount: self.amount,
            change_address: change_of_token(self.change_address, network)?,
            deposit_address: optional_address(self.deposit_address, network)?,
            authority: authority(
                self.create_melt,
                self.melt_authority_address,
                self.allow_external_melt_authority_address,
                network,
                Authority::Melt,
            )?,
            data: self.data,
            data_first: self.unshift_data,
        })
    }
}

impl Plans for MeltTokens {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<service::Operation, CallError> {
        Ok(service::Operation::Melt(self.for_network(call.network())?))
    }
}

request! {
    /// `POST /wallet/p2sh/tx-proposal/melt-tokens`.
    pub struct ProposeMeltTokens in body, also = refuse_unused_authorities {
        /// The uid of the token to melt.
        pub token: String = PROPOSED_TOKEN,
        /// How much to melt, in cents. Of a token with a deposit, a hundredth comes back in HTR, rounded
        /// down.
        pub amount: Amount = AMOUNT,
        /// Who gets the returned deposit; the wallet's current address if not given.
        pub deposit_address: Option<String> = NONEMPTY_ADDRESS,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = NONEMPTY_ADDRESS,
        /// Whether another authority takes the place of the spent one.
        pub create_melt: bool = flag(true),
        /// Who gets the authority to melt: an address of the wallet, unless others are allowed.
        pub melt_authority_address: Option<String> = NONEMPTY_ADDRESS,
        /// Whether the authority to melt may go to somebody else.
        pub allow_external_melt_authority_address: bool = flag(false),
        /// Whether its inputs are set aside for a week, so that nothing else of this wallet spends them;
        /// `/wallet/utxos-selected-as-input` gives them back.
        pub mark_inputs_as_used: bool = flag(false),
        /// Whether the outputs of `data` come first, in reverse order, rather than last.
        pub unshift_data: bool = DATA_FIRST.not_in_0_39(),
        /// Texts kept on the ledger, one output each.
        pub data: Vec<String> = DATA_LIST.not_in_0_39(),
    }
}

impl From<ProposeMeltTokens> for MeltTokens {
    fn from(proposed: ProposeMeltTokens) -> Self {
        Self {
            token: proposed.token,
            amount: proposed.amount,
            change_address: proposed.change_address,
            create_melt: proposed.create_melt,
            melt_authority_address: proposed.melt_authority_address,
            allow_external_melt_authority_address: proposed.allow_external_melt_authority_address,
            unshift_data: proposed.unshift_data,
            data: proposed.data,
            deposit_address: proposed.deposit_address,
        }
    }
}

impl Proposes for ProposeMeltTokens {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<(service::Operation, bool), CallError> {
        let set_aside = self.mark_inputs_as_used;
        Ok((service::Operation::Melt(MeltTokens::from(*self).for_network(call.network())?), set_aside))
    }
}
