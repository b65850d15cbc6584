//! Errors that prevent the use of a bot's file.

use super::AgentError;
use crate::text::serialize_path;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The reason a file cannot be used, and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}: {cause}; {remedy}", .path.display())]
pub struct LoadError {
    /// Path of the file that cannot be used.
    #[serde(serialize_with = "serialize_path")]
    pub path: PathBuf,
    /// Cause of the error, without the path.
    pub cause: String,
    /// Advice to the user on how to remove the cause.
    pub remedy: String,
}

impl LoadError {
    pub(crate) fn new(
        path: &Path,
        cause: impl Into<String>,
        remedy: impl Into<String>,
    ) -> LoadError {
        LoadError {
            path: path.to_owned(),
            cause: cause.into(),
            remedy: remedy.into(),
        }
    }

    /// Creates the error for a source file that does not compile or start.
    pub(crate) fn source(path: &Path, agent_error: &AgentError) -> LoadError {
        // The message may begin with the path, or with the file name and a line as in `mine.lua:3:
        // ...`.
        let message = agent_error.message.as_str();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let path_text = path.display().to_string();
        let rest = message
            .strip_prefix(&path_text)
            .or_else(|| message.strip_prefix(&name))
            .unwrap_or(message)
            .trim_start_matches([':', ' ']);
        let line = rest
            .split(':')
            .next()
            .is_some_and(|number| number.parse::<u32>().is_ok());
        let cause = if line {
            format!("line {rest}")
        } else {
            rest.to_owned()
        };
        LoadError::new(path, cause, "fix the file")
    }

    /// Creates the error for a file that cannot be read.
    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> LoadError {
        LoadError::new(
            path,
            format!("it cannot be read ({error})"),
            "check the permissions of the file",
        )
    }
}
