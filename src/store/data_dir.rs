//! A directory of stores, one file per account.

use super::redb::{RedbStore, blocking};
use super::spending_file::SpendingFile;
use super::{
    AuditHead, AuditLog, Document, DocumentVersion, Documents, NamedStores, Owner, Spending, Store,
    StoreError, Stores, WholeSpending, WholeStore, audit_file, document, spending_file,
};
use crate::limits::{Assessment, Charge, Counted, PaymentId};
use crate::trusted_file::{Role, check_dir};
use crate::wallet::ChangeSet;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How long to wait for a store to be closed.
const CLOSING: Duration = Duration::from_secs(1);
const SUFFIX: &str = "redb";

/// A directory with a [`RedbStore`] for each owner, named after it. The wallets of an account share one.
pub struct DataDir(Arc<Inner>);

struct Inner {
    dir: PathBuf,
    open: Mutex<HashMap<String, Weak<RedbStore>>>,
    audited: Mutex<audit_file::Seen>,
    /// `None` before the first use, and after a failure.
    spending: Mutex<Option<SpendingFile>>,
}

impl DataDir {
    /// Uses `dir`, which is made if need be with access for its owner alone. Files in it are not read yet.
    ///
    /// # Errors
    /// The system's error if the directory can't be made, or why it is not trusted ([`check_dir`]).
    pub fn new(dir: &Path) -> io::Result<Self> {
        Self::used_by(Role::Service, dir)
    }

    /// As [`DataDir::new`], for a server or for a command beside it.
    pub fn used_by(role: Role, dir: &Path) -> io::Result<Self> {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(dir)?;
        check_dir(dir, role)?;
        let (open, audited, spending) = (Mutex::default(), Mutex::default(), Mutex::default());
        Ok(Self(Arc::new(Inner { dir: dir.to_owned(), open, audited, spending })))
    }

    async fn with_dir<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Path) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let inner = self.0.clone();
        blocking(&self.0.dir.display().to_string(), move || work(&inner.dir)).await
    }

    /// Works with the file of spending. A failure closes it, because it is not known what of it is on the
    /// disk.
    async fn with_spending<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut SpendingFile) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let inner = self.0.clone();
        blocking(&self.0.dir.display().to_string(), move || {
            let mut slot = inner.spending.lock().unwrap_or_else(PoisonError::into_inner);
            let mut file = match slot.take() {
                Some(file) => file,
                None => SpendingFile::open(&inner.dir)?,
            };
            let done = work(&mut file)?;
            *slot = Some(file);
            Ok(done)
        })
        .await
    }

    /// The stores' files, sorted.
    pub fn files(dir: &Path) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(dir)? {
            let path = entry?.path();
            if path.extension().is_some_and(|suffix| suffix == SUFFIX) {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }

    /// Whether `dir` has a server's data besides wallets' stores.
    pub fn has_documents_or_logs(dir: &Path) -> bool {
        let mut names = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.file_name());
        let is_of_a_server = |name: OsString| {
            name == audit_file::NAME
                || name == spending_file::NAME
                || Path::new(&name).extension().is_some_and(|suffix| suffix == document::DOCUMENT_SUFFIX)
        };
        names.any(is_of_a_server)
    }
}

#[async_trait::async_trait]
impl Stores for DataDir {
    /// Moves a damaged store aside and makes an empty one: a store is a copy of the ledger.
    async fn open(&self, owner: &Owner) -> Result<(Arc<dyn Store>, ChangeSet), StoreError> {
        let (inner, name) = (self.0.clone(), owner.name());
        let (store, kept) = blocking(&self.0.dir.display().to_string(), move || inner.open(&name)).await?;
        Ok((store, kept))
    }

    fn documents(&self) -> Option<&dyn Documents> {
        Some(self)
    }

    fn spending(&self) -> Option<&dyn Spending> {
        Some(self)
    }

    fn audit_log(&self) -> Option<&dyn AuditLog> {
        Some(self)
    }
}

#[async_trait::async_trait]
impl AuditLog for DataDir {
    async fn append(&self, entry: Map<String, Value>) -> Result<AuditHead, StoreError> {
        let inner = self.0.clone();
        let work = move |dir: &Path| {
            audit_file::append(dir, entry, &mut inner.audited.lock().unwrap_or_else(PoisonError::into_inner))
        };
        self.with_dir(work).await
    }

    async fn head(&self) -> Result<AuditHead, StoreError> {
        self.with_dir(audit_file::head).await
    }

    async fn lines(&self, after: u64, most: usize) -> Result<Vec<String>, StoreError> {
        self.with_dir(move |dir| audit_file::lines(dir, after, most)).await
    }

    async fn has_rest(&self) -> Result<bool, StoreError> {
        self.with_dir(audit_file::has_rest).await
    }

    async fn keep_lines(
        &self,
        before: AuditHead,
        lines: Vec<String>,
        _: AuditHead,
    ) -> Result<bool, StoreError> {
        self.with_dir(move |dir| audit_file::keep_lines(dir, before, &lines)).await
    }
}

#[async_trait::async_trait]
impl Spending for DataDir {
    async fn count(
        &self,
        _: &str,
        id: PaymentId,
        _: u64,
        assessment: &Assessment,
    ) -> Result<Counted, StoreError> {
        let assessment = assessment.clone();
        self.with_spending(move |file| file.count(id, &assessment)).await
    }

    async fn look(&self, id: PaymentId, assessment: &Assessment) -> Result<Counted, StoreError> {
        let assessment = assessment.clone();
        self.with_spending(move |file| Ok(file.look(id, &assessment))).await
    }

    async fn take_back(&self, id: PaymentId, _: u64, charges: &[Charge]) -> Result<(), StoreError> {
        let charges = charges.to_vec();
        self.with_spending(move |file| file.take_back(id, &charges)).await
    }
}

#[async_trait::async_trait]
impl Documents for DataDir {
    async fn read_document(&self, name: &'static str) -> Result<Option<Document>, StoreError> {
        self.with_dir(move |dir| document::read_file(dir, name, true)).await
    }

    async fn document_version(&self, name: &'static str) -> Result<Option<DocumentVersion>, StoreError> {
        let read = self.with_dir(move |dir| document::read_file(dir, name, false)).await?;
        Ok(read.map(|document| document.version))
    }

    async fn replace_document(
        &self,
        name: &'static str,
        before: Option<DocumentVersion>,
        text: &str,
    ) -> Result<bool, StoreError> {
        let text = text.to_owned();
        self.with_dir(move |dir| document::replace_file(dir, name, before, &text)).await
    }
}

#[async_trait::async_trait]
impl NamedStores for DataDir {
    async fn names(&self) -> Result<Vec<String>, StoreError> {
        let dir = self.0.dir.clone();
        let files = Self::files(&dir).map_err(|error| StoreError::Failed {
            place: dir.display().to_string(),
            what: error.to_string(),
        })?;
        Ok(files.iter().filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())).collect())
    }

    async fn open_named(&self, name: &str) -> Result<(Arc<dyn WholeStore>, ChangeSet), StoreError> {
        let (path, name) = (self.0.dir.join(format!("{name}.{SUFFIX}")), name.to_owned());
        let opened = blocking(&self.0.dir.display().to_string(), move || open_whole(&path, &name)).await?;
        Ok((Arc::new(opened.0), opened.1))
    }

    fn all_documents(&self) -> &dyn Documents {
        self
    }

    fn all_audit(&self) -> &dyn AuditLog {
        self
    }

    async fn spent(&self) -> Result<WholeSpending, StoreError> {
        if !self.with_dir(|dir| Ok(SpendingFile::is_there(dir))).await? {
            return Ok(WholeSpending::default());
        }
        self.with_spending(|file| Ok(file.spent())).await
    }

    async fn keep_spent(&self, spent: WholeSpending) -> Result<bool, StoreError> {
        self.with_spending(move |file| file.keep(&spent)).await
    }
}

impl Inner {
    fn open(&self, name: &str) -> Result<(Arc<RedbStore>, ChangeSet), StoreError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = open.get(name).and_then(Weak::upgrade) {
            let kept = store.read()?;
            return Ok((store, kept));
        }
        open.retain(|_, store| store.strong_count() > 0);
        let path = self.dir.join(format!("{name}.{SUFFIX}"));
        let (store, kept) = match open_closed(&path, name) {
            Err(StoreError::Damaged { place, what }) => {
                let aside = path.with_extension("damaged");
                std::fs::rename(&path, &aside)
                    .map_err(|error| StoreError::Failed { place, what: error.to_string() })?;
                tracing::warn!(
                    "store {}: {what}: moved to {}; the history is loaded from the full node",
                    path.display(),
                    aside.display()
                );
                open_whole(&path, name)?
            }
            opened => opened?,
        };
        let store = Arc::new(store);
        open.insert(name.to_owned(), Arc::downgrade(&store));
        Ok((store, kept))
    }
}

/// As [`open_whole`], for a store that its last user in this process may be closing.
fn open_closed(path: &Path, name: &str) -> Result<(RedbStore, ChangeSet), StoreError> {
    let began = Instant::now();
    loop {
        match open_whole(path, name) {
            Err(StoreError::InUse(_)) if began.elapsed() < CLOSING => std::thread::sleep(CLOSING / 100),
            opened => return opened,
        }
    }
}

/// Opens the store and reads every record: damage must be found before the wallet relies on the store.
fn open_whole(path: &Path, name: &str) -> Result<(RedbStore, ChangeSet), StoreError> {
    let store = RedbStore::open(path, name)?;
    let kept = store.read()?;
    Ok((store, kept))
}
