//! Files that somebody else may have put there, read within bounds.

use crate::text::grouped;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a regular file, and returns its size. Never waits for anybody, as a pipe without a writer would.
///
/// # Errors
/// It cannot be opened, or is a folder, a device, a pipe or a socket.
pub fn open(path: &Path) -> io::Result<(File, u64)> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    let file = options.open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
    }
    Ok((file, about.len()))
}

/// Reads a regular file of at most `bytes_max` bytes. No more is read than the file has by its size, so that a file of `/proc`, which has none
/// and may never end, is empty.
///
/// # Errors
/// As [`open`]; it is larger ([`ErrorKind::FileTooLarge`]); it cannot be read.
pub fn read(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let (file, size) = open(path)?;
    if bytes_max < size {
        let message = format!("it has {} bytes, and at most {} are read", grouped(size), grouped(bytes_max));
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    let mut bytes = Vec::new();
    file.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    #[cfg(target_os = "linux")]
    fn only_regular_files_are_read_and_no_more_than_their_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("plain"), "text").unwrap();
        assert_eq!(read(&path("plain"), 4).unwrap(), b"text");
        assert_eq!(read(&path("plain"), 3).unwrap_err().kind(), ErrorKind::FileTooLarge);
        // It has no size and no end.
        assert!(read(Path::new("/proc/self/pagemap"), 1 << 20).unwrap().is_empty());
        File::create(path("sparse")).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&path("sparse"), 1 << 20).unwrap_err().kind(), ErrorKind::FileTooLarge);
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mkfifoat(rustix::fs::CWD, path("pipe"), mode).unwrap();
        for other in [path("pipe"), folder.path().to_owned(), "/dev/zero".into()] {
            let error = read(&other, 1 << 20).unwrap_err();
            assert!(error.to_string().contains("not a regular file"), "{}: {error}", other.display());
        }
    }
}
