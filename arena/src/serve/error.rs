//! Error responses of the server.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use tokio::sync::Mutex;

/// An error response with a status code and a text.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub(super) struct ErrorResponse {
    status: StatusCode,
    reason: String,
}

impl ErrorResponse {
    /// Creates a response for something that does not exist.
    pub(super) fn missing(reason: impl Into<String>) -> ErrorResponse {
        ErrorResponse {
            status: StatusCode::NOT_FOUND,
            reason: reason.into(),
        }
    }

    /// Creates a response for an invalid request.
    pub(super) fn bad_request(reason: impl Into<String>) -> ErrorResponse {
        ErrorResponse {
            status: StatusCode::BAD_REQUEST,
            reason: reason.into(),
        }
    }

    /// Creates a response for a request that conflicts with the current state.
    pub(super) fn conflict(reason: impl Into<String>) -> ErrorResponse {
        ErrorResponse {
            status: StatusCode::CONFLICT,
            reason: reason.into(),
        }
    }

    /// Creates a response for a request that the server has no resources for.
    pub(super) fn unavailable(reason: impl Into<String>) -> ErrorResponse {
        ErrorResponse {
            status: StatusCode::SERVICE_UNAVAILABLE,
            reason: reason.into(),
        }
    }
}

impl From<anyhow::Error> for ErrorResponse {
    fn from(error: anyhow::Error) -> ErrorResponse {
        ErrorResponse {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            reason: format!("{error:#}"),
        }
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        (self.status, self.reason).into_response()
    }
}

/// A value that only one request at a time can use. Waiting requests do not occupy a thread.
#[derive(Default)]
pub(super) struct Exclusive<T>(Arc<Mutex<T>>);

impl<T: Send + 'static> Exclusive<T> {
    /// Runs blocking work with exclusive access to the value, on a thread of the pool.
    ///
    /// # Errors
    /// Returns the error of the work, or an error if it panicked.
    pub(super) async fn with<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut T) -> Result<R, ErrorResponse> + Send + 'static,
    ) -> Result<R, ErrorResponse> {
        let mut value = Arc::clone(&self.0).lock_owned().await;
        // The work holds the lock until it ends. If the client leaves, the work is therefore not
        // started twice.
        run(move || work(&mut value)).await
    }
}

/// Runs blocking work on a thread of the pool. The work ends even if the client disconnects.
///
/// # Errors
/// Returns the error of the work, or an error if it panicked.
pub(super) async fn run<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ErrorResponse> + Send + 'static,
) -> Result<T, ErrorResponse> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(ErrorResponse {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            reason: error.to_string(),
        }),
    }
}
