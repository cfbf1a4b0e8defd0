//! What clients ask of history streams, and the frames of the open one.

use super::stream::{DEFAULT_GAP_LIMIT, ExtendedKey, Frame, NODE_MAX_GAP_LIMIT, Step, Stream};
use super::{Command, Connection, Dropped};
use crate::devnet::vertex_json::VertexJson;
use serde_json::Value;

const ALREADY_OPEN: &str = "Streaming is already opened.";

impl Connection {
    pub(super) async fn request_by_key(&mut self, command: &Command) -> Result<(), Dropped> {
        let request = Request::read(command)?;
        let xpub = command.get("xpub").and_then(Value::as_str).ok_or(Dropped)?;
        if self.stream.is_some() {
            return self.stream_error(&request.id, ALREADY_OPEN).await;
        }
        if request.gap_limit > NODE_MAX_GAP_LIMIT {
            return self.gap_limit_error(&request.id).await;
        }
        let key = ExtendedKey::parse(xpub);
        self.open(Stream::of_key(request.id, key, request.first_index, request.gap_limit)).await
    }

    pub(super) async fn request_by_list(&mut self, command: &Command) -> Result<(), Dropped> {
        let request = Request::read(command)?;
        let items = addresses_in(command)?;
        let flag = |name| command.get(name).and_then(Value::as_bool).unwrap_or(false);
        let (first, last) = (flag("first"), flag("last"));
        match &mut self.stream {
            Some(stream) if stream.id == request.id && !first => {
                let refused = stream.extend(items, last).err();
                match refused {
                    Some(message) => self.stream_error(&request.id, &message).await,
                    None => Ok(()),
                }
            }
            Some(_) => self.stream_error(&request.id, ALREADY_OPEN).await,
            None if !first => {
                let message = "Streaming not found. You must send first=true in your first message.";
                self.stream_error(&request.id, message).await
            }
            None if request.gap_limit > NODE_MAX_GAP_LIMIT => self.gap_limit_error(&request.id).await,
            None => {
                let mut stream = Stream::of_list(request.id, request.gap_limit);
                match stream.extend(items, last) {
                    Err(message) => self.stream_error(&stream.id, &message).await,
                    Ok(()) => self.open(stream).await,
                }
            }
        }
    }

    async fn open(&mut self, mut stream: Stream) -> Result<(), Dropped> {
        let seq = stream.take_seq();
        let id = stream.id.clone();
        self.stream = Some(stream);
        self.send(&Frame::Begin { id: &id, seq, window_size: None }).await
    }

    /// Sends the next frame of the open stream.
    pub(super) async fn advance_stream(&mut self) -> Result<(), Dropped> {
        let Some(mut stream) = self.stream.take() else { return Ok(()) };
        match stream.step() {
            Step::Vertex(vertex) => {
                if let Some(data) = self.shared.read(|chain| chain.vertex(&vertex)) {
                    let seq = stream.take_seq();
                    let data = VertexJson::from(&data);
                    self.send(&Frame::Vertex { id: &stream.id, seq, data: &data }).await?;
                }
            }
            Step::Address { index, address } => {
                if let Err(message) = self.watch(&address) {
                    let message = format!("Address subscription failed: {message}");
                    return self.stream_error(&stream.id, &message).await;
                }
                let seq = stream.take_seq();
                stream.begin_address(self.shared.history_of(&address));
                let frame =
                    Frame::Address { id: &stream.id, seq, index, address: &address, subscribed: true };
                self.send(&frame).await?;
            }
            Step::End => {
                let seq = stream.finish();
                self.send(&Frame::End { id: &stream.id, seq }).await?;
            }
        }
        self.stream = Some(stream);
        Ok(())
    }

    pub(super) async fn acknowledge(&mut self, command: &Command) -> Result<(), Dropped> {
        let id = optional_text(command, "id")?;
        let stream = match self.stream_named(&id) {
            Ok(stream) => stream,
            Err(message) => return self.stream_error(&id, message).await,
        };
        let Ok(ack) = optional_integer(command, "ack") else {
            return self.stream_error(&id, "Invalid ack.").await;
        };
        let Ok(window) = optional_integer(command, "window") else {
            return self.stream_error(&id, "Invalid window.").await;
        };
        if let Some(window) = window {
            stream.set_window(window);
        }
        match ack.map_or(Ok(false), |ack| stream.acknowledge(ack)) {
            Ok(closed) => {
                self.stream.take_if(|_| closed);
                Ok(())
            }
            Err(message) => {
                self.stream = None;
                self.stream_error(&id, &message).await
            }
        }
    }

    pub(super) async fn stop_stream(&mut self, command: &Command) -> Result<(), Dropped> {
        let id = optional_text(command, "id")?;
        if let Err(message) = self.stream_named(&id) {
            return self.stream_error(&id, message).await;
        }
        self.stream = None;
        Ok(())
    }

    fn stream_named(&mut self, id: &str) -> Result<&mut Stream, &'static str> {
        let stream = self.stream.as_mut().ok_or("No streaming opened.")?;
        if stream.id == id { Ok(stream) } else { Err("Current stream has a different id.") }
    }

    async fn gap_limit_error(&mut self, id: &str) -> Result<(), Dropped> {
        self.stream_error(id, &format!("GAP limit is too big. Maximum: {NODE_MAX_GAP_LIMIT}")).await
    }

    pub(super) async fn stream_error(&mut self, id: &str, message: &str) -> Result<(), Dropped> {
        self.send(&Frame::Error { id, errmsg: message }).await
    }
}

/// What both kinds of request share.
struct Request {
    id: String,
    first_index: u32,
    gap_limit: u64,
}

impl Request {
    fn read(command: &Command) -> Result<Self, Dropped> {
        if optional_integer(command, "window-size")?.is_some_and(|window| window >= 0) {
            return Err(Dropped);
        }
        let first_index = optional_integer(command, "first-index")?.unwrap_or_default();
        let gap_limit = optional_integer(command, "gap-limit")?;
        Ok(Self {
            id: text_in(command, "id")?,
            first_index: first_index.try_into().map_err(|_| Dropped)?,
            // Below zero nothing is left to wait for either.
            gap_limit: gap_limit.map_or(DEFAULT_GAP_LIMIT, |limit| limit.try_into().unwrap_or(0)),
        })
    }
}

/// The pairs of index and address in a manual request.
fn addresses_in(command: &Command) -> Result<Vec<(u64, String)>, Dropped> {
    let Some(items) = command.get("addresses") else { return Ok(Vec::new()) };
    let items = items.as_array().ok_or(Dropped)?;
    let pair = |item: &Value| match item.as_array().map(Vec::as_slice) {
        Some([index, address]) => Some((index.as_u64()?, address.as_str()?.to_owned())),
        _ => None,
    };
    items.iter().map(|item| pair(item).ok_or(Dropped)).collect()
}

/// A text that may be absent and is empty then.
fn optional_text(command: &Command, name: &str) -> Result<String, Dropped> {
    if command.contains_key(name) { text_in(command, name) } else { Ok(String::new()) }
}

fn text_in(command: &Command, name: &str) -> Result<String, Dropped> {
    command.get(name).and_then(Value::as_str).map(str::to_owned).ok_or(Dropped)
}

/// A field that may be absent or null; an error if it is anything but an integer.
fn optional_integer(command: &Command, name: &str) -> Result<Option<i64>, Dropped> {
    match command.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_i64().map(Some).ok_or(Dropped),
    }
}
