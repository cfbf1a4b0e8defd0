//! The ledger's bytes against vectors made and cross-checked with the existing implementations (each file
//! under `tests/vectors` names them), and against arbitrary input.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod addresses;
mod amounts;
mod amounts_v2;
mod arbitrary;
mod blocks;
mod invalid;
mod mining;
mod partial_tx;
mod scripts;
mod tokens;
mod transactions;
mod vectors;
mod weights;
