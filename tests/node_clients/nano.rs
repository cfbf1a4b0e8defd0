//! What a node says of contracts and blueprints: passed on as it came, and no more of it than is needed.

use crate::server::{Server, ok};
use headless_wallet::ledger::VertexId;
use headless_wallet::node::{CallError, Fault, StateQuery};

const KIB: usize = 1024;

fn query(id: &str) -> StateQuery<'_> {
    StateQuery { id, fields: &[], balances: &[], calls: &[], block_hash: None, block_height: None }
}

fn invalid(error: CallError) -> String {
    let Fault::InvalidAnswer(what) = error.fault else { panic!("{error}") };
    what
}

#[tokio::test]
async fn a_state_and_a_history_are_passed_on_as_they_came() {
    let state = r#"{"success":true, "fields":{"a":{"value":1.50}, "b":123456789012345678901234567890}}"#;
    let server = Server::script(vec![ok(state), ok(r#"{"success":true,"history":[ {"z":1e400} ]}"#)]).await;
    let node = server.node();
    assert_eq!(node.contract_state(query("c")).await.unwrap().get(), state);
    assert_eq!(node.contract_history("c", None, None, None).await.unwrap().get(), r#"[ {"z":1e400} ]"#);
}

#[tokio::test]
async fn a_state_is_at_most_a_mebibyte_long() {
    let padded = |bytes: usize| format!("{{{}}}", " ".repeat(bytes - 2));
    let server = Server::script(vec![ok(padded(KIB * KIB)), ok(padded(KIB * KIB + 1))]).await;
    let node = server.node();
    assert_eq!(node.contract_state(query("c")).await.unwrap().get().len(), KIB * KIB);
    let refused = invalid(node.contract_state(query("c")).await.unwrap_err());
    assert_eq!(refused, "more than 1048576 bytes");
    // Whoever asks for less gets it.
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn a_history_is_at_most_four_mebibytes_long() {
    let padded = |bytes: usize| {
        let (start, end) = (r#"{"history":["#, "]}");
        format!("{start}{}{end}", " ".repeat(bytes - start.len() - end.len()))
    };
    let most = 4 * KIB * KIB;
    let server = Server::script(vec![ok(padded(most)), ok(padded(most + 1))]).await;
    let node = server.node();
    assert!(node.contract_history("c", None, None, None).await.is_ok());
    let refused = invalid(node.contract_history("c", None, None, None).await.unwrap_err());
    assert_eq!(refused, "more than 4194304 bytes");
}

#[tokio::test]
async fn what_is_no_json_to_pass_on_is_refused() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let embedded = r#"{"$serde_json::private::RawValue":"[1]"}"#;
    let history = |history: &str| ok(format!(r#"{{"history":{history}}}"#));
    let answers =
        vec![ok(&*deep), ok(embedded), history(&deep), history(&format!("[{embedded}]")), history("{}")];
    let server = Server::script(answers).await;
    let node = server.node();
    let not_allowed = "the key $serde_json::private::RawValue is not allowed at line 1 column ";
    for expected in ["recursion limit exceeded at line 1 column 128".to_owned(), format!("{not_allowed}33")] {
        assert_eq!(invalid(node.contract_state(query("c")).await.unwrap_err()), expected);
    }
    let too_deep = "recursion limit exceeded at line 1 column 128".to_owned();
    for expected in [too_deep, format!("{not_allowed}34"), "it has no history".to_owned()] {
        assert_eq!(invalid(node.contract_history("c", None, None, None).await.unwrap_err()), expected);
    }
}

#[tokio::test]
async fn a_state_is_an_object_and_a_refusal_says_if_it_has_no_reason() {
    let answers = ["null", "[1]", " 5", "\"x\"", "true"].map(ok);
    let server = Server::script(answers.into()).await;
    let node = server.node();
    for _ in 0..5 {
        assert_eq!(invalid(node.contract_state(query("c")).await.unwrap_err()), "it has no state");
    }
    let answers = [r#"{"success":false}"#, r#"{"success":false,"message":" "}"#].map(ok);
    let server = Server::script(answers.into()).await;
    let node = server.node();
    for _ in 0..2 {
        let refused = node.contract_state(query("c")).await.unwrap_err().to_string();
        assert!(refused.ends_with("nano_contract/state: refused without saying why"), "{refused}");
    }
}

fn id(digit: char) -> VertexId {
    digit.to_string().repeat(64).parse().unwrap()
}

/// What a node says of a blueprint whose method takes so many arguments of a type.
fn blueprint(args: usize, of_type: &str) -> String {
    let arg = format!(r#"{{"name":"a","type":"{of_type}"}}"#);
    format!(r#"{{"public_methods":{{"m":{{"args":[{}],"docstring":null}}}}}}"#, vec![arg; args].join(","))
}

#[tokio::test]
async fn what_is_remembered_of_blueprints_is_bounded_by_its_size() {
    let large = blueprint(40_000, "int");
    assert!(large.len() > 900 * KIB && large.len() < KIB * KIB);
    let server = Server::script(vec![ok(large)]).await;
    let node = server.node();
    for (digit, asked) in [('1', 1), ('2', 2), ('3', 3), ('4', 4), ('4', 4), ('2', 4), ('5', 5), ('1', 6)] {
        assert_eq!(node.methods(&id(digit)).await.unwrap().unwrap()["m"].len(), 40_000);
        assert_eq!(server.seen().len(), asked, "{digit}");
    }
}

/// A blueprint never changes: a node that says something else of it later would have other bytes signed.
#[tokio::test]
async fn another_account_of_a_known_blueprint_is_refused() {
    let large = ok(blueprint(40_000, "int"));
    let mut answers = vec![ok(blueprint(1, "Timestamp"))];
    answers.extend(vec![large; 5]);
    answers.extend([ok(blueprint(1, "Amount")), ok(blueprint(1, "Timestamp"))]);
    let server = Server::script(answers).await;
    let node = server.node();
    assert_eq!(node.methods(&id('1')).await.unwrap().unwrap()["m"], ["Timestamp"]);
    // There is no room for the first one any more.
    for digit in ['2', '3', '4', '5', '6'] {
        node.methods(&id(digit)).await.unwrap();
    }
    let changed = format!(
        "it says something else of the blueprint {} than before, and a blueprint never changes",
        id('1')
    );
    assert_eq!(invalid(node.methods(&id('1')).await.unwrap_err()), changed);
    assert_eq!(node.methods(&id('1')).await.unwrap().unwrap()["m"], ["Timestamp"]);
}

#[tokio::test]
async fn too_much_of_a_blueprint_is_refused() {
    let longest = "a".repeat(1_000);
    let server = Server::script(vec![
        ok(blueprint(2, &longest)),
        ok(blueprint(2, &format!("{longest}a"))),
        ok(blueprint(60_000, "int")),
        ok(r#"{"public_methods":{"m":{"args":[{"name":"a"}]}}}"#),
    ])
    .await;
    let node = server.node();
    let methods = node.methods(&id('1')).await.unwrap().unwrap();
    assert_eq!(methods["m"], [longest.clone(), longest]);
    for (digit, expected) in [
        ('2', "the name of a type has 1001 bytes, more than 1000"),
        ('3', "more than 1048576 bytes"),
        ('4', "it does not say what its methods take"),
    ] {
        assert_eq!(invalid(node.methods(&id(digit)).await.unwrap_err()), expected);
    }
}
