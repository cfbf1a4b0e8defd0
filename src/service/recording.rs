//! Records of what is about to be pushed, on their way to the store and back: many at once when many wait.

use crate::store::{PushRecord, PushRecords, StoreError};
use tokio::sync::oneshot;

/// What is asked of the store, and whom to tell.
pub(super) enum Ask {
    Keep(PushRecord, oneshot::Sender<Result<(), StoreError>>),
    Look([u8; 32], oneshot::Sender<Result<Option<PushRecord>, StoreError>>),
}

/// What is asked and not answered yet.
#[derive(Default)]
pub(super) struct Asked(Vec<Ask>);

impl Asked {
    pub(super) fn add(&mut self, ask: Ask) {
        self.0.push(ask);
    }

    /// Keeps all records that wait in one go, then answers the questions. Who asked may be gone.
    pub(super) async fn settle(&mut self, records: Option<&dyn PushRecords>) {
        let Some(records) = records.filter(|_| !self.0.is_empty()) else { return };
        let (mut news, mut told, mut looks) = (Vec::new(), Vec::new(), Vec::new());
        for ask in self.0.drain(..) {
            match ask {
                Ask::Keep(record, answer) => {
                    news.push(record);
                    told.push(answer);
                }
                Ask::Look(key, answer) => looks.push((key, answer)),
            }
        }
        if !news.is_empty() {
            let kept = records.keep_push_records(news).await;
            told.into_iter().for_each(|answer| drop(answer.send(kept.clone())));
        }
        for (key, answer) in looks {
            let _ = answer.send(records.push_record(key).await);
        }
    }
}
