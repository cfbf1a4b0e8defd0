//! Two nodes behind one address, that hear of each other's transactions late.

use crate::proxy::read_request;
use crate::rig::{PATIENCE, account, backend_at, devnet, pay};
use headless_wallet::devnet::Devnet;
use headless_wallet::keys::Mnemonic;
use headless_wallet::ledger::{Address, Amount, Network, TokenUid, VertexId};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{FullNode, PushError};
use headless_wallet::service::{IdempotentSend, Operation, Options, Phase, SendError, SendKey, Wallet};
use headless_wallet::wallet::UtxoFilter;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

const KEY: SendKey = SendKey { name: [1; 32], request: [2; 32] };

/// The wallet listens to one node. That node takes pushes until one is to be lost; from then on the other one
/// is asked about transactions and takes the pushes.
struct Pool {
    one: Devnet,
    other: Devnet,
    wallet: Wallet,
    switch: Arc<Switch>,
}

#[derive(Default)]
struct Switch {
    /// Pushes that are answered before the one whose answer is lost.
    answered: AtomicUsize,
    /// Pushes that the other node has answered.
    by_other: AtomicUsize,
}

fn socket_address(url: &str) -> SocketAddr {
    url.trim_start_matches("http://").split('/').next().unwrap().parse().unwrap()
}

async fn serve(mut client: TcpStream, one: SocketAddr, other: SocketAddr, switch: Arc<Switch>) -> Option<()> {
    let request = read_request(&mut client).await?;
    let path = request.split(' ').nth(1)?.to_owned();
    let (is_push, is_question) = (path.contains("push_tx"), path.contains("/transaction?"));
    let left = switch.answered.load(Ordering::SeqCst);
    let elsewhere = left == usize::MAX && (is_push || is_question);
    let mut upstream = TcpStream::connect(if elsewhere { other } else { one }).await.ok()?;
    if request.to_ascii_lowercase().contains("upgrade: websocket") {
        upstream.write_all(request.as_bytes()).await.ok()?;
        copy_bidirectional(&mut client, &mut upstream).await.ok()?;
        return Some(());
    }
    let (head, rest) = request.split_once("\r\n")?;
    upstream.write_all(format!("{head}\r\nConnection: close\r\n{rest}").as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    upstream.read_to_end(&mut answer).await.ok()?;
    if is_push && !elsewhere {
        switch.answered.store(left.checked_sub(1).unwrap_or(usize::MAX), Ordering::SeqCst);
        if left == 0 {
            // It has the transaction, and nobody hears of it.
            return client.set_zero_linger().ok();
        }
    }
    if is_push && elsewhere {
        switch.by_other.fetch_add(1, Ordering::SeqCst);
    }
    client.write_all(&answer).await.ok()
}

impl Pool {
    /// A wallet with one output of 1,000, whose transaction both nodes have; `limit` is how long the outcome
    /// of a push is looked for.
    async fn new(limit: Duration) -> Self {
        let (one, other, words) = (devnet().await, devnet().await, Mnemonic::generate().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let switch = Arc::new(Switch { answered: AtomicUsize::new(1), ..Switch::default() });
        let (from, to) = (socket_address(&one.node_url()), socket_address(&other.node_url()));
        let url = one.node_url().replace(&from.to_string(), &listener.local_addr().unwrap().to_string());
        let switched = switch.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(serve(client, from, to, switched.clone()));
            }
        });
        let mut backend = backend_at(&url, &one.mining_url());
        backend.node = backend.node.with_limits(Duration::from_secs(10), limit);
        let wallet = Wallet::start(account(&words), backend, Options::default()).await.unwrap();
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        let home = wallet.read(|state, _| state.address(0)).unwrap().unwrap();
        let funding = one.change(|chain, now| chain.fund(home, Amount::from(1_000u64), now)).unwrap();
        let pool = Self { one, other, wallet, switch };
        pool.gossip(&[funding]).await;
        pool.has(1_000).await;
        pool
    }

    /// The other node hears of transactions.
    async fn gossip(&self, ids: &[VertexId]) {
        let node = |devnet: &Devnet| FullNode::new(HttpClient::shared(), &devnet.node_url()).unwrap();
        for id in ids {
            let transaction = node(&self.one).full_transaction(id).await.unwrap().unwrap();
            match node(&self.other).push_tx(&transaction.to_bytes().unwrap()).await {
                // The wallet pushes what is open to this node, too.
                Ok(()) | Err(PushError::AlreadyExists { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    async fn has(&self, amount: u64) {
        let has = |wallet: &Wallet| wallet.read(|state, now| state.balance(TokenUid::Native, now).available);
        let met = async {
            while has(&self.wallet) != Ok(Amount::from(amount)) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(PATIENCE, met).await.expect("the wallet comes to have it");
    }

    async fn until_refused_elsewhere(&self) {
        let refused = async {
            while self.switch.by_other.load(Ordering::SeqCst) == 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(PATIENCE, refused).await.expect("the other node is pushed to");
    }

    /// Valid payments to the address that tests pay, as a node has them.
    fn payments(devnet: &Devnet) -> Vec<VertexId> {
        let to = Address::p2pkh(Network::Privatenet, [7; 20]);
        devnet.read(|chain| chain.history_of(&to).filter(|id| !chain.vertex(id).unwrap().voided).collect())
    }

    fn free_outputs(&self) -> usize {
        let filter = UtxoFilter { only_available: true, ..UtxoFilter::default() };
        self.wallet.read(|state, now| state.utxos(&filter, now).utxos.len()).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_lacks_an_input_does_not_refuse_what_another_one_has_taken() {
    let pool = Pool::new(Duration::from_secs(30)).await;
    let first = pool.wallet.send(pay(100)).await.unwrap();
    // Spends the change, which the other node does not know yet.
    let wallet = pool.wallet.clone();
    let second = tokio::spawn(async move { wallet.send(pay(200)).await });
    pool.until_refused_elsewhere().await;
    let taken = Pool::payments(&pool.one);
    assert_eq!(taken.len(), 2);
    pool.gossip(&[first.id]).await;
    let second = second.await.unwrap().unwrap();
    assert_eq!(taken, [first.id, second.id]);
    assert_eq!(Pool::payments(&pool.other), taken);
    pool.has(700).await;
    pool.wallet.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_can_tell_stays_open_until_it_is_repeated() {
    let pool = Pool::new(Duration::from_secs(2)).await;
    let first = pool.wallet.send(pay(100)).await.unwrap();
    let send = || pool.wallet.carry_out_once(Operation::Send(pay(200)), KEY);
    let Err(SendError::Open { id, .. }) = send().await else { panic!("open") };
    assert!(pool.switch.by_other.load(Ordering::SeqCst) > 0);
    assert_eq!(Pool::payments(&pool.one), [first.id, id]);
    // The other node goes on refusing it, and that proves nothing still.
    pool.gossip(&[first.id, id]).await;
    let again = send().await.unwrap();
    assert_eq!((again.sent.id, again.replayed), (id, true));
    assert_eq!(send().await.unwrap(), IdempotentSend { replayed: true, ..again });
    assert_eq!(Pool::payments(&pool.one), [first.id, id]);
    pool.has(700).await;
    assert_eq!(pool.free_outputs(), 1);
    pool.wallet.stop().await;
}
