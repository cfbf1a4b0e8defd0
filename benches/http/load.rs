//! Requests from several connections at once, each kept open and waiting for its answer before it asks again.
//! One thread, and next to nothing done with the answers: the server has the rest of the machine.

use crate::Outcome;
use serde_json::Value;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinSet;

/// As much as one call reads.
const BUFFER: usize = 1 << 18;

/// What came of it.
pub struct Load {
    /// How long each answer took.
    sorted: Vec<Duration>,
    took: Duration,
    /// Processor time of the asking.
    pub client: Option<Duration>,
}

impl Load {
    pub fn new(mut times: Vec<Duration>, took: Duration, client: Option<Duration>) -> Self {
        times.sort_unstable();
        Self { sorted: times, took, client }
    }

    /// Several, as if one had followed the other at once.
    pub fn all(loads: Vec<Self>) -> Self {
        let took = loads.iter().map(|load| load.took).sum();
        let client = loads.iter().map(|load| load.client).sum();
        Self::new(loads.into_iter().flat_map(|load| load.sorted).collect(), took, client)
    }

    pub fn count(&self) -> usize {
        self.sorted.len()
    }
    pub fn rate(&self) -> f64 {
        self.sorted.len() as f64 / self.took.as_secs_f64()
    }
    pub fn percentile(&self, percent: usize) -> Duration {
        self.sorted.get(self.sorted.len() * percent / 100).copied().unwrap_or_default()
    }
}

/// A request of a wallet.
pub fn get(path: &str, wallet: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Wallet-Id: {wallet}\r\n\r\n")
}

/// A request of a wallet with a body of JSON.
pub fn post(path: &str, wallet: &str, body: &Value) -> String {
    let body = body.to_string();
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Wallet-Id: {wallet}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

/// Sends the same request again and again, whatever is answered.
pub async fn repeat(port: u16, request: String) -> std::io::Result<()> {
    let mut buffer = vec![0; BUFFER];
    loop {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.write_all(request.as_bytes()).await?;
        read(&mut stream, &mut buffer).await?;
    }
}

/// Ends [`slowest`].
pub static END_OF_PROBES: Notify = Notify::const_new();

/// How long the slowest answer took of a request that is made a hundred times a second, each time on a
/// connection of its own.
pub async fn slowest(port: u16, request: String) -> std::io::Result<Duration> {
    let (mut buffer, mut slowest) = (vec![0; BUFFER], Duration::ZERO);
    loop {
        let began = Instant::now();
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.write_all(request.as_bytes()).await?;
        read_answer(&mut stream, &mut buffer).await?;
        slowest = slowest.max(began.elapsed());
        tokio::select! {
            () = END_OF_PROBES.notified() => return Ok(slowest),
            () = tokio::time::sleep(Duration::from_millis(10)) => {}
        }
    }
}

/// Sends the same request for some time.
pub fn run(port: u16, request: &str, connections: usize, lasting: Duration) -> Outcome<Load> {
    let request = request.to_owned();
    let load = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let began = Instant::now();
        let until = began + lasting;
        let times = runtime.block_on(async {
            let mut asking = JoinSet::new();
            for _ in 0..connections {
                asking.spawn(ask(port, request.clone(), until));
            }
            asking.join_all().await.into_iter().collect::<std::io::Result<Vec<_>>>()
        })?;
        Ok(Load::new(times.concat(), began.elapsed(), processor_time()))
    });
    load.join().expect("asking does not panic").map_err(|error: std::io::Error| error.into())
}

/// One connection.
async fn ask(port: u16, request: String, until: Instant) -> std::io::Result<Vec<Duration>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.set_nodelay(true)?;
    let mut buffer = vec![0; BUFFER];
    let mut times = Vec::new();
    while Instant::now() < until {
        let began = Instant::now();
        stream.write_all(request.as_bytes()).await?;
        read_answer(&mut stream, &mut buffer).await?;
        times.push(began.elapsed());
    }
    Ok(times)
}

/// Reads one answer, which must be one with status 200 and a body of known length, and no refusal.
async fn read_answer(stream: &mut TcpStream, buffer: &mut [u8]) -> std::io::Result<()> {
    let mut filled = 0;
    let head = loop {
        filled += read(stream, &mut buffer[filled..]).await?;
        if let Some(end) = buffer[..filled].windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let text = String::from_utf8_lossy(&buffer[..head]);
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    let refused = buffer[head..filled].starts_with(b"{\"success\":false");
    let (Some(length), true) = (length, text.starts_with("HTTP/1.1 200 ") && !refused) else {
        return Err(std::io::Error::other(String::from_utf8_lossy(&buffer[..filled])));
    };
    let mut missing = (head + length).saturating_sub(filled);
    while missing > 0 {
        let most = missing.min(buffer.len());
        missing -= read(stream, &mut buffer[..most]).await?;
    }
    Ok(())
}

async fn read(stream: &mut TcpStream, buffer: &mut [u8]) -> std::io::Result<usize> {
    match stream.read(buffer).await? {
        0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
        count => Ok(count),
    }
}

/// Processor time of this thread, where the system says so.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(stat.split_whitespace().next()?.parse().ok()?))
}
