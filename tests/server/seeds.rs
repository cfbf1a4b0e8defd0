//! Words that are kept sealed: by the command line, and opened by the server.

use super::command_line::{BINARY, Ended, program, run};
use super::command_line_terminal::Terminal;
use super::process::Process;
use super::support::{GENESIS_WORDS, Server, ask};
use crate::postgres::Postgres;
use headless_wallet::keys::{AccountKeys, Mnemonic, MultisigKeys, Seed, seal_vault};
use headless_wallet::server::seeds::{self, Opened};
use headless_wallet::server::{Config, Layer};
use headless_wallet::trusted_file::Role;
use serde_json::{Value, json};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use zeroize::Zeroizing;

const PASSWORD: &str = "correct horse";
const WRONG: &str = "error: the password is wrong, or what was stored was changed\n";

/// A directory of a server's own, beside one with a password's file.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(TempDir::new().unwrap());
        place.write("password", PASSWORD);
        place
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.path().join(name), text).unwrap();
        self.file(name)
    }

    /// `headless-wallet seeds`, with words on standard input.
    async fn seeds(&self, arguments: &[&str], input: &str) -> Ended {
        let mut program = program();
        program.arg("seeds").args(arguments).args(["--data-dir", &self.file("data")]);
        run(program, input).await
    }

    /// The same with the password.
    async fn with_password(&self, arguments: &[&str], input: &str) -> Ended {
        self.seeds(&[arguments, &["--password-file", &self.file("password")]].concat(), input).await
    }

    async fn add(&self, name: &str, words: &str) {
        let added = self.with_password(&["add", name, "--seed-file", "-"], words).await;
        assert_eq!(added, (0, String::new(), format!("the seed {name:?} is kept, sealed\n")));
    }

    fn document(&self) -> String {
        std::fs::read_to_string(self.0.path().join("data/seeds.document")).unwrap()
    }

    /// A server by the shell's command line after `serve`.
    async fn serve(&self, more: &str, variables: &[(&str, &str)]) -> Process {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec {BINARY} serve --data-dir {} {more}", self.file("data"))]);
        shell.envs(variables.iter().copied()).stdin(Stdio::null());
        Process::by(shell, Stdio::null()).await
    }
}

async fn start(server: &Process, key: &str) -> Value {
    let body = json!({"wallet-id": "w", "seedKey": key}).to_string();
    ask(&server.address, "POST", "/start", &[("content-type", "application/json")], body.as_bytes())
        .await
        .json()
}

fn locked() -> Value {
    let message =
        "The seed is sealed and locked: unlock the server's seeds (`headless-wallet seeds unlock`).";
    json!({"success": false, "message": message})
}

#[tokio::test]
async fn a_server_opens_sealed_words_by_a_descriptor_a_credential_or_a_socket() {
    let place = Place::new();
    place.add("mine", GENESIS_WORDS).await;
    let password = place.file("password");
    // Nothing of the words is kept but sealed.
    let list: Vec<_> = GENESIS_WORDS.split(' ').collect();
    assert!(list.windows(2).all(|two| !place.document().contains(&two.join(" "))));

    let server = place.serve(&format!("--unlock-fd 7 7<{password}"), &[]).await;
    assert_eq!(start(&server, "mine").await, json!({"success": true}));
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.child.id().unwrap())).unwrap();
    let core: Vec<_> = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"))
        .unwrap()
        .split_whitespace()
        .collect();
    assert_eq!(core[4..6], ["0", "0"], "no core dumps");
    // Locked against swapping, where the system allows as much as it likes; else it has said so.
    let may_lock = limits.lines().any(|line| {
        line.strip_prefix("Max locked memory")
            .is_some_and(|rest| rest.split_whitespace().next() == Some("unlimited"))
    });
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id().unwrap())).unwrap();
    let kept = status.lines().find_map(|line| line.strip_prefix("VmLck:")).unwrap().trim();
    assert_eq!(kept != "0 kB", may_lock, "{kept}");
    // (The server has its directory of these open to root alone.)
    let descriptor = format!("/proc/{}/fd/7", server.child.id().unwrap());
    let held = std::fs::read_link(descriptor).ok();
    assert_ne!(held.as_deref(), Some(std::path::Path::new(&password)), "it was closed");
    server.end().await;

    place.write("headless-wallet-password", &format!("{PASSWORD}\n"));
    let credentials = place.0.path().to_str().unwrap();
    let server = place.serve("", &[("CREDENTIALS_DIRECTORY", credentials)]).await;
    assert_eq!(start(&server, "mine").await, json!({"success": true}));
    server.end().await;

    let socket = place.file("unlock.sock");
    // What a server left behind that was killed is in nobody's way.
    drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
    let server = place.serve(&format!("--unlock-socket {socket}"), &[]).await;
    assert_eq!(start(&server, "mine").await, locked());
    assert_eq!(start(&server, "other").await, json!({"success": false, "message": "Seed not found."}));
    let unlock = async |password: &str| {
        let mut program = program();
        program.args(["seeds", "unlock", "--socket", &socket, "--password-file", "-"]);
        run(program, password).await
    };
    assert_eq!(unlock("wrong horse").await, (1, String::new(), WRONG.to_owned()));
    assert_eq!(start(&server, "mine").await, locked());
    assert_eq!(unlock(PASSWORD).await, (0, "open: mine\n".to_owned(), String::new()));
    assert_eq!(start(&server, "mine").await, json!({"success": true}));
    let xpub = AccountKeys::from_mnemonic(&Mnemonic::parse(GENESIS_WORDS).unwrap(), "").public().to_xpub();
    assert_eq!(place.with_password(&["xpub", "mine"], "").await, (0, format!("{xpub}\n"), String::new()));
    let wrong = place.seeds(&["xpub", "mine", "--password-file", "-"], "wrong horse").await;
    assert_eq!(wrong, (1, String::new(), WRONG.to_owned()));
    assert_eq!(place.with_password(&["remove", "mine", "--yes"], "").await.0, 0);
    let none = "there are no sealed seeds: `headless-wallet seeds add` keeps some\n";
    assert_eq!(unlock(PASSWORD).await, (0, String::new(), none.to_owned()));
    // A second server leaves it alone.
    let taken = format!("error: can't listen at {socket}: another server listens there\n");
    let mut second = program();
    second.args(["serve", "--network", "testnet", "--http-port", "0", "--data-dir", &place.file("data")]);
    let (code, _, told) = run_with(second, &["--unlock-socket", &socket]).await;
    assert_eq!((code, told.ends_with(&taken)), (1, true), "{told}");
    server.end().await;
}

async fn run_with(mut program: Command, more: &[&str]) -> Ended {
    program.args(more);
    run(program, "").await
}

#[tokio::test]
async fn a_wrong_password_ends_the_start_and_none_leaves_them_locked() {
    let place = Place::new();
    place.add("mine", GENESIS_WORDS).await;
    let wrong = place.write("wrong", "wrong horse");
    let mut shell = Command::new("sh");
    let data = place.file("data");
    shell.args([
        "-c",
        &format!("exec {BINARY} serve --http-port 0 --data-dir {data} --unlock-fd 3 3<{wrong}"),
    ]);
    let (code, out, told) = run(shell, "").await;
    assert_eq!((code, &*out, told.ends_with(WRONG)), (1, "", true), "{told}");

    let mut serve = program();
    serve.args(["serve", "--http-port", "0", "--data-dir", &data, "--unlock-fd", "0"]);
    let (code, out, told) = run(serve, "wrong horse").await;
    assert_eq!((code, &*out, told.ends_with(WRONG)), (1, "", true), "{told}");

    let mut serve = program();
    serve.args(["serve", "--http-port", "0", "--data-dir", &data]).stdin(Stdio::null());
    let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let expected = "warning: sealed seeds stay locked: mine: give --unlock, --unlock-fd or --unlock-socket";
    while lines.next_line().await.unwrap().unwrap() != expected {}
    child.kill().await.unwrap();

    let nowhere = run_with(program(), &["serve", "--http-port", "0", "--unlock"]).await;
    let text = "error: there is nowhere to keep sealed seeds: give --data-dir or --store\n";
    assert_eq!(nowhere, (1, String::new(), text.to_owned()));
}

#[tokio::test]
async fn words_in_plain_text_are_warned_of_outside_private_networks() {
    for (network, warned) in [("testnet", true), ("privatenet", false)] {
        let mut serve = program();
        let url = "http://127.0.0.1:1/";
        serve.args([
            "serve",
            "--http-port",
            "0",
            "--network",
            network,
            "--server",
            url,
            "--tx-mining-url",
            url,
        ]);
        serve.envs([("HEADLESS_SEEDS", "mine"), ("HEADLESS_SEED_MINE", GENESIS_WORDS)]);
        let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).await.unwrap();
        child.kill().await.unwrap();
        let told = child.wait_with_output().await.unwrap().stderr;
        let warning = "warning: the words of mine stand in plain text in the settings or the environment: `headless-wallet seeds add` keeps words sealed\n";
        assert_eq!(String::from_utf8(told).unwrap(), if warned { warning } else { "" }, "{network}");
    }
}

#[tokio::test]
async fn seeds_are_listed_renamed_resealed_and_removed_and_nothing_is_lost_by_a_slip() {
    let place = Place::new();
    place.add("mine", GENESIS_WORDS).await;
    let fail = |text: &str| (1, String::new(), format!("error: {text}\n"));
    let before = place.document();
    let other = place.write("other", "another horse");
    let short = place.write("short", "horse");
    for (arguments, input, text) in [
        (
            &["add", "mine", "--seed-file", "-"][..],
            GENESIS_WORDS,
            "there is a seed called \"mine\" already: nothing is written over",
        ),
        (&["add", "new", "--seed-file", "-"], "one two", "Invalid seed: Must have 24 words."),
        (&["remove", "other", "--yes"], "", "there is no sealed seed called \"other\""),
        (
            &["remove", "mine"],
            "",
            "can't ask whether to remove it, because standard input is not a terminal: give --yes",
        ),
        (&["change-password", "--new-password-file", &short], "", "a password has at least 8 characters"),
    ] {
        assert_eq!(place.with_password(arguments, input).await, fail(text), "{arguments:?}");
    }
    for (arguments, argument) in
        [(&["add", ".new", "--new"][..], "NAME"), (&["rename", "mine", ".new"], "TO")]
    {
        let told = format!(
            "error: invalid value '.new' for '<{argument}>': a name is 1 to 64 of a-z, 0-9, '.', '_' and '-', \
             and does not begin with '.'\n\nFor more information, try '--help'.\n"
        );
        assert_eq!(place.with_password(arguments, "").await, (2, String::new(), told));
    }
    for arguments in [
        &["add", "new", "--seed-file", "-", "--password-file", &other][..],
        &["remove", "mine", "--yes", "--password-file", &other],
        &["rename", "mine", "new", "--password-file", &other],
        &["change-password", "--new-password-file", &other, "--password-file", &other],
    ] {
        assert_eq!(place.seeds(arguments, GENESIS_WORDS).await, (1, String::new(), WRONG.to_owned()));
    }
    assert_eq!(
        place.with_password(&["rename", "other", "new"], "").await,
        fail("there is no sealed seed called \"other\"")
    );
    assert_eq!(place.document(), before, "nothing was changed");

    // New words are shown, and are those that are kept.
    let (code, shown, told) = place.with_password(&["add", "new", "--new"], "").await;
    assert_eq!((code, &*told), (0, "the seed \"new\" is kept, sealed\n"));
    let shown = Mnemonic::parse(&shown).unwrap();
    let renamed = (0, String::new(), "the seed \"mine\" is called \"main\" now\n".to_owned());
    assert_eq!(place.with_password(&["rename", "mine", "main"], "").await, renamed);
    let resealed = place.with_password(&["change-password", "--new-password-file", &other], "").await;
    assert_eq!(resealed, (0, String::new(), "all seeds are sealed with the new password\n".to_owned()));
    let (code, listed, _) = place.seeds(&["list"], "").await;
    let names: Vec<_> = listed.lines().map(|line| line.split("  sealed ").next().unwrap()).collect();
    assert_eq!((code, names), (0, vec!["main", "new"]));

    // Each opens to what it was, with the new password alone.
    let toml = format!("data_dir = {:?}", place.file("data"));
    let config = Config::from_layers([Layer::toml("test.toml", &toml).unwrap()]).unwrap();
    let stores = config.stores(Role::Service).unwrap().unwrap();
    let store = seeds::read(stores.documents().unwrap()).await.unwrap();
    let opened: Vec<_> = store.seeds.iter().map(|seed| seed.open("another horse").unwrap()).collect();
    let words = |seed: &Seed| (seed.words().words().to_owned(), seed.passphrase().to_owned());
    let expected = [(GENESIS_WORDS.to_owned(), String::new()), (shown.words().to_owned(), String::new())];
    assert_eq!([words(&opened[0]), words(&opened[1])], expected);
    assert!(store.check_password(PASSWORD).is_err());

    let removed = place.seeds(&["remove", "main", "--yes", "--password-file", &other], "").await;
    assert_eq!(removed, (0, String::new(), "the seed \"main\" was removed\n".to_owned()));
    assert_eq!(place.seeds(&["list"], "").await.1.lines().count(), 1);
}

/// The same words with and without: two seeds, two wallets, and nothing outside the seal tells which is
/// which.
#[tokio::test]
async fn words_are_sealed_with_a_passphrase_which_goes_with_them_from_then_on() {
    let place = Place::new();
    place.add("plain", GENESIS_WORDS).await;
    let passphrase = place.write("passphrase", "a second factor\n");
    let kept = (0, String::new(), "the seed \"secret\" is kept, sealed\n".to_owned());
    let add = ["add", "secret", "--seed-file", "-", "--passphrase-file", &passphrase];
    assert_eq!(place.with_password(&add, GENESIS_WORDS).await, kept);
    let document: Value = serde_json::from_str(place.document().split_once('\n').unwrap().1).unwrap();
    let lengths = [0, 1].map(|at| document["seeds"][at]["sealed"].as_str().unwrap().len());
    assert_eq!(lengths[0], lengths[1]);
    assert!(!place.document().contains("second factor"));
    // What can't be a passphrase.
    for text in ["", "\0"] {
        let file = place.write("bad", text);
        let add = ["add", "bad", "--seed-file", "-", "--passphrase-file", &file];
        let told = "error: a passphrase needs at least one character, and no zero bytes: leave the flag out for none\n";
        assert_eq!(place.with_password(&add, GENESIS_WORDS).await, (1, String::new(), told.to_owned()));
    }
    // It goes along wherever they are sealed anew.
    let other = place.write("other", "another horse");
    assert_eq!(place.with_password(&["rename", "secret", "shop"], "").await.0, 0);
    assert_eq!(place.with_password(&["change-password", "--new-password-file", &other], "").await.0, 0);
    let words = Mnemonic::parse(GENESIS_WORDS).unwrap();
    let xpub = |passphrase: &str| AccountKeys::from_mnemonic(&words, passphrase).public().to_xpub();
    for (name, passphrase) in [("plain", ""), ("shop", "a second factor")] {
        let shown = place.seeds(&["xpub", name, "--password-file", &other], "").await;
        assert_eq!(shown, (0, format!("{}\n", xpub(passphrase)), String::new()));
    }

    let server = place.serve(&format!("--unlock-fd 7 7<{other}"), &[]).await;
    let participant = async |body: Value| {
        let headers = [("content-type", "application/json")];
        ask(&server.address, "POST", "/multisig-pubkey", &headers, body.to_string().as_bytes()).await.json()
    };
    let expected = MultisigKeys::from_mnemonic(&words, "a second factor").account_xpub();
    let told = participant(json!({"seedKey": "shop"})).await;
    assert_eq!(told, json!({"success": true, "xpubkey": expected}));
    let told = participant(json!({"seedKey": "shop", "passphrase": "a third"})).await;
    let refused =
        "The seed was sealed with a passphrase of its own, and takes no other: leave `passphrase` out.";
    assert_eq!(told, json!({"success": false, "message": refused}));
    // Where passphrases of requests are not allowed, this one is none of a request.
    assert_eq!(start(&server, "shop").await, json!({"success": true}));
    server.end().await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn at_a_terminal_words_are_shown_before_they_are_kept_or_removed() {
    let place = Place::new();
    let (data, password) = (place.file("data"), place.file("password"));
    let mut terminal =
        Terminal::open(&format!("seeds add mine --new --data-dir {data} --password-file {password}"), &[]);
    let asks = "Type them again (they are not shown): ";
    terminal.until(asks).await;
    let shown: Vec<_> = terminal.seen().split_whitespace().collect();
    let numbered = shown.windows(2).filter(|two| two[0].parse::<u8>().is_ok()).map(|two| two[1]);
    let words = numbered.collect::<Vec<_>>().join(" ");
    let words = Mnemonic::parse(&words).unwrap();
    terminal.hidden().await;
    terminal.type_in(&format!("{GENESIS_WORDS}\n")).await;
    terminal.until("These are not the words that were shown").await;
    assert!(!std::path::Path::new(&data).join("seeds.document").exists());
    terminal.type_in(&format!("{}\n", words.words())).await;
    assert_eq!(terminal.end().await.0, 0);

    let remove = format!("seeds remove mine --data-dir {data} --password-file {password}");
    let ask = "Type the name of the seed to remove it, or `show` to see its words first: ";
    let mut terminal = Terminal::open(&remove, &[]);
    terminal.until(ask).await;
    terminal.type_in("main\n").await;
    let (code, seen) = terminal.end().await;
    assert_eq!((code, seen), (1, format!("{ask}main\nerror: nothing was removed: another name was typed\n")));
    let mut terminal = Terminal::open(&remove, &[]);
    terminal.until(ask).await;
    terminal.type_in("show\n").await;
    terminal.until(words.words().split(' ').next_back().unwrap()).await;
    terminal.type_in("mine\n").await;
    let (code, seen) = terminal.end().await;
    assert_eq!((code, seen.ends_with("the seed \"mine\" was removed\n")), (0, true), "{seen}");
}

/// A passphrase is typed twice, the password at each start of the server; nothing of either is shown.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn at_a_terminal_a_passphrase_is_asked_for_twice_and_the_server_asks_for_the_password() {
    let place = Place::new();
    let (data, password, words) =
        (place.file("data"), place.file("password"), place.write("words", GENESIS_WORDS));
    let add = format!("seeds add mine --ask-passphrase --seed-file {words}");
    let add = format!("{add} --data-dir {data} --password-file {password}");
    let (once, twice) = ("The passphrase (it is not shown): ", "The same again: ");
    for (again, expected) in [
        ("another factor", (1, "error: the two are not the same: nothing was done\n")),
        ("a second factor", (0, "the seed \"mine\" is kept, sealed\n")),
    ] {
        let mut terminal = Terminal::open(&add, &[]);
        for (asked, typed) in [(once, "a second factor"), (twice, again)] {
            terminal.until(asked).await;
            terminal.hidden().await;
            terminal.type_in(&format!("{typed}\n")).await;
        }
        let (code, seen) = terminal.end().await;
        assert_eq!(
            (code, seen.lines().last().map(|line| format!("{line}\n"))),
            (expected.0, Some(expected.1.to_owned()))
        );
        assert!(!seen.contains("factor"), "{seen}");
    }
    let url = "http://127.0.0.1:1/";
    let serve = format!(
        "serve --network privatenet --http-port 0 --server {url} --tx-mining-url {url} --data-dir {data}"
    );
    let asks = "The password of the sealed seeds (it is not shown): ";
    for (typed, until) in
        [("wrong horse", &*WRONG.replace('\n', "")), (PASSWORD, "headless-wallet serves privatenet at ")]
    {
        let mut terminal = Terminal::open(&serve, &[]);
        terminal.until(asks).await;
        terminal.hidden().await;
        terminal.type_in(&format!("{typed}\n")).await;
        terminal.until(until).await;
        assert!(!terminal.seen().contains(typed));
        if typed == PASSWORD {
            // Caught or not: it may come before the server listens to signals.
            terminal.type_in("\x03").await;
            assert!(matches!(terminal.end().await.0, 0 | 130));
        } else {
            assert_eq!(terminal.end().await.0, 1);
        }
    }
}

#[tokio::test]
async fn sealed_words_are_kept_in_a_database_as_in_a_directory() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let mut server = Server::start_with(&format!("store = '{url}'")).await;
    let toml = format!("store = '{url}'");
    let config = Config::from_layers([Layer::toml("test.toml", &toml).unwrap()]).unwrap();
    let stores = config.stores(Role::Service).unwrap().unwrap();
    let seed = Seed::new(Mnemonic::parse(GENESIS_WORDS).unwrap(), "");
    let documents = stores.documents().unwrap();
    seeds::add(documents, "mine", &seed, PASSWORD, 1).await.unwrap();
    assert!(!postgres.sql(&url, "select text from document").contains("avocado"));
    let body = json!({"wallet-id": "w", "seedKey": "mine"});
    assert_eq!(server.post("/start", None, &body).await.json(), locked());
    let xpub = json!({"seedKey": "mine"});
    assert_eq!(server.post("/multisig-pubkey", None, &xpub).await.json(), locked());
    let opened = server.app.unlock(Zeroizing::new(PASSWORD.to_owned())).await.unwrap();
    assert_eq!(opened, Opened { open: vec!["mine".to_owned()], locked: vec![] });
    assert_eq!(server.post("/start", None, &body).await.json(), json!({"success": true}));
    let same = server.post("/multisig-pubkey", None, &json!({"seedKey": "genesis"})).await.json();
    assert_eq!(server.post("/multisig-pubkey", None, &xpub).await.json(), same);
    // What is removed is closed with the next unlocking.
    seeds::remove(documents, "mine", PASSWORD).await.unwrap();
    assert_eq!(server.app.unlock(Zeroizing::new(PASSWORD.to_owned())).await.unwrap(), Opened::default());
    let gone = json!({"success": false, "message": "Seed not found."});
    assert_eq!(server.post("/multisig-pubkey", None, &xpub).await.json(), gone);
    server.renew_document();
    server.shutdown().await;
}

#[tokio::test]
async fn names_cannot_be_swapped_without_the_password() {
    let place = Place::new();
    place.add("mine", GENESIS_WORDS).await;
    let (_, other, _) = place.with_password(&["add", "other", "--new"], "").await;
    let toml = format!("data_dir = {:?}", place.file("data"));
    let config = Config::from_layers([Layer::toml("test.toml", &toml).unwrap()]).unwrap();
    let stores = config.stores(Role::Service).unwrap().unwrap();
    let documents = stores.documents().unwrap();
    let whole = place.document();
    let swapped =
        whole.replace("\"mine\"", "\"x\"").replace("\"other\"", "\"mine\"").replace("\"x\"", "\"other\"");
    assert_ne!(swapped, whole);
    place.write("data/seeds.document", &swapped);
    let store = seeds::read(documents).await.unwrap();
    for name in ["mine", "other"] {
        let refused = store.get(name).unwrap().open(PASSWORD).unwrap_err();
        assert_eq!(refused.to_string(), "the password is wrong, or what was stored was changed");
    }
    // One that is sealed for nobody is nobody's.
    let (line, _) = whole.split_once('\n').unwrap();
    let free = json!({"name": "free", "sealed": seal_vault(GENESIS_WORDS, PASSWORD).unwrap(), "created": 1});
    place.write("data/seeds.document", &format!("{line}\n{}", json!({"format": 1, "seeds": [free]})));
    assert!(seeds::read(documents).await.unwrap().get("free").unwrap().open(PASSWORD).is_err());
    assert_ne!(other.trim(), GENESIS_WORDS);
}
