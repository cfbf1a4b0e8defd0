//! Keys in a process of their own: what it signs, what it refuses and by which rule, and what becomes of a
//! send whose signer lies, is slow, or is away.

use crate::rig::{Rig, backend, pay};
use headless_wallet::keys::{AccountKeys, Purpose, Seed, SignerError};
use headless_wallet::ledger::{
    Address, Amount, Network, Output, Script, TokenData, TokenUid, TokenVersion, Transaction, VertexId,
    sha256d,
};
use headless_wallet::service::{Account, MessageError, Operation, Options, SendError, Sent, Wallet};
use headless_wallet::signer::{
    Answer, Ask, Asked, Hex, Limits, Listening, MAX_QUESTION, RemoteSigner, SeedKeys, SignerPlace,
    SignerServer, Spent, VERSION, What, listen, read_frame, write_frame,
};
use headless_wallet::wallet::{CreateTokenRequest, OutputRequest, SendRequest};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::UnixListener;

const PATIENCE: Duration = Duration::from_secs(20);

/// What stands between a wallet and its signer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Between {
    Nothing,
    /// Another answer than the signer's.
    AnotherSignature,
    Silence,
}

/// A wallet whose keys are behind a socket, and what it asked there.
struct Remote {
    rig: Rig,
    wallet: Wallet,
    server: Arc<SignerServer>,
    asked: Arc<Mutex<Vec<Asked>>>,
    between: Arc<Mutex<Between>>,
    listening: tokio::task::JoinHandle<()>,
    dir: TempDir,
}

fn server(rig: &Rig, limits: &str, spent: Option<PathBuf>) -> Arc<SignerServer> {
    let keys = SeedKeys::of(&Seed::new(rig.words.clone(), ""));
    let spent = spent.map(|path| Spent::open(&path).unwrap());
    SignerServer::new(
        move |seed| (seed == "main").then(|| keys.clone()),
        Limits::read(limits, None).unwrap(),
        spent,
    )
}

async fn remote(amounts: &[u64], limits: &str, patience: Duration) -> Remote {
    let rig = Rig::with(amounts).await;
    let dir = TempDir::new().unwrap();
    let server = server(&rig, limits, Some(dir.path().join("spent")));
    let path = dir.path().join("signer.sock");
    let (asked, between) = (Arc::<Mutex<Vec<Asked>>>::default(), Arc::new(Mutex::new(Between::Nothing)));
    let socket = UnixListener::bind(&path).unwrap();
    let all = (server.clone(), asked.clone(), between.clone());
    let listening = tokio::spawn(async move {
        loop {
            let (mut stream, _) = socket.accept().await.unwrap();
            let (server, asked, between) = all.clone();
            tokio::spawn(async move {
                while let Ok(Some(frame)) = read_frame(&mut stream, MAX_QUESTION).await {
                    asked.lock().unwrap().push(Asked::read(&frame).unwrap());
                    let mood = *between.lock().unwrap();
                    let mut answer = server.answer(&frame).await;
                    match (&mut answer, mood) {
                        (_, Between::Nothing) => {}
                        (_, Between::Silence) => std::future::pending().await,
                        (Answer::Signatures(given), Between::AnotherSignature) => given[0].1.0[40] ^= 1,
                        (other, Between::AnotherSignature) => panic!("{other:?}"),
                    }
                    if write_frame(&mut stream, &answer).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    let signer = RemoteSigner::of_seed(SignerPlace::Socket(path), "main", patience).await.unwrap();
    let account = Account::signed_by(Arc::new(signer)).unwrap();
    let wallet = Wallet::start(account, backend(&rig.devnet), Options::default()).await.unwrap();
    wallet.ready().await;
    Remote { rig, wallet, server, asked, between, listening, dir }
}

impl Remote {
    /// What was asked last, for a transaction.
    fn last(&self) -> (Asked, Transaction) {
        let asked = self.asked.lock().unwrap().last().unwrap().clone();
        let Ask::Sign { what: What::Transaction { bytes, .. }, .. } = &asked.ask else { panic!("{asked:?}") };
        let transaction = Transaction::from_bytes(&bytes.0).unwrap();
        (asked, transaction)
    }

    /// The rule that refuses the last question after a change.
    async fn rule(&self, change: impl FnOnce(&mut What, &mut Transaction)) -> String {
        let (mut asked, mut transaction) = self.last();
        let Ask::Sign { what, .. } = &mut asked.ask else { unreachable!() };
        change(what, &mut transaction);
        if let What::Transaction { bytes, .. } = what {
            *bytes = Hex(transaction.to_bytes().unwrap());
        }
        self.rule_of(&asked).await
    }

    async fn rule_of(&self, asked: &Asked) -> String {
        match self.server.answer(&serde_json::to_vec(asked).unwrap()).await {
            Answer::Refused { rule, .. } => rule,
            Answer::Signatures(_) => "(signed)".to_owned(),
            other => panic!("{other:?}"),
        }
    }
}

fn script(hash: [u8; 20], timelock: Option<u32>) -> Vec<u8> {
    Script::Pay { to: Address::p2pkh(Network::Privatenet, hash), timelock }.to_bytes().unwrap()
}

fn refusal(sent: Result<Sent, SendError>) -> String {
    match sent {
        Err(SendError::Signer(error)) => match *error {
            SignerError::Refused { rule, .. } => rule,
            other => other.to_string(),
        },
        other => panic!("{other:?}"),
    }
}

fn creation() -> Operation {
    Operation::CreateToken(CreateTokenRequest {
        name: "Made elsewhere".to_owned(),
        symbol: "ELSE".to_owned(),
        version: TokenVersion::Deposit,
        amount: Amount::new(100),
        address: None,
        change_address: None,
        mint_authority: None,
        melt_authority: None,
        data: vec![],
        data_first: false,
    })
}

/// The whole of what a lying server could try with a payment of 200 out of 500.
#[tokio::test]
async fn a_signer_signs_what_is_right_and_names_the_rule_that_a_lie_breaks() {
    let remote = remote(&[500], "", PATIENCE).await;
    let sent = remote.wallet.send(pay(200)).await.unwrap();
    let (_, transaction) = remote.last();
    assert_eq!(transaction.sighash().unwrap(), sent.transaction.sighash().unwrap());
    let change = transaction.outputs.iter().position(|output| output.value == Amount::new(300)).unwrap();
    let paid = 1 - change;
    assert_eq!(remote.rule(|_, _| {}).await, "(signed)");

    let foreign = script([9; 20], None);
    // Change to somebody else's address, called change.
    assert_eq!(remote.rule(|_, tx| tx.outputs[change].script = foreign.clone()).await, "change");
    // What is paid to somebody, called change.
    let claim = |what: &mut What, place: usize, index: u32| {
        if let What::Transaction { own, .. } = what {
            own.push((u8::try_from(place).unwrap(), index));
        }
    };
    assert_eq!(remote.rule(|what, _| claim(what, paid, 1)).await, "change");
    assert_eq!(remote.rule(|what, _| claim(what, 7, 1)).await, "change");
    // Where nobody would look for it.
    let far = remote.rule(|what, tx| {
        let keys = AccountKeys::from_mnemonic(&remote.rig.words, "").public();
        tx.outputs[change].script = script(keys.key_hashes(2_000_000..2_000_001)[0], None);
        if let What::Transaction { own, .. } = what {
            own[0].1 = 2_000_000;
        }
    });
    assert_eq!(far.await, "change");
    // Less comes out than goes in, or more.
    assert_eq!(remote.rule(|_, tx| tx.outputs[change].value = Amount::new(299)).await, "fee");
    assert_eq!(remote.rule(|_, tx| drop(tx.outputs.remove(change))).await, "change");
    assert_eq!(remote.rule(|_, tx| tx.outputs[paid].value = Amount::new(201)).await, "sums");
    // Previous transactions that are others, changed, or not there.
    let with_previous = |change: fn(&mut Vec<Hex>)| {
        move |what: &mut What, _: &mut Transaction| {
            if let What::Transaction { previous, .. } = what {
                change(previous);
            }
        }
    };
    assert_eq!(remote.rule(with_previous(Vec::clear)).await, "previous");
    assert_eq!(remote.rule(with_previous(|previous| previous[0].0.truncate(40))).await, "previous");
    let richer = remote.rule(|what, tx| {
        let What::Transaction { previous, .. } = what else { unreachable!() };
        let mut before = Transaction::from_bytes(&previous[0].0).unwrap();
        before.outputs[usize::from(tx.inputs[0].spends.index)].value = Amount::new(400);
        previous[0] = Hex(before.to_bytes().unwrap());
    });
    assert_eq!(richer.await, "previous");
    // Of what it does say.
    assert_eq!(remote.rule(|_, tx| tx.inputs[0].spends.index = 77).await, "previous");
    let twice = |_: &mut What, tx: &mut Transaction| {
        let again = tx.inputs[0].clone();
        tx.inputs.push(again);
    };
    assert_eq!(remote.rule(twice).await, "previous");
    // By other keys than those that can.
    let with_inputs = |inputs: Vec<(u8, u32)>| {
        move |what: &mut What, _: &mut Transaction| {
            if let What::Transaction { inputs: given, .. } = what {
                *given = inputs;
            }
        }
    };
    for inputs in [vec![(0, 5)], vec![(1, 0)], vec![(0, 0), (0, 0)], vec![(0, u32::MAX)]] {
        assert_eq!(remote.rule(with_inputs(inputs.clone())).await, "keys", "{inputs:?}");
    }
    for caller in [0, u32::MAX] {
        let calls = |what: &mut What, _: &mut Transaction| {
            if let What::Transaction { caller: given, .. } = what {
                *given = Some(caller);
            }
        };
        assert_eq!(remote.rule(calls).await, "keys");
    }
    // A token out of nothing.
    let minted = |_: &mut What, tx: &mut Transaction| {
        tx.tokens.push(VertexId([5; 32]));
        let token_data = TokenData::token(1);
        tx.outputs.push(Output { value: Amount::new(5), token_data, script: script([9; 20], None) });
    };
    assert_eq!(remote.rule(minted).await, "sums");
    // A hash, called what an oracle says.
    let (mut asked, transaction) = remote.last();
    let hidden = sha256d(b"");
    for (data, rule) in [(hidden.to_vec(), "oracle-data"), (transaction.to_bytes().unwrap(), "(signed)")] {
        let what = What::OracleData { index: 0, data: Hex(data) };
        let purpose = Purpose::OracleData.name().to_owned();
        asked.ask = Ask::Sign { purpose, salt: Hex(vec![]), what };
        assert_eq!(remote.rule_of(&asked).await, rule);
    }
    asked.seed = "other".to_owned();
    assert_eq!(remote.rule_of(&asked).await, "seed");
    asked.version = VERSION + 1;
    assert_eq!(remote.rule_of(&asked).await, "protocol");
    for frame in ["", "{}", "[1]", r#"{"version":1,"seed":"main","ask":{"sign":{}}}"#] {
        let Answer::Refused { rule, .. } = remote.server.answer(frame.as_bytes()).await else {
            panic!("{frame}")
        };
        assert_eq!(rule, "protocol", "{frame}");
    }
}

#[tokio::test]
async fn a_signer_keeps_its_limits_for_each_transaction_and_day_after_a_new_start_too() {
    let limits = "[seeds.main]\naddresses = [\"WRTFYzhTHkfYwub8EWVtAcUgbdUpsYMBpb\"]\n[seeds.main.limits]\nHTR = { transaction = 250, day = 300 }\n";
    let to = Address::p2pkh(Network::Privatenet, [7; 20]);
    let limits = limits.replace("WRTFYzhTHkfYwub8EWVtAcUgbdUpsYMBpb", &to.to_string());
    let remote = remote(&[1_000, 1_000], &limits, PATIENCE).await;
    let wallet = &remote.wallet;
    assert_eq!(refusal(wallet.send(pay(251)).await), "transaction");
    wallet.send(pay(200)).await.unwrap();
    assert_eq!(refusal(wallet.send(pay(101)).await), "day");
    // The same again is no more.
    let same = remote.asked.lock().unwrap()[2].clone();
    assert_eq!(remote.rule_of(&same).await, "(signed)");
    let other = OutputRequest::Pay {
        to: Address::p2pkh(Network::Privatenet, [8; 20]),
        value: Amount::new(1),
        token: TokenUid::Native,
        timelock: None,
    };
    let elsewhere = SendRequest { outputs: vec![other], ..SendRequest::default() };
    assert_eq!(refusal(wallet.send(elsewhere).await), "addresses");
    assert_eq!(refusal(wallet.carry_out(creation()).await), "tokens");
    let own = wallet.read(|state, _| state.address(0)).unwrap().unwrap();
    let MessageError::Signer(SignerError::Refused { rule, .. }) =
        wallet.sign_message(&own, "hello").await.unwrap_err()
    else {
        panic!("refused by the signer")
    };
    assert_eq!(rule, "messages");
    // What is locked away at an address of the wallet's own is not there for now, and counts as paid.
    let locked = |_: &mut What, tx: &mut Transaction| {
        for output in &mut tx.outputs {
            let Some(Script::Pay { to, .. }) = Script::parse(&output.script, Network::Privatenet) else {
                continue;
            };
            output.script = Script::Pay { to, timelock: Some(u32::MAX) }.to_bytes().unwrap();
        }
    };
    remote.wallet.send(pay(50)).await.unwrap();
    assert_eq!(remote.rule(locked).await, "addresses");
    // An input that is kept back for another time, so that it seems to spend less.
    let kept = |what: &mut What, _: &mut Transaction| {
        if let What::Transaction { inputs, .. } = what {
            inputs.clear();
        }
    };
    assert_eq!(remote.rule(kept).await, "others");

    // Another signer can't count in the same file at the same time.
    let path = remote.dir.path().join("spent");
    assert_eq!(Spent::open(&path).unwrap_err().to_string(), "another signer uses it");
    let Remote { rig, asked, listening, server: before, wallet, dir, .. } = remote;
    listening.abort();
    wallet.stop().await;
    drop((wallet, before));
    let last = asked.lock().unwrap().iter().rev().find(|asked| asked.seed == "main").unwrap().clone();
    // Connections that were open have ended with the wallet.
    let spent = loop {
        match Spent::open(&path) {
            Ok(spent) => break spent,
            Err(_) => tokio::task::yield_now().await,
        }
    };
    drop(spent);
    let again = server(&rig, &limits, Some(path));
    let signed = again.answer(&serde_json::to_vec(&last).unwrap()).await;
    assert!(matches!(signed, Answer::Signatures(_)), "{signed:?}");
    let mut more = last;
    let Ask::Sign { what: What::Transaction { bytes, own, .. }, .. } = &mut more.ask else { panic!() };
    let mut transaction = Transaction::from_bytes(&bytes.0).unwrap();
    let place = usize::from(own[0].0);
    let value = transaction.outputs[place].value;
    transaction.outputs[place].value = value.checked_sub(Amount::new(51)).unwrap();
    let mut paid = transaction.outputs[1 - place].clone();
    paid.value = Amount::new(51);
    transaction.outputs.push(paid);
    *bytes = Hex(transaction.to_bytes().unwrap());
    let Answer::Refused { rule, .. } = again.answer(&serde_json::to_vec(&more).unwrap()).await else {
        panic!()
    };
    assert_eq!(rule, "day");
    drop(dir);
}

#[tokio::test]
async fn a_send_ends_well_where_its_signer_lies_is_slow_or_is_away() {
    let remote = remote(&[500], "", Duration::from_millis(300)).await;
    let set = |between| *remote.between.lock().unwrap() = between;
    set(Between::AnotherSignature);
    assert_eq!(
        refusal(remote.wallet.send(pay(200)).await),
        "what the wallet's signer gave is not used: a signature for address 0 of something else"
    );
    set(Between::Silence);
    let path = remote.dir.path().join("signer.sock");
    assert_eq!(
        refusal(remote.wallet.send(pay(200)).await),
        format!(
            "the wallet's signer can't be reached, and nothing was signed: {}: no answer within 300ms",
            path.display()
        )
    );
    assert_eq!(
        remote.wallet.status().problem.as_deref(),
        Some(&*refusal(remote.wallet.send(pay(200)).await))
    );
    set(Between::Nothing);
    remote.listening.abort();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(
        refusal(remote.wallet.send(pay(200)).await),
        format!(
            "the wallet's signer can't be reached, and nothing was signed: {}: No such file or directory (os error 2)",
            path.display()
        )
    );
    // A new one, at the same place: the one output was free all the time.
    let _signer = listen(remote.server.clone(), &Listening::Socket { path, users: vec![] }).await.unwrap();
    remote.wallet.send(pay(200)).await.unwrap();
    assert_eq!(remote.wallet.status().problem, None);
}

/// A file of `tests/vectors/tls/mutual`: keys that are good for nothing else.
fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/tls/mutual").join(name)
}

#[tokio::test]
async fn over_tls_both_sides_know_each_other_by_their_certificates() {
    let rig = Rig::with(&[500]).await;
    let at = Listening::Tls {
        address: "127.0.0.1:0".to_owned(),
        roots: file("ca.pem"),
        certificate: file("signer.pem"),
        key: file("signer.key"),
    };
    let listening = listen(server(&rig, "", None), &at).await.unwrap();
    let by = |certificate: &str, key: &str| {
        SignerPlace::tls(&listening.address, &file("ca.pem"), &file(certificate), &file(key)).unwrap()
    };
    let signer = RemoteSigner::of_seed(by("server.pem", "server.key"), "main", PATIENCE).await.unwrap();
    let account = Account::signed_by(Arc::new(signer)).unwrap();
    let wallet = Wallet::start(account, backend(&rig.devnet), Options::default()).await.unwrap();
    wallet.ready().await;
    wallet.send(pay(200)).await.unwrap();
    // Somebody whom nobody vouches for gets no answer.
    let stranger = RemoteSigner::of_seed(by("stranger.pem", "stranger.key"), "main", PATIENCE).await;
    assert!(matches!(stranger.unwrap_err(), SignerError::Unreachable(_)));
    // And is not believed, should it be the signer.
    let at = Listening::Tls {
        address: "127.0.0.1:0".to_owned(),
        roots: file("ca.pem"),
        certificate: file("stranger.pem"),
        key: file("stranger.key"),
    };
    let listening = listen(server(&rig, "", None), &at).await.unwrap();
    let place =
        SignerPlace::tls(&listening.address, &file("ca.pem"), &file("server.pem"), &file("server.key"))
            .unwrap();
    let stranger = RemoteSigner::of_seed(place, "main", PATIENCE).await.unwrap_err();
    assert!(stranger.to_string().contains("invalid peer certificate: UnknownIssuer"), "{stranger}");
}
