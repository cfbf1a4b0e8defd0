//! Three servers and a wallet of too few outputs for all of them.

use super::cluster::{STRANGER, Two};
use crate::support::{ask, configuration};
use futures_util::future::join_all;
use headless_wallet::server::{App, Config, Layer, run};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::TcpListener;

const HEADERS: [(&str, &str); 2] = [("content-type", "application/json"), ("x-wallet-id", "w")];

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_are_busy_with_the_only_output_have_it_in_turn() {
    let two = Two::new(1).await;
    let settings = configuration(&two.first.devnet, &format!("store = '{}'", two.url));
    let app =
        App::new(Config::from_layers([Layer::toml("third.toml", &settings).unwrap()]).unwrap()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let third = listener.local_addr().unwrap().to_string();
    tokio::spawn(run(listener, std::future::pending(), app.clone()));
    let start = json!({"wallet-id": "w", "seed": two.words.words()}).to_string();
    assert_eq!(ask(&third, "POST", "/start", &HEADERS, start.as_bytes()).await.status, 200);
    app.wallets().get("w").unwrap().ready().await;

    // An output is spent a second after it was made, so each of these takes a second.
    let most = 24;
    let sent: [AtomicUsize; 3] = Default::default();
    let all = || sent.iter().map(|sent| sent.load(Ordering::Relaxed)).sum::<usize>();
    let addresses = [&two.addresses[0], &two.addresses[1], &third];
    let client = async |server: usize| {
        let pay = json!({"address": STRANGER, "value": 10}).to_string();
        while all() < most {
            let path = "/wallet/simple-send-tx";
            let answer = ask(addresses[server], "POST", path, &HEADERS, pay.as_bytes()).await;
            assert_eq!(answer.json()["success"], json!(true), "{}", answer.text);
            sent[server].fetch_add(1, Ordering::Relaxed);
        }
    };
    // The first one is the busiest.
    join_all([0, 0, 0, 1, 2].map(client)).await;
    println!("sends of each: {sent:?}");
    // Which of two that wait is the faster one is chance.
    assert!(sent.iter().all(|sent| sent.load(Ordering::Relaxed) > 0), "{sent:?}");
    // Nobody waits any more, which the next round says.
    while two.sql("select count(*) from server where waits_for <> '{}'") != "0" {
        tokio::task::yield_now().await;
    }
}
