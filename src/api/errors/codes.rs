//! The codes of errors.

/// What the codes of a part have in common.
pub struct Part {
    pub title: &'static str,
    /// Whether only servers have them.
    pub of_servers: bool,
    pub codes: &'static [Code],
}

/// One thing that can go wrong.
pub struct Code {
    /// As programs are told it.
    pub name: &'static str,
    pub what: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

const fn code(name: &'static str, what: &'static str, remedy: &'static str) -> Code {
    Code { name, what, remedy }
}

const fn part(title: &'static str, codes: &'static [Code]) -> Part {
    Part { title, of_servers: false, codes }
}

/// All of them, in the order of what a program does with a wallet.
pub const CODES: &[Part] = &[
    part(
        "What is asked for",
        &[
            code(
                "INVALID_INPUT",
                "An argument or an option is not as it must be: the message names it and says what it must be, and so does `field`, such as \
             `outputs[0].value`.",
                "Correct that field. Nothing was done: all fields are read before anything begins.",
            ),
            code(
                "READ_ONLY",
                "The wallet or account was made of an xpub, which can watch and make addresses, and can't sign.",
                "Start the wallet with its words, or have what `buildTx` gives signed by whoever has the keys \
             ([external-signing.md](external-signing.md)).",
            ),
        ],
    ),
    part(
        "Starting",
        &[
            code(
                "WRONG_NETWORK",
                "The full node belongs to another network than the wallet was started for.",
                "Change `network`, or give the address of a node of that network.",
            ),
            code(
                "SYNC_FAILED",
                "The history can't be loaded, and trying again would not help: the message says why, such as a node that refuses to watch \
             as many addresses.",
                "Do what the message says; a smaller `gapLimit` or a node of your own is what most often helps. Then start the wallet again.",
            ),
            code(
                "STORE",
                "What keeps the wallet (a directory, a database, the browser's storage) could not be read or written.",
                "See that it is there, has room and may be written. If it was only away for a moment, start the wallet again: nothing is lost \
             that the full node knows.",
            ),
            code(
                "NOT_INITIALIZED",
                "The package's WebAssembly file could not be loaded, or is used where it has to be loaded first.",
                "Await `init()` where the platform needs it (an edge runtime, a bundler that moves files); its message names the file that it \
             looked for. `headless-wallet/base64` needs no file.",
            ),
        ],
    ),
    part(
        "A wallet that is not ready",
        &[
            code(
                "NOT_READY",
                "The wallet is loading its history, or has lost its full node; until it has caught up, what it would say could be wrong.",
                "Wait for the event `state`, or for `Wallet.start` to end. It tries again by itself, at the time in `status().nextTry`, or at \
             once after `reconnect()`.",
            ),
            code("STOPPED", "The wallet was stopped.", "Start it again, and use the new object."),
        ],
    ),
    part(
        "Building a transaction",
        &[
            code(
                "ADDRESS_NOT_MINE",
                "Change, what is consolidated, or a right to mint or melt would go to an address of somebody else's.",
                "Leave the address out, and the wallet takes one of its own; or give one of those that `addresses()` has.",
            ),
            code(
                "INSUFFICIENT_FUNDS",
                "The wallet, or the outputs that were chosen, hold too little. `need` and `have` say how much in cents, and `token` of what. \
             Creating and minting tokens takes a deposit in HTR, data a cent each.",
                "Send less, or wait: what is locked, or is the change of a send under way, can't be spent yet (`balance()` has `locked`).",
            ),
            code(
                "INPUT_LOCKED",
                "An output that was to be spent is locked until a time or a height, set aside, or taken by another send.",
                "Wait, give it back (`unlockUtxos`), or let the wallet choose.",
            ),
            code(
                "INPUT_SPENT",
                "An output that was to be spent is spent already.",
                "Ask for the outputs anew (`utxos`), and choose one of those.",
            ),
            code(
                "INPUT_VOIDED",
                "An output that was to be spent is one of a transaction that lost a conflict: it does not exist any more.",
                "Ask for the outputs anew (`utxos`), and choose one of those.",
            ),
            code(
                "INPUT_IS_AUTHORITY",
                "An output that was to be spent is a right to mint or to melt, and no amount.",
                "Leave it out: rights are spent by `mintTokens` and `meltTokens`, which find them by themselves.",
            ),
            code(
                "INPUT_UNKNOWN",
                "An input is not of this wallet's history, is of a token that no output has, or is not known to the full node either.",
                "Check transaction id and index. Is it of another wallet, or of one whose history is still being loaded?",
            ),
            code(
                "NO_AUTHORITY",
                "The wallet has no right to mint or melt this token that it could use.",
                "Only who created the token, or was given a right by them, can. A right that is part of a send under way is free after it.",
            ),
            code(
                "TRANSACTION_TOO_LARGE",
                "More inputs (255), outputs (255), texts (25), tokens (16) or bytes (48,000) than one transaction can have.",
                "Send less at a time. Where many small outputs are the reason, `consolidateUtxos` makes one of up to 255.",
            ),
        ],
    ),
    part(
        "Calling a contract",
        &[code(
            "INVALID_CALL",
            "The contract, its method, an argument or an action is not as the blueprint has it, or the fee is more than allowed.",
            "The message says which. `contractState` shows what the contract has; [contracts.md](contracts.md) how arguments are written.",
        )],
    ),
    part(
        "Sending",
        &[
            code(
                "TOO_EARLY",
                "The transaction would be dated too far ahead of the clock, as it spends one that was dated so.",
                "Wait for the time that the message names, and send again. Check this machine's clock.",
            ),
            code(
                "REJECTED",
                "The full node did not take the transaction, and the message has its reason. Nothing was spent.",
                "If the reason is a conflict, another wallet of the same words has spent it: send again, and other outputs are chosen. Any \
             other reason is worth a report.",
            ),
            code(
                "OUTCOME_UNKNOWN",
                "The node was told of the transaction, and its answer was lost: it may be on the ledger or not.",
                "Don't send it anew: that may pay twice. Look for it in the history, or repeat the request with the same `idempotencyKey`, \
             which finds out and never sends another.",
            ),
            code(
                "CUT_OFF",
                "The wallet was stopped while it was sending, and what was under way was given up.",
                "As with [OUTCOME_UNKNOWN](#outcome_unknown): look at the history before sending again.",
            ),
            code(
                "VOIDED",
                "The transaction that was waited for lost a conflict: another one has spent what it spends.",
                "Look at the history for that other one. If the payment is still owed, send it again.",
            ),
            code(
                "MULTISIG",
                "The wallet has several participants, and one's signature is not enough.",
                "`proposeTx`, then `mySignatures` by each participant, then `signAndPush` ([multisig.md](multisig.md)).",
            ),
            code(
                "IDEMPOTENCY_KEY_TAKEN",
                "The `idempotencyKey` came with another request before, within a day.",
                "A new key for each payment, the same key for a repetition of the very same request.",
            ),
        ],
    ),
    part(
        "Transactions signed by others",
        &[
            code(
                "NOT_SIGNED",
                "An input lacks its signature.",
                "Have it signed, and put it in (`addSignatures`); `walletInputs` says which are this wallet's.",
            ),
            code(
                "NOT_MULTISIG",
                "This wallet has one key, and is asked for what participants do.",
                "Start it with the option `multisig`.",
            ),
            code(
                "INVALID_SIGNATURES",
                "A signature is wrong, of another transaction, of somebody who takes no part, or there are too many or too few.",
                "Ask for those of this very transaction: any change of it makes all signatures void.",
            ),
            code(
                "INVALID_SWAP",
                "The proposal of a swap is not complete, does not balance, or says something of its inputs that the full node does not.",
                "Ask the other participant for it anew, whole; `decodeTx` shows what it does.",
            ),
            code(
                "SWAP_CHANGED",
                "The proposal is not what this wallet made of it: others changed it, or the wallet was started anew since.",
                "See what it does (`decodeTx`). If it is what you agreed on, sign it with `asIs`.",
            ),
        ],
    ),
    part(
        "Events",
        &[code(
            "TOO_SLOW",
            "More events wait for a loop over `wallet.events()` than are kept for it.",
            "Do less in the loop: put events aside, and work on them elsewhere. Look at the history for what was missed.",
        )],
    ),
    part(
        "What signs for the wallet",
        &[
            code(
                "SIGNER_REFUSED",
                "The signer did not sign: what the transaction does is past its limits, or is not what it was told it were. Limits on \
             spending of an API key or a wallet are told so, too.",
                "The message says which limit. Wait until it has room again, or have whoever keeps the keys change it ([signer.md](signer.md), \
             [custody.md](custody.md)).",
            ),
            code(
                "SIGNER_UNREACHABLE",
                "The process or service that has the keys does not answer. Nothing was sent.",
                "Check that it runs, and its address and certificates in the settings; then send again.",
            ),
            code(
                "SIGNER_FAILED",
                "What the signer answered can't be used, or the facts that it needs could not be had. Nothing was sent.",
                "The message says why, and the signer's log more.",
            ),
        ],
    ),
    part(
        "The full node",
        &[
            code(
                "NODE_UNREACHABLE",
                "There is no connection to the full node: it does not run, its address is wrong, or it does not let this page's origin in.",
                "Check that it runs and that `nodeUrl` (of the server `server`) is right; it ends in `/v1a/`. For pages, a proxy in front of \
             it adds CORS headers.",
            ),
            code(
                "NODE_TIMEOUT",
                "The full node takes too long.",
                "It may be starting or busy: try again in a while, or use another.",
            ),
            code(
                "NODE_RATE_LIMITED",
                "The full node had too many requests from here.",
                "Wait a minute. A wallet that is loading goes on by itself. A node of your own has no such limit.",
            ),
            code(
                "NODE_BAD_ANSWER",
                "Something answers that is no full node, or one with a problem.",
                "Check the address: it ends in `/v1a/`. If it is right, look at the node's log or use another.",
            ),
            code(
                "NODE_REFUSED",
                "The full node refused a request, and the message has its reason.",
                "Do what the reason says.",
            ),
        ],
    ),
    part(
        "The mining service",
        &[
            code(
                "MINING_UNREACHABLE",
                "There is no connection to the mining service. Nothing was sent.",
                "Check that it runs and that `miningUrl` (of the server `tx_mining_url`) is right; or have the proof of work done here, with \
             `mining` as `service-then-local` or `local`.",
            ),
            code(
                "MINING_NO_ANSWER",
                "The mining service takes too long to answer. Nothing was sent.",
                "Send again in a while.",
            ),
            code(
                "MINING_RATE_LIMITED",
                "The mining service had too many transactions from here. Nothing was sent.",
                "Wait some seconds between sends, pay several people in one transaction (`sendTx`), or do the proof of work here (`mining`).",
            ),
            code(
                "MINING_BAD_ANSWER",
                "Something answers that is no mining service. Nothing was sent.",
                "Check the address.",
            ),
            code(
                "MINING_REFUSED",
                "The mining service refused the transaction, and the message has its reason.",
                "Do what the reason says.",
            ),
            code(
                "MINING_TIMEOUT",
                "The proof of work was not solved in time. Nothing was sent.",
                "The service is busy: send again in a while, or set `mining` to `service-then-local`.",
            ),
            code(
                "NO_MINERS",
                "The mining service has nobody who mines. Nothing was sent.",
                "Send again later, use another service, or do the proof of work here (`mining`).",
            ),
        ],
    ),
    part(
        "The swap service",
        &[code(
            "SWAP_SERVICE_FAILED",
            "The service that keeps proposals of swaps does not answer, or refuses; the message says which.",
            "Check `swapServiceUrl`, the proposal's id and its password. Proposals can be passed on without it, as text.",
        )],
    ),
    part(
        "Secrets sealed with a password",
        &[
            code(
                "WRONG_PASSWORD",
                "The password does not open the secret.",
                "Try again. If it is forgotten, only the words themselves help.",
            ),
            code(
                "VAULT_UNREADABLE",
                "The sealed text is damaged, or of a later version.",
                "Take it from a copy, or seal the words again.",
            ),
        ],
    ),
    Part {
        of_servers: true,
        ..part(
            "A server",
            &[
                code(
                    "UNAUTHORIZED",
                    "The header `X-API-KEY` is missing or wrong, or the key has ended.",
                    "Send a valid key.",
                ),
                code(
                    "FORBIDDEN",
                    "The key may not do this, or not with this wallet, or the request comes from a host or page that is not allowed.",
                    "Use a key with that right ([custody.md](custody.md)); for pages and hosts, see `cors_origins` and `http_hosts`.",
                ),
                code(
                    "NOT_FOUND",
                    "No such path, or what the request names does not exist.",
                    "Check the path or the id.",
                ),
                code(
                    "WALLET_NOT_FOUND",
                    "No wallet with this `X-Wallet-Id` is started.",
                    "Start it: `POST /start`.",
                ),
                code(
                    "WALLET_ALREADY_STARTED",
                    "The wallet id is taken.",
                    "Use that wallet, or stop it first.",
                ),
                code(
                    "START_FAILED",
                    "The wallet could not be started, and the error has the reason.",
                    "Do what it says, and start the wallet again.",
                ),
                code(
                    "NOT_ALLOWED",
                    "The operation is switched off, or the path has no such method.",
                    "Check the settings and the method.",
                ),
                code(
                    "UNSUPPORTED_ENCODING",
                    "The body is compressed in a way that is not supported.",
                    "Use one of `Accept-Encoding`.",
                ),
                code(
                    "TOO_MANY_REQUESTS",
                    "The key's requests per second are used up.",
                    "Wait as long as `Retry-After` says.",
                ),
                code(
                    "UNAVAILABLE",
                    "The server is ending, changing its configuration, or has as many requests as it takes. Nothing was done.",
                    "Repeat the request after `Retry-After` seconds.",
                ),
            ],
        )
    },
    part(
        "A fault of this package",
        &[code(
            "INTERNAL",
            "What should not be possible: a fault of ours, or a machine without memory or randomness.",
            "Please report it, with the message and what led to it. Stop the wallet and start it again.",
        )],
    ),
];
