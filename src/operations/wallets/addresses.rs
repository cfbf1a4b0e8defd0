//! Which addresses a wallet watches, where an index limit says so.

use crate::api::rules::{MAX_INDEX, noted};
use crate::api::texts::INVALID_VALUE;
use crate::operations::prelude::*;
use crate::service::Wallet;

pub static LOAD_MORE_ADDRESSES: Operation = post(
    "load-more-addresses",
    "/wallet/config/index-limit/load-more-addresses",
    Group::Wallets,
    Right::Administer,
)
.does("Watch more addresses after those between two indexes. The answer comes once their history is loaded.")
.package(&[method("loadMoreAddresses").takes("count: number").waits()])
.command(&[command("load-more-addresses")
    .places(&["count"])
    .does("Watch more addresses after those between two indexes, and wait until their history is loaded.")])
.asks::<LoadMoreAddresses>(&[("example", r#"{"count": 20}"#)])
.answers(answers![Success, Failure]);

pub static LAST_INDEX: Operation =
    post("last-index", "/wallet/config/index-limit/last-index", Group::Wallets, Right::Administer)
        .does("Watch all addresses up to this one, after those between two indexes.")
        .package(&[method("loadAddressesTo").takes("index: number").waits()])
        .command(&[command("last-index")])
        .asks::<LastIndex>(&[("example", r#"{"index": 40}"#)])
        .answers(answers![Success, Failure]);

request! {
    /// `POST /wallet/config/index-limit/load-more-addresses`.
    pub struct LoadMoreAddresses in body {
        /// How many more.
        pub count: u32 = between(1, MAX_GAP_LIMIT),
    }
}

request! {
    /// `POST /wallet/config/index-limit/last-index`.
    pub struct LastIndex in body {
        /// The index of the last address to watch.
        pub index: u32 = between(0, MAX_INDEX),
    }
}

impl LastIndex {
    /// Refuses more addresses at once than take seconds, where the wallet watches those below the index
    /// `end`.
    ///
    /// # Errors
    /// The highest index that is taken now.
    pub fn after(self, end: u32) -> Result<Self, Refusal> {
        let most = end.saturating_add(MAX_GAP_LIMIT - 1);
        if self.index > most {
            return Err(Refusal::failure(format!(
                "At most {MAX_GAP_LIMIT} addresses are loaded at once: give an index of at most {most}."
            )));
        }
        Ok(self)
    }
}

/// An integer within limits.
const fn between(least: u32, most: u32) -> Rule<u32> {
    Rule::required(Kind::Integer(Some(least as i128), Some(most as i128)), |check, field, context| {
        let Kind::Integer(Some(least), Some(most)) = *context.kind else { unreachable!("declared so above") };
        let number = check.integer_of(field).filter(|n| (least..=most).contains(n));
        number.and_then(|n| u32::try_from(n).ok()).map_or_else(
            || {
                check.problem(field, INVALID_VALUE, format!("must be an integer from {least} to {most}"));
                noted()
            },
            Ok,
        )
    })
}

/// Answers once they are loaded.
impl Ask for LoadMoreAddresses {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            call.wallet.watch_to(end(call.wallet).saturating_add(self.count - 1)).await?;
            call.success()
        })
    }
}

/// Answers once they are loaded. An index below the last one changes nothing.
impl Ask for LastIndex {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let request = self.after(end(call.wallet))?;
            call.wallet.watch_to(request.index).await?;
            call.success()
        })
    }
}

/// The index after that of the last address.
fn end(wallet: &Wallet) -> u32 {
    wallet.look(|state, _| state.addresses_to_watch(0).end)
}

/// Most unused addresses past the last used one, and most between two indexes: deriving and watching more
/// would take minutes and hold up all wallets.
pub const MAX_GAP_LIMIT: u32 = 100_000;
