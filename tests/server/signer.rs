//! A server and a signer, as two programs: the words are with the second alone.

use super::command_line::{BINARY, program, run};
use super::process::Process;
use super::support::{Answer, GENESIS_WORDS, ask};
use headless_wallet::keys::{AccountKeys, Mnemonic, MultisigKeys};
use headless_wallet::ledger::{Address, Network};
#[cfg(target_os = "linux")]
use headless_wallet::signer::{MAX_ANSWER, MAX_QUESTION, read_frame};
use serde_json::{Value, json};
use std::process::Stdio;
use tempfile::TempDir;
#[cfg(target_os = "linux")]
use tokio::io::AsyncWriteExt;
use tokio::io::{AsyncBufReadExt, BufReader};
#[cfg(target_os = "linux")]
use tokio::net::UnixStream;
use tokio::process::{Child, Command};

const PASSWORD: &str = "correct horse";

struct Place(TempDir);

impl Place {
    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.path().join(name), text).unwrap();
        self.file(name)
    }

    /// Words that are sealed, and where the signer will listen.
    async fn new() -> Self {
        let place = Self(TempDir::new().unwrap());
        let password = place.write("password", PASSWORD);
        let mut program = program();
        program.args(["seeds", "add", "main", "--seed-file", "-", "--password-file", &password]);
        program.args(["--data-dir", &place.file("keys")]);
        assert_eq!(run(program, GENESIS_WORDS).await.0, 0);
        place
    }

    async fn signer(&self, more: &[&str]) -> Child {
        let (password, keys) = (self.file("password"), self.file("keys"));
        let mut shell = Command::new("sh");
        let command = format!(
            "exec {BINARY} signer --socket {} --data-dir {keys} --unlock-fd 3 {} 3<{password}",
            self.file("signer.sock"),
            more.join(" ")
        );
        shell.args(["-c", &command]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = shell.kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().unwrap();
        assert_eq!(line, format!("headless-wallet signs at {}", self.file("signer.sock")));
        child
    }

    async fn server(&self) -> Process {
        self.server_with("\"main\", \"elsewhere\"", "").await
    }

    /// A server that knows the signer by these seeds, with further settings.
    async fn server_with(&self, seeds: &str, more: &str) -> Process {
        let socket = self.file("signer.sock");
        let settings = format!("[signers.vault]\nsocket = {socket:?}\nseeds = [{seeds}]\n{more}");
        let mut serve = Command::new(BINARY);
        serve.args(["serve", "--config", &self.write("server.toml", &settings)]);
        Process::by(serve, Stdio::null()).await
    }
}

async fn post(server: &Process, path: &str, body: Value) -> Answer {
    let headers = [("content-type", "application/json"), ("x-wallet-id", "genesis")];
    ask(&server.address, "POST", path, &headers, body.to_string().as_bytes()).await
}

async fn start(server: &Process, body: Value) -> Value {
    let mut body = body;
    body["wallet-id"] = json!("genesis");
    post(server, "/start", body).await.json()
}

async fn post_to(server: &Process, wallet: &str, path: &str, body: Value) -> Value {
    let headers = [("content-type", "application/json"), ("x-wallet-id", wallet)];
    ask(&server.address, "POST", path, &headers, body.to_string().as_bytes()).await.json()
}

async fn get_of(server: &Process, wallet: &str, path: &str) -> Value {
    ask(&server.address, "GET", path, &[("x-wallet-id", wallet)], b"").await.json()
}

/// One that is sealed with a passphrase is a seed of its own name; both take part in a wallet of two.
#[tokio::test]
async fn participants_and_passphrases_are_at_a_signer() {
    let place = Place::new().await;
    let (password, passphrase) = (place.file("password"), place.write("passphrase", "a second factor\n"));
    let mut add = program();
    add.args(["seeds", "add", "second", "--seed-file", "-", "--password-file", &password]);
    add.args(["--passphrase-file", &passphrase, "--data-dir", &place.file("keys")]);
    let added = (0, String::new(), "the seed \"second\" is kept, sealed\n".to_owned());
    assert_eq!(run(add, GENESIS_WORDS).await, added);
    let words = Mnemonic::parse(GENESIS_WORDS).unwrap();
    let xpubs = ["", "a second factor"].map(|text| MultisigKeys::from_mnemonic(&words, text).account_xpub());
    let table = |key: &str| format!("[multisig.{key}]\ntotal = 2\nnum_signatures = 2\npubkeys = {xpubs:?}\n");
    let multisig = table("main") + &table("second");
    let limits = "[seeds.second]\nlimits.HTR = { transaction = 100 }\n";
    let limits = place.write("limits.toml", limits);
    let server = place.server_with("\"main\", \"second\"", &multisig).await;
    let mut signer = place.signer(&["--limits", &limits]).await;
    for (key, xpub) in ["main", "second"].into_iter().zip(&xpubs) {
        let told = post(&server, "/multisig-pubkey", json!({"seedKey": key})).await.json();
        assert_eq!(told, json!({"success": true, "xpubkey": xpub}));
    }
    let with = post(&server, "/multisig-pubkey", json!({"seedKey": "main", "passphrase": "x"})).await.json();
    let refused = json!({"success": false, "message": "the seed is at a signer, which takes no passphrase from others"});
    assert_eq!(with, refused);

    assert_eq!(start(&server, json!({"seedKey": "main"})).await, json!({"success": true}));
    for (id, key) in [("ann", "main"), ("bob", "second")] {
        let body = json!({"wallet-id": id, "seedKey": key, "multisig": true});
        assert_eq!(post_to(&server, id, "/start", body).await, json!({"success": true}));
    }
    let alone = json!({"wallet-id": "alone", "seedKey": "second"});
    assert_eq!(post_to(&server, "alone", "/start", alone).await, json!({"success": true}));
    for id in ["genesis", "ann", "bob", "alone"] {
        while get_of(&server, id, "/wallet/status").await["statusCode"] != 3 {
            tokio::task::yield_now().await;
        }
    }
    let first = AccountKeys::from_mnemonic(&words, "a second factor").public().key_hashes(0..1)[0];
    let first = Address::p2pkh(Network::Privatenet, first).to_string();
    assert_eq!(get_of(&server, "alone", "/wallet/address?index=0").await["address"], json!(first));

    let to = get_of(&server, "ann", "/wallet/address?index=0").await["address"].clone();
    let sent = post(&server, "/wallet/simple-send-tx", json!({"address": to, "value": 1_000})).await.json();
    assert_eq!(sent["success"], json!(true), "{sent}");
    for id in ["ann", "bob"] {
        while get_of(&server, id, "/wallet/balance").await["available"] != 1_000 {
            tokio::task::yield_now().await;
        }
    }
    let proposal = async |value: u64| {
        let body = json!({"outputs": [{"address": first, "value": value}]});
        post_to(&server, "ann", "/wallet/p2sh/tx-proposal", body).await["txHex"].clone()
    };
    let share = async |id: &str, hex: &Value| {
        post_to(&server, id, "/wallet/p2sh/tx-proposal/get-my-signatures", json!({"txHex": hex})).await
    };
    let more = proposal(101).await;
    let refused = share("bob", &more).await;
    let told = "the wallet's signer refuses this by its rule \"transaction\": it spends 101 of token 00, and may spend 100";
    assert_eq!(refused, json!({"success": false, "error": told}));
    let hex = proposal(100).await;
    let signatures = [share("ann", &hex).await, share("bob", &hex).await].map(|of| of["signatures"].clone());
    let body = json!({"txHex": hex, "signatures": signatures});
    let pushed = post_to(&server, "bob", "/wallet/p2sh/tx-proposal/sign-and-push", body).await;
    assert_eq!(pushed["success"], json!(true), "{pushed}");
    while get_of(&server, "alone", "/wallet/balance").await["available"] != 100 {
        tokio::task::yield_now().await;
    }
    signer.kill().await.unwrap();
    server.end().await;
}

async fn until_ready(server: &Process) {
    while server.get("/wallet/status").await.json()["statusCode"] != 3 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_server_sends_what_a_signer_in_another_process_signs() {
    let place = Place::new().await;
    let limits = "[seeds.main]\nlimits.HTR = { transaction = 100, day = 150 }\n";
    let limits = place.write("limits.toml", limits);
    let server = place.server().await;
    let socket = place.file("signer.sock");
    let away = start(&server, json!({"seedKey": "main"})).await;
    let text = format!(
        "the wallet's signer can't be reached, and nothing was signed: {socket}: No such file or directory (os error 2)"
    );
    assert_eq!(away["success"], json!(false));
    assert!(away.to_string().contains(&text), "{away}");

    let mut signer = place.signer(&["--limits", &limits]).await;
    let unknown = start(&server, json!({"seedKey": "elsewhere"})).await.to_string();
    assert!(unknown.contains(r#"its rule \"seed\": there is no open seed \"elsewhere\" here"#), "{unknown}");
    let with = start(&server, json!({"seedKey": "main", "passphrase": "x"})).await.to_string();
    assert!(with.contains("takes no passphrase from others"), "{with}");
    assert_eq!(start(&server, json!({"seedKey": "main"})).await, json!({"success": true}));
    until_ready(&server).await;
    let to = server.get("/wallet/address?index=3").await.json()["address"].clone();
    let foreign = Address::p2pkh(Network::Privatenet, [7; 20]).to_string();
    let pay = |value: u64| json!({"address": foreign, "value": value});
    let sent = post(&server, "/wallet/simple-send-tx", pay(90)).await.json();
    assert_eq!(sent["success"], json!(true), "{sent}");
    // To itself it may send what it likes.
    let own = post(&server, "/wallet/simple-send-tx", json!({"address": to, "value": 5_000})).await.json();
    assert_eq!(own["success"], json!(true), "{own}");
    for (value, rule) in [(101, "transaction"), (61, "day")] {
        let refused = post(&server, "/wallet/simple-send-tx", pay(value)).await.json();
        let said = format!("the wallet's signer refuses this by its rule {rule:?}: ");
        assert_eq!(refused["success"], json!(false));
        assert!(refused["error"].as_str().unwrap().starts_with(&said), "{refused}");
    }
    signer.kill().await.unwrap();
    // What was spent counts after a new start, and the server finds the new one.
    let mut signer = place.signer(&["--limits", &limits]).await;
    let refused = post(&server, "/wallet/simple-send-tx", pay(61)).await.json();
    assert!(refused["error"].as_str().unwrap().contains("\"day\": with 90 before it"), "{refused}");
    assert_eq!(post(&server, "/wallet/simple-send-tx", pay(60)).await.json()["success"], json!(true));
    signer.kill().await.unwrap();
    server.end().await;
}

#[tokio::test]
async fn a_seed_at_a_signer_is_nowhere_else_and_the_settings_say_so() {
    let place = Place::new().await;
    let plain = format!(
        "[seeds]\nmain = \"{GENESIS_WORDS}\"\n[signers.vault]\nsocket = \"/s\"\nseeds = [\"main\"]\n"
    );
    for (settings, told) in [
        (
            plain.as_str(),
            "the words of the seed \"main\" stand in the settings, and a signer has it: leave one of the two out",
        ),
        ("[signers.a]\nsocket = \"/s\"\n", "`signers.a.seeds` in FILE must be a list of seed keys"),
        (
            "[signers.a]\nseeds = [\"x\"]\nsocket = \"/s\"\naddress = \"h:1\"\n",
            "`signers.a` in FILE must be a table of `seeds` and either `socket`, or `address`, `ca`, `certificate` and `key`, or `module`, `token` and `pin_file`: [signers.name] socket = \"/run/…\", seeds = [\"…\"]",
        ),
        (
            "[signers.a]\nseeds = [\"x\"]\nmodule = \"/m\"\ntoken = \"t\"\nslot = 1\npin_file = \"/p\"\n",
            "`signers.a` in FILE must be a table of `module`, one of `token` and `slot`, one of `pin_file`, `pin_env` and `pin_credential`, and `seeds`, the labels of its keys",
        ),
        (
            "[signers.a]\nseeds = [\"x\"]\nmodule = \"/m\"\nslot = \"one\"\npin_file = \"/p\"\n",
            "`signers.a.slot` in FILE must be the number of a slot",
        ),
        (
            "[signers.a]\nseeds = [\"x\"]\nmodule = \"/m\"\nslot = 1\nsocket = \"/s\"\npin_file = \"/p\"\n",
            "`signers.a` in FILE must be a table of `module`, one of `token` and `slot`, one of `pin_file`, `pin_env` and `pin_credential`, and `seeds`, the labels of its keys",
        ),
        (
            "[signers.a]\nseeds = [\"x\"]\nsockt = \"/s\"\n",
            "unknown setting `signers.a.sockt` in FILE: did you mean `socket`? The settings of a signer are socket, address, ca, certificate, key, module, token, slot, pin_file, pin_env, pin_credential, seeds",
        ),
        (
            "[signers.a]\nseeds = [\"x\"]\nsocket = \"/s\"\n[signers.b]\nseeds = [\"x\"]\nsocket = \"/t\"\n",
            "`signers.b.seeds` in FILE has the seed key \"x\", which another signer has",
        ),
    ] {
        let file = place.write("bad.toml", settings);
        let mut serve = program();
        serve.args([
            "serve",
            "--http-port",
            "0",
            "--network",
            "privatenet",
            "--server",
            "http://127.0.0.1:1/",
        ]);
        serve.args(["--tx-mining-url", "http://127.0.0.1:1/", "--config", &file]);
        let (code, _, said) = run(serve, "").await;
        let last = said.lines().last().unwrap().replace(&file, "FILE");
        assert_eq!((code, last), (1, format!("error: {told}")), "{settings}");
    }
    let bad = place.write("limits.toml", "[seeds.main]\nlimits.HTR = { transaction = -1 }\n");
    let mut signer = program();
    signer.args([
        "signer",
        "--socket",
        &place.file("s"),
        "--data-dir",
        &place.file("keys"),
        "--limits",
        &bad,
    ]);
    let (code, _, said) = run(signer, "").await;
    assert_eq!(code, 1);
    let start = format!("error: {bad}: the signer's settings can't be used: ");
    assert!(said.lines().any(|line| line.starts_with(&start)), "{said}");
    let (here, there) = ("WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6", "HFrZvjeHQFB4jRMeCNwW9nngVVeZvxiEK5");
    let other = place.write("other.toml", &format!("[seeds.main]\naddresses = [\"{there}\"]\n"));
    let mut signer = program();
    signer.env("HEADLESS_NETWORK", "testnet").args([
        "signer",
        "--socket",
        &place.file("s"),
        "--limits",
        &other,
    ]);
    signer.args(["--data-dir", &place.file("keys")]);
    let (code, _, said) = run(signer, "").await;
    let refused = format!(
        "error: {other}: the signer's settings can't be used: \"{there}\" is an address of another network than testnet, where the address of \
         the same key is {here}"
    );
    assert_eq!((code, said.lines().next_back()), (1, Some(&*refused)));
}

/// What the kernel says of a process's memory, in bytes.
#[cfg(target_os = "linux")]
fn memory(process: u32, what: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with(what)).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

/// A frame of its greatest length: `begin`, as many of `piece` as fit, `end`.
#[cfg(target_os = "linux")]
fn full_frame(begin: &str, piece: &str, end: &str) -> Vec<u8> {
    let room = MAX_QUESTION as usize - begin.len() - end.len();
    let mut text = String::with_capacity(MAX_QUESTION as usize);
    text.push_str(begin);
    text.push_str(&piece.repeat(room / piece.len()));
    text.push_str(end);
    text.into_bytes()
}

/// Asks, and gives the rule and reason of the refusal.
#[cfg(target_os = "linux")]
async fn refusal(socket: &str, frame: &[u8]) -> (String, String) {
    let mut stream = UnixStream::connect(socket).await.unwrap();
    stream.write_all(&u32::try_from(frame.len()).unwrap().to_be_bytes()).await.unwrap();
    stream.write_all(frame).await.unwrap();
    let answer = read_frame(&mut stream, MAX_ANSWER).await.unwrap().unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    let [rule, why] = ["rule", "why"].map(|field| answer["refused"][field].as_str().unwrap().to_owned());
    (rule, why)
}

/// Whoever may ask may ask anything, with up to 32 connections at once.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn no_question_has_a_signer_use_more_than_some_times_a_frame() {
    let place = Place::new().await;
    let signer = place.signer(&[]).await;
    let (process, socket) = (signer.id().unwrap(), place.file("signer.sock"));
    let transaction = |more: &str| {
        format!(
            r#"{{"version":1,"seed":"main","ask":{{"sign":{{"purpose":"send","salt":"","what":{{"transaction":{{"bytes":"","inputs":[],"caller":null,"own":[],{more}"#
        )
    };
    let long = "a list has more than 256 elements";
    let none = r#"]}}}}}"#;
    let list = |name: &str, first: &str, piece: &str, end: &str| {
        full_frame(&transaction(&format!("{name}[{first}")), piece, end)
    };
    let in_place_of = |field: &str, frame: Vec<u8>| {
        // The field that the list takes the place of is there once.
        let text = String::from_utf8(frame).unwrap();
        text.replacen(&format!(r#""{field}":[],"#), "", 1).into_bytes()
    };
    let frames = [
        (list(r#""previous":"#, r#""""#, r#","""#, none), "protocol", long),
        (in_place_of("inputs", list(r#""inputs":"#, "[0,0]", ",[0,0]", none)), "protocol", long),
        (in_place_of("own", list(r#""own":"#, "[0,0]", ",[0,0]", none)), "protocol", long),
        (list(r#""previous":[],"scripts":"#, r#"[0,""]"#, r#",[0,""]"#, none), "protocol", long),
        (
            list(
                r#""previous":[],"multisig":{"numSignatures":1,"participants":"#,
                r#""""#,
                r#","""#,
                "]}}}}}}",
            ),
            "protocol",
            long,
        ),
        // As many bytes as fit.
        (full_frame(&transaction(r#""previous":[""#), "00", r#""]}}}}}"#), "transaction-bytes", ""),
        // What is quoted.
        (full_frame(r#"{"version":1,"ask":"account","seed":""#, "\\u0001", r#""}"#), "seed", ""),
        (
            full_frame(r#"{"version":1,"seed":"main","ask":"account",""#, "x", r#"":1}"#),
            "protocol",
            "unknown field",
        ),
        (full_frame(r#"{"version":1,"seed":"main","ask":""#, "x", r#""}"#), "protocol", "unknown variant"),
        (vec![b'['; MAX_QUESTION as usize], "protocol", ""),
    ];
    refusal(&socket, b"{}").await;
    let before = memory(process, "VmRSS:");
    // From now on the most that it has had counts anew.
    std::fs::write(format!("/proc/{process}/clear_refs"), "5").unwrap();
    for (number, (frame, rule, why)) in frames.iter().enumerate() {
        let told = refusal(&socket, frame).await;
        assert!(told.0 == *rule && told.1.starts_with(why), "{number}: {told:?}");
        println!("{number}: {} MiB more", memory(process, "VmHWM:").saturating_sub(before) >> 20);
    }
    let one = memory(process, "VmHWM:") - before;
    let asked = (0..8).map(|number| refusal(&socket, &frames[number % frames.len()].0));
    for (number, told) in futures_util::future::join_all(asked).await.into_iter().enumerate() {
        assert_eq!(told.0, frames[number % frames.len()].1, "{number}");
    }
    let many = memory(process, "VmHWM:") - before;
    println!("one frame after another: {} MiB more; 8 at once: {} MiB more", one >> 20, many >> 20);
    let most = 10 * u64::from(MAX_QUESTION);
    assert!(one < most && many < most, "{one} {many}");
}
