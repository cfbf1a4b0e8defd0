//! A connection to a database. Its I/O runs in the task that asks: a task of its own would be woken twice per
//! message. Parameters have explicit types, so that no statement need be prepared.

use super::error::PgError;
use super::tls::Encrypted;
use super::url::PostgresUrl;
use crate::rt;
use futures_util::future::BoxFuture;
use futures_util::join;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, NoTls, Row};

pub(super) type Param<'a> = (&'a (dyn ToSql + Sync), Type);

#[derive(Clone, Copy)]
pub(super) enum Statement<'a> {
    Rows(&'a str, &'a [Param<'a>]),
    /// Answers with the number of affected rows.
    Count(&'a str, &'a [Param<'a>]),
    Batch(&'a str),
    /// Answers with the rows and commits.
    Last(&'a str, &'a [Param<'a>]),
}

pub(super) enum Answer {
    Rows(Vec<Row>),
    Count(u64),
}

impl Answer {
    pub(super) fn rows(self) -> Vec<Row> {
        match self {
            Self::Rows(rows) => rows,
            Self::Count(_) => Vec::new(),
        }
    }
}

impl Statement<'_> {
    async fn ask(self, client: &Client) -> Result<Answer, tokio_postgres::Error> {
        match self {
            Self::Rows(sql, params) => client.query_typed(sql, params).await.map(Answer::Rows),
            Self::Count(sql, params) => client.execute_typed(sql, params).await.map(Answer::Count),
            Self::Batch(sql) => client.batch_execute(sql).await.map(|()| Answer::Count(0)),
            Self::Last(sql, params) => {
                let (rows, ended) = join!(client.query_typed(sql, params), client.batch_execute("commit"));
                let rows = rows?;
                ended.map(|()| Answer::Rows(rows))
            }
        }
    }
}

/// Asks; `begin` goes before it in the same message.
async fn begin_and_ask(
    client: &Client,
    begin: Option<&str>,
    statement: Statement<'_>,
) -> Result<Answer, tokio_postgres::Error> {
    let Some(begin) = begin else { return statement.ask(client).await };
    let (begun, answered) = join!(client.batch_execute(begin), statement.ask(client));
    begun?;
    answered
}

pub(super) struct Connection {
    client: Client,
    /// Reads and writes until the connection is closed. Its failures reach the client.
    work: Option<BoxFuture<'static, Result<(), Error>>>,
}

impl Connection {
    pub(super) async fn open(url: &PostgresUrl, limit: Duration) -> Result<Self, PgError> {
        let tls = Encrypted::by(url.tls()).map_err(PgError::Tls)?;
        let config = url.config();
        let opened = async {
            Ok(match tls {
                None => {
                    let (client, work) = config.connect(NoTls).await?;
                    Self { client, work: Some(Box::pin(work)) }
                }
                Some(tls) => {
                    let (client, work) = config.connect(tls).await?;
                    Self { client, work: Some(Box::pin(work)) }
                }
            })
        };
        match rt::timeout(limit, opened).await {
            Ok(opened) => opened.map_err(PgError::Connect),
            Err(rt::Elapsed) => Err(PgError::Silent(limit)),
        }
    }

    /// As far as the operating system knows.
    pub(super) fn is_open(&mut self) -> bool {
        work(&mut self.work, &mut Context::from_waker(Waker::noop()));
        self.work.is_some()
    }

    /// Asks; `begin` goes before it in the same message.
    pub(super) async fn ask(
        &mut self,
        begin: Option<&str>,
        statement: Statement<'_>,
        limit: Duration,
    ) -> Result<Answer, PgError> {
        let mut asked = pin!(begin_and_ask(&self.client, begin, statement));
        let answered = poll_fn(|context| {
            // The client queues bytes to write and takes the bytes read.
            if let Poll::Ready(answered) = asked.as_mut().poll(context) {
                return Poll::Ready(answered);
            }
            work(&mut self.work, context);
            asked.as_mut().poll(context)
        });
        match rt::timeout(limit, answered).await {
            Ok(answered) => answered.map_err(PgError::from),
            Err(rt::Elapsed) => Err(PgError::Silent(limit)),
        }
    }
}

/// Reads and writes what is possible now. Once closed, the connection is dropped, which the client notices.
fn work(work: &mut Option<BoxFuture<'static, Result<(), Error>>>, context: &mut Context<'_>) {
    if work.as_mut().is_some_and(|work| work.as_mut().poll(context).is_ready()) {
        *work = None;
    }
}
