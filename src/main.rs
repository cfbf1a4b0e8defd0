//! The `headless-wallet` command.

fn main() {}
