//! decode: what a transaction contains.

use crate::api::rules::{TRANSACTION, says_something, transaction_with_v2};
use crate::api::texts::{
    INVALID_PARTIAL_TX_FIELD, INVALID_TX_HEX, ONLY_ONE_TRANSACTION, TRANSACTION_MISSING,
    TRANSACTION_NOT_SUPPORTED,
};
use crate::api::{DecodedInput, DecodedTransaction, InvalidChoice, Location, Member, Need};
use crate::ledger::{AmountVersion, Transaction};
use crate::operations::prelude::*;
use crate::rt;
use serde_json::{Map, Value};

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

/// `POST /wallet/decode`.
#[derive(Clone, Debug, PartialEq)]
pub enum Decode {
    Transaction(Transaction),
    /// A proposal of an atomic swap, which has one in it.
    Swap(String),
}

impl Request for Decode {
    const IN: Location = Location::Body;
    const MEMBERS: &'static [Member] = &[
        Member::new("txHex", "The transaction, in hexadecimal digits.", Kind::Hex, Need::Optional).long(),
        Member::new(
            "partial_tx",
            "A proposal of an atomic swap, instead of `txHex`.",
            Kind::Text,
            Need::Optional,
        )
        .long(),
    ];
    fn read(body: &Map<String, Value>, _: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let hex = check.form(tx_hex);
        let field = check.field("partial_tx");
        let partial = check.form(|check| {
            check.called(INVALID_PARTIAL_TX_FIELD, |check| check.text(&field).unwrap_or_default())
        });
        if hex.is_ok() || partial.is_ok() {
            let given = |name| body.get(name).is_some_and(says_something);
            if given("txHex") && given("partial_tx") {
                return Err(Refusal::Body(ONLY_ONE_TRANSACTION.to_owned()));
            }
        }
        match (hex, partial) {
            (Ok(hex), _) => transaction_with_v2(hex).map(Self::Transaction),
            (_, Ok(partial)) => Ok(Self::Swap(partial.to_owned())),
            (Err(wrong), Err(others)) => {
                let nested = wrong.into_iter().chain(others).collect();
                Err(Refusal::none_of(TRANSACTION_MISSING, nested))
            }
        }
    }
}

/// Reads `txHex`.
fn tx_hex<'a>(check: &mut Checker<'a>) -> &'a str {
    let field = check.field("txHex");
    check.called(INVALID_TX_HEX, |check| check.formed_text(&field, TRANSACTION)).unwrap_or_default()
}

impl Ask for Decode {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let (transaction, spent) = match *self {
                // Nothing is signed here, so the network alone decides what the bytes mean.
                Self::Transaction(transaction)
                    if transaction.amounts() == AmountVersion::V2
                        && call.network().amounts() == AmountVersion::V1 =>
                {
                    return Err(refused(TRANSACTION_NOT_SUPPORTED));
                }
                Self::Transaction(transaction) => {
                    let spent = call.wallet.proven_spends(&transaction).await?;
                    (transaction, spent)
                }
                Self::Swap(text) => call.checked_transaction(&text).await?,
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
