//! The connections of the server: a bounded number, in which a new client always finds a place.
//!
//! Each connection serves one request. The head and the body of a request must arrive within
//! [`REQUEST_TIME`]. When all places are taken, a new connection takes the place of the oldest one
//! that has not sent its whole request, so clients that send nothing keep nobody out.

use super::error::Refusal;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// Time in which the head of a request must arrive, and after it the body.
const REQUEST_TIME: Duration = Duration::from_secs(10);
/// Largest body of a request, in bytes.
const BODY_MAX: usize = 64 << 10;
/// Most connections at a time.
const CONNECTIONS_MAX: usize = 256;
/// Fewest connections at a time, however few files the process may open.
const CONNECTIONS_MIN: usize = 8;
/// Pause after the system has refused a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// The progress of a connection; connections at an earlier stage give way first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The request has not arrived, or was refused.
    Waiting,
    /// The request is being answered.
    Answering,
    /// A page listens to events; their number is bounded elsewhere, and they do not give way.
    Listening,
}

/// An open connection.
#[derive(Debug)]
pub(super) struct Connection {
    stage: Mutex<Stage>,
    close: Notify,
}

impl Connection {
    /// Sets how far the connection is.
    pub(super) fn enter(&self, stage: Stage) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
    }

    fn stage(&self) -> Stage {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All open connections, by number in the order in which they came.
#[derive(Debug)]
pub(super) struct Connections {
    open: Mutex<BTreeMap<u64, Arc<Connection>>>,
    next: AtomicU64,
    most: usize,
}

impl Connections {
    /// At most `most` connections.
    fn new(most: usize) -> Connections {
        Connections {
            open: Mutex::default(),
            next: AtomicU64::new(0),
            most,
        }
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Connection>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a new connection a place. Where there is none, closes the oldest connection of the
    /// earliest stage.
    fn admit(&self) -> (u64, Arc<Connection>) {
        let mut open = self.open();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        while self.most <= open.len() {
            let stages = open
                .iter()
                .map(|(&number, connection)| (connection.stage(), number));
            match stages.filter(|(stage, _)| *stage != Stage::Listening).min() {
                Some((_, oldest)) => {
                    _ = open
                        .remove(&oldest)
                        .map(|connection| connection.close.notify_one())
                }
                None => break,
            }
        }
        let connection = Arc::new(Connection {
            stage: Mutex::new(Stage::Waiting),
            close: Notify::new(),
        });
        open.insert(number, Arc::clone(&connection));
        (number, connection)
    }
}

/// Returns how many connections may be open at a time: a quarter of the files that the process may
/// open, at most [`CONNECTIONS_MAX`]. The rest is for stores and bots.
pub(super) fn most() -> usize {
    #[cfg(unix)]
    let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    let files: Option<u64> = None;
    let quarter = files.map_or(CONNECTIONS_MAX, |files| {
        usize::try_from(files / 4).unwrap_or(CONNECTIONS_MAX)
    });
    quarter.clamp(CONNECTIONS_MIN, CONNECTIONS_MAX)
}

/// Serves connections for ever, at most `most` at a time.
pub(super) async fn serve(listener: TcpListener, router: Router, most: usize) {
    let connections = Arc::new(Connections::new(most));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // The client has gone, or there are no descriptors left.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let (number, connection) = connections.admit();
        let (connections, router) = (Arc::clone(&connections), router.clone());
        tokio::spawn(async move {
            let asked = Arc::clone(&connection);
            let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
                request.extensions_mut().insert(Arc::clone(&asked));
                TowerToHyperService::new(router.clone()).call(request)
            });
            let mut protocol = http1::Builder::new();
            protocol
                .timer(TokioTimer::new())
                .header_read_timeout(REQUEST_TIME)
                .keep_alive(false);
            tokio::select! {
                // A client that breaks off, or sends something else than HTTP, is no matter of the server's.
                _ = protocol.serve_connection(TokioIo::new(stream), service) => {}
                () = connection.close.notified() => {}
            }
            connections.open().remove(&number);
        });
    }
}

/// Receives the body of a request that was let through, then answers it.
pub(super) async fn receive(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let body = match tokio::time::timeout(REQUEST_TIME, to_bytes(body, BODY_MAX)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => {
            return Refusal::wrong(format!("a request has at most {BODY_MAX} bytes"))
                .into_response();
        }
        Err(_) => return Refusal::wrong("the request did not arrive in time").into_response(),
    };
    if let Some(connection) = parts.extensions.get::<Arc<Connection>>() {
        connection.enter(Stage::Answering);
    }
    next.run(Request::from_parts(parts, Body::from(body))).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_connection_without_a_request_gives_way() {
        let connections = Connections::new(3);
        let stages = [Stage::Listening, Stage::Answering, Stage::Waiting];
        for stage in stages {
            connections.admit().1.enter(stage);
        }
        let open = || connections.open().keys().copied().collect::<Vec<_>>();
        let admitted = [3, 4].map(|number| {
            assert_eq!(connections.admit().0, number);
            open()
        });
        assert_eq!(admitted, [vec![0, 1, 3], vec![0, 1, 4]]);
        // Answers give way after all who wait, and events never.
        connections.open()[&4].enter(Stage::Listening);
        connections.admit().1.enter(Stage::Listening);
        assert_eq!(open(), [0, 4, 5]);
        connections.admit();
        assert_eq!(open(), [0, 4, 5, 6]);
    }
}
