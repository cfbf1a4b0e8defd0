//! Answers about transactions that are signed elsewhere.

use super::kinds::{Count, Flatten, Hash, Hex, List, Text};
use crate::api::answer::answer;
use crate::keys::MultisigSignatures;

/// A transaction that was built or signed in part: the answer of all proposals. Its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposalAnswer(pub Vec<u8>);

answer! {
    /// A transaction as hexadecimal digits.
    this: ProposalAnswer as "Proposal", type "TxHex" {
        success = true,
        /// The transaction.
        txHex: Hex = *this.0,
    }
}

/// A transaction that is signed elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsignedAnswer {
    pub proposal: ProposalAnswer,
    /// What is to be signed.
    pub digest: [u8; 32],
}

answer! {
    /// A transaction to be signed elsewhere.
    this: UnsignedAnswer as "Unsigned", type "TxToSign" {
        proposal: Flatten<ProposalAnswer> = Flatten(&this.proposal),
        /// What every input's signature is of: a double SHA-256.
        dataToSignHash: Hash = this.digest[..],
    }
}

/// The answer of get-my-signatures: one participant's.
pub struct SignaturesAnswer<'a>(pub &'a MultisigSignatures);

answer! {
    this: SignaturesAnswer<'_> as "Signatures" {
        success = true,
        /// `<account key>|<input>:<signature>|…`, in hexadecimal digits.
        signatures: Text = this.0,
    }
}

/// The answer of get-wallet-inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletInputsAnswer<'a> {
    /// The places of inputs, with the indexes of the addresses that they spend from.
    pub inputs: &'a [(u8, u32)],
    /// What their keys are below, such as `m/44'/280'/0'`.
    pub account: &'a str,
}

answer! {
    /// Inputs of the wallet's own.
    this: WalletInputsAnswer<'_> as "WalletInputs", type "WalletInputs" {
        success = true,
        inputs: [WalletInput<'_>] = List(
            this.inputs.iter().map(|&(place, address)| WalletInput { place, address, of: this })
        ),
    }
}

struct WalletInput<'a> {
    place: u8,
    address: u32,
    of: &'a WalletInputsAnswer<'a>,
}

answer! {
    /// An input of the wallet's own.
    this: WalletInput<'_>, type "WalletInput" {
        /// The input's place in the transaction.
        inputIndex: Count = this.place,
        /// Of the address whose output it spends.
        addressIndex: Count = this.address,
        /// Where the address's key is, below the seed.
        addressPath: Text = format!("{}/0/{}", this.of.account, this.address),
    }
}

/// The answer of input-data: its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputDataAnswer(pub Vec<u8>);

answer! {
    /// An input's data of its signatures.
    this: InputDataAnswer as "InputData", type "InputData" {
        success = true,
        /// What add-signatures puts into an input.
        inputData: Hex = *this.0,
    }
}
