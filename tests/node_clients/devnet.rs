//! The whole road on a local network, which verifies what it is sent: read, watch, solve, push, and what
//! became of it.

use headless_wallet::devnet::{
    Devnet, DevnetConfig, MiningFaults, MiningMode, NodeFaults, NodeMode, SubscriptionLimits,
};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{
    Address, Amount, Input, MiningJob, Network, Outpoint, Output, Script, TokenData, Transaction, Vertex,
    VertexId,
};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{
    Fault, FullNode, MiningError, MiningService, NodeEvent, NodeSocket, PushError, SubscribeRefusalKind,
    TxStatus, mine_locally,
};
use headless_wallet::rt;
use std::sync::Arc;
use std::time::Duration;

const WORDS: &str = "avocado spot town typical traffic vault danger century property shallow divorce festival spend \
    attack anchor afford rotate green audit adjust fade wagon depart level";
const LIMIT: Duration = Duration::from_secs(20);

/// A local network without blocks of its own, and the keys of its genesis wallet.
struct Net {
    devnet: Devnet,
    node: FullNode,
    mining: MiningService,
    keys: AccountKeys,
}

impl Net {
    async fn start() -> Self {
        let devnet =
            Devnet::start(DevnetConfig { block_interval: None, ..Default::default() }).await.unwrap();
        let node = FullNode::new(HttpClient::shared(), &devnet.node_url()).unwrap();
        let mining = MiningService::new(HttpClient::shared(), &devnet.mining_url(), None).unwrap();
        let keys = AccountKeys::from_mnemonic(&Mnemonic::parse(WORDS).unwrap(), "");
        Self { devnet, node, mining, keys }
    }

    fn address(&self, index: u32) -> Address {
        Address::p2pkh(Network::Privatenet, self.keys.public().key_hashes(index..index + 1)[0])
    }

    async fn history(&self, address: Address) -> Vec<Vertex> {
        let mut pages = self.node.history(vec![address]);
        let mut vertices = Vec::new();
        while let Some(page) = pages.next().await.unwrap() {
            vertices.extend(page);
        }
        vertices
    }

    /// A signed transaction that moves all of an output of the genesis wallet to its address `to`.
    async fn spend(&self, spends: Outpoint, value: Amount, owner: u32, to: u32) -> Transaction {
        let script = Script::Pay { to: self.address(to), timelock: None }.to_bytes().unwrap();
        let mut tx = Transaction {
            signal_bits: 0,
            tokens: vec![],
            inputs: vec![Input { spends, data: vec![] }],
            outputs: vec![Output { value, token_data: TokenData::NATIVE, script }],
            creates: None,
            blueprint: None,
            weight: 0.0,
            timestamp: 0,
            parents: vec![],
            nonce: 0,
            headers: vec![],
        };
        let digest = tx.sighash().unwrap();
        tx.inputs[0].data = self.keys.sign(owner, &digest).to_bytes().unwrap();
        tx.weight = self.node.version().await.unwrap().weight.wallet_weight(&tx);
        tx
    }

    /// A signed transaction that moves the first coin of the genesis wallet to its address `to`.
    async fn first_spend(&self, to: u32) -> Transaction {
        for owner in 0..20 {
            if let Some(vertex) = self.history(self.address(owner)).await.first() {
                let coin = Outpoint { tx: vertex.id, index: 0 };
                return self.spend(coin, vertex.outputs[0].output.value, owner, to).await;
            }
        }
        panic!("the genesis wallet has nothing");
    }

    async fn push(&self, tx: &Transaction) -> Result<VertexId, PushError> {
        let id = tx.id().unwrap();
        self.node
            .push_until_known(&id, &tx.to_bytes().unwrap(), &tx.spends(), false, LIMIT)
            .await
            .map(|()| id)
    }
}

async fn next(socket: &mut NodeSocket, wanted: impl Fn(&NodeEvent) -> bool) -> NodeEvent {
    loop {
        let event = tokio::time::timeout(LIMIT, socket.recv()).await.unwrap().unwrap();
        if wanted(&event) {
            return event;
        }
    }
}

#[tokio::test]
async fn a_transaction_from_signature_to_block() {
    let net = Net::start().await;
    net.node.version().await.unwrap().check_network("privatenet").unwrap();
    let mut socket = NodeSocket::connect(&net.node).await.unwrap();
    let first = tokio::time::timeout(LIMIT, socket.recv()).await.unwrap().unwrap();
    assert!(matches!(first, NodeEvent::Capabilities { .. }), "{first:?}");
    let to = net.address(17);
    socket.subscribe(&to);
    next(&mut socket, |event| *event == NodeEvent::Subscribed { address: to }).await;

    let tx = net.mining.solve(net.first_spend(17).await, 0).await.unwrap();
    let id = net.push(&tx).await.unwrap();
    let told = next(&mut socket, |event| matches!(event, NodeEvent::Vertex { .. })).await;
    let NodeEvent::Vertex { address, vertex } = told else { unreachable!() };
    assert_eq!((address, vertex.id, vertex.voided, vertex.first_block), (to, id, false, None));
    assert_eq!(net.history(to).await, [Arc::unwrap_or_clone(vertex)]);

    let waiting = TxStatus { voided: false, first_block: None, first_block_height: None };
    assert_eq!(net.node.transaction(&id).await, Ok(Some(waiting)));
    let block = net.devnet.change(|chain, now| chain.mine_block(vec![], now));
    let height = net.node.best_height().await.unwrap();
    let confirmed = TxStatus { first_block: Some(block), first_block_height: Some(height), ..waiting };
    assert_eq!(net.node.transaction(&id).await, Ok(Some(confirmed)));
    next(&mut socket, |event| *event == NodeEvent::BestHeight(height)).await;
    assert_eq!(net.node.transaction(&VertexId([1; 32])).await, Ok(None));
    socket.close().await;
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn refusals_of_the_ledger_are_told_apart() {
    let net = Net::start().await;
    let tx = net.mining.solve(net.first_spend(17).await, 0).await.unwrap();
    let id = net.push(&tx).await.unwrap();
    let bytes = tx.to_bytes().unwrap();
    let message = format!("Transaction already exists {id}");
    assert_eq!(net.node.push_tx(&bytes).await, Err(PushError::AlreadyExists { message }));
    assert_eq!(net.push(&tx).await, Ok(id), "what the node has already is a success");

    let value = tx.outputs[0].value;
    let mut early = net.spend(Outpoint { tx: id, index: 0 }, value, 17, 18).await;
    early.parents = net.node.tx_parents().await.unwrap().to_vec();
    early.timestamp = tx.timestamp;
    let job = MiningJob::new(&early.mining_bytes().unwrap(), early.weight);
    early.nonce = job.search(0..1 << 32).unwrap();
    let failure = net.node.push_tx(&early.to_bytes().unwrap()).await.unwrap_err();
    let PushError::TooEarly { after, .. } = failure else { panic!("{failure:?}") };
    assert_eq!(after, tx.timestamp);
    let later = net.mining.solve(early, after + 1).await.unwrap();
    net.push(&later).await.unwrap();

    let again =
        net.mining.solve(net.spend(Outpoint { tx: id, index: 0 }, value, 17, 19).await, 0).await.unwrap();
    let message = "Invalid transaction. At least one of your inputs has already been spent.".to_owned();
    assert_eq!(net.push(&again).await, Err(PushError::Rejected { message }));
}

#[tokio::test]
async fn this_machine_mines_what_the_ledger_takes() {
    let net = Net::start().await;
    let parents = net.node.tx_parents().await.unwrap();
    let tx = mine_locally(net.first_spend(17).await, parents, 0).await.unwrap();
    net.push(&tx).await.unwrap();
}

#[tokio::test]
async fn an_answer_that_breaks_off_does_not_hide_a_success() {
    let net = Net::start().await;
    let tx = net.mining.solve(net.first_spend(17).await, 0).await.unwrap();
    let path = "push_tx".to_owned();
    net.devnet.set_node_faults(NodeFaults { mode: NodeMode::Broken, path, ..Default::default() });
    let failure = net.node.push_tx(&tx.to_bytes().unwrap()).await.unwrap_err();
    assert!(
        matches!(&failure, PushError::Unknown(call) if matches!(call.fault, Fault::Broken(_))),
        "{failure:?}"
    );
    let id = tx.id().unwrap();
    assert_eq!(
        net.node.push_until_known(&id, &tx.to_bytes().unwrap(), &tx.spends(), false, LIMIT).await,
        Ok(())
    );
    assert_eq!(net.history(net.address(17)).await[0].id, id);
}

#[tokio::test]
async fn faults_of_the_mining_service_are_told_apart() {
    let net = Net::start().await;
    let tx = net.first_spend(17).await;
    net.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Timeout, ..Default::default() });
    assert_eq!(net.mining.solve(tx.clone(), 0).await, Err(MiningError::Timeout));
    net.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Failed, ..Default::default() });
    let failure = net.mining.solve(tx.clone(), 0).await.unwrap_err();
    assert!(matches!(failure, MiningError::Ended { .. }), "{failure:?}");
    net.devnet.set_mining_faults(MiningFaults::default());
    net.mining.solve(tx.clone(), rt::unix_seconds() + 1).await.unwrap();
    let busy =
        MiningFaults { mode: MiningMode::Down, status: 429, retry_after: Some(60), ..Default::default() };
    net.devnet.set_mining_faults(busy);
    let retry_after = Some(Duration::from_secs(60));
    assert_eq!(net.mining.solve(tx, 0).await, Err(MiningError::RateLimited { retry_after }));
}

#[tokio::test]
async fn both_limits_on_subscriptions_are_told_apart() {
    let net = Net::start().await;
    for (limits, kind, text) in [
        (
            SubscriptionLimits { max_subscribed_empty_addresses: Some(2), ..Default::default() },
            SubscribeRefusalKind::EmptyAddresses,
            "Reached maximum number of subscribed empty addresses (2).",
        ),
        (
            SubscriptionLimits { max_subscribed_addresses: Some(2), ..Default::default() },
            SubscribeRefusalKind::Addresses,
            "Reached maximum number of subscribed addresses (2).",
        ),
    ] {
        net.devnet.set_limits(limits);
        let mut socket = NodeSocket::connect(&net.node).await.unwrap();
        for index in 30..33 {
            socket.subscribe(&net.address(index));
        }
        let event = next(&mut socket, |event| matches!(event, NodeEvent::SubscribeRefused { .. })).await;
        let NodeEvent::SubscribeRefused { address, refusal } = event else { unreachable!() };
        assert_eq!(address, Some(net.address(32)));
        assert_eq!((refusal.kind, refusal.message.as_str()), (kind, text));
    }
}

#[tokio::test]
async fn a_node_that_is_down_or_mad_is_named() {
    let net = Net::start().await;
    let node = net.node.clone().with_limits(Duration::from_millis(300), Duration::ZERO);
    let url = format!("{}version", net.devnet.node_url());
    let told = async |mode| {
        net.devnet.set_node_faults(NodeFaults { mode, ..Default::default() });
        node.version().await.unwrap_err().to_string()
    };
    assert_eq!(
        told(NodeMode::Down).await,
        format!("full node {url}: failed with status 503: look at its log, or try again later")
    );
    assert_eq!(
        told(NodeMode::Slow).await,
        format!(
            "full node {url}: did not answer within 0.3 s: check that it runs and that `server` is right"
        )
    );
    let garbage = told(NodeMode::Garbage).await;
    assert!(garbage.starts_with(&format!("full node {url}: gave an invalid answer (")), "{garbage}");
    let broken = told(NodeMode::Broken).await;
    assert!(broken.starts_with(&format!("full node {url}: the connection broke (")), "{broken}");
}
