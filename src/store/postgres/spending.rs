//! The tables of what was spent. The row of an account's sum makes servers wait for each other, and the
//! database's clock is the clock of all.

use super::error::PgError;
use super::pool::{Pool, Transaction};
use crate::ledger::Amount;
use crate::limits::{Account, Assessment, Charge, Counted, DAY, PaymentId, Verb};
use crate::store::RecordError;
use tokio_postgres::types::Type;

/// Of one account.
struct Standing {
    is_new: bool,
    hour: Amount,
    day: Amount,
    total: Amount,
}

pub(super) async fn count(pool: &Pool, id: PaymentId, assessment: &Assessment) -> Result<Counted, PgError> {
    let mut transaction = pool.begin_durable().await?;
    let counted = look_in(&mut transaction, id, assessment).await?;
    let Counted::Yes(news) = &counted else {
        transaction.roll_back().await?;
        return Ok(counted);
    };
    let insert = "with gone as (delete from spent where scope = $1 and mint = $2 and token = $3 and id = $4), \
                  total as (update spent_total set total = total + $5::text::numeric \
                      where scope = $1 and mint = $2 and token = $3) \
                  insert into spent (scope, mint, token, id, at, amount) \
                  values ($1, $2, $3, $4, clock_timestamp(), $5::text::numeric)";
    for Charge { account, amount } in news {
        let (mint, token, amount) =
            (account.verb == Verb::Mint, account.token.to_string(), amount.to_string());
        let params = [
            (&account.scope as _, Type::TEXT),
            (&mint as _, Type::BOOL),
            (&token as _, Type::TEXT),
            (&&id[..] as _, Type::BYTEA),
            (&amount as _, Type::TEXT),
        ];
        transaction.execute(insert, &params).await?;
    }
    transaction.commit().await?;
    Ok(counted)
}

pub(super) async fn look(pool: &Pool, id: PaymentId, assessment: &Assessment) -> Result<Counted, PgError> {
    let mut transaction = pool.begin().await?;
    let counted = look_in(&mut transaction, id, assessment).await?;
    transaction.roll_back().await?;
    Ok(counted)
}

/// Whether it fits. The accounts are this transaction's from then on.
async fn look_in(
    transaction: &mut Transaction<'_>,
    id: PaymentId,
    assessment: &Assessment,
) -> Result<Counted, PgError> {
    // In one order, so that no two servers wait for each other.
    let mut order: Vec<_> = (0..assessment.charges.len()).collect();
    order.sort_by_key(|place| &assessment.charges[*place].account);
    let mut standings: Vec<Option<Standing>> = assessment.charges.iter().map(|_| None).collect();
    for place in order {
        standings[place] = Some(standing(transaction, id, &assessment.charges[place].account).await?);
    }
    for (place, limit) in assessment.limits.iter().enumerate() {
        let Some(of) = standings[limit.charge].as_ref().filter(|of| of.is_new) else { continue };
        let sum = match limit.window {
            None => of.total,
            Some(DAY) => of.day,
            Some(_) => of.hour,
        };
        if sum.saturating_add(assessment.charges[limit.charge].amount) > limit.most {
            return Ok(Counted::Passed(place, limit.most.saturating_sub(sum)));
        }
    }
    let is_new = |of: &Option<Standing>| of.as_ref().is_some_and(|of| of.is_new);
    let news = assessment.charges.iter().zip(&standings).filter(|(_, of)| is_new(of));
    Ok(Counted::Yes(news.map(|(charge, _)| charge.clone()).collect()))
}

async fn standing(
    transaction: &mut Transaction<'_>,
    id: PaymentId,
    account: &Account,
) -> Result<Standing, PgError> {
    let (mint, token) = (account.verb == Verb::Mint, account.token.to_string());
    let params = [
        (&account.scope as _, Type::TEXT),
        (&mint as _, Type::BOOL),
        (&token as _, Type::TEXT),
        (&&id[..] as _, Type::BYTEA),
    ];
    let lock = "insert into spent_total (scope, mint, token, total) values ($1, $2, $3, 0) \
                on conflict (scope, mint, token) do update set total = spent_total.total returning total::text";
    let total = amount(transaction.query_one(lock, &params[..3]).await?.get(0))?;
    // Statements of their own: they see what was written until the row was this one's.
    let forget = "delete from spent where scope = $1 and mint = $2 and token = $3 \
                  and at <= clock_timestamp() - interval '1 day'";
    transaction.execute(forget, &params[..3]).await?;
    let sums = "select count(*) filter (where id = $4) = 0, coalesce(sum(amount), 0)::text, \
                    coalesce(sum(amount) filter (where at > clock_timestamp() - interval '1 hour'), 0)::text \
                from spent where scope = $1 and mint = $2 and token = $3";
    let row = transaction.query_one(sums, &params).await?;
    Ok(Standing { is_new: row.get(0), day: amount(row.get(1))?, hour: amount(row.get(2))?, total })
}

pub(super) async fn take_back(pool: &Pool, id: PaymentId, charges: &[Charge]) -> Result<(), PgError> {
    let mut transaction = pool.begin_durable().await?;
    let mut accounts: Vec<_> = charges.iter().map(|charge| &charge.account).collect();
    accounts.sort();
    let back = "with gone as (delete from spent where scope = $1 and mint = $2 and token = $3 and id = $4 returning amount) \
                update spent_total set total = total - (select coalesce(sum(amount), 0) from gone) \
                where scope = $1 and mint = $2 and token = $3";
    for account in accounts {
        let (mint, token) = (account.verb == Verb::Mint, account.token.to_string());
        let params = [
            (&account.scope as _, Type::TEXT),
            (&mint as _, Type::BOOL),
            (&token as _, Type::TEXT),
            (&&id[..] as _, Type::BYTEA),
        ];
        transaction.execute(back, &params).await?;
    }
    transaction.commit().await
}

fn amount(text: &str) -> Result<Amount, PgError> {
    text.parse().map_err(|_| RecordError::Damaged.into())
}
