//! A process that is killed (`kill -9`) at each step of a send, and the wallet that a new one finds.
//!
//! The process is this test binary, run again for [`child`] alone: it stands still at its step, says so, and
//! is killed.

use crate::proxy::{Fault, Proxy};
use crate::resume::seen;
use crate::rig::{PATIENCE, Rig, account, backend_at, devnet, pay};
use headless_wallet::devnet::Devnet;
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network, TokenUid, VertexId};
use headless_wallet::service::{Operation, Options, Phase, SendKey, Wallet};
use headless_wallet::store::{DataDir, Owner, PushRecords, Store, StoreError, Stores};
use headless_wallet::wallet::ChangeSet;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tracing::field::{Field, Visit};
use tracing::{Event, Metadata, Subscriber, span};

pub const BEFORE_APPEND: &str = "before append";
pub const AFTER_APPEND: &str = "after append";
/// With which the process sends, if it is told to.
pub const KEY: SendKey = SendKey { name: [1; 32], request: [2; 32] };

/// Says that the step is reached and stays there.
fn stand_still() -> ! {
    println!("reached");
    loop {
        std::thread::park();
    }
}

/// Stands still where a send logs that it has come to this step.
struct Steps(String);

impl Subscriber for Steps {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("headless_wallet::service::")
    }
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut Message(&self.0));
    }
}

struct Message<'a>(&'a str);

impl Visit for Message<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" && format!("{value:?}") == self.0 {
            stand_still();
        }
    }
}

/// Stands still before or after the payment is appended.
struct Disk {
    store: Arc<dyn Store>,
    step: String,
}

struct Disks {
    dir: DataDir,
    step: String,
}

#[async_trait::async_trait]
impl Stores for Disks {
    async fn open(&self, owner: &Owner) -> Result<(Arc<dyn Store>, ChangeSet), StoreError> {
        let (store, kept) = self.dir.open(owner).await?;
        Ok((Arc::new(Disk { store, step: self.step.clone() }), kept))
    }
}

#[async_trait::async_trait]
impl Store for Disk {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        self.store.load().await
    }
    async fn append(&self, changes: &ChangeSet) -> Result<(), StoreError> {
        let mut outputs = changes.history().flat_map(|vertex| vertex.outputs);
        let of_the_send = outputs.any(|output| output.output.script.get(3..23) == Some(&[7; 20]));
        if of_the_send && self.step == BEFORE_APPEND {
            stand_still();
        }
        let appended = self.store.append(changes).await;
        if of_the_send && self.step == AFTER_APPEND {
            stand_still();
        }
        appended
    }
    fn push_records(&self) -> Option<&dyn PushRecords> {
        self.store.push_records()
    }
}

/// Not a test: what the killed process does.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "run by the tests of this file, in a process of its own"]
async fn child() {
    let given = |name: &str| std::env::var(name).unwrap();
    let Ok(step) = std::env::var("STEP") else { return };
    tracing::subscriber::set_global_default(Steps(step.clone())).unwrap();
    let dir = DataDir::new(Path::new(&given("DIR"))).unwrap();
    let options = Options { stores: Some(Arc::new(Disks { dir, step })), ..Options::default() };
    let backend = backend_at(&given("NODE"), &given("MINING"));
    let account = account(&Mnemonic::parse(&given("WORDS")).unwrap());
    let wallet = Wallet::start(account, backend, options).await.unwrap();
    assert_eq!(wallet.ready().await.phase, Phase::Ready);
    if std::env::var("KEY").is_ok() {
        wallet.carry_out_once(Operation::Send(pay(100)), KEY).await.unwrap();
    } else {
        wallet.send(pay(100)).await.unwrap();
    }
    // What is to be appended may still be.
    std::future::pending::<()>().await;
}

pub struct Killed {
    pub devnet: Devnet,
    pub words: Mnemonic,
    pub dir: TempDir,
    with_key: bool,
}

impl Killed {
    /// A wallet with one coin of 1,000.
    pub async fn new(with_key: bool) -> Self {
        let (devnet, words) = (devnet().await, Mnemonic::generate().unwrap());
        let keys = AccountKeys::from_mnemonic(&words, "").public();
        let home = Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]);
        devnet.change(|chain, now| chain.fund(home, Amount::from(1_000), now)).unwrap();
        let dir = TempDir::new().unwrap();
        Self { devnet, words, dir, with_key }
    }

    pub fn run(&self, step: &str, node: &str) -> Child {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "steps::child", "--ignored", "--nocapture"]);
        command.env("STEP", step).env("NODE", node).env("MINING", self.devnet.mining_url());
        command.env("DIR", self.dir.path()).env("WORDS", self.words.words());
        if self.with_key {
            command.env("KEY", "");
        }
        command.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap()
    }

    /// Valid payments to the address that tests pay.
    pub fn payments(&self) -> Vec<VertexId> {
        let to = Address::p2pkh(Network::Privatenet, [7; 20]);
        let valid = |id: &VertexId| self.devnet.read(|chain| !chain.vertex(id).unwrap().voided);
        let all: Vec<_> = self.devnet.read(|chain| chain.history_of(&to).collect());
        all.into_iter().filter(valid).collect()
    }

    pub async fn start(&self, stores: Option<Arc<dyn Stores>>) -> Wallet {
        self.start_through(&self.devnet.node_url(), stores).await
    }

    pub async fn start_through(&self, node: &str, stores: Option<Arc<dyn Stores>>) -> Wallet {
        let options = Options { stores, ..Options::default() };
        let backend = backend_at(node, &self.devnet.mining_url());
        let wallet = Wallet::start(account(&self.words), backend, options).await.unwrap();
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        wallet
    }

    /// What the killed process has left in its store.
    async fn kept(&self) -> ChangeSet {
        self.store().await.1
    }

    pub async fn store(&self) -> (Arc<dyn Store>, ChangeSet) {
        let owner = Owner {
            wallet: AccountKeys::from_mnemonic(&self.words, "").public().wallet_id(),
            network: "privatenet".to_owned(),
            genesis: self.devnet.read(|chain| Some(chain.genesis()[0])),
        };
        DataDir::new(self.dir.path()).unwrap().open(&owner).await.unwrap()
    }

    /// The wallet of a new process: as a fresh scan has it, with all that it can spend free, and it sends.
    async fn is_as_new(&self, payments: usize) {
        assert_eq!(self.payments().len(), payments);
        let stores: Arc<dyn Stores> = Arc::new(DataDir::new(self.dir.path()).unwrap());
        let (again, fresh) = (self.start(Some(stores)).await, self.start(None).await);
        assert_eq!(seen(&again), seen(&fresh));
        fresh.stop().await;
        let rig = Rig { devnet: devnet().await, wallet: again, words: self.words.clone() };
        let left = 1_000 - 100 * payments as u128;
        assert_eq!(rig.free_outputs().iter().map(|(_, value)| value).sum::<u128>(), left);
        assert_eq!(rig.balance(TokenUid::Native).available.cents(), left);
        rig.pay(100).await.unwrap();
        assert_eq!(self.payments().len(), payments + 1);
        rig.wallet.stop().await;
    }
}

async fn killed_at(step: &str) -> Killed {
    killed_in_send(step, false).await
}

/// Kills a process that stands at `step` of a send. Gives what it leaves behind.
pub async fn killed_in_send(step: &str, with_key: bool) -> Killed {
    let killed = Killed::new(with_key).await;
    let mut child = killed.run(step, &killed.devnet.node_url());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let reached = async { while lines.next_line().await.unwrap().unwrap() != "reached" {} };
    tokio::time::timeout(PATIENCE, reached).await.unwrap();
    child.kill().await.unwrap();
    killed
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_inputs_are_selected() {
    killed_at("send: planned").await.is_as_new(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_signing() {
    killed_at("send: signed").await.is_as_new(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_mining() {
    killed_at("send: solved").await.is_as_new(0).await;
}

/// Kills a process whose payment the node has taken and not answered yet.
pub async fn killed_in_push(with_key: bool) -> Killed {
    let killed = Killed::new(with_key).await;
    let node = Proxy::before(&killed.devnet.node_url()).await;
    node.fault("push_tx", Fault::Swallow, 1);
    let mut child = killed.run("none", &node.url(&killed.devnet.node_url()));
    let pushed = async {
        while killed.payments().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, pushed).await.unwrap();
    child.kill().await.unwrap();
    killed
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_the_push_is_being_answered() {
    killed_in_push(false).await.is_as_new(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_push() {
    killed_at("send: pushed").await.is_as_new(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_the_payment_is_appended() {
    let killed = killed_at(BEFORE_APPEND).await;
    let payment = killed.payments()[0];
    assert!(!killed.kept().await.vertices.contains_key(&payment));
    killed.is_as_new(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_payment_is_appended() {
    let killed = killed_at(AFTER_APPEND).await;
    let payment = killed.payments()[0];
    assert!(killed.kept().await.vertices.contains_key(&payment));
    killed.is_as_new(1).await;
}
