//! The command line at a terminal: hidden words, questions, Ctrl-C, readers that have seen enough, narrow
//! windows, completions.

use super::command_line::{BINARY, Dir, fine, printed, program, run};
use super::support::{GENESIS_WORDS, Server};
use serde_json::json;
use std::path::Path;
use std::process::Stdio;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};

/// The program at a terminal of its own, which shows what a person would see.
pub(super) struct Terminal {
    child: Child,
    seen: String,
}

impl Terminal {
    pub(super) fn open(command: &str, variables: &[(&str, &str)]) -> Self {
        let mut script = Command::new("script");
        script.args(["--quiet", "--return", "--command"]);
        script.args([&format!("tty; exec {BINARY} {command}"), "/dev/null"]);
        script.env_clear().env("PATH", "/usr/bin:/bin").env("TERM", "dumb").envs(variables.iter().copied());
        script.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        Self { child: script.spawn().unwrap(), seen: String::new() }
    }
    /// All that was seen so far.
    pub(super) fn seen(&self) -> &str {
        &self.seen
    }
    /// Reads on until this is seen.
    pub(super) async fn until(&mut self, text: &str) {
        let stdout = self.child.stdout.as_mut().unwrap();
        while !self.seen.contains(text) {
            let mut bytes = [0; 4096];
            let count = stdout.read(&mut bytes).await.unwrap();
            assert_ne!(count, 0, "{text:?} was not seen, but {:?}", self.seen);
            self.seen += std::str::from_utf8(&bytes[..count]).unwrap();
        }
    }
    /// Waits until what is typed is not shown.
    pub(super) async fn hidden(&mut self) {
        let tty = self.seen.lines().next().unwrap().trim().to_owned();
        loop {
            let mut stty = Command::new("stty");
            stty.args(["--file", &tty, "--all"]);
            let settings = printed(run(stty, "").await);
            if settings.split_whitespace().any(|setting| setting == "-echo") {
                return;
            }
        }
    }
    pub(super) async fn type_in(&mut self, text: &str) {
        self.child.stdin.as_mut().unwrap().write_all(text.as_bytes()).await.unwrap();
    }
    /// Its exit code and all that was seen after the terminal's name, with ordinary ends of lines.
    pub(super) async fn end(mut self) -> (i32, String) {
        let mut rest = String::new();
        self.child.stdout.as_mut().unwrap().read_to_string(&mut rest).await.unwrap();
        let code = self.child.wait().await.unwrap().code().unwrap();
        let seen = (self.seen + &rest).replace("\r\n", "\n");
        (code, seen.split_once('\n').unwrap().1.to_owned())
    }
}

const ASKS: &str = "The wallet's 24 words (they are not shown): ";

#[tokio::test]
async fn words_are_asked_for_and_not_shown() {
    let server = Server::start().await;
    let url = server.url();
    let variables = [("HEADLESS_URL", &*url), ("HEADLESS_WALLET_ID", "shop")];
    let mut terminal = Terminal::open("wallet start", &variables);
    terminal.until(ASKS).await;
    terminal.hidden().await;
    terminal.type_in(&format!("{GENESIS_WORDS}\n")).await;
    assert_eq!(terminal.end().await, (0, format!("{ASKS}\nWallet shop is ready.\n")));

    // And with Ctrl-C instead.
    let mut terminal = Terminal::open("wallet start", &variables);
    terminal.until(ASKS).await;
    terminal.hidden().await;
    terminal.type_in("avocado spot\x03").await;
    assert_eq!(terminal.end().await, (130, format!("{ASKS}\nerror: interrupted: nothing was sent\n")));
    server.shutdown().await;
}

#[tokio::test]
async fn a_send_is_asked_for_with_what_it_costs() {
    let server = Server::with_wallet().await;
    let url = server.url();
    let variables = [("HEADLESS_URL", &*url), ("HEADLESS_WALLET_ID", "genesis")];
    let create = "wallet create-token Coffee CFE 10.00";
    let question = &format!(
        "network  privatenet\nwallet   genesis at {url}\ndeposit  0.10 HTR\ncost     0.10 HTR\nCreate the token Coffee (CFE), 10.00 of it? [y/N] "
    );
    let before = server.read("/wallet/tx-history").await;
    for no in ["n\n", "\n", "yes!\n", "\x04"] {
        let mut terminal = Terminal::open(create, &variables);
        terminal.until("[y/N] ").await;
        terminal.type_in(no).await;
        let (code, seen) = terminal.end().await;
        let answer = if no == "\x04" { "" } else { no };
        let refused = "error: nothing was sent: the question was not answered with yes\n";
        assert_eq!((code, seen), (1, format!("{question}{answer}{refused}")));
    }
    let mut terminal = Terminal::open(create, &variables);
    terminal.until("[y/N] ").await;
    terminal.type_in("\x03").await;
    assert_eq!(terminal.end().await, (130, format!("{question}^Cerror: interrupted: nothing was sent\n")));
    assert_eq!(server.read("/wallet/tx-history").await, before);

    let mut terminal = Terminal::open(&format!("{create} --json"), &variables);
    terminal.until("[y/N] ").await;
    terminal.type_in("y\n").await;
    let (code, seen) = terminal.end().await;
    let json = seen.strip_prefix(&format!("{question}y\n")).unwrap();
    assert_eq!(
        (code, &serde_json::from_str::<serde_json::Value>(json).unwrap()["symbol"]),
        (0, &json!("CFE"))
    );
    // Without a question.
    let (code, seen) = Terminal::open("wallet send-data hello --yes", &variables).end().await;
    assert_eq!((code, seen.split_once("  ").unwrap().0), (0, "transaction"));
    server.shutdown().await;
}

#[tokio::test]
async fn results_are_coloured_at_a_terminal_that_has_colours_and_where_they_are_wanted() {
    let server = Server::with_wallet().await;
    let url = server.url();
    let place = [("HEADLESS_URL", &*url), ("HEADLESS_WALLET_ID", "genesis")];
    assert_eq!(Terminal::open("wallet send-data hello --yes", &place).end().await.0, 0);
    let shown = async |variables: &[(&str, &str)]| {
        let (code, seen) =
            Terminal::open("wallet history --limit 1", &[&place, variables].concat()).end().await;
        assert_eq!(code, 0, "{seen}");
        seen
    };
    let dumb = shown(&[]).await;
    assert!(!dumb.contains('\x1b') && dumb.contains("-0.01"), "{dumb}");
    let coloured = shown(&[("TERM", "xterm-256color")]).await;
    assert!(coloured.contains("\x1b[1mTIME") && coloured.contains("\x1b[31m -0.01\x1b[0m"), "{coloured:?}");
    assert_eq!(shown(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")]).await, dumb);
    server.shutdown().await;
}

#[tokio::test]
async fn transactions_in_tables_are_short_at_a_terminal_and_whole_elsewhere() {
    let server = Server::with_wallet().await;
    let url = server.url();
    let place = [("HEADLESS_URL", &*url), ("HEADLESS_WALLET_ID", "genesis")];
    let newest = server.read("/wallet/tx-history?limit=1").await[0]["tx_id"].clone();
    let utxo = server.read("/wallet/utxo-filter?max_utxos=1").await["utxos"][0]["tx_id"].clone();
    let short = |id: &str| {
        let zeros = id.len() - id.trim_start_matches('0').len();
        id[..zeros + 8].to_owned()
    };
    let (id, spent) = (newest.as_str().unwrap(), utxo.as_str().unwrap());
    let (code, seen) = Terminal::open("wallet history --limit 1", &place).end().await;
    assert_eq!(code, 0, "{seen}");
    assert!(seen.split_whitespace().any(|word| word == short(id)) && !seen.contains(id), "{seen}");
    let (code, seen) = Terminal::open("wallet utxos --max-utxos 1", &place).end().await;
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains(&format!(" {}:", short(spent))) && !seen.contains(spent), "{seen}");
    let csv = Terminal::open("wallet history --limit 1 --output csv", &place).end().await;
    assert!(csv.1.contains(id), "{}", csv.1);
    // What is named by it is shown whole.
    let (code, seen) = Terminal::open(&format!("wallet tx {}", short(id)), &place).end().await;
    assert_eq!((code, seen.lines().next().unwrap()), (0, &*format!("transaction  {id}")));
    server.shutdown().await;
}

#[tokio::test]
async fn what_is_watched_is_shown_again_when_it_has_changed() {
    let server = Server::with_wallet().await;
    let url = server.url();
    let variables = [("HEADLESS_URL", &*url), ("HEADLESS_WALLET_ID", "genesis")];
    let mut terminal = Terminal::open("wallet balance --watch=1", &variables);
    terminal.until("1000000000.00 HTR").await;
    assert_eq!(Terminal::open("wallet send-data hello --yes", &variables).end().await.0, 0);
    terminal.until("999999999.99 HTR").await;
    assert_eq!(terminal.seen().matches("1000000000.00 HTR").count(), 1);
    terminal.type_in("\x03").await;
    assert_eq!(terminal.end().await.0, 0);
    server.shutdown().await;
}

/// Sends the signal of Ctrl-C.
async fn interrupt(child: &Child) {
    let kill = Command::new("kill").args(["-INT", &child.id().unwrap().to_string()]).status().await.unwrap();
    assert!(kill.success());
}

/// Ctrl-C once the program has begun to talk to somebody who doesn't answer.
async fn interrupted(args: &[&str], flag: &str) -> (i32, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let mut program = program();
    program.arg("wallet").args(args).args([flag, &url]);
    program.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    child.stdin.take().unwrap().write_all(GENESIS_WORDS.as_bytes()).await.unwrap();
    let (mut connection, _) = listener.accept().await.unwrap();
    assert_ne!(connection.read(&mut [0; 100]).await.unwrap(), 0);
    interrupt(&child).await;
    let output = child.wait_with_output().await.unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[tokio::test]
async fn ctrl_c_says_what_may_have_been_sent() {
    let nothing = (130, "error: interrupted: nothing was sent\n".to_owned());
    assert_eq!(interrupted(&["balance", "--wallet-id", "shop"], "--url").await, nothing);
    let words = ["balance", "--direct", "--network", "privatenet", "--seed-file", "-"];
    let direct = [&words[..], &["--mining-url", "http://127.0.0.1:1"]].concat();
    assert_eq!(interrupted(&direct, "--node-url").await, nothing);
    assert_eq!(
        interrupted(&["push", "00"], "--url").await,
        (
            130,
            "error: interrupted while sending. The transaction may have been sent anyway: check `headless-wallet wallet history` before \
             you send it again.\n"
                .to_owned()
        )
    );
}

#[tokio::test]
async fn a_narrow_terminal_gets_a_line_for_each_cell() {
    let server = Server::with_wallet().await;
    let history = |columns: &str| {
        let mut program = program();
        program.args(["wallet", "history", "--url", &format!("http://{}", server.address)]);
        program.args(["--wallet-id", "genesis"]).env("COLUMNS", columns);
        run(program, "")
    };
    let hash = server.read("/wallet/tx-history?limit=1").await[0]["tx_id"].as_str().unwrap().to_owned();
    let narrow = format!(
        "time (UTC)   2022-02-03 15:37:45\namount       1000000000.00\ntoken        HTR\ntransaction  {hash}\n"
    );
    let wide = format!(
        "TIME (UTC)                  AMOUNT  TOKEN  {:64}  NOTE\n2022-02-03 15:37:45  1000000000.00  HTR    {hash}\n",
        "TRANSACTION"
    );
    assert_eq!(printed(history("112").await), narrow);
    assert_eq!(printed(history("113").await), wide);
    server.shutdown().await;
}

#[tokio::test]
async fn a_reader_that_has_seen_enough_is_no_failure() {
    let table: [(&[&str], i32); 6] = [
        (&["completions", "bash"], 0),
        (&["wallet", "new"], 0),
        (&["--help"], 0),
        (&["wallet", "--help"], 0),
        (&["wallet", "balance", "--url", "http://127.0.0.1:1"], 1),
        (&["wallet", "balance", "--seed-key", "main"], 2),
    ];
    for (args, code) in table {
        let mut program = program();
        program.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = program.spawn().unwrap();
        drop((child.stdout.take(), child.stderr.take()));
        // A panic would have a code of its own.
        assert_eq!(child.wait().await.unwrap().code(), Some(code), "{args:?}");
    }
}

#[tokio::test]
async fn completions_are_what_the_shells_read() {
    let dir = Dir::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let mut program = program();
        program.args(["completions", shell]);
        let script = printed(run(program, "").await);
        assert!(script.contains("HEADLESS_WALLET_COMPLETE") && script.len() < 2_000, "{shell}: {script}");
        if shell != "bash" {
            continue;
        }
        let path = dir.file("completions.bash");
        std::fs::write(&path, script).unwrap();
        let folder = Path::new(BINARY).parent().unwrap().display();
        // As bash would, at the end of these lines.
        for (words, expected) in [
            ("comp", "completions"),
            ("wallet create-", "create-token create-nft"),
            ("wallet propose-m", "propose-mint propose-melt"),
            ("wallet sign-and-push --dry", "--dry-run"),
            ("wallet melt --dep", "--deposit-address"),
            ("wallet send --dry-run --ye", "--yes"),
        ] {
            let given = words.rsplit(' ').next().unwrap();
            let ask = format!(
                "PATH={folder}:$PATH; source {path}; COMP_WORDS=(headless-wallet {words}); \
                 COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMP_TYPE=9; \
                 _clap_complete_headless_wallet headless-wallet {given} before; echo ${{COMPREPLY[*]}}"
            );
            let mut bash = Command::new("bash");
            bash.args(["-c", &ask]);
            assert_eq!(run(bash, "").await, fine(expected), "{words}");
        }
    }
}
