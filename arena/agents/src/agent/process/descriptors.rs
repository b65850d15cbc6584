//! Functions that processes started by the host call to set up descriptors, output and their end.

#![expect(unsafe_code, reason = "moves descriptors to fixed numbers")]

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

/// Moves descriptors to the numbers from 0 on, in order, and closes all others.
///
/// # Errors
/// Returns an error if a system call fails.
pub(crate) fn put_in_place<const N: usize>(descriptors: [OwnedFd; N]) -> io::Result<[OwnedFd; N]> {
    // First duplicate all descriptors to numbers that are not targets.
    let beyond = i32::try_from(N).expect("a handful");
    let mut moved = Vec::new();
    for descriptor in descriptors {
        moved.push(rustix::io::fcntl_dupfd_cloexec(descriptor, beyond)?);
    }
    for (place, descriptor) in moved.iter().enumerate() {
        let place = RawFd::try_from(place).expect("a handful");
        // SAFETY: a descriptor open at this number was inherited from the helper, and no object of
        // this process uses it.
        checked(unsafe { libc::dup2(descriptor.as_raw_fd(), place) })?;
    }
    // `close_range` closes the duplicates.
    moved.into_iter().for_each(std::mem::forget);
    // SAFETY: no object of this process uses the closed descriptors.
    unsafe { close_from(N, 0) }?;
    // SAFETY: each was just duplicated to this number, and no other object owns it.
    Ok(std::array::from_fn(|place| unsafe {
        OwnedFd::from_raw_fd(RawFd::try_from(place).expect("a handful"))
    }))
}

/// Closes all descriptors from number `first` on. `flags` are those of `close_range`.
///
/// # Errors
/// Returns an error if the system call fails.
///
/// # Safety
/// No object of this process may use a closed descriptor.
pub(crate) unsafe fn close_from(first: usize, flags: libc::c_uint) -> io::Result<()> {
    // SAFETY: required from the caller.
    checked(unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, flags) }).map(drop)
}

/// Returns the result of a system call that was called without a safe API.
///
/// # Errors
/// Returns the error of the call if the result is negative.
pub(crate) fn checked<T: Default + PartialOrd>(answer: T) -> io::Result<T> {
    if answer < T::default() {
        Err(io::Error::last_os_error())
    } else {
        Ok(answer)
    }
}

/// Flushes the C library's output buffers, so that output is attributed to the call that printed
/// it.
pub(crate) fn flush_outputs() {
    // SAFETY: a null stream means all streams.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

/// Replaces standard input and output by `/dev/null`.
///
/// # Errors
/// Returns an error if a system call fails.
pub(crate) fn redirect_to_null() -> io::Result<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    Ok(rustix::stdio::dup2_stdout(&nothing)?)
}

/// Makes the kernel kill this process when its parent, the process `parent`, ends.
///
/// # Errors
/// Returns an error if the parent has already ended.
pub(crate) fn end_with_parent(parent: u32) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid().map(Pid::as_raw_pid) != i32::try_from(parent).ok() {
        return Err(io::Error::other("the host has ended"));
    }
    Ok(())
}

/// Returns a file in memory with these bytes, sealed against all changes.
///
/// # Errors
/// Returns an error if a system call fails.
pub(crate) fn sealed(data: &[u8]) -> io::Result<File> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    // Older kernels do not support the flag; there, files in memory are always executable.
    let file = memfd_create("library", flags | MemfdFlags::EXEC)
        .or_else(|_| memfd_create("library", flags))?;
    let mut file = File::from(file);
    file.write_all(data)?;
    fcntl_add_seals(
        &file,
        SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL,
    )?;
    Ok(file)
}
