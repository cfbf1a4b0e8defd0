//! Whatever a body holds, every request is read or refused, and a refusal can be written as an answer.
#![no_main]

use headless_wallet::api::*;
use headless_wallet::json;
use headless_wallet::operations::*;
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};

fn read<R: Request>(given: &Map<String, Value>) {
    for compat in [Compat::Documented, Compat::V0_39] {
        if let Err(refusal) = R::read(given, compat) {
            serde_json::to_string(&refusal.answer(compat)).expect("a refusal is JSON");
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(Value::Object(given)) = json::read(bytes) else { return };
    read::<SendTx>(&given);
    read::<SimpleSendTx>(&given);
    read::<CreateToken>(&given);
    read::<CreateNft>(&given);
    read::<MintTokens>(&given);
    read::<MeltTokens>(&given);
    read::<Consolidate>(&given);
    read::<BuildTx>(&given);
    read::<AddSignatures>(&given);
    read::<MakeInputData>(&given);
    read::<ProposeTx>(&given);
    read::<ProposeCreateToken>(&given);
    read::<ProposeMintTokens>(&given);
    read::<ProposeMeltTokens>(&given);
    read::<SignProposal>(&given);
    read::<GivenTransaction>(&given);
    read::<SelectUtxos>(&given);
    read::<Decode>(&given);
    read::<ProposeSwap>(&given);
    read::<SignSwap>(&given);
    read::<SwapSignatures>(&given);
    read::<CreateContract>(&given);
    read::<ExecuteContract>(&given);
    read::<CreateBlueprint>(&given);
    read::<RunTemplate>(&given);
    read::<LastIndex>(&given);
    read::<LoadMoreAddresses>(&given);
    if let Ok(request) = StartRequest::read(&given) {
        let [_documented, _as_release_0_39] =
            [Compat::Documented, Compat::V0_39].map(|compat| request.scan_policy(compat));
    }
    let _judged_without_panic = MultisigPubkey::read(&given);
});
