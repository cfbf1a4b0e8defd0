//! Limits on spending: rules in words, what a transaction does, and sums, against a model that adds all up.
#![allow(clippy::unwrap_used)]

use headless_wallet::ledger::{
    Address, Amount, Input, Network, Outpoint, Output, Script, SpentOutput, TokenData, TokenUid, Transaction,
    VertexId,
};
use headless_wallet::limits::{
    Account, Charge, Counted, Counters, Effects, Kinds, LIMIT, Limit, Rule, Rules, Verb, assess,
};
use std::collections::BTreeMap;

const TOKEN: VertexId = VertexId([7; 32]);
const NETWORK: Network = Network::Testnet;

/// Numbers that look like drawn ones (xorshift): the same in each run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

fn rules(texts: &[&str]) -> Vec<Rule> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

#[test]
fn a_rule_is_read_as_it_is_written_and_anything_else_is_none() {
    let address = pays(1).to_string();
    let uid = TOKEN.to_string();
    for text in [
        "spend 10.00 HTR per day",
        "spend 0 * per transaction",
        "spend 0.10 HTR per day unless approved by 1 of alice",
        "mint 0 * per transaction unless approved by 2 of alice,bob,carol",
        &format!("mint 5 cents of {uid} per hour"),
        // With parts of a cent.
        &format!("spend 1044.48 cents of {uid} per day"),
        "spend 0.001 HTR per day",
        "mint 3402823669209384634633746074317682114.55 HTR per lifetime",
        &format!("to {address}"),
        &format!("not to {address}"),
        &format!("call {uid}"),
        &format!("call {uid} swap"),
    ] {
        assert_eq!(text.parse::<Rule>().unwrap().to_string(), text);
        let spaced = format!("  {}\t", text.replace(' ', "  "));
        assert_eq!(spaced.parse::<Rule>().unwrap().to_string(), text);
    }
    for text in [
        "",
        "spend",
        "spend HTR per day",
        "spend 10 * per day",
        "spend -1 HTR per day",
        "spend +1 HTR per day",
        "spend 1 htr per day",
        "spend 0.01 HTR a day",
        "spend 0.01 HTR per week",
        "spend 0.01 HTR per day or 1 approval",
        "spend 0.01 HTR per day unless approved by 0 of alice",
        "spend 0.01 HTR per day unless approved by 2 of alice",
        "spend 0.01 HTR per day unless approved by 2 of alice,alice",
        "spend 0.01 HTR per day unless approved by 1 of alice,",
        "spend 0.01 HTR per day unless approved by 1 of alice, bob",
        "spend 0.01 HTR per day unless approved",
        "to nowhere unless approved by 1 of alice",
        "Spend 1 HTR per day",
        "melt 1 HTR per day",
        "spend 1 00ff per day",
        "to nowhere",
        "not 1",
        "call 00",
        "spend 9999999999999999999999999999999999999999.99 HTR per day",
    ] {
        let error = text.parse::<Rule>().unwrap_err().to_string();
        assert!(error.ends_with(&format!("and {text:?} is none")), "{error}");
    }
}

#[test]
fn an_address_means_its_key_and_one_of_another_network_is_named_with_its_form_here() {
    for address in [Address::p2pkh, Address::p2sh] {
        let (here, there) = (address(NETWORK, [3; 20]), address(Network::Mainnet, [3; 20]));
        for (words, place) in [("to", there), ("not to", there)] {
            let rule: Rule = format!("{words} {place}").parse().unwrap();
            assert_eq!(rule.check_network(Network::Mainnet), Ok(()));
            assert_eq!(
                rule.check_network(NETWORK).unwrap_err().to_string(),
                format!(
                    "the limit \"{words} {there}\" has an address of another network than testnet, where the address of the same key is {here}"
                )
            );
        }
        // Test networks have one form.
        let rule: Rule = format!("to {here}").parse().unwrap();
        assert_eq!((rule.check_network(NETWORK), rule.check_network(Network::Privatenet)), (Ok(()), Ok(())));
    }
    assert!(!Address::p2pkh(NETWORK, [3; 20]).is_same_key(Address::p2sh(NETWORK, [3; 20])));
    // Where one was taken all the same, it holds for its key.
    let sent = effects(&[(100, HTR, 0)], vec![output(200, 60, 0), output(1, 40, 0)]);
    let [mainnet, other] = [200, 201].map(|place| Address::p2pkh(Network::Mainnet, [place; 20]));
    let denied = format!("not to {mainnet}");
    let refusal = assess(&sent, &[of_key(&rules(&[&denied]))], &[]).unwrap_err();
    assert_eq!(refusal, format!("The limit \"{denied}\" of the API key \"shop\" refuses this."));
    assert!(assess(&sent, &[of_key(&rules(&[&format!("to {mainnet}")]))], &[]).is_ok());
    assert!(assess(&sent, &[of_key(&rules(&[&format!("to {other}")]))], &[]).is_err());
}

#[test]
fn each_kind_of_thing_that_a_transaction_does_is_told() {
    let kinds = |inputs: &[(u64, TokenUid, u8)], outputs: Vec<Output>| {
        let Kinds { pays, creates, mints, melts, calls } = effects(inputs, outputs).kinds;
        let all =
            [(pays, "pays"), (creates, "creates"), (mints, "mints"), (melts, "melts"), (calls, "calls")];
        all.iter().filter(|(does, _)| *does).map(|(_, name)| *name).collect::<Vec<_>>().join(" ")
    };
    let (mint, melt, both) = ((1, OTHER, 0x81), (2, OTHER, 0x81), (3, OTHER, 0x81));
    let deposit = [(1, HTR, 0), mint];
    // To itself, too: nothing else is done.
    assert_eq!(kinds(&[(5, HTR, 0)], vec![output(1, 5, 0)]), "pays");
    // What is minted goes to anybody, and no more than that.
    assert_eq!(kinds(&deposit, vec![output(200, 100, 1), output(1, 1, 0x81)]), "mints");
    assert_eq!(kinds(&deposit, vec![output(1, 100, 1)]), "mints");
    assert_eq!(
        kinds(&[(1, HTR, 0), both], vec![output(200, 100, 1), output(1, 1, 0x81), output(1, 2, 0x81)]),
        "mints"
    );
    let with_more = [(1, HTR, 0), mint, (7, OTHER, 0)];
    assert_eq!(kinds(&with_more, vec![output(200, 107, 1), output(1, 1, 0x81)]), "pays mints");
    assert_eq!(kinds(&[(9, HTR, 0), mint], vec![output(200, 100, 1), output(201, 8, 0)]), "pays mints");
    // The other right of an authority that has both.
    assert_eq!(kinds(&[(1, HTR, 0), both], vec![output(1, 100, 1), output(1, 1, 0x81)]), "mints melts");
    // What melting gives back goes to anybody.
    assert_eq!(kinds(&[(100, OTHER, 0), melt], vec![output(200, 1, 0), output(1, 2, 0x81)]), "melts");
    assert_eq!(kinds(&[(100, OTHER, 0), melt], vec![output(200, 1, 0), output(201, 10, 1)]), "pays melts");
    // A right that is handed on or lost is used; one that is kept is not.
    assert_eq!(kinds(&[mint], vec![output(200, 1, 0x81)]), "mints");
    assert_eq!(kinds(&[melt], vec![output(200, 2, 0x81)]), "melts");
    assert_eq!(kinds(&[both], vec![output(1, 1, 0x81)]), "melts");
    assert_eq!(kinds(&[both], vec![output(1, 3, 0x81)]), "pays");
}

fn pays(place: u8) -> Address {
    Address::p2pkh(NETWORK, [place; 20])
}

/// An output to the address at a place: those below 100 are the wallet's.
fn output(place: u8, value: u64, token_data: u8) -> Output {
    let script = Script::Pay { to: pays(place), timelock: None }.to_bytes().unwrap();
    Output { value: Amount::from(value), token_data: TokenData(token_data), script }
}

/// The same, locked until some time.
fn locked(place: u8, value: u64) -> Output {
    let script = Script::Pay { to: pays(place), timelock: Some(u32::MAX) }.to_bytes().unwrap();
    Output { value: Amount::from(value), token_data: TokenData(0), script }
}

fn is_own(script: &[u8]) -> bool {
    (0..100).any(|place| [output(place, 1, 0), locked(place, 1)].iter().any(|own| own.script == script))
}

/// What the inputs spend is at these places of another transaction.
fn effects(inputs: &[(u64, TokenUid, u8)], outputs: Vec<Output>) -> Effects {
    let spends = |index: usize| Outpoint { tx: VertexId([1; 32]), index: u8::try_from(index).unwrap() };
    let transaction = Transaction {
        signal_bits: 0,
        tokens: vec![TOKEN],
        inputs: (0..inputs.len()).map(|index| Input { spends: spends(index), data: Vec::new() }).collect(),
        outputs,
        creates: None,
        blueprint: None,
        weight: 1.0,
        timestamp: 1,
        parents: Vec::new(),
        nonce: 0,
        headers: Vec::new(),
    };
    let own = |spends: Outpoint| {
        let (value, token, token_data) = *inputs.get(usize::from(spends.index))?;
        let script = output(0, 1, 0).script[..].into();
        Some(SpentOutput {
            value: Amount::from(value),
            token,
            token_data: TokenData(token_data),
            script,
            unknown: None,
        })
    };
    Effects::of(&transaction, NETWORK, own, is_own)
}

#[test]
fn what_the_wallet_locks_away_is_spent() {
    let effects = effects(&[(10, HTR, 0)], vec![output(1, 3, 0), locked(2, 7)]);
    assert_eq!(effects.spent, [(HTR, Amount::from(7u64))].into());
    assert_eq!(effects.pays, [pays(2)].into());
}

const HTR: TokenUid = TokenUid::Native;
const OTHER: TokenUid = TokenUid::Custom(TOKEN);

fn amounts(of: &BTreeMap<TokenUid, Amount>) -> Vec<(TokenUid, u128)> {
    of.iter().map(|(token, amount)| (*token, amount.cents())).collect()
}

#[test]
fn a_deed_is_what_leaves_the_wallet_and_what_is_made() {
    // Payment with change; the missing cent is a fee or deposit.
    let sent = effects(&[(100, HTR, 0)], vec![output(200, 60, 0), output(1, 39, 0)]);
    assert_eq!((amounts(&sent.spent), amounts(&sent.minted)), (vec![(HTR, 61)], vec![]));
    assert_eq!(sent.pays.into_iter().collect::<Vec<_>>(), [pays(200)]);
    // To itself.
    let kinds = Kinds { pays: true, ..Kinds::default() };
    let moved = effects(&[(100, HTR, 0)], vec![output(1, 100, 0)]);
    assert_eq!(moved, Effects { kinds, ..Effects::default() });
    // Minted to itself: a deposit leaves. Minted to others: that, too.
    let mint = [(100, HTR, 0), (1, OTHER, 0x81)];
    let own = effects(&mint, vec![output(1, 90, 0), output(2, 1_000, 1), output(3, 1, 0x81)]);
    assert_eq!((amounts(&own.spent), amounts(&own.minted)), (vec![(HTR, 10)], vec![(OTHER, 1_000)]));
    let given = effects(&mint, vec![output(1, 90, 0), output(200, 1_000, 1), output(3, 1, 0x81)]);
    assert_eq!(amounts(&given.spent), [(HTR, 10), (OTHER, 1_000)]);
    assert!(!given.hands_on_minting);
    // The right to mint goes away; one to melt may.
    assert!(effects(&mint, vec![output(1, 100, 0), output(200, 1, 0x81)]).hands_on_minting);
    assert!(!effects(&[(2, OTHER, 0x81)], vec![output(200, 2, 0x81)]).hands_on_minting);
    // A swap: what comes is not spent, and others' inputs are not known.
    let swap = effects(&[(100, HTR, 0)], vec![output(200, 100, 0), output(1, 50, 1)]);
    assert_eq!((amounts(&swap.spent), amounts(&swap.minted)), (vec![(HTR, 100)], vec![]));
    // Melted.
    let melt = effects(&[(1_000, OTHER, 0), (2, OTHER, 0x81)], vec![output(1, 10, 0), output(1, 2, 0x81)]);
    assert_eq!(amounts(&melt.spent), [(OTHER, 1_000)]);
    // Melted, and what that gives goes to others.
    let paid = |right| effects(&[(1_000, OTHER, 0), (right, OTHER, 0x81)], vec![output(200, 10, 0)]);
    assert_eq!(amounts(&paid(2).spent), [(HTR, 10), (OTHER, 1_000)]);
    assert_eq!(amounts(&paid(2).minted), []);
    // HTR that somebody else must have brought.
    assert_eq!(amounts(&paid(1).spent), [(OTHER, 1_000)]);
    let data = Output { script: Script::Data("x".to_owned()).to_bytes().unwrap(), ..output(1, 1, 0) };
    let odd = Output { script: vec![0x51], ..output(1, 1, 0) };
    let strange = effects(&[(2, HTR, 0)], vec![data, odd]);
    assert_eq!((amounts(&strange.spent), strange.pays_unknown), (vec![(HTR, 2)], true));
}

fn of_key<'a>(rules: &'a [Rule]) -> Rules<'a> {
    Rules { scope: "key shop", whose: "the API key \"shop\"", rules }
}

#[test]
fn the_rule_that_refuses_is_named() {
    let spends =
        |amount| effects(&[(1_000, HTR, 0)], vec![output(200, amount, 0), output(1, 1_000 - amount, 0)]);
    let refused =
        |texts: &[&str], effects: &Effects| assess(effects, &[of_key(&rules(texts))], &[]).unwrap_err();
    let name = |rule: &str| format!("The limit \"{rule}\" of the API key \"shop\"");
    let cap = "spend 0.10 HTR per transaction";
    let told = format!("{} refuses this: it would spend 0.11 HTR, with 0.10 HTR left.", name(cap));
    assert_eq!(refused(&[cap], &spends(11)), told);
    assert!(assess(&spends(10), &[of_key(&rules(&[cap]))], &[]).unwrap().charges.is_empty());
    let star = "spend 5 cents of * per transaction";
    assert_eq!(
        refused(&[cap, star], &effects(&[(6, OTHER, 0)], vec![output(200, 6, 1)])),
        format!("{} refuses this: it would spend 6 cents of {OTHER}, with 5 cents left.", name(star))
    );
    assert!(assess(&spends(10), &[of_key(&rules(&[cap, star]))], &[]).is_ok(), "* is for what has no rule");
    let (to, other) = (pays(200).to_string(), pays(201).to_string());
    let denied = format!("not to {to}");
    assert_eq!(refused(&[&denied], &spends(1)), format!("{} refuses this.", name(&denied)));
    assert_eq!(
        refused(&[&format!("to {other}")], &spends(1)),
        format!(
            "The limits of the API key \"shop\" refuse this: no `to` and no `call` of them names the address {to}."
        )
    );
    assert!(
        assess(&spends(1), &[of_key(&rules(&[&format!("to {other}"), &format!("to {to}")]))], &[]).is_ok()
    );
    let mint = "mint 5 cents of * per day";
    let handing = effects(&[(1, OTHER, 0x81)], vec![output(200, 1, 0x81)]);
    assert_eq!(
        refused(&[mint], &handing),
        format!("{} refuses this: it hands on the right to mint.", name(mint))
    );
}

#[test]
fn windows_are_counted_under_the_key_and_the_wallet() {
    let (key, wallet) = (
        rules(&["spend 0.10 HTR per day", "spend 0.04 HTR per hour"]),
        rules(&["spend 9 cents of * per lifetime"]),
    );
    let all = [of_key(&key), Rules { scope: "wallet a", whose: "the wallet \"a\"", rules: &wallet }];
    let assessment = assess(&effects(&[(3, HTR, 0)], vec![output(200, 3, 0)]), &all, &[]).unwrap();
    let limits: Vec<_> = assessment.limits.iter().map(|l| (l.charge, l.window, l.most.cents())).collect();
    assert_eq!(limits, [(0, Some(86_400), 10), (0, Some(3_600), 4), (1, None, 9)]);
    let scopes: Vec<_> =
        assessment.charges.iter().map(|charge| (&*charge.account.scope, charge.amount.cents())).collect();
    assert_eq!(scopes, [("key shop", 3), ("wallet a", 3)]);
    let mut counters = Counters::default();
    let id = |n: u8| [n; 32];
    assert_eq!(counters.count(0, id(1), &assessment), Counted::Yes(assessment.charges.clone()));
    assert_eq!(counters.count(0, id(1), &assessment), Counted::Yes(vec![]), "the same payment counts once");
    assert_eq!(counters.count(0, id(2), &assessment), Counted::Passed(1, Amount::from(1)));
    assert_eq!(counters.count(3_599, id(2), &assessment), Counted::Passed(1, Amount::from(1)));
    assert_eq!(counters.count(3_600, id(2), &assessment), Counted::Yes(assessment.charges.clone()));
    assert_eq!(counters.count(7_200, id(3), &assessment), Counted::Yes(assessment.charges.clone()));
    assert_eq!(counters.count(10_800, id(4), &assessment), Counted::Passed(0, Amount::from(1)));
    counters.take_back(10_800, id(3), &assessment.charges);
    assert_eq!(counters.count(10_800, id(4), &assessment), Counted::Yes(assessment.charges.clone()));
    assert_eq!(counters.count(1_000_000, id(5), &assessment), Counted::Passed(2, Amount::ZERO), "for ever");
}

#[test]
fn what_a_quorum_approves_goes_beyond_and_does_not_count() {
    let free = "spend 0.10 HTR per day unless approved by 1 of alice,bob";
    let large = "spend 0.50 HTR per transaction unless approved by 2 of alice,bob,carol";
    let rules = rules(&[free, large, "spend 10.00 HTR per day"]);
    let spends =
        |amount| effects(&[(2_000, HTR, 0)], vec![output(200, amount, 0), output(1, 2_000 - amount, 0)]);
    let assessed = |amount, approvers: &[&str]| {
        let approvers: Vec<_> = approvers.iter().map(ToString::to_string).collect();
        assess(&spends(amount), &[of_key(&rules)], &approvers).unwrap()
    };
    let mut counters = Counters::default();
    let mut number = 0;
    let mut count = |assessment: &_| {
        number += 1;
        counters.count(0, [number; 32], assessment)
    };
    let one = assessed(6, &[]);
    let unapproved = "key shop unless approved by 1 of alice,bob";
    let scopes: Vec<_> = one.charges.iter().map(|charge| &*charge.account.scope).collect();
    assert_eq!(scopes, [unapproved, "key shop"]);
    assert_eq!(count(&one), Counted::Yes(one.charges.clone()));
    assert_eq!(count(&one), Counted::Passed(0, Amount::from(4)));
    assert_eq!(one.limits[0].rule, format!("{LIMIT} \"{free}\" of the API key \"shop\""));
    // Whether it would be refused all the same.
    assert_eq!(one.if_approved().limits.len(), 1);
    for others in [&["carol"][..], &["Alice", "mallory"]] {
        assert_eq!(assessed(6, others), one);
    }
    let approved = assessed(45, &["bob"]);
    assert_eq!(count(&approved), Counted::Yes(vec![approved.charges[0].clone()]));
    assert_eq!((approved.charges.len(), &*approved.charges[0].account.scope), (1, "key shop"));
    assert!(matches!(count(&assessed(4, &[])), Counted::Yes(_)), "what was approved takes nothing of it");
    let [wanted] = &assessed(51, &["bob"]).wanted[..] else { panic!("{large}") };
    let why = format!(
        "{LIMIT} \"{large}\" of the API key \"shop\" wants approval for this: it would spend 0.51 HTR, with 0.50 HTR left without approval."
    );
    assert_eq!((&wanted.why, wanted.of.to_string()), (&why, "2 of alice,bob,carol".to_owned()));
    let both = assessed(945, &["bob", "carol"]);
    assert_eq!((both.wanted.len(), count(&both)), (0, Counted::Yes(both.charges.clone())));
    assert_eq!(count(&assessed(1, &["alice"])), Counted::Passed(0, Amount::ZERO), "hard limits hold for all");
}

/// 10^5 sequences of charges, at drawn times, of which some are taken back and some come again.
#[test]
fn a_limit_is_never_passed_and_nothing_within_it_refused() {
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    let accounts = ["a", "b"].map(|scope| Account { scope: scope.to_owned(), verb: Verb::Spend, token: HTR });
    let windows = [Some(3_600), Some(86_400), None];
    for sequence in 0..100_000 {
        let mosts = [(); 3].map(|()| draw.below(40));
        let (mut counters, mut now) = (Counters::default(), 1_000_000);
        // Time, id, account, amount of all that counts.
        let mut model: Vec<(u32, u8, usize, u64)> = Vec::new();
        for step in 0..12 {
            now += [0, 1, 1_800, 3_599, 3_600, 30_000, 86_400][usize::try_from(draw.below(7)).unwrap()];
            let id = u8::try_from(draw.below(12)).unwrap();
            if draw.below(6) == 0 {
                let charge = |account: &Account| Charge { account: account.clone(), amount: Amount::ZERO };
                counters.take_back(now, [id; 32], &accounts.each_ref().map(charge));
                model.retain(|(time, of, ..)| *of != id || time + 86_400 <= now);
                continue;
            }
            let amount = draw.below(20) + 1;
            let touched: Vec<_> = (0..2).filter(|_| draw.below(3) > 0).collect();
            let charge =
                |place: &usize| Charge { account: accounts[*place].clone(), amount: Amount::from(amount) };
            let assessment = headless_wallet::limits::Assessment {
                charges: touched.iter().map(charge).collect(),
                limits: (0..touched.len())
                    .flat_map(|charge| {
                        windows.iter().zip(mosts).map(move |(window, most)| (charge, *window, most))
                    })
                    .map(|(charge, window, most)| Limit {
                        charge,
                        window,
                        most: Amount::from(most),
                        rule: String::new(),
                        unless: None,
                    })
                    .collect(),
                wanted: Vec::new(),
            };
            let is_live = |time: u32, window: Option<u32>| window.is_none_or(|window| time + window > now);
            let is_new = |account: usize| {
                !model
                    .iter()
                    .any(|(time, of, at, _)| *of == id && *at == account && is_live(*time, Some(86_400)))
            };
            let fits = |account: usize| {
                windows.iter().zip(mosts).all(|(window, most)| {
                    let of =
                        model.iter().filter(|(time, _, at, _)| *at == account && is_live(*time, *window));
                    of.map(|(.., amount)| amount).sum::<u64>() + amount <= most
                })
            };
            let news: Vec<_> = touched.iter().copied().filter(|account| is_new(*account)).collect();
            let expected = news.iter().all(|account| fits(*account));
            match counters.count(now, [id; 32], &assessment) {
                Counted::Yes(counted) => {
                    assert!(expected, "{sequence} {step}");
                    assert_eq!(counted.len(), news.len(), "{sequence} {step}");
                    model.extend(news.iter().map(|account| (now, id, *account, amount)));
                }
                Counted::Passed(..) => assert!(!expected, "{sequence} {step}"),
            }
            for (place, account) in accounts.iter().enumerate() {
                let total: u64 =
                    model.iter().filter(|(_, _, at, _)| *at == place).map(|(.., amount)| amount).sum();
                assert_eq!(counters.total(account), Amount::from(total), "{sequence} {step}");
            }
        }
    }
}
