//! Immutable files in memory.

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use std::fs::File;
use std::io::{self, Write};

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
