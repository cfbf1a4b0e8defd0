//! What is asked of a database over a connection. Types of parameters are said, so that nothing need be
//! prepared.

use futures_util::join;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row, SimpleQueryMessage};

/// A parameter of a statement.
pub(super) type Param<'a> = (&'a (dyn ToSql + Sync), Type);

/// What is asked of the database.
#[derive(Clone, Copy)]
pub(super) enum Statement<'a> {
    /// For its rows.
    Rows(&'a str, &'a [Param<'a>]),
    /// Two, the second one of which sees what was committed until the first one had ended, for their rows.
    Both([(&'a str, &'a [Param<'a>]); 2]),
    /// For how many rows it was about.
    Count(&'a str, &'a [Param<'a>]),
    /// One that gives a text, with what it is about written into it: the database does not read, plan and
    /// describe it in steps of their own, which costs a cold connection more than the statement.
    Text(&'a str),
    /// Several without parameters, one after the other.
    Batch(&'a str),
    /// The last one, for its rows.
    Last(&'a str, &'a [Param<'a>]),
}

pub(super) enum Answer {
    Rows(Vec<Row>),
    Both([Vec<Row>; 2]),
    Count(u64),
    Text(Option<String>),
}

impl Answer {
    /// Those of one statement.
    pub(super) fn rows(self) -> Vec<Row> {
        match self {
            Self::Rows(rows) => rows,
            Self::Both(_) | Self::Count(_) | Self::Text(_) => Vec::new(),
        }
    }
}

impl Statement<'_> {
    pub(super) async fn ask(self, client: &Client) -> Result<Answer, tokio_postgres::Error> {
        match self {
            Self::Rows(sql, params) => client.query_typed(sql, params).await.map(Answer::Rows),
            Self::Both([(first, of_first), (second, of_second)]) => {
                let (first, second) =
                    join!(client.query_typed(first, of_first), client.query_typed(second, of_second));
                Ok(Answer::Both([first?, second?]))
            }
            Self::Count(sql, params) => client.execute_typed(sql, params).await.map(Answer::Count),
            Self::Text(sql) => {
                let messages = client.simple_query(sql).await?;
                let text = messages.iter().find_map(|message| match message {
                    SimpleQueryMessage::Row(row) => row.get(0),
                    _ => None,
                });
                Ok(Answer::Text(text.map(str::to_owned)))
            }
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

/// Bytes as they are written in a statement, whatever the database takes a backslash for.
pub(super) fn bytes(bytes: &[u8]) -> String {
    format!("E'\\\\x{}'::bytea", hex::encode(bytes))
}

/// Several of them as one constant: however many there are, the database's own statistics
/// (`pg_stat_statements`) count it as one statement.
pub(super) fn byte_array<'a>(items: impl Iterator<Item = &'a [u8]>) -> String {
    array("bytea", items.map(|item| format!("\"\\\\\\\\x{}\"", hex::encode(item))))
}

/// The same of small numbers.
pub(super) fn number_array(items: impl Iterator<Item = u8>) -> String {
    array("smallint", items.map(|item| item.to_string()))
}

fn array(of: &str, items: impl Iterator<Item = String>) -> String {
    format!("E'{{{}}}'::{of}[]", items.collect::<Vec<_>>().join(","))
}
