//! What a full node says of itself and of the rules of its network.

use super::object;
use super::wire::float;
use crate::ledger::{DepositRate, VertexId, WeightConstants};
use crate::net::brief;
use crate::rt;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::num::NonZeroU64;

/// The answer of `GET version`, as far as a wallet needs it.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct NodeVersion {
    /// Of the node's software.
    pub version: String,
    /// The network's name, such as `mainnet` or `nano-testnet-bravo`.
    pub network: String,
    pub weight: WeightConstants,
    pub deposit: DepositRate,
    /// Blocks on top of a block before its reward can be spent.
    pub reward_spend_min_blocks: u32,
    pub max_inputs: u32,
    pub max_outputs: u32,
    /// Tells chains of one name apart; absent on old nodes.
    pub genesis_block: Option<VertexId>,
    /// The whole answer as it came.
    pub raw: Box<RawValue>,
}

/// The node is of another network than the configured one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Wrong network. server={server} expected={expected}")]
#[allow(missing_docs)]
pub struct WrongNetwork {
    pub server: String,
    pub expected: String,
}

impl NodeVersion {
    /// Demands that the node's network has the configured name in its own.
    ///
    /// # Errors
    /// [`WrongNetwork`], with both names, if it has not.
    pub fn check_network(&self, expected: &str) -> Result<(), WrongNetwork> {
        if self.network.contains(expected) {
            return Ok(());
        }
        Err(WrongNetwork { server: self.network.clone(), expected: expected.to_owned() })
    }

    /// Reads the body of `GET version`.
    ///
    /// # Errors
    /// What is wrong with the body: which field that wallets need is missing or not as a node writes it.
    pub fn from_json(body: &[u8]) -> Result<Self, String> {
        let raw: Box<RawValue> = serde_json::from_slice(body).map_err(|e| e.to_string())?;
        let wire: WireVersion = object::read(raw.get().as_bytes()).map_err(|e| e.to_string())?;
        // Nodes that publish a fraction compute with it; those before them had a double, and published that.
        let deposit = match (wire.numerator, wire.denominator, wire.percentage) {
            (Some(numerator), Some(denominator), _) => rate(numerator, denominator)?,
            (_, _, Some(rate)) if rate.is_finite() && rate >= 0.0 => DepositRate::Double(rate),
            (_, _, Some(rate)) => {
                return Err(format!("token_deposit_percentage is {}", rt::float_text(rate)));
            }
            _ => DepositRate::default(),
        };
        let weight = WeightConstants {
            min_weight: wire.min_tx_weight,
            coefficient: wire.min_tx_weight_coefficient,
            k: wire.min_tx_weight_k,
        };
        Ok(Self {
            version: brief(&wire.version),
            network: brief(&wire.network),
            weight,
            deposit,
            reward_spend_min_blocks: wire.reward_spend_min_blocks,
            max_inputs: wire.max_number_inputs,
            max_outputs: wire.max_number_outputs,
            genesis_block: wire.genesis_block_hash.and_then(|h| h.parse().ok()),
            raw,
        })
    }
}

fn rate(numerator: u64, denominator: u64) -> Result<DepositRate, String> {
    let denominator = NonZeroU64::new(denominator).ok_or("token_deposit_percentage_denominator is 0")?;
    Ok(DepositRate::Fraction { numerator, denominator })
}

#[derive(Deserialize)]
struct WireVersion {
    version: String,
    network: String,
    #[serde(deserialize_with = "float")]
    min_tx_weight: f64,
    #[serde(deserialize_with = "float")]
    min_tx_weight_coefficient: f64,
    #[serde(deserialize_with = "float")]
    min_tx_weight_k: f64,
    #[serde(default, rename = "token_deposit_percentage_numerator")]
    numerator: Option<u64>,
    #[serde(default, rename = "token_deposit_percentage_denominator")]
    denominator: Option<u64>,
    #[serde(default, deserialize_with = "some_float", rename = "token_deposit_percentage")]
    percentage: Option<f64>,
    reward_spend_min_blocks: u32,
    #[serde(default = "byte")]
    max_number_inputs: u32,
    #[serde(default = "byte")]
    max_number_outputs: u32,
    #[serde(default)]
    genesis_block_hash: Option<String>,
}

fn some_float<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    float(deserializer).map(Some)
}

/// The most that the one byte of a count can say.
const fn byte() -> u32 {
    255
}
