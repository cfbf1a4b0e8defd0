//! The permissions of a key.

use crate::api::{Right, Rights};
use crate::calendar::UtcTime;
use crate::limits::{Rule, RuleError};
use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;

const MAX_LIMITS: usize = 1_000;
const ALL_WALLETS: &str = "*";

/// What a key allows; all else is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Texts", into = "Texts")]
pub struct Grant {
    pub rights: Rights,
    /// `None` for all wallets.
    wallets: Option<Vec<String>>,
    /// Networks of allowed client addresses; empty for all.
    networks: Vec<IpNet>,
    /// When it ends, in Unix seconds.
    pub until: Option<u64>,
    /// Requests per second to each server.
    pub per_second: Option<u32>,
    pub limits: Vec<Rule>,
}

/// As texts, for documents, settings and requests.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    pub rights: Vec<String>,
    pub wallets: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_second: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
}

/// Each text ends a sentence that begins with the name of a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrantError {
    #[error(
        "rights must be some of read, build, sign, send, create-tokens, mint, melt, contracts, approve and administer, and {0:?} is none"
    )]
    Right(String),
    #[error("rights must name one at least: a key without any can do nothing")]
    NoRights,
    #[error("wallets must name one at least: a key without any may touch none (\"*\" stands for all)")]
    NoWallets,
    #[error("wallets must be \"*\" alone, or ids of wallets")]
    AllAndSome,
    #[error("networks must be addresses, or networks as 10.0.0.0/8, and {0:?} is none")]
    Network(String),
    #[error("until must be a date as 2027-12-31, or a time as 2027-12-31T12:00:00Z, and is {0:?}")]
    Until(String),
    #[error("per_second must be from 1 to 1000000")]
    PerSecond,
    #[error(transparent)]
    Limit(#[from] RuleError),
    #[error("limits must be at most {MAX_LIMITS}")]
    Limits,
}

impl TryFrom<Texts> for Grant {
    type Error = GrantError;
    fn try_from(texts: Texts) -> Result<Self, GrantError> {
        let right = |name: &String| name.parse::<Right>().map_err(|_| GrantError::Right(name.clone()));
        let rights: Rights = texts.rights.iter().map(right).collect::<Result<_, _>>()?;
        if rights.is_empty() {
            return Err(GrantError::NoRights);
        }
        let mut wallets = texts.wallets;
        wallets.sort();
        wallets.dedup();
        let wallets = match &wallets[..] {
            [] => return Err(GrantError::NoWallets),
            [all] if all == ALL_WALLETS => None,
            some if some.iter().any(|id| id == ALL_WALLETS) => return Err(GrantError::AllAndSome),
            _ => Some(wallets),
        };
        let network = |text: &String| {
            let whole = text.parse().map(|address: IpAddr| IpNet::from(address));
            let network = whole.or_else(|_| text.parse::<IpNet>());
            network.map(canonical).map_err(|_| GrantError::Network(text.clone()))
        };
        let until = |text: String| match UtcTime::parse(&text) {
            Some(time) => Ok(time.to_unix()),
            None => Err(GrantError::Until(text)),
        };
        if texts.per_second.is_some_and(|number| !(1..=1_000_000).contains(&number)) {
            return Err(GrantError::PerSecond);
        }
        if texts.limits.len() > MAX_LIMITS {
            return Err(GrantError::Limits);
        }
        Ok(Self {
            rights,
            wallets,
            networks: IpNet::aggregate(&texts.networks.iter().map(network).collect::<Result<Vec<_>, _>>()?),
            until: texts.until.map(until).transpose()?,
            per_second: texts.per_second,
            limits: texts.limits.iter().map(|text| text.parse()).collect::<Result<_, _>>()?,
        })
    }
}

/// An IPv4 network written as IPv6 (`::ffff:10.0.0.0/104`) becomes IPv4, as clients' addresses do.
fn canonical(network: IpNet) -> IpNet {
    const MAPPED_BITS: u8 = 96;
    let whole = (network.addr().to_canonical(), network.prefix_len().checked_sub(MAPPED_BITS));
    match (network, whole) {
        (IpNet::V6(_), (address @ IpAddr::V4(_), Some(bits))) => IpNet::new(address, bits).unwrap_or(network),
        _ => network,
    }
    .trunc()
}

impl From<Grant> for Texts {
    fn from(grant: Grant) -> Self {
        Self {
            rights: grant.rights.iter().map(|right| right.name().to_owned()).collect(),
            wallets: grant.wallets(),
            networks: grant.networks(),
            until: grant.until_text(),
            per_second: grant.per_second,
            limits: grant.limits(),
        }
    }
}

impl Grant {
    /// The allowed wallets, or `*`.
    pub fn wallets(&self) -> Vec<String> {
        self.wallets.clone().unwrap_or_else(|| vec![ALL_WALLETS.to_owned()])
    }
    pub fn networks(&self) -> Vec<String> {
        self.networks.iter().map(ToString::to_string).collect()
    }
    pub fn limits(&self) -> Vec<String> {
        self.limits.iter().map(ToString::to_string).collect()
    }
    pub fn until_text(&self) -> Option<String> {
        self.until.map(|until| format!("{}Z", UtcTime::from_unix(until).iso()))
    }
    /// Whether it allows a wallet, which need not exist.
    pub fn is_for(&self, wallet: &str) -> bool {
        self.wallets.as_ref().is_none_or(|all| all.binary_search_by(|id| (**id).cmp(wallet)).is_ok())
    }
    pub fn shares_a_wallet_with(&self, other: &Self) -> bool {
        match (&self.wallets, &other.wallets) {
            (None, _) | (_, None) => true,
            (Some(own), Some(_)) => own.iter().any(|id| other.is_for(id)),
        }
    }
    pub const fn is_for_all(&self) -> bool {
        self.wallets.is_none()
    }
    /// `None`, an unknown address, only passes without networks.
    pub fn may_come_from(&self, address: Option<IpAddr>) -> bool {
        let within = |address: IpAddr| self.networks.iter().any(|network| network.contains(&address));
        self.networks.is_empty() || address.is_some_and(|address| within(address.to_canonical()))
    }
    pub fn has_ended(&self, now: u64) -> bool {
        self.until.is_some_and(|until| until <= now)
    }
    /// Whether it allows everything that another one does, so that its owner may give the other away.
    pub fn covers(&self, other: &Self) -> bool {
        let wallets = match (&self.wallets, &other.wallets) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(_), Some(others)) => others.iter().all(|id| self.is_for(id)),
        };
        let within = |network: &IpNet| self.networks.iter().any(|own| own.contains(network));
        let networks =
            self.networks.is_empty() || (!other.networks.is_empty() && other.networks.iter().all(within));
        let until = self.until.is_none_or(|own| other.until.is_some_and(|until| until <= own));
        let pace = self.per_second.is_none_or(|own| other.per_second.is_some_and(|pace| pace <= own));
        // A second key would have limits of its own, so rights with limits can't be given away.
        let harmless = Rights::NONE.and(Right::Read).and(Right::Build).and(Right::Administer);
        let limits = self.limits.is_empty() || harmless.have(other.rights);
        self.rights.have(other.rights) && wallets && networks && until && pace && limits
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Grant, Texts};
    use crate::api::{Right, Rights};
    use proptest::prelude::*;
    use std::net::IpAddr;

    fn texts() -> impl Strategy<Value = Texts> {
        let some = |all: &'static [&'static str]| prop::sample::subsequence(all, 1..=all.len());
        let wallets = prop_oneof![Just(vec!["*"]), some(&["a", "b", "c"])];
        let networks = prop_oneof![
            Just(vec![]),
            some(&[
                "10.0.0.0/8",
                "10.0.0.0/9",
                "10.128.0.0/9",
                "10.1.2.3",
                "::1",
                "fe80::/10",
                "::ffff:10.1.2.3",
                "::ffff:10.1.0.0/112"
            ])
        ];
        let until =
            prop::option::of(prop::sample::select(vec!["2027-01-01", "2027-01-01T00:00:01Z", "2028-01-01"]));
        let per_second = prop::option::of(1u32..4);
        let limits =
            prop_oneof![Just(vec![]), some(&["spend 0.01 HTR per day", "mint 5 cents of * per hour"])];
        (some(&["read", "send", "mint"]), wallets, networks, until, per_second, limits).prop_map(
            |(rights, wallets, networks, until, per_second, limits)| {
                let texts = |all: Vec<&str>| all.into_iter().map(str::to_owned).collect();
                let (rights, wallets, networks) = (texts(rights), texts(wallets), texts(networks));
                let limits = texts(limits);
                Texts { rights, wallets, networks, until: until.map(str::to_owned), per_second, limits }
            },
        )
    }

    #[test]
    fn a_key_with_limits_covers_none_that_is_alike() {
        let with = |limits: &[&str]| {
            let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
            let (rights, wallets) = (texts(&["send", "administer"]), texts(&["*"]));
            let (networks, limits) = (Vec::new(), texts(limits));
            Grant::try_from(Texts { rights, wallets, networks, until: None, per_second: None, limits })
                .unwrap()
        };
        let limited = with(&["spend 0.01 HTR per day"]);
        assert!(with(&[]).covers(&limited) && with(&[]).covers(&with(&[])));
        assert!(!limited.covers(&limited) && !limited.covers(&with(&[])));
    }

    proptest! {
        #[test]
        fn who_covers_a_grant_may_all_that_it_may(own in texts(), other in texts()) {
            let (own, other) = (Grant::try_from(own).unwrap(), Grant::try_from(other).unwrap());
            prop_assert!(own.covers(&own) == (own.limits.is_empty() || own.rights == Rights::NONE.and(Right::Read)));
            let may = |grant: &Grant, right: Right, wallet: &str, from: &str, now: u64, pace: u32| {
                grant.rights.have(Rights::NONE.and(right))
                    && grant.is_for(wallet)
                    && grant.may_come_from(Some(from.parse::<IpAddr>().unwrap()))
                    && !grant.has_ended(now)
                    && grant.per_second.is_none_or(|most| pace <= most)
            };
            let mut gains = false;
            for right in [Right::Read, Right::Send, Right::Mint] {
                for wallet in ["a", "b", "c", "d"] {
                    for from in ["10.1.2.3", "10.1.2.4", "10.2.0.0", "11.0.0.0", "::1", "::2", "fe80::1", "::ffff:10.1.2.3"] {
                        for now in [0, 1_798_761_600, 1_798_761_601, 1_830_297_600] {
                            for pace in 1..5 {
                                gains |= may(&other, right, wallet, from, now, pace)
                                    && !may(&own, right, wallet, from, now, pace);
                            }
                        }
                    }
                }
            }
            prop_assert!(!own.covers(&other) || !gains, "{own:?} {other:?}");
            // Limits are a key's own, even with an equal grant.
            let spends = other.rights.without(Rights::NONE.and(Right::Read)) != Rights::NONE;
            prop_assert!(!own.covers(&other) || own.limits.is_empty() || !spends);
        }

        #[test]
        fn what_is_written_is_read_again(texts in texts()) {
            let grant = Grant::try_from(texts).unwrap();
            let written = serde_json::to_string(&grant).unwrap();
            prop_assert_eq!(serde_json::from_str::<Grant>(&written).unwrap(), grant);
        }
    }

    #[test]
    fn networks_are_kept_as_what_they_come_to() {
        for (networks, kept) in [
            (&["::ffff:10.1.2.3"][..], &["10.1.2.3/32"][..]),
            (&["::ffff:10.1.2.3/104"], &["10.0.0.0/8"]),
            (&["::ffff:0:0/96"], &["0.0.0.0/0"]),
            (&["::/0"], &["::/0"]),
            (&["10.1.0.0/16", "10.0.0.0/8", "10.1.2.3", "10.0.0.0/8"], &["10.0.0.0/8"]),
            (&["10.128.0.0/9", "10.0.0.0/9"], &["10.0.0.0/8"]),
            (&["::1", "127.0.0.1"], &["127.0.0.1/32", "::1/128"]),
        ] {
            let own = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
            let texts = Texts {
                rights: own(&["read"]),
                wallets: own(&["*"]),
                networks: own(networks),
                ..Texts::default()
            };
            assert_eq!(Grant::try_from(texts).unwrap().networks(), own(kept), "{networks:?}");
        }
    }
}
