//! Opening of files for a process while it loads its library, because the process itself cannot
//! open any. The process gets only the library as the helper has read it, and libraries of the
//! system. A requested path is read once and opened here, and the opened file must be in one of the
//! system's library folders. Search paths and other names in a library cannot add other files.
//!
//! The process receives a copy of the file that processes of other helpers do not have. Otherwise
//! processes that map the same page of a file could signal each other.

#![expect(unsafe_code, reason = "system calls without a safe API")]

use crate::agent::process::{checked, sealed};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::process::Pid;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::CStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::mem::zeroed;
use std::ops::Range;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Index of the system's libraries, which the loader reads.
const CACHE: &str = "/etc/ld.so.cache";
/// Library folders of the system. The folders of this program's own libraries are added.
const FOLDERS: [&str; 5] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"];
/// Maximum length of a path in bytes, including the final zero.
const PATH_MAX: usize = 4096;

/// Copies of system libraries, by device and inode number. The processes that a helper starts share
/// them, because only one of these processes runs at a time.
pub(crate) struct LibraryCopies {
    files: RefCell<HashMap<(u64, u64), File>>,
    /// Number of bytes that may still be copied.
    left: Cell<u64>,
}

impl LibraryCopies {
    /// Creates an empty collection that copies at most `bytes` bytes in total.
    pub(crate) fn new(bytes: u64) -> LibraryCopies {
        LibraryCopies {
            files: RefCell::default(),
            left: Cell::new(bytes),
        }
    }

    /// Opens the copy of a file. Copies the file at its first use. Returns `None` if the copies
    /// would exceed the limit, or if a system call fails.
    fn open(&self, file: &File, about: &rustix::fs::Stat) -> Option<File> {
        match self.files.borrow_mut().entry((about.st_dev, about.st_ino)) {
            Entry::Occupied(copy) => reopen(copy.get()).ok(),
            Entry::Vacant(place) => {
                let (mut data, left) = (Vec::new(), self.left.get());
                file.take(left.saturating_add(1))
                    .read_to_end(&mut data)
                    .ok()?;
                self.left.set(left.checked_sub(data.len() as u64)?);
                reopen(place.insert(sealed(&data).ok()?)).ok()
            }
        }
    }
}

/// Opens a file again, because processes could signal each other through a shared file offset.
fn reopen(file: &File) -> io::Result<File> {
    File::open(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// The service that opens files for one process. It answers the system calls that the process's
/// filter forwards to it.
pub(crate) struct Opener<'a> {
    listener: OwnedFd,
    /// Memory of the process, from which paths are read.
    memory: File,
    /// Library, and the path under which the process opens it.
    library: Option<(&'a File, &'a Path)>,
    folders: &'a [PathBuf],
    copies: &'a LibraryCopies,
    /// Opened files, with their descriptors in the process.
    opened_files: Vec<(i32, File)>,
}

impl<'a> Opener<'a> {
    /// Creates an opener for a process whose calls arrive at `listener`.
    ///
    /// # Errors
    /// Returns an error if the memory of the process cannot be opened.
    pub(crate) fn new(
        listener: OwnedFd,
        process: Pid,
        library: Option<(&'a File, &'a Path)>,
        folders: &'a [PathBuf],
        copies: &'a LibraryCopies,
    ) -> io::Result<Opener<'a>> {
        let memory = File::options()
            .read(true)
            .write(true)
            .open(format!("/proc/{}/mem", process.as_raw_pid()))?;
        Ok(Opener {
            listener,
            memory,
            library,
            folders,
            copies,
            opened_files: Vec::new(),
        })
    }

    /// Returns the folders from which libraries may be opened: the system's, and those of the
    /// libraries that this program has loaded.
    pub(crate) fn folders() -> Vec<PathBuf> {
        let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let own = maps
            .lines()
            .filter_map(|line| line.find('/').map(|at| Path::new(&line[at..])))
            .filter(|path| is_library(path))
            .filter_map(Path::parent);
        let mut folders: Vec<_> = FOLDERS
            .iter()
            .map(Path::new)
            .chain(own)
            .filter_map(|folder| fs::canonicalize(folder).ok())
            .collect();
        folders.sort_unstable();
        folders.dedup();
        folders
    }

    /// Receives a pending call and answers it.
    ///
    /// # Errors
    /// Returns an error if a system call fails.
    pub(crate) fn answer(&mut self) -> io::Result<()> {
        // SAFETY: all fields are integers, and the kernel requires zeros.
        let mut call: libc::seccomp_notif = unsafe { zeroed() };
        // SAFETY: `call` is valid for writes and has the kernel's layout.
        let received = unsafe {
            libc::ioctl(
                self.listener.as_raw_fd(),
                libc::SECCOMP_IOCTL_NOTIF_RECV,
                &raw mut call,
            )
        };
        if let Err(error) = checked(received) {
            // The caller has ended, or was interrupted and will repeat the call.
            let is_over = matches!(error.raw_os_error(), Some(libc::ENOENT | libc::EINTR));
            return if is_over { Ok(()) } else { Err(error) };
        }
        let args = call.data.args;
        let outcome = match i64::from(call.data.nr) {
            libc::SYS_openat => self.open(args[1]),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_open => self.open(args[0]),
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            libc::SYS_newfstatat => {
                return self.reply(call.id, self.write_attributes(args).err().unwrap_or(0));
            }
            _ => Err(libc::EPERM),
        };
        match outcome {
            Ok(file) => self.hand_over(call.id, file),
            Err(error) => self.reply(call.id, error),
        }
    }

    /// Opens the file whose path is at `address` in the memory of the process.
    ///
    /// # Errors
    /// Returns an error number, which is the same for forbidden and for missing files.
    fn open(&self, address: u64) -> Result<File, i32> {
        let path = self.text(address)?;
        self.open_path(&path).ok_or(libc::ENOENT)
    }

    fn open_path(&self, path: &[u8]) -> Option<File> {
        let path = Path::new(std::ffi::OsStr::from_bytes(path));
        if let Some((library, _)) = self.library.filter(|(_, own)| *own == path) {
            return reopen(library).ok();
        }
        if !path.is_absolute() {
            return None;
        }
        // `O_PATH` has no side effects; the path may be a device.
        let found = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()?;
        let about = rustix::fs::fstat(&found).ok()?;
        let is_for_all = Mode::from_raw_mode(about.st_mode).contains(Mode::ROTH);
        let link = format!("/proc/self/fd/{}", found.as_raw_fd());
        let real = fs::read_link(&link).ok()?;
        let is_of_system =
            is_library(&real) && self.folders.iter().any(|folder| real.starts_with(folder));
        let is_file = FileType::from_raw_mode(about.st_mode) == FileType::RegularFile;
        if !is_file || !is_for_all || !(is_of_system || real == Path::new(CACHE)) {
            return None;
        }
        self.copies.open(&File::open(link).ok()?, &about)
    }

    /// Writes the attributes of an opened file to the memory of the process.
    fn write_attributes(&self, [file, path, into, flags, ..]: [u64; 6]) -> Result<(), i32> {
        let is_of_descriptor =
            flags == u64::from(libc::AT_EMPTY_PATH.cast_unsigned()) && self.text(path)?.is_empty();
        let wanted = i32::try_from(file)
            .ok()
            .filter(|_| is_of_descriptor)
            .ok_or(libc::EACCES)?;
        let (_, file) = self
            .opened_files
            .iter()
            .find(|(number, _)| *number == wanted)
            .ok_or(libc::EPERM)?;
        // SAFETY: all fields are integers.
        let mut about: libc::stat = unsafe { zeroed() };
        // SAFETY: the file is open, and `about` is valid for writes.
        if unsafe { libc::fstat(file.as_raw_fd(), &raw mut about) } != 0 {
            return Err(libc::EIO);
        }
        // SAFETY: all fields are integers, and padding was zeroed.
        let bytes = unsafe {
            std::slice::from_raw_parts((&raw const about).cast::<u8>(), size_of::<libc::stat>())
        };
        self.memory
            .write_all_at(bytes, into)
            .map_err(|_| libc::EFAULT)
    }

    /// Reads a zero-terminated text from the memory of the process.
    fn text(&self, address: u64) -> Result<Vec<u8>, i32> {
        let mut bytes = vec![0; PATH_MAX];
        let mut have = 0;
        // Reads in pieces, because the memory after the text may not be readable.
        while have < PATH_MAX {
            let at = address.checked_add(have as u64).ok_or(libc::EFAULT)?;
            let piece = (256 - usize::try_from(at % 256).expect("below 256")).min(PATH_MAX - have);
            self.memory
                .read_exact_at(&mut bytes[have..have + piece], at)
                .map_err(|_| libc::EFAULT)?;
            have += piece;
            if let Ok(text) = CStr::from_bytes_until_nul(&bytes[..have]) {
                return Ok(text.to_bytes().to_vec());
            }
        }
        Err(libc::ENAMETOOLONG)
    }

    fn hand_over(&mut self, id: u64, file: File) -> io::Result<()> {
        let add = libc::seccomp_notif_addfd {
            id,
            flags: u32::try_from(libc::SECCOMP_ADDFD_FLAG_SEND).expect("a small number"),
            srcfd: file.as_raw_fd().cast_unsigned(),
            newfd: 0,
            newfd_flags: libc::O_CLOEXEC.cast_unsigned(),
        };
        // SAFETY: the struct is valid and has the kernel's layout.
        let number = unsafe {
            libc::ioctl(
                self.listener.as_raw_fd(),
                libc::SECCOMP_IOCTL_NOTIF_ADDFD,
                &raw const add,
            )
        };
        let number = match checked(number) {
            Ok(number) => number,
            // The process's descriptor table is full, or the process has ended, in which case the
            // reply has no effect.
            Err(error) => return self.reply(id, error.raw_os_error().unwrap_or(libc::EMFILE)),
        };
        self.opened_files.retain(|(other, _)| *other != number);
        self.opened_files.push((number, file));
        Ok(())
    }

    /// Answers a call with an error number, or 0 for success.
    fn reply(&self, id: u64, error: i32) -> io::Result<()> {
        let mut reply = libc::seccomp_notif_resp {
            id,
            val: 0,
            error: -error,
            flags: 0,
        };
        // SAFETY: the struct is valid and has the kernel's layout.
        let sent = unsafe {
            libc::ioctl(
                self.listener.as_raw_fd(),
                libc::SECCOMP_IOCTL_NOTIF_SEND,
                &raw mut reply,
            )
        };
        match checked(sent) {
            Err(error) if error.raw_os_error() != Some(libc::ENOENT) => Err(error),
            _ => Ok(()),
        }
    }
}

impl AsFd for Opener<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }
}

/// Returns the sorted address ranges of mapped files in this process. Forked processes have the
/// same ranges.
pub(crate) fn file_ranges() -> io::Result<Vec<Range<u64>>> {
    Ok(ranges_in(&fs::read_to_string("/proc/self/maps")?))
}

/// Returns the ranges of mapped files from lines such as `7f00-8f00 r-xp 00000000 fe:00 1234
/// /usr/lib/libc.so.6`.
fn ranges_in(maps: &str) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for line in maps.lines() {
        let mut fields = line.split_whitespace();
        let ends = fields.next().and_then(|range| range.split_once('-'));
        let is_file = fields.nth(3).is_some_and(|inode| inode != "0");
        let hex = |number| u64::from_str_radix(number, 16).ok();
        let range = ends
            .filter(|_| is_file)
            .and_then(|(start, end)| hex(start).zip(hex(end)));
        let Some((start, end)) = range else { continue };
        match ranges.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => ranges.push(start..end),
        }
    }
    ranges
}

/// Returns `true` if the name of a file is that of a library, for example `libm.so.6`.
fn is_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_bytes();
    name.ends_with(b".so") || name.windows(4).any(|part| part == b".so.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_file_mappings_are_merged_and_other_mappings_are_ignored() {
        let maps = "1000-2000 r--p 00000000 fe:00 12 /bin/x\n2000-5000 r-xp 00001000 fe:00 12 /bin/x\n\
                    5000-6000 rw-p 00000000 00:00 0 [heap]\n8000-9000 rw-s 00000000 00:01 7 /memfd:a b (deleted)\n\
                    ffff-10000 r-xp 00000000 00:00 0 [vdso]\n";
        assert_eq!(ranges_in(maps), [0x1000..0x5000, 0x8000..0x9000]);
        let own = file_ranges().unwrap();
        let code = ranges_in as *const () as usize as u64;
        let local = &raw const own as u64;
        assert!(
            own.iter().any(|range| range.contains(&code))
                && !own.iter().any(|range| range.contains(&local))
        );
    }

    #[test]
    fn each_file_is_copied_once_until_the_size_limit_is_reached() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).unwrap();
            let file = File::open(folder.path().join(name)).unwrap();
            let about = rustix::fs::fstat(&file).unwrap();
            (file, about)
        };
        let ((one, about_one), (other, about_other)) =
            (file("one", "1234567"), file("other", "12345"));
        let copies = LibraryCopies::new(10);
        let number = |file: &File| rustix::fs::fstat(file).unwrap().st_ino;
        let copy = copies.open(&one, &about_one).unwrap();
        assert_eq!(
            number(&copy),
            number(&copies.open(&one, &about_one).unwrap())
        );
        assert_ne!(number(&copy), number(&one));
        assert_eq!(io::read_to_string(copy).unwrap(), "1234567");
        assert!(
            copies.open(&other, &about_other).is_none(),
            "more than is left"
        );
    }
}
