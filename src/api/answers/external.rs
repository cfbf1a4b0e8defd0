//! Answers about transactions that are signed elsewhere.

use crate::keys::MultisigSignatures;
use serde::Serialize;

/// A transaction that was built or signed in part: the answer of all proposals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposalAnswer {
    success: bool,
    tx_hex: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_to_sign_hash: Option<String>,
}

impl ProposalAnswer {
    /// Its bytes.
    pub fn new(transaction: &[u8]) -> Self {
        Self { success: true, tx_hex: hex::encode(transaction), data_to_sign_hash: None }
    }
    /// The same with what is to be signed.
    pub fn to_sign(self, digest: &[u8]) -> Self {
        Self { data_to_sign_hash: Some(hex::encode(digest)), ..self }
    }
}

/// The answer of get-my-signatures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SignaturesAnswer {
    success: bool,
    signatures: String,
}

impl SignaturesAnswer {
    /// One participant's.
    pub fn new(signatures: &MultisigSignatures) -> Self {
        Self { success: true, signatures: signatures.to_string() }
    }
}

/// The answer of get-wallet-inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WalletInputsAnswer {
    success: bool,
    inputs: Vec<WalletInput>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct WalletInput {
    input_index: u8,
    address_index: u32,
    address_path: String,
}

impl WalletInputsAnswer {
    /// Of inputs by their places, with the indexes of the addresses that they spend from, whose keys are below `account`
    /// (such as `m/44'/280'/0'`).
    pub fn new(inputs: &[(u8, u32)], account: &str) -> Self {
        let inputs = inputs.iter().map(|&(input_index, address_index)| {
            let address_path = format!("{account}/0/{address_index}");
            WalletInput { input_index, address_index, address_path }
        });
        Self { success: true, inputs: inputs.collect() }
    }
}

/// The answer of input-data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InputDataAnswer {
    success: bool,
    input_data: String,
}

impl InputDataAnswer {
    /// Its bytes.
    pub fn new(data: &[u8]) -> Self {
        Self { success: true, input_data: hex::encode(data) }
    }
}
