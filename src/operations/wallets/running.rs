//! What is asked of a wallet whatever its state, and its end.

use crate::api::ReadyStatus;
use crate::operations::prelude::*;

pub static EVENTS: Operation = get("events", "/wallet/events", Group::Wallets, Right::Read)
    .does("Tell what happens to a wallet, as server-sent events. They go on until it is stopped; `Last-Event-ID` resumes them. Payments and sends \
         (`deposit.seen`, `send.pushed` …) are the same at every server: see docs/events.md.")
    .package(&[method("events")])
    .command(&[command("events").does("Print the wallet's events, one line of JSON each, until it is stopped or Ctrl-C is pressed.").after("If the connection breaks, it is made again and continues after the last event that was printed.\n\n\
Example:\n  headless-wallet wallet events | jq --unbuffered 'select(.type == \"wallet:new-tx\").data.tx_id'",)])
    .answers_text("text/event-stream")
    .ready_or_not()
    .at_once();

pub static STATUS: Operation = get("status", "/wallet/status", Group::Wallets, Right::Read)
    .does("Show the state of a wallet. If it is not ready, `success` is false, and `statusMessage` has its state.")
    .package(&[method("status").gives("WalletStatus").about("Show the state of the wallet. Works in every state.")])
    .command(&[command("status").does("Say whether the wallet is ready.")])
    .answers(answers![ReadyStatus])
    .at_once();

pub static STOP: Operation = post("stop", "/wallet/stop", Group::Wallets, Right::Administer)
    .does("Stop a wallet, ready or not. Its id can then be used again.")
    .package(&[method("stop").about("Stop the wallet, after its sends in progress. A stopped wallet can't be started again: start another one.")])
    .command(&[command("stop").does("Stop a wallet once it has finished sending; its id can then be used again.")])
    .answers(answers![Success])
    // One that never gets ready is to be stopped most of all.
    .ready_or_not()
    .at_once();
