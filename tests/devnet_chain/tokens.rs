//! Tokens: creating, minting, melting, authorities, deposits, and what is known of them.

use crate::support::{Draft, NOW, Party, chain, fund, refusal};
use headless_wallet::devnet::chain::{Chain, TokenState};
use headless_wallet::ledger::{Amount, Outpoint, TokenData, TokenUid, TokenVersion, VertexId};

const TOKEN: TokenData = TokenData::FIRST;
const AUTHORITY: TokenData = TokenData::authority(1);
const MINT: u64 = 1;
const MELT: u64 = 2;

/// A chain whose party 1 has 980 HTR (output 0 of the token's creation), 2,000 of the token (1), and both
/// authorities (2, 3).
fn with_token() -> (Chain, Party, VertexId) {
    let mut chain = chain();
    let party = Party::new(1);
    let coin = fund(&mut chain, &party, 1_000, NOW);
    let creation = Draft::new(&chain, NOW + 1)
        .spend(coin, 0, &party)
        .to(&party, 980)
        .output(2_000, TOKEN, party.script())
        .output(MINT, AUTHORITY, party.script())
        .output(MELT, AUTHORITY, party.script())
        .creates("Token One", "ONE", TokenVersion::Deposit);
    let token = chain.push(&creation.bytes(), NOW + 1).unwrap();
    (chain, party, token)
}

/// The answer to a transaction that spends the given outputs of the token's creation.
fn answer(spends: &[u8], shape: impl FnOnce(Draft, &Party) -> Draft) -> Result<(), String> {
    let (mut chain, party, token) = with_token();
    let mut draft = Draft::new(&chain, NOW + 2).tokens(&[token]);
    for index in spends {
        draft = draft.spend(token, *index, &party);
    }
    let pushed = chain.push(&shape(draft, &party).bytes(), NOW + 2);
    let text = pushed.map(drop).map_err(|error| error.to_string());
    text.map_err(|text| {
        text.replace(&token.to_string(), "TOKEN").trim_start_matches("full validation failed: ").to_owned()
    })
}

fn fails(text: &str) -> Result<(), String> {
    Err(text.to_owned())
}

#[test]
fn what_is_known_of_a_token() {
    let (chain, _, token) = with_token();
    let authority = |index| vec![Outpoint { tx: token, index }];
    let state = TokenState {
        uid: TokenUid::Custom(token),
        name: "Token One".to_owned(),
        symbol: "ONE".to_owned(),
        version: Some(TokenVersion::Deposit),
        mint: authority(2),
        melt: authority(3),
        total: Amount::new(2_000),
        transactions_count: 1,
    };
    assert_eq!(chain.token(TokenUid::Custom(token)), Some(state));
    assert_eq!(chain.tokens().collect::<Vec<_>>(), [token]);
    assert_eq!(chain.token(TokenUid::Custom(VertexId([1; 32]))), None);
    // Two genesis owners, one block so far, less the deposit.
    assert_eq!(chain.token(TokenUid::Native).unwrap().total, Amount::new(200_000_006_400 - 20));
}

#[test]
fn minting_needs_its_authority_and_its_deposit() {
    let mint = |htr: u64, minted: u64| {
        move |draft: Draft, party: &Party| draft.to(party, htr).output(minted, TOKEN, party.script())
    };
    // 150 more cost 2: deposits are rounded up.
    assert_eq!(answer(&[0, 2], mint(978, 150)), Ok(()));
    assert_eq!(
        answer(&[0, 2], mint(979, 150)),
        fails("There's an invalid surplus of HTR. (amount=-1, expected=-2)")
    );
    assert_eq!(
        answer(&[0, 2], mint(977, 150)),
        fails("There's an invalid deficit of HTR. (amount=-3, expected=-2)")
    );
    assert_eq!(
        answer(&[0, 3], mint(978, 150)),
        fails("-150 TOKEN tokens minted, but there is no mint authority input")
    );
    assert_eq!(answer(&[0], mint(978, 150)), fails("no inputs for token TOKEN"));
}

#[test]
fn melting_needs_its_authority_and_returns_whole_cents() {
    let melt = |htr: u64, left: u64| {
        move |draft: Draft, party: &Party| draft.to(party, htr).output(left, TOKEN, party.script())
    };
    // 150 less return 1: withdrawals are rounded down.
    assert_eq!(answer(&[1, 3], melt(1, 1_850)), Ok(()));
    assert_eq!(
        answer(&[1, 3], melt(2, 1_850)),
        fails("There's an invalid surplus of HTR. (amount=2, expected=1)")
    );
    assert_eq!(
        answer(&[1, 2], melt(1, 1_850)),
        fails("150 TOKEN tokens melted, but there is no melt authority input")
    );
    // All of it, and the authority with it: then the token is not in the list.
    assert_eq!(answer(&[1, 3], |draft, party| draft.tokens(&[]).to(party, 20)), Ok(()));
    assert_eq!(answer(&[1, 3], |draft, party| draft.to(party, 20)), fails("unused tokens are not allowed"));
}

#[test]
fn authorities_come_from_the_same_authorities() {
    let give = |value: u64| {
        move |draft: Draft, party: &Party| draft.to(party, 980).output(value, AUTHORITY, party.script())
    };
    assert_eq!(answer(&[0, 2], give(MINT)), Ok(()));
    assert_eq!(answer(&[0, 2, 3], give(MINT | MELT)), Ok(()));
    assert_eq!(
        answer(&[0, 3], give(MINT)),
        fails("output at index 1 has mint authority, but no input has it")
    );
    assert_eq!(
        answer(&[0, 2], give(MINT | MELT)),
        fails("output at index 1 has melt authority, but no input has it")
    );
    assert_eq!(answer(&[0, 2, 3], give(7)), fails("Invalid authorities in output (0b111)"));
    // Destroying them takes nothing.
    assert_eq!(answer(&[0, 2, 3], |draft, party| draft.tokens(&[]).to(party, 980)), Ok(()));
}

#[test]
fn the_token_list() {
    let list =
        |tokens: Vec<VertexId>| move |draft: Draft, party: &Party| draft.tokens(&tokens).to(party, 980);
    let ids: Vec<_> = (0..17).map(|n| VertexId([n; 32])).collect();
    assert_eq!(answer(&[0], list(ids)), fails("too many tokens"));
    assert_eq!(answer(&[0], list(vec![VertexId([1; 32]); 2])), fails("repeated tokens are not allowed"));
    assert_eq!(answer(&[0], list(vec![VertexId([1; 32])])), fails("unused tokens are not allowed"));
}

#[test]
fn unused_tokens_pass_where_the_rules_let_them() {
    let (mut chain, party, token) = with_token();
    chain.rules_mut().reject_unused_tokens = false;
    let draft = Draft::new(&chain, NOW + 2).tokens(&[token]).spend(token, 0, &party).to(&party, 980);
    chain.push(&draft.bytes(), NOW + 2).unwrap();
}

#[test]
fn a_token_counts_the_transactions_that_list_it() {
    let (mut chain, party, token) = with_token();
    let count = |chain: &Chain| chain.token(TokenUid::Custom(token)).unwrap().transactions_count;
    assert_eq!(count(&chain), 1);
    let draft = Draft::new(&chain, NOW + 2).tokens(&[token]);
    chain.push(&draft.spend(token, 1, &party).output(2_000, TOKEN, party.script()).bytes(), NOW + 2).unwrap();
    assert_eq!(count(&chain), 2);
    // An authority is destroyed by a transaction that need not list its token.
    chain
        .push(
            &Draft::new(&chain, NOW + 2)
                .spend(token, 0, &party)
                .spend(token, 2, &party)
                .to(&party, 980)
                .bytes(),
            NOW + 2,
        )
        .unwrap();
    assert_eq!(count(&chain), 2);
}

#[test]
fn creations() {
    let mut chain = chain();
    let party = Party::new(1);
    let coin = fund(&mut chain, &party, 1_000, NOW);
    let mut create = |name: &str, symbol: &str, htr: u64, minted: Option<u64>| {
        let mut draft = Draft::new(&chain, NOW + 1).spend(coin, 0, &party).to(&party, htr);
        draft = match minted {
            Some(amount) => draft.output(amount, TOKEN, party.script()),
            None => draft.output(MINT, AUTHORITY, party.script()),
        };
        refusal(chain.push(&draft.creates(name, symbol, TokenVersion::Deposit).bytes(), NOW + 1))
    };
    let name = "a".repeat(31);
    assert_eq!(create("", "A", 999, Some(1)), "full validation failed: Invalid token name length (0)");
    assert_eq!(create(&name, "A", 999, Some(1)), "full validation failed: Invalid token name length (31)");
    assert_eq!(
        create("A", "ÄÖÜÄÖÜ", 999, Some(1)),
        "full validation failed: Invalid token symbol length (6)"
    );
    assert_eq!(
        create(" haTHOR ", "A", 999, Some(1)),
        "full validation failed: Invalid token name ( haTHOR )"
    );
    assert_eq!(create("A", "htr", 999, Some(1)), "full validation failed: Invalid token symbol (htr)");
    assert_eq!(
        create("A", "A", 1_000, None),
        "full validation failed: Token creation transaction must mint new tokens"
    );
    assert_eq!(
        create("A", "A", 1_000, Some(1)),
        "full validation failed: There's an invalid surplus of HTR. (amount=0, expected=-1)"
    );
}
