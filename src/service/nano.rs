//! Calls of contracts: what only the node knows of them, and what oracles sign.

use super::inner::{Inner, Signer};
use super::{MessageError, SendError, Wallet};
use crate::api::arg_from_json;
use crate::ledger::nano::{ArgType, write_args};
use crate::ledger::{Address, TokenUid, TokenVersion, VertexId};
use crate::wallet::{ActionRequest, CallRequest};
use serde_json::Value;
use sha2::{Digest, Sha256};

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
    pub(super) async fn complete(&mut self, wallet: &Inner) -> Result<(), SendError> {
        let Self { target, args, request } = self;
        let node = &wallet.backend.node;
        let blueprint = match target {
            Target::Create(blueprint) => *blueprint,
            Target::Execute => {
                let found = node.blueprint_of(&request.contract).await.map_err(SendError::Node)?;
                found.ok_or_else(|| {
                    SendError::Contract(format!(
                        "Error getting nano contract transaction data with id {} from the full node: Nano contract not found.",
                        request.contract
                    ))
                })?
            }
        };
        let methods = node.methods(&blueprint).await.map_err(SendError::Node)?;
        let methods = methods.ok_or_else(|| SendError::Contract("Blueprint not found.".to_owned()))?;
        let types = methods.get(&request.method).ok_or_else(|| {
            SendError::Contract(format!("Blueprint does not have method {}.", request.method))
        })?;
        if types.len() != args.len() {
            return Err(SendError::Contract(format!(
                "Method needs {} parameters but data has {}.",
                types.len(),
                args.len()
            )));
        }
        let types: Result<Vec<_>, _> = types.iter().map(|name| ArgType::parse(name)).collect();
        let types = types.map_err(|unknown| SendError::Contract(unknown.to_string()))?;
        let network = wallet.backend.network;
        let values = types.iter().zip(args).enumerate().map(|(place, (of, json))| {
            arg_from_json(of, json, network)
                .map_err(|must| SendError::Contract(format!("data.args[{place}]{must}")))
        });
        request.args = write_args(&types, &values.collect::<Result<Vec<_>, _>>()?)?;
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

impl Wallet {
    /// Signs what an oracle says, as the script that pays `address` demands it.
    ///
    /// # Errors
    /// [`MessageError`] if the wallet is not ready or can't sign, or if the address is another wallet's.
    pub fn sign_as_oracle(&self, address: &Address, said: &[u8]) -> Result<Vec<u8>, MessageError> {
        let index = self.read(|state, _| state.index_of(address))?.ok_or(MessageError::NotMine)?;
        let Signer::Account(keys) = &self.inner.signer else { return Err(MessageError::ReadOnly) };
        // Once: of a transaction, it is the hash that is hashed again.
        let digest: [u8; 32] = Sha256::digest(said).into();
        Ok(keys.sign(index, &digest).to_bytes().expect("one signature is short"))
    }
}
