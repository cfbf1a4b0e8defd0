//! utxo-consolidation: many outputs into one.

use crate::api::rules::{ADDRESS, LOWER_BOUND, MOST, OPTIONAL_ADDRESS, TOKEN_OR_HTR, UPPER_BOUND};
use crate::api::texts::READ_ONLY_CONSOLIDATE;
use crate::api::{ConsolidationAnswer, Location};
use crate::ledger::{Address, Amount, Network, TokenVersion};
use crate::operations::addresses::refuse;
use crate::operations::prelude::*;
use crate::operations::reading::OTHER_NAME;
use crate::operations::reading::refuse_two_addresses;
use crate::wallet;
use crate::wallet::{ConsolidateRequest, PlanError};

pub static CONSOLIDATE: Operation =
    post("utxo-consolidation", "/wallet/utxo-consolidation", Group::Sending, Right::Send)
        .does("Combine many outputs into one.")
        .package(&[method("consolidateUtxos")])
        .command(&[command("consolidate").places(&["destination_address"])])
        .sends::<Consolidate>(
            READ_ONLY_CONSOLIDATE,
            &[(
                "example",
                r#"{"destination_address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "max_utxos": 10}"#,
            )],
        )
        .answers(answers![ConsolidationAnswer, DryRunAnswer, Failure]);

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

impl Consolidate {
    /// The request for a wallet of `network`. A token that is none, or an address that nobody can have, names
    /// no outputs.
    ///
    /// # Errors
    /// [`Refusal::Failure`] if the destination is no address of `network`, or if token or filter address name
    /// no outputs: then that there is nothing to consolidate.
    pub fn for_network(self, network: Network) -> Result<ConsolidateRequest, Refusal> {
        let to = Address::parse(&self.destination_address, network)
            .map_err(|_| refuse(&PlanError::DestinationNotMine))?;
        let nothing = || refuse(&PlanError::NothingToConsolidate);
        let address = match self.filter_address.or(self.address) {
            Some(text) => Some(Address::parse(&text, network).map_err(|_| nothing())?),
            None => None,
        };
        let outputs = wallet::UtxoFilter {
            token: self.token.parse().map_err(|_| nothing())?,
            address,
            smaller_than: self.amount_smaller_than,
            bigger_than: self.amount_bigger_than,
            maximum_amount: self.maximum_amount,
            max_utxos: self.max_utxos,
            ..wallet::UtxoFilter::default()
        };
        Ok(ConsolidateRequest { to, outputs, version: TokenVersion::Deposit })
    }
}

impl Plans for Consolidate {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<service::Operation, CallError> {
        call.check_filter(self.filter_address.as_deref(), "filter_address", Location::Body)?;
        call.check_filter(self.address.as_deref(), "address", Location::Body)?;
        Ok(service::Operation::Consolidate(self.for_network(call.network())?))
    }
}
