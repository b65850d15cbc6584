//! What a page is told where something went wrong.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// An answer in words.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    why: String,
}

impl Refusal {
    /// What was asked for is not there.
    pub fn missing(why: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::NOT_FOUND, why: why.into() }
    }

    /// The question makes no sense.
    pub fn wrong(why: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::BAD_REQUEST, why: why.into() }
    }

    /// It comes at the wrong time.
    pub fn late(why: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::CONFLICT, why: why.into() }
    }

    /// There is no room for it.
    pub fn full(why: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::SERVICE_UNAVAILABLE, why: why.into() }
    }
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Refusal {
        Refusal { status: StatusCode::UNPROCESSABLE_ENTITY, why: format!("{error:#}") }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, self.why).into_response()
    }
}

/// Does work that blocks on a thread for such work.
///
/// # Errors
/// What the work says, or that it panicked.
pub(super) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(Refusal { status: StatusCode::INTERNAL_SERVER_ERROR, why: error.to_string() }),
    }
}
