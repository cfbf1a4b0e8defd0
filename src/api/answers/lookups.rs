//! Answers about one address, transaction or token.

#[cfg(feature = "native")]
use super::kinds::write_amount;
use super::kinds::{Cents, Count, Flag, Hash, Maybe, OrNull, PaidBy, Text, Uid};
#[cfg(feature = "native")]
use crate::api::AmountForm;
use crate::api::answer::{answer, any_of};
use crate::ledger::{Amount, ConfigurationString, Outpoint, TokenUid, TokenVersion, VertexId};
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
    /// The amounts of a token that an address received, sent and still has.
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
    /// The full node's data about a token.
    this: TokenAnswer<'_>, type "Token" {
        uid: Uid = this.configuration.uid,
        name: Text = this.configuration.name,
        symbol: Text = this.configuration.symbol,
        /// Not for HTR.
        configurationString: Maybe<Text> =
            (this.configuration.uid != TokenUid::Native).then_some(this.configuration),
        /// 1: paid for by a deposit; 2: by fees; `null` for HTR.
        version: OrNull<PaidBy>,
        /// The total supply, in cents.
        total: OrNull<Cents>,
        /// Whether anybody can mint more.
        canMint: Flag = this.can_mint,
        /// Whether anybody can melt it.
        canMelt: Flag = this.can_melt,
        /// Of an NFT, the data in the first output of its creation, which identifies it. Amounts of NFTs have
        /// no decimals.
        nftData: OrNull<Text> = this.nft_data,
    }
}

// The answer of utxo-filter.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtxoAnswer<'a> {
    pub address: &'a str,
    /// In cents.
    pub amount: Amount,
    pub outpoint: Outpoint,
    /// Whether it is locked.
    pub locked: bool,
}

/// The unspent outputs found. Totals cover exactly these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UtxoList<'a>(pub Vec<UtxoAnswer<'a>>);

impl UtxoList<'_> {
    /// What those come to that are locked, or those that are not, and how many they are.
    fn of(&self, locked: bool) -> (Amount, usize) {
        let of_it = self.0.iter().filter(|utxo| utxo.locked == locked);
        of_it.fold((Amount::ZERO, 0), |(sum, count), utxo| (sum.saturating_add(utxo.amount), count + 1))
    }
}

answer! {
    /// Unspent outputs. The totals cover exactly these.
    this: UtxoList<'_> as "UtxoList", type "UtxoList" {
        total_amount_available: Cents = this.of(false).0,
        total_utxos_available: Count = this.of(false).1,
        total_amount_locked: Cents = this.of(true).0,
        total_utxos_locked: Count = this.of(true).1,
        utxos: [UtxoAnswer<'_>] = *this.0,
    }
}

#[cfg(feature = "native")]
impl UtxoList<'_> {
    /// Room for the answer's JSON: more than it takes but for the largest amounts.
    pub fn json_bytes(&self) -> usize {
        128 + self.0.len() * 192
    }

    /// Writes the answer's JSON straight into one buffer: all outputs of a big wallet are megabytes of it,
    /// and no text in them needs escaping.
    pub fn write_json(&self, json: &mut Vec<u8>) {
        json.reserve(self.json_bytes());
        let form = AmountForm::current();
        for (key, locked) in [("available", false), ("locked", true)] {
            let (sum, count) = self.of(locked);
            json.push(if locked { b',' } else { b'{' });
            let total = if locked { "\"total_amount_locked\":" } else { "\"total_amount_available\":" };
            write_amount(json, total, sum, form);
            json.extend_from_slice(b",\"total_utxos_");
            json.extend_from_slice(key.as_bytes());
            json.extend_from_slice(b"\":");
            json.extend_from_slice(itoa::Buffer::new().format(count).as_bytes());
        }
        json.extend_from_slice(b",\"utxos\":[");
        for (place, utxo) in self.0.iter().enumerate() {
            json.extend_from_slice(if place == 0 {
                &b"{\"address\":\""[..]
            } else {
                &b",{\"address\":\""[..]
            });
            json.extend_from_slice(utxo.address.as_bytes());
            write_amount(json, "\",\"amount\":", utxo.amount, form);
            json.extend_from_slice(b",\"tx_id\":\"");
            json.extend_from_slice(&utxo.outpoint.tx.digits());
            json.extend_from_slice(if utxo.locked {
                &b"\",\"locked\":true,\"index\":"[..]
            } else {
                &b"\",\"locked\":false,\"index\":"[..]
            });
            json.extend_from_slice(itoa::Buffer::new().format(utxo.outpoint.index).as_bytes());
            json.push(b'}');
        }
        json.extend_from_slice(b"]}");
    }
}

/// The outputs that a consolidation made one of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsolidationAnswer<'a> {
    /// The transaction that did.
    pub id: VertexId,
    /// In the order of its inputs.
    pub utxos: Vec<UtxoAnswer<'a>>,
}

answer! {
    /// The result of a consolidation.
    this: ConsolidationAnswer<'_> as "Consolidation", type "Consolidation" {
        success = true,
        txId: Hash = this.id,
        total_utxos_consolidated: Count = this.utxos.len(),
        total_amount: Cents = this.utxos.iter().map(|utxo| utxo.amount).sum::<Amount>(),
        utxos: [UtxoAnswer<'_>] = *this.utxos,
    }
}

answer! {
    /// An unspent output.
    this: UtxoAnswer<'_> as "Utxo", type "Utxo" {
        address: Text,
        amount: Cents,
        tx_id: Hash = this.outpoint.tx,
        /// Whether it is locked.
        locked: Flag,
        index: Count = this.outpoint.index,
    }
}
