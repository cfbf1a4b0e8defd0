//! Histories come whole or not at all.

use crate::recorded::{HISTORY, assert_same, recorded};
use crate::server::{Server, address, ok};
use headless_wallet::ledger::{Address, VertexId};
use headless_wallet::node::{CallError, Fault, Service};
use serde_json::Value;

const EMPTY: &str =
    r#"{"success":true,"history":[],"has_more":false,"first_hash":null,"first_address":null}"#;

fn more(address: Address, hash: VertexId) -> String {
    format!(r#"{{"history":[],"has_more":true,"first_hash":"{hash}","first_address":"{address}"}}"#)
}

fn nonsense(server: &Server, what: &str) -> CallError {
    CallError {
        service: Service::FullNode,
        url: format!("{}/v1a/thin_wallet/address_history", server.origin),
        fault: Fault::InvalidAnswer(what.to_owned()),
    }
}

fn query(addresses: &[Address], hash: &str) -> String {
    let list: String = addresses.iter().map(|a| format!("addresses%5B%5D={a}&")).collect();
    format!("GET /v1a/thin_wallet/address_history?{list}paginate=true{hash}")
}

#[tokio::test]
async fn recorded_pages_are_followed_to_the_end() {
    let pages: Vec<_> = recorded(HISTORY).take(2).collect();
    let first = pages[0].value();
    let server = Server::script(pages.iter().map(|page| page.answer()).collect()).await;
    let used = Address::parse_any(first["first_address"].as_str().unwrap()).unwrap();
    let addresses = vec![address(1), used, address(2)];

    let mut history = server.node().history(addresses.clone());
    for page in &pages {
        let vertices = history.next().await.unwrap().unwrap();
        let json = page.value();
        let json: &Vec<Value> = json["history"].as_array().unwrap();
        assert_eq!(vertices.len(), json.len());
        for (vertex, json) in vertices.iter().zip(json) {
            assert_same(vertex, json);
        }
    }
    assert_eq!(history.next().await, Ok(None));
    let hash = format!("&hash={}", first["first_hash"].as_str().unwrap());
    assert_eq!(server.lines(), [query(&addresses, ""), query(&addresses[1..], &hash)]);
}

#[tokio::test]
async fn many_addresses_are_asked_for_a_hundred_at_a_time() {
    let server = Server::script(vec![ok(EMPTY)]).await;
    let addresses: Vec<_> = (0..205).map(address).collect();
    let mut history = server.node().history(addresses.clone());
    let mut pages = 0;
    while let Some(vertices) = history.next().await.unwrap() {
        assert_eq!(vertices, []);
        pages += 1;
    }
    assert_eq!(pages, 3);
    let expected: Vec<_> = addresses.chunks(100).map(|chunk| query(chunk, "")).collect();
    assert_eq!(server.lines(), expected);
}

#[tokio::test]
async fn no_addresses_have_no_history() {
    let server = Server::script(vec![ok(EMPTY)]).await;
    assert_eq!(server.node().history(Vec::new()).next().await, Ok(None));
    assert_eq!(server.lines(), [""; 0]);
}

#[tokio::test]
async fn a_broken_page_is_an_error_and_can_be_asked_for_again() {
    let addresses = vec![address(1)];
    let broken = r#"{"success":true,"history":[{"tx_id":"00"#;
    let server = Server::script(vec![ok(more(address(1), VertexId([7; 32]))), ok(broken), ok(EMPTY)]).await;
    let mut history = server.node().history(addresses.clone());
    assert_eq!(history.next().await, Ok(Some(Vec::new())));
    let what = "EOF while parsing a string at line 1 column 39";
    assert_eq!(history.next().await, Err(nonsense(&server, what)));
    assert_eq!(history.next().await, Ok(Some(Vec::new())));
    assert_eq!(history.next().await, Ok(None));
    let hash = format!("&hash={}", "07".repeat(32));
    let again = query(&addresses, &hash);
    assert_eq!(server.lines(), [query(&addresses, ""), again.clone(), again]);
}

#[tokio::test]
async fn pages_that_lead_nowhere_are_errors() {
    let same = more(address(1), VertexId([7; 32]));
    let server = Server::script(vec![ok(same)]).await;
    let mut history = server.node().history(vec![address(1)]);
    assert_eq!(history.next().await, Ok(Some(Vec::new())));
    assert_eq!(history.next().await, Err(nonsense(&server, "the next page is one that was there before")));

    // In a circle.
    let page = |n| ok(more(address(1), VertexId([n; 32])));
    let server = Server::script(vec![page(7), page(8), page(7)]).await;
    let mut history = server.node().history(vec![address(1)]);
    assert_eq!(history.next().await, Ok(Some(Vec::new())));
    assert_eq!(history.next().await, Ok(Some(Vec::new())));
    assert_eq!(history.next().await, Err(nonsense(&server, "the next page is one that was there before")));

    let foreign = address(9);
    let server = Server::script(vec![ok(more(foreign, VertexId([7; 32])))]).await;
    let what = format!("`first_address` {foreign} is none of those asked for");
    assert_eq!(server.node().history(vec![address(1)]).next().await, Err(nonsense(&server, &what)));

    let server = Server::script(vec![ok(r#"{"history":[],"has_more":true}"#)]).await;
    let what = "`has_more` without `first_address` and `first_hash`";
    assert_eq!(server.node().history(vec![address(1)]).next().await, Err(nonsense(&server, what)));
}

/// Each page leads to another one that was never there before, and none brings anything.
#[tokio::test]
async fn pages_without_end_are_an_error() {
    let server = Server::start(|n, _| {
        let mut id = [0; 32];
        id[..8].copy_from_slice(&u64::try_from(n).unwrap().to_be_bytes());
        ok(more(address(1), VertexId(id)))
    })
    .await;
    let mut history = server.node().history(vec![address(1)]);
    for _ in 0..1_000 {
        assert_eq!(history.next().await, Ok(Some(Vec::new())));
    }
    let what = "1001 pages in a row have nothing on them";
    assert_eq!(history.next().await, Err(nonsense(&server, what)));
}

#[tokio::test]
async fn a_node_without_the_index_says_so() {
    let body = r#"{"success":false,"message":"wallet index is disabled"}"#.to_owned();
    let server = Server::script(vec![crate::server::Answer::Reply(503, body)]).await;
    let failure = server.node().address_history(&[address(1)], None).await.unwrap_err();
    assert_eq!(
        failure.to_string(),
        format!(
            "full node {}/v1a/thin_wallet/address_history: refused: wallet index is disabled",
            server.origin
        )
    );
    assert_eq!(server.lines().len(), 1);
}
