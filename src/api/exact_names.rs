//! The names of members that have an amount in words, beside the one that has its cents.

pub(crate) fn name_of_exact(name: &'static str) -> &'static str {
    let names = NAMES_OF_EXACT.iter().find(|(of, _)| *of == name);
    debug_assert!(names.is_some(), "{name} is in the list");
    names.map_or("exact_str", |(_, exact)| exact)
}

/// Every member that is an amount.
const NAMES_OF_EXACT: &[(&str, &str)] = &[
    ("value", "value_str"),
    ("amount", "amount_str"),
    ("amounts", "amounts_str"),
    ("available", "available_str"),
    ("locked", "locked_str"),
    ("unlocked", "unlocked_str"),
    ("net", "net_str"),
    ("fee", "fee_str"),
    ("required", "required_str"),
    ("data", "data_str"),
    ("deposit", "deposit_str"),
    ("withdraw", "withdraw_str"),
    ("total", "total_str"),
    ("total_amount", "total_amount_str"),
    ("total_amount_received", "total_amount_received_str"),
    ("total_amount_sent", "total_amount_sent_str"),
    ("total_amount_available", "total_amount_available_str"),
    ("total_amount_locked", "total_amount_locked_str"),
];
