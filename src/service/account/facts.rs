//! Facts for events that outlast the process: incoming payments, sends, and their outcomes. The wallet states
//! facts along with its changes; the store makes events of them.

use crate::api::{EventOutput, FeatureWarning, MovementData};
use crate::ledger::{SignedAmount, TokenUid, Vertex, VertexId, sha256d};
use crate::node::{FeatureState, UnsupportedFeature};
use crate::store::{EventFact, EventKind, Happening, Movement, Standing};
use crate::wallet::{Event, State};

/// Only native builds have an event log; pages compile nothing for it.
pub const EVENTS: bool = cfg!(feature = "native");

pub fn stated(state: &State, events: &[Event]) -> Vec<EventFact> {
    let mut facts = Vec::new();
    for event in events {
        let (id, standing) = match event {
            Event::NewVertex(id) => (id, Standing::Entered),
            Event::UpdatedVertex { id, voided: Some(true) } => (id, Standing::Voided),
            Event::UpdatedVertex { id, voided: Some(false) } => (id, Standing::Valid),
            Event::UpdatedVertex { .. } | Event::NewAddresses(_) | Event::BestHeight(_) => continue,
        };
        let Some(vertex) = state.vertex(id) else { continue };
        // A transaction that was void from the start has moved nothing.
        if standing != Standing::Entered || !vertex.voided {
            facts.push(fact(state, &vertex, standing, None));
        }
    }
    facts
}

/// `height` is that of the first block that confirmed the transaction, if the fact states it.
pub fn fact(state: &State, vertex: &Vertex, standing: Standing, height: Option<u32>) -> EventFact {
    let effect = state.effect(vertex, |_| None);
    let is_own_call = || {
        let call = vertex.nano.as_ref().and_then(|nano| nano.call());
        call.is_some_and(|call| state.index_of(&call.caller).is_some())
    };
    let movement = match effect.own_inputs.is_empty() && !is_own_call() {
        true => Movement::Deposit,
        false => Movement::Send,
    };
    let outputs = (0..=u8::MAX).zip(&vertex.outputs).filter_map(|(index, output)| {
        let own = state.paid_index(&output.output.script);
        let is_told = match movement {
            Movement::Deposit => own.is_some(),
            Movement::Send => own.is_none(),
        };
        is_told.then_some(EventOutput { index, output: &output.output, network: state.network(), own })
    });
    let data = MovementData {
        vertex,
        height,
        amounts: effect
            .net
            .iter()
            .map(|(token, amount)| (*token, *amount))
            .collect::<Vec<(TokenUid, SignedAmount)>>(),
        outputs: outputs.collect(),
    };
    let data = serde_json::to_string(&data).expect("answers have text keys and no failing parts");
    EventFact { tx: vertex.id, happened: Happening::Moved(movement, standing), data }
}

/// The fact that this version does not support a feature of the network, once for each state of the feature.
pub fn of_feature(feature: &UnsupportedFeature) -> EventFact {
    let step = match feature.state {
        FeatureState::LockedIn => 1,
        FeatureState::Active => 2,
    };
    let data = serde_json::to_string(&FeatureWarning::from(feature));
    EventFact {
        tx: VertexId(sha256d(format!("feature\n{}", feature.name).as_bytes())),
        happened: Happening::Step(EventKind::FeatureUnsupported, step),
        data: data.expect("answers have text keys and no failing parts"),
    }
}
