//! `headless-wallet wallet`: transactions that are signed elsewhere or by several.

use super::command_line::{Dir, cells, failed, fine, new_file, wallet};
use super::multisig::{FOREIGN, Three};
use super::support::{GENESIS_WORDS, Server};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, InputData, Network};
use serde_json::json;

/// The one line of digits that an operation that must succeed has printed.
async fn digits(server: &Server, args: &[&str]) -> String {
    let printed = server.printed(args).await;
    assert_eq!(printed.lines().count(), 1, "{printed}");
    printed.trim_end().to_owned()
}

#[tokio::test]
async fn a_transaction_is_signed_elsewhere() {
    let server = Server::with_wallet().await;
    let to = format!("{FOREIGN}:0.70");
    // On standard output the digits alone: scripts pass them on.
    let built = server.wallet_of("genesis", &["build-tx", "--to", &to, "--data", "c0ffee"]).await;
    let (hex, hash) = (built.1.trim_end(), built.2.trim_end().strip_prefix("to be signed  ").unwrap());
    assert_eq!((built.0, hex.lines().count()), (0, 1));
    let inputs = cells(&server.printed(&["wallet-inputs", hex]).await);
    let index = inputs[1].split(' ').nth(1).unwrap().parse().unwrap();
    assert_eq!(inputs, ["INPUT ADDRESS INDEX KEY", &format!("0 {index} m/44'/280'/0'/0/{index}")]);

    let keys = AccountKeys::from_mnemonic(&Mnemonic::parse(GENESIS_WORDS).unwrap(), "");
    let digest = hex::decode(hash).unwrap().try_into().unwrap();
    let InputData::P2pkh { signature, .. } = keys.sign(index, &digest) else { panic!("of one key") };
    let data = digits(&server, &["input-data", &index.to_string(), &hex::encode(signature)]).await;
    let signed = digits(&server, &["add-signatures", hex, "--input", &format!("0:{data}")]).await;
    let wrong = ["add-signatures", hex, "--input", "0:c0ffee"];
    assert_eq!(server.wallet_of("genesis", &wrong).await.0, 1);
    let pushed = cells(&server.printed(&["push", &signed]).await);
    assert!(pushed[0].starts_with("transaction 00"), "{pushed:?}");
    let paid = server
        .devnet
        .read(|chain| chain.history_of(&Address::parse(FOREIGN, Network::Privatenet).unwrap()).count());
    assert_eq!(paid, 1);
    server.shutdown().await;
}

#[tokio::test]
async fn participants_start_from_files() {
    let (three, dir) = (Three::new(), Dir::new());
    let server = Server::with_wallet_and(&three.settings("")).await;
    for (place, words) in three.words.iter().enumerate() {
        let (id, file) = (place.to_string(), dir.file(&place.to_string()));
        new_file(&file, words);
        let start = ["start", "--seed-file", &file, "--multisig-key", "cold"];
        assert_eq!(server.wallet_of(&id, &start).await, fine(&format!("Wallet {id} is ready.")));
    }
    assert_eq!(server.wallet_of("0", &["address", "--index", "0"]).await, fine(&three.addresses[0]));
    server.shutdown().await;
}

#[tokio::test]
async fn a_participant_without_a_server() {
    let (three, dir) = (Three::new(), Dir::new());
    let server = Server::with_wallet_and(&three.settings("")).await;
    let (words, settings) = (dir.file("words"), dir.file("settings.toml"));
    new_file(&words, &three.words[1]);
    let devnet = &server.devnet;
    let services = format!(
        "network = 'privatenet'\nserver = '{}'\ntx_mining_url = '{}'\n",
        devnet.node_url(),
        devnet.mining_url()
    );
    new_file(&settings, &three.settings(&services));
    let direct = async |args: &[&str]| {
        wallet(&[&["--direct", "--config", &settings, "--seed-file", &words], args].concat()).await
    };
    let first = ["address", "--index", "0", "--multisig-key"];
    assert_eq!(direct(&[&first[..], &["cold"]].concat()).await, fine(&three.addresses[0]));
    assert_eq!(
        direct(&[&first[..], &["warm"]].concat()).await,
        failed("warm is not configured for multisig.")
    );
    let addresses = direct(&["addresses", "--multisig-key", "cold", "--indexes", "1-2", "--json"]).await;
    assert_eq!(addresses, fine(&json!({"addresses": three.addresses[1..=2]}).to_string()));
    server.shutdown().await;
}

#[tokio::test]
async fn a_proposal_stands_alone_on_standard_output() {
    let server = Server::with_wallet().await;
    let ask = async |args: &[&str]| server.wallet_of("genesis", args).await;
    let (code, out, err) = ask(&["swap-propose", "--send", "0.10", "--receive", "0.10"]).await;
    assert_eq!((code, &*err), (0, "state  balanced: it can be signed\n"));
    assert_eq!((out.lines().count(), out.starts_with("PartialTx|")), (1, true), "{out}");

    let (code, out, err) = ask(&["swap-propose", "--send", "0.10", "--new-at-service"]).await;
    let wants = "error: --new-at-service protects the proposal with a password that the others need, too: write one into a file, and give \
    it with --password-file\n";
    assert_eq!((code, &*out), (2, ""));
    assert!(err.starts_with(wants), "{err}");

    for (command, expected) in [
        ("swap-fetch", "<PROPOSAL-ID>"),
        ("swap-register", "<PROPOSAL-ID>"),
        ("swap-propose", "--service-id <PROPOSAL-ID>"),
        ("nano-create", "The input of the call, as JSON"),
        ("nano-execute", "A token that the same transaction creates, as JSON"),
    ] {
        let (code, out, _) = ask(&[command, "--help"]).await;
        let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == 0 && out.contains(expected), "{command}: {out}");
    }
    server.shutdown().await;
}
