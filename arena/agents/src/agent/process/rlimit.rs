//! Resource limits of the calling process, and sizes of the memory of processes.

use rustix::process::{Resource, Rlimit, setrlimit};
use std::io;

/// Sets the limit of a resource to `current`. The process may raise it to `maximum`.
///
/// # Errors
/// Returns an error if the system call fails.
pub(crate) fn set_limit(resource: Resource, current: u64, maximum: u64) -> io::Result<()> {
    let limit = Rlimit {
        current: Some(current),
        maximum: Some(maximum),
    };
    Ok(setrlimit(resource, limit)?)
}

/// Place of the address space in the list of a process's memory sizes.
#[cfg(target_os = "linux")]
pub(crate) const ADDRESS_SPACE: usize = 0;

/// Place of the resident memory in the list of a process's memory sizes.
#[cfg(target_os = "linux")]
pub(crate) const RESIDENT: usize = 1;

/// Returns a size in bytes from the list of memory sizes of a process with this folder in `/proc`.
///
/// # Errors
/// Returns an error if the list cannot be read.
#[cfg(target_os = "linux")]
pub(crate) fn memory_of(process: &std::path::Path, number: usize) -> io::Result<u64> {
    let sizes = std::fs::read_to_string(process.join("statm"))?;
    let pages = sizes
        .split(' ')
        .nth(number)
        .and_then(|pages| pages.parse().ok());
    let pages: u64 = pages.ok_or(io::ErrorKind::InvalidData)?;
    Ok(pages * rustix::param::page_size() as u64)
}
