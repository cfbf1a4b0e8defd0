//! `serve --devnet`: where its local network is, and what is said where that place is taken.

use super::process::PROGRAM;
use std::net::{Ipv4Addr, TcpListener};
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::Command;

fn serve(flags: &[&str]) -> Command {
    let mut program = Command::new(PROGRAM);
    program.args(["serve", "--devnet", "--http-port", "0"]).args(flags).env("HEADLESS_CONSOLE_LEVEL", "warn");
    program.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    program
}

/// What a server says first of where it is: the two URLs of its local network, as told for people and for the
/// package.
async fn urls(flags: &[&str]) -> ([String; 2], String) {
    let mut server = serve(flags).spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut next = async || lines.next_line().await.unwrap().unwrap();
    next().await;
    let network = next().await;
    let (told, _) =
        network.strip_prefix("Local network: full node ").unwrap().split_once(" · control ").unwrap();
    let (node, mining) = told.split_once(" · mining service ").unwrap();
    assert_eq!(next().await, "In the npm package:");
    assert_eq!(next().await, format!("  nodeUrl: \"{node}\","));
    assert_eq!(next().await, format!("  miningUrl: \"{mining}\","));
    let urls = [node.to_owned(), mining.to_owned()];
    server.kill().await.unwrap();
    let mut said = String::new();
    server.stderr.take().unwrap().read_to_string(&mut said).await.unwrap();
    (urls, said)
}

#[tokio::test]
async fn it_takes_free_ports_where_the_usual_ones_are_taken() {
    // Taken by this test, unless something else has it already.
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 8083));
    let ([node, mining], said) = urls(&[]).await;
    assert_eq!(
        said,
        "Port 8083 or 8035 is in use (by another local network?): this local network uses others.\n"
    );
    assert!(!node.contains(":8083/") && node.ends_with("/v1a/"), "{node}");
    assert!(!mining.contains(":8035/"), "{mining}");

    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let chosen = ["--devnet-node-port", &port.to_string(), "--devnet-mining-port", "0"];
    let ([node, _], said) = urls(&chosen).await;
    assert_eq!((node, said), (format!("http://127.0.0.1:{port}/v1a/"), String::new()));
    drop(taken);
}

#[tokio::test]
async fn a_port_that_was_asked_for_and_is_taken_is_refused_and_unknown_variables_are_warned_of() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut server = serve(&["--devnet-node-port", &port, "--devnet-mining-port", "0"]);
    let ended = server.env("HEADLESS_GAP_LIMT", "5").env("HEADLESS_COLOUR", "red").output().await.unwrap();
    let mut said: Vec<_> = std::str::from_utf8(&ended.stderr).unwrap().lines().collect();
    assert_eq!(
        said.pop().unwrap(),
        format!(
            "error: port {port} or 0 is in use: end the program that uses it (another local network?), or choose others with \
             --devnet-node-port and --devnet-mining-port (0 for any that is free)"
        )
    );
    said.sort_unstable();
    assert_eq!(
        said,
        [
            "warning: environment variable HEADLESS_COLOUR is not a setting and is ignored",
            "warning: environment variable HEADLESS_GAP_LIMT is not a setting and is ignored: did you mean HEADLESS_GAP_LIMIT?",
        ]
    );
    assert_eq!(ended.status.code(), Some(1));
}
