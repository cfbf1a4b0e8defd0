//! What a full node says of itself and of the rules of its network.

use super::object;
use super::wire::float;
use crate::ledger::{DepositRate, VertexId, WeightConstants};
use crate::net::brief;
use crate::rt;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::num::NonZeroU64;
use std::ops::RangeInclusive;

/// The answer of `GET version`, as far as a wallet needs it.
#[derive(Clone, Debug)]
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
    /// What is wrong with the body: which field that wallets need is missing, not as a node writes it, or out
    /// of the bounds of every network.
    pub fn from_json(body: &[u8]) -> Result<Self, String> {
        let raw: Box<RawValue> = serde_json::from_slice(body).map_err(|e| e.to_string())?;
        let wire: WireVersion = object::read(raw.get().as_bytes()).map_err(|e| e.to_string())?;
        // Nodes that publish a fraction compute with it; those before them had a double, and published that.
        let deposit = match (wire.numerator, wire.denominator, wire.percentage) {
            (Some(numerator), Some(denominator), _) => rate(numerator, denominator)?,
            (_, _, Some(rate)) if rate > 0.0 && rate <= 1.0 => DepositRate::Double(rate),
            (_, _, Some(rate)) => {
                let rate = rt::float_text(rate);
                return Err(format!("token_deposit_percentage is {rate}, and must be above 0 and at most 1"));
            }
            _ => DepositRate::default(),
        };
        within("min_tx_weight", wire.min_tx_weight, 0.0..=MAX_WEIGHT)?;
        within("min_tx_weight_coefficient", wire.min_tx_weight_coefficient, 0.0..=MAX_COEFFICIENT)?;
        within("min_tx_weight_k", wire.min_tx_weight_k, 0.0..=MAX_K)?;
        within("reward_spend_min_blocks", wire.reward_spend_min_blocks.into(), 0.0..=BLOCKS_OF_A_YEAR)?;
        within("max_number_inputs", wire.max_number_inputs.into(), 1.0..=byte().into())?;
        within("max_number_outputs", wire.max_number_outputs.into(), 1.0..=byte().into())?;
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
    match NonZeroU64::new(denominator).filter(|_| (1..=denominator).contains(&numerator)) {
        Some(denominator) => Ok(DepositRate::Fraction { numerator, denominator }),
        None => Err(format!(
            "token_deposit_percentage_numerator / token_deposit_percentage_denominator is {numerator} / {denominator}, and must be \
             above 0 and at most 1"
        )),
    }
}

/// The mining service refuses jobs of more weight: with such a minimum nobody could send.
const MAX_WEIGHT: f64 = 35.0;
/// Multiplied with the logarithm (base 2) of a size in bytes, and no transaction with a signed input is
/// smaller than 2^7.
const MAX_COEFFICIENT: f64 = MAX_WEIGHT / 7.0;
/// More HTR than an output can have: beyond it the constant changes nothing.
const MAX_K: f64 = 1e17;
/// Of 30 s each. Mainnet locks rewards for 300.
const BLOCKS_OF_A_YEAR: f64 = 365.0 * 24.0 * 120.0;

/// A node that says something else is broken or lies; without this, sends would end in a time-out, much
/// later.
fn within(field: &str, value: f64, bounds: RangeInclusive<f64>) -> Result<(), String> {
    if bounds.contains(&value) {
        return Ok(());
    }
    let [value, least, most] = [value, *bounds.start(), *bounds.end()].map(rt::float_text);
    Err(format!("{field} is {value}, and must be from {least} to {most}"))
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
