//! Reasons why a module cannot be used.

use crate::agent::LoadError;
use std::path::Path;

/// What is wrong with a module: cause and cure.
#[derive(Clone, Debug)]
pub(super) struct Wrong {
    pub cause: String,
    pub cure: String,
    /// It is not the module's fault, and another try may end otherwise.
    pub is_passing: bool,
}

impl Wrong {
    pub(super) fn new(cause: impl Into<String>, cure: impl Into<String>) -> Wrong {
        Wrong {
            cause: cause.into(),
            cure: cure.into(),
            is_passing: false,
        }
    }

    /// Something that is not the module's fault.
    pub(super) fn passing(cause: impl Into<String>, cure: impl Into<String>) -> Wrong {
        Wrong {
            is_passing: true,
            ..Wrong::new(cause, cure)
        }
    }

    /// Makes an error of the engine's message about a module.
    pub(super) fn broken(error: wasmtime::Error) -> Wrong {
        Wrong::new(one_line(&error), "build it again, for wasm32")
    }

    pub(super) fn of(self, path: &Path) -> LoadError {
        LoadError::new(path, self.cause, self.cure)
    }
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; {}", self.cause, self.cure)
    }
}

/// An error of the engine in one line.
pub(super) fn one_line(error: &wasmtime::Error) -> String {
    let causes: Vec<String> = error
        .chain()
        .map(|cause| cause.to_string().replace('\n', " "))
        .collect();
    causes.join(": ")
}
