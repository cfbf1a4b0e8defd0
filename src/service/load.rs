//! Loading a wallet's history by pages.

use super::sync::{Broken, Session};
use crate::ledger::{Address, VertexId};
use crate::rt;
use std::collections::HashSet;

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
            while let Some(page) = self.beside_events(pages.next()).await?? {
                for vertex in page {
                    seen.insert(vertex.id);
                    self.learn(vertex);
                }
                self.tell_progress(range.start + pages.addresses_done());
            }
            self.watched = range.end;
            seen.extend(self.told.ids());
            self.apply_told();
            self.tell_progress(self.watched);
        }
    }

    /// Subscribes to addresses. Whatever happens on them from the return of this on is told, so that nothing falls between a history
    /// and the first event.
    pub(super) async fn subscribe(&mut self, addresses: &[Address]) -> Result<(), Broken> {
        addresses.iter().for_each(|address| self.line.subscribe(address));
        self.unanswered += addresses.len();
        while self.unanswered > 0 {
            let (node, before) = (self.node, self.unanswered);
            let answer = async {
                while self.unanswered == before {
                    let next = self.line.recv().await;
                    self.take_next(next)?;
                }
                Ok::<_, Broken>(())
            };
            // The connection may be well, and the node say nothing to this.
            match rt::timeout(node.read_limit(), answer).await {
                Ok(answered) => answered?,
                Err(rt::Elapsed) => self.take_next(Err(node.no_answer_on_socket()))?,
            }
        }
        Ok(())
    }

    /// What `work` gives, while events are taken.
    pub(super) async fn beside_events<T>(&mut self, work: impl Future<Output = T>) -> Result<T, Broken> {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return Ok(done),
                event = self.line.recv() => self.take_next(event)?,
            }
        }
    }
}
