//! Multisig wallets: 2 of 3 participants, all on one server.

use super::support::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

pub const FOREIGN: &str = "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc";

/// The vectors' 2 of 3: words, account xpubs, addresses.
pub struct Three {
    pub words: Vec<String>,
    pub xpubs: Vec<String>,
    pub addresses: Vec<String>,
}

impl Three {
    pub fn new() -> Self {
        let all: Value = serde_json::from_str(include_str!("../vectors/addresses.json")).unwrap();
        let entry = &all["multisig"][2];
        let keys = &entry["networks"]["testnet"];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let texts = |list: &Value| list.as_array().unwrap().iter().map(text).collect::<Vec<_>>();
        let participants = entry["participants"].as_array().unwrap();
        assert_eq!((&entry["num_signatures"], participants.len()), (&json!(2), 3));
        Self {
            words: participants.iter().map(|one| text(&one["words"])).collect(),
            xpubs: texts(&keys["account_xpubs"]),
            addresses: keys["addresses"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| text(&one["address"]))
                .collect(),
        }
    }

    /// A server on which all three are configured under one key, and the genesis wallet runs.
    pub async fn server(&self) -> Server {
        self.server_with("").await
    }

    /// The same with further settings.
    pub async fn server_with(&self, more: &str) -> Server {
        Server::with_wallet_and(&self.settings(more)).await
    }

    /// The settings of such a server.
    pub fn settings(&self, more: &str) -> String {
        format!(
            "{more}multisig = {{ cold = {{ total = 3, num_signatures = 2, pubkeys = {:?} }}, \
             half = {{ total = 3, num_signatures = 2 }}, \
             eager = {{ total = 1, num_signatures = 2, pubkeys = ['x'] }}, \
             wrong = {{ total = 1, num_signatures = 1, pubkeys = ['x'] }} }}",
            self.xpubs
        )
    }

    /// Starts the wallet of every participant, as `0`, `1` and `2`.
    pub async fn start(&self, server: &Server) {
        for (place, words) in self.words.iter().enumerate() {
            let body = json!({"seed": words, "multisig": true, "multisigKey": "cold"});
            server.start_wallet(&place.to_string(), body).await;
        }
    }
}

pub async fn read(server: &Server, wallet: &str, path: &str) -> Value {
    server.ask("GET", path, &[("x-wallet-id", wallet)], b"").await.json()
}

/// Pays an address, and waits until a wallet knows of it.
pub async fn pay(server: &Server, address: &str, value: u64, wallet: &str) {
    let mut events = server.app.wallets().get(wallet).unwrap().events();
    server.done("simple-send-tx", json!({"address": address, "value": value})).await;
    loop {
        if let headless_wallet::wallet::Event::NewVertex(_) = events.recv().await.unwrap() {
            return;
        }
    }
}

#[tokio::test]
async fn a_multisig_wallet_watches_its_addresses() {
    let three = Three::new();
    let server = three.server().await;
    three.start(&server).await;
    let first = &three.addresses[0];
    assert_eq!(
        read(&server, "0", "/wallet/status").await["multisig"],
        json!({"numSignatures": 2, "totalParticipants": 3})
    );
    assert!(server.read("/wallet/status").await.get("multisig").is_none());
    let addresses = read(&server, "1", "/wallet/addresses").await;
    assert_eq!(addresses["addresses"].as_array().unwrap()[..3], three.addresses[..3]);
    assert_eq!(addresses["addresses"].as_array().unwrap().len(), 20);

    pay(&server, first, 700, "0").await;
    assert_eq!(read(&server, "0", "/wallet/balance").await, json!({"available": 700, "locked": 0}));
    let listed = read(&server, "0", "/wallet/utxo-filter").await;
    assert_eq!((&listed["utxos"][0]["address"], &listed["utxos"][0]["amount"]), (&json!(first), &json!(700)));
    assert_eq!(read(&server, "0", "/wallet/address").await["address"], three.addresses[1]);
    let info = read(&server, "0", &format!("/wallet/address-info?address={first}")).await;
    assert_eq!((&info["index"], &info["total_amount_received"]), (&json!(0), &json!(700)));
    let history = read(&server, "0", "/wallet/tx-history?limit=1").await;
    let paid =
        history[0]["outputs"].as_array().unwrap().iter().find(|output| output["value"] == 700).unwrap();
    assert_eq!(paid["decoded"], json!({"type": "MultiSig", "address": first, "timelock": null}));

    // The gap limit goes on from the last used address, also for a wallet that is started later, and from an
    // xpub.
    let last = addresses["addresses"][19].as_str().unwrap();
    pay(&server, last, 30, "0").await;
    assert_eq!(read(&server, "0", "/wallet/addresses").await["addresses"].as_array().unwrap().len(), 40);
    let body = json!({"xpubkey": three.xpubs[2], "multisig": true, "multisigKey": "cold"});
    server.start_wallet("watcher", body).await;
    for path in ["/wallet/addresses", "/wallet/balance"] {
        assert_eq!(read(&server, "watcher", path).await, read(&server, "0", path).await, "{path}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_multisig_wallet_does_not_send_alone() {
    let three = Three::new();
    let server = three.server().await;
    three.start(&server).await;
    pay(&server, &three.addresses[0], 700, "0").await;
    let body = json!({"outputs": [{"address": FOREIGN, "value": 1}]});
    let answer = server.post("/wallet/send-tx", Some("0"), &body).await;
    assert_eq!(answer.json()["success"], false);
    let error = "this wallet is multisig and can't send alone: make a proposal (POST /wallet/p2sh/tx-proposal), let the \
                 participants sign it, and send it with their signatures";
    assert_eq!(answer.json()["error"], error);
    let simple = json!({"address": FOREIGN, "value": 1});
    let answer = server.post("/wallet/simple-send-tx", Some("0"), &simple).await;
    assert_eq!(answer.parts(), (200, json!({"success": false, "error": error})));
    let dry = server.post("/wallet/send-tx?dry_run=true", Some("0"), &body).await.json();
    assert_eq!((&dry["success"], dry["outputs"].as_array().unwrap().len()), (&json!(true), 2));
    // Change goes to an address of several, as all that the wallet receives does.
    let change = dry["outputs"].as_array().unwrap().iter().find(|output| output["value"] == 699).unwrap();
    assert_eq!(change["script"]["data"][0], 0xa9);
    server.shutdown().await;
}

#[tokio::test]
async fn start_refuses_participants_that_do_not_fit() {
    let three = Three::new();
    let server = three.server().await;
    let start = async |body: Value| {
        let mut body = body;
        body["wallet-id"] = json!("m");
        body["multisig"] = json!(true);
        server.post("/start", None, &body).await.parts()
    };
    let refused = |message: &str| (200, json!({"success": false, "message": message}));
    let genesis = "genesis is not configured for multisig.";
    assert_eq!(start(json!({"seedKey": "genesis", "multisigKey": "genesis"})).await, refused(genesis));
    let words = &three.words[0];
    assert_eq!(start(json!({"seed": words})).await, refused("undefined is not configured for multisig."));
    for key in ["half", "eager"] {
        let message = format!("Improperly configured multisig for seed {key}.");
        assert_eq!(start(json!({"seed": words, "multisigKey": key})).await, refused(&message));
    }
    let failed = |cause: &str| {
        (200, json!({"success": false, "message": "Failed to start wallet with wallet id m", "error": cause}))
    };
    assert_eq!(
        start(json!({"seed": words, "multisigKey": "wrong"})).await,
        failed("Invalid xpub of participant 0")
    );
    assert_eq!(
        start(json!({"xpubkey": "x", "multisigKey": "cold"})).await,
        failed("Invalid xpub: a multisig wallet takes that of a participant's account (depth 3)")
    );
    server.shutdown().await;
}

#[tokio::test]
async fn a_multisig_wallet_goes_on_from_what_it_kept() {
    let three = Three::new();
    let dir = TempDir::new().unwrap();
    let server = three.server_with(&format!("data_dir = '{}'\n", dir.path().display())).await;
    three.start(&server).await;
    pay(&server, &three.addresses[3], 700, "0").await;
    let everything = ["/wallet/addresses", "/wallet/balance", "/wallet/utxo-filter", "/wallet/tx-history"];
    let mut told = Vec::new();
    for path in everything {
        told.push(read(&server, "0", path).await);
    }
    // All participants have the same wallet, and so one file.
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "the genesis wallet's and theirs");
    for wallet in ["0", "1", "2"] {
        server.post("/wallet/stop", Some(wallet), &json!({})).await;
    }
    let body = json!({"xpubkey": three.xpubs[0], "multisig": true, "multisigKey": "cold"});
    server.start_wallet("0", body).await;
    for (path, before) in everything.iter().zip(told) {
        assert_eq!(read(&server, "0", path).await, before, "{path}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_multisig_wallet_watches_the_indexes_that_it_is_told() {
    let three = Three::new();
    let server = three.server().await;
    let body = json!({
        "seed": three.words[1], "multisig": true, "multisigKey": "cold",
        "scanPolicy": "index-limit", "policyStartIndex": 1, "policyEndIndex": 2,
    });
    server.start_wallet("some", body).await;
    assert_eq!(
        read(&server, "some", "/wallet/addresses").await,
        json!({"addresses": three.addresses[1..=2]})
    );
    pay(&server, &three.addresses[2], 30, "some").await;
    assert_eq!(read(&server, "some", "/wallet/balance").await, json!({"available": 30, "locked": 0}));
    let more = json!({"count": 3});
    let answer = server.post("/wallet/config/index-limit/load-more-addresses", Some("some"), &more).await;
    assert_eq!(answer.parts(), (200, json!({"success": true})));
    assert_eq!(read(&server, "some", "/wallet/addresses").await["addresses"].as_array().unwrap().len(), 5);
    three.start(&server).await;
    let limited = server.post("/wallet/config/index-limit/load-more-addresses", Some("0"), &more).await;
    let error = "Wallet is not configured for index-limit scanning policy";
    assert_eq!(limited.parts(), (200, json!({"success": false, "error": error})));
    server.shutdown().await;
}
