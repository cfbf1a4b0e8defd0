//! Signing files from end to end: made at a server, looked at and signed on the command line without one,
//! sent at a server.

use super::command_line::{Dir, Ended, failed, new_file, program, run};
use super::multisig::{FOREIGN, Three, pay, read};
use super::support::{GENESIS_WORDS, Server};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network, Script, Transaction};
use serde_json::{Value, json};

/// What is said without a server and without a network.
async fn offline(args: &[&str]) -> Ended {
    let mut program = program();
    // A server that is not there: nobody asks it.
    program.env("HEADLESS_URL", "http://127.0.0.1:1").arg("wallet").args(args);
    run(program, "").await
}

/// What must go well at a server, as one of its wallets.
async fn online(server: &Server, id: &str, args: &[&str]) -> String {
    let mut program = program();
    program.args(["wallet", "--wallet-id", id, "--url", &format!("http://{}", server.address)]).args(args);
    let (code, out, err) = run(program, "").await;
    assert_eq!(code, 0, "{args:?}: {out}{err}");
    out
}

fn paid_to_stranger(server: &Server) -> usize {
    let address = Address::parse(FOREIGN, Network::Privatenet).unwrap();
    server.devnet.read(|chain| chain.history_of(&address).count())
}

fn json_in(path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[tokio::test]
async fn a_watched_wallet_sends_what_its_words_signed_elsewhere() {
    let dir = Dir::new();
    let keys = AccountKeys::from_mnemonic(&Mnemonic::parse(GENESIS_WORDS).unwrap(), "");
    let server = Server::start_with("").await;
    server.start_wallet("genesis", json!({"xpubkey": keys.public().to_xpub()})).await;
    let (file, signed, words) = (dir.file("payment.json"), dir.file("signed.json"), dir.file("words"));
    new_file(&words, GENESIS_WORDS);
    let change = server.address(1).await;
    let to = format!("{FOREIGN}:70");
    let built = online(&server, "genesis", &["build-tx", "--to", &to, "--change", &change]).await;
    let made =
        online(&server, "genesis", &["signing-file", built.trim_end(), "--label", "Rent, \u{1b}[1mMay"])
            .await;
    new_file(&file, &made);

    // In plain words.
    let (code, told, err) = offline(&["inspect", &file]).await;
    assert_eq!((code, &*err), (0, ""), "{told}");
    let lines: Vec<_> = told.lines().collect();
    let first = server.address(0).await;
    assert_eq!(lines[0], "A transaction of privatenet, made for: build.");
    assert_eq!(lines[1], "Whoever made the file calls it \"Rent, \u{fffd}[1mMay\"; nobody vouches for that.");
    assert_eq!(lines[2], format!("It is of the wallet whose first address is {first}."));
    assert_eq!((lines[3], lines[7]), ("", ""));
    assert!(
        lines[4].starts_with("Spends ")
            && lines[4].ends_with(&format!(" HTR of the wallet's address 1, {change}.")),
        "{told}"
    );
    assert!(lines[5..7].contains(&&*format!("Gives 0.70 HTR to {FOREIGN}.")), "{told}");
    let back = |line: &&&str| line.ends_with(&format!(" HTR back to the wallet: its address 1, {change}."));
    assert_eq!(lines[5..7].iter().filter(back).count(), 1, "{told}");
    assert_eq!(
        lines[8..],
        [
            "Fee: none.",
            "In all, the wallet loses 0.70 HTR.",
            "Signatures: 0 of 1 for input 0.",
            "",
            "Nobody can tell from the file whether what is spent is still there, who has the addresses that are paid, and what tokens are \
             called and worth.",
        ]
    );
    let (_, found, _) = offline(&["inspect", &file, "--json"]).await;
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!((&found["loses"], &found["complete"]), (&json!({"00": 70}), &json!(false)));

    // Not yet.
    let body = json!({"files": [json_in(&file)]});
    let answer = server.post("/wallet/signing-file/push", Some("genesis"), &body).await.json();
    assert_eq!(
        answer,
        json!({"success": false, "error": "Invalid signing file: input 0 has 0 of 1 signatures"})
    );

    // By other words, and by the right ones.
    let other = dir.file("other");
    new_file(&other, &format!("{}art", "abandon ".repeat(23)));
    let (code, _, err) = offline(&["sign-file", &file, "--seed-file", &other]).await;
    assert_eq!(
        (code, &*err),
        (1, "error: the file is of another wallet than that of these words: nothing was signed\n")
    );
    let (code, out, err) = offline(&["sign-file", &file, "--seed-file", &words, "--out", &signed]).await;
    assert_eq!(
        (code, &*out),
        (0, &*format!("Signed: {signed} has all signatures, and can be sent (`push-file`).\n"))
    );
    assert_eq!(err, told);
    let again = offline(&["sign-file", &signed, "--seed-file", &words]).await;
    assert_eq!(again, failed("these words have nothing more to sign in this file"));

    let tried = online(&server, "genesis", &["push-file", &signed, "--dry-run"]).await;
    assert!(tried.starts_with("Nothing was sent. This would be:"), "{tried}");
    assert_eq!(paid_to_stranger(&server), 0);
    let sent = online(&server, "genesis", &["push-file", &signed]).await;
    assert!(sent.starts_with("transaction  00"), "{sent}");
    assert_eq!(paid_to_stranger(&server), 1);
    // Once.
    let body = json!({"files": [json_in(&signed)]});
    let answer = server.post("/wallet/signing-file/push", Some("genesis"), &body).await.json();
    assert_eq!(answer["success"], false, "{answer}");
    assert_eq!(paid_to_stranger(&server), 1);
    server.shutdown().await;
}

#[tokio::test]
async fn what_was_changed_on_the_way_is_not_signed() {
    let dir = Dir::new();
    let server = Server::with_wallet().await;
    let words = dir.file("words");
    new_file(&words, GENESIS_WORDS);
    let outputs = json!([{"address": FOREIGN, "value": 70}]);
    let built = server.done("tx-proposal", json!({"outputs": outputs})).await;
    let file = server.done("signing-file", json!({"txHex": built["txHex"]})).await["file"].take();
    assert_eq!((file.get("label"), &file["version"]), (None, &json!(1)));
    let flipped = |text: &Value, at: usize| {
        let mut digits = text.as_str().unwrap().as_bytes().to_vec();
        digits[at] = if digits[at] == b'1' { b'2' } else { b'1' };
        Value::from(String::from_utf8(digits).unwrap())
    };
    let own = file["outputs"][0]["index"].as_u64().unwrap();
    let changes: [(&str, Value, String); 5] = [
        // The first output's value stands behind head, input and its own first bytes.
        ("/transaction", flipped(&file["transaction"], 2 * (5 + 35) + 7), "`hash` is not that of `transaction`: one of them was changed".into()),
        ("/hash", flipped(&file["hash"], 9), "`hash` is not that of `transaction`: one of them was changed".into()),
        (
            "/inputs/0/path",
            json!("m/44'/280'/0'/0/5"),
            r#"this file is not what it says, and nobody should sign it: it breaks the rule "keys": input 0 does not spend what address 5 of this wallet has"#.into(),
        ),
        (
            "/outputs/0/path",
            json!("m/44'/280'/0'/0/5"),
            format!(r#"this file is not what it says, and nobody should sign it: it breaks the rule "change": output {own} is said to pay address 5 of this wallet, and does not"#),
        ),
        (
            "/outputs/0/index",
            json!(1 - own),
            format!(r#"this file is not what it says, and nobody should sign it: it breaks the rule "change": output {} is said to pay address "#, 1 - own),
        ),
    ];
    for (number, (pointer, to, why)) in changes.into_iter().enumerate() {
        let mut changed = file.clone();
        *changed.pointer_mut(pointer).unwrap() = to;
        let path = dir.file(&number.to_string());
        new_file(&path, &changed.to_string());
        for command in [&["inspect"][..], &["sign-file", "--seed-file", &words]] {
            let (code, out, err) = offline(&[command, &[&path]].concat()).await;
            let begins = [format!("error: {path}: {why}"), format!("error: {why}")];
            assert!(begins.iter().any(|begin| err.starts_with(begin)), "{pointer}: {err}");
            assert_eq!((code, &*out), (1, ""));
        }
    }
    // With a hash that goes with it, what was changed is seen: another amount in the sums, another address in
    // the words.
    let signed_for = |change: &dyn Fn(&mut Transaction)| {
        let mut transaction =
            Transaction::from_bytes(&hex::decode(file["transaction"].as_str().unwrap()).unwrap()).unwrap();
        change(&mut transaction);
        let mut changed = file.clone();
        changed["transaction"] = json!(hex::encode(transaction.to_bytes().unwrap()));
        changed["hash"] = json!(hex::encode(transaction.sighash().unwrap()));
        changed
    };
    let theirs = usize::try_from(1 - own).unwrap();
    let more = signed_for(&|transaction| transaction.outputs[theirs].value = Amount::new(71));
    let path = dir.file("more");
    new_file(&path, &more.to_string());
    let why = r#"this file is not what it says, and nobody should sign it: it breaks the rule "sums": it pays more HTR than it spends"#;
    for command in [&["inspect"][..], &["sign-file", "--seed-file", &words]] {
        assert_eq!(offline(&[command, &[&path]].concat()).await, failed(why));
    }
    let thief = Address::p2pkh(Network::Privatenet, [7; 20]);
    let script = Script::Pay { to: thief, timelock: None }.to_bytes().unwrap();
    let other = signed_for(&|transaction| transaction.outputs[theirs].script.clone_from(&script));
    let path = dir.file("thief");
    new_file(&path, &other.to_string());
    let (code, told, _) = offline(&["inspect", &path]).await;
    assert!(code == 0 && told.contains(&format!("\nGives 0.70 HTR to {thief}.\n")), "{told}");
    // A previous transaction that says of itself another amount is another transaction.
    let mut changed = file.clone();
    let previous = changed["previous"][0].take();
    changed["previous"][0] = flipped(&previous, previous.as_str().unwrap().len() - 1);
    let path = dir.file("previous");
    new_file(&path, &changed.to_string());
    for command in [&["inspect"][..], &["sign-file", "--seed-file", &words]] {
        let (code, _, err) = offline(&[command, &[&path]].concat()).await;
        let why = r#"error: this file is not what it says, and nobody should sign it: it breaks the rule "previous": "#;
        assert!(code == 1 && err.starts_with(why), "{err}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn two_of_three_sign_on_machines_of_their_own() {
    let (three, dir) = (Three::new(), Dir::new());
    let server = three.server_with("").await;
    three.start(&server).await;
    pay(&server, &three.addresses[0], 700, "0").await;
    let to = format!("{FOREIGN}:100");
    let hex = online(&server, "0", &["propose", "--to", &to, "--change", &three.addresses[1]]).await;
    let file = dir.file("file");
    new_file(&file, &online(&server, "0", &["signing-file", hex.trim_end()]).await);
    let (code, told, _) = offline(&["inspect", &file]).await;
    assert_eq!(code, 0);
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(
        lines[..2],
        [
            "A transaction of privatenet, made for: share.",
            &format!(
                "It is of the wallet of 3 participants, of whom 2 must sign, whose first address is {}.",
                three.addresses[0]
            ),
        ]
    );
    let change = format!("Gives 6.00 HTR back to the wallet: its address 1, {}.", three.addresses[1]);
    assert!(lines.contains(&&*change) && lines.contains(&"Signatures: 0 of 2 for input 0."), "{told}");
    let mut signed = Vec::new();
    for place in [2, 0] {
        let (words, out) = (dir.file(&format!("words{place}")), dir.file(&format!("signed{place}")));
        new_file(&words, &three.words[place]);
        let (code, said, _) = offline(&["sign-file", &file, "--seed-file", &words, "--out", &out]).await;
        assert_eq!((code, &*said), (0, &*format!("Signed: {out} lacks signatures of others.\n")));
        signed.push(out);
    }
    let (_, told, _) = offline(&["inspect", &signed[0]]).await;
    assert!(told.contains("\nSignatures: 1 of 2 for input 0.\n"), "{told}");
    let (_, told, _) = offline(&["inspect", &signed[0], &signed[1]]).await;
    assert!(told.contains("\nSignatures: all.\n"), "{told}");
    // One alone is not enough.
    let body = json!({"files": [json_in(&signed[0])]});
    let answer = server.post("/wallet/signing-file/push", Some("1"), &body).await.json();
    assert_eq!(
        answer,
        json!({"success": false, "error": "Invalid signing file: input 0 has 1 of 2 signatures"})
    );
    let sent = online(&server, "1", &["push-file", &signed[0], &signed[1]]).await;
    assert!(sent.starts_with("transaction  00"), "{sent}");
    assert_eq!(paid_to_stranger(&server), 1);
    while read(&server, "0", "/wallet/balance").await != json!({"available": 600, "locked": 0}) {
        tokio::task::yield_now().await;
    }
    server.shutdown().await;
}
