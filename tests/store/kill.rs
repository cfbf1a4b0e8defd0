//! A server that is killed at any moment, sends in flight, and started again: the same wallet as one that
//! asks for everything, nothing sent twice, and nothing lost. Half of the sends have an `Idempotency-Key`;
//! those that were not answered are repeated after the kill, among the next sends, until they are: each of
//! them is paid in the end, once. A third of the others are tasks: each that was taken is paid in the end,
//! by whichever process.
//!
//! Some kills in every test run; `KILLS=1000` (`npm run soak`) for a long one, which says how it goes. `SEED`
//! makes it the same one again. `WALLET_BINARY` may name another server than the one that the tests are built
//! with.

use crate::process::{Caller, PATIENCE, Server};
use futures_util::{StreamExt, stream::FuturesUnordered};
use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network, Script, VertexId};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Few enough for every test run.
const KILLS: u64 = 24;
const COINS: u64 = 60;
/// Sends that are begun before each kill.
const SENDS: u64 = 6;
/// They begin within so many milliseconds of the first.
const SPREAD: u64 = 80;
/// The kill comes so many milliseconds after some of them were answered, at the latest.
const LATEST: u64 = 40;
/// Kills between two words on how it goes.
const WORD_EVERY: u64 = 50;

pub(crate) struct Random(pub u64);

impl Random {
    pub fn below(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// A request that leaves its number on the ledger.
#[derive(Clone)]
pub(crate) struct Send {
    pub number: u64,
    path: &'static str,
    body: Value,
    /// Whether it has a key, by which it may be repeated.
    pub with_key: bool,
    /// Whether it is answered before it is carried out.
    pub as_task: bool,
}

impl Send {
    pub async fn ask(&self, caller: &Caller) -> Option<Value> {
        if self.as_task {
            caller.post_later(self.path, &self.body).await
        } else if self.with_key {
            caller.post_once(self.path, &self.body, format!("key {}", self.number)).await
        } else {
            caller.post(self.path, &self.body).await
        }
    }
}

/// What came of the sends so far.
#[derive(Default)]
struct Tally {
    /// Kills while the wallet was being started.
    in_starts: u64,
    /// Kills with as many sends unanswered.
    in_flight: BTreeMap<usize, u64>,
    /// How long it took each wallet to be ready again.
    starts: Vec<Duration>,
    begun: u64,
    /// The numbers of the sends that were answered, with the transactions' ids.
    answered: BTreeMap<u64, String>,
    /// Those that were taken to be carried out later.
    tasks: BTreeSet<u64>,
    /// Those with a key that were not answered yet.
    open: BTreeMap<u64, Send>,
    /// Those that were, and their answers.
    settled: Vec<(Send, Value)>,
    /// How many of them were answered by another process than the one that was asked first.
    repeated: u64,
}

/// The network, and the wallet's place in it.
pub(crate) struct World {
    pub devnet: Devnet,
    pub words: String,
    own: Address,
    pub random: Random,
}

impl World {
    pub async fn new(seed: u64) -> Self {
        let devnet = Devnet::start(DevnetConfig { block_interval: None, ..DevnetConfig::default() });
        let devnet = devnet.await.unwrap();
        let words = Mnemonic::generate().unwrap();
        let keys = AccountKeys::from_mnemonic(&words, "").public();
        let own = Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]);
        for _ in 0..COINS {
            devnet.change(|chain, now| chain.fund(own, Amount::from(1_000_000), now)).unwrap();
        }
        Self { devnet, words: words.words().to_owned(), own, random: Random(seed) }
    }

    /// What others do while nobody looks: payments, blocks, rewards, and blocks undone.
    pub fn goes_on(&mut self) {
        let own = Script::Pay { to: self.own, timelock: None }.to_bytes().unwrap();
        match self.random.below(8) {
            0 => drop(self.devnet.change(|chain, now| chain.fund(self.own, Amount::from(7), now)).unwrap()),
            1 => drop(self.devnet.change(|chain, now| chain.mine_block(vec![0x51], now))),
            2 => drop(self.devnet.change(|chain, now| chain.mine_block(own, now))),
            3 => drop(self.devnet.change(|chain, now| {
                chain.mine_block(own, now);
                chain.undo_blocks(1)
            })),
            _ => {}
        }
    }

    /// A request that leaves `number` on the ledger.
    pub fn request(&mut self, number: u64) -> Send {
        let mark = format!("send {number}");
        let (path, body) = match self.random.below(20) {
            0 => {
                let body = json!({ "name": mark, "symbol": "KILL", "amount": 1, "data": mark, "change_address": self.own.to_string() });
                ("wallet/create-nft", body)
            }
            kind => {
                let to = if kind < 4 { self.own } else { Address::p2pkh(Network::Privatenet, [7; 20]) };
                let pay = json!({ "address": to.to_string(), "value": 1_000 + number });
                let outputs = json!([pay, { "type": "data", "data": mark }]);
                ("wallet/send-tx", json!({ "outputs": outputs, "change_address": self.own.to_string() }))
            }
        };
        let with_key = self.random.below(2) == 0;
        Send { number, path, body, with_key, as_task: !with_key && self.random.below(3) == 0 }
    }

    /// The transactions on the ledger that touch the wallet.
    pub fn ledger(&self) -> Vec<VertexId> {
        self.devnet.read(|chain| chain.history_of(&self.own).collect())
    }

    fn tokens(&self) -> Vec<String> {
        let created = self.devnet.read(|chain| chain.tokens().map(|id| id.to_string()).collect::<Vec<_>>());
        std::iter::once("00".to_owned()).chain(created).collect()
    }

    /// The valid transactions that carry the number of a send, by number.
    pub fn sent(&self) -> BTreeMap<u64, Vec<String>> {
        let mut sent: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        self.devnet.read(|chain| {
            for vertex in chain.history_of(&self.own).filter_map(|id| chain.vertex(&id)) {
                assert!(vertex.is_block() || !vertex.voided, "{} lost a conflict", vertex.id);
                let scripts = vertex.outputs.iter().map(|output| &output.output.script);
                let number = scripts
                    .filter_map(|script| match Script::parse(script, Network::Privatenet) {
                        Some(Script::Data(data)) => data.strip_prefix("send ")?.parse().ok(),
                        _ => None,
                    })
                    .next();
                if let Some(number) = number {
                    sent.entry(number).or_default().push(vertex.id.to_string());
                }
            }
        });
        sent
    }
}

/// Checks the wallet of a server against one that starts without anything, in another server.
pub(crate) async fn is_as_new(world: &World, kept: &Server, plain: &Server, known: &[VertexId]) {
    let (kept, plain) = (kept.caller("w"), plain.caller("plain"));
    let tokens = world.tokens();
    let mut seen = kept.seen(&tokens).await;
    for id in known {
        assert!(seen.contains_key(&id.to_string()), "ready without {id}");
    }
    // What the killed server had pushed may only just have arrived.
    let deadline = Instant::now() + PATIENCE;
    loop {
        plain.begin(&world.words).await;
        plain.until_ready().await;
        let tokens = world.tokens();
        let fresh = plain.seen(&tokens).await;
        assert_eq!(plain.post("wallet/stop", &json!({})).await, Some(json!({ "success": true })));
        if seen == fresh {
            return;
        }
        if Instant::now() > deadline {
            for (what, answer) in &seen {
                assert_eq!(Some(answer), fresh.get(what), "{what}");
            }
            assert!(seen.keys().eq(fresh.keys()), "a fresh scan finds more");
        }
        seen = kept.seen(&tokens).await;
    }
}

impl Tally {
    fn take(&mut self, send: Send, answer: Value) {
        assert_eq!(answer["success"], true, "{answer}");
        if send.as_task {
            assert!(answer["taskId"].is_string(), "{answer}");
            self.tasks.insert(send.number);
            return;
        }
        self.answered.insert(send.number, answer["hash"].as_str().unwrap().to_owned());
        if send.with_key {
            self.open.remove(&send.number);
            self.settled.push((send, answer));
        }
    }
}

/// Begins sends, and those again that were not answered, and kills the server while they are under way, or
/// after.
async fn kill_in_flight(world: &mut World, server: Server, tally: &mut Tally) {
    let caller = server.caller("w");
    let mut asked: Vec<Send> = tally.open.values().cloned().collect();
    for _ in 0..SENDS {
        tally.begun += 1;
        asked.push(world.request(tally.begun));
    }
    tally.open.extend(asked.iter().filter(|send| send.with_key).map(|send| (send.number, send.clone())));
    let first = tally.begun - SENDS;
    let mut sends: FuturesUnordered<_> = asked
        .into_iter()
        .map(|send| {
            let (caller, start) = (caller.clone(), Duration::from_millis(world.random.below(SPREAD)));
            tokio::spawn(async move {
                tokio::time::sleep(start).await;
                let answer = send.ask(&caller).await;
                (send, answer)
            })
        })
        .collect();
    let mut take = |sent: Result<(Send, Option<Value>), _>| {
        let (send, Some(answer)) = sent.unwrap() else { return false };
        tally.repeated += u64::from(send.number <= first);
        tally.take(send, answer);
        true
    };
    for _ in 0..world.random.below(SENDS) {
        assert!(take(sends.next().await.unwrap()));
    }
    tokio::time::sleep(Duration::from_millis(world.random.below(LATEST))).await;
    server.kill().await;
    let mut unanswered = 0;
    while let Some(sent) = sends.next().await {
        unanswered += usize::from(!take(sent));
    }
    *tally.in_flight.entry(unanswered).or_default() += 1;
}

/// Nothing is there twice, and everything that was answered is there.
fn nothing_twice_nothing_lost(world: &World, tally: &Tally) -> BTreeMap<u64, Vec<String>> {
    let sent = world.sent();
    for (number, ids) in &sent {
        assert_eq!(ids.len(), 1, "send {number} is on the ledger as {ids:?}");
    }
    for (number, id) in &tally.answered {
        assert_eq!(sent.get(number), Some(&vec![id.clone()]), "send {number} was answered");
    }
    sent
}

fn say(tally: &Tally, sent: &BTreeMap<u64, Vec<String>>, began: Instant) {
    let unanswered = sent.keys().filter(|number| !tally.answered.contains_key(number)).count();
    let mut starts = tally.starts.clone();
    starts.sort();
    let start = |share: usize| starts.get((starts.len() * share / 100).min(starts.len() - 1)).copied();
    let rows = [
        ("kills", (tally.in_starts + tally.in_flight.values().sum::<u64>()).to_string()),
        ("  while the wallet was being started", tally.in_starts.to_string()),
        ("  by number of sends in flight", format!("{:?}", tally.in_flight)),
        ("restarts with the state of a fresh scan", starts.len().to_string()),
        ("restart until ready, median", format!("{:.0?}", start(50).unwrap_or_default())),
        ("restart until ready, longest", format!("{:.0?}", start(100).unwrap_or_default())),
        ("sends begun", tally.begun.to_string()),
        ("  answered, and on the ledger", tally.answered.len().to_string()),
        ("  not answered, and on the ledger", unanswered.to_string()),
        ("  taken as tasks, and on the ledger", tally.tasks.len().to_string()),
        ("  with a key, and on the ledger", tally.settled.len().to_string()),
        ("    answered by a later process", tally.repeated.to_string()),
        ("  never sent", (tally.begun as usize - sent.len()).to_string()),
        ("sends on the ledger twice", "0".to_owned()),
        ("sends that were answered and are lost", "0".to_owned()),
        ("time", format!("{:.0?}", began.elapsed())),
    ];
    eprintln!();
    for (what, value) in rows {
        eprintln!("{what:<44} {value}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_at_any_moment_is_the_same_wallet_again() {
    let number = |name: &str| std::env::var(name).ok().map(|number| number.parse::<u64>().unwrap());
    let (kills, began) = (number("KILLS"), Instant::now());
    let talks = kills.is_some();
    let kills = kills.unwrap_or(KILLS);
    let seed = number("SEED").unwrap_or(if talks { u64::from(std::process::id()) } else { 11 });
    if talks {
        eprintln!("{kills} kills with sends in flight, SEED={seed}");
    }
    let mut world = World::new(seed).await;
    let dir = TempDir::new().unwrap();
    let plain = Server::start(&world.devnet, None).await;
    let mut tally = Tally::default();
    for kill in 1..=kills {
        let known = world.ledger();
        let start = Instant::now();
        let server = Server::start(&world.devnet, Some(dir.path())).await;
        server.caller("w").begin(&world.words).await;
        if world.random.below(5) == 0 {
            tally.in_starts += 1;
            tokio::time::sleep(Duration::from_millis(world.random.below(40))).await;
            server.kill().await;
        } else {
            server.caller("w").until_ready().await;
            tally.starts.push(start.elapsed());
            is_as_new(&world, &server, &plain, &known).await;
            kill_in_flight(&mut world, server, &mut tally).await;
            world.goes_on();
        }
        if kill % WORD_EVERY == 0 && talks {
            let sent = nothing_twice_nothing_lost(&world, &tally);
            eprintln!("{kill} kills: {} sends begun, {} on the ledger, each once", tally.begun, sent.len());
        }
    }
    // The last kill is like the others: what it left behind is looked at too.
    let known = world.ledger();
    let server = Server::start(&world.devnet, Some(dir.path())).await;
    server.caller("w").begin(&world.words).await;
    server.caller("w").until_ready().await;
    is_as_new(&world, &server, &plain, &known).await;
    let caller = server.caller("w");
    for send in std::mem::take(&mut tally.open).into_values() {
        let answer = send.ask(&caller).await.unwrap();
        tally.repeated += 1;
        tally.take(send, answer);
    }
    for (send, answer) in &tally.settled {
        assert_eq!(send.ask(&caller).await.as_ref(), Some(answer), "send {}", send.number);
    }
    caller.until_tasks_ended().await;
    let sent = nothing_twice_nothing_lost(&world, &tally);
    for number in &tally.tasks {
        assert!(sent.contains_key(number), "send {number} was taken as a task");
    }
    let answers: BTreeSet<&String> = tally.answered.values().collect();
    assert_eq!(answers.len(), tally.answered.len(), "two sends were answered with one transaction");
    if talks {
        say(&tally, &sent, began);
    }
    world.devnet.shutdown().await;
}
