//! Answers about atomic swaps.

use super::kinds::{Count, Flag, Hash, List, Maybe, OrNull, Text};
use crate::api::answer::answer;
use crate::ledger::{PartialTxInputData, VertexId};

/// The answer of a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapAnswer {
    pub partial_tx: String,
    /// Whether as much comes out as goes in.
    pub is_complete: bool,
    /// Its id at the swap service, if it is new there.
    pub created_id: Option<String>,
}

answer! {
    /// A proposal of an atomic swap.
    this: SwapAnswer as "Swap", type "Swap" {
        success = true,
        /// For the other participants: `PartialTx|…`.
        data: Text = this.partial_tx,
        /// Whether inputs and outputs balance for every token: then it can be signed.
        isComplete: Flag = this.is_complete,
        /// Its id at the swap service, if it is new there.
        createdProposalId: Maybe<Text> = this.created_id,
    }
}

/// The answer of get-my-signatures and get-input-data.
pub struct SwapInputDataAnswer<'a>(pub &'a PartialTxInputData);

answer! {
    this: SwapInputDataAnswer<'_> as "SwapSignatures" {
        success = true,
        /// For whoever puts the swap together: `PartialTxInputData|…`.
        signatures: Text = this.0.to_string(),
    }
}

/// The answer of get-locked-utxos.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockedUtxosAnswer(pub Vec<LockedOutputs>);

/// Those of one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockedOutputs {
    pub tx: VertexId,
    pub outputs: Vec<u8>,
}

answer! {
    /// The locked outputs.
    this: LockedUtxosAnswer as "LockedUtxos", type "LockedUtxos" {
        success = true,
        locked_utxos: [LockedOutputs] = *this.0,
    }
}

answer! {
    /// Outputs of a transaction that are locked.
    this: LockedOutputs as "LockedOutputs", type "LockedOutputs" {
        tx_id: Hash = this.tx,
        /// Their indexes in it.
        outputs: [Count] = *this.outputs,
    }
}

/// The answer of list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapListAnswer(pub Vec<String>);

answer! {
    this: SwapListAnswer as "SwapList" {
        success = true,
        /// The ids at the swap service.
        proposals: [Text] = List(this.0.iter()),
    }
}

/// The answer of fetch.
pub struct SwapProposalAnswer<'a>(pub &'a SwapProposalMembers);

/// A proposal at the swap service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapProposalMembers {
    pub id: String,
    pub version: u64,
    pub timestamp: String,
    pub partial_tx: String,
    pub signatures: Option<String>,
    /// What it was before, and when.
    pub history: Vec<(String, String)>,
}

answer! {
    /// A proposal at the swap service.
    this: SwapProposalAnswer<'_> as "SwapProposal", type "FetchedSwap" {
        success = true,
        proposal: SwapProposalMembers = *this.0,
    }
}

answer! {
    /// A proposal at the swap service.
    this: SwapProposalMembers, type "SwapProposal" {
        proposalId: Text = this.id,
        /// Counts its changes.
        version: Count,
        /// The time of the last change, as the service reports it.
        timestamp: Text,
        partialTx: Text = this.partial_tx,
        signatures: OrNull<Text>,
        /// Its previous version.
        history: [PastSwap<'_>] = List(this.history.iter().map(PastSwap)),
    }
}

struct PastSwap<'a>(&'a (String, String));

answer! {
    this: PastSwap<'_> {
        partialTx: Text = this.0.0,
        timestamp: Text = this.0.1,
    }
}
