//! Wallets whose keys a token of PKCS#11 has, with SoftHSM as the token.

use super::command_line::BINARY;
use super::process::Process;
use super::support::{Answer, ask};
use headless_wallet::ledger::{Address, Network};
use headless_wallet::signer::{PinSource, TokenError, TokenName, TokenPlace, TokenSigner};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tokio::process::Command;

const PIN: &str = "4711-secret";

/// A directory with a SoftHSM of its own, its token and the server's settings.
struct Token(TempDir);

/// Where Debian and others put SoftHSM.
fn module() -> PathBuf {
    let places =
        ["/usr/lib/softhsm", "/usr/lib64/pkcs11", "/usr/local/lib/softhsm", "/opt/homebrew/lib/softhsm"];
    let mut paths = places.iter().map(|place| Path::new(place).join("libsofthsm2.so"));
    paths.find(|path| path.exists()).expect("SoftHSM is missing: scripts/setup softhsm")
}

impl Token {
    async fn new() -> Self {
        let token = Self(TempDir::new().unwrap());
        std::fs::create_dir(token.path("tokens")).unwrap();
        token.write("softhsm2.conf", &format!("directories.tokendir = {}\n", token.path("tokens")));
        token.write("pin", &format!("{PIN}\n"));
        token.settings("pin_file", &token.path("pin"));
        token.init(PIN).await;
        token
    }

    async fn init(&self, pin: &str) {
        let arguments = ["--init-token", "--free", "--label", "vault", "--so-pin", "officer-1", "--pin", pin];
        self.softhsm(&arguments).await;
    }

    async fn softhsm(&self, arguments: &[&str]) {
        let mut util = Command::new("softhsm2-util");
        let done =
            util.args(arguments).env("SOFTHSM2_CONF", self.path("softhsm2.conf")).output().await.unwrap();
        assert!(done.status.success(), "{done:?}");
    }

    /// Puts the tokens of `place` away, and those of `instead` there; none without a name.
    fn swap(&self, place: &str, away: &str, instead: &str) {
        std::fs::rename(self.path(place), self.path(away)).unwrap();
        match instead {
            "" => std::fs::create_dir(self.path(place)).unwrap(),
            instead => std::fs::rename(self.path(instead), self.path(place)).unwrap(),
        }
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn settings(&self, field: &str, value: &str) {
        let module = module();
        let text = format!(
            "[signers.hsm]\nmodule = {module:?}\ntoken = \"vault\"\n{field} = {value:?}\nseeds = [\"main\", \"empty\"]\n"
        );
        self.write("server.toml", &text);
    }

    /// `signer token-keys`, with these arguments.
    async fn keys(&self, arguments: &[&str]) -> Output {
        let mut program = Command::new(BINARY);
        program.args(["signer", "token-keys"]).args(arguments).args(["--config", &self.path("server.toml")]);
        program.env("SOFTHSM2_CONF", self.path("softhsm2.conf")).env("HEADLESS_NETWORK", "privatenet");
        program.envs([
            ("HEADLESS_SERVER", "http://127.0.0.1:1/"),
            ("HEADLESS_TX_MINING_URL", "http://127.0.0.1:1/"),
        ]);
        program.output().await.unwrap()
    }

    /// The addresses of keys that are made now.
    async fn add(&self, count: u32) -> Vec<String> {
        let done = self.keys(&["add", "main", "--count", &count.to_string()]).await;
        assert!(done.status.success(), "{done:?}");
        addresses(&done)
    }

    async fn server(&self) -> Process {
        let mut serve = Command::new(BINARY);
        serve.args(["serve", "--config", &self.path("server.toml")]);
        serve.env("SOFTHSM2_CONF", self.path("softhsm2.conf")).env("HSM_PIN", PIN);
        serve.env("CREDENTIALS_DIRECTORY", self.0.path());
        Process::by(serve, Stdio::null()).await
    }
}

fn addresses(listed: &Output) -> Vec<String> {
    let text = String::from_utf8(listed.stdout.clone()).unwrap();
    text.lines().map(|line| line.split_once(' ').unwrap().1.to_owned()).collect()
}

async fn call(server: &Process, wallet: &str, method: &str, path: &str, body: Value) -> Answer {
    let headers = [("content-type", "application/json"), ("x-wallet-id", wallet)];
    ask(&server.address, method, path, &headers, body.to_string().as_bytes()).await
}

async fn start(server: &Process, path: &str, body: Value) -> (u16, Value) {
    let answer = call(server, "", "POST", path, body).await;
    (answer.status, answer.json())
}

async fn until_ready(server: &Process, wallet: &str) {
    while call(server, wallet, "GET", "/wallet/status", json!({})).await.json()["statusCode"] != 3 {
        tokio::task::yield_now().await;
    }
}

/// Pays each address something from the genesis wallet, and waits for it to arrive.
async fn fund(server: &Process, addresses: &[String], value: u64) {
    let body = json!({"wallet-id": "genesis", "seedKey": "genesis"});
    assert_eq!(start(server, "/start", body).await.1, json!({"success": true}));
    until_ready(server, "genesis").await;
    let outputs: Vec<_> = addresses.iter().map(|to| json!({"address": to, "value": value})).collect();
    let sent = call(server, "genesis", "POST", "/wallet/send-tx", json!({"outputs": outputs})).await.json();
    assert_eq!(sent["success"], json!(true), "{sent}");
    until_available(server, value * addresses.len() as u64).await;
}

async fn until_available(server: &Process, value: u64) {
    while call(server, "hsm", "GET", "/wallet/balance", json!({})).await.json()["available"] != value {
        tokio::task::yield_now().await;
    }
}

async fn send(server: &Process, value: u64) -> Value {
    let foreign = Address::p2pkh(Network::Privatenet, [7; 20]).to_string();
    let body = json!({"address": foreign, "value": value});
    call(server, "hsm", "POST", "/wallet/simple-send-tx", body).await.json()
}

#[tokio::test]
async fn a_token_signs_all_inputs_of_a_send_and_its_keys_are_all_addresses_there_are() {
    let token = Token::new().await;
    let mut made = token.add(2).await;
    made.extend(token.add(1).await);
    assert_eq!(addresses(&token.keys(&["list", "main"]).await), made);
    let server = token.server().await;
    let body = json!({"wallet-id": "hsm", "hsm-key": "main"});
    assert_eq!(start(&server, "/hsm/start", body).await, (200, json!({"success": true})));
    until_ready(&server, "hsm").await;
    let all = call(&server, "hsm", "GET", "/wallet/addresses", json!({})).await.json();
    assert_eq!(all, json!({"addresses": made}));
    let beyond = call(&server, "hsm", "GET", "/wallet/address?index=3", json!({})).await;
    let none = json!({"success": false, "error": "The wallet has no address with this index: it has one for each of its keys."});
    assert_eq!(beyond.parts(), (200, none));
    let more = json!({"count": 5});
    let path = "/wallet/config/index-limit/load-more-addresses";
    assert_eq!(call(&server, "hsm", "POST", path, more).await.json(), json!({"success": true}));

    fund(&server, &made, 40).await;
    // Of all three keys.
    let sent = send(&server, 115).await;
    assert_eq!(sent["success"], json!(true), "{sent}");
    assert_eq!(sent["inputs"].as_array().unwrap().len(), 3);
    until_available(&server, 5).await;
    let body = json!({"message": "hello", "address": made[2]});
    let signed = call(&server, "hsm", "POST", "/wallet/sign-message", body).await.json();
    assert_eq!(signed["success"], json!(true), "{signed}");
    // One more key is found by a new start: the wallet is the same, and sees what it has.
    made.extend(token.add(1).await);
    assert_eq!(call(&server, "hsm", "POST", "/wallet/stop", json!({})).await.json()["success"], json!(true));
    let body = json!({"wallet-id": "hsm", "seedKey": "main"});
    assert_eq!(start(&server, "/start", body).await, (200, json!({"success": true})));
    until_ready(&server, "hsm").await;
    let all = call(&server, "hsm", "GET", "/wallet/addresses", json!({})).await.json();
    assert_eq!(all, json!({"addresses": made}));
    assert_eq!(send(&server, 5).await["success"], json!(true));
    server.end().await;
}

#[tokio::test]
async fn hsm_start_refuses_in_the_words_of_0_39() {
    let token = Token::new().await;
    token.add(1).await;
    let server = token.server().await;
    let refused = |message: &str| (200, json!({"success": false, "message": message}));
    let started = json!({"wallet-id": "hsm", "hsm-key": "main"});
    let cases = [
        (json!({}), "Parameter 'wallet-id' is required."),
        (json!({"wallet-id": "hsm"}), "Parameter 'hsm-key' is required."),
        (json!({"wallet-id": "hsm", "hsm-key": "other"}), "Key does not exist on HSM."),
        (json!({"wallet-id": "hsm", "hsm-key": "empty"}), "Key does not exist on HSM."),
    ];
    for (body, message) in cases {
        assert_eq!(start(&server, "/hsm/start", body).await, refused(message));
    }
    assert_eq!(start(&server, "/hsm/start", started.clone()).await, (200, json!({"success": true})));
    let twice = json!({
        "success": false,
        "message": "Failed to start wallet with wallet id hsm",
        "errorCode": "WALLET_ALREADY_STARTED",
    });
    for body in [started.clone(), json!({"wallet-id": "hsm"})] {
        assert_eq!(start(&server, "/hsm/start", body).await, (200, twice.clone()));
    }
    let Process { devnet, child: _child, address } = server;
    devnet.shutdown().await;
    let body = json!({"wallet-id": "second", "hsm-key": "main"}).to_string();
    let headers = [("content-type", "application/json")];
    let answer = ask(&address, "POST", "/hsm/start", &headers, body.as_bytes()).await;
    let (status, answer) = (answer.status, answer.json());
    assert_eq!(
        (status, &answer["message"]),
        (500, &json!("Failed to start wallet with wallet id second and key main"))
    );
}

#[tokio::test]
async fn a_server_without_a_token_says_so() {
    let server = Process::start(&["serve"]).await;
    let body = json!({"wallet-id": "hsm", "hsm-key": "main"});
    let refusal = json!({"success": false, "message": "HSM integration is not configured"});
    assert_eq!(start(&server, "/hsm/start", body).await, (200, refusal));
    server.end().await;
}

#[tokio::test]
async fn a_pin_comes_from_a_variable_or_a_credential_and_a_wrong_one_is_tried_once() {
    let token = Token::new().await;
    token.add(1).await;
    for (field, value) in [("pin_env", "HSM_PIN"), ("pin_credential", "pin")] {
        token.settings(field, value);
        let server = token.server().await;
        let body = json!({"wallet-id": "hsm", "hsm-key": "main"});
        assert_eq!(start(&server, "/hsm/start", body).await, (200, json!({"success": true})), "{field}");
        server.end().await;
    }
    let pin = token.path("pin");
    token.settings("pin_file", &pin);
    let server = token.server().await;
    let body = json!({"wallet-id": "hsm", "hsm-key": "main"});
    let told = |text: &str| {
        let message = format!("Unexpected error on HSM connection: [signers.hsm]: {text}");
        (200, json!({"success": false, "message": message}))
    };
    std::fs::remove_file(&pin).unwrap();
    let text = format!("the PIN can't be read from `pin_file` {pin}: No such file or directory (os error 2)");
    assert_eq!(start(&server, "/hsm/start", body.clone()).await, told(&text));
    token.write("pin", "wrong-one");
    let text = format!(
        "the token refuses the PIN, and it is not tried again, since that would lock the token: put the right one at `pin_file` {pin}"
    );
    for _ in 0..20 {
        assert_eq!(start(&server, "/hsm/start", body.clone()).await, told(&text));
    }
    token.write("pin", PIN);
    assert_eq!(start(&server, "/hsm/start", body).await, (200, json!({"success": true})));
    server.end().await;
}

#[tokio::test]
async fn a_module_that_hangs_or_is_none_is_named_in_time() {
    let dir = TempDir::new().unwrap();
    let (source, hangs) = (dir.path().join("hangs.c"), dir.path().join("hangs.so"));
    let text = "#include <unistd.h>\nunsigned long C_GetFunctionList(void **list) { for (;;) pause(); }\n";
    std::fs::write(&source, text).unwrap();
    let done =
        Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&hangs, &source]).output().await.unwrap();
    assert!(done.status.success(), "{done:?}");
    let place = |module: &Path| TokenPlace {
        given_by: "[signers.hsm]".to_owned(),
        module: module.to_owned(),
        token: TokenName::Slot(0),
        pin: PinSource::File("/nowhere".into()),
    };
    let patience = Duration::from_millis(200);
    // The second waits behind the first.
    for _ in 0..2 {
        let slow = TokenSigner::of_label(place(&hangs), "main", patience).await.unwrap_err();
        let text = format!(
            "[signers.hsm]: the token did not answer within 0.2 s: `module` {} hangs, or the device behind it does",
            hangs.display()
        );
        assert_eq!(slow, TokenError::Slow(text));
    }
    let none =
        TokenSigner::of_label(place(&source), "main", Duration::from_secs(30)).await.unwrap_err().to_string();
    let begins = format!("[signers.hsm]: `module` {} can't be loaded: ", source.display());
    let ends = "it must be the PKCS#11 library of the token's vendor";
    assert!(none.starts_with(&begins) && none.ends_with(ends), "{none}");
}

#[tokio::test]
async fn a_token_that_went_away_is_missed_and_found_again() {
    let token = Token::new().await;
    let made = token.add(1).await;
    let server = token.server().await;
    let body = json!({"wallet-id": "hsm", "hsm-key": "main"});
    assert_eq!(start(&server, "/hsm/start", body).await, (200, json!({"success": true})));
    until_ready(&server, "hsm").await;
    fund(&server, &made, 40).await;
    assert_eq!(send(&server, 10).await["success"], json!(true));

    token.swap("tokens", "drawer", "");
    let missed = send(&server, 10).await;
    assert_eq!(
        missed["error"],
        json!(
            "the wallet's signer can't be reached, and nothing was signed: [signers.hsm]: `token` \"vault\" is not there: \
             the module sees no token"
        ),
        "{missed}"
    );
    // Another of the same label has another PIN, which does not count for the first.
    token.init("another-pin").await;
    let refused = send(&server, 10).await["error"].to_string();
    assert!(
        refused.contains("[signers.hsm]: the token refuses the PIN, and it is not tried again"),
        "{refused}"
    );
    token.swap("tokens", "stranger", "drawer");
    let found = send(&server, 5).await;
    assert_eq!(found["success"], json!(true), "{found}");
    token.swap("tokens", "drawer", "");
    // Another has other keys.
    token.init(PIN).await;
    let missed = send(&server, 10).await;
    assert_eq!(
        missed["error"],
        json!(
            "the wallet's signer can't be reached, and nothing was signed: [signers.hsm]: key 0 of \"main\" is not on the token"
        ),
        "{missed}"
    );
    token.add(1).await;
    let wrong = send(&server, 10).await;
    assert_eq!(
        wrong["error"],
        json!("what the wallet's signer gave is not used: a signature for address 0 of something else"),
        "{wrong}"
    );
    token.swap("tokens", "other", "drawer");
    let found = send(&server, 25).await;
    assert_eq!(found["success"], json!(true), "{found}");
    server.end().await;
}
