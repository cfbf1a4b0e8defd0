//! Signing files: what is written is read, what was changed is refused or seen, and signatures come together.

use headless_wallet::api::{MAX_FILE_BYTES, read_signing_file};
use headless_wallet::keys::{
    AccountKeys, AddressKeys, BadFile, FileInput, FileSignature, Mnemonic, MultisigKeys, MultisigPublic,
    Purpose, SigningFile,
};
use headless_wallet::ledger::{
    Address, Amount, Input, InputData, Network, Outpoint, Output, RedeemScript, Script, SignedAmount,
    TokenData, Transaction, hash160,
};
use headless_wallet::signer::{Breach, Inspected, inspect};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::LazyLock;

const STRANGER: [u8; 20] = [9; 20];

fn words() -> Mnemonic {
    Mnemonic::parse(&format!("{}art", "abandon ".repeat(23))).unwrap()
}

fn three() -> [MultisigKeys; 3] {
    ["", "two", "three"].map(|passphrase| MultisigKeys::from_mnemonic(&words(), passphrase))
}

fn participants() -> AddressKeys {
    let xpubs = three().map(|keys| keys.account_xpub());
    MultisigPublic::new(&xpubs, 2).unwrap().into()
}

fn account() -> AddressKeys {
    AccountKeys::from_mnemonic(&words(), "").public().into()
}

fn pays(account: Option<(&AddressKeys, u32)>, value: u128) -> Output {
    let to = match account {
        Some((keys, index)) => keys.address(Network::Mainnet, keys.hashes(index..index + 1)[0]),
        None => Address::p2pkh(Network::Mainnet, STRANGER),
    };
    let script = Script::Pay { to, timelock: None }.to_bytes().unwrap();
    Output { value: Amount::new(value), token_data: TokenData::NATIVE, script }
}

fn transaction(inputs: Vec<Input>, outputs: Vec<Output>) -> Transaction {
    Transaction {
        signal_bits: 0,
        tokens: vec![],
        inputs,
        outputs,
        creates: None,
        blueprint: None,
        weight: 12.5,
        timestamp: 1_750_000_000,
        parents: vec![],
        nonce: 7,
        headers: vec![],
    }
}

/// 15.00 of address 3, of which a stranger gets 4.00 and address 8 the rest.
fn file_of(keys: AddressKeys) -> SigningFile {
    let before = transaction(vec![], vec![pays(None, 5), pays(Some((&keys, 3)), 1_500)]);
    let input = Input { spends: Outpoint { tx: before.id().unwrap(), index: 1 }, data: vec![] };
    let spending = transaction(vec![input], vec![pays(None, 400), pays(Some((&keys, 8)), 1_100)]);
    let about = (Network::Mainnet, Purpose::Build, Some("Rent, November".to_owned()));
    let previous = vec![before.to_bytes().unwrap()];
    SigningFile::of(about, &spending, (previous, keys), &[(0, 3)], vec![(1, 8)]).unwrap()
}

fn share(file: &SigningFile, keys: &MultisigKeys) -> SigningFile {
    let AddressKeys::Multisig(all) = &file.account else { panic!("of several") };
    let public_key = all.redeem_script(3).public_keys[all.position(&keys.account_key()).unwrap()];
    let signature = keys.sign(3, &file.digest().unwrap());
    file.clone().with([FileSignature { input: 0, public_key, signature }]).unwrap()
}

fn signed_alone(file: SigningFile) -> SigningFile {
    let keys = AccountKeys::from_mnemonic(&words(), "");
    let InputData::P2pkh { signature, public_key } = keys.sign(3, &file.digest().unwrap()) else {
        panic!("of one key")
    };
    file.with([FileSignature { input: 0, public_key, signature }]).unwrap()
}

fn json_of(file: &SigningFile) -> Value {
    serde_json::to_value(file).unwrap()
}

fn read(json: &Value) -> Result<SigningFile, BadFile> {
    read_signing_file(json.to_string().as_bytes())
}

fn inspected(file: &SigningFile) -> Result<Inspected, Breach> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(inspect(file, &file.account))
}

#[test]
fn what_is_written_is_read() {
    for file in [file_of(account()), signed_alone(file_of(account())), file_of(participants())] {
        let written = json_of(&file);
        assert_eq!(json_of(&read(&written).unwrap()), written);
    }
    let json = json_of(&share(&file_of(participants()), &three()[1]));
    assert_eq!(json_of(&read(&json).unwrap()), json);
    assert_eq!(json["inputs"][0]["path"], "m/45'/280'/0'/0/3");
    assert_eq!(json_of(&file_of(account()))["outputs"], json!([{"index": 1, "path": "m/44'/280'/0'/0/8"}]));
}

#[test]
fn it_says_what_it_does() {
    for keys in [account(), participants()] {
        let found = inspected(&file_of(keys)).unwrap();
        assert_eq!(found.does.spends.into_values().collect::<Vec<_>>(), [Amount::new(400)]);
        assert_eq!(found.does.pays.into_iter().collect::<Vec<_>>(), [(false, STRANGER)]);
        assert!(!found.does.others && !found.does.tokens);
        assert_eq!((found.cost.total(), found.supply.len(), found.lost.len()), (SignedAmount::ZERO, 0, 0));
        assert_eq!(found.spends[0].value, Amount::new(1_500));
    }
}

#[test]
fn signatures_come_together_in_any_order() {
    let (file, keys) = (file_of(participants()), three());
    let [a, b, c] = [0, 1, 2].map(|of| share(&file, &keys[of]));
    assert_eq!(file.signed().unwrap_err().0, "input 0 has 0 of 2 signatures");
    assert_eq!(a.signed().unwrap_err().0, "input 0 has 1 of 2 signatures");
    let ab = a.clone().combined(b.clone()).unwrap();
    assert_eq!(ab.signed_so_far(), [(2, 2)]);
    let ba = b.clone().combined(a.clone()).unwrap();
    assert_eq!(json_of(&ab), json_of(&ba));
    let all = c.combined(ba).unwrap().combined(a).unwrap();
    assert_eq!(all.signatures.len(), 3);
    for whole in [&ab, &all] {
        let signed = whole.signed().unwrap();
        let digest = file.digest().unwrap();
        assert_eq!(signed.sighash().unwrap(), digest);
        let spends = Script::parse(&inspected(&file).unwrap().spends[0].script, Network::Mainnet).unwrap();
        let checked = headless_wallet::keys::check_input(&signed.inputs[0].data, &digest, Some(&spends));
        assert_eq!(checked, Ok(()));
        // What is signed makes a file again, with the signatures that it has.
        let (previous, account) = (file.previous.clone(), file.account.clone());
        let about = (Network::Mainnet, Purpose::Build, None);
        let again = SigningFile::of(about, &signed, (previous, account), &[(0, 3)], vec![]).unwrap();
        assert_eq!(again.signed_so_far(), [(2, 2)]);
        assert_eq!(again.signed().unwrap(), signed);
    }
    let other = file_of(account());
    let why = "these are files of different transactions";
    assert_eq!(file.combined(other).unwrap_err().0, why);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let (one, several) = (json_of(&signed_alone(file_of(account()))), json_of(&file_of(participants())));
    let refused = |from: &Value, pointer: &str, to: Value| {
        let mut json = from.clone();
        *json.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = to;
        read(&json).unwrap_err().0
    };
    let more = |from: &Value, pointer: &str, name: &str, to: Value| {
        let mut json = from.clone();
        json.pointer_mut(pointer).unwrap()[name] = to;
        read(&json).unwrap_err().0
    };
    assert_eq!(
        refused(&one, "/format", json!("psbt")),
        r#"it is no signing file: `format` must be "hathor-signing-file""#
    );
    assert_eq!(
        refused(&one, "/version", json!(2)),
        "it is a signing file of version 2, and this program reads version 1: take one that reads both, or have the file made in \
         version 1"
    );
    assert_eq!(more(&one, "", "fee", json!(1)), "`fee` is no field of a signing file of version 1");
    assert_eq!(
        more(&one, "/inputs/0", "amount", json!(1)),
        "`inputs[0].amount` is no field of a signing file of version 1"
    );
    assert_eq!(refused(&one, "/network", json!("moon")), r#"`network` "moon" is not known"#);
    assert_eq!(
        refused(&one, "/purpose", json!("message")),
        r#"`purpose` "message" is not one of transactions"#
    );
    assert_eq!(
        refused(&one, "/hash", json!("00".repeat(32))),
        "`hash` is not that of `transaction`: one of them was changed"
    );
    assert_eq!(
        refused(&one, "/label", json!("x".repeat(201))),
        "`label` has 201 characters and can have at most 200"
    );
    assert_eq!(
        refused(&one, "/previous", json!([])),
        "`previous` must have each transaction that is spent, once"
    );
    assert_eq!(
        refused(&one, "/inputs/0/path", json!("m/44'/280'/0'/0/03")),
        "`inputs[0].path` must be m/44'/280'/0'/0/ and the index of an address"
    );
    assert_eq!(
        refused(&one, "/outputs/0/path", json!("m/45'/280'/0'/0/8")),
        "`outputs[0].path` must be m/44'/280'/0'/0/ and the index of an address"
    );
    assert_eq!(refused(&one, "/inputs/0/index", json!(1)), "`inputs` names place 1, and there are 1");
    assert_eq!(refused(&one, "/signatures/0/input", json!(9)), "there is no input 9");
    let twice = json!([one["signatures"][0], one["signatures"][0]]);
    assert_eq!(
        refused(&one, "/signatures", twice),
        "`signatures` must be in the order of inputs and keys, each once"
    );
    assert_eq!(
        refused(&several, "/account/numSignatures", json!(3)),
        "the `redeemScript` of input 0 is not that of the account's address"
    );
    assert_eq!(
        refused(&several, "/account/participants/0", json!("xpub6")),
        "`account`: Invalid xpub of participant 0"
    );
    let strange = json!([{"input": 0, "publicKey": one["signatures"][0]["publicKey"], "signature": "00"}]);
    assert_eq!(
        refused(&several, "/signatures", strange),
        "input 0 has a signature by a key that is none of its own"
    );
    assert_eq!(
        refused(&one, "/signatures/0/signature", json!("00")),
        "input 0 has a signature that is not one of this transaction by its key"
    );
    let solved = hex::encode(transaction(vec![], vec![pays(None, 1)]).to_bytes().unwrap());
    assert_eq!(
        refused(&one, "/transaction", json!(solved)),
        "`hash` is not that of `transaction`: one of them was changed"
    );
    let weighed = {
        let mut heavy = file_of(account()).transaction;
        heavy.weight = 20.0;
        hex::encode(heavy.to_bytes().unwrap())
    };
    assert_eq!(
        refused(&one, "/transaction", json!(weighed)),
        "`transaction` must have no input data, weight, timestamp, parents and nonce: none of them is signed"
    );
    let long = format!("{}{}", one, " ".repeat(MAX_FILE_BYTES));
    assert_eq!(
        read_signing_file(long.as_bytes()).unwrap_err().0,
        format!("a signing file has at most 720000 bytes, and this has {}", long.len())
    );
    let twice = one.to_string().replacen("{", r#"{"version":1,"#, 1);
    assert_eq!(
        read_signing_file(twice.as_bytes()).unwrap_err().0.split(" at ").next(),
        Some(r#"it is no JSON: the key "version" comes more than once"#)
    );
}

/// What the reader alone can't see: it takes the previous transactions.
#[test]
fn lies_about_what_is_spent_and_paid_break_a_rule() {
    let file = file_of(account());
    let breach = |change: &dyn Fn(&mut SigningFile)| {
        let mut changed = file.clone();
        change(&mut changed);
        inspected(&changed).unwrap_err().to_string()
    };
    let id = Outpoint { ..file.transaction.inputs[0].spends }.tx;
    assert_eq!(
        breach(&|file| {
            let mut previous = Transaction::from_bytes(&file.previous[0]).unwrap();
            previous.outputs[1].value = Amount::new(500);
            file.previous[0] = previous.to_bytes().unwrap();
        }),
        format!("previous: output 1 of {id} is not shown")
    );
    assert_eq!(
        breach(&|file| file.inputs[0].address = Some(4)),
        "keys: input 0 does not spend what address 4 of this wallet has"
    );
    assert_eq!(
        breach(&|file| file.outputs[0] = (0, 8)),
        "change: output 0 is said to pay address 8 of this wallet, and does not"
    );
    assert_eq!(
        breach(&|file| file.outputs[0] = (1, 9)),
        "change: output 1 is said to pay address 9 of this wallet, and does not"
    );
    assert_eq!(
        breach(&|file| file.transaction.outputs[1].value = Amount::new(1_099)),
        "fee: 1 cents of HTR would be burned"
    );
    assert_eq!(
        breach(&|file| file.transaction.outputs[1].value = Amount::new(1_101)),
        "sums: it pays more HTR than it spends"
    );
    assert_eq!(
        breach(&|file| {
            let mut other = file.transaction.inputs[0].clone();
            other.spends.index = 0;
            file.transaction.inputs.insert(0, other);
            file.inputs[0].place = 1;
            let mut previous = Transaction::from_bytes(&file.previous[0]).unwrap();
            previous.outputs[0] = previous.outputs[1].clone();
            let tx = previous.id().unwrap();
            file.transaction.inputs.iter_mut().for_each(|input| input.spends.tx = tx);
            file.transaction.outputs[1].value = Amount::new(2_600);
            file.previous[0] = previous.to_bytes().unwrap();
        }),
        "keys: input 0 spends from the same address as input 1, and has no `path`"
    );
    let stranger = AccountKeys::from_mnemonic(&words(), "two").sign(3, &file.digest().unwrap());
    let InputData::P2pkh { signature, public_key } = stranger else { panic!() };
    assert_eq!(
        breach(&|file| {
            let signature = signature.clone();
            *file = file.clone().with([FileSignature { input: 0, public_key, signature }]).unwrap();
        }),
        "keys: input 0 has a signature by a key that is none of its own"
    );
}

/// 10.00 of the wallet's address 3 and 100.00 of whom `other` says, that all go to a stranger, but for what
/// the wallet had.
fn with_another(other: Address, script: Option<RedeemScript>) -> SigningFile {
    let keys = participants();
    let mut before = transaction(vec![], vec![pays(Some((&keys, 3)), 1_000), pays(None, 10_000)]);
    before.outputs[1].script = Script::Pay { to: other, timelock: None }.to_bytes().unwrap();
    let tx = before.id().unwrap();
    let input = |index| Input { spends: Outpoint { tx, index }, data: vec![] };
    let outputs = vec![pays(Some((&keys, 3)), 1_000), pays(None, 10_000)];
    let spending = transaction(vec![input(0), input(1)], outputs);
    let about = (Network::Mainnet, Purpose::Swap, None);
    let previous = vec![before.to_bytes().unwrap()];
    let mut file = SigningFile::of(about, &spending, (previous, keys), &[(0, 3)], vec![(0, 3)]).unwrap();
    let input = script.map(|script| FileInput { place: 1, address: None, redeem_script: Some(script) });
    file.inputs.extend(input);
    file.checked().unwrap()
}

/// One hash is signed for all inputs, and all wallets of the same words have the same keys at one index.
#[test]
fn an_input_of_another_wallet_of_the_same_keys_is_nobody_elses() {
    let of = |script: &RedeemScript| Address::p2sh(Network::Mainnet, hash160(&script.to_bytes().unwrap()));
    let said = |other: Address, script: Option<RedeemScript>| {
        inspected(&with_another(other, script)).map(|found| found.does.others).map_err(|why| why.to_string())
    };
    let own = "keys: input 1 is said to be somebody else's, and a key that signs here may sign it, too";
    let unknown = "keys: input 1 spends what several keys have, and no `redeemScript` says which: put a file of those who \
                   have it beside this one";
    let xpubs = three().map(|keys| keys.account_xpub());
    // Of all three, and of one and a stranger.
    let stranger = MultisigKeys::from_mnemonic(&words(), "a stranger").account_xpub();
    let all = MultisigPublic::new(&xpubs, 3).unwrap();
    let some = MultisigPublic::new(&[xpubs[1].clone(), stranger.clone()], 2).unwrap();
    for wallet in [all, some] {
        let script = wallet.redeem_script(3);
        assert_eq!(said(of(&script), Some(script.clone())), Err(own.to_owned()));
        assert_eq!(said(of(&script), None), Err(unknown.to_owned()));
        // Nobody signs with these keys.
        let later = wallet.redeem_script(4);
        assert_eq!(said(of(&later), Some(later.clone())), Ok(true));
        // What is told is held to what is spent.
        let wrong = "keys: input 1 does not spend what its `redeemScript` has";
        assert_eq!(said(of(&script), Some(later)), Err(wrong.to_owned()));
    }
    let theirs = MultisigPublic::new(&[stranger], 1).unwrap().redeem_script(3);
    assert_eq!(said(of(&theirs), Some(theirs.clone())), Ok(true));
    assert_eq!(said(of(&theirs), None), Err(unknown.to_owned()));
    // A participant's key alone.
    let AddressKeys::Multisig(participants) = participants() else { panic!("of several") };
    let alone =
        |index| Address::p2pkh(Network::Mainnet, hash160(&participants.redeem_script(index).public_keys[2]));
    assert_eq!(said(alone(3), None), Err(own.to_owned()));
    assert_eq!(said(alone(4), None), Ok(true));
}

static EXAMPLES: LazyLock<[SigningFile; 2]> =
    LazyLock::new(|| [signed_alone(file_of(account())), share(&file_of(participants()), &three()[0])]);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_048))]

    /// Each bit: a file that was changed is refused, or is seen to say of itself something else.
    #[test]
    fn what_was_changed_is_refused_or_seen(which in 0..2usize, at in any::<prop::sample::Index>(), bit in 0..8u32) {
        let file = &EXAMPLES[which];
        let written = json_of(file);
        let mut text = written.to_string().into_bytes();
        let at = at.index(text.len());
        text[at] ^= 1 << bit;
        if let Ok(changed) = read_signing_file(&text) && inspected(&changed).is_ok() {
            let mut seen = json_of(&changed);
            for told in ["label", "purpose", "network"] {
                seen[told] = written[told].clone();
            }
            prop_assert_eq!(seen, written, "byte {}", at);
        }
    }
}

#[test]
fn the_example_of_the_documentation_is_one() {
    let guide = include_str!("../../docs/signing-file.md");
    let example = guide.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let json: Value = serde_json::from_str(example).unwrap();
    assert_eq!(json, json_of(&EXAMPLES[1]), "{:#}", json_of(&EXAMPLES[1]));
    assert_eq!(json_of(&read_signing_file(example.as_bytes()).unwrap()), json);
}
