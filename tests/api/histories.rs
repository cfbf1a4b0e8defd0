//! Histories are one text, however they are written.

use headless_wallet::api::{Compat, HistoryEntry, HistoryText};
use headless_wallet::ledger::nano::{ActionKind, NanoCall, TokenAction, VertexNano};
use headless_wallet::ledger::{
    Address, Amount, ExtraMembers, Network, Outpoint, Part, Script, ScriptBytes, SpentOutput, TokenData,
    TokenUid, Vertex, VertexId, VertexInput, VertexOutput,
};
use headless_wallet::node::parse_vertex;
use proptest::prelude::*;

fn id() -> impl Strategy<Value = VertexId> {
    any::<[u8; 32]>().prop_map(VertexId)
}

/// Few addresses, so that they come again.
fn script() -> impl Strategy<Value = ScriptBytes> {
    let to = (0u8..4, any::<bool>()).prop_map(|(hash, shared)| match shared {
        false => Address::p2pkh(Network::Testnet, [hash; 20]),
        true => Address::p2sh(Network::Testnet, [hash; 20]),
    });
    let pay = (to, proptest::option::of(0u32..3)).prop_map(|(to, timelock)| Script::Pay { to, timelock });
    let data = any::<String>().prop_filter_map("no data script", |text| Script::Data(text).to_bytes().ok());
    prop_oneof![
        pay.prop_map(|script| script.to_bytes().unwrap().into()),
        data.prop_map(Into::into),
        any::<Vec<u8>>().prop_map(Into::into),
    ]
}

fn output() -> impl Strategy<Value = SpentOutput> {
    let token = prop_oneof![Just(TokenUid::Native), id().prop_map(TokenUid::Custom)];
    let unknown = r#"{"a":[1,-2,9007199254740993,340282366920938463463374607431768211455,null,true],"type":"\u001b \"é"}"#;
    let unknown = proptest::option::weighted(0.1, Just(unknown.into()));
    let parts = (any::<u128>(), token, any::<u8>(), script(), unknown);
    parts.prop_map(|(value, token, token_data, script, unknown)| SpentOutput {
        value: Amount::new(value),
        token,
        token_data: TokenData(token_data),
        script,
        unknown,
    })
}

fn nano() -> impl Strategy<Value = VertexNano> {
    let bytes = || proptest::collection::vec(any::<u8>(), 0..40);
    let token = prop_oneof![Just(TokenUid::Native), id().prop_map(TokenUid::Custom)];
    let action = (proptest::sample::select(&ActionKind::ALL), token, 0..4_u64)
        .prop_map(|(kind, token, amount)| TokenAction { kind, token, amount: Amount::from(amount) });
    let call = (id(), proptest::option::of(id()), any::<u64>(), any::<String>(), bytes());
    let more = (any::<[u8; 20]>(), proptest::collection::vec(action, 0..4), any::<Option<u32>>());
    let call =
        (call, more).prop_map(|((contract, blueprint, seqnum, method, args), (hash, actions, timestamp))| {
            let caller = Address::p2pkh(Network::Testnet, hash);
            VertexNano::Call(NanoCall {
                contract,
                blueprint,
                seqnum,
                method,
                args,
                caller,
                actions,
                timestamp,
            })
        });
    prop_oneof![bytes().prop_map(|public_key| VertexNano::Blueprint { public_key }), call]
}

prop_compose! {
    fn vertex()(
        head in (id(), any::<u8>(), prop_oneof![0.0..100f64, (0u32..100).prop_map(f64::from)], any::<u32>(), any::<bool>()),
        first_block in proptest::option::of(id()),
        height in any::<Option<u32>>(),
        parents in proptest::collection::vec(id(), 0..3),
        outputs in proptest::collection::vec((output(), proptest::option::of(id())), 0..4),
        inputs in proptest::collection::vec((id(), any::<u8>(), output()), 0..4),
        creates in any::<Option<(String, String)>>(),
        nano in proptest::option::weighted(0.3, nano()),
        extra in extra(),
    ) -> Vertex {
        let (id, version, weight, timestamp, voided) = head;
        let outputs = outputs.into_iter().map(|(output, spent_by)| VertexOutput { output, spent_by });
        let inputs = inputs.into_iter().map(|(tx, index, output)| {
            VertexInput { spends: Outpoint { tx, index }, output }
        });
        Vertex {
            id, version, weight, timestamp, voided, first_block, height, parents,
            inputs: inputs.collect(), outputs: outputs.collect(), creates,
            nano: nano.map(Box::new),
            extra,
        }
    }
}

/// Members of parts, which may not be there.
fn extra() -> impl Strategy<Value = ExtraMembers> {
    let part =
        prop_oneof![Just(Part::Whole), (0u8..4).prop_map(Part::Input), (0u8..4).prop_map(Part::Output),];
    let members = prop_oneof![
        Just(ExtraMembers::TRANSPARENT),
        Just(r#""a":[null,{"b":12345678901234567890}],"z":"é""#)
    ];
    proptest::collection::btree_map(part, members, 0..5).prop_map(|all| {
        let mut extra = ExtraMembers::default();
        all.into_iter().for_each(|(part, members)| extra.push(part, members.into()));
        extra
    })
}

proptest! {
    #[test]
    fn written_at_once_or_by_entries(
        vertices in proptest::collection::vec(vertex(), 0..4),
        keyed in any::<bool>(),
        compat in prop_oneof![Just(Compat::Documented), Just(Compat::V0_39)],
    ) {
        let network = Network::Testnet;
        let mut text = HistoryText::new(Vec::new(), vertices.len(), keyed, network, compat);
        vertices.iter().for_each(|vertex| text.push(vertex));
        let entries: Vec<String> = vertices.iter().map(|vertex| {
            let entry = serde_json::to_string(&HistoryEntry { vertex, network, compat }).unwrap();
            if keyed { format!("\"{}\":{entry}", vertex.id) } else { entry }
        }).collect();
        let entries = entries.join(",");
        let expected = if keyed { format!("{{{entries}}}") } else { format!("[{entries}]") };
        prop_assert_eq!(String::from_utf8(text.finish()).unwrap(), expected);
    }
}

/// Each member of the node's once, behind the wallet's own.
#[test]
fn members_that_are_not_known_are_passed_on() {
    let (id, script) = ("01".repeat(32), "dqkUAQEBAQEBAQEBAQEBAQEBAQEBAQGIrA==");
    let part = format!(r#""value":5,"token_data":0,"script":"{script}","decoded":{{}},"token":"00""#);
    let node = format!(
        r#"{{"tx_id":"{id}","version":1,"weight":8.0,"timestamp":1,"is_voided":false,"token_amount_version":1,"parents":[],
        "inputs":[{{{part},"type":"transparent","tx_id":"{id}","index":3}}],"outputs":[{{{part},"spent_by":null,"x":[1,null]}}],
        "first_block":null,"height":7,"processingStatus":"odd","tx_id2":"{id}"}}"#
    );
    let vertex = parse_vertex(&node).unwrap();
    let to = Address::p2pkh(Network::Testnet, [1; 20]);
    let ours = part.replace("{}", &format!(r#"{{"type":"P2PKH","address":"{to}","timelock":null}}"#));
    let expected = format!(
        r#"{{"tx_id":"{id}","version":1,"weight":8,"timestamp":1,"is_voided":false,"inputs":[{{{ours},"tx_id":"{id}","index":3,"type":"transparent"}}],"outputs":[{{{ours},"spent_by":null,"x":[1,null]}}],"parents":[],"token_amount_version":1,"tx_id2":"{id}"}}"#
    );
    let (network, compat) = (Network::Testnet, Compat::Documented);
    let entry = HistoryEntry { vertex: &vertex, network, compat };
    assert_eq!(serde_json::to_string(&entry).unwrap(), expected);
    let mut text = HistoryText::new(Vec::new(), 1, false, network, compat);
    text.push(&vertex);
    assert_eq!(String::from_utf8(text.finish()).unwrap(), format!("[{expected}]"));
}

/// The most that a transaction has of each.
#[test]
fn a_transaction_of_255_inputs_and_outputs_is_written() {
    let output = SpentOutput {
        value: Amount::from(5u64),
        token: TokenUid::Native,
        token_data: TokenData(0),
        script: Vec::new().into(),
        unknown: None,
    };
    let id = "01".repeat(32);
    let part = r#""value":5,"token_data":0,"script":"","decoded":{},"token":"00""#;
    let list = |part: String| vec![part; 255].join(",");
    let node = format!(
        r#"{{"tx_id":"{id}","version":1,"weight":8.0,"timestamp":1,"is_voided":false,"parents":[],"inputs":[{}],"outputs":[{}],"first_block":null}}"#,
        list(format!(r#"{{{part},"tx_id":"{id}","index":3}}"#)),
        list(format!(r#"{{{part},"spent_by":null}}"#)),
    );
    let vertex = parse_vertex(&node).unwrap();
    assert_eq!((vertex.inputs.len(), vertex.outputs.len()), (255, 255));
    assert_eq!(vertex.outputs[254].output, output);
    let (network, compat) = (Network::Testnet, Compat::Documented);
    let entry = serde_json::to_string(&HistoryEntry { vertex: &vertex, network, compat }).unwrap();
    assert_eq!(entry.matches(r#""value":5"#).count(), 510);
    let mut text = HistoryText::new(Vec::new(), 1, false, network, compat);
    text.push(&vertex);
    assert_eq!(String::from_utf8(text.finish()).unwrap(), format!("[{entry}]"));
}
