//! Pipes to and from a program, with a deadline for reads and writes.

use crate::agent::transport::timed;
use std::io::{self, ErrorKind, Read, Write};
#[cfg(target_os = "linux")]
use std::os::fd::AsFd;
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

/// Maximum length in bytes of a line that a program sends.
pub(super) const LINE_MAX: usize = 1 << 16;

/// The pipes to a program's standard input and output. Reads and writes fail at the deadline
/// [`Pipes::until`].
#[derive(Debug)]
pub(super) struct Pipes {
    /// `None` once standard input of the program has been closed.
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// Deadline of reads and writes.
    pub until: Instant,
    /// Received bytes that [`Pipes::read_line`] has not returned yet.
    lines: Vec<u8>,
    /// Number of bytes read from the program's output.
    read: u64,
}

impl Pipes {
    /// Creates non-blocking pipes.
    ///
    /// # Errors
    /// Returns an error if a system call fails.
    pub(super) fn new(input: ChildStdin, output: ChildStdout) -> io::Result<Pipes> {
        rustix::io::ioctl_fionbio(&input, true)?;
        rustix::io::ioctl_fionbio(&output, true)?;
        Ok(Pipes {
            input: Some(input),
            output,
            until: Instant::now(),
            lines: Vec::new(),
            read: 0,
        })
    }

    /// Returns the number of bytes that the program has written so far.
    pub(super) fn bytes_written(&self) -> u64 {
        self.read + rustix::io::ioctl_fionread(&self.output).unwrap_or(0)
    }

    /// Returns the number of received bytes that are no longer in the line buffer.
    pub(super) fn bytes_consumed(&self) -> u64 {
        self.read - self.lines.len() as u64
    }

    /// Returns device and inode numbers of both pipes.
    #[cfg(target_os = "linux")]
    pub(super) fn files(&self) -> impl Iterator<Item = crate::agent::sandbox::FileId> {
        self.input
            .iter()
            .map(AsFd::as_fd)
            .chain([self.output.as_fd()])
            .filter_map(|end| rustix::fs::fstat(end).ok())
            .map(|about| (about.st_dev, about.st_ino))
    }

    /// Closes the program's standard input.
    pub(super) fn close(&mut self) {
        self.input = None;
    }

    /// Passes the next line without its end to `use_line` and returns the result.
    ///
    /// # Errors
    /// Returns `TimedOut` at the deadline, `UnexpectedEof` if the program has closed its output, or
    /// `InvalidData` for a line of more than [`LINE_MAX`] bytes.
    pub(super) fn read_line<T>(&mut self, use_line: impl FnOnce(&[u8]) -> T) -> io::Result<T> {
        let mut looked = 0;
        loop {
            if let Some(end) = self.lines[looked..].iter().position(|&byte| byte == b'\n') {
                let end = looked + end;
                let line = &self.lines[..end];
                let used = use_line(line.strip_suffix(b"\r").unwrap_or(line));
                self.lines.drain(..=end);
                return Ok(used);
            }
            looked = self.lines.len();
            if LINE_MAX < looked {
                return Err(ErrorKind::InvalidData.into());
            }
            let mut chunk = [0; 4096];
            match self.read(&mut chunk)? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                count => self.lines.extend_from_slice(&chunk[..count]),
            }
        }
    }
}

impl Read for Pipes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = timed::read(&mut self.output, buffer, self.until)?;
        self.read += count as u64;
        Ok(count)
    }
}

impl Write for Pipes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.input {
            Some(input) => timed::write(input, bytes, self.until),
            None => Err(ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
