//! Starting and stopping wallets.

use super::{Answer, Group, Operation, OperationId as Id, Right, get, post};
use crate::api::{
    Failure, FireblocksStart, HsmStart, LastIndex, LoadMoreAddresses, Location, MessageFailure,
    MultisigPubkey, ReadyStatus, StartRequest, Success, XpubAnswer,
};

const GROUP: Group = Group::Wallets;

pub(super) const ALL: &[Operation] = &[
    post(
        Id::Start,
        "/start",
        GROUP,
        Right::Administer,
        "Start a wallet. It is answered once the wallet begins to load; `/wallet/status` says when it is ready.",
        Answer::Json(answers![Success, MessageFailure]),
    )
    .fields(
        Location::Body,
        StartRequest::MEMBERS,
        &[
            // Words that the server knows are named: a form is no place to paste words into.
            ("example", r#"{"wallet-id": "mine", "seedKey": "genesis"}"#),
            ("gap limit", r#"{"wallet-id": "mine", "seedKey": "genesis", "scanPolicy": "gap-limit", "gapLimit": 20}"#),
            (
                "words",
                r#"{"wallet-id": "mine", "seed": "avocado spot town typical traffic vault danger century property shallow divorce festival spend attack anchor afford rotate green audit adjust fade wagon depart level"}"#,
            ),
        ],
    )
    .refusing(answers![MessageFailure])
    .of_all_wallets(),
    post(
        Id::HsmStart,
        "/hsm/start",
        GROUP,
        Right::Administer,
        "Start a wallet whose keys a token (PKCS#11) has and signs with. It is answered once the wallet begins to load.",
        Answer::Json(answers![Success, MessageFailure]),
    )
    .fields(
        Location::Body,
        HsmStart::MEMBERS,
        &[("example", r#"{"wallet-id": "hardware-wallet-1", "hsm-key": "hathor_wallet_1"}"#)],
    )
    .refusing(answers![MessageFailure])
    .of_all_wallets(),
    post(
        Id::FireblocksStart,
        "/fireblocks/start",
        GROUP,
        Right::Administer,
        "Start a wallet whose keys Fireblocks has and signs with. It is answered once the wallet begins to load.",
        Answer::Json(answers![Success, MessageFailure]),
    )
    .fields(
        Location::Body,
        FireblocksStart::MEMBERS,
        &[(
            "example",
            r#"{"wallet-id": "vault", "xpub": "xpub6DCyPHg4AwXsdiMh7QSTHR7afmNVwZKHBBMFUiy5aCYQNaWp68ceQXYXCGQr5fZyLAe5hiJDdXrq6w3AXzvVmjFX9F7EdM87repxJEhsmjL"}"#,
        )],
    )
    .refusing(answers![MessageFailure])
    .of_all_wallets(),
    post(
        Id::LoadMoreAddresses,
        "/wallet/config/index-limit/load-more-addresses",
        GROUP,
        Right::Administer,
        "Watch more addresses after those between two indexes. The answer comes once their history is loaded.",
        Answer::Json(answers![Success, Failure]),
    )
    .of::<LoadMoreAddresses>(&[("example", r#"{"count": 20}"#)]),
    post(
        Id::LastIndex,
        "/wallet/config/index-limit/last-index",
        GROUP,
        Right::Administer,
        "Watch all addresses up to this one, after those between two indexes.",
        Answer::Json(answers![Success, Failure]),
    )
    .of::<LastIndex>(&[("example", r#"{"index": 40}"#)]),
    get(
        Id::Events,
        "/wallet/events",
        GROUP,
        Right::Read,
        "Tell what happens to a wallet, as server-sent events. They go on until it is stopped; `Last-Event-ID` resumes them. Payments and sends \
         (`deposit.seen`, `send.pushed` …) are the same at every server: see docs/events.md.",
        Answer::Text("text/event-stream"),
    )
    .ready_or_not(),
    get(Id::Status, "/wallet/status", GROUP, Right::Read, "Show the state of a wallet. One that is not ready is told by `success` false, with its state in `statusMessage`.", Answer::Json(answers![ReadyStatus])),
    post(
        Id::Stop,
        "/wallet/stop",
        GROUP,
        Right::Administer,
        "Stop a wallet, ready or not. Its id can then be used again.",
        Answer::Json(answers![Success]),
    )
    // One that never gets ready is to be stopped most of all.
    .ready_or_not(),
    post(
        Id::MultisigPubkey,
        "/multisig-pubkey",
        GROUP,
        Right::Administer,
        "Show the xpub of one of the server's seeds that the other participants of a multisig wallet need.",
        Answer::Json(answers![XpubAnswer, MessageFailure]),
    )
    .fields(Location::Body, MultisigPubkey::MEMBERS, &[("example", r#"{"seedKey": "default"}"#)])
    .of_all_wallets(),
];
