//! Several views of one account: each answers as a wallet that has nothing but that view, whatever the others
//! watch.

use crate::support::*;
use headless_wallet::ledger::{Address, Outpoint, SpentOutput, TokenUid, Vertex, VertexId, VertexInput};
use headless_wallet::wallet::{
    AddressInfo, ChangeSet, Event, PlanError, Scan, Settings, State, UtxoFilter, ViewId,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::OnceLock;

const TOKENS: [TokenUid; 2] = [NATIVE, TokenUid::Custom(VertexId([200; 32]))];

fn alone(scan: Scan) -> State {
    State::new(account(), Settings { scan, ..settings() })
}

fn address(index: u32) -> Address {
    static ADDRESSES: OnceLock<Vec<Address>> = OnceLock::new();
    let derive = || alone(Scan::GapLimit(60)).addresses().collect();
    ADDRESSES.get_or_init(derive)[index as usize]
}

/// What a wallet says that is seen through a view.
#[derive(Debug, PartialEq)]
struct Answers {
    addresses: Vec<String>,
    current: String,
    history: Vec<VertexId>,
    lookups: Vec<Option<VertexId>>,
    utxos: Vec<String>,
    balances: Vec<String>,
    infos: Vec<Option<AddressInfo>>,
    tokens: Vec<TokenUid>,
    planned: Vec<Result<Vec<String>, PlanError>>,
    next_unlock: Option<u32>,
}

fn answers(state: &mut State, told: &BTreeMap<VertexId, Vertex>) -> Answers {
    let texts = |state: &State, index| state.address_text(index).unwrap().to_owned();
    let planned = [(NATIVE, 1), (NATIVE, 40), (TOKENS[1], 3)].map(|(token, value)| {
        let plan = state.plan_send(&send(vec![pay(value, token)]), NOW, LATER)?;
        state.release(plan.reservation);
        let mut inputs: Vec<_> = inputs(&plan).iter().map(|input| format!("{input:?}")).collect();
        inputs.sort();
        Ok(inputs)
    });
    let mut utxos = Vec::new();
    for token in TOKENS {
        let list = state.utxos(&UtxoFilter { token, ..UtxoFilter::default() }, NOW);
        utxos.extend(list.utxos.iter().map(|utxo| format!("{utxo:?}")));
    }
    utxos.sort();
    let mut tokens: Vec<_> = state.tokens().collect();
    tokens.sort();
    Answers {
        addresses: state.addresses_to_watch(0).map(|index| texts(state, index)).collect(),
        current: state.current_address().to_string(),
        history: state.history().map(|vertex| vertex.id).collect(),
        lookups: told.keys().map(|id| state.vertex(id).map(|vertex| vertex.id)).collect(),
        utxos,
        balances: TOKENS.map(|token| format!("{:?}", state.balance(token, NOW))).to_vec(),
        infos: (0..50).map(|index| state.address_info(&address(index), NATIVE, NOW)).collect(),
        tokens,
        planned: planned.to_vec(),
        next_unlock: state.next_unlock(NOW),
    }
}

/// Tells as the service does: when addresses are derived, everything is told again.
fn tell(state: &mut State, told: &BTreeMap<VertexId, Vertex>, mut events: Vec<Event>) {
    while events.iter().any(|event| matches!(event, Event::NewAddresses(_))) {
        events = told.values().flat_map(|vertex| state.apply(vertex.clone()).events).collect();
    }
}

fn scan() -> impl Strategy<Value = Scan> {
    prop_oneof![
        (1u32..9).prop_map(Scan::GapLimit),
        (0u32..40, 0u32..9).prop_map(|(first, more)| Scan::IndexLimit { first, last: first + more }),
    ]
}

/// Which addresses are paid, of which token, locked until a second later; which earlier vertex is spent; and
/// whether it is void.
type Step = (Vec<(u32, bool, bool)>, Option<usize>, bool);

fn step() -> impl Strategy<Value = Step> {
    let index = prop_oneof![0u32..12, 0u32..50];
    let paid = proptest::collection::vec((index, any::<bool>(), proptest::bool::weighted(0.2)), 1..4);
    (paid, proptest::option::of(0usize..30), proptest::bool::weighted(0.1))
}

proptest! {
    #[test]
    fn a_view_answers_as_a_wallet_that_is_alone(
        scans in proptest::collection::vec(scan(), 1..4),
        joins in 0usize..12,
        steps in proptest::collection::vec(step(), 1..12),
    ) {
        let mut alones: Vec<State> = scans.iter().map(|scan| alone(*scan)).collect();
        let mut joint = alone(scans[0]);
        let mut views: Vec<ViewId> = vec![joint.this_view()];
        let mut told: BTreeMap<VertexId, Vertex> = BTreeMap::new();
        let mut order: Vec<VertexId> = Vec::new();
        for (number, (paid, spent, voided)) in (0u8..).zip(steps) {
            if usize::from(number) == joins {
                join(&mut joint, &mut views, &scans, &told);
            }
            // Each value is there once, so that what is selected does not hang on the order of utxos.
            let value = |place: u64| u64::from(number) * 4 + place + 1;
            let outputs = (0..).zip(&paid).map(|(place, (index, custom, locked))| {
                let token = TOKENS[usize::from(*custom)];
                let script = pays(address(*index), locked.then_some(NOW + 5));
                SpentOutput { script, ..output(address(*index), value(place), token) }
            });
            let mut new = vertex(number + 1, outputs.collect());
            new.voided = voided;
            if let Some(earlier) = spent.and_then(|place| told.get(order.get(place)?)) {
                let spends = Outpoint { tx: earlier.id, index: 0 };
                new.inputs = vec![VertexInput { spends, output: earlier.outputs[0].output.clone() }];
            }
            order.push(new.id);
            told.insert(new.id, new.clone());
            for state in alones.iter_mut().chain([&mut joint]) {
                let events = state.apply(new.clone()).events;
                tell(state, &told, events);
            }
        }
        join(&mut joint, &mut views, &scans, &told);
        for ((view, alone), scan) in views.iter().zip(&mut alones).zip(&scans) {
            joint.see(Some(*view));
            let seen = answers(&mut joint, &told);
            joint.see(None);
            prop_assert_eq!(seen, answers(alone, &told), "through {:?} of {:?}", scan, scans);
        }
        let biggest = views.iter().filter(|view| joint.is_whole(**view)).count();
        prop_assert!(biggest > 0 || views.len() > 1, "a single view is whole");
        // Whoever is left answers the same when the others have gone.
        let (view, alone) = (views[views.len() - 1], &mut alones[views.len() - 1]);
        joint.retain_views(&[view]);
        joint.see(Some(view));
        prop_assert_eq!(answers(&mut joint, &told), answers(alone, &told));
    }
}

/// The other views are added, piece by piece.
fn join(joint: &mut State, views: &mut Vec<ViewId>, scans: &[Scan], told: &BTreeMap<VertexId, Vertex>) {
    for scan in &scans[views.len()..] {
        let view = joint.add_view(*scan);
        loop {
            let (update, lacks_more) = joint.grow_view(view, 3);
            tell(joint, told, update.events);
            if !lacks_more {
                break;
            }
        }
        views.push(view);
    }
}

#[test]
fn an_address_that_one_view_gives_away_is_current_in_no_other() {
    let mut state = alone(Scan::GapLimit(5));
    let (one, other) = (state.this_view(), state.add_view(Scan::GapLimit(20)));
    let apart = state.add_view(Scan::IndexLimit { first: 100, last: 109 });
    for view in [other, apart] {
        assert!(!state.grow_view(view, u32::MAX).1);
    }
    let mut next = |view| {
        state.see(Some(view));
        let (given, changes) = state.next_address();
        state.see(None);
        (state.index_of(&given).unwrap(), changes.current_index)
    };
    assert_eq!(next(one), (0, Some(1)));
    assert_eq!(next(other), (1, Some(2)));
    assert_eq!(next(apart), (100, None), "a view without a gap limit is as it is asked for");
    assert_eq!([next(one).0, next(one).0, next(one).0, next(one).0], [2, 3, 4, 4]);
    assert_eq!(next(other), (5, Some(6)));
    assert_eq!(next(apart).0, 101);
}

#[test]
fn what_is_reserved_or_locked_through_one_view_is_so_in_all() {
    let mut state = alone(Scan::GapLimit(5));
    let other = state.add_view(Scan::IndexLimit { first: 0, last: 1 });
    let _ = state.grow_view(other, u32::MAX);
    for (number, index) in [(1, 0), (2, 1), (3, 4)] {
        let _ = state.apply(vertex(number, vec![output(address(index), 10, NATIVE)]));
    }
    state.see(Some(other));
    let plan = state.plan_send(&send(vec![pay(20, NATIVE)]), NOW, LATER).unwrap();
    let short = state.plan_send(&send(vec![pay(30, NATIVE)]), NOW, LATER).unwrap_err();
    let insufficient = |required, available| PlanError::Insufficient {
        token: NATIVE,
        required: cents(required),
        available: cents(available),
    };
    assert_eq!(short, insufficient(30, 0), "the third output is not in this view");
    state.see(None);
    assert_eq!(state.plan_send(&send(vec![pay(11, NATIVE)]), NOW, LATER), Err(insufficient(11, 10)));
    state.release(plan.reservation);
    let _ = state.lock_outpoints(&[outpoint(3, 0), outpoint(1, 0)], NOW, u32::MAX);
    state.see(Some(other));
    assert_eq!(state.locked_outpoints(), [(outpoint(1, 0), u32::MAX)]);
    assert_eq!(inputs(&state.plan_send(&send(vec![pay(5, NATIVE)]), NOW, LATER).unwrap()), [outpoint(2, 0)]);
}

/// What a view gives away, so many times.
fn give(state: &mut State, view: ViewId, times: usize) -> Vec<u32> {
    state.see(Some(view));
    let given = (0..times).map(|_| state.next_address().0).collect::<Vec<_>>();
    state.see(None);
    given.iter().map(|address| state.index_of(address).unwrap()).collect()
}

fn add(state: &mut State, scan: Scan) -> ViewId {
    let view = state.add_view(scan);
    assert!(!state.grow_view(view, u32::MAX).1);
    view
}

fn restored(scan: Scan, kept: &ChangeSet) -> State {
    State::restore(account(), Settings { scan, ..settings() }, kept.clone())
}

#[test]
fn a_view_that_joins_gives_none_that_another_has_given() {
    let mut state = alone(Scan::GapLimit(20));
    let one = state.this_view();
    assert_eq!(give(&mut state, one, 15), (0..15).collect::<Vec<_>>());
    let other = add(&mut state, Scan::GapLimit(20));
    assert_eq!((give(&mut state, other, 2), give(&mut state, one, 1)), (vec![15, 16], vec![17]));
    // Not even when that one has gone, and a greater one is far ahead.
    state.retain_views(&[other]);
    let far = add(&mut state, Scan::GapLimit(50));
    let _ = state.apply(vertex(1, vec![output(address(40), 1, NATIVE)]));
    assert_eq!(give(&mut state, far, 1), [41]);
    state.retain_views(&[far]);
    let again = add(&mut state, Scan::GapLimit(20));
    assert_eq!((give(&mut state, again, 1), give(&mut state, far, 1)), (vec![18], vec![42]));
}

#[test]
fn after_a_restart_no_view_gives_what_was_given() {
    let (near, far) = (Scan::GapLimit(20), Scan::GapLimit(50));
    let apart = Scan::IndexLimit { first: 100, last: 109 };
    let mut state = alone(near);
    let view = state.this_view();
    let _ = give(&mut state, view, 15);
    let kept = state.snapshot();
    assert_eq!((kept.address_count, kept.current_index), (Some(20), Some(15)));
    for (first, second) in [(near, far), (far, near), (apart, near), (apart, far)] {
        let mut state = restored(first, &kept);
        let one = state.this_view();
        // What is given apart is not what gap limits give.
        if first == apart {
            assert_eq!(give(&mut state, one, 2), [100, 101]);
        }
        let other = add(&mut state, second);
        assert_eq!(give(&mut state, other, 1), [15], "{first:?}, then {second:?}");
        assert_eq!(state.snapshot().current_index, Some(16));
        state.retain_views(&[one]);
        let _ = give(&mut state, one, 1);
        let next = if first == apart { 16 } else { 17 };
        assert_eq!(restored(near, &state.snapshot()).current_index(), next);
    }
}

/// Whichever starts first: each goes as far as what is used in it says.
#[test]
fn a_view_is_after_a_restart_what_it_was() {
    let (near, far) = (Scan::GapLimit(5), Scan::GapLimit(30));
    let mut state = alone(far);
    let _ = add(&mut state, near);
    for (number, index) in [(1, 0), (2, 25)] {
        let _ = state.apply(vertex(number, vec![output(address(index), 10, NATIVE)]));
    }
    let kept = state.snapshot();
    assert_eq!(kept.address_count, Some(56));
    let mut state = restored(near, &kept);
    assert_eq!((state.addresses_to_watch(0), state.current_index()), (0..6, 1));
    assert_eq!(state.balance(NATIVE, NOW).available, cents(10));
    assert_eq!(state.snapshot().address_count, Some(56));
    let view = add(&mut state, far);
    state.see(Some(view));
    assert_eq!((state.addresses_to_watch(0), state.current_index()), (0..31, 1));
    let _ = state.apply(vertex(2, vec![output(address(25), 10, NATIVE)]));
    assert_eq!((state.addresses_to_watch(0), state.current_index()), (0..56, 26));
}

/// One that begins anew must not give the same addresses after each restart.
#[test]
fn a_smaller_gap_limit_keeps_what_it_gives() {
    let mut state = alone(Scan::GapLimit(50));
    let view = state.this_view();
    let _ = give(&mut state, view, 40);
    let mut kept = state.snapshot();
    let mut state = restored(Scan::GapLimit(20), &kept);
    let (_, changes) = state.next_address();
    kept.merge(changes);
    assert_eq!(restored(Scan::GapLimit(20), &kept).current_index(), 1);
}

/// More may have been watched than the next start asks for.
#[test]
fn an_index_limit_goes_on_after_what_was_given() {
    let to = |last| Scan::IndexLimit { first: 0, last };
    let mut state = alone(to(9));
    let extend = |state: &mut State| {
        let view = state.this_view();
        state.extend_view(view, 19);
        let _ = state.grow_view(view, u32::MAX);
        view
    };
    let view = extend(&mut state);
    let _ = give(&mut state, view, 15);
    let mut state = restored(to(9), &state.snapshot());
    assert_eq!(state.current_index(), 9);
    extend(&mut state);
    assert_eq!(state.current_index(), 15);
}

/// What an index limit has derived says nothing of where a gap limit goes.
#[test]
fn a_gap_limit_is_kept_apart_from_index_limits() {
    let mut state = alone(Scan::IndexLimit { first: 1_000, last: 1_009 });
    let _ = state.next_address();
    let kept = state.snapshot();
    assert_eq!((kept.address_count, kept.current_index), (None, Some(1_001)));
    let restored = State::restore(account(), settings(), kept);
    assert_eq!((restored.addresses_to_watch(0), restored.current_index()), (0..20, 0));
    let by_gap = state.add_view(Scan::GapLimit(20));
    let update = state.grow_view(by_gap, u32::MAX).0;
    assert_eq!(update.events, [Event::NewAddresses(10..30)]);
    assert_eq!((update.changes.address_count, state.snapshot().address_count), (Some(20), Some(20)));
}
