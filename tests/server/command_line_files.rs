//! Texts that files hold, on the command line.

use super::command_line::{Dir, new_file, printed, wallet, wallet_with};
use super::command_line_terminal::Terminal;
use super::nano::AUTHORITY;
use super::support::Server;
use super::swaps::{balanced, signatures, two};
use serde_json::Value;

/// From a file, and from standard input.
#[tokio::test]
async fn a_proposal_need_not_be_an_argument() {
    let (server, token) = two("").await;
    let partial = balanced(&server, &token).await;
    let (own, other) =
        (signatures(&server, "genesis", &partial).await, signatures(&server, "ana", &partial).await);
    let dir = Dir::new();
    let file = dir.file("proposal");
    new_file(&file, &format!("{partial}\n"));
    let held = server.printed(&["swap-push", "--partial-tx-file", &file, &own, &other, "--dry-run"]).await;
    assert_eq!(held, server.printed(&["swap-push", &partial, &own, &other, "--dry-run"]).await);
    let piped = ["--wallet-id", "genesis", "--url", &server.url(), "decode", "--partial-tx-file", "-"];
    let decoded = printed(wallet_with(&piped, &partial).await);
    assert_eq!(decoded, server.printed(&["decode", "--partial-tx", &partial]).await);
    // Who says so at a terminal is not asked.
    let url = server.url();
    let variables = [("HEADLESS_URL", &*url), ("HEADLESS_WALLET_ID", "genesis")];
    let unasked =
        Terminal::open(&format!("wallet swap-signatures '{partial}' --yes"), &variables).end().await;
    assert_eq!(unasked, (0, format!("{own}\n")));
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
