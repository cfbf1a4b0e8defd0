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
    // The seam costs a box and a list.
    let inputs: Vec<_> = (0..255).map(|place| (place, u32::from(place))).collect();
    group.throughput(Throughput::Elements(255));
    group.bench_function("of 255 addresses' keys, one by one", |b| {
        b.iter(|| inputs.iter().map(|(_, index)| account.sign(*index, &[0x5a; 32])).collect::<Vec<_>>());
    });
    group.bench_function("of 255 addresses' keys, through the seam", |b| {
        b.iter(|| seam::signed(&account, &inputs).len());
    });
}

/// A signer in memory, asked as wallets ask it.
mod seam {
    use futures_util::FutureExt;
    use headless_wallet::keys::{
        AccountKeys, Previous, Purpose, Signature, Signer, SignerError, SigningRequest, ToSign,
        TransactionFacts, TransactionToSign,
    };
    use headless_wallet::ledger::{Network, Transaction};
    use headless_wallet::rt::BoxFuture;

    struct Unasked;

    impl TransactionFacts for Unasked {
        fn previous(&self) -> BoxFuture<'_, Result<Previous, SignerError>> {
            unreachable!("words in memory ask for nothing")
        }
        fn own_outputs(&self) -> Vec<(u8, u32)> {
            unreachable!("words in memory ask for nothing")
        }
    }

    pub fn signed(account: &AccountKeys, inputs: &[(u8, u32)]) -> Vec<Vec<u8>> {
        let transaction = &Transaction {
            signal_bits: 0,
            tokens: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            creates: None,
            blueprint: None,
            weight: 1.0,
            timestamp: 1,
            parents: Vec::new(),
            nonce: 0,
            headers: Vec::new(),
        };
        let (network, facts) = (Network::Mainnet, &Unasked);
        let what =
            ToSign::Transaction(TransactionToSign { transaction, network, inputs, caller: None, facts });
        let request = SigningRequest { what, purpose: Purpose::Send, digest: [0x5a; 32], salt: b"" };
        let signer: &dyn Signer = account;
        let signed = signer.sign(request).now_or_never().expect("it waits for nothing");
        signed.expect("it has the keys").iter().map(Signature::to_der).collect()
    }
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
