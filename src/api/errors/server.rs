//! Messages of the server, by subject.

use super::sending;
use super::{Messages, Row, SOME, made, row};
use crate::api::texts as t;

pub fn server() -> Vec<Messages> {
    vec![
        Messages { title: "Which wallet", rows: which_wallet() },
        Messages { title: "API keys", rows: keys() },
        Messages { title: "Starting a wallet", rows: starting() },
        Messages { title: "Fields", rows: fields() },
        Messages { title: "Funds and inputs", rows: sending::funds() },
        Messages { title: "Size of a transaction", rows: sending::sizes() },
        Messages { title: "Proof of work", rows: sending::mining() },
        Messages { title: "Read-only wallets", rows: sending::read_only() },
        Messages { title: "Multisig wallets", rows: sending::participants() },
        Messages { title: "Swaps", rows: sending::swaps() },
        Messages { title: "Lookups", rows: lookups() },
        Messages { title: "Limits on spending", rows: sending::limits() },
        Messages { title: "The server", rows: service() },
    ]
}

fn which_wallet() -> Vec<Row> {
    vec![
        row([t::WALLET_ID_HEADER_MISSING], "Send the header `X-Wallet-Id` with the wallet's id."),
        row(
            [t::WALLET_ID_UNKNOWN],
            "No wallet with this id runs: start it (`POST /start`), also after a restart of the server.",
        ),
        row([t::WALLET_ID_UNKNOWN_HEALTH], "The same, for `wallet_ids` of `/health`.").with(400),
        row(
            [t::WALLET_NOT_READY],
            "It is loading its history, or has lost its node: repeat the request once `/wallet/status` has `statusCode` 3.",
        ),
        row(
            [t::NO_INDEX_LIMIT],
            "The wallet watches addresses by a gap limit: start it with `scanPolicy` `index-limit`, `policyStartIndex` and `policyEndIndex` to choose them.",
        ),
    ]
}

fn keys() -> Vec<Row> {
    vec![
        row([t::API_KEY_MISSING], "Send the header `X-API-KEY`.").with(401),
        row([t::API_KEY_WRONG, t::API_KEY_ENDED], "Get a new key: `headless-wallet keys add` or `rotate`.")
            .with(401),
        made(
            [
                format!("The API key \"{SOME}\" may not do this: it lacks the right {SOME}."),
                format!("The API key \"{SOME}\" may not do this: it is for keys that may touch all wallets."),
                format!("The API key \"{SOME}\" may not be used from {SOME}."),
            ],
            "Use another key, or create one (`headless-wallet keys add`): [custody.md](custody.md).",
        )
        .with(403),
        made(
            [format!("The API key \"{SOME}\" may make {SOME} requests a second: wait.")],
            "Repeat it after `Retry-After` seconds.",
        )
        .with(429),
        row(
            ["The API keys can't be read now: try again."],
            "Repeat the request; if it fails again, check the server's store.",
        )
        .with(503),
        row([t::KEYS_NOT_KEPT], "Set `data_dir` or `store`, or write the key into the settings."),
    ]
}

fn starting() -> Vec<Row> {
    vec![
        row([t::START_WALLET_ID_MISSING], "Choose an id, and send it as `wallet-id`."),
        row(
            [t::WALLET_ALREADY_STARTED],
            "As `errorCode`: a wallet with this id runs. Use it, or stop it first (`POST /wallet/stop`).",
        ),
        row(
            [t::START_SECRET_MISSING, t::MULTISIG_SEED_KEY_MISSING],
            "Name a seed of the server's settings as `seedKey`.",
        ),
        row([t::START_TWO_SEEDS, t::START_SEED_AND_XPUB], "Use one of them."),
        row(
            [t::SEED_NOT_FOUND],
            "Check the name: seeds are in `[seeds]` of the settings, or sealed (`headless-wallet seeds list`).",
        ),
        row([t::SEED_LOCKED], "`headless-wallet seeds unlock`, or start the server with `--unlock`."),
        row([t::SEEDS_UNREADABLE], "Check the server's log, then its `data_dir` or database."),
        row([t::SEED_NOT_TEXT], "`seed` is one string: words separated by spaces."),
        row(
            [t::PASSPHRASE_NOT_ALLOWED],
            "If you mean a passphrase, set `allow_passphrase`. It makes another wallet of the same seed phrase.",
        ),
        made([t::start_failed(SOME)], "The reason is in `error`, or in the server's log."),
        row(
            [t::TOKEN_MULTISIG],
            "Start a single-signature wallet, or take part with a seed phrase, which `headless-wallet signer` can hold.",
        ),
        row(
            [t::SIGNER_PASSPHRASE],
            "Seal the seed phrase there again, with the passphrase and another name: `headless-wallet seeds add NAME \
             --passphrase-file FILE`.",
        ),
        row(
            [t::SEED_HAS_PASSPHRASE],
            "Omit it; for another passphrase, seal the seed phrase again under another name.",
        ),
        row([t::START_FIREBLOCKS_XPUB_MISSING], "Send the account's xpub as `xpub`."),
        row(
            [t::FIREBLOCKS_NOT_CONFIGURED],
            "Set `fireblocks_url`, `fireblocks_api_key` and `fireblocks_api_secret`.",
        ),
        row(
            [t::FIREBLOCKS_OTHER_KEY],
            "The xpub belongs to another account than the credentials: use the matching one.",
        ),
        row([t::START_HSM_KEY_MISSING], "Send the label of the token's keys as `hsm-key`."),
        row(
            [t::HSM_NOT_CONFIGURED],
            "Name the token's module in `[signers.<name>]` ([signer.md](signer.md)).",
        ),
        row(
            [t::HSM_NO_KEY],
            "`headless-wallet signer token-keys list` lists a token's keys; add them to `seeds` of `[signers.<name>]`.",
        ),
        made([t::hsm_start_failed(SOME, SOME)], "The server's log has the reason.").with(500),
        row([t::MULTISIG_XPUB_INVALID], "Use the xpub of `POST /multisig-pubkey`."),
        made(
            [t::not_configured_for_multisig(Some(SOME)), t::improperly_configured_multisig(SOME)],
            "Configure `[multisig.<key>]`: `total`, `num_signatures` and all `pubkeys`, including this wallet's.",
        ),
        made(
            [t::too_many_empty_addresses(SOME), t::too_many_addresses(SOME)],
            "The full node limits watched addresses: lower `gap_limit`, or raise the limit at a node of your own.",
        ),
    ]
}

const COPIED: &str = "Check that the whole text was copied: a transaction is hexadecimal, a proposal begins with `PartialTx|`.";

fn fields() -> Vec<Row> {
    let named = "`param` names the field, `message` says what is expected; `/docs/ui` shows all fields.";
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
        row([t::AMOUNT_TOO_LARGE], "An output holds no more: use several."),
        row([t::TOKEN_VERSION_MISSING], "Omit `version`, or send 1 (deposit) or 2 (fees)."),
        row([t::NOTHING_TO_SEND], "Send at least one output that pays."),
        row(
            [
                t::CHANGE_NOT_FROM_THIS_WALLET,
                t::CHANGE_NOT_FROM_THE_WALLET,
                t::CHANGE_NOT_LOADED,
                t::DESTINATION_NOT_MINE,
            ],
            "Omit the address, or use one of `/wallet/addresses`.",
        ),
        made(
            [t::authority_not_mine(SOME)],
            "Use an address of this wallet, or allow others (`allow_external_…`).",
        ),
        made([t::caller_not_mine(SOME)], "The caller of a contract is an address of this wallet."),
        row(
            [t::TOKEN_UID_INVALID],
            "A uid is the hash of the token's creation, 64 hexadecimal digits; HTR is `00`.",
        ),
        row([t::INVALID_TX_HEX, t::INVALID_PARTIAL_TX_FIELD], COPIED).with(400),
        row([t::INVALID_PARTIAL_TX, t::TRANSACTION_NOT_SUPPORTED], COPIED),
        row([t::TRANSACTION_MISSING, t::ONLY_ONE_TRANSACTION], "Send either `txHex` or `partial_tx`.")
            .with(400),
        row(
            [t::NOTHING_TO_CHECK],
            "Name what to check: `include_fullnode`, `include_tx_mining` or `wallet_ids`.",
        )
        .with(400),
        row([t::TOO_MANY_TO_CHECK], "Use `*` for all wallets, or several requests.").with(400),
    ]
}

fn lookups() -> Vec<Row> {
    vec![
        row(
            [t::NO_ADDRESS_AT_INDEX],
            "Use an index that the PKCS#11 token has a key for, or add keys: `headless-wallet signer token-keys add`.",
        ),
        row([t::ADDRESS_NOT_MINE], "Check the address; addresses past the gap limit are not known yet."),
        made([t::no_such_transaction(SOME)], "Check the id: only transactions of this wallet are found."),
        row(
            [t::TRANSACTION_NOT_TOLD, t::HEIGHT_NOT_TOLD],
            "The full node gave no or a wrong answer: try again, and check the node.",
        ),
    ]
}

fn service() -> Vec<Row> {
    vec![
        row(
            [t::SERVICE_UNAVAILABLE, t::SERVICE_ENDING],
            "Repeat the request when the server is back, with the same `Idempotency-Key`.",
        )
        .with(503),
        row(
            [t::KEY_OF_ANOTHER_REQUEST],
            "Use a new key for each payment; a repetition has the same key, path, query and body, byte for byte.",
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
            "Send the body uncompressed, or with gzip or deflate.",
        )
        .with(415),
        made(
            [format!("This server is not known as {SOME}: a web page may have given it that name. If it is yours, add it to the \
                      setting `http_hosts`, or set an `api_key`."),
             format!("Web pages of {SOME} may not use this server: if they are yours, add their origin to the setting `cors_origins`.")],
            "Follow the message if the name or the page is yours.",
        )
        .with(403),
        made([format!("Cannot GET {SOME}: {}", t::NO_ENDPOINT)], "Check method and path: `/docs/ui` lists all.").with(404),
        row([t::CONFIG_NOT_RECOVERABLE], "The server stops: start it again."),
        made([t::config_refused(SOME)], "Correct the settings; until then the previous ones apply."),
        made([t::config_busy(2)], "Wait for pending work, or stop those wallets, then reload again."),
    ]
}
