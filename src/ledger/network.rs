//! The networks and what differs between them.

/// A Hathor network, as far as its addresses tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Network {
    /// The network with value: addresses start with `H` and `h`.
    Mainnet,
    /// The public test network: addresses start with `W` and `w`.
    Testnet,
    /// A private network, with the address bytes of the test network.
    Privatenet,
}

impl Network {
    /// The network's name in configuration: `mainnet`, `testnet` or `privatenet`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mainnet => "mainnet",
            Self::Testnet => "testnet",
            Self::Privatenet => "privatenet",
        }
    }
    /// First byte of an address that is paid by public key hash.
    pub const fn p2pkh_byte(self) -> u8 {
        match self {
            Self::Mainnet => 0x28,
            _ => 0x49,
        }
    }
    /// First byte of an address that is paid by script hash.
    pub const fn p2sh_byte(self) -> u8 {
        match self {
            Self::Mainnet => 0x64,
            _ => 0x87,
        }
    }
    /// The network of a node that calls its own by `name`: exactly `mainnet`, anything with `testnet`, else
    /// private.
    pub fn of_node(name: &str) -> Self {
        if name == "mainnet" {
            Self::Mainnet
        } else if name.contains("testnet") {
            Self::Testnet
        } else {
            Self::Privatenet
        }
    }
}

impl std::str::FromStr for Network {
    type Err = UnknownNetwork;
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        [Self::Mainnet, Self::Testnet, Self::Privatenet]
            .into_iter()
            .find(|n| n.name() == name)
            .ok_or_else(|| UnknownNetwork(name.to_owned()))
    }
}

/// A network name that is none of the three.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown network {0:?}: expected mainnet, testnet or privatenet")]
pub struct UnknownNetwork(pub String);
