//! A proxy before PostgreSQL that breaks connections around commits: before one gets there, or after it
//! holds, so that its answer is lost; or while one is still under way, which the database gets later.

use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, oneshot};

/// What ends a transaction.
const COMMIT: &[u8] = b"commit\0";
const RECORD: &[u8] = b"insert into push_record";
const TASK: &[u8] = b"insert into task";

/// The end of an answer, after which the database waits for what is asked next.
const READY: &[u8] = b"Z\0\0\0\x05I";

/// The statement whose commit is broken next.
type Chosen = Arc<Mutex<Option<&'static [u8]>>>;

/// Works until it is dropped.
pub struct Breaker {
    pub port: u16,
    /// Commits so far, and those that it has broken, before and after.
    counts: Arc<[AtomicU64; 3]>,
    /// The port of the database.
    database: Arc<AtomicU16>,
    /// Breaks one in so many; none at 0.
    one_in: Arc<AtomicU64>,
    next: Chosen,
    /// Whether those that hold are answered before their connection is closed.
    answers: Arc<AtomicBool>,
    late: Arc<Late>,
    task: tokio::task::JoinHandle<()>,
}

/// A write that its sender takes for lost.
#[derive(Default)]
struct Late {
    next: Mutex<Option<&'static [u8]>>,
    deliver: Notify,
    delivered: Notify,
}

impl Breaker {
    pub async fn before(database: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (counts, one_in) = (Arc::<[AtomicU64; 3]>::default(), Arc::<AtomicU64>::default());
        let database = Arc::new(AtomicU16::new(database));
        let (answers, next) = (Arc::<AtomicBool>::default(), Chosen::default());
        let (counted, chance, to) = (counts.clone(), one_in.clone(), database.clone());
        let modes = (answers.clone(), next.clone());
        let late = Arc::<Late>::default();
        let kept = late.clone();
        let task = tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                // Between two, and at the test's end, there is none.
                let port = to.load(Ordering::SeqCst);
                let Ok(server) = TcpStream::connect(("127.0.0.1", port)).await else { continue };
                tokio::spawn(pass(
                    client,
                    server,
                    counted.clone(),
                    chance.clone(),
                    modes.clone(),
                    kept.clone(),
                ));
            }
        });
        Self { port, counts, database, one_in, next, answers, late, task }
    }

    /// From now on every so manieth commit is broken, in turn before and after it.
    pub fn break_one_in(&self, commits: u64) {
        self.one_in.store(commits, Ordering::SeqCst);
    }

    /// Breaks the next record of a push after it holds.
    pub fn break_next_record(&self) {
        *self.next.lock().unwrap() = Some(RECORD);
    }

    /// Breaks the next write of a task after it holds.
    pub fn break_next_task(&self) {
        *self.next.lock().unwrap() = Some(TASK);
    }

    /// From now on the answers of what holds come, and then their connections are closed.
    pub fn answer_before_breaking(&self) {
        self.answers.store(true, Ordering::SeqCst);
    }

    /// Breaks the next record of a push, and keeps it.
    pub fn keep_next_record(&self) {
        *self.late.next.lock().unwrap() = Some(RECORD);
    }

    /// Breaks the next write of a task, and keeps it.
    pub fn keep_next_task(&self) {
        *self.late.next.lock().unwrap() = Some(TASK);
    }

    /// Has the database carry it out.
    pub async fn deliver(&self) {
        self.late.deliver.notify_one();
        self.late.delivered.notified().await;
    }

    /// New connections go to another database from now on.
    pub fn go_to(&self, database: u16) {
        self.database.store(database, Ordering::SeqCst);
    }

    /// How many it has broken, before and after they held.
    pub fn broken(&self) -> [u64; 2] {
        [1, 2].map(|place| self.counts[place].load(Ordering::SeqCst))
    }
}

impl Drop for Breaker {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// In which write the connection breaks next.
type Next = Arc<Mutex<Option<&'static [u8]>>>;

/// Both ways, until one side ends or a commit is broken.
async fn pass(
    client: TcpStream,
    server: TcpStream,
    counts: Arc<[AtomicU64; 3]>,
    one_in: Arc<AtomicU64>,
    (answers, next): (Arc<AtomicBool>, Next),
    late: Arc<Late>,
) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let (cut, is_cut) = oneshot::channel::<()>();
    let back = tokio::spawn(async move {
        tokio::select! {
            _ = tokio::io::copy(&mut from_server, &mut to_client) => return,
            _ = is_cut => {}
        }
        if answers.load(Ordering::SeqCst) {
            let mut answer = Vec::new();
            while !answer.ends_with(READY)
                && from_server.read_buf(&mut answer).await.is_ok_and(|read| read > 0)
            {}
            let _ = to_client.write_all(&answer).await;
        }
        drop(to_client);
        // Answers are taken and told to nobody: on a connection that is refused them the database stops.
        let _ = tokio::io::copy(&mut from_server, &mut tokio::io::sink()).await;
    });
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(read @ 1..) = from_client.read(&mut bytes).await {
        let sent = &bytes[..read];
        let has = |words: &[u8]| sent.windows(words.len()).any(|window| window == words);
        let is_late = late.next.lock().unwrap().take_if(|statement| has(statement)).is_some();
        if is_late {
            let _ = cut.send(());
            late.deliver.notified().await;
            let _ = to_server.write_all(sent).await;
            let _ = to_server.shutdown().await;
            // The database closes it when it has done what it was told.
            let _ = back.await;
            late.delivered.notify_one();
            return;
        }
        if has(COMMIT) {
            let (number, one_in) = (counts[0].fetch_add(1, Ordering::SeqCst), one_in.load(Ordering::SeqCst));
            let is_chosen = next.lock().unwrap().take_if(|statement| has(statement)).is_some();
            if is_chosen || one_in > 0 && number % one_in == 0 {
                let is_after = is_chosen || number / one_in % 2 == 1;
                counts[1 + usize::from(is_after)].fetch_add(1, Ordering::SeqCst);
                if is_after {
                    let _ = cut.send(());
                    let _ = to_server.write_all(sent).await;
                    let _ = to_server.shutdown().await;
                } else {
                    back.abort();
                }
                return;
            }
        }
        if to_server.write_all(sent).await.is_err() {
            break;
        }
    }
    back.abort();
}
