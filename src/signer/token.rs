//! A PKCS#11 token: its location, its PIN, and its module.

use crate::trusted_file;
use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error, RvError};
use cryptoki::session::{Session, UserType};
use cryptoki::slot::Slot;
use secrecy::{ExposeSecret, SecretString};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{env, thread};
use tokio::sync::oneshot;
use tokio::time::timeout;
use zeroize::Zeroizing;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenPlace {
    /// The setting's name, at the beginning of errors: `[signers.vault]`.
    pub given_by: String,
    /// The PKCS#11 library of the token's vendor.
    pub module: PathBuf,
    pub token: TokenName,
    pub pin: PinSource,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenName {
    Label(String),
    Slot(u64),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PinSource {
    /// `/dev/fd/3` is file descriptor 3.
    File(PathBuf),
    Variable(String),
    /// In the directory of the service's systemd credentials.
    Credential(String),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("{0}")]
    Unusable(String),
    #[error("{0}")]
    Pin(String),
    #[error(
        "{given_by}: the token has no keys labelled {label:?}: `headless-wallet signer token-keys add` makes some"
    )]
    NoKeys { given_by: String, label: String },
    #[error("{0}")]
    Keys(String),
    #[error("{0}")]
    Slow(String),
}

impl TokenPlace {
    pub(super) fn unusable(&self, what: impl std::fmt::Display) -> TokenError {
        TokenError::Unusable(format!("{}: {what}", self.given_by))
    }

    pub(super) fn read_pin(&self) -> Result<SecretString, TokenError> {
        let read = |path: &Path| trusted_file::read(path).map_err(|error| error.to_string());
        let text = match &self.pin {
            PinSource::File(path) => read(path),
            PinSource::Variable(name) => {
                env::var(name).map(Zeroizing::new).map_err(|_| "it is not set".to_owned())
            }
            PinSource::Credential(name) => match env::var_os("CREDENTIALS_DIRECTORY") {
                Some(directory) => read(&Path::new(&directory).join(name)),
                None => Err("systemd gave no credentials: the service lacks LoadCredential".to_owned()),
            },
        };
        let mut text = text.map_err(|error| self.no_pin(&error))?;
        let length = text.trim_end_matches(['\r', '\n']).len();
        text.truncate(length);
        match &**text {
            "" => Err(self.no_pin("it is empty")),
            pin => Ok(SecretString::from(pin)),
        }
    }

    fn no_pin(&self, why: &str) -> TokenError {
        TokenError::Pin(format!(
            "{}: the PIN can't be read from {}: {why}",
            self.given_by,
            self.pin.description()
        ))
    }

    pub(super) fn wrong_pin(&self) -> TokenError {
        TokenError::Pin(format!(
            "{}: the token refuses the PIN, and it is not tried again, since that would lock the token: put the right one at {}",
            self.given_by,
            self.pin.description()
        ))
    }

    pub(super) fn locked(&self) -> TokenError {
        TokenError::Pin(format!(
            "{}: the token's PIN is locked after wrong ones: have its security officer set a new one, and put that at {}",
            self.given_by,
            self.pin.description()
        ))
    }

    pub(super) fn final_try(&self) -> TokenError {
        TokenError::Pin(format!(
            "{}: after another wrong PIN the token locks itself, so none is tried: log in by its vendor's tool with the right one, \
             and put that at {}",
            self.given_by,
            self.pin.description()
        ))
    }
}

impl PinSource {
    /// By the names of settings.
    fn description(&self) -> String {
        match self {
            Self::File(path) => format!("`pin_file` {}", path.display()),
            Self::Variable(name) => format!("`pin_env` {name}"),
            Self::Credential(name) => format!("`pin_credential` {name}"),
        }
    }
}

impl std::fmt::Display for TokenName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Label(label) => write!(f, "`token` {label:?}"),
            Self::Slot(slot) => write!(f, "`slot` {slot}"),
        }
    }
}

// Each PKCS#11 module has one thread that does all its work, one request at a time: not every module supports
// more, and one that hangs blocks nothing else.

const MOST_WAITING: usize = 64;

type Job = Box<dyn FnOnce(&mut Module) + Send>;

/// A module may be initialized only once per process, however many wallets use it.
static MODULES: Mutex<BTreeMap<PathBuf, SyncSender<Job>>> = Mutex::new(BTreeMap::new());

/// Whether a failure is worth another try with a newly initialized module.
pub(super) enum Failure {
    Module(Error),
    Token(TokenError),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Module(error)
    }
}

impl From<TokenError> for Failure {
    fn from(error: TokenError) -> Self {
        Self::Token(error)
    }
}

/// Whether the token is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Access {
    Read,
    Write,
}

/// Does `work` in a session that is logged in, and again in a new one if that fails: the token may have been
/// away.
///
/// # Errors
/// [`TokenError`], within `patience`.
/// [`TokenError`]; it says so within `patience`.
pub(super) async fn with_session<T: Send + 'static>(
    place: &TokenPlace,
    (access, patience): (Access, Duration),
    work: impl Fn(&Session) -> Result<T, Failure> + Send + 'static,
) -> Result<T, TokenError> {
    let (reply, answer) = oneshot::channel();
    let asked = place.clone();
    let job = move |module: &mut Module| {
        // The caller is gone.
        if !reply.is_closed() {
            // The caller may have gone since.
            let _ = reply.send(module.with_session(&asked, access, &work));
        }
    };
    let slow = || {
        TokenError::Slow(format!(
            "{}: the token did not answer within {} s: `module` {} hangs, or the device behind it does",
            place.given_by,
            patience.as_secs_f64(),
            place.module.display()
        ))
    };
    match thread_of(&place.module)?.try_send(Box::new(job)) {
        Ok(()) => {}
        Err(TrySendError::Full(_)) => return Err(slow()),
        Err(TrySendError::Disconnected(_)) => {
            // The next request gets a new one.
            MODULES.lock().unwrap_or_else(PoisonError::into_inner).remove(&place.module);
            return Err(place.unusable("the module's thread ended"));
        }
    }
    match timeout(patience, answer).await {
        Ok(Ok(done)) => done,
        Ok(Err(_)) => Err(place.unusable("the module's thread ended")),
        Err(_) => Err(slow()),
    }
}

fn thread_of(path: &Path) -> Result<SyncSender<Job>, TokenError> {
    let mut modules = MODULES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(jobs) = modules.get(path) {
        return Ok(jobs.clone());
    }
    let (jobs, todo) = sync_channel::<Job>(MOST_WAITING);
    let work = move || {
        let mut module = Module::default();
        todo.into_iter().for_each(|job| job(&mut module));
    };
    let thread = thread::Builder::new().name("pkcs11".to_owned()).spawn(work);
    thread.map_err(|error| TokenError::Unusable(format!("no thread can be had: {error}")))?;
    modules.insert(path.to_owned(), jobs.clone());
    Ok(jobs)
}

#[derive(Default)]
struct Module {
    /// Never unloaded: modules leave threads and handlers behind.
    library: Option<Pkcs11>,
    initialized: bool,
    sessions: BTreeMap<(TokenName, Access), Session>,
    /// Accepted PINs: a pipe can't be read again.
    pins: BTreeMap<TokenName, SecretString>,
    /// The last PIN that a token refused, by the token's serial number.
    refused: BTreeMap<String, SecretString>,
}

impl Module {
    fn with_session<T>(
        &mut self,
        place: &TokenPlace,
        access: Access,
        work: &impl Fn(&Session) -> Result<T, Failure>,
    ) -> Result<T, TokenError> {
        match self.try_with_session(place, access, work) {
            Ok(done) => return Ok(done),
            Err(Failure::Token(error @ TokenError::Pin(_))) => return Err(error),
            Err(_) => self.begin_anew(),
        }
        self.try_with_session(place, access, work).map_err(|failure| match failure {
            Failure::Token(error) => error,
            Failure::Module(error) => {
                self.begin_anew();
                place.unusable(format!("the token can't be used: {error}"))
            }
        })
    }

    fn try_with_session<T>(
        &mut self,
        place: &TokenPlace,
        access: Access,
        work: &impl Fn(&Session) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let name = (place.token.clone(), access);
        if !self.sessions.contains_key(&name) {
            let session = self.open(place, access)?;
            self.sessions.insert(name.clone(), session);
        }
        work(&self.sessions[&name])
    }

    fn open(&mut self, place: &TokenPlace, access: Access) -> Result<Session, Failure> {
        let library = self.library(place)?;
        let slot = find(&library, place)?;
        let token = library.get_token_info(slot)?;
        let session = match access {
            Access::Read => library.open_ro_session(slot)?,
            Access::Write => library.open_rw_session(slot)?,
        };
        if !token.login_required() {
            return Ok(session);
        }
        if token.user_pin_locked() {
            return Err(place.locked().into());
        }
        let pin = match self.pins.get(&place.token) {
            Some(pin) => pin.clone(),
            None => place.read_pin()?,
        };
        let is_refused = |refused: &SecretString| refused.expose_secret() == pin.expose_secret();
        if self.refused.get(token.serial_number()).is_some_and(is_refused) {
            return Err(place.wrong_pin().into());
        }
        if token.user_pin_final_try() {
            return Err(place.final_try().into());
        }
        match session.login(UserType::User, Some(&pin)) {
            // One login counts for all sessions of the process.
            Ok(()) | Err(Error::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => {
                self.pins.insert(place.token.clone(), pin);
                Ok(session)
            }
            Err(Error::Pkcs11(RvError::PinIncorrect | RvError::PinInvalid | RvError::PinLenRange, _)) => {
                self.pins.remove(&place.token);
                self.refused.insert(token.serial_number().to_owned(), pin);
                Err(place.wrong_pin().into())
            }
            Err(Error::Pkcs11(RvError::PinLocked, _)) => Err(place.locked().into()),
            Err(error) => Err(error.into()),
        }
    }

    fn library(&mut self, place: &TokenPlace) -> Result<Pkcs11, Failure> {
        let library = match &self.library {
            Some(library) => library.clone(),
            None => {
                let unusable = |why: String| {
                    place.unusable(format!("`module` {} can't be loaded: {why}", place.module.display()))
                };
                // The system's directories are searched for a bare name.
                if place.module.components().count() > 1 {
                    trusted_file::open(&place.module).map_err(|error| unusable(error.to_string()))?;
                }
                let loaded = Pkcs11::new(&place.module).map_err(|error| {
                    unusable(format!("{error}: it must be the PKCS#11 library of the token's vendor"))
                })?;
                self.library.insert(loaded).clone()
            }
        };
        if !self.initialized {
            match library.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)) {
                Ok(()) | Err(Error::Pkcs11(RvError::CryptokiAlreadyInitialized, _)) => {}
                Err(error) => {
                    let module = place.module.display();
                    let text = format!("`module` {module} can't be initialised: {error}");
                    return Err(place.unusable(text).into());
                }
            }
            self.initialized = true;
        }
        Ok(library)
    }

    /// Initializes the module anew: some find a returned token in no other way.
    fn begin_anew(&mut self) {
        self.sessions.clear();
        if let Some(library) = self.library.clone().filter(|_| self.initialized) {
            // It may fail in a broken module; there is nothing else to do.
            let _ = library.finalize();
        }
        self.initialized = false;
    }
}

fn find(library: &Pkcs11, place: &TokenPlace) -> Result<Slot, Failure> {
    let mut there = Vec::new();
    let mut found = Vec::new();
    for slot in library.get_slots_with_initialized_token()? {
        let label = library.get_token_info(slot)?.label().to_owned();
        let is_it = match &place.token {
            TokenName::Label(wanted) => label == *wanted,
            TokenName::Slot(number) => slot.id() == *number,
        };
        if is_it {
            found.push(slot);
        }
        there.push(format!("{label:?} (slot {})", slot.id()));
    }
    match found[..] {
        [slot] => Ok(slot),
        [] if there.is_empty() => {
            Err(place.unusable(format!("{} is not there: the module sees no token", place.token)).into())
        }
        [] => {
            let there = there.join(", ");
            Err(place.unusable(format!("{} is not there: the module sees {there}", place.token)).into())
        }
        _ => Err(place.unusable(format!("{} is there twice: give its `slot`", place.token)).into()),
    }
}
