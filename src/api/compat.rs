//! The one table of differences between the documented interface and release 0.39 of hathor-wallet-headless.

use std::fmt;
use std::str::FromStr;

/// Whose word is followed where the documented interface and release 0.39 of hathor-wallet-headless disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compat {
    #[default]
    Documented,
    /// Release 0.39 of hathor-wallet-headless (setting `compat = "0.39"`).
    V0_39,
    /// The npm package: as documented, without the members that JavaScript's objects left in answers.
    Package,
}

/// A value of the setting `compat` that is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown value {0:?}: leave it out for the documented interface, or give \"0.39\"")]
pub struct UnknownCompat(pub String);

impl FromStr for Compat {
    type Err = UnknownCompat;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "" | "documented" => Ok(Self::Documented),
            "0.39" | "0.39.0" => Ok(Self::V0_39),
            other => Err(UnknownCompat(other.to_owned())),
        }
    }
}

impl fmt::Display for Compat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Documented => "documented",
            Self::V0_39 => "0.39",
            Self::Package => "package",
        })
    }
}

impl Compat {
    const fn documented(self) -> bool {
        !matches!(self, Self::V0_39)
    }

    // Requests

    /// `max_utxos` of utxo-filter where the caller gives none. Documented: 255; release 0.39: no limit.
    pub const fn max_utxos_default(self) -> Option<usize> {
        if self.documented() { Some(255) } else { None }
    }
    /// Whether utxo-filter reads `address` as another name of `filter_address`. The document lists one and
    /// shows the other in an example; release 0.39 ignores `address`.
    pub const fn address_is_a_utxo_filter(self) -> bool {
        self.documented()
    }
    /// Whether locked outputs count towards `maximum_amount` of utxo-filter (documented: the total of all
    /// returned).
    pub const fn maximum_counts_locked(self) -> bool {
        self.documented()
    }
    /// Whether limits and filters take 0 for "not given" (release 0.39), or at its word (documented: "at
    /// most", "lower than"), and whether negative counts have the odd meanings of release 0.39 instead of
    /// being refused.
    pub const fn zero_means_not_given(self) -> bool {
        !self.documented()
    }
    /// Whether name and symbol past 30 and 5 characters are refused with the other fields (400), before
    /// anything is looked at. Release 0.39 answers 200 with an error text once the transaction is built.
    pub const fn checks_token_text_with_fields(self) -> bool {
        self.documented()
    }
    /// Whether more than 25 data outputs, or data too long in bytes, are refused with the other fields (400).
    /// Release 0.39 lets the full node refuse them after mining; under `0.39` they are refused before
    /// mining, in its style (200).
    pub const fn checks_data_outputs_with_fields(self) -> bool {
        self.documented()
    }
    /// Whether more than 255 inputs or outputs are refused with the other fields (400), before any of them is
    /// looked at. Release 0.39 answers 200 with an error text once the transaction is built.
    pub const fn checks_counts_with_fields(self) -> bool {
        self.documented()
    }
    /// Whether it is told whose signatures a swap lacks.
    pub const fn tells_who_must_sign(self) -> bool {
        self.documented()
    }
    /// Whether a blueprint's code that no full node takes is refused (400) before it is compressed.
    pub const fn limits_code(self) -> bool {
        self.documented()
    }
    /// Whether a field that is not known, or that has no effect beside the others, is refused (400). Release
    /// 0.39 ignores it.
    pub const fn refuses_unused_fields(self) -> bool {
        self.documented()
    }
    /// Whether `gapLimit` without `scanPolicy` is the gap limit. Release 0.39 passes it over.
    pub const fn takes_gap_limit_alone(self) -> bool {
        self.documented()
    }
    /// Whether a `token` that is no uid, or a `filter_address` that is no address, is refused with the other
    /// fields (400). Release 0.39 takes it for one of which the wallet has nothing.
    pub const fn checks_tokens_and_filters(self) -> bool {
        self.documented()
    }
    /// Whether `/start` refuses a `history_sync_mode` that there isn't. Release 0.39 takes its default
    /// instead.
    pub const fn checks_sync_mode(self) -> bool {
        self.documented()
    }
    /// Whether `/start` refuses a parameter that can't be understood with status 400. Release 0.39 answers
    /// all failures with 200.
    pub const fn refuses_malformed_starts(self) -> bool {
        self.documented()
    }
    /// Whether `policyEndIndex` may be below `policyStartIndex`: release 0.39 then watches the addresses
    /// from 1 to it.
    pub const fn takes_end_below_start(self) -> bool {
        !self.documented()
    }
    /// Whether a JSON endpoint takes a body whose `Content-Type` it doesn't know as an empty one (release
    /// 0.39).
    pub const fn ignores_unknown_content_types(self) -> bool {
        !self.documented()
    }
    /// Whether signatures made elsewhere, and those of participants, are checked when they are added and
    /// before they are pushed. Release 0.39 leaves that to the full node, after the proof of work.
    pub const fn checks_signatures(self) -> bool {
        self.documented()
    }

    /// Whether a wallet signs in a proposal of an atomic swap only what it has put in itself, unless asked to
    /// sign it as it is. Release 0.39 signs all inputs that are the wallet's.
    pub const fn guards_swaps(self) -> bool {
        self.documented()
    }

    /// Whether a proposal of an atomic swap may send its change to the wallet alone. Release 0.39 sends it
    /// anywhere.
    pub const fn checks_change_of_swaps(self) -> bool {
        self.documented()
    }

    /// Whether a password with which a wallet registers for a swap proposal must be a text of three
    /// characters. Release 0.39 asks the service with whatever it is, if it is something.
    pub const fn checks_swap_passwords(self) -> bool {
        self.documented()
    }

    /// Whether `"false"` and `"0"` for `lock` and `service.is_new` of a swap mean true (release 0.39).
    pub const fn takes_texts_for_true(self) -> bool {
        !self.documented()
    }

    // Answers

    /// Whether a text that is no proposal of an atomic swap, one that the wallet can't pay for, what a swap
    /// service refuses, and what is asked of one where there is none, are refused with what is wrong. Release
    /// 0.39 says the same of all texts and payments, the status of what is refused, and passes over a
    /// service.
    pub const fn explains_swaps(self) -> bool {
        self.documented()
    }

    /// Whether tx-history without `limit` answers an object keyed by transaction id (documented) or an array.
    pub const fn history_is_keyed(self) -> bool {
        self.documented()
    }
    /// Whether history entries carry more than the documented fields: `first_block`, `processingStatus`, and
    /// `height` on blocks.
    pub const fn history_has_more_fields(self) -> bool {
        !self.documented()
    }
    /// Whether transactions have `_dataToSignCache`, `decodedScript` and second spellings, and bytes are
    /// objects as Node's `Buffer` writes them.
    pub const fn has_library_members(self) -> bool {
        !matches!(self, Self::Package)
    }
    /// The opposite: bytes are hexadecimal.
    pub const fn has_hex(self) -> bool {
        matches!(self, Self::Package)
    }
    /// Whether creation answers have `tokens` (release 0.39: always `[]`).
    pub const fn creation_has_tokens(self) -> bool {
        !self.documented()
    }
    /// Whether transaction answers carry more than the documented fields: `signalBits`, `headers` and, for
    /// creations, `tokenVersion`.
    pub const fn transaction_has_more_fields(self) -> bool {
        !self.documented()
    }
    /// Whether a 400 explains itself in one sentence under `message`, beside the entries that release 0.39
    /// gives.
    pub const fn refusals_have_a_message(self) -> bool {
        self.documented()
    }
    /// Whether status and failed starts say under `error` what stands in the way.
    pub const fn failures_have_causes(self) -> bool {
        self.documented()
    }
    /// Whether a wallet that loads its history says how far it has come, and its events when it should be
    /// done.
    pub const fn tells_progress(self) -> bool {
        self.documented()
    }
    /// Whether plugins are told what release 0.39 tells them and nothing else: of each transaction as often
    /// as the node does (`wallet:update-tx` from the second time on), and neither of deposits and sends nor
    /// of what that release does not have.
    pub const fn tells_plugins_as_0_39(self) -> bool {
        !self.documented()
    }
    /// Whether refusals of a wallet that is not ready name its state in words. Release 0.39 means to and
    /// forgets.
    pub const fn names_wallet_states(self) -> bool {
        self.documented()
    }
    /// Whether an unknown path is answered in JSON, or by release 0.39's HTML page.
    pub const fn not_found_is_json(self) -> bool {
        self.documented()
    }
    /// Whether it is said which instruction of a template can't be carried out.
    pub const fn tells_places_in_templates(self) -> bool {
        self.documented()
    }
    /// Whether an error that there is too little of a token has the amounts in keys of their own.
    pub const fn tells_amounts_lacking(self) -> bool {
        self.documented()
    }
    /// Whether an error that there is too little of a token says how much of it waits for approval.
    pub const fn tells_what_waits(self) -> bool {
        self.documented()
    }
    /// Whether a wallet that can't sign says so in words, or by a method name of release 0.39's library.
    pub const fn explains_read_only(self) -> bool {
        self.documented()
    }
    /// Whether the failure to ask the node for a contract is told in its words. Release 0.39 has one text for
    /// all but a contract that is not there.
    pub const fn explains_node_failures(self) -> bool {
        self.documented()
    }
}
