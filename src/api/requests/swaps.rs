//! `/wallet/atomic-swap/tx-proposal`: transactions that several wallets make together.

use super::external::ID;
use super::p2sh::shares;
use super::send::{
    INPUT_INDEX, PAY_ADDRESS, PAY_TOKEN, PAY_VALUE, TIMELOCK, each, explicit_inputs, timelock,
};
use super::start::says_something;
use super::{ExplicitInput, SendInputs};
use crate::api::check::{Checker, Field};
use crate::api::check_twice::Form;
use crate::api::declare::{Kind, Literal, Member, Need, Rule, request};
use crate::api::rules::{NATIVE, TEXT, TX_HEX, flag, or_noted};
use crate::api::texts::{
    INVALID_ADDRESS, INVALID_CHANGE_ADDRESS, INVALID_IS_NEW, INVALID_LOCK, INVALID_PARTIAL_TX_FIELD,
    INVALID_PASSWORD, INVALID_PROPOSAL_ID, INVALID_RECEIVED_TOKENS, INVALID_SENT_TOKENS, INVALID_TIMELOCK,
    INVALID_TOKEN_UID, INVALID_UTXO_INDEX, INVALID_UTXO_TX_ID, INVALID_UTXOS, INVALID_VERSION,
    NO_SWAP_OPERATION,
};
use crate::api::{Compat, Location, Refusal, Request};
use crate::ledger::{Amount, MAX_INPUTS, MAX_OUTPUTS, Transaction};
use serde_json::{Map, Value};

/// Fewest characters of a password for the swap service, in UTF-16 as JavaScript counts them.
const MIN_PASSWORD: usize = 3;

/// `POST /wallet/atomic-swap/tx-proposal`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposeSwap {
    /// What this wallet gives.
    pub send: Vec<SwapAmount>,
    /// What it may spend for that; the wallet chooses if these are none.
    pub utxos: Vec<ExplicitInput>,
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

/// What is to become of a proposal at the swap service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwapServiceFields {
    /// Whether it is to be kept there.
    pub is_new: bool,
    /// Which of those that are registered is to be replaced.
    pub proposal_id: Option<String>,
    /// Of a new one.
    pub password: Option<String>,
    /// The version that is replaced.
    pub version: Option<SwapVersion>,
}

/// The version of a proposal, as given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapVersion {
    Number(i128),
    /// A number as text, which stands for it elsewhere and is refused here once all else is done.
    Text,
}

impl Request for ProposeSwap {
    const IN: Location = Location::Body;
    const MEMBERS: &'static [Member] = &[
        Member::new(
            "partial_tx",
            "The proposal to which this wallet adds its part; a new one if not given.",
            Kind::Text,
            Need::Optional,
        ),
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
    ),
    PROPOSAL_ID,
    VERSION,
];
const PROPOSAL_ID: Member = Member::new(
    "proposal_id",
    "Which of the registered proposals is replaced there.",
    Kind::Text,
    Need::Optional,
);
const VERSION: Member = Member::new(
    "version",
    "The version that is replaced, which must be the newest.",
    Kind::Integer(Some(0), None),
    Need::Optional,
);

/// A yes or no, or `otherwise`.
fn truth<'a>(check: &mut Checker<'a>, field: &Field<'a>, otherwise: bool, compat: Compat) -> bool {
    let flag = check.flag(field, otherwise);
    flag || (compat.takes_texts_for_true() && field.value.is_some_and(Value::is_string))
}

fn not_empty(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.is_empty()).map(str::to_owned)
}

fn text_of<'a>(check: &mut Checker<'a>, field: &Field<'a>, msg: &'static str) -> Option<String> {
    not_empty(check.called(msg, |check| check.optional_text(field)))
}

fn optional_text(check: &mut Checker<'_>, name: &str, msg: &'static str) -> Option<String> {
    let field = check.field(name);
    text_of(check, &field, msg)
}

fn read_version<'a>(check: &mut Checker<'a>, service: &Field<'a>) -> Option<SwapVersion> {
    let version = service.member("version");
    let number = check.called(INVALID_VERSION, |check| check.optional_integer(&version, Some(0)))?;
    let is_text = version.value.is_some_and(Value::is_string);
    Some(if is_text { SwapVersion::Text } else { SwapVersion::Number(number) })
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

const AS_IS: Rule<bool> = flag(false);

/// A proposal, as text.
const PARTIAL_TX: Rule<String> = TEXT.called(INVALID_PARTIAL_TX_FIELD);

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
        pub service: SwapServiceFields = SIGNED_AT_SERVICE,
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

request! {
    /// `GET /wallet/atomic-swap/tx-proposal/fetch/{proposalId}` and `DELETE …/delete/{proposalId}`.
    pub struct SwapProposalId in query {
        /// The proposal's id at the swap service.
        pub id: String = ID_IN_PATH,
    }
}

request! {
    /// `POST /wallet/atomic-swap/tx-proposal/register/{proposalId}`.
    pub struct RegisterSwap in body {
        /// The proposal's id at the swap service.
        pub id: String = ID_IN_PATH,
        /// The proposal's password.
        pub password: String = PASSWORD,
    }
}

const ID_IN_PATH: Rule<String> = TEXT.of(Kind::NonEmptyText).named("proposalId").called(INVALID_PROPOSAL_ID);

/// Empty where release 0.39 has none.
const PASSWORD: Rule<String> = Rule::required(Kind::Text, |check, field, context| {
    if !context.compat.checks_swap_passwords() {
        match field.value {
            None | Some(Value::Null) => return Ok(String::new()),
            Some(Value::String(text)) => return Ok(text.clone()),
            Some(Value::Number(number)) => return Ok(number.to_string()),
            _ => {}
        }
    }
    let long = |text: &str| text.split('\n').any(|line| line.encode_utf16().count() >= MIN_PASSWORD);
    let form = Form { must: "must have at least 3 characters", fits: long };
    or_noted(check.formed_text(field, form).map(str::to_owned))
})
.called(INVALID_PASSWORD);

/// None stands for no texts, which are enough for a proposal without inputs.
const GIVEN: Rule<Vec<String>> =
    Rule::optional(Kind::Array { of: &Kind::Text, least: 1, most: None }, |check, field, context| {
        if field.value.is_none() { Ok(Vec::new()) } else { shares(check, field, context) }
    });

const SIGNED_AT_SERVICE: Rule<SwapServiceFields> = Rule::optional(
    Kind::Object { members: &[PROPOSAL_ID, VERSION], any_of: &[&["proposal_id", "version"]] },
    |check, field, _| {
        let proposal_id = text_of(check, &field.member("proposal_id"), INVALID_PROPOSAL_ID);
        let version = read_version(check, field);
        Ok(SwapServiceFields { proposal_id, version, ..SwapServiceFields::default() })
    },
);
