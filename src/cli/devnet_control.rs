//! `headless-wallet devnet fund|mine|undo|pause|resume|status`: tells a local network that runs what to do.

use super::amount;
use super::say;
use clap::{Args, Subcommand, ValueHint};
use headless_wallet::json;
use headless_wallet::ledger::Address;
use headless_wallet::net::{HttpClient, Request, brief};
use serde_json::{Map, Value, json};
use std::error::Error;
use url::Url;

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
pub async fn control(order: Order) -> Result<(), Box<dyn Error>> {
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
