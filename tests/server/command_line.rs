//! `headless-wallet wallet`, as people and scripts run it, at a server.

use super::support::Server;
use headless_wallet::devnet::{NodeFaults, NodeMode};
use serde_json::{Value, json};
use std::fs;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::process::Command;

pub const BINARY: &str = env!("CARGO_BIN_EXE_headless-wallet");

/// Exit code, standard output, standard error.
pub type Ended = (i32, String, String);

/// The program without the settings of whoever runs the tests.
pub fn program() -> Command {
    let mut program = Command::new(BINARY);
    program.env_clear().kill_on_drop(true);
    program
}

/// Runs it to its end, with this on standard input.
pub async fn run(mut program: Command, input: &str) -> Ended {
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that has no question doesn't read.
    let _ = stdin.write_all(input.as_bytes()).await;
    drop(stdin);
    let output = child.wait_with_output().await.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// `wallet` with these arguments and nothing else.
pub async fn wallet(args: &[&str]) -> Ended {
    wallet_with(args, "").await
}

/// The same with this on standard input.
pub async fn wallet_with(args: &[&str], input: &str) -> Ended {
    let mut program = program();
    program.arg("wallet").args(args);
    run(program, input).await
}

/// Standard output of what succeeded, and had nothing else to say.
#[track_caller]
pub fn printed((code, out, err): Ended) -> String {
    assert_eq!((code, &*err), (0, ""), "{out}");
    out
}

/// Lines with one space between the cells.
pub fn cells(text: &str) -> Vec<String> {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// An amount as people write it.
pub fn decimal(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// A token as people name it.
pub fn named(symbol: &str, uid: &str) -> String {
    format!("{symbol} ({})", &uid[..8])
}

pub fn fine(out: &str) -> Ended {
    (0, format!("{out}\n"), String::new())
}

pub fn failed(error: &str) -> Ended {
    (1, String::new(), format!("error: {error}\n"))
}

/// A directory that is gone after the test.
pub struct Dir(TempDir);

impl Dir {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }
    pub fn file(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }
}

impl Server {
    /// `wallet` at this server, as the wallet `shop`.
    pub fn cli(&self, args: &[&str]) -> Command {
        let mut program = program();
        program.env("HEADLESS_URL", self.url()).env("HEADLESS_WALLET_ID", "shop");
        program.arg("wallet").args(args);
        program
    }
    async fn wallet(&self, args: &[&str]) -> Ended {
        run(self.cli(args), "").await
    }
    /// `wallet` at this server, as the wallet of this id.
    pub async fn wallet_of(&self, id: &str, args: &[&str]) -> Ended {
        wallet(&[&["--wallet-id", id, "--url", &self.url()], args].concat()).await
    }
    /// What the genesis wallet's command prints, which must succeed.
    pub async fn printed(&self, args: &[&str]) -> String {
        printed(self.wallet_of("genesis", args).await)
    }
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
    /// The JSON of an operation that must succeed.
    async fn wallet_json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&printed(self.wallet(&[args, &["--json"]].concat()).await)).unwrap()
    }
    /// The hash of what an operation of the command line has sent.
    async fn wallet_sends(&self, args: &[&str]) -> String {
        self.wallet_json(args).await["hash"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn a_wallet_from_its_words_to_its_end() {
    let server = Server::with_wallet().await;
    let dir = Dir::new();
    let words = dir.file("words.txt");
    assert_eq!(
        server.wallet(&["new", "--out", &words]).await,
        fine(&format!(
            "24 new words are in {words}. Keep a copy on paper: whoever has them has the wallet's money, and without them \
             it is lost."
        ))
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&words).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(server.wallet(&["start", "--seed-file", &words]).await, fine("Wallet shop is ready."));
    let node = server.devnet.node_url().replace("://", "://me:hush@");
    let shown = server.app.config().server.to_string();
    assert_ne!(shown, node);
    assert_eq!(
        server.wallet(&["status"]).await,
        fine(&format!(
            "state        Ready\nnetwork      privatenet\nfull node    {shown}\nits version  0.71.0-devnet-0.1.0"
        ))
    );
    assert_eq!(server.wallet(&["history"]).await, fine("No transactions."));
    assert_eq!(server.wallet(&["utxos"]).await, fine("No unspent outputs."));

    // Paid by somebody else.
    let first = printed(server.wallet(&["address", "--new"]).await);
    let first = first.trim_end();
    let second = server.wallet_json(&["address"]).await["address"].as_str().unwrap().to_owned();
    assert_eq!(server.wallet(&["address", "--index", "1"]).await, fine(&second));
    let paid = server.done("simple-send-tx", json!({"address": first, "value": 1_234})).await;
    let paid = paid["hash"].as_str().unwrap();
    assert_eq!(server.wallet(&["balance"]).await, fine("available  12.34 HTR\nlocked     0.00 HTR"));
    let index = server.wallet_json(&["utxos"]).await["utxos"][0]["index"].to_string();
    let output = format!("{paid}:{index}");
    assert_eq!(
        server.wallet(&["utxos", "--amount-bigger-than", "12.33", "--token", "HTR"]).await,
        fine(&format!(
            "AMOUNT  {:34}  {:66}  STATE\n 12.34  {first}  {output}\n\navailable  12.34 HTR in 1 output",
            "ADDRESS", "OUTPUT"
        ))
    );
    assert_eq!(
        server.wallet(&["address-info", first]).await,
        fine(
            "index      0\ntoken      HTR\nreceived   12.34 HTR\nsent       0.00 HTR\navailable  12.34 HTR\nlocked     0.00 HTR"
        )
    );

    // Paying.
    let pay = ["send", "WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6", "0.34", "--change", &second];
    let out = printed(server.wallet(&pay).await);
    let sent = out.lines().next().unwrap().strip_prefix("transaction  ").unwrap();
    let mut lines: Vec<_> = out.lines().collect();
    lines[3..].sort_unstable();
    let transaction = format!("transaction  {sent}");
    let change = format!(" 12.00  HTR    {second} (this wallet)");
    let table = ["AMOUNT  TOKEN  TO", "  0.34  HTR    WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6", &change];
    assert_eq!(lines, [&*transaction, "", table[0], table[1], table[2]]);

    // A token, part of which is melted again.
    let created = server.wallet_json(&["create-token", "Tour Token", "TOUR", "100.00"]).await;
    let token = created["hash"].as_str().unwrap();
    let tour = named("TOUR", token);
    let has_of_it = |amount: &str| fine(&format!("available  {amount} {tour}\nlocked     0.00 {tour}"));
    for name in [token, &token[..8], "TOUR"] {
        assert_eq!(server.wallet(&["balance", "--token", name]).await, has_of_it("100.00"));
    }
    assert_eq!(
        server.wallet(&["token", token]).await,
        fine(created["configurationString"].as_str().unwrap())
    );
    let melted = server.wallet_sends(&["melt", "TOUR", "5.00"]).await;
    let minted = server.wallet_sends(&["mint", token, "1.00"]).await;
    assert_eq!(server.wallet(&["balance", "--token", token]).await, has_of_it("96.00"));

    // All of it. (Newest first, but some of these seconds had several.)
    let out = printed(server.wallet(&["history", "--all"]).await);
    // Without the times.
    let cells = |line: &str| line.split_whitespace().skip(2).map(str::to_owned).collect::<Vec<_>>().join(" ");
    let mut lines: Vec<_> = out.lines().map(cells).collect();
    let mut expected = [
        "AMOUNT TOKEN TRANSACTION NOTE".to_owned(),
        format!("-0.01 HTR {minted}"),
        format!("1.00 {tour} {minted}"),
        format!("0.05 HTR {melted}"),
        format!("-5.00 {tour} {melted}"),
        format!("-1.00 HTR {token} creates Tour Token (TOUR)"),
        format!("100.00 {tour} {token} creates Tour Token (TOUR)"),
        format!("-0.34 HTR {sent}"),
        format!("12.34 HTR {paid}"),
    ];
    lines.sort_unstable();
    expected.sort_unstable();
    assert_eq!(lines, expected);

    let out = printed(server.wallet(&["tx", sent]).await);
    let has = |line: &str| assert!(out.lines().any(|l| l.trim() == line), "{line} is not in\n{out}");
    has(&format!("transaction  {sent}"));
    has(&format!("12.34  HTR    {first}  mine   {output}"));
    has("0.34  HTR    WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6");
    has(&format!("12.00  HTR    {second}  change  {token}"));
    assert_eq!(server.wallet(&["confirmations", sent]).await, fine("Not confirmed by a block yet."));
    // Named by the beginning of its id, in either case, wherever it is one of the history.
    let beginning = &sent[..16];
    assert_eq!(server.wallet(&["tx", &beginning.to_uppercase()]).await, fine(out.trim_end()));
    assert_eq!(server.wallet(&["confirmations", beginning]).await, fine("Not confirmed by a block yet."));
    let before = async |id: &str| server.wallet(&["history", "--before", id]).await;
    assert_eq!(before(beginning).await, before(sent).await);
    let utxo = server.wallet_json(&["utxos", "--max-utxos", "1"]).await["utxos"][0].clone();
    let spent = utxo["tx_id"].as_str().unwrap();
    let (pay, input) = (format!("{second}:0.01"), format!("{}:{}", &spent[..16], utxo["index"]));
    let built = server.wallet_json(&["build-tx", "--to", &pay, "--input", &input]).await;
    assert!(built["txHex"].as_str().unwrap().contains(spent), "{built}");

    assert_eq!(server.wallet(&["stop"]).await, fine("Done."));
    assert_eq!(
        server.wallet(&["balance"]).await,
        failed(
            "Invalid wallet id parameter. No wallet \"shop\" is started there: `headless-wallet wallet start --wallet-id \
             shop` starts it."
        )
    );
    server.shutdown().await;
}

#[tokio::test]
async fn json_is_the_servers_answer_to_the_byte() {
    let server = Server::with_wallet().await;
    let address = server.address(0).await;
    let genesis = server.read("/wallet/tx-history?limit=1").await[0]["tx_id"].as_str().unwrap().to_owned();
    for (args, path) in [
        (vec!["balance"], "/wallet/balance".to_owned()),
        (vec!["addresses"], "/wallet/addresses".to_owned()),
        (vec!["address-info", &address], format!("/wallet/address-info?address={address}")),
        (vec!["utxos", "--max-utxos", "2"], "/wallet/utxo-filter?max_utxos=2".to_owned()),
        (vec!["history", "--all"], "/wallet/tx-history".to_owned()),
        (vec!["tx", &genesis], format!("/wallet/transaction?id={genesis}")),
        (vec!["status"], "/wallet/status".to_owned()),
        // Refusals too.
        (vec!["tx", "00"], "/wallet/transaction?id=00".to_owned()),
        (vec!["balance", "--token", "no & such?"], "/wallet/balance?token=no+%26+such%3F".to_owned()),
    ] {
        let args = [&["--wallet-id", "genesis", "--json"], &args[..]].concat();
        let answer = server.get(&path).await;
        let code = i32::from(answer.json()["success"] == json!(false));
        assert_eq!(server.wallet(&args).await, (code, answer.text + "\n", String::new()), "{args:?}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn words_that_are_wrong_and_servers_that_are_others() {
    let server = Server::with_wallet().await;
    let dir = Dir::new();
    let (wrong, unknown) = (dir.file("wrong"), dir.file("unknown"));
    new_file(&wrong, &"abandon ".repeat(24));
    new_file(&unknown, &"abandon ".repeat(23).replacen("abandon", "Hathor", 2).replace("Hathor ", "xyzzy, "));
    let table: [(&[&str], &str); 2] = [
        (&["start", "--seed-file", &wrong], "Invalid seed: Invalid sequence of words."),
        (&["start", "--seed-file", &unknown], "Invalid seed: Must have 24 words."),
    ];
    for (args, error) in table {
        assert_eq!(server.wallet(args).await, failed(error), "{args:?}");
    }
    new_file(&unknown, &["Hathor ", &"abandon ".repeat(22), "xyzzy"].concat());
    assert_eq!(
        server.wallet(&["start", "--seed-file", &unknown]).await,
        failed("Invalid seed: Invalid words. Not in the English list: number 1, number 24.")
    );
    let elsewhere = ask(&format!("http://{}/elsewhere/", server.address), &["balance"]).await;
    let unknown = "the server does not know this request: check --url and the id in the command, if it has one; or the \
                   server is an older release";
    assert_eq!(elsewhere, failed(unknown));
    server.shutdown().await;
}

/// A file that nobody else may read, so that nobody is warned of.
pub fn new_file(path: &str, text: &str) {
    let _ = fs::remove_file(path);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    std::io::Write::write_all(&mut options.open(path).unwrap(), text.as_bytes()).unwrap();
}

#[tokio::test]
async fn a_repetition_sends_once() {
    let server = Server::with_wallet().await;
    let cli = async |args: &[&str]| server.wallet_of("genesis", args).await;
    let before = server.read("/wallet/tx-history").await;
    let args = ["send-data", "once and for all", "--idempotency-key", "seven", "--json"];
    let first = printed(cli(&args).await);
    assert_eq!(printed(cli(&args).await), first);
    let history = server.read("/wallet/tx-history").await;
    assert_eq!(history.as_object().unwrap().len(), before.as_object().unwrap().len() + 1);
    let args = ["send-data", "something else", "--idempotency-key", "seven"];
    assert_eq!(
        cli(&args).await,
        failed("This Idempotency-Key was used with another request: use a new key for each request.")
    );
    server.shutdown().await;
}

#[tokio::test]
async fn keys_and_first_addresses_are_shown_where_the_server_asks() {
    let server = Server::start_with("api_key = 'open sesame'\nconfirm_first_address = true").await;
    let dir = Dir::new();
    let key = dir.file("key");
    new_file(&key, "open sesame\n");
    let first = "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f";
    let start = ["start", "--seed-key", "genesis", "--api-key-file", &key, "--first-address", first];
    assert_eq!(server.wallet(&start).await, fine("Wallet shop is ready."));
    let cli = |args: &[&str]| server.cli(&[&["balance"], args].concat());
    assert_eq!(
        run(cli(&[]), "").await,
        failed("Missing X-API-KEY header. Set HEADLESS_API_KEY, or give --api-key-file.")
    );
    assert_eq!(
        run(cli(&["--api-key-file", &key]), "").await,
        failed(&format!(
            "Wrong first address. This wallet's first address is: {first}: Give it as --first-address."
        ))
    );
    let rich = fine("available  1000000000.00 HTR\nlocked     0.00 HTR");
    assert_eq!(run(cli(&["--api-key-file", &key, "--first-address", first]), "").await, rich);
    let mut by_environment = cli(&[]);
    by_environment.env("HEADLESS_API_KEY", "open sesame").env("HEADLESS_FIRST_ADDRESS", first);
    assert_eq!(run(by_environment, "").await, rich);
    server.shutdown().await;
}

#[tokio::test]
async fn a_wallet_that_loads_is_waited_for_or_not() {
    let server = Server::start().await;
    let slow = NodeFaults { mode: NodeMode::Slow, path: "ws".to_owned(), ..NodeFaults::default() };
    server.devnet.set_node_faults(slow);
    assert_eq!(
        server.wallet(&["start", "--seed-key", "genesis", "--no-wait"]).await,
        fine("Wallet shop is loading: `headless-wallet wallet status` says when it is ready.")
    );
    let not_ready = "Wallet is not ready. It is Connecting. Try again in a moment.".to_owned();
    assert_eq!(server.wallet(&["status"]).await, failed(&not_ready));
    assert_eq!(server.wallet(&["balance"]).await, failed(&not_ready));
    assert_eq!(
        server.wallet(&["start", "--seed-key", "genesis", "--wallet-id", "other", "--timeout", "1"]).await,
        failed(&(not_ready + " (Nothing has changed for 1 s.)"))
    );
    assert_eq!(server.wallet(&["stop", "--wallet-id", "other"]).await, fine("Done."));
    server.devnet.set_node_faults(NodeFaults::default());
    server.app.wallets().get("shop").unwrap().ready().await;
    assert_eq!(server.wallet(&["address", "--index", "0"]).await, fine("WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f"));
    server.shutdown().await;
}

/// What `wallet` says about the server at `address`.
async fn ask(address: &str, args: &[&str]) -> Ended {
    wallet(&[&["--url", address, "--wallet-id", "shop"], args].concat()).await
}

#[tokio::test]
async fn words_of_a_server_are_cut_and_cleaned() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let _ = connection.read(&mut [0; 4_096]).await.unwrap();
        let body = format!(r#"{{"success":false,"error":"no\n\u001b[31m\u202e{}"}}"#, "x".repeat(5_000));
        let length = body.len();
        let answer =
            format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
        connection.write_all(answer.as_bytes()).await.unwrap();
    });
    let (code, out, err) = ask(&url, &["balance"]).await;
    server.await.unwrap();
    assert_eq!((code, &*out), (1, ""));
    assert!(err.starts_with("error: no \u{fffd}[31m\u{fffd}xxx") && err.ends_with("x …\n"), "{err:?}");
    assert!(err.len() < 1_100, "{}", err.len());
}

#[tokio::test]
async fn servers_that_are_not_there_or_say_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    // It takes connections, and that is all.
    let url = format!("http://me:hush@127.0.0.1:{port}/wallets/");
    let shown = format!("the server at http://127.0.0.1:{port}/wallets/");
    assert_eq!(
        ask(&url, &["balance", "--timeout", "1"]).await,
        failed(&format!("{shown}: no answer within 1 s. Try again, or wait longer with --timeout."))
    );
    let push = ["push", "00", "--timeout", "1", "--idempotency-key", "seven"];
    assert_eq!(
        ask(&url, &push).await,
        failed(&format!(
            "{shown}: no answer within 1 s. The transaction may have been sent anyway: check `headless-wallet wallet history` before you send it \
             again. Repeating the command with --idempotency-key seven sends nothing twice: as long as the server runs, and after that if \
             it has a data directory."
        ))
    );
    drop(listener);
    let nobody = format!(
        "{shown}: no connection: Connection refused. Start it with `headless-wallet serve`, or name another with --url."
    );
    assert_eq!(ask(&url, &["balance"]).await, failed(&nobody));
    let json = json!({"success": false, "error": nobody}).to_string() + "\n";
    assert_eq!(ask(&url, &["balance", "--json"]).await, (1, json, String::new()));
    // Words are not for everybody on the way.
    assert_eq!(
        ask("http://wallets.example/", &["start"]).await,
        failed(
            "the server at http://wallets.example/: the words would be sent there unencrypted. Use https, or words that the server keeps \
             (--seed-key), or give --allow-plain-http if nobody else can listen on that network."
        )
    );
}
