//! Who is told what of one connection to the node that several channels share.

use super::{CallError, NodeEvent, NodeSocket, StreamEvent, SubscribeRefusalKind};
use crate::ledger::Address;
use crate::rt::Instant;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

/// Events that may wait for one channel, besides the answers for the addresses that it expects: four windows
/// of a stream. One that reads slower than this is cut off, so that it costs the others neither time nor
/// memory.
const MOST_WAITING: usize = 16_384;
/// A stream that takes longer is a slow one, and others don't wait for its end.
const SLOW: Duration = Duration::from_secs(5);

pub(super) type ChannelId = u64;

/// Something to be said to the node.
pub(super) type Command = Box<dyn FnOnce(&mut NodeSocket) + Send>;

/// What a channel is told.
pub(super) enum Message {
    Connected,
    Event(NodeEvent),
    /// The connection is no more.
    Failed(CallError),
}

/// One connection: which channels are on it, and which of them watches what.
///
/// A subscription is the connection's, not the channel's: it is asked for when the first channel wants it and
/// given up when the last one has gone. As the node does what it is told in order, and what it tells is read
/// in order, a channel that joins in one that stands is told of all that is read from then on.
pub(super) struct SharedConnection {
    /// Once this is dropped, the connection is closed.
    commands: mpsc::UnboundedSender<Command>,
    channels: HashMap<ChannelId, Member>,
    watchers: BTreeSet<(Address, ChannelId)>,
    /// Subscriptions that the node has not answered, and the channels that wait for it.
    asked: HashMap<Address, Vec<ChannelId>>,
    /// Subscriptions that nobody has a use for, until nothing streams: what is given up then can't be what
    /// the stream has just subscribed to again.
    unwanted: HashSet<Address>,
    connected: bool,
    history_streaming: Option<bool>,
    stream: Option<Claim>,
    /// It takes no more channels and streams.
    sealed: bool,
    /// It was opened for one channel only.
    exclusive: bool,
}

struct Member {
    inbox: mpsc::Sender<Message>,
    addresses: Vec<Address>,
    /// How many addresses it said that it would watch.
    said: usize,
    /// The height it was told last.
    height: Option<u32>,
}

impl Member {
    fn expected(&self) -> usize {
        self.said.max(self.addresses.len())
    }
}

/// The right to stream, of one channel at a time.
struct Claim {
    channel: ChannelId,
    began: Instant,
    /// The number of the last frame, once it has come.
    end: Option<u64>,
    /// Those who wait for theirs are let in when this is dropped.
    turn: Option<OwnedSemaphorePermit>,
}

impl SharedConnection {
    pub(super) fn new(commands: mpsc::UnboundedSender<Command>, exclusive: bool) -> Self {
        Self {
            commands,
            channels: HashMap::new(),
            watchers: BTreeSet::new(),
            asked: HashMap::new(),
            unwanted: HashSet::new(),
            connected: false,
            history_streaming: None,
            stream: None,
            sealed: false,
            exclusive,
        }
    }

    /// Whether another channel may be put on it, when so many addresses of one connection are enough.
    pub(super) fn has_room(&self, expected: usize, enough: usize) -> bool {
        !self.sealed && !self.exclusive && self.size() + expected <= enough
    }

    /// How many addresses its channels watch, or are about to.
    pub(super) fn size(&self) -> usize {
        self.channels.values().map(Member::expected).sum()
    }

    /// How many addresses a channel watches, or is about to.
    pub(super) fn expected(&self, channel: ChannelId) -> usize {
        self.channels.get(&channel).map_or(0, Member::expected)
    }

    pub(super) const fn is_connected(&self) -> bool {
        self.connected
    }

    pub(super) fn is_empty(&self) -> bool {
        self.channels.is_empty()
    }

    /// Whether a channel could stream on it now.
    pub(super) const fn can_be_claimed(&self) -> bool {
        self.stream.is_none() && !self.sealed
    }

    pub(super) fn claim(&mut self, channel: ChannelId, turn: OwnedSemaphorePermit) {
        self.stream = Some(Claim { channel, began: Instant::now(), end: None, turn: Some(turn) });
    }

    pub(super) fn join(&mut self, channel: ChannelId, expected: usize) -> mpsc::Receiver<Message> {
        let (inbox, messages) = mpsc::channel(MOST_WAITING + expected);
        self.channels.insert(channel, Member { inbox, addresses: Vec::new(), said: expected, height: None });
        if self.connected {
            self.tell(channel, Message::Connected);
        }
        if let Some(history_streaming) = self.history_streaming {
            self.tell(channel, Message::Event(NodeEvent::Capabilities { history_streaming }));
        }
        messages
    }

    pub(super) fn leave(&mut self, channel: ChannelId) {
        let Some(member) = self.channels.remove(&channel) else { return };
        self.stop_stream(channel);
        self.asked.values_mut().for_each(|waiting| waiting.retain(|id| *id != channel));
        for address in member.addresses {
            self.watchers.remove(&(address, channel));
            // What is asked for is given up when it has been answered.
            if !self.is_watched(address) && !self.asked.contains_key(&address) {
                self.unwanted.insert(address);
            }
        }
        self.tidy_up();
    }

    /// Ends the channel's stream, if it has one.
    pub(super) fn stop_stream(&mut self, channel: ChannelId) {
        if self.stream.take_if(|claim| claim.channel == channel).is_some() {
            // Frames of this stream may come for a while: another one's would be mistaken for them.
            self.sealed = true;
            self.ask(NodeSocket::stop_stream);
        }
    }

    pub(super) fn subscribe(&mut self, channel: ChannelId, address: Address) {
        let stands = self.is_watched(address) || self.unwanted.remove(&address);
        self.watch(channel, address);
        if let Some(waiting) = self.asked.get_mut(&address) {
            waiting.push(channel);
        } else if stands {
            self.tell(channel, Message::Event(NodeEvent::Subscribed { address }));
        } else {
            self.asked.insert(address, vec![channel]);
            self.ask(move |socket| socket.subscribe(&address));
        }
    }

    pub(super) fn acknowledge(&mut self, channel: ChannelId, seq: u64, window: Option<u64>) {
        self.ask(move |socket| socket.acknowledge(seq, window));
        // Only now that the channel has said all that it had to say of its stream, another one may begin.
        if self.stream.take_if(|claim| claim.channel == channel && claim.end == Some(seq)).is_some() {
            self.tidy_up();
        }
    }

    pub(super) fn ask(&self, ask: impl FnOnce(&mut NodeSocket) + Send + 'static) {
        // A connection that is no more has told its channels so.
        let _ = self.commands.send(Box::new(ask));
    }

    pub(super) fn connected(&mut self) {
        self.connected = true;
        self.channels.values().for_each(|channel| drop(channel.inbox.try_send(Message::Connected)));
    }

    pub(super) fn failed(self, failure: &CallError) {
        self.channels
            .values()
            .for_each(|channel| drop(channel.inbox.try_send(Message::Failed(failure.clone()))));
    }

    /// Tells those whom it concerns.
    pub(super) fn hear(&mut self, event: NodeEvent) {
        match event {
            NodeEvent::Vertex { address, .. } => {
                let channels = self.watchers_of(address).collect();
                self.tell_each(channels, event);
            }
            NodeEvent::Stream(part) => self.hear_stream(part),
            NodeEvent::BestHeight(height) => self.hear_height(height),
            NodeEvent::Subscribed { address } => {
                let waiting = self.asked.remove(&address).unwrap_or_default();
                self.tell_each(waiting, event);
                if !self.is_watched(address) {
                    self.unwanted.insert(address);
                    self.tidy_up();
                }
            }
            NodeEvent::SubscribeRefused { address, ref refusal } => {
                self.sealed |= refusal.kind != SubscribeRefusalKind::Other;
                let refused = match address {
                    Some(address) => self.asked.remove_entry(&address).into_iter().collect(),
                    None => std::mem::take(&mut self.asked),
                };
                for (address, waiting) in refused {
                    for channel in &waiting {
                        self.watchers.remove(&(address, *channel));
                    }
                    self.tell_each(waiting, event.clone());
                }
            }
            NodeEvent::Capabilities { history_streaming } => {
                self.history_streaming = Some(history_streaming);
                self.tell_each(self.channels.keys().copied().collect(), event);
            }
            // Of any wallet's: no channel has a use for it.
            NodeEvent::NewTransaction { .. } => {}
        }
    }

    fn hear_stream(&mut self, part: StreamEvent) {
        let channel = self.stream.as_ref().map(|claim| claim.channel);
        if let StreamEvent::Address { address, .. } = part {
            // The node has subscribed to it.
            match channel {
                Some(channel) => {
                    self.unwanted.remove(&address);
                    self.watch(channel, address);
                }
                None if self.is_watched(address) || self.asked.contains_key(&address) => {}
                None => self.ask(move |socket| socket.unsubscribe(&address)),
            }
        }
        let Some(claim) = &mut self.stream else { return };
        let channel = claim.channel;
        match part {
            StreamEvent::End { seq } => claim.end = Some(seq),
            StreamEvent::Failed(_) => {
                // Whether the node takes another request now depends on what went wrong.
                (self.stream, self.sealed) = (None, true);
                self.tidy_up();
            }
            _ => {}
        }
        self.tell(channel, Message::Event(NodeEvent::Stream(part)));
    }

    /// The node tells the height each second, which concerns channels only when it is another one.
    fn hear_height(&mut self, height: u32) {
        let unaware = self.channels.iter_mut().filter(|(_, channel)| channel.height != Some(height));
        let told = unaware.map(|(id, channel)| {
            channel.height = Some(height);
            *id
        });
        let told = told.collect();
        self.tell_each(told, NodeEvent::BestHeight(height));
        if let Some(claim) = self.stream.as_mut().filter(|claim| claim.began.elapsed() > SLOW) {
            claim.turn = None;
        }
    }

    /// Gives up what nobody wants any more, unless something streams.
    fn tidy_up(&mut self) {
        if self.stream.is_none() && !self.unwanted.is_empty() {
            let unwanted = std::mem::take(&mut self.unwanted);
            self.ask(move |socket| unwanted.iter().for_each(|address| socket.unsubscribe(address)));
        }
    }

    fn watch(&mut self, channel: ChannelId, address: Address) {
        if let Some(member) = self.channels.get_mut(&channel)
            && self.watchers.insert((address, channel))
        {
            member.addresses.push(address);
        }
    }

    fn watchers_of(&self, address: Address) -> impl Iterator<Item = ChannelId> {
        self.watchers.range((address, 0)..=(address, ChannelId::MAX)).map(|(_, channel)| *channel)
    }

    fn is_watched(&self, address: Address) -> bool {
        self.watchers_of(address).next().is_some()
    }

    /// Copies it only where several channels want it.
    fn tell_each(&mut self, mut channels: Vec<ChannelId>, event: NodeEvent) {
        let Some(last) = channels.pop() else { return };
        for channel in channels {
            self.tell(channel, Message::Event(event.clone()));
        }
        self.tell(last, Message::Event(event));
    }

    fn tell(&mut self, channel: ChannelId, messages: Message) {
        let Some(member) = self.channels.get(&channel) else { return };
        if member.inbox.try_send(messages).is_err() {
            self.leave(channel);
        }
    }
}
