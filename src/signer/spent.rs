//! What was signed within the last day, in a file: a line of JSON for each transaction, there before its
//! signatures are given. What is signed counts as spent, whether it is sent or not.

use super::breach::Breach;
use super::judge::Does;
use super::limits::Allowed;
use crate::ledger::{Amount, TokenUid};
use crate::trusted_file::open_or_create;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Seconds after which a transaction no longer counts.
const DAY: u64 = 24 * 60 * 60;
/// Old lines that are left alone.
const OLD_LINES: usize = 10_000;

/// A transaction that was signed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    seed: String,
    /// Unix seconds.
    time: u64,
    /// The hash that was signed: the same transaction counts once.
    digest: String,
    /// Cents by token.
    spent: BTreeMap<String, String>,
}

#[derive(Debug)]
pub struct Spent {
    file: File,
    lines: Vec<Line>,
    /// Lines of the file.
    written: usize,
}

impl Spent {
    /// Reads what is there, and holds the file: no other process uses it meanwhile.
    ///
    /// # Errors
    /// The system's, or what line can't be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = open_or_create(path)?;
        if file.try_lock().is_err() {
            return Err(io::Error::new(ErrorKind::WouldBlock, "another signer uses it"));
        }
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        // A line without an end was being written at a crash: nothing was given for it.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64)?;
        let read = |(number, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|_| {
                io::Error::new(ErrorKind::InvalidData, format!("line {} can't be read", number + 1))
            })
        };
        let lines: Vec<Line> = text[..whole].lines().enumerate().map(read).collect::<Result<_, _>>()?;
        file.sync_all()?;
        let written = lines.len();
        Ok(Self { file, lines, written })
    }

    /// Counts a transaction, if it keeps to the limit of a day; on the disk once this returns.
    ///
    /// # Errors
    /// [`Breach`] of `day`, or of `disk` if it can't be written down.
    pub fn count(
        &mut self,
        (seed, allowed): (&str, &Allowed),
        digest: &[u8; 32],
        does: &Does,
        now: u64,
    ) -> Result<(), Breach> {
        // A clock that was set back makes nothing older.
        self.lines.retain(|line| now.saturating_sub(line.time) < DAY);
        let digest = hex::encode(digest);
        let mut before: BTreeMap<TokenUid, Amount> = BTreeMap::new();
        for line in self.lines.iter().filter(|line| line.seed == seed) {
            if line.digest == digest {
                return Ok(());
            }
            for (token, amount) in &line.spent {
                let (Ok(token), Ok(amount)) = (token.parse(), amount.parse::<u128>()) else {
                    return Err(Breach::new("disk", "what was spent before can't be read"));
                };
                let sum = before.entry(token).or_default();
                *sum = sum.saturating_add(Amount::new(amount));
            }
        }
        allowed.check_day(does, &before)?;
        let cents = |(token, amount): (&TokenUid, &Amount)| (token.to_string(), amount.cents().to_string());
        let spent = does.spends.iter().map(cents).collect();
        let line = Line { seed: seed.to_owned(), time: now, digest, spent };
        self.write(&line)
            .map_err(|error| Breach::new("disk", format!("it can't be written down: {error}")))?;
        self.lines.push(line);
        Ok(())
    }

    fn write(&mut self, line: &Line) -> io::Result<()> {
        if self.written > 2 * self.lines.len() + OLD_LINES {
            self.forget_old()?;
        }
        let mut text = serde_json::to_vec(line).map_err(io::Error::other)?;
        text.push(b'\n');
        let end = self.file.seek(SeekFrom::End(0))?;
        let kept = self.file.write_all(&text).and_then(|()| self.file.sync_data());
        if kept.is_err() {
            self.file.set_len(end)?;
        }
        self.written += 1;
        kept
    }

    /// Writes what still counts over the old lines. It is at the file's end, too, until it is on the disk: a
    /// crash in between leaves it twice, or a file that is refused.
    fn forget_old(&mut self) -> io::Result<()> {
        let mut text = Vec::new();
        for line in &self.lines {
            serde_json::to_writer(&mut text, line).map_err(io::Error::other)?;
            text.push(b'\n');
        }
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&text)?;
        self.file.sync_data()?;
        self.file.set_len(text.len() as u64)?;
        self.file.sync_all()?;
        self.written = self.lines.len();
        Ok(())
    }
}
