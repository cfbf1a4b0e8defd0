//! Answers about what is signed outside, or is no transaction: proposals and their signatures, signing
//! files, and messages.

use super::kinds::{Count, Flag, Flatten, Hash, Hex, List, Maybe, NetworkName, Text, kind};
use crate::api::answer::answer;
use crate::keys::{
    ACCOUNT_PATH, AddressKeys, FileInput, FileSignature, MULTISIG_ACCOUNT_PATH, MultisigSignatures,
    SigningFile,
};
use crate::net::clean_json;

/// The answer of sign-message.
pub struct SignedMessageAnswer<'a> {
    pub message: &'a str,
    /// 65 bytes in base64.
    pub signature: &'a str,
    pub address: &'a str,
    pub index: u32,
}

answer! {
    /// A message signed with the key of an address.
    this: SignedMessageAnswer<'_> as "SignedMessage", type "SignedMessage" {
        success = true,
        /// As given.
        message: Text,
        /// 65 bytes in base64, from which the public key is recovered.
        signature: Text,
        address: Text,
        /// The address's index.
        index: Count,
    }
}

/// The answer of verify-message: whether the signature is of this message, by the key of this address.
pub struct VerifiedMessageAnswer(pub bool);

answer! {
    this: VerifiedMessageAnswer as "VerifiedMessage" {
        success = true,
        /// Whether the key of the address signed the message.
        valid: Flag = this.0,
    }
}

// Answers about transactions that are signed outside of the wallet.

/// A transaction that was built or signed in part: the answer of all proposals. Its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposalAnswer(pub Vec<u8>);

answer! {
    /// A transaction as hexadecimal digits.
    this: ProposalAnswer as "Proposal", type "TxHex" {
        success = true,
        /// The transaction.
        txHex: Hex = *this.0,
    }
}

/// A transaction that is signed outside of the wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsignedAnswer {
    pub proposal: ProposalAnswer,
    /// What is to be signed.
    pub digest: [u8; 32],
}

answer! {
    /// A transaction to sign outside of the wallet.
    this: UnsignedAnswer as "Unsigned", type "TxToSign" {
        proposal: Flatten<ProposalAnswer> = Flatten(&this.proposal),
        /// The double SHA-256 that every input signs.
        dataToSignHash: Hash = this.digest[..],
    }
}

/// The answer of get-my-signatures: one participant's.
pub struct SignaturesAnswer<'a>(pub &'a MultisigSignatures);

answer! {
    this: SignaturesAnswer<'_> as "Signatures" {
        success = true,
        /// `<account key>|<input>:<signature>|…`, in hexadecimal digits.
        signatures: Text = this.0,
    }
}

/// The answer of get-wallet-inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletInputsAnswer<'a> {
    /// The places of inputs, with the indexes of the addresses that they spend from.
    pub inputs: &'a [(u8, u32)],
    /// What their keys are below, such as `m/44'/280'/0'`.
    pub account: &'a str,
}

answer! {
    /// The wallet's inputs.
    this: WalletInputsAnswer<'_> as "WalletInputs", type "WalletInputs" {
        success = true,
        inputs: [WalletInput<'_>] = List(
            this.inputs.iter().map(|&(place, address)| WalletInput { place, address, of: this })
        ),
    }
}

struct WalletInput<'a> {
    place: u8,
    address: u32,
    of: &'a WalletInputsAnswer<'a>,
}

answer! {
    /// An input of the wallet.
    this: WalletInput<'_>, type "WalletInput" {
        /// The index of the input.
        inputIndex: Count = this.place,
        /// The address whose output it spends.
        addressIndex: Count = this.address,
        /// The derivation path of the address's key.
        addressPath: Text = format!("{}/0/{}", this.of.account, this.address),
    }
}

/// The answer of input-data: its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputDataAnswer(pub Vec<u8>);

answer! {
    /// The data of an input, made from its signatures.
    this: InputDataAnswer as "InputData", type "InputData" {
        success = true,
        /// The data of an input, for `addSignatures`.
        inputData: Hex = *this.0,
    }
}

// Signing files as they are written; `requests::signing_file` reads them.

/// What `format` says.
pub(in crate::api) const FORMAT: &str = "hathor-signing-file";
/// The version that is written, and the only one that is read.
pub(in crate::api) const VERSION: u32 = 1;

kind! {
    PurposeName = Value {"enum": ["send", "build", "swap", "share"]};
    crate::keys::Purpose: |purpose, to| to.serialize_str(purpose.name());
}

const VALID: &str = "a file is checked before it is written";

answer! {
    /// A transaction to sign outside of the wallet, with everything needed to check its effect.
    this: SigningFile as "SigningFile", type "SigningFile" {
        format = FORMAT,
        version = VERSION,
        network: NetworkName,
        /// The purpose of the signatures, as its maker claims.
        purpose: PurposeName,
        /// The name that its maker gave it.
        label: Maybe<Text>,
        /// The bytes without signatures, weight, timestamp, parents and nonce, none of which is signed.
        transaction: Hex = this.transaction.to_bytes().expect(VALID),
        /// The hash that every signature signs.
        hash: Hash = this.digest().expect(VALID)[..],
        /// All spent transactions and blocks, each once, as they are on the ledger.
        previous: [Hex] = this.previous[..],
        account: FileAccount<'_> = FileAccount(&this.account),
        /// The known inputs, in their order.
        inputs: [InputOf<'_>] = List(this.inputs.iter().map(|input| InputOf { input, account: &this.account })),
        /// Outputs that pay the account, in their order.
        outputs: [OutputOf] = List(this.outputs.iter().map(|(place, index)| OutputOf {
            place: *place,
            path: path(&this.account, *index),
        })),
        /// The signatures so far, in the order of inputs and keys.
        signatures: [FileSignature] = this.signatures[..],
    }
}

struct FileAccount<'a>(&'a AddressKeys);

impl FileAccount<'_> {
    fn participants(&self) -> Option<(Vec<String>, u8)> {
        match self.0 {
            AddressKeys::Multisig(all) => Some((all.account_xpubs(), all.num_signatures())),
            AddressKeys::Account(_) | AddressKeys::List(_) => None,
        }
    }
}

answer! {
    /// The wallet that signs: single-signature or multisig.
    this: FileAccount<'_>, type "SigningFileAccount" {
        /// Single-signature: the xpub of the change level, `m/44'/280'/0'/0`.
        xpub: Maybe<Text> = this.0.xpub(),
        /// Multisig: the xpubs of all participants, `m/45'/280'/0'`.
        participants: Maybe<[Text]> = this.participants().map(|(xpubs, _)| List(xpubs.into_iter())),
        /// Multisig: the number of required signatures.
        numSignatures: Maybe<Count> = this.participants().map(|(_, needs)| needs),
    }
}

/// The path of the key of an address.
fn path(account: &AddressKeys, index: u32) -> String {
    format!("{}/{index}", level(account))
}

/// What all paths of an account begin with.
pub(in crate::api) fn level(account: &AddressKeys) -> String {
    let account = match account {
        AddressKeys::Account(_) | AddressKeys::List(_) => ACCOUNT_PATH,
        AddressKeys::Multisig(_) => MULTISIG_ACCOUNT_PATH,
    };
    format!("{account}/0")
}

struct InputOf<'a> {
    input: &'a FileInput,
    account: &'a AddressKeys,
}

answer! {
    /// An input in a signing file.
    this: InputOf<'_>, type "SigningFileInput" {
        /// Its index in the transaction.
        index: Count = this.input.place,
        /// The path of the account's key that signs; absent for another party's input.
        path: Maybe<Text> = this.input.address.map(|index| path(this.account, index)),
        /// The keys of a multisig address.
        redeemScript: Maybe<Hex> = this.input.redeem_script.as_ref().map(|script| script.to_bytes().expect(VALID)),
    }
}

struct OutputOf {
    place: u8,
    path: String,
}

answer! {
    /// An output that pays the wallet of a signing file.
    this: OutputOf, type "SigningFileOutput" {
        /// Its index in the transaction.
        index: Count = this.place,
        /// The path of the account's key that it pays.
        path: Text,
    }
}

answer! {
    /// A signature in a signing file.
    this: FileSignature, type "SigningFileSignature" {
        /// The index of the input.
        input: Count,
        /// Compressed.
        publicKey: Hex = this.public_key[..],
        /// In DER.
        signature: Hex = this.signature[..],
    }
}

/// Most bytes of a signature's object, with the comma behind it.
const SIGNATURE_BYTES: usize = r#"{"input":255,"publicKey":"","signature":""},"#.len() + 2 * (33 + 72);

/// How many bytes a file's text has on one line, once it has as many signatures as it needs.
pub fn signing_file_bytes(file: &SigningFile) -> usize {
    let text = clean_json(&serde_json::to_string(file).expect("a file is JSON"));
    let lacking: usize = file.signed_so_far().iter().map(|(there, needs)| needs - there).sum();
    text.len() + 1 + lacking * SIGNATURE_BYTES
}

/// The answer of signing-file.
pub struct SigningFileAnswer(pub SigningFile);

answer! {
    /// A new signing file.
    this: SigningFileAnswer as "SigningFileMade", type "SigningFileMade" {
        success = true,
        file: SigningFile = this.0,
    }
}
