//! Listens in on a full node: which requests it is asked.

use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A way to the node that notes down the path and query of each request.
pub struct Tap {
    url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Tap {
    pub async fn on(node_url: &str) -> Self {
        let node = node_url.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = node_url.replace(&node, &listener.local_addr().unwrap().to_string());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let noted = requests.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&node).await.unwrap();
                tokio::spawn(pass(client, server, noted.clone()));
            }
        });
        Self { url, requests }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// The requests so far, without the API's prefix, in order.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn pass(client: TcpStream, server: TcpStream, noted: Arc<Mutex<Vec<String>>>) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    tokio::spawn(async move { tokio::io::copy(&mut from_server, &mut to_client).await });
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(len @ 1..) = from_client.read(&mut buffer).await {
        // A request without a body is written in one go.
        if let Some(line) = buffer[..len].strip_prefix(b"GET /v1a/") {
            let end = line.iter().position(|byte| *byte == b' ').unwrap();
            noted.lock().unwrap().push(String::from_utf8(line[..end].to_vec()).unwrap());
        }
        if to_server.write_all(&buffer[..len]).await.is_err() {
            return;
        }
    }
}
