//! `headless-wallet devnet`, and the local network inside of `serve --devnet`.

use super::{log, say, shutdown};
use clap::{Args, ValueEnum};
use headless_wallet::devnet::{Devnet, DevnetConfig, DevnetWeight};
use headless_wallet::server::{Layer, Origin, Setting};
use std::error::Error;
use std::io::ErrorKind;
use std::time::Duration;

/// The words that private Hathor networks are known by: public, and worth nothing. They hold a local network's coins.
pub const GENESIS_WORDS: &str = "avocado spot town typical traffic vault danger century property shallow divorce \
    festival spend attack anchor afford rotate green audit adjust fade wagon depart level";
/// The seed key under which `serve --devnet` knows them.
pub const GENESIS_KEY: &str = "genesis";

/// The flags of `devnet`.
#[derive(Args)]
pub struct DevnetArgs {
    /// The full node's port; 0 for any that is free.
    #[arg(long, value_name = "N", default_value_t = 8083)]
    node_port: u16,
    /// The mining service's port; 0 for any that is free.
    #[arg(long, value_name = "N", default_value_t = 8035)]
    mining_port: u16,
    /// Milliseconds between blocks; 0 mines them only when asked to.
    #[arg(long, value_name = "MS", default_value_t = 2_500)]
    block_interval: u64,
    /// How much work transactions need: next to none, or what mainnet demands.
    #[arg(long, value_enum, default_value_t = Weight::Trivial)]
    weight: Weight,
}

#[derive(Clone, Copy, ValueEnum)]
enum Weight {
    Trivial,
    Real,
}

/// Runs a local network until told to end.
pub async fn devnet(args: DevnetArgs) -> Result<(), Box<dyn Error>> {
    log::to_stderr(tracing::Level::INFO);
    let interval = Duration::from_millis(args.block_interval);
    let config = DevnetConfig {
        node_port: args.node_port,
        mining_port: args.mining_port,
        block_interval: Some(interval).filter(|interval| !interval.is_zero()),
        weight: match args.weight {
            Weight::Trivial => DevnetWeight::Trivial,
            Weight::Real => DevnetWeight::Real,
        },
        ..DevnetConfig::default()
    };
    let devnet = start(config).await?;
    say(&format!(
        "{}\nIts coins belong to the words `{GENESIS_WORDS}`.\nA wallet server on it:\n  \
         headless-wallet serve --network privatenet --server {} --tx-mining-url {}",
        services(&devnet),
        devnet.node_url(),
        devnet.mining_url()
    ));
    shutdown::signal().await;
    devnet.shutdown().await;
    Ok(())
}

/// Starts a local network; a port in use is named with the way out.
pub async fn start(config: DevnetConfig) -> Result<Devnet, String> {
    let (node, mining) = (config.node_port, config.mining_port);
    Devnet::start(config).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => format!(
            "port {node} or {mining} is in use: end the program that uses it (another local network?), or choose \
             others with --node-port and --mining-port (0 for any that is free)"
        ),
        _ => format!("can't start the local network: {error}"),
    })
}

/// Where the local network's services are.
pub fn services(devnet: &Devnet) -> String {
    format!(
        "Local network: full node {} · mining service {} · control {}",
        devnet.node_url(),
        devnet.mining_url(),
        devnet.control_url()
    )
}

/// The settings that make a server use `devnet`. Refused where others name a network of their own.
pub fn settings(devnet: &Devnet, others: &[Layer]) -> Result<Layer, String> {
    for setting in [Setting::Server, Setting::TxMiningUrl, Setting::Network] {
        let given = others.iter().rev().find_map(|layer| layer.get(setting));
        if let Some((value, origin)) = given
            && value != "privatenet"
        {
            return Err(format!(
                "--devnet brings a network of its own, and {origin} names another: leave one of them out"
            ));
        }
    }
    let origin = || Origin::Flag("--devnet".to_owned());
    let mut layer = Layer::default();
    layer.set(Setting::Network, "privatenet", origin());
    layer.set(Setting::Server, devnet.node_url(), origin());
    layer.set(Setting::TxMiningUrl, devnet.mining_url(), origin());
    layer.set_seed(GENESIS_KEY, GENESIS_WORDS.into(), origin());
    Ok(layer)
}
