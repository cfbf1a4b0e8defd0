//! What each refusal says, and that it changes nothing.

use crate::support::*;
use headless_wallet::ledger::{Amount, SpentOutput, TokenVersion};
use headless_wallet::operations::plan_failure;
use headless_wallet::wallet::{
    Authority, AuthorityTo, CreateTokenRequest, DestroyRequest, MeltRequest, MintRequest, OutputRequest,
    Plan, PlanError, SendRequest, State, UtxoFilter,
};

const TX: &str = "0101010101010101010101010101010101010101010101010101010101010101";

/// Says why a plan fails, having made sure that nothing was reserved and nothing moved.
fn refusal<T: std::fmt::Debug>(
    state: &mut State,
    plan: impl FnOnce(&mut State) -> Result<T, PlanError>,
) -> String {
    let before = (state.utxos(&UtxoFilter::default(), NOW), state.snapshot());
    let said = plan_failure(&plan(state).unwrap_err()).error;
    assert_eq!((state.utxos(&UtxoFilter::default(), NOW), state.snapshot()), before);
    said
}
fn refused(state: &mut State, request: &SendRequest) -> String {
    refusal(state, |state| state.plan_send(request, NOW, LATER))
}

fn create() -> CreateTokenRequest {
    CreateTokenRequest {
        name: "Name".into(),
        symbol: "SYM".into(),
        version: TokenVersion::Deposit,
        amount: cents(100),
        address: None,
        change_address: None,
        mint_authority: None,
        melt_authority: None,
        data: vec![],
        data_first: false,
    }
}
fn creation_refused(request: CreateTokenRequest) -> String {
    refusal(&mut holding(&[1000]), |state| state.plan_create_token(&request, NOW, LATER))
}

#[test]
fn sends_that_hold_nothing_sensible() {
    let mut state = holding(&[100]);
    assert_eq!(refused(&mut state, &send(vec![])), "Invalid amount of tokens to send.");
    assert_eq!(refused(&mut state, &send(vec![pay(0, NATIVE)])), "Value must be a positive number.");
    assert_eq!(
        refused(&mut state, &send(vec![pay((1 << 63) + 1, NATIVE)])),
        "Maximum value is 92,233,720,368,547,758.08"
    );
    assert_eq!(
        refused(&mut state, &send(vec![pay(101, NATIVE)])),
        "Token: 00. Insufficient amount of tokens to fill the amount."
    );
    assert_eq!(
        refused(&mut state, &send(vec![pay(1, custom(1))])),
        format!("Token: {TX}. Insufficient amount of tokens to fill the amount.")
    );
    assert_eq!(
        refused(&mut state, &send(vec![pay(u64::MAX / 2, NATIVE); 3])),
        "Token: 00. Insufficient amount of tokens to fill the amount."
    );
}

#[test]
fn data_that_the_network_would_not_pass_on() {
    let mut state = holding(&[100]);
    let data = |text: &str| OutputRequest::Data(text.to_owned());
    assert_eq!(refused(&mut state, &send(vec![data("")])), "You must provide data.");
    assert_eq!(
        refused(&mut state, &send(vec![data("x"); 26])),
        "Transaction has 26 data outputs and can have at most 25."
    );
    assert!(state.try_plan(&send(vec![data("x"); 25])).is_ok());
    assert_eq!(
        refused(&mut state, &send(vec![data(&"x".repeat(254))])),
        "Data has 254 bytes and can have at most 253."
    );
    assert!(state.try_plan(&send(vec![data(&"x".repeat(253))])).is_ok());
}

/// Plans and gives back.
trait TryPlan {
    fn try_plan(&mut self, request: &SendRequest) -> Result<Plan, PlanError>;
}
impl TryPlan for State {
    fn try_plan(&mut self, request: &SendRequest) -> Result<Plan, PlanError> {
        self.plan_send(request, NOW, LATER).inspect(|plan| self.release(plan.reservation))
    }
}

#[test]
fn chosen_inputs_that_cannot_be_spent() {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    let locked = SpentOutput { script: pays(to, Some(NOW)), ..output(to, 9, NATIVE) };
    let first = vertex(
        1,
        vec![
            output(to, 10, NATIVE),
            output(foreign(), 10, NATIVE),
            locked,
            output(to, 10, NATIVE),
            authority(to, 1, custom(1)),
            output(to, 5, custom(1)),
        ],
    );
    let _ = state.apply(first.clone());
    let _ = state.apply(spending(2, &[(&first, 3)], vec![output(to, 10, NATIVE)]));
    let mut voided = vertex(3, vec![output(to, 10, NATIVE)]);
    voided.voided = true;
    let _ = state.apply(voided);

    let mut one =
        |tx, index, token| refused(&mut state, &send_from(vec![outpoint(tx, index)], vec![pay(1, token)]));
    assert_eq!(
        one(1, 1, NATIVE),
        format!("Token: 00. Output [1] of transaction [{TX}] is not from the wallet")
    );
    assert_eq!(one(1, 2, NATIVE), format!("Token: 00. Output [{TX}, 2] is locked or being used"));
    assert_eq!(one(1, 3, NATIVE), format!("Token: 00. Output [3] of transaction [{TX}] is already spent"));
    assert_eq!(
        one(1, 4, custom(1)),
        format!("Token: {TX}. Output [4] of transaction [{TX}] is an authority output")
    );
    assert_eq!(one(3, 0, NATIVE), format!("Token: 00. Transaction [{}] is voided", id(3)));
    assert_eq!(one(1, 6, NATIVE), "invalid-input");
    assert_eq!(one(9, 0, NATIVE), "invalid-input");
    assert_eq!(one(1, 5, NATIVE), "invalid-input");
    assert_eq!(one(1, 0, custom(1)), "invalid-input");

    let twice = send_from(vec![outpoint(1, 0), outpoint(1, 0)], vec![pay(15, NATIVE)]);
    let given_twice = format!("Token: 00. Output [{TX}, 0] is given twice");
    assert_eq!(refused(&mut state, &twice), given_twice);
    let in_use = format!("Token: 00. Output [{TX}, 0] is locked or being used");
    let once = send_from(vec![outpoint(1, 0)], vec![pay(10, NATIVE)]);
    state.plan_send(&once, NOW, LATER).unwrap();
    assert_eq!(refused(&mut state, &once), in_use);
    assert_eq!(
        refused(&mut state, &send_from(vec![outpoint(2, 0)], vec![pay(11, NATIVE)])),
        "Token: 00. Sum of outputs is greater than sum of inputs"
    );
}

#[test]
fn change_must_come_back_to_the_wallet() {
    let mut state = holding(&[100]);
    let elsewhere = |value| SendRequest { change_address: Some(foreign()), ..send(vec![pay(value, NATIVE)]) };
    assert_eq!(refused(&mut state, &elsewhere(1)), "Change address is not from the wallet");
    // Without change nobody looks, as in hathor-wallet-headless.
    assert!(state.try_plan(&elsewhere(100)).is_ok());
    let request = CreateTokenRequest { change_address: Some(foreign()), ..create() };
    assert_eq!(creation_refused(request), "Change address is not from this wallet");
}

#[test]
fn authorities_stay_in_the_wallet_unless_allowed() {
    let elsewhere = Some(AuthorityTo { address: Some(foreign()), allow_external: false });
    let text = |what| format!("The {what} authority address must belong to your wallet.");
    assert_eq!(creation_refused(CreateTokenRequest { mint_authority: elsewhere, ..create() }), text("mint"));
    assert_eq!(creation_refused(CreateTokenRequest { melt_authority: elsewhere, ..create() }), text("melt"));
    let allowed = Some(AuthorityTo { address: Some(foreign()), allow_external: true });
    let request = CreateTokenRequest { mint_authority: allowed, ..create() };
    assert!(holding(&[1000]).plan_create_token(&request, NOW, LATER).is_ok());
}

#[test]
fn token_creations_that_the_network_would_refuse() {
    let name = |name: &str| creation_refused(CreateTokenRequest { name: name.into(), ..create() });
    let symbol = |symbol: &str| creation_refused(CreateTokenRequest { symbol: symbol.into(), ..create() });
    assert_eq!(name(&"n".repeat(31)), "Token name size is 31 but maximum size is 30");
    assert_eq!(symbol("SYMBOL"), "Token symbol size is 6 but maximum size is 5");
    assert_eq!(name(""), "Token name and symbol are required when creating a new token");
    assert_eq!(symbol("htr"), "Invalid token symbol (htr): the native token has it");
    assert_eq!(
        creation_refused(CreateTokenRequest { amount: cents(0), ..create() }),
        "Value must be a positive number."
    );
    assert_eq!(
        creation_refused(CreateTokenRequest { data: vec!["x".into(); 26], ..create() }),
        "Transaction has 26 data outputs and can have at most 25."
    );
    assert_eq!(
        creation_refused(CreateTokenRequest { amount: cents(100_001), data: vec!["x".into()], ..create() }),
        "Not enough HTR tokens for deposit or fee: 1002 required, 1000 available"
    );
    // The greatest amount needs a deposit that is not there, and no sum on the way runs over.
    assert_eq!(
        creation_refused(CreateTokenRequest { amount: Amount::MAX_OUTPUT, ..create() }),
        "Not enough HTR tokens for deposit or fee: 92233720368547759 required, 1000 available"
    );
}

#[test]
fn minting_and_melting_without_the_right_or_the_means() {
    let mut state = holding(&[1]);
    let to = state.address(0).unwrap();
    let mint = MintRequest {
        token: id(8),
        version: TokenVersion::Deposit,
        amount: cents(200),
        address: None,
        change_address: None,
        authority: None,
        data: vec![],
        data_first: false,
    };
    let melt = MeltRequest {
        token: id(8),
        version: TokenVersion::Deposit,
        amount: cents(200),
        change_address: None,
        deposit_address: None,
        authority: None,
        data: vec![],
        data_first: false,
    };
    let no_mint = "Don't have mint authority output available.";
    let no_melt = "Don't have melt authority output available.";
    assert_eq!(refusal(&mut state, |state| state.plan_mint(&mint, NOW, LATER)), no_mint);
    assert_eq!(refusal(&mut state, |state| state.plan_melt(&melt, NOW, LATER)), no_melt);
    let _ = state.apply(vertex(9, vec![authority(to, 1, custom(8)), output(to, 199, custom(8))]));
    assert_eq!(refusal(&mut state, |state| state.plan_melt(&melt, NOW, LATER)), no_melt);
    assert_eq!(
        refusal(&mut state, |state| state.plan_mint(&mint, NOW, LATER)),
        "Not enough HTR tokens for deposit or fee: 2 required, 1 available"
    );
    let _ = state.apply(vertex(10, vec![authority(to, 2, custom(8))]));
    assert_eq!(
        refusal(&mut state, |state| state.plan_melt(&melt, NOW, LATER)),
        "Not enough tokens to melt: 200 requested, 199 available"
    );
    let costly = MeltRequest { amount: cents(100), data: vec!["x".into(); 4], ..melt };
    assert_eq!(
        refusal(&mut state, |state| state.plan_melt(&costly, NOW, LATER)),
        "Not enough HTR tokens for deposit or fee: 3 required, 1 available"
    );
    let authority = Authority::Mint;
    let destroy = DestroyRequest { token: id(8), authority, count: 2 };
    assert_eq!(refusal(&mut state, |state| state.plan_destroy(&destroy, NOW, LATER)), no_mint);
}

#[test]
fn more_than_a_transaction_can_hold() {
    let mut state = holding(&[1 << 40]);
    assert_eq!(
        refused(&mut state, &send(vec![pay(1, NATIVE); 256])),
        "Transaction has 257 outputs and can have at most 255."
    );
    let to = state.address(0).unwrap();
    let tokens = 100..117;
    let _ = state.apply(vertex(90, tokens.clone().map(|token| output(to, 1, custom(token))).collect()));
    let all: Vec<_> = tokens.map(|token| pay(1, custom(token))).collect();
    assert_eq!(refused(&mut state, &send(all.clone())), "Transaction has 17 tokens and can have at most 16.");
    assert!(state.try_plan(&send(all[1..].to_vec())).is_ok());

    let mut state = wallet();
    for number in 0..4 {
        let _ = state.apply(vertex(number, vec![output(to, 1, NATIVE); 70]));
    }
    let every = |count: u8| (0..count).map(|n| outpoint(n / 64, n % 64)).collect::<Vec<_>>();
    let mut chosen = every(255);
    chosen.push(outpoint(3, 65));
    assert_eq!(
        refused(&mut state, &send_from(chosen, vec![pay(256, NATIVE)])),
        "Transaction has 256 inputs and can have at most 255."
    );
    let wide = |count: usize| {
        let mut outputs = vec![OutputRequest::Data("x".repeat(253)); 25];
        outputs.resize(25 + count, pay(1, NATIVE));
        outputs
    };
    assert_eq!(
        refused(&mut state, &send_from(every(255), wide(220))),
        "Transaction has about 49943 bytes and can have at most 48000: use fewer inputs, outputs or data"
    );
    assert!(state.try_plan(&send_from(every(255), wide(150))).is_ok());
}
