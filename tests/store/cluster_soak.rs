//! Three servers on one database and one wallet, with sends in flight that are asked of all of them, and
//! again and again something goes wrong: a server is killed, ended, or stopped, for longer than its lease,
//! too; the database is killed and started again, or hangs; connections break around commits. One server
//! reaches the database directly, one by pgbouncer, one by what breaks connections; one has a clock that is
//! four minutes ahead, and the database one that is an hour ahead. By even seeds
//! servers forward requests to each other.
//!
//! Nothing is spent or paid twice, nothing that was answered is lost, nothing that was denied is there, and
//! the wallet of the server that runs it in the end is that of a fresh scan. Half of the sends have an
//! `Idempotency-Key`, and may be asked of two servers at once; what was not answered is asked again, of any
//! server, until it is.
//!
//! Some disturbances in every test run; `KILLS=1000` (`npm run soak`) for a long one, which says how it goes.
//! `SEED` makes the same choices again.

use crate::breaker::Breaker;
use crate::cluster::{OtherClock, Postgres, free_port};
use crate::kill::{Send, World, is_as_new};
use crate::postgres::Pooler;
use crate::process::{Caller, PATIENCE, Server};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::task::JoinHandle;

/// Few enough for every test run: one of each kind.
const KILLS: u64 = 10;
const SERVERS: u64 = 3;
/// Sends that are begun before each kill.
const SENDS: u64 = 9;
/// They begin within so many milliseconds of the first, and the kill comes within as many after that.
const SPREAD: u64 = 80;
/// The longest stop of a server or of the database, in milliseconds: some are longer than a lease.
const LONGEST_STOP: u64 = 4_500;
/// One in so many commits breaks, where they do.
const BROKEN: u64 = 3;
/// Minutes that clocks are ahead of the machine's. Of a server that is more than five ahead, no node takes
/// transactions.
const SERVER_AHEAD: u32 = 4;
const DATABASE_AHEAD: u32 = 60;
/// Kills between two words on how it goes.
const WORD_EVERY: u64 = 50;
/// What a server says of a send of which nothing came: it may be asked again.
const UNSENT: [&str; 8] = [
    "nothing was sent: ",
    "this request sent nothing, because the wallet's store can't remember the Idempotency-Key: ",
    "wallet \"w\" ",
    "this server lost its lease: ",
    "other requests still start or stop wallet \"w\"",
    "store ",
    "The API keys can't be read now: try again.",
    ENDING,
];
/// What a server says that ends.
const ENDING: &str = "The service is shutting down and takes no new requests.";
/// Who says so has done nothing: another server may run the wallet, or this one a moment later.
const ELSEWHERE: [&str; 4] =
    ["wallet \"w\" ", "this server lost its lease: ", "other requests still start", ENDING];
/// How long a lease lasts.
const LEASE: Duration = Duration::from_millis(1_800);
/// How often a send is asked of the next server.
const ASKED: usize = 60;
const ASKED_EVERY: Duration = Duration::from_millis(50);
/// What it says of one of which it does not know.
const UNCLEAR: &str = " is not known: look for it in the history before sending again, or repeat a request that had an \
                       Idempotency-Key with the same one";
/// What the server says that could not forward one.
const NOT_DONE: &str = ": nothing was done";
/// With a secret, servers forward to each other; without one, callers find the one that runs the wallet.
const SECRET: &str = "cluster_secret = '0123456789abcdef0123456789abcdef'\n";

struct Cluster {
    world: World,
    postgres: Arc<Postgres>,
    url: String,
    /// How each server reaches the database, one after the other.
    ways: Vec<String>,
    settings: PathBuf,
    servers: Vec<Server>,
    begun: u64,
    /// The numbers of the sends that were answered, with the transactions' ids.
    answered: BTreeMap<u64, String>,
    /// Those with a key that were not.
    open: Vec<Send>,
    /// How often each kind of thing went wrong.
    hits: BTreeMap<&'static str, u64>,
    /// Answers that said that nothing was sent.
    unsent: u64,
    /// The sends without a key that they were of: asked once, they are nowhere.
    denied: BTreeSet<u64>,
    unanswered: u64,
    /// Answers that it is not known.
    unclear: u64,
}

impl Cluster {
    async fn new(seed: u64, dir: &TempDir, postgres: Arc<Postgres>, url: String) -> Self {
        let ways = vec![url.clone()];
        Self::by(seed, dir, postgres, url, ways).await
    }

    async fn by(seed: u64, dir: &TempDir, postgres: Arc<Postgres>, url: String, ways: Vec<String>) -> Self {
        let world = World::new(seed).await;
        let settings = dir.path().join("wallet.toml");
        let secret = if seed.is_multiple_of(2) { SECRET } else { "" };
        std::fs::write(&settings, format!("{secret}[seeds]\nw = '{}'\n", world.words)).unwrap();
        let mut cluster = Self {
            world,
            postgres,
            url,
            ways,
            settings,
            servers: Vec::new(),
            begun: 0,
            answered: BTreeMap::new(),
            open: Vec::new(),
            hits: BTreeMap::new(),
            unsent: 0,
            denied: BTreeSet::new(),
            unanswered: 0,
            unclear: 0,
        };
        for place in 0..SERVERS as usize {
            let server = cluster.start(place).await;
            cluster.servers.push(server);
        }
        // Any of them runs it, when the one that does is gone.
        let start = json!({"wallet-id": "w", "seedKey": "w"});
        assert_eq!(cluster.servers[0].caller("w").post("start", &start).await.unwrap()["success"], true);
        cluster.servers[0].caller("w").until_ready().await;
        cluster
    }

    async fn start(&self, place: usize) -> Server {
        let way = &self.ways[place % self.ways.len()];
        let flags =
            [OsStr::new("--config"), self.settings.as_os_str(), OsStr::new("--store"), OsStr::new(way)];
        let clock = OtherClock::ahead(SERVER_AHEAD).filter(|_| place == 1 && self.ways.len() > 1);
        let variables = clock.map(|clock| clock.variables().to_vec()).unwrap_or_default();
        let started = async {
            loop {
                match Server::start_by(&self.world.devnet, 0, &flags, &variables).await {
                    Some(server) => return server,
                    // Its way to the database is not mended yet.
                    None => tokio::time::sleep(ASKED_EVERY).await,
                }
            }
        };
        tokio::time::timeout(PATIENCE, started).await.expect("a server that starts")
    }

    /// Takes what came of a send. `false` if it is to be asked again.
    fn take(&mut self, send: &Send, answer: Option<Value>) -> bool {
        let Some(answer) = answer else {
            self.unanswered += 1;
            return false;
        };
        if answer["success"] == json!(true) {
            let hash = answer["hash"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
            let before = self.answered.insert(send.number, hash.clone());
            assert!(before.is_none_or(|before| before == hash), "send {} is two", send.number);
            return true;
        }
        // Of a server that has just begun, and looks what is new.
        if answer["message"] == json!("Wallet is not ready.") {
            self.unsent += 1;
            return false;
        }
        let error = answer["error"].as_str().unwrap_or_else(|| panic!("{answer}"));
        if error.ends_with(UNCLEAR) {
            self.unclear += 1;
            return false;
        }
        let is_unsent = error.ends_with(NOT_DONE) || UNSENT.iter().any(|unsent| error.starts_with(unsent));
        assert!(is_unsent, "{answer}");
        self.unsent += 1;
        if !send.with_key {
            self.denied.insert(send.number);
        }
        false
    }

    /// Sends by all servers, those again that were not answered among them.
    fn begin(&mut self) -> Vec<JoinHandle<(Send, Vec<Option<Value>>)>> {
        let mut asked: Vec<Send> = std::mem::take(&mut self.open);
        for _ in 0..SENDS {
            self.begun += 1;
            let mut send = self.world.request(self.begun);
            send.as_task = false;
            asked.push(send);
        }
        let random = &mut self.world.random;
        let mut sends = Vec::new();
        for send in asked {
            let first = random.below(SERVERS);
            let at_once = if send.with_key && random.below(3) == 0 { 2 } else { 1 };
            let start = Duration::from_millis(random.below(SPREAD));
            let mut callers: Vec<Caller> = self.servers.iter().map(|server| server.caller("w")).collect();
            callers.rotate_left(first as usize);
            sends.push(tokio::spawn(async move {
                tokio::time::sleep(start).await;
                let answers = join_all((0..at_once).map(|place| ask(&send, &callers, place))).await;
                (send, answers)
            }));
        }
        sends
    }

    /// Has something go wrong.
    async fn hit(&mut self, number: u64, breaker: &Breaker) {
        let random = &mut self.world.random;
        let (victim, wait) =
            (random.below(SERVERS) as usize, Duration::from_millis(random.below(2 * SPREAD)));
        let stop = Duration::from_millis(random.below(LONGEST_STOP));
        tokio::time::sleep(wait).await;
        let what = match number % 10 {
            0 | 3 | 6 => {
                self.replace(victim, Server::kill).await;
                "servers killed"
            }
            1 | 4 | 8 => {
                self.servers[victim].signal("STOP").await;
                tokio::time::sleep(stop).await;
                self.servers[victim].signal("CONT").await;
                if stop > LEASE { "servers stopped for longer than their lease" } else { "servers stopped" }
            }
            2 => {
                self.replace(victim, Server::end).await;
                "servers ended"
            }
            5 => {
                let postgres = self.postgres.clone();
                tokio::task::spawn_blocking(move || postgres.kill_and_start()).await.unwrap();
                "database killed and started again"
            }
            7 => {
                let postgres = self.postgres.clone();
                let hung = tokio::task::spawn_blocking(move || postgres.hang(stop.as_secs_f64()));
                hung.await.unwrap();
                "database hung"
            }
            _ => {
                breaker.break_one_in(BROKEN);
                tokio::time::sleep(stop).await;
                breaker.break_one_in(0);
                "connections broken around commits, for a while"
            }
        };
        *self.hits.entry(what).or_default() += 1;
    }

    /// Ends a server, and has another one in its place.
    async fn replace(&mut self, place: usize, end: impl AsyncFnOnce(Server)) {
        end(self.servers.remove(place)).await;
        self.servers.insert(place, self.start(place).await);
    }

    async fn end(&mut self, sends: Vec<JoinHandle<(Send, Vec<Option<Value>>)>>) {
        for sent in join_all(sends).await {
            let (send, answers) = sent.unwrap();
            let mut is_done = false;
            for answer in answers {
                is_done |= self.take(&send, answer);
            }
            if send.with_key && !is_done {
                self.open.push(send);
            }
        }
    }

    /// What was not answered is asked again, until it is; then nothing is left on its way.
    async fn come_to_rest(&mut self) {
        let began = Instant::now();
        while let Some(send) = self.open.pop() {
            let place = self.world.random.below(SERVERS) as usize;
            let answer = send.ask(&self.servers[place].caller("w")).await;
            if !self.take(&send, answer) {
                assert!(began.elapsed() < PATIENCE, "send {} comes to no end", send.number);
                self.open.push(send);
            }
        }
        // Whoever runs it brings them to their end.
        self.owner().await;
        while self.postgres.sql(&self.url, "select count(*) from push_record where is_open") != "0" {
            assert!(began.elapsed() < 2 * PATIENCE, "pushes are left");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Comes to rest, and looks whether all is as it must be. Gives how many sends are on the ledger.
    async fn is_whole(&mut self, plain: &Server) -> usize {
        self.come_to_rest().await;
        let (sent, known) = (self.nothing_twice_nothing_lost(), self.world.ledger());
        is_as_new(&self.world, self.owner().await, plain, &known).await;
        sent
    }

    /// The server that runs the wallet, once that is ready.
    async fn owner(&self) -> &Server {
        let found = async {
            loop {
                for server in &self.servers {
                    if server.caller("w").get("wallet/status").await["statusCode"] == 3 {
                        return server;
                    }
                }
                tokio::time::sleep(ASKED_EVERY).await;
            }
        };
        tokio::time::timeout(PATIENCE, found).await.expect("a server that runs the wallet")
    }

    /// Nothing is there twice, and everything that was answered is there.
    fn nothing_twice_nothing_lost(&self) -> usize {
        let sent = self.world.sent();
        for (number, ids) in &sent {
            assert_eq!(ids.len(), 1, "send {number} is on the ledger as {ids:?}");
        }
        for number in &self.denied {
            assert!(!sent.contains_key(number), "send {number} was said not to be sent");
        }
        for (number, id) in &self.answered {
            assert_eq!(sent.get(number), Some(&vec![id.clone()]), "send {number} was answered");
        }
        sent.len()
    }
}

/// Asks one server after the other, from a place on, until one is not in the wrong place.
async fn ask(send: &Send, callers: &[Caller], place: usize) -> Option<Value> {
    let mut answer = None;
    for caller in callers.iter().cycle().skip(place).take(ASKED) {
        answer = send.ask(caller).await;
        // One that is killed may have done it.
        let error = answer.as_ref()?["error"].as_str().unwrap_or_default();
        let is_elsewhere = ELSEWHERE.iter().any(|elsewhere| error.starts_with(elsewhere));
        if !is_elsewhere && !error.ends_with(NOT_DONE) {
            return answer;
        }
        tokio::time::sleep(ASKED_EVERY).await;
    }
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_goes_wrong_nothing_is_spent_twice() {
    let number = |name: &str| std::env::var(name).ok().map(|number| number.parse::<u64>().unwrap());
    let (kills, began) = (number("KILLS"), Instant::now());
    let talks = kills.is_some();
    let kills = kills.unwrap_or(KILLS);
    let seed = number("SEED").unwrap_or(if talks { u64::from(std::process::id()) } else { 12 });
    if talks {
        eprintln!(
            "{kills} disturbances of three servers and their database with sends in flight, SEED={seed}"
        );
    }
    let dir = TempDir::new().unwrap();
    let port = free_port();
    let clock = OtherClock::ahead(DATABASE_AHEAD);
    let postgres = Arc::new(match &clock {
        Some(clock) => Postgres::with_other_clock(port, clock),
        None => Postgres::start(Some(port)),
    });
    if talks && clock.is_none() {
        eprintln!("all clocks are the same: scripts/setup postgres installs libfaketime");
    }
    let (breaker, pooler) = (Breaker::before(port).await, Pooler::before(&postgres, port));
    let at = |port: u16| format!("postgres://test@127.0.0.1:{port}/postgres?sslmode=disable&schema=soak");
    let url = at(port);
    let pooled = pooler.through(&format!("postgres://test@/postgres?host={}&schema=soak", postgres.dir));
    let ways = vec![url.clone(), pooled, at(breaker.port)];
    let mut cluster = Cluster::by(seed, &dir, postgres, url, ways).await;
    let plain = Server::start(&cluster.world.devnet, None).await;
    for kill in 1..=kills {
        let sends = cluster.begin();
        cluster.hit(kill, &breaker).await;
        cluster.end(sends).await;
        if kill % WORD_EVERY == 0 && talks {
            let sent = cluster.nothing_twice_nothing_lost();
            eprintln!("{kill}: {} sends begun, {sent} on the ledger, each once", cluster.begun);
        }
    }
    let sent = cluster.is_whole(&plain).await;
    if talks {
        eprintln!();
        let hits = cluster.hits.iter().map(|(what, count)| (*what, *count));
        for (what, value) in hits.chain([
            ("sends begun", cluster.begun),
            ("  on the ledger, each once", sent as u64),
            ("  answered, and on the ledger", cluster.answered.len() as u64),
            ("answers that nothing was sent, none of them wrong", cluster.unsent),
            ("answers that it is not known", cluster.unclear),
            ("answers that did not come", cluster.unanswered),
            ("seconds", began.elapsed().as_secs()),
        ]) {
            eprintln!("{what:<52} {value}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_broken_before_and_after_commits_spend_nothing_twice() {
    let port = free_port();
    let postgres = Arc::new(Postgres::start(Some(port)));
    let breaker = Breaker::before(port).await;
    let url = format!("postgres://test@127.0.0.1:{}/postgres?sslmode=disable&schema=broken", breaker.port);
    let dir = TempDir::new().unwrap();
    let mut cluster = Cluster::new(13, &dir, postgres, url).await;
    let plain = Server::start(&cluster.world.devnet, None).await;
    breaker.break_one_in(7);
    for _ in 0..8 {
        let sends = cluster.begin();
        cluster.end(sends).await;
    }
    breaker.break_one_in(0);
    let sent = cluster.is_whole(&plain).await;
    let broken = breaker.broken();
    assert!(broken.iter().all(|count| *count >= 20), "{broken:?}");
    // What has a key is sent in the end, and most of the others in spite of all.
    assert!(sent as u64 * 2 > cluster.begun, "{sent} of {}", cluster.begun);
}

/// In the middle of sends the database ends without a word, and all that it has not written to its disk is
/// lost, such as what became of pushes.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_killed_and_started_again_spends_nothing_twice() {
    let port = free_port();
    let postgres = Arc::new(Postgres::start(Some(port)));
    let url = format!("postgres://test@127.0.0.1:{port}/postgres?sslmode=disable&schema=restarted");
    let dir = TempDir::new().unwrap();
    let mut cluster = Cluster::new(14, &dir, postgres.clone(), url).await;
    let plain = Server::start(&cluster.world.devnet, None).await;
    for _ in 0..4 {
        let sends = cluster.begin();
        let wait = Duration::from_millis(cluster.world.random.below(2 * SPREAD));
        tokio::time::sleep(wait).await;
        let stopped = postgres.clone();
        tokio::task::spawn_blocking(move || stopped.kill_and_start()).await.unwrap();
        cluster.end(sends).await;
    }
    let sent = cluster.is_whole(&plain).await;
    assert!(sent > 0 && cluster.unsent + cluster.unanswered + cluster.unclear > 0, "{sent}");
}

/// In the middle of sends the database ends for good, and its synchronous standby takes its place: what was
/// recorded is there, so nothing is lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_synchronous_standby_that_is_promoted_loses_nothing() {
    let (port, standby) = (free_port(), free_port());
    let postgres = Arc::new(Postgres::start(Some(port)));
    // As an address that goes to whichever is the primary.
    let proxy = Breaker::before(port).await;
    let url = format!("postgres://test@127.0.0.1:{}/postgres?sslmode=disable&schema=promoted", proxy.port);
    postgres.add_synchronous_standby(standby);
    let dir = TempDir::new().unwrap();
    let mut cluster = Cluster::new(15, &dir, postgres.clone(), url).await;
    let plain = Server::start(&cluster.world.devnet, None).await;
    for round in 0..4 {
        let sends = cluster.begin();
        if round == 1 {
            tokio::time::sleep(Duration::from_millis(SPREAD)).await;
            let stopped = postgres.clone();
            tokio::task::spawn_blocking(move || stopped.promote_standby(standby)).await.unwrap();
            proxy.go_to(standby);
        }
        cluster.end(sends).await;
    }
    let sent = cluster.is_whole(&plain).await;
    assert!(sent > 0, "{sent}");
}
