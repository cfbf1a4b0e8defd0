//! Events that are posted to webhooks.

use super::cluster::Two;
use super::raw::STRANGER;
use super::rights::{OWNER, setting};
use super::support::Server;
use crate::alone::alone;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use headless_wallet::ledger::{Address, Amount, Network};
use headless_wallet::rt;
use headless_wallet::server::{Config, Layer};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
/// Longer than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What was posted.
#[derive(Debug)]
pub struct Post {
    head: String,
    body: String,
}

impl Post {
    pub fn header(&self, name: &str) -> &str {
        let line = self.head.lines().find_map(|line| {
            let (given, value) = line.split_once(": ")?;
            given.eq_ignore_ascii_case(name).then_some(value)
        });
        line.unwrap_or_else(|| panic!("no {name} in {}", self.head))
    }
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
    /// The transaction's id.
    fn tx(&self) -> String {
        self.json()["data"]["txId"].as_str().unwrap().to_owned()
    }
}

/// Takes posts, and answers as it is told to.
pub struct Receiver {
    url: String,
    posts: mpsc::UnboundedReceiver<Post>,
    answer: Arc<Mutex<String>>,
}

pub const OK: &str = "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
pub const BUSY: &str =
    "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 4\r\nconnection: close\r\n\r\nbusy";

impl Receiver {
    pub async fn start() -> Self {
        Self::at("127.0.0.1:0").await
    }

    async fn at(address: &str) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let url = format!("http://{}/hook?key=hush", listener.local_addr().unwrap());
        let (sender, posts) = mpsc::unbounded_channel();
        let answer = Arc::new(Mutex::new(OK.to_owned()));
        let answers = answer.clone();
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let (sender, answers) = (sender.clone(), answers.clone());
                tokio::spawn(async move {
                    let answer = || answers.lock().unwrap().clone();
                    take(connection, sender, answer).await;
                });
            }
        });
        Self { url, posts, answer }
    }

    pub fn answers(&self, answer: &str) {
        answer.clone_into(&mut self.answer.lock().unwrap());
    }

    pub async fn next(&mut self) -> Post {
        tokio::time::timeout(PATIENCE, self.posts.recv()).await.expect("a post in time").unwrap()
    }

    /// The setting for it.
    pub fn setting(&self, more: &str) -> String {
        format!("webhooks = [{{ url = '{}', secret = '{SECRET}'{more} }}]", self.url)
    }
}

/// No answer, until another one is set.
const HOLD: &str = "";

async fn take(mut connection: TcpStream, posts: mpsc::UnboundedSender<Post>, answer: impl Fn() -> String) {
    let mut bytes = Vec::new();
    let post = loop {
        if connection.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let post = Post { head: head.to_owned(), body: body.to_owned() };
        if post.body.len() == post.header("content-length").parse::<usize>().unwrap() {
            break post;
        }
    };
    // The test may have ended.
    let _ = posts.send(post);
    while answer() == HOLD {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let answer = answer();
    let _ = connection.write_all(answer.as_bytes()).await;
}

fn signature(post: &Post) -> String {
    let key = STANDARD.decode(SECRET.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&key).unwrap();
    let (id, time) = (post.header("webhook-id"), post.header("webhook-timestamp"));
    mac.update(format!("{id}.{time}.{}", post.body).as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

async fn fund(server: &Server, amount: u64) -> String {
    let to = Address::parse(&server.address(1).await, Network::Privatenet).unwrap();
    server.devnet.change(|chain, now| chain.fund(to, Amount::from(amount), now)).unwrap().to_string()
}

/// The deliveries as they are, once they are as they are to be.
async fn deliveries_when(server: &Server, is_so: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let met = async {
        loop {
            let list = server.read("/wallet/webhooks/deliveries").await["deliveries"].clone();
            let list = list.as_array().unwrap().clone();
            if is_so(&list) {
                return list;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, met).await.expect("deliveries in time")
}

async fn metric(server: &Server, name: &str) -> u64 {
    let text = server.ask("GET", "/metrics", &[], b"").await.text;
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{text}"));
    line.trim().parse().unwrap()
}

#[tokio::test]
async fn an_event_is_posted_with_its_signature() {
    let mut receiver = Receiver::start().await;
    let server = Server::with_wallet_and(&receiver.setting("")).await;
    let id = fund(&server, 250).await;
    let post = receiver.next().await;
    let (line, _) = post.head.split_once("\r\n").unwrap();
    assert_eq!((line, post.header("content-type")), ("POST /hook?key=hush HTTP/1.1", "application/json"));
    let event = post.json();
    assert_eq!(post.header("webhook-id"), event["id"]);
    assert_eq!(post.header("webhook-signature"), signature(&post));
    let time: u64 = post.header("webhook-timestamp").parse().unwrap();
    assert!(u64::from(rt::unix_seconds()).abs_diff(time) < 60, "{time}");
    assert_eq!(
        (&event["type"], &event["walletId"], &event["seq"]),
        (&json!("deposit.seen"), &json!("genesis"), &json!(1))
    );
    assert_eq!((&event["data"]["txId"], &event["data"]["amounts"]), (&json!(id), &json!({"00": 250})));
    let listed = deliveries_when(&server, |list| list.len() == 1).await.remove(0);
    let url = receiver.url.strip_suffix("?key=hush").unwrap();
    for (name, value) in [
        ("url", json!(url)),
        ("eventId", event["id"].clone()),
        ("event", json!("deposit.seen")),
        ("seq", json!(1)),
        ("status", json!("delivered")),
        ("attempts", json!(1)),
        ("answerStatus", json!(204)),
        ("error", Value::Null),
    ] {
        assert_eq!(listed[name], value, "{name}: {listed}");
    }
    let webhook = json!({"url": url, "off": false, "behind": 0, "attempts": 0});
    assert_eq!(server.read("/wallet/webhooks").await, json!({"success": true, "webhooks": [webhook]}));
    assert_eq!(metric(&server, "headless_wallet_webhook_posts_total{outcome=\"taken\"}").await, 1);
    server.shutdown().await;
}

#[tokio::test]
async fn what_is_not_taken_is_posted_again_and_nothing_overtakes_it() {
    let mut receiver = Receiver::start().await;
    receiver.answers(BUSY);
    let server = Server::with_wallet_and(&receiver.setting("")).await;
    let first = fund(&server, 1).await;
    let post = receiver.next().await;
    assert_eq!(post.tx(), first);
    let second = fund(&server, 2).await;
    let again = receiver.next().await;
    assert_eq!((again.tx(), again.header("webhook-id")), (first, post.header("webhook-id")));
    assert_eq!((again.header("webhook-signature"), &again.body), (&*signature(&again), &post.body));
    let listed = deliveries_when(&server, |list| list.first().is_some_and(|d| d["attempts"] == 2)).await;
    let [listed] = &listed[..] else { panic!("{listed:?}") };
    assert_eq!((&listed["status"], &listed["error"]), (&json!("pending"), &json!("status 500: busy")));
    let webhook = server.read("/wallet/webhooks").await["webhooks"][0].clone();
    assert_eq!(
        (&webhook["behind"], &webhook["attempts"], &webhook["off"]),
        (&json!(2), &json!(2), &json!(false))
    );
    assert_eq!(metric(&server, "headless_wallet_webhook_events_behind").await, 2);
    receiver.answers(OK);
    assert_eq!(receiver.next().await.tx(), listed_tx(&server, 1).await);
    assert_eq!(receiver.next().await.tx(), second);
    let delivered = deliveries_when(&server, |list| {
        list.len() == 2 && list.iter().all(|delivery| delivery["status"] == "delivered")
    });
    let attempts: Vec<Value> = delivered.await.iter().map(|delivery| delivery["attempts"].clone()).collect();
    assert_eq!(attempts, [json!(1), json!(3)]);
    server.shutdown().await;
}

/// The transaction of an event by its number.
async fn listed_tx(server: &Server, seq: u64) -> String {
    let wallet = server.app.wallets().get("genesis").unwrap();
    let store = wallet.store().unwrap();
    store.event_log().unwrap().events(seq - 1, 1).await.unwrap()[0].tx.to_string()
}

#[test]
fn a_webhook_that_takes_nothing_for_a_day_is_off_until_a_delivery_is_made_again() {
    alone(
        "webhooks::a_webhook_that_takes_nothing_for_a_day_is_off_until_a_delivery_is_made_again",
        off_after_a_day(),
    );
}

async fn off_after_a_day() {
    let mut receiver = Receiver::start().await;
    receiver.answers(BUSY);
    let server = Server::with_wallet_and(&receiver.setting("")).await;
    let first = fund(&server, 1).await;
    receiver.next().await;
    deliveries_when(&server, |list| list.len() == 1).await;
    rt::shift_clock(24 * 3_600 + 10);
    assert_eq!(receiver.next().await.tx(), first);
    let listed = deliveries_when(&server, |list| list.first().is_some_and(|d| d["status"] == "failed")).await;
    let webhook = server.read("/wallet/webhooks").await["webhooks"][0].clone();
    assert_eq!((&webhook["off"], &webhook["nextTryAt"]), (&json!(true), &Value::Null));
    while metric(&server, "headless_wallet_webhooks_off").await != 1 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let second = fund(&server, 2).await;
    // Made again and not taken: it is off still.
    let again = json!({"deliveryId": listed[0]["deliveryId"]});
    let answer = server.call("webhooks/redeliver", again.clone()).await;
    assert_eq!((answer.status, &answer.json()["status"]), (200, &json!("failed")), "{}", answer.text);
    assert_eq!(receiver.next().await.tx(), first);
    receiver.answers(OK);
    let answer = server.call("webhooks/redeliver", again).await.json();
    assert_eq!((&answer["status"], &answer["attempts"]), (&json!("delivered"), &json!(4)), "{answer}");
    assert_eq!(receiver.next().await.tx(), first);
    // On again, it is told in order: of this one, too, which it may know by its id.
    assert_eq!(receiver.next().await.tx(), first);
    assert_eq!(receiver.next().await.tx(), second);
    while metric(&server, "headless_wallet_webhooks_off").await != 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for id in ["ab", "ab-1", &format!("{}-1", "00".repeat(16))] {
        let answer = server.call("webhooks/redeliver", json!({"deliveryId": id})).await;
        let error = format!("The wallet has no delivery {id:?}, or its event is kept no more.");
        assert_eq!(answer.parts(), (404, json!({"success": false, "error": error})));
    }
    server.shutdown().await;
}

#[tokio::test]
async fn only_what_is_asked_for_is_posted() {
    let mut receiver = Receiver::start().await;
    let setting = receiver.setting(", events = ['send.pushed'], wallets = ['genesis', 'other']");
    let server = Server::with_wallet_and(&setting).await;
    fund(&server, 250).await;
    let sent = server.done("simple-send-tx", json!({"address": STRANGER, "value": 70})).await;
    let post = receiver.next().await;
    assert_eq!((&post.json()["type"], json!(post.tx())), (&json!("send.pushed"), sent["hash"].clone()));
    server.shutdown().await;

    let mut receiver = Receiver::start().await;
    let server = Server::with_wallet_and(&receiver.setting(", wallets = ['other']")).await;
    fund(&server, 250).await;
    assert_eq!(server.read("/wallet/webhooks").await["webhooks"], json!([]));
    // A new configuration holds at once, for what happens from then on.
    server.configure(&receiver.setting(", wallets = ['genesis']"));
    assert_eq!(server.post("/reload-config", None, &json!({})).await.json(), json!({"success": true}));
    let begun = async {
        let wallet = server.app.wallets().get("genesis").unwrap();
        let store = wallet.store().unwrap();
        let key = server.app.config().webhooks[0].key("genesis");
        while store.event_log().unwrap().sink(key).await.unwrap().is_none() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, begun).await.unwrap();
    let next = fund(&server, 10).await;
    assert_eq!(receiver.next().await.tx(), next);
    server.shutdown().await;
}

#[tokio::test]
async fn what_was_not_told_before_the_servers_end_is_told_after_its_start() {
    let dir = TempDir::new().unwrap();
    let mut receiver = Receiver::start().await;
    receiver.answers(BUSY);
    let settings = format!("data_dir = '{}'\n{}", dir.path().display(), receiver.setting(""));
    let server = Server::with_wallet_and(&settings).await;
    let first = fund(&server, 1).await;
    let post = receiver.next().await;
    let (ended, devnet) = server.begin_shutdown();
    ended.await.unwrap();
    receiver.answers(OK);
    let server = Server::on(devnet, &settings).await;
    server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
    deliveries_when(&server, |list| !list.is_empty() && list[0]["status"] == "delivered").await;
    // The last one: the first server may have posted it more than once.
    let mut again = receiver.next().await;
    while let Ok(later) = receiver.posts.try_recv() {
        again = later;
    }
    assert_eq!((again.tx(), again.header("webhook-id")), (first, post.header("webhook-id")));
    server.shutdown().await;
}

#[tokio::test]
async fn a_redirect_is_no_answer_and_long_answers_are_not_read() {
    let mut other = Receiver::start().await;
    let mut receiver = Receiver::start().await;
    receiver.answers(&format!(
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: {}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
        other.url
    ));
    let server = Server::with_wallet_and(&receiver.setting("")).await;
    fund(&server, 1).await;
    receiver.next().await;
    let listed = deliveries_when(&server, |list| !list.is_empty()).await;
    assert_eq!((&listed[0]["error"], &listed[0]["answerStatus"]), (&json!("status 307"), &json!(307)));
    // An answer without end is cut off, and its status counts.
    receiver
        .answers(&format!("HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n{}", "x".repeat(100_000)));
    receiver.next().await;
    let listed = deliveries_when(&server, |list| list[0]["status"] == "delivered").await;
    assert_eq!(listed[0]["answerStatus"], 200);
    assert!(other.posts.try_recv().is_err(), "redirects are not followed");
    server.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_server_of_a_wallet_tells_on_where_the_last_one_was() {
    let mut receiver = Receiver::start().await;
    let two = Two::new_with(0, &receiver.setting("")).await;
    let own = two.apps[0].wallets().get("w").unwrap().read(|state, _| state.address(0)).unwrap().unwrap();
    let fund = |amount: u64| {
        two.first.devnet.change(|chain, now| chain.fund(own, Amount::from(amount), now)).unwrap().to_string()
    };
    for amount in 1..=6 {
        let id = fund(amount);
        let post = receiver.next().await;
        assert_eq!((post.tx(), &post.json()["seq"]), (id, &json!(amount)));
        two.until_sql("select count(*) || '|' || max(after_seq) from sink", &format!("1|{amount}")).await;
        if amount == 3 {
            two.move_to(1).await;
        }
    }
    assert!(receiver.posts.try_recv().is_err(), "each is told once");
}

#[test]
fn settings_that_can_not_be_meant_are_refused() {
    let error = |webhooks: &str| {
        let layer = Layer::toml("w.toml", &format!("network = 'testnet'\nwebhooks = {webhooks}"));
        layer.and_then(|layer| Config::from_layers([layer])).unwrap_err().to_string()
    };
    let with = |more: &str| format!("[{{ url = 'https://shop.example/', secret = '{SECRET}'{more} }}]");
    assert_eq!(
        error("'https://shop.example/'"),
        "`webhooks` in w.toml must be a list of tables: [[webhooks]] url = \"https://…\", secret = \"whsec_…\""
    );
    assert_eq!(error("[{}]"), "`webhooks[1].url` in w.toml must be a URL");
    let secret = "`webhooks[1].secret` in w.toml must be `whsec_` and the base64 of 24 to 64 bytes, such as: \
                  echo \"whsec_$(openssl rand -base64 32)\"";
    assert_eq!(error("[{ url = 'https://shop.example/' }]"), secret);
    for wrong in ["hush", "whsec_", "whsec_AAECAwQF", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX", "whsec_!"] {
        assert_eq!(error(&format!("[{{ url = 'https://shop.example/', secret = '{wrong}' }}]")), secret);
    }
    let url = |url: &str| error(&format!("[{{ url = '{url}', secret = '{SECRET}' }}]"));
    let scheme = "`webhooks[1].url` in w.toml must be a URL that begins with https://, or with http:// and is of this machine";
    assert_eq!(url("http://shop.example/"), scheme);
    let inside = "`webhooks[1].url` in w.toml must be outside of the operator's network, unless `allow_private` is true";
    assert_eq!(url("https://169.254.169.254/latest"), inside);
    assert_eq!(
        error(&with(", events = ['deposit.sen']")),
        "`webhooks[1].events` in w.toml must be a list of some of deposit.seen, deposit.confirmed, deposit.reverted, \
         send.pushed, send.confirmed, send.reverted, approval.waiting, approval.given, approval.failed, approval.sent, \
         approval.denied, approval.expired, feature.unsupported"
    );
    assert_eq!(
        error(&with(", wallets = 'shop'")),
        "`webhooks[1].wallets` in w.toml must be a list of ids of wallets"
    );
    assert_eq!(
        error(&with(", allow_private = 1")),
        "`webhooks[1].allow_private` in w.toml must be true or false"
    );
    let twice = format!("{}, {}", with("").trim_end_matches(']'), with("").trim_start_matches('['));
    assert_eq!(error(&twice), "`webhooks[2].url` in w.toml is that of another webhook: one is told once");
    assert_eq!(
        error(&with(", event = []")),
        "unknown setting `webhooks[1].event` in w.toml: did you mean `events`? The settings of a webhook are url, secret, events, wallets, allow_private"
    );
}

/// Many receivers take whoever knows the path for the sender.
#[tokio::test]
async fn the_path_is_shown_to_the_owner_alone() {
    let url = "http://127.0.0.1:1/hooks/T0123/B4567/x7Kq2mWz9";
    let settings = format!(
        "api_key = 'owner'\nwebhooks = [{{ url = '{url}?token=hush', secret = '{SECRET}' }}]\n{}",
        setting("shop", "shop", &["read"], &["*"])
    );
    let server = Server::start_with(&settings).await;
    let body = br#"{"wallet-id":"genesis","seedKey":"genesis"}"#;
    let headers = [OWNER, ("content-type", "application/json")];
    assert_eq!(server.ask("POST", "/start", &headers, body).await.parts(), (200, json!({"success": true})));
    server.app.wallets().get("genesis").unwrap().ready().await;
    for (key, shown) in [("owner", url), ("shop", "http://127.0.0.1:1/…mWz9")] {
        let headers = [("x-api-key", key), ("x-wallet-id", "genesis")];
        let listed = server.ask("GET", "/wallet/webhooks", &headers, b"").await.json();
        assert_eq!(listed["webhooks"][0]["url"], shown, "{key}: {listed}");
    }
    server.shutdown().await;
}

#[test]
fn its_secret_does_not_print() {
    let webhooks = format!("[{{ url = 'https://me:hush@shop.example/?key=hush', secret = '{SECRET}' }}]");
    let layer = Layer::toml("w.toml", &format!("network = 'testnet'\nwebhooks = {webhooks}")).unwrap();
    let config = Config::from_layers([layer]).unwrap();
    let printed = format!("{config:?}");
    assert!(printed.contains("shop.example") && printed.contains("[REDACTED]"), "{printed}");
    assert!(
        !printed.contains("hush") && !printed.contains("AAEC") && !printed.contains("[0, 1, 2"),
        "{printed}"
    );
}

#[tokio::test]
async fn a_delivery_that_is_made_again_says_what_came_of_it_this_time() {
    let mut receiver = Receiver::start().await;
    let server = Server::with_wallet_and(&receiver.setting("")).await;
    fund(&server, 1).await;
    receiver.next().await;
    let listed =
        deliveries_when(&server, |list| list.first().is_some_and(|d| d["status"] == "delivered")).await;
    let again = json!({"deliveryId": listed[0]["deliveryId"]});
    receiver.answers(BUSY);
    let answer = server.call("webhooks/redeliver", again.clone()).await.json();
    let told = (&answer["success"], &answer["status"], &answer["error"], &answer["attempts"]);
    assert_eq!(told, (&json!(false), &json!("failed"), &json!("status 500: busy"), &json!(2)));
    // It was taken once, and is not posted again by itself.
    let listed = server.read("/wallet/webhooks/deliveries").await["deliveries"][0].clone();
    assert_eq!((&listed["status"], &listed["error"]), (&json!("delivered"), &json!("status 500: busy")));
    receiver.next().await;
    // One at a time.
    receiver.answers(HOLD);
    let (first, second) = tokio::join!(server.call("webhooks/redeliver", again.clone()), async {
        receiver.next().await;
        let second = server.call("webhooks/redeliver", again.clone()).await;
        receiver.answers(OK);
        second
    });
    let error = "A delivery of this webhook is being made again already: wait for its end.";
    assert_eq!(second.parts(), (503, json!({"success": false, "error": error})));
    assert_eq!(first.json()["attempts"], json!(3));
    let third = server.call("webhooks/redeliver", again).await.json();
    assert_eq!((&third["success"], &third["attempts"]), (&json!(true), &json!(4)));
    server.shutdown().await;
}

#[tokio::test]
async fn an_event_of_two_wallets_of_one_account_has_two_ids() {
    let mut receiver = Receiver::start().await;
    let server = Server::with_wallet_and(&receiver.setting("")).await;
    server.start_wallet("again", json!({"seedKey": "genesis"})).await;
    let id = fund(&server, 1).await;
    let mut told = Vec::new();
    for _ in 0..2 {
        let post = receiver.next().await;
        assert_eq!(post.tx(), id);
        told.push((post.json()["walletId"].clone(), post.header("webhook-id").to_owned()));
    }
    told.sort_by_key(|(wallet, _)| wallet.to_string());
    assert_eq!((&told[0].0, &told[1].0), (&json!("again"), &json!("genesis")));
    assert_ne!(told[0].1, told[1].1);
    server.shutdown().await;
}
