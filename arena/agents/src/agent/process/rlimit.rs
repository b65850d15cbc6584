//! Resource limits of the calling process, and the size of its memory.

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

/// Returns the size of this process's address space in bytes.
///
/// # Errors
/// Returns an error if the size cannot be read.
#[cfg(target_os = "linux")]
pub(crate) fn address_space() -> io::Result<u64> {
    let sizes = std::fs::read_to_string("/proc/self/statm")?;
    let pages: u64 = sizes
        .split(' ')
        .next()
        .and_then(|pages| pages.parse().ok())
        .ok_or(io::ErrorKind::InvalidData)?;
    Ok(pages * rustix::param::page_size() as u64)
}
