//! Answers that depend on nothing: byte for byte those of the recordings.

use crate::support::Net;
use serde_json::Value;

#[tokio::test]
async fn what_depends_on_nothing_is_answered_as_recorded() {
    let net = Net::start().await;
    let recorded = include_str!("../recordings/exact.jsonl");
    let mut wrong = Vec::new();
    for line in recorded.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| record[name].as_str().unwrap();
        let node = record["service"] == "node";
        let url = if node { net.node(text("path")) } else { net.mining(text("path")) };
        let body = record["body"].as_str().map(str::to_owned);
        let answer = net.send(text("method"), &url, body).await;
        let mut said = vec![answer.status.to_string(), answer.text.clone()];
        let mut expected = vec![record["status"].to_string(), text("text").to_owned()];
        for (name, value) in record["headers"].as_object().unwrap() {
            // The mining service leaves the character set out now and then, without any pattern.
            if name.starts_with("access-control") || node && name == "content-type" {
                said.push(format!("{name}: {}", answer.header(name)));
                expected.push(format!("{name}: {}", value.as_str().unwrap()));
            }
        }
        if said != expected {
            wrong.push(format!("{} {url}\n  expected {expected:?}\n  said     {said:?}", text("method")));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    net.devnet.shutdown().await;
}
