//! Limits of connections, small enough for tests.

use super::*;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::time::Instant;

/// More than a system buffers for a connection whose other end does not read.
const LONG: usize = 16 * 1024 * 1024;

async fn served(limits: Limits, answer: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("bound");
    let answer = move |_| std::future::ready(Ok(Response::new(Body::from(answer))));
    tokio::spawn(serve(listener, limits, answer, std::future::pending()));
    address
}

/// A connection that has sent a request and read only the status.
async fn asked(address: SocketAddr, method: &str) -> (TcpStream, String) {
    let mut connection = TcpStream::connect(address).await.expect("a connection");
    let request = format!("{method} / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    connection.write_all(request.as_bytes()).await.expect("room");
    let mut status = [0; 12];
    connection.read_exact(&mut status).await.expect("an answer");
    (connection, String::from_utf8_lossy(&status).into_owned())
}

/// The rest of an answer, until its end or until the connection is closed.
async fn rest(mut connection: TcpStream) -> Vec<u8> {
    let mut rest = Vec::new();
    // A connection closed in the middle of an answer may be reset.
    let _ = connection.read_to_end(&mut rest).await;
    rest
}

fn long_answer() -> &'static str {
    "x".repeat(LONG).leak()
}

#[tokio::test]
async fn long_answers_that_nobody_reads_leave_no_room_for_more() {
    let unread = UnreadLimits { bytes: 2 * LONG, patience: Duration::MAX };
    let address = served(Limits { unread, ..Limits::of(9) }, long_answer()).await;
    let (first, status) = asked(address, "GET").await;
    assert_eq!(status, "HTTP/1.1 200");
    let (second, status) = asked(address, "GET").await;
    assert_eq!(status, "HTTP/1.1 200");
    let (third, status) = asked(address, "GET").await;
    assert_eq!(status, "HTTP/1.1 503");
    let refusal = String::from_utf8(rest(third).await).expect("a text");
    assert!(refusal.contains("\r\nretry-after: 1\r\n") && refusal.ends_with(TOO_MANY_UNREAD), "{refusal}");
    // The answer to a change must be sent.
    let (changed, status) = asked(address, "POST").await;
    assert_eq!(status, "HTTP/1.1 200");
    for connection in [first, second, changed] {
        assert!(rest(connection).await.len() > LONG);
    }
    assert_eq!(asked(address, "GET").await.1, "HTTP/1.1 200");
}

#[tokio::test]
async fn an_answer_longer_than_all_may_be_together_is_given_by_itself() {
    let unread = UnreadLimits { bytes: LONG / 2, patience: Duration::MAX };
    let address = served(Limits { unread, ..Limits::of(9) }, long_answer()).await;
    let (first, status) = asked(address, "GET").await;
    assert_eq!(status, "HTTP/1.1 200");
    assert_eq!(asked(address, "GET").await.1, "HTTP/1.1 503");
    assert!(rest(first).await.len() > LONG);
    assert_eq!(asked(address, "GET").await.1, "HTTP/1.1 200");
}

#[tokio::test]
async fn the_answer_that_has_waited_longest_gives_way() {
    let unread = UnreadLimits { bytes: 2 * LONG, patience: Duration::ZERO };
    let address = served(Limits { unread, ..Limits::of(9) }, long_answer()).await;
    let mut open = Vec::new();
    for _ in 0..4 {
        let (connection, status) = asked(address, "GET").await;
        assert_eq!(status, "HTTP/1.1 200");
        open.push(connection);
    }
    let mut whole = Vec::new();
    for connection in open {
        whole.push(rest(connection).await.len() > LONG);
    }
    assert_eq!(whole, [false, false, true, true]);
}

#[tokio::test]
async fn an_answer_that_is_not_read_has_its_time() {
    let write = Duration::from_millis(300);
    let address = served(Limits { write, ..Limits::of(9) }, long_answer()).await;
    let (stalled, status) = asked(address, "GET").await;
    assert_eq!(status, "HTTP/1.1 200");
    // A reader gets everything, meanwhile and after.
    let began = Instant::now();
    while began.elapsed() < 3 * write {
        assert!(rest(asked(address, "GET").await.0).await.len() > LONG);
    }
    assert!(rest(stalled).await.len() < LONG);
}

#[tokio::test]
async fn heads_that_do_not_come_and_idle_connections_have_their_time() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("bound");
    let limits = Limits { head: Duration::from_millis(300), ..Limits::of(9) };
    let answer = |_| std::future::ready(Ok(Response::new(Body::from("well"))));
    let server = serve(listener, limits, answer, std::future::pending());
    let server = tokio::spawn(server);
    let answered = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    for (text, length) in [("", 0), ("GET / HT", 0), (answered, 4)] {
        let begin = Instant::now();
        let mut connection = TcpStream::connect(address).await.expect("a connection");
        connection.write_all(text.as_bytes()).await.expect("room");
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.expect("an end in good order");
        let times = limits.head..limits.head + Duration::from_secs(3);
        assert!(times.contains(&begin.elapsed()), "{text}: {:?}", begin.elapsed());
        assert_eq!(answer.split("\r\n\r\n").nth(1).unwrap_or_default().len(), length, "{answer}");
    }
    server.abort();
}

/// A request that has begun is answered although other connections need room; no other request begins.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_begun_is_answered_however_many_connections_make_room() {
    let begun = Arc::new(AtomicUsize::new(0));
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
    let listener = socket.listen(1_024).expect("room for all who come at once");
    let address = listener.local_addr().expect("bound");
    let counted = begun.clone();
    let answer = move |request: Request<Received>| {
        let counted = counted.clone();
        async move {
            let body = axum::body::to_bytes(Body::new(request.into_body()), 100).await;
            if body.is_ok_and(|body| body == "all") {
                counted.fetch_add(1, SeqCst);
            }
            tokio::task::yield_now().await;
            Ok(Response::new(Body::from("done")))
        }
    };
    tokio::spawn(serve(listener, Limits::of(3), answer, std::future::pending()));
    let client = |pause: u64| {
        tokio::spawn(async move {
            let mut connection = TcpStream::connect(address).await.ok()?;
            let head =
                "POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 3\r\n\r\na";
            connection.write_all(head.as_bytes()).await.ok()?;
            tokio::time::sleep(Duration::from_millis(pause)).await;
            connection.write_all(b"ll").await.ok()?;
            rest(connection).await.ends_with(b"\r\n\r\ndone").then_some(())
        })
    };
    let answered = async |pauses: Vec<u64>| {
        let answered = futures_util::future::join_all(pauses.into_iter().map(client)).await;
        answered.into_iter().filter(|answered| matches!(answered, Ok(Some(())))).count()
    };
    // Some connections only take room, and some are slow.
    let silent = futures_util::future::join_all((0..30).map(|_| TcpStream::connect(address))).await;
    let pauses = (0..60).map(|i| i * 7).collect();
    let (at_once, slowly) = futures_util::join!(answered(vec![0; 500]), answered(pauses));
    assert_eq!(begun.load(SeqCst), at_once + slowly);
    // All of them, on an idle machine.
    assert!(at_once > 400, "{at_once} at once, {slowly} of those that took their time");
    drop(silent);
}
