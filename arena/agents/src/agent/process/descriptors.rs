//! Functions for the file descriptors and output buffers of a newly forked process.

#![expect(unsafe_code, reason = "moves descriptors to fixed numbers")]

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

/// Moves descriptors to the numbers from 0 on, in order, and closes all others.
///
/// # Errors
/// Returns an error if a system call fails.
pub(crate) fn put_in_place<const N: usize>(descriptors: [OwnedFd; N]) -> io::Result<[OwnedFd; N]> {
    // First duplicate all to numbers that no target has.
    let beyond = i32::try_from(N).expect("a handful");
    let far = |descriptor: OwnedFd| {
        rustix::io::fcntl_dupfd_cloexec(descriptor, beyond).map_err(io::Error::from)
    };
    let mut moved = Vec::new();
    for descriptor in descriptors {
        moved.push(far(descriptor)?);
    }
    for (place, descriptor) in moved.iter().enumerate() {
        let place = RawFd::try_from(place).expect("a handful");
        // SAFETY: a descriptor open at this number was inherited from the helper, and no object of
        // this process uses it.
        if unsafe { libc::dup2(descriptor.as_raw_fd(), place) } != place {
            return Err(io::Error::last_os_error());
        }
    }
    // `close_range` closes the duplicates.
    moved.into_iter().for_each(std::mem::forget);
    // SAFETY: as above.
    if unsafe { libc::syscall(libc::SYS_close_range, N, u32::MAX, 0) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: each was just duplicated to this number, and no other object owns it.
    Ok(std::array::from_fn(|place| unsafe {
        OwnedFd::from_raw_fd(RawFd::try_from(place).expect("a handful"))
    }))
}

/// Flushes the C library's output buffers, so that output is attributed to the call that printed
/// it.
pub(crate) fn flush_outputs() {
    // SAFETY: a null stream means all streams.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}
