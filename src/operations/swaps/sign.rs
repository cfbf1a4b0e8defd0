//! Swaps are signed by all participants, put together and sent; or given up.

use super::at_service::{SignedAtService, SwapServiceFields, at_service};
use crate::api::rules::{PARTIAL_TX, TX_HEX, flag, members};
use crate::api::texts::{DECODED_INCONSISTENT, INVALID_PARTIAL_TX};
use crate::api::{LockedOutputs, LockedUtxosAnswer, SwapInputDataAnswer};
use crate::ledger::{
    Outpoint, PartialTx, PartialTxError, PartialTxInputData, SpentOutput, Transaction, VertexId,
};
use crate::operations::multisig::SHARES;
use crate::operations::prelude::*;
use crate::service::SwapError;
use litemap::LiteMap;

pub static SWAP_SIGNATURES: Operation = post("swap-signatures", "/wallet/atomic-swap/tx-proposal/get-my-signatures", Group::Swaps, Right::Sign)
    .does("Sign this wallet's inputs of a proposal. The signatures go to whoever puts the swap together. What the proposal says of its \
         inputs is checked against the full node.")
    .package(&[method("mySwapSignatures").takes("request: string | MySwapSignaturesRequest").gives("string").waits()])
    .command(&[command("swap-signatures").places(&["partial_tx"])])
    .asks::<SwapSignatures>(&[("example", r#"{"partial_tx": "PartialTx|00010000000000000000000000000000000000000000||"}"#)])
    .answers(answers![SwapInputDataAnswer, Failure])
    .body_of(bodies::IN_PARTS);

pub static SIGN_SWAP: Operation = post("sign-swap", "/wallet/atomic-swap/tx-proposal/sign", Group::Swaps, Right::Build)
    .does("Put all signatures into the transaction of a proposal. Each one is checked.")
    .package(&[method("signSwap").waits()])
    .command(&[command("swap-sign").places(&["partial_tx", "signatures"]).by(&[
        Argument::flag("service", "service-id").part("proposal_id"),
        Argument::flag("service", "service-version").part("version"),
    ])])
    .asks::<SignSwap>(&[(
    "example",
    r#"{"partial_tx": "PartialTx|00010000000000000000000000000000000000000000||", "signatures": ["PartialTxInputData|0001000000"]}"#,
)])
    .answers(answers![ProposalAnswer, Failure])
    .body_of(bodies::IN_PARTS)
    .also(&[(404, "The wallet is not registered for that proposal, or there is none.")]);

pub static SIGN_AND_PUSH_SWAP: Operation = post("sign-and-push-swap", "/wallet/atomic-swap/tx-proposal/sign-and-push", Group::Swaps, Right::Send)
    .does("Put all signatures into the transaction of a proposal, and send it.")
    .package(&[method("signAndPushSwap")])
    .command(&[command("swap-push").places(&["partial_tx", "signatures"])])
    .sends::<PushSwap>("", &[(
    "example",
    r#"{"partial_tx": "PartialTx|00010000000000000000000000000000000000000000||", "signatures": ["PartialTxInputData|0001000000"]}"#,
)])
    .answers(answers![TransactionAnswer, DryRunAnswer, Failure])
    .body_of(bodies::IN_PARTS);

pub static SWAP_INPUT_DATA: Operation = post("swap-input-data", "/wallet/atomic-swap/tx-proposal/get-input-data", Group::Swaps, Right::Build)
    .does("Extract the signatures of a transaction, in the form that `sign` takes: those of a multisig wallet, or of other programs.")
    .package(&[method("swapInputData").takes("txHex: string").gives("string")])
    .command(&[command("swap-input-data").places(&["txHex"])])
    .reads::<SwapInputData>(&[("example", r#"{"txHex": "0001000000"}"#)])
    .answers(answers![SwapInputDataAnswer, Failure]);

pub static UNLOCK_SWAP: Operation =
    post("unlock-swap", "/wallet/atomic-swap/tx-proposal/unlock", Group::Swaps, Right::Build)
        .does("Unlock what this wallet gives in a proposal.")
        .package(&[method("unlockSwap").takes("partialTx: string")])
        .command(&[command("swap-unlock").places(&["partial_tx"])])
        .reads::<UnlockSwap>(&[(
            "example",
            r#"{"partial_tx": "PartialTx|00010000000000000000000000000000000000000000||"}"#,
        )])
        .answers(answers![Success, Failure])
        .body_of(bodies::IN_PARTS);

pub static LOCKED_UTXOS: Operation =
    get("get-locked-utxos", "/wallet/atomic-swap/tx-proposal/get-locked-utxos", Group::Swaps, Right::Read)
        .does("List the outputs that are locked, for swaps or by utxos-selected-as-input.")
        .package(&[method("lockedUtxos").gives("LockedOutputs[]")])
        .command(&[command("locked-utxos")])
        .reads::<LockedUtxosQuery>(&[])
        .answers(answers![LockedUtxosAnswer]);

const AS_IS: Rule<bool> = flag(false);

request! {
    /// `POST /wallet/atomic-swap/tx-proposal/get-my-signatures`.
    pub struct SwapSignatures in body {
        /// The proposal, which must be balanced. Read it first: see decode.
        pub partial_tx: String = PARTIAL_TX,
        /// Whether the wallet also signs inputs that it did not put in itself since it was started, and
        /// those of a proposal that lacks what it was to get for them.
        pub as_is: bool = AS_IS,
    }
}

request! {
    /// `POST /wallet/atomic-swap/tx-proposal/unlock`.
    pub struct UnlockSwap in body {
        /// The proposal whose inputs this wallet may spend otherwise again.
        pub partial_tx: String = PARTIAL_TX,
    }
}

request! {
    /// `POST /wallet/atomic-swap/tx-proposal/sign`.
    pub struct SignSwap in body {
        /// The proposal.
        pub partial_tx: String = PARTIAL_TX,
        /// What all participants got from get-my-signatures or get-input-data, in any order.
        pub signatures: Vec<String> = GIVEN,
        /// Which proposal of the swap service gets the signatures, where the server has one.
        pub service: SignedAtService = members(),
    }
}

request! {
    /// `POST /wallet/atomic-swap/tx-proposal/sign-and-push`.
    pub struct PushSwap in body {
        /// The proposal.
        pub partial_tx: String = PARTIAL_TX,
        /// What all participants got from get-my-signatures or get-input-data, in any order.
        pub signatures: Vec<String> = GIVEN,
    }
}

request! {
    /// `POST /wallet/atomic-swap/tx-proposal/get-input-data`.
    pub struct SwapInputData in body {
        /// A transaction with input data, in hexadecimal digits.
        pub transaction: Transaction = TX_HEX,
    }
}

/// None stands for no texts, which are enough for a proposal without inputs.
const GIVEN: Rule<Vec<String>> = SHARES.or_nothing();

impl Ask for SwapSignatures {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let as_is = self.as_is || !call.compat.guards_swaps();
            let data = call.wallet.sign_swap(&call.partial_tx(&self.partial_tx)?, as_is).await?;
            call.give(&SwapInputDataAnswer(&data))
        })
    }
}

impl Ask for SignSwap {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let partial = call.partial_tx(&self.partial_tx)?;
            let signed = match call.compat.checks_signatures() {
                true => {
                    call.wallet.assemble_checked_swap(&partial, &self.signatures, true).await?.transaction
                }
                false => call.wallet.assemble_swap(&partial, &self.signatures)?,
            };
            if self.service.proposal_id.is_some() {
                let signatures = PartialTxInputData::of(&signed)?.to_string();
                let SignedAtService { proposal_id, version } = self.service;
                let service = SwapServiceFields { is_new: false, password: None, proposal_id, version };
                at_service(call.wallet, call.compat, &service, &self.partial_tx, Some(&signatures)).await?;
            }
            call.proposal(&signed)
        })
    }
}

impl Read for SwapInputData {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        call.give(&SwapInputDataAnswer(&PartialTxInputData::of(&self.transaction)?))
    }
}

impl Read for UnlockSwap {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let partial = call.partial_tx(&self.partial_tx)?;
        let spends: Vec<_> = partial.inputs.iter().map(|input| input.spends).collect();
        call.wallet.unlock_outpoints(&spends)?;
        call.success()
    }

    fn unless_kept(&self) -> Option<&'static str> {
        Some(UNTIL_THE_END)
    }
}

impl Sends for PushSwap {
    fn plan<'a>(self: Box<Self>, call: &'a Call<'a>, mode: SendMode) -> Waits<'a, Outgoing> {
        Box::pin(async move {
            let partial = call.partial_tx(&self.partial_tx)?;
            let (wallet, checks) = (call.wallet_for(mode), call.compat.checks_signatures());
            let swap = wallet.assemble_checked_swap(&partial, &self.signatures, checks).await?;
            Ok(Outgoing::Assembled(swap))
        })
    }
}

request! {
    /// `GET /wallet/atomic-swap/tx-proposal/get-locked-utxos`.
    pub struct LockedUtxosQuery in query {}
}

/// The outputs that are locked, by their transactions.
impl Read for LockedUtxosQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let locked = call.wallet.read(|state, now| {
            let mut locked = state.locked_outpoints();
            locked.retain(|(_, until)| now < *until);
            locked
        })?;
        let mut by_tx: LiteMap<VertexId, Vec<u8>> = LiteMap::new();
        for (Outpoint { tx, index }, _) in locked {
            let outputs = by_tx.entry(tx).or_default();
            outputs.insert(outputs.partition_point(|other| *other < index), index);
        }
        let locked = by_tx.into_iter().map(|(tx, outputs)| LockedOutputs { tx, outputs });
        call.give(&LockedUtxosAnswer(locked.collect()))
    }
}

impl Call<'_> {
    /// A proposal of an atomic swap.
    pub(crate) fn partial_tx(&self, text: &str) -> Result<PartialTx, CallError> {
        PartialTx::parse(text, self.network()).map_err(|error| match error {
            PartialTxError::UnsupportedScript => refused(error.to_string()),
            _ if self.compat.explains_swaps() => refused(error.to_string()),
            _ => refused(INVALID_PARTIAL_TX),
        })
    }

    /// The transaction of a proposal and what its inputs spend, in their order, if the node says of them what
    /// the proposal says.
    pub(crate) async fn checked_transaction(
        &self,
        text: &str,
    ) -> Result<(Transaction, Vec<SpentOutput>), CallError> {
        let partial = self.partial_tx(text)?;
        match self.wallet.check_swap(&partial).await {
            Err(SwapError::Inconsistent) => Err(refused(DECODED_INCONSISTENT)),
            Err(error) => Err(error.into()),
            Ok(spends) => Ok((partial.transaction()?, spends)),
        }
    }
}
