//! A server process: what `server/` does of requests, lost accounts and takeovers, around the real wallet,
//! its store and its lease.

use super::database::Client;
use super::ledger;
use super::world::{Process, Running, Shared, World, is_woken, wake};
use crate::keys::{AccountKeys, Mnemonic};
use crate::ledger::{Address, Amount, Network, TokenUid, VertexId};
use crate::node::{FullNode, MiningService};
use crate::rt;
use crate::service::account::live_state::lock;
use crate::service::{Account, Backend, Operation, Options, SendError, SendKey, SharedAccounts, Wallet};
use crate::store::{Lease, Owner, PostgresStores, PushRecords, Store, StoreError, Stores};
use crate::wallet::{ChangeSet, OutputRequest, Scan, SendRequest, State, Update};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

/// How often it is looked for pushes that no server brings to their end.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// A process that was not driven for longer than this was paused.
const PAUSED: u64 = 300;

/// What it is asked.
pub enum Message {
    Pay(Ask),
    /// There is something new on the ledger.
    News,
    /// It is to end.
    End,
}

/// What came of being asked to pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Paid(VertexId),
    /// Nothing was sent.
    Unsent,
    /// It is not known.
    Unclear,
}

/// A payment that is asked for. Without an answer, its caller hears that the connection broke.
pub struct Ask {
    pub number: u64,
    pub is_keyed: bool,
    pub world: Shared,
    pub is_answered: bool,
}

impl Ask {
    fn answer(mut self, verdict: Verdict) {
        self.is_answered = true;
        self.world.lock().tell(self.number, Some(verdict));
    }
}

impl Drop for Ask {
    fn drop(&mut self) {
        if !self.is_answered {
            self.world.lock().tell(self.number, None);
        }
    }
}

pub static KEYS: LazyLock<AccountKeys> = LazyLock::new(|| {
    let words = format!("{}art", "abandon ".repeat(23));
    AccountKeys::from_mnemonic(&Mnemonic::parse(&words).unwrap(), "")
});

pub fn stranger() -> Address {
    Address::p2pkh(Network::Privatenet, [7; 20])
}

/// Tells payments apart.
pub fn value_of(number: u64) -> Amount {
    Amount::from(100 + number)
}

pub struct Server {
    runtime: Runtime,
    host: Arc<Host>,
    /// Up to when it was driven.
    at: u64,
}

struct Host {
    world: Shared,
    process: Process,
    backend: Backend,
    client: Client,
    stores: Arc<OneAccount>,
    shared: SharedAccounts,
    wallet: Mutex<Option<Wallet>>,
    turn: tokio::sync::Mutex<()>,
}

impl Server {
    pub fn start(world: &Shared, process: Process) -> Self {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let (inbox, messages) = mpsc::unbounded_channel();
        let at = {
            let mut world = world.lock();
            world.processes[process.place] = (process, Running::Runs);
            world.inboxes[process.place] = Some(inbox);
            world.now
        };
        let http = ledger::client(world.clone(), process);
        let client = Client { process, world: world.clone() };
        let host = Arc::new(Host {
            world: world.clone(),
            process,
            backend: Backend {
                network: Network::Privatenet,
                node: FullNode::new(http.clone(), "http://node/v1a/").unwrap(),
                mining: MiningService::new(http, "http://mining/", None).unwrap().into(),
            },
            stores: Arc::new(OneAccount(PostgresStores::simulated(
                Arc::new(client.clone()),
                Arc::new(client.clone()),
            ))),
            client,
            shared: SharedAccounts::default(),
            wallet: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
        });
        runtime.spawn(host.clone().run(messages));
        wake(process.place);
        Self { runtime, host, at }
    }

    /// Whether there is something for it to do: something is new, or it has not worked for so long.
    pub fn is_due(&self, time: u64, most: u64) -> bool {
        is_woken(self.host.process.place) || time - self.at >= most
    }

    /// Lets it work up to a time.
    pub fn drive(&mut self, time: u64) {
        let gone = time - self.at;
        self.at = time;
        rt::SIMULATED_MILLIS.set(Some(time));
        self.runtime.block_on(async {
            if gone > PAUSED {
                tokio::time::advance(Duration::from_millis(gone - 1)).await;
                tokio::time::sleep(Duration::from_millis(1)).await;
            } else {
                tokio::time::sleep(Duration::from_millis(gone)).await;
            }
        });
    }

    /// Its clock stood still until a time.
    pub fn forget_time(&mut self, time: u64) {
        self.at = time - 1;
    }

    /// `kill -9`, or the end.
    pub fn kill(self) {
        self.runtime.shutdown_background();
    }

    /// What its wallet has, if it runs one.
    pub fn balance(&self) -> Option<Amount> {
        let wallet = lock(&self.host.wallet).clone()?;
        Some(wallet.look(|state, now| {
            let balance = state.balance(TokenUid::Native, now);
            balance.available.saturating_add(balance.locked)
        }))
    }
}

impl Host {
    async fn run(self: Arc<Self>, mut messages: mpsc::UnboundedReceiver<Message>) {
        rt::spawn(self.clone().stop_what_is_lost());
        rt::spawn(self.clone().take_what_is_left());
        while let Some(message) = messages.recv().await {
            match message {
                Message::Pay(ask) => drop(rt::spawn(self.clone().pay(ask))),
                Message::News => {
                    if let Some(wallet) = &*lock(&self.wallet) {
                        self.feed(wallet);
                    }
                }
                Message::End => drop(rt::spawn(self.clone().end())),
            }
        }
    }

    async fn stop_what_is_lost(self: Arc<Self>) {
        loop {
            self.stores.0.changed().await;
            let is_lost = |wallet: &mut Wallet| wallet.store().is_some_and(|store| store.check().is_err());
            if let Some(wallet) = lock(&self.wallet).take_if(is_lost) {
                rt::spawn(async move { wallet.stop().await });
            }
        }
    }

    async fn take_what_is_left(self: Arc<Self>) {
        loop {
            rt::sleep(LOOK_EVERY).await;
            if self.client.has_left_pushes().await {
                // Another one may have been faster.
                let _ = self.wallet().await;
            }
        }
    }

    async fn end(self: Arc<Self>) {
        let wallet = lock(&self.wallet).take();
        if let Some(wallet) = wallet {
            wallet.stop().await;
        }
        self.stores.0.leave().await;
        let mut world = self.world.lock();
        if world.state(self.process) == Running::Runs {
            world.processes[self.process.place].1 = Running::Dead;
        }
    }

    async fn pay(self: Arc<Self>, ask: Ask) {
        let verdict = self.verdict(&ask).await;
        self.world.lock().say(|| format!("{:?} says of {}: {verdict:?}", self.process, ask.number));
        ask.answer(verdict);
    }

    async fn verdict(&self, ask: &Ask) -> Verdict {
        if self.stores.0.check().is_err() {
            return Verdict::Unsent;
        }
        let Ok(wallet) = self.wallet().await else { return Verdict::Unsent };
        let (to, value) = (stranger(), value_of(ask.number));
        let outputs = vec![OutputRequest::Pay { to, value, token: TokenUid::Native, timelock: None }];
        let send = SendRequest { outputs, ..SendRequest::default() };
        let sent = if ask.is_keyed {
            let key = SendKey { name: [ask.number as u8; 32], request: [1; 32] };
            wallet.carry_out_once(Operation::Send(send), key).await.map(|sent| sent.sent)
        } else {
            wallet.send(send).await
        };
        match sent {
            Ok(sent) => Verdict::Paid(sent.id),
            Err(failure) if failure.may_be_sent() => Verdict::Unclear,
            Err(SendError::KeyTaken) => panic!("it is the same request"),
            Err(failure) => {
                self.world.lock().say(|| format!("{:?}: {}: {failure}", self.process, ask.number));
                Verdict::Unsent
            }
        }
    }

    /// The wallet, started if no server runs it.
    async fn wallet(&self) -> Result<Wallet, ()> {
        let _turn = self.turn.lock().await;
        if let Some(wallet) = &*lock(&self.wallet) {
            return Ok(wallet.clone());
        }
        let me = self.stores.0.server().map(|server| server.id as i64);
        if self.client.is_run_by_other(me).await {
            return Err(());
        }
        let options = Options {
            scan: Scan::IndexLimit { first: 0, last: 0 },
            stores: Some(self.stores.clone()),
            shared: self.shared.clone(),
            ..Options::default()
        };
        let account = Account::Signing(KEYS.clone());
        let wallet = Wallet::start(account, self.backend.clone(), options).await.map_err(drop)?;
        {
            // What follows the node is done by `feed`.
            let tasks = lock(&wallet.inner.account.tasks);
            [0, 2].into_iter().for_each(|place: usize| tasks[place].abort());
        }
        self.feed(&wallet);
        wallet.inner.account.set_ready();
        wallet.inner.account.set_loaded(u32::MAX);
        *lock(&self.wallet) = Some(wallet.clone());
        Ok(wallet)
    }

    fn feed(&self, wallet: &Wallet) {
        let known = self.world.lock().ledger.transactions.clone();
        wallet.inner.account.state.apply(|state: &mut State| {
            let mut all = Update::default();
            for (id, transaction) in known {
                let update = match transaction.inputs.is_empty() {
                    true => state.apply_pushed_swap(&transaction, id, Vec::new()),
                    false => state.apply_pushed(&transaction, id),
                };
                all.changes.merge(update.changes);
                all.events.extend(update.events);
            }
            all
        });
    }
}

impl World {
    /// Has all servers know that the ledger has something new.
    pub fn tell_servers(&mut self) {
        for place in 0..self.inboxes.len() {
            let delay = 5 + self.delay();
            self.after(delay, move |world| {
                if let Some(inbox) = &world.inboxes[place] {
                    // It may have ended.
                    let _ = inbox.send(Message::News);
                    wake(place);
                }
            });
        }
    }
}

/// The stores of a server, of which the push records are real; histories come from the ledger.
struct OneAccount(PostgresStores);

#[async_trait::async_trait]
impl Stores for OneAccount {
    async fn open(&self, owner: &Owner) -> Result<(Arc<dyn Store>, ChangeSet), StoreError> {
        let store = self.0.take(&owner.name()).await?;
        Ok((Arc::new(OnlyRecords(store)), ChangeSet::default()))
    }
}

struct OnlyRecords(Arc<dyn Store>);

#[async_trait::async_trait]
impl Store for OnlyRecords {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        Ok(ChangeSet::default())
    }

    async fn append(&self, _: &ChangeSet) -> Result<(), StoreError> {
        Ok(())
    }

    fn check(&self) -> Result<(), StoreError> {
        self.0.check()
    }

    fn push_records(&self) -> Option<&dyn PushRecords> {
        self.0.push_records()
    }
}
