//! The tokens of a wallet, by numbers: four bytes for each output rather than 33.

use crate::ledger::TokenUid;
use std::collections::HashMap;

/// A token, by its number in this wallet. HTR is 0.
pub(super) type TokenNo = u32;

/// Tokens that the wallet holds or held, numbered. HTR is 0.
#[derive(Debug)]
pub(super) struct Tokens {
    uids: Vec<TokenUid>,
    numbers: HashMap<TokenUid, TokenNo>,
}

impl Tokens {
    pub(super) fn new() -> Self {
        Self { uids: vec![TokenUid::Native], numbers: HashMap::from([(TokenUid::Native, 0)]) }
    }
    pub(super) fn number(&self, uid: TokenUid) -> Option<TokenNo> {
        self.numbers.get(&uid).copied()
    }
    pub(super) fn number_or_new(&mut self, uid: TokenUid) -> TokenNo {
        *self.numbers.entry(uid).or_insert_with(|| {
            self.uids.push(uid);
            self.uids.len() as u32 - 1
        })
    }
    pub(super) fn uid(&self, number: TokenNo) -> TokenUid {
        self.uids[number as usize]
    }
    pub(super) fn iter(&self) -> impl Iterator<Item = TokenUid> + '_ {
        self.uids.iter().copied()
    }
}
