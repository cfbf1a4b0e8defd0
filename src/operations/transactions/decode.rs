//! decode: what a transaction contains.

use crate::api::rules::{PARTIAL_TX, TX_HEX, or_noted, says_something, transaction_with_v2};
use crate::api::texts::{ONLY_ONE_TRANSACTION, TRANSACTION_MISSING, TRANSACTION_NOT_SUPPORTED};
use crate::api::{DecodedInput, DecodedTransaction, InvalidChoice};
use crate::ledger::{AmountVersion, Transaction};
use crate::operations::prelude::*;
use crate::rt;

pub static DECODE: Operation = post("decode", "/wallet/decode", Group::Transactions, Right::Read)
    .does("Show what a transaction contains, and what it would do to the wallet.")
    .package(&[method("decodeTx").takes("txHex: string | { partialTx: string }").waits()])
    .command(&[command("decode")
        .places(&["txHex"])
        .one_of(&["txHex", "partial_tx"])
        .does("Show what a transaction contains, and what it would do to the wallet.")])
    .asks::<Decode>(&[("example", r#"{"txHex": "0001000000"}"#)])
    .answers(answers![DecodedTransaction, Failure])
    .body_of(bodies::IN_PARTS)
    .refuses(answers![InvalidFields, InvalidChoice]);

request! {
    /// `POST /wallet/decode`.
    pub enum Decode in body, takes = first_of, none = TRANSACTION_MISSING, also = refuse_two_transactions {
        Transaction {
            /// The transaction, in hexadecimal digits.
            transaction: Transaction = ANY_TX_HEX,
        }
        Swap {
            /// A proposal of an atomic swap, instead of `txHex`.
            partial_tx: String = PARTIAL_TX,
        }
    }
}

/// A transaction with amounts of any version.
const ANY_TX_HEX: Rule<Transaction> =
    TX_HEX.read_by(|check, field, _| or_noted(check.text(field)).and_then(transaction_with_v2));

pub(crate) fn refuse_two_transactions(check: &mut Checker<'_>, _: Compat) {
    if ["txHex", "partial_tx"].iter().all(|name| check.field(name).value.is_some_and(says_something)) {
        check.refuse(Refusal::Body(ONLY_ONE_TRANSACTION.to_owned()));
    }
}

impl Ask for Decode {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let (transaction, spent) = match *self {
                // Nothing is signed here, so the network alone decides what the bytes mean.
                Self::Transaction { transaction }
                    if transaction.amounts() == AmountVersion::V2
                        && call.network().amounts() == AmountVersion::V1 =>
                {
                    return Err(refused(TRANSACTION_NOT_SUPPORTED));
                }
                Self::Transaction { transaction } => {
                    let spent = call.wallet.proven_spends(&transaction).await?;
                    (transaction, spent)
                }
                Self::Swap { partial_tx } => call.checked_transaction(&partial_tx).await?,
            };
            let (network, now) = (call.network(), rt::unix_seconds());
            let (inputs, outputs_mine) = call.wallet.read(|state, _| {
                let mine = |script: &[u8]| state.paid_index(script).is_some();
                let inputs = transaction.inputs.iter().zip(spent).map(|(input, spends)| DecodedInput {
                    mine: mine(&spends.script),
                    locked: state.is_locked(input.spends, now),
                    spends,
                });
                let inputs: Vec<_> = inputs.collect();
                let outputs: Vec<bool> =
                    transaction.outputs.iter().map(|output| mine(&output.script)).collect();
                (inputs, outputs)
            })?;
            call.give(&DecodedTransaction {
                transaction: &transaction,
                inputs: &inputs,
                outputs_mine: &outputs_mine,
                now,
                network,
            })
        })
    }
}
