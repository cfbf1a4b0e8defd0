//! Messages of the server about sending, signing and swapping.

use super::{Row, SOME, made, row};
use crate::api::texts as t;
use crate::ledger::{Amount, EncodeError, Outpoint, TokenUid, VertexId};

pub(super) fn funds() -> Vec<Row> {
    let (token, amount) = (TokenUid::Native, Amount::new(100));
    let output = Outpoint { tx: VertexId([0; 32]), index: 0 };
    vec![
        made(
            [t::insufficient(token), t::inputs_too_small(token)],
            "`required` and `available` are the amounts, `/wallet/balance` has the locked one. Send less, or wait.",
        ),
        row(
            [t::NO_UTXOS_FOR_QUERY],
            "Widen the query of inputs: another `filter_address` or `max_utxos`, or none.",
        ),
        made(
            [t::not_enough_htr(amount, Amount::ZERO)],
            "A token's deposit (1 %), its fee and data outputs are paid in HTR: get some first.",
        ),
        made(
            [t::not_enough_to_melt(amount, Amount::ZERO)],
            "Melt at most the wallet's balance of the token.",
        ),
        made(
            [t::no_authority("mint")],
            "Only a wallet with the right can mint or melt; a right used by a send is free after it.",
        ),
        made(
            [
                t::locked_or_used(token, output),
                t::unusable_input(token, output, "is already spent"),
                t::voided_input(token, output.tx),
            ],
            "Choose another output (`/wallet/utxo-filter`), or none: the wallet then chooses.",
        ),
        made([t::given_twice(token, output)], "Give each input once."),
        row([t::INVALID_INPUT], "The input is not in the wallet's history, or no output has its token."),
        made(
            [t::no_input_transaction(SOME)],
            "Neither wallet nor node knows the spent transaction: check its id.",
        ),
        row([t::NOTHING_TO_CONSOLIDATE], "No output matches: there is nothing to do."),
    ]
}

pub(super) fn sizes() -> Vec<Row> {
    vec![
        made(
            [t::too_scattered(TokenUid::Native, 300, Amount::new(100))],
            "Merge outputs with `POST /wallet/utxo-consolidation`.",
        ),
        made(
            [
                t::not_encodable(&EncodeError::TooManyInputs(300)),
                t::not_encodable(&EncodeError::TooManyOutputs(300)),
                t::too_many_data_outputs(26),
                t::too_many_tokens(17),
                t::too_large(50_000),
            ],
            "Use two transactions.",
        ),
        made(
            [t::data_too_long(300)],
            "Store the text outside the ledger, and its hash or URL in the output.",
        ),
    ]
}

pub(super) fn mining() -> Vec<Row> {
    vec![
        row(
            [t::MINING_TIMEOUT, t::MINING_TIMEOUT_REMEDY, t::NO_MINERS],
            "Nothing was sent: send again later, or mine on this machine (`mining = \"service-then-local\"`).",
        ),
        row(
            [t::MINING_RATE_LIMIT],
            "Nothing was sent: wait some seconds between sends, or pay several receivers in one transaction.",
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
        "Only with `compat = \"0.39\"`: a wallet started from an xpub can't sign. Start it with `seedKey`, or sign outside the server \
         ([external-signing.md](external-signing.md)).",
    )]
}

pub(super) fn participants() -> Vec<Row> {
    vec![
        row([t::WALLET_NOT_MULTISIG, t::NOT_MULTISIG], "Start the wallet with `multisig` or `multisigKey`."),
        row([t::MULTISIG], "Pass the participants' signatures by their xpubs, as `signatures`."),
        made(
            [t::signature_count(2, 1), t::SIGNATURES_INCOMPATIBLE.to_owned()],
            "`num_signatures` participants must sign, each all inputs.",
        ),
        row([t::UNKNOWN_SIGNER], "The xpub is not a participant's."),
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
            "Use the unchanged signatures of exactly this transaction: any change of it invalidates all of them.",
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
            "`message` says what is expected.",
        )
        .with(400),
        row(
            [t::METHOD_NOT_ALLOWED],
            "No swap service is configured: set `atomic_swap_service`, or exchange proposals as text.",
        )
        .with(405),
        row([t::NOT_REGISTERED_TO_FETCH], "Register the wallet for the proposal, with its password.")
            .with(404),
        made(
            [t::request_failed(403)],
            "The swap service refuses: 403 wrong password, 404 no such proposal, 409 changed meanwhile.",
        ),
        row([t::NO_SWAP_OPERATION], "Name what the wallet sends or receives.").with(400),
        row(
            [t::NONE_USABLE],
            "The given outputs are spent, locked or in another proposal (`/wallet/utxos-selected-as-input`).",
        )
        .with(400),
        row([t::NOT_ENOUGH_UTXOS], "The same, where the wallet chooses the outputs."),
        row(
            [t::INVALID_PASSWORD, t::INVALID_VERSION],
            "The swap service requires a password of at least three characters, and a number as version.",
        ),
        made([t::fee_token_in_swap(SOME)], "Send it in an ordinary transaction."),
        row(
            [t::SWAP_NOT_BALANCED, t::SWAP_INCOMPLETE],
            "A participant has not yet added what they give or get; `decode` shows it.",
        ),
        made(
            [t::swap_unsigned(&[]).replace("of .", "of ….")],
            "Ask the owners of these addresses for their signatures.",
        ),
        row(
            [t::SWAP_CHANGED],
            "Check its effect (`decode`); sign it with `as_is` if that is what you agreed on.",
        ),
        row(
            [t::SWAP_INCONSISTENT, t::DECODED_INCONSISTENT],
            "The proposal contradicts the full node about its inputs: don't sign it, ask for a new one.",
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
            "Wait, send less, or have the limit changed ([custody.md](custody.md#limits-on-spending)).",
        ),
        made(
            [format!(
                "The limit \"{SOME}\" of {SOME} wants approval for this: it would spend {SOME}, but only {SOME} is left without approval."
            )],
            "The request waits (`approvalId`), and is sent once approved: don't repeat it.",
        )
        .with(202),
        made(
            ["The approval is denied: it can't be changed any more.".to_owned()],
            "To send it nevertheless, repeat the request with another `Idempotency-Key`.",
        ),
        made(
            [format!("The wallet has no approval \"{SOME}\", or it ended more than a day ago.")],
            "Check the id (`GET /wallet/approvals`) and the wallet.",
        )
        .with(404),
        row(
            [
                "Nobody approves what they asked for themselves.",
                "Approvals are given with API keys that have names.",
            ],
            "Approve it with another key that the limit names.",
        ),
        made(
            [format!("The API key \"{SOME}\" is none of those whose approval counts here: {SOME}.")],
            "Approve it with one of these.",
        ),
        row([t::API_KEY_GONE], "Use the key that replaces it. Transactions recorded before are completed."),
    ]
}
