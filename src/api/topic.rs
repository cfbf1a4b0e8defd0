//! What listeners to a wallet of the npm package can be told of: each topic's name and what comes with it,
//! declared once.

#[cfg(feature = "native")]
use super::{LoadProgress, SwapEvent, TokenBalance, TxEvent, WalletState};

/// Declares the topics: each with what it is, its name and what listeners are given.
macro_rules! topics {
    ( $( $(#[doc = $meaning:literal])* $Topic:ident $name:literal: $News:ty, )* ) => {
        /// What can be listened to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Topic {
            $( $(#[doc = $meaning])* $Topic, )*
        }

        impl Topic {
            /// The names of all.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// The topic of a name.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $( $name => Some(Self::$Topic), )*
                    _ => None,
                }
            }
        }

        /// Each topic's name, what it is, and what listeners are given.
        #[cfg(feature = "native")]
        pub const TOPICS: &[(&str, &str, super::shape::Shape)] = {
            use super::shape::Shaped;
            &[$( ($name, concat!($($meaning),*), <$News>::SHAPE) ),*]
        };
    };
}

topics! {
    /// A transaction or block entered the history, or changed.
    Tx "tx": TxEvent<'static>,
    /// The balance of a token changed.
    Balance "balance": TokenBalance,
    /// The state of the wallet changed.
    State "state": WalletState<'static>,
    /// Progress of loading the history.
    Progress "progress": LoadProgress,
    /// A proposal at the swap service has, or may have, changed.
    Swap "swap": SwapEvent<'static>,
}
