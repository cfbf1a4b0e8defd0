//! Starting again from what was kept: the node is asked for what is new, and whatever happened meanwhile, the
//! wallet is as one that asks for everything.

use crate::rig::{Rig, account, backend, backend_at, devnet, pay};
use crate::tap::Tap;
use headless_wallet::devnet::Devnet;
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{
    Address, Amount, MiningJob, Network, Script, TokenUid, Transaction, Vertex, VertexId, VertexOutput,
};
use headless_wallet::service::{Options, Phase, SyncMode, Wallet};
use headless_wallet::store::{MemoryStores, Owner, Store, Stores};
use headless_wallet::wallet::{ChangeSet, PackedVertex, Scan, UtxoFilter};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A wallet that is started again and again from what it kept.
struct Kept {
    devnet: Devnet,
    words: Mnemonic,
    stores: Arc<MemoryStores>,
    gap_limit: u32,
}

/// All that a wallet's owner can see.
#[derive(Debug, PartialEq)]
pub struct Seen {
    history: BTreeMap<VertexId, Vertex>,
    utxos: BTreeMap<String, (u128, bool)>,
    balances: BTreeMap<TokenUid, (u128, u128)>,
    addresses: usize,
}

fn paid(script: &[u8]) -> Address {
    match Script::parse(script, Network::Privatenet) {
        Some(Script::Pay { to, .. }) => to,
        _ => Address::p2pkh(Network::Privatenet, [0; 20]),
    }
}

pub fn seen(wallet: &Wallet) -> Seen {
    wallet
        .read(|state, now| {
            let history: BTreeMap<_, _> = state
                .history()
                .map(|mut vertex| {
                    // Blocks confirm without a word, and what others do with their own outputs is not asked
                    // for.
                    vertex.first_block = None;
                    let others = |o: &&mut VertexOutput| state.index_of(&paid(&o.output.script)).is_none();
                    vertex.outputs.iter_mut().filter(others).for_each(|o| o.spent_by = None);
                    (vertex.id, vertex)
                })
                .collect();
            let list = state.utxos(&UtxoFilter::default(), now);
            let utxos = list
                .utxos
                .iter()
                .map(|utxo| (format!("{:?}", utxo.outpoint), (utxo.value.cents(), utxo.locked)));
            let tokens = history.values().flat_map(|vertex| &vertex.outputs).map(|o| o.output.token);
            let balances = tokens.map(|token| {
                let balance = state.balance(token, now);
                (token, (balance.available.cents(), balance.locked.cents()))
            });
            Seen {
                utxos: utxos.collect(),
                balances: balances.collect(),
                addresses: state.addresses().len(),
                history,
            }
        })
        .unwrap()
}

impl Kept {
    async fn new() -> Self {
        let devnet = devnet().await;
        Self { devnet, words: Mnemonic::generate().unwrap(), stores: Arc::default(), gap_limit: 20 }
    }

    async fn start_at(&self, url: &str) -> Wallet {
        let options = Options {
            scan: Scan::GapLimit(self.gap_limit),
            stores: Some(self.stores.clone()),
            ..Options::default()
        };
        let backend = backend_at(url, &self.devnet.mining_url());
        let wallet = Wallet::start(account(&self.words), backend, options).await.unwrap();
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        wallet
    }

    async fn start(&self) -> Wallet {
        self.start_at(&self.devnet.node_url()).await
    }

    /// As one sees it that kept nothing.
    async fn fresh(&self) -> Seen {
        let options = Options {
            scan: Scan::GapLimit(self.gap_limit),
            sync_mode: SyncMode::Pages,
            ..Options::default()
        };
        let wallet = Wallet::start(account(&self.words), backend(&self.devnet), options).await.unwrap();
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        let seen = seen(&wallet);
        wallet.stop().await;
        seen
    }

    fn keys(&self) -> AccountKeys {
        AccountKeys::from_mnemonic(&self.words, "")
    }

    fn address(&self, index: u32) -> Address {
        let hash = self.keys().public().key_hashes(index..index + 1)[0];
        Address::p2pkh(Network::Privatenet, hash)
    }

    fn fund(&self, index: u32, amount: u64) -> VertexId {
        let address = self.address(index);
        self.devnet.change(|chain, now| chain.fund(address, Amount::from(amount), now)).unwrap()
    }

    fn mine(&self, index: Option<u32>) {
        let to = index.map_or(Address::p2pkh(Network::Privatenet, [8; 20]), |index| self.address(index));
        let script = Script::Pay { to, timelock: None }.to_bytes().unwrap();
        self.devnet.change(|chain, now| chain.mine_block(script, now));
    }

    /// The store, for looking at and for spoiling.
    async fn store(&self) -> (Arc<dyn Store>, ChangeSet) {
        let owner = Owner {
            wallet: self.keys().public().wallet_id(),
            network: "privatenet".to_owned(),
            genesis: self.devnet.read(|chain| Some(chain.genesis()[0])),
        };
        self.stores.open(&owner).await.unwrap()
    }

    /// The same with a transaction that was dated so many seconds ago.
    fn fund_ago(&self, index: u32, amount: u64, seconds: u32) -> VertexId {
        let (address, amount) = (self.address(index), Amount::from(amount));
        self.devnet.change(|chain, now| chain.fund_dated(address, amount, now - seconds, now)).unwrap()
    }

    /// Ten payments to address 0 and five to address 1, 100 seconds apart, confirmed, seen and kept.
    async fn with_history() -> Self {
        let kept = Self::new().await;
        for number in 0..15 {
            kept.fund_ago(u32::from(number >= 10), 100 + u64::from(number), 2_000 - 100 * number);
        }
        kept.mine(None);
        kept.start().await.stop().await;
        kept
    }

    /// What is of its first address.
    fn history(&self) -> Vec<VertexId> {
        self.devnet.read(|chain| chain.history_of(&self.address(0)).collect())
    }

    fn time(&self, id: &VertexId) -> u32 {
        self.devnet.read(|chain| chain.get(id).unwrap().timestamp())
    }

    async fn is_as_fresh_after_start(&self) -> Wallet {
        let wallet = self.start().await;
        let (seen, fresh) = (seen(&wallet), self.fresh().await);
        // Long lists of what is the same would hide the rest.
        for (id, vertex) in &seen.history {
            assert_eq!(Some(vertex), fresh.history.get(id));
        }
        assert_eq!(seen.history.len(), fresh.history.len());
        assert_eq!(seen, fresh);
        wallet
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn asks_for_counts_and_empty_addresses_when_nothing_is_new() {
    let kept = Kept::with_history().await;
    let tap = Tap::on(&kept.devnet.node_url()).await;
    let wallet = kept.start_at(tap.url()).await;
    assert_eq!(seen(&wallet), kept.fresh().await);
    let mut requests = tap.requests();
    requests.sort();
    let unused: Vec<String> = (2..22).map(|i| format!("addresses%5B%5D={}", kept.address(i))).collect();
    let mut counts =
        [0, 1].map(|i| format!("thin_wallet/address_balance?address={}", kept.address(i))).to_vec();
    counts.sort();
    let mut expected = vec!["feature".to_owned()];
    expected.extend(counts);
    expected.push(format!("thin_wallet/address_history?{}&paginate=true", unused.join("&")));
    expected.extend(["version".to_owned(), "version".to_owned(), "ws/".to_owned()]);
    expected.sort();
    assert_eq!(requests, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn asks_from_what_is_settled_where_something_is_new() {
    let kept = Kept::with_history().await;
    // The last but one: what was late when the wallet was stopped may come before the last one.
    let settled = kept.devnet.read(|chain| chain.history_of(&kept.address(0)).nth(8).unwrap());
    let new = kept.fund(0, 1_000);
    let tap = Tap::on(&kept.devnet.node_url()).await;
    let wallet = kept.start_at(tap.url()).await;
    assert_eq!(seen(&wallet), kept.fresh().await);
    assert!(wallet.read(|state, _| state.vertex(&new)).unwrap().is_some());
    let cursors: Vec<String> = tap.requests().into_iter().filter(|r| r.contains("&hash=")).collect();
    assert_eq!(
        cursors,
        [format!(
            "thin_wallet/address_history?addresses%5B%5D={}&paginate=true&hash={settled}",
            kept.address(0)
        )]
    );
    // It was not confirmed, and is asked for again.
    wallet.stop().await;
    kept.mine(None);
    let wallet = kept.start().await;
    assert!(wallet.read(|state, _| state.vertex(&new)).unwrap().unwrap().first_block.is_some());
}

/// Transactions are dated before their proof of work: some that are new come before the newest one known, or
/// in the same second.
#[tokio::test(flavor = "multi_thread")]
async fn asks_once_for_what_was_late() {
    let mut tries = 0;
    let (kept, known) = loop {
        let kept = Kept::with_history().await;
        let known = kept.history();
        let newest = known[9];
        let newest_time = kept.time(&newest);
        let late = |amount, time| {
            let (address, amount) = (kept.address(0), Amount::from(amount));
            kept.devnet.change(|chain, now| chain.fund_dated(address, amount, time, now)).unwrap()
        };
        late(1_000, newest_time - 80);
        let mut amount = 1_001;
        let earlier = loop {
            match late(amount, newest_time) {
                late if late < newest => break late,
                _ => amount += 1,
            }
        };
        // With an id that few others are before, it takes more tries than the faucet has old coins.
        if kept.time(&earlier) == newest_time {
            break (kept, known);
        }
        tries += 1;
        assert!(tries < 20, "there is one before the newest one in its second");
    };
    let tap = Tap::on(&kept.devnet.node_url()).await;
    let wallet = kept.start_at(tap.url()).await;
    assert_eq!(seen(&wallet), kept.fresh().await);
    let asked = format!("addresses%5B%5D={}&", kept.address(0));
    let histories: Vec<String> =
        tap.requests().into_iter().filter(|request| request.contains(&asked)).collect();
    let expected = format!("thin_wallet/address_history?{asked}paginate=true&hash={}", known[8]);
    assert_eq!(histories, [expected]);
    let counts = tap.requests().iter().filter(|request| request.contains("address_balance")).count();
    assert_eq!(counts, 2, "the used addresses are counted once");
}

/// Everything that can happen to a ledger, while the wallet is away and while it runs.
#[tokio::test(flavor = "multi_thread")]
async fn whatever_happened_meanwhile() {
    let kept = Kept::with_history().await;
    // Deterministic: a failure can be looked at again.
    let mut seed = 7u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for round in 0..12 {
        let wallet = kept.is_as_fresh_after_start().await;
        let sent = wallet.send(pay(1 + random(50))).await.unwrap();
        wallet.stop().await;
        for _ in 0..=random(4) {
            match random(6) {
                0 => kept.mine(None),
                1 => kept.mine(Some(random(3) as u32)),
                2 => {
                    let blocks = 1 + random(2) as u32;
                    kept.devnet.change(|chain, _| chain.undo_blocks(blocks));
                }
                3 => conflict(&kept.devnet, &kept.keys(), &sent.transaction, random(2) == 0),
                _ => {
                    kept.fund(random(30 + round) as u32, 1 + random(1_000));
                }
            }
        }
    }
    kept.is_as_fresh_after_start().await;
}

/// Another node brings a spend of the same outputs; a heavier one wins.
pub fn conflict(devnet: &Devnet, keys: &AccountKeys, sent: &Transaction, heavier: bool) {
    let mut rival = sent.clone();
    rival.timestamp += 1;
    rival.weight += if heavier { 6.0 } else { 0.0 };
    let digest = rival.sighash().unwrap();
    let hashes = keys.public().key_hashes(0..200);
    for input in &mut rival.inputs {
        let output = devnet.read(|chain| {
            chain.get(&input.spends.tx).unwrap().outputs()[usize::from(input.spends.index)].clone()
        });
        let paid = paid(&output.script);
        let signer =
            hashes.iter().position(|hash| Address::p2pkh(Network::Privatenet, *hash) == paid).unwrap();
        input.data = keys.sign(signer as u32, &digest).to_bytes().unwrap();
    }
    let job = MiningJob::new(&rival.mining_bytes().unwrap(), rival.weight);
    rival.nonce = job.search(0..1 << 32).unwrap();
    let bytes = rival.to_bytes().unwrap();
    // Refused once blocks that it builds on are undone; that is as good a thing to happen as any.
    let _ = devnet.change(|chain, now| chain.receive(&bytes, now + 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_greater_gap_limit_finds_what_the_smaller_one_did_not_see() {
    let mut kept = Kept::new().await;
    kept.gap_limit = 3;
    for number in 0..9 {
        kept.fund(0, 10 + number);
    }
    kept.fund(9, 500);
    kept.mine(None);
    let wallet = kept.is_as_fresh_after_start().await;
    assert_eq!(seen(&wallet).addresses, 4);
    wallet.stop().await;
    kept.gap_limit = 10;
    let wallet = kept.is_as_fresh_after_start().await;
    assert_eq!(seen(&wallet).addresses, 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_lacks_something_is_filled_up() {
    let kept = Kept::with_history().await;
    let (store, mut changes) = kept.store().await;
    let whole = changes.clone();
    let oldest = changes.history().min_by_key(|v| (v.timestamp, v.id)).unwrap().id;
    changes.vertices.remove(&oldest);
    changes.forget = true;
    store.append(&changes).await.unwrap();
    kept.is_as_fresh_after_start().await.stop().await;
    assert_eq!(store.load().await.unwrap(), whole);
}

/// Amounts, spends and whole transactions that the ledger does not have.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_says_something_else_is_loaded_anew() {
    for spoil in [
        (|vertex: &mut Vertex| vertex.outputs[0].output.value = Amount::from(1_000_000)) as fn(&mut Vertex),
        |vertex| vertex.id = VertexId([9; 32]),
        |vertex| vertex.voided = true,
        |vertex| {
            vertex.id = VertexId([9; 32]);
            vertex.first_block = None;
        },
    ] {
        let kept = Kept::with_history().await;
        let (store, mut changes) = kept.store().await;
        let whole = changes.clone();
        let mut vertex = changes.history().max_by_key(|v| (v.timestamp, v.id)).unwrap();
        spoil(&mut vertex);
        changes.vertices.insert(vertex.id, PackedVertex::of(&vertex));
        changes.forget = true;
        store.append(&changes).await.unwrap();
        kept.is_as_fresh_after_start().await.stop().await;
        assert_eq!(store.load().await.unwrap(), whole);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_kept_of_another_chain_is_not_looked_at() {
    let mut kept = Kept::with_history().await;
    let (store, changes) = kept.store().await;
    // The same network, begun anew: its genesis is the same here, so the store's name is changed instead.
    let other = Owner {
        wallet: kept.keys().public().wallet_id(),
        network: "privatenet".to_owned(),
        genesis: Some(VertexId([1; 32])),
    };
    let stores = Arc::new(MemoryStores::default());
    stores.open(&other).await.unwrap().0.append(&changes).await.unwrap();
    drop(store);
    kept.stores = stores;
    kept.devnet = devnet().await;
    let wallet = kept.start().await;
    assert_eq!(seen(&wallet).history, BTreeMap::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_connection_is_mended_by_asking_for_what_is_new() {
    let rig = Rig::with(&[100, 200, 300, 400]).await;
    let address = rig.address(0);
    rig.devnet.change(|chain, now| chain.mine_block(vec![0x51], now));
    rig.devnet.set_node_faults(headless_wallet::devnet::NodeFaults {
        mode: headless_wallet::devnet::NodeMode::Down,
        ..Default::default()
    });
    rig.until_status(|status| status.phase == Phase::Connecting).await;
    rig.devnet.change(|chain, now| chain.fund(address, Amount::from(70), now)).unwrap();
    rig.devnet.set_node_faults(Default::default());
    rig.until(|state, now| state.balance(TokenUid::Native, now).available == Amount::from(1_070)).await;
}
