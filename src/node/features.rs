//! Features of the network that this version does not support. A node lists all features with their states,
//! before one of them changes what the ledger takes: on mainnet days, on testnet half an hour.

use crate::json;
use crate::rt::Instant;
use serde_json::value::RawValue;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// How often a node is asked while it is followed: a feature of testnet is locked in for 240 blocks, half an
/// hour. Public ones allow one request a second for all that ask from one address.
pub(super) const ASKED_EVERY: Duration = Duration::from_secs(600);
/// Most pairs of a name and a state that are reported while the process runs: a node can make names up.
const MOST: usize = 32;
/// Most bytes of a list that is read. Those of a dozen features are 3 KB.
const LONGEST_LIST: usize = 64 * 1024;
/// Most bytes of a name.
const LONGEST_NAME: usize = 64;

/// Full node: `hathor/feature_activation/feature.py`, release 0.71.
const SUPPORTED: [&str; 12] = [
    "NOP_FEATURE_1",
    "NOP_FEATURE_2",
    "NOP_FEATURE_3",
    "INCREASE_MAX_MERKLE_PATH_LENGTH",
    "COUNT_CHECKDATASIG_OP",
    "NANO_CONTRACTS",
    "FAILED_FEE_TOKENS",
    "FEE_TOKENS",
    "FAILED_OPCODES_V2",
    "OPCODES_V2",
    "RESTRICT_DUP_ACTIONS",
    "REDUCE_DAA_TARGET",
];

/// How far the activation of a feature is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeatureState {
    /// It will be active, at a height that is fixed.
    LockedIn,
    /// The network follows its rules.
    Active,
}

impl FeatureState {
    /// The node's name of it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LockedIn => "LOCKED_IN",
            Self::Active => "ACTIVE",
        }
    }
}

/// A feature that this version does not support and that is, or will be, active. Prints what that means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedFeature {
    /// ASCII letters, digits and underscores, at most 64.
    pub name: String,
    pub state: FeatureState,
}

impl fmt::Display for UnsupportedFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            FeatureState::LockedIn => "is locked in and will become active",
            FeatureState::Active => "is active",
        };
        let effect = match &*self.name {
            "TOKEN_AMOUNT_V2" => {
                "requests name whole cents, and contracts that count in 18 decimals can't be called"
            }
            "FEE_POLICY_V2" => "sends of fee tokens are refused by the network",
            "TWO_TIER_FINALITY" => {
                "confirmations mean something else, and pushed transactions may be seen later"
            }
            "SHIELDED_TRANSACTIONS" => "shielded payments are not seen, and balances lack them",
            _ => "payments may not be seen, and sends may be refused by the network",
        };
        write!(
            f,
            "the network's feature {} {state}; this version of headless-wallet does not support it: {effect}. Upgrade \
             headless-wallet",
            self.name
        )
    }
}

/// What a node has told of such features. Clones are the same.
#[derive(Clone)]
pub(super) struct Features(Arc<Known>);

struct Known {
    /// Of the last answer, by name.
    unsupported: watch::Sender<Arc<[UnsupportedFeature]>>,
    /// All that were reported.
    reported: Mutex<Vec<UnsupportedFeature>>,
    /// When the node was asked last.
    asked: Mutex<Option<Instant>>,
}

impl Default for Features {
    fn default() -> Self {
        let unsupported = watch::Sender::new(Arc::from([]));
        Self(Arc::new(Known { unsupported, reported: Mutex::default(), asked: Mutex::default() }))
    }
}

impl Features {
    pub(super) fn watch(&self) -> watch::Receiver<Arc<[UnsupportedFeature]>> {
        self.0.unsupported.subscribe()
    }

    /// Whether it is time to ask again. It counts as asked then, so that of many who follow a node one asks.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        let mut asked = self.0.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = asked.is_none_or(|asked| now.saturating_duration_since(asked) >= ASKED_EVERY);
        if is_due {
            *asked = Some(now);
        }
        is_due
    }

    /// Takes in the list of an answer. One that can't be read changes nothing.
    pub(super) fn note(&self, list: Option<&RawValue>, now: Instant) {
        *self.0.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
        let Some(mut listed) = list.and_then(|list| read(list.get())) else { return };
        let mut reported = self.0.reported.lock().unwrap_or_else(PoisonError::into_inner);
        listed.retain(|feature| {
            let is_known = reported.contains(feature);
            if !is_known && reported.len() < MOST {
                tracing::warn!("{feature}");
                reported.push(feature.clone());
                return true;
            }
            is_known
        });
        self.0.unsupported.send_if_modified(|before| {
            let is_news = **before != *listed;
            if is_news {
                *before = listed.into();
            }
            is_news
        });
    }
}

/// The features of a node's list that matter, by name; `None` if it is no list, or too long. Entries that
/// can't be read are left out.
fn read(list: &str) -> Option<Vec<UnsupportedFeature>> {
    let list = Some(list).filter(|list| list.len() <= LONGEST_LIST)?;
    let list = json::read(list.as_bytes()).ok()?;
    let mut features: Vec<UnsupportedFeature> = list
        .as_array()?
        .iter()
        .filter_map(|entry| {
            let state = match entry.get("state")?.as_str()? {
                "LOCKED_IN" => FeatureState::LockedIn,
                "ACTIVE" => FeatureState::Active,
                _ => return None,
            };
            let name = plain(entry.get("name")?.as_str()?);
            let is_told = !name.is_empty() && !SUPPORTED.contains(&&*name);
            is_told.then_some(UnsupportedFeature { name, state })
        })
        .collect();
    features.sort_by(|a, b| a.name.cmp(&b.name).then(b.state.cmp(&a.state)));
    features.dedup_by(|later, first| later.name == first.name);
    Some(features)
}

/// A name that can stand in logs, pages and labels of metrics.
fn plain(name: &str) -> String {
    name.chars().take(LONGEST_NAME).map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).expect("the test writes JSON")
    }

    fn known(features: &Features) -> Vec<(String, &'static str)> {
        let known = features.watch().borrow().clone();
        known.iter().map(|feature| (feature.name.clone(), feature.state.name())).collect()
    }

    fn note(features: &Features, json: &str) -> Vec<(String, &'static str)> {
        features.note(Some(&raw(json)), Instant::now());
        known(features)
    }

    #[test]
    fn features_that_this_version_does_not_support_are_kept_once_they_are_locked_in() {
        let all = r#"[
            {"name": "TOKEN_AMOUNT_V2", "state": "LOCKED_IN", "acceptance": 0.5, "threshold": 0.9},
            {"name": "FEE_TOKENS", "state": "ACTIVE"}, {"name": "SHIELDED_TRANSACTIONS", "state": "STARTED"},
            {"name": "FEE_POLICY_V2", "state": "MUST_SIGNAL"}, {"name": "OLD", "state": "FAILED"},
            {"name": "NEXT", "state": "DEFINED"}, {"name": "BLOCKS_3", "state": "ACTIVE"}]"#;
        let expected = [("BLOCKS_3".to_owned(), "ACTIVE"), ("TOKEN_AMOUNT_V2".to_owned(), "LOCKED_IN")];
        assert_eq!(note(&Features::default(), all), expected);
    }

    #[test]
    fn all_features_of_release_0_71_are_supported_but_shielded_transactions() {
        let names = SUPPORTED.into_iter().chain(["SHIELDED_TRANSACTIONS"]);
        let list: Vec<_> = names.map(|name| serde_json::json!({"name": name, "state": "ACTIVE"})).collect();
        let list = serde_json::to_string(&list).expect("it has text keys");
        let expected = [("SHIELDED_TRANSACTIONS".to_owned(), "ACTIVE")];
        assert_eq!(note(&Features::default(), &list), expected);
    }

    #[test]
    fn a_list_that_can_not_be_read_changes_nothing() {
        let features = Features::default();
        let before = [("X".to_owned(), "ACTIVE")];
        assert_eq!(note(&features, r#"[{"name": "X", "state": "ACTIVE"}]"#), before);
        let deep = "[".repeat(200) + &"]".repeat(200);
        let long = format!("[{}]", " ".repeat(LONGEST_LIST));
        for garbage in ["7", "null", r#"{"name": "X"}"#, "\"ACTIVE\"", &deep, &long] {
            assert_eq!(note(&features, garbage), before);
        }
        features.note(None, Instant::now());
        assert_eq!(known(&features), before);
        assert_eq!(note(&features, "[]"), []);
    }

    #[test]
    fn entries_that_can_not_be_read_are_left_out() {
        let list = r#"[7, null, [], {}, {"name": "A"}, {"state": "ACTIVE"}, {"name": 7, "state": "ACTIVE"},
            {"name": "", "state": "ACTIVE"}, {"name": "B", "state": 7}, {"name": "C", "state": "active"},
            {"name": "D", "state": "LOCKED_IN"}, {"name": "D", "state": "ACTIVE"}]"#;
        assert_eq!(note(&Features::default(), list), [("D".to_owned(), "ACTIVE")]);
    }

    #[test]
    fn names_are_short_and_of_letters_digits_and_underscores() {
        let list = serde_json::json!([
            {"name": "a\"}\n<b>\u{202e}é", "state": "ACTIVE"}, {"name": "N".repeat(1_000), "state": "ACTIVE"},
        ]);
        let expected = [("N".repeat(64), "ACTIVE"), ("a____b___".to_owned(), "ACTIVE")];
        assert_eq!(note(&Features::default(), &list.to_string()), expected);
    }

    #[test]
    fn a_node_that_makes_names_up_is_not_followed_past_so_many() {
        let features = Features::default();
        for round in 0..10 {
            let list: Vec<_> = (0..5)
                .map(|number| serde_json::json!({"name": format!("F{round}_{number}"), "state": "ACTIVE"}))
                .collect();
            let listed = note(&features, &serde_json::to_string(&list).expect("it has text keys"));
            assert_eq!(listed.len(), [5, 5, 5, 5, 5, 5, 2, 0, 0, 0][round]);
        }
        // What was reported before still is.
        let again = r#"[{"name": "F0_0", "state": "ACTIVE"}, {"name": "F9_0", "state": "ACTIVE"}]"#;
        assert_eq!(note(&features, again), [("F0_0".to_owned(), "ACTIVE")]);
    }

    #[test]
    fn listeners_are_woken_by_changes_alone() {
        let features = Features::default();
        let mut changes = features.watch();
        let mut is_news = |list| {
            features.note(Some(&raw(list)), Instant::now());
            let is_news = changes.has_changed().expect("the sender lives");
            changes.mark_unchanged();
            is_news
        };
        assert!(is_news(r#"[{"name": "X", "state": "LOCKED_IN"}]"#));
        assert!(!is_news(
            r#"[{"name": "FEE_TOKENS", "state": "ACTIVE"}, {"name": "X", "state": "LOCKED_IN"}]"#
        ));
        assert!(is_news(r#"[{"name": "X", "state": "ACTIVE"}]"#));
    }

    #[test]
    fn of_all_who_follow_a_node_one_asks_in_ten_minutes() {
        let (features, start) = (Features::default(), Instant::now());
        features.note(None, start);
        let after = |seconds| start + Duration::from_secs(seconds);
        let due = [599, 600, 601, 1_199, 1_200].map(|seconds| features.is_due(after(seconds)));
        assert_eq!(due, [false, true, false, false, true]);
    }

    #[test]
    fn each_is_told_with_what_it_means() {
        let told = |name: &str, state| UnsupportedFeature { name: name.to_owned(), state }.to_string();
        assert_eq!(
            told("TOKEN_AMOUNT_V2", FeatureState::LockedIn),
            "the network's feature TOKEN_AMOUNT_V2 is locked in and will become active; this version of \
             headless-wallet does not support it: requests name whole cents, and contracts that count in 18 decimals \
             can't be called. Upgrade headless-wallet"
        );
        assert_eq!(
            told("X", FeatureState::Active),
            "the network's feature X is active; this version of headless-wallet does not support it: payments may not be \
             seen, and sends may be refused by the network. Upgrade headless-wallet"
        );
    }
}
