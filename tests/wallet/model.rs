//! A model that knows no shortcuts: after every step it recomputes everything from all that was told, and the
//! wallet must agree.

use crate::support::*;
use headless_wallet::ledger::{Address, Outpoint, SpentOutput, TokenUid, Vertex, VertexId, VertexInput};
use headless_wallet::wallet::{Balance, ChangeSet, Event, Scan, Settings, State, Update, UtxoFilter};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

const GAP: u32 = 3;
const REWARD_LOCK: u32 = 10;
const TOKENS: [TokenUid; 2] = [TokenUid::Native, TokenUid::Custom(VertexId([200; 32]))];
/// Times around the locks that the vertices have.
const TIMES: [u32; 4] = [0, 5, 6, 100];

fn gap_settings() -> Settings {
    Settings { scan: Scan::GapLimit(GAP), reward_spend_min_blocks: REWARD_LOCK, ..settings() }
}
fn new_state() -> State {
    State::new(account(), gap_settings())
}

/// The wallet's addresses, by the hash in the scripts that pay them.
fn mine() -> &'static BTreeMap<Vec<u8>, u32> {
    static MINE: OnceLock<BTreeMap<Vec<u8>, u32>> = OnceLock::new();
    let hash = |index| wallet().address(index).unwrap().hash().to_vec();
    MINE.get_or_init(|| (0..16).map(|index| (hash(index), index)).collect())
}

/// What was told, in its latest version, and the wallet that it was told to.
struct Told {
    state: State,
    vertices: BTreeMap<VertexId, Vertex>,
    changes: ChangeSet,
    height: Option<u32>,
}

/// An output of the model: value, whether it is an authority, address, time lock, height from which it can be
/// spent.
type Coin = (u128, bool, u32, u32, Option<u32>);

impl Told {
    fn new() -> Self {
        let state = new_state();
        Self { state, vertices: BTreeMap::new(), changes: ChangeSet::default(), height: None }
    }
    /// Applies as the service does: when addresses are derived, everything is told again.
    fn tell(&mut self, vertex: Vertex) {
        self.vertices.insert(vertex.id, vertex.clone());
        let mut update = self.apply(vertex);
        while update.events.iter().any(|event| matches!(event, Event::NewAddresses(_))) {
            update = Update::default();
            for vertex in self.vertices.clone().into_values() {
                update.events.extend(self.apply(vertex).events);
            }
        }
    }
    fn apply(&mut self, vertex: Vertex) -> Update {
        let update = self.state.apply(vertex);
        self.changes.merge(update.changes.clone());
        update
    }

    /// Which of the wallet's first `count` addresses a script pays, and from when.
    fn owner(&self, output: &SpentOutput, count: u32) -> Option<(u32, u32)> {
        let script = &output.script;
        let (lock, payment) = match script.len() {
            31 => (u32::from_be_bytes(script[1..5].try_into().unwrap()), &script[6..]),
            _ => (0, &script[..]),
        };
        let index = *mine().get(payment.get(3..23)?)?;
        (index < count).then_some((index, lock))
    }
    fn touches(&self, vertex: &Vertex, count: u32) -> Option<u32> {
        let outputs = vertex.outputs.iter().map(|o| &o.output).chain(vertex.inputs.iter().map(|i| &i.output));
        outputs.filter_map(|output| self.owner(output, count)).map(|(index, _)| index).max()
    }
    /// How many addresses are derived, and the current one.
    fn window(&self) -> (u32, u32) {
        let (mut count, mut current) = (GAP, 0);
        while let Some(last) = self.vertices.values().filter_map(|v| self.touches(v, count)).max() {
            if last < current {
                break;
            }
            (count, current) = (last + 1 + GAP, last + 1);
        }
        (count, current)
    }
    fn coins(&self) -> BTreeMap<(Outpoint, TokenUid), Coin> {
        let (count, _) = self.window();
        let valid = || self.vertices.values().filter(|v| !v.voided);
        let mut coins = BTreeMap::new();
        for vertex in valid() {
            for (index, out) in (0..).zip(&vertex.outputs) {
                let outpoint = Outpoint { tx: vertex.id, index };
                let spent = valid().any(|v| v.inputs.iter().any(|input| input.spends == outpoint));
                let said = out.spent_by.is_some_and(|id| self.vertices.get(&id).is_none_or(|v| !v.voided));
                if let Some((address, lock)) = self.owner(&out.output, count)
                    && !spent
                    && !said
                {
                    let authority = out.output.token_data.is_authority();
                    let height =
                        vertex.is_block().then(|| vertex.height.map_or(u32::MAX, |h| h + REWARD_LOCK));
                    let coin = (out.output.value.cents(), authority, address, lock, height);
                    coins.insert((outpoint, out.output.token), coin);
                }
            }
        }
        coins
    }
    fn is_locked(&self, (_, _, _, lock, height): Coin, now: u32) -> bool {
        (lock > 0 && now <= lock) || height.is_some_and(|h| self.height.is_none_or(|best| best < h))
    }

    fn check(&self) {
        let coins = self.coins();
        for token in TOKENS {
            let of_token = || coins.iter().filter(move |((_, t), _)| *t == token);
            for now in TIMES {
                let mut wanted = Balance::default();
                let (mut available, mut locked) = (0, 0);
                for (_, coin) in of_token() {
                    let is_locked = self.is_locked(*coin, now);
                    if coin.1 {
                        for (bit, count) in [(1, &mut wanted.mint), (2, &mut wanted.melt)] {
                            let side = if is_locked { &mut count.1 } else { &mut count.0 };
                            *side += u32::from(coin.0 & bit != 0);
                        }
                    } else {
                        *(if is_locked { &mut locked } else { &mut available }) += coin.0;
                    }
                }
                wanted.available = headless_wallet::ledger::Amount::new(available);
                wanted.locked = headless_wallet::ledger::Amount::new(locked);
                assert_eq!(self.state.balance(token, now), wanted, "{token} at {now}");

                let filter = UtxoFilter { token, ..UtxoFilter::default() };
                let listed = self.state.utxos(&filter, now).utxos.into_iter();
                let listed: BTreeMap<_, _> =
                    listed.map(|u| (u.outpoint, (u.value.cents(), u.address_index, u.locked))).collect();
                let amounts = of_token().filter(|(_, coin)| !coin.1);
                let wanted = amounts.map(|((o, _), coin)| (*o, (coin.0, coin.2, self.is_locked(*coin, now))));
                assert_eq!(listed, wanted.collect());
            }
            self.check_received(token, &coins);
        }
        let (count, current) = self.window();
        assert_eq!((self.state.addresses().len() as u32, self.state.current_index()), (count, current));
        let kept = self.vertices.values().filter(|v| self.touches(v, count).is_some());
        let mut kept: Vec<_> = kept.cloned().collect();
        kept.sort_by_key(|v| std::cmp::Reverse((v.timestamp, v.id)));
        let listed: Vec<_> = self.state.history().collect();
        for (told, listed) in kept.iter_mut().zip(&listed) {
            self.fill_spenders(told, listed);
        }
        assert_eq!(listed, kept);
    }
    /// The wallet may name another spender than the node did: any valid one that it knows. It names none that
    /// it knows to be voided.
    fn fill_spenders(&self, told: &mut Vertex, listed: &Vertex) {
        let is_void = |id: &VertexId| {
            self.vertices.get(id).is_some_and(|v| v.voided) && self.state.vertex(id).is_some()
        };
        for (index, (told_output, listed_output)) in (0..).zip(told.outputs.iter_mut().zip(&listed.outputs)) {
            let outpoint = Outpoint { tx: told.id, index };
            let spender = listed_output.spent_by.and_then(|id| self.vertices.get(&id));
            if spender.is_some_and(|v| !v.voided && v.inputs.iter().any(|input| input.spends == outpoint)) {
                told_output.spent_by = listed_output.spent_by;
            }
            told_output.spent_by = told_output.spent_by.filter(|id| !is_void(id));
        }
    }
    fn check_received(&self, token: TokenUid, coins: &BTreeMap<(Outpoint, TokenUid), Coin>) {
        for (index, address) in (0..).zip(self.state.addresses()) {
            let outputs = self.vertices.values().filter(|v| !v.voided).flat_map(|v| &v.outputs);
            let received: u128 = outputs
                .filter(|o| o.output.token == token && !o.output.token_data.is_authority())
                .filter(|o| self.owner(&o.output, u32::MAX).is_some_and(|(i, _)| i == index))
                .map(|o| o.output.value.cents())
                .sum();
            let left = coins.iter().filter(|((_, t), coin)| *t == token && !coin.1 && coin.2 == index);
            let left: u128 = left.map(|(_, coin)| coin.0).sum();
            let info = self.state.address_info(&address, token, 5).unwrap();
            assert_eq!((info.received.cents(), info.sent.cents()), (received, received - left));
        }
    }
    /// A wallet restored from its changes is the same wallet.
    fn check_restored(&self) {
        let restored = State::restore(account(), gap_settings(), self.changes.clone());
        assert_eq!(restored.snapshot(), self.state.snapshot());
        let again = Told { state: restored, ..Told::new() };
        let again = Told { vertices: self.vertices.clone(), height: self.height, ..again };
        again.check();
    }
}

/// What may happen: something is told, a little different each time, or the best block moves, or a plan is
/// made.
#[derive(Clone, Debug)]
enum Step {
    Tell { which: usize, voided: bool, first_block: bool, spender: Option<usize> },
    Height(u32),
    Plan { amount: u64, token: usize, now: usize },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (any::<usize>(), prop::bool::weighted(0.2), any::<bool>(), any::<Option<usize>>()).prop_map(
            |(which, voided, first_block, spender)| Step::Tell { which, voided, first_block, spender }
        ),
        1 => (0u32..30).prop_map(Step::Height),
        2 => (1u64..300, 0usize..2, 0usize..4).prop_map(|(amount, token, now)| Step::Plan { amount, token, now }),
    ]
}

/// An output: to which address (of nine; the tenth is foreign), how much, of which token, locked until when,
/// an authority or not.
type OutputSeed = (u32, u64, usize, Option<u32>, bool);

fn seeds() -> impl Strategy<Value = Vec<(Vec<OutputSeed>, Vec<usize>, bool)>> {
    let lock = prop::option::weighted(0.3, 1u32..9);
    let output = (0u32..10, 1u64..200, 0usize..2, lock, prop::bool::weighted(0.2));
    let vertex = (prop::collection::vec(output, 1..4), prop::collection::vec(any::<usize>(), 0..3));
    let vertex =
        (vertex, prop::bool::weighted(0.2)).prop_map(|((outputs, inputs), block)| (outputs, inputs, block));
    prop::collection::vec(vertex, 1..9)
}

/// A small ledger, with conflicts: several vertices may spend one output.
fn ledger(seeds: Vec<(Vec<OutputSeed>, Vec<usize>, bool)>) -> Vec<Vertex> {
    let state = new_state();
    let mut vertices: Vec<Vertex> = Vec::new();
    for (number, (outputs, inputs, is_block)) in (0..).zip(seeds) {
        let outputs = outputs.into_iter().map(|(to, value, token, lock, right)| {
            let to: Address = if to == 9 { foreign() } else { state.address(to).unwrap() };
            let (token, right) = (TOKENS[token], right && token == 1);
            let output = if right { authority(to, value % 3 + 1, token) } else { output(to, value, token) };
            SpentOutput { script: pays(to, lock), ..output }
        });
        let outputs = outputs.collect();
        let earlier: Vec<_> = vertices
            .iter()
            .flat_map(|v| {
                (0..).zip(&v.outputs).map(|(index, o)| (Outpoint { tx: v.id, index }, o.output.clone()))
            })
            .collect();
        let mut vertex =
            if is_block { block(number, number.into(), outputs) } else { vertex(number, outputs) };
        if !is_block && !earlier.is_empty() {
            let chosen: BTreeSet<_> = inputs.iter().map(|input| input % earlier.len()).collect();
            let input = |at: usize| VertexInput { spends: earlier[at].0, output: earlier[at].1.clone() };
            vertex.inputs = chosen.into_iter().map(input).collect();
        }
        vertices.push(vertex);
    }
    vertices
}

/// The version of a vertex that a node might show: any of its spenders, or none yet, has its outputs.
fn shown(ledger: &[Vertex], which: usize, voided: bool, first_block: bool, spender: Option<usize>) -> Vertex {
    let mut vertex = ledger[which % ledger.len()].clone();
    vertex.voided = voided;
    vertex.first_block = first_block.then_some(id(250));
    for (index, output) in (0..).zip(&mut vertex.outputs) {
        let outpoint = Outpoint { tx: vertex.id, index };
        let spends = |v: &&Vertex| v.inputs.iter().any(|input| input.spends == outpoint);
        let spenders: Vec<_> = ledger.iter().filter(spends).collect();
        if let (Some(pick), false) = (spender, spenders.is_empty()) {
            output.spent_by = Some(spenders[pick % spenders.len()].id);
        }
    }
    vertex
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn the_wallet_agrees_with_the_model_after_every_step(
        seeds in seeds(),
        steps in prop::collection::vec(step(), 1..25),
    ) {
        let ledger = ledger(seeds);
        let mut told = Told::new();
        for step in steps {
            match step {
                Step::Tell { which, voided, first_block, spender } => {
                    told.tell(shown(&ledger, which, voided, first_block, spender));
                }
                Step::Height(height) => {
                    told.changes.merge(told.state.set_best_height(height).changes);
                    told.height = Some(height);
                }
                Step::Plan { amount, token, now } => {
                    let request = send(vec![pay(amount, TOKENS[token])]);
                    let now = TIMES[now];
                    let wanted = told.state.balance(TOKENS[token], now).available >= cents(amount);
                    let plan = told.state.plan_send(&request, now, now + 10);
                    prop_assert_eq!(plan.is_ok(), wanted);
                    if let Ok(plan) = plan {
                        told.state.release(plan.reservation);
                    }
                }
            }
            told.check();
        }
        told.check_restored();
    }
}
