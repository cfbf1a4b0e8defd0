//! A signer among those who may not ask it, and those who ask and leave.

use headless_wallet::keys::{Mnemonic, Purpose, Seed};
use headless_wallet::ledger::{
    Address, Amount, Input, Network, Outpoint, Output, Script, TokenData, Transaction,
};
use headless_wallet::signer::{
    Answer, Ask, Asked, Hex, Limits, Listener, Listening, RemoteSigner, SeedKeys, SignerPlace, SignerServer,
    Spent, VERSION, What, listen, read_frame, write_frame,
};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(20);

/// A file of `tests/vectors/tls/mutual`: keys that are good for nothing else.
fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/tls/mutual").join(name)
}

async fn signer(seed: Seed, spent: &Path, at: &Listening) -> Listener {
    let limits = Limits::read("[seeds.main]\nlimits.HTR = {}\n").unwrap();
    let spent = Spent::open(spent).unwrap();
    let keys = SeedKeys::of(&seed);
    let server = SignerServer::new(move |_| Some(keys.clone()), limits, Some(spent));
    listen(server, at).await.unwrap()
}

fn seed() -> Seed {
    Seed::new(Mnemonic::generate().unwrap(), "")
}

#[tokio::test]
async fn strangers_who_show_no_certificate_keep_nobody_out() {
    let dir = TempDir::new().unwrap();
    let at = Listening::Tls {
        address: "127.0.0.1:0".to_owned(),
        roots: file("ca.pem"),
        certificate: file("signer.pem"),
        key: file("signer.key"),
    };
    let listening = signer(seed(), &dir.path().join("spent"), &at).await;
    let by = |name: &str| file(&format!("server.{name}"));
    let place = SignerPlace::tls(&listening.address, &file("ca.pem"), &by("pem"), &by("key")).unwrap();
    let among_strangers = async {
        let mut silent = Vec::new();
        for _ in 0..300 {
            silent.push(TcpStream::connect(&listening.address).await.unwrap());
        }
        RemoteSigner::of_seed(place, "main", PATIENCE).await.unwrap();
        // The oldest has given way.
        assert!(!matches!(silent[0].read(&mut [0]).await, Ok(1)));
    };
    timeout(PATIENCE, among_strangers).await.expect("nobody is kept out");
}

/// A payment to a stranger, with all that a signer wants to see.
fn question(seed: &Seed) -> Asked {
    let output = |hash| {
        let to = Address::p2pkh(Network::Privatenet, hash);
        let script = Script::Pay { to, timelock: None }.to_bytes().unwrap();
        Output { value: Amount::new(7), token_data: TokenData::NATIVE, script }
    };
    let transaction = |inputs, hash| Transaction {
        signal_bits: 0,
        tokens: vec![],
        inputs,
        outputs: vec![output(hash)],
        creates: None,
        blueprint: None,
        weight: 1.0,
        timestamp: 1,
        parents: vec![],
        nonce: 0,
        headers: vec![],
    };
    let before = transaction(vec![], seed.account().public().key_hashes(0..1)[0]);
    let spends = Outpoint { tx: before.id().unwrap(), index: 0 };
    let transaction = transaction(vec![Input { spends, data: vec![] }], [9; 20]);
    let what = What::Transaction {
        bytes: Hex(transaction.to_bytes().unwrap()),
        inputs: vec![(0, 0)],
        caller: None,
        own: vec![],
        previous: vec![Hex(before.to_bytes().unwrap())],
        multisig: None,
        scripts: vec![],
    };
    let (purpose, salt) = (Purpose::Send.name().to_owned(), Hex(vec![]));
    Asked { version: VERSION, seed: "main".to_owned(), ask: Ask::Sign { purpose, salt, what } }
}

async fn answer(stream: &mut UnixStream, asked: &Asked) -> Answer {
    write_frame(stream, asked).await.unwrap();
    serde_json::from_slice(&read_frame(stream).await.unwrap().unwrap()).unwrap()
}

#[tokio::test]
async fn of_a_caller_who_has_left_nothing_is_signed_and_nothing_counted() {
    let dir = TempDir::new().unwrap();
    let (path, spent, seed) = (dir.path().join("signer.sock"), dir.path().join("spent"), seed());
    let question = question(&seed);
    let at = Listening::Socket { path: path.clone(), users: vec![] };
    let _listening = signer(seed, &spent, &at).await;
    let mut leaving = UnixStream::connect(&path).await.unwrap();
    write_frame(&mut leaving, &question).await.unwrap();
    drop(leaving);
    let mut staying = UnixStream::connect(&path).await.unwrap();
    let account = Asked { ask: Ask::Account, ..question.clone() };
    for _ in 0..3 {
        assert!(matches!(answer(&mut staying, &account).await, Answer::Account { .. }));
    }
    assert_eq!(std::fs::read_to_string(&spent).unwrap(), "");
    assert!(matches!(answer(&mut staying, &question).await, Answer::Signatures(_)));
    assert_eq!(std::fs::read_to_string(&spent).unwrap().lines().count(), 1);
}
