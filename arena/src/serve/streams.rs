//! Server-sent events: how far a league is, and what happens at a table.

use super::Site;
use super::play::Session;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How often a league's store is looked at.
const LOOK: Duration = Duration::from_millis(1000);
/// How long a page that listens to a table may be gone unnoticed.
const ALIVE: Duration = Duration::from_secs(10);

/// Tells how far a league is, at once and whenever that changes.
pub(super) fn progress(site: Arc<Site>, number: usize) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let first = (site, String::new());
    let stream = stream::unfold(first, move |(site, before)| async move {
        let mut now = before.clone();
        while now == before {
            if !before.is_empty() {
                tokio::time::sleep(LOOK).await;
            }
            let at = Arc::clone(&site);
            let look = tokio::task::spawn_blocking(move || at.leagues[number].progress());
            // A store that is just being made cannot be read for a moment.
            if let Ok(Ok(progress)) = look.await {
                now = serde_json::to_string(&progress).unwrap_or_default();
            } else {
                tokio::time::sleep(LOOK).await;
            }
        }
        Some((Ok(Event::default().data(&now)), (site, now)))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(ALIVE))
}

/// A page that listens to a table, until it is dropped.
struct Listener {
    session: Arc<Session>,
    more: watch::Receiver<usize>,
    next: usize,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.session.listens(false);
    }
}

/// Tells what has happened at a table since message `from`, and goes on telling.
pub(super) fn table(session: Arc<Session>, from: usize) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    session.listens(true);
    let listener = Listener { more: session.more(), session, next: from };
    let stream = stream::unfold(listener, |mut listener| async move {
        loop {
            listener.more.borrow_and_update();
            // Read before the messages: the last one may be added just before the table ends.
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
    Sse::new(stream).keep_alive(KeepAlive::new().interval(ALIVE))
}
