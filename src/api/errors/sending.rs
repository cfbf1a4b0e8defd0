//! What the server says of what is to be sent, signed or swapped.

use super::{Row, SOME, made, row};
use crate::api::texts as t;
use crate::ledger::{Amount, EncodeError, Outpoint, TokenUid, VertexId};

pub(super) fn funds() -> Vec<Row> {
    let (token, amount) = (TokenUid::Native, Amount::new(100));
    let output = Outpoint { tx: VertexId([0; 32]), index: 0 };
    vec![
        made(
            [t::insufficient(token), t::inputs_too_small(token)],
            "`required` and `available` are the amounts; `/wallet/balance` says what is locked. Send less, or wait for that.",
        ),
        row(
            [t::NO_UTXOS_FOR_QUERY],
            "Ask for less narrow a choice of inputs: another `filter_address`, `max_utxos` or none.",
        ),
        made(
            [t::not_enough_htr(amount, Amount::ZERO)],
            "A token's deposit (a hundredth), its fee and data are paid for in HTR: get some first.",
        ),
        made([t::not_enough_to_melt(amount, Amount::ZERO)], "Melt no more than the wallet has of the token."),
        made(
            [t::no_authority("mint")],
            "Only a wallet that has the right can mint or melt; one in use by a send is free after it.",
        ),
        made(
            [
                t::locked_or_used(token, output),
                t::unusable_input(token, output, "is already spent"),
                t::voided_input(token, output.tx),
            ],
            "Choose another output (`/wallet/utxo-filter`), or none: the wallet finds some by itself.",
        ),
        made([t::given_twice(token, output)], "Give each input once."),
        row(
            [t::INVALID_INPUT],
            "The input is not in the wallet's history, or of a token that no output has.",
        ),
        made(
            [t::no_input_transaction(SOME)],
            "Neither wallet nor node knows what is to be spent: check the transaction's id.",
        ),
        row(
            [t::NOTHING_TO_CONSOLIDATE],
            "There are fewer than two outputs of the kind that was asked for: there is nothing to do.",
        ),
    ]
}

pub(super) fn sizes() -> Vec<Row> {
    vec![
        made(
            [t::too_scattered(TokenUid::Native, 300, Amount::new(100))],
            "`POST /wallet/utxo-consolidation` makes one output of many.",
        ),
        made(
            [
                t::not_encodable(&EncodeError::TooManyInputs(300)),
                t::not_encodable(&EncodeError::TooManyOutputs(300)),
                t::too_many_data_outputs(26),
                t::too_many_tokens(17),
                t::too_large(50_000),
            ],
            "Make two transactions of it.",
        ),
        made([t::data_too_long(300)], "Keep the text elsewhere, and its hash or address here."),
    ]
}

pub(super) fn mining() -> Vec<Row> {
    vec![
        row(
            [t::MINING_TIMEOUT, t::MINING_TIMEOUT_REMEDY, t::NO_MINERS],
            "Nothing was sent: send again in a while, or let this machine do the work (`mining = \"service-then-local\"`).",
        ),
        row(
            [t::MINING_RATE_LIMIT],
            "Nothing was sent: wait some seconds between sends, or pay several people in one transaction.",
        ),
    ]
}

pub(super) fn read_only() -> Vec<Row> {
    vec![row(
        [
            t::READ_ONLY_SIMPLE_SEND,
            t::READ_ONLY_SEND,
            t::READ_ONLY_CREATE,
            t::READ_ONLY_MINT,
            t::READ_ONLY_MELT,
            t::READ_ONLY_CONSOLIDATE,
            t::READ_ONLY_CONTRACT,
            t::READ_ONLY_BLUEPRINT,
            t::READ_ONLY_SIGNATURES,
        ],
        "Said by `compat = \"0.39\"` alone: the wallet was started by its xpub and can't sign. Start it with `seedKey`, or sign elsewhere \
         ([external-signing.md](external-signing.md)).",
    )]
}

pub(super) fn participants() -> Vec<Row> {
    vec![
        row([t::WALLET_NOT_MULTISIG, t::NOT_MULTISIG], "Start the wallet with `multisig` or `multisigKey`."),
        row([t::MULTISIG], "Give the participants' signatures by their xpubs, as `signatures`."),
        made(
            [t::signature_count(2, 1), t::SIGNATURES_INCOMPATIBLE.to_owned()],
            "As many participants must sign as `num_signatures` says, each all inputs.",
        ),
        row([t::UNKNOWN_SIGNER], "Its xpub is none of the participants'."),
        made([t::no_such_input(9, 2)], "Check the index."),
        row(
            [
                t::INVALID_SIGNATURES,
                t::INVALID_SIGNATURE_INDEX,
                t::INVALID_SIGNATURE_DATA,
                t::INVALID_INPUT_SIGNATURE,
                t::INVALID_INPUT_SIGNATURES,
                t::INVALID_SHARES,
                t::INVALID_SHARE,
            ],
            "Take the signature as it was given, of this very transaction: any change of it makes all of them void.",
        )
        .with(400),
    ]
}

pub(super) fn swaps() -> Vec<Row> {
    vec![
        row(
            [
                t::INVALID_UTXOS,
                t::INVALID_UTXO_TX_ID,
                t::INVALID_UTXO_INDEX,
                t::INVALID_SENT_TOKENS,
                t::INVALID_RECEIVED_TOKENS,
                t::INVALID_TIMELOCK,
                t::INVALID_LOCK,
                t::INVALID_IS_NEW,
                t::INVALID_PROPOSAL_ID,
                t::INVALID_PASSWORD,
                t::INVALID_VERSION,
            ],
            "The answer's `message` says what the field must be.",
        )
        .with(400),
        row(
            [t::METHOD_NOT_ALLOWED],
            "No swap service is configured: set `atomic_swap_service`, or pass proposals on as text.",
        )
        .with(405),
        row([t::NOT_REGISTERED_TO_FETCH], "Register the wallet for the proposal, with its password.")
            .with(404),
        made(
            [t::request_failed(403)],
            "The swap service refuses: 403 a wrong password, 404 no such proposal, 409 somebody changed it meanwhile.",
        ),
        row([t::NO_SWAP_OPERATION], "Say what the wallet sends or receives.").with(400),
        row(
            [t::NONE_USABLE],
            "What it is to give is spent, locked or in another proposal (`/wallet/utxos-selected-as-input`).",
        )
        .with(400),
        row([t::NOT_ENOUGH_UTXOS], "The same, where the wallet chooses what to give."),
        row(
            [t::INVALID_PASSWORD, t::INVALID_VERSION],
            "The password of a proposal is text of three characters at least, and its version a number: the swap service asks for that.",
        ),
        made([t::fee_token_in_swap(SOME)], "Send it by an ordinary transaction."),
        row(
            [t::SWAP_NOT_BALANCED, t::SWAP_INCOMPLETE],
            "Somebody has yet to put in what they give, or take what they get; `decode` shows it.",
        ),
        made([t::swap_unsigned(&[])], "Ask the owners of these addresses for their signatures."),
        row(
            [t::SWAP_CHANGED],
            "Look at what it does (`decode`); sign it with `as_is` if that is what you agreed on.",
        ),
        row(
            [t::SWAP_INCONSISTENT, t::DECODED_INCONSISTENT],
            "The proposal says something of its inputs that the full node does not: don't sign it, ask for it anew.",
        ),
    ]
}

pub(super) fn limits() -> Vec<Row> {
    let limit = |says: &str| {
        format!("The limit \"{SOME}\" of {SOME} {says}: it would spend {SOME}, but only {SOME} is left.")
    };
    vec![
        made(
            [limit("refuses this")],
            "Wait until less was spent in that time, send less, or have the limit changed: docs/custody.md.",
        ),
        made(
            [format!(
                "The limit \"{SOME}\" of {SOME} wants approval for this: it would spend {SOME}, but only {SOME} is left without approval."
            )],
            "It waits (`approvalId`), and is sent once it is approved: don't send it again.",
        )
        .with(202),
        made(
            ["The approval is denied: it can't be changed any more.".to_owned()],
            "If it is to be sent all the same, ask anew, with another `Idempotency-Key`.",
        ),
        made(
            [format!("The wallet has no approval \"{SOME}\", or it ended more than a day ago.")],
            "Check the id (`GET /wallet/approvals`), and of which wallet it is.",
        )
        .with(404),
        row(
            [
                "Nobody approves what they asked for themselves.",
                "Approvals are given with API keys that have names.",
            ],
            "Approve it with another key, one of those that the limit names.",
        ),
        made(
            [format!("The API key \"{SOME}\" is none of those whose approval counts here: {SOME}.")],
            "Approve it with one of these.",
        ),
        row([t::API_KEY_GONE], "Use the key that took its place. What was recorded before goes on."),
    ]
}
