//! `headless-wallet wallet events`, as it is followed; and the commands that tell what others need to know.

use super::command_line::{Dir, Ended, failed, fine, new_file, program, wallet, wallet_with};
use super::support::{GENESIS_WORDS, Server};
use headless_wallet::keys::{AccountKeys, Mnemonic, MultisigKeys};
use headless_wallet::ledger::{Address, Network, hash160};
use serde_json::{Value, json};
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// A program that prints events.
struct Follower {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Follower {
    fn new(address: &str) -> Self {
        let mut program = program();
        program.args(["wallet", "events", "--wallet-id", "genesis", "--url", &format!("http://{address}")]);
        program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = program.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }
    /// The next event of a name.
    async fn find(&mut self, name: &str) -> Value {
        loop {
            let event: Value = serde_json::from_str(&self.lines.next_line().await.unwrap().unwrap()).unwrap();
            if event["type"] == name {
                return event;
            }
        }
    }
    async fn interrupt(&self) {
        let id = self.child.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().await.unwrap().success());
    }
    /// Exit code, what it has not been asked for, and standard error.
    async fn end(mut self) -> Ended {
        let mut rest = String::new();
        while let Some(line) = self.lines.next_line().await.unwrap() {
            rest += &line;
        }
        let mut told = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut told).await.unwrap();
        (self.child.wait().await.unwrap().code().unwrap(), rest, told)
    }
}

/// Waits until a listener of events is there.
async fn followed(server: &Server, follower: &mut Follower) {
    loop {
        // A block of which it is not told came before it listened.
        server.devnet.change(|chain, now| chain.mine_block(vec![0x51], now));
        let told = follower.find("node:best-block-update");
        if tokio::time::timeout(std::time::Duration::from_millis(200), told).await.is_ok() {
            return;
        }
    }
}

#[tokio::test]
async fn events_are_lines_of_json_until_ctrl_c() {
    let server = Server::with_wallet().await;
    let mut follower = Follower::new(&server.address);
    followed(&server, &mut follower).await;
    let to = server.address(5).await;
    let sent = server.done("simple-send-tx", json!({"address": to, "value": 70})).await;
    let event = follower.find("wallet:new-tx").await;
    assert_eq!((&event["walletId"], &event["data"]["tx_id"]), (&json!("genesis"), &sent["hash"]));
    follower.interrupt().await;
    let (code, _, told) = follower.end().await;
    assert_eq!((code, &*told), (0, ""));
    server.shutdown().await;
}

#[tokio::test]
async fn events_end_with_the_wallet() {
    let server = Server::with_wallet().await;
    let mut follower = Follower::new(&server.address);
    followed(&server, &mut follower).await;
    server.done("stop", json!({})).await;
    let closed = follower.find("wallet:state-change").await;
    assert_eq!((&closed["data"], &closed["stateName"]), (&json!(0), &json!("Closed")));
    assert_eq!(follower.end().await, (0, String::new(), String::new()));

    // Who is not there is not waited for.
    let unknown = failed(
        "Invalid wallet id parameter. No wallet \"genesis\" is started there: `headless-wallet wallet start --wallet-id genesis` \
         starts it.",
    );
    assert_eq!(Follower::new(&server.address).end().await, unknown);
    server.shutdown().await;
}

/// Lets connections through to the server. What comes from `cut` breaks those that there are, and keeps
/// others out until more comes.
async fn proxy(server: String, mut cut: mpsc::Receiver<()>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        loop {
            let mut connections = JoinSet::new();
            loop {
                tokio::select! {
                    _ = cut.recv() => break,
                    accepted = listener.accept() => {
                        let (mut from, mut to) = (accepted.unwrap().0, TcpStream::connect(&server).await.unwrap());
                        connections.spawn(async move { drop(copy_bidirectional(&mut from, &mut to).await) });
                    }
                }
            }
            connections.shutdown().await;
            if cut.recv().await.is_none() {
                return;
            }
        }
    });
    address
}

#[tokio::test]
async fn events_go_on_after_a_connection_that_broke() {
    let server = Server::with_wallet().await;
    let (cut, cuts) = mpsc::channel(1);
    let mut follower = Follower::new(&proxy(server.address.clone(), cuts).await);
    followed(&server, &mut follower).await;
    cut.send(()).await.unwrap();
    let mut told = BufReader::new(follower.child.stderr.take().unwrap()).lines();
    let line = told.next_line().await.unwrap().unwrap();
    assert!(
        line.starts_with("the server at http://127.0.0.1:") && line.ends_with("/: cut off, trying again"),
        "{line}"
    );
    // While nobody listens.
    let to = server.address(5).await;
    let sent = server.done("simple-send-tx", json!({"address": to, "value": 70})).await;
    cut.send(()).await.unwrap();
    let event = follower.find("wallet:new-tx").await;
    assert_eq!(event["data"]["tx_id"], sent["hash"]);
    follower.interrupt().await;
    assert_eq!(follower.child.wait().await.unwrap().code(), Some(0));
    server.shutdown().await;
}

#[tokio::test]
async fn an_xpub_of_words_starts_a_wallet_that_watches() {
    let server = Server::start().await;
    let words = Mnemonic::parse(GENESIS_WORDS).unwrap();
    let xpub = AccountKeys::from_mnemonic(&words, "").public().to_xpub();
    assert_eq!(wallet_with(&["xpub", "--seed-file", "-"], GENESIS_WORDS).await, fine(&xpub));
    let json = format!("{{\"success\":true,\"xpubkey\":\"{xpub}\"}}");
    assert_eq!(wallet_with(&["xpub", "--seed-file", "-", "--json"], GENESIS_WORDS).await, fine(&json));
    let (code, out, err) = wallet(&["xpub", "--seed-key", "genesis"]).await;
    assert_eq!(
        (code, &*out, err.starts_with("error: the xpub is computed from words: ")),
        (2, "", true),
        "{err}"
    );
    let watched = async |args: &[&str]| server.wallet_of("watched", args).await;
    assert_eq!(watched(&["start", "--xpub", &xpub]).await, fine("Wallet watched is ready."));
    let key_hash = hash160(&AccountKeys::from_mnemonic(&words, "").public().public_key(0));
    let first = Address::p2pkh(Network::Privatenet, key_hash).to_string();
    assert_eq!(watched(&["address", "--index", "0"]).await, fine(&first));
    // A key is one line.
    let dir = Dir::new();
    let file = dir.file("key");
    std::fs::write(&file, "one\ntwo\n").unwrap();
    let lines = format!("{file}: an API key is one line, and there are several");
    assert_eq!(watched(&["status", "--api-key-file", &file]).await, failed(&lines));
    server.shutdown().await;
}

#[tokio::test]
async fn a_participants_key_is_told_by_the_server_or_here() {
    let server = Server::start().await;
    let xpub = MultisigKeys::from_mnemonic(&Mnemonic::parse(GENESIS_WORDS).unwrap(), "").account_xpub();
    let ask = async |args: &[&str]| wallet(&[&["multisig-pubkey"], args].concat()).await;
    let url = format!("http://{}", server.address);
    assert_eq!(ask(&["--url", &url, "--seed-key", "genesis"]).await, fine(&xpub));
    let there = "Seed not found. The server has none called \"other\": neither in [seeds] of its settings, nor sealed \
                 (`headless-wallet seeds list` shows those).";
    assert_eq!(ask(&["--url", &url, "--seed-key", "other"]).await, failed(there));
    let here =
        "Seed not found. There is none called \"other\" in [seeds] of the settings here (--config FILE).";
    assert_eq!(ask(&["--direct", "--seed", "other"]).await, failed(here));
    let words = "--seed-key takes the name of stored words, never the words themselves: others can see the command line. Give --seed-file \
    instead";
    let usage = format!("error: {words}\n\nFor more information, try '--help'.\n");
    assert_eq!(ask(&["--direct", "--seed", GENESIS_WORDS]).await, (2, String::new(), usage));
    let usage = "error: give --seed-key, the name under which the server keeps the words; or, for words of your own, --direct\n\n\
                 For more information, try '--help'.\n";
    assert_eq!(ask(&["--url", &url]).await, (2, String::new(), usage.to_owned()));

    let dir = Dir::new();
    let (words, passphrase) = (dir.file("words"), dir.file("passphrase"));
    new_file(&words, GENESIS_WORDS);
    new_file(&passphrase, "secret\n");
    assert_eq!(ask(&["--direct", "--seed-file", &words]).await, fine(&xpub));
    assert_eq!(
        ask(&["--direct", "--seed-file", &words, "--json"]).await,
        fine(&json!({"success": true, "xpubkey": xpub}).to_string())
    );
    let args = ["--direct", "--seed-file", &words, "--passphrase-file", &passphrase];
    let with_passphrase = ask(&args).await;
    assert_ne!(with_passphrase, fine(&xpub));
    let at_server = ["--url", &url, "--seed-key", "genesis", "--passphrase-file", &passphrase];
    assert_eq!(ask(&at_server).await, with_passphrase);
    server.shutdown().await;
}
