//! What is asked of a database over a connection. Types of parameters are said, so that nothing need be
//! prepared.

use futures_util::join;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

/// A parameter of a statement.
pub(super) type Param<'a> = (&'a (dyn ToSql + Sync), Type);

/// What is asked of the database.
#[derive(Clone, Copy)]
pub(super) enum Statement<'a> {
    Rows(&'a str, &'a [Param<'a>]),
    /// For how many rows it was about.
    Count(&'a str, &'a [Param<'a>]),
    /// Several without parameters, one after the other.
    Batch(&'a str),
    /// The last one, for its rows.
    Last(&'a str, &'a [Param<'a>]),
}

pub(super) enum Answer {
    Rows(Vec<Row>),
    Count(u64),
}

impl Answer {
    /// Those of one statement.
    pub(super) fn rows(self) -> Vec<Row> {
        match self {
            Self::Rows(rows) => rows,
            Self::Count(_) => Vec::new(),
        }
    }
}

impl Statement<'_> {
    pub(super) async fn ask(self, client: &Client) -> Result<Answer, tokio_postgres::Error> {
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
pub(super) async fn begin_and_ask(
    client: &Client,
    begin: Option<&str>,
    statement: Statement<'_>,
) -> Result<Answer, tokio_postgres::Error> {
    let Some(begin) = begin else { return statement.ask(client).await };
    let (begun, answered) = join!(client.batch_execute(begin), statement.ask(client));
    begun?;
    answered
}
