//! The addresses of a wallet.

use crate::api::rules::{ADDRESS, MAX_INDEX, TOKEN_OR_HTR, flag};
use crate::api::texts::{ADDRESS_NOT_MINE, NO_ADDRESS_AT_INDEX};
use crate::api::{AddressAnswer, AddressIndexAnswer, AddressInfoAnswer, AddressesAnswer};
use crate::ledger::{Address, TokenUid};
use crate::operations::prelude::*;
use crate::service::Wallet;
use crate::wallet::AddressInfo;
use serde_json::Value;

pub static CURRENT_ADDRESS: Operation = get("address", "/wallet/address", Group::Reading, Right::Read)
    .does("Show the current address, or the one at an index.")
    .package(&[method("address")
        .gives("string")
        .example("const fresh = await wallet.address({ markAsUsed: true }); // each call another one")])
    .command(&[command("address").not_both(&["index", "mark_as_used"]).by(&[Argument::flag(
        "mark_as_used",
        "new",
    )
    .help("Marks the address as used, so that the next time another one is shown")])])
    .reads::<AddressQuery>(&[("example", r#"{"index": 0}"#)])
    .answers(answers![AddressAnswer]);

pub static ADDRESSES: Operation = get("addresses", "/wallet/addresses", Group::Reading, Right::Read)
    .does("List all addresses, by index.")
    .package(&[method("addresses").gives("string[]")])
    .command(&[command("addresses")])
    .reads::<AddressesQuery>(&[])
    .answers(answers![AddressesAnswer]);

pub static ADDRESS_INDEX: Operation =
    get("address-index", "/wallet/address-index", Group::Reading, Right::Read)
        .does("Show the index of one of the wallet's addresses; no success if it isn't the wallet's.")
        .package(&[method("addressIndex")
            .takes("address: string")
            .gives("number | undefined")
            .about("The index of an address; `undefined` if it isn't the wallet's.")])
        .command(&[command("address-index")
            .places(&["address"])
            .does("Show the index of one of the wallet's addresses.")])
        .reads::<AddressIndexQuery>(&[("example", r#"{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f"}"#)])
        .answers(answers![AddressIndexAnswer]);

pub static ADDRESS_INFO: Operation = get("address-info", "/wallet/address-info", Group::Reading, Right::Read)
    .does("Show how much of a token an address has received, and how much of it is unspent.")
    .package(&[method("addressInfo").takes("request: string | AddressInfoRequest")])
    .command(&[command("address-info").places(&["address"])])
    .reads::<AddressInfoQuery>(&[(
        "example",
        r#"{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "token": "00"}"#,
    )])
    .answers(answers![AddressInfoAnswer, Failure])
    .with_amounts();

pub static LAST_LOADED_INDEX: Operation =
    get("last-loaded-address-index", "/wallet/config/last-loaded-address-index", Group::Reading, Right::Read)
        .does("Show the index of the last address that is watched.")
        .package(&[method("lastLoadedAddressIndex").gives("number")])
        .command(&[command("last-index")
            .does("Show the index of the last watched address, or set it (--set).")
            .by(&[Argument::flag("index", "set")])])
        .reads::<LastLoadedIndexQuery>(&[])
        .answers(answers![AddressIndexAnswer]);

request! {
    /// `GET /wallet/address`.
    pub struct AddressQuery in query, also = refuse_mark_of_index {
        /// The address at this index rather than the current one.
        pub index: Option<u32> = INDEX,
        /// Whether the next call gets the next address.
        pub mark_as_used: bool = flag(false),
    }
}

const INDEX: Rule<Option<u32>> =
    Rule::optional(Kind::Integer(Some(0), Some(MAX_INDEX as i128)), |check, field, _| {
        let index = check.optional_integer(field, Some(0));
        let fits = index.and_then(|index| u32::try_from(index).ok()).filter(|index| *index <= MAX_INDEX);
        if index.is_some() && fits.is_none() {
            check.invalid(field, "must be an integer from 0 to 2147483647");
        }
        Ok(fits)
    });

/// Refuses to mark an address by its index: only the current one is marked, by making the next one current.
fn refuse_mark_of_index(check: &mut Checker<'_>, compat: Compat) {
    let (index, mark) = (check.field("index"), check.field("mark_as_used"));
    let marks =
        mark.value.is_some_and(|mark| matches!(mark, Value::Bool(true)) || mark == "true" || mark == "1");
    if index.value.is_some() && marks && compat.refuses_unused_fields() {
        check.unused(&mark, "must be left out: only the current address is marked, not that of an index");
    }
}

impl Read for AddressQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let address = match self.index {
            Some(index) => {
                let address = call.wallet.read(|state, _| state.address(index))?;
                address.ok_or_else(|| refused(NO_ADDRESS_AT_INDEX))?.to_string()
            }
            None => call.wallet.current_address(self.mark_as_used)?,
        };
        call.give(&AddressAnswer(address))
    }

    /// An address that is marked as used is given to nobody else.
    fn unless_kept(&self) -> Option<&'static str> {
        (self.mark_as_used && self.index.is_none()).then_some("no address is given")
    }
}

request! {
    /// `GET /wallet/address-index`.
    pub struct AddressIndexQuery in query {
        /// An address of the wallet.
        pub address: String = ADDRESS,
    }
}

impl Read for AddressIndexQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let address = Address::parse(&self.address, call.network()).ok();
        let index = call.wallet.read(|state, _| state.index_of(&address?))?;
        call.give(&AddressIndexAnswer::from(index))
    }
}

request! {
    /// `GET /wallet/address-info`.
    pub struct AddressInfoQuery in query {
        /// An address of the wallet.
        pub address: String = ADDRESS,
        /// The token's uid; `00` is HTR.
        pub token: String = TOKEN_OR_HTR,
    }
}

impl Read for AddressInfoQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let not_mine = || refused_as("ADDRESS_NOT_MINE", ADDRESS_NOT_MINE);
        let address = Address::parse(&self.address, call.network()).map_err(|_| not_mine())?;
        let token = self.token.parse::<TokenUid>();
        let info = call.wallet.read(|state, now| {
            // Release 0.39: a text that is no uid names a token that no address has received.
            let mut info =
                state.address_info(&address, token.as_ref().copied().unwrap_or(TokenUid::Native), now)?;
            if token.is_err() {
                info = AddressInfo::none_at(info.index);
            }
            Some(info)
        })?;
        let info = info.ok_or_else(not_mine)?;
        call.give(&AddressInfoAnswer {
            received: info.received,
            sent: info.sent,
            available: info.available,
            locked: info.locked,
            token: &self.token,
            index: info.index,
        })
    }
}

/// What the text of an address takes.
pub(super) const ADDRESS_BYTES: usize = 34;

/// It takes milliseconds to write more outputs or addresses than this.
pub(super) const LONG_LIST: usize = 4_096;

request! {
    /// `GET /wallet/addresses`.
    pub struct AddressesQuery in query {}
}

impl Read for AddressesQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        // Written when the state is no longer locked.
        let texts = call.wallet.read(|state, _| {
            let indexes = state.addresses_to_watch(0);
            let mut texts = String::with_capacity(indexes.len() * (ADDRESS_BYTES + 1));
            for text in indexes.filter_map(|index| state.address_text(index)) {
                texts.extend([text, " "]);
            }
            texts
        })?;
        call.give(&AddressesAnswer(texts.split_terminator(' ').collect()))
    }

    fn is_long(&self, wallet: &Wallet) -> bool {
        wallet.look(|state, _| state.addresses_to_watch(0).len() > LONG_LIST)
    }
}

request! {
    /// `GET /wallet/config/last-loaded-address-index`.
    pub struct LastLoadedIndexQuery in query {}
}

impl Read for LastLoadedIndexQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let last = call.wallet.read(|state, _| state.addresses_to_watch(0).end.checked_sub(1))?;
        call.give(&AddressIndexAnswer::from(last))
    }
}
