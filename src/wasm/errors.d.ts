// Generated from the declarations in src/api: `UPDATE=1 cargo test --features native --test api generated` writes it.

/** What went wrong, for programs. `docs/errors.md` has the remedy of each code. */
export type WalletErrorCode =
  // Input
  | "INVALID_INPUT"
  | "NOT_FOUND"
  | "READ_ONLY"
  // Starting
  | "WRONG_NETWORK"
  | "SYNC_FAILED"
  | "STORE"
  | "NOT_INITIALIZED"
  // A wallet that is not ready
  | "NOT_READY"
  | "STOPPED"
  // Building a transaction
  | "ADDRESS_NOT_MINE"
  | "INSUFFICIENT_FUNDS"
  | "INPUT_LOCKED"
  | "INPUT_SPENT"
  | "INPUT_VOIDED"
  | "INPUT_IS_AUTHORITY"
  | "INPUT_UNKNOWN"
  | "NO_AUTHORITY"
  | "TRANSACTION_TOO_LARGE"
  // Calling a contract
  | "INVALID_CALL"
  // Sending
  | "TOO_EARLY"
  | "REJECTED"
  | "OUTCOME_UNKNOWN"
  | "CUT_OFF"
  | "VOIDED"
  | "MULTISIG"
  | "IDEMPOTENCY_KEY_TAKEN"
  // Transactions signed by others
  | "NOT_SIGNED"
  | "NOT_MULTISIG"
  | "INVALID_SIGNATURES"
  | "INVALID_SWAP"
  | "SWAP_CHANGED"
  // Events
  | "TOO_SLOW"
  // Signers
  | "SIGNER_REFUSED"
  | "SIGNER_UNREACHABLE"
  | "SIGNER_FAILED"
  // The full node
  | "NODE_UNREACHABLE"
  | "NODE_TIMEOUT"
  | "NODE_RATE_LIMITED"
  | "NODE_BAD_ANSWER"
  | "NODE_REFUSED"
  // The mining service
  | "MINING_UNREACHABLE"
  | "MINING_NO_ANSWER"
  | "MINING_RATE_LIMITED"
  | "MINING_BAD_ANSWER"
  | "MINING_REFUSED"
  | "MINING_TIMEOUT"
  | "NO_MINERS"
  // The swap service
  | "SWAP_SERVICE_FAILED"
  // Sealed secrets
  | "WRONG_PASSWORD"
  | "VAULT_UNREADABLE"
  // Bugs
  | "INTERNAL";
