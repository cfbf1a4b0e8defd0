//! push-tx: a transaction of anybody's is sent.

use crate::api::PushedAnswer;
use crate::api::rules::TX_HEX;
use crate::ledger::Transaction;
use crate::operations::prelude::*;

pub static PUSH_TX: Operation = post("push-tx", "/push-tx", Group::Transactions, Right::Send)
    .does("Send a signed transaction. Its proof of work is done first if it is missing.")
    .package(&[method("pushTx").takes("txHex: string")])
    .command(&[command("push").places(&["txHex"])])
    .pushes::<GivenTransaction>(&[("example", r#"{"txHex": "0001000000"}"#)])
    .answers(answers![PushedAnswer, DryRunAnswer, Failure]);

request! {
    /// A transaction and nothing else: `POST /push-tx`.
    pub struct GivenTransaction in body {
        /// The transaction, in hexadecimal digits.
        pub transaction: Transaction = TX_HEX,
    }
}

/// Over HTTP it needs no wallet: the server sends it.
#[cfg(target_arch = "wasm32")]
impl Sends for GivenTransaction {
    fn plan<'a>(self: Box<Self>, _: &'a Call<'a>, _: SendMode) -> Waits<'a, Outgoing> {
        Box::pin(std::future::ready(Ok(Outgoing::Given(self.transaction))))
    }
}
