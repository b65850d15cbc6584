//! The output of an export: stdout, or a file that replaces an older file when it is complete.

use flate2::Compression;
use flate2::write::GzEncoder;
use hattari_agents::files::NewFile;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;

/// The output of an export.
pub(super) enum Sink {
    Stdout(BufWriter<StdoutLock<'static>>),
    File(NewFile),
    Packed(GzEncoder<NewFile>),
}

impl Sink {
    /// Opens the file `path`, compressed if its name ends in .gz, or stdout for `None`.
    pub(super) fn open(path: Option<&Path>) -> io::Result<Sink> {
        let Some(path) = path else {
            return Ok(Sink::Stdout(BufWriter::new(io::stdout().lock())));
        };
        let file = NewFile::create(path)?;
        let is_packed = path.extension().is_some_and(|ending| ending == "gz");
        Ok(if is_packed {
            Sink::Packed(GzEncoder::new(file, Compression::default()))
        } else {
            Sink::File(file)
        })
    }

    /// Returns the writer of the output.
    pub(super) fn writer(&mut self) -> &mut dyn Write {
        match self {
            Sink::Stdout(out) => out,
            Sink::File(file) => file,
            Sink::Packed(packer) => packer,
        }
    }

    /// Flushes the output. A file is then moved to its final path.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Sink::Stdout(mut out) => out.flush(),
            Sink::File(file) => file.finish(),
            Sink::Packed(packer) => packer.finish()?.finish(),
        }
    }
}
