//! The code that a helper loads: linked bots, or an unchanged copy of the library that the host
//! inspected.

use super::control::{Code, Order, Report};
use crate::agent::LoadError;
use crate::agent::built_in;
use crate::agent::plugin::{Image, Library};
use crate::agent::process::sealed;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The code of a bot.
pub(super) enum Source {
    /// Linked into this program.
    BuiltIn(&'static Library),
    /// Library that a process must load.
    File {
        /// Path by which the process opens it.
        path: PathBuf,
        /// Properties of the file.
        image: Image,
        /// Contents of the file, in memory.
        data: File,
    },
}

impl Source {
    /// Finds the code for an order. The inner error is the report to the host.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub(super) fn of(order: &Order) -> io::Result<Result<Source, Report>> {
        let refused = |error: LoadError| Report::Refused(error.into());
        Ok(match &order.code {
            Code::BuiltIn(package) => match built_in::named(package) {
                Some(Ok(found)) => Ok(Source::BuiltIn(found.library)),
                Some(Err(error)) => Err(refused(error)),
                None => {
                    let cause = "these bots are not built into this program";
                    let cure = "use the same build for host and worker";
                    Err(refused(LoadError::new(order.code.place(), cause, cure)))
                }
            },
            Code::File(_) => {
                let path = order.code.place().to_owned();
                match Image::and_data(&path) {
                    Ok((image, _)) if image.hash != order.hash => Err(Report::Changed),
                    Ok((image, data)) => Ok(Source::File {
                        path,
                        image,
                        data: sealed(&data)?,
                    }),
                    Err(error) => Err(refused(error)),
                }
            }
        })
    }

    /// Returns the library and the path by which a process opens it; `None` for linked bots.
    pub(super) fn file(&self) -> Option<(&File, &Path)> {
        match self {
            Source::BuiltIn(_) => None,
            Source::File { path, data, .. } => Some((data, path)),
        }
    }
}
