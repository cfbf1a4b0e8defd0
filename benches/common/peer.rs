//! The reference wallet library, loading the same wallet in a process of its own.

use super::cost::Cost;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What loading took it.
pub struct Peer {
    /// For each way, the best of its rounds.
    costs: Vec<(String, Cost)>,
    /// The most bytes that were in memory after a round.
    pub memory: f64,
}

impl Peer {
    /// Loads the wallet that the environment names; `None` where the library isn't installed, or fails.
    pub fn load() -> Option<Self> {
        let mut node = Command::new("node");
        // It asks for this, or for a later version of Node.
        node.args([
            "--harmony-json-parse-with-source",
            concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peer.mjs"),
        ]);
        let output = node.stderr(Stdio::null()).output().ok().filter(|output| output.status.success())?;
        let mut peer = Self { costs: Vec::new(), memory: 0.0 };
        for line in String::from_utf8(output.stdout).ok()?.lines() {
            let round: serde_json::Value = serde_json::from_str(line).ok()?;
            let millis = |name: &str| Some(Duration::from_secs_f64(round[name].as_f64()? / 1e3));
            let cost = Cost { wall: millis("wall")?, processor: millis("processor")? };
            let how = round["how"].as_str()?;
            match peer.costs.iter_mut().find(|(known, _)| known == how) {
                Some((_, best)) => *best = best.min(cost),
                None => peer.costs.push((how.to_owned(), cost)),
            }
            peer.memory = peer.memory.max(round["memory"].as_f64()?);
        }
        Some(peer)
    }

    /// What a way took.
    pub fn cost(&self, how: &str) -> Option<Cost> {
        self.costs.iter().find(|(known, _)| known == how).map(|(_, cost)| *cost)
    }
}
