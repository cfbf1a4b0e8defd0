//! A participant whose keys are in a process of their own: it signs its share of what its wallet sends, and
//! nothing that another wallet of the same words would lose by it.

use crate::liar::until_available;
use crate::rig::{backend, devnet};
use headless_wallet::devnet::Devnet;
use headless_wallet::keys::{
    Mnemonic, MultisigKeys, MultisigPublic, Seed, Signature, SignerError, verify_digest,
};
use headless_wallet::ledger::{
    Address, Amount, AmountVersion, Input, InputData, Network, Outpoint, Output, Script, TokenData, TokenUid,
    Transaction, vertex_outputs,
};
use headless_wallet::service::{Account, Operation, Options, Phase, ShareError, Wallet};
use headless_wallet::signer::{
    Answer, Ask, Asked, Hex, Limits, Listener, Listening, RemoteSigner, SeedKeys, Several, SignerPlace,
    SignerServer, Spent, VERSION, What, listen,
};
use headless_wallet::wallet::{OutputRequest, SendRequest};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(20);

/// A wallet of three, of whom two must sign: the first one's keys are at a signer, with a passphrase, the
/// second one's in memory.
struct Three {
    devnet: Devnet,
    keys: [MultisigKeys; 3],
    participants: MultisigPublic,
    server: Arc<SignerServer>,
    at_signer: Wallet,
    other: Wallet,
    _listener: Listener,
    _dir: TempDir,
}

async fn three(limits: &str) -> Three {
    let devnet = devnet().await;
    let words = Mnemonic::generate().unwrap();
    let keys = ["first", "", "third"].map(|passphrase| MultisigKeys::from_mnemonic(&words, passphrase));
    let xpubs = keys.each_ref().map(MultisigKeys::account_xpub);
    let participants = MultisigPublic::new(&xpubs, 2).unwrap();
    let dir = TempDir::new().unwrap();
    let at_signer = SeedKeys::of(&Seed::new(words, "first"));
    let server = SignerServer::new(
        move |seed| (seed == "main").then(|| at_signer.clone()),
        Limits::read(limits, None).unwrap(),
        Some(Spent::open(&dir.path().join("spent")).unwrap()),
    );
    let path = dir.path().join("signer.sock");
    let socket = Listening::Socket { path: path.clone(), users: vec![] };
    let listener = listen(server.clone(), &socket).await.unwrap();
    let place = SignerPlace::Socket(path);
    let told = RemoteSigner::participant_xpub(place.clone(), "main", PATIENCE).await.unwrap();
    assert_eq!(told, xpubs[0]);
    let signer = RemoteSigner::of_participant(place, "main", &participants, PATIENCE).await.unwrap();
    let start = async |account| {
        let wallet = Wallet::start(account, backend(&devnet), Options::default()).await.unwrap();
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        wallet
    };
    let at_signer = start(Account::External(participants.clone().into(), Arc::new(signer))).await;
    let second = Account::Multisig { participants: participants.clone(), keys: Some(keys[1].clone()) };
    let other = start(second).await;
    Three { devnet, keys, participants, server, at_signer, other, _listener: listener, _dir: dir }
}

impl Three {
    /// Gives the wallet an output, and waits until both know of it.
    async fn fund(&self, amount: u64, all: u64) {
        let to = self.at_signer.read(|state, _| state.address(0)).unwrap().unwrap();
        self.devnet.change(|chain, now| chain.fund(to, Amount::from(amount), now)).unwrap();
        for wallet in [&self.at_signer, &self.other] {
            until_available(wallet, all).await;
        }
    }

    /// What pays a stranger.
    async fn proposed(&self, amount: u64) -> Transaction {
        let to = Address::p2pkh(Network::Privatenet, [7; 20]);
        let pay = OutputRequest::Pay { to, value: amount.into(), token: TokenUid::Native, timelock: None };
        let send = SendRequest { outputs: vec![pay], ..SendRequest::default() };
        self.other.propose(Operation::Send(send), false).await.unwrap()
    }

    async fn rule_of_share(&self, amount: u64) -> String {
        match self.at_signer.sign_share(&self.proposed(amount).await, false).await {
            Err(ShareError::Signer(SignerError::Refused { rule, .. })) => rule,
            Ok(_) => "(signed)".to_owned(),
            Err(other) => panic!("{other:?}"),
        }
    }

    fn several(&self) -> Several {
        let all = &self.participants;
        Several { num_signatures: all.num_signatures(), participants: all.account_xpubs() }
    }

    /// A question of these bytes, as the wallet itself would ask it.
    fn asked(&self, spent: &[&Transaction], transaction: &Transaction, own: &[(u8, u32)]) -> Draft {
        Draft {
            transaction: transaction.clone(),
            inputs: vec![(0, 0)],
            own: own.to_vec(),
            previous: spent.iter().map(|spent| Hex(spent.to_bytes().unwrap())).collect(),
            multisig: Some(self.several()),
            scripts: vec![],
        }
    }

    /// The rule by which it is refused.
    async fn rule(&self, draft: &Draft) -> String {
        let what = What::Transaction {
            bytes: Hex(draft.transaction.to_bytes().unwrap()),
            inputs: draft.inputs.clone(),
            caller: None,
            own: draft.own.clone(),
            previous: draft.previous.clone(),
            multisig: draft.multisig.clone(),
            scripts: draft.scripts.clone(),
        };
        let ask = Ask::Sign { purpose: "share".to_owned(), salt: Hex(vec![]), what };
        let asked = Asked { version: VERSION, seed: "main".to_owned(), ask };
        match self.server.answer(&serde_json::to_vec(&asked).unwrap()).await {
            Answer::Refused { rule, why } => format!("{rule}: {why}"),
            Answer::Signatures(given) => {
                let digest = draft.transaction.sighash().unwrap();
                let (key, compact) = &given[0];
                let expected = self.participants.redeem_script(0).public_keys
                    [self.participants.position(&self.keys[0].account_key()).unwrap()];
                let signature = Signature::given(expected, compact.0[..].try_into().unwrap());
                assert_eq!(key.0, expected);
                assert!(verify_digest(&expected, &digest, &signature.to_der()));
                "(signed)".to_owned()
            }
            other => panic!("{other:?}"),
        }
    }
}

/// What a server might ask.
#[derive(Clone)]
struct Draft {
    transaction: Transaction,
    inputs: Vec<(u8, u32)>,
    own: Vec<(u8, u32)>,
    previous: Vec<Hex>,
    multisig: Option<Several>,
    scripts: Vec<(u8, Hex)>,
}

impl Draft {
    fn with(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut draft = self.clone();
        change(&mut draft);
        draft
    }
}

#[tokio::test]
async fn a_signer_gives_its_share_and_enough_shares_are_sent() {
    let three = three("").await;
    three.fund(1_000, 1_000).await;
    let transaction = three.proposed(300).await;
    let shares = [
        three.at_signer.sign_share(&transaction, false).await.unwrap().to_string(),
        three.other.sign_share(&transaction, false).await.unwrap().to_string(),
    ];
    let signed = three.at_signer.assemble(transaction, &shares).await.unwrap();
    three.at_signer.push_signed(signed).await.unwrap();
    until_available(&three.other, 700).await;
}

#[tokio::test]
async fn limits_of_a_seed_hold_for_the_shares_of_its_wallets_of_several() {
    let limits = "[seeds.main]\nlimits.HTR = { transaction = 250, day = 300 }\n";
    let three = three(limits).await;
    three.fund(1_000, 1_000).await;
    assert_eq!(three.rule_of_share(251).await, "transaction");
    let first = three.proposed(200).await;
    three.at_signer.sign_share(&first, false).await.unwrap();
    assert_eq!(three.rule_of_share(101).await, "day");
    // The same share again is no more.
    three.at_signer.sign_share(&first, false).await.unwrap();
    assert_eq!(three.rule_of_share(100).await, "(signed)");
}

fn pays(to: Address, value: u64) -> Output {
    Output {
        value: value.into(),
        token_data: TokenData::NATIVE,
        script: Script::Pay { to, timelock: None }.to_bytes().unwrap(),
    }
}

fn transaction(spends: &[(&Transaction, u8)], outputs: Vec<Output>) -> Transaction {
    let input = |(before, index): &(&Transaction, u8)| Input {
        spends: Outpoint { tx: before.id().unwrap(), index: *index },
        data: vec![],
    };
    Transaction {
        signal_bits: 0,
        tokens: vec![],
        inputs: spends.iter().map(input).collect(),
        outputs,
        creates: None,
        blueprint: None,
        weight: 0.0,
        timestamp: 0,
        parents: vec![],
        nonce: 0,
        headers: vec![],
    }
}

fn address(all: &MultisigPublic, index: u32) -> Address {
    Address::p2sh(Network::Privatenet, all.script_hashes(index..index + 1)[0])
}

/// What a server could try that has the words' share of several wallets to ask for.
#[tokio::test]
async fn no_wallet_of_the_same_words_loses_anything_by_a_share_of_another() {
    let three = three("").await;
    let xpubs = three.keys.each_ref().map(MultisigKeys::account_xpub);
    // The robber has a wallet together with the words, in which the robber alone is enough.
    let robber = MultisigKeys::from_mnemonic(&Mnemonic::generate().unwrap(), "");
    let robbers = MultisigPublic::new(&[xpubs[0].clone(), robber.account_xpub()], 1).unwrap();
    let of_robbers = Several { num_signatures: 1, participants: robbers.account_xpubs() };
    let ours = &three.participants;
    let coins = transaction(&[], vec![pays(address(ours, 0), 1_000), pays(address(&robbers, 0), 10)]);
    let from_ours = |outputs| transaction(&[(&coins, 0)], outputs);

    let honest = three.asked(
        &[&coins],
        &from_ours(vec![
            pays(address(ours, 3), 900),
            pays(Address::p2pkh(Network::Privatenet, [7; 20]), 100),
        ]),
        &[(0, 3)],
    );
    assert_eq!(three.rule(&honest).await, "(signed)");
    // Change to a wallet of the same words that is another.
    let moved = three.asked(&[&coins], &from_ours(vec![pays(address(&robbers, 3), 1_000)]), &[(0, 3)]);
    let no_change = "change: output 0 is said to pay address 3 of this wallet, and does not";
    assert_eq!(three.rule(&moved).await, no_change);
    let other_number = MultisigPublic::new(&xpubs, 1).unwrap();
    let weaker = three.asked(&[&coins], &from_ours(vec![pays(address(&other_number, 3), 1_000)]), &[(0, 3)]);
    assert_eq!(three.rule(&weaker).await, no_change);
    // Participants that are not those of what is spent.
    let no_input = "keys: input 0 does not spend what address 0 of this wallet has";
    let lied = |several: &Several| moved.with(|draft| draft.multisig = Some(several.clone()));
    assert_eq!(three.rule(&lied(&of_robbers)).await, no_input);
    assert_eq!(three.rule(&moved.with(|draft| draft.multisig = None)).await, no_input);
    // Of whom the words are none, or only seem to be: by their key with another chain code.
    let strangers = Several { num_signatures: 1, participants: vec![robber.account_xpub()] };
    let none = "participants: the seed is none of the wallet's participants";
    assert_eq!(three.rule(&lied(&strangers)).await, none);
    let alike = Several { num_signatures: 1, participants: vec![with_chain_code(&xpubs[0])] };
    let seeming = MultisigPublic::new(&alike.participants, 1).unwrap();
    assert!(seeming.position(&three.keys[0].account_key()).is_some());
    assert_eq!(three.rule(&lied(&alike)).await, none);
    for (count, named) in [(0, 1), (2, 1), (1, 0), (1, 8)] {
        let participants = vec![xpubs[0].clone(); named];
        let bad = Several { num_signatures: count, participants };
        let told = format!(
            "participants: {count} of {named}: multisig takes 1 to 7 keys and no more signatures than keys"
        );
        assert_eq!(three.rule(&lied(&bad)).await, told);
    }
    // One hash is signed for all inputs: the wallet's own, beside one of the robber's wallet.
    let both = transaction(&[(&coins, 1), (&coins, 0)], vec![pays(address(&robbers, 3), 1_010)]);
    let stolen = three.asked(&[&coins], &both, &[(0, 3)]).with(|draft| {
        draft.multisig = Some(of_robbers.clone());
    });
    let unknown = "keys: input 1 spends what several keys have, and no `redeemScript` says which: \
                   put a file of those who have it beside this one";
    assert_eq!(three.rule(&stolen).await, unknown);
    let script = |all: &MultisigPublic| Hex(all.redeem_script(0).to_bytes().unwrap());
    let shown = |script: Hex| stolen.with(|draft| draft.scripts = vec![(1, script)]);
    assert_eq!(
        three.rule(&shown(script(ours))).await,
        "keys: input 1 is said to be somebody else's, and a key that signs here may sign it, too"
    );
    assert_eq!(
        three.rule(&shown(script(&robbers))).await,
        "keys: input 1 does not spend what its `redeemScript` has"
    );
    assert_eq!(three.rule(&shown(Hex(vec![1, 2]))).await, "keys: the redeem script of input 1 can't be read");
    // Of somebody else altogether it is shown, and signed.
    let stranger = MultisigPublic::new(&[robber.account_xpub()], 1).unwrap();
    let coins = transaction(&[], vec![pays(address(ours, 0), 1_000), pays(address(&stranger, 0), 10)]);
    let swap = transaction(&[(&coins, 0), (&coins, 1)], vec![pays(address(ours, 3), 1_010)]);
    let swap = three.asked(&[&coins], &swap, &[(0, 3)]);
    assert!(three.rule(&swap).await.starts_with("keys: input 1 spends what several keys have"));
    let shown = swap.with(|draft| draft.scripts = vec![(1, script(&stranger))]);
    assert_eq!(three.rule(&shown).await, "(signed)");
}

/// An xpub of the same key, whose children are others.
fn with_chain_code(xpub: &str) -> String {
    let mut bytes = bs58::decode(xpub).with_check(None).into_vec().unwrap();
    bytes[13] ^= 1;
    bs58::encode(bytes).with_check().into_string()
}

/// Who others are is known once they have signed: their redeem scripts go along.
#[tokio::test]
async fn what_others_signed_says_whose_their_inputs_are() {
    let three = three("").await;
    three.fund(1_000, 1_000).await;
    let mut swap = three.proposed(300).await;
    let stranger = MultisigKeys::from_mnemonic(&Mnemonic::generate().unwrap(), "");
    let strangers = MultisigPublic::new(&[stranger.account_xpub()], 1).unwrap();
    let to = address(&strangers, 0);
    let funded = three.devnet.change(|chain, now| chain.fund(to, Amount::new(50), now)).unwrap();
    let vertex = three.at_signer.backend().node.vertex_bytes(&funded).await.unwrap().unwrap();
    let outputs = vertex_outputs(&vertex, funded, AmountVersion::V1).unwrap();
    let index = outputs.iter().position(|output| output.value == Amount::new(50)).unwrap();
    let spends = Outpoint { tx: funded, index: u8::try_from(index).unwrap() };
    swap.inputs.push(Input { spends, data: vec![] });
    swap.outputs[0].value = swap.outputs[0].value.checked_add(Amount::new(50)).unwrap();
    let refused = three.at_signer.sign_share(&swap, true).await.unwrap_err().to_string();
    assert!(refused.contains("spends what several keys have, and no `redeemScript` says which"), "{refused}");
    let last = swap.inputs.len() - 1;
    let redeem_script = strangers.redeem_script(0).to_bytes().unwrap();
    let signatures = vec![stranger.sign(0, &swap.sighash().unwrap())];
    swap.inputs[last].data = InputData::P2sh { signatures, redeem_script }.to_bytes().unwrap();
    three.at_signer.sign_share(&swap, true).await.unwrap();
}

/// Messages are signed by the wallet of one key alone: no share of a payment looks like one.
#[tokio::test]
async fn the_keys_of_shares_sign_no_messages() {
    let three = three("").await;
    let what = What::Message { index: 0, text: "hello".to_owned() };
    let ask = Ask::Sign { purpose: "message".to_owned(), salt: Hex(vec![]), what };
    let asked = Asked { version: VERSION, seed: "main".to_owned(), ask };
    let Answer::Signatures(given) = three.server.answer(&serde_json::to_vec(&asked).unwrap()).await else {
        panic!("it is signed by the wallet of one key")
    };
    assert!(!three.participants.redeem_script(0).public_keys.iter().any(|key| key[..] == given[0].0.0[..]));
    let unknown = r#"{"version":1,"seed":"main","ask":{"sign":{"purpose":"share","salt":"","what":{"transaction":
        {"bytes":"","inputs":[],"caller":null,"own":[],"previous":[],"multisigs":null}}}}}"#;
    let Answer::Refused { rule, why } = three.server.answer(unknown.as_bytes()).await else { panic!() };
    assert_eq!(rule, "protocol");
    assert!(why.starts_with("unknown field `multisigs`"), "{why}");
}
