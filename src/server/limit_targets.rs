//! Whether the full node knows what limits name: tokens and contracts. A slip in one of their ids makes a
//! limit that never holds.

use super::App;
use crate::ledger::{TokenUid, VertexId};
use crate::limits::{Cap, Rule, Which};
use crate::node::{CallError, FullNode, Lane};
use crate::service::{Phase, Wallet};
use std::collections::BTreeSet;
use tracing::Instrument;

/// Looks, once a wallet is ready, at the limits of it and of the keys that may touch it. What the node does
/// not know is written to the log: it may be made later, so the limits stay.
pub(super) fn look_when_ready(app: &App, id: &str, wallet: &Wallet) {
    let known = app.access().known();
    let of_keys = known.all.iter().map(|(key, _)| key).filter(|key| key.grant.is_for(id));
    let of_keys = of_keys.filter(|key| key.revoked.is_none()).flat_map(|key| key.grant.limits.iter());
    let rules: Vec<Rule> =
        app.limits_of(id).iter().chain(of_keys).filter(|rule| names_any(rule)).cloned().collect();
    if rules.is_empty() {
        return;
    }
    let wallet = wallet.unguarded();
    let span = tracing::error_span!(parent: None, "wallet", id);
    let look = async move {
        if wallet.ready().await.phase != Phase::Ready {
            return;
        }
        match unknown(&wallet.backend().node, &rules).await {
            Ok(unknown) => unknown.iter().for_each(|why| tracing::warn!("{why}")),
            Err(error) => tracing::warn!(
                "whether limits name tokens and contracts that are there is not known: {error}"
            ),
        }
    };
    tokio::spawn(look.instrument(span));
}

/// A sentence for each rule that names a token or a contract that the node does not know.
///
/// # Errors
/// [`CallError`] if the node can't be asked.
pub(super) async fn unknown(node: &FullNode, rules: &[Rule]) -> Result<BTreeSet<String>, CallError> {
    let node = &node.in_lane(Lane::Load);
    let mut said = BTreeSet::new();
    let mut known = BTreeSet::new();
    for rule in rules {
        let why = match rule {
            Rule::Cap(Cap { which: Which::Token(token @ TokenUid::Custom(id)), .. }) => {
                let is_known = known.contains(id) || node.token(token).await?.is_some();
                known.extend(is_known.then_some(*id));
                (!is_known).then_some("token")
            }
            Rule::Call(contract, method) => why_not_called(node, contract, method.as_deref()).await?,
            Rule::Cap(_) | Rule::To(_) | Rule::NotTo(_) => None,
        };
        said.extend(
            why.map(|what| format!("the limit \"{rule}\" names a {what} that the full node does not know")),
        );
    }
    Ok(said)
}

fn names_any(rule: &Rule) -> bool {
    matches!(rule, Rule::Call(..) | Rule::Cap(Cap { which: Which::Token(TokenUid::Custom(_)), .. }))
}

/// What of a call the node does not know. A contract that is to be created counts as its blueprint.
async fn why_not_called(
    node: &FullNode,
    contract: &VertexId,
    method: Option<&str>,
) -> Result<Option<&'static str>, CallError> {
    let blueprint = node.blueprint_of(contract).await?.unwrap_or(*contract);
    let methods = node.methods(&blueprint).await?;
    Ok(match (methods, method) {
        (None, _) => Some("contract"),
        (Some(methods), Some(method)) if !methods.contains_key(method) => Some("method"),
        (Some(_), _) => None,
    })
}
