//! Calls of contracts: what only the node knows of them, and what oracles sign.

use super::inner::Inner;
use super::{MessageError, SendError, Wallet};
use crate::ledger::nano::ArgType;
use crate::ledger::{Address, TokenUid, TokenVersion, VertexId};
use crate::nano_args::{ArgsError, args_from_json};
use crate::node::FullNode;
use crate::wallet::{ActionRequest, CallRequest};
use serde_json::Value;

/// A call of a contract's method, as it is asked for.
#[derive(Clone, Debug)]
pub struct ContractCall {
    #[allow(missing_docs)]
    pub target: Target,
    /// As JSON has them.
    pub args: Vec<Value>,
    /// Without its arguments, and without how tokens are paid for.
    pub request: CallRequest,
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The creation of a contract, of a blueprint.
    Create(VertexId),
    /// A contract that there is.
    Execute,
}

impl ContractCall {
    /// Fills in the arguments, of the types that the blueprint has, and how the tokens moved are paid for.
    pub(super) async fn complete(&mut self, wallet: &Inner, node: &FullNode) -> Result<(), SendError> {
        let Self { target, args, request } = self;
        let types = wallet.arg_types(node, *target, &request.contract, &request.method).await?;
        let types = types.ok_or_else(|| {
            SendError::Contract(format!(
                "Error getting nano contract transaction data with id {} from the full node: Nano contract not found.",
                request.contract
            ))
        })?;
        let written = args_from_json(&types, args, wallet.backend.network);
        request.args = written.map_err(|error| match error {
            ArgsError::Encode(error) => SendError::Encode(error),
            error @ ArgsError::Value { .. } => SendError::Contract(format!("data.{error}")),
            error @ ArgsError::Count { .. } => SendError::Contract(error.to_string()),
        })?;
        for token in request.actions.iter().map(ActionRequest::token) {
            if let TokenUid::Custom(token) = token
                && wallet.token_version(node, &token).await? == TokenVersion::Fee
            {
                request.fee_tokens.insert(token);
            }
        }
        Ok(())
    }
}

impl Inner {
    /// What a method's arguments are; `None` if there is no such contract.
    pub(super) async fn arg_types(
        &self,
        node: &FullNode,
        target: Target,
        contract: &VertexId,
        method: &str,
    ) -> Result<Option<Vec<ArgType>>, SendError> {
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
        types.map(Some).map_err(|unknown| SendError::Contract(unknown.to_string()))
    }
}

impl Wallet {
    /// Signs what an oracle says, as the script that pays `address` demands it.
    ///
    /// # Errors
    /// [`MessageError`] if the wallet is not ready or can't sign, or if the address is another wallet's.
    pub async fn sign_as_oracle(&self, address: &Address, said: &[u8]) -> Result<Vec<u8>, MessageError> {
        let index = self.read(|state, _| state.index_of(address))?.ok_or(MessageError::NotMine)?;
        let signer = self.inner.signer_alone().map_err(|_| MessageError::ReadOnly)?;
        Ok(self.inner.sign_said(&**signer, index, said).await?)
    }
}
