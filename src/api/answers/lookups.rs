//! Answers about one address, transaction or token.

use super::kinds::{Cents, Count, Flag, Maybe, OrNull, PaidBy, Text, Uid};
use crate::api::answer::{answer, any_of};
use crate::ledger::{Amount, ConfigurationString, TokenUid, TokenVersion};
use serde::Serialize;

/// The answer of address-index and last-loaded-address-index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum AddressIndexAnswer {
    Index(AddressIndex),
    /// There is none.
    None(NoAddressIndex),
}

impl From<Option<u32>> for AddressIndexAnswer {
    fn from(index: Option<u32>) -> Self {
        index.map_or(Self::None(NoAddressIndex), |index| Self::Index(AddressIndex { index }))
    }
}

any_of!(AddressIndexAnswer as "AddressIndex": AddressIndex | NoAddressIndex);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressIndex {
    pub index: u32,
}

answer! {
    this: AddressIndex {
        success = true,
        index: Count,
    }
}

/// That an address is not the wallet's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoAddressIndex;

answer! {
    this: NoAddressIndex {
        success = false,
    }
}

/// The answer of address-info: what an address received of one token, and where that is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressInfoAnswer<'a> {
    /// In cents.
    pub received: Amount,
    pub sent: Amount,
    /// Unspent and not locked.
    pub available: Amount,
    pub locked: Amount,
    /// The token's uid as asked for.
    pub token: &'a str,
    pub index: u32,
}

answer! {
    /// What an address received of a token, and where that is now.
    this: AddressInfoAnswer<'_> as "AddressInfo", type "AddressInfo" {
        success = true,
        total_amount_received: Cents = this.received,
        total_amount_sent: Cents = this.sent,
        total_amount_available: Cents = this.available,
        total_amount_locked: Cents = this.locked,
        token: Text,
        index: Count,
    }
}

/// The answer of tx-confirmation-blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfirmationsAnswer(pub u32);

answer! {
    this: ConfirmationsAnswer as "Confirmations" {
        success = true,
        confirmationNumber: Count = this.0,
    }
}

/// The answer of configuration-string.
pub struct ConfigurationAnswer(pub ConfigurationString);

answer! {
    this: ConfigurationAnswer as "ConfigurationString" {
        success = true,
        configurationString: Text = this.0,
    }
}

/// What the node says of a token: for the npm package.
pub struct TokenAnswer<'a> {
    pub configuration: &'a ConfigurationString,
    /// `None` for HTR.
    pub version: Option<TokenVersion>,
    /// All that there is of it.
    pub total: Option<Amount>,
    pub can_mint: bool,
    pub can_melt: bool,
    /// What identifies it, if it is an NFT.
    pub nft_data: Option<String>,
}

answer! {
    /// What the full node says of a token.
    this: TokenAnswer<'_>, type "Token" {
        uid: Uid = this.configuration.uid,
        name: Text = this.configuration.name,
        symbol: Text = this.configuration.symbol,
        /// Not for HTR.
        configurationString: Maybe<Text> =
            (this.configuration.uid != TokenUid::Native).then_some(this.configuration),
        /// 1: paid for by a deposit; 2: by fees; `null` for HTR.
        version: OrNull<PaidBy>,
        /// All that there is of it, in cents.
        total: OrNull<Cents>,
        /// Whether somebody may mint more.
        canMint: Flag = this.can_mint,
        /// Whether somebody may melt some.
        canMelt: Flag = this.can_melt,
        /// What identifies it, if it is an NFT: the data that its creation begins with. Amounts of NFTs have
        /// no decimals.
        nftData: OrNull<Text> = this.nft_data,
    }
}
