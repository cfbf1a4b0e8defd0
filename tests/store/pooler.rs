//! pgbouncer before a database: two connections for all who come, each for one transaction at a time.

use crate::cluster::{Postgres, shell};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

const SCRIPT: &str = include_str!("pooler.sh");

/// Runs until it is dropped, or the process has ended.
pub struct Pooler {
    process: Child,
    dir: String,
}

impl Pooler {
    /// Before one whose socket is that of a port.
    pub fn before(postgres: &Postgres, port: u16) -> Self {
        let mut command = shell();
        command.args(["-c", SCRIPT, "pooler", &postgres.dir, &port.to_string()]).current_dir("/");
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut dir = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut dir).unwrap();
        assert!(!dir.is_empty(), "pgbouncer did not start: scripts/setup postgres installs it");
        Self { process, dir: dir.trim().to_owned() }
    }

    /// The URL of a schema, by way of the pooler.
    pub fn through(&self, url: &str) -> String {
        let (before, rest) = url.split_once("host=").unwrap();
        format!("{before}host={}&{}", self.dir, rest.split_once('&').unwrap().1)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}
