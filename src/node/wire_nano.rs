//! What the node's JSON of a transaction says of contracts. A node that says it in another way than here is
//! known of must not keep a history from being loaded: then it counts as not said.

use crate::json;
use crate::ledger::nano::{ActionKind, NanoCall, TokenAction, VertexNano};
use crate::ledger::{Address, Amount, Output};
use serde_json::Value;
use serde_json::value::RawValue;

/// A field of any type.
pub(super) type Field = Option<Box<RawValue>>;

/// Those fields, as they came.
pub(super) struct NanoFields {
    pub(super) id: Field,
    pub(super) seqnum: Field,
    pub(super) blueprint_id: Field,
    pub(super) method: Field,
    pub(super) args: Field,
    pub(super) address: Field,
    pub(super) context: Field,
    pub(super) pubkey: Field,
}

impl NanoFields {
    pub(super) fn read(&self) -> Option<VertexNano> {
        if self.id.is_none() {
            let public_key = hex::decode(value(&self.pubkey)?.as_str()?).ok()?;
            return Some(VertexNano::Blueprint { public_key });
        }
        self.call().map(VertexNano::Call)
    }

    fn call(&self) -> Option<NanoCall> {
        let context = value(&self.context);
        let actions = context.as_ref().and_then(|context| context.get("actions")?.as_array());
        let timestamp = context.as_ref().and_then(|context| context.get("timestamp")?.as_u64());
        Some(NanoCall {
            contract: value(&self.id)?.as_str()?.parse().ok()?,
            // Empty where the node does not know it.
            blueprint: value(&self.blueprint_id).and_then(|id| id.as_str()?.parse().ok()),
            seqnum: value(&self.seqnum)?.as_u64()?,
            method: value(&self.method)?.as_str()?.to_owned(),
            args: hex::decode(value(&self.args)?.as_str()?).ok()?,
            caller: Address::parse_any(value(&self.address)?.as_str()?).ok()?,
            actions: actions.into_iter().flatten().map(action).collect::<Option<_>>()?,
            timestamp: timestamp.and_then(|time| time.try_into().ok()),
        })
    }
}

fn value(field: &Field) -> Option<Value> {
    json::read(field.as_ref()?.get().as_bytes()).ok()
}

fn action(json: &Value) -> Option<TokenAction> {
    let name = json.get("type")?.as_str()?;
    let kind = ActionKind::ALL.into_iter().find(|kind| kind.name() == name)?;
    let has = |right: &str| json.get(right).and_then(Value::as_bool);
    let amount = match kind {
        ActionKind::Deposit | ActionKind::Withdrawal => json.get("amount")?.as_u64()?,
        ActionKind::GrantAuthority | ActionKind::AcquireAuthority => {
            let bit = |is_there, bit| if is_there { u64::from(bit) } else { 0 };
            bit(has("mint")?, Output::MINT) | bit(has("melt")?, Output::MELT)
        }
    };
    Some(TokenAction {
        kind,
        token: json.get("token_uid")?.as_str()?.parse().ok()?,
        amount: Amount::from(amount),
    })
}
