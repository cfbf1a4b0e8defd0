//! What a packed vertex has to do with contracts.

use super::compact::{Reader, Writer};
use crate::ledger::nano::{ActionKind, NanoCall, TokenAction, VertexNano};
use crate::ledger::{Address, TokenUid, VertexId};

const BLUEPRINT: u8 = 0;
const CALL: u8 = 1;

pub(super) fn write(to: &mut Writer, nano: &VertexNano, has_parts: bool) {
    let call = match nano {
        VertexNano::Blueprint { public_key } => {
            to.0.push(BLUEPRINT);
            return to.bytes(public_key);
        }
        VertexNano::Call(call) => call,
    };
    to.0.push(CALL);
    to.id(&call.contract);
    to.0.push(call.blueprint.is_some().into());
    call.blueprint.iter().for_each(|id| to.id(id));
    to.int(call.seqnum.into());
    to.bytes(call.method.as_bytes());
    to.bytes(&call.args);
    to.0.extend(call.caller.to_bytes());
    to.0.push(call.timestamp.is_some().into());
    call.timestamp.iter().for_each(|time| to.0.extend(time.to_be_bytes()));
    to.len(call.actions.len());
    for action in &call.actions {
        to.0.push(action.kind as u8);
        match action.token {
            TokenUid::Native => to.0.push(0),
            TokenUid::Custom(id) => {
                to.0.push(1);
                to.id(&id);
            }
        }
        to.amount(action.amount, has_parts);
    }
}

pub(super) fn read(from: &mut Reader<'_>, has_parts: bool) -> Option<VertexNano> {
    match from.byte()? {
        BLUEPRINT => Some(VertexNano::Blueprint { public_key: from.bytes()?.to_vec() }),
        CALL => read_call(from, has_parts).map(VertexNano::Call),
        _ => None,
    }
}

fn read_call(from: &mut Reader<'_>, has_parts: bool) -> Option<NanoCall> {
    let contract = from.id()?;
    let blueprint = optional_id(from)?;
    let seqnum = from.int()?.try_into().ok()?;
    let method = from.text()?.to_owned();
    let args = from.bytes()?.to_vec();
    let caller = Address::from_bytes(from.array()?)?;
    let is_timed = from.flag()?;
    let timestamp = from.u32_if(is_timed)?;
    // Each takes bytes, so what is left bounds them.
    let mut actions = Vec::new();
    for _ in 0..from.len()? {
        let kind = from.byte()?;
        let kind = ActionKind::ALL.into_iter().find(|known| *known as u8 == kind)?;
        let token = optional_id(from)?.map_or(TokenUid::Native, TokenUid::Custom);
        actions.push(TokenAction { kind, token, amount: from.amount(has_parts)? });
    }
    Some(NanoCall { contract, blueprint, seqnum, method, args, caller, actions, timestamp })
}

fn optional_id(from: &mut Reader<'_>) -> Option<Option<VertexId>> {
    let is_given = from.flag()?;
    from.id_if(is_given)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ledger::{Amount, Network};
    use proptest::collection::vec;
    use proptest::prelude::*;

    pub(in crate::wallet) fn nano() -> impl Strategy<Value = VertexNano> {
        let id = || any::<[u8; 32]>().prop_map(VertexId);
        let token = prop_oneof![Just(TokenUid::Native), id().prop_map(TokenUid::Custom)];
        let action = (proptest::sample::select(&ActionKind::ALL), token, any::<u128>())
            .prop_map(|(kind, token, units)| TokenAction { kind, token, amount: Amount::of_units(units) });
        let bytes = || vec(any::<u8>(), 0..200);
        let call = (id(), proptest::option::of(id()), any::<u64>(), any::<String>(), bytes());
        let call = (call, any::<[u8; 20]>(), vec(action, 0..4), any::<Option<u32>>()).prop_map(
            |((contract, blueprint, seqnum, method, args), hash, actions, timestamp)| {
                let caller = Address::p2pkh(Network::Testnet, hash);
                let call = NanoCall { contract, blueprint, seqnum, method, args, caller, actions, timestamp };
                VertexNano::Call(call)
            },
        );
        prop_oneof![bytes().prop_map(|public_key| VertexNano::Blueprint { public_key }), call]
    }
}
