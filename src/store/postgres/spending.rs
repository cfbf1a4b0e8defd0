//! The tables of spending. The row of an account's sum serializes servers, and the database's clock counts
//! for all.

use super::connection::Param;
use super::error::PgError;
use super::pool::{Fence, Kind, Pool, Transaction};
use crate::ledger::Amount;
use crate::limits::{Account, Assessment, Charge, Counted, DAY, PaymentId, Verb};
use crate::store::{RecordError, WholeSpending};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

struct Standing {
    is_new: bool,
    hour: Amount,
    day: Amount,
    total: Amount,
}

/// Counts a payment for one send. If another send has counted the same payment, it can no longer take it
/// back: this one sends it, too.
pub(super) async fn count(
    pool: &Pool,
    fence: Fence,
    by: i64,
    id: PaymentId,
    assessment: &Assessment,
) -> Result<Counted, PgError> {
    let mut transaction = pool.begin_fenced(Kind::Durable, fence).await?;
    let counted = look_in(&mut transaction, id, assessment).await?;
    let Counted::Yes(added) = &counted else {
        transaction.roll_back().await?;
        return Ok(counted);
    };
    let insert = "with gone as (delete from spent where scope = $1 and mint = $2 and token = $3 and id = $4), \
                  total as (update spent_total set total = total + $5::text::numeric \
                      where scope = $1 and mint = $2 and token = $3) \
                  insert into spent (scope, mint, token, id, at, amount, by) \
                  values ($1, $2, $3, $4, clock_timestamp(), $5::text::numeric, $6)";
    let again = "update spent set by = $5 \
                 where scope = $1 and mint = $2 and token = $3 and id = $4 and by is distinct from $5";
    for charge in &assessment.charges {
        let Charge { account, amount } = charge;
        let (mint, token, amount) =
            (account.verb == Verb::Mint, account.token.to_string(), amount.to_string());
        let params = [
            (&account.scope as _, Type::TEXT),
            (&mint as _, Type::BOOL),
            (&token as _, Type::TEXT),
            (&&id[..] as _, Type::BYTEA),
        ];
        let by = (&by as _, Type::INT8);
        if added.contains(charge) {
            let params = [&params[..], &[(&amount as _, Type::TEXT), by]].concat();
            transaction.execute(insert, &params).await?;
        } else {
            transaction.execute(again, &[&params[..], &[by]].concat()).await?;
        }
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

/// Whether the payment fits. Locks the accounts' rows for this transaction.
async fn look_in(
    transaction: &mut Transaction<'_>,
    id: PaymentId,
    assessment: &Assessment,
) -> Result<Counted, PgError> {
    // In a fixed order, to avoid deadlocks.
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
    let added = assessment.charges.iter().zip(&standings).filter(|(_, of)| is_new(of));
    Ok(Counted::Yes(added.map(|(charge, _)| charge.clone()).collect()))
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
    // A separate statement: it sees what was written until the row was locked.
    let forget = "delete from spent where scope = $1 and mint = $2 and token = $3 \
                  and at <= clock_timestamp() - interval '1 day'";
    transaction.execute(forget, &params[..3]).await?;
    let sums = "select count(*) filter (where id = $4) = 0, coalesce(sum(amount), 0)::text, \
                    coalesce(sum(amount) filter (where at > clock_timestamp() - interval '1 hour'), 0)::text \
                from spent where scope = $1 and mint = $2 and token = $3";
    let row = transaction.query_one(sums, &params).await?;
    Ok(Standing { is_new: row.get(0), day: amount(row.get(1))?, hour: amount(row.get(2))?, total })
}

pub(super) async fn take_back(
    pool: &Pool,
    by: i64,
    id: PaymentId,
    charges: &[Charge],
) -> Result<(), PgError> {
    let mut transaction = pool.begin_durable().await?;
    let mut accounts: Vec<_> = charges.iter().map(|charge| &charge.account).collect();
    accounts.sort();
    let back = "with gone as (delete from spent where scope = $1 and mint = $2 and token = $3 and id = $4 and by = $5 \
                    returning amount) \
                update spent_total set total = total - (select coalesce(sum(amount), 0) from gone) \
                where scope = $1 and mint = $2 and token = $3";
    let lock = "select from spent_total where scope = $1 and mint = $2 and token = $3 for update";
    for account in accounts {
        let (mint, token) = (account.verb == Verb::Mint, account.token.to_string());
        let params = [
            (&account.scope as _, Type::TEXT),
            (&mint as _, Type::BOOL),
            (&token as _, Type::TEXT),
            (&&id[..] as _, Type::BYTEA),
            (&by as _, Type::INT8),
        ];
        // In the same order as for counting.
        transaction.query(lock, &params[..3]).await?;
        transaction.execute(back, &params).await?;
    }
    transaction.commit().await
}

pub(super) async fn all(pool: &Pool) -> Result<WholeSpending, PgError> {
    let mut reading = pool.begin_reading().await?;
    let sums = "select scope, mint, token, total::text from spent_total order by scope, mint, token";
    let sums = reading.query(sums, &[]).await?;
    // Rounded up, so that nothing expires sooner than here.
    let lately = "select scope, mint, token, amount::text, ceil(extract(epoch from at))::int8, id from spent \
                  where at > clock_timestamp() - interval '1 day' order by at, id, scope, mint, token";
    let lately = reading.commit_with(lately, &[]).await?;
    let mut older = sums.iter().map(charge).collect::<Result<Vec<_>, _>>()?;
    let lately = lately.iter().map(|row| {
        let time = row.get::<_, i64>(4).try_into().map_err(|_| RecordError::Damaged)?;
        let id = row.get::<_, &[u8]>(5).try_into().map_err(|_| RecordError::Damaged)?;
        Ok((time, id, charge(row)?))
    });
    let lately = lately.collect::<Result<Vec<(u32, PaymentId, Charge)>, PgError>>()?;
    for older in &mut older {
        let of_account = lately.iter().filter(|(.., charge)| charge.account == older.account);
        older.amount = of_account.fold(older.amount, |left, (.., charge)| left.saturating_sub(charge.amount));
    }
    Ok(WholeSpending { older, lately })
}

/// Writes what was spent on another store, all of it or nothing. `false` if something is counted already.
pub(super) async fn keep(pool: &Pool, spent: &WholeSpending) -> Result<bool, PgError> {
    let mut transaction = pool.begin_durable().await?;
    transaction.batch("lock table spent_total in exclusive mode").await?;
    if transaction.query_opt("select 1 from spent_total where total <> 0 limit 1", &[]).await?.is_some() {
        transaction.roll_back().await?;
        return Ok(false);
    }
    let total = "insert into spent_total (scope, mint, token, total) values ($1, $2, $3, $4::text::numeric) \
                 on conflict (scope, mint, token) do update set total = spent_total.total + excluded.total";
    let one = "insert into spent (scope, mint, token, amount, at, id) \
               values ($1, $2, $3, $4::text::numeric, to_timestamp($5), $6)";
    for Charge { account, amount } in spent.older.iter().chain(spent.lately.iter().map(|(.., charge)| charge))
    {
        let (mint, token, amount) =
            (account.verb == Verb::Mint, account.token.to_string(), amount.to_string());
        transaction.execute(total, &of(&account.scope, &mint, &token, &amount)).await?;
    }
    for (time, id, Charge { account, amount }) in &spent.lately {
        let (mint, token, amount) =
            (account.verb == Verb::Mint, account.token.to_string(), amount.to_string());
        let time = f64::from(*time);
        let mut params = of(&account.scope, &mint, &token, &amount).to_vec();
        let id = &id[..];
        params.extend([(&time as _, Type::FLOAT8), (&id as _, Type::BYTEA)]);
        transaction.execute(one, &params).await?;
    }
    transaction.commit().await?;
    Ok(true)
}

fn of<'a>(scope: &'a String, mint: &'a bool, token: &'a String, amount: &'a String) -> [Param<'a>; 4] {
    [(scope, Type::TEXT), (mint, Type::BOOL), (token, Type::TEXT), (amount, Type::TEXT)]
}

fn charge(row: &Row) -> Result<Charge, PgError> {
    let token = row.get::<_, &str>(2).parse().map_err(|_| RecordError::Damaged)?;
    let verb = if row.get(1) { Verb::Mint } else { Verb::Spend };
    Ok(Charge { account: Account { scope: row.get(0), verb, token }, amount: amount(row.get(3))? })
}

fn amount(text: &str) -> Result<Amount, PgError> {
    Amount::of_cents(text).ok_or_else(|| RecordError::Damaged.into())
}
