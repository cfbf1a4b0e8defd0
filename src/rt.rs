//! Time, tasks and Unicode: the only file with the differences between native and wasm32.
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

/// `Send` where tasks move between threads; nothing on wasm32, which has one thread and JS values that can't
/// move.
#[cfg(not(target_arch = "wasm32"))]
pub trait SendOutsideWasm: Send {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: Send> SendOutsideWasm for T {}

#[cfg(target_arch = "wasm32")]
pub trait SendOutsideWasm {}
#[cfg(target_arch = "wasm32")]
impl<T> SendOutsideWasm for T {}

/// `Sync` where tasks move between threads; nothing on wasm32.
#[cfg(not(target_arch = "wasm32"))]
pub trait SyncOutsideWasm: Sync {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: Sync + ?Sized> SyncOutsideWasm for T {}
#[cfg(target_arch = "wasm32")]
pub trait SyncOutsideWasm {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> SyncOutsideWasm for T {}

/// `Send` except on wasm32.
#[cfg(not(target_arch = "wasm32"))]
pub type BoxFuture<'a, T> = futures_util::future::BoxFuture<'a, T>;
#[cfg(target_arch = "wasm32")]
pub type BoxFuture<'a, T> = futures_util::future::LocalBoxFuture<'a, T>;

/// Whether a page loads the code, so that each kilobyte matters more than speed.
pub const MUST_BE_SMALL: bool = cfg!(target_arch = "wasm32");

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the time was up")]
pub struct Elapsed;

/// By a monotonic clock.
pub async fn sleep(duration: Duration) {
    #[cfg(not(target_arch = "wasm32"))]
    tokio::time::sleep(duration).await;
    // `setTimeout` takes milliseconds in an i32, and treats more as none.
    #[cfg(target_arch = "wasm32")]
    gloo_timers::future::TimeoutFuture::new(duration.as_millis().min(i32::MAX as u128) as u32).await;
}

/// Awaits `future` for at most `limit`, then drops it.
pub async fn timeout<F: Future>(limit: Duration, future: F) -> Result<F::Output, Elapsed> {
    match select(pin!(future), pin!(sleep(limit))).await {
        Either::Left((output, _)) => Ok(output),
        Either::Right(((), _)) => Err(Elapsed),
    }
}

/// A task of [`spawn`], which continues if the handle is dropped.
#[derive(Clone, Debug)]
pub struct TaskHandle(AbortHandle);

impl TaskHandle {
    /// Ends the task at its next await; its future is dropped soon after.
    pub fn abort(&self) {
        self.0.abort();
    }
}

/// Natively it must be called within a tokio runtime.
pub fn spawn<F>(future: F) -> TaskHandle
where
    F: Future<Output = ()> + SendOutsideWasm + 'static,
{
    // Boxed, so that the rest is the same code for all tasks.
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

/// Awaits `work`, which continues in a task of its own if the caller goes away. `None` if it panicked. Boxed,
/// because it may be large, and so that this is the same code for all work.
pub async fn detached<T: SendOutsideWasm + 'static>(work: BoxFuture<'static, T>) -> Option<T> {
    let (answer, outcome) = oneshot::channel();
    let work = async move {
        // The caller may be gone.
        let _ = answer.send(work.await);
    };
    spawn(work.in_current_span());
    outcome.await.ok()
}

/// Runs work on a thread of its own, which nothing else in the process delays.
///
/// # Errors
/// If the system has no more threads: then nothing is done.
#[cfg(feature = "native")]
pub fn on_own_thread<F>(name: &str, work: F) -> std::io::Result<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let thread = std::thread::Builder::new().name(name.to_owned());
    thread.spawn(move || runtime.block_on(work)).map(drop)
}

/// Starts a task that may be skipped: without a runtime (for example in a `drop` after its end) nothing
/// happens.
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

/// The results of `work` for parts of a range, in order. Natively the parts run concurrently, on as many
/// threads as there are cores and parts of `least`; the caller blocks.
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

/// Calculates without urgency: natively on a thread for such work, on wasm32 at once, after one round of the
/// event loop. For wasm32, calculations should be cut into pieces of some ten milliseconds. Use [`offload`]
/// for the calculations of a request.
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
            // Only a runtime that shuts down cancels such work, and then nobody waits for it.
            Err(_) => std::future::pending().await,
        },
    }
    #[cfg(target_arch = "wasm32")]
    {
        sleep(Duration::ZERO).await;
        work()
    }
}

/// The share of the processors for a calculation, so that sends don't wait for reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuShare {
    Sends,
    Reads,
}

/// Calculates for a request what takes more than a few milliseconds, without blocking the threads that answer
/// others. Natively as many such calculations run as there are cores, separately for sends and for reads. A
/// runtime with one thread blocks nevertheless.
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
    // There is one thread with a single user. Waiting here would add a state machine to each call.
    #[cfg(target_arch = "wasm32")]
    {
        let _ = share;
        work()
    }
}

pub fn cores() -> usize {
    #[cfg(not(target_arch = "wasm32"))]
    return std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(target_arch = "wasm32")]
    1
}

/// Tries pieces 0, 1, 2 and so on, in no strict order, until one of them breaks: with the result, or with
/// `None` to give up.
///
/// Natively this uses all cores, with the lowest priority where threads have one (Linux), one search at a
/// time. On wasm32 it uses the only thread, with a round of the event loop after each piece. It stops soon
/// after the future is dropped. A piece should take some ten milliseconds.
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

    /// Two searches at once would only slow each other down.
    static SEARCHES: Semaphore = Semaphore::const_new(1);

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
        let _permit = SEARCHES.acquire().await.expect("the semaphore is never closed");
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
                        // The caller may be gone.
                        let _ = sender.send(found);
                        return;
                    }
                }
            });
        }
        drop(sender);
        results.recv().await.flatten()
    }

    fn give_way() {
        // On Linux this applies only to the calling thread. If it is forbidden, the search continues as it
        // is.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::setpriority_process(None, 19);
    }
}

/// Not for secrets. `None` if the system has none.
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

/// The correction of the machine's clock, in milliseconds.
static SHIFT: AtomicI64 = AtomicI64::new(0);

/// Sets this process's clock `seconds` ahead of the machine's, or back, for tests.
pub fn shift_clock(seconds: i32) {
    SHIFT.store(i64::from(seconds) * 1000, Ordering::Relaxed);
}

#[cfg(test)]
thread_local! {
    /// The time in a simulation, in milliseconds since 1970.
    pub(crate) static SIMULATED_MILLIS: std::cell::Cell<Option<u64>> = const { std::cell::Cell::new(None) };
    /// The number of random numbers drawn in a simulation.
    pub(crate) static SIMULATED_COUNT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

pub fn unix_millis() -> u64 {
    #[cfg(test)]
    if let Some(millis) = SIMULATED_MILLIS.get() {
        return millis;
    }
    let since_1970 = web_time::SystemTime::now().duration_since(web_time::UNIX_EPOCH).unwrap_or_default();
    let millis = u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX);
    millis.saturating_add_signed(SHIFT.load(Ordering::Relaxed))
}

/// Seconds since 1970, in 32 bits as on the ledger (until 2106).
pub fn unix_seconds() -> u32 {
    u32::try_from(unix_millis() / 1000).unwrap_or(u32::MAX)
}

/// Seconds for people: `10`, `0.25`. Not by floating point, whose formatting is much code.
pub fn in_seconds(time: Duration) -> String {
    let thousandths = format!(".{:03}", time.subsec_millis());
    format!("{}{}", time.as_secs(), thousandths.trim_end_matches('0').trim_end_matches('.'))
}

/// `None` unless the JSON value is a finite number. JavaScript parses it; Rust's tables take 15 kB.
pub fn parse_float(json: &str) -> Option<f64> {
    #[cfg(not(target_arch = "wasm32"))]
    let number: f64 = json.parse().ok()?;
    #[cfg(target_arch = "wasm32")]
    let number = js_sys::parse_float(json);
    number.is_finite().then_some(number)
}

/// JavaScript writes it; Rust's code takes 20 kB.
pub fn float_text(number: f64) -> String {
    // As JavaScript does: no hundreds of zeros.
    #[cfg(not(target_arch = "wasm32"))]
    return if number.abs() < 1e21 { number.to_string() } else { format!("{number:e}") };
    #[cfg(target_arch = "wasm32")]
    js_sys::Number::from(number).to_string_with_radix(10).map_or_else(|_| String::new(), String::from)
}

/// The logarithm to base 2, exact to the last digit or nearly. By JavaScript on wasm32.
pub fn log2(number: f64) -> f64 {
    #[cfg(not(target_arch = "wasm32"))]
    return number.log2();
    #[cfg(target_arch = "wasm32")]
    js_sys::Math::log2(number)
}

/// As full nodes calculate it (`2**x`). By JavaScript on wasm32.
pub fn exp2(number: f64) -> f64 {
    #[cfg(not(target_arch = "wasm32"))]
    return 2f64.powf(number);
    #[cfg(target_arch = "wasm32")]
    js_sys::Math::pow(2.0, number)
}

/// The Unicode normalization form NFKD. By JavaScript on wasm32: the tables take 115 kB.
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
