//! What a vertex has to do with contracts, as the node shows it.

use crate::ledger::Vertex;
use crate::ledger::nano::{ActionKind, NanoCall, TokenAction, VertexNano};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The members that calls of contracts and blueprints have.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct NanoJson(#[serde(default)] Map<String, Value>);

impl NanoJson {
    pub(super) fn of(vertex: &Vertex) -> Self {
        let members = match vertex.nano.as_deref() {
            None => Value::Null,
            Some(VertexNano::Blueprint { public_key }) => json!({"nc_pubkey": hex::encode(public_key)}),
            Some(VertexNano::Call(call)) => of_call(call),
        };
        Self(match members {
            Value::Object(members) => members,
            _ => Map::new(),
        })
    }
}

fn of_call(call: &NanoCall) -> Value {
    json!({
        "nc_id": call.contract.to_string(),
        "nc_seqnum": call.seqnum,
        "nc_blueprint_id": call.blueprint.map(|id| id.to_string()).unwrap_or_default(),
        "nc_method": call.method,
        "nc_args": hex::encode(&call.args),
        "nc_address": call.caller.to_string(),
        "nc_context": {
            "actions": call.actions.iter().map(of_action).collect::<Vec<_>>(),
            "caller_id": call.caller.to_string(),
            "timestamp": call.timestamp,
            "address": call.caller.to_string(),
        },
    })
}

fn of_action(action: &TokenAction) -> Value {
    let (kind, token) = (action.kind.name(), action.token.to_string());
    match action.kind {
        ActionKind::Deposit | ActionKind::Withdrawal => {
            json!({"type": kind, "token_uid": token, "amount": u64::try_from(action.amount.cents()).ok()})
        }
        ActionKind::GrantAuthority | ActionKind::AcquireAuthority => {
            json!({"type": kind, "token_uid": token, "mint": action.mints(), "melt": action.melts()})
        }
    }
}
