//! Time, tasks and Unicode: the only file that says how native and wasm32 differ in them.
//!
//! Native runs on tokio, wasm32 on the event loop of the page or of Node.
//!
//! ```no_run
//! # async fn example() {
//! use headless_wallet::rt;
//! use std::time::Duration;
//!
//! let task = rt::spawn(async { rt::sleep(Duration::from_secs(3600)).await });
//! let answer = rt::timeout(Duration::from_millis(50), async { 42 }).await;
//! assert_eq!(answer, Ok(42));
//! task.abort();
//! # }
//! ```

use futures_util::future::{AbortHandle, Either, abortable, select};
use std::borrow::Cow;
use std::future::Future;
use std::ops::{ControlFlow, Range};
use std::pin::pin;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
#[cfg(not(target_arch = "wasm32"))]
use tokio::sync::Semaphore;
use tokio::sync::oneshot;
use tracing::Instrument;

#[cfg(not(target_arch = "wasm32"))]
pub use tokio::time::Instant;
#[cfg(target_arch = "wasm32")]
pub use web_time::Instant;

/// `Send` where tasks move between threads, nothing on wasm32, where there is one thread and JS values can't
/// move.
#[cfg(not(target_arch = "wasm32"))]
pub trait SendOutsideWasm: Send {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: Send> SendOutsideWasm for T {}

/// `Send` where tasks move between threads, nothing on wasm32, where there is one thread and JS values can't
/// move.
#[cfg(target_arch = "wasm32")]
pub trait SendOutsideWasm {}
#[cfg(target_arch = "wasm32")]
impl<T> SendOutsideWasm for T {}

/// `Sync` where tasks move between threads, nothing on wasm32.
#[cfg(not(target_arch = "wasm32"))]
pub trait SyncOutsideWasm: Sync {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: Sync + ?Sized> SyncOutsideWasm for T {}
/// `Sync` where tasks move between threads, nothing on wasm32.
#[cfg(target_arch = "wasm32")]
pub trait SyncOutsideWasm {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> SyncOutsideWasm for T {}

/// A boxed future; `Send` except on wasm32.
#[cfg(not(target_arch = "wasm32"))]
pub type BoxFuture<'a, T> = futures_util::future::BoxFuture<'a, T>;
/// A boxed future; `Send` except on wasm32.
#[cfg(target_arch = "wasm32")]
pub type BoxFuture<'a, T> = futures_util::future::LocalBoxFuture<'a, T>;

/// Whether a page has to load the code, so that each kilobyte counts for more than speed.
pub const MUST_BE_SMALL: bool = cfg!(target_arch = "wasm32");

/// The time was up before the future was ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the time was up")]
pub struct Elapsed;

/// Waits. The clock is a monotonic one.
pub async fn sleep(duration: Duration) {
    #[cfg(not(target_arch = "wasm32"))]
    tokio::time::sleep(duration).await;
    // `setTimeout` takes milliseconds in an i32, and treats more as none.
    #[cfg(target_arch = "wasm32")]
    gloo_timers::future::TimeoutFuture::new(duration.as_millis().min(i32::MAX as u128) as u32).await;
}

/// What `future` gives, unless that takes longer than `limit`; then it is dropped.
///
/// # Errors
/// [`Elapsed`] once `limit` has passed.
pub async fn timeout<F: Future>(limit: Duration, future: F) -> Result<F::Output, Elapsed> {
    match select(pin!(future), pin!(sleep(limit))).await {
        Either::Left((output, _)) => Ok(output),
        Either::Right(((), _)) => Err(Elapsed),
    }
}

/// A task that was started with [`spawn`]. Dropping the handle leaves the task running.
#[derive(Clone, Debug)]
pub struct TaskHandle(AbortHandle);

impl TaskHandle {
    /// Ends the task where it waits next; its future is dropped soon after.
    pub fn abort(&self) {
        self.0.abort();
    }
}

/// Starts a task beside the caller's. Natively it must be called within a tokio runtime.
pub fn spawn<F>(future: F) -> TaskHandle
where
    F: Future<Output = ()> + SendOutsideWasm + 'static,
{
    // In a box, what follows is the same code for all tasks.
    #[cfg(target_arch = "wasm32")]
    let future: BoxFuture<'static, ()> = Box::pin(future);
    let (task, handle) = abortable(future);
    let task = async {
        let _ = task.await;
    };
    #[cfg(not(target_arch = "wasm32"))]
    tokio::spawn(task);
    #[cfg(target_arch = "wasm32")]
    wasm_bindgen_futures::spawn_local(task);
    TaskHandle(handle)
}

/// What `work` gives, which goes on to its end in a task of its own if the caller goes away. `None` if it
/// panicked. The work is boxed: it may be large, and what follows is the same code for all work.
pub async fn detached<T: SendOutsideWasm + 'static>(work: BoxFuture<'static, T>) -> Option<T> {
    let (answer, outcome) = oneshot::channel();
    let work = async move {
        // The caller may be gone.
        let _ = answer.send(work.await);
    };
    spawn(work.in_current_span());
    outcome.await.ok()
}

/// Does a work in a thread of its own, which nothing else of the process holds up.
///
/// # Errors
/// If the system gives the process no more threads: then nothing is done.
#[cfg(feature = "native")]
pub fn on_own_thread<F>(name: &str, work: F) -> std::io::Result<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let thread = std::thread::Builder::new().name(name.to_owned());
    thread.spawn(move || runtime.block_on(work)).map(drop)
}

/// Starts a task whose work may as well not be done: without a runtime (in a `drop` after its end, say)
/// nothing happens.
pub fn spawn_if_possible<F>(future: F)
where
    F: Future<Output = ()> + SendOutsideWasm + 'static,
{
    #[cfg(not(target_arch = "wasm32"))]
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn(future);
    }
    #[cfg(target_arch = "wasm32")]
    wasm_bindgen_futures::spawn_local(future);
}

/// What `work` gives for the parts of a range, one after the other. Natively the parts are worked on at the
/// same time, by as many threads as there are cores and parts of `least`; the caller waits.
pub fn parallel_map<T, F>(range: Range<u32>, least: u32, work: F) -> Vec<T>
where
    T: Send,
    F: Fn(Range<u32>) -> Vec<T> + Sync,
{
    #[cfg(not(target_arch = "wasm32"))]
    {
        let len = range.end.saturating_sub(range.start);
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let threads = if len < 2 * least { 1 } else { cores().min(len / least) };
        if threads > 1 {
            let (work, size) = (&work, len.div_ceil(threads));
            return std::thread::scope(|scope| {
                let parts: Vec<_> = range
                    .clone()
                    .step_by(size as usize)
                    .map(|start| scope.spawn(move || work(start..range.end.min(start.saturating_add(size)))))
                    .collect();
                let joined = parts.into_iter().map(|part| part.join());
                joined
                    .flat_map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                    .collect()
            });
        }
    }
    #[cfg(target_arch = "wasm32")]
    let _ = least;
    work(range)
}

/// Calculates what nobody waits for, or for long: natively on a thread for such work, as soon as there is
/// one, on wasm32 at once, after letting the event loop turn. Calculations should be cut into pieces of some
/// ten milliseconds, for the sake of wasm32. What a request waits for is for [`offload`].
pub async fn in_background<T, F>(work: F) -> T
where
    T: SendOutsideWasm + 'static,
    F: FnOnce() -> T + SendOutsideWasm + 'static,
{
    #[cfg(not(target_arch = "wasm32"))]
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(failure) => match failure.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // Only a runtime that shuts down cancels such work, and then nobody waits for it any more.
            Err(_) => std::future::pending().await,
        },
    }
    #[cfg(target_arch = "wasm32")]
    {
        sleep(Duration::ZERO).await;
        work()
    }
}

/// Whose part of the processors a calculation takes: no send waits for what others read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuShare {
    Sends,
    Reads,
}

/// Calculates what a request waits for and what takes more than a few milliseconds, without holding up the
/// threads that answer others. Natively as many such calculations go on at a time as there are cores, of
/// sends and of reads: a crowd of them waits for itself alone. A runtime of one thread has no other to go on
/// with.
pub async fn offload<T>(share: CpuShare, work: impl FnOnce() -> T) -> T {
    #[cfg(not(target_arch = "wasm32"))]
    {
        use tokio::runtime::{Handle, RuntimeFlavor};
        static SHARES: LazyLock<[Semaphore; 2]> = LazyLock::new(|| [(); 2].map(|()| Semaphore::new(cores())));
        let _place = SHARES[share as usize].acquire().await.expect("the semaphore is never closed");
        match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
            Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
            _ => work(),
        }
    }
    // There is one thread, and whoever waits is its only user: each call that waited would be a state
    // machine.
    #[cfg(target_arch = "wasm32")]
    {
        let _ = share;
        work()
    }
}

/// How many calculations can go on at once.
pub fn cores() -> usize {
    #[cfg(not(target_arch = "wasm32"))]
    return std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(target_arch = "wasm32")]
    1
}

/// Tries pieces 0, 1, 2 and so on, in no strict order, until one of them breaks: with what was looked for, or
/// with `None` to give up.
///
/// Natively this takes all cores, on threads that give way to all other work where the system has such
/// (Linux); searches take turns. On wasm32 it takes the one thread, and the event loop turns after each
/// piece. Stops soon after the future is dropped. A piece should take some ten milliseconds.
pub async fn search<T, F>(try_piece: F) -> Option<T>
where
    T: Send + 'static,
    F: Fn(u64) -> ControlFlow<Option<T>> + Send + Sync + 'static,
{
    #[cfg(not(target_arch = "wasm32"))]
    return background::search(try_piece).await;
    #[cfg(target_arch = "wasm32")]
    {
        for piece in 0.. {
            sleep(Duration::ZERO).await;
            if let ControlFlow::Break(found) = try_piece(piece) {
                return found;
            }
        }
        None
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod background {
    use std::ops::ControlFlow;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use tokio::sync::{Semaphore, mpsc};

    /// Two searches at once would only make each other slower.
    static TURN: Semaphore = Semaphore::const_new(1);

    struct Shared<F> {
        try_piece: F,
        next: AtomicU64,
        over: AtomicBool,
    }

    struct EndOnDrop<F>(Arc<Shared<F>>);

    impl<F> Drop for EndOnDrop<F> {
        fn drop(&mut self) {
            self.0.over.store(true, Ordering::Relaxed);
        }
    }

    pub(super) async fn search<T, F>(try_piece: F) -> Option<T>
    where
        T: Send + 'static,
        F: Fn(u64) -> ControlFlow<Option<T>> + Send + Sync + 'static,
    {
        let _turn = TURN.acquire().await.expect("the semaphore is never closed");
        let shared = Arc::new(Shared { try_piece, next: AtomicU64::new(0), over: AtomicBool::new(false) });
        let _end = EndOnDrop(shared.clone());
        let (sender, mut results) = mpsc::unbounded_channel();
        for _ in 0..super::cores() {
            let (shared, sender) = (shared.clone(), sender.clone());
            // With fewer threads it takes longer; with none there is no result.
            let _ = std::thread::Builder::new().name("search".to_owned()).spawn(move || {
                give_way();
                while !shared.over.load(Ordering::Relaxed) {
                    let piece = shared.next.fetch_add(1, Ordering::Relaxed);
                    if let ControlFlow::Break(found) = (shared.try_piece)(piece) {
                        // Nobody may be waiting any more.
                        let _ = sender.send(found);
                        return;
                    }
                }
            });
        }
        drop(sender);
        results.recv().await.flatten()
    }

    /// Lets everything else on the machine go first.
    fn give_way() {
        // On Linux this is of the calling thread alone. Where it is forbidden, the search goes on as it is.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::setpriority_process(None, 19);
    }
}

/// Random bytes, if the system has any. Not for secrets.
pub fn random<const N: usize>() -> Option<[u8; N]> {
    #[cfg(test)]
    if SIMULATED_MILLIS.get().is_some() {
        return Some(simulated_random());
    }
    let mut random = [0; N];
    getrandom::fill(&mut random).is_ok().then_some(random)
}

#[cfg(test)]
fn simulated_random<const N: usize>() -> [u8; N] {
    let count = SIMULATED_COUNT.get() + 1;
    SIMULATED_COUNT.set(count);
    let mut bytes = [0; N];
    bytes.iter_mut().zip(count.to_le_bytes()).for_each(|(byte, random)| *byte = random);
    bytes
}

/// How far this process takes the machine's clock to be wrong, in milliseconds.
static SHIFT: AtomicI64 = AtomicI64::new(0);

/// From now on the time is `seconds` later than the machine's clock shows, or earlier, in all of this
/// process: as if somebody had set the clock. For trying out what happens then.
pub fn shift_clock(seconds: i32) {
    SHIFT.store(i64::from(seconds) * 1000, Ordering::Relaxed);
}

#[cfg(test)]
thread_local! {
    /// The time in a simulation, in milliseconds since 1970.
    pub(crate) static SIMULATED_MILLIS: std::cell::Cell<Option<u64>> = const { std::cell::Cell::new(None) };
    /// How many random numbers a simulation has had.
    pub(crate) static SIMULATED_COUNT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Milliseconds since 1970.
pub fn unix_millis() -> u64 {
    #[cfg(test)]
    if let Some(millis) = SIMULATED_MILLIS.get() {
        return millis;
    }
    let since_1970 = web_time::SystemTime::now().duration_since(web_time::UNIX_EPOCH).unwrap_or_default();
    let millis = u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX);
    millis.saturating_add_signed(SHIFT.load(Ordering::Relaxed))
}

/// Seconds since 1970, as the ledger counts time (32 bits, until 2106).
pub fn unix_seconds() -> u32 {
    u32::try_from(unix_millis() / 1000).unwrap_or(u32::MAX)
}

/// A time for people, in seconds: `10`, `0.25`. Not by floating point, whose texts take a lot of code.
pub fn in_seconds(time: Duration) -> String {
    let thousandths = format!(".{:03}", time.subsec_millis());
    format!("{}{}", time.as_secs(), thousandths.trim_end_matches('0').trim_end_matches('.'))
}

/// The finite number that a JSON value is, or `None`. JavaScript reads it by itself, which takes tables of 15
/// kB otherwise.
pub fn parse_float(json: &str) -> Option<f64> {
    #[cfg(not(target_arch = "wasm32"))]
    let number: f64 = json.parse().ok()?;
    #[cfg(target_arch = "wasm32")]
    let number = js_sys::parse_float(json);
    number.is_finite().then_some(number)
}

/// A number as a text. JavaScript writes it by itself, which takes 20 kB of code otherwise.
pub fn float_text(number: f64) -> String {
    // As JavaScript does: no hundreds of zeros.
    #[cfg(not(target_arch = "wasm32"))]
    return if number.abs() < 1e21 { number.to_string() } else { format!("{number:e}") };
    #[cfg(target_arch = "wasm32")]
    js_sys::Number::from(number).to_string_with_radix(10).map_or_else(|_| String::new(), String::from)
}

/// The logarithm to base 2, exact to the last digit or nearly. JavaScript has it at hand.
pub fn log2(number: f64) -> f64 {
    #[cfg(not(target_arch = "wasm32"))]
    return number.log2();
    #[cfg(target_arch = "wasm32")]
    js_sys::Math::log2(number)
}

/// 2 to the power of a number, as full nodes reckon it (`2**x`). JavaScript has it at hand.
pub fn exp2(number: f64) -> f64 {
    #[cfg(not(target_arch = "wasm32"))]
    return 2f64.powf(number);
    #[cfg(target_arch = "wasm32")]
    js_sys::Math::pow(2.0, number)
}

/// `text` in the Unicode normalization form NFKD. JavaScript has the tables for that at hand, 115 kB of them.
pub fn nfkd(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        Cow::Owned(unicode_normalization::UnicodeNormalization::nfkd(text).collect())
    }
    #[cfg(target_arch = "wasm32")]
    {
        Cow::Owned(js_sys::JsString::from(text).normalize("NFKD").into())
    }
}
