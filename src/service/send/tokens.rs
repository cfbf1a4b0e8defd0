//! What the node knows about the tokens that a transaction moves: whether a melt spends what the ledger has,
//! and how tokens are paid for.

use crate::ledger::nano::{ActionKind, TokenAction, VertexNano};
use crate::ledger::{Network, Outpoint, Output, SpentOutput, TokenUid, TokenVersion, Transaction, VertexId};
use crate::node::{CallError, FeatureState, FullNode};
use crate::service::account::live_state::lock;
use crate::service::error::SendError;
use crate::service::wallet::Wallet;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// With it, fees of fee tokens are others, and perhaps in another token. Full node: `FEE_POLICIES` in its
/// settings (branch `feat/stable-fees/scaffold`), which no request tells.
const FEE_POLICY: &str = "FEE_POLICY_V2";

/// An output, from the bytes of its transaction.
async fn output_on_ledger<'a>(
    (node, network): (&FullNode, Network),
    asked: &'a mut HashMap<VertexId, Vec<SpentOutput>>,
    output: &Outpoint,
) -> Result<Option<&'a SpentOutput>, CallError> {
    let outputs = match asked.entry(output.tx) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(unasked) => {
            let outputs = node.outputs(&output.tx, network).await?;
            unasked.insert(outputs.unwrap_or_default())
        }
    };
    Ok(outputs.get(usize::from(output.index)))
}

/// The tokens for which a contract grants a melt authority to the transaction that calls it.
fn melted_by_call(transaction: &Transaction) -> Vec<TokenUid> {
    // The id is that of the created token, if any: no input has it.
    let nano = VertexNano::of(transaction, VertexId([0; 32]));
    let actions = nano.as_ref().and_then(VertexNano::call).map_or(&[][..], |call| &call.actions);
    let gives = |action: &&TokenAction| action.kind == ActionKind::AcquireAuthority && action.melts();
    actions.iter().filter(gives).map(|action| action.token).collect()
}

impl Wallet {
    /// Checks a transaction that this wallet has planned, before it is signed or handed out: what it melts,
    /// and that its fees, if it pays any, are by a policy that this version knows.
    pub(super) async fn check_planned(&self, transaction: &Transaction) -> Result<(), SendError> {
        let features = self.node().unsupported_features();
        let policy = features
            .iter()
            .find(|feature| feature.name == FEE_POLICY && feature.state == FeatureState::Active);
        let has_fees = transaction.headers.iter().any(|header| !header.fees().is_empty());
        if let Some(policy) = policy.filter(|_| has_fees) {
            return Err(SendError::Rejected(policy.to_string()));
        }
        self.check_melted(transaction).await.map_err(SendError::Node)
    }

    /// Verifies that a melt spends what the ledger has. A node that reports too small an amount in its
    /// history would have the rest melted, too, because signed bytes don't state the inputs' amounts. In
    /// other transactions the sums would not match. Called wherever a transaction is signed, or handed out to
    /// be signed.
    pub(in crate::service) async fn check_melted(&self, transaction: &Transaction) -> Result<(), CallError> {
        let node = &self.node();
        let ledger = (node, self.backend().network);
        let spends = transaction.spends();
        let known: HashMap<Outpoint, SpentOutput> = {
            let state = self.inner.read();
            spends.iter().filter_map(|spends| Some((*spends, state.output(*spends)?))).collect()
        };
        let is_amount = |output: &SpentOutput| !output.token_data.is_authority();
        if !known.values().any(|output| is_amount(output) && output.token != TokenUid::Native) {
            return Ok(());
        }
        let mut asked: HashMap<VertexId, Vec<SpentOutput>> = HashMap::new();
        let mut melted = melted_by_call(transaction);
        // The melt authority may be another participant's, or come from a contract.
        for spends in &spends {
            let output = match known.get(spends) {
                Some(known) => Some(known),
                None => output_on_ledger(ledger, &mut asked, spends).await?,
            };
            if let Some(output) = output
                && output.token_data.is_authority()
                && output.value.cents() & u128::from(Output::MELT) != 0
            {
                melted.push(output.token);
            }
        }
        for spends in &spends {
            if let Some(known) = known.get(spends)
                && is_amount(known)
                && melted.contains(&known.token)
                && output_on_ledger(ledger, &mut asked, spends).await? != Some(known)
            {
                return Err(node.other_output(*spends));
            }
        }
        Ok(())
    }

    /// How a token is paid for; the node is asked once. A token that the node does not know counts as an
    /// ordinary one; planning then reports what is missing.
    pub(in crate::service) async fn token_version(
        &self,
        token: &VertexId,
    ) -> Result<TokenVersion, SendError> {
        Ok(self.known_token_version(token).await?.unwrap_or(TokenVersion::Deposit))
    }

    /// `None` for a token that the node does not know.
    pub(in crate::service) async fn known_token_version(
        &self,
        token: &VertexId,
    ) -> Result<Option<TokenVersion>, SendError> {
        if let Some(version) = lock(&self.inner.account.token_versions).get(token) {
            return Ok(Some(*version));
        }
        let described = self.node().token(&TokenUid::Custom(*token)).await.map_err(SendError::Node)?;
        let Some(described) = described else { return Ok(None) };
        let version = described.version.unwrap_or(TokenVersion::Deposit);
        lock(&self.inner.account.token_versions).insert(*token, version);
        Ok(Some(version))
    }
}
