//! TypeScript's type of the methods that carry out operations.

use super::{MADE, members, pascal};
use crate::api::DryRunAnswer;
use crate::api::declare::Need;
use crate::api::operations::{self, Answer, Operation, OperationId as Id};
use crate::api::shape::Shaped;
use std::fmt::Write;

/// What a method takes besides its request.
#[derive(Clone, Copy)]
enum Options {
    None,
    /// What can be waited with.
    Wait,
    /// How a transaction is made that is not sent.
    Make,
}

/// The members of `Wallet` that are operations.
pub fn methods() -> String {
    let mut text = format!(
        "{MADE}\n/** The operations of a wallet, of which most are those of the HTTP interface. */\nexport interface Wallet {{\n"
    );
    for operation in operations::all() {
        if let Ok(names) = operation.id.names().package {
            names
                .split(", ")
                .filter(|name| !name.contains('.'))
                .for_each(|name| method(operation, name, &mut text));
        }
    }
    text + "}\n"
}

fn method(operation: &Operation, name: &str, text: &mut String) {
    let id = operation.id;
    if id == Id::Events {
        return;
    }
    let takes = argument(id, name).map_or_else(|| request(operation, name), str::to_owned);
    let gives = result(id).map_or_else(|| answer(operation), str::to_owned);
    let _ = writeln!(text, "  /** {} */", about(id, name).unwrap_or(operation.summary));
    if operation.sends() {
        let _ =
            writeln!(text, "  {name}({takes}, options: SendOptions & {{ dryRun: true }}): Promise<DryRun>;");
    }
    let options = match options(id) {
        _ if operation.sends() => "options?: SendOptions",
        Options::None => "",
        Options::Wait => "options?: WaitOptions",
        Options::Make => "options?: MakeOptions",
    };
    let separator = if takes.is_empty() || options.is_empty() { "" } else { ", " };
    let gives = if id == Id::Status { gives } else { format!("Promise<{gives}>") };
    let _ = writeln!(text, "  {name}({takes}{separator}{options}): {gives};");
}

/// What is said of methods that do something else than the request over HTTP.
const fn about(id: Id, name: &str) -> Option<&'static str> {
    Some(match id {
        Id::Status => "Where the wallet stands. Works in every state.",
        Id::Stop => {
            "Takes no more requests, finishes the sends under way, and ends. A stopped wallet can't be started again: start another."
        }
        Id::AddressIndex => "The index of an address; `undefined` if it isn't the wallet's.",
        Id::ConfigurationString => "What the full node says of a token; `null` if it does not know it.",
        Id::UtxosSelectedAsInput if is_unlock(name) => {
            "Give back the outputs that a transaction spends and that were set aside."
        }
        Id::UtxosSelectedAsInput => {
            "Set the outputs aside that a transaction spends, for `ttl` milliseconds or until they are given back or spent."
        }
        Id::VerifyMessage => {
            "Whether a message was signed with the key of an address of the wallet's network, be it whose it may."
        }
        _ => return None,
    })
}

const fn is_unlock(name: &str) -> bool {
    name.as_bytes()[0] == b'u'
}

/// All that an operation takes, as one object.
fn request(operation: &Operation, name: &str) -> String {
    match members(operation) {
        Some(members) if !members.is_empty() => {
            let mark = if members.iter().any(|member| member.need == Need::Required) { "" } else { "?" };
            format!("request{mark}: {}Request", pascal(name))
        }
        _ => String::new(),
    }
}

/// What an operation answers with where it does not only say what it would do.
fn answer(operation: &Operation) -> String {
    let Answer::Json(shapes) = operation.answer else { return "void".to_owned() };
    let mut names = shapes.iter().filter(|shape| shape.schema != DryRunAnswer::SHAPE.schema);
    names.find_map(|shape| shape.typescript).unwrap_or("void").to_owned()
}

/// Arguments that are not the request as an object.
const fn argument(id: Id, name: &str) -> Option<&'static str> {
    Some(match id {
        Id::Balance => "token?: string | BalanceRequest",
        Id::AddressIndex => "address: string",
        Id::AddressInfo => "request: string | AddressInfoRequest",
        Id::UtxoFilter => "filter?: UtxosRequest",
        Id::ConfigurationString => "uid: string",
        Id::Transaction | Id::TxConfirmationBlocks => "id: string",
        Id::Decode => "txHex: string | { partialTx: string }",
        Id::UtxosSelectedAsInput if !is_unlock(name) => {
            "txHex: string, options?: { ttl?: number | undefined }"
        }
        Id::PushTx | Id::GetWalletInputs | Id::SwapInputData | Id::UtxosSelectedAsInput => "txHex: string",
        Id::GetMySignatures => "request: string | MySignaturesRequest",
        Id::MakeSigningFile => "request: SigningFileRequest",
        Id::PushSigningFile => "request: { files: SigningFile[] }",
        Id::SwapSignatures => "request: string | MySwapSignaturesRequest",
        Id::UnlockSwap => "partialTx: string",
        Id::FetchSwap | Id::DeleteSwap => "proposalId: string",
        Id::OracleData => "oracle: string",
        Id::LoadMoreAddresses => "count: number",
        Id::LastIndex => "index: number",
        Id::ProposeSwap => "request: ProposeSwapRequest",
        _ => return None,
    })
}

/// Results that are a part of the answer, or more than it.
const fn result(id: Id) -> Option<&'static str> {
    Some(match id {
        Id::Address | Id::GetMySignatures | Id::SwapSignatures | Id::SwapInputData | Id::OracleData => {
            "string"
        }
        Id::Addresses | Id::ListSwaps => "string[]",
        Id::AddressIndex => "number | undefined",
        Id::LastLoadedAddressIndex | Id::TxConfirmationBlocks => "number",
        Id::TxHistory => "HistoryTransaction[]",
        Id::Transaction => "HistoryTransaction",
        Id::ConfigurationString => "Token | null",
        Id::GetLockedUtxos => "LockedOutputs[]",
        Id::ContractState | Id::ContractHistory | Id::OracleSignedResult => "unknown",
        Id::VerifyMessage => "boolean",
        Id::FetchSwap => "SwapProposal",
        Id::MakeSigningFile => "SigningFile",
        Id::Status => "WalletStatus",
        _ => return None,
    })
}

const fn options(id: Id) -> Options {
    match id {
        Id::BuildTx
        | Id::BuildTemplate
        | Id::Propose
        | Id::ProposeCreateToken
        | Id::ProposeMintTokens
        | Id::ProposeMeltTokens
        | Id::ProposeSwap => Options::Make,
        Id::ConfigurationString
        | Id::TxConfirmationBlocks
        | Id::Decode
        | Id::AddSignatures
        | Id::MakeSigningFile
        | Id::GetMySignatures
        | Id::SwapSignatures
        | Id::SignSwap
        | Id::FetchSwap
        | Id::RegisterSwap
        | Id::ContractState
        | Id::ContractHistory
        | Id::LoadMoreAddresses
        | Id::LastIndex => Options::Wait,
        _ => Options::None,
    }
}
