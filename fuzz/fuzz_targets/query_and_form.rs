//! Whatever a query or a form holds, it becomes an object of bounded depth, and every query is read or
//! refused.
#![no_main]

use headless_wallet::api::*;
use headless_wallet::operations::*;
use headless_wallet::server::{nested_object, query_object};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fn depth(value: &Value) -> usize {
    match value {
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        Value::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(form) = nested_object(bytes) {
        assert!(depth(&form.into()) <= 8);
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let query = query_object(text);
    for compat in [Compat::Documented, Compat::V0_39] {
        let _read_or_refused = (
            UtxoFilter::read(&query, compat),
            HistoryQuery::read(&query, compat),
            BalanceQuery::read(&query, compat),
            AddressQuery::read(&query, compat),
            AddressIndexQuery::read(&query, compat),
            ConfigurationStringQuery::read(&query, compat),
            TransactionQuery::read(&query, compat),
            AddressInfoQuery::read(&query, compat),
            WalletInputsQuery::read(&query, compat),
            HealthQuery::read(&query, compat),
        );
        let _read_or_refused = DryRun::from_query_and_body(&query, &query);
    }
});
