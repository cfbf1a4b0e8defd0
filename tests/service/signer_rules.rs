//! What a signer finds out of a transaction by itself: what leaves the wallet, and which rights do.

use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::nano::{ActionKind, NanoAction, NanoHeader};
use headless_wallet::ledger::{
    Address, Amount, Header, Input, Network, Outpoint, Output, Script, TokenData, TokenUid, Transaction,
    VertexId,
};
use headless_wallet::signer::{Breach, Does, Limits, Shown, judge};
use std::collections::BTreeMap;

const TOKEN: VertexId = VertexId([5; 32]);
const MINT: u64 = 1;
const MELT: u64 = 2;
const RIGHT: TokenData = TokenData::authority(1);
/// The index of the wallet's address.
const OWN: u32 = 3;

/// Whom an output pays.
#[derive(Clone, Copy, PartialEq)]
enum To {
    Wallet,
    /// The wallet, once it is unlocked.
    Later,
    Stranger,
}
use To::{Later, Stranger, Wallet};

/// A transaction that spends outputs of the wallet's.
struct Draft {
    keys: AccountKeys,
    spends: Vec<(u64, TokenData)>,
    pays: Vec<(u64, TokenData, To)>,
    actions: Vec<(ActionKind, u8, u64)>,
    caller: Option<u32>,
}

fn draft(spends: &[(u64, TokenData)], pays: &[(u64, TokenData, To)]) -> Draft {
    let keys = AccountKeys::from_mnemonic(&Mnemonic::generate().unwrap(), "");
    Draft { keys, spends: spends.to_vec(), pays: pays.to_vec(), actions: vec![], caller: None }
}

fn transaction(inputs: Vec<Input>, outputs: Vec<Output>, headers: Vec<Header>) -> Transaction {
    Transaction {
        signal_bits: 0,
        tokens: vec![TOKEN],
        inputs,
        outputs,
        creates: None,
        blueprint: None,
        weight: 1.0,
        timestamp: 1,
        parents: vec![],
        nonce: 0,
        headers,
    }
}

impl Draft {
    fn calling(mut self, actions: &[(ActionKind, u8, u64)]) -> Self {
        (self.actions, self.caller) = (actions.to_vec(), Some(OWN));
        self
    }

    fn output(&self, value: u64, token_data: TokenData, to: To) -> Output {
        let hash = if to == Stranger { [9; 20] } else { self.keys.public().key_hashes(OWN..OWN + 1)[0] };
        let pays = Script::Pay {
            to: Address::p2pkh(Network::Privatenet, hash),
            timelock: (to == Later).then_some(9),
        };
        Output { value: Amount::new(value.into()), token_data, script: pays.to_bytes().unwrap() }
    }

    /// What is spent, and what spends it.
    fn transactions(&self) -> (Transaction, Transaction) {
        let before = self.spends.iter().map(|(value, data)| self.output(*value, *data, Wallet)).collect();
        let before = transaction(vec![], before, vec![]);
        let tx = before.id().unwrap();
        let input = |index| Input { spends: Outpoint { tx, index }, data: vec![] };
        let inputs = (0..=u8::MAX).zip(&self.spends).map(|(index, _)| input(index)).collect();
        let outputs = self.pays.iter().map(|(value, data, to)| self.output(*value, *data, *to)).collect();
        let hash = self.keys.public().key_hashes(OWN..OWN + 1)[0];
        let action = |(kind, token_index, amount): &(ActionKind, u8, u64)| NanoAction {
            kind: *kind,
            token_index: *token_index,
            amount: Amount::new((*amount).into()),
        };
        let call = || {
            Header::Nano(Box::new(NanoHeader {
                id: VertexId([1; 32]),
                seqnum: 0,
                method: "withdraw".to_owned(),
                args: vec![],
                actions: self.actions.iter().map(action).collect(),
                caller: Address::p2pkh(Network::Privatenet, hash),
                script: vec![],
            }))
        };
        let headers = if self.actions.is_empty() { vec![] } else { vec![call()] };
        (before, transaction(inputs, outputs, headers))
    }

    async fn judged(&self, own: &[(u8, u32)], previous: usize) -> Result<Does, Breach> {
        let (before, transaction) = self.transactions();
        let before = before.to_bytes().unwrap();
        let inputs: Vec<_> = (0..=u8::MAX).zip(&self.spends).map(|(place, _)| (place, OWN)).collect();
        let previous = vec![&before[..]; previous];
        let (transaction, caller) = (&transaction, self.caller);
        let shown = Shown { transaction, inputs: &inputs, caller, own, previous: &previous, scripts: &[] };
        judge(shown, &self.keys.public().into()).await
    }

    async fn does(&self) -> Does {
        let own = (0..=u8::MAX).zip(&self.pays).filter(|(_, (.., to))| *to != Stranger);
        let own: Vec<_> = own.map(|(place, _)| (place, OWN)).collect();
        self.judged(&own, usize::from(!self.spends.is_empty())).await.unwrap()
    }

    async fn spent(&self) -> BTreeMap<TokenUid, u128> {
        self.does().await.spends.into_iter().map(|(token, amount)| (token, amount.cents())).collect()
    }

    /// The rule of limits that refuses it.
    async fn rule(&self, limits: &str) -> &'static str {
        let limits = Limits::read(limits, None).unwrap();
        limits.of("main").unwrap().check(&self.does().await).map_or_else(|breach| breach.rule, |()| "(none)")
    }
}

const HTR: TokenUid = TokenUid::Native;
const CUSTOM: TokenUid = TokenUid::Custom(TOKEN);
const FIRST: TokenData = TokenData::FIRST;
const NATIVE: TokenData = TokenData::NATIVE;

#[tokio::test]
async fn what_a_contract_gives_out_and_strangers_get_is_spent() {
    use ActionKind::{Deposit, Withdrawal};
    let limits = "[seeds.main]\nallow = [\"contracts\"]\nlimits.HTR = { transaction = 10 }\n";
    let all = draft(&[], &[(100_000, NATIVE, Stranger)]).calling(&[(Withdrawal, 0, 100_000)]);
    assert_eq!(all.spent().await, BTreeMap::from([(HTR, 100_000)]));
    assert_eq!(all.rule(limits).await, "transaction");
    let own = draft(&[], &[(100_000, NATIVE, Wallet)]).calling(&[(Withdrawal, 0, 100_000)]);
    assert_eq!(own.spent().await, BTreeMap::new());
    assert_eq!(own.rule(limits).await, "(none)");
    let some = draft(&[(50, FIRST)], &[(60, FIRST, Stranger), (90, FIRST, Wallet)]);
    assert_eq!(some.calling(&[(Withdrawal, 1, 100)]).spent().await, BTreeMap::from([(CUSTOM, 60)]));
    let through = draft(&[(5, NATIVE)], &[(5, NATIVE, Wallet)]);
    let through = through.calling(&[(Withdrawal, 1, 70), (Deposit, 1, 70)]);
    assert_eq!(through.spent().await, BTreeMap::from([(CUSTOM, 70)]));
    // A call that is to be signed another time, when it would not be counted again.
    let mut kept = draft(&[(5, NATIVE)], &[(5, NATIVE, Wallet)]).calling(&[(Deposit, 0, 0)]);
    assert_eq!(kept.rule(limits).await, "(none)");
    kept.caller = None;
    assert_eq!(kept.rule(limits).await, "others");
}

#[tokio::test]
async fn what_is_made_and_strangers_get_is_spent() {
    let limits = format!(
        "[seeds.main]\nallow = [\"tokens\"]\n[seeds.main.limits]\nHTR = {{ transaction = 10000 }}\n\"{TOKEN}\" = {{ transaction = 1 }}\n"
    );
    let mint = |to| {
        draft(
            &[(MINT, RIGHT), (6_000, NATIVE)],
            &[(MINT, RIGHT, Wallet), (500_000, FIRST, to), (1_000, NATIVE, Wallet)],
        )
    };
    assert_eq!(mint(Stranger).spent().await, BTreeMap::from([(HTR, 5_000), (CUSTOM, 500_000)]));
    assert_eq!(mint(Stranger).rule(&limits).await, "transaction");
    assert_eq!(mint(Wallet).spent().await, BTreeMap::from([(HTR, 5_000)]));
    assert_eq!(mint(Wallet).rule(&limits).await, "(none)");
    // What melting gives back is money, too.
    let melt = |to| draft(&[(MELT, RIGHT), (500_000, FIRST)], &[(MELT, RIGHT, Wallet), (5_000, NATIVE, to)]);
    assert_eq!(melt(Stranger).spent().await, BTreeMap::from([(HTR, 5_000), (CUSTOM, 500_000)]));
    assert_eq!(melt(Wallet).spent().await, BTreeMap::from([(CUSTOM, 500_000)]));
}

#[tokio::test]
async fn rights_that_do_not_come_back_to_the_wallet_want_tokens_to_be_allowed() {
    use ActionKind::{AcquireAuthority, GrantAuthority};
    let limits = "[seeds.main]\nallow = [\"contracts\"]\nlimits.HTR = { transaction = 10 }\n";
    let both = MINT | MELT;
    for (spends, pays, rule) in [
        (&[MINT][..], &[][..], "tokens"),
        (&[MINT, MELT], &[], "tokens"),
        (&[MINT, MELT], &[(MINT, Wallet)], "tokens"),
        (&[MINT], &[(MELT, Wallet)], "tokens"),
        (&[MINT, MINT], &[(MINT, Wallet)], "tokens"),
        (&[both], &[(MELT, Wallet)], "tokens"),
        (&[MINT], &[(MINT, Stranger)], "tokens"),
        (&[MINT], &[(MINT, Later)], "tokens"),
        (&[MINT], &[(MINT, Wallet), (MINT, Stranger)], "tokens"),
        (&[MINT], &[(MINT, Wallet)], "(none)"),
        (&[both], &[(MINT, Wallet), (MELT, Wallet)], "(none)"),
        (&[MINT, MELT], &[(both, Wallet)], "(none)"),
    ] {
        let spends: Vec<_> = spends.iter().map(|right| (*right, RIGHT)).chain([(7, NATIVE)]).collect();
        let back = pays.iter().map(|(right, to)| (*right, RIGHT, *to));
        let pays: Vec<_> = back.chain([(7, NATIVE, Wallet)]).collect();
        let named: Vec<_> = pays.iter().map(|(value, ..)| *value).collect();
        assert_eq!(draft(&spends, &pays).rule(limits).await, rule, "{spends:?} {named:?}");
    }
    // Rights of contracts.
    let kept = || draft(&[(MINT, RIGHT)], &[(MINT, RIGHT, Wallet)]);
    assert_eq!(kept().calling(&[(GrantAuthority, 1, MINT)]).rule(limits).await, "tokens");
    assert_eq!(kept().calling(&[(AcquireAuthority, 1, MELT)]).rule(limits).await, "tokens");
    let got = draft(&[(7, NATIVE)], &[(7, NATIVE, Wallet), (MELT, RIGHT, Wallet)]);
    assert_eq!(got.calling(&[(AcquireAuthority, 1, MELT)]).rule(limits).await, "(none)");
}

#[tokio::test]
async fn whoever_asks_can_not_have_more_keys_derived_than_a_transaction_has_places() {
    let draft = draft(&[(7, NATIVE)], &[(7, NATIVE, Wallet)]);
    assert_eq!(draft.judged(&[(0, OWN)], 1).await.unwrap(), Does::default());
    let many: Vec<_> = (0..400_000).map(|index| (0, index)).collect();
    for (own, previous, told) in [
        (&many[..], 1, "change: output 0 is named twice"),
        (&[(0, OWN), (1, OWN)], 1, "change: there is no output 1"),
        (&[(0, OWN)], 2, "previous: more is shown than is spent"),
    ] {
        assert_eq!(draft.judged(own, previous).await.unwrap_err().to_string(), told);
    }
}

/// One hash is signed for all inputs.
#[tokio::test]
async fn an_input_of_an_address_that_signs_is_to_be_named() {
    let draft = draft(&[(5, NATIVE), (7, NATIVE)], &[(12, NATIVE, Stranger)]);
    let (before, transaction) = draft.transactions();
    let before = before.to_bytes().unwrap();
    let (transaction, previous) = (&transaction, &[&before[..]][..]);
    let shown = Shown { transaction, inputs: &[(0, OWN)], caller: None, own: &[], previous, scripts: &[] };
    let why = judge(shown, &draft.keys.public().into()).await.unwrap_err().to_string();
    assert_eq!(why, "keys: input 1 spends from the same address as input 0, and has no `path`");
}
