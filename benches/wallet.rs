//! What a wallet of ten thousand unspent outputs does in how long: `cargo bench --features native --bench
//! wallet`.

use criterion::{Criterion, criterion_group, criterion_main};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{
    Address, Amount, DepositRate, ExtraMembers, Input, Network, Outpoint, Output, Script, SpentOutput,
    TokenData, TokenUid, Transaction, Vertex, VertexId, VertexOutput,
};
use headless_wallet::limits::{Counters, Effects, Rule, Rules, assess};
use headless_wallet::wallet::{HistoryFilter, OutputRequest, Scan, SendRequest, Settings, State, UtxoFilter};
use std::hint::black_box;

const NOW: u32 = 1_700_000_000;
const OUTPUTS: u32 = 10_000;

fn empty() -> State {
    let words = format!("{}art", "abandon ".repeat(23));
    let words = Mnemonic::parse(&words).expect("well-known words");
    let settings = Settings {
        network: Network::Mainnet,
        scan: Scan::GapLimit(20),
        reward_spend_min_blocks: 300,
        deposit: DepositRate::default(),
    };
    State::new(AccountKeys::from_mnemonic(&words, "").public(), settings)
}

/// Pays one output, of a different amount each time.
fn payment(number: u32, to: Address) -> Vertex {
    let mut id = [0; 32];
    id[..4].copy_from_slice(&number.to_be_bytes());
    let script = Script::Pay { to, timelock: None }.to_bytes().expect("payments have scripts");
    let output = SpentOutput {
        value: Amount::from(u64::from(1 + number % 977)),
        token: TokenUid::Native,
        token_data: TokenData::NATIVE,
        script: script.into(),
        unknown: None,
    };
    Vertex {
        id: VertexId(id),
        version: 1,
        weight: 17.0,
        timestamp: number,
        voided: false,
        first_block: None,
        height: None,
        parents: vec![VertexId([1; 32]), VertexId([2; 32])],
        inputs: Vec::new(),
        outputs: vec![VertexOutput { output, spent_by: None }],
        creates: None,
        nano: None,
        extra: ExtraMembers::default(),
    }
}

fn wallet(c: &mut Criterion) {
    let mut state = empty();
    let addresses: Vec<_> = state.addresses().collect();
    let payment = |number: u32| payment(number, addresses[number as usize % addresses.len()]);
    for number in 0..OUTPUTS {
        let _ = state.apply(payment(number));
    }
    state.loaded();

    let all = UtxoFilter::default();
    c.bench_function("list 10,000 outputs", |b| b.iter(|| black_box(state.utxos(&all, NOW))));
    let some = UtxoFilter { max_utxos: Some(255), ..all };
    c.bench_function("list 255 of 10,000 outputs", |b| b.iter(|| black_box(state.utxos(&some, NOW))));
    c.bench_function("balance", |b| b.iter(|| black_box(state.balance(TokenUid::Native, NOW))));
    for (name, value) in [("plan with one input", 500), ("plan with some 200 inputs", 200_000)] {
        let value = Amount::from(value);
        let pay = OutputRequest::Pay { to: addresses[0], value, token: TokenUid::Native, timelock: None };
        let request = SendRequest { outputs: vec![pay], ..SendRequest::default() };
        c.bench_function(name, |b| {
            b.iter(|| {
                let plan = state.plan_send(&request, NOW, NOW + 60).expect("there is enough");
                state.release(black_box(plan).reservation);
            });
        });
    }
    let mut number = OUTPUTS;
    c.bench_function("apply a vertex", |b| {
        b.iter(|| {
            number += 1;
            black_box(state.apply(payment(number)))
        });
    });
}

/// A page of 50 from the middle of a history of 100,000. Goal: 0.1 ms; a filter that lets nothing through is
/// at all of them, and gives the lock back after each thousand.
fn pages(c: &mut Criterion) {
    let mut state = empty();
    let addresses: Vec<_> = state.addresses().collect();
    let payments = (0..100_000).map(|number| payment(number, addresses[number as usize % addresses.len()]));
    payments.for_each(|payment| drop(state.apply(payment)));
    let read = |mut filter: HistoryFilter| {
        let mut ids = Vec::new();
        while state.search_history(&mut filter, 1_024, 50, &mut ids) {}
        ids
    };
    let mut id = [0; 32];
    id[..4].copy_from_slice(&50_000u32.to_be_bytes());
    let mut middle = HistoryFilter::of(None, None);
    assert!(middle.before(&VertexId(id), &state));
    c.bench_function("page of 50 in a history of 100,000", |b| {
        b.iter(|| read(middle.clone()).iter().filter_map(|id| state.vertex(id)).map(black_box).count());
    });
    let nothing = HistoryFilter::of(Some(TokenUid::Custom(VertexId([9; 32]))), None);
    c.bench_function("a token that is nowhere in it", |b| b.iter(|| black_box(read(nothing.clone()))));
}

/// What limits cost a send: a hundred rules of its key, among a thousand such keys. Goal: 0.1 ms; reads are
/// not asked. To be durable, a count waits for the disk besides.
fn limits(c: &mut Criterion) {
    let pay = |place: u8, value: u64| Output {
        value: Amount::from(value),
        token_data: TokenData::NATIVE,
        script: Script::Pay { to: Address::p2pkh(Network::Mainnet, [place; 20]), timelock: None }
            .to_bytes()
            .expect("payments have scripts"),
    };
    let inputs = vec![Input { spends: Outpoint { tx: VertexId([7; 32]), index: 0 }, data: Vec::new() }];
    let transaction = Transaction {
        signal_bits: 0,
        tokens: Vec::new(),
        inputs,
        outputs: vec![pay(2, 3), pay(1, 97)],
        creates: None,
        blueprint: None,
        weight: 1.0,
        timestamp: NOW,
        parents: Vec::new(),
        nonce: 0,
        headers: Vec::new(),
    };
    let of = |script: &[u8]| SpentOutput {
        value: Amount::from(100u64),
        token: TokenUid::Native,
        token_data: TokenData::NATIVE,
        script: script.into(),
        unknown: None,
    };
    let own = pay(1, 0).script;
    let mut rules: Vec<Rule> = ["hour", "day", "lifetime"]
        .iter()
        .map(|period| format!("spend 10000000.00 HTR per {period}").parse().expect("a rule"))
        .collect();
    let other = |place| Rule::NotTo(Address::p2pkh(Network::Mainnet, [place; 20]));
    rules.extend((3..100).map(other));
    let mut counters = Counters::default();
    let mut number = 0u64;
    let mut send = || {
        number += 1;
        let scope = format!("key {}", number % 1_000);
        let rules = Rules { scope: &scope, whose: "the API key", rules: &rules };
        let effects =
            Effects::of(&transaction, Network::Mainnet, |_| Some(of(&own)), |script| script == &own[..]);
        let assessment = assess(&effects, &[rules], &[]).expect("it is allowed");
        let mut id = [0; 32];
        id[..8].copy_from_slice(&number.to_be_bytes());
        counters.count(NOW, id, &assessment)
    };
    c.bench_function("count a send under 100 rules, of 1,000 keys", |b| b.iter(|| black_box(send())));
}

criterion_group!(benches, wallet, pages, limits);
criterion_main!(benches);
