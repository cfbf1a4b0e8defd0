//! The names of the operations.

use super::{Operation, all};

macro_rules! ids {
    ($($Id:ident = $name:literal,)*) => {
        /// Which operation it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum OperationId {
            $($Id,)*
        }

        impl OperationId {
            /// Its name in the OpenAPI document.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Id => $name,)*
                }
            }
        }
    };
}

ids! {
    Start = "start",
    HsmStart = "hsm-start",
    FireblocksStart = "fireblocks-start",
    LoadMoreAddresses = "load-more-addresses",
    LastIndex = "last-index",
    Events = "events",
    Status = "status",
    Stop = "stop",
    MultisigPubkey = "multisig-pubkey",
    Balance = "balance",
    Address = "address",
    Addresses = "addresses",
    AddressIndex = "address-index",
    AddressInfo = "address-info",
    UtxoFilter = "utxo-filter",
    TxHistory = "tx-history",
    Transaction = "transaction",
    TxConfirmationBlocks = "tx-confirmation-blocks",
    LastLoadedAddressIndex = "last-loaded-address-index",
    ConfigurationString = "configuration-string",
    SimpleSendTx = "simple-send-tx",
    SendTx = "send-tx",
    CreateToken = "create-token",
    CreateNft = "create-nft",
    MintTokens = "mint-tokens",
    MeltTokens = "melt-tokens",
    UtxoConsolidation = "utxo-consolidation",
    BuildTx = "build-tx",
    GetWalletInputs = "get-wallet-inputs",
    InputData = "input-data",
    AddSignatures = "add-signatures",
    MakeSigningFile = "signing-file",
    PushSigningFile = "push-signing-file",
    Propose = "propose",
    ProposeCreateToken = "propose-create-token",
    ProposeMintTokens = "propose-mint-tokens",
    ProposeMeltTokens = "propose-melt-tokens",
    GetMySignatures = "get-my-signatures",
    Sign = "sign",
    SignAndPush = "sign-and-push",
    ProposeSwap = "propose-swap",
    SwapSignatures = "swap-signatures",
    SignSwap = "sign-swap",
    SignAndPushSwap = "sign-and-push-swap",
    SwapInputData = "swap-input-data",
    UnlockSwap = "unlock-swap",
    GetLockedUtxos = "get-locked-utxos",
    ListSwaps = "list-swaps",
    FetchSwap = "fetch-swap",
    RegisterSwap = "register-swap",
    DeleteSwap = "delete-swap",
    RunTemplate = "run-tx-template",
    BuildTemplate = "build-tx-template",
    ListTasks = "list-tasks",
    Task = "task",
    CancelTask = "cancel-task",
    ListApprovals = "list-approvals",
    Approval = "approval",
    Approve = "approve",
    Deny = "deny",
    PushTx = "push-tx",
    Decode = "decode",
    UtxosSelectedAsInput = "utxos-selected-as-input",
    ContractState = "nano-state",
    ContractHistory = "nano-history",
    OracleData = "nano-oracle-data",
    OracleSignedResult = "nano-oracle-signed-result",
    CreateContract = "nano-create",
    ExecuteContract = "nano-execute",
    CreateBlueprint = "nano-create-on-chain-blueprint",
    SignMessage = "sign-message",
    VerifyMessage = "verify-message",
    ListWebhooks = "list-webhooks",
    ListDeliveries = "list-deliveries",
    Redeliver = "redeliver",
    Welcome = "welcome",
    Docs = "docs",
    DocsUi = "docs-ui",
    Health = "health",
    Live = "health-live",
    Ready = "health-ready",
    ReloadConfig = "reload-config",
    Metrics = "metrics",
    ListKeys = "list-keys",
    AddKey = "add-key",
    RotateKey = "rotate-key",
    RevokeKey = "revoke-key",
}

impl OperationId {
    /// All that is declared of it.
    pub fn operation(self) -> &'static Operation {
        all().find(|operation| operation.id == self).expect("every operation is in a list")
    }
}
