//! Queries that name one thing: an address, a transaction, a token.

use crate::api::declare::{Kind, request};
use crate::api::rules::{ADDRESS, TEXT, TOKEN_OR_HTR};

request! {
    /// `GET /wallet/address-index`.
    pub struct AddressIndexQuery in query {
        /// An address of the wallet.
        pub address: String = ADDRESS,
    }
}

request! {
    /// `GET /wallet/address-info`.
    pub struct AddressInfoQuery in query {
        /// An address of the wallet.
        pub address: String = ADDRESS,
        /// The token's uid; `00` is HTR.
        pub token: String = TOKEN_OR_HTR,
    }
}

request! {
    /// `GET /wallet/transaction` and `GET /wallet/tx-confirmation-blocks`.
    pub struct TransactionQuery in query {
        /// The transaction's id.
        pub id: String = TEXT.of(Kind::TransactionId),
    }
}

request! {
    /// `GET /configuration-string`.
    pub struct ConfigurationStringQuery in query {
        /// The token's uid.
        pub token: String = TEXT,
    }
}
