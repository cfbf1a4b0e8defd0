//! The first three vertices of the local network, and who they pay; the faucet, which pays any address from
//! coins of its own.

use super::blocks::solved;
use super::{Chain, PushError};
use crate::ledger::{
    Address, Amount, AmountVersion, Block, EncodeError, Input, InputData, MiningJob, Outpoint, Output,
    Script, TokenData, Transaction, VertexId,
};
use k256::ecdsa::signature::hazmat::PrehashSigner;
use k256::ecdsa::{Signature, SigningKey};

/// Hash of the public key at `m/44'/280'/0'/0/1` of the words that private Hathor networks are known by
/// (`avocado spot town … depart level`): the address that their genesis pays.
pub const GENESIS_KEY_HASH: [u8; 20] = [
    0x66, 0x66, 0x5b, 0x27, 0xf7, 0xdb, 0xc4, 0xc8, 0xc0, 0x89, 0xd2, 0xf6, 0x86, 0xc1, 0x70, 0xc7, 0x4d,
    0x66, 0xf0, 0xb5,
];

/// The faucet's private key. It is public on purpose and worth nothing: it owns coins of local networks
/// alone. It is the SHA-256 of `headless-wallet devnet faucet: worthless by design`.
pub const FAUCET_PRIVATE_KEY: [u8; 32] = [
    0x13, 0xa8, 0x64, 0xdb, 0x1a, 0x81, 0x69, 0xa6, 0x9c, 0xe6, 0x12, 0x14, 0xeb, 0xe6, 0xc9, 0x1b, 0x4c,
    0xf6, 0xe7, 0x2b, 0xdb, 0x60, 0xb9, 0xee, 0xc7, 0xcd, 0xaf, 0x29, 0xa6, 0xa9, 0x36, 0x0b,
];

/// Hash of the faucet's public key.
pub const FAUCET_KEY_HASH: [u8; 20] = [
    0x2f, 0xb7, 0x70, 0x9a, 0x1f, 0x0e, 0xeb, 0x96, 0x21, 0x78, 0xe3, 0x7f, 0xf7, 0x24, 0x25, 0xc7, 0xd1,
    0x36, 0xfc, 0x49,
];

/// What the genesis wallet owns, and what the faucet owns, in cents each: 10^9 HTR.
pub const GENESIS_SUPPLY: u64 = 100_000_000_000;

/// The genesis wallet's coins: as many sends can be made within one second, because a transaction must be
/// younger than what it spends. The first holds nearly everything.
pub const GENESIS_COINS: u64 = 16;

/// What each of the genesis wallet's other coins holds, in cents: 10,000 HTR.
pub const GENESIS_SMALL_COIN: u64 = 1_000_000;

/// The faucet's coins. Each can be spent once in a second, because a transaction must be younger than what it
/// spends.
pub const FAUCET_COINS: u64 = 100;

/// Unix time of the genesis block; the two transactions follow a second apart, as on other private networks.
const GENESIS_TIMESTAMP: u32 = 1_643_902_665;

/// The vertices that a ledger starts from: one block and two empty transactions.
#[derive(Clone, Debug, PartialEq)]
pub struct Genesis {
    pub block: Block,
    pub transactions: [Transaction; 2],
}

impl Genesis {
    /// The genesis of the local network: the first outputs pay the genesis wallet, the others the faucet.
    pub fn private() -> Self {
        Self::with_supply(GENESIS_SUPPLY)
    }

    /// The genesis of the local network with another supply than [`GENESIS_SUPPLY`]: at least what the
    /// genesis wallet's small coins take.
    pub fn with_supply(supply: u64) -> Self {
        let coin = |cents, hash| Output {
            value: Amount::from(cents),
            token_data: TokenData::NATIVE,
            script: p2pkh_script(hash),
        };
        let small_coins = GENESIS_COINS - 1;
        let mut outputs =
            vec![coin(supply.saturating_sub(small_coins * GENESIS_SMALL_COIN).max(1), GENESIS_KEY_HASH)];
        outputs.extend((0..small_coins).map(|_| coin(GENESIS_SMALL_COIN, GENESIS_KEY_HASH)));
        outputs.extend((0..FAUCET_COINS).map(|_| coin((supply / FAUCET_COINS).max(1), FAUCET_KEY_HASH)));
        let empty = |timestamp| Transaction {
            signal_bits: 0,
            tokens: vec![],
            inputs: vec![],
            outputs: vec![],
            creates: None,
            blueprint: None,
            weight: 1.0,
            timestamp,
            parents: vec![],
            nonce: 0,
            headers: vec![],
        };
        let (block, _) = solved(Block {
            signal_bits: 0,
            outputs,
            weight: 1.0,
            timestamp: GENESIS_TIMESTAMP,
            parents: vec![],
            data: vec![],
            nonce: 0,
        });
        Self { block, transactions: [empty(GENESIS_TIMESTAMP + 1), empty(GENESIS_TIMESTAMP + 2)] }
    }
}

/// The script that pays the hash of a public key.
pub(super) fn p2pkh_script(hash: [u8; 20]) -> Vec<u8> {
    [&[0x76, 0xa9, 0x14], hash.as_slice(), &[0x88, 0xac]].concat()
}

// The faucet: pays any address from coins of its own, so that funding never competes with the genesis
// wallet's spends.

/// Most inputs that the faucet puts into one transaction.
const MAX_COINS: usize = 250;

/// Why the faucet could not pay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FundError {
    #[error("the faucet pays at least 0.01 HTR")]
    Nothing,
    #[error("the faucet has {available} cents left and {wanted} are wanted")]
    Empty { available: Amount, wanted: Amount },
    #[error("the faucet's transaction was refused: {0}")]
    Refused(#[from] PushError),
}

/// A coin that the faucet may spend.
#[derive(Clone, Copy)]
struct Coin {
    output: Outpoint,
    value: Amount,
    timestamp: u32,
}

impl Chain {
    /// Pays `amount` of HTR to `address` from the faucet's coins.
    ///
    /// Coins that are younger than `now` can't be spent at `now`. There are many, and once all are used up
    /// within a second the transaction's time is put some seconds ahead.
    ///
    /// # Errors
    /// [`FundError::Nothing`] for an amount of 0, [`FundError::Empty`] if the coins that fit into one
    /// transaction hold less, [`FundError::Refused`] if the chain does not take the transaction. The chain is
    /// as it was then.
    pub fn fund(&mut self, address: Address, amount: Amount, now: u32) -> Result<VertexId, FundError> {
        self.fund_dated(address, amount, now, now)
    }

    /// Pays as [`fund`](Self::fund) does, by a transaction of time `timestamp`, which may be as far ahead of
    /// `now` as the rules allow.
    ///
    /// # Errors
    /// Those of [`Chain::fund`]; a `timestamp` too far ahead of `now` is [`FundError::Refused`].
    pub fn fund_dated(
        &mut self,
        address: Address,
        amount: Amount,
        timestamp: u32,
        now: u32,
    ) -> Result<VertexId, FundError> {
        self.fund_in(AmountVersion::V1, address, amount, timestamp, now)
    }

    /// The same in a transaction that writes amounts so; with parts of a cent it has 18 decimals in any case.
    ///
    /// # Errors
    /// Those of [`Chain::fund_dated`].
    pub fn fund_in(
        &mut self,
        version: AmountVersion,
        address: Address,
        amount: Amount,
        timestamp: u32,
        now: u32,
    ) -> Result<VertexId, FundError> {
        if amount.is_zero() {
            return Err(FundError::Nothing);
        }
        let (coins, total) = self.pick_coins(amount, timestamp)?;
        let newest = coins.iter().map(|coin| coin.timestamp).max().unwrap_or(0);
        let timestamp = timestamp.max(newest.saturating_add(1));
        let mut outputs = vec![output_paying(address, amount)?];
        let change = total.saturating_sub(amount);
        if !change.is_zero() {
            outputs.push(output_paying(self.faucet_address(), change)?);
        }
        let has_parts = outputs.iter().any(|output| output.value.part() != 0);
        let in_units = version == AmountVersion::V2 || has_parts;
        let tx = Transaction {
            signal_bits: if in_units { Transaction::AMOUNTS_V2 } else { 0 },
            tokens: vec![],
            inputs: coins.iter().map(|coin| Input { spends: coin.output, data: vec![] }).collect(),
            outputs,
            creates: None,
            blueprint: None,
            weight: 0.0,
            timestamp,
            parents: self.parents_before(timestamp).to_vec(),
            nonce: 0,
            headers: vec![],
        };
        let bytes = self.sign_and_solve(tx).map_err(|error| PushError::Invalid(error.to_string()))?;
        Ok(self.push(&bytes, now)?)
    }

    /// Who the faucet's change and the first blocks pay.
    pub const fn faucet_address(&self) -> Address {
        Address::p2pkh(self.rules.network, FAUCET_KEY_HASH)
    }

    /// Few coins worth `amount` together: of those older than `now` if they suffice, the oldest first.
    fn pick_coins(&self, amount: Amount, now: u32) -> Result<(Vec<Coin>, Amount), FundError> {
        let mut coins = self.coins();
        coins.sort_by_key(|coin| coin.timestamp);
        let usable = coins.partition_point(|coin| coin.timestamp < now);
        let single = |coins: &[Coin]| coins.iter().find(|coin| coin.value >= amount).copied();
        if let Some(coin) = single(&coins[..usable]) {
            return Ok((vec![coin], coin.value));
        }
        // Older coins come first, so that time is put ahead only as far as it must be.
        let mut picked = Vec::new();
        let mut total = Amount::ZERO;
        for coin in coins {
            if total >= amount || picked.len() == MAX_COINS {
                break;
            }
            total = [total, coin.value].into_iter().sum();
            picked.push(coin);
        }
        if total < amount {
            return Err(FundError::Empty { available: total, wanted: amount });
        }
        Ok((picked, total))
    }

    /// The faucet's unspent coins. Rewards are left alone, for the lock they are under.
    fn coins(&self) -> Vec<Coin> {
        let address = self.faucet_address();
        let script = pay_script(address).unwrap_or_default();
        let mut coins = Vec::new();
        for id in self.history_of(&address) {
            let stored = &self.vertices[&id];
            if stored.is_voided() || stored.meta.height.is_some_and(|height| height > 0) {
                continue;
            }
            for (index, candidate) in (0..=u8::MAX).zip(stored.outputs()) {
                let output = stored.outpoint(index);
                if candidate.script == script && self.spender(output).is_none() {
                    coins.push(Coin { output, value: candidate.value, timestamp: stored.timestamp() });
                }
            }
        }
        coins
    }

    fn sign_and_solve(&self, mut tx: Transaction) -> Result<Vec<u8>, EncodeError> {
        let key = SigningKey::from_slice(&FAUCET_PRIVATE_KEY).expect("the faucet's key is a valid one");
        let signature: Signature =
            key.sign_prehash(&tx.sighash()?).expect("a digest of 32 bytes can be signed");
        let public_key = key.verifying_key().to_sec1_point(true);
        let data = InputData::P2pkh {
            signature: signature.to_der().as_bytes().to_vec(),
            public_key: public_key.as_bytes().try_into().expect("a compressed key has 33 bytes"),
        };
        let data = data.to_bytes().expect("a signature and a key are short");
        for input in &mut tx.inputs {
            input.data.clone_from(&data);
        }
        tx.weight = self.rules.min_weight_of(&tx);
        let job = MiningJob::new(&tx.mining_bytes()?, tx.weight);
        tx.nonce = job.search(0..1 << 32).unwrap_or(0);
        tx.to_bytes()
    }
}

fn pay_script(address: Address) -> Option<Vec<u8>> {
    Script::Pay { to: address, timelock: None }.to_bytes().ok()
}

fn output_paying(address: Address, value: Amount) -> Result<Output, PushError> {
    let script =
        pay_script(address).ok_or_else(|| PushError::Invalid(format!("no script pays {address}")))?;
    Ok(Output { value, token_data: TokenData::NATIVE, script })
}
