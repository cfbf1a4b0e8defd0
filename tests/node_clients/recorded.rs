//! Every recorded answer is understood, and as what it says.

use crate::server::{Answer, Server, ok};
use headless_wallet::ledger::{
    Address, Amount, DepositRate, Network, Part, TokenUid, TokenVersion, Vertex, VertexId, WeightConstants,
};
use headless_wallet::node::{
    CallError, Fault, JobState, MiningError, NodeEvent, NodeVersion, PushError, StreamEvent,
    TokenDescription, TxStatus, WrongNetwork, parse_event, parse_vertex,
};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::num::NonZeroU64;

/// One line of a file of recorded answers.
#[derive(Deserialize)]
pub struct Recorded<'a> {
    pub path: String,
    pub status: u16,
    #[serde(borrow)]
    pub body: &'a RawValue,
}

impl Recorded<'_> {
    pub fn answer(&self) -> Answer {
        // A body that was not JSON is recorded as a text.
        let text = serde_json::from_str::<String>(self.body.get());
        Answer::Reply(self.status, text.unwrap_or_else(|_| self.body.get().to_owned()))
    }
    pub fn value(&self) -> Value {
        serde_json::from_str(self.body.get()).unwrap()
    }
}

pub fn recorded(file: &str) -> impl Iterator<Item = Recorded<'_>> {
    file.lines().map(|line| serde_json::from_str(line).unwrap())
}

pub const HISTORY: &str = include_str!("../recordings/clients/history.jsonl");
const READS: &str = include_str!("../recordings/clients/reads.jsonl");
const PUSH: &str = include_str!("../recordings/clients/push.jsonl");
const JOBS: &str = include_str!("../recordings/clients/jobs.jsonl");

fn id(value: &Value) -> Option<VertexId> {
    value.as_str().map(|text| text.parse().unwrap())
}

/// Compares a vertex with its JSON, field by field.
pub fn assert_same(vertex: &Vertex, json: &Value) {
    use base64::Engine;
    let script =
        |v: &Value| base64::engine::general_purpose::STANDARD.decode(v["script"].as_str().unwrap()).unwrap();
    assert_eq!(Some(vertex.id), id(&json["tx_id"]));
    assert_eq!(u64::from(vertex.version), json["version"].as_u64().unwrap());
    assert_eq!(vertex.weight, json["weight"].as_f64().unwrap());
    assert_eq!(u64::from(vertex.timestamp), json["timestamp"].as_u64().unwrap());
    assert_eq!(vertex.voided, json["is_voided"].as_bool().unwrap());
    assert_eq!(vertex.first_block, id(&json["first_block"]));
    assert_eq!(vertex.height.map(u64::from), json.get("height").and_then(Value::as_u64));
    let parents: Vec<_> = json["parents"].as_array().unwrap().iter().filter_map(id).collect();
    assert_eq!(vertex.parents, parents);
    let creates = json
        .get("token_name")
        .map(|name| (name.as_str().unwrap().to_owned(), json["token_symbol"].as_str().unwrap().to_owned()));
    assert_eq!(vertex.creates, creates);
    let outputs = vertex.inputs.iter().map(|i| &i.output).chain(vertex.outputs.iter().map(|o| &o.output));
    let wire = || json["inputs"].as_array().unwrap().iter().chain(json["outputs"].as_array().unwrap());
    assert_eq!(outputs.clone().count(), wire().count());
    for (output, json) in outputs.zip(wire()) {
        assert_eq!(output.value.to_string(), json["value"].to_string());
        assert_eq!(u64::from(output.token_data.0), json["token_data"].as_u64().unwrap());
        assert_eq!(output.token.to_string(), json["token"].as_str().unwrap());
        assert_eq!(output.script.to_vec(), script(json));
    }
    for (input, json) in vertex.inputs.iter().zip(json["inputs"].as_array().unwrap()) {
        assert_eq!(Some(input.spends.tx), id(&json["tx_id"]));
        assert_eq!(u64::from(input.spends.index), json["index"].as_u64().unwrap());
    }
    for (output, json) in vertex.outputs.iter().zip(json["outputs"].as_array().unwrap()) {
        assert_eq!(output.spent_by, id(&json["spent_by"]));
    }
}

#[test]
fn histories_are_read_exactly() {
    let mut count = 0;
    for answer in recorded(HISTORY) {
        for json in answer.value().get("history").and_then(Value::as_array).into_iter().flatten() {
            assert_same(&parse_vertex(&json.to_string()).unwrap(), json);
            count += 1;
        }
    }
    assert_eq!(count, 193);
}

#[test]
fn a_vertex_that_lacks_a_field_names_it() {
    let whole = r#"{"tx_id":"00","version":1,"timestamp":1,"is_voided":false,"inputs":[],"outputs":[]}"#;
    let whole = whole.replace(r#""00""#, &format!(r#""{}""#, "ab".repeat(32)));
    assert_eq!(parse_vertex(&whole).unwrap().version, 1);
    for (field, error) in [
        (r#""timestamp":1,"#, "missing field `timestamp` at line 1 column 131"),
        (r#""is_voided":false,"#, "missing field `is_voided` at line 1 column 127"),
        (r#","outputs":[]"#, "missing field `outputs` at line 1 column 132"),
        (r#""inputs":[],"#, "missing field `inputs` at line 1 column 133"),
    ] {
        assert_eq!(parse_vertex(&whole.replace(field, "")).unwrap_err().to_string(), error);
    }
    let bad = whole.replace("abab", "abxx");
    assert_eq!(
        parse_vertex(&bad).unwrap_err().to_string(),
        "expected 64 hexadecimal digits at line 1 column 75"
    );
}

#[test]
fn a_vertex_of_a_kind_not_known_yet_is_read_all_the_same() {
    let json = format!(
        r#"{{"tx_id":"{id}","version":7,"weight":60,"timestamp":4294967295,"is_voided":true,"news":{{"a":[1e400]}},
        "nc_id":"x","first_block":null,"parents":[],"inputs":[],"outputs":[{{"value":9223372036854775808,
        "token_data":129,"script":"","decoded":{{}},"token":"{id}","spent_by":null,"more":null}}]}}"#,
        id = "01".repeat(32)
    );
    let vertex = parse_vertex(&json).unwrap();
    assert_eq!(vertex.version, 7);
    assert_eq!(vertex.timestamp, u32::MAX);
    assert_eq!(vertex.outputs[0].output.value.cents(), 1 << 63);
    assert_eq!(vertex.outputs[0].output.token, TokenUid::Custom(VertexId([1; 32])));
}

/// Shielded parts as node 0.71 will show them, an amount whose words are another one's, and what nobody has
/// thought of yet.
#[test]
fn inputs_and_outputs_of_unknown_kinds_are_kept_as_they_came() {
    let id = "01".repeat(32);
    let shielded = r#"{"type":"shielded","commitment":"0a","range_proof":"AA==","script":"dqkUAQEBAQEBAQEBAQEBAQEBAQEBAQGIrA==","token_data":1}"#;
    let contradictory =
        r#"{"value":1000000000000000000,"value_str":"1.01","token_data":0,"script":"","token":"00"}"#;
    let huge = r#"{"value":18446744073709551616,"token_data":0,"script":"","token":"00","weight":1.50}"#;
    let known =
        |value: &str| format!(r#"{{"type":"transparent",{value},"token_data":0,"script":"","token":"00"}}"#);
    let vertex = |inputs: &str, outputs: &str| {
        format!(
            r#"{{"tx_id":"{id}","version":1,"weight":60,"timestamp":1,"is_voided":false,"parents":[],"inputs":[{inputs}],"outputs":[{outputs}]}}"#
        )
    };
    let whole = r#""value":100,"value_str":"1.0""#;
    let outputs = [shielded, &known(whole), contradictory, huge, "7", &known(r#""value":5"#)].join(",");
    let input = format!(r#"{{"tx_id":"{id}","index":3,{}"#, &shielded[1..]);
    let read = parse_vertex(&vertex(&input, &outputs)).unwrap();
    let value = |json: &str| serde_json::from_str::<Value>(json).unwrap();
    let kept: Vec<_> =
        read.outputs.iter().map(|output| output.output.unknown.as_deref().map(value)).collect();
    let plain = huge.replace("1.50", r#""1.50""#);
    let expected = [Some(shielded), None, Some(contradictory), Some(plain.as_str()), Some("7"), None];
    assert_eq!(kept, expected.map(|json| json.map(value)));
    let cents: Vec<_> = read.outputs.iter().map(|output| output.output.value.cents()).collect();
    assert_eq!(cents, [0, 100, 0, 0, 0, 5]);
    assert_eq!(read.outputs[0].output.script.len(), 25);
    assert_eq!(read.inputs[0].output.unknown.as_deref().map(value), Some(value(&input)));
    assert_eq!((read.inputs[0].spends.tx, read.inputs[0].spends.index), (VertexId([1; 32]), 3));

    // What is too long or too deep is not kept, and still no hindrance.
    for much in [format!("[{}]", "1,".repeat(20_000) + "1"), "[".repeat(17) + &"]".repeat(17)] {
        let read = parse_vertex(&vertex("", &much)).unwrap();
        assert_eq!(read.outputs[0].output.unknown.as_deref(), Some("{}"));
    }
    let many = |count| vertex("", &vec![known(r#""value":5"#); count].join(","));
    assert_eq!(parse_vertex(&many(255)).unwrap().outputs.len(), 255);
    let error = parse_vertex(&many(256)).unwrap_err().to_string();
    assert!(error.starts_with("a list of more than 255 at line 1 column "), "{error}");
}

/// As node 0.71 has a call of a contract, with a member of every kind that is not known here.
#[tokio::test]
async fn members_that_are_not_known_are_passed_on_by_whichever_way_they_came() {
    let id = "01".repeat(32);
    let known = r#""value":5,"token_data":0,"script":"","token":"00","decoded":{}"#;
    let vertex = format!(
        r#"{{"hash":"{id}","tx_id":"{id}","version":1,"weight":1.0,"timestamp":1,"is_voided":false,"nonce":7,"signal_bits":0,
        "tokens":["{id}"],"token_amount_version":1,"processingStatus":"x","effect":1,"nc_execution":"success","parents":[],
        "inputs":[{{{known},"type":"transparent","tx_id":"{id}","index":3}},{{{known},"tx_id":"{id}","index":4}},
        {{{known},"type":"transparent","tx_id":"{id}","index":5,"spent_by":null}}],
        "outputs":[{{{known},"spent_by":null,"value_str":"0.05"}},{{{known},"rate":1.50,"deep":{deep},"list":[{{"a":18446744073709551616}}]}}]}}"#,
        deep = "[".repeat(17) + &"]".repeat(17)
    );
    let address = "WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6";
    let page = format!(r#"{{"success":true,"has_more":false,"history":[{vertex}]}}"#);
    let server = Server::script(vec![ok(page)]).await;
    let page = server.node().address_history(&[Address::parse_any(address).unwrap()], None).await.unwrap();
    let told = format!(r#"{{"type":"wallet:address_history","address":"{address}","history":{vertex}}}"#);
    let Ok(Some(NodeEvent::Vertex { vertex: told, .. })) = parse_event(&told) else { panic!("a vertex") };
    let streamed = format!(r#"{{"type":"stream:history:vertex","id":"a","seq":2,"data":{vertex}}}"#);
    let Ok(Some(NodeEvent::Stream(StreamEvent::Vertex { vertex: streamed, .. }))) = parse_event(&streamed)
    else {
        panic!("a vertex")
    };
    let whole =
        format!(r#""hash":"{id}","nonce":7,"signal_bits":0,"token_amount_version":1,"tokens":["{id}"]"#);
    let expected = [
        (Part::Whole, whole.as_str()),
        (Part::Input(0), r#""type":"transparent""#),
        (Part::Input(2), r#""spent_by":null,"type":"transparent""#),
        (Part::Output(0), r#""value_str":"0.05""#),
        (Part::Output(1), r#""list":[{"a":18446744073709551616}],"rate":"1.50""#),
    ];
    for read in [&page.vertices[0], &*told, &*streamed, &parse_vertex(&vertex).unwrap()] {
        assert_eq!(read.extra.iter().collect::<Vec<_>>(), expected);
    }
    // On creations `tokens` is the wallet's own.
    let creation = vertex.replacen(r#""nonce""#, r#""token_name":"Coffee","token_symbol":"CFE","nonce""#, 1);
    let read = parse_vertex(&creation).unwrap();
    assert_eq!(read.extra.of(Part::Whole), whole.rsplit_once(r#","tokens""#).map(|(rest, _)| rest));
    // Too much is left out, and still no hindrance.
    let members: String = (0..4).map(|n| format!(r#""x{n}":"{}","#, "x".repeat(10_000))).collect();
    let long = vertex.replacen(r#""nonce""#, &format!(r#"{members}"nonce""#), 1);
    let read = parse_vertex(&long).unwrap();
    assert!(read.extra.is_empty() && read.inputs.len() == 3);
}

#[tokio::test]
async fn a_page_with_unknown_parts_is_read() {
    let id = "01".repeat(32);
    let body = format!(
        r#"{{"success":true,"has_more":false,"history":[{{"tx_id":"{id}","version":1,"timestamp":1,"is_voided":false,"inputs":[],"outputs":[{{"type":"new"}}]}}]}}"#
    );
    let server = Server::script(vec![ok(body)]).await;
    let address = Address::parse_any("WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6").unwrap();
    let page = server.node().address_history(&[address], None).await.unwrap();
    assert_eq!(page.vertices[0].outputs[0].output.unknown.as_deref(), Some(r#"{"type":"new"}"#));
}

#[tokio::test]
async fn outputs_are_believed_only_of_the_bytes_whose_hash_the_id_is() {
    let known = recorded(READS).find(|a| a.path == "transaction" && a.value()["success"] == true).unwrap();
    let id: VertexId = known.value()["tx"]["hash"].as_str().unwrap().parse().unwrap();
    let server = Server::script(vec![known.answer()]).await;
    assert!(server.node().outputs(&id, Network::Testnet).await.unwrap().is_some());
    let other = VertexId([9; 32]);
    let server = Server::script(vec![known.answer()]).await;
    let failure = server.node().outputs(&other, Network::Testnet).await.unwrap_err();
    assert_eq!(
        failure.fault,
        Fault::InvalidAnswer("the transaction's bytes are those of another".to_owned())
    );
}

/// A text that moves cursors, is long, and stands in JSON.
pub fn wild() -> String {
    format!(r"no\n\u001b[31m\u202e{}", "x".repeat(5_000))
}

/// Demands that it was cut and cleaned.
pub fn assert_tame(text: &str) {
    assert!(text.contains("no \u{fffd}[31m\u{fffd}xxx"), "{text}");
    assert!(text.contains("x …") && text.len() <= 1_200, "{} bytes", text.len());
    assert!(!text.contains(char::is_control) && !text.contains('\u{202e}'), "{text:?}");
}

#[tokio::test]
async fn words_of_a_service_are_cut_and_cleaned_wherever_they_stand() {
    let refused = ok(format!(r#"{{"success":false,"message":"{}"}}"#, wild()));
    let Fault::Refused(message) =
        Server::script(vec![refused]).await.node().tx_parents().await.unwrap_err().fault
    else {
        panic!("it is refused")
    };
    assert_tame(&message);
    let recorded = recorded(READS).find(|a| a.path == "version").unwrap();
    let text = recorded.body.get().replacen("nano-testnet-bravo", &wild(), 1);
    let version = Server::script(vec![ok(text)]).await.node().version().await.unwrap();
    assert_tame(&version.check_network("mainnet").unwrap_err().to_string());
    let text = recorded.body.get().replacen("0.70.0-cf59f7df-local", &wild(), 1);
    assert_tame(&Server::script(vec![ok(text)]).await.node().version().await.unwrap().version);
    let health = format!(r#"{{"status":"{}"}}"#, wild());
    assert_tame(&Server::script(vec![ok(health.clone())]).await.node().health().await.unwrap().status);
    assert_tame(&Server::script(vec![ok(health)]).await.mining().health().await.unwrap().status);
    let job = format!(
        r#"{{"job_id":"ab","status":"failed","message":"{}","tx":{{"nonce":null,"parents":[],"timestamp":null,"weight":1.0}}}}"#,
        wild()
    );
    let server = Server::script(vec![ok(job)]).await;
    let failure = server.mining().solve(crate::mining::transaction(), 0).await.unwrap_err();
    assert!(matches!(failure, headless_wallet::node::MiningError::Ended { .. }), "{failure}");
    assert_tame(&failure.to_string());
}

#[tokio::test]
async fn what_is_wrong_with_an_answer_is_cut_and_cleaned() {
    // It repeats words of the answer.
    let job = format!(r#"{{"job_id":"ab","status":"{}"}}"#, wild());
    let server = Server::script(vec![ok(job)]).await;
    let failure = server.mining().solve(crate::mining::transaction(), 0).await.unwrap_err();
    let MiningError::Call(CallError { fault: Fault::InvalidAnswer(what), .. }) = &failure else {
        panic!("{failure}")
    };
    assert!(what.starts_with("unknown variant `no \u{fffd}[31m\u{fffd}xxx"), "{what}");
    assert!(what.ends_with("x …") && what.len() <= 1_000, "{} bytes", what.len());
    assert_tame(&failure.to_string());
}

#[tokio::test]
async fn the_version_of_a_real_node() {
    let answer = recorded(READS).find(|a| a.path == "version").unwrap();
    let version: NodeVersion = Server::script(vec![answer.answer()]).await.node().version().await.unwrap();
    assert_eq!(version.version, "0.70.0-cf59f7df-local");
    assert_eq!(version.network, "nano-testnet-bravo");
    assert_eq!(version.weight, WeightConstants { min_weight: 1.0, coefficient: 0.0, k: 0.0 });
    // Nothing but a double in the answer of this release, which computes with it.
    assert_eq!(version.deposit, DepositRate::Double(0.01));
    assert_eq!((version.reward_spend_min_blocks, version.max_inputs, version.max_outputs), (1, 255, 255));
    let genesis = "0000076d916e83de99f9623db91bffe6649606427b848fa0b8e0cbb72c9e87cc";
    assert_eq!(version.genesis_block.unwrap().to_string(), genesis);
    assert_eq!(version.raw.get(), answer.body.get());
    assert_eq!(version.check_network("testnet"), Ok(()));
    let wrong = version.check_network("mainnet").unwrap_err();
    let (server, expected) = ("nano-testnet-bravo".to_owned(), "mainnet".to_owned());
    assert_eq!(wrong, WrongNetwork { server, expected });
    assert_eq!(wrong.to_string(), "Wrong network. server=nano-testnet-bravo expected=mainnet");
}

#[tokio::test]
async fn deposits_of_newer_nodes_are_fractions() {
    let recorded = recorded(READS).find(|a| a.path == "version").unwrap();
    let old = recorded.body.get();
    let fraction = |numerator, denominator| {
        let denominator = NonZeroU64::new(denominator).unwrap();
        DepositRate::Fraction { numerator, denominator }
    };
    for (fields, rate) in [
        (
            r#"0.05,"token_deposit_percentage_numerator":3,"token_deposit_percentage_denominator":7"#,
            fraction(3, 7),
        ),
        ("0.005", DepositRate::Double(0.005)),
        ("1e-05", DepositRate::Double(0.00001)),
        ("1", DepositRate::Double(1.0)),
    ] {
        let body = old.replace("0.01", fields);
        let version = Server::script(vec![ok(body)]).await.node().version().await.unwrap();
        assert_eq!(version.deposit, rate);
    }
}

#[tokio::test]
async fn constants_that_no_network_has_are_refused() {
    let recorded = recorded(READS).find(|a| a.path == "version").unwrap();
    let recorded = recorded.body.get();
    let fraction = |share: &str| {
        let (numerator, denominator) = share.split_once('/').unwrap();
        let fields = format!(
            r#""token_deposit_percentage_numerator":{numerator},"token_deposit_percentage_denominator":{denominator}"#
        );
        recorded.replace(r#""token_deposit_percentage":0.01"#, &fields)
    };
    let with = |field: &str, was: &str, is: &str| {
        let old = format!(r#""{field}":{was}"#);
        assert!(recorded.contains(&old), "{old}");
        recorded.replace(&old, &format!(r#""{field}":{is}"#))
    };
    let share = "token_deposit_percentage_numerator / token_deposit_percentage_denominator is";
    for (body, why) in [
        (
            with("token_deposit_percentage", "0.01", "-0.01"),
            "token_deposit_percentage is -0.01, and must be above 0 and at most 1".to_owned(),
        ),
        (
            with("token_deposit_percentage", "0.01", "0"),
            "token_deposit_percentage is 0, and must be above 0 and at most 1".to_owned(),
        ),
        (fraction("0/7"), format!("{share} 0 / 7, and must be above 0 and at most 1")),
        (fraction("8/7"), format!("{share} 8 / 7, and must be above 0 and at most 1")),
        (fraction("0/0"), format!("{share} 0 / 0, and must be above 0 and at most 1")),
        (with("min_tx_weight", "1", "36"), "min_tx_weight is 36, and must be from 0 to 35".to_owned()),
        (
            with("min_tx_weight_coefficient", "0.0", "-1e300"),
            "min_tx_weight_coefficient is -1e300, and must be from 0 to 5".to_owned(),
        ),
        (
            with("min_tx_weight_coefficient", "0.0", "1e308"),
            "min_tx_weight_coefficient is 1e308, and must be from 0 to 5".to_owned(),
        ),
        (
            with("min_tx_weight_k", "0.0", "-1"),
            "min_tx_weight_k is -1, and must be from 0 to 100000000000000000".to_owned(),
        ),
        (
            with("reward_spend_min_blocks", "1", "4294967295"),
            "reward_spend_min_blocks is 4294967295, and must be from 0 to 1051200".to_owned(),
        ),
        (
            with("max_number_inputs", "255", "0"),
            "max_number_inputs is 0, and must be from 1 to 255".to_owned(),
        ),
        (
            with("max_number_outputs", "255", "256"),
            "max_number_outputs is 256, and must be from 1 to 255".to_owned(),
        ),
    ] {
        let refused = Server::script(vec![ok(body)]).await.node().version().await.unwrap_err();
        assert_eq!(refused.fault, Fault::InvalidAnswer(why));
    }
}

#[tokio::test]
async fn reads_of_a_real_node() {
    for answer in recorded(READS) {
        let json = answer.value();
        let node = Server::script(vec![answer.answer()]).await.node();
        let refusal = json["message"].as_str();
        match answer.path.as_str() {
            "transaction" => {
                let status = node.transaction(&VertexId([1; 32])).await;
                if refusal == Some("Transaction not found") {
                    assert_eq!(status, Ok(None));
                } else if let Some(message) = refusal {
                    assert_eq!(status.unwrap_err().fault, Fault::Refused(message.to_owned()));
                } else if let Some(meta) = json.get("meta") {
                    let expected = TxStatus {
                        voided: !meta["voided_by"].as_array().unwrap().is_empty(),
                        first_block: id(&meta["first_block"]),
                        first_block_height: meta["first_block_height"]
                            .as_u64()
                            .map(|h| h.try_into().unwrap()),
                    };
                    assert_eq!(status, Ok(Some(expected)));
                } else {
                    // A list of transactions is no answer to this question.
                    let end = answer.body.get().len();
                    let nonsense =
                        Fault::InvalidAnswer(format!("missing field `meta` at line 1 column {end}"));
                    assert_eq!(status.unwrap_err().fault, nonsense);
                }
            }
            "thin_wallet/token" => {
                let token = node.token(&TokenUid::Native).await;
                match (refusal, json.get("name")) {
                    (Some("Unknown token"), _) => assert_eq!(token, Ok(None)),
                    (Some(message), _) => {
                        assert_eq!(token.unwrap_err().fault, Fault::Refused(message.to_owned()));
                    }
                    (None, Some(name)) => {
                        let expected = TokenDescription {
                            name: name.as_str().unwrap().to_owned(),
                            symbol: json["symbol"].as_str().unwrap().to_owned(),
                            version: (json["version"] == 1).then_some(TokenVersion::Deposit),
                            total: json["total"].as_u64().map(|total| Amount::new(total.into())),
                            can_mint: json["can_mint"] == true,
                            can_melt: json["can_melt"] == true,
                        };
                        assert_eq!(token, Ok(Some(expected)));
                    }
                    (None, None) => assert!(token.is_err()),
                }
            }
            "feature" if json.get("block_height").is_some() => assert_eq!(node.best_height().await, Ok(145)),
            "tx_parents" => {
                let parents = node.tx_parents().await.unwrap();
                let expected = json["tx_parents"].as_array().unwrap();
                assert_eq!(parents.map(Some).to_vec(), expected.iter().map(id).collect::<Vec<_>>());
            }
            "health" => {
                let health = node.health().await.unwrap();
                assert_eq!((health.status.as_str(), health.raw.get()), ("fail", answer.body.get()));
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn push_answers_of_a_real_node() {
    let (mut accepted, mut rejected, mut early, mut existing, mut unknown) = (0, 0, 0, 0, 0);
    for answer in recorded(PUSH) {
        let json = answer.value();
        let outcome = Server::script(vec![answer.answer()]).await.node().push_tx(&[0, 1]).await;
        // What a script did stands in lines of its own there.
        let expected = json["message"].as_str().unwrap_or_default().replace('\n', " ");
        match outcome {
            Ok(()) => {
                assert_eq!(json["success"], true);
                accepted += 1;
            }
            Err(PushError::Rejected { message }) => {
                assert_eq!(message, expected);
                rejected += 1;
            }
            Err(PushError::TooEarly { message, after, confirmed }) => {
                assert!(expected.ends_with(&format!(" timestamp={after}")));
                assert_eq!(confirmed, expected.contains(" parent="));
                assert_eq!(message, expected);
                early += 1;
            }
            Err(PushError::AlreadyExists { message }) => {
                assert_eq!(message, expected);
                existing += 1;
            }
            Err(PushError::Unknown(failure)) => {
                assert_eq!(failure.fault, Fault::Status { status: 500, retry_after: None });
                unknown += 1;
            }
            Err(
                failure @ (PushError::NotSent(_) | PushError::Voided { .. } | PushError::Conflict { .. }),
            ) => panic!("{failure}"),
        }
    }
    assert_eq!((accepted, rejected, early, existing, unknown), (18, 31, 3, 2, 1));
}

#[tokio::test]
async fn jobs_of_a_real_mining_service() {
    let mut states = Vec::new();
    for answer in recorded(JOBS).filter(|a| matches!(a.path.as_str(), "submit-job" | "job-status")) {
        let json = answer.value();
        let server = Server::script(vec![answer.answer()]).await;
        let result = match answer.path.as_str() {
            "submit-job" => server.mining().submit(&[0, 1], true).await,
            _ => server.mining().status("ab").await,
        };
        let job = match result {
            Ok(job) => job,
            Err(MiningError::Refused { url, code }) => {
                assert_eq!(url, format!("{}/{}", server.origin, answer.path));
                assert_eq!(code, json["error"].as_str().unwrap());
                continue;
            }
            Err(MiningError::Call(failure)) => {
                assert_eq!(failure.fault, Fault::Status { status: answer.status, retry_after: None });
                assert_eq!(answer.status, 405);
                continue;
            }
            Err(other) => panic!("{other}"),
        };
        assert_eq!(job.id, json["job_id"].as_str().unwrap());
        assert_eq!(job.message, json["message"].as_str().unwrap());
        assert_eq!(job.tx.nonce.as_deref(), json["tx"]["nonce"].as_str());
        assert_eq!(job.tx.timestamp.map(u64::from), json["tx"]["timestamp"].as_u64());
        assert_eq!(job.tx.weight, json["tx"]["weight"].as_f64().unwrap());
        assert_eq!(job.expected_total_time, json["expected_total_time"].as_f64());
        let parents: Vec<_> = json["tx"]["parents"].as_array().unwrap().iter().filter_map(id).collect();
        assert_eq!(job.tx.parents, parents);
        states.push(job.state);
    }
    let count = |state| states.iter().filter(|s| **s == state).count();
    use JobState::{Done, Enqueued, Failed, Mining, Pending, Timeout};
    assert_eq!(
        [Pending, Enqueued, Mining, Done, Failed, Timeout].map(count).iter().sum::<usize>(),
        states.len()
    );
    assert!([Pending, Enqueued, Mining, Done, Failed, Timeout].iter().all(|s| states.contains(s)));
}
