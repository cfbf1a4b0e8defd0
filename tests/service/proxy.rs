//! A way to a service that does everything wrong that a network can do wrong.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The connection is reset before the service hears of the request.
    Reset,
    /// The service does what it is asked; after so many bytes of its answer the connection is reset.
    ResetAfter(usize),
    /// The connection stands, and nothing goes through it.
    Silence,
    /// After so many bytes of the service's answer the connection stands, and nothing goes through it any
    /// more.
    SilenceAfter(usize),
    /// Frames that have this text in them don't come, and everything else does.
    Without(&'static str),
    /// The service does what it is asked, and nothing of its answer comes.
    Swallow,
    /// The service does what it is asked, and a refusal with this status is what comes.
    Denied(u16),
    /// What comes is no HTTP, or no WebSocket frame.
    Noise,
    /// What comes is well-formed HTTP, or a well-formed frame, of JSON that means nothing.
    Garbage,
    /// A gateway's answer, with `Retry-After` if there is a second number; the service hears nothing.
    Status(u16, Option<u32>),
    /// Half of the body, said to be all of it.
    HalfBody,
    /// The first answer for this path, again and again.
    Again,
}

const GARBAGE: &str = r#"{"type": 7, "success": "perhaps", "history": [[{}]]}"#;

/// Which requests meet a fault.
#[derive(Clone, Debug)]
struct Plan {
    path: &'static str,
    fault: Fault,
    /// How many more.
    left: usize,
}

/// Listens in the place of a service; everything of it ends when it is dropped.
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    _tasks: JoinSet<()>,
}

struct Shared {
    upstream: watch::Sender<SocketAddr>,
    plan: Mutex<Option<Plan>>,
    /// First answers by path.
    answers: Mutex<HashMap<String, Vec<u8>>>,
    /// Goes up when open WebSocket connections must look at the plan.
    changed: watch::Sender<u64>,
    listens: watch::Sender<bool>,
}

impl Proxy {
    /// Stands before the service at `url`.
    pub async fn before(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            upstream: watch::Sender::new(address_in(url)),
            plan: Mutex::default(),
            answers: Mutex::default(),
            changed: watch::Sender::new(0),
            listens: watch::Sender::new(true),
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(listen(listener, address, shared.clone()));
        Self { address, shared, _tasks: tasks }
    }

    /// `url` with this proxy's place in it.
    pub fn url(&self, url: &str) -> String {
        url.replace(&address_in(url).to_string(), &self.address.to_string())
    }

    /// From now on requests whose path ends in `path` meet `fault`, `times` of them. Open WebSocket
    /// connections count as requests.
    pub fn fault(&self, path: &'static str, fault: Fault, times: usize) {
        *self.shared.plan.lock().unwrap() = Some(Plan { path, fault, left: times });
        self.shared.changed.send_modify(|n| *n += 1);
    }

    /// Nobody listens any more, and open connections are reset.
    pub fn refuse(&self) {
        self.shared.listens.send_replace(false);
        self.fault("", Fault::Reset, usize::MAX);
    }

    /// All is well again. What was silent stays silent: such connections are lost.
    pub fn mend(&self) {
        *self.shared.plan.lock().unwrap() = None;
        self.shared.listens.send_replace(true);
    }

    /// Waits until somebody listens again.
    pub async fn until_it_listens(&self) {
        while TcpStream::connect(self.address).await.is_err() {
            tokio::task::yield_now().await;
        }
    }

    /// Leads to another service from now on, and resets what is open.
    pub fn switch_to(&self, url: &str) {
        self.shared.upstream.send_replace(address_in(url));
    }
}

fn address_in(url: &str) -> SocketAddr {
    url.trim_start_matches("http://").split('/').next().unwrap().parse().unwrap()
}

impl Shared {
    /// What happens to a request for `path`.
    fn next_fault(&self, path: &str) -> Option<Fault> {
        let mut plan = self.plan.lock().unwrap();
        let plan = plan.as_mut().filter(|plan| path.trim_end_matches('/').ends_with(plan.path))?;
        plan.left = plan.left.checked_sub(1)?;
        Some(plan.fault.clone())
    }
}

async fn listen(listener: TcpListener, address: SocketAddr, shared: Arc<Shared>) {
    let mut listens = shared.listens.subscribe();
    let mut listener = Some(listener);
    let mut connections = JoinSet::new();
    loop {
        let Some(open) = &listener else {
            listens.wait_for(|listens| *listens).await.unwrap();
            listener = TcpListener::bind(address).await.ok();
            continue;
        };
        tokio::select! {
            client = open.accept() => {
                connections.spawn(serve(client.unwrap().0, shared.clone()));
            }
            _ = listens.wait_for(|listens| !listens) => listener = None,
        }
        while connections.try_join_next().is_some() {}
    }
}

/// One connection: one request, or a WebSocket.
async fn serve(mut client: TcpStream, shared: Arc<Shared>) -> Option<()> {
    let request = read_request(&mut client).await?;
    let line = request.lines().next()?.to_owned();
    let path = line.split([' ', '?']).nth(1)?.to_owned();
    let changed = shared.changed.subscribe();
    let fault = shared.next_fault(&path);
    let is_socket = request.to_ascii_lowercase().contains("upgrade: websocket");
    match &fault {
        Some(Fault::Reset) => return reset(client),
        Some(Fault::Silence) => std::future::pending().await,
        Some(Fault::Noise) => return client.write_all(&[0xee; 300]).await.ok(),
        Some(Fault::Garbage) if !is_socket => {
            let length = GARBAGE.len();
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{GARBAGE}"
            );
            return client.write_all(answer.as_bytes()).await.ok();
        }
        Some(Fault::Status(status, seconds)) => {
            let wait = seconds.map(|s| format!("Retry-After: {s}\r\n")).unwrap_or_default();
            let answer = format!(
                "HTTP/1.1 {status} Trouble\r\n{wait}Content-Length: 7\r\nConnection: close\r\n\r\ntrouble"
            );
            return client.write_all(answer.as_bytes()).await.ok();
        }
        _ => {}
    }
    let upstream = *shared.upstream.borrow();
    let mut upstream = TcpStream::connect(upstream).await.ok()?;
    if is_socket {
        upstream.write_all(request.as_bytes()).await.ok()?;
        return relay(client, upstream, &path, fault, changed, &shared).await;
    }
    let (head, rest) = request.split_once("\r\n")?;
    upstream.write_all(format!("{head}\r\nConnection: close\r\n{rest}").as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    upstream.read_to_end(&mut answer).await.ok()?;
    let first = shared.answers.lock().unwrap().entry(path).or_insert_with(|| answer.clone()).clone();
    match fault {
        Some(Fault::ResetAfter(bytes)) => {
            client.write_all(&answer[..bytes.min(answer.len())]).await.ok()?;
            return reset(client);
        }
        Some(Fault::SilenceAfter(bytes)) => {
            client.write_all(&answer[..bytes.min(answer.len())]).await.ok()?;
            std::future::pending().await
        }
        Some(Fault::Swallow) => std::future::pending().await,
        Some(Fault::Denied(status)) => {
            let body = r#"{"success":false,"message":"Invalid transaction"}"#;
            let body = if status == 200 { body } else { "" };
            let length = body.len();
            let head =
                format!("HTTP/1.1 {status} Denied\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            answer = (head + body).into_bytes();
        }
        Some(Fault::HalfBody) => answer = half(&answer),
        Some(Fault::Again) => answer = first,
        _ => {}
    }
    client.write_all(&answer).await.ok()
}

/// Passes both directions on until one ends, or the plan says otherwise.
async fn relay(
    mut client: TcpStream,
    mut upstream: TcpStream,
    path: &str,
    mut fault: Option<Fault>,
    mut changed: watch::Receiver<u64>,
    shared: &Shared,
) -> Option<()> {
    let mut switched = shared.upstream.subscribe();
    let (mut up, mut down) = (vec![0; 4096], vec![0; 4096]);
    let (mut passed, mut shaken) = (0, false);
    let mut frames = Vec::new();
    loop {
        match fault {
            Some(Fault::Reset) => return reset(client),
            Some(Fault::ResetAfter(bytes)) if passed >= bytes => return reset(client),
            Some(Fault::SilenceAfter(bytes)) if passed >= bytes => std::future::pending().await,
            Some(Fault::Silence | Fault::Swallow) => std::future::pending().await,
            Some(Fault::Noise) => client.write_all(&[0xee; 300]).await.ok()?,
            // Once the handshake is through.
            Some(Fault::Garbage) if passed > 0 || shaken => {
                client.write_all(&[0x81, GARBAGE.len() as u8]).await.ok()?;
                client.write_all(GARBAGE.as_bytes()).await.ok()?;
            }
            _ => {}
        }
        tokio::select! {
            read = client.read(&mut up) => match read.ok()? {
                0 => return Some(()),
                read => upstream.write_all(&up[..read]).await.ok()?,
            },
            read = upstream.read(&mut down) => {
                let mut read = read.ok().filter(|read| *read > 0)?;
                if let Some(Fault::ResetAfter(bytes) | Fault::SilenceAfter(bytes)) = fault {
                    read = read.min(bytes - passed);
                }
                if let Some(Fault::Without(text)) = fault {
                    frames.extend_from_slice(&down[..read]);
                    client.write_all(&without(text, &mut frames)).await.ok()?;
                } else {
                    client.write_all(&down[..read]).await.ok()?;
                }
                passed += read;
                shaken = true;
            }
            _ = switched.changed() => return reset(client),
            _ = changed.changed() => (fault, passed) = (shared.next_fault(path).or(fault), 0),
        }
    }
}

/// Takes what is whole off `frames`, which begin with the answer to the handshake or with a frame of the
/// service's, and leaves out frames with this text.
fn without(text: &str, frames: &mut Vec<u8>) -> Vec<u8> {
    let mut passed = Vec::new();
    loop {
        let length = match frames.as_slice() {
            [b'H', ..] => frames.windows(4).position(|four| four == b"\r\n\r\n").map(|head| head + 4),
            [_, 126, high, low, ..] => Some(4 + usize::from(u16::from_be_bytes([*high, *low]))),
            [_, length @ ..126, ..] => Some(2 + usize::from(*length)),
            _ => None,
        };
        let Some(length) = length.filter(|length| *length <= frames.len()) else { return passed };
        let frame: Vec<u8> = frames.drain(..length).collect();
        if !String::from_utf8_lossy(&frame).contains(text) {
            passed.extend(frame);
        }
    }
}

/// The request, whole.
pub async fn read_request(client: &mut TcpStream) -> Option<String> {
    let mut request = Vec::new();
    loop {
        if client.read_buf(&mut request).await.ok()? == 0 {
            return None;
        }
        let text = std::str::from_utf8(&request).ok()?;
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| {
            line.to_ascii_lowercase().strip_prefix("content-length:").map(|n| n.trim().parse().unwrap())
        });
        if body.len() >= length.unwrap_or(0) {
            return Some(text.to_owned());
        }
    }
}

/// Half of the body, with a head that promises no more.
fn half(answer: &[u8]) -> Vec<u8> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
    let body = &answer[end..end + (answer.len() - end) / 2];
    let mut half = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )
    .into_bytes();
    half.extend_from_slice(body);
    half
}

/// Ends a connection as a machine does that has lost it.
fn reset(client: TcpStream) -> Option<()> {
    client.set_zero_linger().ok()
}
