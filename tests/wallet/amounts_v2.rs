//! Amounts with 18 decimals: what a wallet counts of them, and how it spends them.

use super::support::*;
use headless_wallet::ledger::TokenVersion;
use headless_wallet::ledger::{Amount, AmountVersion, Network, PartialTx, SpentOutput, TokenUid, Vertex};
use headless_wallet::wallet::{ConsolidateRequest, PlanError, Settings, State, SwapRequest, UtxoFilter};

fn tokens(words: &str) -> Amount {
    Amount::of_decimal(words).unwrap()
}
fn holds(state: &State, words: &str, token: TokenUid) -> SpentOutput {
    SpentOutput { value: tokens(words), ..output(state.address(0).unwrap(), 1, token) }
}
/// Of a private network: on others, nothing is written in units of 10^-18.
fn wallet() -> State {
    State::new(account(), Settings { network: Network::Privatenet, ..settings() })
}
/// A wallet that was paid these amounts of HTR.
fn paid(amounts: &[&str]) -> State {
    let mut state = wallet();
    for (number, amount) in (1..).zip(amounts) {
        let output = holds(&state, amount, NATIVE);
        let _ = state.apply(vertex(number, vec![output]));
    }
    state
}
fn available(state: &State, token: TokenUid) -> String {
    state.balance(token, NOW).available.decimal()
}
/// What a send of so many cents spends, how its amounts are written, and what it pays others and itself.
fn sent(state: &mut State, cents: u64) -> (Vec<String>, AmountVersion, Vec<String>) {
    let plan = state.plan_send(&send(vec![pay(cents, NATIVE)]), NOW, LATER).unwrap();
    let spent: Vec<_> = inputs(&plan).iter().map(|spends| state.output(*spends).unwrap().value).collect();
    let transaction = plan.transaction;
    assert_eq!(transaction.outputs_sum(), spent.iter().copied().sum(), "nothing is lost");
    transaction.to_bytes().unwrap();
    let mut made: Vec<_> = transaction.outputs.iter().map(|output| output.value).collect();
    made.sort_unstable();
    let words = |amounts: Vec<Amount>| amounts.into_iter().map(Amount::decimal).collect();
    (words(spent), transaction.amounts(), words(made))
}

/// A full node alone says that there are parts of a cent. Nodes that ignore the signal bit would read what
/// was signed as other amounts, to anyone.
#[test]
fn outputs_with_parts_are_not_spent_where_coins_have_a_worth() {
    for network in [Network::Mainnet, Network::Testnet] {
        let mut state = State::new(account(), Settings { network, ..settings() });
        for (number, amount) in [(1, "1.0"), (2, "0.505")] {
            let output = holds(&state, amount, NATIVE);
            let _ = state.apply(vertex(number, vec![output]));
        }
        let error = state.plan_send(&send(vec![pay(120, NATIVE)]), NOW, LATER).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the network would refuse this transaction: outputs with parts of a cent are spent on private networks only, as nodes up to \
             0.70 read other amounts in the same bytes: send what other outputs hold"
        );
        assert_eq!(available(&state, NATIVE), "1.505", "nothing is reserved");
        let (spent, version, _) = sent(&mut state, 90);
        assert_eq!((spent, version), (vec!["1.0".to_owned()], AmountVersion::V1));
    }
}

#[test]
fn balances_are_exact() {
    let mut state = paid(&["1.0", "0.005", "0.000000000000000001", "12.34"]);
    let mine = state.address(0).unwrap();
    assert_eq!(available(&state, NATIVE), "13.345000000000000001");
    let info = state.address_info(&mine, NATIVE, NOW).unwrap();
    assert_eq!(
        (info.received.decimal(), info.sent.decimal()),
        ("13.345000000000000001".to_owned(), "0.0".to_owned())
    );
    // Spent, and spent no more.
    let half = vertex(2, vec![holds(&state, "0.005", NATIVE)]);
    let payment = spending(
        9,
        &[(&half, 0)],
        vec![SpentOutput { value: tokens("0.005"), ..output(foreign(), 1, NATIVE) }],
    );
    let _ = state.apply(payment.clone());
    assert_eq!(available(&state, NATIVE), "13.340000000000000001");
    let net = state.effect(&payment, |_| None).net;
    assert_eq!(net.get(&NATIVE).unwrap().decimal(), "-0.005");
    let _ = state.apply(Vertex { voided: true, ..payment });
    assert_eq!(available(&state, NATIVE), "13.345000000000000001");
    let list = state.utxos(&UtxoFilter { bigger_than: Some(tokens("0.004")), ..UtxoFilter::default() }, NOW);
    assert_eq!((list.utxos.len(), list.available.decimal()), (3, "13.345".to_owned()));
}

/// Anyone can make a token that is paid for by fees, and as much of it as outputs hold: more than a number of
/// units in 128 bits can count.
#[test]
fn floods_of_the_greatest_amounts_are_counted_exactly() {
    let (mut state, token) = (wallet(), custom(9));
    let most = Amount::MAX_OUTPUT.decimal();
    let flood =
        |state: &State, number: u8| vertex(number, (0..255).map(|_| holds(state, &most, token)).collect());
    for number in 20..40 {
        let vertex = flood(&state, number);
        let _ = state.apply(vertex);
    }
    let least = vertex(50, vec![holds(&state, "0.000000000000000001", token)]);
    let _ = state.apply(least);
    let sum = 20 * 255 * (1u128 << 63);
    let all = format!("{}.{:02}0000000000000001", sum / 100, sum % 100);
    assert_eq!(available(&state, token), all);
    for number in 20..40 {
        let vertex = Vertex { voided: true, ..flood(&state, number) };
        let _ = state.apply(vertex);
    }
    assert_eq!(available(&state, token), "0.000000000000000001");
}

#[test]
fn whole_cents_are_spent_first_and_in_cents() {
    let mut state = paid(&["1.0", "7.005", "2.0"]);
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let first = sent(&mut state, 100);
    assert_eq!(first, (words(&["1.0"]), AmountVersion::V1, words(&["1.0"])));
    let second = sent(&mut state, 150);
    assert_eq!(second, (words(&["2.0"]), AmountVersion::V1, words(&["0.5", "1.5"])));
    // Only parts of a cent are left: then amounts have 18 decimals.
    let third = sent(&mut state, 500);
    assert_eq!(third, (words(&["7.005"]), AmountVersion::V2, words(&["2.005", "5.0"])));
}

#[test]
fn parts_of_a_cent_that_make_cents_together_are_spent_in_cents() {
    let mut state = paid(&["0.005", "0.005"]);
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    assert_eq!(sent(&mut state, 1), (words(&["0.005", "0.005"]), AmountVersion::V1, words(&["0.01"])));
    let mut state = paid(&["0.005", "0.004"]);
    let error = state.plan_send(&send(vec![pay(1, NATIVE)]), NOW, LATER).unwrap_err();
    let available = tokens("0.009");
    assert_eq!(error, PlanError::Insufficient { token: NATIVE, required: cents(1), available });
}

#[test]
fn swaps_and_consolidations_leave_parts_of_a_cent_alone() {
    let mut state = paid(&["1.0", "7.005", "2.0"]);
    let request = SwapRequest { sends: vec![(NATIVE, cents(400))], ..SwapRequest::default() };
    let none = PartialTx::default();
    let error = state.add_to_swap(none, &request, NOW, LATER).unwrap_err();
    assert_eq!(error, PlanError::Insufficient { token: NATIVE, required: cents(400), available: cents(300) });
    let to = state.address(1).unwrap();
    let request = ConsolidateRequest { to, outputs: UtxoFilter::default(), version: TokenVersion::Deposit };
    let plan = state.plan_consolidate(&request, NOW, LATER).unwrap();
    assert_eq!((plan.transaction.inputs.len(), plan.transaction.outputs[0].value), (2, cents(300)));
    assert_eq!(plan.transaction.amounts(), AmountVersion::V1);
}
