//! The operations, each with the request that it is and how its answer is shown.

use super::call::Call;
use super::failure::Failure;
use super::fields::{
    AddSignaturesFields, AddressFields, AddressInfoFields, Asks, BuildFields, ConsolidateFields,
    CreateNftFields, CreateTokenFields, DataFields, HistoryFields, HoldFields, IdFields, InputDataFields,
    LastIndexFields, ManyFields, MeltFields, Melting, MintFields, Minting, MoreAddressesFields, NewToken,
    PaymentFields, ProposeFields, Proposing, SharesFields, TokenFields, TokenUidFields, TransactionFields,
    UtxoFields,
};
use super::sheets::{self, Show};
use super::start::StartArgs;
use super::words::NewArgs;
use clap::{Args, Subcommand};
use serde::Serialize;

/// What to do with a wallet.
#[derive(Subcommand)]
pub enum Operation {
    /// Makes 24 new words, on this machine alone.
    #[command(
        after_help = "Words are all there is to a wallet: give them to `start`, or to any operation with --direct."
    )]
    New(NewArgs),
    /// Starts a wallet at the server, under an id of your choice, and waits until it is ready.
    #[command(
        after_help = "The words are asked for, or read from a file; they are never taken from the command line.\n\n\
Examples:\n  headless-wallet wallet start --wallet-id shop\n  \
headless-wallet wallet start --wallet-id shop --seed-file words.txt\n  \
headless-wallet wallet start --wallet-id shop --seed-key main"
    )]
    Start(StartArgs),
    /// Stops a wallet, after what it is sending; its id is free then.
    Stop,
    /// Says whether the wallet is ready.
    Status,
    /// Shows an address to be paid at.
    Address(AddressFields),
    /// Lists all addresses that are watched.
    Addresses,
    /// Shows the index of the last address that is watched, or, where a limit says which are, sets it.
    LastIndex(LastIndexFields),
    /// Watches more addresses, where a limit says which are, and waits until they are loaded.
    LoadMoreAddresses(MoreAddressesFields),
    /// Says what an address has received, and where that is now.
    AddressInfo(AddressInfoFields),
    /// Shows how much the wallet has.
    Balance(TokenFields),
    /// Lists unspent outputs.
    Utxos(UtxoFields),
    /// Lists transactions, newest first, with what they changed.
    History(HistoryFields),
    /// Shows a transaction of the history.
    Tx(IdFields),
    /// Says how many blocks confirm a transaction.
    Confirmations(IdFields),
    /// Shows a token's configuration string, by which wallets know it.
    Token(TokenUidFields),
    /// Pays an address.
    #[command(
        after_help = "Examples:\n  headless-wallet wallet send WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6 1500\n  \
headless-wallet wallet send WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6 1500 --dry-run"
    )]
    Send(Sending<PaymentFields>),
    /// Pays several addresses and keeps texts, in one transaction.
    #[command(
        after_help = "Example:\n  headless-wallet wallet send-many --to WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6:1500 \
--to WeBBm1LfKBH3V5rEL5DAHtjjDiAws3Z83m:250 --data 'invoice 17'"
    )]
    SendMany(Sending<ManyFields>),
    /// Keeps texts on the ledger, for good and for all to read; each costs a cent.
    SendData(Sending<DataFields>),
    /// Creates a token.
    #[command(after_help = "Example:\n  headless-wallet wallet create-token 'Tour Token' TOUR 10000")]
    CreateToken(Sending<CreateTokenFields>),
    /// Creates an NFT.
    #[command(
        after_help = "Example:\n  headless-wallet wallet create-nft 'A picture' PIC 1 ipfs://picture.json"
    )]
    CreateNft(Sending<CreateNftFields>),
    /// Mints more of a token.
    Mint(Sending<MintFields>),
    /// Melts tokens: they are gone, and their deposit comes back.
    Melt(Sending<MeltFields>),
    /// Makes one output of many.
    Consolidate(Sending<ConsolidateFields>),
    /// Shows what a transaction is and would do to the wallet.
    Decode(TransactionFields),
    /// Sends a transaction that is signed; its proof of work is done where it is missing.
    Push(Sending<TransactionFields>),
    /// Sets the outputs aside that a transaction spends, so that no send takes them.
    Hold(HoldFields),
    /// Builds a transaction that is signed elsewhere: nothing is reserved, and the wallet need not be able to sign.
    #[command(after_help = "Then, on the way to the ledger:\n  \
wallet-inputs HEX               says which keys must sign the hash that this shows\n  \
input-data INDEX SIGNATURE      makes an input's data of a signature\n  \
add-signatures HEX --input 0:…  puts the data in\n  \
push HEX                        sends it")]
    BuildTx(BuildFields),
    /// Says which inputs of a transaction spend what pays the wallet, and where their keys are.
    WalletInputs(TransactionFields),
    /// Makes an input's data of its signature, or of those that the participants of a multisig wallet made.
    InputData(InputDataFields),
    /// Puts input data into a transaction. Each is checked.
    AddSignatures(AddSignaturesFields),
    /// Builds a payment for the participants of a multisig wallet to sign.
    #[command(
        after_help = "Then each participant runs `my-signatures HEX`, and one of them `sign-and-push HEX SIGNATURES …`."
    )]
    Propose(Proposing<ProposeFields>),
    /// Builds a transaction that creates a token, for the participants to sign.
    ProposeCreateToken(Proposing<NewToken>),
    /// Builds a transaction that mints more of a token, for the participants to sign.
    ProposeMint(Proposing<Minting>),
    /// Builds a transaction that melts tokens, for the participants to sign.
    ProposeMelt(Proposing<Melting>),
    /// Shows this participant's signatures of a transaction, for whoever puts them together.
    MySignatures(TransactionFields),
    /// Puts the participants' signatures into a transaction. Each is checked.
    Sign(SharesFields),
    /// The same, and sends it.
    SignAndPush(Sending<SharesFields>),
}

/// Fields of a request that sends, and how to send it.
#[derive(Args)]
pub struct Sending<Fields: Args> {
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    options: SendOptions,
}

/// How to send.
#[derive(Args, Clone)]
pub struct SendOptions {
    /// Sends nothing, only says what would be sent and at what cost.
    #[arg(long)]
    pub dry_run: bool,
    /// Doesn't ask before it sends. (Scripts, whose standard input is no terminal, are never asked.)
    #[arg(short, long)]
    pub yes: bool,
    /// Names the request: it is carried out once, however often it is repeated with this name.
    #[arg(long, value_name = "KEY")]
    pub idempotency_key: Option<String>,
}

impl SendOptions {
    /// The request's name: the given one, or a new one.
    pub fn key(&self) -> Result<String, Failure> {
        if let Some(key) = &self.idempotency_key {
            return Ok(key.clone());
        }
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|_| Failure::Failed("no randomness from the system".to_owned()))?;
        Ok(hex::encode(bytes))
    }
}

/// What an operation comes to.
pub struct Row {
    pub call: Call,
    /// What to read first, where people need it to read the answer.
    pub also: Option<&'static str>,
    pub show: Show,
    /// For what sends.
    pub write: Option<Write>,
}

/// A request that sends.
pub struct Write {
    pub options: SendOptions,
    /// What to ask before.
    pub question: String,
}

const ADDRESSES: &str = "/wallet/addresses";
/// Names the network, without which scripts can't be read as addresses.
const STATUS: &str = "/wallet/status";

impl Row {
    fn read(path: &'static str, fields: &impl Serialize, show: Show) -> Self {
        Self { call: Call::get(path, fields), also: None, show, write: None }
    }
    fn change(call: Call, show: Show) -> Self {
        Self { call, also: None, show, write: None }
    }
    fn propose(path: &'static str, fields: &impl Serialize) -> Self {
        Self::change(Call::post(path, fields), sheets::proposal)
    }
    fn send<Fields: Args + Serialize + Asks>(
        path: &'static str,
        sending: &Sending<Fields>,
        show: Show,
    ) -> Self {
        let Sending { fields, options } = sending;
        let write = Write { options: options.clone(), question: fields.question() };
        Self { call: Call::post(path, fields), also: Some(STATUS), show, write: Some(write) }
    }
    fn with(self, also: &'static str) -> Self {
        Self { also: Some(also), ..self }
    }
}

impl Operation {
    /// Whether it is nothing but a note to the wallet, for as long as it runs.
    pub fn is_remembered(&self) -> bool {
        match self {
            Self::Hold(_) | Self::LoadMoreAddresses(_) => true,
            Self::Address(fields) => fields.mark_as_used,
            Self::LastIndex(fields) => fields.index.is_some(),
            Self::Propose(proposing) => proposing.set_aside,
            Self::ProposeCreateToken(proposing) => proposing.set_aside,
            Self::ProposeMint(proposing) => proposing.set_aside,
            Self::ProposeMelt(proposing) => proposing.set_aside,
            _ => false,
        }
    }

    /// The table of operations. (`new` and `start` are no single requests.)
    pub fn row(&self) -> Row {
        let nothing = &();
        match self {
            Self::New(_) | Self::Start(_) | Self::Status => Row::read(STATUS, nothing, sheets::status),
            Self::Stop => Row::change(Call::post("/wallet/stop", nothing), sheets::done),
            Self::Address(fields) => Row::read("/wallet/address", fields, sheets::address),
            Self::Addresses => Row::read(ADDRESSES, nothing, sheets::addresses),
            Self::LastIndex(fields) if fields.index.is_some() => {
                Row::change(Call::post("/wallet/config/index-limit/last-index", fields), sheets::done)
            }
            Self::LastIndex(_) => {
                Row::read("/wallet/config/last-loaded-address-index", nothing, sheets::last_index)
            }
            Self::LoadMoreAddresses(fields) => {
                let path = "/wallet/config/index-limit/load-more-addresses";
                Row::change(Call::post(path, fields), sheets::done)
            }
            Self::AddressInfo(fields) => Row::read("/wallet/address-info", fields, sheets::address_info),
            Self::Balance(fields) if fields.is_htr() => {
                Row::read("/wallet/balance", fields, sheets::balance_htr)
            }
            Self::Balance(fields) => Row::read("/wallet/balance", fields, sheets::balance),
            Self::Utxos(fields) => Row::read("/wallet/utxo-filter", fields, sheets::utxos),
            Self::History(fields) => Row::read("/wallet/tx-history", fields, sheets::history).with(ADDRESSES),
            Self::Tx(fields) => Row::read("/wallet/transaction", fields, sheets::transaction).with(ADDRESSES),
            Self::Confirmations(fields) => {
                Row::read("/wallet/tx-confirmation-blocks", fields, sheets::confirmations)
            }
            Self::Token(fields) => Row::read("/configuration-string", fields, sheets::configuration),
            Self::Send(sending) => Row::send("/wallet/simple-send-tx", sending, sheets::sent),
            Self::SendMany(sending) => Row::send("/wallet/send-tx", sending, sheets::sent),
            Self::SendData(sending) => Row::send("/wallet/send-tx", sending, sheets::sent),
            Self::CreateToken(sending) => Row::send("/wallet/create-token", sending, sheets::sent),
            Self::CreateNft(sending) => Row::send("/wallet/create-nft", sending, sheets::sent),
            Self::Mint(sending) => Row::send("/wallet/mint-tokens", sending, sheets::sent),
            Self::Melt(sending) => Row::send("/wallet/melt-tokens", sending, sheets::sent),
            Self::Consolidate(sending) => {
                Row::send("/wallet/utxo-consolidation", sending, sheets::consolidated)
            }
            Self::Decode(fields) => Row::change(Call::post("/wallet/decode", fields), sheets::decoded),
            // It needs no wallet, and there may be none.
            Self::Push(sending) => Row { also: None, ..Row::send("/push-tx", sending, sheets::sent) },
            Self::Hold(fields) => {
                Row::change(Call::put("/wallet/utxos-selected-as-input", fields), sheets::done)
            }
            Self::BuildTx(fields) => Row::propose("/wallet/tx-proposal", fields),
            Self::WalletInputs(fields) => {
                Row::read("/wallet/tx-proposal/get-wallet-inputs", fields, sheets::wallet_inputs)
            }
            Self::InputData(fields) => {
                Row::change(Call::post("/wallet/tx-proposal/input-data", fields), sheets::input_data)
            }
            Self::AddSignatures(fields) => Row::propose("/wallet/tx-proposal/add-signatures", fields),
            Self::Propose(fields) => Row::propose("/wallet/p2sh/tx-proposal", fields),
            Self::ProposeCreateToken(fields) => Row::propose("/wallet/p2sh/tx-proposal/create-token", fields),
            Self::ProposeMint(fields) => Row::propose("/wallet/p2sh/tx-proposal/mint-tokens", fields),
            Self::ProposeMelt(fields) => Row::propose("/wallet/p2sh/tx-proposal/melt-tokens", fields),
            Self::MySignatures(fields) => {
                let path = "/wallet/p2sh/tx-proposal/get-my-signatures";
                Row::change(Call::post(path, fields), sheets::signatures)
            }
            Self::Sign(fields) => Row::propose("/wallet/p2sh/tx-proposal/sign", fields),
            Self::SignAndPush(sending) => {
                Row::send("/wallet/p2sh/tx-proposal/sign-and-push", sending, sheets::sent)
            }
        }
    }
}
