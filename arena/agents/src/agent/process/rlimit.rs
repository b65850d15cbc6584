//! Limits that the kernel counts for the calling process.

use rustix::process::{Resource, Rlimit, setrlimit};
use std::io;

/// Sets a limit: `current` is that in force, which the process may raise up to `maximum`.
///
/// # Errors
/// The system refuses.
pub(crate) fn set_limit(resource: Resource, current: u64, maximum: u64) -> io::Result<()> {
    let limit = Rlimit {
        current: Some(current),
        maximum: Some(maximum),
    };
    Ok(setrlimit(resource, limit)?)
}

/// Returns the bytes of the process's address space.
///
/// # Errors
/// The system does not tell.
#[cfg(target_os = "linux")]
pub(crate) fn address_space() -> io::Result<u64> {
    let told = std::fs::read_to_string("/proc/self/statm")?;
    let pages = told.split(' ').next().and_then(|pages| pages.parse().ok());
    let pages: u64 = pages.ok_or(io::ErrorKind::InvalidData)?;
    Ok(pages * rustix::param::page_size() as u64)
}
