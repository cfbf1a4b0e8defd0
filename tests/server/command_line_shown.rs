//! What strangers wrote, as the command line shows it: it moves no cursor, hides nothing and begins no line
//! of its own.

use super::command_line::{failed, printed, program, run, wallet};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Clears the screen, begins a line, turns the text around, and erases what stands before.
const WILD: &str = "a\x1b[2J\nb\u{202e}c\u{9b}1K\td";
const TAME: &str = "a\u{fffd}[2J b\u{fffd}c\u{fffd}1K d";

/// A server that answers each path with the same JSON whenever it is asked.
async fn server(answers: Vec<(&'static str, Value)>) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let serve = async move {
        loop {
            let (mut connection, _) = listener.accept().await.unwrap();
            let mut head = Vec::new();
            while !head.windows(4).any(|end| end == b"\r\n\r\n") {
                assert_ne!(connection.read_buf(&mut head).await.unwrap(), 0);
            }
            let head = String::from_utf8(head).unwrap();
            let path = head.split([' ', '?']).nth(1).unwrap();
            let (_, body) =
                answers.iter().find(|(known, _)| *known == path).unwrap_or_else(|| panic!("{head}"));
            let body = body.to_string();
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            connection.write_all((head + &body).as_bytes()).await.unwrap();
        }
    };
    (url, tokio::spawn(serve))
}

/// What a command shows on a terminal of so many columns.
async fn shown(args: &[&str], columns: &str, answers: Vec<(&'static str, Value)>) -> String {
    let (url, server) = server(answers).await;
    let mut program = program();
    program.args(["wallet", "--url", &url, "--wallet-id", "shop"]).args(args).env("COLUMNS", columns);
    let ended = run(program, "").await;
    server.abort();
    printed(ended)
}

#[tokio::test]
async fn names_with_values_are_cleaned() {
    let status = json!({
        "success": true, "statusCode": 3, "statusMessage": WILD, "network": WILD, "serverUrl": WILD,
        "serverInfo": {"version": WILD}, "error": null,
    });
    let expected =
        format!("state        {TAME}\nnetwork      {TAME}\nfull node    {TAME}\nits version  {TAME}\n");
    assert_eq!(shown(&["status"], "200", vec![("/wallet/status", status)]).await, expected);
    let warned = json!({"statusMessage": "Ready", "warnings": [{"message": WILD}, {"message": "two"}]});
    assert_eq!(
        shown(&["status"], "200", vec![("/wallet/status", warned)]).await,
        format!("state    Ready\nwarning  {TAME}\nwarning  two\n")
    );
    // What should be a number is none.
    let balance = json!({"available": [WILD], "locked": 0});
    let out =
        shown(&["balance", "--token", &"ab".repeat(32)], "200", vec![("/wallet/balance", balance)]).await;
    let uid = "ab".repeat(32);
    let number = "[\"a\\u001b[2J\\nb\u{fffd}c\u{fffd}1K\\td\"]";
    assert_eq!(out, format!("available  {number} {uid}\nlocked     0.00 {uid}\n"));
}

#[tokio::test]
async fn json_says_the_same_in_escapes() {
    let answer = || json!({"success": true, "addresses": [WILD]});
    let answers = vec![("/wallet/addresses", answer())];
    let out = shown(&["addresses", "--json"], "200", answers).await;
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap(), answer());
    let list = r#"["a\u001b[2J\nb\u202ec\u009b1K\td"]"#;
    assert_eq!(out, format!("{{\"addresses\":{list},\"success\":true}}\n"));
    let refused = json!({"success": false, "error": WILD});
    let (url, server) = server(vec![("/wallet/addresses", refused)]).await;
    let (code, out, _) = wallet(&["--url", &url, "--wallet-id", "shop", "addresses", "--json"]).await;
    server.abort();
    let error = r#""a\u001b[2J\nb\u202ec\u009b1K\td""#;
    assert_eq!((code, out), (1, format!("{{\"error\":{error},\"success\":false}}\n")));
}

#[tokio::test]
async fn an_xpub_that_a_server_gives_is_cleaned() {
    let answer = json!({"success": true, "xpubkey": WILD});
    let command = ["multisig-pubkey", "--seed-key", "genesis"];
    assert_eq!(shown(&command, "200", vec![("/multisig-pubkey", answer)]).await, format!("{TAME}\n"));
}

#[tokio::test]
async fn cells_of_tables_are_cleaned_in_both_forms() {
    let utxos = || {
        let utxo = json!({"address": WILD, "amount": 5, "tx_id": WILD, "index": 0, "locked": false});
        vec![("/wallet/utxo-filter", json!({"success": true, "utxos": [utxo]}))]
    };
    let table = format!("AMOUNT  ADDRESS         OUTPUT            STATE\n  0.05  {TAME}  {TAME}:0\n");
    assert_eq!(shown(&["utxos"], "200", utxos()).await, table);
    let records = format!("amount   0.05\naddress  {TAME}\noutput   {TAME}:0\n");
    assert_eq!(shown(&["utxos"], "40", utxos()).await, records);
}

#[tokio::test]
async fn names_of_tokens_and_texts_of_the_ledger_are_cleaned() {
    let entry = json!({
        "tx_id": WILD, "timestamp": 0, "weight": 1.5, "is_voided": false, "token_name": WILD, "token_symbol": WILD,
        "inputs": [],
        "outputs": [
            {"value": 5, "token_data": 0, "token": WILD, "decoded": {"address": WILD, "timelock": null}, "spent_by": WILD},
            {"value": 1, "token_data": 0, "token": "00", "decoded": {"data": WILD}, "spent_by": null},
        ],
    });
    let answers = || {
        vec![
            ("/wallet/tx-history", json!([entry])),
            ("/wallet/transaction", entry.clone()),
            ("/wallet/addresses", json!({"addresses": [WILD]})),
        ]
    };
    let history = format!(
        "TIME (UTC)           AMOUNT  TOKEN  TRANSACTION     NOTE\n\
         1970-01-01 00:00:00                 {TAME}  creates {TAME} ({TAME})\n"
    );
    assert_eq!(shown(&["history", "--limit", "1"], "200", answers()).await, history);
    let transaction = format!(
        "transaction  {TAME}\ntime (UTC)   1970-01-01 00:00:00\nweight       1.5\ncreates      {TAME} ({TAME})\n\n\
         No inputs.\n\n\
         \x20OUT  TOKEN           TO                     WHOSE  SPENT BY\n\
         0.05  {TAME}  {TAME}                {TAME}\n\
         0.01  HTR             text \"{TAME}\"\n"
    );
    assert_eq!(shown(&["tx", &"ab".repeat(32)], "200", answers()).await, transaction);
}

#[tokio::test]
async fn a_long_text_makes_records_of_a_narrow_table_and_is_whole() {
    let long = "x".repeat(5_000);
    let addresses = || vec![("/wallet/addresses", json!({"addresses": ["W", long]}))];
    let records = format!("index    0\naddress  W\n\nindex    1\naddress  {long}\n");
    assert_eq!(shown(&["addresses"], "80", addresses()).await, records);
    let table = format!("INDEX  ADDRESS\n    0  W\n    1  {long}\n");
    assert_eq!(shown(&["addresses"], "5007", addresses()).await, table);
}

#[tokio::test]
async fn texts_that_were_sent_are_cleaned() {
    let script = [&[u8::try_from(WILD.len()).unwrap()], WILD.as_bytes(), &[0xac]].concat();
    let output = json!({"value": 1, "token_data": 0, "script": {"type": "Buffer", "data": script}});
    let answers = vec![
        ("/wallet/send-tx", json!({"success": true, "hash": WILD, "outputs": [output]})),
        ("/wallet/status", json!({"statusCode": 3, "network": "mainnet"})),
        ("/wallet/addresses", json!({"addresses": []})),
    ];
    let sent = format!("transaction  {TAME}\n\nAMOUNT  TOKEN  TO\n  0.01  HTR    text \"{TAME}\"\n");
    assert_eq!(shown(&["send-data", "x"], "200", answers).await, sent);
}

#[tokio::test]
async fn trouble_of_a_wallet_that_loads_is_cleaned() {
    let status = json!({
        "success": false, "message": "Wallet is not ready.", "statusCode": 1, "statusMessage": "Connecting", "error": WILD,
    });
    let (url, server) = server(vec![("/start", json!({"success": true})), ("/wallet/status", status)]).await;
    let start = ["--url", &url, "--wallet-id", "shop", "start", "--seed-key", "x", "--timeout", "1"];
    let (code, out, err) = wallet(&start).await;
    server.abort();
    assert_eq!((code, &*out), (1, ""));
    let (told, error) = err.split_once('\n').unwrap();
    assert_eq!(told, format!("Connecting: {TAME}"));
    assert!(error.starts_with("error: ") && error.contains(TAME), "{error}");
    assert!(!error.trim_end().contains(char::is_control), "{error:?}");
}

#[tokio::test]
async fn a_beginning_of_no_transaction_or_of_several_is_refused() {
    let id = |beginning: &str, rest: &str| format!("{beginning}{}", rest.repeat(64 - beginning.len()));
    let ids = [id("00ab", "1"), id("00ab", "2"), id("00cd", "3")];
    let history: Vec<_> = ids.iter().map(|id| json!({"tx_id": id})).collect();
    let unknown = json!({"success": false, "error": "Wallet does not contain transaction with id 00ee."});
    let answers =
        || vec![("/wallet/tx-history", json!(history)), ("/wallet/tx-confirmation-blocks", unknown.clone())];
    let asked = async |args: &[&str]| {
        let (url, server) = server(answers()).await;
        let ended = wallet(&[&["--url", &url, "--wallet-id", "shop", "confirmations"], args].concat()).await;
        server.abort();
        ended
    };
    let several =
        format!("2 transactions of this wallet begin with 00AB, so give more digits: {}, {}", ids[0], ids[1]);
    assert_eq!(asked(&["00AB"]).await, failed(&several));
    assert_eq!(asked(&["00AB", "--json"]).await.0, 1);
    let none = "no transaction of this wallet begins with 00ee: `headless-wallet wallet history` lists them";
    assert_eq!(asked(&["00ee"]).await, failed(none));
    // For programs the server says so; and too few digits name nothing.
    let said = (1, format!("{unknown}\n"), String::new());
    assert_eq!(asked(&["00ee", "--json"]).await, said);
    assert_eq!(asked(&["00a", "--json"]).await, said);
}

#[tokio::test]
async fn a_list_of_outputs_says_where_it_may_be_cut() {
    let utxos = |count: usize| {
        let utxo = json!({"address": "W", "amount": 5, "tx_id": "ab", "index": 0, "locked": false});
        vec![("/wallet/utxo-filter", json!({"success": true, "utxos": vec![utxo; count]}))]
    };
    let last = |out: String| out.lines().last().unwrap().to_owned();
    let said = "At most 255 outputs are listed, unless --max-utxos says otherwise.";
    assert_eq!(last(shown(&["utxos"], "200", utxos(255)).await), said);
    assert_eq!(last(shown(&["utxos"], "200", utxos(254)).await), "  0.05  W        ab:0");
}
