//! Spending as a file in a directory: a line for each transaction counted or taken back, read into memory
//! once. One process at a time has it open.

use super::{StoreError, WholeSpending};
use crate::ledger::{Amount, TokenUid};
use crate::limits::{Account, Assessment, Charge, Counted, Counters, PaymentId, Verb};
use crate::rt;
use crate::trusted_file::open_or_create;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

pub(super) const NAME: &str = "spending.log";
/// The size at which the file is compacted when it is opened, and the growth after which it is compacted
/// again.
const COMPACT_FROM_BYTES: u64 = 4 * 1024 * 1024;

pub(super) struct SpendingFile {
    path: PathBuf,
    file: File,
    counters: Counters,
    end: u64,
    /// Bytes written since the file was opened or compacted.
    added: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// In Unix seconds.
    time: u32,
    id: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    back: bool,
    charges: Vec<Written>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    scope: String,
    mint: bool,
    token: String,
    amount: String,
}

impl SpendingFile {
    /// Reads the file. A partial last line was being written at a crash: nothing was signed because of it.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join(NAME);
        let place = path.display().to_string();
        let failed = |error: io::Error| failed(&path, &error);
        let file = open_or_create(&path).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(place)),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            Ok(()) => {}
        }
        File::open(dir).and_then(|dir| dir.sync_all()).map_err(failed)?;
        let (mut counters, mut whole, mut number) = (Counters::default(), 0, 0);
        let mut reader = BufReader::new(&file);
        let mut text = String::new();
        while reader.read_line(&mut text).map_err(failed)? > 0 && text.ends_with('\n') {
            number += 1;
            let damaged =
                || StoreError::Damaged { place: place.clone(), what: format!("line {number} is damaged") };
            let line: Line = serde_json::from_str(&text).map_err(|_| damaged())?;
            let charges = line.charges.iter().map(Written::read).collect::<Option<Vec<_>>>();
            let charges = charges.ok_or_else(damaged)?;
            let mut id = [0; 32];
            hex::decode_to_slice(&line.id, &mut id).map_err(|_| damaged())?;
            match line.back {
                true => counters.take_back(line.time, id, &charges),
                false => charges.iter().for_each(|charge| counters.add(line.time, id, charge)),
            }
            whole += text.len() as u64;
            text.clear();
        }
        file.set_len(whole).map_err(failed)?;
        let mut spending = Self { path, file, counters, end: whole, added: whole };
        spending.compact()?;
        Ok(spending)
    }

    /// Replaces a long file: all that is older than a day becomes one line.
    fn compact(&mut self) -> Result<(), StoreError> {
        if self.added < COMPACT_FROM_BYTES { Ok(()) } else { self.write_anew() }
    }

    fn write_anew(&mut self) -> Result<(), StoreError> {
        let (older, charges) = self.counters.kept(rt::unix_seconds());
        let mut text = line(0, [0; 32], false, &older);
        for (time, id, charge) in &charges {
            text += &line(*time, *id, false, std::slice::from_ref(charge));
        }
        let next = self.path.with_extension("new");
        let write = || {
            let mut file = open_or_create(&next)?;
            // Locked before the rename, so that no other process comes in between.
            file.lock()?;
            file.set_len(0)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&next, &self.path)?;
            File::open(self.path.parent().unwrap_or(Path::new(".")))?.sync_all()?;
            Ok(file)
        };
        self.file = write().map_err(|error| failed(&self.path, &error))?;
        (self.end, self.added) = (text.len() as u64, 0);
        Ok(())
    }

    pub fn is_there(dir: &Path) -> bool {
        dir.join(NAME).exists()
    }

    pub fn spent(&mut self) -> WholeSpending {
        let (older, lately) = self.counters.kept(rt::unix_seconds());
        WholeSpending { older, lately }
    }

    /// Keeps what was spent on another store, all of it or nothing. `false` if something is counted already.
    pub fn keep(&mut self, spent: &WholeSpending) -> Result<bool, StoreError> {
        let there = self.spent();
        if !there.lately.is_empty() || there.older.iter().any(|charge| charge.amount > Amount::ZERO) {
            return Ok(false);
        }
        // New counters, because time in the present ones never goes back.
        self.counters = Counters::default();
        spent.older.iter().for_each(|charge| self.counters.add(0, [0; 32], charge));
        spent.lately.iter().for_each(|(time, id, charge)| self.counters.add(*time, *id, charge));
        self.write_anew()?;
        Ok(true)
    }

    pub fn count(&mut self, id: PaymentId, assessment: &Assessment) -> Result<Counted, StoreError> {
        let now = rt::unix_seconds();
        let counted = self.counters.look(now, id, assessment);
        if let Counted::Yes(added) = &counted
            && !added.is_empty()
        {
            self.write(now, id, false, added)?;
            added.iter().for_each(|charge| self.counters.add(now, id, charge));
        }
        Ok(counted)
    }

    pub fn look(&mut self, id: PaymentId, assessment: &Assessment) -> Counted {
        self.counters.look(rt::unix_seconds(), id, assessment)
    }

    pub fn take_back(&mut self, id: PaymentId, charges: &[Charge]) -> Result<(), StoreError> {
        let now = rt::unix_seconds();
        self.write(now, id, true, charges)?;
        self.counters.take_back(now, id, charges);
        Ok(())
    }

    /// Adds a line. A part of a line that a full disk left is cut off at once, or before the next line.
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        self.file.set_len(self.end)?;
        self.file.seek(io::SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(line).and_then(|()| self.file.sync_data()) {
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        (self.end, self.added) = (self.end + line.len() as u64, self.added + line.len() as u64);
        Ok(())
    }

    fn write(&mut self, time: u32, id: PaymentId, back: bool, charges: &[Charge]) -> Result<(), StoreError> {
        self.compact()?;
        let text = line(time, id, back, charges);
        self.append(text.as_bytes()).map_err(|error| failed(&self.path, &error))
    }
}

fn line(time: u32, id: PaymentId, back: bool, charges: &[Charge]) -> String {
    let (id, charges) = (hex::encode(id), charges.iter().map(Written::of).collect());
    let line = serde_json::to_string(&Line { time, id, back, charges }).expect("texts and numbers are JSON");
    line + "\n"
}

impl Written {
    fn of(Charge { account, amount }: &Charge) -> Self {
        Self {
            scope: account.scope.clone(),
            mint: account.verb == Verb::Mint,
            token: account.token.to_string(),
            amount: amount.to_string(),
        }
    }

    fn read(&self) -> Option<Charge> {
        let token: TokenUid = self.token.parse().ok()?;
        let amount = Amount::of_cents(&self.amount)?;
        let verb = if self.mint { Verb::Mint } else { Verb::Spend };
        Some(Charge { account: Account { scope: self.scope.clone(), verb, token }, amount })
    }
}

fn failed(path: &Path, error: &io::Error) -> StoreError {
    let what = match error.kind() {
        ErrorKind::InvalidData => "it is damaged".to_owned(),
        _ => error.to_string(),
    };
    StoreError::Failed { place: path.display().to_string(), what }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Assessment;
    use tempfile::TempDir;

    #[test]
    fn a_line_that_could_not_be_written_to_its_end_damages_no_other() {
        let dir = TempDir::new().unwrap();
        let account = Account { scope: "key shop".to_owned(), verb: Verb::Spend, token: TokenUid::Native };
        let two = Amount::from(2u64).with_part(5_000_000_000_000_001);
        let charge = Charge { account: account.clone(), amount: two };
        let one = Assessment { charges: vec![charge], ..Assessment::default() };
        let mut spending = SpendingFile::open(dir.path()).unwrap();
        spending.count([1; 32], &one).unwrap();
        // A full disk leaves such a line.
        spending.file.write_all(b"{\"time\":1,\"id\"").unwrap();
        spending.count([2; 32], &one).unwrap();
        drop(spending);
        let again = SpendingFile::open(dir.path()).unwrap();
        assert_eq!(again.counters.total(&account), two.saturating_add(two));
    }
}
