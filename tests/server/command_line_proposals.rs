//! `headless-wallet wallet`: transactions that are signed elsewhere or by several, and limits of addresses.

use super::command_line::{Dir, cells, failed, fine, new_file, printed, wallet};
use super::multisig::{FOREIGN, Three, pay, read};
use super::support::{GENESIS_WORDS, Server};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, InputData, Network};
use serde_json::json;

/// The lines that an operation that must succeed has printed.
async fn lines(server: &Server, id: &str, args: &[&str]) -> Vec<String> {
    printed(server.wallet_of(id, args).await).lines().map(str::to_owned).collect()
}

/// The one line of digits that it has printed.
async fn digits(server: &Server, id: &str, args: &[&str]) -> String {
    let mut lines = lines(server, id, args).await;
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines.remove(0)
}

/// The table that it has printed, with one space between the cells.
async fn table(server: &Server, id: &str, args: &[&str]) -> Vec<String> {
    cells(&printed(server.wallet_of(id, args).await))
}

#[tokio::test]
async fn a_transaction_is_signed_elsewhere() {
    let server = Server::with_wallet().await;
    let to = format!("{FOREIGN}:0.70");
    // On standard output the digits alone: scripts pass them on.
    let built = server.wallet_of("genesis", &["build-tx", "--to", &to, "--data", "c0ffee"]).await;
    let (hex, hash) = (built.1.trim_end(), built.2.trim_end().strip_prefix("to be signed  ").unwrap());
    assert_eq!((built.0, hex.lines().count()), (0, 1));
    let inputs = table(&server, "genesis", &["wallet-inputs", hex]).await;
    let index = inputs[1].split(' ').nth(1).unwrap().parse().unwrap();
    assert_eq!(inputs, ["INPUT ADDRESS INDEX KEY", &format!("0 {index} m/44'/280'/0'/0/{index}")]);

    let keys = AccountKeys::from_mnemonic(&Mnemonic::parse(GENESIS_WORDS).unwrap(), "");
    let digest = hex::decode(hash).unwrap().try_into().unwrap();
    let InputData::P2pkh { signature, .. } = keys.sign(index, &digest) else { panic!("of one key") };
    let data = digits(&server, "genesis", &["input-data", &index.to_string(), &hex::encode(signature)]).await;
    let signed = digits(&server, "genesis", &["add-signatures", hex, "--input", &format!("0:{data}")]).await;
    let wrong = ["add-signatures", hex, "--input", "0:c0ffee"];
    assert_eq!(server.wallet_of("genesis", &wrong).await.0, 1);
    let pushed = table(&server, "genesis", &["push", &signed]).await;
    assert!(pushed[0].starts_with("transaction 00"), "{pushed:?}");
    let paid = server
        .devnet
        .read(|chain| chain.history_of(&Address::parse(FOREIGN, Network::Privatenet).unwrap()).count());
    assert_eq!(paid, 1);
    server.shutdown().await;
}

#[tokio::test]
async fn several_participants_sign() {
    let (three, dir) = (Three::new(), Dir::new());
    let server = Server::with_wallet_and(&three.settings("")).await;
    for (place, words) in three.words.iter().enumerate() {
        let (id, file) = (place.to_string(), dir.file(&place.to_string()));
        new_file(&file, words);
        let start = ["start", "--seed-file", &file, "--multisig-key", "cold"];
        assert_eq!(server.wallet_of(&id, &start).await, fine(&format!("Wallet {id} is ready.")));
    }
    assert_eq!(server.wallet_of("0", &["address", "--index", "0"]).await, fine(&three.addresses[0]));
    pay(&server, &three.addresses[0], 700, "0").await;
    let to = format!("{FOREIGN}:1 HTR");
    let hex = digits(&server, "0", &["propose", "--to", &to, "--change", &three.addresses[1]]).await;
    let shares = [
        digits(&server, "0", &["my-signatures", &hex]).await,
        digits(&server, "2", &["my-signatures", &hex]).await,
    ];
    assert_eq!(
        server.wallet_of("0", &["sign", &hex, &shares[0]]).await,
        failed("Quantity of signatures different than expected. Expected 2 Received 1")
    );
    digits(&server, "0", &["sign", &hex, &shares[0], &shares[1]]).await;
    let push = ["sign-and-push", &hex, &shares[0], &shares[1]];
    let tried = lines(&server, "0", &[&push[..], &["--dry-run"]].concat()).await;
    assert_eq!(tried[0], "Nothing was sent. This would be:");
    let sent = table(&server, "0", &push).await;
    let mut outputs = sent[3..].to_vec();
    outputs.sort_unstable();
    assert_eq!(
        outputs,
        [format!("1.00 HTR {FOREIGN}"), format!("6.00 HTR {} (this wallet)", three.addresses[1])]
    );
    assert_eq!(read(&server, "0", "/wallet/balance").await, json!({"available": 600, "locked": 0}));

    digits(&server, "0", &["propose-create-token", "Ours", "OURS", "1.00"]).await;
    let unknown = "00".repeat(32);
    for operation in ["propose-mint", "propose-melt"] {
        assert_eq!(server.wallet_of("0", &[operation, &unknown, "1.00"]).await.0, 1, "{operation}");
    }
    // Once its inputs are set aside there is nothing left for another.
    digits(&server, "0", &["propose", "--to", &to, "--set-aside"]).await;
    assert_eq!(
        server.wallet_of("0", &["propose", "--to", &to]).await,
        failed(
            "Token: 00. Insufficient amount of tokens to fill the amount. 1.00 HTR would be needed. The wallet has 6.00 HTR, some of \
             it set aside or in use by what is being sent."
        )
    );
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
async fn limits_say_which_addresses_are_watched() {
    let server = Server::with_wallet().await;
    let (few, start) = ("few", ["start", "--seed-key", "genesis"]);
    let ready = |id: &str| fine(&format!("Wallet {id} is ready."));
    assert_eq!(server.wallet_of(few, &[&start[..], &["--indexes", "3-4"]].concat()).await, ready(few));
    assert_eq!(server.wallet_of(few, &["last-index"]).await, fine("4"));
    assert_eq!(server.wallet_of(few, &["load-more-addresses", "3"]).await, fine("Done."));
    assert_eq!(server.wallet_of(few, &["last-index"]).await, fine("7"));
    assert_eq!(server.wallet_of(few, &["last-index", "--set", "9"]).await, fine("Done."));
    assert_eq!(server.wallet_of(few, &["last-index"]).await, fine("9"));
    let listed = server.ask("GET", "/wallet/addresses", &[("x-wallet-id", few)], b"").await.json();
    assert_eq!(listed["addresses"].as_array().unwrap().len(), 7);

    let wide = "wide";
    assert_eq!(server.wallet_of(wide, &[&start[..], &["--gap-limit", "50"]].concat()).await, ready(wide));
    let last = |id: &'static str| {
        let address = server.app.wallets().get(id).unwrap();
        address.look(|state, _| state.addresses_to_watch(0).end)
    };
    assert_eq!(last(wide), last("genesis") + 30);
    assert_eq!(
        server.wallet_of(wide, &["load-more-addresses", "1"]).await,
        failed("Wallet is not configured for index-limit scanning policy")
    );
    server.shutdown().await;
}
