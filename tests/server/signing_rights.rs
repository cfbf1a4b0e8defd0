//! Who may have what signed: every operation and every instruction of a template that has something signed,
//! with each single right taken away. The wallet's signer counts what it is asked for.

use super::approvals::server_with_more;
use super::nano::{BET, action, authority, bet};
use super::raw::STRANGER;
use super::rights::setting;
use super::support::{Answer, GENESIS_WORDS, Server};
use super::swaps::{knows, propose};
use headless_wallet::api::Right;
use headless_wallet::keys::{Mnemonic, MultisigKeys, Seed};
use headless_wallet::operations;
use headless_wallet::signer::{Limits, Listener, Listening, SeedKeys, SignerServer, listen};
use headless_wallet::template::{ACTIONS, CALLS, InstructionKind};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use tempfile::TempDir;

/// What has nothing signed by the wallet's keys: it reads, builds or sends what others have signed.
const SIGN_NOTHING: &str = "start hsm-start fireblocks-start load-more-addresses last-index events status stop multisig-pubkey balance balances address \
    addresses address-index address-info utxo-filter tx-history transaction tx-confirmation-blocks last-loaded-address-index \
    configuration-string push-tx decode utxos-selected-as-input list-tasks task cancel-task list-approvals approval approve deny build-tx \
    get-wallet-inputs input-data add-signatures signing-file push-signing-file propose propose-create-token propose-mint-tokens \
    propose-melt-tokens sign sign-and-push propose-swap sign-swap sign-and-push-swap swap-input-data unlock-swap get-locked-utxos \
    list-swaps fetch-swap register-swap delete-swap nano-state nano-history nano-oracle-data verify-message list-webhooks list-deliveries \
    redeliver welcome docs docs-ui health health-live health-ready reload-config metrics list-keys add-key rotate-key revoke-key";

/// A request that has something signed.
struct Case {
    operation: &'static str,
    wallet: &'static str,
    path: String,
    body: Value,
    /// The rights that it takes, and no others.
    needs: &'static [&'static str],
}

impl Case {
    /// Whether it only says what it would send, if asked for that.
    fn is_tried(&self) -> bool {
        operations::all().any(|operation| operation.name == self.operation && operation.sends())
    }
}

fn case(operation: &'static str, path: &str, body: Value, needs: &'static [&'static str]) -> Case {
    Case { operation, wallet: "genesis", path: format!("/wallet/{path}"), body, needs }
}

fn run(body: Value, needs: &'static [&'static str]) -> Case {
    case("run-tx-template", "tx-template/run", body, needs)
}

/// A signer that counts what it is asked for, with the words of genesis as the seed `vault`.
async fn counting_signer(dir: &TempDir) -> (Arc<AtomicUsize>, Listener) {
    let asked = Arc::new(AtomicUsize::new(0));
    let words = Mnemonic::parse(GENESIS_WORDS).unwrap();
    let (count, keys) = (asked.clone(), SeedKeys::of(&Seed::new(words, "")));
    let of = move |_: &str| {
        count.fetch_add(1, SeqCst);
        Some(keys.clone())
    };
    let place = Listening::Socket { path: dir.path().join("signer.sock"), users: Vec::new() };
    (asked, listen(SignerServer::new(of, Limits::default(), None), &place).await.unwrap())
}

struct Harness {
    server: Server,
    asked: Arc<AtomicUsize>,
    /// The signature that the wallet's address 1 makes as the oracle of a bet.
    oracle: String,
    cases: Vec<Case>,
}

impl Harness {
    async fn ask(&self, case: &Case, key: &str, dry_run: bool) -> Answer {
        let headers =
            [("x-api-key", key), ("x-wallet-id", case.wallet), ("content-type", "application/json")];
        let path = if dry_run { format!("{}?dry_run=true", case.path) } else { case.path.clone() };
        match case.body {
            Value::Null => self.server.ask("GET", &case.path, &headers, b"").await,
            _ => self.server.ask("POST", &path, &headers, case.body.to_string().as_bytes()).await,
        }
    }

    /// How often the signer was asked, and what was sent.
    fn done(&self) -> (usize, usize) {
        (self.asked.load(SeqCst), self.server.devnet.read(|chain| chain.mempool().count()))
    }
}

async fn templates(server: &Server, token: &str, fee_token: &str) -> Vec<Case> {
    let (own, other) = (server.address(0).await, server.address(3).await);
    let script = server.read(&format!("/wallet/nano-contracts/oracle-data?oracle={STRANGER}")).await;
    let own_script = server.read(&format!("/wallet/nano-contracts/oracle-data?oracle={own}")).await;
    let coin =
        server.read("/wallet/utxo-filter?only_available_utxos=true&max_utxos=1").await["utxos"][0].take();
    let contract = bet(server).await;
    let authorities = authority(server).await;
    let to = |address: &str, amount: u64, token: &str| json!({"type": "output/token", "amount": amount, "address": address, "token": token});
    let fill = |amount: u64, token: &str| json!({"type": "input/utxo", "fill": amount, "token": token});
    let take = |which: &str| json!({"type": "input/authority", "authority": which, "token": token});
    let give = |which: &str, address: &str| json!({"type": "output/authority", "authority": which, "token": token, "address": address});
    let set = |name: &str, call: Value| json!({"type": "action/setvar", "name": name, "call": call});
    let complete = json!({"type": "action/complete"});
    let create =
        json!({"type": "action/config", "createToken": true, "tokenName": "Tea", "tokenSymbol": "TEA"});
    let created =
        json!({"type": "output/token", "amount": 100, "address": STRANGER, "useCreatedToken": true});
    let execute = |id: &str, method: &str, args: Value, actions: Value| json!({"type": "nano/execute", "id": id, "method": method, "caller": own, "args": args, "actions": actions});
    let said = json!({"method": "get_oracle_signed_data", "index": 1, "ncId": contract, "type": "SignedData[str]", "data": "1x0"});
    let right = |kind: &str, which: &str| json!([{"action": kind, "authority": which, "token": token}]);
    let deposit = json!([{"action": "deposit", "amount": 3}]);
    let withdrawal = json!([{"action": "withdrawal", "amount": 3, "address": STRANGER}]);
    let bets = |actions: &Value| execute(&contract, "bet", json!([own, "1x0"]), actions.clone());
    vec![
        run(
            json!([
                set("who", json!({"method": "get_wallet_address", "index": 2})),
                to("{who}", 5, "00"),
                complete
            ]),
            &["send"],
        ),
        run(
            json!([
                set("have", json!({"method": "get_wallet_balance"})),
                set("oracle", json!({"method": "get_oracle_script", "index": 1})),
                to(STRANGER, 5, "00"),
                complete,
            ]),
            &["send"],
        ),
        run(
            json!([
                fill(5, "00"), {"type": "output/raw", "amount": 5, "script": script["oracleData"]},
                {"type": "action/shuffle", "target": "all"},
            ]),
            &["send"],
        ),
        run(
            json!([
                {"type": "input/raw", "txId": coin["tx_id"], "index": coin["index"]},
                {"type": "output/raw", "amount": coin["amount"], "script": own_script["oracleData"]},
            ]),
            &["send"],
        ),
        run(json!([{"type": "output/data", "data": "x"}, complete]), &["send"]),
        run(
            json!([fill(1, "00"), fill(500, fee_token), to(STRANGER, 500, fee_token), {"type": "action/fee", "amount": 1}]),
            &["send"],
        ),
        run(json!([create, fill(1, "00"), created]), &["send", "create-tokens"]),
        run(
            json!([take("mint"), fill(1, "00"), to(STRANGER, 100, token), give("mint", &other)]),
            &["send", "mint"],
        ),
        run(json!([take("mint"), give("mint", STRANGER)]), &["send", "mint"]),
        run(json!([take("melt"), give("melt", STRANGER)]), &["send", "melt"]),
        run(
            json!([take("melt"), fill(100, token), give("melt", &other), to(STRANGER, 1, "00")]),
            &["send", "melt"],
        ),
        run(json!([bets(&deposit)]), &["send", "contracts"]),
        run(json!([execute(&contract, "withdraw", json!([]), withdrawal)]), &["send", "contracts"]),
        run(json!([create, fill(1, "00"), created, bets(&json!([]))]), &["send", "contracts"]),
        run(
            json!([execute(&authorities, "grant_authority", json!([]), right("grant_authority", "mint"))]),
            &["send", "contracts"],
        ),
        run(
            json!([execute(
                &authorities,
                "acquire_authority",
                json!([]),
                right("acquire_authority", "melt")
            )]),
            &["send", "contracts"],
        ),
        run(json!([take("melt"), give("melt", STRANGER), bets(&deposit)]), &["send", "melt", "contracts"]),
        run(
            json!([
                set("said", said.clone()),
                execute(&contract, "set_result", json!(["{said}"]), json!([]))
            ]),
            &["send", "sign", "contracts"],
        ),
        run(json!([set("said", said.clone()), to(STRANGER, 5, "00"), complete]), &["send", "sign"]),
        case(
            "build-tx-template",
            "tx-template/build",
            json!([set("said", said), to(STRANGER, 5, "00"), complete]),
            &["sign"],
        ),
        case(
            "build-tx-template",
            "tx-template/build?sign=true",
            json!([to(STRANGER, 5, "00"), complete]),
            &["sign"],
        ),
    ]
}

async fn operations_that_sign(server: &Server, token: &str, contract: &str) -> Vec<Case> {
    let own = server.address(0).await;
    let oracle =
        server.read(&format!("/wallet/nano-contracts/oracle-data?oracle={}", server.address(1).await)).await;
    let oracle = oracle["oracleData"].as_str().unwrap();
    let send = json!({"send": {"tokens": [{"token": token, "value": 50}]}, "receive": {"tokens": [{"value": 10}]}, "lock": false});
    let (partial, _) = propose(server, "genesis", send).await;
    let part = json!({"partial_tx": partial, "send": {"tokens": [{"value": 10}]}, "receive": {"tokens": [{"token": token, "value": 50}]}, "lock": false});
    let (partial, _) = propose(server, "ana", part).await;
    let share = json!({"outputs": [{"address": STRANGER, "value": 5}]});
    let share = server.post("/wallet/p2sh/tx-proposal", Some("several"), &share).await.json()["txHex"].take();
    let new = json!({
        "name": "Mate", "symbol": "MATE", "amount": 100, "address": STRANGER, "mint_authority_address": STRANGER,
        "allow_external_mint_authority_address": true, "melt_authority_address": STRANGER, "allow_external_melt_authority_address": true,
    });
    let minted = json!({
        "token": token, "amount": 100, "address": STRANGER, "mint_authority_address": STRANGER,
        "allow_external_mint_authority_address": true,
    });
    let melted = json!({
        "token": token, "amount": 100, "deposit_address": STRANGER, "melt_authority_address": STRANGER,
        "allow_external_melt_authority_address": true,
    });
    let deposit = action("deposit", "00", json!({"amount": 5}));
    let taken = action("withdrawal", "00", json!({"amount": 5, "address": STRANGER}));
    let granted = action("grant_authority", token, json!({"authority": "mint"}));
    let options = json!({"name": "Mate", "symbol": "MATE", "amount": 100, "mint_address": STRANGER, "change_address": own, "contract_pays_deposit": false});
    let call = |method: &str, args: Value, actions: Value| json!({"nc_id": contract, "method": method, "address": own, "data": {"args": args, "actions": actions}});
    let mut creating = call("bet", json!([own, "1x0"]), json!([]));
    creating["create_token_options"] = options;
    let execute = |body| case("nano-execute", "nano-contracts/execute", body, &["contracts"]);
    let result = format!(
        "nano-contracts/oracle-signed-result?oracle_data={oracle}&contract_id={contract}&result=1x0&type=str"
    );
    vec![
        case("simple-send-tx", "simple-send-tx", json!({"address": STRANGER, "value": 5}), &["send"]),
        case(
            "send-tx",
            "send-tx",
            json!({"outputs": [{"address": STRANGER, "value": 5, "token": token}]}),
            &["send"],
        ),
        case("create-token", "create-token", new, &["create-tokens"]),
        case(
            "create-nft",
            "create-nft",
            json!({"name": "Art", "symbol": "ART", "amount": 1, "data": "x", "address": STRANGER}),
            &["create-tokens"],
        ),
        case("mint-tokens", "mint-tokens", minted, &["mint"]),
        case(
            "mint-tokens",
            "mint-tokens",
            json!({"token": token, "amount": 100, "create_mint": false}),
            &["mint"],
        ),
        case("melt-tokens", "melt-tokens", melted, &["melt"]),
        case("utxo-consolidation", "utxo-consolidation", json!({"destination_address": own}), &["send"]),
        case(
            "nano-create",
            "nano-contracts/create",
            json!({"blueprint_id": BET, "address": own, "data": {"args": [oracle, "00", 4_000_000_000_u32]}}),
            &["contracts"],
        ),
        execute(call("bet", json!([own, "1x0"]), json!([deposit]))),
        execute(call("withdraw", json!([]), json!([taken]))),
        execute(call("withdraw", json!([]), json!([granted]))),
        execute(creating),
        case(
            "nano-create-on-chain-blueprint",
            "nano-contracts/create-on-chain-blueprint",
            json!({"code": "x", "address": own}),
            &["contracts"],
        ),
        case(
            "swap-signatures",
            "atomic-swap/tx-proposal/get-my-signatures",
            json!({"partial_tx": partial}),
            &["sign"],
        ),
        Case {
            wallet: "several",
            ..case(
                "get-my-signatures",
                "p2sh/tx-proposal/get-my-signatures",
                json!({"txHex": share}),
                &["sign"],
            )
        },
        case("sign-message", "sign-message", json!({"message": "hello", "address": own}), &["sign"]),
        case("nano-oracle-signed-result", &result, Value::Null, &["sign"]),
    ]
}

/// A server with keys that lack each right, and those that have what a case takes alone, with and without
/// limits of nothing.
async fn harness(dir: &TempDir) -> (Harness, Listener) {
    let (asked, listening) = counting_signer(dir).await;
    let words = Mnemonic::parse(GENESIS_WORDS).unwrap();
    let others = [words.clone(), Mnemonic::generate().unwrap()];
    let xpubs = others.map(|words| MultisigKeys::from_mnemonic(&words, "").account_xpub());
    let settings = format!(
        "signers.vault = {{ socket = {:?}, seeds = ['vault'] }}\n\
         multisig.vault = {{ total = 2, num_signatures = 1, pubkeys = {xpubs:?} }}\n",
        dir.path().join("signer.sock")
    );
    let mut server = Server::start_with(&settings).await;
    server.start_wallet("genesis", json!({"seedKey": "vault"})).await;
    server.start_wallet("several", json!({"seedKey": "vault", "multisig": true})).await;
    server.start_wallet("ana", json!({"seed": Mnemonic::generate().unwrap().words()})).await;
    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 5_000})).await;
    let fee = json!({"name": "Fee", "symbol": "FEE", "amount": 500, "version": 2});
    let fee = server.done("create-token", fee).await;
    for id in ["several", "ana"] {
        let headers = [("x-wallet-id", id)];
        let address = server.ask("GET", "/wallet/address", &headers, b"").await.json()["address"].take();
        let paid = server.done("simple-send-tx", json!({"address": address, "value": 1_000})).await;
        knows(&server, id, &paid["hash"]).await;
    }
    let (token, fee) = (token["hash"].as_str().unwrap(), fee["hash"].as_str().unwrap());
    let contract = bet(&server).await;
    let mut cases = templates(&server, token, fee).await;
    cases.extend(operations_that_sign(&server, token, &contract).await);
    let signed = server.read(&cases.last().unwrap().path).await;
    let oracle = signed["signedResult"]["signature"].as_str().unwrap().to_owned();

    let all: Vec<_> = Right::ALL.iter().map(|right| right.name()).collect();
    let mut keys = settings;
    let mut add = |name: &str, rights: &[&str]| {
        let key = setting(name, name, rights, &["*"]);
        keys += &key;
        let nothing = json!(["spend 0 * per transaction", "mint 0 * per transaction"]);
        let name = format!("{name}-limited");
        keys += &setting(&name, &name, rights, &["*"]).replace(" }", &format!(", limits = {nothing} }}"));
    };
    for right in &all {
        let others: Vec<_> = all.iter().filter(|other| *other != right).copied().collect();
        add(&format!("no-{right}"), &others);
    }
    for needs in cases.iter().map(|case| case.needs).collect::<BTreeSet<_>>() {
        add(&format!("only-{}", needs.join("-")), needs);
    }
    server.configure(&keys);
    assert_eq!(server.post("/reload-config", None, &json!({})).await.status, 200);
    server.renew_document();
    (Harness { server, asked, oracle, cases }, listening)
}

#[tokio::test]
async fn whatever_is_signed_takes_the_rights_to_what_is_done() {
    let dir = TempDir::new().unwrap();
    let (harness, _listening) = harness(&dir).await;
    let mut refused = 0;
    for case in &harness.cases {
        let name = format!("{} {}", case.path, case.body);
        for (right, suffix) in
            Right::ALL.iter().flat_map(|right| ["", "-limited"].map(|suffix| (right.name(), suffix)))
        {
            let (key, before) = (format!("no-{right}{suffix}"), harness.done());
            let is_needed = case.needs.contains(&right);
            if is_needed {
                let error = format!("The API key {key:?} may not do this: it lacks the right {right}.");
                let told = (403, json!({"success": false, "error": error}));
                for dry_run in [false, true].into_iter().filter(|dry| !dry || case.is_tried()) {
                    assert_eq!(harness.ask(case, &key, dry_run).await.parts(), told, "{name}");
                    refused += 1;
                }
                assert_eq!(harness.done(), before, "{key}: {name}");
            } else if case.is_tried() {
                assert_eq!(harness.ask(case, &key, true).await.status, 200, "{key}: {name}");
                assert_eq!(harness.done(), before, "{key}: {name}");
            }
        }
        // These rights are enough, and with limits of nothing no transaction is signed.
        let key = format!("only-{}", case.needs.join("-"));
        let before = harness.done();
        let answer = harness.ask(case, &key, case.is_tried()).await;
        assert_eq!(
            (answer.status, &answer.json()["success"]),
            (200, &json!(true)),
            "{name}: {}",
            answer.text
        );
        match case.is_tried() {
            true => assert_eq!(harness.done(), before, "a dry run signs nothing: {name}"),
            false => assert!(harness.done().0 > before.0, "{name}"),
        }
        if case.is_tried() {
            assert!(!answer.text.contains(&harness.oracle), "{name}: {}", answer.text);
        }
    }
    assert!(refused > 200, "{refused}");

    // All are there: every operation, every instruction, every call and every action.
    let mut seen: BTreeSet<_> = SIGN_NOTHING.split_ascii_whitespace().collect();
    seen.extend(harness.cases.iter().map(|case| case.operation));
    assert_eq!(seen, operations::all().map(|operation| operation.name).collect());
    let instructions = harness.cases.iter().filter_map(|case| case.body.as_array()).flatten();
    let (mut kinds, mut calls, mut actions) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for instruction in instructions {
        kinds.extend(instruction["type"].as_str());
        calls.extend(instruction["call"]["method"].as_str());
        let all = instruction["actions"].as_array().into_iter().flatten();
        actions.extend(all.filter_map(|action| action["action"].as_str()));
    }
    assert_eq!(kinds, InstructionKind::all().map(InstructionKind::name).collect());
    assert_eq!(calls, CALLS.iter().map(|(name, _)| *name).collect());
    assert_eq!(actions, ACTIONS.iter().map(|(name, _)| *name).collect());
    harness.server.shutdown().await;
}

/// Nothing is signed: it takes no right to what the transaction would do.
#[tokio::test]
async fn a_key_that_may_build_and_nothing_else_builds() {
    let dir = TempDir::new().unwrap();
    let builder = setting("builder", "builder", &["build"], &["*"]);
    let server = server_with_more(&dir, &[], &builder).await;
    let headers =
        [("x-api-key", "builder"), ("x-wallet-id", "genesis"), ("content-type", "application/json")];
    let body = json!({"outputs": [{"address": STRANGER, "value": 5}]}).to_string();
    let built = server.ask("POST", "/wallet/tx-proposal", &headers, body.as_bytes()).await;
    assert_eq!((built.status, &built.json()["success"]), (200, &json!(true)), "{}", built.text);
    server.shutdown().await;
}
