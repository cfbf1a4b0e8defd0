//! Loading a wallet's history: in one stream, or by pages.

use super::sync::{Broken, Session};
use crate::ledger::{Address, VertexId};
use crate::node::{NodeEvent, StreamEvent, SubscribeRefusal, SubscribeRefusalKind};
use crate::rt;
use crate::wallet::Scan;
use std::collections::HashSet;
use std::time::Duration;

/// How long the node may take to say what it can do, and to begin a stream that was asked for.
const BEGIN_LIMIT: Duration = Duration::from_secs(5);
/// How often the progress of a stream is told.
const PROGRESS_EVERY: u32 = 20;

impl Session<'_> {
    /// Subscribes to and loads, page by page, every address that is the wallet's and that isn't watched yet. Adds the vertices
    /// it came across to `seen`.
    pub(super) async fn load_pages(&mut self, seen: &mut HashSet<VertexId>) -> Result<(), Broken> {
        loop {
            let range = self.wallet.state().addresses_to_watch(self.watched);
            if range.is_empty() {
                return Ok(());
            }
            let addresses: Vec<Address> = {
                let state = self.wallet.state();
                range.clone().filter_map(|index| state.address(index)).collect()
            };
            self.subscribe(&addresses).await?;
            let mut pages = self.node.history(addresses);
            while let Some(page) = self.beside_socket(pages.next()).await?? {
                for vertex in page {
                    seen.insert(vertex.id);
                    self.wallet.apply(|state| state.apply(vertex));
                }
                self.wallet.set_progress(range.start);
            }
            self.watched = range.end;
            seen.extend(self.told.iter().map(|vertex| vertex.id));
            self.apply_told();
            self.wallet.set_progress(self.watched);
        }
    }

    /// Subscribes to addresses. Whatever happens on them from the return of this on is told, so that nothing falls between a history
    /// and the first event.
    pub(super) async fn subscribe(&mut self, addresses: &[Address]) -> Result<(), Broken> {
        addresses.iter().for_each(|address| self.socket.subscribe(address));
        self.unanswered += addresses.len();
        while self.unanswered > 0 {
            let event = self.socket.recv().await?;
            self.take(event)?;
        }
        Ok(())
    }

    /// What `work` gives, while the socket is being served.
    pub(super) async fn beside_socket<T>(&mut self, work: impl Future<Output = T>) -> Result<T, Broken> {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return Ok(done),
                event = self.socket.recv() => self.take(event?)?,
            }
        }
    }

    /// Loads the whole history in one stream, if the node can. Gives the vertices that it brought; what it left out is left to
    /// [`Session::load_pages`].
    pub(super) async fn load_stream(&mut self) -> Result<HashSet<VertexId>, Broken> {
        let mut seen = HashSet::new();
        // A stream goes on until addresses are unused.
        let Scan::GapLimit(gap_limit) = self.wallet.scan else { return Ok(seen) };
        if !self.streaming_is_known().await? {
            return Ok(seen);
        }
        self.socket.stream_history(&self.wallet.xpub, 0, gap_limit.max(1));
        // A stream that the node doesn't like may never be answered.
        match rt::timeout(BEGIN_LIMIT, self.next_of_stream()).await {
            Ok(Ok(StreamEvent::Begin)) => {}
            Ok(Ok(other)) => return Err(self.refused_stream(other)),
            Ok(Err(broken)) => return Err(broken),
            Err(rt::Elapsed) => {
                return Err(Broken::Stream("the full node did not begin to stream".to_owned()));
            }
        }
        loop {
            match self.next_of_stream().await? {
                StreamEvent::Vertex(vertex) => {
                    seen.insert(vertex.id);
                    self.wallet.apply(|state| state.apply(*vertex));
                }
                StreamEvent::Address { index, address } => {
                    if self.wallet.state().address(index) != Some(address) {
                        return Err(Broken::Stream(format!(
                            "the full node streams {address} as address {index}, and it is not"
                        )));
                    }
                    self.watched = index + 1;
                    if index % PROGRESS_EVERY == 0 {
                        self.wallet.set_progress(self.watched);
                    }
                }
                StreamEvent::End { seq } => {
                    self.socket.end_stream(seq);
                    break;
                }
                other => return Err(self.refused_stream(other)),
            }
        }
        seen.extend(self.told.iter().map(|vertex| vertex.id));
        self.apply_told();
        self.wallet.set_progress(self.watched);
        Ok(seen)
    }

    /// Whether the node streams; it says so in its first frame.
    async fn streaming_is_known(&mut self) -> Result<bool, Broken> {
        let said = async {
            while self.can_stream.is_none() {
                let event = self.socket.recv().await?;
                self.take(event)?;
            }
            Ok(())
        };
        match rt::timeout(BEGIN_LIMIT, said).await {
            Ok(said) => said.map(|()| self.can_stream.unwrap_or(false)),
            Err(rt::Elapsed) => Ok(false),
        }
    }

    /// The next part of the stream; other events are taken as they come.
    async fn next_of_stream(&mut self) -> Result<StreamEvent, Broken> {
        loop {
            match self.socket.recv().await? {
                NodeEvent::Stream(part) => return Ok(part),
                event => self.take(event)?,
            }
        }
    }

    /// What a part of the stream that isn't in its place means.
    fn refused_stream(&self, part: StreamEvent) -> Broken {
        let StreamEvent::Failed(message) = part else {
            return Broken::Stream(format!("the full node streams out of order: {part:?}"));
        };
        let reason = message.strip_prefix("Address subscription failed: ").unwrap_or(&message);
        let refusal = SubscribeRefusal::of_message(reason.to_owned());
        match refusal.kind {
            SubscribeRefusalKind::Other => {
                Broken::Stream(format!("the full node does not stream: {}", refusal.message))
            }
            _ => refusal.into(),
        }
    }
}
