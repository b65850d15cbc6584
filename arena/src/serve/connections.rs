//! The connections of the server. Their number is bounded, but new clients are always accepted.
//!
//! Each connection serves one request. The head and the body of a request must each arrive within
//! [`REQUEST_TIME`]. If the maximum number is reached, a new connection replaces the oldest
//! connection without a complete request. Idle clients therefore cannot block others.

use super::error::ErrorResponse;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use hattari_agents::agent::lock;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::time::timeout;

/// Time limit for the head of a request, and then for its body.
const REQUEST_TIME: Duration = Duration::from_secs(10);
/// Maximum size of the body of a request, in bytes.
const BODY_MAX: usize = 64 << 10;
/// Maximum number of open connections.
const CONNECTIONS_MAX: usize = 256;
/// Minimum number of open connections, even if the process may open only a few files.
const CONNECTIONS_MIN: usize = 8;
/// Pause after a failed call of `accept`.
const PAUSE: Duration = Duration::from_millis(50);

/// The stage of a connection, from the first to the last. If a connection must be closed, one in
/// the earliest stage is chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The request has not arrived, or was refused.
    Waiting,
    /// The server computes the response.
    Answering,
    /// The connection streams events and is never closed for a new connection. The number of
    /// streams is bounded separately.
    Listening,
}

/// An open connection.
pub(super) struct Connection {
    stage: Mutex<Stage>,
    close: Notify,
}

impl Connection {
    /// Records that the connection has reached `stage`.
    pub(super) fn set_stage(&self, stage: Stage) {
        *lock(&self.stage) = stage;
    }
}

/// All open connections, by serial number.
pub(super) struct Connections {
    open: Mutex<BTreeMap<u64, Arc<Connection>>>,
    next: AtomicU64,
    most: usize,
}

impl Connections {
    /// Creates the state for at most `most` connections.
    fn new(most: usize) -> Connections {
        Connections {
            open: Mutex::default(),
            next: AtomicU64::new(0),
            most,
        }
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Connection>>> {
        lock(&self.open)
    }

    /// Adds a connection. If the maximum is reached, closes the oldest connection of the earliest
    /// stage.
    fn admit(&self) -> (u64, Arc<Connection>) {
        let mut open = self.open();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        while open.len() >= self.most {
            let stages = open
                .iter()
                .map(|(&number, connection)| (*lock(&connection.stage), number));
            match stages.filter(|(stage, _)| *stage != Stage::Listening).min() {
                Some((_, oldest)) => {
                    if let Some(connection) = open.remove(&oldest) {
                        connection.close.notify_one();
                    }
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

/// Returns the maximum number of connections: a quarter of the file descriptor limit, at most
/// [`CONNECTIONS_MAX`]. The other descriptors are for stores and bots.
pub(super) fn connection_limit() -> usize {
    #[cfg(unix)]
    let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    let files: Option<u64> = None;
    files
        .map_or(CONNECTIONS_MAX, |files| {
            usize::try_from(files / 4).unwrap_or(CONNECTIONS_MAX)
        })
        .clamp(CONNECTIONS_MIN, CONNECTIONS_MAX)
}

/// Accepts connections forever, at most `most` at a time.
pub(super) async fn serve(listener: TcpListener, router: Router, most: usize) {
    let connections = Arc::new(Connections::new(most));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // The client is gone, or no file descriptors are left.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let (number, connection) = connections.admit();
        let (connections, router) = (Arc::clone(&connections), router.clone());
        tokio::spawn(async move {
            let extension = Arc::clone(&connection);
            let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
                request.extensions_mut().insert(Arc::clone(&extension));
                TowerToHyperService::new(router.clone()).call(request)
            });
            let mut protocol = http1::Builder::new();
            protocol
                .timer(TokioTimer::new())
                .header_read_timeout(REQUEST_TIME)
                .keep_alive(false);
            tokio::select! {
                // Ignore errors of the client: a closed connection or data that is not HTTP.
                _ = protocol.serve_connection(TokioIo::new(stream), service) => {}
                () = connection.close.notified() => {}
            }
            connections.open().remove(&number);
        });
    }
}

/// Receives the body of a request whose head was accepted, then calls the handler.
pub(super) async fn receive(request: Request, next: Next) -> Result<Response, ErrorResponse> {
    let (parts, body) = request.into_parts();
    let body = timeout(REQUEST_TIME, to_bytes(body, BODY_MAX))
        .await
        .map_err(|_| ErrorResponse::bad_request("the request did not arrive in time"))?
        .map_err(|_| {
            ErrorResponse::bad_request(format!(
                "the body of a request can have at most {BODY_MAX} bytes"
            ))
        })?;
    if let Some(connection) = parts.extensions.get::<Arc<Connection>>() {
        connection.set_stage(Stage::Answering);
    }
    Ok(next.run(Request::from_parts(parts, Body::from(body))).await)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_idle_connection_is_closed_for_a_new_one() {
        let connections = Connections::new(3);
        let stages = [Stage::Listening, Stage::Answering, Stage::Waiting];
        for stage in stages {
            connections.admit().1.set_stage(stage);
        }
        let open = || connections.open().keys().copied().collect::<Vec<_>>();
        let admitted = [3, 4].map(|number| {
            assert_eq!(connections.admit().0, number);
            open()
        });
        assert_eq!(admitted, [vec![0, 1, 3], vec![0, 1, 4]]);
        // Responses in progress are closed after waiting requests, event streams never.
        connections.open()[&4].set_stage(Stage::Listening);
        connections.admit().1.set_stage(Stage::Listening);
        assert_eq!(open(), [0, 4, 5]);
        connections.admit();
        assert_eq!(open(), [0, 4, 5, 6]);
    }
}
