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

/// Returns a size in bytes from the list of memory sizes of a process with this folder in `/proc`:
/// 0 for the address space, 1 for the resident memory.
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
