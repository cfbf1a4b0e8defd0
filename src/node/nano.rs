//! What the full node says of contracts and blueprints.

use super::endpoint::refusal;
use super::in_cents::{history_in_cents, state_in_cents};
use super::object::{self, Object, object};
use super::{CallError, Fault, FullNode};
use crate::json;
use crate::ledger::nano::ArgType;
use crate::ledger::{VertexId, sha256d};
use crate::net::Response;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

const STATE: &str = "nano_contract/state";

/// Most bytes of an answer on a blueprint. Nodes take code of 240,000 bytes
/// (`NC_ON_CHAIN_BLUEPRINT_CODE_MAX_SIZE_UNCOMPRESSED`), and no letter of it takes more than three times as
/// many in their JSON.
const MAX_BLUEPRINT_BYTES: usize = 1024 * 1024;
/// Most bytes of a contract's state. Nodes have no limit there; who asks chooses what of it he gets.
const MAX_STATE_BYTES: usize = 1024 * 1024;
/// Most bytes of a contract's history. Nodes give at most 499 calls at once, and most calls take 2 to 4 kB.
const MAX_HISTORY_BYTES: usize = 4 * 1024 * 1024;
/// Most bytes that remembered blueprints take together.
const MAX_REMEMBERED_BYTES: usize = 4 * 1024 * 1024;

/// What the public methods of a blueprint take: the names of their arguments' types, by the method's name.
pub type Methods = HashMap<String, Vec<String>>;

/// Most blueprints whose first answer is known.
const MAX_FIRST_SEEN: usize = 10_000;

/// The blueprints that were asked for last, and what the node said first of each: one that is on the ledger
/// never changes.
#[derive(Clone, Default)]
pub(super) struct KnownBlueprints(Arc<Mutex<Known>>);
type KnownBlueprint = (VertexId, Arc<Methods>);

#[derive(Default)]
struct Known {
    last: VecDeque<KnownBlueprint>,
    /// Hashes of their methods.
    first: HashMap<VertexId, [u8; 32]>,
}

impl KnownBlueprints {
    fn get(&self, id: &VertexId) -> Option<Arc<Methods>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.last.iter().find(|(known, _)| known == id).map(|(_, methods)| methods.clone())
    }
    /// Gives whether it is what the node has always said.
    fn put(&self, id: VertexId, methods: Arc<Methods>) -> bool {
        let Known { last, first } = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sorted: BTreeMap<_, _> = methods.iter().collect();
        let hash = sha256d(&serde_json::to_vec(&sorted).expect("texts are JSON"));
        if first.get(&id).is_some_and(|first| *first != hash) {
            return false;
        }
        if first.len() < MAX_FIRST_SEEN {
            first.insert(id, hash);
        }
        last.push_back((id, methods));
        let mut bytes: usize = last.iter().map(|(_, methods)| bytes_of(methods)).sum();
        while bytes > MAX_REMEMBERED_BYTES
            && let Some((_, oldest)) = last.pop_front()
        {
            bytes -= bytes_of(&oldest);
        }
        true
    }
}

/// About how many bytes the methods of a blueprint take in memory.
fn bytes_of(methods: &Methods) -> usize {
    let text = |text: &String| size_of::<String>() + text.capacity();
    let method = |(name, args): (&String, &Vec<String>)| {
        text(name) + size_of::<Vec<String>>() + args.iter().map(text).sum::<usize>()
    };
    size_of::<KnownBlueprint>() + methods.iter().map(method).sum::<usize>()
}

/// Which state of a contract is asked for, and what of it.
#[derive(Clone, Copy, Debug)]
pub struct StateQuery<'a> {
    /// The contract, as given.
    pub id: &'a str,
    pub fields: &'a [String],
    pub balances: &'a [String],
    /// Calls of methods that change nothing.
    pub calls: &'a [String],
    /// After this block; the best one if none is given.
    pub block_hash: Option<&'a str>,
    /// After the block at this height.
    pub block_height: Option<u64>,
}

/// A call of a contract that a block has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfirmedCall {
    pub block: VertexId,
    /// When it was carried out, in Unix seconds.
    pub timestamp: Option<u32>,
    /// What the contract is made of.
    pub blueprint: Option<VertexId>,
}

impl FullNode {
    /// Which block has a call of a contract; `None` as long as none has, if the call is voided, or if the
    /// node does not know it.
    pub async fn confirmed_call(&self, id: &VertexId) -> Result<Option<ConfirmedCall>, CallError> {
        #[derive(Deserialize)]
        struct Wire {
            #[serde(deserialize_with = "object")]
            tx: Tx,
            #[serde(deserialize_with = "object")]
            meta: Meta,
        }
        #[derive(Deserialize)]
        struct Tx {
            nc_blueprint_id: Option<String>,
            nc_context: Option<Object<Context>>,
        }
        #[derive(Deserialize)]
        struct Context {
            timestamp: Option<u32>,
        }
        #[derive(Deserialize)]
        struct Meta {
            voided_by: Vec<String>,
            first_block: Option<VertexId>,
        }
        let Some(Wire { tx, meta }) = self.find::<Wire>(id).await? else { return Ok(None) };
        let block = meta.first_block.filter(|_| meta.voided_by.is_empty());
        Ok(block.map(|block| ConfirmedCall {
            block,
            timestamp: tx.nc_context.and_then(|Object(context)| context.timestamp),
            blueprint: tx.nc_blueprint_id.and_then(|id| id.parse().ok()),
        }))
    }

    /// `GET nano_contract/state`, as the node answers it, with balances in cents.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked or refuses, with [`Fault::InvalidAnswer`] for what is more
    /// than 1 MiB, or not fit for [`json::raw`].
    pub async fn contract_state(&self, query: StateQuery<'_>) -> Result<Box<RawValue>, CallError> {
        let height = query.block_height.map(|height| height.to_string());
        let lists = [("fields[]", query.fields), ("balances[]", query.balances), ("calls[]", query.calls)];
        let lists =
            lists.iter().flat_map(|(name, values)| values.iter().map(|value| (*name, value.as_str())));
        let block = query.block_hash.map(|hash| ("block_hash", hash));
        let height = height.as_deref().map(|height| ("block_height", height));
        let pairs: Vec<_> =
            std::iter::once(("id", query.id)).chain(lists).chain(block).chain(height).collect();
        let state = match self.nano(STATE, &pairs, MAX_STATE_BYTES).await {
            Ok(answer) => json::raw(answer.body),
            failure => {
                let answer = self.endpoint.or_in_decimals(failure, STATE, &pairs).await?;
                state_in_cents(&self.unless_refused(STATE, answer)?.body)
            }
        };
        let state = state.map_err(|error| self.invalid(STATE, error.to_string()))?;
        if !state.get().starts_with('{') {
            return Err(self.invalid(STATE, "it has no state".to_owned()));
        }
        Ok(state)
    }

    /// The transactions that called a contract, newest first, from `GET nano_contract/history`.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked or refuses, with [`Fault::InvalidAnswer`] for what is more
    /// than 4 MiB, or has no list that is fit for [`json::raw`].
    pub async fn contract_history(
        &self,
        id: &str,
        count: Option<u64>,
        after: Option<&str>,
        before: Option<&str>,
    ) -> Result<Box<RawValue>, CallError> {
        #[derive(Deserialize)]
        struct Wire<'a> {
            #[serde(borrow)]
            history: &'a RawValue,
        }
        let path = "nano_contract/history";
        let count = count.map(|count| count.to_string());
        let given = [("count", count.as_deref()), ("after", after), ("before", before)];
        let given = given.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let pairs: Vec<_> = std::iter::once(("id", id)).chain(given).collect();
        let answer = self.nano(path, &pairs, MAX_HISTORY_BYTES).await?;
        let history = object::read::<Wire<'_>>(&answer.body).map(|wire| wire.history.get());
        match history {
            Ok(list) if list.starts_with('[') => {
                let list = json::raw(list.into()).and_then(history_in_cents);
                list.map_err(|error| self.invalid(path, error.to_string()))
            }
            _ => Err(self.invalid(path, "it has no history".to_owned())),
        }
    }

    /// What a contract is made of; `None` if there is no such contract.
    pub async fn blueprint_of(&self, contract: &VertexId) -> Result<Option<VertexId>, CallError> {
        #[derive(Deserialize)]
        struct Tx {
            nc_id: Option<String>,
            nc_blueprint_id: Option<String>,
        }
        #[derive(Deserialize)]
        struct State {
            blueprint_id: VertexId,
        }
        let id = contract.to_string();
        // A contract that no block has yet has no state.
        match self.transaction_body(contract).await {
            Ok(Tx { nc_id: Some(_), nc_blueprint_id: Some(blueprint) }) => {
                if let Ok(blueprint) = blueprint.parse() {
                    return Ok(Some(blueprint));
                }
            }
            Ok(_) | Err(CallError { fault: Fault::Refused(_), .. }) => {}
            Err(failure) => return Err(failure),
        }
        // One that was made by another contract has no transaction.
        match self.nano(STATE, &[("id", &id)], MAX_STATE_BYTES).await {
            Ok(answer) => {
                self.endpoint.parse(STATE, &answer).map(|State { blueprint_id }| Some(blueprint_id))
            }
            Err(CallError { fault: Fault::Refused(_), .. }) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// What the public methods of a blueprint take; `None` if there is no such blueprint. Asked for once.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, with [`Fault::InvalidAnswer`] for an answer that does not
    /// say it, or says too much.
    pub async fn methods(&self, blueprint: &VertexId) -> Result<Option<Arc<Methods>>, CallError> {
        if let Some(known) = self.blueprints.get(blueprint) {
            return Ok(Some(known));
        }
        let path = "nano_contract/blueprint/info";
        let query = [("blueprint_id", &*blueprint.to_string())];
        let answer = match self.nano(path, &query, MAX_BLUEPRINT_BYTES).await {
            Err(CallError { fault: Fault::Refused(_), .. }) => return Ok(None),
            answer => answer?,
        };
        let methods = methods_in(&answer.body).map_err(|what| self.invalid(path, what))?;
        let methods = Arc::new(methods);
        if !self.blueprints.put(*blueprint, methods.clone()) {
            let what = format!(
                "it says something else of the blueprint {blueprint} than before, and a blueprint never changes"
            );
            return Err(self.invalid(path, what));
        }
        Ok(Some(methods))
    }

    async fn nano(&self, path: &str, query: &[(&str, &str)], most: usize) -> Result<Response, CallError> {
        self.unless_refused(path, self.endpoint.get_within(path, query, most).await?)
    }

    fn unless_refused(&self, path: &str, answer: Response) -> Result<Response, CallError> {
        match refusal(&answer.body) {
            Some(message) => Err(self.endpoint.error(path, Fault::Refused(message))),
            None => Ok(answer),
        }
    }

    fn invalid(&self, path: &str, what: String) -> CallError {
        self.endpoint.error(path, Fault::InvalidAnswer(what))
    }
}

fn methods_in(answer: &[u8]) -> Result<Methods, String> {
    #[derive(Deserialize)]
    struct Wire {
        #[serde(deserialize_with = "object::entries")]
        public_methods: Vec<(String, Object<Method>)>,
    }
    #[derive(Deserialize)]
    struct Method {
        args: Vec<Object<Arg>>,
    }
    #[derive(Deserialize)]
    struct Arg {
        #[serde(rename = "type")]
        type_name: String,
    }
    let wire: Wire = object::read(answer).map_err(|_| "it does not say what its methods take".to_owned())?;
    let method = |(name, Object(method)): (String, Object<Method>)| {
        let of_type = |Object(Arg { type_name })| match type_name.len() {
            ..=ArgType::MAX_NAME_BYTES => Ok(type_name),
            bytes => {
                Err(format!("the name of a type has {bytes} bytes, more than {}", ArgType::MAX_NAME_BYTES))
            }
        };
        Ok((name, method.args.into_iter().map(of_type).collect::<Result<_, String>>()?))
    };
    wire.public_methods.into_iter().map(method).collect()
}
