//! `/wallet/atomic-swap/tx-proposal`: a wallet adds its part to a swap.

use super::at_service::{PROPOSAL_ID, VERSION, not_empty, read_version, text_of};
use super::at_service::{SwapServiceFields, at_service};
use crate::api::rules::{NATIVE, says_something};
use crate::api::texts::{
    CHANGE_NOT_FROM_THE_WALLET, INVALID_ADDRESS, INVALID_CHANGE_ADDRESS, INVALID_IS_NEW, INVALID_LOCK,
    INVALID_PARTIAL_TX_FIELD, INVALID_PASSWORD, INVALID_PROPOSAL_ID, INVALID_RECEIVED_TOKENS,
    INVALID_SENT_TOKENS, INVALID_TIMELOCK, INVALID_TOKEN_UID, INVALID_UTXO_INDEX, INVALID_UTXO_TX_ID,
    INVALID_UTXOS, NO_SWAP_OPERATION, NONE_USABLE, NOT_ENOUGH_UTXOS, fee_token_in_swap,
};
use crate::api::{Literal, Location, Member, Need, SwapAnswer};
use crate::ledger::{Address, Amount, MAX_INPUTS, MAX_OUTPUTS, Network, PartialTx, TokenUid};
use crate::operations::external::ID;
use crate::operations::prelude::*;
use crate::operations::sending::timelock;
use crate::operations::sending::{
    ExplicitInput, INPUT_INDEX, PAY_ADDRESS, PAY_TOKEN, PAY_VALUE, SendInputs, TIMELOCK, each,
    explicit_inputs,
};
use crate::service::{RecordedText, SendError, SendKey, Wallet};
use crate::wallet::{PlanError, SwapReceive, SwapRequest};
use serde_json::{Map, Value};

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

/// `POST /wallet/atomic-swap/tx-proposal`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposeSwap {
    /// What this wallet gives.
    pub send: Vec<SwapAmount>,
    /// What it may spend for that; the wallet chooses if these are none.
    pub utxos: Vec<ExplicitInput>,
    /// What it gets.
    pub receive: Vec<SwapAmount>,
    /// The proposal to which that is added; a new one if not given.
    pub partial_tx: Option<String>,
    pub change_address: Option<String>,
    /// Whether nothing else spends what it gives.
    pub lock: bool,
    pub service: SwapServiceFields,
}

/// An amount that changes hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapAmount {
    /// The token's uid, as given.
    pub token: String,
    /// At least 1.
    pub value: Amount,
    /// Who gets it; the wallet's current address if not given.
    pub address: Option<String>,
    /// Unix seconds before which it can't be spent.
    pub timelock: Option<u32>,
}

impl Request for ProposeSwap {
    const IN: Location = Location::Body;
    const MEMBERS: &'static [Member] = &[
        Member::new(
            "partial_tx",
            "The proposal to which this wallet adds its part; a new one if not given.",
            Kind::Text,
            Need::Optional,
        )
        .long(),
        Member::new(
            "send",
            "What this wallet gives. Its change comes with it.",
            Kind::Object { members: SEND, any_of: &[&["tokens"]] },
            Need::Optional,
        ),
        Member::new(
            "receive",
            "What this wallet gets.",
            Kind::Object { members: RECEIVE, any_of: &[&["tokens"]] },
            Need::Optional,
        ),
        Member {
            default: Some(Literal::Flag(true)),
            ..Member::new(
                "lock",
                "Whether nothing else of this wallet spends what it gives, until that is unlocked or spent.",
                Kind::Flag,
                Need::Optional,
            )
        },
        Member::new(
            "change_address",
            "Where the change goes: an address of the wallet.",
            Kind::Address,
            Need::Optional,
        ),
        Member::new(
            "service",
            "What is to become of the proposal at the swap service, where the server has one.",
            Kind::Object {
                members: SERVICE,
                any_of: &[&["is_new", "password"], &["proposal_id", "version"]],
            },
            Need::Optional,
        ),
    ];
    fn read(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut checker = Checker::body(body);
        let check = &mut checker;
        let [send, receive, service] = ["send", "receive", "service"].map(|name| check.field(name));
        let utxos = read_utxos(check, &send.member("utxos"), compat);
        let send = read_amounts(check, &send.member("tokens"), INVALID_SENT_TOKENS, compat);
        let receive = receive.member("tokens");
        let mut received = read_amounts(check, &receive, INVALID_RECEIVED_TOKENS, compat);
        let elements: Vec<_> = receive.elements().collect();
        let timelocks = check.called(INVALID_TIMELOCK, |check| each(check, &elements, "timelock", timelock));
        let addresses =
            check.called(INVALID_ADDRESS, |check| each(check, &elements, "address", Checker::optional_text));
        for (amount, (timelock, address)) in received.iter_mut().zip(timelocks.into_iter().zip(addresses)) {
            (amount.timelock, amount.address) = (timelock, not_empty(address));
        }
        let partial_tx = optional_text(check, "partial_tx", INVALID_PARTIAL_TX_FIELD);
        let lock = check.field("lock");
        let lock = check.called(INVALID_LOCK, |check| truth(check, &lock, true, compat));
        let change_address = optional_text(check, "change_address", INVALID_CHANGE_ADDRESS);
        let is_new = service.member("is_new");
        let is_new = check.called(INVALID_IS_NEW, |check| truth(check, &is_new, false, compat));
        let proposal_id = text_of(check, &service.member("proposal_id"), INVALID_PROPOSAL_ID);
        let password = text_of(check, &service.member("password"), INVALID_PASSWORD);
        let version = read_version(check, &service);
        if compat.refuses_unused_fields() {
            refuse_unused_at_service(check, &service, is_new);
        }
        checker.finish()?;
        if send.is_empty() && received.is_empty() {
            return Err(Refusal::Body(NO_SWAP_OPERATION.to_owned()));
        }
        let service = SwapServiceFields { is_new, proposal_id, password, version };
        Ok(Self { send, utxos, receive: received, partial_tx, change_address, lock, service })
    }
}

const SENT_TOKEN: Member = Member { need: Need::Optional, ..PAY_TOKEN };

const SENT_VALUE: Member = Member { need: Need::Required, ..PAY_VALUE };

const SEND: &[Member] = &[
    Member::new(
        "tokens",
        "The amounts. The token is HTR if not given.",
        Kind::Array {
            of: &Kind::Object { members: &[SENT_VALUE, SENT_TOKEN], any_of: &[&["value"]] },
            least: 1,
            most: Some(MAX_INPUTS),
        },
        Need::Optional,
    ),
    Member::new(
        "utxos",
        "What the wallet may spend for that; it chooses among all if not given. Those that can't be spent are passed over.",
        Kind::Array {
            of: &Kind::Object {
                members: &[
                    Member::new(
                        "txId",
                        "The transaction whose output may be spent.",
                        Kind::Pattern("^[0-9A-Fa-f]{64}$"),
                        Need::Required,
                    ),
                    Member { need: Need::Required, ..INPUT_INDEX },
                ],
                any_of: &[&["txId", "index"]],
            },
            least: 1,
            most: None,
        },
        Need::Optional,
    ),
];

const RECEIVE: &[Member] = &[Member::new(
    "tokens",
    "The amounts. The token is HTR if not given, and who gets it the wallet's current address.",
    Kind::Array {
        of: &Kind::Object {
            members: &[SENT_VALUE, SENT_TOKEN, PAY_ADDRESS, TIMELOCK],
            any_of: &[&["value"]],
        },
        least: 1,
        most: Some(MAX_OUTPUTS),
    },
    Need::Optional,
)];

const SERVICE: &[Member] = &[
    Member::new(
        "is_new",
        "Whether the proposal is to be kept there as a new one.",
        Kind::Flag,
        Need::Optional,
    ),
    Member::new(
        "password",
        "Of a new one: whoever knows it can read and change the proposal. At least 3 characters.",
        Kind::Text,
        Need::Optional,
    )
    .in_file(),
    PROPOSAL_ID,
    VERSION,
];

/// A yes or no, or `otherwise`.
fn truth<'a>(check: &mut Checker<'a>, field: &Field<'a>, otherwise: bool, compat: Compat) -> bool {
    let flag = check.flag(field, otherwise);
    flag || (compat.takes_texts_for_true() && field.value.is_some_and(Value::is_string))
}

fn optional_text(check: &mut Checker<'_>, name: &str, msg: &'static str) -> Option<String> {
    let field = check.field(name);
    text_of(check, &field, msg)
}

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

/// An array that must have elements where it is there.
fn some_of<'a>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    msg: &'static str,
    most: usize,
    compat: Compat,
) -> Vec<Field<'a>> {
    if field.value.is_none() || check.called(msg, |check| check.too_many(field, most, compat)) {
        return Vec::new();
    }
    check.called(msg, |check| check.some_elements(field, "must be an array of at least one element"))
}

fn read_utxos<'a>(check: &mut Checker<'a>, field: &Field<'a>, compat: Compat) -> Vec<ExplicitInput> {
    let elements = some_of(check, field, INVALID_UTXOS, usize::MAX, compat);
    let ids: Vec<_> = elements.iter().map(|utxo| utxo.member("txId")).collect();
    let ids = check.called(INVALID_UTXO_TX_ID, |check| check.formed_texts(&ids, ID));
    let indexes = check.called(INVALID_UTXO_INDEX, |check| {
        each(check, &elements, "index", |check, field| check.count(field, "must be the place of an output"))
    });
    match explicit_inputs(ids, indexes) {
        SendInputs::Explicit(utxos) => utxos,
        _ => Vec::new(),
    }
}

fn read_amounts<'a>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    msg: &'static str,
    compat: Compat,
) -> Vec<SwapAmount> {
    let elements = some_of(check, field, msg, MAX_OUTPUTS, compat);
    let tokens = check.called(INVALID_TOKEN_UID, |check| {
        each(check, &elements, "token", |check, field| check.optional_token(field, compat))
    });
    let values = each(check, &elements, "value", Checker::positive_amount);
    let amount = |(token, value): (Option<&str>, Option<Amount>)| SwapAmount {
        token: not_empty(token).unwrap_or_else(|| NATIVE.to_owned()),
        value: value.unwrap_or_default(),
        address: None,
        timelock: None,
    };
    tokens.into_iter().zip(values).map(amount).collect()
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
        let gives = |SwapAmount { token, value, .. }: SwapAmount| match token.parse() {
            Ok(token) => Ok((token, value)),
            Err(_) => Err(refused(NOT_ENOUGH_UTXOS)),
        };
        let gets = |SwapAmount { token, value, address: to, timelock }: SwapAmount| {
            let token: TokenUid = token.parse().map_err(|_| refused(INVALID_TOKEN_UID))?;
            Ok::<_, CallError>(SwapReceive { token, value, address: address(to)?, timelock })
        };
        let utxos: Vec<_> = self.utxos.iter().filter_map(|utxo| utxo.outpoint()).collect();
        if utxos.is_empty() && !self.utxos.is_empty() {
            return Err(CallError::Refused(Refusal::Body(NONE_USABLE.to_owned())));
        }
        Ok(SwapRequest {
            sends: self.send.into_iter().map(gives).collect::<Result<_, _>>()?,
            receives: self.receive.into_iter().map(gets).collect::<Result<_, _>>()?,
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
