//! Tasks and time, as far as they can be seen from outside.

use headless_wallet::rt::{self, Elapsed};
use std::ops::ControlFlow;
use std::time::Duration;
use tokio::sync::oneshot;

#[tokio::test]
async fn a_time_limit_ends_waiting_and_only_waiting() {
    assert_eq!(rt::timeout(Duration::from_millis(1), std::future::pending::<()>()).await, Err(Elapsed));
    assert_eq!(rt::timeout(Duration::ZERO, async { 1 }).await, Ok(1));
}

#[tokio::test]
async fn an_aborted_task_drops_what_it_holds() {
    let (held, released) = oneshot::channel::<()>();
    let task = rt::spawn(async move {
        std::future::pending::<()>().await;
        drop(held);
    });
    task.abort();
    assert!(released.await.is_err());
}

#[tokio::test]
async fn a_task_outlives_its_handle() {
    let (done, seen) = oneshot::channel();
    drop(rt::spawn(async { done.send(7).unwrap() }));
    assert_eq!(seen.await, Ok(7));
}

#[tokio::test]
async fn calculations_give_their_result() {
    assert_eq!(rt::in_background(|| 6 * 7).await, 42);
}

#[test]
fn work_that_may_be_left_undone_needs_no_runtime() {
    rt::spawn_if_possible(async { unreachable!("there is no runtime") });
}

#[test]
fn the_clock_counts_from_1970() {
    let (seconds, millis) = (rt::unix_seconds(), rt::unix_millis());
    assert!(seconds > 1_700_000_000);
    assert!((u64::from(seconds) * 1000..u64::from(seconds) * 1000 + 60_000).contains(&millis));
}

/// Each of its threads waits for as many as there are cores, and looks at its own priority.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_search_takes_all_cores_and_gives_way_to_everything_else() {
    let together = std::sync::Barrier::new(rt::cores());
    let search = rt::search(move |_| {
        together.wait();
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        // Fields are counted from 1, the second is a name in brackets, and the nineteenth is how nice the
        // thread is.
        let (_, from_the_third) = stat.rsplit_once(") ").unwrap();
        ControlFlow::Break(from_the_third.split(' ').nth(19 - 3).map(str::to_owned))
    });
    let nice = rt::timeout(Duration::from_secs(60), search).await;
    assert_eq!(nice, Ok(Some("19".to_owned())));
}
