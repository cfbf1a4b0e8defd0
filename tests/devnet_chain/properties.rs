//! Whatever is done to it, the ledger's sums and states agree.

use crate::support::{Draft, NOW, Party, chain, solve};
use headless_wallet::devnet::chain::{Chain, GENESIS_SUPPLY, ScriptContext, evaluate_script};
use headless_wallet::ledger::{Amount, Outpoint, TokenData, TokenUid, TokenVersion, VertexId};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// Something done to the ledger; numbers choose among what there is.
#[derive(Clone, Debug)]
enum Step {
    Fund {
        to: u8,
        cents: u64,
    },
    /// Spends a coin, perhaps a spent one; adds `surplus` to its outputs.
    Send {
        coin: usize,
        to: u8,
        weight: f64,
        surplus: i64,
        wait: u32,
        receive: bool,
    },
    Create {
        coin: usize,
        cents: u64,
    },
    /// Mints with the authority of a token and a coin that pays the deposit.
    Mint {
        token: usize,
        coin: usize,
        cents: u64,
    },
    Mine {
        to: u8,
    },
    Undo {
        count: u32,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (1..4u8, 1..5_000u64).prop_map(|(to, cents)| Step::Fund { to, cents }),
        8 => (any::<usize>(), 1..4u8, 1..5u8, -1..2i64, 0..3u32, any::<bool>()).prop_map(
            |(coin, to, weight, surplus, wait, receive)| Step::Send {
                coin, to, weight: weight.into(), surplus: surplus * i64::from(wait == 0), wait, receive,
            }
        ),
        2 => (any::<usize>(), 1..3_000u64).prop_map(|(coin, cents)| Step::Create { coin, cents }),
        2 => (any::<usize>(), any::<usize>(), 1..3_000u64)
            .prop_map(|(token, coin, cents)| Step::Mint { token, coin, cents }),
        2 => (1..4u8).prop_map(|to| Step::Mine { to }),
        1 => (1..3u32).prop_map(|count| Step::Undo { count }),
    ]
}

struct World {
    chain: Chain,
    now: u32,
    /// HTR coins of the parties, spent or not.
    coins: Vec<(Outpoint, u64, u8)>,
    tokens: Vec<(VertexId, u8)>,
    /// What each accepted transaction takes from the supply of HTR, by the rules: deposits.
    deposits: HashMap<VertexId, u64>,
}

impl World {
    fn coin(&self, choice: usize) -> Option<(Outpoint, u64, u8)> {
        (!self.coins.is_empty()).then(|| self.coins[choice % self.coins.len()])
    }

    fn draft(&self, coin: (Outpoint, u64, u8)) -> Draft {
        Draft::new(&self.chain, self.now).spend(coin.0.tx, coin.0.index, &Party::new(coin.2))
    }

    fn submit(&mut self, draft: Draft, receive: bool, owner: u8) -> Option<VertexId> {
        let bytes = draft.bytes();
        let answer =
            if receive { self.chain.receive(&bytes, self.now) } else { self.chain.push(&bytes, self.now) };
        let id = answer.ok()?;
        for (index, output) in (0u8..).zip(self.chain.get(&id).unwrap().outputs()) {
            if output.token_data == TokenData::NATIVE {
                let cents = output.value.cents().try_into().unwrap();
                self.coins.push((Outpoint { tx: id, index }, cents, owner));
            }
        }
        Some(id)
    }

    fn run(&mut self, step: &Step) {
        match *step {
            Step::Fund { to, cents } => {
                let id = self.chain.fund(Party::new(to).address(), Amount::from(cents), self.now);
                // After an undo down to genesis the faucet's coins may be locked.
                if let Ok(id) = id {
                    self.coins.push((Outpoint { tx: id, index: 0 }, cents, to));
                }
            }
            Step::Send { coin, to, weight, surplus, wait, receive } => {
                self.now += wait;
                let Some(coin) = self.coin(coin) else { return };
                let value = coin.1.saturating_add_signed(surplus).max(1);
                let draft = self.draft(coin).to(&Party::new(to), value).weight(weight);
                let id = self.submit(draft, receive, to);
                assert!(id.is_none() || value == coin.1, "a transaction that makes or loses money got in");
            }
            Step::Create { coin, cents } => {
                let Some(coin @ (_, value, owner)) = self.coin(coin) else { return };
                let deposit = cents.div_ceil(100);
                let Some(change @ 1..) = value.checked_sub(deposit) else { return };
                let party = Party::new(owner);
                let draft = self
                    .draft(coin)
                    .to(&party, change)
                    .output(cents, TokenData::FIRST, party.script())
                    .output(1, TokenData::authority(1), party.script())
                    .creates("Token", "T", TokenVersion::Deposit);
                if let Some(id) = self.submit(draft, false, owner) {
                    self.tokens.push((id, owner));
                    self.deposits.insert(id, deposit);
                }
            }
            Step::Mint { token, coin, cents } => {
                let Some(coin @ (_, value, owner)) = self.coin(coin) else { return };
                if self.tokens.is_empty() {
                    return;
                }
                let (token, minter) = self.tokens[token % self.tokens.len()];
                let deposit = cents.div_ceil(100);
                let Some(change @ 1..) = value.checked_sub(deposit) else { return };
                let party = Party::new(owner);
                let draft = self
                    .draft(coin)
                    .tokens(&[token])
                    .spend(token, 2, &Party::new(minter))
                    .to(&party, change)
                    .output(cents, TokenData::FIRST, party.script());
                if let Some(id) = self.submit(draft, false, owner) {
                    self.deposits.insert(id, deposit);
                }
            }
            Step::Mine { to } => {
                let id = self.chain.mine_block(Party::new(to).script(), self.now);
                self.coins.push((Outpoint { tx: id, index: 0 }, 6_400, to));
                self.now += 1;
            }
            Step::Undo { count } => drop(self.chain.undo_blocks(count)),
        }
    }

    fn check(&self) {
        let chain = &self.chain;
        let stored = |id: &VertexId| chain.get(id).unwrap();
        let (mut supply, mut mempool) = (2 * GENESIS_SUPPLY, BTreeSet::new());
        for vertex in chain.arrivals() {
            let below = vertex.parents().iter().copied().chain(vertex.inputs().iter().map(|i| i.spends.tx));
            let voided_below = below.clone().find(|id| stored(id).is_voided());
            assert!(vertex.is_voided() || voided_below.is_none(), "{} builds on what is voided", vertex.id);
            for spenders in &vertex.meta.spent_outputs {
                let count = spenders.iter().filter(|id| !stored(id).is_voided()).count();
                assert!(count <= 1, "an output of {} is spent {count} times", vertex.id);
            }
            if let Some(block) = vertex.meta.first_block {
                assert!(!stored(&block).is_voided() && !vertex.is_voided());
                for id in below.filter(|id| !stored(id).is_block()) {
                    let height = chain.first_block_height(&id);
                    assert!(height.is_some_and(|height| height <= stored(&block).meta.height.unwrap()));
                }
            }
            if vertex.is_voided() {
                continue;
            }
            if let Some(height) = vertex.meta.height {
                supply += if height == 0 { 0 } else { 6_400 };
                assert_eq!(chain.block_at(height), Some(vertex.id));
            } else if vertex.meta.first_block.is_none() {
                mempool.insert(vertex.id);
            }
            supply -= self.deposits.get(&vertex.id).copied().unwrap_or(0);
        }
        assert_eq!(chain.mempool().collect::<BTreeSet<_>>(), mempool);
        assert_eq!(chain.token(TokenUid::Native).unwrap().total, Amount::from(supply));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn supply_and_states_agree(steps in prop::collection::vec(step(), 1..60)) {
        let mut world = World {
            chain: chain(),
            now: NOW,
            coins: vec![],
            tokens: vec![],
            deposits: HashMap::new(),
        };
        for step in &steps {
            world.run(step);
            world.check();
        }
    }
}

/// Bytes that are often operations and pushes.
fn script() -> impl Strategy<Value = Vec<u8>> {
    let operation = prop::sample::select(vec![
        0x00, 0x01, 0x14, 0x21, 0x4c, 0x50, 0x51, 0x52, 0x60, 0x6f, 0x76, 0x87, 0x88, 0xa9, 0xac, 0xae, 0xba,
    ]);
    prop::collection::vec(prop_oneof![3 => operation, 1 => any::<u8>()], 0..60)
}

proptest! {
    #[test]
    fn any_script_gets_a_verdict(input in script(), output in script(), multisig in any::<bool>()) {
        let p2sh = [&[0xa9, 0x14], [7; 20].as_slice(), &[0x87]].concat();
        let context = ScriptContext { sighash: [1; 32], timestamp: NOW };
        let verdict = evaluate_script(&input, if multisig { &p2sh } else { &output }, &context);
        // Nobody knows a script with that hash.
        prop_assert!(!multisig || verdict.is_err());
    }

    #[test]
    fn damaged_and_arbitrary_transactions_get_an_answer(
        noise in prop::collection::vec(any::<u8>(), 0..200),
        place in any::<prop::sample::Index>(),
        flip in 1..=u8::MAX,
        data in script(),
    ) {
        let mut chain = chain();
        let party = Party::new(1);
        let coin = chain.fund(party.address(), Amount::new(5), NOW).unwrap();
        prop_assert!(chain.push(&noise, NOW + 1).is_err());
        let mut tx = Draft::new(&chain, NOW + 1).spend(coin, 0, &party).to(&party, 5).solved();
        let mut bytes = tx.to_bytes().unwrap();
        *place.get_mut(&mut bytes) ^= flip;
        // A flipped bit of weight, nonce or parents may leave a good transaction, but nothing else does.
        let accepted = chain.push(&bytes, NOW + 1).is_ok();
        let [last @ .., _, _, _, _] = bytes.as_slice() else { unreachable!() };
        let graph = last.len() - 8 - 4 - 1 - 64;
        prop_assert!(!accepted || place.index(bytes.len()) >= graph);
        tx.inputs[0].data = data;
        prop_assert!(chain.receive(&solve(tx).to_bytes().unwrap(), NOW + 1).is_err());
    }
}
