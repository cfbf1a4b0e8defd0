//! `/wallet/atomic-swap/tx-proposal`: a wallet adds its part to a swap.

use super::at_service::{SOME_TEXT, SwapServiceFields, at_service, truth};
use crate::api::rules::{AMOUNT, OPTIONAL_ADDRESS, says_something};
use crate::api::texts::{
    CHANGE_NOT_FROM_THE_WALLET, INVALID_ADDRESS, INVALID_CHANGE_ADDRESS, INVALID_LOCK,
    INVALID_PARTIAL_TX_FIELD, INVALID_RECEIVED_TOKENS, INVALID_SENT_TOKENS, INVALID_TIMELOCK,
    INVALID_TOKEN_UID, INVALID_UTXO_INDEX, INVALID_UTXO_TX_ID, INVALID_UTXOS, NO_SWAP_OPERATION, NONE_USABLE,
    NOT_ENOUGH_UTXOS, fee_token_in_swap,
};
use crate::api::{Literal, SwapAnswer};
use crate::ledger::{Address, Amount, MAX_INPUTS, MAX_OUTPUTS, Network, PartialTx, TokenUid};
use crate::operations::prelude::*;
use crate::operations::sending::{ExplicitInput, OUTPUT_PLACE, PAY_TOKEN, TIMELOCK, TX_ID};
use crate::service::{RecordedText, SendError, SendKey, Wallet};
use crate::wallet::{PlanError, SwapReceive, SwapRequest};

pub static PROPOSE_SWAP: Operation = post("propose-swap", "/wallet/atomic-swap/tx-proposal", Group::Swaps, Right::Build)
    .does("Propose an atomic swap, or add this wallet's part to a proposal. What it gives is locked.")
    .package(&[method("proposeSwap").takes("request: ProposeSwapRequest")])
    .command("swap-propose")
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
    pub struct ProposeSwap in body as [partial_tx, send, receive, lock, change_address, service] {
        /// What this wallet gives. Its change comes with it.
        pub send: Gives = GIVES,
        /// What this wallet gets.
        pub receive: Gets = GETS,
        /// The proposal to which this wallet adds its part; a new one if not given.
        pub partial_tx: Option<String> = SOME_TEXT.called(INVALID_PARTIAL_TX_FIELD),
        /// Whether nothing else of this wallet spends what it gives, until that is unlocked or spent.
        pub lock: bool = LOCK.called(INVALID_LOCK),
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS.called(INVALID_CHANGE_ADDRESS),
        /// What is to become of the proposal at the swap service, where the server has one.
        pub service: SwapServiceFields = SERVICE,
    }
}

nested! {
    /// What a wallet gives.
    pub struct Gives as [tokens, utxos] {
        /// What the wallet may spend for that; it chooses among all if not given. Those that can't be spent are
        /// passed over.
        pub utxos: Vec<SwapUtxo> = UTXOS,
        /// The amounts. The token is HTR if not given.
        pub tokens: Vec<SentAmount> = SENT,
    }
}

nested! {
    /// What a wallet gets.
    pub struct Gets {
        /// The amounts. The token is HTR if not given, and who gets it the wallet's current address.
        pub tokens: Vec<ReceivedAmount> = RECEIVED,
    }
}

nested! {
    /// An output that a wallet may spend.
    pub struct SwapUtxo {
        /// The transaction whose output may be spent.
        pub id: String = TX_ID.named("txId").called(INVALID_UTXO_TX_ID),
        /// The output's place in it.
        pub index: i128 = OUTPUT_PLACE.called(INVALID_UTXO_INDEX),
    }
}

nested! {
    /// An amount that a wallet gives.
    pub struct SentAmount as [value, token] {
        /// The token's uid; `00` is HTR.
        pub token: Option<String> = PAY_TOKEN.called(INVALID_TOKEN_UID),
        /// In cents.
        pub value: Amount = AMOUNT,
    }
}

nested! {
    /// An amount that a wallet gets.
    pub struct ReceivedAmount as [value, token, address, timelock] {
        /// The token's uid; `00` is HTR.
        pub token: Option<String> = PAY_TOKEN.called(INVALID_TOKEN_UID),
        /// In cents.
        pub value: Amount = AMOUNT,
        /// Unix seconds before which it can't be spent.
        pub timelock: Option<u32> = TIMELOCK.called(INVALID_TIMELOCK),
        /// Whom to pay.
        pub address: Option<String> = OPTIONAL_ADDRESS.called(INVALID_ADDRESS),
    }
}

const GIVES: Rule<Gives> =
    Rule::optional(Kind::Object { members: Gives::MEMBERS, any_of: &[&["tokens"]] }, object);

const GETS: Rule<Gets> =
    Rule::optional(Kind::Object { members: Gets::MEMBERS, any_of: &[&["tokens"]] }, object);

const UTXOS: Rule<Vec<SwapUtxo>> = Rule::optional(
    Kind::Array {
        of: &Kind::Object { members: SwapUtxo::MEMBERS, any_of: &[&["txId", "index"]] },
        least: 1,
        most: None,
    },
    |check, field, context| Ok(some_of(check, field, INVALID_UTXOS, usize::MAX, context)),
);

const SENT: Rule<Vec<SentAmount>> = Rule::optional(
    Kind::Array {
        of: &Kind::Object { members: SentAmount::MEMBERS, any_of: &[&["value"]] },
        least: 1,
        most: Some(MAX_INPUTS),
    },
    |check, field, context| Ok(some_of(check, field, INVALID_SENT_TOKENS, MAX_OUTPUTS, context)),
);

const RECEIVED: Rule<Vec<ReceivedAmount>> = Rule::optional(
    Kind::Array {
        of: &Kind::Object { members: ReceivedAmount::MEMBERS, any_of: &[&["value"]] },
        least: 1,
        most: Some(MAX_OUTPUTS),
    },
    |check, field, context| Ok(some_of(check, field, INVALID_RECEIVED_TOKENS, MAX_OUTPUTS, context)),
);

/// The elements of an array that must have some where it is there.
fn some_of<'a, N: Nested>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    msg: &'static str,
    most: usize,
    Context { compat, .. }: Context,
) -> Vec<N> {
    if field.value.is_none() || check.called(msg, |check| check.too_many(field, most, compat)) {
        return Vec::new();
    }
    let must = "must be an array of at least one element";
    let elements = check.called(msg, |check| check.some_elements(field, must));
    N::read_each(check, &elements, compat)
}

const LOCK: Rule<bool> =
    Rule::optional(Kind::Flag, |check, field, context| Ok(truth(check, field, true, context.compat)))
        .default(Literal::Flag(true));

const SERVICE: Rule<SwapServiceFields> = Rule::optional(
    Kind::Object {
        members: SwapServiceFields::MEMBERS,
        any_of: &[&["is_new", "password"], &["proposal_id", "version"]],
    },
    |check, field, context| {
        let service: SwapServiceFields = object(check, field, context)?;
        if context.compat.refuses_unused_fields() {
            refuse_unused_at_service(check, field, service.is_new);
        }
        Ok(service)
    },
);

/// Refuses what is said of the swap service and has no effect there.
fn refuse_unused_at_service<'a>(check: &mut Checker<'a>, service: &Field<'a>, is_new: bool) {
    let has_id = service.member("proposal_id").value.is_some_and(says_something);
    for (name, is_unused, must) in [
        (
            "password",
            !is_new,
            "must be left out unless the proposal is new: a registered one has its password",
        ),
        ("proposal_id", is_new, "must be left out of a new proposal: the service gives it its id"),
        ("version", is_new || !has_id, "must be left out unless a registered proposal is replaced"),
    ] {
        let field = service.member(name);
        if is_unused && field.value.is_some_and(|value| !value.is_null() && value != "") {
            check.unused(&field, must);
        }
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
        let uid = |token: Option<String>| {
            let token = token.filter(|token| !token.is_empty());
            token.map_or(Ok(TokenUid::Native), |token| token.parse())
        };
        // Of what is no uid the wallet has nothing.
        let gives = |SentAmount { token, value }: SentAmount| match uid(token) {
            Ok(token) => Ok((token, value)),
            Err(_) => Err(refused(NOT_ENOUGH_UTXOS)),
        };
        let gets = |ReceivedAmount { token, value, address: to, timelock }: ReceivedAmount| {
            let token = uid(token).map_err(|_| refused(INVALID_TOKEN_UID))?;
            Ok::<_, CallError>(SwapReceive { token, value, address: address(to)?, timelock })
        };
        let Gives { tokens, utxos: given } = self.send;
        let is_given = !given.is_empty();
        let utxos = given.into_iter().map(|utxo| ExplicitInput::new(utxo.id, utxo.index));
        let utxos: Vec<_> = utxos.filter_map(|utxo| utxo.outpoint()).collect();
        if utxos.is_empty() && is_given {
            return Err(CallError::Refused(Refusal::Body(NONE_USABLE.to_owned())));
        }
        Ok(SwapRequest {
            sends: tokens.into_iter().map(gives).collect::<Result<_, _>>()?,
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
            if self.send.tokens.is_empty() && self.receive.tokens.is_empty() {
                return Err(CallError::Refused(Refusal::Body(NO_SWAP_OPERATION.to_owned())));
            }
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
