//! What one caller's requests take from another's: a send beside readers, and beside requests that are much
//! work, at a node that is far away.

use crate::api::{Api, Server};
use crate::ledger::{Payer, words_of};
use crate::{Outcome, load};
use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::ledger::{Input, Outpoint, Transaction, VertexId};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// From here to the node and back.
const DISTANCE: Duration = Duration::from_millis(60);
const SENDS: usize = 20;
const DECODES: usize = 250;
const INPUTS: usize = 40;
const TEMPLATES: usize = 6;
const PAIRS: usize = 15_500;
const CHAIN: usize = 12;

/// What was measured while others asked for something.
struct Measured {
    sends: Vec<Duration>,
    slowest_probe: Duration,
}

impl Measured {
    fn median(&self) -> Duration {
        self.sends[self.sends.len() / 2]
    }
}

pub async fn measure(path: &str) -> Outcome<()> {
    let devnet = Devnet::start(DevnetConfig { block_interval: None, ..DevnetConfig::default() }).await?;
    let mut payer = devnet.change(|chain, now| Payer::new(chain, now - 100_000))?;
    for (wallet, transactions, outputs) in [("small", 1, 200), ("1,500", 1, 1), ("10,000", INPUTS, 1)] {
        devnet.change(|chain, _| payer.fill(chain, wallet, transactions, outputs))?;
    }
    // Of a wallet that is not started here.
    let foreign = foreign(&payer.paid[payer.paid.len() - INPUTS..])?;
    let node = far_away(&devnet.node_url()).await?;
    let server = Server::start_at(path, &node, &devnet.mining_url())?;
    let api = Api::new(server.port)?;
    api.until_up().await?;
    for wallet in ["small", "1,500"] {
        api.start_wallet(wallet, &words_of(wallet)).await?;
    }
    println!("{:<66} {:>10} {:>10} {:>14}", "at a node 60 ms away", "median", "slowest", "/health/live");
    let alone = beside(&server, &api, 0, "").await?;
    row("a send alone", &alone, &alone, "");
    let decode = load::post("/wallet/decode", "1,500", &json!({ "txHex": foreign }));
    row(
        &format!("beside {DECODES} decodes of {INPUTS} inputs"),
        &beside(&server, &api, DECODES, &decode).await?,
        &alone,
        "1.5, 50 ms",
    );
    let output = json!({ "address": api.address("1,500").await?, "value": 1, "token": "01".repeat(32) });
    let unknown = load::post("/wallet/send-tx", "1,500", &json!({ "outputs": [output] }));
    row(
        &format!("beside {DECODES} sends of an unknown token"),
        &beside(&server, &api, DECODES, &unknown).await?,
        &alone,
        "1.5, 50 ms",
    );
    let template = load::post("/wallet/tx-template/build", "1,500", &template());
    row(
        &format!("beside {TEMPLATES} templates of {} kB", template.len() / 1_000),
        &beside(&server, &api, TEMPLATES, &template).await?,
        &alone,
        "3, 50 ms",
    );
    devnet.shutdown().await;
    Ok(())
}

/// Sends of one wallet, one after the other, while so many connections ask for something again and again.
async fn beside(server: &Server, api: &Api, connections: usize, request: &str) -> Outcome<Measured> {
    let mut others = JoinSet::new();
    for _ in 0..connections {
        others.spawn(load::repeat(server.port, request.to_owned()));
    }
    let probe = tokio::spawn(load::slowest(server.port, load::get("/health/live", "")));
    // The crowd has come.
    tokio::time::sleep(Duration::from_millis(1_000)).await;
    let pay = json!({ "address": api.address("small").await?, "value": 1_000 });
    let mut sends = Vec::new();
    for _ in 0..SENDS {
        let began = Instant::now();
        api.post("wallet/simple-send-tx", "small", &pay).await?;
        sends.push(began.elapsed());
    }
    sends.sort_unstable();
    others.shutdown().await;
    load::END_OF_PROBES.notify_one();
    Ok(Measured { sends, slowest_probe: probe.await?? })
}

fn row(what: &str, measured: &Measured, alone: &Measured, goal: &str) {
    let millis = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    let [median, slowest, probe] =
        [measured.median(), measured.sends[measured.sends.len() - 1], measured.slowest_probe].map(millis);
    let times = measured.median().as_secs_f64() / alone.median().as_secs_f64();
    println!("{what:<66} {median:>10} {slowest:>10} {probe:>14}   {times:.2} of a send alone; goal {goal}");
}

/// A transaction that spends the second output of each.
fn foreign(paid: &[VertexId]) -> Outcome<String> {
    let input = |tx: &VertexId| Input { spends: Outpoint { tx: *tx, index: 1 }, data: vec![] };
    let transaction = Transaction {
        signal_bits: 0,
        tokens: vec![],
        inputs: paid.iter().map(input).collect(),
        outputs: vec![],
        creates: None,
        blueprint: None,
        weight: 1.0,
        timestamp: 1,
        parents: vec![],
        nonce: 0,
        headers: vec![],
    };
    Ok(hex::encode(transaction.to_bytes()?))
}

/// Each of its variables is what an oracle signs of the one before.
fn template() -> Value {
    let pairs: Vec<_> = (0..PAIRS).map(|n| json!([n, n])).collect();
    let mut of = "SignedData[dict[int,int]]".to_owned();
    let mut instructions = Vec::new();
    for n in 0..=CHAIN {
        let data = if n == 0 { json!(pairs) } else { json!(format!("{{v{}}}", n - 1)) };
        let call = json!({ "method": "get_oracle_signed_data", "index": 0, "type": of, "data": data, "ncId": "c1".repeat(32) });
        instructions.push(json!({ "type": "action/setvar", "name": format!("v{n}"), "call": call }));
        of = format!("SignedData[{of}]");
    }
    json!(instructions)
}

/// The node at `url` by a way on which all takes half of the distance there, and half of it back.
async fn far_away(url: &str) -> Outcome<String> {
    let node = url.trim_start_matches("http://").split('/').next().unwrap_or_default().to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let far = url.replace(&node, &listener.local_addr()?.to_string());
    tokio::spawn(async move {
        while let Ok((near, _)) = listener.accept().await {
            let Ok(far) = TcpStream::connect(&node).await else { return };
            let ((from_near, to_near), (from_far, to_far)) = (near.into_split(), far.into_split());
            tokio::spawn(slowly(from_near, to_far));
            tokio::spawn(slowly(from_far, to_near));
        }
    });
    Ok(far)
}

async fn slowly(mut from: impl AsyncReadExt + Unpin, mut to: impl AsyncWriteExt + Unpin) {
    let mut buffer = vec![0; 1 << 18];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        tokio::time::sleep(DISTANCE / 2).await;
        if to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}
