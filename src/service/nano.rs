//! Calls of contracts: what only the node knows about them, and oracles' signatures.

use super::error::SendError;
use super::messages::MessageError;
use super::wallet::Wallet;
use crate::ledger::nano::{ArgType, read_args};
use crate::ledger::{Address, TokenUid, TokenVersion, Transaction, VertexId};
use crate::nano_args::{ArgsError, arg_to_json, args_from_json};
use crate::wallet::{ActionRequest, CallRequest};
use serde_json::Value;

#[derive(Clone, Debug)]
pub struct ContractCall {
    pub target: Target,
    /// As in JSON.
    pub args: Vec<Value>,
    /// The method's argument types as the caller expects them, if it does not rely on the node.
    pub expected: Option<Vec<String>>,
    /// Without its arguments, and without how tokens are paid for.
    pub request: CallRequest,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CallArgument {
    /// The type's name, as the node states it.
    pub of: String,
    /// As in JSON.
    pub value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// With the blueprint's id.
    Create(VertexId),
    Execute,
}

impl ContractCall {
    /// Fills in the arguments, by the types of the blueprint, and how the tokens moved are paid for.
    pub(super) async fn complete(&mut self, wallet: &Wallet) -> Result<(), SendError> {
        let Self { target, args, expected, request } = self;
        let types = wallet.arg_types(*target, &request.contract, &request.method).await?;
        let types = types.ok_or_else(|| {
            SendError::Contract(format!(
                "Error getting nano contract transaction data with id {} from the full node: Nano contract not found.",
                request.contract
            ))
        })?;
        if let Some(expected) = expected {
            let wanted: Result<Vec<_>, _> = expected.iter().map(|name| ArgType::parse(name)).collect();
            if wanted.as_ref() != Ok(&types.read) {
                return Err(SendError::Contract(format!(
                    "The full node says that the method {} takes ({}), and `data.arg_types` expects ({}): nothing was signed.",
                    request.method,
                    types.names.join(", "),
                    expected.join(", ")
                )));
            }
        }
        let written = args_from_json(&types.read, args, wallet.backend().network);
        request.args = written.map_err(|error| match error {
            ArgsError::Encode(error) => SendError::Encode(error),
            error @ ArgsError::Value { .. } => SendError::Contract(format!("data.{error}")),
            error @ ArgsError::Count { .. } => SendError::Contract(error.to_string()),
        })?;
        for token in request.actions.iter().map(ActionRequest::token) {
            if let TokenUid::Custom(token) = token
                && wallet.token_version(&token).await? == TokenVersion::Fee
            {
                request.fee_tokens.insert(token);
            }
        }
        Ok(())
    }
}

pub(super) struct MethodTypes {
    pub names: Vec<String>,
    pub read: Vec<ArgType>,
}

impl Wallet {
    /// The types of a method's arguments, from the node; `None` if there is no such contract.
    pub(super) async fn arg_types(
        &self,
        target: Target,
        contract: &VertexId,
        method: &str,
    ) -> Result<Option<MethodTypes>, SendError> {
        let node = self.node();
        let blueprint = match target {
            Target::Create(blueprint) => Some(blueprint),
            Target::Execute => node.blueprint_of(contract).await.map_err(SendError::Node)?,
        };
        let Some(blueprint) = blueprint else { return Ok(None) };
        let methods = node.methods(&blueprint).await.map_err(SendError::Node)?;
        let methods = methods.ok_or_else(|| SendError::Contract("Blueprint not found.".to_owned()))?;
        let names = methods
            .get(method)
            .ok_or_else(|| SendError::Contract(format!("Blueprint does not have method {method}.")))?;
        let types: Result<_, _> = names.iter().map(|name| ArgType::parse(name)).collect();
        match types {
            Ok(read) => Ok(Some(MethodTypes { names: names.clone(), read })),
            Err(unknown) => Err(SendError::Contract(unknown.to_string())),
        }
    }

    /// The arguments of the call in a transaction, for approvers; none without a call.
    ///
    /// # Errors
    /// [`SendError::Node`] if the node can't be asked for the types, [`SendError::Contract`] if the bytes
    /// don't fit them.
    pub async fn call_arguments(&self, transaction: &Transaction) -> Result<Vec<CallArgument>, SendError> {
        let Some(call) = transaction.nano() else { return Ok(Vec::new()) };
        let target = if call.is_creation() { Target::Create(call.id) } else { Target::Execute };
        let unreadable = || SendError::Contract("The arguments of the call can't be read.".to_owned());
        let types = self.arg_types(target, &call.id, &call.method).await?.ok_or_else(unreadable)?;
        let values = read_args(&types.read, &call.args).map_err(|_| unreadable())?;
        let arguments = types.names.into_iter().zip(types.read.iter().zip(&values));
        Ok(arguments
            .map(|(of, (read, value))| CallArgument { of, value: arg_to_json(read, value) })
            .collect())
    }

    /// Signs an oracle's data as the script that pays `address` demands it.
    ///
    /// # Errors
    /// [`MessageError`], also if the address is another wallet's.
    pub async fn sign_as_oracle(&self, address: &Address, said: &[u8]) -> Result<Vec<u8>, MessageError> {
        let index = self.read(|state, _| state.index_of(address))?.ok_or(MessageError::NotMine)?;
        let signer = self.inner.signer_alone().map_err(|_| MessageError::ReadOnly)?;
        Ok(self.sign_said(signer, index, said).await?)
    }
}
