//! Keeping a wallet between starts where JavaScript says so: the option `store`.
//!
//! What is kept are entries of a key and bytes: each vertex under its id, and the rest of the change sets
//! under one more key. Reading them back trusts nothing: entries that are not as they were written are
//! dropped, and the history is loaded anew.

use super::failure::Failure;
use super::js_arg::{JsArg, Method};
use super::push_records::Places;
use crate::ledger::VertexId;
use crate::rt;
use crate::store::{
    Owner, PushRecord, PushRecords, RecordError, Store, StoreError, Stores, decode_changes, decode_vertex,
    encode_changes, encode_vertex,
};
use crate::wallet::ChangeSet;
use js_sys::{Array, Reflect, Uint8Array};
use std::cell::RefCell;
use std::sync::Arc;
use tokio::sync::Mutex;
use wasm_bindgen::prelude::*;

/// The key of what is kept besides vertices. Its record begins with the version of the format.
const COUNTERS: &str = "counters";
/// No record is longer than a transaction with its inputs' outputs can be.
const MAX_RECORD: u32 = 1 << 20;

#[wasm_bindgen]
extern "C" {
    /// A copy that nobody else can change. Unlike the one of `js_sys`, it catches.
    #[wasm_bindgen(js_name = Uint8Array)]
    type Bytes;
    #[wasm_bindgen(constructor, js_class = "Uint8Array", catch)]
    fn copy_of(bytes: &JsValue) -> Result<Bytes, JsValue>;
    #[wasm_bindgen(js_namespace = console, js_name = warn)]
    fn log_warning(what: &JsValue);
}

/// The option `store`: opens a store for each wallet.
pub(super) struct JsStores {
    open: Method,
}

impl JsStores {
    pub(super) fn read(given: &JsArg) -> Result<Self, Failure> {
        Ok(Self { open: given.method("open")? })
    }
}

#[async_trait::async_trait(?Send)]
impl Stores for JsStores {
    async fn open(&self, owner: &Owner) -> Result<(Arc<dyn Store>, ChangeSet), StoreError> {
        let place = owner.name();
        let failed = |what: String| StoreError::Failed { place: place.clone(), what };
        let opened =
            self.open.call(&[place.as_str().into()]).await.map_err(|thrown| failed(reason(&thrown)))?;
        let opened = JsArg::new(opened, "what `open` gives");
        let method = |name| opened.method(name).map_err(|failure| failed(failure.message().to_owned()));
        let store = JsStore {
            place: place.clone(),
            load: method("load")?,
            write: method("write")?,
            close: method("close")?,
            counters: RefCell::default(),
            pushes: RefCell::default(),
            writing: Mutex::default(),
        };
        let kept = match store.load().await {
            Err(StoreError::Damaged { what, .. }) => {
                log_warning(
                    &format!("headless-wallet: store {place}: {what}: the history is loaded anew").into(),
                );
                let anew = ChangeSet { forget: true, ..ChangeSet::default() };
                store.append(&anew).await?;
                ChangeSet::default()
            }
            loaded => loaded?,
        };
        Ok((Arc::new(store), kept))
    }
}

/// One wallet's store; let go when dropped.
struct JsStore {
    place: String,
    load: Method,
    write: Method,
    close: Method,
    /// What was read or written last of everything but vertices.
    counters: RefCell<ChangeSet>,
    pushes: RefCell<Places>,
    /// Held by who writes: what is written next has all of that.
    writing: Mutex<()>,
}

#[async_trait::async_trait(?Send)]
impl Store for JsStore {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        let place = || self.place.clone();
        let entries = self
            .load
            .call(&[])
            .await
            .map_err(|thrown| StoreError::Failed { place: place(), what: reason(&thrown) })?;
        let mut pushes = Places::default();
        let decoded = decode(&entries, &mut pushes);
        // They stay, whatever becomes of the history.
        self.pushes.replace(pushes);
        let changes = decoded.map_err(|error| match error {
            RecordError::Newer(_) => StoreError::Newer { place: place(), error },
            RecordError::Damaged => StoreError::Damaged { place: place(), what: error.to_string() },
        })?;
        self.counters.replace(changes.without_vertices());
        Ok(changes)
    }

    async fn append(&self, changes: &ChangeSet) -> Result<(), StoreError> {
        let _turn = self.writing.lock().await;
        let mut counters = self.counters.borrow().clone();
        counters.merge(changes.without_vertices());
        counters.mark_kept();
        let entries: Array = changes
            .vertices
            .iter()
            .map(|(id, vertex)| entry(&id.to_string(), &encode_vertex(id, vertex)))
            .chain([entry(COUNTERS, &encode_changes(&counters))])
            .collect();
        if changes.forget {
            for (key, bytes) in self.pushes.borrow().entries() {
                entries.push(&entry(&key, &bytes));
            }
        }
        self.write(entries, changes.forget).await?;
        self.counters.replace(counters);
        Ok(())
    }

    fn push_records(&self) -> Option<&dyn PushRecords> {
        Some(self)
    }
}

#[async_trait::async_trait(?Send)]
impl PushRecords for JsStore {
    async fn keep_push_records(&self, records: Vec<PushRecord>) -> Result<(), StoreError> {
        let _turn = self.writing.lock().await;
        let mut pushes = self.pushes.borrow().clone();
        let entries = pushes.keep(records);
        if !entries.is_empty() {
            let entries: Array = entries.iter().map(|(key, bytes)| entry(key, bytes)).collect();
            self.write(entries, false).await?;
        }
        self.pushes.replace(pushes);
        Ok(())
    }

    async fn push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError> {
        self.pushes
            .borrow()
            .get(&key)
            .map_err(|error| StoreError::Damaged { place: self.place.clone(), what: error.to_string() })
    }

    async fn open_pushes(&self) -> Result<Vec<PushRecord>, StoreError> {
        Ok(self.pushes.borrow().open())
    }

    async fn settle(&self, keys: Vec<[u8; 32]>) -> Result<(), StoreError> {
        let settled = |key: &[u8; 32]| {
            let record = self.pushes.borrow().get(key).ok().flatten();
            record.filter(|record| record.is_open).map(|record| PushRecord { is_open: false, ..record })
        };
        self.keep_push_records(keys.iter().filter_map(settled).collect()).await
    }

    async fn withdraw(&self, key: [u8; 32]) -> Result<(), StoreError> {
        self.settle(vec![key]).await
    }
}

impl JsStore {
    async fn write(&self, entries: Array, anew: bool) -> Result<(), StoreError> {
        let written = self.write.call(&[entries.into(), anew.into()]).await;
        written
            .map(drop)
            .map_err(|thrown| StoreError::Failed { place: self.place.clone(), what: reason(&thrown) })
    }
}

impl Drop for JsStore {
    fn drop(&mut self) {
        let close = self.close.clone();
        rt::spawn(async move {
            // Whether it could is of no interest to anybody any more.
            let _ = close.call(&[]).await;
        });
    }
}

fn entry(key: &str, bytes: &[u8]) -> JsValue {
    Array::of2(&key.into(), &Uint8Array::from(bytes)).into()
}

fn decode(entries: &JsValue, pushes: &mut Places) -> Result<ChangeSet, RecordError> {
    let damaged = |_| RecordError::Damaged;
    let (mut changes, mut vertices) = (None, Vec::new());
    for entry in js_sys::try_iter(entries).map_err(damaged)?.ok_or(RecordError::Damaged)? {
        let entry = entry.map_err(damaged)?;
        let part = |at| Reflect::get_u32(&entry, at).map_err(damaged);
        let key = part(0)?.as_string().ok_or(RecordError::Damaged)?;
        let bytes = bytes(&part(1)?).ok_or(RecordError::Damaged)?;
        if key == COUNTERS {
            changes = Some(decode_changes(&bytes)?);
        } else if !pushes.read(&key, &bytes) {
            vertices.push((key.parse().map_err(|_| RecordError::Damaged)?, bytes));
        }
    }
    let Some(mut changes) = changes else {
        // A store that was written to has them.
        return if vertices.is_empty() { Ok(ChangeSet::default()) } else { Err(RecordError::Damaged) };
    };
    for (id, record) in vertices {
        let id: VertexId = id;
        changes.vertices.insert(id, decode_vertex(&id, &record)?);
    }
    Ok(changes)
}

fn bytes(value: &JsValue) -> Option<Vec<u8>> {
    if !value.is_instance_of::<Uint8Array>() {
        return None;
    }
    let bytes: Uint8Array = Bytes::copy_of(value).ok()?.unchecked_into();
    (bytes.length() <= MAX_RECORD).then(|| bytes.to_vec())
}

/// Why the caller's code threw.
pub(super) fn reason(thrown: &JsValue) -> String {
    let message = Reflect::get(thrown, &"message".into()).ok().and_then(|message| message.as_string());
    message.or_else(|| thrown.as_string()).unwrap_or_else(|| "it failed and gave no reason".to_owned())
}
