//! The first three vertices of the local network, and who they pay.

use super::blocks::solved;
use crate::ledger::{Amount, Block, Output, TokenData, Transaction};

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
