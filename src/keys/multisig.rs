//! Multisig accounts: the participants' account xpubs and how many must sign.

use crate::ledger::RedeemScript;

/// The participants, in the order of their account keys.
#[derive(Clone, Debug)]
pub struct MultisigPublic {}

impl MultisigPublic {
    /// From the account-level xpubs (`m/45'/280'/0'`), in any order.
    pub fn new(xpubs: &[String], num_signatures: u8) -> Result<Self, MultisigError> {
        todo!("{xpubs:?} {num_signatures}")
    }
    /// The redeem script of the address at `index`.
    pub fn redeem_script(&self, index: u32) -> RedeemScript {
        todo!("{index}")
    }
}

/// Why participants can't form a wallet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum MultisigError {
    #[error("Invalid xpub of participant {0}")]
    InvalidXpub(usize),
    #[error("{num_signatures} of {keys}: multisig takes 1 to 7 keys and no more signatures than keys")]
    Count { num_signatures: u8, keys: usize },
}
