//! The `headless-wallet` command.

mod cli;

use std::alloc::System;
use std::process::ExitCode;
use zeroizing_alloc::ZeroAlloc;

/// Wipes all memory that is given back: libraries (HTTP, TOML, JSON) keep copies of the words and passphrases
/// that pass through them, and don't wipe them.
#[global_allocator]
static ALLOCATOR: ZeroAlloc<System> = ZeroAlloc(System);

/// Of each thread: four times the usual, so that no depth that a limit allows comes near its end.
const STACK_BYTES: usize = 8 << 20;

fn main() -> ExitCode {
    let command = cli::Cli::read();
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
