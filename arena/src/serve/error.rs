//! What a page is told where something went wrong.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hattari_agents::agent::cancellable;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Mutex;

/// An answer in words.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    why: String,
}

impl Refusal {
    /// What was asked for is not there.
    pub(super) fn missing(why: impl Into<String>) -> Refusal {
        Refusal {
            status: StatusCode::NOT_FOUND,
            why: why.into(),
        }
    }

    /// The question makes no sense.
    pub(super) fn wrong(why: impl Into<String>) -> Refusal {
        Refusal {
            status: StatusCode::BAD_REQUEST,
            why: why.into(),
        }
    }

    /// It comes at the wrong time.
    pub(super) fn late(why: impl Into<String>) -> Refusal {
        Refusal {
            status: StatusCode::CONFLICT,
            why: why.into(),
        }
    }

    /// There is no room for it.
    pub(super) fn full(why: impl Into<String>) -> Refusal {
        Refusal {
            status: StatusCode::SERVICE_UNAVAILABLE,
            why: why.into(),
        }
    }
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Refusal {
        Refusal {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            why: format!("{error:#}"),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, self.why).into_response()
    }
}

/// A value that one request at a time works on. The others wait without a thread.
pub(super) struct Kept<T>(Arc<Mutex<T>>);

impl<T: Default> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept(Arc::default())
    }
}

impl<T: Send + 'static> Kept<T> {
    /// Does work that blocks with the value.
    ///
    /// # Errors
    /// Returns the result of the work, or an error if it panicked.
    pub(super) async fn with<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut T) -> Result<R, Refusal> + Send + 'static,
    ) -> Result<R, Refusal> {
        let mut value = Arc::clone(&self.0).lock_owned().await;
        // The lock goes with the work: a client that leaves does not start the same work twice.
        run(move || work(&mut value)).await
    }
}

/// Tells work, when it is dropped, that nobody waits for it any more.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does work that blocks on a thread for such work. Where the client goes away meanwhile, long
/// steps of it are given up.
///
/// # Errors
/// What the work says, or that it panicked.
pub(super) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let waiting = Waiting(Arc::default());
    let cancelled = Arc::clone(&waiting.0);
    run(move || cancellable(cancelled, work)).await
}

/// Does work on a thread for such work, to its end.
async fn run<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(Refusal {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            why: error.to_string(),
        }),
    }
}
