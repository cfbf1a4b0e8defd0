//! A wallet of its own on a local network of its own.

use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network, Outpoint, TokenUid};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{FullNode, MiningService};
use headless_wallet::service::{Account, Backend, Options, Phase, SendError, Sent, Status, Wallet};
use headless_wallet::wallet::{Balance, OutputRequest, SendRequest, State, UtxoFilter};
use std::time::Duration;

/// Longer than anything here takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Rig {
    pub devnet: Devnet,
    pub wallet: Wallet,
    pub words: Mnemonic,
}

/// A network whose blocks come when asked for.
pub async fn devnet() -> Devnet {
    Devnet::start(DevnetConfig { block_interval: None, ..DevnetConfig::default() })
        .await
        .expect("ports are free")
}

pub fn backend(devnet: &Devnet) -> Backend {
    backend_at(&devnet.node_url(), &devnet.mining_url())
}

pub fn backend_at(node: &str, mining: &str) -> Backend {
    Backend {
        network: Network::Privatenet,
        node: FullNode::new(HttpClient::shared(), node).unwrap(),
        mining: MiningService::new(HttpClient::shared(), mining, None).unwrap().into(),
    }
}

pub fn account(words: &Mnemonic) -> Account {
    Account::Signing(AccountKeys::from_mnemonic(words, ""))
}

impl Rig {
    /// An empty wallet that is ready.
    pub async fn new() -> Self {
        Self::on(devnet().await).await
    }

    pub async fn on(devnet: Devnet) -> Self {
        let backend = backend(&devnet);
        Self::through(devnet, backend).await
    }

    /// An empty wallet that reaches the network in its own way.
    pub async fn through(devnet: Devnet, backend: Backend) -> Self {
        let words = Mnemonic::generate().unwrap();
        let wallet = Wallet::start(account(&words), backend, Options::default()).await.unwrap();
        let rig = Self { devnet, wallet, words };
        rig.until_ready().await;
        rig
    }

    /// A wallet with these amounts of HTR, an output each, that can be spent at once.
    pub async fn with(amounts: &[u64]) -> Self {
        let rig = Self::new().await;
        rig.fund(amounts).await;
        rig
    }

    /// Pays these amounts to the wallet's first addresses and waits until it knows and its clock is past
    /// them.
    pub async fn fund(&self, amounts: &[u64]) {
        let before = self.balance(TokenUid::Native).available;
        let address = self.address(0);
        let mut sum = before;
        for amount in amounts {
            let amount = Amount::from(*amount);
            self.devnet.change(|chain, now| chain.fund(address, amount, now)).unwrap();
            sum = sum.checked_add(amount).unwrap();
        }
        self.until(|state, now| state.balance(TokenUid::Native, now).available == sum).await;
    }

    pub fn address(&self, index: u32) -> Address {
        self.wallet.read(|state, _| state.address(index)).unwrap().unwrap()
    }

    pub fn balance(&self, token: TokenUid) -> Balance {
        self.wallet.read(|state, now| state.balance(token, now)).unwrap()
    }

    /// Unspent outputs of HTR that nothing is reserved for.
    pub fn free_outputs(&self) -> Vec<(Outpoint, u128)> {
        let filter = UtxoFilter { only_available: true, ..UtxoFilter::default() };
        let list = self.wallet.read(|state, now| state.utxos(&filter, now)).unwrap();
        list.utxos.iter().map(|u| (u.outpoint, u.value.cents())).collect()
    }

    pub async fn until_ready(&self) -> Status {
        let ready = |status: &Status| status.phase == Phase::Ready;
        self.until_status(ready).await
    }

    pub async fn until_status(&self, wanted: impl FnMut(&Status) -> bool) -> Status {
        let mut status = self.wallet.watch();
        let met = tokio::time::timeout(PATIENCE, status.wait_for(wanted)).await;
        met.unwrap_or_else(|_| panic!("the status stayed {:?}", self.wallet.status())).unwrap().clone()
    }

    /// Waits for the wallet to be ready and as wanted, looking again after each event, and often (a
    /// reservation is none).
    pub async fn until(&self, mut wanted: impl FnMut(&State, u32) -> bool) {
        let mut events = self.wallet.events();
        let mut status = self.wallet.watch();
        let met = async {
            while !self.wallet.read(&mut wanted).unwrap_or(false) {
                tokio::select! {
                    _ = events.recv() => {}
                    _ = status.changed() => {}
                    () = tokio::time::sleep(Duration::from_millis(10)) => {}
                }
            }
        };
        tokio::time::timeout(PATIENCE, met).await.expect("the wallet never came to be as wanted");
    }

    /// Sends `value` of HTR to an address outside the wallet.
    pub async fn pay(&self, value: u64) -> Result<Sent, SendError> {
        self.wallet.send(pay(value)).await
    }
}

/// A payment of `value` of HTR to an address outside every wallet here.
pub fn pay(value: u64) -> SendRequest {
    let to = Address::p2pkh(Network::Privatenet, [7; 20]);
    SendRequest {
        outputs: vec![OutputRequest::Pay {
            to,
            value: Amount::from(value),
            token: TokenUid::Native,
            timelock: None,
        }],
        ..SendRequest::default()
    }
}
