//! The `headless-wallet` command.

mod cli;

use clap::Parser;
use std::process::ExitCode;

/// Of each thread: four times the usual, so that no depth that a limit allows comes near its end.
const STACK_BYTES: usize = 8 << 20;

fn main() -> ExitCode {
    let command = cli::Cli::parse();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(STACK_BYTES).build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: can't start the runtime: {error}");
            return ExitCode::FAILURE;
        }
    };
    runtime.block_on(command.run())
}
