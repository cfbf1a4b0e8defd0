//! What the full node says of contracts and blueprints.

use super::{CallError, Fault, FullNode};
use crate::json;
use crate::ledger::VertexId;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// Blueprints remembered; and the most methods, and arguments of one, that are.
const MAX_BLUEPRINTS: usize = 64;
const MAX_METHODS: usize = 1_000;
const MAX_ARGS: usize = 1_000;

/// What the public methods of a blueprint take: the names of their arguments' types, by the method's name.
pub type Methods = HashMap<String, Vec<String>>;

/// The blueprints that were asked for last: one that is on the ledger never changes.
#[derive(Clone, Default)]
pub(super) struct KnownBlueprints(Arc<Mutex<VecDeque<KnownBlueprint>>>);
type KnownBlueprint = (VertexId, Arc<Methods>);

impl KnownBlueprints {
    fn get(&self, id: &VertexId) -> Option<Arc<Methods>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(known, _)| known == id).map(|(_, methods)| methods.clone())
    }
    fn put(&self, id: VertexId, methods: Arc<Methods>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() == MAX_BLUEPRINTS {
            known.pop_front();
        }
        known.push_back((id, methods));
    }
}

/// Which state of a contract is asked for, and what of it.
#[derive(Clone, Copy, Debug)]
pub struct StateQuery<'a> {
    /// The contract, as given.
    pub id: &'a str,
    #[allow(missing_docs)]
    pub fields: &'a [String],
    /// Uids of tokens.
    pub balances: &'a [String],
    /// Calls of methods that change nothing.
    pub calls: &'a [String],
    /// After this block; the best one if none is given.
    pub block_hash: Option<&'a str>,
    /// After the block at this height.
    pub block_height: Option<u64>,
}

impl FullNode {
    /// `GET nano_contract/state`, as the node answers it.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked or refuses, with [`Fault::InvalidAnswer`] for what is no
    /// JSON.
    pub async fn contract_state(&self, query: StateQuery<'_>) -> Result<Value, CallError> {
        let height = query.block_height.map(|height| height.to_string());
        let lists = [("fields[]", query.fields), ("balances[]", query.balances), ("calls[]", query.calls)];
        let lists =
            lists.iter().flat_map(|(name, values)| values.iter().map(|value| (*name, value.as_str())));
        let block = query.block_hash.map(|hash| ("block_hash", hash));
        let height = height.as_deref().map(|height| ("block_height", height));
        let pairs: Vec<_> =
            std::iter::once(("id", query.id)).chain(lists).chain(block).chain(height).collect();
        self.nano("nano_contract/state", &pairs).await
    }

    /// The transactions that called a contract, newest first, from `GET nano_contract/history`.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked or refuses, with [`Fault::InvalidAnswer`] for an answer that
    /// has no list.
    pub async fn contract_history(
        &self,
        id: &str,
        count: Option<u64>,
        after: Option<&str>,
        before: Option<&str>,
    ) -> Result<Value, CallError> {
        let path = "nano_contract/history";
        let count = count.map(|count| count.to_string());
        let given = [("count", count.as_deref()), ("after", after), ("before", before)];
        let given = given.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let pairs: Vec<_> = std::iter::once(("id", id)).chain(given).collect();
        match self.nano(path, &pairs).await?.get_mut("history") {
            Some(history @ Value::Array(_)) => Ok(history.take()),
            _ => Err(self.endpoint.error(path, Fault::InvalidAnswer("it has no history".to_owned()))),
        }
    }

    /// What a contract is made of; `None` if there is no such contract.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked.
    pub async fn blueprint_of(&self, contract: &VertexId) -> Result<Option<VertexId>, CallError> {
        let id = contract.to_string();
        let of = |answer: &Value, name: &str| answer.get(name)?.as_str()?.parse().ok();
        // A contract that no block has yet has no state.
        match self.nano("transaction", &[("id", &id)]).await {
            Ok(answer) => {
                let found = answer.get("tx").filter(|tx| tx.get("nc_id").is_some());
                if let Some(found) = found.and_then(|tx| of(tx, "nc_blueprint_id")) {
                    return Ok(Some(found));
                }
            }
            Err(CallError { fault: Fault::Refused(_), .. }) => {}
            Err(failure) => return Err(failure),
        }
        // One that was made by another contract has no transaction.
        match self.nano("nano_contract/state", &[("id", &id)]).await {
            Ok(answer) => Ok(of(&answer, "blueprint_id")),
            Err(CallError { fault: Fault::Refused(_), .. }) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// What the public methods of a blueprint take; `None` if there is no such blueprint. Asked for once.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, with [`Fault::InvalidAnswer`] for an answer that does not
    /// say it.
    pub async fn methods(&self, blueprint: &VertexId) -> Result<Option<Arc<Methods>>, CallError> {
        if let Some(known) = self.blueprints.get(blueprint) {
            return Ok(Some(known));
        }
        let path = "nano_contract/blueprint/info";
        let answer = match self.nano(path, &[("blueprint_id", &blueprint.to_string())]).await {
            Err(CallError { fault: Fault::Refused(_), .. }) => return Ok(None),
            answer => answer?,
        };
        let methods = methods_in(&answer).map(Arc::new).ok_or_else(|| {
            self.endpoint
                .error(path, Fault::InvalidAnswer("it does not say what its methods take".to_owned()))
        })?;
        self.blueprints.put(*blueprint, methods.clone());
        Ok(Some(methods))
    }

    async fn nano(&self, path: &str, query: &[(&str, &str)]) -> Result<Value, CallError> {
        let response = self.endpoint.get(path, query).await?;
        let answer = json::read(&response.body)
            .map_err(|error| self.endpoint.error(path, Fault::InvalidAnswer(error.to_string())))?;
        if answer.get("success") == Some(&Value::Bool(false)) {
            return Err(self.endpoint.refused(path, &response));
        }
        Ok(answer)
    }
}

fn methods_in(answer: &Value) -> Option<Methods> {
    let methods = answer.get("public_methods")?.as_object().filter(|all| all.len() <= MAX_METHODS)?;
    let method = |(name, method): (&String, &Value)| {
        let args = method.get("args")?.as_array().filter(|args| args.len() <= MAX_ARGS)?;
        let of_type = |arg: &Value| Some(arg.get("type")?.as_str()?.to_owned());
        Some((name.clone(), args.iter().map(of_type).collect::<Option<_>>()?))
    };
    methods.iter().map(method).collect()
}
