//! A connection to a database. It works while something is asked over it, in the task that asks: a task of
//! its own would have to be woken twice for each message.

use super::error::PgError;
use super::statement::{Answer, Statement, begin_and_ask};
use super::tls::Encrypted;
use super::url::PostgresUrl;
use crate::rt;
use futures_util::future::BoxFuture;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio_postgres::{Client, Error, NoTls};

pub(super) struct Connection {
    client: Client,
    /// What reads and writes, until it is closed. What it fails of, the client is told.
    work: Option<BoxFuture<'static, Result<(), Error>>>,
}

impl Connection {
    /// Opens one, within a time.
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

    /// Whether it is open, as far as the machine has heard.
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
            // It says what is to be written, and hears what was read.
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

/// Reads and writes what can be now. Once it is closed it is dropped, by which the client gets to know.
fn work(work: &mut Option<BoxFuture<'static, Result<(), Error>>>, context: &mut Context<'_>) {
    if work.as_mut().is_some_and(|work| work.as_mut().poll(context).is_ready()) {
        *work = None;
    }
}
