//! `templates.json`: what the reference library says of templates, and what its interpreter builds.

use crate::support::*;
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::nano::ArgType;
use headless_wallet::ledger::{Network, SpentOutput, TokenUid, TokenVersion, Transaction, Vertex, VertexId};
use headless_wallet::template::{MAX_INSTRUCTIONS, Template};
use headless_wallet::wallet::{
    Plan, PlanError, State, TemplateFact, TemplateFacts, TemplateProblem, TemplateRequest, TemplateWalk,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

fn file() -> Value {
    json(include_str!("../vectors/templates.json"))
}

fn output_of(utxo: &Value) -> (VertexId, SpentOutput) {
    let text = |name: &str| utxo[name].as_str().unwrap();
    let to = headless_wallet::ledger::Address::parse(text("address"), Network::Mainnet).unwrap();
    let (value, token): (_, TokenUid) = (number(&utxo["value"]), text("token").parse().unwrap());
    let output =
        if utxo["authority"] == true { authority(to, value, token) } else { output(to, value, token) };
    (text("tx").parse().unwrap(), output)
}

/// The wallet of the vectors, and what the node knows.
fn wallet_of(file: &Value) -> (State, TemplateFacts) {
    let mut state = wallet();
    for utxo in file["utxos"].as_array().unwrap() {
        let (id, output) = output_of(utxo);
        let _ = state.apply(Vertex { id, ..vertex(0, vec![output]) });
    }
    assert_eq!(state.current_address().to_string(), file["current_address"].as_str().unwrap());
    let version = |version: &Value| if *version == 2 { TokenVersion::Fee } else { TokenVersion::Deposit };
    let versions = file["versions"].as_object().unwrap().iter();
    let (id, output) = output_of(&file["foreign"]);
    let facts = TemplateFacts {
        tokens: versions.map(|(token, by)| (token.parse().unwrap(), version(by))).collect(),
        outputs: [(id, vec![output])].into(),
        methods: methods_of(file),
        ..TemplateFacts::default()
    };
    (state, facts)
}

/// What the methods of the contract and its blueprint take.
fn methods_of(file: &Value) -> HashMap<(VertexId, String), Vec<ArgType>> {
    let id = |name: &str| file[name].as_str().unwrap().parse().unwrap();
    let methods = file["methods"].as_object().unwrap().iter();
    let method = |(name, types): (&String, &Value)| {
        let of = if name == "initialize" { id("blueprint") } else { id("contract") };
        let types = types.as_array().unwrap().iter().map(|name| ArgType::parse(name.as_str().unwrap()));
        ((of, name.clone()), types.collect::<Result<_, _>>().unwrap())
    };
    methods.map(method).collect()
}

/// Plans, and signs what the plan asks to be signed.
fn plan_signing(state: &mut State, mut request: TemplateRequest) -> Result<Plan, PlanError> {
    let words = Mnemonic::parse(&format!("{}art", "abandon ".repeat(23))).unwrap();
    let keys = AccountKeys::from_mnemonic(&words, "");
    let TemplateRequest { template, facts, .. } = &mut request;
    let mut walk = TemplateWalk::of(template);
    'walk: loop {
        let lacking = state.template_lacks(&mut walk, facts, NOW);
        if lacking.is_empty() {
            break;
        }
        for fact in lacking {
            match fact {
                TemplateFact::Signature(index, said) => {
                    let digest: [u8; 32] = Sha256::digest(&said).into();
                    let signed = keys.sign(index, &digest).to_bytes().unwrap();
                    facts.signatures.insert((index, said), signed);
                }
                TemplateFact::Address(index) => {
                    facts.addresses.insert(index, state.address(index).unwrap());
                }
                // What no node knows.
                _ => break 'walk,
            }
        }
    }
    state.plan_template(&request, NOW, LATER)
}

fn request(template: &Value, facts: TemplateFacts) -> TemplateRequest {
    let template = Template::read(template).unwrap();
    TemplateRequest { template, facts, with_foreign_inputs: true, shuffle_seed: 1 }
}

fn plan(template: &Value) -> Result<Plan, PlanError> {
    let (mut state, facts) = wallet_of(&file());
    state.plan_template(&request(template, facts), NOW, LATER)
}

fn problem(error: PlanError) -> TemplateProblem {
    match error {
        PlanError::Template(error) => error.problem,
        other => panic!("{other:?}"),
    }
}

/// What is answered in another way than by the library, and why.
fn differing(name: &str) -> Option<&'static str> {
    Some(match name {
        // The library fails with an error of JavaScript.
        "an index past the outputs" => "instruction 0 (input/raw): Index does not exist on tx outputs",
        // The library writes the bytes of the checksums as text.
        "a bad address" => {
            "instruction 2 (output/token): address: Invalid address: HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH. Invalid checksum."
        }
        // It is told, too, of which network it is.
        "an address of another network" => {
            "instruction 0 (output/token): address: Invalid address: WYiD1E8n5oB9weZ8NMyM3KoCjKf1KCjWAZ. Invalid network byte. \
             Expected: 40 or 100 and received 73."
        }
        // The library shows the error of its reader.
        "an argument of another type" => {
            "instruction 0 (nano/execute): args[0] must be an address of mainnet: Invalid address: x."
        }
        _ => return None,
    })
}

#[test]
fn templates_build_what_the_reference_library_builds() {
    let file = file();
    let cases = file["built"].as_array().unwrap();
    assert!(cases.len() >= 100, "{}", cases.len());
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let (mut state, facts) = wallet_of(&file);
        let planned = plan_signing(&mut state, request(&case["template"], facts));
        match (planned, case["hex"].as_str()) {
            (Ok(Plan { transaction, .. }), Some(hex)) => {
                let unsigned = Transaction { timestamp: 0, ..transaction };
                assert_eq!(hex::encode(unsigned.to_bytes().unwrap()), hex, "{name}");
            }
            (Err(error), None) => {
                let expected = match (differing(name), &error) {
                    (Some(differing), _) => {
                        assert!(error.to_string().starts_with(differing), "{error}");
                        continue;
                    }
                    (None, _) => case["error"].as_str().unwrap(),
                };
                let said = match problem(error) {
                    TemplateProblem::Address { text, .. } => text,
                    problem => problem.to_string(),
                };
                assert_eq!(said, expected, "{name}");
            }
            (planned, expected) => panic!("{name}: {planned:?} instead of {expected:?}"),
        }
    }
}

#[test]
fn templates_are_read_as_the_reference_library_reads_them() {
    let file = file();
    let cases = file["read"].as_array().unwrap();
    assert!(cases.len() > 1_000, "{}", cases.len());
    for case in cases {
        let said: Vec<String> = match Template::read(&case["template"]) {
            Ok(_) => Vec::new(),
            Err(problems) => problems.iter().map(|p| format!("{} is {}", p.path, p.message)).collect(),
        };
        assert_eq!(json!(said), case["details"], "{}", case["template"]);
    }
}

/// Why a template can't be carried out, and where.
fn refusal(template: &Value) -> String {
    plan(template).unwrap_err().to_string()
}

#[test]
fn a_refusal_says_which_instruction_and_field_it_is_of() {
    let data = |data: &str| json!({"type": "output/data", "data": data});
    let pay = |address: &str| json!({"type": "output/token", "amount": 1, "address": address});
    assert_eq!(
        refusal(&json!([data("x"), pay("{me}")])),
        "instruction 1 (output/token): Variable me not found in available variables"
    );
    let set = json!({"type": "action/setvar", "name": "me", "value": 7});
    assert_eq!(
        refusal(&json!([set, pay("{me}")])),
        "instruction 1 (output/token): address must be an address, and the variable me is not"
    );
    assert_eq!(
        refusal(&json!([{"type": "action/config", "version": 9}])),
        "instruction 1 (end): Unsupported Version byte provided"
    );
    let data = json!({"type": "action/setvar", "name": "said", "call": {
        "method": "get_oracle_signed_data", "index": 1, "ncId": "c0".repeat(32), "type": "SignedData[list[int]]", "data": [1, "x"],
    }});
    assert_eq!(
        refusal(&json!([data])),
        "instruction 0 (action/setvar): data[1] must be an integer of at most 223 bits and a sign"
    );
}

fn call(method: &str, actions: &Value) -> Value {
    let caller = wallet().address(0).unwrap().to_string();
    json!({"type": "nano/execute", "id": "c0".repeat(32), "method": method, "caller": caller, "actions": actions})
}

#[test]
fn what_would_be_lost_in_a_call_is_refused() {
    // The reference library takes all of these: the authority would be gone, another token be deposited, and
    // the contract fail the call.
    let keeping = json!([{"action": "grant_authority", "authority": "mint", "token": "d1".repeat(32), "createAnotherTo": foreign().to_string()}]);
    assert_eq!(
        refusal(&json!([call("settle", &keeping)])),
        "instruction 0 (nano/execute): createAnotherTo is not supported"
    );
    let created = json!([{"action": "deposit", "amount": 5, "useCreatedToken": true}]);
    let other = json!({"type": "output/token", "amount": 1, "address": foreign().to_string(), "token": "d1".repeat(32)});
    assert_eq!(
        refusal(&json!([other, call("settle", &created)])),
        "instruction 1 (nano/execute): Current transaction is not creating a token."
    );
    assert_eq!(
        refusal(&json!([call("nothing", &json!([]))])),
        format!(
            "instruction 0 (nano/execute): Error getting nano contract transaction with id {}.",
            "c0".repeat(32)
        )
    );
    let mut strangers = call("settle", &json!([]));
    strangers["caller"] = foreign().to_string().into();
    assert_eq!(plan(&json!([strangers])).unwrap_err(), PlanError::CallerNotMine(foreign()));
}

#[test]
fn calls_have_numbers_of_their_own_until_they_are_released() {
    let (mut state, facts) = wallet_of(&file());
    let settle = request(&json!([call("settle", &json!([]))]), facts);
    let mut number = || {
        let plan = state.plan_template(&settle, NOW, LATER).unwrap();
        assert_eq!(plan.caller, Some(0));
        (plan.transaction.nano().unwrap().seqnum, plan.reservation)
    };
    let (first, second) = (number(), number());
    assert_eq!((first.0, second.0), (0, 1));
    state.release(second.1);
    state.release(first.1);
    assert_eq!(state.plan_template(&settle, NOW, LATER).unwrap().transaction.nano().unwrap().seqnum, 0);
}

#[test]
fn signal_bits_are_kept_but_for_that_which_changes_amounts() {
    let bits = |bits: u8| json!([{"type": "action/config", "signalBits": bits}]);
    let plan = plan(&bits(6)).unwrap();
    let bytes = plan.transaction.to_bytes().unwrap();
    assert_eq!(bytes[0], 6);
    assert_eq!(Transaction::from_bytes(&bytes).unwrap().signal_bits, 6);
    assert_eq!(
        refusal(&bits(3)),
        "instruction 1 (end): signal bit 0, for amounts of 18 decimals, is not supported"
    );
}

#[test]
fn what_a_contract_gives_is_preferred_last_until_a_block_has_its_call() {
    let (mut state, facts) = wallet_of(&file());
    let withdrawal = json!([{"action": "withdrawal", "amount": 90}]);
    let request_of = |template: &Value| request(template, facts.clone());
    let planned =
        state.plan_template(&request_of(&json!([call("settle", &withdrawal)])), NOW, LATER).unwrap();
    let _ = state.apply_pushed(&planned.transaction, id(0x77));
    // Later, when no other output of 90 or more has to wait for anything.
    let fill = request_of(&json!([{"type": "input/utxo", "fill": 90}]));
    let fill = state.plan_template(&fill, NOW + 10, LATER + 10).unwrap();
    assert_eq!(fill.transaction.inputs[0].spends, outpoint(1, 0));
}

#[test]
fn nothing_is_selected_or_named_twice() {
    let fill = |amount: u64| json!({"type": "input/utxo", "fill": amount, "autoChange": false});
    let plan = plan(&json!([fill(100), fill(90), fill(7)])).unwrap();
    let spent: Vec<_> = plan.transaction.inputs.iter().map(|input| input.spends).collect();
    assert_eq!(spent, [outpoint(1, 0), outpoint(3, 0), outpoint(2, 0)]);
    let raw = json!({"type": "input/raw", "txId": "01".repeat(32), "index": 0});
    let twice = self::plan(&json!([raw, raw])).unwrap_err();
    assert_eq!(twice, PlanError::GivenTwice { token: NATIVE, output: outpoint(1, 0) });
}

#[test]
fn a_timelock_locks() {
    let lock =
        json!([{"type": "output/token", "amount": 1, "address": foreign().to_string(), "timelock": 77}]);
    assert_eq!(plan(&lock).unwrap().transaction.outputs[0].script, *pays(foreign(), Some(77)));
}

#[test]
fn inputs_are_reserved_until_they_are_released() {
    let (mut state, facts) = wallet_of(&file());
    let all = request(&json!([{"type": "input/utxo", "fill": 2107}]), facts);
    let first = state.plan_template(&all, NOW, LATER).unwrap();
    assert_eq!(first.transaction.inputs.len(), 3);
    let short = problem(state.plan_template(&all, NOW, LATER).unwrap_err());
    assert_eq!(short, TemplateProblem::Insufficient { token: NATIVE, required: cents(2107) });
    state.release(first.reservation);
    assert!(state.plan_template(&all, NOW, LATER).is_ok());
}

#[test]
fn what_only_the_node_knows_is_asked_for() {
    let (mut state, facts) = wallet_of(&file());
    let unknown = |state: &mut State, template: &Value, facts: TemplateFacts| match state.plan_template(
        &request(template, facts),
        NOW,
        LATER,
    ) {
        Err(PlanError::Template(error)) => error.unknown().cloned(),
        other => panic!("{other:?}"),
    };
    let raw = json!([{"type": "input/raw", "txId": "f0".repeat(32), "index": 0}]);
    let none = TemplateFacts::default();
    assert_eq!(unknown(&mut state, &raw, none.clone()), Some(TemplateFact::Outputs(id(0xf0))));
    let token = json!([{"type": "input/utxo", "fill": 1, "token": "d1".repeat(32)}]);
    assert_eq!(unknown(&mut state, &token, none), Some(TemplateFact::Token(id(0xd1))));
    let mut own = request(&raw, facts);
    own.with_foreign_inputs = false;
    let refused = state.plan_template(&own, NOW, LATER).unwrap_err();
    assert_eq!(refused, PlanError::NotFromTheWallet { token: NATIVE, output: outpoint(0xf0, 0) });
}

/// Walks through a template, and makes up whatever it lacks. Gives how often an instruction was looked at,
/// and how much was lacking.
fn walk(state: &State, template: Vec<Value>) -> (usize, usize) {
    let template = Template::read(&Value::Array(template)).unwrap();
    let (mut walk, mut facts, mut lacked) = (TemplateWalk::of(&template), TemplateFacts::default(), 0);
    loop {
        let lacking = state.template_lacks(&mut walk, &facts, NOW);
        if lacking.is_empty() {
            return (walk.looks(), lacked);
        }
        lacked += lacking.len();
        for fact in lacking {
            match fact {
                TemplateFact::Address(index) => drop(facts.addresses.insert(index, foreign())),
                TemplateFact::Signature(index, said) => {
                    drop(facts.signatures.insert((index, said), vec![1]));
                }
                TemplateFact::Token(id) => drop(facts.tokens.insert(id, TokenVersion::Deposit)),
                TemplateFact::Method(id, method) => drop(facts.methods.insert((id, method), Vec::new())),
                TemplateFact::Outputs(tx) => {
                    drop(facts.outputs.insert(tx, vec![output(foreign(), 1, NATIVE)]));
                }
            }
        }
    }
}

/// However instructions build on each other: were all of them looked at again for each thing that one lacks,
/// twice as many would be four times the work.
#[test]
fn an_instruction_is_looked_at_once_more_for_what_it_lacks() {
    let (state, _) = wallet_of(&file());
    let hex = |n: usize| format!("{n:064x}");
    let set = |n: usize, call: Value| json!({"type": "action/setvar", "name": format!("v{n}"), "call": call});
    let said = |n: usize| {
        let data = if n == 0 { json!("a") } else { json!(format!("{{v{}}}", n - 1)) };
        let of = format!("{}str{}", "SignedData[".repeat(n + 1), "]".repeat(n + 1));
        set(
            n,
            json!({"method": "get_oracle_signed_data", "index": 0, "type": of, "data": data, "ncId": hex(1)}),
        )
    };
    let chain = |count: usize| walk(&state, (0..count).map(said).collect());
    assert_eq!([chain(4), chain(8), chain(16)], [(8, 4), (16, 8), (32, 16)]);

    let others = |count: usize| {
        let mut template: Vec<_> =
            (0..count).map(|n| set(n, json!({"method": "get_wallet_address", "index": 500 + n}))).collect();
        template.extend((0..count).map(|n| json!({"type": "input/raw", "txId": hex(n), "index": 0})));
        let token = |n: usize| json!({"type": "input/utxo", "fill": 1, "token": hex(1_000 + n)});
        template.extend((0..count).chain(0..count).map(token));
        let deposit = |n: usize| json!({"action": "deposit", "amount": 1, "token": hex(2_000 + n % count)});
        let actions: Vec<_> = (0..2 * count).map(deposit).collect();
        template.push(json!({"type": "nano/execute", "id": hex(1), "method": "m", "caller": foreign().to_string(), "actions": actions}));
        walk(&state, template)
    };
    // One look for each of the tokens that are known by then, two for all else.
    assert_eq!([others(100), others(200)], [(702, 401), (1402, 801)]);
}

#[test]
fn a_walk_ends_where_an_instruction_can_not_be_carried_out() {
    let (state, _) = wallet_of(&file());
    let set = |value: Value| json!({"type": "action/setvar", "name": "v", "call": value});
    let wrong = set(json!({"method": "get_wallet_address", "index": -1}));
    let unknown = set(json!({"method": "get_wallet_address", "index": 500}));
    assert_eq!(walk(&state, vec![wrong, unknown]), (1, 0));
}

#[test]
fn templates_are_bounded() {
    let many = |count: usize| Value::Array(vec![json!({"type": "action/complete"}); count]);
    assert!(Template::read(&many(MAX_INSTRUCTIONS)).is_ok());
    let problems = Template::read(&many(MAX_INSTRUCTIONS + 1)).unwrap_err();
    assert_eq!(
        (problems.len(), &*problems[0].must),
        (1, "must have at most 1000 instructions, and has 1001")
    );
    let bad = Value::Array(vec![json!(1); 500]);
    assert_eq!(Template::read(&bad).unwrap_err().len(), 100);
    let address = foreign().to_string();
    let outputs = |count: usize| {
        let output = json!({"type": "output/token", "amount": 1, "address": address});
        plan(&Value::Array(vec![output; count])).map(|plan| plan.transaction.outputs.len())
    };
    assert_eq!(outputs(255), Ok(255));
    assert_eq!(outputs(256).unwrap_err().to_string(), "256 outputs, and a transaction has at most 255");
    let mint = json!({"type": "output/authority", "authority": "mint", "token": "d1".repeat(32), "address": address, "count": 255});
    let error = refusal(&json!([mint, mint]));
    assert_eq!(error, "256 outputs, and a transaction has at most 255");
    let pairs: Vec<_> = (0..15_500).map(|n| json!([n, n])).collect();
    let said = json!({"method": "get_oracle_signed_data", "index": 0, "type": "SignedData[dict[int,int]]", "data": pairs, "ncId": "c1".repeat(32)});
    assert_eq!(
        refusal(&json!([{"type": "action/setvar", "name": "said", "call": said}])),
        "instruction 0 (action/setvar): data[499] is one value too many: the arguments of a call have at most 1000 bytes"
    );
}

#[test]
fn shuffling_changes_the_order_alone() {
    let (mut state, facts) = wallet_of(&file());
    let outputs: Vec<_> =
        (1..=20).map(|amount| json!({"type": "output/raw", "amount": amount, "script": "01"})).collect();
    let shuffled = |state: &mut State, seed: u64| {
        let all = [outputs.clone(), vec![json!({"type": "action/shuffle", "target": "all"})]].concat();
        let request = TemplateRequest { shuffle_seed: seed, ..request(&Value::Array(all), facts.clone()) };
        let plan = state.plan_template(&request, NOW, LATER).unwrap();
        plan.transaction.outputs.iter().map(|output| output.value.cents()).collect::<Vec<_>>()
    };
    let (one, other) = (shuffled(&mut state, 1), shuffled(&mut state, 2));
    assert_ne!(one, other);
    let mut sorted = one.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (1..=20).collect::<Vec<u128>>());
    assert_ne!(one, sorted);
}
