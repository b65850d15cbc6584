//! Descriptors and output buffers of a process that has just been forked.

#![expect(unsafe_code, reason = "descriptors are put where filters expect them")]

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

/// Puts descriptors at their places, 0 and on, and closes all others.
///
/// # Errors
/// The system refuses.
pub(crate) fn put_in_place<const N: usize>(descriptors: [OwnedFd; N]) -> io::Result<[OwnedFd; N]> {
    // Out of the way of all places.
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
        // SAFETY: what is open at that place belongs to the helper, which this process no longer
        // is.
        if unsafe { libc::dup2(descriptor.as_raw_fd(), place) } != place {
            return Err(io::Error::last_os_error());
        }
    }
    // They are closed with all others.
    moved.into_iter().for_each(std::mem::forget);
    // SAFETY: as above.
    if unsafe { libc::syscall(libc::SYS_close_range, N, u32::MAX, 0) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: each has just been put there, and nobody else owns it.
    Ok(std::array::from_fn(|place| unsafe {
        OwnedFd::from_raw_fd(RawFd::try_from(place).expect("a handful"))
    }))
}

/// Lets go of what the C library keeps back of what was printed, so that it can be told at the call
/// in which that was done.
pub(crate) fn flush_outputs() {
    // SAFETY: no stream in particular means all of them.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}
