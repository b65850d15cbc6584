//! What a worker's process writes to its outputs, the standard and the error one: a file in memory,
//! a new one for every process, that the host reads when somebody listens and when the process is
//! gone. Not a pipe, which a bot could fill until it hangs; not the terminal, which strangers' bots
//! have no business with.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Bytes of the end of the output that are looked at.
const TAIL: u64 = 2048;
/// Bytes between two looks that somebody who listens is told.
const HEARD: u64 = 8192;
/// Bytes of it that are told.
const TOLD: usize = 200;
/// Bytes of the beginning that are told, where it is.
const FIRST: usize = 120;

/// The host's end.
#[derive(Debug)]
pub(crate) struct LastWords {
    file: File,
}

impl LastWords {
    /// An empty one.
    ///
    /// # Errors
    /// The system gives no such file.
    pub(crate) fn new() -> io::Result<LastWords> {
        Ok(LastWords { file: open()? })
    }

    /// The worker's end.
    ///
    /// # Errors
    /// The process has no more descriptors.
    pub(crate) fn writer(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Returns device and number of the file.
    #[cfg(target_os = "linux")]
    pub(crate) fn id(&self) -> Option<(u64, u64)> {
        use std::os::unix::fs::MetadataExt;
        self.file
            .metadata()
            .ok()
            .map(|about| (about.dev(), about.ino()))
    }

    /// Forgets what has been written.
    pub(crate) fn forget(&self) {
        if self.bytes() > 0 {
            // What stays would be told of a later block, no worse.
            _ = self.file.set_len(0);
        }
    }

    /// How many bytes have been written since the last forgetting.
    pub(crate) fn bytes(&self) -> u64 {
        self.file.metadata().map_or(0, |about| about.len())
    }

    /// What has been written from a place on, at most so much as is told of an output at once, and
    /// the place where it ends.
    pub(crate) fn since(&self, from: u64) -> Option<(String, u64)> {
        let end = self.bytes();
        if end <= from {
            return None;
        }
        let mut bytes = vec![0; usize::try_from((end - from).min(HEARD)).ok()?];
        self.file.read_exact_at(&mut bytes, from).ok()?;
        Some((String::from_utf8_lossy(&bytes).into_owned(), end))
    }

    /// The last lines, in one line; `None` where there are none.
    pub(crate) fn tell(&self) -> Option<String> {
        let size = self.bytes();
        let told = self.read(size.saturating_sub(TAIL), size)?;
        let start = told.len().saturating_sub(TOLD);
        let start = (start..=told.len()).find(|&at| told.is_char_boundary(at))?;
        let cut = if start > 0 { "…" } else { "" };
        (!told.is_empty()).then(|| format!("{cut}{}", &told[start..]))
    }

    /// The first lines, in one line; `None` where there are none.
    pub(crate) fn tell_first(&self) -> Option<String> {
        let told = self.read(0, self.bytes().min(TAIL))?;
        (!told.is_empty()).then(|| crate::text::cut(&told, FIRST).to_owned())
    }

    /// The first and the last lines, in one line; `None` where there are none.
    pub(crate) fn tell_both(&self) -> Option<String> {
        let size = self.bytes();
        let all = self.read(0, size.min(TAIL))?;
        if size <= TAIL && all.len() <= FIRST + TOLD {
            return (!all.is_empty()).then_some(all);
        }
        Some(format!("{} {}", self.tell_first()?, self.tell()?))
    }

    /// What stands in the file from one byte to another, in one line.
    fn read(&self, from: u64, to: u64) -> Option<String> {
        let mut bytes = vec![0; usize::try_from(to - from).ok()?];
        self.file.read_exact_at(&mut bytes, from).ok()?;
        Some(crate::text::harmless(&String::from_utf8_lossy(&bytes)))
    }
}

/// A file without a name. Everything is written at its end, so that the host may cut it short
/// meanwhile.
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
    fn the_end_is_told_in_one_line_and_forgotten() {
        let words = LastWords::new().unwrap();
        assert_eq!(words.tell(), None);
        let mut writer = words.writer().unwrap();
        write!(writer, "\n first\x1b[31m \n\n second\n").unwrap();
        assert_eq!(words.tell().unwrap(), "first [31m | second");
        words.forget();
        assert_eq!(words.tell(), None);
        write!(writer, "{}ä{}", "x".repeat(5000), "é".repeat(TOLD / 2 - 1)).unwrap();
        assert_eq!(
            words.tell().unwrap(),
            format!("…ä{}", "é".repeat(TOLD / 2 - 1))
        );
        let (first, last) = (words.tell_first().unwrap(), words.tell().unwrap());
        assert_eq!(
            (&*first, words.tell_both().unwrap()),
            (&*"x".repeat(FIRST), format!("{first} {last}"))
        );
        words.forget();
        write!(writer, "{}", "y".repeat(FIRST + TOLD)).unwrap();
        assert_eq!(
            words.tell_both().unwrap(),
            "y".repeat(FIRST + TOLD),
            "nothing is left out"
        );
        words.forget();
        assert_eq!((words.tell_first(), words.tell_both()), (None, None));
        writer.write_all(b"\xff!").unwrap();
        assert_eq!(words.tell().unwrap(), "\u{fffd}!");
    }
}
