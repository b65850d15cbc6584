//! Server-sent events with the progress of leagues and the messages of tables.

use super::connections::{Connection, Stage};
use super::error::ErrorResponse;
use super::leagues::ServedLeague;
use super::play::PlaySession;
use axum::Extension;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// Interval for reading a league's store.
const POLL_INTERVAL: Duration = Duration::from_millis(1000);
/// Interval of keep-alive messages. The server notices a closed page when it sends the next
/// message.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(10);

/// Takes one of the permits for a stream. The permit is released on drop.
///
/// # Errors
/// Returns an error if no permit is left.
pub(super) fn take(
    permits: &Arc<Semaphore>,
    connection: Option<Extension<Arc<Connection>>>,
) -> Result<OwnedSemaphorePermit, ErrorResponse> {
    let permit = Arc::clone(permits).try_acquire_owned().map_err(|_| {
        ErrorResponse::unavailable("too many pages are open: close some, then reload this one")
    })?;
    if let Some(Extension(connection)) = connection {
        connection.set_stage(Stage::Listening);
    }
    Ok(permit)
}

/// Streams the progress of a league: first the current state, then every change.
pub(super) fn progress(
    league: Arc<ServedLeague>,
    permit: OwnedSemaphorePermit,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let first = (league, permit, String::new());
    let stream = stream::unfold(first, move |(league, permit, sent)| async move {
        let mut message = sent.clone();
        while message == sent {
            if !sent.is_empty() {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
            // A store cannot be read while it is being created.
            match Arc::clone(&league).state().await {
                Ok(state) => message = serde_json::to_string(&state).unwrap_or_default(),
                Err(_) => tokio::time::sleep(POLL_INTERVAL).await,
            }
        }
        let event = Event::default().data(&message);
        Some((Ok(event), (league, permit, message)))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE_INTERVAL))
}

/// The state of the stream to a page that shows a table.
struct PageStream {
    session: Arc<PlaySession>,
    more: watch::Receiver<Vec<String>>,
    next: usize,
    _permit: OwnedSemaphorePermit,
}

impl Drop for PageStream {
    fn drop(&mut self) {
        self.session.page_closed();
    }
}

/// Streams the messages of a table, starting with message number `first`.
pub(super) fn table(
    session: Arc<PlaySession>,
    first: usize,
    permit: OwnedSemaphorePermit,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    session.page_opened();
    let listener = PageStream {
        more: session.subscribe(),
        session,
        next: first,
        _permit: permit,
    };
    let stream = stream::unfold(listener, |mut listener| async move {
        loop {
            listener.more.borrow_and_update();
            // The end is checked before the messages, because the last message may be added just
            // before the end.
            let is_over = listener.session.is_over();
            if let Some(message) = listener.session.message(listener.next) {
                let event = Event::default().id(listener.next.to_string()).data(message);
                listener.next += 1;
                return Some((Ok(event), listener));
            }
            if is_over || listener.more.changed().await.is_err() {
                return None;
            }
        }
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE_INTERVAL))
}
