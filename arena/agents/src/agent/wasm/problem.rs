//! Errors of modules that cannot be used.

use crate::agent::LoadError;
use std::path::Path;

/// The reason a module cannot be used, and the remedy.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{cause}; {remedy}")]
pub(super) struct ModuleProblem {
    pub cause: String,
    pub remedy: String,
    /// `true` if the module is not the cause, so that another attempt may succeed.
    pub is_temporary: bool,
}

impl ModuleProblem {
    pub(super) fn new(cause: impl Into<String>, remedy: impl Into<String>) -> ModuleProblem {
        ModuleProblem {
            cause: cause.into(),
            remedy: remedy.into(),
            is_temporary: false,
        }
    }

    /// Creates an error that the module has not caused.
    pub(super) fn temporary(cause: impl Into<String>, remedy: impl Into<String>) -> ModuleProblem {
        ModuleProblem {
            is_temporary: true,
            ..ModuleProblem::new(cause, remedy)
        }
    }

    /// Creates the error for a module that the engine rejects.
    pub(super) fn broken(error: wasmtime::Error) -> ModuleProblem {
        ModuleProblem::new(one_line(&error), "build it again for wasm32")
    }

    pub(super) fn of(self, path: &Path) -> LoadError {
        LoadError::new(path, self.cause, self.remedy)
    }
}

/// Returns an error of the engine with its causes in one line.
pub(super) fn one_line(error: &wasmtime::Error) -> String {
    let causes: Vec<String> = error
        .chain()
        .map(|cause| cause.to_string().replace('\n', " "))
        .collect();
    causes.join(": ")
}
