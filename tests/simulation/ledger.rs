//! A full node and a mining service, as far as sends ask them.

use super::world::{Process, Reply, Shared, World};
use crate::ledger::{Amount, MiningJob, Outpoint, Transaction, VertexId};
use crate::net::{HttpClient, NetError, Request, Response};
use crate::rt;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The longest that proof of work takes when all is slow: longer than a lease.
const SLOWEST: u64 = 6_000;

#[derive(Default)]
pub struct Ledger {
    pub transactions: Vec<(VertexId, Arc<Transaction>)>,
    spenders: BTreeMap<Outpoint, VertexId>,
    /// Solved, and when that is said.
    jobs: Vec<(u64, Value)>,
}

impl Ledger {
    pub fn add(&mut self, id: VertexId, transaction: Transaction) {
        self.spenders.extend(transaction.spends().into_iter().map(|output| (output, id)));
        self.transactions.push((id, Arc::new(transaction)));
    }

    fn find(&self, id: VertexId) -> Option<&Arc<Transaction>> {
        self.transactions.iter().find(|(known, _)| *known == id).map(|(_, transaction)| transaction)
    }

    /// The transactions that pay a script an amount.
    pub fn paying(&self, script: &[u8], value: Amount) -> Vec<VertexId> {
        let pays = |transaction: &Transaction| {
            transaction.outputs.iter().any(|output| output.script == script && output.value == value)
        };
        self.transactions.iter().filter(|(_, transaction)| pays(transaction)).map(|(id, _)| *id).collect()
    }

    /// What a script has.
    pub fn sum_of(&self, script: &[u8]) -> Amount {
        let outputs = self.transactions.iter().flat_map(|(id, transaction)| {
            transaction.outputs.iter().zip(0..).map(|(output, index)| (Outpoint { tx: *id, index }, output))
        });
        let own = outputs.filter(|(at, output)| output.script == script && !self.spenders.contains_key(at));
        own.fold(Amount::ZERO, |sum, (_, output)| sum.saturating_add(output.value))
    }

    fn push(&mut self, bytes: &[u8]) -> Result<VertexId, String> {
        let transaction = Transaction::from_bytes(bytes).map_err(|error| error.to_string())?;
        let id = transaction.id().unwrap();
        if self.find(id).is_some() {
            return Err("Transaction already exists".to_owned());
        }
        for output in transaction.spends() {
            if self.find(output.tx).is_none() {
                return Err("an input is not known".to_owned());
            }
            if self.spenders.contains_key(&output) {
                return Err("an input has already been spent".to_owned());
            }
        }
        self.add(id, transaction);
        Ok(id)
    }
}

/// A server's way to both.
pub fn client(world: Shared, process: Process) -> HttpClient {
    HttpClient::simulated(Arc::new(move |request: Request| {
        let world = world.clone();
        Box::pin(async move {
            let limit = request.timeout;
            let asked = world.lock().ask(process.place, move |world, reply: Reply<Response>| {
                let (status, body) = answer(world, process, &request);
                let body = serde_json::to_vec(&body).unwrap();
                reply.give(world, Response { status, retry_after: None, body });
            });
            match rt::timeout(limit, asked).await {
                Ok(Ok(response)) => Ok(response),
                Ok(Err(_)) => Err(NetError::Broken("it is gone".to_owned())),
                Err(rt::Elapsed) => Err(NetError::Timeout(limit)),
            }
        })
    }))
}

fn answer(world: &mut World, process: Process, request: &Request) -> (u16, Value) {
    let url = request.url.as_str();
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let body: Value = serde_json::from_str(request.json.as_deref().unwrap_or("null")).unwrap_or_default();
    let bytes = |field: &str| hex::decode(body[field].as_str().unwrap()).unwrap();
    let named = query.split_once('=').map_or("", |(_, value)| value);
    match path.rsplit('/').next().unwrap() {
        "version" => (
            200,
            json!({
                "version": "0.71.0", "network": "privatenet", "min_tx_weight": 1.0,
                "min_tx_weight_coefficient": 0.0, "min_tx_weight_k": 1e9, "reward_spend_min_blocks": 1,
            }),
        ),
        "tx_parents" => {
            let parents = [1, 2].map(|byte| VertexId([byte; 32]).to_string());
            (200, json!({"success": true, "tx_parents": parents}))
        }
        "transaction" => (200, found(&world.ledger, named.parse().unwrap())),
        "push_tx" => {
            let trouble = if world.is_troubled { world.random.below(12) } else { 12 };
            match trouble {
                0 => return (503, json!({})),
                1 => return (403, json!({})),
                2 => return (200, json!({"success": false, "message": "not now"})),
                _ => {}
            }
            match world.ledger.push(&bytes("hex_tx")) {
                Ok(id) => {
                    world.say(|| format!("{process:?} has pushed {id}"));
                    world.tell_servers();
                    (200, json!({"success": true}))
                }
                Err(message) => (200, json!({"success": false, "message": message})),
            }
        }
        "submit-job" => {
            let slow = world.is_troubled && world.random.one_in(2);
            let takes = if slow { world.random.below(SLOWEST) } else { 5 };
            let done = solve(&bytes("tx"), world.now);
            world.ledger.jobs.push((world.now + takes, done));
            (200, job(world, world.ledger.jobs.len() - 1))
        }
        "job-status" => (200, job(world, named.parse().unwrap())),
        "cancel-job" => (200, json!({"cancelled": true})),
        other => panic!("{other} is not simulated"),
    }
}

fn found(ledger: &Ledger, id: VertexId) -> Value {
    let Some(transaction) = ledger.find(id) else {
        return json!({"success": false, "message": "Transaction not found"});
    };
    let spent = ledger.spenders.iter().filter(|(output, _)| output.tx == id);
    let spent: serde_json::Map<_, _> =
        spent.map(|(output, by)| (output.index.to_string(), by.to_string().into())).collect();
    json!({
        "success": true, "tx": {"raw": hex::encode(transaction.to_bytes().unwrap()), "timestamp": transaction.timestamp},
        "meta": {"voided_by": [], "first_block": null}, "spent_outputs": spent,
    })
}

fn solve(bytes: &[u8], now: u64) -> Value {
    let mut transaction = Transaction::from_bytes(bytes).unwrap();
    transaction.timestamp = (now / 1_000) as u32;
    let job = MiningJob::new(&transaction.mining_bytes().unwrap(), transaction.weight);
    let nonce = job.search(0..1 << 32).unwrap();
    let parents: Vec<_> = transaction.parents.iter().map(ToString::to_string).collect();
    json!({
        "nonce": format!("{nonce:08x}"), "parents": parents, "timestamp": transaction.timestamp,
        "weight": transaction.weight,
    })
}

fn job(world: &World, number: usize) -> Value {
    let (done_at, done) = &world.ledger.jobs[number];
    let status = if world.now >= *done_at { "done" } else { "mining" };
    json!({"job_id": number.to_string(), "status": status, "tx": done, "expected_total_time": 1})
}
