//! Whatever becomes of the file that a wallet is kept in, the wallet is as a fresh scan finds it, or says why
//! it does not start.

use crate::resume::seen;
use crate::rig::{account, backend, devnet};
use headless_wallet::devnet::Devnet;
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network};
use headless_wallet::service::{Options, Phase, StartError, Wallet};
use headless_wallet::store::{DataDir, StoreError, Stores};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

/// What becomes of a file, at any byte of it.
#[derive(Clone, Debug)]
enum Damage {
    Flip { bit: u8 },
    Overwrite { byte: u8, count: usize },
    CutOff,
    LeftOut { count: usize },
}

impl Damage {
    fn to(&self, whole: &[u8], at: usize) -> Vec<u8> {
        let mut bytes = whole.to_vec();
        let until = |count: usize| whole.len().min(at + count);
        match *self {
            Self::Flip { bit } => bytes[at] ^= 1 << bit,
            Self::Overwrite { byte, count } => bytes[at..until(count)].fill(byte),
            Self::CutOff => bytes.truncate(at),
            Self::LeftOut { count } => drop(bytes.drain(at..until(count))),
        }
        bytes
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => (0u8..8).prop_map(|bit| Damage::Flip { bit }),
        2 => (prop_oneof![Just(0), Just(0xff), any::<u8>()], 1usize..5_000)
            .prop_map(|(byte, count)| Damage::Overwrite { byte, count }),
        1 => Just(Damage::CutOff),
        1 => (1usize..100).prop_map(|count| Damage::LeftOut { count }),
    ]
}

/// A wallet with a history, kept in a file.
struct Kept {
    devnet: Devnet,
    words: Mnemonic,
    dir: TempDir,
}

impl Kept {
    async fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let kept = Self { devnet: devnet().await, words: Mnemonic::generate().unwrap(), dir };
        let hashes = AccountKeys::from_mnemonic(&kept.words, "").public().key_hashes(0..2);
        for number in 0..40 {
            let to = Address::p2pkh(Network::Privatenet, hashes[number % 2]);
            let amount = Amount::from(100 + number as u64);
            kept.devnet.change(|chain, now| chain.fund(to, amount, now)).unwrap();
        }
        kept.devnet.change(|chain, now| chain.mine_block(vec![0x51], now));
        kept.start().await.unwrap().stop().await;
        kept
    }

    async fn start(&self) -> Result<Wallet, StartError> {
        self.start_with(Some(Arc::new(DataDir::new(self.dir.path()).unwrap()))).await
    }

    async fn start_with(&self, stores: Option<Arc<dyn Stores>>) -> Result<Wallet, StartError> {
        let options = Options { stores, ..Options::default() };
        let wallet = Wallet::start(account(&self.words), backend(&self.devnet), options).await?;
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        Ok(wallet)
    }

    fn file(&self) -> PathBuf {
        let files = DataDir::files(self.dir.path()).unwrap();
        let [file] = &files[..] else { panic!("{files:?}") };
        file.clone()
    }
}

/// `DAMAGES` says how often.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_any_damage_gives_the_wallet_of_a_fresh_scan() {
    let kept = Kept::new().await;
    let fresh = kept.start_with(None).await.unwrap();
    let file = kept.file();
    let whole = std::fs::read(&file).unwrap();
    // Most of a file is unused: half of the places are near what is not zero.
    let used: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] != 0).collect();
    let any_place = prop_oneof![0..whole.len(), prop::sample::select(used)];
    let cases = std::env::var("DAMAGES").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let mut runner = TestRunner::new(Config::default());
    for _ in 0..cases {
        let (damage, at) = (damage(), any_place.clone()).new_tree(&mut runner).unwrap().current();
        std::fs::write(&file, damage.to(&whole, at)).unwrap();
        match kept.start().await {
            Ok(wallet) => {
                assert_eq!(seen(&wallet), seen(&fresh), "{damage:?} at {at}");
                wallet.stop().await;
            }
            // The byte that says the file's format.
            Err(StartError::Store(StoreError::Newer { .. })) => {}
            Err(error) => panic!("{damage:?} at {at}: {error}"),
        }
    }
}
