//! The pipes to and from a program: reads and writes that end at a moment, however slow the program
//! is and whatever it writes.

use crate::agent::process::nanos_in_call;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// Bytes of a line of a program at most.
pub(super) const LINE_MAX: usize = 1 << 16;

/// Both pipes. What they wait for is given up at [`Pipes::until`].
#[derive(Debug)]
pub(super) struct Pipes {
    /// `None` once the program has been told all.
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// When waiting ends.
    pub until: Instant,
    /// Bytes that came and are not read yet.
    lines: Vec<u8>,
    /// Bytes that have been read from the program's output.
    read: u64,
}

impl Pipes {
    /// Pipes that never wait by themselves.
    ///
    /// # Errors
    /// The system refuses.
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

    /// Returns how many bytes the program has written by now.
    pub(super) fn written(&self) -> u64 {
        self.read + rustix::io::ioctl_fionread(&self.output).unwrap_or(0)
    }

    /// Returns how many bytes the lines have that have been read.
    pub(super) fn used(&self) -> u64 {
        self.read - self.lines.len() as u64
    }

    /// Returns the files of both pipes.
    #[cfg(target_os = "linux")]
    pub(super) fn files(&self) -> impl Iterator<Item = crate::agent::sandbox::FileId> {
        let ends = self
            .input
            .iter()
            .map(AsFd::as_fd)
            .chain([self.output.as_fd()]);
        ends.filter_map(|end| rustix::fs::fstat(end).ok())
            .map(|about| (about.st_dev, about.st_ino))
    }

    /// Tells the program that nothing more will come.
    pub(super) fn close(&mut self) {
        self.input = None;
    }

    /// The next line without its end, for `use_line`.
    ///
    /// # Errors
    /// `TimedOut`, `UnexpectedEof` where the program has closed its output, `InvalidData` for a
    /// line of more than [`LINE_MAX`] bytes.
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

    /// Waits until a pipe is ready.
    fn wait(pipe: BorrowedFd<'_>, flags: PollFlags, given: Instant) -> io::Result<()> {
        let mut until = given;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            // A last look where the time is over: what has come in time counts.
            let timeout = Timespec {
                tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: left.subsec_nanos().into(),
            };
            match poll(&mut [PollFd::from_borrowed_fd(pipe, flags)], Some(&timeout)) {
                Ok(0) if left == Duration::ZERO => {
                    // What other bots have taken from the call is added to its time.
                    let disturbed = given + Duration::from_nanos(nanos_in_call());
                    if disturbed <= until {
                        return Err(ErrorKind::TimedOut.into());
                    }
                    until = disturbed;
                }
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Read for Pipes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            Pipes::wait(self.output.as_fd(), PollFlags::IN, self.until)?;
            match self.output.read(buffer) {
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                Ok(count) => {
                    self.read += count as u64;
                    return Ok(count);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Write for Pipes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(input) = &mut self.input else {
            return Err(ErrorKind::BrokenPipe.into());
        };
        loop {
            match input.write(bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // It has not read what was written before.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    Pipes::wait(input.as_fd(), PollFlags::OUT, self.until)?;
                }
                outcome => return outcome,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
