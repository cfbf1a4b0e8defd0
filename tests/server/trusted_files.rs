//! Files and directories that other users can write: who can write them decides what is paid, so they are
//! refused.

use super::command_line::{BINARY, Ended, program, run};
use super::process::Process;
use super::support::{GENESIS_WORDS, ask};
use std::fs::{Permissions, set_permissions, write};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::Command;

const NOBODY: u32 = 65_534;

fn mode(path: &Path, mode: u32) {
    set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn give_to_nobody(path: &Path) {
    chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
}

/// Only root runs programs as other users.
fn is_root() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        eprintln!("SKIPPED, as it needs root: programs and files of other users");
    }
    is_root
}

fn refused(why: &str) -> Ended {
    (1, String::new(), format!("error: {why}\n"))
}

async fn run_as(user: Option<u32>, arguments: &[&str]) -> Ended {
    let mut program = program();
    program.args(arguments);
    if let Some(user) = user {
        program.uid(user).gid(user);
    }
    run(program, "").await
}

fn key_for<'a>(name: &'a str, dir: &'a str) -> [&'a str; 9] {
    ["keys", "add", name, "--wallet", "*", "--rights", "read,send,administer", "--data-dir", dir]
}

/// A server of this user on a data directory, and whether a key may list its wallets.
async fn takes_key(dir: &str, user: Option<u32>, key: &str) -> bool {
    let mut serve = Command::new(BINARY);
    serve.env_clear().args(["serve", "--data-dir", dir]);
    if let Some(user) = user {
        serve.uid(user).gid(user);
    }
    let server = Process::by(serve, Stdio::null()).await;
    let path = "/health?wallet_ids=*&include_fullnode=true";
    let status = ask(&server.address, "GET", path, &[("x-api-key", key)], b"").await.status;
    server.end().await;
    status == 200
}

#[tokio::test]
async fn a_data_directory_that_others_can_write_is_refused_by_server_and_commands() {
    let above = TempDir::new().unwrap();
    let dir = above.path().join("data");
    std::fs::create_dir(&dir).unwrap();
    mode(&dir, 0o777);
    let name = dir.to_str().unwrap();
    let why = format!(
        "can't use `data_dir` {name}: other users than its owner can write it (mode 0777): chmod go-w {name}"
    );
    let serve = ["serve", "--http-port=0", "--network=testnet", "--data-dir", name];
    assert_eq!(run_as(None, &serve).await, refused(&why));
    assert_eq!(run_as(None, &key_for("shop", name)).await, refused(&why));
    let signer = ["signer", "--socket", "/tmp/never", "--data-dir", name];
    assert!(run_as(None, &signer).await.2.ends_with(&format!("error: {why}\n")));
    if is_root() {
        mode(above.path(), 0o755);
        assert_eq!(run_as(Some(NOBODY), &key_for("evil", name)).await, refused(&why));
    }
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0);
    mode(&dir, 0o700);
    let (code, key, _) = run_as(None, &key_for("shop", name)).await;
    assert_eq!(code, 0);
    assert!(takes_key(name, None, key.trim()).await);
}

#[tokio::test]
async fn keys_of_another_user_are_not_believed() {
    if !is_root() {
        return;
    }
    let dir = TempDir::new().unwrap();
    let name = dir.path().to_str().unwrap();
    let (code, key, _) = run_as(None, &key_for("evil", name)).await;
    assert_eq!(code, 0);
    // As if nobody had made it while the directory was everybody's.
    let document = dir.path().join("keys.document");
    give_to_nobody(&document);
    assert!(!takes_key(name, None, key.trim()).await);
    let path = document.display();
    assert_eq!(
        run_as(None, &["keys", "list", "--data-dir", name]).await,
        refused(&format!(
            "store {path}: it belongs to nobody (user 65534), and only root may own it: chown 0 {path}, or run this as its owner"
        ))
    );
}

/// Root gives out keys beside a server of another user, and does not serve from that user's directory.
#[tokio::test]
async fn root_keeps_a_directory_of_another_user_and_does_not_serve_from_it() {
    if !is_root() {
        return;
    }
    let dir = TempDir::new().unwrap();
    give_to_nobody(dir.path());
    let name = dir.path().to_str().unwrap();
    let (code, key, _) = run_as(None, &key_for("shop", name)).await;
    assert_eq!(code, 0);
    assert!(takes_key(name, Some(NOBODY), key.trim()).await);
    let why = format!(
        "can't use `data_dir` {name}: it belongs to nobody (user 65534), and only root may own it: chown 0 {name}, or run this as its owner"
    );
    assert_eq!(
        run_as(None, &["serve", "--http-port=0", "--network=testnet", "--data-dir", name]).await,
        refused(&why)
    );
}

#[tokio::test]
async fn settings_limits_and_secrets_that_others_can_write_are_refused() {
    let dir = TempDir::new().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        write(&path, text).unwrap();
        mode(&path, 0o662);
        path.to_str().unwrap().to_owned()
    };
    let why = |path: &str| {
        format!("{path}: other users than its owner can write it (mode 0662): chmod go-w {path}")
    };
    let config = file("wallet.toml", "network = 'testnet'");
    assert_eq!(
        run_as(None, &["serve", "--config", &config]).await,
        refused(&format!("can't read the configuration file {}", why(&config)))
    );
    let (words, password) = (file("words", GENESIS_WORDS), file("password", "correct horse"));
    let data = dir.path().join("data");
    let add = |seed: &str, password: &str| {
        let arguments =
            ["seeds", "add", "main", "--seed-file", seed, "--password-file", password, "--data-dir"];
        [&arguments[..], &[data.to_str().unwrap()]]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let run = async |arguments: Vec<String>| {
        run_as(None, &arguments.iter().map(String::as_str).collect::<Vec<_>>()).await
    };
    assert_eq!(run(add(&words, &password)).await, refused(&format!("can't read {}", why(&password))));
    mode(Path::new(&password), 0o600);
    assert!(run(add(&words, &password)).await.2.ends_with(&format!("error: can't read {}\n", why(&words))));
    mode(Path::new(&words), 0o600);
    assert_eq!(run(add(&words, &password)).await.0, 0);

    let limits = file("limits.toml", "[seeds.main.limits]\nHTR = { transaction = 1, day = 2 }\n");
    let signer = |limits: &str| {
        let arguments =
            ["signer", "--socket", "/tmp/never", "--limits", limits, "--data-dir", data.to_str().unwrap()];
        arguments.map(str::to_owned).to_vec()
    };
    assert!(run(signer(&limits)).await.2.ends_with(&format!("error: {}\n", why(&limits))));
    // What counts the amounts is the signer's own as well.
    mode(Path::new(&limits), 0o644);
    let spent = data.join("signer-spent.log");
    std::os::unix::fs::symlink("/etc/hostname", &spent).unwrap();
    let link = format!("error: {}: it is a symbolic link: put the file itself there\n", spent.display());
    assert!(run(signer(&limits)).await.2.ends_with(&link));
}

/// In a directory for everybody, such as `/tmp`, somebody may listen where a server was to.
#[tokio::test]
async fn a_password_is_not_given_to_another_user_who_listens() {
    if !is_root() {
        return;
    }
    let dir = TempDir::new().unwrap();
    mode(dir.path(), 0o1777);
    let socket = dir.path().join("unlock");
    let socket = socket.to_str().unwrap();
    let data = TempDir::new().unwrap();
    give_to_nobody(data.path());
    let mut serve = Command::new(BINARY);
    serve.env_clear().uid(NOBODY).gid(NOBODY);
    serve.args(["serve", "--unlock-socket", socket, "--data-dir", data.path().to_str().unwrap()]);
    let server = Process::by(serve, Stdio::null()).await;
    let password = dir.path().join("password");
    write(&password, "correct horse").unwrap();
    let unlock = ["seeds", "unlock", "--socket", socket, "--password-file", password.to_str().unwrap()];
    assert_eq!(
        run_as(None, &unlock).await,
        refused(&format!(
            "nobody (user 65534) listens at {socket}, in a directory of root (user 0): put the socket into a directory of the user \
             who listens"
        ))
    );
    give_to_nobody(dir.path());
    let none = "there are no sealed seeds: `headless-wallet seeds add` keeps some\n";
    assert_eq!(run_as(None, &unlock).await, (0, String::new(), none.to_owned()));
    server.end().await;
}
