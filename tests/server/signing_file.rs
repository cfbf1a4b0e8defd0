//! Signing files from end to end: made at a server, looked at and signed on the command line without one,
//! sent at a server.

use super::command_line::{Dir, Ended, failed, new_file, program, run};
use super::multisig::{FOREIGN, Three, pay, read};
use super::support::{GENESIS_WORDS, Server};
use super::swaps::{balanced, get};
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
    let to = format!("{FOREIGN}:0.70");
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
        (1, "error: the file is for a different wallet than the one of these words: nothing was signed\n")
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
    let hash = sent.lines().next().unwrap().strip_prefix("transaction  ").unwrap();
    let already = format!("The transaction of this signing file was sent already: it is {hash}.");
    assert_eq!(answer, json!({"success": false, "error": already}));
    let tried = server.post("/wallet/signing-file/push?dry_run=true", Some("genesis"), &body).await.json();
    assert_eq!(tried, answer);
    let mut again = program();
    again.args(["wallet", "--wallet-id", "genesis", "--url", &format!("http://{}", server.address)]);
    again.args(["push-file", &signed]);
    assert_eq!(run(again, "").await, failed(&already));
    assert_eq!(paid_to_stranger(&server), 1);
    server.shutdown().await;
}

#[tokio::test]
async fn the_same_request_is_answered_as_it_was_with_its_key() {
    let server = Server::with_wallet().await;
    let outputs = json!([{"address": FOREIGN, "value": 70}]);
    let built = server.done("tx-proposal", json!({"outputs": outputs})).await;
    let file = server.done("signing-file", json!({"txHex": built["txHex"]})).await["file"].take();
    let dir = Dir::new();
    let (path, words, signed) = (dir.file("file"), dir.file("words"), dir.file("signed"));
    new_file(&path, &file.to_string());
    new_file(&words, GENESIS_WORDS);
    assert_eq!(offline(&["sign-file", &path, "--seed-file", &words, "--out", &signed]).await.0, 0);
    let body = json!({"files": [json_in(&signed)]}).to_string();
    let push = async |key: &str| {
        let headers =
            [("x-wallet-id", "genesis"), ("content-type", "application/json"), ("idempotency-key", key)];
        server.ask("POST", "/wallet/signing-file/push", &headers, body.as_bytes()).await
    };
    let first = push("one").await;
    assert_eq!(first.json()["success"], true, "{}", first.text);
    let again = push("one").await;
    assert_eq!((again.json(), again.header("idempotency-replayed")), (first.json(), Some("true")));
    let other = push("two").await.json();
    let hash = first.json()["hash"].as_str().unwrap().to_owned();
    let already = format!("The transaction of this signing file was sent already: it is {hash}.");
    assert_eq!(other, json!({"success": false, "error": already}));
    server.shutdown().await;
}

#[tokio::test]
async fn sealed_words_sign_a_file_of_the_network_that_is_meant() {
    let server = Server::with_wallet().await;
    let dir = Dir::new();
    let (path, words, password) = (dir.file("file"), dir.file("words"), dir.file("password"));
    let (data, wrong) = (dir.file("data"), dir.file("wrong"));
    for (file, text) in [(&words, GENESIS_WORDS), (&password, "correct horse"), (&wrong, "battery staple")] {
        new_file(file, text);
    }
    let built = server.done("tx-proposal", json!({"outputs": [{"address": FOREIGN, "value": 70}]})).await;
    let file = server.done("signing-file", json!({"txHex": built["txHex"]})).await["file"].take();
    new_file(&path, &file.to_string());
    let mut seal = program();
    seal.args([
        "seeds",
        "add",
        "cold",
        "--seed-file",
        &words,
        "--password-file",
        &password,
        "--data-dir",
        &data,
    ]);
    assert_eq!(run(seal, "").await.0, 0);

    let sign = |more: &[&str]| {
        let args = [&["sign-file", &*path, "--data-dir", &*data], more].concat();
        let args: Vec<_> = args.into_iter().map(str::to_owned).collect();
        async move { offline(&args.iter().map(String::as_str).collect::<Vec<_>>()).await }
    };
    let signed = dir.file("signed");
    let cold = ["--seed", "cold", "--password-file"];
    let done = sign(&[&cold[..], &[&password, "--network", "privatenet", "--out", &signed]].concat()).await;
    let told = format!("Signed: {signed} has all signatures, and can be sent (`push-file`).\n");
    assert_eq!((done.0, done.1), (0, told), "{}", done.2);
    let wrong = sign(&[&cold[..], &[&wrong]].concat()).await;
    assert_eq!(wrong, failed("the password is wrong, or what was stored was changed"));
    let none = format!(
        "there is no seed called \"hot\": none in the settings ([seeds]), and those sealed in {data} are: cold"
    );
    assert_eq!(sign(&["--seed", "hot", "--password-file", &password]).await, failed(&none));
    let nowhere = "there is no seed called \"cold\": none in the settings ([seeds]), and no place of sealed ones is named: give \
                   --data-dir DIR, or --config FILE";
    assert_eq!(offline(&["sign-file", &path, "--seed", "cold"]).await, failed(nowhere));

    // Of another network: by the flag, the settings, the environment and a profile.
    let refused = |says: &str| {
        let remedy = match says {
            "the profile" => "use a profile for privatenet",
            _ => "give --network privatenet",
        };
        failed(&format!(
            "the file is for privatenet, but {says} says testnet: nothing was signed. Ask whoever made it for one for testnet, or, if \
             you mean privatenet, {remedy}"
        ))
    };
    let of_words = ["sign-file", &path, "--seed-file", &words];
    assert_eq!(offline(&[&of_words[..], &["--network", "testnet"]].concat()).await, refused("--network"));
    let settings = dir.file("wallet.toml");
    new_file(&settings, "network = \"testnet\"");
    assert_eq!(offline(&[&of_words[..], &["--config", &settings]].concat()).await, refused("--config"));
    let mut by_environment = program();
    by_environment.env("HEADLESS_NETWORK", "testnet").arg("wallet").args(of_words);
    assert_eq!(run(by_environment, "").await, refused("HEADLESS_NETWORK"));
    std::fs::create_dir(dir.file("headless-wallet")).unwrap();
    for (place, name) in [("url = \"http://127.0.0.1:1\"", "shop"), ("direct = true", "try")] {
        new_file(
            &dir.file("headless-wallet/profiles.toml"),
            &format!("[{name}]\n{place}\nnetwork = \"testnet\"\n"),
        );
        let mut by_profile = program();
        by_profile
            .env("XDG_CONFIG_HOME", dir.file(""))
            .arg("wallet")
            .args(of_words)
            .args(["--profile", name]);
        assert_eq!(run(by_profile, "").await, refused("the profile"));
        std::fs::remove_file(dir.file("headless-wallet/profiles.toml")).unwrap();
    }
    let asked = offline(&[&of_words[..], &["--node-url", "http://127.0.0.1:1/"]].concat()).await;
    let usage = "error: signing a file uses no network: leave out --node-url and --mining-url\n\n\
                 For more information, try '--help'.\n";
    assert_eq!(asked, (2, String::new(), usage.to_owned()));
    server.shutdown().await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_password_comes_by_a_file_descriptor_which_is_closed_then() {
    let server = Server::with_wallet().await;
    let dir = Dir::new();
    let (path, words, password) = (dir.file("file"), dir.file("words"), dir.file("password"));
    let data = dir.file("data");
    new_file(&words, GENESIS_WORDS);
    new_file(&password, "correct horse\n");
    let built = server.done("tx-proposal", json!({"outputs": [{"address": FOREIGN, "value": 70}]})).await;
    let file = server.done("signing-file", json!({"txHex": built["txHex"]})).await["file"].take();
    new_file(&path, &file.to_string());
    let mut seal = program();
    seal.args([
        "seeds",
        "add",
        "cold",
        "--seed-file",
        &words,
        "--password-file",
        &password,
        "--data-dir",
        &data,
    ]);
    assert_eq!(run(seal, "").await.0, 0);
    for (redirected, number) in [(format!("3< {password}"), "3"), (format!("0< {password}"), "0")] {
        let line = format!(
            "exec {} wallet sign-file {path} --seed cold --data-dir {data} --unlock-fd {number} --json {redirected}",
            super::command_line::BINARY
        );
        let mut shell = tokio::process::Command::new("sh");
        shell.env_clear().args(["-c", &line]);
        let (code, out, err) = run(shell, "").await;
        assert_eq!((code, &*err), (0, ""), "{out}");
        let signed: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(signed["signatures"].as_array().unwrap().len(), 1);
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_file_that_was_cut_is_said_to_be() {
    let server = Server::with_wallet().await;
    let built = server.done("tx-proposal", json!({"outputs": [{"address": FOREIGN, "value": 70}]})).await;
    let file = server.done("signing-file", json!({"txHex": built["txHex"]})).await["file"].to_string();
    let dir = Dir::new();
    let path = dir.file("cut");
    for end in [1, 40, file.len() / 2, file.len() - 1] {
        std::fs::write(&path, &file[..end]).unwrap();
        let cut = format!(
            "{path}: it is cut off: it ends in the middle, after byte {end}: get it again from whoever made it"
        );
        assert_eq!(offline(&["inspect", &path]).await, failed(&cut));
    }
    std::fs::write(&path, "").unwrap();
    assert_eq!(offline(&["inspect", &path]).await, failed(&format!("{path}: it is empty")));
    server.shutdown().await;
}

/// Transactions of 255 outputs are 16 kB of digits each.
#[tokio::test]
async fn a_file_that_nobody_could_read_is_not_made() {
    let server = Server::with_wallet().await;
    let own = server.address(0).await;
    let outputs: Vec<_> = (0..254).map(|_| json!({"address": own, "value": 1})).collect();
    let mut inputs = Vec::new();
    let mut body = json!({"outputs": outputs});
    while inputs.len() < 48 {
        let sent = server.done("send-tx", body.clone()).await;
        let place = |is_one: bool| {
            let outputs = sent["outputs"].as_array().unwrap();
            let index = outputs.iter().position(|output| (output["value"] == 1) == is_one).unwrap();
            json!({"hash": sent["hash"], "index": index})
        };
        inputs.push(place(true));
        // The change: a send that may choose would spend small outputs of before, too.
        body["inputs"] = json!([place(false)]);
    }
    let made = async |count: usize| {
        let outputs = json!([{"address": FOREIGN, "value": count}]);
        let body = json!({"outputs": outputs, "inputs": inputs[..count]});
        let built = server.done("tx-proposal", body).await;
        server.post("/wallet/signing-file", Some("genesis"), &json!({"txHex": built["txHex"]})).await.json()
    };
    let refused = made(48).await;
    let error = refused["error"].as_str().unwrap_or_else(|| panic!("it was made"));
    let (begins, ends) = (
        "A signing file has at most 720000 bytes, and of this transaction it would have ",
        " with all signatures: spend fewer inputs, in several transactions, or consolidate coins first.",
    );
    let bytes: usize = error.strip_prefix(begins).unwrap().strip_suffix(ends).unwrap().parse().unwrap();
    assert!((720_001..900_000).contains(&bytes), "{bytes}");
    // What is made can be signed and read, however it is written.
    let dir = Dir::new();
    let (path, words, signed) = (dir.file("file"), dir.file("words"), dir.file("signed"));
    new_file(&words, GENESIS_WORDS);
    let made = made(40).await;
    new_file(&path, &made["file"].to_string());
    let (code, _, err) = offline(&["sign-file", &path, "--seed-file", &words, "--out", &signed]).await;
    assert_eq!(code, 0, "{err}");
    assert_eq!(offline(&["inspect", &signed]).await.0, 0);
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
    let to = format!("{FOREIGN}:1.00");
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

/// A swap of a watched wallet with one that has its words at the server: each side signs a file of its own.
#[tokio::test]
async fn both_sides_of_a_swap_sign_files_and_put_together_they_are_sent() {
    let dir = Dir::new();
    let server = Server::with_wallet().await;
    let token = server.done("create-token", json!({"name": "Tea", "symbol": "TEA", "amount": 500})).await;
    let token = token["hash"].as_str().unwrap();
    let words = Mnemonic::generate().unwrap();
    let xpub = AccountKeys::from_mnemonic(&words, "").public().to_xpub();
    server.start_wallet("ana", json!({"xpubkey": xpub})).await;
    let address = get(&server, "ana", "/wallet/address").await["address"].clone();
    server.done("simple-send-tx", json!({"address": address, "value": 1_000})).await;
    while get(&server, "ana", "/wallet/balance").await["available"] != 1_000 {
        tokio::task::yield_now().await;
    }
    let partial = balanced(&server, token).await;
    let mut signed = Vec::new();
    for (wallet, words) in [("genesis", GENESIS_WORDS), ("ana", words.words())] {
        let made = server.post("/wallet/signing-file", Some(wallet), &json!({"partial_tx": partial})).await;
        let (file, seed, out) =
            (dir.file(wallet), dir.file(&format!("{wallet}.words")), dir.file(&format!("{wallet}.out")));
        new_file(&file, &made.json()["file"].to_string());
        new_file(&seed, words);
        let (code, told, said) = offline(&["inspect", &file]).await;
        assert_eq!(code, 0, "{said}");
        assert!(told.starts_with("A transaction of privatenet, made for: swap.\n"), "{told}");
        let gives = if wallet == "ana" { "Gives 0.10 HTR to " } else { "Gives 0.30 of token " };
        assert!(told.contains(gives), "{told}");
        let (code, said, _) = offline(&["sign-file", &file, "--seed-file", &seed, "--out", &out]).await;
        assert_eq!((code, &*said), (0, &*format!("Signed: {out} lacks signatures of others.\n")));
        signed.push(out);
    }
    let push = async |files: &[&String]| {
        let body = json!({"files": files.iter().map(|path| json_in(path)).collect::<Vec<_>>()});
        server.post("/wallet/signing-file/push", Some("genesis"), &body).await.json()
    };
    assert_eq!(push(&[&signed[0]]).await["success"], false);
    let sent = push(&[&signed[0], &signed[1]]).await;
    assert_eq!(sent["success"], true, "{sent}");
    while get(&server, "ana", &format!("/wallet/balance?token={token}")).await["available"] != 30 {
        tokio::task::yield_now().await;
    }
    assert_eq!(get(&server, "ana", "/wallet/balance").await["available"], 990);
    server.shutdown().await;
}
