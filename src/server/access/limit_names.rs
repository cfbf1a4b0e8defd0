//! Whether the names in limits exist: the keys whose approval they need, and their wallets.

use super::grant::Grant;
use super::key::StoredKey;
use crate::api::{Right, Rights};
use crate::json::typo_of;
use crate::limits::{Quorum, Rule};
use std::collections::BTreeSet;

/// The owner of limits.
#[derive(Clone, Copy)]
pub enum Whose<'a> {
    Key(&'a str, &'a Grant),
    /// The wallet of this id, or all without limits of their own.
    Wallet(&'a str),
}

impl Whose<'_> {
    /// Why a key's approval does not count; `None` if it does.
    fn why_not(self, approver: &StoredKey) -> Option<String> {
        let grant = &approver.grant;
        match self {
            _ if approver.revoked.is_some() => Some("it was revoked".to_owned()),
            _ if !grant.rights.have(Rights::NONE.and(Right::Approve)) => {
                Some("it lacks the right approve".to_owned())
            }
            Self::Key(name, of) if !grant.shares_a_wallet_with(of) => {
                Some(format!("it may touch no wallet of the key {name:?}"))
            }
            Self::Wallet(id) if id != ALL && !grant.is_for(id) => {
                Some(format!("it may not touch the wallet {id:?}"))
            }
            Self::Key(..) | Self::Wallet(_) => None,
        }
    }

    fn say(self, quorum: &Quorum, keys: &[StoredKey], said: &mut BTreeSet<String>) {
        let own = match self {
            Self::Key(name, _) => Some(name),
            Self::Wallet(_) => None,
        };
        if let Some(name) = own.filter(|name| !quorum.can_be_met_without(name)) {
            said.insert(format!(
                "a limit of the key {name:?} wants its own approval (\"{quorum}\"): nobody approves what they ask for"
            ));
        }
        for name in quorum.names().iter().filter(|name| own != Some(name)) {
            let why = match keys.iter().find(|key| key.name == *name) {
                Some(key) => self.why_not(key),
                None => Some("there is no such key yet".to_owned()),
            };
            said.extend(why.map(|why| format!("a limit wants the approval of the key {name:?}: {why}")));
        }
    }
}

const ALL: &str = "*";

/// A sentence for each key in limits whose approval does not count.
pub fn lacking_approvers<'a>(
    limits: impl IntoIterator<Item = (Whose<'a>, &'a [Rule])>,
    keys: &[StoredKey],
) -> BTreeSet<String> {
    let mut said = BTreeSet::new();
    for (whose, rules) in limits {
        rules.iter().filter_map(Rule::quorum).for_each(|quorum| whose.say(quorum, keys, &mut said));
    }
    said
}

/// Refuses limits of a new key that need the approval of keys that can't give it.
///
/// # Errors
/// All problems.
pub fn check_approvers(name: &str, grant: &Grant, keys: &[StoredKey]) -> Result<(), String> {
    let lacking = lacking_approvers([(Whose::Key(name, grant), &*grant.limits)], keys);
    match lacking.is_empty() {
        true => Ok(()),
        false => Err(lacking.into_iter().collect::<Vec<_>>().join("; ")),
    }
}

/// A sentence for each wallet of `limits` whose id is probably a typo of one in a key or of a seed. Future
/// ids are unknown: users choose them.
pub fn misspelt_wallets<'a>(
    limits: impl IntoIterator<Item = &'a str>,
    named: &BTreeSet<&str>,
) -> BTreeSet<String> {
    let unnamed = limits.into_iter().filter(|id| *id != ALL && !named.contains(id));
    let said = |id: &str| {
        let meant = typo_of(id, named.iter().copied())?;
        Some(format!(
            "`limits` are of the wallet {id:?}, which no key and no seed names: did you mean {meant:?}?"
        ))
    };
    unnamed.filter_map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::misspelt_wallets;

    #[test]
    fn a_wallet_that_is_named_with_a_typo_is_reported() {
        let named = ["shop", "treasury"].into();
        let said = misspelt_wallets(["*", "shop", "trasury", "other"], &named);
        let expected = "`limits` are of the wallet \"trasury\", which no key and no seed names: did you mean \"treasury\"?";
        assert_eq!(said, [expected.to_owned()].into());
    }
}
