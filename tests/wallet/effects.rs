//! What transactions do to a wallet, as users of wallets understand it.

use super::support::*;
use headless_wallet::ledger::nano::{NanoCall, VertexNano};
use headless_wallet::ledger::{
    Amount, Cost, Direction, Effect, Execution, Script, SignedAmount, SpentOutput, TokenUid, TokenVersion,
    TransactionKind as Kind, Vertex,
};
use headless_wallet::wallet::{Event, State};
use litemap::LiteMap;

fn data(text: &str) -> SpentOutput {
    let script = Script::Data(text.to_owned()).to_bytes().unwrap().into();
    SpentOutput { script, ..output(foreign(), 1, NATIVE) }
}
fn creation(vertex: Vertex) -> Vertex {
    Vertex { version: 2, creates: Some(("Coffee".to_owned(), "CFE".to_owned())), ..vertex }
}
fn net<const N: usize>(sums: [(TokenUid, i128); N]) -> LiteMap<TokenUid, SignedAmount> {
    sums.into_iter().map(|(token, cents)| (token, SignedAmount::new(cents))).collect()
}
fn cost(deposit: i128, fee: u128, data: u128) -> Option<Cost> {
    Some(Cost { deposit: SignedAmount::new(deposit), fee: Amount::new(fee), data: Amount::new(data) })
}
fn effect(state: &State, vertex: &Vertex) -> Effect {
    state.effect(vertex, |_| None)
}

#[test]
fn a_payment_that_comes_in_costs_nothing() {
    let state = wallet();
    let mine = state.address(0).unwrap();
    let theirs = vertex(1, vec![output(foreign(), 500, NATIVE)]);
    let paid = spending(2, &[(&theirs, 0)], vec![output(foreign(), 430, NATIVE), output(mine, 70, NATIVE)]);
    let expected = Effect {
        direction: Direction::Received,
        kind: Kind::Payment,
        net: net([(NATIVE, 70)]),
        cost: cost(0, 0, 0),
        own_inputs: vec![],
        own_outputs: vec![1],
        change_outputs: vec![],
    };
    assert_eq!(effect(&state, &paid), expected);
    let reward = block(3, 7, vec![output(mine, 6_400, NATIVE)]);
    assert_eq!(
        effect(&state, &reward),
        Effect { kind: Kind::Reward, net: net([(NATIVE, 6_400)]), own_outputs: vec![0], ..expected }
    );
}

#[test]
fn what_comes_back_of_a_payment_is_change() {
    let state = wallet();
    let (mine, change) = (state.address(0).unwrap(), state.address(4).unwrap());
    let had =
        vertex(1, vec![output(mine, 100, NATIVE), output(mine, 9, custom(8)), authority(mine, 1, custom(8))]);
    let outputs =
        vec![output(foreign(), 30, NATIVE), output(change, 70, NATIVE), output(foreign(), 4, custom(8))];
    let back = vec![output(change, 5, custom(8)), authority(mine, 1, custom(8))];
    let sent = spending(2, &[(&had, 0), (&had, 1), (&had, 2)], [outputs, back].concat());
    let expected = Effect {
        direction: Direction::Sent,
        kind: Kind::Payment,
        net: net([(NATIVE, -30), (custom(8), -4)]),
        cost: cost(0, 0, 0),
        own_inputs: vec![0, 1, 2],
        own_outputs: vec![1, 3, 4],
        change_outputs: vec![1, 3],
    };
    assert_eq!(effect(&state, &sent), expected);
    let voided = Vertex { voided: true, ..sent };
    assert_eq!(effect(&state, &voided), expected, "what it would have done");
}

#[test]
fn moving_what_is_ones_own_leaves_nothing_that_is_change() {
    let state = wallet();
    let (mine, other) = (state.address(0).unwrap(), state.address(4).unwrap());
    let had = vertex(1, vec![output(mine, 60, NATIVE), output(mine, 40, NATIVE)]);
    let moved = spending(2, &[(&had, 0), (&had, 1)], vec![output(other, 100, NATIVE)]);
    let expected = Effect {
        direction: Direction::Own,
        kind: Kind::Payment,
        net: net([(NATIVE, 0)]),
        cost: cost(0, 0, 0),
        own_inputs: vec![0, 1],
        own_outputs: vec![0],
        change_outputs: vec![],
    };
    assert_eq!(effect(&state, &moved), expected);
    let told = spending(3, &[(&had, 0)], vec![data("hello"), output(mine, 59, NATIVE)]);
    let expected = Effect {
        kind: Kind::Data,
        net: net([(NATIVE, -1)]),
        cost: cost(0, 0, 1),
        own_inputs: vec![0],
        own_outputs: vec![1],
        change_outputs: vec![1],
        ..expected
    };
    assert_eq!(effect(&state, &told), expected);
}

/// Who creates, mints and melts, and what it costs them. The rate is 1 %.
#[test]
fn tokens_are_created_minted_and_melted_for_a_deposit() {
    let state = wallet();
    let mine = state.address(0).unwrap();
    let token = custom(2);
    let had = vertex(1, vec![output(mine, 100, NATIVE), authority(mine, 3, token), output(mine, 500, token)]);
    let made = vec![output(mine, 1_050, token), authority(mine, 3, token)];
    let created =
        creation(spending(2, &[(&had, 0)], [vec![output(mine, 89, NATIVE)], made.clone()].concat()));
    let found = effect(&state, &created);
    assert_eq!((found.direction, found.kind, found.cost), (Direction::Own, Kind::Creation, cost(11, 0, 0)));
    assert_eq!(found.net, net([(NATIVE, -11), (token, 1_050)]));
    assert_eq!((found.own_outputs, found.change_outputs), (vec![0, 1, 2], vec![0]));

    let nft = creation(spending(
        2,
        &[(&had, 0)],
        [vec![data("ipfs://x"), output(mine, 88, NATIVE)], made].concat(),
    ));
    let found = effect(&state, &nft);
    assert_eq!((found.kind, found.cost), (Kind::Nft, cost(11, 0, 1)));
    assert_eq!(nft.nft_data(), Some("ipfs://x"));

    let minted = spending(
        3,
        &[(&had, 0), (&had, 1)],
        vec![output(foreign(), 200, token), authority(mine, 1, token), output(mine, 98, NATIVE)],
    );
    let found = effect(&state, &minted);
    assert_eq!((found.direction, found.kind), (Direction::Sent, Kind::Mint));
    assert_eq!((found.net, found.cost), (net([(NATIVE, -2), (token, 0)]), cost(2, 0, 0)));

    let melted = spending(
        4,
        &[(&had, 1), (&had, 2)],
        vec![output(mine, 250, token), output(mine, 2, NATIVE), authority(mine, 3, token)],
    );
    let found = effect(&state, &melted);
    assert_eq!((found.direction, found.kind, found.cost), (Direction::Own, Kind::Melt, cost(-2, 0, 0)));
    assert_eq!((found.net, found.change_outputs), (net([(NATIVE, 2), (token, -250)]), vec![0]));
}

/// The history does not say how a token is paid for: what was paid tells, or what is known of the token.
#[test]
fn a_fee_is_told_from_a_deposit_or_not_at_all() {
    let state = wallet();
    let mine = state.address(0).unwrap();
    let token = custom(2);
    let had = vertex(1, vec![output(mine, 100, NATIVE), output(mine, 500, token)]);
    let create = |amount: u64, left: u64| {
        creation(spending(2, &[(&had, 0)], vec![output(mine, left, NATIVE), output(mine, amount, token)]))
    };
    assert_eq!(effect(&state, &create(1_000, 99)).cost, cost(0, 1, 0));
    assert_eq!(effect(&state, &create(1_000, 90)).cost, cost(10, 0, 0));
    assert_eq!(effect(&state, &create(1_000, 95)).cost, None, "neither fits");
    assert_eq!(effect(&state, &create(100, 99)).cost, None, "both fit");
    let known = |version| state.effect(&create(100, 99), |_| Some(version)).cost;
    assert_eq!(known(TokenVersion::Deposit), cost(1, 0, 0));
    assert_eq!(known(TokenVersion::Fee), cost(0, 1, 0));

    let moved = spending(
        3,
        &[(&had, 0), (&had, 1)],
        vec![output(foreign(), 20, token), output(mine, 480, token), output(mine, 98, NATIVE)],
    );
    assert_eq!(effect(&state, &moved).cost, cost(0, 2, 0), "nothing else takes HTR where no token is made");

    let theirs = vertex(4, vec![output(foreign(), 10, NATIVE)]);
    let both = spending(5, &[(&had, 0), (&theirs, 0)], vec![output(foreign(), 109, NATIVE)]);
    let found = effect(&state, &both);
    assert_eq!((found.direction, found.cost, found.own_inputs), (Direction::Sent, None, vec![0]));
}

/// A payment to addresses of the wallet of which one was not known when it came: listeners are told when it
/// is.
#[test]
fn an_effect_that_grows_with_the_addresses_is_told() {
    let mut state = wallet();
    let (first, far, near) =
        (state.address(0).unwrap(), state.address(30).unwrap(), state.address(15).unwrap());
    let paid = vertex(1, vec![output(first, 5, NATIVE), output(far, 7, NATIVE)]);
    let _ = state.apply(paid.clone());
    assert_eq!(effect(&state, &paid).net, net([(NATIVE, 5)]));
    let _ = state.apply(vertex(2, vec![output(near, 1, NATIVE)]));
    let told = Event::UpdatedVertex { id: paid.id, voided: None };
    assert_eq!(state.apply(paid.clone()).events, [Event::NewAddresses(36..51), told]);
    assert_eq!(effect(&state, &paid).net, net([(NATIVE, 12)]));
    assert_eq!(state.apply(paid).events, []);
}

#[test]
fn what_is_spent_together_with_others_is_a_swap() {
    let state = wallet();
    let mine = state.address(0).unwrap();
    let had = vertex(1, vec![output(mine, 100, NATIVE), output(foreign(), 50, custom(8))]);
    let outputs = vec![output(foreign(), 30, NATIVE), output(mine, 70, NATIVE), output(mine, 50, custom(8))];
    let swapped = spending(2, &[(&had, 0), (&had, 1)], outputs);
    let expected = Effect {
        direction: Direction::Sent,
        kind: Kind::Swap,
        net: net([(NATIVE, -30), (custom(8), 50)]),
        cost: None,
        own_inputs: vec![0],
        own_outputs: vec![1, 2],
        change_outputs: vec![1],
    };
    assert_eq!(effect(&state, &swapped), expected);
}

fn call(vertex: Vertex) -> Vertex {
    let nano = VertexNano::Call(NanoCall {
        contract: id(200),
        blueprint: None,
        seqnum: 0,
        method: "bet".to_owned(),
        args: vec![0],
        caller: foreign(),
        actions: vec![],
        timestamp: None,
    });
    Vertex { nano: Some(Box::new(nano)), ..vertex }
}

#[test]
fn a_call_of_a_contract_has_what_it_deposits_and_withdraws_as_its_effect() {
    let state = wallet();
    let mine = state.address(0).unwrap();
    let had = vertex(1, vec![output(mine, 100, NATIVE)]);
    let moved = vec![output(mine, 70, NATIVE), output(mine, 5, custom(8))];
    let called = call(spending(2, &[(&had, 0)], moved.clone()));
    let found = effect(&state, &called);
    assert_eq!((found.kind, found.net), (Kind::Call, net([(NATIVE, -30), (custom(8), 5)])));
    // Without its fields, more of a token would have come out than went in.
    let unknown = spending(2, &[(&had, 0)], moved);
    assert_eq!(effect(&state, &unknown).kind, Kind::Mint);

    let blueprint = VertexNano::Blueprint { public_key: vec![2; 33] };
    let published = Vertex { version: 6, nano: Some(Box::new(blueprint)), ..vertex(3, vec![]) };
    assert_eq!(effect(&state, &published).kind, Kind::Blueprint);
    // What a call creates says more.
    assert_eq!(effect(&state, &creation(called)).kind, Kind::Creation);
}

#[test]
fn a_call_is_executed_by_its_block_unless_it_was_voided_before() {
    let mut state = wallet();
    let mine = state.address(0).unwrap();
    let had = vertex(1, vec![output(mine, 100, NATIVE)]);
    let first = call(spending(2, &[(&had, 0)], vec![output(mine, 90, NATIVE)]));
    let second = call(spending(3, &[(&first, 0)], vec![output(mine, 80, NATIVE)]));
    let (confirmed, lost) = (Some(id(99)), |vertex: &Vertex| Vertex { voided: true, ..vertex.clone() });
    let executed = |vertex: &Vertex| Vertex { first_block: confirmed, ..vertex.clone() };
    assert_eq!(state.execution(&had), None, "it calls nothing");
    assert_eq!(state.execution(&first), Some(Execution::Pending));
    assert_eq!(state.execution(&executed(&first)), Some(Execution::Success));
    assert_eq!(state.execution(&lost(&first)), Some(Execution::Skipped), "it lost a conflict");
    let failed = executed(&lost(&first));
    assert_eq!(state.execution(&failed), Some(Execution::Failure));
    let _ = state.apply(had);
    let _ = state.apply(failed);
    assert_eq!(state.execution(&executed(&lost(&second))), Some(Execution::Skipped), "it spends what failed");
}
