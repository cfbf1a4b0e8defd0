use crate::ledger::{Address, Amount, Network, TokenUid, VertexId};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

const MAX_QUORUM: usize = 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    Cap(Cap),
    /// The only recipients, with all other `to` rules.
    To(Address),
    NotTo(Address),
    /// A contract that may be called, or one method of it.
    Call(VertexId, Option<String>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cap {
    pub verb: Verb,
    pub most: Amount,
    pub which: Which,
    pub period: Period,
    /// Who may approve more; `None` if more is refused.
    pub unless: Option<Arc<Quorum>>,
}

/// The number of these keys that must approve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quorum {
    needs: usize,
    of: Vec<String>,
}

impl Quorum {
    pub fn names(&self) -> &[String] {
        &self.of
    }

    pub fn is_met(&self, approvers: &[String]) -> bool {
        self.of.iter().filter(|name| approvers.contains(name)).count() >= self.needs
    }

    /// Whether enough keys are left without this one, whose approval does not count.
    pub fn can_be_met_without(&self, name: &str) -> bool {
        self.of.iter().filter(|of| *of != name).count() >= self.needs
    }

    fn read(needs: &str, of: &str) -> Option<Self> {
        let of: Vec<_> = of.split(',').map(str::to_owned).collect();
        let needs = needs.parse().ok().filter(|needs| (1..=of.len().min(MAX_QUORUM)).contains(needs))?;
        let is_fine = |(place, name): (usize, &String)| !name.is_empty() && !of[..place].contains(name);
        (of.len() <= MAX_QUORUM && of.iter().enumerate().all(is_fine)).then_some(Self { needs, of })
    }
}

impl fmt::Display for Quorum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.needs, self.of.join(","))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// To others, to contracts, as fee or deposit.
    Spend,
    Mint,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    Token(TokenUid),
    /// Each token that no other rule of its kind names.
    Each,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    Transaction,
    Hour,
    Day,
    Lifetime,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "limits must be as \"spend 10.00 HTR per day\" or \"spend 500 cents of UID per day\" (spend or mint; HTR, a token's uid or *; \
     transaction, hour, day or lifetime; perhaps with \"unless approved by 2 of alice,bob,carol\" after it), \"to ADDRESS\", \"not to ADDRESS\" or \"call CONTRACT \
     METHOD\", and {0:?} is none"
)]
pub struct RuleError(pub String);

/// An address of another network: its author probably meant other rules, too.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the limit \"{rule}\" has an address of another network than {network}, where the address of the same key is {here}"
)]
pub struct OtherNetwork {
    pub rule: Box<Rule>,
    pub network: &'static str,
    pub here: Address,
}

impl Rule {
    pub fn quorum(&self) -> Option<&Quorum> {
        match self {
            Self::Cap(cap) => cap.unless.as_deref(),
            Self::To(_) | Self::NotTo(_) | Self::Call(..) => None,
        }
    }

    /// # Errors
    /// [`OtherNetwork`], with the address's form on this network.
    pub fn check_network(&self, network: Network) -> Result<(), OtherNetwork> {
        let (Self::To(address) | Self::NotTo(address)) = self else { return Ok(()) };
        let here = address.on(network);
        match here == *address {
            true => Ok(()),
            false => Err(OtherNetwork { rule: Box::new(self.clone()), network: network.name(), here }),
        }
    }
}

const HTR: &str = "HTR";

impl Period {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Transaction, "transaction"),
        (Self::Hour, "hour"),
        (Self::Day, "day"),
        (Self::Lifetime, "lifetime"),
    ];
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Spend => "spend",
            Self::Mint => "mint",
        })
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(TokenUid::Native) => f.write_str(HTR),
            Self::Token(TokenUid::Custom(token)) => token.fmt(f),
            Self::Each => f.write_str("*"),
        }
    }
}

/// An amount of a token as it is written in limits. Not all tokens are divided: of others than HTR, cents
/// are counted.
#[derive(Clone, Copy)]
pub struct Quantity(pub Amount, pub Which);

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(amount, which) if amount.is_zero() => write!(f, "0 {which}"),
            Self(amount, Which::Token(TokenUid::Native)) => match amount.whole_cents() {
                Some(cents) => write!(f, "{}.{:02} {HTR}", cents / 100, cents % 100),
                None => write!(f, "{} {HTR}", amount.decimal()),
            },
            Self(amount, which) => write!(f, "{amount} cents of {which}"),
        }
    }
}

impl Quantity {
    /// A whole number alone is none, but of HTR or nothing: it could be tokens or cents.
    fn read(words: &[&str]) -> Option<Self> {
        let (amount, token) = match *words {
            [cents, "cents", "of", token] => (Amount::of_cents(cents)?, token),
            ["0", token] => (Amount::ZERO, token),
            [whole, HTR] if !whole.contains('.') => (Amount::of_decimal(&format!("{whole}.0"))?, HTR),
            [decimal, token] => (Amount::of_decimal(decimal)?, token),
            _ => return None,
        };
        let which = match token {
            "*" => Which::Each,
            HTR => Which::Token(TokenUid::Native),
            token => Which::Token(token.parse().ok()?),
        };
        Some(Self(amount, which))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cap(Cap { verb, most, which, period, unless }) => {
                let period = Period::ALL.iter().find(|(of, _)| of == period).map_or("", |(_, name)| name);
                write!(f, "{verb} {} per {period}", Quantity(*most, *which))?;
                unless.iter().try_for_each(|quorum| write!(f, " unless approved by {quorum}"))
            }
            Self::To(address) => write!(f, "to {address}"),
            Self::NotTo(address) => write!(f, "not to {address}"),
            Self::Call(contract, None) => write!(f, "call {contract}"),
            Self::Call(contract, Some(method)) => write!(f, "call {contract} {method}"),
        }
    }
}

impl FromStr for Rule {
    type Err = RuleError;
    fn from_str(text: &str) -> Result<Self, RuleError> {
        let words: Vec<_> = text.split_ascii_whitespace().collect();
        read(&words).ok_or_else(|| RuleError(text.to_owned()))
    }
}

fn read(words: &[&str]) -> Option<Rule> {
    Some(match *words {
        ["to", to] => Rule::To(address(to)?),
        ["not", "to", to] => Rule::NotTo(address(to)?),
        ["call", contract] => Rule::Call(contract.parse().ok()?, None),
        ["call", contract, method] => Rule::Call(contract.parse().ok()?, Some(method.to_owned())),
        [verb, ref rest @ ..] => {
            let end = rest.iter().position(|word| *word == "per")?;
            let (quantity, [_, period, unless @ ..]) = rest.split_at(end) else { return None };
            let unless = match *unless {
                [] => None,
                ["unless", "approved", "by", needs, "of", names] => {
                    Some(Arc::new(Quorum::read(needs, names)?))
                }
                _ => return None,
            };
            let verb = [Verb::Spend, Verb::Mint].into_iter().find(|known| known.to_string() == verb)?;
            let (period, _) = *Period::ALL.iter().find(|(_, name)| name == period)?;
            let Quantity(most, which) = Quantity::read(quantity)?;
            Rule::Cap(Cap { verb, most, which, period, unless })
        }
        _ => return None,
    })
}

fn address(text: &str) -> Option<Address> {
    Address::parse_any(text).ok()
}
