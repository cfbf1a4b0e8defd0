//! The faucet: pays any address from coins of its own, so that funding never competes with the genesis
//! wallet's spends.

use super::{Chain, FAUCET_KEY_HASH, FAUCET_PRIVATE_KEY, PushError};
use crate::ledger::{
    Address, Amount, EncodeError, Input, InputData, MiningJob, Outpoint, Output, Script, TokenData,
    Transaction, VertexId,
};
use k256::ecdsa::signature::hazmat::PrehashSigner;
use k256::ecdsa::{Signature, SigningKey};

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
        if amount.is_zero() {
            return Err(FundError::Nothing);
        }
        let (coins, total) = self.pick_coins(amount, timestamp)?;
        let newest = coins.iter().map(|coin| coin.timestamp).max().unwrap_or(0);
        let timestamp = timestamp.max(newest.saturating_add(1));
        let mut outputs = vec![output(address, amount)?];
        let change = total.saturating_sub(amount);
        if !change.is_zero() {
            outputs.push(output(self.faucet_address(), change)?);
        }
        let tx = Transaction {
            signal_bits: 0,
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
        let script = pay(address).unwrap_or_default();
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

fn pay(address: Address) -> Option<Vec<u8>> {
    Script::Pay { to: address, timelock: None }.to_bytes().ok()
}

fn output(address: Address, value: Amount) -> Result<Output, PushError> {
    let script = pay(address).ok_or_else(|| PushError::Invalid(format!("no script pays {address}")))?;
    Ok(Output { value, token_data: TokenData::NATIVE, script })
}
