use headless_wallet::api::{
    AddressAnswer, AddressesAnswer, BalanceAnswer, Compat, CreatedToken, Failure, FeatureWarning,
    HistoryText, Lack, LoadProgress, NotReadyState, ReadyStatus, Success, TransactionAnswer, UtxoAnswer,
    UtxoList, WalletRefusal,
};
use headless_wallet::ledger::{
    Address, Amount, ExtraMembers, Input, Network, Outpoint, Output, Script, SpentOutput, TokenData,
    TokenInfo, TokenUid, TokenVersion, Transaction, Vertex, VertexId, VertexInput, VertexOutput,
};
use serde::Serialize;

fn id(byte: u8) -> VertexId {
    VertexId([byte; 32])
}

fn text(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).unwrap()
}

fn transaction() -> Transaction {
    Transaction {
        signal_bits: 0,
        tokens: vec![id(3)],
        inputs: vec![Input { spends: Outpoint { tx: id(1), index: 7 }, data: vec![71, 48, 0] }],
        outputs: vec![Output {
            value: Amount::MAX_OUTPUT,
            token_data: TokenData::FIRST,
            script: vec![118, 169],
        }],
        creates: None,
        blueprint: None,
        weight: 17.5,
        timestamp: 1_700_000_000,
        parents: vec![id(4), id(5)],
        nonce: 1234,
        headers: vec![],
    }
}

#[test]
fn a_sent_transaction() {
    let transaction = transaction();
    let (one, three, four, five) = ("01".repeat(32), "03".repeat(32), "04".repeat(32), "05".repeat(32));
    let six = "06".repeat(32);
    let head = format!(
        r#"{{"success":true,"inputs":[{{"hash":"{one}","index":7,"data":{{"type":"Buffer","data":[71,48,0]}},"tx_id":"{one}"}}],"outputs":[{{"value":9223372036854775808,"tokenData":1,"script":{{"type":"Buffer","data":[118,169]}},"decodedScript":null,"token_data":1}}],"#
    );
    let middle = format!(
        r#""version":1,"weight":17.5,"nonce":1234,"timestamp":1700000000,"parents":["{four}","{five}"],"tokens":["{three}"],"hash":"{six}","#
    );
    let answer = |compat| text(&TransactionAnswer { transaction: &transaction, id: id(6), compat });
    assert_eq!(answer(Compat::Documented), format!(r#"{head}{middle}"_dataToSignCache":null}}"#));
    assert_eq!(
        answer(Compat::V0_39),
        format!(r#"{head}"signalBits":0,{middle}"headers":[],"_dataToSignCache":null}}"#)
    );
}

#[test]
fn a_created_token() {
    let mut transaction = transaction();
    transaction.tokens = vec![];
    transaction.outputs = vec![];
    transaction.inputs = vec![];
    transaction.parents = vec![];
    transaction.weight = 8.0;
    transaction.creates =
        Some(TokenInfo { name: "A \"B\"".into(), symbol: "AB".into(), version: TokenVersion::Deposit });
    let token = transaction.creates.as_ref().unwrap();
    let hash = "06".repeat(32);
    let answer = |compat| text(&CreatedToken { transaction: &transaction, token, id: id(6), compat });
    let documented = answer(Compat::Documented);
    let (start, rest) = documented.split_once(r#"","inputs""#).unwrap();
    assert_eq!(
        &start[..start.len() - 9],
        format!(r#"{{"success":true,"configurationString":"[A \"B\":AB:{hash}:"#)
    );
    assert_eq!(
        rest,
        format!(
            r#":[],"outputs":[],"version":2,"weight":8,"nonce":1234,"timestamp":1700000000,"parents":[],"hash":"{hash}","_dataToSignCache":null,"name":"A \"B\"","symbol":"AB"}}"#
        )
    );
    let (_, rest) =
        answer(Compat::V0_39).split_once(r#"","inputs""#).map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert_eq!(
        rest,
        format!(
            r#":[],"outputs":[],"signalBits":0,"version":2,"weight":8,"nonce":1234,"timestamp":1700000000,"parents":[],"tokens":[],"hash":"{hash}","headers":[],"_dataToSignCache":null,"name":"A \"B\"","symbol":"AB","tokenVersion":1}}"#
        )
    );
}

fn vertex() -> Vertex {
    let to = Address::p2pkh(Network::Testnet, [9; 20]);
    let script = |script: Script| script.to_bytes().unwrap().into();
    let paid = SpentOutput {
        value: Amount::new(5),
        token: TokenUid::Native,
        token_data: TokenData::NATIVE,
        script: script(Script::Pay { to, timelock: Some(77) }),
        unknown: None,
    };
    let data =
        SpentOutput { value: Amount::new(1), script: script(Script::Data("hi".into())), ..paid.clone() };
    let odd = SpentOutput { script: vec![0].into(), token: TokenUid::Custom(id(2)), ..paid.clone() };
    Vertex {
        id: id(2),
        version: 2,
        weight: 21.25,
        timestamp: 1_700_000_000,
        voided: false,
        first_block: Some(id(8)),
        height: None,
        parents: vec![id(4)],
        inputs: vec![VertexInput { spends: Outpoint { tx: id(1), index: 3 }, output: paid }],
        outputs: vec![
            VertexOutput { output: data, spent_by: None },
            VertexOutput { output: odd, spent_by: Some(id(7)) },
        ],
        creates: Some(("Coffee".into(), "CFE".into())),
        nano: None,
        extra: ExtraMembers::default(),
    }
}

#[test]
fn history_keyed_and_listed() {
    let vertices = [vertex()];
    let address = Address::p2pkh(Network::Testnet, [9; 20]);
    let (one, two, four, seven, eight) =
        ("01".repeat(32), "02".repeat(32), "04".repeat(32), "07".repeat(32), "08".repeat(32));
    let base64 = |bytes: &[u8]| {
        use base64::Engine;
        base64::engine::general_purpose::STANDARD.encode(bytes)
    };
    let paid = base64(&vertices[0].inputs[0].output.script);
    let data = base64(&vertices[0].outputs[0].output.script);
    let entry = |more: &str| {
        format!(
            r#"{{"tx_id":"{two}","version":2,"weight":21.25,"timestamp":1700000000,"is_voided":false,"inputs":[{{"value":5,"token_data":0,"script":"{paid}","decoded":{{"type":"P2PKH","address":"{address}","timelock":77}},"token":"00","tx_id":"{one}","index":3}}],"outputs":[{{"value":1,"token_data":0,"script":"{data}","decoded":{{"type":"DATA","data":"hi"}},"token":"00","spent_by":null}},{{"value":5,"token_data":0,"script":"AA==","decoded":{{}},"token":"{two}","spent_by":"{seven}"}}],"parents":["{four}"],"token_name":"Coffee","token_symbol":"CFE","tokens":[]{more}}}"#
        )
    };
    let list = |keyed, compat| {
        let mut history = HistoryText::new(Vec::new(), 1, keyed, Network::Testnet, compat);
        vertices.iter().for_each(|vertex| history.push(vertex));
        String::from_utf8(history.finish()).expect("UTF-8")
    };
    assert_eq!(list(true, Compat::Documented), format!(r#"{{"{two}":{}}}"#, entry("")));
    assert_eq!(list(false, Compat::Documented), format!("[{}]", entry("")));
    assert_eq!(
        list(false, Compat::V0_39),
        format!("[{}]", entry(&format!(r#","first_block":"{eight}","processingStatus":"finished""#)))
    );
}

#[test]
fn unspent_outputs_and_their_totals() {
    assert_eq!(
        text(&UtxoList::default()),
        r#"{"total_amount_available":0,"total_utxos_available":0,"total_amount_locked":0,"total_utxos_locked":0,"utxos":[]}"#
    );
    let utxo = |amount, locked| UtxoAnswer {
        address: "W1",
        amount: Amount::new(amount),
        outpoint: Outpoint { tx: id(1), index: 255 },
        locked,
    };
    let hash = "01".repeat(32);
    assert_eq!(
        text(&UtxoList(vec![utxo(1 << 63, false), utxo(1 << 63, false), utxo(7, true)])),
        format!(
            r#"{{"total_amount_available":18446744073709551616,"total_utxos_available":2,"total_amount_locked":7,"total_utxos_locked":1,"utxos":[{{"address":"W1","amount":9223372036854775808,"tx_id":"{hash}","locked":false,"index":255}},{{"address":"W1","amount":9223372036854775808,"tx_id":"{hash}","locked":false,"index":255}},{{"address":"W1","amount":7,"tx_id":"{hash}","locked":true,"index":255}}]}}"#
        )
    );
}

#[cfg(feature = "native")]
#[test]
fn unspent_outputs_are_the_same_text_however_they_are_written() {
    let utxo = |address, amount, tx, index, locked| UtxoAnswer {
        address,
        amount: Amount::new(amount),
        outpoint: Outpoint { tx: id(tx), index },
        locked,
    };
    let utxos = [
        utxo("WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6", 1, 0xab, 0, false),
        utxo("", u128::from(u64::MAX), 0, 255, true),
        utxo("W1", u128::from(u64::MAX), 255, 10, true),
    ];
    for count in 0..=utxos.len() {
        let list = UtxoList(utxos[..count].to_vec());
        let mut json = Vec::new();
        list.write_json(&mut json);
        assert_eq!(String::from_utf8(json).expect("UTF-8"), text(&list));
    }
}

#[test]
fn small_answers() {
    assert_eq!(text(&Success), r#"{"success":true}"#);
    assert_eq!(
        text(&BalanceAnswer { available: Amount::new(u128::MAX), locked: Amount::ZERO }),
        r#"{"available":340282366920938463463374607431768211455,"locked":0}"#
    );
    assert_eq!(text(&AddressAnswer("W1".into())), r#"{"address":"W1"}"#);
    assert_eq!(text(&AddressesAnswer(vec!["W1", "W2"])), r#"{"addresses":["W1","W2"]}"#);
    assert_eq!(
        text(&Failure {
            lack: Some(Lack { token: Some(TokenUid::Native), amounts: None }.into()),
            ..Failure::new("No")
        }),
        r#"{"success":false,"error":"No","token":"00"}"#
    );
}

#[test]
fn a_ready_status_passes_the_nodes_answer_on_unchanged() {
    let raw =
        serde_json::value::RawValue::from_string(r#"{"min_weight": 8.0, "big":12345678901234567890}"#.into());
    let raw = raw.unwrap();
    let status = |problem, warnings: &[FeatureWarning], compat| {
        text(&ReadyStatus {
            network: "testnet",
            server_url: "http://node/v1a/",
            server_info: &raw,
            multisig: None,
            runs_on: None,
            problem,
            warnings: warnings.to_vec(),
            compat,
        })
    };
    let plain = r#"{"statusCode":3,"statusMessage":"Ready","network":"testnet","serverUrl":"http://node/v1a/","serverInfo":{"min_weight": 8.0, "big":12345678901234567890}"#;
    assert_eq!(status(None, &[], Compat::Documented), format!("{plain}}}"));
    assert_eq!(status(Some("slow"), &[], Compat::Documented), format!(r#"{plain},"error":"slow"}}"#));
    assert_eq!(status(Some("slow"), &[], Compat::V0_39), format!("{plain}}}"));
    // It is about money, so that it is told whoever is asked for.
    let warning = FeatureWarning { feature: "X".into(), state: "LOCKED_IN", message: "Upgrade".into() };
    let warned =
        format!(r#"{plain},"warnings":[{{"feature":"X","state":"LOCKED_IN","message":"Upgrade"}}]}}"#);
    for compat in [Compat::Documented, Compat::V0_39] {
        assert_eq!(status(None, std::slice::from_ref(&warning), compat), warned);
    }
}

#[test]
fn wallet_selection_is_refused_in_the_known_words() {
    let state = |problem: Option<&str>| NotReadyState {
        code: 4,
        name: "Error".into(),
        problem: problem.map(str::to_owned),
        progress: None,
    };
    let loading = |estimated_end| {
        let progress = Some(LoadProgress { addresses: 40, transactions: 123, estimated_end });
        WalletRefusal::NotReady(NotReadyState { code: 2, name: "Syncing".into(), problem: None, progress })
    };
    let answer = |refusal: &WalletRefusal, compat| text(&refusal.answer(compat));
    let table = [
        (
            WalletRefusal::HeaderMissing,
            r#"{"success":false,"message":"Header 'X-Wallet-Id' is required.","statusMessage":""}"#,
        ),
        (
            WalletRefusal::Unknown,
            r#"{"success":false,"message":"Invalid wallet id parameter.","statusMessage":""}"#,
        ),
        (
            WalletRefusal::WrongFirstAddress("W1".into()),
            r#"{"success":false,"message":"Wrong first address. This wallet's first address is: W1","statusMessage":""}"#,
        ),
        (
            WalletRefusal::NotReady(state(Some("why"))),
            r#"{"success":false,"message":"Wallet is not ready.","statusCode":4,"statusMessage":"Error","error":"why"}"#,
        ),
        (
            loading(None),
            r#"{"success":false,"message":"Wallet is not ready.","statusCode":2,"statusMessage":"Syncing","progress":{"addresses":40,"transactions":123}}"#,
        ),
        (
            loading(Some(1_800_000_000)),
            r#"{"success":false,"message":"Wallet is not ready.","statusCode":2,"statusMessage":"Syncing","progress":{"addresses":40,"transactions":123,"estimatedEnd":1800000000}}"#,
        ),
    ];
    for (refusal, expected) in table {
        assert_eq!(answer(&refusal, Compat::Documented), expected);
    }
    assert_eq!(
        answer(&WalletRefusal::NotReady(state(Some("why"))), Compat::V0_39),
        r#"{"success":false,"message":"Wallet is not ready.","statusCode":4}"#
    );
}
