//! Answers about API keys with names.

use super::kinds::{Count, Flag, List, Maybe, Text, kind};
use crate::api::Right;
use crate::api::answer::answer;

kind! {
    RightName = Value {"enum": Right::NAMES};
    Right: |right, to| to.serialize_str(right.name());
}

/// What is told of a key.
pub struct KeyMembers {
    #[allow(missing_docs)]
    pub name: String,
    #[allow(missing_docs)]
    pub rights: Vec<Right>,
    #[allow(missing_docs)]
    pub wallets: Vec<String>,
    #[allow(missing_docs)]
    pub networks: Vec<String>,
    /// In UTC, as text.
    pub until: Option<String>,
    #[allow(missing_docs)]
    pub per_second: Option<u32>,
    #[allow(missing_docs)]
    pub limits: Vec<String>,
    /// In UTC, as text, where it is kept by the server.
    pub created: Option<String>,
    /// Whether it is used no more.
    pub is_revoked: bool,
    /// Whether it stands in the settings file.
    pub is_setting: bool,
}

/// A key as it is listed.
pub struct KeyAnswer<'a>(&'a KeyMembers);

answer! {
    /// An API key with a name, without the key itself.
    this: KeyAnswer<'_> as "Key" {
        name: Text = this.0.name,
        rights: [RightName] = *this.0.rights,
        /// The wallets that it may touch; `*` alone stands for all.
        wallets: [Text] = *this.0.wallets,
        /// Whence it may come; from everywhere if there are none.
        networks: [Text] = *this.0.networks,
        /// When it ends.
        until: Maybe<Text> = this.0.until,
        /// Requests a second that it may make of each server.
        perSecond: Maybe<Count> = this.0.per_second,
        /// Limits on spending.
        limits: [Text] = *this.0.limits,
        createdAt: Maybe<Text> = this.0.created,
        /// Whether it was ended for good.
        revoked: Flag = this.0.is_revoked,
        /// Whether it stands in the settings file, where alone it can be changed.
        setting: Flag = this.0.is_setting,
    }
}

/// The answer of `GET /keys`.
pub struct KeyListAnswer<'a>(pub &'a [KeyMembers]);

answer! {
    this: KeyListAnswer<'_> as "KeyList" {
        success = true,
        keys: [KeyAnswer<'_>] = List(this.0.iter().map(KeyAnswer)),
    }
}

/// A key that was made.
pub struct NewKeyAnswer {
    #[allow(missing_docs)]
    pub name: String,
    /// The key itself.
    pub key: secrecy::SecretString,
}

answer! {
    this: NewKeyAnswer as "NewKey" {
        success = true,
        name: Text,
        /// What the header `X-API-KEY` says: told here and never again.
        key: Text = *secrecy::ExposeSecret::expose_secret(&this.key),
    }
}
