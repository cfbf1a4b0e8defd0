//! Whatever a signer is asked, it answers, and signs nothing whose inputs it has not seen; whatever its
//! limits are said to be, they are read or refused.
#![no_main]

use headless_wallet::keys::{Mnemonic, MultisigPublic, Seed};
use headless_wallet::ledger::Transaction;
use headless_wallet::signer::{Answer, Ask, Asked, Limits, SeedKeys, SignerServer, What};
use libfuzzer_sys::fuzz_target;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Waker};

static SEED: LazyLock<Seed> = LazyLock::new(|| {
    let words = Mnemonic::parse(&format!("{}art", "abandon ".repeat(23))).expect("valid words");
    Seed::new(words, "")
});

static SERVER: LazyLock<Arc<SignerServer>> = LazyLock::new(|| {
    let keys = SeedKeys::of(&SEED);
    SignerServer::new(move |seed| (seed == "main").then(|| keys.clone()), Limits::default(), None)
});

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Limits::read(text, None);
    }
    let asked = Asked::read(bytes);
    let Poll::Ready(answer) = pin!(SERVER.answer(bytes)).poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("keys in memory wait for nothing");
    };
    match answer {
        Answer::Refused { rule, .. } => assert!(asked.is_ok() || rule == "protocol"),
        Answer::Account { .. } => {
            assert!(matches!(asked.expect("read").ask, Ask::Account | Ask::Participant));
        }
        Answer::Signatures(signatures) => match asked.expect("read").ask {
            Ask::Sign {
                what: What::Transaction { bytes, inputs, caller, previous, multisig, .. }, ..
            } => {
                let transaction = Transaction::from_bytes(&bytes.0).expect("it was read");
                assert_eq!(signatures.len(), inputs.len() + usize::from(caller.is_some()));
                assert!(transaction.inputs.is_empty() || !previous.is_empty());
                if let Some(of) = multisig {
                    let all = MultisigPublic::new(&of.participants, of.num_signatures).expect("read");
                    assert!(all.is_of(&SEED.participant()) && caller.is_none());
                }
            }
            Ask::Sign { .. } => assert_eq!(signatures.len(), 1),
            Ask::Account | Ask::Participant => panic!("nothing was to be signed"),
        },
    }
});
