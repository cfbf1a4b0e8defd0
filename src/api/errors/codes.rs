//! The codes of errors.

/// What the codes of a part have in common.
pub struct Part {
    pub title: &'static str,
    /// Whether only servers have them.
    pub of_servers: bool,
    pub codes: &'static [Code],
}

pub struct Code {
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
        "Input",
        &[
            code(
                "INVALID_INPUT",
                "An argument or an option is invalid. The message says what is expected; `field` names it, such as `outputs[0].value`.",
                "Correct that field. Nothing was done: all fields are checked first.",
            ),
            code(
                "NOT_FOUND",
                "The named transaction, contract or other object does not exist; on servers also a path.",
                "Check the id.",
            ),
            code(
                "READ_ONLY",
                "The wallet or account was created from an xpub: it can derive addresses and watch them, but not sign.",
                "Start the wallet with its seed phrase, or have the transaction of `buildTx` signed by the holder of the keys \
                 ([external-signing.md](external-signing.md)).",
            ),
        ],
    ),
    part(
        "Starting",
        &[
            code(
                "WRONG_NETWORK",
                "The full node belongs to another network than the wallet.",
                "Change `network`, or use a node of that network.",
            ),
            code(
                "SYNC_FAILED",
                "The history can't be loaded, and another try would not help. The message has the reason, such as a node that refuses \
                 to watch so many addresses.",
                "Follow the message; most often a smaller `gapLimit` or a node of your own helps. Then start the wallet again.",
            ),
            code(
                "STORE",
                "The store of the wallet (a directory, a database, the browser's storage) can't be read or written.",
                "Check that it exists, is writable and has free space, then start the wallet again. Nothing on the ledger is lost.",
            ),
            code(
                "NOT_INITIALIZED",
                "The package's WebAssembly file could not be loaded, or was used before it was loaded.",
                "Await `init()` where the platform needs it (an edge runtime, a bundler that moves files); the message names the \
                 file. `headless-wallet/base64` needs no file.",
            ),
        ],
    ),
    part(
        "A wallet that is not ready",
        &[
            code(
                "NOT_READY",
                "The wallet is loading its history, or has lost its full node. Until it has caught up, its answers might be wrong.",
                "Wait for the event `state`, or for `Wallet.start` to resolve. The next attempt is at `status().nextTry`, or directly \
                 after `reconnect()`.",
            ),
            code("STOPPED", "The wallet was stopped.", "Start it again, and use the new object."),
        ],
    ),
    part(
        "Building a transaction",
        &[
            code(
                "ADDRESS_NOT_MINE",
                "Change, consolidated funds, or a right to mint or melt would go to an address of another wallet.",
                "Omit the address, so that the wallet chooses one of its own, or use one of `addresses()`.",
            ),
            code(
                "INSUFFICIENT_FUNDS",
                "The wallet, or the chosen inputs, hold too little: `need` and `have` are amounts in cents of `token`. Creating and \
                 minting tokens takes a deposit in HTR, each data output a cent.",
                "Send less, or wait: locked funds (`locked` of `balance()`) and the change of a pending send can't be spent yet.",
            ),
            code(
                "INPUT_LOCKED",
                "An input is locked until a time or a height, or reserved, by its owner or by another send.",
                "Wait, release it (`unlockUtxos`), or let the wallet choose the inputs.",
            ),
            code(
                "INPUT_SPENT",
                "An input is already spent.",
                "Get the current outputs (`utxos`), and choose one of them.",
            ),
            code(
                "INPUT_VOIDED",
                "An input belongs to a transaction that lost a conflict: it no longer exists.",
                "Get the current outputs (`utxos`), and choose one of them.",
            ),
            code(
                "INPUT_IS_AUTHORITY",
                "An input is a right to mint or melt, not an amount.",
                "Omit it: `mintTokens` and `meltTokens` find the rights that they spend.",
            ),
            code(
                "INPUT_UNKNOWN",
                "An input is not in this wallet's history, belongs to a token used by none of the outputs, or is unknown to the full node.",
                "Check transaction id and index, and whether its wallet is this one and has loaded its history.",
            ),
            code(
                "NO_AUTHORITY",
                "The wallet has no usable right to mint or melt this token.",
                "The token's creator, or a wallet with that right, can transfer one. A right used by a pending send is free after it.",
            ),
            code(
                "TRANSACTION_TOO_LARGE",
                "The transaction exceeds a limit: 255 inputs, 255 outputs, 25 data outputs, 16 tokens or 48,000 bytes.",
                "Send less at a time. `consolidateUtxos` merges up to 255 small outputs into one.",
            ),
        ],
    ),
    part(
        "Calling a contract",
        &[code(
            "INVALID_CALL",
            "The contract, its method, an argument or an action does not match the blueprint, or the fee is higher than allowed.",
            "The message says which. `contractState` shows the contract's state; [contracts.md](contracts.md) explains the arguments.",
        )],
    ),
    part(
        "Sending",
        &[
            code(
                "TOO_EARLY",
                "The transaction spends an output that is dated ahead of the clock. It must be dated later still, which is too far ahead.",
                "Send again after the time in the message. Check this machine's clock.",
            ),
            code(
                "REJECTED",
                "The full node says that it rejected the transaction; the message has its reason.",
                "Repeat the request with the same Idempotency-Key; without one, look at the history, then send again. After a conflict \
                 (another wallet of the same seed phrase spent the input) other inputs are chosen. Please report any other reason.",
            ),
            code(
                "OUTCOME_UNKNOWN",
                "The transaction was pushed to the node, but the answer was lost: it may or may not be on the ledger.",
                "Don't send it anew: that may pay twice. Look for it in the history, or repeat the request with the same \
                 `idempotencyKey`: this finds the outcome and never sends another transaction.",
            ),
            code(
                "CUT_OFF",
                "The wallet was stopped during a send.",
                "As with [OUTCOME_UNKNOWN](#outcome_unknown): look at the history before you send again.",
            ),
            code(
                "VOIDED",
                "The awaited transaction lost a conflict: another one has spent its inputs.",
                "Look for that other transaction in the history. If the payment is still owed, send it again.",
            ),
            code(
                "MULTISIG",
                "In a multisig wallet, one participant's signature is not enough.",
                "`proposeTx`, then `mySignatures` by each participant, then `signAndPush` ([multisig.md](multisig.md)).",
            ),
            code(
                "IDEMPOTENCY_KEY_TAKEN",
                "The `idempotencyKey` was used for another request within the last day.",
                "Use a new key for each payment, and the same key only to repeat exactly the same request.",
            ),
        ],
    ),
    part(
        "Transactions signed by others",
        &[
            code(
                "NOT_SIGNED",
                "An input lacks its signature.",
                "Have it signed, and add the signature (`addSignatures`); `walletInputs` lists this wallet's inputs.",
            ),
            code(
                "NOT_MULTISIG",
                "The operation is only for participants of multisig wallets; this is a single-signature wallet.",
                "Start it with the option `multisig`.",
            ),
            code(
                "INVALID_SIGNATURES",
                "A signature is wrong, belongs to another transaction or to a non-participant, or there are too many or too few.",
                "Collect the signatures of exactly this transaction: any change of it invalidates all signatures.",
            ),
            code(
                "INVALID_SWAP",
                "The proposal of a swap is incomplete, does not balance, or contradicts the full node about its inputs.",
                "Ask the other participant for the whole proposal again; `decodeTx` shows its effect.",
            ),
            code(
                "SWAP_CHANGED",
                "The proposal was changed by others, or this wallet was restarted since it last changed it.",
                "Check its effect (`decodeTx`). If it is what you agreed on, sign it with `asIs`.",
            ),
        ],
    ),
    part(
        "Events",
        &[code(
            "TOO_SLOW",
            "A loop over `wallet.events()` is too slow: its queue of events is full.",
            "Move slow work out of the loop, and look at the history for missed events.",
        )],
    ),
    part(
        "Signers",
        &[
            code(
                "SIGNER_REFUSED",
                "The signer refused: the transaction exceeds a limit, or differs from its description. Limits on spending of an API \
                 key or a wallet have this code, too.",
                "The message names the limit. Wait until it has room again, or have it changed ([signer.md](signer.md), \
                 [custody.md](custody.md)).",
            ),
            code(
                "SIGNER_UNREACHABLE",
                "The process or service with the keys does not answer. Nothing was sent.",
                "Check that it runs, and its address and certificates in the settings; then send again.",
            ),
            code(
                "SIGNER_FAILED",
                "The signer's answer is unusable, or the data that it needs is not available. Nothing was sent.",
                "See the message and the signer's log.",
            ),
        ],
    ),
    part(
        "The full node",
        &[
            code(
                "NODE_UNREACHABLE",
                "No connection to the full node: it does not run, its address is wrong, or it refuses this page's origin.",
                "Check that it runs, and `nodeUrl` (setting `server`), which ends in `/v1a/`. For pages, a proxy in front of it adds \
                 CORS headers.",
            ),
            code(
                "NODE_TIMEOUT",
                "The full node takes too long.",
                "It may be starting or busy: try again later, or use another one.",
            ),
            code(
                "NODE_RATE_LIMITED",
                "The full node refuses requests, because it got too many from here.",
                "Wait a minute; a wallet that is loading continues automatically. A node of your own has no such limit.",
            ),
            code(
                "NODE_BAD_ANSWER",
                "The answer is not that of a working full node.",
                "Check the address, which ends in `/v1a/`. If it is right, see the node's log, or use another node.",
            ),
            code(
                "NODE_REFUSED",
                "The full node refused a request; the message has its reason.",
                "Follow the reason.",
            ),
        ],
    ),
    part(
        "The mining service",
        &[
            code(
                "MINING_UNREACHABLE",
                "No connection to the mining service. Nothing was sent.",
                "Check that it runs, and `miningUrl` (setting `tx_mining_url`), or mine on this machine: `mining` = \
                 `service-then-local` or `local`.",
            ),
            code(
                "MINING_NO_ANSWER",
                "The mining service takes too long to answer. Nothing was sent.",
                "Send again later.",
            ),
            code(
                "MINING_RATE_LIMITED",
                "The mining service got too many transactions from here. Nothing was sent.",
                "Wait some seconds between sends, pay several receivers in one transaction (`sendTx`), or mine on this machine (`mining`).",
            ),
            code(
                "MINING_BAD_ANSWER",
                "The answer is not that of a mining service. Nothing was sent.",
                "Check the address.",
            ),
            code(
                "MINING_REFUSED",
                "The mining service refused the transaction; the message has its reason.",
                "Follow the reason.",
            ),
            code(
                "MINING_TIMEOUT",
                "The proof of work was not solved in time. Nothing was sent.",
                "The service is busy: send again later, or set `mining` to `service-then-local`.",
            ),
            code(
                "NO_MINERS",
                "The mining service has no miners. Nothing was sent.",
                "Send again later, use another service, or mine on this machine (`mining`).",
            ),
        ],
    ),
    part(
        "The swap service",
        &[code(
            "SWAP_SERVICE_FAILED",
            "The service that stores proposals of swaps does not answer, or refuses; the message says which.",
            "Check `swapServiceUrl`, the proposal's id and its password. Proposals can also be exchanged as text.",
        )],
    ),
    part(
        "Sealed secrets",
        &[
            code(
                "WRONG_PASSWORD",
                "The password does not open the secret.",
                "Try again. Without the password, only the seed phrase itself helps.",
            ),
            code(
                "VAULT_UNREADABLE",
                "The sealed text is damaged, or of a later version.",
                "Use a backup, or seal the seed phrase again.",
            ),
        ],
    ),
    Part {
        of_servers: true,
        ..part(
            "Servers",
            &[
                code(
                    "UNAUTHORIZED",
                    "The header `X-API-KEY` is missing or wrong, or the key has expired or was revoked.",
                    "Send a valid key.",
                ),
                code(
                    "FORBIDDEN",
                    "The key lacks the right, or access to this wallet, or the request comes from a host or page that is not allowed.",
                    "Use a key with that right ([custody.md](custody.md)); for hosts and pages, see `http_hosts` and `cors_origins`.",
                ),
                code(
                    "WALLET_NOT_FOUND",
                    "No wallet with this `X-Wallet-Id` is started.",
                    "Start it: `POST /start`.",
                ),
                code(
                    "WALLET_ALREADY_STARTED",
                    "The wallet id is in use.",
                    "Use that wallet, or stop it first.",
                ),
                code(
                    "START_FAILED",
                    "The wallet could not be started; the error has the reason.",
                    "Follow the reason, then start the wallet again.",
                ),
                code("NOT_ALLOWED", "The operation is switched off.", "Check the settings."),
                code(
                    "UNSUPPORTED_ENCODING",
                    "The body has an unsupported compression.",
                    "Use one of `Accept-Encoding`.",
                ),
                code(
                    "TOO_MANY_REQUESTS",
                    "The key's requests per second are used up.",
                    "Wait for the time in `Retry-After`.",
                ),
                code(
                    "UNAVAILABLE",
                    "The server is shutting down, changing its configuration, or at its limit of requests. Nothing was done.",
                    "Repeat the request after `Retry-After` seconds.",
                ),
            ],
        )
    },
    part(
        "Bugs",
        &[code(
            "INTERNAL",
            "A bug of ours, or a machine without memory or randomness.",
            "Please report it, with the message and the steps that led to it. Stop the wallet and start it again.",
        )],
    ),
];
