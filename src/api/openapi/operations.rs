//! Every operation of the HTTP interface.

use super::fields::{Example, Read};
use crate::api::{
    AddressIndexQuery, AddressInfoQuery, AddressQuery, BalanceQuery, ConfigurationStringQuery, Consolidate,
    CreateNft, CreateToken, Decode, DryRun, GivenTransaction, HealthQuery, HistoryQuery, LastIndex,
    LoadMoreAddresses, MeltTokens, MintTokens, MultisigPubkey, SelectUtxos, SendTx, SimpleSendTx,
    StartRequest, TransactionQuery, UtxoFilter,
};
use serde_json::{Map, Value, json};

/// Groups of operations.
pub(super) const TAGS: [(&str, &str); 7] = [
    ("Wallets", "Starting and stopping wallets."),
    ("Reading", "What a wallet has, and what became of it."),
    (
        "Sending",
        "Everything that sends a transaction; with `dry_run`, in the query or in the body, it only says what it would send, and at what cost.",
    ),
    (
        "Signing elsewhere",
        "Transactions that are built here, signed where the keys are, and then sent with `/push-tx`.",
    ),
    (
        "Multisig",
        "Transactions of wallets of several participants: proposed by one, signed by enough of them, and sent.",
    ),
    ("Transactions", "Transactions given as hexadecimal text."),
    ("Service", "The service itself."),
];

/// One operation.
pub(super) struct Operation {
    pub method: &'static str,
    pub path: &'static str,
    pub id: &'static str,
    pub tag: &'static str,
    pub summary: &'static str,
    pub takes: Takes,
    pub answer: Answer,
    /// The shapes of a 400, apart from those that all operations of a kind share.
    pub refusals: &'static [&'static str],
}

/// Where its fields are.
pub(super) enum Takes {
    Nothing,
    Query(Read, Vec<Example>),
    Body(Read, Vec<Example>),
}

/// What a status 200 comes with.
pub(super) enum Answer {
    /// One of these schemas.
    Json(&'static [&'static str]),
    /// A text of a media type.
    Text(&'static str),
}

/// What all operations take that send.
pub(super) const DRY_RUN: Read = |body, _| drop(DryRun::from_query_and_body(&Map::new(), body));

const SENT: Answer = Answer::Json(&["Transaction", "DryRun", "Failure"]);
const CREATED: Answer = Answer::Json(&["CreatedToken", "DryRun", "Failure"]);
const FIELDS: &[&str] = &["InvalidFields"];

const SEED: &str = "avocado spot town typical traffic vault danger century property shallow divorce festival spend attack \
    anchor afford rotate green audit adjust fade wagon depart level";
pub(super) const ADDRESS: &str = "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f";
pub(super) const UID: &str = "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f";
pub(super) const TX_HEX: &str = "0001000000";

/// All operations, in the order in which one meets them.
pub(super) fn all() -> Vec<Operation> {
    let mut all = wallets();
    all.extend(reads());
    all.extend(sends());
    all.extend(super::proposals::all());
    all.extend(super::p2sh::all());
    all.extend(transactions());
    all.extend(service());
    all
}

pub(super) fn get(
    path: &'static str,
    id: &'static str,
    tag: &'static str,
    summary: &'static str,
    answer: Answer,
) -> Operation {
    Operation { method: "get", path, id, tag, summary, takes: Takes::Nothing, answer, refusals: &[] }
}

pub(super) fn post(
    path: &'static str,
    id: &'static str,
    tag: &'static str,
    summary: &'static str,
    answer: Answer,
) -> Operation {
    Operation { method: "post", ..get(path, id, tag, summary, answer) }
}

impl Operation {
    pub fn query(self, read: Read, example: Value) -> Self {
        Self { takes: Takes::Query(read, vec![("example", example)]), refusals: FIELDS, ..self }
    }
    pub fn body(self, read: Read, example: Value) -> Self {
        Self { takes: Takes::Body(read, vec![("example", example)]), refusals: FIELDS, ..self }
    }
    pub fn or_body(mut self, name: &'static str, example: Value) -> Self {
        if let Takes::Body(_, examples) = &mut self.takes {
            examples.push((name, example));
        }
        self
    }
    pub fn refusing(self, refusals: &'static [&'static str]) -> Self {
        Self { refusals, ..self }
    }
}

fn wallets() -> Vec<Operation> {
    let tag = "Wallets";
    vec![
        post(
            "/start", "start", tag,
            "Start a wallet. It is answered once the wallet begins to load; `/wallet/status` says when it is ready.",
            Answer::Json(&["Success", "MessageFailure"]),
        )
        .body(|body, _| drop(StartRequest::from_json(body)), json!({"wallet-id": "mine", "seed": SEED}))
        .or_body("gap limit", json!({"wallet-id": "mine", "seed": SEED, "scanPolicy": "gap-limit", "gapLimit": 20}))
        .refusing(&[]),
        post(
            "/wallet/config/index-limit/load-more-addresses",
            "load-more-addresses",
            tag,
            "Watch more addresses, after those between two indexes. It is answered once their history is loaded.",
            Answer::Json(&["Success", "Failure"]),
        )
        .body(|body, _| drop(LoadMoreAddresses::from_json(body)), json!({"count": 20})),
        post(
            "/wallet/config/index-limit/last-index",
            "last-index",
            tag,
            "Watch all addresses up to this one, after those between two indexes.",
            Answer::Json(&["Success", "Failure"]),
        )
        .body(|body, _| drop(LastIndex::from_json(body)), json!({"index": 40})),
        get(
            "/wallet/events",
            "events",
            tag,
            "What happens to a wallet, as server-sent events. They go on until it is stopped; `Last-Event-ID` resumes them.",
            Answer::Text("text/event-stream"),
        ),
        get("/wallet/status", "status", tag, "A ready wallet's state.", Answer::Json(&["Status"])),
        post("/wallet/stop", "stop", tag, "Stop a wallet, whose id is free then.", Answer::Json(&["Success"])),
        post(
            "/multisig-pubkey", "multisig-pubkey", tag,
            "What the other participants of a multisig wallet need to know of one of the configured seeds.",
            Answer::Json(&["Xpub", "MessageFailure"]),
        )
        .body(|body, _| drop(MultisigPubkey::from_json(body)), json!({"seedKey": "default"}))
        .refusing(&[]),
    ]
}

fn reads() -> Vec<Operation> {
    let tag = "Reading";
    vec![
        get(
            "/wallet/balance",
            "balance",
            tag,
            "How much of a token the wallet has.",
            Answer::Json(&["Balance"]),
        )
        .query(|query, compat| drop(BalanceQuery::from_query(query, compat)), json!({"token": "00"})),
        get(
            "/wallet/address",
            "address",
            tag,
            "The current address, or that at an index.",
            Answer::Json(&["Address"]),
        )
        .query(|query, _| drop(AddressQuery::from_query(query)), json!({"index": 0})),
        get("/wallet/addresses", "addresses", tag, "All addresses, by index.", Answer::Json(&["Addresses"])),
        get(
            "/wallet/address-index",
            "address-index",
            tag,
            "Which index an address has; no success if it isn't the wallet's.",
            Answer::Json(&["AddressIndex"]),
        )
        .query(|query, _| drop(AddressIndexQuery::from_query(query)), json!({"address": ADDRESS})),
        get(
            "/wallet/address-info",
            "address-info",
            tag,
            "What an address received of a token, and where that is now.",
            Answer::Json(&["AddressInfo", "Failure"]),
        )
        .query(
            |query, compat| drop(AddressInfoQuery::from_query(query, compat)),
            json!({"address": ADDRESS, "token": "00"}),
        ),
        get(
            "/wallet/utxo-filter",
            "utxo-filter",
            tag,
            "Unspent outputs, and what they come to.",
            Answer::Json(&["UtxoList", "Failure"]),
        )
        .query(
            |query, compat| drop(UtxoFilter::from_query(query, compat)),
            json!({"max_utxos": 10, "amount_bigger_than": 50}),
        ),
        get(
            "/wallet/tx-history",
            "tx-history",
            tag,
            "The wallet's transactions.",
            Answer::Json(&["History"]),
        )
        .query(|query, compat| drop(HistoryQuery::from_query(query, compat)), json!({"limit": 10})),
        get(
            "/wallet/transaction",
            "transaction",
            tag,
            "One of the wallet's transactions.",
            Answer::Json(&["HistoryEntry", "Failure"]),
        )
        .query(|query, _| drop(TransactionQuery::from_query(query)), json!({"id": UID})),
        get(
            "/wallet/tx-confirmation-blocks",
            "tx-confirmation-blocks",
            tag,
            "How many blocks confirm a transaction.",
            Answer::Json(&["Confirmations", "Failure"]),
        )
        .query(|query, _| drop(TransactionQuery::from_query(query)), json!({"id": UID})),
        get(
            "/wallet/config/last-loaded-address-index",
            "last-loaded-address-index",
            tag,
            "The index of the last address that is watched.",
            Answer::Json(&["AddressIndex"]),
        ),
        get(
            "/configuration-string",
            "configuration-string",
            tag,
            "A token's configuration string, from the full node.",
            Answer::Json(&["ConfigurationString", "MessageFailure"]),
        )
        .query(|query, _| drop(ConfigurationStringQuery::from_query(query)), json!({"token": UID})),
    ]
}

fn sends() -> Vec<Operation> {
    let tag = "Sending";
    let token = || json!({"name": "Coffee", "symbol": "CFE", "amount": 1000});
    vec![
        post("/wallet/simple-send-tx", "simple-send-tx", tag, "Pay one address.", SENT).body(
            |body, compat| drop(SimpleSendTx::from_json(body, compat)),
            json!({"address": ADDRESS, "value": 100}),
        ),
        post("/wallet/send-tx", "send-tx", tag, "Pay addresses, and keep texts on the ledger.", SENT)
            .body(
                |body, compat| drop(SendTx::from_json(body, compat)),
                json!({"outputs": [{"address": ADDRESS, "value": 100, "token": "00"}, {"type": "data", "data": "hello"}]}),
            )
            .or_body(
                "chosen inputs",
                json!({"outputs": [{"address": ADDRESS, "value": 100}], "inputs": [{"hash": UID, "index": 0}]}),
            )
            .or_body(
                "inputs that match",
                json!({"outputs": [{"address": ADDRESS, "value": 100}], "inputs": [{"type": "query", "filter_address": ADDRESS}]}),
            ),
        post("/wallet/create-token", "create-token", tag, "Create a token.", CREATED)
            .body(|body, compat| drop(CreateToken::from_json(body, compat)), token())
            .refusing(&["InvalidDetails"]),
        post("/wallet/create-nft", "create-nft", tag, "Create an NFT.", CREATED).body(
            |body, compat| drop(CreateNft::from_json(body, compat)),
            json!({"name": "Coffee", "symbol": "CFE", "amount": 1, "data": "ipfs://Qmf"}),
        ),
        post("/wallet/mint-tokens", "mint-tokens", tag, "Mint more of a token.", SENT).body(
            |body, compat| drop(MintTokens::from_json(body, compat)),
            json!({"token": UID, "amount": 100}),
        ),
        post("/wallet/melt-tokens", "melt-tokens", tag, "Melt tokens, and get their deposit back.", SENT).body(
            |body, compat| drop(MeltTokens::from_json(body, compat)),
            json!({"token": UID, "amount": 100}),
        ),
        post(
            "/wallet/utxo-consolidation", "utxo-consolidation", tag, "Make one output of many.",
            Answer::Json(&["Consolidation", "DryRun", "Failure"]),
        )
        .body(
            |body, compat| drop(Consolidate::from_json(body, compat)),
            json!({"destination_address": ADDRESS, "max_utxos": 10}),
        ),
    ]
}

fn transactions() -> Vec<Operation> {
    let tag = "Transactions";
    vec![
        post(
            "/push-tx",
            "push-tx",
            tag,
            "Send a signed transaction, with its proof of work done where it is missing.",
            Answer::Json(&["Pushed", "DryRun", "Failure"]),
        )
        .body(|body, _| drop(GivenTransaction::from_json(body)), json!({"txHex": TX_HEX})),
        post(
            "/wallet/decode",
            "decode",
            tag,
            "A transaction in words, and what it would do to the wallet.",
            Answer::Json(&["Decoded", "Failure"]),
        )
        .body(|body, _| drop(Decode::from_json(body)), json!({"txHex": TX_HEX}))
        .refusing(&["InvalidChoice"]),
        Operation {
            method: "put",
            ..post(
                "/wallet/utxos-selected-as-input",
                "utxos-selected-as-input",
                tag,
                "Set the outputs aside that a transaction spends, or give them back.",
                Answer::Json(&["Success", "Failure"]),
            )
            .body(|body, _| drop(SelectUtxos::from_json(body)), json!({"txHex": TX_HEX, "ttl": 60000}))
        },
    ]
}

fn service() -> Vec<Operation> {
    let tag = "Service";
    vec![
        get("/", "welcome", tag, "A page that leads to this document.", Answer::Text("text/html")),
        get("/docs", "docs", tag, "This document.", Answer::Json(&["OpenApi"])),
        get("/docs/ui", "docs-ui", tag, "A page to read and try all this.", Answer::Text("text/html")),
        get("/health", "health", tag, "How wallets and services are.", Answer::Json(&["Health"]))
            .query(|query, _| drop(HealthQuery::from_query(query)), json!({"include_fullnode": true}))
            .refusing(&["InvalidFields", "MessageFailure"]),
        post(
            "/reload-config",
            "reload-config",
            tag,
            "Read the configuration again, and go by it: wallets are stopped where they have to be, and the service ends where only \
             a new start takes it up.",
            Answer::Json(&["Success", "Failure"]),
        ),
        get(
            "/metrics",
            "metrics",
            tag,
            "What the service did since its start, for Prometheus.",
            Answer::Text("text/plain"),
        ),
    ]
}
