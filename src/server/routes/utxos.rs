//! Listing unspent outputs, and making one of many.

use super::valid::Valid;
use super::write::{Sending, write_and};
use crate::api::texts::READ_ONLY_CONSOLIDATE;
use crate::api::{Consolidate, ConsolidationAnswer, Location, Refusal, UtxoAnswer, UtxoFilter, UtxoList};
use crate::ledger::{Address, AddressError};
use crate::server::App;
use crate::server::answer::{Refused, json, json_text};
use crate::server::selection::Selected;
use crate::service::{Operation, Sent};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

pub(super) async fn filter(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(query): Valid<UtxoFilter>,
) -> Result<Response, Refused> {
    let compat = app.config().compat;
    let name = if query.filter_address.is_some() { "filter_address" } else { "address" };
    check_address(&app, query.of_address(), (name, Location::Query))?;
    let Some(filter) = query.for_network(app.config().network, compat) else {
        return Ok(json_text(UtxoList::default().to_json()));
    };
    // Written while the state is locked, so that no address is copied.
    let answer = selected.wallet.read(|state, now| {
        let found = state.utxos(&filter, now);
        let utxos = found.utxos.iter().map(|utxo| UtxoAnswer {
            address: state.address_text(utxo.address_index).expect("outputs are of derived addresses"),
            amount: utxo.value,
            outpoint: utxo.outpoint,
            locked: utxo.locked,
        });
        json_text(UtxoList(utxos.collect()).to_json())
    });
    answer.map_err(|not_ready| app.refuse_not_ready(not_ready))
}

pub(super) async fn consolidate(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Sending { request, manner }: Sending<Consolidate>,
) -> Result<Response, Refused> {
    check_address(&app, request.filter_address.as_deref(), ("filter_address", Location::Body))?;
    let request = request.for_network(app.config().network).map_err(|refusal| app.refuse(refusal))?;
    let token = request.outputs.token;
    let operation = Operation::Consolidate(request);
    let answer = |sent: &Sent| {
        // Also when the wallet has lost its node since: it was sent.
        selected.wallet.look(|state, _| {
            let vertex = state.vertex(&sent.id);
            let inputs = vertex.iter().flat_map(|vertex| &vertex.inputs).filter(|i| i.output.token == token);
            let utxos = inputs.map(|input| UtxoAnswer {
                address: state
                    .paid_index(&input.output.script)
                    .and_then(|i| state.address_text(i))
                    .unwrap_or(""),
                amount: input.output.value,
                outpoint: input.spends,
                locked: false,
            });
            json(&ConsolidationAnswer { id: sent.id, utxos: utxos.collect() })
        })
    };
    write_and(&app, &selected, manner, operation, READ_ONLY_CONSOLIDATE, answer).await
}

/// Refuses a filter by a text that is no address of the network: a typo must not read as "nothing there".
fn check_address(app: &App, given: Option<&str>, (name, location): (&str, Location)) -> Result<(), Refused> {
    let Some(text) = given.filter(|_| app.config().compat.checks_tokens_and_filters()) else { return Ok(()) };
    let network = app.config().network;
    let refused = |error: AddressError| {
        let error = error.to_string();
        let must = format!("must be an address of {}: {}", network.name(), error.trim_end_matches('.'));
        app.refuse(Refusal::field(name, text, location, must))
    };
    Address::parse(text, network).map(drop).map_err(refused)
}
