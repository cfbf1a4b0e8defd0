//! A wallet that runs while everything happens to its ledger and its node. A naive model recomputes what the
//! wallet should say from the whole ledger, every transaction and block of it, and the wallet must agree
//! after every step.

use crate::proxy::{Fault, Proxy};
use crate::resume::conflict;
use crate::rig::{PATIENCE, account, backend_at, devnet};
use headless_wallet::devnet::Devnet;
use headless_wallet::devnet::chain::Chain;
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{
    Address, Amount, Network, Outpoint, Script, TokenUid, TokenVersion, Transaction, Vertex, VertexId,
};
use headless_wallet::rt::unix_seconds;
use headless_wallet::service::{Options, Phase, Wallet};
use headless_wallet::wallet::{
    AuthorityTo, CreateTokenRequest, OutputRequest, SendRequest, State, UtxoFilter,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const CASES: usize = 4;
const GAP: u32 = 20;
/// Addresses that the steps may pay; with all of them used, twenty more are watched.
const PAID: u32 = 50;

#[derive(Clone, Debug)]
enum Step {
    /// Somebody pays an address, with as many transactions.
    Fund {
        index: u32,
        amount: u64,
        times: u64,
    },
    /// A block pays an address, or nobody's.
    Mine {
        index: Option<u32>,
    },
    /// The last blocks come undone.
    Undo {
        blocks: u32,
    },
    /// The wallet pays one of its own addresses, locked for a while or not, or somebody else.
    Send {
        index: Option<u32>,
        amount: u64,
        locked: bool,
    },
    CreateToken {
        amount: u64,
    },
    /// Another node brings a rival of what the wallet sent last.
    Conflict {
        heavier: bool,
    },
    /// The connection breaks, and something happens before the next one stands.
    Break {
        index: u32,
    },
    /// The connection brings noise.
    Noise,
    /// Another node takes the place of this one that knows nothing of it all, and goes again.
    Behind,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (index, amount) = (0..PAID, 1u64..500);
    let own = prop::option::weighted(0.6, index.clone());
    let step = prop_oneof![
        4 => (index.clone(), amount.clone(), 1u64..4)
            .prop_map(|(index, amount, times)| Step::Fund { index, amount, times }),
        3 => own.clone().prop_map(|index| Step::Mine { index }),
        2 => (1u32..4).prop_map(|blocks| Step::Undo { blocks }),
        4 => (own, amount, prop::bool::weighted(0.3))
            .prop_map(|(index, amount, locked)| Step::Send { index, amount, locked }),
        1 => (1u64..300).prop_map(|amount| Step::CreateToken { amount }),
        2 => any::<bool>().prop_map(|heavier| Step::Conflict { heavier }),
        1 => index.prop_map(|index| Step::Break { index }),
        1 => Just(Step::Noise),
        1 => Just(Step::Behind),
    ];
    prop::collection::vec(step, 10..20)
}

/// What a wallet says, or should say.
#[derive(Debug, Default, PartialEq)]
struct Said {
    valid: BTreeSet<VertexId>,
    /// Amount, and whether it is locked.
    unspent: BTreeMap<Outpoint, (TokenUid, u128, bool)>,
    /// Available and locked.
    balances: BTreeMap<TokenUid, (u128, u128)>,
    addresses: u32,
}

impl Said {
    fn by(state: &State, now: u32) -> Self {
        let valid = state.history().filter(|vertex| !vertex.voided).map(|vertex| vertex.id).collect();
        let mut said = Self { valid, addresses: state.addresses().len() as u32, ..Self::default() };
        let tokens: BTreeSet<TokenUid> = state.history().flat_map(|vertex| tokens_of(&vertex)).collect();
        for token in tokens {
            let filter = UtxoFilter { token, ..UtxoFilter::default() };
            for utxo in state.utxos(&filter, now).utxos {
                said.unspent.insert(utxo.outpoint, (token, utxo.value.cents(), utxo.locked));
            }
            let balance = state.balance(token, now);
            let amounts = (balance.available.cents(), balance.locked.cents());
            if amounts != (0, 0) {
                said.balances.insert(token, amounts);
            }
        }
        said
    }

    /// From every vertex of the ledger, with no memory of what was before, except that so many addresses are
    /// watched already.
    fn recomputed(
        chain: &Chain,
        own: &BTreeMap<Address, u32>,
        watched: u32,
        now: u32,
        reward_lock: u32,
    ) -> Self {
        let ids: Vec<VertexId> = chain.arrivals().map(|stored| stored.id).collect();
        let all: Vec<Vertex> = ids.iter().filter_map(|id| chain.vertex(id)).collect();
        let payee = |script: &[u8]| match Script::parse(script, Network::Privatenet) {
            Some(Script::Pay { to, timelock }) => Some((*own.get(&to)?, timelock.unwrap_or(0))),
            _ => None,
        };
        let touched = |vertex: &Vertex| {
            let outputs = vertex.outputs.iter().map(|output| &output.output);
            let spent = vertex.inputs.iter().map(|input| &input.output);
            outputs.chain(spent).filter_map(|output| payee(&output.script)).map(|(index, _)| index).collect()
        };
        let touched: Vec<Vec<u32>> = all.iter().map(touched).collect();
        let mut count = watched;
        while let Some(last) = touched.iter().flatten().filter(|index| **index < count).max()
            && last + 1 + GAP > count
        {
            count = last + 1 + GAP;
        }
        let mut said = Self { addresses: count, ..Self::default() };
        for (vertex, _) in all
            .iter()
            .zip(&touched)
            .filter(|(vertex, touched)| !vertex.voided && touched.iter().any(|index| *index < count))
        {
            said.valid.insert(vertex.id);
            for (index, output) in (0..).zip(&vertex.outputs) {
                let outpoint = Outpoint { tx: vertex.id, index };
                let spends = |other: &Vertex| other.inputs.iter().any(|input| input.spends == outpoint);
                let Some((address, lock)) = payee(&output.output.script) else { continue };
                if address >= count
                    || output.output.token_data.is_authority()
                    || all.iter().any(|other| !other.voided && spends(other))
                {
                    continue;
                }
                let ripe = vertex.height.map_or(0, |height| height + reward_lock);
                let locked = (lock > 0 && now <= lock) || (vertex.is_block() && chain.best_block().1 < ripe);
                let (token, value) = (output.output.token, output.output.value.cents());
                said.unspent.insert(outpoint, (token, value, locked));
                let balance = said.balances.entry(token).or_default();
                *(if locked { &mut balance.1 } else { &mut balance.0 }) += value;
            }
        }
        said
    }
}

fn tokens_of(vertex: &Vertex) -> Vec<TokenUid> {
    vertex.outputs.iter().map(|output| output.output.token).collect()
}

struct World {
    devnet: Devnet,
    node: Proxy,
    wallet: Wallet,
    keys: AccountKeys,
    own: BTreeMap<Address, u32>,
    sent: Option<Transaction>,
    /// The last time lock ends.
    unlocked: u32,
    /// How many addresses were watched when wallet and model last agreed.
    watched: u32,
}

impl World {
    async fn new() -> Self {
        let (devnet, words) = (devnet().await, Mnemonic::generate().unwrap());
        let node = Proxy::before(&devnet.node_url()).await;
        let backend = backend_at(&node.url(&devnet.node_url()), &devnet.mining_url());
        let wallet = Wallet::start(account(&words), backend, Options::default()).await.unwrap();
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        let keys = AccountKeys::from_mnemonic(&words, "");
        let hashes = keys.public().key_hashes(0..PAID + 2 * GAP);
        let own = (0..).zip(hashes).map(|(index, hash)| (Address::p2pkh(Network::Privatenet, hash), index));
        Self { own: own.collect(), devnet, node, wallet, keys, sent: None, unlocked: 0, watched: GAP }
    }

    fn address(&self, index: u32) -> Address {
        *self.own.iter().find(|(_, at)| **at == index).unwrap().0
    }

    /// Waits until the wallet is ready and says what the model has of the ledger: another one, or this
    /// network's.
    async fn agrees_with(&mut self, other: Option<&Devnet>, after: &str) {
        let devnet = other.unwrap_or(&self.devnet);
        let reward_lock = self.wallet.node_version().reward_spend_min_blocks;
        let compare = || {
            self.wallet.read(|state, now| {
                let wanted =
                    devnet.read(|chain| Said::recomputed(chain, &self.own, self.watched, now, reward_lock));
                (Said::by(state, now), wanted)
            })
        };
        let agreed = async {
            while !compare().is_ok_and(|(said, wanted)| said == wanted) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, agreed).await;
        let (said, wanted) = compare().unwrap();
        if in_time.is_err() {
            assert_eq!(said, wanted, "{after}");
        }
        self.watched = said.addresses;
    }

    async fn send(&mut self, to: Address, amount: u64, timelock: Option<u32>) {
        let (value, token) = (Amount::from(amount), TokenUid::Native);
        let outputs = vec![OutputRequest::Pay { to, value, token, timelock }];
        // Too little, or not yet ripe: then nothing happens.
        if let Ok(sent) = self.wallet.send(SendRequest { outputs, ..SendRequest::default() }).await {
            self.sent = Some(sent.transaction);
            self.unlocked = self.unlocked.max(timelock.unwrap_or(0));
        }
    }

    fn fund(&self, index: u32, amount: u64) {
        let to = self.address(index);
        // Its coins may be rewards that came undone: then nothing happens.
        let _ = self.devnet.change(|chain, now| chain.fund(to, Amount::from(amount), now));
    }

    async fn until_broken(&self) {
        let mut status = self.wallet.watch();
        let broken = status.wait_for(|status| status.phase != Phase::Ready);
        tokio::time::timeout(PATIENCE, broken).await.unwrap().unwrap();
    }

    async fn take(&mut self, step: &Step) {
        match *step {
            Step::Fund { index, amount, times } => (0..times).for_each(|_| self.fund(index, amount)),
            Step::Mine { index } => {
                let to = index.map_or(Address::p2pkh(Network::Privatenet, [8; 20]), |i| self.address(i));
                let script = Script::Pay { to, timelock: None }.to_bytes().unwrap();
                self.devnet.change(|chain, now| chain.mine_block(script, now));
            }
            Step::Undo { blocks } => drop(self.devnet.change(|chain, _| chain.undo_blocks(blocks))),
            Step::Send { index, amount, locked } => {
                let to = index.map_or(Address::p2pkh(Network::Privatenet, [7; 20]), |i| self.address(i));
                self.send(to, amount, locked.then(|| unix_seconds() + 2)).await;
            }
            Step::CreateToken { amount } => {
                let request = CreateTokenRequest {
                    name: "Whole".to_owned(),
                    symbol: "WHL".to_owned(),
                    version: TokenVersion::Deposit,
                    amount: Amount::from(amount),
                    address: None,
                    change_address: None,
                    mint_authority: Some(AuthorityTo::default()),
                    melt_authority: None,
                    data: Vec::new(),
                    data_first: false,
                };
                if let Ok(sent) = self.wallet.create_token(request).await {
                    self.sent = Some(sent.transaction);
                }
            }
            Step::Conflict { heavier } => {
                if let Some(sent) = &self.sent {
                    conflict(&self.devnet, &self.keys, sent, heavier);
                }
            }
            Step::Break { index } => {
                self.node.refuse();
                self.until_broken().await;
                self.fund(index, 9);
                self.node.mend();
            }
            Step::Noise => {
                self.node.fault("ws", Fault::Noise, 1);
                self.until_broken().await;
            }
            Step::Behind => {
                let behind = devnet().await;
                self.node.switch_to(&behind.node_url());
                self.until_broken().await;
                self.agrees_with(Some(&behind), "another node took its place").await;
                self.node.switch_to(&self.devnet.node_url());
                self.until_broken().await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wallet_agrees_with_the_whole_ledger_after_every_step() {
    let mut runner = TestRunner::default();
    for _ in 0..CASES {
        let steps = steps().new_tree(&mut runner).unwrap().current();
        let mut world = World::new().await;
        for (number, step) in steps.iter().enumerate() {
            world.take(step).await;
            world.agrees_with(None, &format!("step {number} of {steps:?}")).await;
        }
        // Time passes, and what it locks comes free.
        while unix_seconds() <= world.unlocked {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        world.agrees_with(None, &format!("all of {steps:?}")).await;
        world.wallet.stop().await;
    }
}
