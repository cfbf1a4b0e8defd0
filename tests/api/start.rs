use super::fields;
use headless_wallet::api::Compat;
use headless_wallet::api::StartFailure;
use headless_wallet::operations::{ScanPolicy, StartRequest, StartSecret};
use serde_json::{Value, json};

fn refused(body: Value) -> String {
    StartRequest::read(&fields(body)).unwrap_err()
}

#[test]
fn the_first_failing_check_answers() {
    let needs_secret = "Parameter 'seedKey', 'seed' or 'xpubkey' is required.";
    let two = "You can't have both 'seedKey' and 'seed' in the body.";
    let xpub = "You can't start a readonly wallet and send a seed in the same request.";
    let table = [
        (json!({}), needs_secret),
        (json!({"wallet-id": "a", "seedKey": "", "seed": null}), two),
        (json!({"seedKey": "k", "seed": "s", "xpubkey": "x"}), two),
        (json!({"seedKey": "k", "xpubkey": "x"}), xpub),
        (json!({"seed": "s", "xpubkey": "x"}), xpub),
        (json!({"seedKey": "k"}), "Parameter 'wallet-id' is required."),
        (json!({"seedKey": "k", "wallet-id": {}}), "Parameter 'wallet-id' must be a string."),
    ];
    for (body, message) in table {
        assert_eq!(refused(body), message);
    }
}

#[test]
fn later_checks_are_made_on_request() {
    let read = |body| StartRequest::read(&fields(body)).unwrap();
    let request =
        read(json!({"wallet-id": 12, "seedKey": "k", "multisig": true, "scanPolicy": "single-address"}));
    assert_eq!(request.wallet_id, "12");
    assert_eq!(request.multisig, Some(Some("k".to_owned())));
    assert_eq!(
        request.scan_policy(Compat::Documented).unwrap_err().message,
        "Address scanning policy single-address is not supported."
    );

    let request = read(json!({"wallet-id": "a", "seed": 5, "multisig": "", "gapLimit": 3}));
    assert_eq!(request.multisig, Some(None));
    assert_eq!(request.scan_policy(Compat::Documented), Ok(ScanPolicy::GapLimit(Some(3))));
    assert_eq!(request.scan_policy(Compat::V0_39), Ok(ScanPolicy::GapLimit(None)), "as release 0.39");
    let StartSecret::Seed(words) = &request.secret else { panic!("words") };
    assert_eq!(words.parse().unwrap_err(), "Invalid seed: Words must be a string.");

    let request = read(
        json!({"wallet-id": "a", "seed": "a b", "multisig": false, "scanPolicy": "gap-limit", "gapLimit": "30"}),
    );
    assert_eq!(request.multisig, None);
    assert_eq!(request.scan_policy(Compat::Documented), Ok(ScanPolicy::GapLimit(Some(30))));
    let StartSecret::Seed(words) = &request.secret else { panic!("words") };
    assert_eq!(words.parse().unwrap_err(), "Invalid seed: Must have 24 words.");

    // What is no secret is refused as that, and so is what is no policy.
    let request = read(json!({"wallet-id": "a", "seed": "", "scanPolicy": null}));
    let StartSecret::Seed(words) = &request.secret else { panic!("words") };
    assert_eq!(words.parse().unwrap_err(), "Invalid seed: Must have 24 words.");
    assert_eq!(
        request.scan_policy(Compat::Documented).unwrap_err().message,
        "Address scanning policy null is not supported."
    );
    let request = read(json!({"wallet-id": "a", "seed": null, "scanPolicy": ""}));
    let StartSecret::Seed(words) = &request.secret else { panic!("words") };
    assert_eq!(words.parse().unwrap_err(), "Invalid seed: Words must be a string.");
    assert_eq!(
        request.scan_policy(Compat::Documented).unwrap_err().message,
        "Address scanning policy  is not supported."
    );

    for gap_limit in [json!(0), json!(-1), json!(100_001), json!(u64::MAX), json!("many"), json!(null)] {
        let request =
            read(json!({"wallet-id": "a", "xpubkey": "x", "scanPolicy": "gap-limit", "gapLimit": gap_limit}));
        assert_eq!(
            request.scan_policy(Compat::Documented).unwrap_err().message,
            "Parameter 'gapLimit' must be an integer from 1 to 100000."
        );
    }
}

#[test]
fn an_index_limit_has_two_ends() {
    let read_in = |compat, start, end| {
        let mut body = json!({"wallet-id": "a", "xpubkey": "x", "scanPolicy": "index-limit"});
        let given = [("policyStartIndex", start), ("policyEndIndex", end)];
        given
            .into_iter()
            .filter(|(_, value)| *value != Value::Null)
            .for_each(|(name, value)| body[name] = value);
        StartRequest::read(&fields(body)).unwrap().scan_policy(compat)
    };
    let read = |start, end| read_in(Compat::Documented, start, end);
    let limit = |first, last| Ok(ScanPolicy::IndexLimit { first, last });
    assert_eq!(read(json!(null), json!(null)), limit(0, 0));
    assert_eq!(read(json!(7), json!(null)), limit(7, 7));
    assert_eq!(read(json!(7), json!(0)), limit(7, 7), "0 stands for none");
    assert_eq!(read(json!("7"), json!("9")), limit(7, 9));
    assert_eq!(read(json!(2_147_483_647), json!(null)), limit(2_147_483_647, 2_147_483_647));
    let refused = |name: &str, least: u32, most: u32| {
        Err(StartFailure::malformed(format!("Parameter '{name}' must be an integer from {least} to {most}.")))
    };
    for wrong in
        [json!(-1), json!(2_147_483_648_u32), json!(u128::MAX), json!(1.5), json!("x"), json!(""), json!([])]
    {
        assert_eq!(
            read(wrong.clone(), json!(null)),
            refused("policyStartIndex", 0, 2_147_483_647),
            "{wrong}"
        );
    }
    for wrong in [json!(6), json!(-1), json!(100_007), json!("x"), json!({})] {
        assert_eq!(read(json!(7), wrong.clone()), refused("policyEndIndex", 7, 100_006), "{wrong}");
    }
    // As `@hathor/wallet-lib` 2.15 loads them.
    let read = |start, end| read_in(Compat::V0_39, json!(start), json!(end));
    assert_eq!([read(5, 1), read(5, 3), read(5, 4)], [limit(1, 1), limit(1, 3), limit(1, 4)]);
    assert_eq!(
        [read(5, 0), read(5, 5), read(5, 6), read(0, 0)],
        [limit(5, 5), limit(5, 5), limit(5, 6), limit(0, 0)]
    );
    assert_eq!(read(7, -1), refused("policyEndIndex", 1, 100_006));
}

#[test]
fn a_wallet_id_must_fit_the_header_that_names_it() {
    let read = |id: &str| StartRequest::read(&fields(json!({"wallet-id": id, "seedKey": "k"})));
    for id in [" ", " a", "a ", "a\nb", "a\u{0}b", "a\tb", "a\u{7f}"] {
        assert_eq!(
            read(id).unwrap_err(),
            "Parameter 'wallet-id' must fit the header 'X-Wallet-Id': no line breaks or other control characters, and \
             no spaces at its ends."
        );
    }
    for id in ["a".repeat(1_001), "é".repeat(501)] {
        assert_eq!(read(&id).unwrap_err(), "Parameter 'wallet-id' must have at most 1000 bytes.");
    }
    for id in ["a", "a b", "é", "钱包", "a/b?c=d", &"a".repeat(1_000)] {
        assert_eq!(read(id).unwrap().wallet_id, id);
    }
}

#[test]
fn nothing_secret_prints() {
    let body = json!({"wallet-id": "a", "seed": "very secret words", "passphrase": "hidden"});
    let request = StartRequest::read(&fields(body)).unwrap();
    let printed = format!("{request:?}");
    assert!(!printed.contains("secret words") && !printed.contains("hidden"), "{printed}");
}

#[test]
fn failures_are_written_with_their_cause() {
    let text = |failure: &StartFailure, compat| serde_json::to_string(&failure.answer(compat)).unwrap();
    let failure = StartFailure::failed("w", "the node is down");
    assert_eq!(
        text(&failure, Compat::Documented),
        r#"{"success":false,"message":"Failed to start wallet with wallet id w","error":"the node is down"}"#
    );
    assert_eq!(
        text(&failure, Compat::V0_39),
        r#"{"success":false,"message":"Failed to start wallet with wallet id w"}"#
    );
    assert_eq!(
        text(&StartFailure::already_started("w"), Compat::Documented),
        r#"{"success":false,"message":"Failed to start wallet with wallet id w","errorCode":"WALLET_ALREADY_STARTED"}"#
    );
}
