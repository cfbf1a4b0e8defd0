//! What is asked of a wallet whatever its state, and its end.

use crate::api::ReadyStatus;
use crate::operations::prelude::*;

pub static EVENTS: Operation = get("events", "/wallet/events", Group::Wallets, Right::Read)
    .does("Tell what happens to a wallet, as server-sent events. They go on until it is stopped; `Last-Event-ID` resumes them. Payments and sends \
         (`deposit.seen`, `send.pushed` …) are the same at every server: see docs/events.md.")
    .package(&[method("events")])
    .command(&[command("events").does("Print what happens to the wallet, one line of JSON for each event, until it is stopped or Ctrl-C is pressed.").after("If the connection breaks, it is made again and continues after the last event that was printed.\n\n\
Example:\n  headless-wallet wallet events | jq --unbuffered 'select(.type == \"wallet:new-tx\").data.tx_id'",)])
    .answers_text("text/event-stream")
    .ready_or_not()
    .at_once();

pub static STATUS: Operation = get("status", "/wallet/status", Group::Wallets, Right::Read)
    .does("Show the state of a wallet. One that is not ready is told by `success` false, with its state in `statusMessage`.")
    .package(&[method("status").gives("WalletStatus").about("Where the wallet stands. Works in every state.")])
    .command(&[command("status").does("Say whether the wallet is ready.")])
    .answers(answers![ReadyStatus])
    .at_once();

pub static STOP: Operation = post("stop", "/wallet/stop", Group::Wallets, Right::Administer)
    .does("Stop a wallet, ready or not. Its id can then be used again.")
    .package(&[method("stop").about("Takes no more requests, finishes the sends under way, and ends. A stopped wallet can't be started again: start another.")])
    .command(&[command("stop").does("Stop a wallet once it has finished sending; its id can then be used again.")])
    .answers(answers![Success])
    // One that never gets ready is to be stopped most of all.
    .ready_or_not()
    .at_once();
