//! Signing files: made of transactions, and sent once there are enough signatures in them.

use crate::api::rules::{PARTIAL_TX, TX_HEX, or_noted};
use crate::api::signing_file;
use crate::api::texts::{INVALID_VALUE, TRANSACTION_MISSING};
use crate::api::{InvalidChoice, SigningFileAnswer};
use crate::keys::{BadFile, MAX_LABEL_CHARS, MultisigPublic, SigningFile};
use crate::ledger::Transaction;
use crate::operations::prelude::*;
use crate::operations::transactions::refuse_two_transactions;
use crate::service::{SigningFileError, SwapError};
use serde_json::Value;

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

request! {
    /// `POST /wallet/signing-file`.
    pub enum MakeSigningFile in body, takes = first_of, none = TRANSACTION_MISSING, also = check_label, also = refuse_two_transactions {
        Transaction {
            /// The transaction, in hexadecimal digits: of any proposal, signed by some or by nobody.
            transaction: Transaction = TX_HEX,
            /// What the file says of itself to people.
            label: Option<String> = LABEL,
        }
        Swap {
            /// A proposal of an atomic swap that is balanced, instead of `txHex`.
            partial_tx: String = PARTIAL_TX,
            /// What the file says of itself to people.
            label: Option<String> = LABEL,
        }
    }
}

const LABEL: Rule<Option<String>> = Rule::optional(Kind::ShortText(MAX_LABEL_CHARS), |check, field, _| {
    let label = check.optional_text(field);
    let length = label.map_or(0, |text| text.chars().count());
    if length > MAX_LABEL_CHARS {
        let must = format!("must have at most {MAX_LABEL_CHARS} characters, and has {length}");
        check.problem(field, INVALID_VALUE, must);
    }
    Ok(label.map(str::to_owned))
});

/// Where it is wrong, nothing is said of the transaction.
fn check_label(check: &mut Checker<'_>, compat: Compat) {
    const RULE: &Rule<Option<String>> = &LABEL;
    RULE.read(check, "label", compat);
}

request! {
    /// `POST /wallet/signing-file/push`.
    pub struct PushSigningFile in body {
        /// Signing files of one transaction, as signing-file made it and others have signed it.
        pub file: SigningFile = FILES.named("files"),
    }
}

/// All of them put together.
const FILES: Rule<SigningFile> =
    Rule::required(Kind::Array { of: &Kind::Any, least: 1, most: Some(MAX_FILES) }, |check, field, _| {
        let mut together: Option<SigningFile> = None;
        let files = field.value.and_then(Value::as_array).filter(|files| files.len() <= MAX_FILES);
        for (at, file) in files.into_iter().flatten().enumerate() {
            let told = |BadFile(why)| Refusal::failure(format!("Invalid signing file {at}: {why}"));
            let file = signing_file(file).map_err(told)?;
            together = Some(match together {
                None => file,
                Some(others) => others.combined(file).map_err(told)?,
            });
        }
        if together.is_none() {
            check.invalid(field, "must be an array of 1 to 7 signing files");
        }
        or_noted(together)
    })
    .length(Length::File);

impl Ask for MakeSigningFile {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let (transaction, label) = match *self {
                Self::Transaction { transaction, label } => (transaction, label),
                Self::Swap { partial_tx, label } => {
                    let partial = call.partial_tx(&partial_tx)?;
                    if !partial.is_complete() {
                        return Err(SwapError::NotBalanced.into());
                    }
                    (partial.transaction().map_err(|error| refused(error.to_string()))?, label)
                }
            };
            let file = call.wallet.signing_file(&transaction, label).await?;
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
