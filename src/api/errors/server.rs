//! What the server says, by what it is about.

use super::sending;
use super::{Messages, Row, SOME, made, row};
use crate::api::texts as t;

pub fn server() -> Vec<Messages> {
    vec![
        Messages { title: "Which wallet", rows: which_wallet() },
        Messages { title: "API keys", rows: keys() },
        Messages { title: "Starting a wallet", rows: starting() },
        Messages { title: "Fields", rows: fields() },
        Messages { title: "Too little, or not free", rows: sending::funds() },
        Messages { title: "Limits of a transaction", rows: sending::sizes() },
        Messages { title: "Proof of work", rows: sending::mining() },
        Messages { title: "Wallets that only watch", rows: sending::read_only() },
        Messages { title: "Several participants", rows: sending::participants() },
        Messages { title: "Swaps", rows: sending::swaps() },
        Messages { title: "Lookups", rows: lookups() },
        Messages { title: "Limits on spending", rows: sending::limits() },
        Messages { title: "The server itself", rows: service() },
    ]
}

fn which_wallet() -> Vec<Row> {
    vec![
        row(
            [t::WALLET_ID_HEADER_MISSING],
            "Send the header `X-Wallet-Id` with the id that the wallet was started under.",
        ),
        row(
            [t::WALLET_ID_UNKNOWN],
            "No wallet of this id runs: `POST /start` begins one. After a restart of the server, wallets are started anew.",
        ),
        row([t::WALLET_ID_UNKNOWN_HEALTH], "The same, for `wallet_ids` of `/health`.").with(400),
        row(
            [t::WALLET_NOT_READY],
            "It loads its history or has lost its node: ask `/wallet/status` until `statusCode` is 3, and send again.",
        ),
        row(
            [t::NO_INDEX_LIMIT],
            "The wallet watches addresses by its gap limit: start it with `policyStartIndex` and `policyEndIndex` to say which.",
        ),
    ]
}

fn keys() -> Vec<Row> {
    vec![
        row([t::API_KEY_MISSING], "Send the header `X-API-KEY`.").with(401),
        row(
            [t::API_KEY_WRONG, t::API_KEY_ENDED],
            "Have a new key made: `headless-wallet keys add` or `rotate`.",
        )
        .with(401),
        made(
            [
                format!("The API key \"{SOME}\" may not do this: it lacks the right {SOME}."),
                format!("The API key \"{SOME}\" may not do this: it is for keys that may touch all wallets."),
                format!("The API key \"{SOME}\" may not be used from {SOME}."),
            ],
            "Use a key that may, or have one made (`headless-wallet keys add`): docs/custody.md.",
        )
        .with(403),
        made(
            [format!("The API key \"{SOME}\" may make {SOME} requests a second: wait.")],
            "Send again after as many seconds as the header `Retry-After` says.",
        )
        .with(429),
        row(
            ["The API keys can't be read now: try again."],
            "Send again; if that stays, look at the server's store.",
        )
        .with(503),
        row(
            [t::KEYS_NOT_KEPT],
            "Give the server a `data_dir` or `store`, or write the key into its settings.",
        ),
    ]
}

fn starting() -> Vec<Row> {
    vec![
        row([t::START_WALLET_ID_MISSING], "Give an id of your choice as `wallet-id`."),
        row(
            [t::WALLET_ALREADY_STARTED],
            "A wallet of this id runs: use it, or stop it (`POST /wallet/stop`) first.",
        ),
        row(
            [t::START_SECRET_MISSING, t::MULTISIG_SEED_KEY_MISSING],
            "Say which wallet: `seedKey` names words of the server's settings.",
        ),
        row([t::START_TWO_SEEDS, t::START_SEED_AND_XPUB], "Give one of them."),
        row(
            [t::SEED_NOT_FOUND],
            "Check the name: words are in `[seeds]` of the settings, or sealed (`headless-wallet seeds list`).",
        ),
        row([t::SEED_LOCKED], "`headless-wallet seeds unlock`, or start the server with `--unlock`."),
        row([t::SEEDS_UNREADABLE], "See the server's log, then its `data_dir` or database."),
        row([t::SEED_NOT_TEXT], "`seed` is one text, its words with spaces between them."),
        row(
            [t::PASSPHRASE_NOT_ALLOWED],
            "If a passphrase is meant, set `allow_passphrase`. It makes another wallet of the same words.",
        ),
        made([t::start_failed(SOME)], "Look at `error` beside it, or at the server's log: it says why."),
        row(
            [t::TOKEN_MULTISIG],
            "Start a wallet of one key, or take part with words, which `headless-wallet signer` may have.",
        ),
        row(
            [t::SIGNER_PASSPHRASE],
            "Seal the words there once more, with the passphrase and under another name: `headless-wallet seeds add NAME --passphrase-file FILE`.",
        ),
        row(
            [t::SEED_HAS_PASSPHRASE],
            "Leave it out; for another passphrase, seal the words once more under another name.",
        ),
        row([t::START_FIREBLOCKS_XPUB_MISSING], "Give the account's xpub, as `xpub`."),
        row(
            [t::FIREBLOCKS_NOT_CONFIGURED],
            "Set `fireblocks_url`, `fireblocks_api_key` and `fireblocks_api_secret`.",
        ),
        row(
            [t::FIREBLOCKS_OTHER_KEY],
            "The xpub is of another account than that of the access: give the one that belongs to it.",
        ),
        row([t::START_HSM_KEY_MISSING], "Give the label of the keys on the token, as `hsm-key`."),
        row([t::HSM_NOT_CONFIGURED], "Name the token's module in `[signers.<name>]`: see docs/signer.md."),
        row(
            [t::HSM_NO_KEY],
            "`headless-wallet signer token-keys list` says which keys a token has; list theirs in `seeds` of `[signers.<name>]`.",
        ),
        made([t::hsm_start_failed(SOME, SOME)], "Look at the server's log: it says why."),
        row([t::MULTISIG_XPUB_INVALID], "Take the xpub from `POST /multisig-pubkey`."),
        made(
            [t::not_configured_for_multisig(Some(SOME)), t::improperly_configured_multisig(SOME)],
            "Write the participants into `[multisig.<key>]`: `total`, `num_signatures` and as many `pubkeys`, this wallet's among them.",
        ),
        made(
            [t::too_many_empty_addresses(SOME), t::too_many_addresses(SOME)],
            "The full node watches only so many: lower `gap_limit`, or raise the limit at a node of your own.",
        ),
    ]
}

const COPIED: &str = "Check that all of the text was copied: a transaction is hexadecimal digits, a proposal begins with `PartialTx|`.";

fn fields() -> Vec<Row> {
    let named = "The answer's `message` says in a sentence what the field must be, and `param` which it is; `/docs/ui` shows all fields.";
    vec![
        row([t::INVALID_VALUE, t::INVALID_VALUES], named).with(400),
        row(
            [
                t::INVALID_OUTPUTS,
                t::INVALID_INPUTS,
                t::INVALID_ADDRESS,
                t::INVALID_TOKEN_UID,
                t::INVALID_CHANGE_ADDRESS,
                t::INVALID_QUERY_TYPE,
                t::INVALID_FILTER_ADDRESS,
                t::INVALID_HASH,
                t::INVALID_INDEX,
                t::INVALID_OUTPUT_ADDRESS,
                t::INVALID_OUTPUT_VALUE,
                t::INVALID_INPUT_TX_ID,
                t::INVALID_INPUT_VALUE,
                t::INVALID_MARK,
                t::INVALID_MARK_INPUTS,
                t::INVALID_TTL,
            ],
            named,
        )
        .with(400),
        row([t::AMOUNT_ZERO, t::AMOUNT_NEGATIVE], "Amounts are whole cents above 0: `150` is 1.50."),
        row([t::AMOUNT_TOO_LARGE], "One output holds no more: make several."),
        row([t::TOKEN_VERSION_MISSING], "Leave `version` out, or give 1 (a deposit) or 2 (fees)."),
        row([t::NOTHING_TO_SEND], "Give at least one output that pays."),
        row(
            [
                t::CHANGE_NOT_FROM_THIS_WALLET,
                t::CHANGE_NOT_FROM_THE_WALLET,
                t::CHANGE_NOT_LOADED,
                t::DESTINATION_NOT_MINE,
            ],
            "Leave the address out, or give one of this wallet's (`/wallet/addresses`).",
        ),
        made(
            [t::authority_not_mine(SOME)],
            "Give an address of this wallet's, or allow another one's (`allow_external_…`).",
        ),
        made([t::caller_not_mine(SOME)], "A contract is called in the name of an address of this wallet's."),
        row(
            [t::TOKEN_UID_INVALID],
            "A token's uid is the hash of the transaction that created it, 64 hexadecimal digits; HTR is `00`.",
        ),
        row([t::INVALID_TX_HEX, t::INVALID_PARTIAL_TX_FIELD], COPIED).with(400),
        row([t::INVALID_PARTIAL_TX, t::TRANSACTION_NOT_SUPPORTED], COPIED),
        row([t::TRANSACTION_MISSING, t::ONLY_ONE_TRANSACTION], "Give one of `txHex` and `partial_tx`.")
            .with(400),
        row(
            [t::NOTHING_TO_CHECK],
            "Say what to look at: `include_fullnode`, `include_tx_mining` or `wallet_ids`.",
        )
        .with(400),
        row([t::TOO_MANY_TO_CHECK], "Ask for all of them with `*`, or in several requests.").with(400),
    ]
}

fn lookups() -> Vec<Row> {
    vec![
        row(
            [t::NO_ADDRESS_AT_INDEX],
            "Ask for an index of a key that the token has, or add keys: `headless-wallet signer token-keys add`.",
        ),
        row([t::ADDRESS_NOT_MINE], "Check the address; one past the gap limit is not known yet."),
        made([t::no_such_transaction(SOME)], "Check the id. Only transactions of this wallet are found."),
        row(
            [t::TRANSACTION_NOT_TOLD, t::HEIGHT_NOT_TOLD],
            "The full node's answer is missing or wrong: try again, and look at the node.",
        ),
    ]
}

fn service() -> Vec<Row> {
    vec![
        row(
            [t::SERVICE_UNAVAILABLE, t::SERVICE_ENDING],
            "Send again when the server is back, with the same `Idempotency-Key`.",
        )
        .with(503),
        row(
            [t::KEY_OF_ANOTHER_REQUEST],
            "A new key for each payment; a repetition is the same key with the same bytes of path, query and body.",
        )
        .with(422),
        made(
            [
                format!("The request body is not valid JSON: {SOME}."),
                format!("The request body must be a JSON object, and is {SOME}."),
                format!("The request's Content-Type is {SOME}: send `Content-Type: application/json`."),
            ],
            "Send the fields as one JSON object.",
        )
        .with(400),
        made(
            [format!("The request's Content-Encoding is {SOME}: send the body without, or with one of gzip, deflate.")],
            "Don't compress the body, or do so by gzip or deflate.",
        )
        .with(415),
        made(
            [format!("This server is not known as {SOME}: a web page may have given it that name. If it is yours, add it to the \
                      setting `http_hosts`, or set an `api_key`."),
             format!("Web pages of {SOME} may not use this server: if they are yours, add their origin to the setting `cors_origins`.")],
            "Do what it says, if the name or the page is yours.",
        )
        .with(403),
        made([format!("Cannot GET {SOME}: {}", t::NO_ENDPOINT)], "Check method and path: `/docs/ui` shows all.").with(404),
        row([t::CONFIG_NOT_RECOVERABLE], "The server ends: start it again."),
        made([t::config_refused(SOME)], "Correct the settings; the server goes on with those of before."),
        made([t::config_busy(2)], "Wait for what is under way, or stop those wallets, and reload again."),
    ]
}
