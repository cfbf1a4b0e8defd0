//! The `headless-wallet` command.

mod cli;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = cli::Cli::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: can't start the runtime: {error}");
            return ExitCode::FAILURE;
        }
    };
    runtime.block_on(command.run())
}
