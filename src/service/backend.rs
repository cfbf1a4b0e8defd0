//! The services that a wallet uses.

use crate::ledger::Network;
use crate::node::{FullNode, Lane, Miner, Tenant};

#[derive(Clone)]
pub struct Backend {
    /// The network of addresses; the node must be of it.
    pub network: Network,
    pub node: FullNode,
    pub mining: Miner,
}

impl Backend {
    /// The same services, for a tenant whose node requests are queued fairly with those of others.
    #[must_use]
    pub fn asked_by(&self, tenant: Tenant) -> Self {
        Self { node: self.node.in_lane(Lane::Read(tenant)), ..self.clone() }
    }

    /// The same services, for pushing signed transactions.
    pub(super) fn for_pushes(&self) -> Self {
        Self { node: self.node.for_pushes(), ..self.clone() }
    }
}
