//! Signing files: made of transactions, and sent once there are enough signatures in them.

use crate::api::signing_file;
use crate::api::texts::{INVALID_VALUE, TRANSACTION_NOT_SUPPORTED};
use crate::api::{InvalidChoice, Location, Member, Need, SigningFileAnswer};
use crate::keys::{BadFile, MAX_LABEL_CHARS, MultisigPublic, SigningFile};
use crate::ledger::AmountVersion;
use crate::operations::prelude::*;
use crate::operations::transactions::Decode;
use crate::service::{SigningFileError, SwapError};
use serde_json::{Map, Value};

pub static SIGNING_FILE: Operation = post("signing-file", "/wallet/signing-file", Group::SigningElsewhere, Right::Build)
    .does("Make a signing file of a transaction: everything needed to check and sign it on a computer without a network.")
    .package(&[method("signingFile").takes("request: SigningFileRequest").gives("SigningFile").waits()])
    .command(&[command("signing-file").places(&["txHex"]).one_of(&["txHex", "partial_tx"]).after("Whoever has the keys runs `inspect FILE` and `sign-file FILE`, without a network; then `push-file FILE …` sends it.\n\n\
Example:\n  headless-wallet wallet signing-file $(headless-wallet wallet build-tx --to WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6:15.00) > payment.json",)])
    .asks::<MakeSigningFile>(&[("example", r#"{"txHex": "0001000000", "label": "Rent, November"}"#)])
    .answers(answers![SigningFileAnswer, Failure])
    .refuses(answers![InvalidFields, InvalidChoice]);

pub static PUSH_SIGNING_FILE: Operation = post("push-signing-file", "/wallet/signing-file/push", Group::SigningElsewhere, Right::Send)
    .does("Put the signatures of signing files into their transaction, and send it. Each is checked against what it spends.")
    .package(&[method("pushSigningFile").takes("request: { files: SigningFile[] }")])
    .command(&[command("push-file").places(&["files"]).does("Send the transaction in signing files, with the signatures that they hold.")])
    .sends::<PushSigningFile>("", &[("example", r#"{"files": [{"format": "hathor-signing-file", "version": 1}]}"#)])
    .answers(answers![TransactionAnswer, CreatedToken, DryRunAnswer, Failure])
    .body_of(bodies::SIGNING_FILES);

/// Most files that are put together: a multisig wallet has no more participants.
const MAX_FILES: usize = MultisigPublic::MAX_KEYS;

/// `POST /wallet/signing-file`.
#[derive(Clone, Debug, PartialEq)]
pub struct MakeSigningFile {
    /// What is to be signed: signed by some, or by nobody.
    pub what: Decode,
    /// What the file says of itself to people.
    pub label: Option<String>,
}

impl Request for MakeSigningFile {
    const IN: Location = Location::Body;
    const MEMBERS: &'static [Member] = &[
        Member::new(
            "txHex",
            "The transaction, in hexadecimal digits: of any proposal, signed by some or by nobody.",
            Kind::Hex,
            Need::Optional,
        )
        .long(),
        Member::new(
            "partial_tx",
            "A proposal of an atomic swap that is balanced, instead of `txHex`.",
            Kind::Text,
            Need::Optional,
        )
        .long(),
        Member::new(
            "label",
            "What the file says of itself to people.",
            Kind::ShortText(MAX_LABEL_CHARS),
            Need::Optional,
        ),
    ];
    fn read(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let field = check.field("label");
        let label = check.optional_text(&field);
        let length = label.map_or(0, |text| text.chars().count());
        if length > MAX_LABEL_CHARS {
            let must = format!("must have at most {MAX_LABEL_CHARS} characters, and has {length}");
            check.problem(&field, INVALID_VALUE, must);
        }
        check.finish()?;
        let what = match Decode::read(body, compat)? {
            // It is signed elsewhere, where the network does not say what the bytes mean.
            Decode::Transaction(transaction) if transaction.amounts() == AmountVersion::V2 => {
                return Err(Refusal::failure(TRANSACTION_NOT_SUPPORTED));
            }
            what => what,
        };
        Ok(Self { what, label: label.map(str::to_owned) })
    }
}

/// `POST /wallet/signing-file/push`.
#[derive(Clone, Debug)]
pub struct PushSigningFile {
    /// All of them put together.
    pub file: SigningFile,
}

impl Request for PushSigningFile {
    const IN: Location = Location::Body;
    const MEMBERS: &'static [Member] = &[Member::new(
        "files",
        "Signing files of one transaction, as signing-file made it and others have signed it.",
        Kind::Array { of: &Kind::Any, least: 1, most: Some(MAX_FILES) },
        Need::Required,
    )
    .in_file()];
    fn read(body: &Map<String, Value>, _: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let field = check.field("files");
        let count = field.value.and_then(Value::as_array).map_or(0, Vec::len);
        if !(1..=MAX_FILES).contains(&count) {
            check.invalid(&field, MUST_BE_FILES);
        }
        check.finish()?;
        let mut together: Option<SigningFile> = None;
        for (at, element) in field.elements().enumerate() {
            let told = |BadFile(why)| Refusal::failure(format!("Invalid signing file {at}: {why}"));
            let file = signing_file(element.value.unwrap_or(&Value::Null)).map_err(told)?;
            together = Some(match together {
                None => file,
                Some(others) => others.combined(file).map_err(told)?,
            });
        }
        let file = together.expect("there is one at least");
        Ok(Self { file })
    }
}

const MUST_BE_FILES: &str = "must be an array of 1 to 7 signing files";

impl Ask for MakeSigningFile {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let transaction = match self.what {
                Decode::Transaction(transaction) => transaction,
                Decode::Swap(text) => {
                    let partial = call.partial_tx(&text)?;
                    if !partial.is_complete() {
                        return Err(SwapError::NotBalanced.into());
                    }
                    partial.transaction().map_err(|error| refused(error.to_string()))?
                }
            };
            let file = call.wallet.signing_file(&transaction, self.label).await?;
            call.give(&SigningFileAnswer(file))
        })
    }
}

impl Sends for PushSigningFile {
    fn plan<'a>(self: Box<Self>, call: &'a Call<'a>, mode: SendMode) -> Waits<'a, Outgoing> {
        Box::pin(async move {
            // With its key, what was sent once is answered as it was then.
            let wallet = call.wallet_for(mode);
            let already = wallet.sent_already(&self.file).await;
            match (wallet.finish_signing_file(&self.file).await, already) {
                (Ok(finished), already) => Ok(Outgoing::OfFiles(finished, already)),
                (Err(_), Some(id)) => Err(SigningFileError::Sent(id).into()),
                (Err(error), None) => Err(error.into()),
            }
        })
    }
}
