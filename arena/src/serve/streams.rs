//! Server-sent events: how far a league is, and what happens at a table.

use super::connections::{Connection, Stage};
use super::error::Refusal;
use super::leagues::Served;
use super::play::Session;
use axum::Extension;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// How often a league's store is looked at.
const LOOK: Duration = Duration::from_millis(1000);
/// How long a page that listens to a table may be gone unnoticed.
const ALIVE: Duration = Duration::from_secs(10);

/// Places for streams of events: they hold half of the connections at most, so the other half is
/// for pages.
#[derive(Debug)]
pub(super) struct Places {
    leagues: Arc<Semaphore>,
    tables: Arc<Semaphore>,
}

impl Places {
    /// The places where there are `connections` in all.
    pub(super) fn among(connections: usize) -> Places {
        let quarter = || Arc::new(Semaphore::new(connections / 4));
        Places {
            leagues: quarter(),
            tables: quarter(),
        }
    }

    /// Takes a place for a page of a league.
    ///
    /// # Errors
    /// All are taken.
    pub(super) fn of_leagues(
        &self,
        connection: Option<Extension<Arc<Connection>>>,
    ) -> Result<Place, Refusal> {
        Places::take(&self.leagues, connection)
    }

    /// Takes a place for a page of a table.
    ///
    /// # Errors
    /// All are taken.
    pub(super) fn of_tables(
        &self,
        connection: Option<Extension<Arc<Connection>>>,
    ) -> Result<Place, Refusal> {
        Places::take(&self.tables, connection)
    }

    fn take(
        places: &Arc<Semaphore>,
        connection: Option<Extension<Arc<Connection>>>,
    ) -> Result<Place, Refusal> {
        let place = Arc::clone(places).try_acquire_owned();
        let place = place.map_err(|_| {
            Refusal::full("too many pages listen already: close some, then reload this one")
        })?;
        if let Some(Extension(connection)) = connection {
            connection.enter(Stage::Listening);
        }
        Ok(Place { _permit: place })
    }
}

/// A stream's place, free again when the stream is dropped.
#[derive(Debug)]
pub(super) struct Place {
    _permit: OwnedSemaphorePermit,
}

/// Sends how far a league is, at once and whenever that changes.
pub(super) fn progress(
    league: Arc<Served>,
    place: Place,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let first = (league, place, String::new());
    let stream = stream::unfold(first, move |(league, place, before)| async move {
        let mut now = before.clone();
        while now == before {
            if !before.is_empty() {
                tokio::time::sleep(LOOK).await;
            }
            // A store that is just being made cannot be read for a moment.
            match Arc::clone(&league).state().await {
                Ok(state) => now = serde_json::to_string(&state).unwrap_or_default(),
                Err(_) => tokio::time::sleep(LOOK).await,
            }
        }
        Some((Ok(Event::default().data(&now)), (league, place, now)))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(ALIVE))
}

/// A page that listens to a table, until it is dropped.
struct Listener {
    session: Arc<Session>,
    more: watch::Receiver<usize>,
    next: usize,
    _place: Place,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.session.listens(false);
    }
}

/// Tells what has happened at a table since message `from`, and goes on telling.
pub(super) fn table(
    session: Arc<Session>,
    from: usize,
    place: Place,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    session.listens(true);
    let listener = Listener {
        more: session.more(),
        session,
        next: from,
        _place: place,
    };
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
