//! The code that a helper loads: linked bots, or an unchanged copy of the library that the host
//! inspected.

use super::control::{CodeSource, HelperReport, WorkerSpec};
use crate::agent::LoadError;
use crate::agent::built_in;
use crate::agent::plugin::{Library, LibraryInfo};
use crate::agent::process::sealed;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The code of a bot.
pub(super) enum CodeLocation {
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

impl CodeLocation {
    /// Finds the code that a worker needs. The inner error is the report for the host.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub(super) fn of(order: &WorkerSpec) -> io::Result<Result<CodeLocation, HelperReport>> {
        Ok(match &order.code {
            CodeSource::BuiltIn(package) => match built_in::find(package) {
                Some(Ok(found)) => Ok(CodeLocation::BuiltIn(found.library)),
                Some(Err(error)) => Err(HelperReport::Refused(error)),
                None => {
                    let cause = "these bots are not built into this program";
                    let cure = "use the same build for host and worker";
                    Err(HelperReport::Refused(LoadError::new(
                        order.code.place(),
                        cause,
                        cure,
                    )))
                }
            },
            CodeSource::File(_) => {
                let path = order.code.place().to_owned();
                match LibraryInfo::read_with_data(&path) {
                    Ok((info, _)) if info.hash != order.hash => Err(HelperReport::Changed),
                    Ok((_, data)) => Ok(CodeLocation::File {
                        path,
                        data: sealed(&data)?,
                    }),
                    Err(error) => Err(HelperReport::Refused(error)),
                }
            }
        })
    }

    /// Returns the library and the path under which a process opens it; `None` for linked bots.
    pub(super) fn file(&self) -> Option<(&File, &Path)> {
        match self {
            CodeLocation::BuiltIn(_) => None,
            CodeLocation::File { path, data, .. } => Some((data, path)),
        }
    }
}
