//! What the command line says that a transaction does to the wallet, before it is sent or signed: what the
//! wallet spends, what is burned, and which rights it gives up. And texts that files hold.

use super::command_line::{Dir, named, new_file, printed, wallet, wallet_with};
use super::command_line_moves::{asked, lines};
use super::command_line_terminal::Terminal;
use super::nano::AUTHORITY;
use super::raw::STRANGER;
use super::support::Server;
use super::swaps::{balanced, signatures, two};
use serde_json::{Value, json};

/// A token of which the wallet has 500, and the rights to mint and to melt.
async fn token(server: &Server) -> String {
    let sent = server.done("create-token", json!({"name": "Tea", "symbol": "TEA", "amount": 500})).await;
    sent["hash"].as_str().unwrap().to_owned()
}

/// Whether these lines stand in this order, one after the other.
fn has(shown: &[String], expected: &[String]) -> bool {
    shown.windows(expected.len()).any(|window| window == expected)
}

#[tokio::test]
async fn a_template_says_what_it_spends_burns_and_gives_up() {
    let server = Server::with_wallet().await;
    let token = token(&server).await;
    let tea = named("TEA", &token);
    let me = server.address(7).await;
    let right = |kind: &str, authority: &str| json!({"type": kind, "authority": authority, "token": token});
    let mut given = right("output/authority", "mint");
    given["address"] = STRANGER.into();
    let template = json!([
        right("input/authority", "mint"),
        right("input/authority", "melt"),
        {"type": "input/utxo", "fill": 500, "token": token},
        {"type": "output/token", "amount": 200, "token": token, "address": STRANGER},
        {"type": "output/token", "amount": 3, "address": me},
        given,
    ]);
    let told = [
        "network privatenet".to_owned(),
        String::new(),
        "CHANGE TOKEN OF IT LOCKED".to_owned(),
        "0.03 HTR 0.00".to_owned(),
        format!("-5.00 {tea} 0.00"),
        String::new(),
        format!("The right to melt {tea} is spent and not made again."),
        format!("The right to mint {tea} goes to others."),
        format!("3.00 of {tea} is melted: it is gone for good."),
        String::new(),
        "AMOUNT TOKEN TO".to_owned(),
        format!("2.00 {tea} {STRANGER}"),
        format!("0.03 HTR {me} (this wallet)"),
        format!("may mint {tea} {STRANGER}"),
        String::new(),
        "comes back 0.03 HTR".to_owned(),
        "cost -0.03 HTR".to_owned(),
    ];
    let head = ["Nothing was sent. This would be:".to_owned(), String::new()];
    let text = template.to_string();
    assert_eq!(lines(&server, &["run-template", &text, "--dry-run"]).await, [&head[..], &told].concat());
    let question = ["Send the transaction that this template makes? [y/N]".to_owned()];
    assert_eq!(asked(&server, &format!("run-template '{text}'")).await, [&told[..], &question].concat());
    // Where it is only built, somebody signs it.
    let shown = asked(&server, &format!("build-template '{text}' --sign")).await;
    assert!(has(&shown, &told[2..9]), "{shown:?}");
    assert_eq!(shown.last().unwrap(), "Sign the transaction that this template makes? [y/N]");
    // Whoever runs it asks for both: it comes to what was told.
    let built = lines(&server, &["build-template", &text, "--sign"]).await;
    let decoded = lines(&server, &["decode", &built[0]]).await;
    assert_eq!(decoded[decoded.len() - 7..], told[2..9]);
    server.shutdown().await;
}

#[tokio::test]
async fn rights_that_are_kept_or_come_are_told_right() {
    let server = Server::with_wallet().await;
    let token = token(&server).await;
    let tea = named("TEA", &token);
    let me = server.address(7).await;
    let kept = json!([
        {"type": "input/authority", "authority": "mint", "token": token},
        {"type": "input/utxo", "fill": 1},
        {"type": "output/token", "amount": 100, "token": token, "address": me},
        {"type": "output/authority", "authority": "mint", "token": token, "address": me, "count": 2},
    ]);
    let shown = lines(&server, &["run-template", &kept.to_string(), "--dry-run"]).await;
    let expected = [
        "CHANGE TOKEN OF IT LOCKED".to_owned(),
        "-0.01 HTR 0.00".to_owned(),
        format!("1.00 {tea} 0.00"),
        String::new(),
        format!("The right to mint {tea} goes to this wallet."),
    ];
    assert!(has(&shown, &expected), "{shown:?}");
    server.shutdown().await;
}

#[tokio::test]
async fn a_send_of_chosen_outputs_says_what_it_spends() {
    let server = Server::with_wallet().await;
    let token = token(&server).await;
    let tea = named("TEA", &token);
    let created = server.read(&format!("/wallet/transaction?id={token}")).await;
    let outputs = created["outputs"].as_array().unwrap();
    let place = |wanted: &dyn Fn(&Value) -> bool| outputs.iter().position(wanted).unwrap();
    let of_token = place(&|output| output["token"] == token && output["token_data"] == 1);
    let pays = ["send-many", "--to", &format!("{STRANGER}:5.00:{token}")];
    let input = format!("{token}:{of_token}");
    let shown = lines(&server, &[&pays[..], &["--input", &input, "--dry-run"]].concat()).await;
    let change = ["CHANGE TOKEN OF IT LOCKED".to_owned(), format!("-5.00 {tea} 0.00"), String::new()];
    assert!(has(&shown, &change), "{shown:?}");
    // Its own flags say all of it otherwise.
    let shown = lines(&server, &[&pays[..], &["--dry-run"]].concat()).await;
    assert_eq!(shown[2..5], ["network privatenet", "cost 0.00 HTR", ""]);
    server.shutdown().await;
}

#[tokio::test]
async fn a_swap_says_what_it_does_to_the_wallet_before_it_is_signed_and_sent() {
    let (server, token) = two("").await;
    let partial = balanced(&server, &token).await;
    let change = [
        "CHANGE TOKEN OF IT LOCKED".to_owned(),
        "0.10 HTR 0.00".to_owned(),
        format!("-0.30 {} 0.00", named("TEA", &token)),
        "Sign this swap? [y/N]".to_owned(),
    ];
    let shown = asked(&server, &format!("swap-signatures '{partial}'")).await;
    assert_eq!(shown[shown.len() - 4..], change);
    // Scripts are not asked, and neither is who says so.
    let url = server.url();
    let own = server.printed(&["swap-signatures", &partial]).await;
    let variables = [("HEADLESS_URL", &*url), ("HEADLESS_WALLET_ID", "genesis")];
    let unasked =
        Terminal::open(&format!("wallet swap-signatures '{partial}' --yes"), &variables).end().await;
    assert_eq!(unasked, (0, own.clone()));

    let other = signatures(&server, "ana", &partial).await;
    let command = format!("swap-sign '{partial}' '{}' '{other}'", own.trim_end());
    let shown = asked(&server, &command).await;
    assert_eq!(shown[shown.len() - 4..shown.len() - 1], change[..3]);
    let push = ["swap-push", &partial, own.trim_end(), &other];
    let shown = lines(&server, &[&push[..], &["--dry-run"]].concat()).await;
    assert_eq!(shown[2..7], [&["network privatenet".to_owned(), String::new()], &change[..3]].concat());
    let shown = asked(&server, &command.replace("swap-sign", "swap-push")).await;
    assert_eq!(shown[..5], [&["network privatenet".to_owned(), String::new()], &change[..3]].concat());

    // The proposal from a file, and from standard input.
    let dir = Dir::new();
    let file = dir.file("proposal");
    new_file(&file, &format!("{partial}\n"));
    let held = ["swap-push", "--partial-tx-file", &file, own.trim_end(), &other, "--dry-run"];
    assert_eq!(lines(&server, &held).await, lines(&server, &[&push[..], &["--dry-run"]].concat()).await);
    let piped = ["--wallet-id", "genesis", "--url", &url, "decode", "--partial-tx-file", "-"];
    let decoded = printed(wallet_with(&piped, &partial).await);
    assert_eq!(decoded, server.printed(&["decode", "--partial-tx", &partial]).await);
    server.shutdown().await;
}

#[tokio::test]
async fn digits_that_are_pushed_say_what_they_do_to_the_wallet() {
    let server = Server::with_wallet().await;
    let keeps = server.address(7).await;
    let template = json!([
        {"type": "output/token", "amount": 9, "address": STRANGER},
        {"type": "action/complete", "changeAddress": keeps},
    ]);
    let built = lines(&server, &["build-template", &template.to_string(), "--sign"]).await;
    let shown = lines(&server, &["push", &built[0], "--dry-run"]).await;
    let told =
        ["network privatenet", "", "CHANGE TOKEN OF IT LOCKED", "-0.09 HTR 0.00", "", "AMOUNT TOKEN TO"];
    assert_eq!(shown[2..8], told);
    assert!(shown.contains(&format!("0.09 HTR {STRANGER}")), "{shown:?}");
    // Without a wallet, and with one that is not there, it can be pushed as well.
    for (id, why) in [("", "no wallet is named (--wallet-id)"), ("nobodys", "Invalid wallet id parameter.")] {
        let out = printed(server.wallet_of(id, &["push", &built[0], "--dry-run"]).await);
        let line = out.lines().nth(2).unwrap();
        assert!(line.starts_with(&format!("What it changes for this wallet can't be told: {why}")), "{line}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_blueprint_that_no_argument_can_hold_comes_from_a_file() {
    // Release 0.39 answers with the code.
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let (dir, address) = (Dir::new(), server.address(0).await);
    let file = dir.file("blueprint.py");
    let code = AUTHORITY.to_owned() + &"# A comment that compresses well.\n".repeat(5_000);
    assert!(code.len() > 128 * 1024);
    new_file(&file, &code);
    let sent = server.printed(&["nano-blueprint", "--code-file", &file, &address, "--json"]).await;
    let sent: Value = serde_json::from_str(&sent).unwrap();
    let kept = sent["code"]["content"]["data"].as_array().unwrap();
    assert!(kept.iter().map(|byte| byte.as_u64().unwrap()).eq(code.bytes().map(u64::from)));

    let missing = dir.file("missing");
    for (args, wrong) in [
        (&["nano-blueprint", "--code-file", &file][..], "error: ADDRESS is missing\n"),
        (
            &["nano-blueprint", "--code-file", &file, "x", &address],
            "error: there is one argument too many: a file already holds one of them\n",
        ),
        (
            &["nano-blueprint", "--code-file", &missing, &address],
            &format!(
                "error: invalid value '{missing}' for '--code-file <FILE>': can't be read: No such file or directory\n"
            ),
        ),
        (
            &["nano-blueprint", "--code-file", "/dev/zero", &address],
            "error: invalid value '/dev/zero' for '--code-file <FILE>': holds more than 1048576 bytes\n",
        ),
        (&["sign", "--tx-hex-file", &file], "error: SIGNATURES is missing\n"),
    ] {
        let (code, out, err) = wallet(args).await;
        assert_eq!((code, &*out), (2, ""), "{args:?}");
        assert!(err.starts_with(wrong), "{args:?}: {err}");
    }
    server.shutdown().await;
}
