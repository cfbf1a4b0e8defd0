//! What the operations are called in the npm package and on the command line, and why some of them are not
//! there.

use super::OperationId as Id;

/// The names of an operation beside its path; an `Err` says why it has none.
pub struct Names {
    /// The method of the npm package's `Wallet`.
    pub package: Result<&'static str, &'static str>,
    /// The command of `headless-wallet wallet`.
    pub command: Result<&'static str, &'static str>,
}

const PAGE: &str = "a page for browsers";
const DOCUMENT: &str = "describes the HTTP interface alone";
const SETTINGS: &str = "of a server's own settings";
const METRICS: &str = "counts a server's requests, for Prometheus";
const TASK: &str = "of a server: in the package, what is awaited or not is up to the caller";
const WEBHOOK: &str = "of a server; `on` tells of events";
const APPROVAL: &str = "of a server, whose keys have limits";
const PROBE: &str = "for what watches over a server";
const HSM: &str = "of a server, whose settings have the token";
const FIREBLOCKS: &str = "of a server, whose settings have the access to Fireblocks";
const KEYS: &str = "`headless-wallet keys`, of a server's own settings";
const HEALTH: &str = "of a server; `status` tells of a wallet";

impl Id {
    /// What it is called elsewhere.
    pub const fn names(self) -> Names {
        let (package, command) = match self {
            Self::Start => (Ok("Wallet.start"), Ok("start")),
            Self::HsmStart => (Err(HSM), Err(HSM)),
            Self::FireblocksStart => (Err(FIREBLOCKS), Err(FIREBLOCKS)),
            Self::LoadMoreAddresses => (Ok("loadMoreAddresses"), Ok("load-more-addresses")),
            Self::LastIndex => (Ok("loadAddressesTo"), Ok("last-index")),
            Self::Events => (Ok("events"), Ok("events")),
            Self::Status => (Ok("status"), Ok("status")),
            Self::Stop => (Ok("stop"), Ok("stop")),
            Self::MultisigPubkey => (Ok("Account.multisigXpub"), Ok("multisig-pubkey")),
            Self::Balance => (Ok("balance"), Ok("balance")),
            Self::Address => (Ok("address"), Ok("address")),
            Self::Addresses => (Ok("addresses"), Ok("addresses")),
            Self::AddressIndex => (Ok("addressIndex"), Ok("address-index")),
            Self::AddressInfo => (Ok("addressInfo"), Ok("address-info")),
            Self::UtxoFilter => (Ok("utxos"), Ok("utxos")),
            Self::TxHistory => (Ok("history"), Ok("history")),
            Self::Transaction => (Ok("transaction"), Ok("tx")),
            Self::TxConfirmationBlocks => (Ok("confirmations"), Ok("confirmations")),
            Self::LastLoadedAddressIndex => (Ok("lastLoadedAddressIndex"), Ok("last-index")),
            Self::ConfigurationString => (Ok("token"), Ok("token")),
            Self::SimpleSendTx => (Ok("simpleSendTx"), Ok("send")),
            Self::SendTx => (Ok("sendTx"), Ok("send-many, send-data")),
            Self::CreateToken => (Ok("createToken"), Ok("create-token")),
            Self::CreateNft => (Ok("createNft"), Ok("create-nft")),
            Self::MintTokens => (Ok("mintTokens"), Ok("mint")),
            Self::MeltTokens => (Ok("meltTokens"), Ok("melt")),
            Self::UtxoConsolidation => (Ok("consolidateUtxos"), Ok("consolidate")),
            Self::BuildTx => (Ok("buildTx"), Ok("build-tx")),
            Self::GetWalletInputs => (Ok("walletInputs"), Ok("wallet-inputs")),
            Self::InputData => (Ok("inputData"), Ok("input-data")),
            Self::AddSignatures => (Ok("addSignatures"), Ok("add-signatures")),
            Self::MakeSigningFile => (Ok("signingFile"), Ok("signing-file")),
            Self::PushSigningFile => (Ok("pushSigningFile"), Ok("push-file")),
            Self::Propose => (Ok("proposeTx"), Ok("propose")),
            Self::ProposeCreateToken => (Ok("proposeCreateToken"), Ok("propose-create-token")),
            Self::ProposeMintTokens => (Ok("proposeMintTokens"), Ok("propose-mint")),
            Self::ProposeMeltTokens => (Ok("proposeMeltTokens"), Ok("propose-melt")),
            Self::GetMySignatures => (Ok("mySignatures"), Ok("my-signatures")),
            Self::Sign => (Ok("signProposal"), Ok("sign")),
            Self::SignAndPush => (Ok("signAndPush"), Ok("sign-and-push")),
            Self::ProposeSwap => (Ok("proposeSwap"), Ok("swap-propose")),
            Self::SwapSignatures => (Ok("mySwapSignatures"), Ok("swap-signatures")),
            Self::SignSwap => (Ok("signSwap"), Ok("swap-sign")),
            Self::SignAndPushSwap => (Ok("signAndPushSwap"), Ok("swap-push")),
            Self::SwapInputData => (Ok("swapInputData"), Ok("swap-input-data")),
            Self::UnlockSwap => (Ok("unlockSwap"), Ok("swap-unlock")),
            Self::GetLockedUtxos => (Ok("lockedUtxos"), Ok("locked-utxos")),
            Self::ListSwaps => (Ok("swapProposals"), Ok("swap-list")),
            Self::FetchSwap => (Ok("swapProposal"), Ok("swap-fetch")),
            Self::RegisterSwap => (Ok("registerSwapProposal"), Ok("swap-register")),
            Self::DeleteSwap => (Ok("deleteSwapProposal"), Ok("swap-delete")),
            Self::RunTemplate => (Ok("runTemplate"), Ok("run-template")),
            Self::BuildTemplate => (Ok("buildTemplate"), Ok("build-template")),
            Self::ListTasks => (Err(TASK), Ok("tasks")),
            Self::Task => (Err(TASK), Ok("task")),
            Self::CancelTask => (Err(TASK), Ok("task-cancel")),
            Self::ListApprovals => (Err(APPROVAL), Ok("approvals")),
            Self::Approval => (Err(APPROVAL), Ok("approval")),
            Self::Approve => (Err(APPROVAL), Ok("approve")),
            Self::Deny => (Err(APPROVAL), Ok("deny")),
            Self::PushTx => (Ok("pushTx"), Ok("push")),
            Self::Decode => (Ok("decodeTx"), Ok("decode")),
            Self::UtxosSelectedAsInput => (Ok("lockUtxos, unlockUtxos"), Ok("hold")),
            Self::ContractState => (Ok("contractState"), Ok("nano-state")),
            Self::ContractHistory => (Ok("contractHistory"), Ok("nano-history")),
            Self::OracleData => (Ok("oracleData"), Ok("oracle-data")),
            Self::OracleSignedResult => (Ok("oracleSignedResult"), Ok("oracle-signed-result")),
            Self::CreateContract => (Ok("createContract"), Ok("nano-create")),
            Self::ExecuteContract => (Ok("executeContract"), Ok("nano-execute")),
            Self::CreateBlueprint => (Ok("createBlueprint"), Ok("nano-blueprint")),
            Self::SignMessage => (Ok("signMessage"), Ok("sign-message")),
            Self::VerifyMessage => (Ok("verifyMessage"), Ok("verify-message")),
            Self::ListWebhooks => (Err(WEBHOOK), Ok("webhooks")),
            Self::ListDeliveries => (Err(WEBHOOK), Ok("webhook-deliveries")),
            Self::Redeliver => (Err(WEBHOOK), Ok("webhook-redeliver")),
            Self::Welcome | Self::DocsUi => (Err(PAGE), Err(PAGE)),
            Self::Docs => (Err(DOCUMENT), Err(DOCUMENT)),
            Self::Health => (Err(HEALTH), Ok("health")),
            Self::Live | Self::Ready => (Err(PROBE), Err(PROBE)),
            Self::ReloadConfig => (Err(SETTINGS), Err(SETTINGS)),
            Self::Metrics => (Err(METRICS), Err(METRICS)),
            Self::ListKeys | Self::AddKey | Self::RotateKey | Self::RevokeKey => (Err(KEYS), Err(KEYS)),
        };
        Names { package, command }
    }
}
