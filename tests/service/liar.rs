//! A full node that says other things than are on the ledger: parts of a kind that nobody knows yet, and
//! amounts that are not so.

use crate::proxy::{Fault, Proxy};
use crate::rig::{Rig, account, backend_at, devnet, pay};
use crate::steps::{KEY, Killed};
use headless_wallet::api::Compat;
use headless_wallet::keys::{AccountKeys, Mnemonic, MultisigKeys, MultisigPublic};
use headless_wallet::ledger::{
    Address, Amount, Holding, Network, Outpoint, Output, PartialInput, PartialOutput, PartialTx, Script,
    TokenUid, TokenVersion, Transaction, VertexId,
};
use headless_wallet::operations::{Ask, Call, CallError, Decode};
use headless_wallet::service::{Account, Operation, Options, Phase, SyncMode, Wallet};
use headless_wallet::store::{DataDir, MemoryStores, Stores};
use headless_wallet::template::Template;
use headless_wallet::wallet::{AuthorityTo, CreateTokenRequest, MeltRequest, TemplateFacts, TemplateRequest};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A way to the service at `url` on which this text is replaced by another one of the same length in all that
/// the service says.
async fn lying(url: &str, truth: &'static str, lie: &'static str) -> String {
    assert_eq!(truth.len(), lie.len());
    let service = url.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let place = listener.local_addr().unwrap().to_string();
    let lying_url = url.replace(&service, &place);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let Ok(server) = TcpStream::connect(&service).await else { continue };
            let (mut from_client, mut to_client) = client.into_split();
            let (mut from_server, mut to_server) = server.into_split();
            tokio::spawn(async move { tokio::io::copy(&mut from_client, &mut to_server).await });
            tokio::spawn(async move {
                // What may be the beginning of the text waits for its end.
                let (mut said, mut buffer) = (Vec::new(), vec![0; 64 * 1024]);
                while let Ok(len @ 1..) = from_server.read(&mut buffer).await {
                    said.extend_from_slice(&buffer[..len]);
                    while let Some(at) = find(&said, truth.as_bytes()) {
                        said[at..at + lie.len()].copy_from_slice(lie.as_bytes());
                    }
                    let open = (1..truth.len()).rev().find(|len| said.ends_with(&truth.as_bytes()[..*len]));
                    let rest = said.split_off(said.len() - open.unwrap_or(0));
                    if to_client.write_all(&said).await.is_err() {
                        return;
                    }
                    said = rest;
                }
                let _ = to_client.write_all(&said).await;
            });
        }
    });
    lying_url
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

pub async fn until_available(wallet: &Wallet, cents: u64) {
    let mut events = wallet.events();
    let has_it = |wallet: &Wallet| {
        let balance = wallet.read(|state, now| state.balance(TokenUid::Native, now).available);
        balance.is_ok_and(|available| available == Amount::from(cents))
    };
    let met = async {
        while !has_it(wallet) {
            let _ = tokio::time::timeout(std::time::Duration::from_millis(20), events.recv()).await;
        }
    };
    tokio::time::timeout(crate::rig::PATIENCE, met).await.expect("the balance never came to be as wanted");
}

/// Of each mode: a history is loaded that has what is not known, more of it comes, and all of that is there
/// after a restart.
async fn what_is_unknown_is_kept(sync_mode: SyncMode) {
    let rig = Rig::on(devnet().await).await;
    rig.fund(&[777, 5]).await;
    rig.wallet.stop().await;
    let node = lying(&rig.devnet.node_url(), r#""value":777,"#, r#""vague":777,"#).await;
    let backend = backend_at(&node, &rig.devnet.mining_url());
    let options =
        Options { sync_mode, stores: Some(Arc::new(MemoryStores::default())), ..Options::default() };
    let wallet = Wallet::start(account(&rig.words), backend.clone(), options.clone()).await.unwrap();
    assert_eq!(wallet.ready().await.phase, Phase::Ready, "{:?}", wallet.status());
    until_available(&wallet, 5).await;
    let to = wallet.read(|state, _| state.address(0)).unwrap().unwrap();
    for amount in [777, 6] {
        rig.devnet.change(|chain, now| chain.fund(to, Amount::from(amount), now)).unwrap();
    }
    until_available(&wallet, 11).await;
    let unknown = |wallet: &Wallet| {
        wallet.read(|state, _| {
            let unknown = state.history().flat_map(|vertex| vertex.outputs).filter_map(|o| o.output.unknown);
            let unknown: Vec<_> = unknown.filter(|json| json.contains(r#""vague":777"#)).collect();
            (unknown.len(), state.history_len())
        })
    };
    assert_eq!(unknown(&wallet), Ok((2, 4)));
    wallet.stop().await;

    let again = Wallet::start(account(&rig.words), backend, options).await.unwrap();
    assert_eq!(again.ready().await.phase, Phase::Ready, "{:?}", again.status());
    until_available(&again, 11).await;
    assert_eq!(unknown(&again), Ok((2, 4)));
    again.stop().await;
}

#[tokio::test]
async fn what_is_unknown_is_kept_where_the_node_derives_the_addresses() {
    what_is_unknown_is_kept(SyncMode::XpubStream).await;
}

#[tokio::test]
async fn what_is_unknown_is_kept_in_a_stream_by_list() {
    what_is_unknown_is_kept(SyncMode::ManualStream).await;
}

#[tokio::test]
async fn what_is_unknown_is_kept_by_pages() {
    what_is_unknown_is_kept(SyncMode::Pages).await;
}

async fn decoded(wallet: &Wallet, transaction: &Transaction) -> Result<Value, CallError> {
    let call = Call { wallet, compat: Compat::Documented };
    let answer = Box::new(Decode::Transaction { transaction: transaction.clone() }).answer(&call).await?;
    Ok(serde_json::from_slice(&answer).unwrap())
}

fn is_other_output(text: &str, token: VertexId) {
    assert!(text.contains(&format!(" of transaction {token} is not what its history says it is")), "{text}");
}

/// The same of a wallet of two participants, of whom one is deceived: what the other proposes and signs, it
/// neither signs nor pushes.
#[tokio::test]
async fn a_participant_signs_no_melt_of_more_than_it_knows_of() {
    let rig = Rig::with(&[]).await;
    let words = [Mnemonic::generate().unwrap(), Mnemonic::generate().unwrap()];
    let keys = |place: usize| MultisigKeys::from_mnemonic(&words[place], "");
    let participants = MultisigPublic::new(&[keys(0).account_xpub(), keys(1).account_xpub()], 1).unwrap();
    let start = async |node: &str, place| {
        let account = Account::Multisig { participants: participants.clone(), keys: Some(keys(place)) };
        let backend = backend_at(node, &rig.devnet.mining_url());
        let wallet = Wallet::start(account, backend, Options::default()).await.unwrap();
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        wallet
    };
    let honest = start(&rig.devnet.node_url(), 0).await;
    let to = honest.read(|state, _| state.address(0)).unwrap().unwrap();
    rig.devnet.change(|chain, now| chain.fund(to, Amount::new(500), now)).unwrap();
    until_available(&honest, 500).await;
    let share = async |wallet: &Wallet, transaction: &Transaction| {
        wallet.sign_share(transaction, false).await.map(|share| share.to_string())
    };
    let create =
        honest.propose(Operation::CreateToken(creation(TokenVersion::Deposit)), false).await.unwrap();
    let signed = honest.assemble(create.clone(), &[share(&honest, &create).await.unwrap()]).await.unwrap();
    let token = honest.push_signed(signed).await.unwrap().id;

    let node = lying(&rig.devnet.node_url(), r#""value":1000,"#, r#""value": 900,"#).await;
    let deceived = start(&node, 1).await;
    let melt = melting(token, TokenVersion::Deposit, 900);
    is_other_output(
        &deceived.propose(Operation::Melt(melt.clone()), false).await.unwrap_err().to_string(),
        token,
    );
    let proposed = honest.propose(Operation::Melt(melt), false).await.unwrap();
    is_other_output(&share(&deceived, &proposed).await.unwrap_err().to_string(), token);
    let signed =
        deceived.assemble(proposed.clone(), &[share(&honest, &proposed).await.unwrap()]).await.unwrap();
    is_other_output(&deceived.push_signed(signed.clone()).await.unwrap_err().to_string(), token);
    deceived.stop().await;
    honest.push_signed(signed).await.unwrap();
}

fn creation(version: TokenVersion) -> CreateTokenRequest {
    CreateTokenRequest {
        name: "Melting".to_owned(),
        symbol: "MELT".to_owned(),
        version,
        amount: Amount::new(1_000),
        address: None,
        change_address: None,
        mint_authority: None,
        melt_authority: Some(AuthorityTo::default()),
        data: vec![],
        data_first: false,
    }
}

fn melting(token: VertexId, version: TokenVersion, amount: u128) -> MeltRequest {
    MeltRequest {
        token,
        version,
        amount: Amount::new(amount),
        change_address: None,
        deposit_address: None,
        authority: Some(AuthorityTo::default()),
        data: vec![],
        data_first: false,
    }
}

/// A coin of 1,000 units that the node calls one of 900: melting 900 would melt them all, and there would be
/// no change.
async fn no_more_is_melted(version: TokenVersion) {
    let rig = Rig::with(&[500, 500]).await;
    let token = rig.wallet.create_token(creation(version)).await.unwrap().id;
    let melt = |amount| melting(token, version, amount);
    let node = lying(&rig.devnet.node_url(), r#""value":1000,"#, r#""value": 900,"#).await;
    let backend = backend_at(&node, &rig.devnet.mining_url());
    let deceived = Wallet::start(account(&rig.words), backend, Options::default()).await.unwrap();
    deceived.ready().await;
    let held = deceived.read(|state, now| state.balance(TokenUid::Custom(token), now).available);
    assert_eq!(held, Ok(Amount::new(900)));
    for refused in [
        deceived.melt(melt(900)).await.map(drop),
        deceived.preview(Operation::Melt(melt(900))).await.map(drop),
        deceived.propose(Operation::Melt(melt(900)), false).await.map(drop),
        deceived.propose(Operation::Melt(melt(900)), true).await.map(drop),
    ] {
        is_other_output(&refused.unwrap_err().to_string(), token);
    }
    // Nothing stayed set aside.
    assert_eq!(deceived.read(|state, now| state.balance(TokenUid::Custom(token), now).available), held);
    deceived.stop().await;

    rig.wallet.melt(melt(900)).await.unwrap();
    assert_eq!(rig.balance(TokenUid::Custom(token)).available, Amount::new(100));
}

#[tokio::test]
async fn no_more_of_a_deposit_token_is_melted_than_was_asked_for() {
    no_more_is_melted(TokenVersion::Deposit).await;
}

#[tokio::test]
async fn no_more_of_a_fee_token_is_melted_than_was_asked_for() {
    no_more_is_melted(TokenVersion::Fee).await;
}

/// The same where the right to melt comes out of a contract, and where it is another's: templates alone can
/// say so.
#[tokio::test]
async fn no_more_is_melted_by_the_right_of_a_contract_or_of_another() {
    let rig = Rig::with(&[500, 500]).await;
    let theirs = Address::p2pkh(Network::Privatenet, [7; 20]);
    let given = AuthorityTo { address: Some(theirs), allow_external: true };
    let request = CreateTokenRequest { melt_authority: Some(given), ..creation(TokenVersion::Deposit) };
    let created = rig.wallet.create_token(request).await.unwrap();
    let token = created.id;
    let is_right = |output: &Output| output.token_data.is_authority();
    let right = created.transaction.outputs.iter().position(is_right).unwrap();
    let node = lying(&rig.devnet.node_url(), r#""value":1000,"#, r#""value": 900,"#).await;
    let backend = backend_at(&node, &rig.devnet.mining_url());
    let deceived = Wallet::start(account(&rig.words), backend, Options::default()).await.unwrap();
    deceived.ready().await;
    let own = rig.address(0).to_string();
    let coin = json!({"type": "input/utxo", "fill": 900, "token": token.to_string()});
    let back = json!({"type": "output/token", "amount": 900, "token": token.to_string(), "address": own});
    let acquired = json!({"action": "acquire_authority", "authority": "melt", "token": token.to_string(), "skipOutputs": true});
    let call = json!({
        "type": "nano/execute", "id": "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595",
        "method": "initialize", "caller": own, "args": ["00", "00", 4_000_000_000_u32], "actions": [acquired],
    });
    let foreign = json!({"type": "input/raw", "txId": token.to_string(), "index": right});
    let build = async |wallet: &Wallet, template: Value| {
        let template = Template::read(&template).unwrap();
        let facts = TemplateFacts::default();
        let request = TemplateRequest { template, facts, with_foreign_inputs: true, shuffle_seed: 1 };
        wallet.build_by_template(request, true).await
    };
    for by in [call, foreign] {
        let template = json!([coin, by, back]);
        is_other_output(&build(&deceived, template.clone()).await.unwrap_err().to_string(), token);
        assert!(build(&rig.wallet, template).await.is_ok());
    }
    // What nothing can melt is not asked for: the sums would not match.
    assert!(build(&deceived, json!([coin, back])).await.is_ok());
    deceived.stop().await;
}

/// A coin of 900 cents that the history calls one of 1: what a swap takes of it is neither shown as less nor
/// signed, be it asked for.
#[tokio::test]
async fn no_swap_takes_more_than_the_history_tells_of() {
    let rig = Rig::with(&[900]).await;
    let node = lying(&rig.devnet.node_url(), r#""value":900,"#, r#""value":  1,"#).await;
    let backend = backend_at(&node, &rig.devnet.mining_url());
    let deceived = Wallet::start(account(&rig.words), backend, Options::default()).await.unwrap();
    deceived.ready().await;
    until_available(&deceived, 1).await;
    let (spends, _) = rig.free_outputs()[0];
    let holds = Holding::amount(TokenUid::Native, Amount::new(900));
    let robber = Address::p2pkh(Network::Privatenet, [7; 20]);
    let script = Script::Pay { to: robber, timelock: None }.to_bytes().unwrap();
    let swap = PartialTx {
        inputs: vec![PartialInput { spends, holds, address: rig.address(0) }],
        outputs: vec![PartialOutput { holds, script, is_change: false }],
    };
    is_other_output(&deceived.check_swap(&swap).await.unwrap_err().to_string(), spends.tx);
    is_other_output(&deceived.sign_swap(&swap, true).await.unwrap_err().to_string(), spends.tx);
    deceived.stop().await;
    assert_eq!(rig.wallet.check_swap(&swap).await.unwrap()[0].value, Amount::new(900));
    rig.wallet.sign_swap(&swap, true).await.unwrap();
}

/// The same of a multisig wallet, whose participant has not put the swap together.
#[tokio::test]
async fn a_participant_signs_no_swap_of_more_than_the_history_tells_of() {
    let rig = Rig::with(&[100]).await;
    let keys = MultisigKeys::from_mnemonic(&Mnemonic::generate().unwrap(), "");
    let participants = MultisigPublic::new(&[keys.account_xpub()], 1).unwrap();
    let start = async |node: &str| {
        let account = Account::Multisig { participants: participants.clone(), keys: Some(keys.clone()) };
        let backend = backend_at(node, &rig.devnet.mining_url());
        let wallet = Wallet::start(account, backend, Options::default()).await.unwrap();
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        wallet
    };
    let honest = start(&rig.devnet.node_url()).await;
    let to = honest.read(|state, _| state.address(0)).unwrap().unwrap();
    let funded = rig.devnet.change(|chain, now| chain.fund(to, Amount::new(900), now)).unwrap();
    until_available(&honest, 900).await;
    let node = lying(&rig.devnet.node_url(), r#""value":900,"#, r#""value":  1,"#).await;
    let deceived = start(&node).await;
    until_available(&deceived, 1).await;

    let vertex = honest.read(|state, _| state.vertex(&funded)).unwrap().unwrap();
    let index = vertex.outputs.iter().position(|output| output.output.value == Amount::new(900)).unwrap();
    let own = Outpoint { tx: funded, index: u8::try_from(index).unwrap() };
    let (theirs, _) = rig.free_outputs()[0];
    let input = |spends, cents, address| PartialInput {
        spends,
        holds: Holding::amount(TokenUid::Native, Amount::new(cents)),
        address,
    };
    let robber = Address::p2pkh(Network::Privatenet, [7; 20]);
    let script = Script::Pay { to: robber, timelock: None }.to_bytes().unwrap();
    let all = Holding::amount(TokenUid::Native, Amount::new(1_000));
    let swap = PartialTx {
        inputs: vec![input(own, 900, to), input(theirs, 100, rig.address(0))],
        outputs: vec![PartialOutput { holds: all, script, is_change: false }],
    };
    let transaction = swap.transaction().unwrap();
    let refused = deceived.sign_share(&transaction, true).await.unwrap_err().to_string();
    is_other_output(&refused, funded);
    // Nor is it shown as less to who decides by that.
    is_other_output(&format!("{:?}", decoded(&deceived, &transaction).await.unwrap_err()), funded);
    deceived.stop().await;
    let shown = decoded(&honest, &transaction).await.unwrap();
    assert_eq!([&shown["tx"]["inputs"][0]["value"], &shown["tx"]["inputs"][1]["value"]], [900, 100]);
    honest.sign_share(&transaction, true).await.unwrap();
}

/// A payment whose push had a lie for an answer is not made again because the node says, of its inputs, that
/// a transaction has spent them which nobody has seen.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_not_made_again_for_a_spender_that_is_made_up() {
    let killed = Killed::new(true).await;
    let keys = AccountKeys::from_mnemonic(&killed.words, "").public();
    let home = Address::p2pkh(Network::Privatenet, keys.key_hashes(1..2)[0]);
    killed.devnet.change(|chain, now| chain.fund(home, Amount::from(1_000), now)).unwrap();
    let kept = || -> Arc<dyn Stores> { Arc::new(DataDir::new(killed.dir.path()).unwrap()) };
    let pay = Operation::Send(pay(100));
    let node = Proxy::before(&killed.devnet.node_url()).await;
    node.fault("push_tx", Fault::Denied(200), 1);
    let wallet = killed.start_through(&node.url(&killed.devnet.node_url()), Some(kept())).await;
    wallet.carry_out_once(pay.clone(), KEY).await.unwrap_err();
    wallet.stop().await;
    let paid = killed.payments();
    assert_eq!(paid.len(), 1);

    let truth = format!("\"{}\"", paid[0]);
    let lie = format!("\"{}\"", VertexId([0xab; 32]));
    let node = lying(&killed.devnet.node_url(), truth.leak(), lie.leak()).await;
    let wallet = killed.start_through(&node, Some(kept())).await;
    let made_up = VertexId([0xab; 32]);
    assert_eq!(wallet.read(|state, _| state.vertex(&made_up).is_some()), Ok(true));
    let again = wallet.carry_out_once(pay, KEY).await.unwrap();
    assert_eq!((again.replayed, again.sent.id), (true, paid[0]));
    assert_eq!(killed.payments(), paid);
    wallet.stop().await;
}
