//! Two servers on one database that forward requests to each other: any of them answers for every wallet.

use crate::cluster::{PATIENCE, STRANGER, Two, again};
use crate::events::Listener;
use crate::rights::setting;
use crate::support::{Answer, Server, ask, exchange};
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const SECRET: &str = "cluster_secret = '0123456789abcdef0123456789abcdef'\n";
const SEND: &str = "/wallet/simple-send-tx";
const RESTARTED: &str =
    "runs the wallet, but another process answers at its URL: a restart, or `advertise_url` is wrong";

/// The first one runs `w`.
async fn two(outputs: usize, more: &str) -> Two {
    Two::new_with(outputs, &format!("{SECRET}{more}")).await
}

/// How many requests a server has forwarded that came to something.
async fn forwarded(two: &Two, server: usize, outcome: &str) -> u64 {
    let metrics = ask(&two.addresses[server], "GET", "/metrics", &[], b"").await.text;
    let name = format!("headless_wallet_forwarded_requests_total{{outcome=\"{outcome}\"}} ");
    let line = metrics.lines().find_map(|line| line.strip_prefix(&name));
    line.unwrap_or_else(|| panic!("{metrics}")).parse().unwrap()
}

async fn until(met: impl AsyncFn() -> bool) {
    let met = async {
        while !met().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, met).await.unwrap();
}

fn payment() -> Value {
    json!({"address": STRANGER, "value": 10})
}

#[tokio::test(flavor = "multi_thread")]
async fn any_server_answers_for_a_wallet_that_another_one_runs() {
    let two = two(4, "").await;
    let mut count = 0;
    for path in [
        "/wallet/balance",
        "/wallet/status",
        "/Wallet/Tx-History/",
        "/wallet/addresses",
        "/wallet/address?index=3",
        "/wallet/address?index=x",
        "/wallet/utxo-filter?max_utxos=2",
        "/wallet/tasks/no%2Fne",
        "/wallet/transaction",
    ] {
        let (here, there) = (two.get(0, "w", path).await, two.get(1, "w", path).await);
        assert_eq!(there.parts(), here.parts(), "{path}");
        for header in ["content-type", "content-length", "x-content-type-options", "retry-after"] {
            assert_eq!(there.header(header), here.header(header), "{header} of {path}");
        }
        count += 1;
    }
    let headers = [("x-wallet-id", "w"), ("x-request-id", "mine-7")];
    let named = ask(&two.addresses[1], "HEAD", "/wallet/balance", &headers, b"").await;
    assert_eq!((named.status, named.header("x-request-id"), &*named.text), (200, Some("mine-7"), ""));
    count += 1;

    let sent = two.pay(1, None).await;
    assert_eq!(sent["success"], json!(true), "{sent}");
    // With a key, wherever it is repeated.
    let keyed = two.pay(1, Some("k")).await;
    assert_eq!(keyed["success"], json!(true), "{keyed}");
    for server in [0, 1] {
        assert_eq!(two.pay(server, Some("k")).await["hash"], keyed["hash"]);
    }
    count += 3;
    let other = json!({"address": STRANGER, "value": 11});
    let taken = two.post(1, SEND, &other, Some("k")).await;
    assert_eq!(taken, two.post(0, SEND, &other, Some("k")).await);
    // A body that was compressed.
    let body = compress_to_vec_zlib(payment().to_string().as_bytes(), 6);
    let headers =
        [("content-type", "application/json"), ("x-wallet-id", "w"), ("content-encoding", "deflate")];
    let sent = ask(&two.addresses[1], "POST", SEND, &headers, &body).await;
    assert_eq!(sent.json()["success"], json!(true), "{}", sent.text);
    count += 2;
    // One that is waited for, and one that is asked for again.
    let headers =
        [("content-type", "application/json"), ("x-wallet-id", "w"), ("prefer", "respond-async, wait=60")];
    let body = payment().to_string();
    let waited = ask(&two.addresses[1], "POST", SEND, &headers, body.as_bytes()).await;
    assert_eq!((waited.status, &waited.json()["success"]), (200, &json!(true)), "{}", waited.text);
    assert_eq!(waited.header("preference-applied"), Some("respond-async"));
    let headers = [("content-type", "application/json"), ("x-wallet-id", "w"), ("prefer", "respond-async")];
    let later = ask(&two.addresses[1], "POST", SEND, &headers, body.as_bytes()).await;
    assert_eq!(later.status, 202, "{}", later.text);
    let place = later.header("location").unwrap();
    let task = two.get(1, "w", &format!("{place}?wait=60")).await.json();
    assert_eq!(task["status"], "pushed", "{task}");
    count += 3;

    assert!(two.apps[1].wallets().get("w").is_none());
    assert_eq!(forwarded(&two, 1, "answered").await, count);
    assert_eq!((forwarded(&two, 1, "not_done").await, forwarded(&two, 1, "lost").await), (0, 0));
    assert_eq!(forwarded(&two, 0, "answered").await, 0);
    two.until_has(0, 4_000 - 5 * 10).await;
    let stopped = two.of(1, "w", "POST", "/wallet/stop", &Value::Null).await;
    assert_eq!(stopped.json(), json!({"success": true}));
    assert!(two.apps[0].wallets().get("w").is_none());
}

/// The next event that tells of a transaction.
async fn told(listener: &mut Listener, hash: &Value) -> String {
    let told = async {
        loop {
            let event = listener.next().await.expect("the stream goes on");
            assert_ne!(event.name, "events:missed");
            if event.name == "wallet:new-tx" && event.data["data"]["tx_id"] == *hash {
                return event.id.unwrap();
            }
        }
    };
    tokio::time::timeout(PATIENCE, told).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn events_come_through_another_server_as_they_happen() {
    let two = two(2, "").await;
    let mut listener = Listener::connect_to(&two.addresses[1], "w", &[]).await;
    let id = told(&mut listener, &two.pay(0, None).await["hash"]).await;
    // From where it was, with what came meanwhile.
    drop(listener);
    let missed = two.pay(0, None).await;
    let mut listener = Listener::connect_to(&two.addresses[1], "w", &[("last-event-id", &id)]).await;
    told(&mut listener, &missed["hash"]).await;
    told(&mut listener, &two.pay(1, None).await["hash"]).await;
    // Until the wallet is stopped.
    two.of(0, "w", "POST", "/wallet/stop", &Value::Null).await;
    tokio::time::timeout(PATIENCE, listener.end()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_take_places_of_both_servers_for_as_long_as_somebody_listens() {
    // With two places for streams.
    let two = two(0, "http_max_connections = 8").await;
    let listeners = [
        Listener::connect_to(&two.addresses[1], "w", &[]).await,
        Listener::connect_to(&two.addresses[1], "w", &[]).await,
    ];
    let error = "2 streams of events are open, as many as the setting `http_max_connections` leaves room for: try again later, or raise it.";
    for server in [1, 0] {
        let full = two.get(server, "w", "/wallet/events").await;
        assert_eq!(full.parts(), (503, json!({"success": false, "error": error})));
    }
    drop(listeners);
    let open = async |server: usize| {
        let mut connection = TcpStream::connect(&two.addresses[server]).await.unwrap();
        let head = "GET /wallet/events HTTP/1.1\r\nhost: localhost\r\nx-wallet-id: w\r\n\r\n";
        connection.write_all(head.as_bytes()).await.unwrap();
        let mut status = [0; 12];
        connection.read_exact(&mut status).await.unwrap();
        (&status == b"HTTP/1.1 200").then_some(connection)
    };
    // Nobody listens any more, which both find out.
    for server in [1, 0] {
        until(async || {
            let (one, other) = (open(server).await, open(server).await);
            one.is_some() && other.is_some()
        })
        .await;
    }
}

/// With an API key.
async fn with(two: &Two, server: usize, key: &str, method: &str, path: &str, body: &Value) -> Answer {
    let headers = [("content-type", "application/json"), ("x-wallet-id", "w"), ("x-api-key", key)];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    ask(&two.addresses[server], method, path, &headers, body.as_bytes()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_may_do_at_another_server_what_it_may_at_its_wallets() {
    // Of the second server alone: others know nothing of it.
    let own = setting("local", "own key", &["read"], &["*"]);
    let two = Two::new_each(4, [SECRET, &format!("{SECRET}{own}")]).await;
    let make = async |grant: Value| {
        let made = two.of(0, "", "POST", "/keys", &grant).await.json();
        made["key"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
    };
    let owner =
        make(json!({"name": "owner", "wallets": ["*"], "rights": ["read", "send", "administer"]})).await;
    let make = async |grant: Value| {
        let made = with(&two, 0, &owner, "POST", "/keys", &grant).await.json();
        made["key"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
    };
    let reader = make(json!({"name": "reader", "wallets": ["w"], "rights": ["read"]})).await;
    let other = make(json!({"name": "other", "wallets": ["x"], "rights": ["read", "send"]})).await;
    let shop = make(json!({
        "name": "shop", "wallets": ["w"], "rights": ["read", "send"], "limits": ["spend 0.15 HTR per day"],
    }))
    .await;
    // Servers look for keys every second.
    until(async || with(&two, 1, &shop, "GET", "/wallet/balance", &Value::Null).await.status == 200).await;
    let nothing = Value::Null;
    for (key, method, path, body) in [
        (&reader, "GET", "/wallet/balance", &nothing),
        (&reader, "POST", SEND, &payment()),
        (&other, "GET", "/wallet/balance", &nothing),
        (&other, "POST", SEND, &payment()),
    ] {
        let (here, there) =
            (with(&two, 0, key, method, path, body).await, with(&two, 1, key, method, path, body).await);
        assert_eq!(there.parts(), here.parts(), "{path}");
    }
    let refused = with(&two, 1, &reader, "POST", SEND, &payment()).await;
    let error = "The API key \"reader\" may not do this: it lacks the right send.";
    assert_eq!(refused.parts(), (403, json!({"success": false, "error": error})));
    // Its limit counts what it spends through either.
    assert_eq!(with(&two, 1, &shop, "POST", SEND, &payment()).await.json()["success"], json!(true));
    for server in [1, 0] {
        let refused = with(&two, server, &shop, "POST", SEND, &payment()).await.json();
        let error = refused["error"].as_str().unwrap();
        assert!(
            error.starts_with("The limit \"spend 0.15 HTR per day\" of the API key \"shop\" refuses this"),
            "{error}"
        );
    }
    let unknown = with(&two, 1, "own key", "GET", "/wallet/balance", &nothing).await;
    let error = "The API key \"local\" is not known to the server that runs the wallet: give all servers the same settings, \
                 or use it there.";
    assert_eq!(unknown.parts(), (403, json!({"success": false, "error": error})));
}

/// Each line once: where it is carried out, with who asked there, from where.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_forwarded_is_written_down_once() {
    let two = two(1, "audit_log = true").await;
    let before = two.sql("select count(*) from audit").parse::<u64>().unwrap();
    let sent = two.pay(1, None).await;
    assert_eq!(sent["success"], json!(true), "{sent}");
    let lines = two.sql(&format!("select line from audit where n > {before} order by n"));
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let shown =
        lines.iter().map(|line| (line["event"].as_str().unwrap(), &line["from"], &line["transaction"]));
    let (from, none) = (json!("127.0.0.1"), Value::Null);
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [("asked", &from, &none), ("answered", &none, &sent["hash"])],
        "{lines:?}"
    );
}

/// Stands before a server as its `advertise_url`, and keeps what it is sent.
struct Between {
    url: String,
    target: Arc<Mutex<String>>,
    taken: Arc<Mutex<Vec<Taken>>>,
    /// Whether requests are kept, and go no further.
    keeps: Arc<AtomicBool>,
}

/// A request: its head, and its body.
type Taken = (String, Vec<u8>);

async fn request(connection: &mut TcpStream) -> Option<Taken> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        if connection.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut body = bytes.split_off(end);
    let length = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    while body.len() < length.unwrap_or(0) {
        connection.read_buf(&mut body).await.unwrap();
    }
    Some((head, body))
}

/// A head whose connection ends after it.
fn closing(head: &str) -> String {
    head.replacen("\r\n\r\n", "\r\nconnection: close\r\n\r\n", 1)
}

impl Between {
    async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let between = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            target: Arc::default(),
            taken: Arc::default(),
            keeps: Arc::default(),
        };
        let (target, taken, keeps) = (between.target.clone(), between.taken.clone(), between.keeps.clone());
        tokio::spawn(async move {
            loop {
                let (mut caller, _) = listener.accept().await.unwrap();
                let (target, taken, keeps) = (target.clone(), taken.clone(), keeps.clone());
                tokio::spawn(async move {
                    let Some((head, body)) = request(&mut caller).await else { return };
                    taken.lock().unwrap().push((head.clone(), body.clone()));
                    if keeps.load(Ordering::Relaxed) {
                        return;
                    }
                    let target = target.lock().unwrap().clone();
                    let mut server = TcpStream::connect(target).await.unwrap();
                    // One request a connection.
                    let head = closing(&head);
                    server.write_all(&[head.as_bytes(), &body].concat()).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut caller, &mut server).await;
                });
            }
        });
        between
    }

    async fn two(&self, outputs: usize) -> Two {
        let advertised = format!("{SECRET}advertise_url = '{}'\n", self.url);
        let two = Two::new_each(outputs, [&advertised, SECRET]).await;
        *self.target.lock().unwrap() = two.addresses[0].clone();
        two
    }

    fn last(&self) -> Taken {
        self.taken.lock().unwrap().last().expect("a request").clone()
    }
}

const REFUSED: &str = "The request says that another server has forwarded it, and is refused: ";

#[tokio::test(flavor = "multi_thread")]
async fn a_forged_hop_is_refused() {
    let between = Between::new().await;
    let two = between.two(8).await;
    let to =
        async |head: &str, body: &[u8]| exchange(&two.addresses[0], closing(head).as_bytes(), body).await;
    let refused = |answer: Answer, why: &str| {
        let error = format!("{REFUSED}{why}.");
        assert_eq!(answer.parts(), (403, json!({"success": false, "error": error})));
    };
    let headers = [
        ("content-type", "application/json"),
        ("x-wallet-id", "w"),
        ("idempotency-key", "k"),
        ("cookie", "of=a browser"),
        ("authorization", "Basic abc"),
    ];
    let body = payment().to_string();
    let sent = ask(&two.addresses[1], "POST", SEND, &headers, body.as_bytes()).await;
    assert_eq!(sent.json()["success"], json!(true), "{}", sent.text);
    let (head, kept) = between.last();
    assert_eq!(kept, body.as_bytes());
    for secret in ["cookie", "authorization", "0123456789abcdef", "x-api-key"] {
        assert!(!head.contains(secret), "{head}");
    }
    let again = "it is too old, or comes again";
    refused(to(&head, &kept).await, again);

    // One that has not come there yet, changed in each of its parts.
    between.keeps.store(true, Ordering::Relaxed);
    let lost = ask(&two.addresses[1], "POST", SEND, &headers[..2], body.as_bytes()).await.json();
    assert!(lost["error"].as_str().unwrap().contains("is not known"), "{lost}");
    let (head, kept) = between.last();
    let hop = head.lines().find(|line| line.starts_with("x-wallet-hop: ")).unwrap();
    let (said, mac) = hop.rsplit_once(' ').unwrap();
    let parts: Vec<_> = said.split(' ').collect();
    let [_, "1", id, time, _, digest, from, "*"] = parts[..] else { panic!("{said}") };
    assert_eq!(from, "127.0.0.1");
    let wrong = "its HMAC is wrong: `cluster_secret` must be the same at all servers";
    let more = (time.parse::<u64>().unwrap() + 1).to_string();
    let number = (id.parse::<u64>().unwrap() + 1).to_string();
    for (before, after) in [
        ("POST ", "PUT "),
        (SEND, "/wallet/send-tx"),
        (SEND, "/wallet/simple-send-tx?dry_run=true"),
        ("x-wallet-id: w", "x-wallet-id: v"),
        ("x-wallet-id: w", "x-wallet-id: w\r\nidempotency-key: k"),
        ("x-wallet-id: w", "x-wallet-id: w\r\nprefer: respond-async"),
        ("content-type: application/json", "content-type: application/x-www-form-urlencoded"),
        (&format!(" {time} "), &format!(" {more} ")),
        (&format!(": 1 {id} "), &format!(": 1 {number} ")),
        (" 127.0.0.1 *", " 127.0.0.2 *"),
        (" 127.0.0.1 *", " 127.0.0.1 admin"),
        (mac, &"0".repeat(64)),
    ] {
        let forged = head.replacen(before, after, 1);
        assert_ne!(forged, head, "{before}");
        refused(to(&forged, &kept).await, wrong);
    }
    for (before, after) in [(hop, "x-wallet-hop: 1"), (digest, "00"), (&*format!(" {mac}"), "")] {
        let unreadable = "its header can't be read: all servers must be of one version";
        refused(to(&head.replacen(before, after, 1), &kept).await, unreadable);
    }
    // Not to be forwarded: the secret opens nothing else.
    let body = kept.clone();
    let longer = body.iter().map(|byte| if *byte == b'1' { b'9' } else { *byte }).collect::<Vec<_>>();
    refused(to(&head, &longer).await, "its body is not the one that was sent");
    refused(to(&head, &kept).await, again);
    assert_eq!(two.sql("select count(*) from push_record"), "1");
    two.until_has(0, 8_000 - 10).await;

    // What claims it at a server without a secret.
    let alone = Two::new(0).await;
    let headers = [("x-wallet-id", "w"), ("x-wallet-hop", "1 1 1 a b - * c")];
    let answer = ask(&alone.addresses[0], "GET", "/wallet/balance", &headers, b"").await;
    refused(answer, "this server has no `cluster_secret`, which it needs to take forwarded requests");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forwarded_request_is_not_forwarded_again() {
    let between = Between::new().await;
    let two = between.two(1).await;
    // On its way while the wallet moves to where it came from.
    between.keeps.store(true, Ordering::Relaxed);
    let read = two.get(1, "w", "/wallet/balance").await;
    assert_eq!((read.status, read.header("retry-after")), (503, Some("1")), "{}", read.text);
    let (head, _) = between.last();
    two.move_to(1).await;
    let late = exchange(&two.addresses[0], closing(&head).as_bytes(), b"").await;
    let id = two.sql("select server from account");
    let error = format!("wallet \"w\" runs on server {id} (http://{})", two.addresses[1]);
    assert_eq!(late.parts(), (503, json!({"success": false, "error": error})));
    assert_eq!(late.header("retry-after"), Some("1"));
    assert_eq!(forwarded(&two, 0, "answered").await + forwarded(&two, 0, "lost").await, 0);
    // By itself it is forwarded now.
    assert_eq!(two.get(0, "w", "/wallet/balance").await.json(), json!({"available": 1_000, "locked": 0}));
    // Where another server's URL leads back to whoever asks.
    let start = json!({"wallet-id": "s", "seedKey": "genesis"});
    assert_eq!(two.of(0, "", "POST", "/start", &start).await.json(), json!({"success": true}));
    let url = format!("http://{}", two.addresses[1]);
    let id = give_to(&two, &url, 55);
    let looped = two.get(1, "s", "/wallet/balance").await;
    let error = format!("server {id} ({url}) {RESTARTED}: nothing was done");
    assert_eq!(looped.parts(), (503, json!({"success": false, "error": error})));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seed_phrase_is_not_forwarded() {
    let between = Between::new().await;
    let two = between.two(0).await;
    let id = two.sql("select server from account");
    for body in [
        json!({"wallet-id": "second", "seed": two.words.words()}),
        json!({"wallet-id": "second", "seed": two.words.words(), "passphrase": ""}),
    ] {
        let refused = two.of(1, "", "POST", "/start", &body).await;
        let error = format!(
            "server {id} ({}) runs the wallet: send the request there, as seed phrases and passphrases are not forwarded: \
             nothing was done",
            between.url
        );
        assert_eq!(refused.parts(), (503, json!({"success": false, "error": error})));
    }
    // However the field's name is written.
    let words = two.words.words().replace(' ', "+");
    let form = format!("wallet-id=second&%73eed={words}");
    let escaped = format!(r#"{{"wallet-id": "second", "s\u0065ed": "{}"}}"#, two.words.words());
    let plain = "identity";
    for (kind, encoding, body) in [
        ("application/x-www-form-urlencoded", plain, form.clone().into_bytes()),
        ("application/json", plain, escaped.clone().into_bytes()),
        ("application/json", "deflate", compress_to_vec_zlib(escaped.as_bytes(), 6)),
    ] {
        let headers = [("content-type", kind), ("content-encoding", encoding)];
        let refused = ask(&two.addresses[1], "POST", "/start", &headers, &body).await;
        assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")), "{}", refused.text);
        assert!(refused.text.contains("passphrases are not forwarded"), "{}", refused.text);
    }
    assert!(between.taken.lock().unwrap().is_empty());
    assert_eq!(forwarded(&two, 1, "not_done").await, 5);
    // Elsewhere it is any name.
    let create = json!({"blueprint_id": "00", "address": STRANGER, "data": {"args": [{"seed": "a"}]}});
    let [here, there] = [0, 1].map(|server| two.post(server, "/wallet/nano-contracts/create", &create, None));
    assert_eq!(there.await, here.await);
    assert_eq!(between.taken.lock().unwrap().drain(..).count(), 1);
    // What names a seed of the settings, or has public keys alone, is started where its account runs.
    let xpub = headless_wallet::keys::AccountKeys::from_mnemonic(&two.words, "").public().to_xpub();
    for body in [json!({"wallet-id": "second", "xpubkey": xpub})] {
        let started = two.of(1, "", "POST", "/start", &body).await;
        assert_eq!(started.json(), json!({"success": true}), "{}", started.text);
    }
    assert!(two.apps[0].wallets().get("second").is_some());
    let start = json!({"wallet-id": "g", "seedKey": "genesis"});
    assert_eq!(two.of(0, "", "POST", "/start", &start).await.json(), json!({"success": true}));
    let start = json!({"wallet-id": "h", "seedKey": "genesis"});
    assert_eq!(two.of(1, "", "POST", "/start", &start).await.json(), json!({"success": true}));
    assert!(two.apps[0].wallets().get("h").is_some());
    assert!(between.taken.lock().unwrap().iter().all(|(head, _)| head.starts_with("POST /start ")));
}

/// As the rights and limits here are those of the path that is asked for.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_let_in_is_what_is_carried_out() {
    let between = Between::new().await;
    let two = between.two(0).await;
    for (method, path) in [
        ("GET", r"/wallet/tasks/..\status"),
        ("GET", "/wallet/tasks/%2e%2E"),
        ("GET", "/wallet/approvals/."),
        ("POST", r"/wallet/approvals/approve/..\..\stop"),
    ] {
        let head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nx-wallet-id: w\r\n\r\n");
        let answer = exchange(&two.addresses[1], closing(&head).as_bytes(), b"").await;
        let unknown = format!("Cannot {method} {path}: ");
        let error = answer.json()["error"].as_str().unwrap_or_else(|| panic!("{}", answer.text)).to_owned();
        assert!(answer.status == 404 && error.starts_with(&unknown), "{}", answer.text);
    }
    assert!(between.taken.lock().unwrap().is_empty());
    assert!(two.apps[0].wallets().get("w").is_some());
    // What the URL's rules write otherwise means the same in a query.
    let path = "/wallet/address?index='x'";
    assert_eq!(two.get(1, "w", path).await.parts(), two.get(0, "w", path).await.parts());
}

/// Another server has all accounts, at a URL, and lives for so many seconds.
fn give_to(two: &Two, url: &str, seconds: u32) -> String {
    two.sql(&format!(
        "with other as (insert into server (url, lease_until) values ('{url}', now() + interval '{seconds} s') returning id), \
              taken as (update account set server = other.id, epoch = epoch + 1 from other) select id from other"
    ))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_became_of_a_request_that_is_lost_is_said() {
    let two = two(2, "").await;
    let start = json!({"wallet-id": "s", "seedKey": "genesis"});
    assert_eq!(two.of(0, "", "POST", "/start", &start).await.json(), json!({"success": true}));
    let pay = async || two.of(1, "s", "POST", SEND, &payment()).await;
    let read = async || two.get(1, "s", "/wallet/balance").await;
    // Nobody listens there: nothing was sent.
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let url = format!("http://{closed}");
    let id = give_to(&two, &url, 55);
    for answer in [pay().await, read().await] {
        let error = format!(
            "server {id} ({url}) runs the wallet, and can't be reached (Connection refused): nothing was done"
        );
        assert_eq!(answer.parts(), (503, json!({"success": false, "error": error})));
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    // Not asked at all.
    for url in ["ftp://127.0.0.1:1", "http://127.0.0.1:1/path", "http://a@127.0.0.1:1", "file:///etc/passwd"]
    {
        let id = give_to(&two, url, 55);
        let error = format!("server {id} ({url}) has no URL by which it can be asked: nothing was done");
        assert_eq!(pay().await.parts(), (503, json!({"success": false, "error": error})));
    }
    // Another process was there before.
    let url = format!("http://{}", two.addresses[0]);
    let id = give_to(&two, &url, 55);
    let error = format!("server {id} ({url}) {RESTARTED}: nothing was done");
    assert_eq!(pay().await.parts(), (503, json!({"success": false, "error": error})));
    // It takes the request, and is gone.
    let other = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", other.local_addr().unwrap());
    let id = give_to(&two, &url, 55);
    let take = async || {
        let (mut connection, _) = other.accept().await.unwrap();
        request(&mut connection).await.unwrap()
    };
    let (lost, (head, _)) = tokio::join!(pay(), take());
    assert!(head.starts_with("POST /wallet/simple-send-tx HTTP/1.1\r\n"), "{head}");
    let error = format!(
        "server {id} ({url}): connection broken: connection closed before message completed: whether this request was carried \
         out is not known: look for it in the history before sending again, or repeat a request that had an Idempotency-Key with the \
         same one"
    );
    assert_eq!(lost.parts(), (200, json!({"success": false, "error": error})));
    let (lost, _) = tokio::join!(read(), take());
    let error = format!(
        "server {id} ({url}) runs the wallet, and has not answered (connection broken: connection closed before message \
         completed): ask again"
    );
    assert_eq!(lost.parts(), (503, json!({"success": false, "error": error})));
    // Asking for an address that is marked takes one.
    let marks = two.get(1, "s", "/wallet/address?mark_as_used=true");
    let (lost, _) = tokio::join!(marks, take());
    let error = lost.json()["error"].as_str().unwrap_or_else(|| panic!("{}", lost.text)).to_owned();
    assert!(error.contains(": whether this request was carried out is not known"), "{error}");
    // It sends its callers elsewhere: that is not followed, and given as it is.
    let elsewhere = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let place = elsewhere.local_addr().unwrap();
    let redirect = async || {
        let (mut connection, _) = other.accept().await.unwrap();
        request(&mut connection).await.unwrap();
        let answer = format!(
            "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://{place}/\r\nset-cookie: a=b\r\n\
             access-control-allow-origin: *\r\nAccess-Control-Allow-Credentials: true\r\ncontent-length: 0\r\n\r\n"
        );
        connection.write_all(answer.as_bytes()).await.unwrap();
    };
    let (redirected, ()) = tokio::join!(pay(), redirect());
    assert_eq!(redirected.status, 307);
    for of_browsers in ["set-cookie", "access-control-allow-origin", "access-control-allow-credentials"] {
        assert_eq!(redirected.header(of_browsers), None);
    }
    // It says nothing, and its lease ends: whoever is asked next takes the wallet.
    let id = give_to(&two, &url, 3);
    let keeps = async {
        let (mut connection, _) = other.accept().await.unwrap();
        request(&mut connection).await.unwrap();
        let mut rest = Vec::new();
        // The caller hangs up.
        assert_eq!(connection.read_to_end(&mut rest).await.unwrap(), 0);
    };
    let (silent, ()) = tokio::join!(pay(), keeps);
    let error = format!(
        "server {id} ({url}): connection broken: it does not renew its lease any more: whether this request was"
    );
    let silent = silent.json()["error"].as_str().unwrap().to_owned();
    assert!(silent.starts_with(&error), "{silent}");
    let found = again(read).await;
    assert_eq!(found.json(), json!({"available": 100_000_000_000_u64, "locked": 0}), "{}", found.text);
    let said = (forwarded(&two, 1, "answered").await, forwarded(&two, 1, "not_done").await);
    assert_eq!((said, forwarded(&two, 1, "lost").await), ((1, 7), 4));
    assert_eq!(two.sql("select count(*) from push_record"), "0");
    let came = tokio::time::timeout(Duration::from_millis(1), elsewhere.accept()).await;
    assert!(came.is_err(), "{came:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_slow_holds_up_nothing_else_and_hears_when_its_callers_leave() {
    // Of four places for requests that wait, two are for those that are forwarded.
    let two = two(1, "http_max_connections = 8").await;
    two.move_to(1).await;
    let start = json!({"wallet-id": "s", "seedKey": "genesis"});
    assert_eq!(two.of(0, "", "POST", "/start", &start).await.json(), json!({"success": true}));
    let other = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", other.local_addr().unwrap());
    two.sql(&format!(
        "with other as (insert into server (url, lease_until) values ('{url}', now() + interval '55 s') returning id) \
         update account set server = other.id, epoch = epoch + 1 from other \
         where account.id = (select account from started where name = 's')"
    ));
    let mut waiting = Vec::new();
    for _ in 0..2 {
        let mut caller = TcpStream::connect(&two.addresses[1]).await.unwrap();
        let head = "GET /wallet/balance HTTP/1.1\r\nhost: localhost\r\nx-wallet-id: s\r\n\r\n";
        caller.write_all(head.as_bytes()).await.unwrap();
        let (mut connection, _) = other.accept().await.unwrap();
        request(&mut connection).await.unwrap();
        waiting.push((caller, connection));
    }
    let full = two.get(1, "s", "/wallet/balance").await;
    let error = "2 requests wait for other servers, as many as the setting `http_max_connections` leaves room for: try again later, \
                 or raise it.";
    assert_eq!(full.parts(), (503, json!({"success": false, "error": error})));
    let sent = two.pay(1, None).await;
    assert_eq!(sent["success"], json!(true), "{sent}");
    for (caller, mut connection) in waiting {
        drop(caller);
        let mut rest = Vec::new();
        let left = connection.read_to_end(&mut rest);
        assert_eq!(tokio::time::timeout(PATIENCE, left).await.unwrap().unwrap(), 0);
    }
}

#[tokio::test]
async fn a_server_is_known_by_the_name_that_it_tells_others() {
    let server = Server::start_with("advertise_url = 'http://wallet1.internal:8000'").await;
    let status = async |host: &str| {
        let head = format!("GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        exchange(&server.address, head.as_bytes(), b"").await.status
    };
    assert_eq!(status("wallet1.internal:8000").await, 200);
    assert_eq!(status("wallet2.internal:8000").await, 403);
}
