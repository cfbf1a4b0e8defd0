//! Which flags go together.

use super::failure::Failure;
use super::flags::Flags;
use super::operation::{Operation, Write, is_of_server};
use headless_wallet::operations;

use serde_json::Value;

/// Refuses what doesn't go together. (Clap can't: flags may stand before the operation and after it.)
pub fn check(flags: &Flags, operation: &Operation) -> Result<(), Failure> {
    let direct = flags.direct.direct;
    let at_server = operation.administers();
    let starts = direct || operation.starts();
    let write = operation.prepare().write;
    let is = |wrong: fn(&Write) -> bool| write.as_ref().is_some_and(wrong);
    let sends_nothing = operation.asked().is_some_and(|(id, fields)| {
        let takes_both = *id == operations::SEND_TX || *id == operations::BUILD_TX;
        takes_both && fields.get("outputs").and_then(Value::as_array).is_none_or(Vec::is_empty)
    });
    let proposes_without_password = operation.is(&operations::PROPOSE_SWAP)
        && operation.asked().is_some_and(|(_, fields)| {
            fields.get("service").is_some_and(|of| of["is_new"] == true && of["password"].is_null())
        });
    let signs_file = matches!(operation, Operation::SignFile(_));
    let has_place_of_network = flags.direct.node_url.is_some() || flags.direct.mining_url.is_some();
    // Not repeated: it may be the words themselves.
    let is_no_name = |name: &String| name.split_whitespace().count() > 1;
    let table = [
        (
            flags.words.seed_key.as_ref().is_some_and(is_no_name),
            "--seed-key takes the name of stored words, never the words themselves: others can see the command line. Give --seed-file instead",
        ),
        (
            signs_file && has_place_of_network,
            "signing a file uses no network: leave out --node-url and --mining-url",
        ),
        (
            proposes_without_password,
            "--new-at-service protects the proposal with a password that the others need, too: write one into a file, and give it with \
             --password-file",
        ),
        (sends_nothing, "there is nothing to send: give --to or --data"),
        (
            direct && at_server,
            "with --direct, each operation starts the wallet and stops it: `start` and `stop` are not needed",
        ),
        (
            flags.words.given() && !starts,
            "words, keys and address limits are for `start`, `multisig-pubkey`, `xpub`, `sign-file` and --direct: a wallet on a server \
             already has them",
        ),
        (
            flags.direct.given() && !direct && !signs_file,
            "--node-url, --mining-url, --network, --data-dir and --config are for --direct: a server has settings of its own",
        ),
        (flags.words.secrets() > 1, "only one of --seed-file, --seed-key and --xpub can be given"),
        (
            flags.words.multisig_key.is_some()
                && flags.words.seed_key.is_some()
                && flags.words.multisig_key != flags.words.seed_key,
            "with --seed-key, the participants are those listed under the same key: --multisig-key must be the same, or left out",
        ),
        (flags.words.limits() > 1, "only one of --gap-limit and --indexes can be given"),
        (flags.words.passphrases() > 1, "only one of --passphrase-file and --ask-passphrase can be given"),
        (
            direct && flags.direct.data_dir.is_none() && is(|write| write.options.idempotency_key.is_some()),
            "--idempotency-key needs a server, or --direct with --data-dir: otherwise nothing remembers it",
        ),
        (
            direct && operation.is(&operations::EVENTS),
            "`events` needs a wallet on a server: with --direct, the wallet runs for one operation only",
        ),
        (
            direct && matches!(operation, Operation::List),
            "`list` shows the wallets of a server: with --direct, there is only your own",
        ),
        (
            direct && operation.asked().is_some_and(|(id, _)| is_of_server(id)),
            "tasks, approvals and webhooks need a server: with --direct, nothing runs between two commands",
        ),
        (
            direct && operation.is_remembered(),
            "`hold`, `address --new`, --set-aside and watching more addresses need a server: with --direct, nothing remembers them",
        ),
    ];
    match table.into_iter().find(|(wrong, _)| *wrong) {
        Some((_, text)) => Err(Failure::Usage(text.to_owned())),
        None => Ok(()),
    }
}
