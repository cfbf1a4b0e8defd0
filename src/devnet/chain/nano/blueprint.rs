//! The blueprints that the local network can execute.

use super::state::Method;
use crate::ledger::Transaction;
use crate::ledger::nano::{ArgType, Blueprint};
use k256::ecdsa::signature::hazmat::PrehashVerifier;
use k256::ecdsa::{Signature, VerifyingKey};

/// The id under which every full node knows Bet.
pub const BET: [u8; 32] = [
    0x3c, 0xb0, 0x32, 0x60, 0x0b, 0xdf, 0x7d, 0xb7, 0x84, 0x80, 0x0e, 0x4e, 0xa9, 0x11, 0xb1, 0x06, 0x76,
    0xfa, 0x2f, 0x67, 0x59, 0x1f, 0x82, 0xbb, 0x62, 0x62, 0x8c, 0x23, 0x4e, 0x77, 0x15, 0x95,
];
/// Most bytes of a blueprint's code (full node: `NC_ON_CHAIN_BLUEPRINT_CODE_MAX_SIZE_UNCOMPRESSED`).
const MAX_CODE_BYTES: usize = 240_000;

/// What a contract runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Bets on what an oracle will say.
    Bet,
    /// Holds authorities, and mints and melts.
    Authority,
}

impl Program {
    const ALL: [Self; 2] = [Self::Bet, Self::Authority];

    /// The name of its class.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bet => "Bet",
            Self::Authority => "AuthorityBlueprint",
        }
    }

    /// The program that stands for Python code, by the name of the class that the code exports.
    ///
    /// # Errors
    /// Why there is none.
    pub fn of_code(code: &[u8]) -> Result<Self, String> {
        let text = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(code, MAX_CODE_BYTES);
        let text = text.map_err(|_| "the blueprint's code can't be decompressed".to_owned())?;
        let text = String::from_utf8(text).map_err(|_| "the blueprint's code is not UTF-8".to_owned())?;
        if text.contains("__") {
            return Err("forbidden syntax: script contains dunder text".to_owned());
        }
        let mut lines = text.lines().skip_while(|line| line.trim_end() != "@export").skip(1);
        let class = lines.next().and_then(|line| line.strip_prefix("class "));
        let name = class.and_then(|class| class.split_once('(')).map(|(name, _)| name.trim());
        let name = name.ok_or_else(|| "Could not find a main Blueprint definition".to_owned())?;
        Self::ALL.into_iter().find(|program| program.name() == name).ok_or_else(|| {
            format!(
                "the local network can't execute the blueprint {name}: it knows Bet and AuthorityBlueprint"
            )
        })
    }

    /// What it can be asked to do.
    pub const fn methods(self) -> &'static [Method] {
        match self {
            Self::Bet => super::bet::METHODS,
            Self::Authority => super::authority::METHODS,
        }
    }

    /// The types of a method's arguments.
    pub(super) fn types(self, method: &str) -> Option<Vec<ArgType>> {
        let (_, args, _) = self.methods().iter().find(|(name, ..)| *name == method)?;
        Some(args.iter().map(|(_, of)| ArgType::parse(of).expect("types of known methods")).collect())
    }
}

pub(super) fn verify_signature(tx: &Transaction, blueprint: &Blueprint) -> Result<(), String> {
    let key = VerifyingKey::from_sec1_bytes(&blueprint.public_key)
        .ok()
        .filter(|_| blueprint.public_key.len() == 33)
        .ok_or_else(|| "nc_pubkey is not a public key".to_owned())?;
    let digest = tx.sighash().map_err(|error| error.to_string())?;
    let signature = Signature::from_der(&blueprint.signature).map_err(|_| String::new())?;
    // The node's error has no text here.
    key.verify_prehash(&digest, &signature).map_err(|_| String::new())
}
