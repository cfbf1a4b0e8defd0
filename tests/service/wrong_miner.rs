//! A mining service that does not do what it was asked to: what it may not decide, and what becomes of the
//! send.

use crate::proxy::read_request;
use crate::rig::{Rig, backend_at, devnet, pay};
use crate::steps::KEY;
use headless_wallet::ledger::{
    Address, Amount, MiningJob, Network, TokenUid, Transaction, VertexId, target_met,
};
use headless_wallet::net::HttpClient;
use headless_wallet::node::FullNode;
use headless_wallet::rt::unix_seconds;
use headless_wallet::service::{IdempotentSend, Operation};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

/// What the service does.
#[derive(Clone)]
enum Way {
    /// As it was asked.
    Honest,
    /// It takes other parents.
    Parents([VertexId; 2]),
    /// The same, and says that it took those that it was given.
    HiddenParents([VertexId; 2]),
    /// It dates the solution so.
    Dated(u32),
    /// It finds two solutions, pushes one of them to the node and gives the other one.
    PushesAnother(FullNode),
}

#[derive(Default)]
struct Seen {
    /// The transactions that it was asked to solve.
    asked: Vec<Transaction>,
    /// Those that it has pushed.
    pushed: Vec<Transaction>,
}

struct Miner {
    url: String,
    way: Mutex<Way>,
    seen: Mutex<Seen>,
}

impl Miner {
    async fn start() -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let miner = Arc::new(Self { url, way: Mutex::new(Way::Honest), seen: Mutex::default() });
        let service = miner.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                service.serve(client).await;
            }
        });
        miner
    }

    fn goes(&self, way: Way) {
        *self.way.lock().unwrap() = way;
    }

    async fn serve(&self, mut client: TcpStream) -> Option<()> {
        let request = read_request(&mut client).await?;
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("POST /submit-job "), "{head}");
        let body: Value = serde_json::from_str(body).unwrap();
        let bytes = hex::decode(body["tx"].as_str().unwrap()).unwrap();
        let asked = Transaction::from_bytes(&bytes).unwrap();
        self.seen.lock().unwrap().asked.push(asked.clone());
        let (found, parents) = self.solve(asked).await;
        let job = json!({
            "job_id": "ab", "status": "done", "message": "", "expected_total_time": 0,
            "tx": {
                "nonce": format!("{:08x}", found.nonce), "timestamp": found.timestamp, "weight": found.weight,
                "parents": parents.iter().map(ToString::to_string).collect::<Vec<_>>(),
            },
        })
        .to_string();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", job.len());
        client.write_all((head + &job).as_bytes()).await.ok()
    }

    /// A solution, and the parents that it is said to have.
    async fn solve(&self, asked: Transaction) -> (Transaction, Vec<VertexId>) {
        let given = asked.parents.clone();
        let way = self.way.lock().unwrap().clone();
        match way {
            Way::Honest => (solved(asked), given),
            Way::Parents(parents) => {
                (solved(Transaction { parents: parents.into(), ..asked }), parents.into())
            }
            Way::HiddenParents(parents) => {
                let mut found = solved(Transaction { parents: parents.into(), ..asked });
                // One in many nonces solves both.
                while is_solved(&Transaction { parents: given.clone(), ..found.clone() }) {
                    found.nonce += 1;
                    found = solved(found);
                }
                (found, given)
            }
            Way::Dated(timestamp) => (solved(Transaction { timestamp, ..asked }), given),
            Way::PushesAnother(node) => {
                let one = solved(asked);
                let other = solved(Transaction { nonce: one.nonce + 1, ..one.clone() });
                if node.push_tx(&one.to_bytes().unwrap()).await.is_ok() {
                    self.seen.lock().unwrap().pushed.push(one);
                }
                (other, given)
            }
        }
    }

    fn nonsense(&self, what: &str) -> String {
        format!(
            "mining service {}job-status: gave an invalid answer ({what}): check that `tx_mining_url` is the address of a mining \
             service",
            self.url
        )
    }
}

/// With the first nonce that solves it from its own on.
fn solved(mut transaction: Transaction) -> Transaction {
    let job = MiningJob::new(&transaction.mining_bytes().unwrap(), transaction.weight);
    transaction.nonce = job.search(transaction.nonce.into()..1 << 32).unwrap();
    transaction
}

fn is_solved(transaction: &Transaction) -> bool {
    target_met(&transaction.id().unwrap(), transaction.weight)
}

/// A wallet with one coin of 500, and its mining service.
async fn rig() -> (Rig, Arc<Miner>) {
    let (devnet, miner) = (devnet().await, Miner::start().await);
    let backend = backend_at(&devnet.node_url(), &miner.url);
    let rig = Rig::through(devnet, backend).await;
    rig.fund(&[500]).await;
    (rig, miner)
}

/// Transactions that pay the address that tests pay, valid or not.
fn payments(rig: &Rig) -> Vec<VertexId> {
    let to = Address::p2pkh(Network::Privatenet, [7; 20]);
    rig.devnet.read(|chain| chain.history_of(&to).collect())
}

/// A send that comes to nothing, and leaves nothing reserved. Gives what is told.
async fn fails(rig: &Rig) -> String {
    let before = rig.free_outputs();
    let failure = rig.pay(100).await.unwrap_err().to_string();
    assert_eq!(before.len(), 1);
    assert_eq!(rig.free_outputs(), before, "after {failure:?}");
    assert_eq!(payments(rig), []);
    failure
}

#[tokio::test(flavor = "multi_thread")]
async fn the_parents_are_those_of_the_wallets_own_node() {
    let (rig, miner) = rig().await;
    let parents = rig.devnet.read(|chain| chain.tx_parents(unix_seconds()));
    let sent = rig.pay(100).await.unwrap();
    assert_eq!(sent.transaction.parents, parents);
    assert_eq!(rig.devnet.read(|chain| chain.get(&sent.id).unwrap().parents().to_vec()), parents);
    assert_eq!(miner.seen.lock().unwrap().asked.last().unwrap().parents, parents);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_parents_are_refused() {
    let (rig, miner) = rig().await;
    // The node would take them.
    let [_, one, other] = rig.devnet.read(|chain| chain.genesis());
    let parents = [one, other];
    assert_ne!(rig.devnet.read(|chain| chain.tx_parents(unix_seconds())), parents);
    miner.goes(Way::Parents(parents));
    assert_eq!(fails(&rig).await, miner.nonsense("a job that is done has other parents than it was given"));
    miner.goes(Way::HiddenParents(parents));
    assert_eq!(fails(&rig).await, miner.nonsense("the nonce does not solve the transaction"));
    miner.goes(Way::Honest);
    let sent = rig.pay(100).await.unwrap();
    assert_eq!(payments(&rig), [sent.id]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_solution_dated_too_far_ahead_is_refused() {
    let (rig, miner) = rig().await;
    // A minute more than a node takes, so that the test may take its time.
    let timestamp = unix_seconds() + 360;
    miner.goes(Way::Dated(timestamp));
    let most = timestamp - unix_seconds();
    let failure = fails(&rig).await;
    let least = timestamp - unix_seconds();
    let texts = (least..=most).map(|ahead| miner.nonsense(&format!("its clock is {ahead} s ahead")));
    assert!(texts.into_iter().any(|text| text == failure), "{failure}");
    // As far as a node takes it.
    miner.goes(Way::Dated(unix_seconds() + 240));
    let sent = rig.pay(100).await.unwrap();
    assert_eq!(payments(&rig), [sent.id]);
}

/// The node refuses what the wallet pushes then: its input is spent, by the same payment.
#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_pushes_another_solution_first() {
    let (rig, miner) = rig().await;
    miner.goes(Way::PushesAnother(FullNode::new(HttpClient::shared(), &rig.devnet.node_url()).unwrap()));
    let sent = rig.pay(100).await.unwrap();
    assert_eq!(payments(&rig), [sent.id]);
    assert_eq!(miner.seen.lock().unwrap().pushed, std::slice::from_ref(&sent.transaction));
    assert_eq!(rig.balance(TokenUid::Native).available, Amount::from(400));
    // It is the change of the one that is on the ledger that is spent next.
    let send = async || rig.wallet.carry_out_once(Operation::Send(pay(100)), KEY).await.unwrap();
    let answer = send().await;
    assert_eq!(answer.sent.transaction.inputs[0].spends.tx, sent.id);
    assert!(!answer.replayed);
    let again = IdempotentSend { replayed: true, ..answer.clone() };
    assert_eq!(send().await, again);
    assert_eq!(payments(&rig).len(), 2);
    assert!(payments(&rig).contains(&answer.sent.id));
    assert_eq!(miner.seen.lock().unwrap().pushed, [sent.transaction, answer.sent.transaction]);
    assert_eq!(rig.balance(TokenUid::Native).available, Amount::from(300));
}
