//! `/wallet/atomic-swap/tx-proposal`: a wallet adds its part to a swap.

use super::at_service::{SwapServiceFields, at_service, truth};
use crate::api::SwapAnswer;
use crate::api::rules::{
    AMOUNT, OPTIONAL_ADDRESS, TOKEN_OF_PART, TRANSACTION_ID, flag, list, members, twice,
};
use crate::api::texts::{
    CHANGE_NOT_FROM_THE_WALLET, INVALID_ADDRESS, INVALID_CHANGE_ADDRESS, INVALID_LOCK,
    INVALID_PARTIAL_TX_FIELD, INVALID_RECEIVED_TOKENS, INVALID_SENT_TOKENS, INVALID_TIMELOCK,
    INVALID_TOKEN_UID, INVALID_UTXO_INDEX, INVALID_UTXO_TX_ID, INVALID_UTXOS, NO_SWAP_OPERATION, NONE_USABLE,
    NOT_ENOUGH_UTXOS, fee_token_in_swap,
};
use crate::ledger::{Address, Amount, MAX_INPUTS, MAX_OUTPUTS, Network, PartialTx, TokenUid};
use crate::operations::prelude::*;
use crate::operations::sending::{ExplicitInput, PLACE, TIMELOCK};
use crate::service::{RecordedText, SendError, SendKey, Wallet};
use crate::wallet::{PlanError, SwapReceive, SwapRequest};

pub static PROPOSE_SWAP: Operation = post("propose-swap", "/wallet/atomic-swap/tx-proposal", Group::Swaps, Right::Build)
    .does("Propose an atomic swap, or add this wallet's part to a proposal. The outputs that it gives are locked.")
    .package(&[method("proposeSwap").takes("request: ProposeSwapRequest")])
    .command(&[command("swap-propose").by(&[
            Argument::objects("send", "send", &["value", "token"]).part("tokens").help("Gives this much"),
            Argument::objects("send", "utxo", &["txId", "index"])
                .part("utxos")
                .help("Spends only these outputs; if none is given, the wallet chooses"),
            Argument::objects("receive", "receive", &["value", "token", "address"])
                .part("tokens")
                .help("Gets this much"),
            Argument::flag("partial_tx", "proposal"),
            Argument::flag("service", "new-at-service")
                .part("is_new")
                .help("Stores the proposal at the server's swap service, as a new one"),
            Argument::flag("service", "password-file")
                .part("password")
                .help("Reads the password of a new proposal at the swap service from this file"),
            Argument::flag("service", "service-id").part("proposal_id"),
            Argument::flag("service", "service-version").part("version"),
            Argument::flag("lock", "no-lock").help("Does not lock what the wallet gives: it may be spent elsewhere in the meantime"),
        ]).after("The proposal goes to the others, who add their parts with --proposal. Once it is balanced, each runs \
`decode --partial-tx PROPOSAL` and `swap-signatures PROPOSAL`, and one of them `swap-push PROPOSAL SIGNATURES …`.\n\n\
Example:\n  headless-wallet wallet swap-propose --send 10.00 --receive 5.00:560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f",)])
    .proposes::<ProposeSwap>(&[
        (
            "example",
            r#"{"send": {"tokens": [{"value": 10}]}, "receive": {"tokens": [{"value": 5, "token": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f"}]}}"#,
        ),
        (
            "chosen outputs",
            r#"{"send": {"tokens": [{"value": 10, "token": "00"}], "utxos": [{"txId": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "index": 0}]}, "lock": false}"#,
        ),
        (
            "answer",
            r#"{"partial_tx": "PartialTx|00010000000000000000000000000000000000000000||", "receive": {"tokens": [{"value": 10, "address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f"}]}}"#,
        ),
    ])
    .answers(answers![SwapAnswer, Failure])
    .body_of(bodies::IN_PARTS)
    .refuses(answers![InvalidFields, Failure])
    .also(&[(404, "The wallet is not registered for that proposal, or there is none.")]);

request! {
    /// `POST /wallet/atomic-swap/tx-proposal`.
    pub struct ProposeSwap in body, reads = [send, receive, partial_tx, lock, change_address, service], then = refuse_neither {
        /// The proposal to which this wallet adds its part; a new one if not given.
        pub partial_tx: Option<String> = OPTIONAL_ADDRESS.of(Kind::Text).length(Length::Long).called(INVALID_PARTIAL_TX_FIELD),
        /// What this wallet gives. Its change comes with it.
        pub send: SwapSend = members(),
        /// What this wallet gets.
        pub receive: SwapReceived = members(),
        /// Whether nothing else of this wallet spends what it gives, until that is unlocked or spent.
        pub lock: bool = flag(true).read_by(truth).called(INVALID_LOCK),
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS.called(INVALID_CHANGE_ADDRESS),
        /// What is to become of the proposal at the swap service, where the server has one.
        pub service: SwapServiceFields = members(),
    }
}

fn refuse_neither(request: &ProposeSwap, check: &mut Checker<'_>, _: Compat) {
    if request.send.tokens.is_empty() && request.receive.tokens.is_empty() {
        check.refuse(Refusal::Body(NO_SWAP_OPERATION.to_owned()));
    }
}

object! {
    /// What a wallet gives in a swap.
    pub struct SwapSend, needs = [["tokens"]], reads = [utxos, tokens] {
        /// The amounts. The token is HTR if not given.
        pub tokens: Vec<SentAmount> =
            list::<SentAmount, _>(1, Some(MAX_INPUTS)).array(&twice(INVALID_SENT_TOKENS, SOME)).or_nothing(),
        /// What the wallet may spend for that; it chooses among all if not given. Those that can't be spent
        /// are passed over.
        pub utxos: Vec<ExplicitInput> =
            list::<SwapUtxo, _>(1, None).array(&twice(INVALID_UTXOS, SOME)).or_nothing(),
    }
}

object! {
    /// What a wallet gets in a swap.
    pub struct SwapReceived, needs = [["tokens"]] {
        /// The amounts. The token is HTR if not given, and who gets it the wallet's current address.
        pub tokens: Vec<ReceivedAmount> =
            list::<ReceivedAmount, _>(1, Some(MAX_OUTPUTS)).array(&twice(INVALID_RECEIVED_TOKENS, SOME)).or_nothing(),
    }
}

const SOME: &str = "must be an array of at least one element";

object! {
    /// An amount that a wallet gives.
    pub struct SentAmount, needs = [["value"]], reads = [token, value] {
        /// In cents.
        pub value: Amount = AMOUNT,
        /// The token's uid; `00` is HTR.
        pub token: String = TOKEN_OF_PART.called(INVALID_TOKEN_UID),
    }
}

object! {
    /// An amount that a wallet gets.
    pub struct ReceivedAmount, needs = [["value"]], reads = [token, value, timelock, address] {
        /// In cents.
        pub value: Amount = AMOUNT,
        /// The token's uid; `00` is HTR.
        pub token: String = TOKEN_OF_PART.called(INVALID_TOKEN_UID),
        /// Whom to pay.
        pub address: Option<String> = OPTIONAL_ADDRESS.called(INVALID_ADDRESS),
        /// Unix seconds before which it can't be spent.
        pub timelock: Option<u32> = TIMELOCK.called(INVALID_TIMELOCK),
    }
}

object! {
    /// An output that may be spent for a swap.
    pub struct SwapUtxo, needs = [["txId", "index"]] {
        /// The transaction whose output may be spent.
        pub hash: String = TRANSACTION_ID.named("txId").called(INVALID_UTXO_TX_ID),
        /// The output's place in it.
        pub index: u32 = PLACE.called(INVALID_UTXO_INDEX),
    }
}

impl From<SwapUtxo> for ExplicitInput {
    fn from(SwapUtxo { hash, index }: SwapUtxo) -> Self {
        Self { hash, index }
    }
}

impl ProposeSwap {
    fn request(self, call: &Call<'_>) -> Result<SwapRequest, CallError> {
        if call.compat.checks_change_of_swaps() {
            call.check_change(self.change_address.as_deref(), CHANGE_NOT_FROM_THE_WALLET)?;
        }
        let address = |text: Option<String>| {
            let read = |text: String| Address::parse(&text, call.network());
            text.map(read).transpose().map_err(|error| refused(error.to_string()))
        };
        // Of what is no uid the wallet has nothing.
        let gives = |SentAmount { token, value }| match token.parse() {
            Ok(token) => Ok((token, value)),
            Err(_) => Err(refused(NOT_ENOUGH_UTXOS)),
        };
        let gets = |ReceivedAmount { token, value, address: to, timelock }| {
            let token: TokenUid = token.parse().map_err(|_| refused(INVALID_TOKEN_UID))?;
            Ok::<_, CallError>(SwapReceive { token, value, address: address(to)?, timelock })
        };
        let utxos: Vec<_> = self.send.utxos.iter().filter_map(|utxo| utxo.outpoint()).collect();
        if utxos.is_empty() && !self.send.utxos.is_empty() {
            return Err(CallError::Refused(Refusal::Body(NONE_USABLE.to_owned())));
        }
        Ok(SwapRequest {
            sends: self.send.tokens.into_iter().map(gives).collect::<Result<_, _>>()?,
            receives: self.receive.tokens.into_iter().map(gets).collect::<Result<_, _>>()?,
            utxos,
            change_address: address(self.change_address)?,
        })
    }
}

/// A proposal with a wallet's part in it, and what became of it at the swap service.
struct Proposed {
    partial: PartialTx,
    created_id: Option<String>,
}

impl Proposed {
    /// Adds a wallet's part to a proposal. Where the swap service fails, what was locked is unlocked: nobody
    /// has the text.
    async fn make(
        wallet: &Wallet,
        compat: Compat,
        before: PartialTx,
        request: SwapRequest,
        (lock, service): (bool, SwapServiceFields),
    ) -> Result<Self, CallError> {
        if let Some(token) = wallet.fee_token_in(&before, &request).await {
            return Err(refused(fee_token_in_swap(&token.to_string())));
        }
        let partial =
            wallet.add_to_swap(&before, &request, lock).await.map_err(|error| not_added(error, compat))?;
        match at_service(wallet, compat, &service, &partial.to_text()?, None).await {
            Ok(created_id) => {
                wallet.remember_swap(&before, &partial).await;
                Ok(Self { partial, created_id })
            }
            Err(error) => {
                let added = partial.inputs.iter().skip(before.inputs.len()).filter(|_| lock);
                wallet.unlock_outpoints(&added.map(|input| input.spends).collect::<Vec<_>>())?;
                Err(error)
            }
        }
    }

    /// As it is recorded: the id is of one line.
    fn to_text(&self) -> Result<String, CallError> {
        Ok(format!("{}\n{}", self.created_id.as_deref().unwrap_or_default(), self.partial.to_text()?))
    }

    fn from_text(text: &str, network: Network) -> Option<Self> {
        let (id, partial) = text.split_once('\n')?;
        let created_id = (!id.is_empty()).then(|| id.to_owned());
        Some(Self { partial: PartialTx::parse(partial, network).ok()?, created_id })
    }
}

/// Why nothing is added to a proposal.
fn not_added(error: SendError, compat: Compat) -> CallError {
    let SendError::Plan(plan) = &error else { return error.into() };
    match **plan {
        PlanError::NoneUsable => CallError::Refused(Refusal::Body(NONE_USABLE.to_owned())),
        PlanError::Insufficient { .. } | PlanError::TooScattered { .. } if !compat.explains_swaps() => {
            refused(NOT_ENOUGH_UTXOS)
        }
        _ => error.into(),
    }
}

/// A repetition with the same key gets the same, and nothing more is locked.
impl Make for ProposeSwap {
    fn make<'a>(self: Box<Self>, call: &'a Call<'a>, once: Option<SendKey>) -> Waits<'a, Done> {
        Box::pin(async move {
            let before = match &self.partial_tx {
                Some(text) => call.partial_tx(text)?,
                None => PartialTx::default(),
            };
            let how = (self.lock, self.service.clone());
            let request = self.request(call)?;
            let (wallet, compat, network) = (call.wallet.clone(), call.compat, call.network());
            let make = async move { Proposed::make(&wallet, compat, before, request, how).await };
            let make = async move { make.await?.to_text() };
            let RecordedText { text, replayed } = call.wallet.answer_once(once, make).await?;
            let read = Proposed::from_text(&text, network);
            let Proposed { partial, created_id } =
                read.ok_or_else(|| refused("what was proposed with this key can't be read"))?;
            let (partial_tx, is_complete) = (partial.to_text()?, partial.is_complete());
            let answer = call.give(&SwapAnswer { partial_tx, is_complete, created_id })?;
            Ok(Done::made(answer, replayed))
        })
    }
}
