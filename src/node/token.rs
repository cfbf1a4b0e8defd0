//! What the full node says of a token.

use super::{CallError, Fault, FullNode};
use crate::ledger::{Amount, TokenUid, TokenVersion, data_of};
use serde::Deserialize;

/// A token, as the node knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenDescription {
    pub name: String,
    pub symbol: String,
    /// `None` for the native token and from nodes that don't say.
    pub version: Option<TokenVersion>,
    /// All that there is of it, in cents; `None` from nodes that don't say, or that say it wrong.
    pub total: Option<Amount>,
    /// Whether somebody may mint more.
    pub can_mint: bool,
    /// Whether somebody may melt some.
    pub can_melt: bool,
}

impl FullNode {
    /// `GET thin_wallet/token`: `None` if the node does not know it.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, or refuses for another reason than that it does not know it.
    pub async fn token(&self, uid: &TokenUid) -> Result<Option<TokenDescription>, CallError> {
        #[derive(Deserialize)]
        struct Wire {
            name: String,
            symbol: String,
            #[serde(default)]
            version: Option<u8>,
            #[serde(default)]
            total: Option<serde_json::Number>,
            #[serde(default)]
            can_mint: bool,
            #[serde(default)]
            can_melt: bool,
        }
        let uid = uid.to_string();
        match self.endpoint.read::<Wire>("thin_wallet/token", &[("id", &uid)]).await {
            Ok(wire) => Ok(Some(TokenDescription {
                name: wire.name,
                symbol: wire.symbol,
                version: match wire.version {
                    Some(1) => Some(TokenVersion::Deposit),
                    Some(2) => Some(TokenVersion::Fee),
                    _ => None,
                },
                total: wire.total.and_then(|total| total.as_u64()).map(|total| Amount::new(total.into())),
                can_mint: wire.can_mint,
                can_melt: wire.can_melt,
            })),
            Err(CallError { fault: Fault::Refused(message), .. }) if message == "Unknown token" => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// What identifies a token that is an NFT: the text in the first output of its creation. `None` for any
    /// other token, and where the creation can't be read.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, or refuses for another reason than that it does not know it.
    pub async fn nft_data(&self, token: &TokenUid) -> Result<Option<String>, CallError> {
        let TokenUid::Custom(creation) = token else { return Ok(None) };
        match self.outputs(creation).await {
            Ok(outputs) => {
                Ok(outputs.and_then(|outputs| Some(data_of(&outputs.first()?.script)?.to_owned())))
            }
            Err(CallError { fault: Fault::InvalidAnswer(_), .. }) => Ok(None),
            Err(failure) => Err(failure),
        }
    }
}
