//! The control interface under `/devnet/`; the table of its requests is in the documentation of
//! [`crate::devnet`].

use super::chain::Chain;
use super::faults::{MiningFaults, NodeFaults, NodeMode};
use super::shared::{Shared, allow_origin, local_origin};
use super::{NETWORK, SubscriptionLimits, node_api};
use crate::json;
use crate::ledger::{Address, Amount, AmountVersion};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

/// The most transactions or blocks of one request.
const MAX_COUNT: u64 = 1_000;
/// The time between blocks that `resume` starts with when the network never had one.
const DEFAULT_INTERVAL: Duration = Duration::from_millis(2_500);

/// Where the two services are.
#[derive(Clone)]
pub(super) struct Urls {
    pub(super) node: String,
    pub(super) mining: String,
}

#[derive(Clone)]
struct Control {
    shared: Arc<Shared>,
    urls: Urls,
}

/// What is wrong with a request: the field, and what about it.
type Outcome = Result<Value, String>;
/// What a request does.
type Act = fn(&Control, &mut Fields) -> Outcome;

pub(super) fn routes(shared: Arc<Shared>, urls: Urls) -> Router {
    let requests: [(&str, Act); 11] = [
        ("fund", fund),
        ("blocks", blocks),
        ("undo-blocks", undo_blocks),
        ("pause", pause),
        ("resume", resume),
        ("conflict", conflict),
        ("limits", limits),
        ("mining", mining),
        ("node", node),
        ("features", features),
        ("disconnect", disconnect),
    ];
    let posts = requests.iter().map(|(name, _)| format!("POST /devnet/{name}"));
    let all: Vec<_> = ["GET /devnet/status".to_owned()].into_iter().chain(posts).collect();
    let list = get(async move || axum::Json(json!({ "requests": all })));
    let mut router = Router::new().route("/devnet/", list).route("/devnet/status", get(status));
    for (name, act) in requests {
        let handler = post(async move |State(control): State<Control>, headers: HeaderMap, body: Bytes| {
            answer(&control, &headers, &body, act)
        });
        router = router.route(&format!("/devnet/{name}"), handler);
    }
    router.layer(from_fn_with_state(shared.clone(), add_cors)).with_state(Control { shared, urls })
}

fn answer(control: &Control, headers: &HeaderMap, body: &[u8], act: Act) -> Response {
    match Fields::parse(headers, body).and_then(|mut fields| act(control, &mut fields)) {
        Ok(body) => axum::Json(body).into_response(),
        Err(error) => (StatusCode::BAD_REQUEST, axum::Json(json!({ "error": error }))).into_response(),
    }
}

/// Lets pages read the answers, with the question that browsers send beforehand.
async fn add_cors(
    State(shared): State<Arc<Shared>>,
    request: axum::extract::Request,
    next: Next,
) -> Response {
    let local = local_origin(&request);
    let mut response = if request.method() == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    allow_origin(&shared, local, headers);
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, OPTIONS"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
    response
}

async fn status(State(control): State<Control>) -> Response {
    let (id, height, mempool) = control.shared.read(|chain| {
        let (id, height) = chain.best_block();
        (id, height, chain.mempool().count())
    });
    axum::Json(json!({
        "height": height,
        "hash": id.to_string(),
        "mempool": mempool,
        "block_interval_ms": interval_ms(&control.shared),
        "node_url": control.urls.node,
        "mining_url": control.urls.mining,
    }))
    .into_response()
}

fn interval_ms(shared: &Shared) -> Option<u64> {
    shared.block_interval().borrow().and_then(|interval| u64::try_from(interval.as_millis()).ok())
}

fn fund(control: &Control, fields: &mut Fields) -> Outcome {
    let address = fields.address("address")?.ok_or("address: missing")?;
    let words = fields.text("amount_str")?;
    let (version, amount) = match words.as_deref().map(Amount::of_decimal) {
        None => {
            let amount = fields.integer("amount", 1, u64::MAX)?.ok_or("amount: missing")?;
            (AmountVersion::V1, Amount::from(amount))
        }
        Some(amount) => (AmountVersion::V2, amount.ok_or("amount_str: expected an amount such as 1.005")?),
    };
    let count = fields.integer("count", 1, MAX_COUNT)?.unwrap_or(1);
    let most_ahead = control.shared.read(|chain| chain.rules().max_future_seconds);
    let ahead = fields.integer("ahead", 0, most_ahead.into())?.unwrap_or(0);
    let ahead = u32::try_from(ahead).map_err(|_| "ahead: too much")?;
    fields.finish()?;
    let pay = |chain: &mut Chain, now: u32| {
        let timestamp = now.saturating_add(ahead);
        (0..count)
            .map(|_| chain.fund_in(version, address, amount, timestamp, now).map(|id| id.to_string()))
            .collect::<Result<Vec<_>, _>>()
    };
    let tx_ids = control.shared.change(pay).map_err(|error| format!("amount: {error}"))?;
    Ok(json!({ "tx_ids": tx_ids }))
}

fn blocks(control: &Control, fields: &mut Fields) -> Outcome {
    let count = fields.integer("count", 1, MAX_COUNT)?.unwrap_or(1);
    let address = fields.address("address")?;
    fields.finish()?;
    let script = address.map_or_else(|| control.shared.miner_script.clone(), super::script_paying);
    Ok(control.shared.change(|chain, now| {
        let ids: Vec<String> =
            (0..count).map(|_| chain.mine_block(script.clone(), now).to_string()).collect();
        json!({ "block_ids": ids, "height": chain.best_block().1 })
    }))
}

fn undo_blocks(control: &Control, fields: &mut Fields) -> Outcome {
    let count = fields.integer("count", 1, u32::MAX.into())?.unwrap_or(1);
    fields.finish()?;
    let count = u32::try_from(count).map_err(|_| "count: too many")?;
    control.shared.change(|chain, _| {
        let height = chain.best_block().1;
        if count > height {
            return Err(format!("count: there are {height} blocks that can be undone"));
        }
        let ids: Vec<String> = chain.undo_blocks(count).iter().map(ToString::to_string).collect();
        Ok(json!({ "block_ids": ids, "height": chain.best_block().1 }))
    })
}

fn pause(control: &Control, fields: &mut Fields) -> Outcome {
    fields.finish()?;
    control.shared.block_interval().send_replace(None);
    Ok(json!({ "block_interval_ms": null }))
}

fn resume(control: &Control, fields: &mut Fields) -> Outcome {
    let interval = fields.integer("block_interval_ms", 1, u32::MAX.into())?.map(Duration::from_millis);
    fields.finish()?;
    let interval = interval.unwrap_or(control.shared.usual_interval.unwrap_or(DEFAULT_INTERVAL));
    control.shared.block_interval().send_replace(Some(interval));
    Ok(json!({ "block_interval_ms": interval_ms(&control.shared) }))
}

fn conflict(control: &Control, fields: &mut Fields) -> Outcome {
    let text = fields.text("tx_hex")?.ok_or("tx_hex: missing")?;
    fields.finish()?;
    let bytes = hex::decode(text).map_err(|_| "tx_hex: expected hexadecimal digits")?;
    control.shared.change(|chain, now| {
        let id = chain.receive(&bytes, now).map_err(|error| format!("tx_hex: {error}"))?;
        let voided = chain.get(&id).is_some_and(super::chain::Stored::is_voided);
        Ok(json!({ "tx_id": id.to_string(), "voided": voided }))
    })
}

fn limits(control: &Control, fields: &mut Fields) -> Outcome {
    let mut limit = |name| -> Result<Option<usize>, String> {
        Ok(fields.integer(name, 0, u32::MAX.into())?.and_then(|limit| usize::try_from(limit).ok()))
    };
    let limits = SubscriptionLimits {
        max_subscribed_addresses: limit("max_subscribed_addresses")?,
        max_subscribed_empty_addresses: limit("max_subscribed_empty_addresses")?,
    };
    fields.finish()?;
    control.shared.set_limits(limits);
    Ok(json!({
        "max_subscribed_addresses": limits.max_subscribed_addresses,
        "max_subscribed_empty_addresses": limits.max_subscribed_empty_addresses,
    }))
}

fn mining(control: &Control, fields: &mut Fields) -> Outcome {
    let usual = MiningFaults::default();
    let faults = MiningFaults {
        mode: fields.choice("mode")?.unwrap_or_default(),
        delay: Duration::from_millis(fields.integer("delay_ms", 0, u32::MAX.into())?.unwrap_or(0)),
        status: fields.status("status")?.unwrap_or(usual.status),
        retry_after: fields.retry_after()?,
    };
    fields.finish()?;
    control.shared.faults.set_mining(faults);
    Ok(json!({}))
}

fn node(control: &Control, fields: &mut Fields) -> Outcome {
    let usual = NodeFaults::default();
    let faults = NodeFaults {
        mode: fields.choice("mode")?.unwrap_or_default(),
        path: fields.text("path")?.unwrap_or_default(),
        status: fields.status("status")?.unwrap_or(usual.status),
        retry_after: fields.retry_after()?,
    };
    fields.finish()?;
    set_node_faults(&control.shared, faults);
    Ok(json!({}))
}

/// Sets what is wrong with the node; a node that goes down takes its connections along.
pub(super) fn set_node_faults(shared: &Shared, faults: NodeFaults) {
    let disconnects = faults.mode_of(node_api::WEBSOCKET_PATH) == NodeMode::Down;
    shared.faults.set_node(faults);
    if disconnects {
        shared.hub.drop_all();
    }
}

fn features(control: &Control, fields: &mut Fields) -> Outcome {
    let features = fields.texts("features")?.unwrap_or_default();
    fields.finish()?;
    control.shared.set_features(features.clone());
    Ok(json!({ "features": features }))
}

fn disconnect(control: &Control, fields: &mut Fields) -> Outcome {
    fields.finish()?;
    control.shared.hub.drop_all();
    Ok(json!({}))
}

/// Mines a block each time the interval is over.
pub(super) async fn run_block_timer(shared: Arc<Shared>) {
    let mut stopped = pin!(shared.stopped());
    let mut intervals = shared.block_interval().subscribe();
    loop {
        let interval = *intervals.borrow_and_update();
        let next_block = async {
            match interval {
                Some(interval) => tokio::time::sleep(interval).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = next_block => {
                shared.change(|chain, now| chain.mine_block(shared.miner_script.clone(), now));
            }
            _ = intervals.changed() => {}
            () = &mut stopped => return,
        }
    }
}

/// The network whose addresses may be paid.
fn parse_address(text: &str) -> Result<Address, String> {
    Address::parse(text, NETWORK).map_err(|error| error.to_string())
}

// The fields of a control request, read one by one so that an error can name the field that it is about.

/// What is left of a request's fields.
struct Fields(Map<String, Value>);

impl Fields {
    /// Reads a body; none at all is a request without fields.
    fn parse(headers: &HeaderMap, body: &[u8]) -> Result<Self, String> {
        if body.is_empty() {
            return Ok(Self(Map::new()));
        }
        let media_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()?.split(';').next());
        if !media_type.is_some_and(|text| text.trim().eq_ignore_ascii_case("application/json")) {
            return Err("body: send it with `Content-Type: application/json`".to_owned());
        }
        match json::read_unique(body) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Err("body: expected a JSON object".to_owned()),
            Err(error) => Err(format!("body: {error}")),
        }
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("{name}: expected a text")),
        }
    }

    /// An object of texts, by any names.
    fn texts(&mut self, name: &str) -> Result<Option<BTreeMap<String, String>>, String> {
        let object = self.take(name).map(serde_json::from_value).transpose();
        object.map_err(|_| format!("{name}: expected an object of texts"))
    }

    fn integer(&mut self, name: &str, min: u64, max: u64) -> Result<Option<u64>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => match value.as_u64().filter(|number| (min..=max).contains(number)) {
                Some(number) => Ok(Some(number)),
                None => Err(format!("{name}: expected a whole number from {min} to {max}")),
            },
        }
    }

    fn address(&mut self, name: &str) -> Result<Option<Address>, String> {
        let text = self.text(name)?;
        text.map(|text| parse_address(&text).map_err(|error| format!("{name}: {error}"))).transpose()
    }

    /// One of a set of words.
    fn choice<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, String> {
        let word = self.take(name);
        word.map(|word| serde_json::from_value(word).map_err(|error| format!("{name}: {error}"))).transpose()
    }

    /// An HTTP status that says no.
    fn status(&mut self, name: &str) -> Result<Option<u16>, String> {
        Ok(self.integer(name, 400, 599)?.and_then(|status| u16::try_from(status).ok()))
    }

    /// Seconds to wait before the next try.
    fn retry_after(&mut self) -> Result<Option<u32>, String> {
        let seconds = self.integer("retry_after", 0, u32::MAX.into())?;
        Ok(seconds.and_then(|seconds| u32::try_from(seconds).ok()))
    }

    /// Demands that nothing is left.
    fn finish(&self) -> Result<(), String> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("{name}: there is no such field")),
        }
    }
}
