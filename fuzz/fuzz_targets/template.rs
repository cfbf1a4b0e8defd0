//! Whatever instructions a template has, it is refused, or it makes a transaction that can be written and
//! read, and that spends nothing twice. Nothing stays reserved.
#![no_main]

use headless_wallet::json;
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::nano::ArgType;
use headless_wallet::ledger::{
    Address, Amount, DepositRate, ExtraMembers, Network, Script, SpentOutput, TokenData, TokenUid,
    TokenVersion, Transaction, Vertex, VertexId, VertexOutput,
};
use headless_wallet::template::Template;
use headless_wallet::wallet::{
    Scan, Settings, State, TemplateFact, TemplateFacts, TemplateRequest, TemplateWalk,
};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use std::collections::HashSet;

const NOW: u32 = 1_700_001_000;
const TOKEN: TokenUid = TokenUid::Custom(VertexId([0xd1; 32]));

/// A wallet with some HTR, some of a token, and both authorities over it.
fn wallet() -> State {
    let words = Mnemonic::parse(&format!("{}art", "abandon ".repeat(23))).expect("valid words");
    let settings = Settings {
        network: Network::Mainnet,
        scan: Scan::IndexLimit { first: 0, last: 3 },
        reward_spend_min_blocks: 300,
        deposit: DepositRate::default(),
    };
    let mut state = State::new(AccountKeys::from_mnemonic(&words, "").public(), settings);
    let held = [
        (100, TokenUid::Native, TokenData::NATIVE),
        (7, TokenUid::Native, TokenData::NATIVE),
        (1_000, TOKEN, TokenData::FIRST),
        (1, TOKEN, TokenData::authority(1)),
        (2, TOKEN, TokenData::authority(1)),
    ];
    for (number, (value, token, token_data)) in (1..).zip(held) {
        let to = state.address(u32::from(number % 4)).expect("watched");
        let script = Script::Pay { to, timelock: None }.to_bytes().expect("payments have scripts").into();
        let output = SpentOutput { value: Amount::new(value), token, token_data, script, unknown: None };
        let _ = state.apply(Vertex {
            id: VertexId([number; 32]),
            version: 1,
            weight: 17.0,
            timestamp: 1_700_000_000 + u32::from(number),
            voided: false,
            first_block: None,
            height: None,
            parents: Vec::new(),
            inputs: Vec::new(),
            outputs: vec![VertexOutput { output, spent_by: None }],
            creates: None,
            nano: None,
            extra: ExtraMembers::default(),
        });
    }
    state
}

/// What a node could say, and a key could sign.
fn learn(facts: &mut TemplateFacts, fact: TemplateFact) {
    match fact {
        TemplateFact::Token(id) => {
            let version = if id.0[0] % 2 == 0 { TokenVersion::Fee } else { TokenVersion::Deposit };
            facts.tokens.insert(id, version);
        }
        TemplateFact::Outputs(tx) => drop(facts.outputs.insert(tx, Vec::new())),
        TemplateFact::Method(contract, method) => {
            // The method's name says what it takes, as in "int,str".
            let types = method.split(',').filter_map(|name| ArgType::parse(name).ok()).collect();
            facts.methods.insert((contract, method), types);
        }
        TemplateFact::Address(index) => {
            facts.addresses.insert(index, Address::p2pkh(Network::Mainnet, [7; 20]));
        }
        TemplateFact::Signature(index, said) => drop(facts.signatures.insert((index, said), vec![7; 70])),
    }
}

thread_local!(static WALLET: RefCell<State> = RefCell::new(wallet()));

fuzz_target!(|bytes: &[u8]| {
    let Ok(given) = json::read(bytes) else { return };
    let Ok(template) = Template::read(&given) else { return };
    WALLET.with_borrow_mut(|state| {
        // As a wallet does: what an instruction lacks is found out before the next one is looked at.
        let (mut facts, mut walk) = (TemplateFacts::default(), TemplateWalk::of(&template));
        loop {
            let lacking = state.template_lacks(&mut walk, &facts, NOW);
            if lacking.is_empty() {
                break;
            }
            lacking.into_iter().for_each(|fact| learn(&mut facts, fact));
        }
        assert!(walk.looks() <= 3 * template.instructions.len());
        let request = TemplateRequest { template, facts, with_foreign_inputs: true, shuffle_seed: 7 };
        let Ok(plan) = state.plan_template(&request, NOW, u32::MAX) else { return };
        let written = plan.transaction.to_bytes().expect("what is planned can be written");
        assert_eq!(Transaction::from_bytes_with_v2(&written).as_ref(), Ok(&plan.transaction));
        let spends = plan.transaction.spends();
        assert_eq!(spends.iter().collect::<HashSet<_>>().len(), spends.len());
        state.release(plan.reservation);
    });
    WALLET.with_borrow(|state| {
        let balance = state.balance(TokenUid::Native, NOW);
        assert_eq!(balance.available, Amount::new(107));
    });
});
