//! `/wallet/atomic-swap/tx-proposal`: wallets of one server make, sign and send transactions together.

use super::p2sh::failed;
use super::support::{Answer, Server, names, short};
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::keys::Mnemonic;
use headless_wallet::ledger::{Address, Amount, Holding, Network, PartialTx, Script, TokenUid, Transaction};
use serde_json::{Value, json};

const GROUP: &str = "/wallet/atomic-swap/tx-proposal";

/// A server with the wallets `genesis` and `ana`, which has 1,000 cents, and a token of genesis of which it
/// has 500.
pub async fn two(settings: &str) -> (Server, String) {
    let server = Server::with_wallet_and(settings).await;
    let token = server.done("create-token", json!({"name": "Tea", "symbol": "TEA", "amount": 500})).await;
    start_and_fund(&server, "ana", 1_000).await;
    (server, token["hash"].as_str().unwrap().to_owned())
}

async fn start_and_fund(server: &Server, id: &str, cents: u64) {
    let words = Mnemonic::generate().unwrap().words().to_owned();
    server.start_wallet(id, json!({"seed": words})).await;
    let address = get(server, id, "/wallet/address").await["address"].clone();
    server.done("simple-send-tx", json!({"address": address, "value": cents})).await;
    while balance(server, id, "00").await != cents {
        tokio::task::yield_now().await;
    }
}

pub async fn get(server: &Server, wallet: &str, path: &str) -> Value {
    server.ask("GET", path, &[("x-wallet-id", wallet)], b"").await.json()
}

async fn balance(server: &Server, wallet: &str, token: &str) -> u64 {
    get(server, wallet, &format!("/wallet/balance?token={token}")).await["available"].as_u64().unwrap()
}

pub async fn call(server: &Server, wallet: &str, path: &str, body: Value) -> Answer {
    server.post(&format!("{GROUP}{path}"), Some(wallet), &body).await
}

/// What an operation answers that must succeed.
pub async fn done(server: &Server, wallet: &str, path: &str, body: Value) -> Value {
    let answer = call(server, wallet, path, body).await.json();
    assert_eq!(answer["success"], true, "{path}: {answer}");
    answer
}

/// The proposal with a wallet's part, and whether it is balanced.
pub async fn propose(server: &Server, wallet: &str, body: Value) -> (String, bool) {
    let answer = done(server, wallet, "", body).await;
    assert_eq!(names(&answer), ["data", "isComplete", "success"]);
    (answer["data"].as_str().unwrap().to_owned(), answer["isComplete"].as_bool().unwrap())
}

pub async fn signatures(server: &Server, wallet: &str, partial: &str) -> String {
    let answer = done(server, wallet, "/get-my-signatures", json!({"partial_tx": partial})).await;
    assert_eq!(names(&answer), ["signatures", "success"]);
    answer["signatures"].as_str().unwrap().to_owned()
}

pub async fn locked(server: &Server, wallet: &str) -> Value {
    get(server, wallet, &format!("{GROUP}/get-locked-utxos")).await["locked_utxos"].clone()
}

/// Waits until a wallet knows of a transaction.
pub async fn knows(server: &Server, wallet: &str, id: &Value) {
    let id = id.as_str().unwrap().parse().unwrap();
    let wallet = server.app.wallets().get(wallet).unwrap();
    while wallet.read(|state, _| state.vertex(&id)).unwrap().is_none() {
        tokio::task::yield_now().await;
    }
}

/// A balanced proposal: genesis gives 30 of the token for 10 cents of ana's.
pub async fn balanced(server: &Server, token: &str) -> String {
    let first =
        json!({"send": {"tokens": [{"token": token, "value": 30}]}, "receive": {"tokens": [{"value": 10}]}});
    let (partial, complete) = propose(server, "genesis", first).await;
    assert!(!complete);
    let second = json!({
        "partial_tx": partial,
        "send": {"tokens": [{"value": 10}]},
        "receive": {"tokens": [{"token": token, "value": 30}]},
    });
    let (partial, complete) = propose(server, "ana", second).await;
    assert!(complete);
    partial
}

/// What is said where the inputs at these places are not signed.
fn unsigned(partial: &str, places: &[usize]) -> String {
    let inputs = PartialTx::parse(partial, Network::Privatenet).unwrap().inputs;
    let addresses: Vec<_> = places.iter().map(|place| inputs[*place].address.to_string()).collect();
    format!("Transaction is not complete: there is no signature for inputs of {}.", addresses.join(", "))
}

#[tokio::test]
async fn release_0_39_does_not_say_whose_signature_is_missing() {
    let (server, token) = two("compat = '0.39'").await;
    let body = json!({"partial_tx": balanced(&server, &token).await});
    for path in ["/sign", "/sign-and-push"] {
        let answer = call(&server, "ana", path, body.clone()).await;
        assert_eq!(answer.parts(), failed("Transaction is not complete"), "{path}");
    }
    server.shutdown().await;
}

async fn both_signatures(server: &Server, partial: &str) -> [String; 2] {
    [signatures(server, "genesis", partial).await, signatures(server, "ana", partial).await]
}

#[tokio::test]
async fn two_wallets_swap_a_token_for_htr() {
    let (server, token) = two("").await;
    let before = balance(&server, "genesis", "00").await;
    let partial = balanced(&server, &token).await;
    let read = PartialTx::parse(&partial, Network::Privatenet).unwrap();
    assert_eq!((read.inputs.len(), read.outputs.len()), (2, 4));
    assert_eq!(read.outputs.iter().filter(|output| output.is_change).count(), 2);

    let body = json!({"partial_tx": partial});
    let decoded = async |wallet| server.post("/wallet/decode", Some(wallet), &body).await.json();
    let seen = decoded("ana").await;
    let effect = |of: &Value| of["tokens"]["available"].clone();
    assert_eq!((effect(&seen["balance"]["00"]), effect(&seen["balance"][&token])), (json!(-10), json!(30)));
    let seen = decoded("genesis").await;
    assert_eq!((effect(&seen["balance"]["00"]), effect(&seen["balance"][&token])), (json!(10), json!(-30)));

    let given = both_signatures(&server, &partial).await;
    let signed = done(&server, "ana", "/sign", json!({"partial_tx": partial, "signatures": given})).await;
    let bytes = hex::decode(signed["txHex"].as_str().unwrap()).unwrap();
    let transaction = Transaction::from_bytes(&bytes).unwrap();
    assert!(transaction.weight > 0.0 && transaction.timestamp > 0 && transaction.parents.is_empty());
    assert!(transaction.inputs.iter().all(|input| !input.data.is_empty()));

    let body = json!({"partial_tx": partial, "signatures": given});
    let sent = done(&server, "ana", "/sign-and-push", body).await;
    // What it spends is gone at once, and what it brings is there.
    assert_eq!((balance(&server, "ana", "00").await, balance(&server, "ana", &token).await), (990, 30));
    assert_eq!(locked(&server, "ana").await, json!([]));
    knows(&server, "genesis", &sent["hash"]).await;
    assert_eq!(balance(&server, "genesis", "00").await, before + 10);
    assert_eq!(balance(&server, "genesis", &token).await, 470);
    assert_eq!(locked(&server, "genesis").await, json!([]));
    server.shutdown().await;
}

#[tokio::test]
async fn three_wallets_swap_in_one_transaction() {
    let (server, token) = two("").await;
    start_and_fund(&server, "bob", 300).await;
    let first = json!({"send": {"tokens": [{"token": token, "value": 100}]}, "receive": {"tokens": [{"value": 500}]}});
    let (partial, _) = propose(&server, "genesis", first).await;
    let part = |partial: &str, cents: u64, units: u64| {
        json!({
            "partial_tx": partial,
            "send": {"tokens": [{"value": cents}]},
            "receive": {"tokens": [{"token": token, "value": units}]},
        })
    };
    let (partial, complete) = propose(&server, "ana", part(&partial, 400, 80)).await;
    assert!(!complete);
    let (partial, complete) = propose(&server, "bob", part(&partial, 100, 20)).await;
    assert!(complete);
    let mut given = both_signatures(&server, &partial).await.to_vec();
    let body = json!({"partial_tx": partial, "signatures": given});
    let place = PartialTx::parse(&partial, Network::Privatenet).unwrap().inputs.len() - 1;
    assert_eq!(
        call(&server, "bob", "/sign-and-push", body).await.parts(),
        failed(&unsigned(&partial, &[place]))
    );
    given.insert(0, signatures(&server, "bob", &partial).await);
    let body = json!({"partial_tx": partial, "signatures": given});
    let sent = done(&server, "bob", "/sign-and-push", body).await;
    for (wallet, units) in [("genesis", 400), ("ana", 80), ("bob", 20)] {
        knows(&server, wallet, &sent["hash"]).await;
        assert_eq!(balance(&server, wallet, &token).await, units, "{wallet}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn what_a_wallet_gives_is_locked_until_it_is_unlocked() {
    let (server, _) = two("").await;
    let all = json!({"send": {"tokens": [{"value": 1_000}]}});
    let (partial, complete) = propose(&server, "ana", all.clone()).await;
    assert!(!complete);
    let read = PartialTx::parse(&partial, Network::Privatenet).unwrap();
    let spends = read.inputs[0].spends;
    let expected = json!([{"tx_id": spends.tx.to_string(), "outputs": [spends.index]}]);
    assert_eq!(locked(&server, "ana").await, expected);
    let tried = call(&server, "ana", "?dry_run=true", all.clone()).await;
    assert_eq!((tried.status, tried.text.contains("must be left out")), (400, true), "{}", tried.text);
    assert_eq!(call(&server, "ana", "", all.clone()).await.parts(), short("00", 1_000, 0));
    // It is not taken twice into one proposal either.
    let more = json!({"partial_tx": partial, "send": {"tokens": [{"value": 1}]}});
    assert_eq!(call(&server, "ana", "", more.clone()).await.parts(), short("00", 1, 0));
    done(&server, "genesis", "/unlock", json!({"partial_tx": partial})).await;
    assert_eq!(locked(&server, "ana").await, expected);
    done(&server, "ana", "/unlock", json!({"partial_tx": partial})).await;
    assert_eq!(locked(&server, "ana").await, json!([]));
    assert_eq!(call(&server, "ana", "", more).await.parts(), short("00", 1, 0));
    let unlocked = json!({"send": {"tokens": [{"value": 1_000}]}, "lock": false});
    assert_eq!(propose(&server, "ana", unlocked.clone()).await.0, partial);
    assert_eq!(propose(&server, "ana", unlocked).await.0, partial);
    assert_eq!(locked(&server, "ana").await, json!([]));
    server.shutdown().await;
}

#[tokio::test]
async fn a_repeated_proposal_is_the_first_one_and_locks_nothing_more() {
    let (server, _) = two("").await;
    let address = get(&server, "ana", "/wallet/address").await["address"].clone();
    server.done("simple-send-tx", json!({"address": address, "value": 1_000})).await;
    while balance(&server, "ana", "00").await != 2_000 {
        tokio::task::yield_now().await;
    }
    let propose = async |cents: u64| {
        let headers =
            [("content-type", "application/json"), ("x-wallet-id", "ana"), ("idempotency-key", "swap 1")];
        let body = json!({"send": {"tokens": [{"value": cents}]}}).to_string();
        server.ask("POST", GROUP, &headers, body.as_bytes()).await
    };
    let first = propose(700).await;
    assert_eq!((first.json()["success"].clone(), first.header("idempotency-replayed")), (json!(true), None));
    let locks = locked(&server, "ana").await;
    let again = propose(700).await;
    assert_eq!((&again.text, again.header("idempotency-replayed")), (&first.text, Some("true")));
    assert_eq!(locked(&server, "ana").await, locks);
    assert_eq!(propose(701).await.status, 422);
    server.shutdown().await;
}

#[tokio::test]
async fn only_chosen_outputs_are_spent_and_change_goes_where_it_should() {
    let (server, token) = two("").await;
    let address = server.address(7).await;
    server.done("simple-send-tx", json!({"address": address, "value": 3})).await;
    let utxos = server.read(&format!("/wallet/utxo-filter?filter_address={address}")).await;
    let utxo = &utxos["utxos"][0];
    let chosen = json!([{"txId": utxo["tx_id"], "index": utxo["index"]}]);
    let change = server.address(11).await;
    let body = |cents: u64| json!({"send": {"tokens": [{"value": cents}], "utxos": chosen}, "change_address": change, "lock": false});
    let (partial, _) = propose(&server, "genesis", body(1)).await;
    let read = PartialTx::parse(&partial, Network::Privatenet).unwrap();
    assert_eq!(read.inputs.len(), 1);
    assert_eq!(read.inputs[0].spends.tx.to_string(), utxo["tx_id"].as_str().unwrap());
    assert_eq!((read.outputs[0].holds.value, read.outputs[0].is_change), (Amount::new(2), true));
    assert_eq!(call(&server, "genesis", "", body(4)).await.parts(), short("00", 4, 3));
    let other = json!({"send": {"tokens": [{"value": 1, "token": token}], "utxos": chosen}});
    assert_eq!(call(&server, "genesis", "", other).await.parts(), short(&token, 1, 0));
    let (status, answer) = call(&server, "ana", "", body(1)).await.parts();
    assert_eq!((status, answer), failed("Change address is not from the wallet"));
    let mut none = body(1);
    none.as_object_mut().unwrap().remove("change_address");
    assert_eq!(
        call(&server, "ana", "", none).await.parts(),
        (400, json!({"success": false, "error": "Could not use any of the utxos."}))
    );
    server.shutdown().await;
}

#[tokio::test]
async fn amounts_of_a_token_add_up_and_what_is_received_goes_where_and_when_it_is_told() {
    let (server, token) = two("").await;
    let address = get(&server, "genesis", "/wallet/address?index=9").await["address"].clone();
    let body = json!({
        "send": {"tokens": [{"value": 10, "token": token}, {"value": 20, "token": token}]},
        "receive": {"tokens": [{"value": 7, "address": address, "timelock": 4_000_000_000_u32}, {"value": 8}]},
    });
    let (partial, _) = propose(&server, "genesis", body).await;
    let read = PartialTx::parse(&partial, Network::Privatenet).unwrap();
    let token = TokenUid::Custom(token.parse().unwrap());
    assert_eq!(
        read.inputs.iter().map(|input| input.holds).collect::<Vec<_>>(),
        [Holding::amount(token, Amount::new(500))]
    );
    let at = |text: &Value| Address::parse(text.as_str().unwrap(), Network::Privatenet).unwrap();
    let current = at(&get(&server, "genesis", "/wallet/address").await["address"]);
    let outputs: Vec<_> = read
        .outputs
        .iter()
        .map(|output| (output.holds, Script::parse(&output.script, Network::Privatenet).unwrap()))
        .collect();
    let htr = |cents| Holding::amount(TokenUid::Native, Amount::new(cents));
    let expected = [
        (Holding::amount(token, Amount::new(470)), Script::Pay { to: current, timelock: None }),
        (htr(7), Script::Pay { to: at(&address), timelock: Some(4_000_000_000) }),
        (htr(8), Script::Pay { to: current, timelock: None }),
    ];
    assert_eq!(outputs, expected);
    server.shutdown().await;
}

#[tokio::test]
async fn what_a_proposal_says_of_its_inputs_is_checked_against_the_node() {
    let (server, token) = two("").await;
    let partial = balanced(&server, &token).await;
    let given = both_signatures(&server, &partial).await;
    let read = PartialTx::parse(&partial, Network::Privatenet).unwrap();
    let lie = |change: &dyn Fn(&mut PartialTx)| {
        let mut lie = read.clone();
        change(&mut lie);
        lie.to_text().unwrap()
    };
    let ten_more = |partial: &mut PartialTx| {
        // Balanced all the same.
        let value = &mut partial.inputs[1].holds.value;
        *value = value.checked_add(Amount::new(10)).unwrap();
        let out = &mut partial.outputs[1].holds.value;
        *out = out.checked_add(Amount::new(10)).unwrap();
    };
    let other_address = |partial: &mut PartialTx| partial.inputs[0].address = partial.inputs[1].address;
    let no_such_output = |partial: &mut PartialTx| partial.inputs[0].spends.index = 200;
    let no_such_transaction = |partial: &mut PartialTx| partial.inputs[0].spends.tx.0 = [7; 32];
    let inconsistent = failed("Transaction data inconsistent with fullnode");
    for partial in [lie(&other_address), lie(&no_such_output), lie(&no_such_transaction)] {
        let body = json!({"partial_tx": partial});
        assert_eq!(call(&server, "ana", "/get-my-signatures", body.clone()).await.parts(), inconsistent);
        assert_eq!(
            server.post("/wallet/decode", Some("ana"), &body).await.parts(),
            failed("Partial transaction inconsistent with backend")
        );
    }
    // The same transaction, otherwise described: its signatures fit.
    let other = json!({"partial_tx": lie(&other_address), "signatures": given});
    for path in ["/sign", "/sign-and-push"] {
        assert_eq!(call(&server, "ana", path, other.clone()).await.parts(), inconsistent, "{path}");
    }
    let more = lie(&ten_more);
    if PartialTx::parse(&more, Network::Privatenet).unwrap().is_complete() {
        let body = json!({"partial_tx": more});
        assert_eq!(call(&server, "ana", "/get-my-signatures", body).await.parts(), inconsistent);
    } else {
        panic!("{more} is not balanced");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_proposal_is_signed_only_when_it_is_balanced_and_of_this_form() {
    let (server, token) = two("").await;
    let (open, _) =
        propose(&server, "ana", json!({"send": {"tokens": [{"value": 10}]}, "lock": false})).await;
    let body = json!({"partial_tx": open});
    assert_eq!(
        call(&server, "ana", "/get-my-signatures", body.clone()).await.parts(),
        failed("Cannot sign incomplete data")
    );
    for path in ["/sign", "/sign-and-push"] {
        assert_eq!(
            call(&server, "ana", path, body.clone()).await.parts(),
            failed("Transaction is not complete")
        );
    }
    for path in ["/get-my-signatures", "/sign", "/sign-and-push", "/unlock"] {
        let answer = call(&server, "ana", path, json!({"partial_tx": "PartialTx|00||"})).await;
        let error = "Invalid PartialTx: malformed version: cut short, 0 of 1 bytes";
        assert_eq!(answer.parts(), failed(error), "{path}");
    }
    let partial = balanced(&server, &token).await;
    let unsigned = unsigned(&partial, &[0, 1]);
    for (given, error) in [
        (vec![], &*unsigned),
        (vec!["PartialTxInputData|00"], "Invalid PartialTxInputData"),
        (vec!["x"], "Invalid PartialTxInputData"),
    ] {
        let mut body = json!({"partial_tx": partial});
        if !given.is_empty() {
            body["signatures"] = json!(given);
        }
        assert_eq!(call(&server, "ana", "/sign", body).await.parts(), failed(error));
    }
    // Signatures that are none, by the place.
    let mut given = both_signatures(&server, &partial).await;
    let end = given[1].len() - 80;
    given[1].replace_range(end..end + 4, "ffff");
    let body = json!({"partial_tx": partial, "signatures": given});
    for path in ["/sign", "/sign-and-push"] {
        let answer = call(&server, "ana", path, body.clone()).await.json();
        let error = answer["error"].as_str().unwrap();
        assert!(error.starts_with("Input 1 "), "{error}");
    }
    assert_eq!(balance(&server, "ana", &token).await, 0);
    server.shutdown().await;
}

#[tokio::test]
async fn a_swap_is_sent_once_however_often_it_is_asked_for() {
    let (server, token) = two("").await;
    let partial = balanced(&server, &token).await;
    let body = json!({"partial_tx": partial, "signatures": both_signatures(&server, &partial).await});
    let tried = done(&server, "ana", "/sign-and-push?dry_run=true", body.clone()).await;
    assert_eq!((&tried["dry_run"], tried["cost"].is_object()), (&json!(true), true), "{tried}");
    assert_eq!(balance(&server, "ana", &token).await, 0);
    let push = async || {
        let headers =
            [("content-type", "application/json"), ("x-wallet-id", "ana"), ("idempotency-key", "swap")];
        let path = format!("{GROUP}/sign-and-push");
        server.ask("POST", &path, &headers, body.to_string().as_bytes()).await
    };
    // The answer of the node is lost.
    let mode = NodeMode::Broken;
    server.devnet.set_node_faults(NodeFaults { mode, path: "push_tx".into(), ..NodeFaults::default() });
    let first = push().await;
    server.devnet.set_node_faults(NodeFaults::default());
    let second = push().await;
    assert_eq!(second.json()["success"], true, "{} then {}", first.text, second.text);
    assert_eq!(push().await.text, second.text);
    assert_eq!(balance(&server, "ana", &token).await, 30);
    // Without the key it is another request, for what is spent.
    let again = call(&server, "ana", "/sign-and-push", body.clone()).await.json();
    assert!(again["error"].as_str().unwrap().ends_with("is already spent"), "{again}");
    server.shutdown().await;
}

#[tokio::test]
async fn input_data_is_taken_out_of_a_signed_transaction() {
    let (server, token) = two("").await;
    let partial = balanced(&server, &token).await;
    let given = both_signatures(&server, &partial).await;
    let signed = done(&server, "ana", "/sign", json!({"partial_tx": partial, "signatures": given})).await;
    let taken = done(&server, "ana", "/get-input-data", json!({"txHex": signed["txHex"]})).await;
    let taken = taken["signatures"].as_str().unwrap();
    let data = |text: &str| text.split_once('|').unwrap().1.split_once('|').unwrap().1.to_owned();
    assert_eq!(data(taken), format!("{}|{}", data(&given[0]), data(&given[1])));
    let body = json!({"partial_tx": partial, "signatures": [taken]});
    assert_eq!(done(&server, "genesis", "/sign-and-push", body).await["success"], true);
    server.shutdown().await;
}

#[tokio::test]
async fn wrong_fields_are_refused_as_release_0_39_refuses_them() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let refused = async |path: &str, body: Value| {
        let answer = call(&server, "genesis", path, body).await;
        assert_eq!(answer.status, 400, "{}", answer.text);
        let problems = answer.json()["error"].as_array().unwrap().clone();
        let told = problems.iter().map(|problem| {
            format!("{} {}", problem["param"].as_str().unwrap(), problem["msg"].as_str().unwrap())
        });
        told.collect::<Vec<_>>().join("; ")
    };
    let cases = [
        (
            "",
            json!({"send": {"utxos": [], "tokens": {}}, "receive": {"tokens": 5}}),
            "send.utxos Invalid utxos array; send.tokens Invalid send.tokens array; receive.tokens Invalid receive.tokens array",
        ),
        (
            "",
            json!({"send": {"utxos": [{"txId": "zz", "index": -1}], "tokens": [{"token": 5, "value": 0}]}}),
            "send.utxos[0].txId Invalid utxo txId; send.utxos[0].index Invalid utxo index; send.tokens[0].token Invalid token uid; \
             send.tokens[0].value Invalid value",
        ),
        (
            "",
            json!({"receive": {"tokens": [{"value": 1, "timelock": 0, "address": 7}]}, "partial_tx": 1, "lock": "no", "change_address": 1}),
            "receive.tokens[0].timelock Invalid timelock; receive.tokens[0].address Invalid address; partial_tx Invalid partial tx; \
             lock Invalid lock argument; change_address Invalid change address",
        ),
        (
            "",
            json!({"receive": {"tokens": [{"value": 1}]}, "service": {"is_new": 3, "proposal_id": 1, "password": 1, "version": -1}}),
            "service.is_new Invalid is_new argument; service.proposal_id Invalid proposal id; service.password Invalid password; \
             service.version Invalid version number",
        ),
        (
            "/sign",
            json!({"signatures": []}),
            "partial_tx Invalid partial tx; signatures Invalid signatures array",
        ),
        ("/sign-and-push", json!({"partial_tx": "x", "signatures": [1]}), "signatures[0] Invalid signature"),
        ("/unlock", json!({}), "partial_tx Invalid partial tx"),
        ("/get-my-signatures", json!({"partial_tx": null}), "partial_tx Invalid partial tx"),
        ("/get-input-data", json!({"txHex": "zz"}), "txHex Invalid txHex"),
    ];
    for (path, body, expected) in cases {
        assert_eq!(refused(path, body.clone()).await, expected, "{path} {body}");
    }
    let nothing = (400, json!({"success": false, "error": "Should have at least one operation"}));
    for body in [json!({}), json!({"send": {}}), json!({"partial_tx": "x", "lock": true})] {
        assert_eq!(call(&server, "genesis", "", body).await.parts(), nothing);
    }
    let receive = json!({"tokens": [{"value": 5}]});
    assert_eq!(
        call(&server, "genesis", "", json!({"partial_tx": "x", "receive": receive})).await.parts(),
        failed("Invalid PartialTx")
    );
    let much = json!({"send": {"tokens": [{"value": 9_223_372_036_854_775_807u64}]}});
    let short = "Don't have enough utxos to fill total amount.";
    assert_eq!(call(&server, "genesis", "", much).await.parts(), failed(short));
    let (_, complete) = propose(
        &server,
        "genesis",
        json!({"receive": receive, "service": {"is_new": true, "password": "ab"}}),
    )
    .await;
    assert!(!complete);
    server.shutdown().await;
}
