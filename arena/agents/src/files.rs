//! Reading of untrusted files up to a maximum size, and writing of files that replace old ones only
//! when they are complete.

use crate::text::grouped;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// Opens a regular file and returns it with its size in bytes. Does not block if the path is a pipe
/// without a writer.
///
/// # Errors
/// Returns an error if the file cannot be opened, or is a folder, a device, a pipe or a socket.
pub fn open(path: &Path) -> io::Result<(File, u64)> {
    let mut options = File::options();
    options.read(true);
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
    );
    let file = options.open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "it is not a regular file",
        ));
    }
    Ok((file, about.len()))
}

/// Returns the folder that contains a file; `.` if the path is a bare name.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().map_or(Path::new("."), or_current)
}

/// Returns `folder`, or `.` if it is empty.
pub fn or_current(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    }
}

/// Returns the name of a file; empty if the path has none.
pub fn name_of(file: &Path) -> String {
    file.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Returns the path with symbolic links resolved, or as it is if that fails.
pub fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns `true` for a file that the system can execute.
pub(crate) fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// Reads a regular file of at most `bytes_max` bytes. Reads only as many bytes as the reported
/// size. A file in `/proc` has the reported size 0 and may be endless, so it is read as empty.
///
/// # Errors
/// Returns the errors of [`open`], or an error if the file is larger ([`ErrorKind::FileTooLarge`])
/// or cannot be read.
pub fn read(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let (file, size) = open(path)?;
    if bytes_max < size {
        let message = format!(
            "it has {} bytes; at most {} are allowed",
            grouped(size),
            grouped(bytes_max)
        );
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    let mut bytes = Vec::new();
    file.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the first `bytes_max` bytes of a regular file, or the whole file if it has fewer.
///
/// # Errors
/// Returns the errors of [`open`], or an error if the file cannot be read.
pub(crate) fn read_start(path: &Path, bytes_max: usize) -> io::Result<Vec<u8>> {
    let (file, size) = open(path)?;
    let mut bytes = Vec::new();
    file.take(size.min(bytes_max as u64))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a UTF-8 text file of at most `bytes_max` bytes.
///
/// # Errors
/// Returns the errors of [`read`], or an error if the file is not UTF-8.
pub fn read_text(path: &Path, bytes_max: u64) -> io::Result<String> {
    String::from_utf8(read(path, bytes_max)?)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// A file that is being written. An existing file is replaced only when the new one is
/// [finished](NewFile::finish). If the new file is dropped before, the existing one is unchanged. A
/// device, a pipe or another non-regular file is written directly.
pub struct NewFile {
    path: PathBuf,
    out: BufWriter<File>,
    /// Path of the temporary file; `None` for a device, to which data is written directly.
    temporary: Option<TempPath>,
}

impl NewFile {
    /// Creates a temporary file that will replace `path`. If `path` is a symbolic link, its target
    /// is replaced.
    ///
    /// # Errors
    /// Returns an error if the folder does not exist or is not writable.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        let path = canonical(path);
        let there = fs::metadata(&path).ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            return Ok(NewFile {
                out: BufWriter::new(File::options().write(true).open(&path)?),
                path,
                temporary: None,
            });
        }
        let folder = folder_of(&path);
        let mut new = tempfile::Builder::new();
        new.prefix(".unfinished-");
        // Default permissions of a new file; the process's umask applies. If a file is replaced,
        // the new one gets its permissions.
        new.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = new.tempfile_in(folder)?;
        if let Some(there) = there {
            // The rename would succeed, although a direct write would fail.
            if there.permissions().readonly() {
                return Err(ErrorKind::PermissionDenied.into());
            }
            file.as_file().set_permissions(there.permissions())?;
        }
        let (file, temporary) = file.into_parts();
        Ok(NewFile {
            path,
            out: BufWriter::new(file),
            temporary: Some(temporary),
        })
    }

    /// Writes all data to disk and moves the file to its path.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written completely. The existing file is then
    /// unchanged.
    pub fn finish(self) -> io::Result<()> {
        let file = self
            .out
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        if let Some(temporary) = self.temporary {
            file.sync_all()?;
            temporary.persist(&self.path)?;
        }
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a file completely, or leaves the existing file unchanged.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(content.as_ref())?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_only_after_the_new_file_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.txt");
        let there = || fs::read_to_string(&path).unwrap();
        let count = || fs::read_dir(folder.path()).unwrap().count();
        write(&path, "old").unwrap();
        for is_finished in [false, true] {
            let mut file = NewFile::create(&path).unwrap();
            file.write_all(b"new").unwrap();
            file.flush().unwrap();
            assert_eq!((there().as_str(), count()), ("old", 2));
            if is_finished {
                file.finish().unwrap();
            }
        }
        assert_eq!((there().as_str(), count()), ("new", 1));
        assert!(NewFile::create(&folder.path().join("no/x.txt")).is_err());
    }

    #[test]
    fn a_new_file_keeps_permissions_and_follows_links_and_devices() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("x"), folder.path().join("link"));
        write(&path, "1").unwrap();
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        let plain = folder.path().join("plain");
        fs::write(&plain, "").unwrap();
        assert_eq!(
            mode(),
            fs::metadata(&plain).unwrap().permissions().mode() & 0o777
        );
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write(&link, "2").unwrap();
        assert_eq!(
            (fs::read_to_string(&path).unwrap().as_str(), mode()),
            ("2", 0o640)
        );
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        write(Path::new("/dev/null"), "3").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn only_regular_files_up_to_the_size_limit_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("plain"), "text").unwrap();
        assert_eq!(read_text(&path("plain"), 4).unwrap(), "text");
        assert_eq!(
            read(&path("plain"), 3).unwrap_err().kind(),
            ErrorKind::FileTooLarge
        );
        // This file reports size 0 and has no end.
        assert!(
            read(Path::new("/proc/self/pagemap"), 1 << 20)
                .unwrap()
                .is_empty()
        );
        File::create(path("sparse"))
            .unwrap()
            .set_len(1 << 40)
            .unwrap();
        assert_eq!(
            read(&path("sparse"), 1 << 20).unwrap_err().kind(),
            ErrorKind::FileTooLarge
        );
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mkfifoat(rustix::fs::CWD, path("pipe"), mode).unwrap();
        for other in [path("pipe"), folder.path().to_owned(), "/dev/zero".into()] {
            let error = read(&other, 1 << 20).unwrap_err();
            assert!(
                error.to_string().contains("not a regular file"),
                "{}: {error}",
                other.display()
            );
        }
    }
}
