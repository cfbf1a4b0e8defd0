//! `headless-wallet store check|export|compact`, as a user runs it.

use crate::backends::owner;
use crate::cluster::Postgres;
use headless_wallet::ledger::{
    Address, Amount, ExtraMembers, Network, Outpoint, Script, SpentOutput, TokenData, TokenUid, Vertex,
    VertexId, VertexOutput,
};
use headless_wallet::node::parse_vertex;
use headless_wallet::store::{DataDir, Documents, PushRecord, RedbStore, Store, Stores, TaskRecord};
use headless_wallet::wallet::{ChangeSet, PackedVertex};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Exit code, standard output, standard error.
fn run(command: &str, path: &Path) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_headless-wallet"))
        .args(["store", command])
        .arg(path)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The same of `store migrate`.
pub fn migrate(from: &str, to: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_headless-wallet"))
        .args(["store", "migrate", "--from", from, "--to", to])
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn vertex(number: u8) -> Vertex {
    let to = Address::p2pkh(Network::Privatenet, [number; 20]);
    let script = Script::Pay { to, timelock: None }.to_bytes().unwrap();
    let output = SpentOutput {
        value: Amount::from(1 << 60),
        token: TokenUid::Native,
        token_data: TokenData(0),
        script: script.into(),
        unknown: None,
    };
    Vertex {
        id: VertexId([number; 32]),
        version: 1,
        weight: 17.5,
        timestamp: 1_000 - u32::from(number),
        voided: false,
        first_block: Some(VertexId([9; 32])),
        height: None,
        parents: vec![VertexId([7; 32])],
        inputs: vec![],
        outputs: vec![VertexOutput { output, spent_by: Some(VertexId([8; 32])) }],
        creates: None,
        nano: None,
        extra: ExtraMembers::default(),
    }
}

pub fn with_a_store(dir: &TempDir) -> PathBuf {
    let name = owner(1).name();
    let path = dir.path().join(format!("{name}.redb"));
    let vertices = [1, 2].map(|number| (vertex(number).id, PackedVertex::of(&vertex(number))));
    let changes = ChangeSet {
        vertices: vertices.into(),
        address_count: Some(22),
        best_height: Some(77),
        ..ChangeSet::default()
    };
    RedbStore::open(&path, &name).unwrap().write(&changes).unwrap();
    path
}

#[test]
fn check() {
    let dir = TempDir::new().unwrap();
    let path = with_a_store(&dir);
    let fine = format!("{}: fine: 2 transactions and blocks, 22 addresses, best height 77\n", path.display());
    assert_eq!(run("check", &path), (0, fine.clone(), String::new()));
    assert_eq!(run("check", dir.path()), (0, fine.clone(), String::new()));

    let other = dir.path().join("other.redb");
    std::fs::write(&other, "not a store, but something else that somebody put there").unwrap();
    let (code, out, err) = run("check", dir.path());
    assert_eq!((code, out), (1, fine));
    assert!(err.starts_with(&format!("error: store {}: it is damaged: ", other.display())), "{err}");
    assert!(err.ends_with("\nerror: 1 of 2 stores failed\n"), "{err}");
}

#[test]
fn export() {
    let dir = TempDir::new().unwrap();
    let (code, out, err) = run("export", &with_a_store(&dir));
    assert_eq!((code, err), (0, String::new()));
    // The node's own shape: what reads a node's history reads this.
    let read: Vec<Vertex> = out.lines().map(|line| parse_vertex(line).unwrap()).collect();
    assert_eq!(read, [vertex(2), vertex(1)]);
    assert_eq!(run("export", dir.path()), (0, out, String::new()));
    let (one, other) = (with_a_store(&dir), dir.path().join("other.redb"));
    std::fs::copy(&one, &other).unwrap();
    let mut names = [one.display().to_string(), other.display().to_string()];
    names.sort();
    let several = format!(
        "error: there are several stores in {}: name one: {}\n",
        dir.path().display(),
        names.join(", ")
    );
    assert_eq!(run("export", dir.path()), (1, String::new(), several));
}

/// As `head` does: its first line is all that anybody wanted to see.
#[test]
fn export_to_nobody() {
    let dir = TempDir::new().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_headless-wallet"))
        .args(["store", "export"])
        .arg(with_a_store(&dir))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
}

#[test]
fn compact() {
    let dir = TempDir::new().unwrap();
    let path = with_a_store(&dir);
    let before = std::fs::metadata(&path).unwrap().len();
    let (code, out, err) = run("compact", dir.path());
    let after = std::fs::metadata(&path).unwrap().len();
    assert_eq!((code, err), (0, String::new()));
    assert_eq!(out, format!("{}: {after} bytes, before {before}\n", path.display()));
    assert_eq!(RedbStore::open_any(&path).unwrap().check().unwrap().vertices.len(), 2);
}

/// Where nodes of its trees should be there is something else, at which redb panics.
#[test]
fn what_is_damaged_inside_is_said() {
    let dir = TempDir::new().unwrap();
    let path = with_a_store(&dir);
    let mut bytes = std::fs::read(&path).unwrap();
    // The first page tells where the others are.
    bytes[4096..].fill(0x55);
    std::fs::write(&path, &bytes).unwrap();
    let damaged = format!("error: store {}: it is damaged: it can't be read\n", path.display());
    for command in ["check", "export", "compact"] {
        assert_eq!(run(command, &path), (1, String::new(), damaged.clone()), "{command}");
    }
}

#[test]
fn what_is_no_store_or_in_use_is_said() {
    let dir = TempDir::new().unwrap();
    let missing = dir.path().join("missing.redb");
    let nothing = format!("error: there is no store at {}\n", missing.display());
    assert_eq!(run("export", &missing), (1, String::new(), nothing));
    let empty = format!("error: there is no store in {}\n", dir.path().display());
    assert_eq!(run("check", dir.path()), (1, String::new(), empty));
    let path = with_a_store(&dir);
    let _open = RedbStore::open_any(&path).unwrap();
    let in_use = format!(
        "error: store {}: another process uses it: end that one, or give one of the two another --data-dir\n",
        path.display()
    );
    assert_eq!(run("check", &path), (1, String::new(), in_use));
}

#[tokio::test]
async fn wallets_go_from_a_directory_to_a_database_and_back() {
    let (dir, back) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let path = with_a_store(&dir);
    let name = owner(1).name();
    {
        let store = RedbStore::open_any(&path).unwrap();
        let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        let record = PushRecord {
            key: [1; 32],
            request: [2; 32],
            time: time.try_into().unwrap(),
            transaction: vec![3; 99],
            is_open: false,
        };
        store.write_push_records(&[record]).unwrap();
        let task = TaskRecord { id: [4; 16], task: b"{}".to_vec() };
        store.task_records().unwrap().keep_task(task, true).await.unwrap();
        let output = Outpoint { tx: VertexId([1; 32]), index: 0 };
        let locked = [(output, Some(u32::MAX)), (Outpoint { index: 1, ..output }, None)].into();
        store.write(&ChangeSet { locked_outpoints: locked, ..ChangeSet::default() }).unwrap();
    }
    let postgres = Postgres::shared();
    let url = postgres.url();
    let stores = DataDir::new(dir.path()).unwrap();
    assert!(stores.documents().unwrap().replace_document("seeds", None, "sealed").await.unwrap());
    let (first, last) = (dir.path().to_str().unwrap(), back.path().to_str().unwrap());
    let taken = format!("{name}: 2 transactions and blocks, 1 records of pushes, 1 tasks, 0 events\nseeds\n");
    assert_eq!(migrate(first, &url), (0, taken.clone(), String::new()));
    let there = format!("{name}: is there already, and is left alone\n");
    assert_eq!(migrate(first, &url), (0, there, String::new()));
    // While a server runs on it, it is not as it will be.
    let place = format!("{}/postgres", postgres.dir);
    postgres.sql(&url, "insert into server (lease_until) values (now() + interval '55 s')");
    let busy = format!(
        "error: store {place}: servers run on it, or have left pushes whose outcome is not known: start one, wait until its \
         wallets are ready, and stop it\n"
    );
    assert_eq!(migrate(&url, last), (1, String::new(), busy));
    postgres.sql(&url, "delete from server");
    assert_eq!(migrate(&url, last), (0, taken, String::new()));
    let kept = RedbStore::open_any(&back.path().join(format!("{name}.redb"))).unwrap();
    assert_eq!(kept.check(), RedbStore::open_any(&path).unwrap().check());
    assert_eq!(kept.owner().unwrap(), name);
    let sealed = DataDir::new(back.path()).unwrap().read_document("seeds").await.unwrap().unwrap();
    assert_eq!(sealed.text, "sealed");
    // What came later would be lost.
    let later = ChangeSet { current_index: Some(7), ..ChangeSet::default() };
    RedbStore::open_any(&path).unwrap().write(&later).unwrap();
    let others = format!(
        "error: store {name}: is there already with other contents, and is left alone: to take it over, migrate to an empty directory \
         or another schema (?schema=…)\nerror: 1 of 1 wallets failed\n"
    );
    assert_eq!(migrate(first, &url), (1, String::new(), others));
    let none = format!("error: there is no store in {}\n", dir.path().join("none").display());
    std::fs::create_dir(dir.path().join("none")).unwrap();
    // Somebody else's.
    std::fs::write(dir.path().join("none/system.log"), "started\n").unwrap();
    assert_eq!(migrate(dir.path().join("none").to_str().unwrap(), last), (1, String::new(), none));
}

#[test]
fn a_database_is_no_directory_and_its_password_is_not_repeated() {
    for command in ["check", "export", "compact"] {
        let (code, out, error) = run(command, Path::new("postgres://anna:hush@db/w"));
        let told = "error: this is for the stores in a directory: a database has tools of its own, such as pg_dump\n";
        assert_eq!((code, &*out, &*error), (1, "", told), "{command}");
    }
}
