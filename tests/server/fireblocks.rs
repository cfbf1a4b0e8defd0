//! Wallets whose keys Fireblocks has: against a server that looks at each request's token and fields.

use super::support::{GENESIS_WORDS, Server};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{
    AccountKeys, AccountPublic, Mnemonic, Purpose, Signer, SigningRequest, ToSign, verify_message,
};
use headless_wallet::ledger::{Address, Network};
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const SECRET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/fireblocks/secret.pem");
const PUBLIC: &[u8] = include_bytes!("../vectors/fireblocks/public.der");
const API_KEY: &str = "0e5f6c5e-5b0a-4b8a-a7c6-a2d0a9a4a5a1";

/// What the service does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mood {
    /// Signs what is asked for, after this many looks.
    Signs(usize),
    /// Says that it has the request already.
    HasIt,
    /// Somebody rejects.
    Rejects,
    /// Signs something else.
    Lies,
    /// Has the keys of another.
    OtherKeys,
    Broken,
}

struct Service {
    url: String,
    state: Arc<State>,
}

struct State {
    keys: AccountKeys,
    mood: Mutex<Mood>,
    looks: Mutex<usize>,
    nonces: Mutex<HashSet<String>>,
    /// The bodies posted.
    posted: Mutex<Vec<Value>>,
}

fn keys() -> AccountKeys {
    AccountKeys::from_mnemonic(&Mnemonic::parse(GENESIS_WORDS).unwrap(), "")
}

impl Service {
    async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(State {
            keys: keys(),
            mood: Mutex::new(Mood::Signs(1)),
            looks: Mutex::default(),
            nonces: Mutex::default(),
            posted: Mutex::default(),
        });
        let shared = state.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let state = shared.clone();
                tokio::spawn(async move { state.serve(stream).await });
            }
        });
        Self { url, state }
    }

    fn set(&self, mood: Mood) {
        *self.state.mood.lock().unwrap() = mood;
        *self.state.looks.lock().unwrap() = 0;
    }
}

impl State {
    async fn serve(&self, mut stream: TcpStream) {
        let mut bytes = Vec::new();
        loop {
            let head = loop {
                if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                    break String::from_utf8(bytes.drain(..end + 4).collect()).unwrap();
                }
                if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                    return;
                }
            };
            let header = |name: &str| {
                let line = head
                    .lines()
                    .find_map(|line| line.split_once(": ").filter(|(n, _)| n.eq_ignore_ascii_case(name)));
                line.map(|(_, value)| value.to_owned())
            };
            let length: usize = header("content-length").map_or(0, |length| length.parse().unwrap());
            while bytes.len() < length {
                assert!(stream.read_buf(&mut bytes).await.unwrap() > 0);
            }
            let body: Vec<u8> = bytes.drain(..length).collect();
            let mut words = head.split(' ');
            let (method, path) = (words.next().unwrap(), words.next().unwrap());
            assert_eq!(header("x-api-key").as_deref(), Some(API_KEY));
            self.check_token(&header("authorization").unwrap(), path, &body);
            let (status, answer) = self.answer(method, path, &body);
            let text = answer.to_string();
            let head = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                text.len()
            );
            stream.write_all((head + &text).as_bytes()).await.unwrap();
        }
    }

    /// As the API documents it: signed by the key's secret, for this path and body, for a minute, once.
    fn check_token(&self, authorization: &str, path: &str, body: &[u8]) {
        let token = authorization.strip_prefix("Bearer ").unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let (head, claims) = signed.split_once('.').unwrap();
        let read =
            |part: &str| -> Value { serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap() };
        assert_eq!(read(head), json!({"alg": "RS256", "typ": "JWT"}));
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, PUBLIC);
        key.verify(signed.as_bytes(), &signature).unwrap();
        let claims = read(claims);
        let names: Vec<_> = claims.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, ["bodyHash", "exp", "iat", "nonce", "sub", "uri"]);
        assert_eq!((&claims["uri"], &claims["sub"]), (&json!(path), &json!(API_KEY)));
        assert_eq!(claims["bodyHash"], json!(hex::encode(Sha256::digest(body))));
        let (issued, ends) = (claims["iat"].as_u64().unwrap(), claims["exp"].as_u64().unwrap());
        assert_eq!(ends - issued, 60);
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        assert!(now.abs_diff(issued) < 60);
        assert!(
            self.nonces.lock().unwrap().insert(claims["nonce"].as_str().unwrap().to_owned()),
            "a nonce twice"
        );
    }

    fn answer(&self, method: &str, path: &str, body: &[u8]) -> (u16, Value) {
        let mood = *self.mood.lock().unwrap();
        if mood == Mood::Broken {
            return (401, json!({"message": "Unauthorized", "code": -7}));
        }
        const INFO: &str = "/v1/vault/public_key_info?derivationPath=%5B44,280,0,0,0%5D&algorithm=MPC_ECDSA_SECP256K1&compressed=true";
        if (method, path) == ("GET", INFO) {
            let index = if mood == Mood::OtherKeys { 1 } else { 0 };
            let key = hex::encode(self.keys.public().public_key(index));
            return (
                200,
                json!({"status": 0, "publicKey": key, "algorithm": "MPC_ECDSA_SECP256K1", "derivationPath": [44, 280, 0, 0, 0]}),
            );
        }
        if (method, path) == ("POST", "/v1/transactions") {
            self.posted.lock().unwrap().push(serde_json::from_slice(body).unwrap());
            return match mood {
                Mood::HasIt => (400, json!({"message": "The external tx id exists", "code": 1438})),
                _ => (200, json!({"id": "fb-1", "status": "SUBMITTED"})),
            };
        }
        let posted = self.posted.lock().unwrap().last().unwrap().clone();
        let content = posted["externalTxId"].as_str().unwrap();
        assert_eq!((method, path), ("GET", &*format!("/v1/transactions/external_tx_id/{content}")));
        let mut looks = self.looks.lock().unwrap();
        *looks += 1;
        match mood {
            Mood::Rejects => return (200, json!({"id": "fb-1", "status": "REJECTED"})),
            Mood::Signs(after) if *looks <= after => {
                return (200, json!({"id": "fb-1", "status": "PENDING_AUTHORIZATION"}));
            }
            _ => {}
        }
        let mut digest: [u8; 32] = hex::decode(content).unwrap().try_into().unwrap();
        digest[0] ^= u8::from(mood == Mood::Lies);
        let messages = posted["extraParameters"]["rawMessageData"]["messages"].as_array().unwrap();
        let signed = messages.iter().map(|message| {
            assert_eq!(message["content"], json!(content));
            let index = u32::try_from(message["derivationPath"][4].as_u64().unwrap()).unwrap();
            let what = ToSign::Message { index, text: "" };
            let request = SigningRequest { what, purpose: Purpose::Message, digest, salt: b"" };
            let signatures = futures_util::FutureExt::now_or_never(Signer::sign(&self.keys, request)).unwrap().unwrap();
            let (r, s) = signatures[0].compact.split_at(32);
            json!({
                "content": content, "derivationPath": message["derivationPath"], "algorithm": "MPC_ECDSA_SECP256K1",
                "publicKey": hex::encode(signatures[0].public_key),
                "signature": {"r": hex::encode(r), "s": hex::encode(s), "v": 0, "fullSig": hex::encode(signatures[0].compact)},
            })
        });
        (200, json!({"id": "fb-1", "status": "COMPLETED", "signedMessages": signed.collect::<Vec<_>>()}))
    }
}

fn settings(service: &Service) -> String {
    format!(
        "fireblocks_url = {:?}\nfireblocks_api_key = {API_KEY:?}\nfireblocks_api_secret_file = {SECRET:?}\n",
        service.url
    )
}

#[tokio::test]
async fn a_wallet_is_started_by_the_keys_that_fireblocks_has_in_the_words_of_0_39() {
    let service = Service::new().await;
    let server = Server::start_with(&settings(&service)).await;
    let xpub = keys().public().to_xpub();
    let start = async |body: Value| server.post("/fireblocks/start", None, &body).await.parts();
    let refused = |message: &str| json!({"success": false, "message": message});
    assert_eq!(start(json!({"xpub": xpub})).await, (200, refused("Parameter 'wallet-id' is required.")));
    assert_eq!(start(json!({"wallet-id": "fb"})).await, (200, refused("Parameter 'xpub' is required.")));
    service.set(Mood::OtherKeys);
    let other = "Fireblocks api generated a public key different from local public key.";
    assert_eq!(start(json!({"wallet-id": "fb", "xpub": xpub})).await, (200, refused(other)));
    service.set(Mood::Broken);
    let broken = "Could not validate Fireblocks client config, received error: Fireblocks answers with status 401: \
                  {\"code\":-7,\"message\":\"Unauthorized\"}";
    assert_eq!(start(json!({"wallet-id": "fb", "xpub": xpub})).await, (500, refused(broken)));
    service.set(Mood::Signs(1));
    assert_eq!(start(json!({"wallet-id": "fb", "xpub": xpub})).await, (200, json!({"success": true})));
    let taken = json!({
        "success": false, "message": "Failed to start wallet with wallet id fb", "errorCode": "WALLET_ALREADY_STARTED",
    });
    assert_eq!(start(json!({"wallet-id": "fb", "xpub": xpub})).await, (200, taken));
    server.shutdown().await;

    let server = Server::start_with("").await;
    let none =
        server.post("/fireblocks/start", None, &json!({"wallet-id": "fb", "xpub": xpub})).await.parts();
    assert_eq!(none, (200, refused("Fireblocks client is not configured.")));
    server.shutdown().await;
}

#[tokio::test]
async fn fireblocks_signs_all_inputs_of_a_send_and_what_it_gives_is_looked_at() {
    let service = Service::new().await;
    let devnet =
        Devnet::start(DevnetConfig { block_interval: None, ..DevnetConfig::default() }).await.unwrap();
    let server = Server::on(devnet, &settings(&service)).await;
    let public: AccountPublic = keys().public();
    let body = json!({"wallet-id": "genesis", "xpub": public.to_xpub()});
    assert_eq!(server.post("/fireblocks/start", None, &body).await.parts(), (200, json!({"success": true})));
    server.app.wallets().get("genesis").unwrap().ready().await;
    let (foreign, wallet) = (Address::p2pkh(Network::Privatenet, [7; 20]).to_string(), Some("genesis"));
    let pay = |value: u64| json!({"address": foreign, "value": value});
    // Nearly all that it has: several inputs, of several addresses or of one.
    let all = server.read("/wallet/balance").await["available"].as_u64().unwrap();
    let sent = server.post("/wallet/simple-send-tx", wallet, &pay(all - 100)).await.json();
    assert_eq!(sent["success"], json!(true), "{sent}");
    let inputs = sent["inputs"].as_array().unwrap().len();
    assert!(inputs > 1);
    let asked = service.state.posted.lock().unwrap().last().unwrap().clone();
    let messages = asked["extraParameters"]["rawMessageData"]["messages"].as_array().unwrap().clone();
    let paths: HashSet<_> = messages.iter().map(|message| message["derivationPath"].to_string()).collect();
    assert_eq!(paths.len(), messages.len(), "each key signs once");
    let content = &asked["externalTxId"];
    let expected: Vec<_> = messages
        .iter()
        .map(|message| json!({"content": content, "derivationPath": message["derivationPath"]}))
        .collect();
    assert_eq!(
        asked,
        json!({
            "operation": "RAW", "externalTxId": content,
            "note": "Hathor tx sent from headless wallet using raw signing",
            "extraParameters": {"rawMessageData": {"algorithm": "MPC_ECDSA_SECP256K1", "messages": expected}},
        })
    );
    service.set(Mood::HasIt);
    assert_eq!(server.post("/wallet/simple-send-tx", wallet, &pay(1)).await.json()["success"], json!(true));
    for (mood, text) in [
        (
            Mood::Rejects,
            "the wallet's signer refuses this by its rule \"fireblocks\": its transaction fb-1 is REJECTED",
        ),
        (
            Mood::Lies,
            "what the wallet's signer gave is not used: a signature for address 0 of something else",
        ),
        (
            Mood::Broken,
            "the wallet's signer can't be reached, and nothing was signed: Fireblocks answers with status 401: \
             {\"code\":-7,\"message\":\"Unauthorized\"}",
        ),
    ] {
        service.set(mood);
        let refused = server.post("/wallet/simple-send-tx", wallet, &pay(1)).await.json();
        assert_eq!(refused["success"], json!(false));
        let told = refused["error"].as_str().unwrap();
        let told = told.split(" for address ").next().unwrap();
        assert_eq!(told, text.split(" for address ").next().unwrap());
    }
    service.set(Mood::Signs(0));
    let own = server.address(0).await;
    let message = json!({"message": "hello", "address": own});
    let signed = server.post("/wallet/sign-message", wallet, &message).await.json();
    assert!(verify_message(
        &keys().public().key_hashes(0..1)[0],
        "hello",
        signed["signature"].as_str().unwrap()
    ));
    server.shutdown().await;
}
