//! Where wallets are: those of a server, and profiles.

use super::command_line::{Dir, Ended, failed, fine, new_file, printed, program, run};
use super::support::{GENESIS_WORDS, Server};
use headless_wallet::devnet::{NodeFaults, NodeMode};
use serde_json::json;
use std::fs;

const FIRST: &str = "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f";

async fn list(server: &Server, args: &[&str]) -> String {
    printed(run(server.cli(&[&["list"], args].concat()), "").await)
}

#[tokio::test]
async fn the_wallets_of_a_server_are_listed() {
    let server = Server::start().await;
    assert_eq!(list(&server, &[]).await, "No wallets: `headless-wallet wallet start` starts one.\n");
    server.start_wallet("till", json!({"seedKey": "genesis"})).await;
    server.start_wallet("shop", json!({"seedKey": "genesis"})).await;
    assert_eq!(list(&server, &["--output", "csv"]).await, "wallet,state\nshop,Ready\ntill,Ready\n");
    server.shutdown().await;

    let server = Server::start().await;
    let slow = NodeFaults { mode: NodeMode::Slow, path: "ws".to_owned(), ..NodeFaults::default() };
    server.devnet.set_node_faults(slow);
    let loads = ["--wallet-id", "shop", "start", "--seed-key", "genesis", "--no-wait"];
    assert_eq!(run(server.cli(&loads), "").await.0, 0);
    let shop = json!({"success": true, "wallets": [{"id": "shop", "state": "Connecting"}]});
    assert_eq!(list(&server, &["--json"]).await, format!("{shop}\n"));
    server.shutdown().await;

    let server = Server::start_with("compat = '0.39'").await;
    assert_eq!(run(server.cli(&["list"]), "").await, failed("Invalid wallet id parameter: *"));
    server.shutdown().await;
}

/// Runs `wallet` where these are the profiles.
async fn with_profiles(dir: &Dir, variables: &[(&str, &str)], args: &[&str]) -> Ended {
    let mut program = program();
    program.env("HOME", dir.file("")).env("APPDATA", dir.file(".config")).envs(variables.iter().copied());
    program.arg("wallet").args(args);
    run(program, "").await
}

fn profiles(dir: &Dir, text: &str) -> String {
    let below = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".config" };
    let folder = dir.file(&format!("{below}/headless-wallet"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(format!("{folder}/profiles.toml"), text).unwrap();
    folder
}

#[tokio::test]
async fn a_profile_says_where_a_wallet_is() {
    let server = Server::start_with("api_key = 'open sesame'").await;
    let dir = Dir::new();
    let (node, mining) = (server.devnet.node_url(), server.devnet.mining_url());
    let folder = profiles(
        &dir,
        &format!(
            "[shop]\nurl = 'http://{0}'\nwallet_id = 'genesis'\napi_key_file = 'shop.key'\n\
             [keyless]\nurl = 'http://{0}'\nwallet_id = 'genesis'\n\
             [alone]\ndirect = true\nnetwork = 'privatenet'\nnode_url = '{node}'\nmining_url = '{mining}'\nseed_file = 'words'\n\
             [wrong]\nwords = 'avocado spot'\n",
            server.address
        ),
    );
    new_file(&format!("{folder}/shop.key"), "open sesame\n");
    new_file(&format!("{folder}/words"), GENESIS_WORDS);
    let started = with_profiles(&dir, &[], &["start", "--profile", "shop", "--seed-key", "genesis"]).await;
    assert_eq!(started, fine("Wallet genesis is ready."));
    let first = fine(&json!({"address": FIRST}).to_string());
    let address = ["address", "--index", "0", "--json"];
    for (variables, args) in [
        (&[][..], &["--profile", "shop"][..]),
        (&[("HEADLESS_PROFILE", "shop")], &[]),
        (&[("HEADLESS_PROFILE", "shop")], &["--profile", "alone"]),
        // The environment names another place.
        (&[("HEADLESS_URL", "http://127.0.0.1:1"), ("HEADLESS_WALLET_ID", "x")], &["--profile", "shop"]),
    ] {
        let args = [args, &address[..]].concat();
        assert_eq!(with_profiles(&dir, variables, &args).await, first, "{variables:?} {args:?}");
    }
    let balance = async |variables: &[(&str, &str)], args: &[&str]| {
        with_profiles(&dir, variables, &[args, &["balance"][..]].concat()).await
    };
    // A key of the environment is not for whatever place a profile names.
    assert_eq!(
        balance(&[("HEADLESS_API_KEY", "open sesame")], &["--profile", "keyless"]).await,
        failed("Missing X-API-KEY header. Set HEADLESS_API_KEY, or give --api-key-file.")
    );
    // Flags go before it.
    assert_eq!(
        balance(&[], &["--profile", "shop", "--wallet-id", "nobodys"]).await,
        failed(
            "Invalid wallet id parameter. No wallet \"nobodys\" is started there: `headless-wallet wallet start --wallet-id \
             nobodys` starts it."
        )
    );
    let file = format!("{folder}/profiles.toml");
    assert_eq!(
        balance(&[], &["--profile", "shpo"]).await,
        failed(&format!(
            "profile \"shpo\": {file} has no profile of this name; it has: alone, keyless, shop, wrong"
        ))
    );
    let (code, out, err) = balance(&[], &["--profile", "wrong"]).await;
    assert_eq!((code, &*out), (1, ""));
    assert!(
        err.starts_with(&format!("error: profile \"wrong\": {file}: unknown field `words`, expected ")),
        "{err}"
    );
    assert!(!err.contains("avocado"), "{err}");
    server.shutdown().await;
}
