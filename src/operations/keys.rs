//! API keys with names.

use crate::api::rules::{OPTIONAL_TEXT, TEXT, noted, or_noted, texts};
use crate::api::{KeyListAnswer, NewKeyAnswer, Rights};
use crate::operations::prelude::*;

pub static LIST_KEYS: Operation = get("list-keys", "/keys", Group::Access, Right::Administer)
    .does("List all keys that have a name, also those that were revoked. The keys themselves are not stored.")
    .not_in_package(NOT_HERE)
    .no_command(NOT_HERE)
    .answers(answers![KeyListAnswer<'_>])
    .of_all_wallets();

pub static ADD_KEY: Operation = post("add-key", "/keys", Group::Access, Right::Administer)
    .does("Create a key. Only this answer ever shows it.")
    .not_in_package(NOT_HERE)
    .no_command(NOT_HERE)
    .takes::<AddKey>(&[(
        "example",
        r#"{"name": "shop", "wallets": ["shop"], "rights": ["read", "send"], "networks": ["10.0.0.0/8"], "until": "2027-12-31", "perSecond": 10}"#,
    )])
    .answers(answers![NewKeyAnswer, Failure])
    .of_all_wallets()
    .audits(&[("name", "name")]);

pub static ROTATE_KEY: Operation = post(
    "rotate-key",
    "/keys/rotate/{name}",
    Group::Access,
    Right::Administer,
)
.does("Create another key of the same name and rights. The old one expires, at once or some time later.")
.not_in_package(NOT_HERE)
.no_command(NOT_HERE)
.takes::<RotateKey>(&[("example", r#"{"name": "shop", "overlap": 3600}"#)])
.answers(answers![NewKeyAnswer, Failure])
.also(&[(404, "There is no key of that name.")])
.of_all_wallets();

pub static REVOKE_KEY: Operation = get("revoke-key", "/keys/{name}", Group::Access, Right::Administer)
    .does("Revoke a key forever. Other servers on the same database refuse it within two seconds.")
    .delete()
    .not_in_package(NOT_HERE)
    .no_command(NOT_HERE)
    .takes::<KeyName>(&[("example", r#"{"name": "shop"}"#)])
    .answers(answers![Success, Failure])
    .also(&[(404, "There is no key of that name.")])
    .of_all_wallets();

/// Most wallets or networks of a key.
pub const MAX_OF_KEY: usize = 1_000;

/// Longest time that a key goes on beside the one that took its place, in seconds: thirty days.
const MAX_OVERLAP: i128 = 30 * 86_400;

/// Most requests a second that can be asked for.
const MAX_PER_SECOND: i128 = 1_000_000;

request! {
    /// `POST /keys`.
    pub struct AddKey in body {
        /// What it is called: 1 to 64 of a–z, 0–9, `.`, `_` and `-`.
        pub name: String = NAME,
        /// The ids of the wallets that it may touch; `*` alone stands for all.
        pub wallets: Vec<String> = WALLETS,
        /// What it may do.
        pub rights: Rights = RIGHTS,
        /// Whence it may come: addresses, or networks as 10.0.0.0/8. From everywhere if none is given.
        pub networks: Vec<String> = NETWORKS,
        /// When it ends, in UTC: 2027-12-31 (its first second) or 2027-12-31T12:00:00Z.
        pub until: Option<String> = OPTIONAL_TEXT,
        /// Requests a second that it may make of each server.
        pub per_second: Option<u32> = PER_SECOND,
        /// Limits on spending, as `spend 10.00 HTR per day`: see docs/custody.md.
        pub limits: Vec<String> = NETWORKS,
    }
}

request! {
    /// `POST /keys/rotate/{name}`.
    pub struct RotateKey in body {
        /// The key's name.
        pub name: String = TEXT.of(Kind::NonEmptyText),
        /// Seconds for which the old one goes on.
        pub overlap: u32 = OVERLAP,
    }
}

request! {
    /// `DELETE /keys/{name}`.
    pub struct KeyName in query {
        /// The key's name.
        pub name: String = TEXT.of(Kind::NonEmptyText),
    }
}

/// Whether a key can be called so: in paths, logs and files alike.
pub fn is_key_name(text: &str) -> bool {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b);
    // A dot at its begin is a path of its own to some.
    (1..=64).contains(&text.len()) && text.bytes().all(fits) && !text.starts_with('.')
}

const NAME: Rule<String> =
    Rule::required(Kind::Pattern("^[a-z0-9_-][a-z0-9._-]{0,63}$"), |check, field, _| {
        let text = check.text(field);
        if text.is_some_and(|text| !is_key_name(text)) {
            check.invalid(field, "must be 1 to 64 of a-z, 0-9, '.', '_' and '-', and not begin with '.'");
            return noted();
        }
        or_noted(text.map(str::to_owned))
    });

const TEXTS: &str = "must be an array of at most 1000 texts";

const WALLETS: Rule<Vec<String>> =
    Rule::required(Kind::Array { of: &Kind::Text, least: 1, most: Some(MAX_OF_KEY) }, |check, field, _| {
        let wallets = texts(check, field, MAX_OF_KEY, TEXTS);
        if wallets.as_ref().is_some_and(|wallets| wallets.is_empty()) {
            check.invalid(
                field,
                "must name a wallet: a key without one may touch none (\"*\" stands for all)",
            );
        }
        or_noted(wallets)
    });

const NETWORKS: Rule<Vec<String>> =
    Rule::optional(Kind::Array { of: &Kind::Text, least: 0, most: Some(MAX_OF_KEY) }, |check, field, _| {
        if field.value.is_none() { Ok(Vec::new()) } else { or_noted(texts(check, field, MAX_OF_KEY, TEXTS)) }
    });

const RIGHTS: Rule<Rights> = Rule::required(
    Kind::Array { of: &Kind::OneOf(Right::NAMES), least: 1, most: Some(Right::ALL.len()) },
    |check, field, _| {
        let Some(names) = texts(check, field, MAX_OF_KEY, TEXTS) else { return noted() };
        let rights: Option<Rights> = names.iter().map(|name| name.parse::<Right>().ok()).collect();
        let rights = rights.filter(|rights| !rights.is_empty());
        if rights.is_none() {
            check.invalid(
                field,
                "must be some of read, build, sign, send, create-tokens, mint, melt, contracts, approve and administer",
            );
        }
        or_noted(rights)
    },
);

const PER_SECOND: Rule<Option<u32>> =
    Rule::optional(Kind::Integer(Some(1), Some(MAX_PER_SECOND)), |check, field, _| {
        let number = check.optional_integer(field, Some(1));
        if number.is_some_and(|number| number > MAX_PER_SECOND) {
            check.invalid(field, "must be an integer from 1 to 1000000");
        }
        Ok(number.and_then(|number| u32::try_from(number).ok()))
    })
    .named("perSecond");

const OVERLAP: Rule<u32> = Rule::optional(Kind::Integer(Some(0), Some(MAX_OVERLAP)), |check, field, _| {
    let seconds = check.optional_integer(field, Some(0));
    if seconds.is_some_and(|seconds| seconds > MAX_OVERLAP) {
        check.invalid(field, "must be an integer from 0 to 2592000");
    }
    Ok(seconds.and_then(|seconds| u32::try_from(seconds).ok()).unwrap_or(0))
})
.default(crate::api::Literal::Number(0));

const NOT_HERE: &str = "`headless-wallet keys`, of a server's own settings";
