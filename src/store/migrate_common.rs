//! Migrating what belongs to no single wallet: API keys and sealed seed phrases, spending, and the audit log.

use super::audit::AuditHead;
use super::{APPROVALS_DOCUMENT, KEYS_DOCUMENT, NamedStores, SEEDS_DOCUMENT, StoreError};
use crate::ledger::Amount;
use crate::limits::{Account, Charge, PaymentId};
use std::collections::BTreeMap;

const LINES: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WholeSpending {
    /// The sum per account of payments older than a day.
    pub older: Vec<Charge>,
    /// Payments within the last day, with their times in Unix seconds.
    pub lately: Vec<(u32, PaymentId, Charge)>,
}

impl WholeSpending {
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

/// Copies API keys, sealed seed phrases and pending approvals to other stores, if they have none. Returns
/// each document's name, and whether it was copied: `false` if there is one already.
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

/// Copies what was spent under limits, so that no limit starts afresh. Returns the number of accounts; 0 if
/// there is nothing to copy or it was copied before.
///
/// # Errors
/// [`StoreError`], also if the other stores have counted other payments.
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

/// Copies the audit log to stores that have none or only its beginning. The lines stay as they are, so that
/// the hash chain continues. Returns the number of lines copied.
///
/// # Errors
/// [`StoreError`], also if the chain is broken, and if there is another log.
pub async fn migrate_audit_log(from: &dyn NamedStores, to: &dyn NamedStores) -> Result<u64, StoreError> {
    let (from, to) = (from.all_audit(), to.all_audit());
    let begin = to.head().await?;
    let all = from.head().await?.count;
    let failed = |what: String| StoreError::Damaged { place: "audit log".to_owned(), what };
    let another = || failed("there is another one already: nothing of it was taken over".to_owned());
    if begin.count > all {
        // The log there has grown since, or is another one.
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
