//! What stays of a wallet's words in the memory of the server, looked for from outside of the process.

use super::process::{PROGRAM, Process};
use super::support::{Answer, ask};
use headless_wallet::keys::Mnemonic;
use memchr::memmem;
use serde_json::json;
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::process::Stdio;
use std::time::Duration;
use tempfile::NamedTempFile;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::Command;
use tokio::time::{sleep, timeout};

const STARTED: &str = r#"{"success":true}"#;

/// Three words that follow each other, anywhere in the list, and the seed: none of them may be found.
struct Secrets(Vec<Vec<u8>>);

impl Secrets {
    fn of(words: &Mnemonic) -> Self {
        let list: Vec<&str> = words.words().split(' ').collect();
        let mut all: Vec<Vec<u8>> = list.windows(3).map(|three| three.join(" ").into_bytes()).collect();
        all.push(words.seed("")[..32].to_vec());
        Self(all)
    }

    /// How many of them are in the memory that this process writes to.
    fn found_in(&self, server: &Process) -> usize {
        let process = server.child.id().unwrap();
        let memory = File::open(format!("/proc/{process}/mem")).unwrap();
        let maps = fs::read_to_string(format!("/proc/{process}/maps")).unwrap();
        let mut found = vec![false; self.0.len()];
        for range in maps.lines().filter_map(|line| line.split_once(" rw")) {
            let (start, end) = range.0.split_once('-').unwrap();
            let [start, end] = [start, end].map(|text| u64::from_str_radix(text, 16).unwrap());
            let mut bytes = vec![0; usize::try_from(end - start).unwrap()];
            // It may be gone by now.
            let Ok(length) = memory.read_at(&mut bytes, start) else { continue };
            for (secret, found) in self.0.iter().zip(&mut found) {
                *found |= memmem::find(&bytes[..length], secret).is_some();
            }
        }
        found.into_iter().filter(|found| *found).count()
    }
}

async fn post(server: &Process, path: &str, wallet: &str) -> Answer {
    ask(&server.address, "POST", path, &[("x-wallet-id", wallet)], b"").await
}

/// Sends a request's parts, each when the one before was taken, and leaves the connection open.
async fn start(server: &Process, head: &str, parts: &[&str]) -> TcpStream {
    let mut connection = TcpStream::connect(&server.address).await.unwrap();
    connection.set_nodelay(true).unwrap();
    let head = format!("POST /start HTTP/1.1\r\nhost: {}\r\n{head}\r\n\r\n", server.address);
    for part in [[&head, parts[0]].concat().as_str()].iter().chain(&parts[1..]) {
        connection.write_all(part.as_bytes()).await.unwrap();
    }
    let mut answer = Vec::new();
    while !answer.ends_with(STARTED.as_bytes()) {
        assert_ne!(
            connection.read_buf(&mut answer).await.unwrap(),
            0,
            "{}",
            String::from_utf8_lossy(&answer)
        );
    }
    connection
}

#[tokio::test]
async fn words_of_a_request_are_nowhere_once_its_wallet_is_stopped_and_its_connection_closed() {
    let server = Process::with_wallet().await;
    let json = "content-type: application/json";
    for form in ["whole", "in parts", "chunked", "with a key", "form"] {
        let words = Mnemonic::generate().unwrap();
        let secrets = Secrets::of(&words);
        let body = json!({ "wallet-id": "w", "seed": words.words() }).to_string();
        let length = format!("content-length: {}", body.len());
        let (first, second) = body.split_at(body.len() / 2);
        let connection = match form {
            "whole" => start(&server, &format!("{json}\r\n{length}"), &[&body]).await,
            "in parts" => start(&server, &format!("{json}\r\n{length}"), &[first, second]).await,
            "chunked" => {
                let chunk = |part: &str| format!("{:x}\r\n{part}\r\n", part.len());
                let parts = [&chunk(first), &chunk(second), "0\r\n\r\n"];
                start(&server, &format!("{json}\r\ntransfer-encoding: chunked"), &parts).await
            }
            "with a key" => {
                start(&server, &format!("{json}\r\n{length}\r\nidempotency-key: k"), &[&body]).await
            }
            _ => {
                let body = format!("wallet-id=w&seed={}", words.words().replace(' ', "+"));
                let kind = "content-type: application/x-www-form-urlencoded";
                start(&server, &format!("{kind}\r\ncontent-length: {}", body.len()), &[&body]).await
            }
        };
        assert_eq!(post(&server, "/wallet/stop", "w").await.text, STARTED);
        // What was read last stays in the connection's buffer until more is read or it is closed.
        drop(connection);
        let gone = async {
            while secrets.found_in(&server) > 0 {
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(Duration::from_secs(10), gone).await.expect(form);
    }
    server.end().await;
}

#[tokio::test]
async fn words_of_a_settings_file_are_nowhere_once_it_is_read_again_without_them() {
    let words = Mnemonic::generate().unwrap();
    let secrets = Secrets::of(&words);
    let file = NamedTempFile::new().unwrap();
    fs::write(&file, format!("[seeds]\nmine = '{}'", words.words())).unwrap();
    let server = Process::start(&["serve", "--config", file.path().to_str().unwrap()]).await;
    assert!(secrets.found_in(&server) > 0, "the search finds what is there");

    fs::write(&file, "").unwrap();
    assert_eq!(post(&server, "/reload-config", "").await.text, STARTED);
    assert_eq!(secrets.found_in(&server), 0);
    server.end().await;
}

/// What `PR_SET_DUMPABLE` does: the kernel gives a process's memory to root alone. Server, signer and
/// commands have it whether their words are sealed or not.
#[tokio::test]
async fn other_programs_of_the_user_cannot_read_the_memory() {
    let mut serve = Command::new(PROGRAM);
    serve.arg("serve");
    let owner = |process: u32| fs::metadata(format!("/proc/{process}/mem")).unwrap().uid();
    if owner(std::process::id()) == 0 {
        // Root reads everything, and owns its own.
        serve.uid(65_534).gid(65_534);
    }
    let server = Process::by(serve, Stdio::null()).await;
    assert_eq!(owner(server.child.id().unwrap()), 0);
    server.end().await;
}
