//! Limits on what is signed, and the file that counts it.

use super::policy::{Breach, Does, To, of_address};
use crate::ledger::{Address, Amount, Network, TokenUid};
use crate::trusted_file::open_or_create;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// By seed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits(BTreeMap<String, Allowed>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Limits by token; other tokens may not be spent.
    pub tokens: BTreeMap<TokenUid, TokenLimit>,
    /// The recipients besides the wallet that are allowed; `None` for any.
    addresses: Option<BTreeSet<To>>,
    make_tokens: bool,
    contracts: bool,
    messages: bool,
}

/// In cents. `None` is unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenLimit {
    pub transaction: Option<u64>,
    /// Within any 24 hours.
    pub day: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the signer's settings can't be used: {0}")]
pub struct SettingsError(pub String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitsFile {
    #[serde(default)]
    seeds: BTreeMap<String, Table>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    limits: BTreeMap<String, TokenLimit>,
    addresses: Option<Vec<String>>,
    #[serde(default)]
    allow: Vec<Permission>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Permission {
    Tokens,
    Contracts,
    Messages,
}

impl Limits {
    /// Reads a settings file (TOML). Addresses of networks other than `network` are refused, if that is
    /// known.
    pub fn read(text: &str, network: Option<Network>) -> Result<Self, SettingsError> {
        let file: LimitsFile = toml::from_str(text).map_err(|error| SettingsError(error.to_string()))?;
        let allowed = file.seeds.into_iter().map(|(seed, table)| Ok((seed, Allowed::of(table, network)?)));
        Ok(Self(allowed.collect::<Result<_, _>>()?))
    }

    /// `None` if everything may be signed.
    pub fn of(&self, seed: &str) -> Option<&Allowed> {
        self.0.get(seed)
    }

    pub fn seeds(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Allowed {
    fn of(
        Table { limits, addresses, allow }: Table,
        network: Option<Network>,
    ) -> Result<Self, SettingsError> {
        let token = |(name, limit): (String, TokenLimit)| {
            let token = if name == "HTR" { Ok(TokenUid::Native) } else { name.parse() };
            let token = token.map_err(|_| SettingsError(format!("{name:?} is no token: HTR, or a uid")))?;
            Ok((token, limit))
        };
        let address = |text: String| {
            let address = Address::parse_any(&text)
                .map_err(|error| SettingsError(format!("{text:?} is no address: {error}")))?;
            match network.map(|network| (network, address.on(network))).filter(|(_, here)| *here != address) {
                None => Ok(of_address(address)),
                Some((network, here)) => Err(SettingsError(format!(
                    "{text:?} is an address of another network than {}, where the address of the same key is {here}",
                    network.name()
                ))),
            }
        };
        let addresses = addresses.map(|list| list.into_iter().map(address).collect::<Result<_, _>>());
        Ok(Self {
            tokens: limits.into_iter().map(token).collect::<Result<_, SettingsError>>()?,
            addresses: addresses.transpose()?,
            make_tokens: allow.contains(&Permission::Tokens),
            contracts: allow.contains(&Permission::Contracts),
            messages: allow.contains(&Permission::Messages),
        })
    }

    /// Refuses what may not be signed, whatever was signed before.
    ///
    /// # Errors
    /// [`Breach`]: of `others`, `tokens`, `contracts`, `addresses`, `token` or `transaction`.
    pub fn check(&self, does: &Does) -> Result<(), Breach> {
        if does.others {
            // Signed a second time with only these inputs, it would seem to spend less.
            let why = "it spends what is not to be signed here, which a seed with limits does not";
            return Err(Breach::new("others", why));
        }
        if does.tokens && !self.make_tokens {
            return Err(Breach::new("tokens", "it makes or melts tokens, or gives away the right to"));
        }
        if does.contracts && !self.contracts {
            return Err(Breach::new("contracts", "it calls a contract, or makes a blueprint"));
        }
        if let Some(allowed) = &self.addresses
            && (does.pays_unknown || !does.pays.is_subset(allowed))
        {
            return Err(Breach::new("addresses", "it pays an address that is not allowed"));
        }
        for (token, spent) in &does.spends {
            let Some(limit) = self.tokens.get(token) else {
                return Err(Breach::new("token", format!("nothing of token {token} may be spent")));
            };
            if let Some(most) = limit.transaction.filter(|most| *spent > Amount::from(*most)) {
                let why = format!("it spends {spent} of token {token}, and may spend {most}");
                return Err(Breach::new("transaction", why));
            }
        }
        Ok(())
    }

    /// Refuses what exceeds the limit of 24 hours, after `before` was spent of each token.
    ///
    /// # Errors
    /// [`Breach`] of `day`.
    pub fn check_day(&self, does: &Does, before: &BTreeMap<TokenUid, Amount>) -> Result<(), Breach> {
        for (token, spent) in &does.spends {
            let before = before.get(token).copied().unwrap_or_default();
            let most = self.tokens.get(token).and_then(|limit| limit.day);
            if let Some(most) = most.filter(|most| before.saturating_add(*spent) > Amount::from(*most)) {
                let why = format!(
                    "with {before} before it, {spent} of token {token} is more than {most} within a day"
                );
                return Err(Breach::new("day", why));
            }
        }
        Ok(())
    }

    /// Refuses messages and oracles' data, unless they are allowed.
    ///
    /// # Errors
    /// [`Breach`] of `messages`.
    pub fn check_message(&self) -> Result<(), Breach> {
        match self.messages {
            true => Ok(()),
            false => Err(Breach::new("messages", "this seed signs no messages")),
        }
    }
}

// What was signed within the last day, in a file: a line of JSON per transaction, written before its
// signatures are given out. What is signed counts as spent, whether it is sent or not.

/// In seconds.
const DAY: u64 = 24 * 60 * 60;
/// Old lines that are tolerated before the file is compacted.
const OLD_LINES: usize = 10_000;

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
    written: usize,
}

impl Spent {
    /// Reads the file and locks it against other processes.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = open_or_create(path)?;
        if file.try_lock().is_err() {
            return Err(io::Error::new(ErrorKind::WouldBlock, "another signer uses it"));
        }
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        // A partial last line was being written at a crash: nothing was signed for it.
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

    /// Counts a transaction within the day's limit, durably.
    ///
    /// # Errors
    /// [`Breach`] of `day`, or of `disk` if it can't be written.
    pub fn count(
        &mut self,
        (seed, allowed): (&str, &Allowed),
        digest: &[u8; 32],
        does: &Does,
        now: u64,
    ) -> Result<(), Breach> {
        // Setting the clock back expires nothing.
        self.lines.retain(|line| now.saturating_sub(line.time) < DAY);
        let digest = hex::encode(digest);
        let mut before: BTreeMap<TokenUid, Amount> = BTreeMap::new();
        for line in self.lines.iter().filter(|line| line.seed == seed) {
            if line.digest == digest {
                return Ok(());
            }
            for (token, amount) in &line.spent {
                let (Ok(token), Some(amount)) = (token.parse(), Amount::of_cents(amount)) else {
                    return Err(Breach::new("disk", "what was spent before can't be read"));
                };
                let sum = before.entry(token).or_default();
                *sum = sum.saturating_add(amount);
            }
        }
        allowed.check_day(does, &before)?;
        let cents = |(token, amount): (&TokenUid, &Amount)| (token.to_string(), amount.to_string());
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

    /// Compacts the file in place. The content is first appended and synced: a crash in between leaves it
    /// twice, or a file that is refused.
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
