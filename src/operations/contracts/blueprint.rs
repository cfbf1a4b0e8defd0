//! Blueprints are published.

use super::call::caller;
use crate::api::rules::{TEXT, or_noted};
use crate::api::texts::{INVALID_VALUE, READ_ONLY_BLUEPRINT};
use crate::ledger::nano::MAX_CODE_TEXT_BYTES;
use crate::operations::prelude::*;
use crate::rt;
use crate::rt::CpuShare;
use crate::wallet::BlueprintRequest;

pub static CREATE_BLUEPRINT: Operation = post("nano-create-on-chain-blueprint", "/wallet/nano-contracts/create-on-chain-blueprint", Group::Contracts, Right::Contracts)
    .does("Publish a blueprint on the ledger, so that contracts can be created from it.")
    .package(&[method("createBlueprint")])
    .command(&[command("nano-blueprint").places(&["code", "address"]).after("Example:\n  headless-wallet wallet nano-blueprint --code-file bet.py ADDRESS")])
    .sends::<CreateBlueprint>(READ_ONLY_BLUEPRINT, &[("example", r#"{"code": "@export\nclass Nothing(Blueprint):\n    pass\n", "address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f"}"#)])
    .answers(answers![TransactionAnswer, DryRunAnswer, Failure])
    .body_of(bodies::CODE);

request! {
    /// `POST /wallet/nano-contracts/create-on-chain-blueprint`.
    pub struct CreateBlueprint in body {
        /// The blueprint's Python code.
        pub code: String = CODE,
        /// Whose key signs it: an address of the wallet.
        pub address: String = TEXT.of(Kind::Address),
    }
}

/// No full node takes more.
const CODE: Rule<String> = Rule::required(Kind::Text, |check, field, context| {
    let code = or_noted(check.text(field))?;
    if code.len() > MAX_CODE_TEXT_BYTES && context.compat.limits_code() {
        let field = Field { value: None, ..field.clone() };
        let has = code.len();
        let must = format!("must have at most {MAX_CODE_TEXT_BYTES} bytes, and has {has}");
        check.problem(&field, INVALID_VALUE, must);
    }
    Ok(code.to_owned())
})
.length(Length::Exact);

impl Sends for CreateBlueprint {
    fn plan<'a>(self: Box<Self>, call: &'a Call<'a>, _: SendMode) -> Waits<'a, Outgoing> {
        Box::pin(async move {
            let address = caller(&self.address, call.network())?;
            let compress = || miniz_oxide::deflate::compress_to_vec_zlib(self.code.as_bytes(), COMPRESSION);
            let is_long = self.code.len() > FAST_TO_COMPRESS;
            let code = if is_long { rt::offload(CpuShare::Sends, compress).await } else { compress() };
            Ok(Outgoing::Planned(service::Operation::Blueprint(BlueprintRequest { code, address })))
        })
    }
}

/// It takes some milliseconds to compress more bytes of code than this.
const FAST_TO_COMPRESS: usize = 32 * 1024;

/// The most that there is: a blueprint may have 24,000 bytes so.
const COMPRESSION: u8 = 9;
