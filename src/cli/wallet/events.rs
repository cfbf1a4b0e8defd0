//! `wallet events`: a line of JSON for each event of a wallet, for as long as somebody reads them.

use super::call::Call;
use super::failure::{Failure, refusal};
use super::service::Service;
use crate::cli::tell;
use headless_wallet::json;
use headless_wallet::net::{DEFAULT_MAX_BODY, NetError, OpenResponse, clean_json};
use headless_wallet::service::Phase;
use serde_json::Value;
use std::io::Write;
use std::time::Duration;

/// How long to wait before the next try, as browsers do.
const TRY_AGAIN: Duration = Duration::from_secs(3);
/// A connection in which nothing has come for so long is cut off: the server sends a sign of life every 15 s.
const SILENCE: Duration = Duration::from_secs(45);

/// Why no more events come.
enum End {
    /// The wallet was stopped, or nobody reads any more.
    Done,
    /// The connection broke, or the server takes no requests now.
    Cut,
}

/// Prints events until the wallet is stopped. A connection that breaks is made again, and goes on after the
/// last event; the first must succeed.
pub async fn follow(service: &Service, call: &Call) -> Result<String, Failure> {
    let mut last_id = None;
    let mut response = service.follow(call, None).await.map_err(|error| service.unanswered(&error, call))?;
    let mut first = true;
    loop {
        if response.is_event_stream() {
            match print(&mut response, &mut last_id).await {
                End::Done => return Ok(String::new()),
                End::Cut => tell(&format!("{}: cut off, trying again", service.name())),
            }
        } else if first || response.status() != 503 {
            return Err(refused(response, service).await);
        }
        first = false;
        response = loop {
            tokio::time::sleep(TRY_AGAIN).await;
            if let Ok(response) = service.follow(call, last_id.as_deref()).await {
                break response;
            }
        };
    }
}

/// What the server says instead of events.
async fn refused(mut response: OpenResponse, service: &Service) -> Failure {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk(SILENCE).await
        && body.len() < DEFAULT_MAX_BODY
    {
        body.extend(chunk);
    }
    let answer = json::read(&body).unwrap_or(Value::Null);
    let sentence = refusal(response.status(), &answer, service.wallet_id());
    let sentence = sentence.unwrap_or_else(|| "The answer is not a stream of events.".to_owned());
    match answer {
        Value::Null => Failure::Failed(format!("{}: {sentence}", service.name())),
        _ => Failure::Refused { answer: String::from_utf8_lossy(&body).into_owned(), sentence },
    }
}

async fn print(response: &mut OpenResponse, last_id: &mut Option<String>) -> End {
    let mut parser = Parser::default();
    loop {
        let chunk = match response.chunk(SILENCE).await {
            Ok(Some(chunk)) => chunk,
            Ok(None) | Err(_) => return End::Cut,
        };
        let Ok(events) = parser.read(&chunk) else { return End::Cut };
        for Event { id, data } in events {
            let mut out = std::io::stdout().lock();
            if writeln!(out, "{}", clean_json(&data)).and_then(|()| out.flush()).is_err() || is_end(&data) {
                return End::Done;
            }
            if id.is_some() {
                *last_id = id;
            }
        }
    }
}

/// Whether nothing comes after it.
fn is_end(data: &str) -> bool {
    let event = json::read(data.as_bytes()).unwrap_or(Value::Null);
    event["type"] == "wallet:state-change" && event["data"] == Phase::Closed.code()
}

#[derive(Debug, PartialEq)]
struct Event {
    id: Option<String>,
    data: String,
}

/// Reads server-sent events, of which it looks at ids and data.
#[derive(Default)]
struct Parser {
    line: Vec<u8>,
    id: Option<String>,
    data: Option<String>,
}

impl Parser {
    /// The events that end in this piece of the stream.
    fn read(&mut self, piece: &[u8]) -> Result<Vec<Event>, NetError> {
        let mut events = Vec::new();
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            if self.line.len() + part.len() > DEFAULT_MAX_BODY {
                return Err(NetError::TooLarge(DEFAULT_MAX_BODY));
            }
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                events.extend(self.end_line(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n'])));
            }
        }
        Ok(events)
    }

    /// An empty line ends an event.
    fn end_line(&mut self, line: &str) -> Option<Event> {
        if line.is_empty() {
            let id = self.id.take();
            return self.data.take().map(|data| Event { id, data });
        }
        let (name, value) = line.split_once(':')?;
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "id" => self.id = Some(value.to_owned()),
            "data" => match &mut self.data {
                Some(data) => *data = format!("{data}\n{value}"),
                None => self.data = Some(value.to_owned()),
            },
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, Parser};

    #[test]
    fn events_are_read_from_pieces_of_any_length() {
        let text = ": hello\n\nid: a-1\nevent: x\ndata: {\"a\":\"é\"}\n\n:\n\ndata:two\r\ndata: lines\r\n\r\nid: a-2\n";
        let expected = [
            Event { id: Some("a-1".to_owned()), data: "{\"a\":\"é\"}".to_owned() },
            Event { id: None, data: "two\nlines".to_owned() },
        ];
        for length in 1..=text.len() {
            let mut parser = Parser::default();
            let pieces = text.as_bytes().chunks(length);
            let events: Vec<_> = pieces.flat_map(|piece| parser.read(piece).expect("short lines")).collect();
            assert_eq!(events, expected, "{length}");
        }
    }
}
