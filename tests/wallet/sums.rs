//! Plans under way share no input, and every plan balances by the full node's rules.

use crate::support::*;
use headless_wallet::ledger::{Header, Outpoint, SpentOutput, TokenUid, TokenVersion, Transaction};
use headless_wallet::wallet::{
    AuthorityTo, CreateTokenRequest, MeltRequest, MintRequest, Plan, PlanError, ReservationId, SendRequest,
    State, UtxoFilter,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Plans under way, by reservation, with their inputs.
#[derive(Default)]
struct UnderWay(BTreeMap<ReservationId, Vec<Outpoint>>);

impl UnderWay {
    fn add(&mut self, plan: &Plan) {
        let inputs: Vec<_> = plan.transaction.inputs.iter().map(|input| input.spends).collect();
        let distinct: BTreeSet<_> = inputs.iter().collect();
        assert_eq!(distinct.len(), inputs.len());
        assert!(self.0.values().flatten().all(|taken| !distinct.contains(taken)));
        self.0.insert(plan.reservation, inputs);
    }
}

proptest! {
    #[test]
    fn plans_share_no_input_and_balance(
        amounts in prop::collection::vec((1u64..500, 0usize..2), 1..40),
        plans in prop::collection::vec((0usize..4, 1u64..900, 0u8..4, any::<bool>()), 1..25),
    ) {
        let mut state = wallet();
        let to = state.address(0).unwrap();
        for (number, (amount, token)) in (1..).zip(amounts) {
            let _ = state.apply(vertex(number, vec![output(to, amount, [NATIVE, custom(200)][token])]));
        }
        for number in 100..110 {
            let _ = state.apply(vertex(number, vec![authority(to, 1 + u64::from(number % 3), custom(200))]));
        }
        let mut under_way = UnderWay::default();
        for (number, (kind, amount, data, keep)) in (120..).zip(plans) {
            let before = (state.snapshot(), available(&state));
            match plan_some(&mut state, kind, amount, data) {
                Ok(plan) => {
                    check_sums(&state, &plan.transaction);
                    under_way.add(&plan);
                    if keep {
                        let vertex = state.vertex_of(&plan.transaction, id(number)).unwrap();
                        let _ = state.apply(vertex);
                        under_way.0.remove(&plan.reservation);
                    } else if data == 0 {
                        state.release(plan.reservation);
                        under_way.0.remove(&plan.reservation);
                    }
                }
                Err(_) => prop_assert_eq!((state.snapshot(), available(&state)), before),
            }
        }
    }
}

/// What no plan under way has, of each token. Reservations are no part of a snapshot.
fn available(state: &State) -> Vec<Outpoint> {
    let of = |token| {
        let filter = UtxoFilter { token, only_available: true, ..UtxoFilter::default() };
        state.utxos(&filter, NOW).utxos.into_iter().map(|utxo| utxo.outpoint)
    };
    of(NATIVE).chain(of(custom(200))).collect()
}

fn plan_some(state: &mut State, kind: usize, amount: u64, data: u8) -> Result<Plan, PlanError> {
    let token = id(200);
    let version = if amount.is_multiple_of(2) { TokenVersion::Deposit } else { TokenVersion::Fee };
    let data: Vec<_> = (0..data).map(|n| format!("text {n}")).collect();
    let (amount, data_first, authority) =
        (cents(amount), amount.is_multiple_of(3), Some(AuthorityTo::default()));
    let (address, change_address, deposit_address) = (None, None, None);
    match kind {
        0 => {
            let fee_tokens = if version == TokenVersion::Fee { [token].into() } else { HashSet::new() };
            let value = u64::try_from(amount.cents()).unwrap();
            let outputs = [pay(value, NATIVE), pay(value / 2 + 1, custom(200))];
            let request = SendRequest { fee_tokens, ..send(outputs[usize::from(data_first)..].to_vec()) };
            state.plan_send(&request, NOW, LATER)
        }
        1 => {
            let (name, symbol) = ("Name".to_owned(), "SYM".to_owned());
            let (mint_authority, melt_authority) = (authority, None);
            let request = CreateTokenRequest {
                name,
                symbol,
                version,
                amount,
                address,
                change_address,
                mint_authority,
                melt_authority,
                data,
                data_first,
            };
            state.plan_create_token(&request, NOW, LATER)
        }
        2 => {
            let request =
                MintRequest { token, version, amount, address, change_address, authority, data, data_first };
            state.plan_mint(&request, NOW, LATER)
        }
        _ => {
            let request = MeltRequest {
                token,
                version,
                amount,
                change_address,
                deposit_address,
                authority,
                data,
                data_first,
            };
            state.plan_melt(&request, NOW, LATER)
        }
    }
}

/// The full node's rule: HTR in equals HTR out, fees and deposits paid and withdrawals returned; other tokens
/// may only change under an authority.
fn check_sums(state: &State, transaction: &Transaction) {
    let vertex = state.vertex_of(transaction, id(255)).unwrap();
    let mut sums: BTreeMap<TokenUid, i128> = BTreeMap::new();
    let mut rights = BTreeMap::<TokenUid, u128>::new();
    for input in &vertex.inputs {
        let output = &input.output;
        if output.token_data.is_authority() {
            *rights.entry(output.token).or_default() |= output.value.cents();
        } else {
            *sums.entry(output.token).or_default() -= output.value.cents() as i128;
        }
    }
    for out in &vertex.outputs {
        if out.output.token_data.is_authority() {
            let created = transaction.creates.is_some();
            let held = rights.get(&out.output.token).copied().unwrap_or(if created { 3 } else { 0 });
            assert_eq!(out.output.value.cents() & !held, 0, "no right comes from nothing");
        } else {
            *sums.entry(out.output.token).or_default() += out.output.value.cents() as i128;
        }
    }
    let fees: Vec<_> = transaction.headers.iter().flat_map(Header::fees).collect();
    let mut native = sums.remove(&NATIVE).unwrap_or(0);
    for (token, sum) in sums {
        let created = transaction.creates.is_some() && token == TokenUid::Custom(id(255));
        let held = if created { 3 } else { rights.get(&token).copied().unwrap_or(0) };
        assert!(sum == 0 || (sum > 0 && held & 1 != 0) || (sum < 0 && held & 2 != 0), "{token}: {sum}");
        let amounts = |o: &&SpentOutput| o.token == token && !o.token_data.is_authority();
        let outputs = vertex.outputs.iter().map(|o| &o.output).filter(amounts).count();
        if !fees.is_empty() {
            assert_eq!(fees.iter().map(|f| f.amount.cents()).sum::<u128>(), outputs.max(1) as u128);
        } else if sum > 0 {
            native += (sum + 99) / 100;
        } else {
            native -= -sum / 100;
        }
    }
    native += fees.iter().map(|fee| fee.amount.cents() as i128).sum::<i128>();
    assert_eq!(native, 0);
}
