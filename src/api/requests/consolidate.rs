//! utxo-consolidation: many outputs into one.

use super::reads::{OTHER_NAME, refuse_two_addresses};
use crate::api::declare::request;
use crate::api::rules::{ADDRESS, LOWER_BOUND, MOST, OPTIONAL_ADDRESS, TOKEN_OR_HTR, UPPER_BOUND};
use crate::ledger::Amount;

request! {
    /// `POST /wallet/utxo-consolidation`.
    pub struct Consolidate in body, also = refuse_two_addresses {
        /// Where the sum goes: an address of the wallet.
        pub destination_address: String = ADDRESS,
        /// At most so many are taken; one transaction takes 255.
        pub max_utxos: Option<usize> = MOST,
        /// The token's uid; `00` is HTR.
        pub token: String = TOKEN_OR_HTR,
        /// Only outputs of this address.
        pub filter_address: Option<String> = OPTIONAL_ADDRESS,
        /// Another name of `filter_address`.
        pub address: Option<String> = OTHER_NAME,
        /// Only outputs of less, in cents.
        pub amount_smaller_than: Option<Amount> = UPPER_BOUND,
        /// Only outputs of more, in cents.
        pub amount_bigger_than: Option<Amount> = LOWER_BOUND,
        /// Outputs are taken while their total stays within this, in cents.
        pub maximum_amount: Option<Amount> = UPPER_BOUND,
    }
}
