//! A signer among those who may not ask it, and those who ask and leave.

use headless_wallet::keys::{Mnemonic, Purpose, Seed, SignerError};
use headless_wallet::ledger::{
    Address, Amount, Input, Network, Outpoint, Output, Script, TokenData, Transaction,
};
use headless_wallet::signer::{
    Answer, Ask, Asked, Hex, Limits, Listener, Listening, MAX_ANSWER, MAX_QUESTION, RemoteSigner, SeedKeys,
    SignerPlace, SignerServer, Spent, VERSION, What, listen, read_frame, write_frame,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(20);

/// A file of `tests/vectors/tls/mutual`: keys that are good for nothing else.
fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/tls/mutual").join(name)
}

async fn signer(seed: Seed, spent: &Path, at: &Listening) -> Listener {
    let limits = Limits::read("[seeds.main]\nlimits.HTR = {}\n", None).unwrap();
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
    serde_json::from_slice(&read_frame(stream, MAX_ANSWER).await.unwrap().unwrap()).unwrap()
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

/// What a frame says, as it is.
async fn told(stream: &mut UnixStream, frame: &[u8]) -> Value {
    stream.write_all(&u32::try_from(frame.len()).unwrap().to_be_bytes()).await.unwrap();
    stream.write_all(frame).await.unwrap();
    serde_json::from_slice(&read_frame(stream, MAX_ANSWER).await.unwrap().unwrap()).unwrap()
}

fn refused(why: &str) -> Value {
    json!({"refused": {"rule": "protocol", "why": why}})
}

#[tokio::test]
async fn what_is_longer_than_any_transaction_needs_is_refused_and_nothing_is_made_of_it() {
    let dir = TempDir::new().unwrap();
    let (path, seed) = (dir.path().join("signer.sock"), seed());
    let asked = serde_json::to_value(question(&seed)).unwrap();
    let at = Listening::Socket { path: path.clone(), users: vec![] };
    let _listening = signer(seed, &dir.path().join("spent"), &at).await;
    let mut stream = UnixStream::connect(&path).await.unwrap();
    for (list, element) in [
        ("inputs", json!([0, 0])),
        ("own", json!([0, 0])),
        ("previous", json!("")),
        ("scripts", json!([0, ""])),
        ("participants", json!("")),
    ] {
        let with = |count: usize| {
            let mut asked = asked.clone();
            let what = &mut asked["ask"]["sign"]["what"]["transaction"];
            match list {
                "participants" => {
                    what["multisig"] = json!({"numSignatures": 1, list: vec![element.clone(); count]});
                }
                list => what[list] = vec![element.clone(); count].into(),
            }
            serde_json::to_vec(&asked).unwrap()
        };
        let rule = told(&mut stream, &with(256)).await["refused"]["rule"].clone();
        assert_ne!(rule, "protocol", "{list}: as many as can be are looked at");
        let why = told(&mut stream, &with(257)).await["refused"]["why"].as_str().unwrap().to_owned();
        assert!(why.starts_with("a list has more than 256 elements at line 1 column "), "{list}: {why}");
    }
    // What is quoted of a question is short.
    let mut other = asked.clone();
    other["ask"]["sign"]["purpose"] = "\u{1}".repeat(100_000).into();
    let told_of = told(&mut stream, &serde_json::to_vec(&other).unwrap()).await;
    assert_eq!(told_of["refused"]["rule"], "protocol");
    assert_eq!(told_of["refused"]["why"].as_str().unwrap().chars().count(), 1_000);
    // A frame that is too long is not read; whoever sent it hears why, and is left alone.
    let most = MAX_QUESTION;
    stream.write_all(&(most + 1).to_be_bytes()).await.unwrap();
    let answer = read_frame(&mut stream, MAX_ANSWER).await.unwrap().unwrap();
    let why = format!(
        "a frame of {} bytes, and {most} can be at most: spend fewer inputs, in several transactions",
        most + 1
    );
    assert_eq!(serde_json::from_slice::<Value>(&answer).unwrap(), refused(&why));
    assert!(read_frame(&mut stream, MAX_ANSWER).await.unwrap().is_none());
    // Nor is one sent.
    let long = Asked { seed: "x".repeat(most as usize), ..question(&self::seed()) };
    let error = write_frame(&mut UnixStream::connect(&path).await.unwrap(), &long).await.unwrap_err();
    assert!(error.to_string().starts_with("a frame of 838"), "{error}");
    let ends = ", and 8388608 can be at most: spend fewer inputs, in several transactions";
    assert!(error.to_string().ends_with(ends), "{error}");
}

/// A node up to 0.70 ignores the bit, and would read amounts in cents where the signer counts units of
/// 10^-18.
#[tokio::test]
async fn bytes_that_a_node_could_read_as_other_amounts_are_not_signed() {
    let dir = TempDir::new().unwrap();
    let (path, seed) = (dir.path().join("signer.sock"), seed());
    let asked = serde_json::to_value(question(&seed)).unwrap();
    let at = Listening::Socket { path: path.clone(), users: vec![] };
    let _listening = signer(seed, &dir.path().join("spent"), &at).await;
    let mut stream = UnixStream::connect(&path).await.unwrap();
    for (place, rule) in [("/bytes", "transaction-bytes"), ("/previous/0", "previous")] {
        let mut asked = asked.clone();
        let bytes = asked.pointer_mut(&format!("/ask/sign/what/transaction{place}")).unwrap();
        *bytes = bytes.as_str().unwrap().replacen("00", "01", 1).into();
        let told = told(&mut stream, &serde_json::to_vec(&asked).unwrap()).await;
        assert_eq!(told, json!({"refused": {"rule": rule, "why": "not supported: signal bits 0b1"}}));
    }
}

/// One that may be long waits until the others are answered; short ones do not.
#[tokio::test]
async fn long_frames_have_a_bound_together_and_short_ones_go_by() {
    let dir = TempDir::new().unwrap();
    let (path, seed) = (dir.path().join("signer.sock"), seed());
    let question = question(&seed);
    let at = Listening::Socket { path: path.clone(), users: vec![] };
    let _listening = signer(seed, &dir.path().join("spent"), &at).await;
    let mut holding = UnixStream::connect(&path).await.unwrap();
    holding.write_all(&MAX_QUESTION.to_be_bytes()).await.unwrap();
    let mut short = UnixStream::connect(&path).await.unwrap();
    let account = Asked { ask: Ask::Account, ..question };
    for _ in 0..3 {
        assert!(matches!(answer(&mut short, &account).await, Answer::Account { .. }));
    }
    let mut long = UnixStream::connect(&path).await.unwrap();
    let frame = vec![b' '; 100_000];
    let waiting = told(&mut long, &frame);
    tokio::pin!(waiting);
    for _ in 0..3 {
        tokio::select! {
            told = &mut waiting => panic!("{told}"),
            told = answer(&mut short, &account) => assert!(matches!(told, Answer::Account { .. })),
        }
    }
    drop(holding);
    assert_eq!(waiting.await, refused("EOF while parsing a value at line 1 column 100000"));
}

/// A signer that answers each question alike.
fn evil(path: &Path, answer: Vec<u8>) -> tokio::task::JoinHandle<()> {
    let socket = UnixListener::bind(path).unwrap();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = socket.accept().await.unwrap();
            while let Ok(Some(_)) = read_frame(&mut stream, MAX_QUESTION).await {
                if stream.write_all(&answer).await.is_err() {
                    break;
                }
            }
        }
    })
}

#[tokio::test]
async fn what_an_evil_signer_answers_takes_no_more_than_an_answer_needs() {
    let dir = TempDir::new().unwrap();
    let framed = |text: String| [&u32::try_from(text.len()).unwrap().to_be_bytes(), text.as_bytes()].concat();
    let pairs = |count: usize| framed(json!({"signatures": vec![("", ""); count]}).to_string());
    let why = "x".repeat(200_000);
    let long = json!({"refused": {"rule": why, "why": why}}).to_string();
    let half = json!({"refused": {"rule": "x", "why": why}}).to_string();
    let answers = [
        (
            u32::MAX.to_be_bytes().to_vec(),
            "a frame of 4294967295 bytes, and 262144 can be at most".to_owned(),
        ),
        (framed(long.clone()), format!("a frame of {} bytes, and 262144 can be at most", long.len())),
        (
            pairs(257),
            "an answer that can't be read: a list has more than 256 elements at line 1 column 2071"
                .to_owned(),
        ),
    ];
    for (number, (answer, expected)) in answers.into_iter().enumerate() {
        let path = dir.path().join(number.to_string());
        let answering = evil(&path, answer);
        let place = SignerPlace::Socket(path.clone());
        let asked = RemoteSigner::of_seed(place, "main", PATIENCE).await.unwrap_err();
        assert_eq!(asked, SignerError::Unreachable(format!("{}: {expected}", path.display())));
        answering.abort();
    }
    let path = dir.path().join("refusing");
    let answering = evil(&path, framed(half));
    let asked = RemoteSigner::of_seed(SignerPlace::Socket(path), "main", PATIENCE).await.unwrap_err();
    assert_eq!(asked, SignerError::Refused { rule: "x".to_owned(), why: "x".repeat(1_000) });
    answering.abort();
}

#[tokio::test]
async fn a_user_has_so_many_connections_and_those_that_wait_ask_once_others_end() {
    let dir = TempDir::new().unwrap();
    let (path, spent) = (dir.path().join("signer.sock"), dir.path().join("spent"));
    let at = Listening::Socket { path: path.clone(), users: vec![] };
    let _listening = signer(seed(), &spent, &at).await;
    let mut open = Vec::new();
    for _ in 0..128 {
        open.push(UnixStream::connect(&path).await.unwrap());
        tokio::task::yield_now().await;
    }
    let mut more = UnixStream::connect(&path).await.unwrap();
    let closed = timeout(PATIENCE, more.read(&mut [0])).await.expect("one too many is closed");
    assert!(!matches!(closed, Ok(1)));
    let mut last = open.pop().unwrap();
    let asked = Asked { version: VERSION, seed: "main".to_owned(), ask: Ask::Account };
    write_frame(&mut last, &asked).await.unwrap();
    drop(open);
    let answered = timeout(PATIENCE, read_frame(&mut last, MAX_ANSWER)).await.expect("its turn comes");
    assert!(answered.unwrap().is_some());
}
