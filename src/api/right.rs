//! What somebody must be allowed who asks for an operation.

use std::fmt;
use std::str::FromStr;

/// What somebody must be allowed who asks for an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Right {
    /// Nothing: it tells nothing of any wallet.
    None,
    /// To see what a wallet has and does.
    Read,
    /// To build transactions, and to set outputs aside for them.
    Build,
    /// To have the wallet's keys sign.
    Sign,
    /// To send what the wallet has.
    Send,
    CreateTokens,
    Mint,
    Melt,
    /// To create contracts and call them.
    Contracts,
    /// To approve what others asked for.
    Approve,
    /// To start and stop wallets, and to change settings.
    Administer,
}

/// A text that names no right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRight;

impl Right {
    /// All that can be given.
    pub const ALL: [Self; 10] = [
        Self::Read,
        Self::Build,
        Self::Sign,
        Self::Send,
        Self::CreateTokens,
        Self::Mint,
        Self::Melt,
        Self::Contracts,
        Self::Approve,
        Self::Administer,
    ];
    pub const NAMES: &'static [&'static str] = &{
        let mut names = [""; Self::ALL.len()];
        let mut place = 0;
        while place < names.len() {
            names[place] = Self::ALL[place].name();
            place += 1;
        }
        names
    };
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Read => "read",
            Self::Build => "build",
            Self::Sign => "sign",
            Self::Send => "send",
            Self::CreateTokens => "create-tokens",
            Self::Mint => "mint",
            Self::Melt => "melt",
            Self::Contracts => "contracts",
            Self::Approve => "approve",
            Self::Administer => "administer",
        }
    }
}

impl fmt::Display for Right {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Right {
    type Err = UnknownRight;
    fn from_str(text: &str) -> Result<Self, UnknownRight> {
        Self::ALL.into_iter().find(|right| right.name() == text).ok_or(UnknownRight)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rights(u16);

impl Rights {
    pub const NONE: Self = Self(0);
    /// Whether each of these is among them.
    pub const fn have(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }
    /// These and one more.
    pub const fn and(self, right: Right) -> Self {
        match right {
            Right::None => self,
            right => Self(self.0 | 1 << right as u16),
        }
    }
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }
    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    pub fn iter(self) -> impl Iterator<Item = Right> {
        Right::ALL.into_iter().filter(move |right| self.have(Self::default().and(*right)))
    }
}

impl FromIterator<Right> for Rights {
    fn from_iter<I: IntoIterator<Item = Right>>(rights: I) -> Self {
        rights.into_iter().fold(Self::default(), Self::and)
    }
}

impl fmt::Display for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(Right::name).collect();
        f.write_str(&names.join(", "))
    }
}
