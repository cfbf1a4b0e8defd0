//! `headless-wallet devnet`: the local network, also inside of `serve --devnet`, and the commands to one that
//! runs.

use super::{Done, amount, process, say, tell};
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use headless_wallet::devnet::{Devnet, DevnetConfig, DevnetWeight, NodeRelease};
use headless_wallet::json;
use headless_wallet::ledger::Address;
use headless_wallet::net::{HttpClient, Request, brief};
use headless_wallet::server::{Layer, LogFormat, Origin, Setting};
use serde_json::{Map, Value, json};
use std::io::ErrorKind;
use std::time::Duration;
use url::Url;

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
pub async fn devnet(args: DevnetArgs) -> Done {
    if let Some(order) = args.order {
        return control(order).await;
    }
    process::log_to_stderr(tracing::Level::INFO, LogFormat::Text);
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
    process::shutdown_signal().await;
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

/// Why a local network does not start; a port in use is named with the remedy.
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

// `headless-wallet devnet fund|mine|undo|pause|resume|status`: tells a local network that runs what to do.

/// What to tell it.
#[derive(Subcommand)]
pub enum Order {
    /// Pay an address.
    Fund {
        #[arg(value_parser = address)]
        address: String,
        /// How much HTR, such as 12.50 or 1250 cents.
        #[arg(value_parser = cents)]
        amount: u64,
        /// How many payments of that amount.
        #[arg(long, value_name = "N", default_value_t = 1)]
        count: u32,
        #[command(flatten)]
        network: Network,
    },
    /// Mine blocks.
    Mine {
        /// How many.
        #[arg(default_value_t = 1)]
        count: u32,
        /// The address that they pay.
        #[arg(long, value_parser = address)]
        address: Option<String>,
        #[command(flatten)]
        network: Network,
    },
    /// Undo the newest blocks, as a reorganisation does.
    Undo {
        /// How many.
        #[arg(default_value_t = 1)]
        count: u32,
        #[command(flatten)]
        network: Network,
    },
    /// Stop mining blocks automatically.
    Pause(Network),
    /// Mine blocks automatically again.
    Resume(Network),
    /// Show its height, and the addresses of its services.
    Status(Network),
}

/// Where it is.
#[derive(Args)]
pub struct Network {
    /// Its control interface, as `devnet` and `serve --devnet` print it.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8083/devnet/", value_hint = ValueHint::Url)]
    control: Url,
    /// Prints the answer as JSON, for programs.
    #[arg(long)]
    json: bool,
}

fn address(text: &str) -> Result<String, String> {
    Address::parse_any(text).map(|_| text.to_owned()).map_err(|error| error.to_string())
}

fn cents(text: &str) -> Result<u64, String> {
    let (cents, token) = amount::read(text)?;
    if token.is_some_and(|token| !token.eq_ignore_ascii_case("HTR")) {
        return Err("the local network pays HTR only".to_owned());
    }
    cents.parse().map_err(|_| amount::WRONG.to_owned())
}

/// Tells it, and says what came of that.
pub async fn control(order: Order) -> Done {
    let (network, path, body) = match order {
        Order::Fund { address, amount, count, network } => {
            (network, "fund", Some(json!({"address": address, "amount": amount, "count": count})))
        }
        Order::Mine { count, address, network } => {
            let mut body = Map::from_iter([("count".to_owned(), json!(count))]);
            body.extend(address.map(|address| ("address".to_owned(), json!(address))));
            (network, "blocks", Some(Value::Object(body)))
        }
        Order::Undo { count, network } => (network, "undo-blocks", Some(json!({"count": count}))),
        Order::Pause(network) => (network, "pause", Some(json!({}))),
        Order::Resume(network) => (network, "resume", Some(json!({}))),
        Order::Status(network) => (network, "status", None),
    };
    let url = network.control.join(path)?;
    let request = match body {
        Some(body) => Request::post(url.clone().into(), body.to_string()),
        None => Request::get(url.clone().into()),
    };
    let answer = HttpClient::shared().request(request).await.map_err(|error| {
        format!("{url}: {error}: start a local network with `headless-wallet devnet`, or name another with --control")
    })?;
    let said = json::read(&answer.body).unwrap_or(Value::Null);
    if answer.status != 200 {
        let why = said["error"].as_str().unwrap_or("is that the control interface of a local network?");
        return Err(format!("{url} answers with status {}: {}", answer.status, brief(why)).into());
    }
    say(&if network.json { said.to_string() } else { told(&said) });
    Ok(())
}

/// An answer's names and values.
fn told(answer: &Value) -> String {
    let facts = answer.as_object().into_iter().flatten().map(|(name, value)| {
        let values = match value {
            Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(" "),
            one => plain(one),
        };
        format!("{:<18}{values}", name.replace('_', " "))
    });
    facts.collect::<Vec<_>>().join("\n")
}

fn plain(value: &Value) -> String {
    brief(value.as_str().map_or_else(|| value.to_string(), str::to_owned).as_str())
}
