//! A local network to run against. (being built)

pub mod chain;
