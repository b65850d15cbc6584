//! Reads and writes of non-blocking descriptors, with deadlines.

use crate::agent::process::nanos_in_call;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

/// Waits until there is data, the other side has closed its end, or the descriptor fails, and reads
/// once.
///
/// # Errors
/// Returns `TimedOut` at the deadline, or the error of the read.
pub(crate) fn read(
    from: &mut (impl Read + AsFd),
    buffer: &mut [u8],
    until: Instant,
) -> io::Result<usize> {
    loop {
        wait(from.as_fd(), PollFlags::IN, until)?;
        match from.read(buffer) {
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            outcome => return outcome,
        }
    }
}

/// Waits until there is room or the descriptor fails, and writes once.
///
/// # Errors
/// Returns `TimedOut` at the deadline, or the error of the write.
pub(crate) fn write(
    to: &mut (impl Write + AsFd),
    bytes: &[u8],
    until: Instant,
) -> io::Result<usize> {
    loop {
        match to.write(bytes) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // The buffer is full.
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                wait(to.as_fd(), PollFlags::OUT, until)?;
            }
            outcome => return outcome,
        }
    }
}

/// Waits until a descriptor is ready or the deadline `given` has passed.
fn wait(descriptor: BorrowedFd<'_>, flags: PollFlags, given: Instant) -> io::Result<()> {
    let mut until = given;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        // After the deadline this polls once more without waiting, because bytes that arrived in
        // time count.
        let timeout = Timespec {
            tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: left.subsec_nanos().into(),
        };
        let mut polled = [PollFd::from_borrowed_fd(descriptor, flags)];
        match poll(&mut polled, Some(&timeout)) {
            Ok(0) if left == Duration::ZERO => {
                // Extends the deadline by the time that other bots took during the call.
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
