//! The code that a helper loads: linked bots, or an unchanged copy of the library that the host
//! inspected.

use super::control::{CodeLocation, WorkerSpec};
use crate::agent::plugin::{Library, LibraryInfo};
use crate::agent::process::sealed;
use crate::agent::{LoadError, built_in};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The code of a bot.
pub(super) enum BotCode {
    /// Bots that are linked into this program.
    BuiltIn(&'static Library),
    /// Library that a process must load.
    File {
        /// Path under which the process opens the library.
        path: PathBuf,
        /// Copy of the file in memory, which cannot be changed.
        data: File,
    },
}

impl BotCode {
    /// Finds the code that a worker needs. The inner error is sent to the host.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub(super) fn of(order: &WorkerSpec) -> io::Result<Result<BotCode, LoadError>> {
        let place = order.code.place();
        if let CodeLocation::BuiltIn(package) = &order.code {
            let cause = "these bots are not built into this program";
            let remedy = "use the same build for host and worker";
            let missing = || Err(LoadError::new(place, cause, remedy));
            let found = built_in::find(package).unwrap_or_else(missing);
            return Ok(found.map(|found| BotCode::BuiltIn(found.library)));
        }
        Ok(match LibraryInfo::read_with_data(place) {
            Ok((info, _)) if info.hash != order.hash => {
                let cause = "its file has changed since the host inspected it";
                Err(LoadError::new(place, cause, "start the command again"))
            }
            Ok((_, data)) => Ok(BotCode::File {
                path: place.to_owned(),
                data: sealed(&data)?,
            }),
            Err(error) => Err(error),
        })
    }

    /// Returns the library and the path under which a process opens it; `None` for linked bots.
    pub(super) fn file(&self) -> Option<(&File, &Path)> {
        match self {
            BotCode::BuiltIn(_) => None,
            BotCode::File { path, data, .. } => Some((data, path)),
        }
    }
}
