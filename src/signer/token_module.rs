//! Modules of PKCS#11, each with one thread of its own that does all that it is asked, one after the other:
//! not every module bears more, and one that hangs holds up nothing else.

use super::token::{TokenError, TokenName, TokenPlace};
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
use std::thread;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Most questions that wait for a module.
const MOST_WAITING: usize = 64;

type Job = Box<dyn FnOnce(&mut Module) + Send>;

/// A module may be initialised once in a process, whatever wallets use it.
static MODULES: Mutex<BTreeMap<PathBuf, SyncSender<Job>>> = Mutex::new(BTreeMap::new());

/// Why something did not work; what is worth another try with a module that begins anew, and what is not.
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

/// Whether something is written to the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Access {
    Read,
    Write,
}

/// Does `work` in a session that is logged in, again in a new one if the first time fails: the token may have
/// been away.
///
/// # Errors
/// [`TokenError`]; it says so within `patience`.
pub(super) async fn with_session<T: Send + 'static>(
    place: &TokenPlace,
    (access, patience): (Access, Duration),
    work: impl Fn(&Session) -> Result<T, Failure> + Send + 'static,
) -> Result<T, TokenError> {
    let (reply, answer) = oneshot::channel();
    let asked = place.clone();
    let job = move |module: &mut Module| {
        // Whoever asked is gone.
        if !reply.is_closed() {
            // It may have gone since: then nobody wants to know.
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
            // The next one who asks gets a new one.
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
    /// PINs that were accepted: what was read from a pipe can't be read again.
    pins: BTreeMap<TokenName, SecretString>,
    /// The last PIN that a token refused, by its serial number: another in its place counts for itself.
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
            // One login holds for all sessions of the process.
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
                // A bare name is looked for in the system's directories.
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

    /// Forgets everything that the module knew: some find a token that came back in no other way.
    fn begin_anew(&mut self) {
        self.sessions.clear();
        if let Some(library) = self.library.clone().filter(|_| self.initialized) {
            // Of one that is in disorder nothing better can be had.
            let _ = library.finalize();
        }
        self.initialized = false;
    }
}

/// The slot that the token is in.
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
