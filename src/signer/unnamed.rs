//! Inputs that are said to be somebody else's. All inputs have one hash to sign, so that a signature for one
//! does for each other that the same key may sign: such inputs are no one else's.

use super::breach::{Breach, To, paid};
use crate::keys::AddressKeys;
use crate::ledger::{RedeemScript, SpentOutput, hash160};
use std::collections::{BTreeMap, BTreeSet};

/// What an address of the wallet comes from.
pub(super) struct Derived {
    pub(super) hash: [u8; 20],
    /// Of all participants; one, if the wallet is of one key.
    keys: Vec<[u8; 33]>,
}

impl Derived {
    /// `None` if there is no such address.
    pub(super) fn of(account: &AddressKeys, index: u32) -> Option<Self> {
        if let AddressKeys::Multisig(participants) = account {
            let script = participants.redeem_script(index);
            return Some(Self { hash: hash160(&script.to_bytes().ok()?), keys: script.public_keys });
        }
        let key = account.public_key(index)?;
        Some(Self { hash: hash160(&key), keys: vec![key] })
    }
}

/// What is signed: by which of the wallet's addresses, and which input each was named for.
pub(super) struct Signing<'a> {
    pub(super) derived: &'a BTreeMap<u32, Derived>,
    /// Places of inputs, with the indexes of their addresses.
    pub(super) inputs: &'a [(u8, u32)],
    pub(super) caller: Option<u32>,
    pub(super) scripts: &'a [(u8, &'a RedeemScript)],
    pub(super) several: bool,
}

impl Signing<'_> {
    /// Refuses inputs that are not named, and that a key signs which signs another or the call.
    ///
    /// # Errors
    /// [`Breach`] of `keys`.
    pub(super) fn check_unnamed(&self, spends: &[SpentOutput]) -> Result<(), Breach> {
        let breach = |why: String| Err(Breach::new("keys", why));
        let named: BTreeSet<u8> = self.inputs.iter().map(|(place, _)| *place).collect();
        let unnamed = || (0..=u8::MAX).zip(spends).filter(|(place, _)| !named.contains(place));
        for (place, output) in unnamed() {
            let to = to(output);
            let same = self.inputs.iter().find(|(other, _)| self::to(&spends[usize::from(*other)]) == to);
            if let Some((other, _)) = same {
                return breach(format!(
                    "input {place} spends from the same address as input {other}, and has no `path`"
                ));
            }
        }
        // All wallets of several that somebody takes part in have the same key of theirs at one index.
        let by = self.inputs.iter().map(|(_, index)| *index).chain(self.caller);
        let by: BTreeSet<[u8; 33]> = by
            .filter_map(|index| self.derived.get(&index))
            .flat_map(|address| &address.keys)
            .copied()
            .collect();
        let hashes: BTreeSet<_> = by.iter().map(|key| hash160(key)).collect();
        for (place, output) in unnamed() {
            let is_own = match to(output) {
                Some((false, hash)) => hashes.contains(&hash),
                Some((true, hash)) => match self.scripts.iter().find(|(of, _)| *of == place) {
                    Some((_, script)) => {
                        let bytes =
                            script.to_bytes().map_err(|error| Breach::new("keys", error.to_string()))?;
                        if hash160(&bytes) != hash {
                            return breach(format!(
                                "input {place} does not spend what its `redeemScript` has"
                            ));
                        }
                        script.public_keys.iter().any(|key| by.contains(key))
                    }
                    None if self.several => {
                        return breach(format!(
                            "input {place} spends what several keys have, and no `redeemScript` says which: \
                             put a file of those who have it beside this one"
                        ));
                    }
                    None => false,
                },
                None => false,
            };
            if is_own {
                return breach(format!(
                    "input {place} is said to be somebody else's, and a key that signs here may sign it, too"
                ));
            }
        }
        Ok(())
    }
}

/// Whom an output pays, locked or not.
fn to(output: &SpentOutput) -> Option<To> {
    paid(&output.script).map(|(to, _)| to)
}
