//! The mining service: a job's states, refusals, faults.

use crate::shapes::same_shape;
use crate::support::{Answer, Net, htr, now, output, within};
use headless_wallet::devnet::{MiningFaults, MiningMode};
use headless_wallet::ledger::{Outpoint, Output, Script, TokenData, Transaction};
use serde_json::{Value, json};
use std::time::Duration;

impl Net {
    /// A signed transaction that still lacks parents and proof of work. It spends one of the genesis wallet's
    /// coins, which are older than any timestamp that the service may choose.
    fn unmined(&self, coin: u8) -> Transaction {
        let spends = Outpoint { tx: self.devnet.read(|chain| chain.genesis()[0]), index: coin };
        let value =
            self.devnet.read(|chain| chain.get(&spends.tx).unwrap().outputs()[usize::from(coin)].value);
        let paid = Output { value, ..htr(1, self.address(21)) };
        let mut tx = self.spend(&[(spends, 1)], vec![paid]);
        tx.parents.clear();
        tx
    }

    async fn submit(&self, tx: &Transaction, options: Value) -> Answer {
        let mut body = options;
        body["tx"] = json!(hex::encode(tx.to_bytes().unwrap()));
        self.send("POST", &self.mining("submit-job"), Some(body.to_string())).await
    }

    /// The job once it is in that state.
    async fn job(&self, id: &Value, status: &str) -> Answer {
        let url = self.mining(&format!("job-status?job-id={}", id.as_str().unwrap()));
        within(async {
            loop {
                let answer = self.send("GET", &url, None).await;
                if answer.json()["status"] == status {
                    return answer;
                }
                tokio::task::yield_now().await;
            }
        })
        .await
    }
}

#[tokio::test]
async fn a_job_takes_its_time_from_the_clock_whatever_its_parents_say() {
    let net = Net::start().await;
    let coin = net.funded(0, 100).await;
    let ahead = net.solved(&[(coin, 0)], |tx| {
        tx.outputs = vec![htr(100, net.address(9))];
        tx.timestamp = now() + 250;
    });
    assert_eq!(net.push(&ahead).await["success"], true);
    let mut tx = net.unmined(0);
    let [other, _] = net.devnet.read(|chain| chain.tx_parents(now()));
    tx.parents = vec![ahead.id().unwrap(), other];
    let submitted = net.submit(&tx, json!({"add_parents": false})).await.json();
    let done = net.job(&submitted["job_id"], "done").await.json();
    let timestamp = done["tx"]["timestamp"].as_u64().unwrap();
    assert!(timestamp < u64::from(ahead.timestamp), "{timestamp}");
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn a_job_is_mined_and_its_result_can_be_pushed() {
    let net = Net::start().await;
    let mut tx = net.unmined(0);
    let submitted = net.submit(&tx, json!({"add_parents": true, "propagate": false})).await;
    same_shape("job pending", &submitted.text);
    let id = submitted.json()["job_id"].clone();
    assert_eq!(id, tx.id().unwrap().to_string());
    let done = net.job(&id, "done").await;
    same_shape("job done", &done.text);
    let shown = done.json();
    tx.nonce = u32::from_str_radix(shown["tx"]["nonce"].as_str().unwrap(), 16).unwrap();
    tx.timestamp = shown["tx"]["timestamp"].as_u64().unwrap().try_into().unwrap();
    let parents = shown["tx"]["parents"].as_array().unwrap().iter();
    tx.parents = parents.map(|parent| parent.as_str().unwrap().parse().unwrap()).collect();
    assert_eq!(net.push(&tx).await["success"], true);
    let cancel = net.mining(&format!("cancel-job?job-id={}", id.as_str().unwrap()));
    let refused = net.send("POST", &cancel, None).await;
    assert_eq!((refused.status, refused.text.as_str()), (400, r#"{"error":"job-has-already-finished"}"#));
    let status = net.send("GET", &net.mining("mining-status"), None).await.json();
    assert_eq!((&status["txs_solved"], &status["tx_jobs"][0]["job_id"]), (&json!(1), &id));
    assert_eq!(net.send("GET", &net.mining("health"), None).await.json()["status"], "pass");
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn a_job_may_be_pushed_by_the_service() {
    let net = Net::start().await;
    let tx = net.unmined(0);
    let submitted = net.submit(&tx, json!({"add_parents": false, "propagate": true})).await;
    let failed = net.job(&submitted.json()["job_id"], "failed").await;
    same_shape("job failed", &failed.text);
    assert_eq!(
        failed.json()["message"],
        "Fullnode rejected transaction (PushTxFailed): full validation failed: wrong number of parents (tx type): 0, expecting 2",
    );
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn what_is_not_mined() {
    let net = Net::start().await;
    let tx = net.unmined(0);
    let changed = |change: &dyn Fn(&mut Transaction)| {
        let mut tx = tx.clone();
        change(&mut tx);
        tx
    };
    let data = Script::Data("d".to_owned()).to_bytes().unwrap();
    let cases = [
        (changed(&|tx| tx.weight = 36.0), "tx-weight-is-too-high"),
        (changed(&|tx| tx.timestamp = now() - 3_600), "tx-timestamp-invalid"),
        (changed(&|tx| tx.timestamp = now() + 3_600), "tx-timestamp-invalid"),
        (changed(&|tx| tx.outputs = vec![output(1, TokenData::NATIVE, data.clone()); 26]), "non-standard-tx"),
        (changed(&|tx| tx.outputs[0].script = vec![0x51, 0x75]), "non-standard-tx"),
    ];
    for (tx, name) in cases {
        let refused = net.submit(&tx, json!({})).await;
        assert_eq!((refused.status, refused.text), (400, format!(r#"{{"error":"{name}"}}"#)));
    }
    for timeout in [json!(0), json!("abc"), json!(-1)] {
        assert_eq!(net.submit(&tx, json!({"timeout": timeout})).await.text, r#"{"error":"invalid-timeout"}"#);
    }
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn without_miners_jobs_wait_and_time_out() {
    let net = Net::start().await;
    net.control("mining", json!({"mode": "no-miners"})).await;
    let health = net.send("GET", &net.mining("health"), None).await;
    assert_eq!(
        (health.status, &health.json()["checks"]["manager"][0]["output"]),
        (503, &json!("No miners connected"))
    );
    let tx = net.unmined(0);
    let submitted = net.submit(&tx, json!({"add_parents": true, "timeout": 0.1})).await.json();
    assert_eq!((&submitted["expected_total_time"], &submitted["timeout"]), (&json!(5.0), &json!(0.1)));
    let timed_out = net.job(&submitted["job_id"], "timeout").await;
    same_shape("job timeout", &timed_out.text);
    // The same bytes start anew after a timeout, and not while they wait.
    let again = net.submit(&tx, json!({"add_parents": true})).await.json();
    assert_eq!((&again["status"], &again["job_id"]), (&json!("pending"), &submitted["job_id"]));
    same_shape("job enqueued", &net.job(&again["job_id"], "enqueued").await.text);
    let waiting = net.submit(&tx, json!({"add_parents": true})).await.json();
    assert_eq!((&waiting["status"], &waiting["created_at"]), (&json!("enqueued"), &again["created_at"]));
    let cancel = net.mining(&format!("cancel-job?job-id={}", again["job_id"].as_str().unwrap()));
    let cancelled = net.send("POST", &cancel, None).await;
    assert_eq!(cancelled.text, format!(r#"{{"cancelled":true,"job-id":{}}}"#, again["job_id"]));
    assert_eq!(net.send("POST", &cancel, None).await.text, r#"{"error":"job-not-found"}"#);
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn faults() {
    let net = Net::start().await;
    let tx = net.unmined(0);
    net.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Timeout, ..MiningFaults::default() });
    let submitted = net.submit(&tx, json!({"add_parents": true})).await.json();
    net.job(&submitted["job_id"], "timeout").await;
    net.control("mining", json!({"mode": "failed", "delay_ms": 0})).await;
    net.submit(&tx, json!({"add_parents": true})).await;
    net.job(&submitted["job_id"], "failed").await;
    net.control("mining", json!({"mode": "down", "status": 429, "retry_after": 2})).await;
    let refused = net.submit(&tx, json!({})).await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, "2"));
    let delay = Duration::from_millis(1);
    net.devnet.set_mining_faults(MiningFaults { delay, ..MiningFaults::default() });
    let other = net.unmined(1);
    let submitted = net.submit(&other, json!({"add_parents": true})).await.json();
    net.job(&submitted["job_id"], "done").await;
    net.devnet.shutdown().await;
}
