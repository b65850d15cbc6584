//! What a helper starts its processes with: bots that this program links, or a library as it was
//! when the host has looked at it.

use super::control::{Code, Order, Report};
use crate::agent::LoadError;
use crate::agent::built_in;
use crate::agent::plugin::{Image, Library};
use crate::agent::process::sealed;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Where the code of an order's bot is.
pub(super) enum Source {
    /// In this program.
    BuiltIn(&'static Library),
    /// In a library that a process has to load.
    File {
        /// Its path, by which it asks for it.
        path: PathBuf,
        /// What its file says of itself.
        image: Image,
        /// All of it, in memory.
        data: File,
    },
}

impl Source {
    /// What an order asks for; within, why it cannot be had.
    ///
    /// # Errors
    /// The system has no memory for it.
    pub(super) fn of(order: &Order) -> io::Result<Result<Source, Report>> {
        let refused = |error: LoadError| Report::Refused(error.into());
        Ok(match &order.code {
            Code::BuiltIn(package) => match built_in::named(package) {
                Some(Ok(found)) => Ok(Source::BuiltIn(found.library)),
                Some(Err(error)) => Err(refused(error)),
                None => {
                    let cause = "this program has no such bots";
                    let cure = "start host and worker from one build";
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

    /// The library, and the path by which a process asks for it; `None` where there is nothing to
    /// load.
    pub(super) fn file(&self) -> Option<(&File, &Path)> {
        match self {
            Source::BuiltIn(_) => None,
            Source::File { path, data, .. } => Some((data, path)),
        }
    }
}
