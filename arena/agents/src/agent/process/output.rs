//! Captured output (stdout and stderr) of a worker process. Each process writes to a new file in
//! memory. The host reads the file while an [`OutputCapture`](crate::agent::output::OutputCapture)
//! collects output, and after the process has ended. A pipe is not suitable, because a full pipe
//! would block the bot. Untrusted bots must not write to the terminal.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Number of bytes that are read from the beginning or the end of the output for a message.
const TAIL: u64 = 2048;
/// Maximum number of bytes that are collected at once for [`take`](crate::agent::output::take).
const LISTENER_BYTES_MAX: u64 = 8192;
/// Maximum length in bytes of the end of the output in a message.
const END_BYTES_MAX: usize = 200;
/// Maximum length in bytes of the beginning of the output in a message.
const FIRST: usize = 120;

/// The file to which a process writes its output, as opened by the host.
#[derive(Debug)]
pub(crate) struct OutputFile {
    file: File,
}

impl OutputFile {
    /// Creates an empty output file.
    ///
    /// # Errors
    /// Returns an error if the system cannot create the file.
    pub(crate) fn new() -> io::Result<OutputFile> {
        Ok(OutputFile { file: open()? })
    }

    /// Returns a second handle of the file, for the worker.
    ///
    /// # Errors
    /// Returns an error if this process has no free descriptors.
    pub(crate) fn writer(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Returns device and inode number of the file.
    #[cfg(target_os = "linux")]
    pub(crate) fn id(&self) -> Option<(u64, u64)> {
        use std::os::unix::fs::MetadataExt;
        self.file
            .metadata()
            .ok()
            .map(|about| (about.dev(), about.ino()))
    }

    /// Discards the output so far.
    pub(crate) fn forget(&self) {
        if self.bytes() > 0 {
            // If this fails, old output may be shown with a later block.
            _ = self.file.set_len(0);
        }
    }

    /// Returns the number of bytes written since the output was last discarded.
    pub(crate) fn bytes(&self) -> u64 {
        self.file.metadata().map_or(0, |about| about.len())
    }

    /// Returns the output from offset `from`, at most `LISTENER_BYTES_MAX` bytes, and the size of
    /// all output so far. Returns `None` if there is no output from `from` on.
    pub(crate) fn output_from(&self, from: u64) -> Option<(String, u64)> {
        let end = self.bytes();
        if end <= from {
            return None;
        }
        let mut bytes = vec![0; usize::try_from((end - from).min(LISTENER_BYTES_MAX)).ok()?];
        self.file.read_exact_at(&mut bytes, from).ok()?;
        Some((String::from_utf8_lossy(&bytes).into_owned(), end))
    }

    /// Returns the end of the output in one line; `None` if there is no output.
    pub(crate) fn end_of_output(&self) -> Option<String> {
        let size = self.bytes();
        let told = self.read(size.saturating_sub(TAIL), size)?;
        let start = told.ceil_char_boundary(told.len().saturating_sub(END_BYTES_MAX));
        let cut = if start > 0 { "…" } else { "" };
        (!told.is_empty()).then(|| format!("{cut}{}", &told[start..]))
    }

    /// Returns the beginning of the output in one line; `None` if there is no output.
    pub(crate) fn start_of_output(&self) -> Option<String> {
        let told = self.read(0, self.bytes().min(TAIL))?;
        (!told.is_empty()).then(|| crate::text::cut(&told, FIRST).to_owned())
    }

    /// Returns the beginning and the end of the output in one line; `None` if there is no output.
    pub(crate) fn start_and_end_of_output(&self) -> Option<String> {
        let size = self.bytes();
        let all = self.read(0, size.min(TAIL))?;
        if size <= TAIL && all.len() <= FIRST + END_BYTES_MAX {
            return (!all.is_empty()).then_some(all);
        }
        Some(format!(
            "{} {}",
            self.start_of_output()?,
            self.end_of_output()?
        ))
    }

    /// Returns a range of bytes of the file in one line.
    fn read(&self, from: u64, to: u64) -> Option<String> {
        let mut bytes = vec![0; usize::try_from(to - from).ok()?];
        self.file.read_exact_at(&mut bytes, from).ok()?;
        Some(crate::text::escape_for_sentence(&String::from_utf8_lossy(
            &bytes,
        )))
    }
}

/// Creates an unnamed file in append mode, so that the host can truncate it at any time.
#[cfg(target_os = "linux")]
fn open() -> io::Result<File> {
    use rustix::fs::{MemfdFlags, OFlags, fcntl_setfl, memfd_create};
    let file = memfd_create("hattari-stderr", MemfdFlags::CLOEXEC)?;
    fcntl_setfl(&file, OFlags::APPEND)?;
    Ok(file.into())
}

#[cfg(not(target_os = "linux"))]
fn open() -> io::Result<File> {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("hattari-stderr-{}-{number}", std::process::id()));
    let file = File::options()
        .read(true)
        .append(true)
        .create_new(true)
        .open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn the_output_tail_is_returned_as_one_line_and_can_be_discarded() {
        let words = OutputFile::new().unwrap();
        assert_eq!(words.end_of_output(), None);
        let mut writer = words.writer().unwrap();
        write!(writer, "\n first\x1b[31m \n\n second\n").unwrap();
        assert_eq!(words.end_of_output().unwrap(), "first [31m | second");
        words.forget();
        assert_eq!(words.end_of_output(), None);
        write!(
            writer,
            "{}ä{}",
            "x".repeat(5000),
            "é".repeat(END_BYTES_MAX / 2 - 1)
        )
        .unwrap();
        assert_eq!(
            words.end_of_output().unwrap(),
            format!("…ä{}", "é".repeat(END_BYTES_MAX / 2 - 1))
        );
        let (first, last) = (
            words.start_of_output().unwrap(),
            words.end_of_output().unwrap(),
        );
        assert_eq!(
            (&*first, words.start_and_end_of_output().unwrap()),
            (&*"x".repeat(FIRST), format!("{first} {last}"))
        );
        words.forget();
        write!(writer, "{}", "y".repeat(FIRST + END_BYTES_MAX)).unwrap();
        assert_eq!(
            words.start_and_end_of_output().unwrap(),
            "y".repeat(FIRST + END_BYTES_MAX),
            "nothing is left out"
        );
        words.forget();
        assert_eq!(
            (words.start_of_output(), words.start_and_end_of_output()),
            (None, None)
        );
        writer.write_all(b"\xff!").unwrap();
        assert_eq!(words.end_of_output().unwrap(), "\u{fffd}!");
    }
}
