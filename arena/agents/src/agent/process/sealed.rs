//! Files in memory that nobody can change.

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use std::fs::File;
use std::io::{self, Write};

/// Returns a file in memory with these bytes, which nobody can change any more.
///
/// # Errors
/// The system has no memory for it.
pub(crate) fn sealed(data: &[u8]) -> io::Result<File> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    // Older kernels do not know the word for what they always allow.
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
