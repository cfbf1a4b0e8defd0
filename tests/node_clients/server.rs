//! A server that says exactly what a test tells it to, well-formed or not.

use headless_wallet::ledger::{Address, Network};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{FullNode, MiningService};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// What to do with a request.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A status and a body.
    Reply(u16, String),
    /// A status, a header line and a body.
    WithHeader(u16, &'static str, String),
    /// Nothing, ever.
    Hang,
    /// Close the connection without an answer.
    HangUp,
    /// Promise more of the body than comes, and close.
    Half(String),
}

/// A success with this body.
pub fn ok(body: impl Into<String>) -> Answer {
    Answer::Reply(200, body.into())
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Method and path with query: `GET /v1a/version`.
    pub line: String,
    pub headers: String,
    pub body: String,
}

/// The server; it lives as long as the test's runtime.
pub struct Server {
    pub origin: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    arrived: Arc<Notify>,
}

impl Server {
    /// Answers the requests in order; the last answer is for all that follow.
    pub async fn script(answers: Vec<Answer>) -> Self {
        Self::start(move |n, _| answers[n.min(answers.len() - 1)].clone()).await
    }

    /// Asks `handler` for the answer to the n-th request.
    pub async fn start(handler: impl Fn(usize, &Seen) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let arrived = Arc::new(Notify::new());
        let handler = Arc::new(handler);
        let server = Self { origin, seen: seen.clone(), arrived: arrived.clone() };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, handler.clone(), seen.clone(), arrived.clone()));
            }
        });
        server
    }

    pub fn node(&self) -> FullNode {
        self.node_at("/v1a/")
    }

    pub fn node_at(&self, path: &str) -> FullNode {
        FullNode::new(HttpClient::shared(), &format!("{}{path}", self.origin)).unwrap()
    }

    pub fn mining(&self) -> MiningService {
        MiningService::new(HttpClient::shared(), &self.origin, None).unwrap()
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// The request lines so far.
    pub fn lines(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.line).collect()
    }

    /// Waits until a request with this line has come.
    pub async fn wait_for(&self, line: &str) {
        let wait = async {
            loop {
                let arrived = self.arrived.notified();
                if self.lines().iter().any(|seen| seen == line) {
                    return;
                }
                arrived.await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), wait).await.expect("the request comes");
    }
}

async fn serve(
    mut stream: TcpStream,
    handler: Arc<impl Fn(usize, &Seen) -> Answer>,
    seen: Arc<Mutex<Vec<Seen>>>,
    arrived: Arc<Notify>,
) {
    while let Some(request) = read_request(&mut stream).await {
        let n = {
            let mut seen = seen.lock().unwrap();
            seen.push(request.clone());
            seen.len() - 1
        };
        let answer = handler(n, &request);
        arrived.notify_waiters();
        let (status, header, body) = match answer {
            Answer::Reply(status, body) => (status, "x-test: 1", body),
            Answer::WithHeader(status, header, body) => (status, header, body),
            Answer::Hang => return std::future::pending().await,
            Answer::HangUp => return,
            Answer::Half(body) => {
                let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len() + 100);
                stream.write_all(head.as_bytes()).await.unwrap();
                return;
            }
        };
        let text = format!("HTTP/1.1 {status} X\r\n{header}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        if stream.write_all(text.as_bytes()).await.is_err() {
            return;
        }
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(end) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..head_end].to_vec()).unwrap();
    let (line, headers) = head.split_once("\r\n").unwrap();
    let length = headers
        .lines()
        .find_map(|h| h.to_ascii_lowercase().strip_prefix("content-length: ").map(str::to_owned))
        .map_or(0, |n| n.trim().parse::<usize>().unwrap());
    let mut body = bytes[head_end + 4..].to_vec();
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    Some(Seen {
        line: line.trim_end_matches(" HTTP/1.1").to_owned(),
        headers: headers.to_owned(),
        body: String::from_utf8(body).unwrap(),
    })
}

/// An origin at which nobody listens.
pub async fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

/// The n-th address of nobody.
pub fn address(n: u8) -> Address {
    Address::p2pkh(Network::Privatenet, [n; 20])
}
