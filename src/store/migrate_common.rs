//! Taking along what belongs to no wallet alone: API keys and sealed words, what was spent under limits, and
//! the audit log.

use super::audit::AuditHead;
use super::{APPROVALS_DOCUMENT, KEYS_DOCUMENT, NamedStores, SEEDS_DOCUMENT, StoreError};
use crate::ledger::Amount;
use crate::limits::{Account, Charge, PaymentId};
use std::collections::BTreeMap;

/// Lines of the audit log that are taken at once.
const LINES: usize = 1_000;

/// What was spent under limits, by all accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WholeSpending {
    /// The sum of each account of what is older than a day.
    pub older: Vec<Charge>,
    /// What was counted within the last day, with its time in Unix seconds.
    pub lately: Vec<(u32, PaymentId, Charge)>,
}

impl WholeSpending {
    /// What each account has spent in all.
    fn totals(&self) -> BTreeMap<&Account, Amount> {
        let mut totals = BTreeMap::new();
        let charges = self.older.iter().chain(self.lately.iter().map(|(.., charge)| charge));
        for Charge { account, amount } in charges.filter(|charge| charge.amount > Amount::ZERO) {
            let total = totals.entry(account).or_insert(Amount::ZERO);
            *total = total.saturating_add(*amount);
        }
        totals
    }
}

/// Takes the API keys, the sealed words and what waits for approval to other stores, as far as there are
/// none. Gives what was there, and whether it was taken: `false` where others are there already.
///
/// # Errors
/// [`StoreError`] if something can't be read or kept.
pub async fn migrate_documents(
    from: &dyn NamedStores,
    to: &dyn NamedStores,
) -> Result<Vec<(&'static str, bool)>, StoreError> {
    let (from, to) = (from.all_documents(), to.all_documents());
    let mut all = Vec::new();
    for name in [KEYS_DOCUMENT, SEEDS_DOCUMENT, APPROVALS_DOCUMENT] {
        let Some(document) = from.read_document(name).await? else { continue };
        if to.replace_document(name, None, &document.text).await? {
            all.push((name, true));
        } else if to.read_document(name).await?.is_none_or(|there| there.text != document.text) {
            all.push((name, false));
        }
    }
    Ok(all)
}

/// Takes to other stores what was spent under limits, so that no limit begins anew there. Gives of how many
/// accounts; 0 where there is nothing, or it is there already.
///
/// # Errors
/// [`StoreError`] if it can't be read or kept, and where something else was counted already.
pub async fn migrate_spending(from: &dyn NamedStores, to: &dyn NamedStores) -> Result<usize, StoreError> {
    let spent = from.spent().await?;
    let totals = spent.totals();
    if to.spent().await?.totals() == totals {
        return Ok(0);
    }
    let count = totals.len();
    let failed =
        |what: &str| StoreError::Damaged { place: "limits on spending".to_owned(), what: what.to_owned() };
    if !to.keep_spent(spent.clone()).await? {
        return Err(failed("other spending is counted there already: nothing of it was taken over"));
    }
    match to.spent().await?.totals() == totals {
        true => Ok(count),
        false => Err(failed("what was taken over is not the same there")),
    }
}

/// Takes the audit log to other stores, where there is none, or its beginning: the lines as they are, so that
/// the chain goes on there. Gives how many lines were taken.
///
/// # Errors
/// [`StoreError`] if it can't be read or kept, if its chain is broken, and where there is another log.
pub async fn migrate_audit_log(from: &dyn NamedStores, to: &dyn NamedStores) -> Result<u64, StoreError> {
    let (from, to) = (from.all_audit(), to.all_audit());
    let begin = to.head().await?;
    let all = from.head().await?.count;
    let failed = |what: String| StoreError::Damaged { place: "audit log".to_owned(), what };
    let another = || failed("there is another one already: nothing of it was taken over".to_owned());
    if begin.count > all {
        // It went on there, or is another one.
        let line = to.lines(all.saturating_sub(1), 1).await?.pop();
        let is_same = all == 0 || line.as_deref().and_then(AuditHead::of) == Some(from.head().await?);
        return if is_same { Ok(0) } else { Err(another()) };
    }
    if begin.count > 0 {
        let line = from.lines(begin.count - 1, 1).await?.pop();
        if line.as_deref().and_then(AuditHead::of) != Some(begin) {
            return Err(another());
        }
    }
    let mut head = begin;
    while head.count < all {
        let lines = from.lines(head.count, LINES).await?;
        let before = head;
        for line in &lines {
            let broken = || {
                failed(format!(
                    "line {} does not follow: `headless-wallet audit verify` says more",
                    head.count + 1
                ))
            };
            head = head.with(line).ok_or_else(broken)?;
        }
        if head == before || !to.keep_lines(before, lines, head).await? {
            return Err(failed("it changed meanwhile".to_owned()));
        }
    }
    Ok(head.count - begin.count)
}
