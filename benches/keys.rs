//! How fast addresses are derived and digests signed: `cargo bench --features native --bench keys`.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Network, hash160};
use std::hint::black_box;
use std::time::Duration;

/// As many as a gap limit asks for at once, and as many as a scan of a large wallet does.
const BATCHES: [u32; 2] = [20, 1000];

fn account() -> AccountKeys {
    let words = Mnemonic::parse(&format!("{}art", "abandon ".repeat(23))).expect("valid words");
    AccountKeys::from_mnemonic(&words, "")
}

fn addresses(c: &mut Criterion) {
    let account = account().public();
    let mut group = c.benchmark_group("child key to base58 address");
    for count in BATCHES {
        group.throughput(Throughput::Elements(count.into()));
        group.bench_function(format!("batch of {count}"), |b| {
            b.iter(|| -> Vec<String> {
                let hashes = account.key_hashes(black_box(0..count));
                hashes.into_iter().map(|hash| Address::p2pkh(Network::Mainnet, hash).to_string()).collect()
            });
        });
    }
    group.throughput(Throughput::Elements(1));
    group.bench_function("one at a time", |b| {
        b.iter(|| {
            let hash = hash160(&account.public_key(black_box(7)));
            Address::p2pkh(Network::Mainnet, hash).to_string()
        });
    });
}

fn signatures(c: &mut Criterion) {
    let account = account();
    let mut group = c.benchmark_group("signature");
    group.throughput(Throughput::Elements(1));
    group.bench_function("of an address's key, its derivation included", |b| {
        let mut index = 0;
        b.iter_batched(
            || {
                index += 1;
                index
            },
            |index| account.sign(index, &[0x5a; 32]),
            BatchSize::SmallInput,
        );
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = addresses, signatures
}
criterion_main!(benches);
