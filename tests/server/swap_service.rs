//! Proposals at a swap service, which is a small one here: what the published client says of the real one.

use super::p2sh::failed;
use super::support::Server;
use super::swap_server::service;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

const GROUP: &str = "/wallet/atomic-swap/tx-proposal";

/// A service that begins to answer new proposals once it is told to, with this, and says when it is asked.
async fn slow_service(answer: Value) -> (String, Arc<Semaphore>, Arc<Semaphore>) {
    let (asked, may_answer) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let (tell, wait) = (asked.clone(), may_answer.clone());
    let create = async move || {
        tell.add_permits(1);
        let _ = wait.acquire().await.unwrap();
        Json(answer)
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let app = Router::new().route("/", post(create));
    tokio::spawn(async { axum::serve(listener, app).await });
    (url, asked, may_answer)
}

/// Asks for a new proposal that gives 5 cents, and hangs up while the service works on it.
async fn proposed_and_gone(answer: Value) -> (Server, Arc<Semaphore>) {
    let (url, asked, may_answer) = slow_service(answer).await;
    let server = Server::with_wallet_and(&format!("atomic_swap_service = '{url}'")).await;
    let new = json!({"send": receive(5), "service": {"is_new": true, "password": "abc123"}});
    {
        let request = call(&server, "", new);
        let hang_up = asked.acquire();
        tokio::select! {
            answer = request => panic!("{answer:?}"),
            permit = hang_up => permit.unwrap().forget(),
        }
    }
    assert_ne!(locks(&server).await, json!([]));
    (server, may_answer)
}

async fn locks(server: &Server) -> Value {
    server.read(&format!("{GROUP}/get-locked-utxos")).await["locked_utxos"].clone()
}

#[tokio::test]
async fn a_proposal_whose_asker_is_gone_is_made_to_its_end() {
    let (server, may_answer) = proposed_and_gone(json!({"success": true, "id": "x"})).await;
    may_answer.add_permits(1);
    while list(&server).await != json!(["x"]) {
        tokio::task::yield_now().await;
    }
    assert_ne!(locks(&server).await, json!([]));
    server.shutdown().await;
}

#[tokio::test]
async fn what_is_given_in_a_proposal_that_is_not_kept_is_free_although_its_asker_is_gone() {
    let (server, may_answer) = proposed_and_gone(json!({"success": false})).await;
    may_answer.add_permits(1);
    while locks(&server).await != json!([]) {
        tokio::task::yield_now().await;
    }
    assert_eq!(list(&server).await, json!([]));
    server.shutdown().await;
}

async fn call(server: &Server, path: &str, body: Value) -> (u16, Value) {
    server.call(&format!("atomic-swap/tx-proposal{path}"), body).await.parts()
}

async fn fetch(server: &Server, id: &str) -> (u16, Value) {
    server.get(&format!("{GROUP}/fetch/{id}")).await.parts()
}

async fn list(server: &Server) -> Value {
    server.read(&format!("{GROUP}/list")).await["proposals"].clone()
}

async fn delete(server: &Server, id: &str) -> (u16, Value) {
    let path = format!("{GROUP}/delete/{id}");
    server.ask("DELETE", &path, &[("x-wallet-id", "genesis")], b"").await.parts()
}

fn receive(cents: u64) -> Value {
    json!({"tokens": [{"value": cents}]})
}

#[tokio::test]
async fn a_proposal_is_kept_encrypted_read_changed_and_forgotten() {
    let (url, kept) = service().await;
    let server = Server::with_wallet_and(&format!("atomicSwapService = '{url}'")).await;
    assert_eq!(list(&server).await, json!([]));
    let new = json!({"receive": receive(5), "service": {"is_new": true, "password": "abc123"}});
    let (status, created) = call(&server, "", new).await;
    assert_eq!((status, &created["createdProposalId"]), (200, &json!("Proposal-0")), "{created}");
    assert_eq!(list(&server).await, json!(["Proposal-0"]));
    {
        let kept = kept.lock().unwrap();
        let text = kept["Proposal-0"].to_string();
        assert!(!text.contains("PartialTx|") && !text.contains("abc123"), "{text}");
        // SHA-256 of the password.
        let hashed = "6ca13d52ca70c883e0f0bb101e425a89e8624de51db2d2392593af6a84118090";
        assert_eq!(kept["Proposal-0"]["authPassword"], hashed);
    }
    let first = json!({
        "proposalId": "Proposal-0", "version": 0, "timestamp": "Fri Mar 10 2023", "partialTx": created["data"],
        "signatures": null, "history": [],
    });
    assert_eq!(fetch(&server, "Proposal-0").await, (200, json!({"success": true, "proposal": first})));

    let change = json!({
        "partial_tx": created["data"], "send": receive(5), "lock": false,
        "service": {"proposal_id": "Proposal-0", "version": 0},
    });
    let (_, changed) = call(&server, "", change.clone()).await;
    assert_eq!((&changed["success"], &changed["isComplete"]), (&json!(true), &json!(true)), "{changed}");
    let (_, found) = fetch(&server, "Proposal-0").await;
    let found = &found["proposal"];
    assert_eq!((&found["version"], &found["partialTx"]), (&json!(1), &changed["data"]));
    assert_eq!(found["history"], json!([{"partialTx": created["data"], "timestamp": "Fri Mar 10 2023"}]));
    // Of a version that is not the newest.
    let old = failed(
        "the swap service has another version of proposal Proposal-0 by now: fetch it, and change that one",
    );
    assert_eq!(call(&server, "", change.clone()).await, old);

    // A version that is a text, unlike other integers; and one that no proposal can have.
    let mut change = change;
    change["service"]["version"] = json!("1");
    assert_eq!(call(&server, "", change.clone()).await, failed("Invalid version number"));
    change["service"]["version"] = json!(u128::from(u64::MAX) + 1);
    assert_eq!(call(&server, "", change).await, old);
    let (_, given) = call(&server, "/get-my-signatures", json!({"partial_tx": changed["data"]})).await;
    let mut sign = json!({
        "partial_tx": changed["data"], "signatures": [given["signatures"]],
        "service": {"proposal_id": "Proposal-0", "version": "1"},
    });
    assert_eq!(call(&server, "/sign", sign.clone()).await, failed("Invalid version number"));
    assert_eq!(fetch(&server, "Proposal-0").await.1["proposal"]["version"], 1);
    sign["service"]["version"] = json!(1);
    assert_eq!(call(&server, "/sign", sign).await.1["success"], true);
    let (_, found) = fetch(&server, "Proposal-0").await;
    assert_eq!(found["proposal"]["signatures"], given["signatures"]);

    assert_eq!(delete(&server, "Proposal-0").await, (200, json!({"success": true})));
    assert_eq!(delete(&server, "Proposal-0").await, (200, json!({"success": true})));
    assert_eq!(list(&server).await, json!([]));
    let register = |password: &str| json!({"password": password});
    assert_eq!(
        call(&server, "/register/Proposal-0", register("abc124")).await,
        failed("Incorrect password for proposal Proposal-0")
    );
    assert_eq!(list(&server).await, json!([]));
    assert_eq!(
        call(&server, "/register/Proposal-0", register("abc123")).await,
        (200, json!({"success": true}))
    );
    assert_eq!(
        call(&server, "/register/Proposal-0", register("abc123")).await,
        (200, json!({"success": true}))
    );
    assert_eq!(call(&server, "/register/Proposal-0", register("other")).await, failed("Incorrect password"));
    assert_eq!(list(&server).await, json!(["Proposal-0"]));

    // A wallet that is stopped forgets its proposals.
    server.done("stop", json!({})).await;
    server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
    assert_eq!(list(&server).await, json!([]));
    server.shutdown().await;
}

#[tokio::test]
async fn what_the_service_does_not_know_or_can_not_be_read_is_said() {
    let (url, kept) = service().await;
    let server = Server::with_wallet_and(&format!("atomic_swap_service = '{url}'")).await;
    let not_registered = "Proposal is not registered. Register it first.";
    let refused = |error: &str| (404, json!({"success": false, "error": error}));
    assert_eq!(
        fetch(&server, "x").await,
        refused("Proposal is not registered. Register it first through [POST] /register/:proposalId")
    );
    let change = json!({"receive": receive(5), "service": {"proposal_id": "x", "version": 0}});
    assert_eq!(call(&server, "", change).await, refused(not_registered));
    let short = json!({"receive": receive(5), "service": {"is_new": true, "password": "ab"}});
    assert_eq!(call(&server, "", short).await, failed("Password must have at least 3 characters"));
    // What can't be kept locks nothing: nobody has the text to unlock it by.
    let short = json!({"send": receive(5), "service": {"is_new": true, "password": "ab"}});
    assert_eq!(call(&server, "", short).await, failed("Password must have at least 3 characters"));
    assert_eq!(server.read(&format!("{GROUP}/get-locked-utxos")).await["locked_utxos"], json!([]));
    let no_version = json!({"receive": receive(5), "service": {"proposal_id": "x"}});
    assert_eq!(call(&server, "", no_version).await, failed("Missing mandatory parameters: version"));
    let (status, wrong) = call(&server, "/register/x", json!({"password": "ab"})).await;
    assert_eq!((status, &wrong["error"][0]["msg"]), (400, &json!("Invalid password")));
    let unknown = "the swap service has no proposal x";
    assert_eq!(call(&server, "/register/x", json!({"password": "abc"})).await, failed(unknown));
    // What can't be an id is asked of nobody.
    let unknown = "the swap service has no proposal a%2f..";
    assert_eq!(call(&server, "/register/a%2f..", json!({"password": "abc"})).await, failed(unknown));

    let new = json!({"receive": receive(5), "service": {"is_new": true, "password": "abc"}});
    assert_eq!(call(&server, "", new).await.1["createdProposalId"], "Proposal-0");
    let garbled = |change: &dyn Fn(&mut Value)| change(kept.lock().unwrap().get_mut("Proposal-0").unwrap());
    let wrong_password = failed("Incorrect password: could not decode the proposal");
    garbled(&|proposal| proposal["partialTx"] = json!("U2FsdGVkX18="));
    assert_eq!(fetch(&server, "Proposal-0").await, wrong_password);
    garbled(&|proposal| proposal["version"] = json!("one"));
    let (status, answer) = fetch(&server, "Proposal-0").await;
    let error = answer["error"].as_str().unwrap();
    assert!(status == 200 && error.starts_with(&format!("swap service {url}Proposal-0: ")), "{error}");
    // One that is gone there is forgotten here.
    kept.lock().unwrap().clear();
    assert_eq!(fetch(&server, "Proposal-0").await, refused("the swap service has no proposal Proposal-0"));
    assert_eq!(list(&server).await, json!([]));
    server.shutdown().await;
}

#[tokio::test]
async fn proposals_are_listed_in_the_order_of_registration() {
    let (url, _) = service().await;
    let server = Server::with_wallet_and(&format!("atomic_swap_service = '{url}'")).await;
    let new = json!({"receive": receive(5), "service": {"is_new": true, "password": "abc"}});
    for _ in 0..3 {
        call(&server, "", new.clone()).await;
    }
    let register = async |id: &str| {
        let path = format!("/register/{id}");
        assert_eq!(call(&server, &path, json!({"password": "abc"})).await.1["success"], true);
    };
    delete(&server, "Proposal-0").await;
    register("Proposal-1").await;
    register("Proposal-0").await;
    assert_eq!(list(&server).await, json!(["Proposal-1", "Proposal-2", "Proposal-0"]));
    server.shutdown().await;
}

#[tokio::test]
async fn what_the_service_refuses_is_its_status_to_release_0_39() {
    let (url, kept) = service().await;
    let settings = format!("compat = '0.39'\natomic_swap_service = '{url}'");
    let server = Server::with_wallet_and(&settings).await;
    let status = |status: u16| failed(&format!("Request failed with status code {status}"));
    let new = json!({"receive": receive(5), "service": {"is_new": true, "password": "abc"}});
    let data = call(&server, "", new).await.1["data"].clone();
    let change = |version: u32| json!({"partial_tx": data, "send": receive(5), "service": {"proposal_id": "Proposal-0", "version": version}});
    assert_eq!(call(&server, "", change(7)).await, status(409));
    assert_eq!(locks(&server).await, json!([]));
    delete(&server, "Proposal-0").await;
    assert_eq!(call(&server, "/register/Proposal-0", json!({"password": "abd"})).await, status(403));
    assert_eq!(call(&server, "/register/x", json!({"password": "abc"})).await, status(404));
    assert_eq!(call(&server, "/register/a%2Fb", json!({"password": "abc"})).await, status(404));
    let registered = call(&server, "/register/Proposal-0", json!({"password": "abc"})).await;
    assert_eq!(registered, (200, json!({"success": true})));
    kept.lock().unwrap().clear();
    assert_eq!(call(&server, "", change(0)).await, status(404));
    let gone = json!({"success": false, "error": "Request failed with status code 404"});
    assert_eq!(fetch(&server, "Proposal-0").await, (404, gone));
    server.shutdown().await;
}

#[tokio::test]
async fn release_0_39_registers_with_any_password_and_takes_texts_for_true() {
    let (url, _) = service().await;
    let settings = format!("compat = '0.39'\natomic_swap_service = '{url}'");
    let server = Server::with_wallet_and(&settings).await;
    let new = |is_new: Value, password: &str| json!({"send": receive(5), "lock": false, "service": {"is_new": is_new, "password": password}});
    for is_new in [json!("false"), json!("0"), json!(1)] {
        // Two characters, and four to JavaScript.
        let created = call(&server, "", new(is_new, "🙂🙂")).await.1;
        assert_eq!(created["success"], true);
        assert_ne!(created["createdProposalId"], Value::Null);
    }
    assert_eq!(call(&server, "", new(json!(0), "abc")).await.1["createdProposalId"], Value::Null);
    assert_eq!(
        call(&server, "", new(json!(true), "🙂")).await,
        failed("Password must have at least 3 characters")
    );
    assert_eq!(locks(&server).await, json!([]));
    call(&server, "", json!({"send": receive(5), "lock": "false"})).await;
    assert_ne!(locks(&server).await, json!([]));

    let ids = ["Proposal-0", "Proposal-1", "Proposal-2"];
    assert_eq!(list(&server).await, json!(ids));
    let without = json!({"password": null});
    assert_eq!(call(&server, "/register/Proposal-0", without).await, failed("Incorrect password"));
    delete(&server, "Proposal-0").await;
    for body in [json!({}), json!({"password": ""}), json!({"password": null})] {
        assert_eq!(call(&server, "/register/Proposal-0", body).await, failed("Invalid password"));
    }
    for password in [json!("ab"), json!(1234)] {
        let refused = failed("Request failed with status code 403");
        assert_eq!(call(&server, "/register/Proposal-0", json!({"password": password})).await, refused);
    }
    assert_eq!(call(&server, "/register/Proposal-0", json!({"password": "🙂🙂"})).await.1["success"], true);
    server.shutdown().await;
}

#[tokio::test]
async fn a_refusal_of_what_stands_before_the_service_is_no_wrong_password() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let app = Router::new().fallback(async || (StatusCode::FORBIDDEN, Json(json!({"message": "Forbidden"}))));
    tokio::spawn(async { axum::serve(listener, app).await });
    let server = Server::with_wallet_and(&format!("atomic_swap_service = '{url}'")).await;
    let refused = format!(
        "swap service {url}x: does not let this wallet in (status 403): check its access rules and keys"
    );
    assert_eq!(call(&server, "/register/x", json!({"password": "abc"})).await, failed(&refused));
    server.shutdown().await;
}

#[tokio::test]
async fn a_new_proposal_takes_no_others_id() {
    let (url, kept) = service().await;
    let server = Server::with_wallet_and(&format!("atomic_swap_service = '{url}'")).await;
    let new = |password: &str| json!({"send": receive(5), "service": {"is_new": true, "password": password}});
    let (_, first) = call(&server, "", new("abc123")).await;
    let (first_locks, first_proposal) = (locks(&server).await, kept.lock().unwrap().clone());
    kept.lock().unwrap().clear();
    let taken = "the swap service gave the new proposal the id of one that this wallet is registered for, Proposal-0: it is not \
                 registered, and what it gives is free again";
    for password in ["other", "abc123"] {
        assert_eq!(call(&server, "", new(password)).await, failed(taken));
        kept.lock().unwrap().clear();
    }
    assert_eq!(locks(&server).await, first_locks);
    kept.lock().unwrap().extend(first_proposal);
    assert_eq!(fetch(&server, "Proposal-0").await.1["proposal"]["partialTx"], first["data"]);
    server.shutdown().await;
}

#[tokio::test]
async fn what_the_service_says_of_a_proposal_is_bounded_and_of_that_one() {
    let (url, kept) = service().await;
    let server = Server::with_wallet_and(&format!("atomic_swap_service = '{url}'")).await;
    let new = json!({"receive": receive(5), "service": {"is_new": true, "password": "abc"}});
    call(&server, "", new).await;
    let said = async |name: &str, value: Value| {
        let honest = kept.lock().unwrap()["Proposal-0"].clone();
        kept.lock().unwrap().get_mut("Proposal-0").unwrap()[name] = value;
        let answer = fetch(&server, "Proposal-0").await.1;
        kept.lock().unwrap().insert("Proposal-0".to_owned(), honest);
        answer
    };
    let other = said("id", json!("Proposal-1")).await;
    let expected = format!(
        "swap service {url}Proposal-0: gave an invalid answer (it gives another proposal than was asked for): check that \
         `atomic_swap_service` is the address of a swap service"
    );
    assert_eq!(other["error"], expected);
    let long = said("timestamp", json!(format!("\u{1b}{}", "x".repeat(1 << 20)))).await;
    let timestamp = long["proposal"]["timestamp"].as_str().unwrap();
    assert!(timestamp.len() <= 1_000 && !timestamp.contains('\u{1b}'), "{timestamp}");
    assert_eq!(said("timestamp", json!(1_700_000_000)).await["proposal"]["timestamp"], "1700000000");
    for (name, value) in [("timestamp", json!({"x": "y"})), ("version", json!(1_u64 << 32))] {
        let error = said(name, value).await["error"].as_str().unwrap().to_owned();
        assert!(
            error.starts_with(&format!("swap service {url}Proposal-0: gave an invalid answer")),
            "{error}"
        );
    }
    server.shutdown().await;
}

#[tokio::test]
async fn without_a_service_that_is_said_and_passed_over_as_release_0_39_does() {
    let new = json!({"receive": receive(5), "service": {"is_new": true, "password": "ab"}});
    let none = "this wallet has no swap service: `atomic_swap_service` must have its address";
    let server = Server::with_wallet().await;
    assert_eq!(call(&server, "", new.clone()).await.1["success"], false);
    assert_eq!(fetch(&server, "x").await, failed(none));
    assert_eq!(call(&server, "/register/x", json!({"password": "abc"})).await, failed(none));
    server.shutdown().await;

    let server = Server::with_wallet_and("compat = '0.39'").await;
    let (_, made) = call(&server, "", new).await;
    assert_eq!((&made["success"], made.get("createdProposalId")), (&json!(true), None));
    let not_allowed = json!({"success": false, "error": "Method not allowed"});
    assert_eq!(fetch(&server, "x").await, (405, not_allowed));
    assert_eq!(list(&server).await, json!([]));
    assert_eq!(delete(&server, "x").await, (200, json!({"success": true})));
    server.shutdown().await;
}
