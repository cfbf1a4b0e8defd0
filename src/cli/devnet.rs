//! `headless-wallet devnet`, and the local network inside of `serve --devnet`.

use super::devnet_control::{Order, control};
use super::{log, say, shutdown, tell};
use clap::{Args, ValueEnum};
use headless_wallet::devnet::{Devnet, DevnetConfig, DevnetWeight, NodeRelease};
use headless_wallet::server::{Layer, Origin, Setting};
use std::error::Error;
use std::io::ErrorKind;
use std::time::Duration;

/// The words that private Hathor networks are known by: public, and worth nothing. They hold a local
/// network's coins.
pub const GENESIS_WORDS: &str = "avocado spot town typical traffic vault danger century property shallow divorce \
    festival spend attack anchor afford rotate green audit adjust fade wagon depart level";
/// The seed key under which `serve --devnet` knows them.
pub const GENESIS_KEY: &str = "genesis";

/// The full node's port, unless another is chosen: the one that examples name.
const NODE_PORT: u16 = 8083;
/// The mining service's port, unless another is chosen.
const MINING_PORT: u16 = 8035;

/// The flags of `serve --devnet` for its local network.
#[derive(Args)]
pub struct PortArgs {
    /// The local network's full node listens at this port [default: 8083, or any that is free where it is
    /// taken]; 0 for any that is free.
    #[arg(long, value_name = "N", requires = "devnet")]
    devnet_node_port: Option<u16>,
    /// The same for its mining service [default: 8035].
    #[arg(long, value_name = "N", requires = "devnet")]
    devnet_mining_port: Option<u16>,
}

/// The flags of `devnet`.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Without a command it runs a local network until Ctrl-C. The commands tell one that runs what to do, such as:\n  \
headless-wallet devnet fund WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6 12.50\n  \
headless-wallet devnet mine 10"
)]
pub struct DevnetArgs {
    #[command(subcommand)]
    order: Option<Order>,
    /// The full node's port; 0 for any that is free.
    #[arg(long, value_name = "N", default_value_t = NODE_PORT)]
    node_port: u16,
    /// The mining service's port; 0 for any that is free.
    #[arg(long, value_name = "N", default_value_t = MINING_PORT)]
    mining_port: u16,
    /// Milliseconds between blocks; 0 mines them only when asked to.
    #[arg(long, value_name = "MS", default_value_t = 2_500)]
    block_interval: u64,
    /// How much work transactions need: next to none, or what mainnet demands.
    #[arg(long, value_enum, default_value_t = Weight::Trivial)]
    weight: Weight,
    /// The release of the full node that is spoken: 0.70 computes deposits in floating point, 0.71 in
    /// integers.
    #[arg(long, value_enum, default_value_t = Release::V71)]
    node_release: Release,
}

#[derive(Clone, Copy, ValueEnum)]
enum Release {
    #[value(name = "0.70")]
    V70,
    #[value(name = "0.71")]
    V71,
}

#[derive(Clone, Copy, ValueEnum)]
enum Weight {
    Trivial,
    Real,
}

/// Runs a local network until told to end.
pub async fn devnet(args: DevnetArgs) -> Result<(), Box<dyn Error>> {
    if let Some(order) = args.order {
        return control(order).await;
    }
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
        node_release: match args.node_release {
            Release::V70 => NodeRelease::V70,
            Release::V71 => NodeRelease::V71,
        },
        ..DevnetConfig::default()
    };
    let ports = [config.node_port, config.mining_port];
    let started = Devnet::start(config).await;
    let devnet = started.map_err(|error| refusal(&error, ports, ["--node-port", "--mining-port"]))?;
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

/// Starts the local network of `serve --devnet`. Where one of the usual ports is taken, it takes one that is
/// free and says so.
pub async fn start_for_server(ports: &PortArgs) -> Result<Devnet, String> {
    let PortArgs { devnet_node_port: node, devnet_mining_port: mining } = *ports;
    let config = |usual_node, usual_mining| DevnetConfig {
        node_port: node.unwrap_or(usual_node),
        mining_port: mining.unwrap_or(usual_mining),
        ..DevnetConfig::default()
    };
    let usual = config(NODE_PORT, MINING_PORT);
    let (node_port, mining_port) = (usual.node_port, usual.mining_port);
    let refuse =
        |error| refusal(&error, [node_port, mining_port], ["--devnet-node-port", "--devnet-mining-port"]);
    match Devnet::start(usual).await {
        Err(error) if error.kind() == ErrorKind::AddrInUse && (node.is_none() || mining.is_none()) => {
            let devnet = Devnet::start(config(0, 0)).await.map_err(refuse)?;
            tell(&format!(
                "Port {node_port} or {mining_port} is in use (by another local network?): this local network uses others."
            ));
            Ok(devnet)
        }
        started => started.map_err(refuse),
    }
}

/// Why a local network does not start; a port in use is named with the way out.
fn refusal(error: &std::io::Error, [node, mining]: [u16; 2], [node_flag, mining_flag]: [&str; 2]) -> String {
    match error.kind() {
        ErrorKind::AddrInUse => format!(
            "port {node} or {mining} is in use: end the program that uses it (another local network?), or choose \
             others with {node_flag} and {mining_flag} (0 for any that is free)"
        ),
        _ => format!("can't start the local network: {error}"),
    }
}

/// Where the local network's services are, for people and as options of the npm package.
pub fn services(devnet: &Devnet) -> String {
    let (node, mining) = (devnet.node_url(), devnet.mining_url());
    format!(
        "Local network: full node {node} · mining service {mining} · control {}\n\
         In the npm package:\n  nodeUrl: \"{node}\",\n  miningUrl: \"{mining}\",",
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
