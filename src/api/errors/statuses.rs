//! The HTTP status of each code, where a server answers with real ones (setting `http_status`).

/// Statuses with their codes. A transaction that may have been sent has none that clients retry unasked.
pub const STATUSES: &[(u16, &[&str])] = &[
    (
        400,
        &[
            "INVALID_INPUT",
            "ADDRESS_NOT_MINE",
            "INPUT_IS_AUTHORITY",
            "INPUT_UNKNOWN",
            "TRANSACTION_TOO_LARGE",
            "INVALID_CALL",
            "NOT_SIGNED",
            "INVALID_SIGNATURES",
            "INVALID_SWAP",
        ],
    ),
    (401, &["UNAUTHORIZED"]),
    (403, &["FORBIDDEN", "SIGNER_REFUSED"]),
    (404, &["NOT_FOUND", "WALLET_NOT_FOUND", "STOPPED"]),
    (405, &["NOT_ALLOWED"]),
    (
        409,
        &[
            "READ_ONLY",
            "INSUFFICIENT_FUNDS",
            "INPUT_LOCKED",
            "INPUT_SPENT",
            "INPUT_VOIDED",
            "NO_AUTHORITY",
            "TOO_EARLY",
            "REJECTED",
            "OUTCOME_UNKNOWN",
            "CUT_OFF",
            "MULTISIG",
            "NOT_MULTISIG",
            "SWAP_CHANGED",
            "WALLET_ALREADY_STARTED",
        ],
    ),
    (415, &["UNSUPPORTED_ENCODING"]),
    (422, &["IDEMPOTENCY_KEY_TAKEN"]),
    (429, &["TOO_MANY_REQUESTS"]),
    (500, &["INTERNAL"]),
    (
        502,
        &[
            "NODE_BAD_ANSWER",
            "NODE_REFUSED",
            "MINING_BAD_ANSWER",
            "MINING_REFUSED",
            "SIGNER_FAILED",
            "SWAP_SERVICE_FAILED",
        ],
    ),
    (
        503,
        &[
            "UNAVAILABLE",
            "NOT_READY",
            "START_FAILED",
            "STORE",
            "SIGNER_UNREACHABLE",
            "NODE_UNREACHABLE",
            "NODE_RATE_LIMITED",
            "MINING_UNREACHABLE",
            "MINING_RATE_LIMITED",
            "NO_MINERS",
        ],
    ),
    (504, &["NODE_TIMEOUT", "MINING_NO_ANSWER", "MINING_TIMEOUT"]),
];

/// The status of a code.
pub fn status_of(code: &str) -> u16 {
    let with = STATUSES.iter().find(|(_, codes)| codes.contains(&code));
    with.map_or(500, |(status, _)| *status)
}

/// The code for a status without further detail: the first one of its line.
pub fn code_of(status: u16) -> &'static str {
    let with = STATUSES.iter().find(|(of, _)| *of == status);
    let other = if status < 500 { "INVALID_INPUT" } else { "INTERNAL" };
    with.and_then(|(_, codes)| codes.first()).copied().unwrap_or(other)
}
