//! What the operations are called in the npm package and on the command line, and why some of them are not there.

use super::OperationId as Id;

/// The names of an operation beside its path; an `Err` says why it has none.
pub struct Names {
    /// The method of the npm package's `Wallet`.
    pub package: Result<&'static str, &'static str>,
    /// The command of `headless-wallet wallet`.
    pub command: Result<&'static str, &'static str>,
}

const OF_SERVER: &str = "of the server";
const NO_COMMAND: &str = "not yet";

impl Id {
    /// What it is called elsewhere.
    pub const fn names(self) -> Names {
        let (package, command) = match self {
            Self::Start => (Ok("Wallet.start"), Ok("start")),
            Self::LoadMoreAddresses => (Ok("loadMoreAddresses"), Ok("load-more-addresses")),
            Self::LastIndex => (Ok("loadAddressesTo"), Ok("last-index")),
            Self::Events => (Ok("events"), Err(NO_COMMAND)),
            Self::Status => (Ok("status"), Ok("status")),
            Self::Stop => (Ok("stop"), Ok("stop")),
            Self::MultisigPubkey => (Ok("Account.multisigXpub"), Err(NO_COMMAND)),
            Self::Balance => (Ok("balance"), Ok("balance")),
            Self::Address => (Ok("address"), Ok("address")),
            Self::Addresses => (Ok("addresses"), Ok("addresses")),
            Self::AddressIndex => (Ok("addressIndex"), Err(NO_COMMAND)),
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
            Self::Propose => (Ok("proposeTx"), Ok("propose")),
            Self::ProposeCreateToken => (Ok("proposeCreateToken"), Ok("propose-create-token")),
            Self::ProposeMintTokens => (Ok("proposeMintTokens"), Ok("propose-mint")),
            Self::ProposeMeltTokens => (Ok("proposeMeltTokens"), Ok("propose-melt")),
            Self::GetMySignatures => (Ok("mySignatures"), Ok("my-signatures")),
            Self::Sign => (Ok("signProposal"), Ok("sign")),
            Self::SignAndPush => (Ok("signAndPush"), Ok("sign-and-push")),
            Self::PushTx => (Ok("pushTx"), Ok("push")),
            Self::Decode => (Ok("decodeTx"), Ok("decode")),
            Self::UtxosSelectedAsInput => (Ok("lockUtxos, unlockUtxos"), Ok("hold")),
            Self::SignMessage => (Ok("signMessage"), Ok("sign-message")),
            Self::VerifyMessage => (Ok("verifyMessage"), Ok("verify-message")),
            Self::Welcome | Self::Docs | Self::DocsUi | Self::ReloadConfig | Self::Metrics => {
                (Err(OF_SERVER), Err(OF_SERVER))
            }
            Self::Health => (Err(OF_SERVER), Ok("health")),
        };
        Names { package, command }
    }
}
