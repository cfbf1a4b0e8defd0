//! Proposals are signed by enough participants, and sent.

use crate::api::SignaturesAnswer;
use crate::api::rules::{TX_HEX, elements, flag, twice};
use crate::api::texts::{INVALID_SHARE, INVALID_SHARES};
use crate::ledger::Transaction;
use crate::operations::prelude::*;
use crate::service::Wallet;

pub static MY_SIGNATURES: Operation =
    post("get-my-signatures", "/wallet/p2sh/tx-proposal/get-my-signatures", Group::Multisig, Right::Sign)
        .does("Sign a transaction as one participant. Any participant can combine the signatures.")
        .package(&[method("mySignatures")
            .takes("request: string | MySignaturesRequest")
            .gives("string")
            .waits()])
        .command(&[command("my-signatures").places(&["txHex"])])
        .asks::<SignShare>(&[("example", r#"{"txHex": "0001000000"}"#)])
        .answers(answers![SignaturesAnswer, Failure]);

pub static SIGN_PROPOSAL: Operation = post("sign", "/wallet/p2sh/tx-proposal/sign", Group::Multisig, Right::Build)
    .does("Put the participants' signatures into a transaction. Each one is checked.")
    .package(&[method("signProposal")])
    .command(&[command("sign").places(&["txHex", "signatures"])])
    .asks::<SignProposal>(&[(
    "example",
    r#"{"txHex": "0001000000", "signatures": ["02fdcf3655f52e77ee45f33f2aef20539a1e3c6645d0b9242b238ed0455d4ead55|0:3006020101020101"]}"#,
)])
    .answers(answers![ProposalAnswer, Failure])
    .body_of(bodies::IN_PARTS);

pub static SIGN_AND_PUSH: Operation = post("sign-and-push", "/wallet/p2sh/tx-proposal/sign-and-push", Group::Multisig, Right::Send)
    .does("Put the participants' signatures into a transaction, and send it.")
    .package(&[method("signAndPush")])
    .command(&[command("sign-and-push").places(&["txHex", "signatures"])])
    .sends::<SignProposal>("", &[(
    "example",
    r#"{"txHex": "0001000000", "signatures": ["02fdcf3655f52e77ee45f33f2aef20539a1e3c6645d0b9242b238ed0455d4ead55|0:3006020101020101"]}"#,
)])
    .answers(answers![TransactionAnswer, CreatedToken, DryRunAnswer, Failure])
    .body_of(bodies::IN_PARTS);

request! {
    /// `POST /wallet/p2sh/tx-proposal/get-my-signatures`.
    pub struct SignShare in body {
        /// The transaction, in hexadecimal digits.
        pub transaction: Transaction = TX_HEX,
        /// Of an atomic swap: whether inputs are also signed that this participant did not put in itself, or
        /// that lack what was put in with them. Read it first: see decode.
        pub as_is: bool = flag(false),
    }
}

request! {
    /// `POST /wallet/p2sh/tx-proposal/sign` and `sign-and-push`.
    pub struct SignProposal in body {
        /// The transaction, in hexadecimal digits.
        pub transaction: Transaction = TX_HEX,
        /// What as many participants as must sign got from get-my-signatures, in any order.
        pub signatures: Vec<String> = SHARES,
    }
}

/// Signatures, as texts.
pub(crate) const SHARES: Rule<Vec<String>> =
    Rule::required(Kind::Array { of: &Kind::Text, least: 1, most: None }, |check, field, context| {
        let elements = elements(check, field, context);
        Ok(check.called(INVALID_SHARE, |check| {
            elements.iter().filter_map(|element| check.text(element)).map(str::to_owned).collect()
        }))
    })
    .array(&twice(INVALID_SHARES, "must be an array of the answers of get-my-signatures"));

/// This participant's signatures.
impl Ask for SignShare {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let as_is = self.as_is || !call.compat.guards_swaps();
            let share = call.wallet.sign_share(&self.transaction, as_is).await?;
            call.give(&SignaturesAnswer(&share))
        })
    }
}

/// The transaction with the participants' signatures.
impl Ask for SignProposal {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let signed = self.assembled(call.wallet, call.compat).await?;
            call.proposal(&signed)
        })
    }
}

impl SignProposal {
    pub(crate) async fn assembled(self, wallet: &Wallet, compat: Compat) -> Result<Transaction, CallError> {
        let (transaction, shares) = (self.transaction, &self.signatures);
        Ok(if compat.checks_signatures() {
            wallet.assemble(transaction, shares).await?
        } else {
            wallet.assemble_unchecked(transaction, shares).await?
        })
    }
}

impl Sends for SignProposal {
    fn plan<'a>(self: Box<Self>, call: &'a Call<'a>, mode: SendMode) -> Waits<'a, Outgoing> {
        Box::pin(async move {
            let signed = self.assembled(&call.wallet_for(mode), call.compat).await?;
            Ok(Outgoing::Signed(signed))
        })
    }
}
