//! The file system of a sandboxed program: visible files, which are read-only, and small writable
//! folders that only the program sees.

#![expect(unsafe_code, reason = "system calls for mounts have no safe API")]

use super::visible_files::SYSTEM;
use super::{SandboxReport, SandboxSpec};
use crate::agent::process::checked;
use std::ffi::{CStr, CString};
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Folder in which the new root is built. It exists on every system.
const ROOT: &str = "/sys";
/// Visible settings, which loaders and runtimes read, and devices. `/dev/zero` is not among them,
/// because a shared mapping of it is memory that belongs to no process.
const FILES: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",
    "/etc/mono",
    "/etc/dotnet",
    "/etc/perl",
    "/dev/null",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];
/// Beginnings of the names of further visible settings, such as `java-17-openjdk`.
const SETTINGS_BEGIN: &[&str] = &["java", "python3"];
/// Writable folders with their mount options. They disappear with the namespace.
const WRITABLE_FOLDERS: &[(&str, &CStr)] = &[
    ("/tmp", c"mode=1777,size=64m,nr_inodes=4096"),
    ("/dev/shm", c"mode=1777,size=32m,nr_inodes=64"),
];

/// Mounts an empty read-only folder at `place`, visible only to this process.
///
/// # Errors
/// Returns an error if a system call fails.
pub(super) fn make_empty(place: &Path) -> io::Result<()> {
    set_private()?;
    let flags = libc::MS_RDONLY | libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    mount(Some(c"none"), place, Some(c"tmpfs"), flags, None)
}

/// Keeps later mounts from being propagated to the host.
fn set_private() -> io::Result<()> {
    let flags = libc::MS_REC | libc::MS_PRIVATE;
    mount(None, Path::new("/"), None, flags, None)
}

/// Builds the file system of a program and makes it this process's root. Returns `true` if it has
/// `/proc`.
///
/// # Errors
/// Returns an error if a required system call fails.
pub(crate) fn build(spec: &SandboxSpec, report: &mut SandboxReport) -> io::Result<bool> {
    set_private()?;
    let plain = libc::MS_NOSUID | libc::MS_NODEV;
    mount(
        Some(c"none"),
        Path::new(ROOT),
        Some(c"tmpfs"),
        plain,
        Some(c"mode=755,size=4m"),
    )?;
    add_contents(spec)?;
    set_read_only(Path::new(ROOT))?;
    for (folder, data) in WRITABLE_FOLDERS {
        let folder = path_in_new_root(Path::new(folder));
        mount(Some(c"none"), &folder, Some(c"tmpfs"), plain, Some(data))?;
    }
    fs::create_dir_all(path_in_new_root(&spec.folder))?;
    // Visible files inside writable folders.
    for path in spec.shown.iter().filter(|path| is_in_writable_folder(path)) {
        bind_mount(path)?;
        set_read_only(&path_in_new_root(path))?;
    }
    let flags = plain | libc::MS_NOEXEC;
    let processes = mount(
        Some(c"proc"),
        &path_in_new_root(Path::new("/proc")),
        Some(c"proc"),
        flags,
        Some(c"subset=pid"),
    )
    .map(|()| "only those of the program");
    let is_mounted = processes.is_ok();
    report.note(
        "visible processes",
        processes.map_err(|error| {
            format!("/proc cannot be mounted ({error}); runtimes that read it may not start")
        }),
    );
    enter_new_root()?;
    let shown = spec
        .shown
        .iter()
        .map(|path| format!(", {}", path.display()));
    report.note(
        "visible files",
        Ok(format!(
            "the system's folders{} (read-only), and a separate /tmp",
            shown.collect::<String>()
        )),
    );
    Ok(is_mounted)
}

/// Returns the path of a file in the new root while the root is being built.
fn path_in_new_root(path: &Path) -> PathBuf {
    Path::new(ROOT).join(path.strip_prefix("/").unwrap_or(path))
}

fn is_in_writable_folder(path: &Path) -> bool {
    WRITABLE_FOLDERS
        .iter()
        .any(|(own, _)| path.starts_with(own))
}

/// Adds everything to the new root except the writable folders and the visible files in them.
fn add_contents(spec: &SandboxSpec) -> io::Result<()> {
    for folder in SYSTEM.iter().map(Path::new) {
        match fs::read_link(folder) {
            Ok(target) => symlink(target, path_in_new_root(folder))?,
            Err(_) if folder.is_dir() => bind_mount(folder)?,
            Err(_) => {}
        }
    }
    let settings = fs::read_dir("/etc")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let begins = |path: &PathBuf| {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        SETTINGS_BEGIN.iter().any(|begin| name.starts_with(begin))
    };
    let files = FILES
        .iter()
        .map(PathBuf::from)
        .chain(settings.filter(begins));
    for path in files.filter(|path| path.exists()) {
        bind_mount(&path)?;
    }
    for folder in ["/proc", "/tmp", "/dev/shm"] {
        fs::create_dir_all(path_in_new_root(Path::new(folder)))?;
    }
    for (name, target) in [
        ("fd", "/proc/self/fd"),
        ("stdin", "fd/0"),
        ("stdout", "fd/1"),
        ("stderr", "fd/2"),
    ] {
        symlink(target, path_in_new_root(Path::new("/dev")).join(name))?;
    }
    for folder in &spec.hidden {
        mount(
            Some(c"none"),
            &path_in_new_root(folder),
            Some(c"tmpfs"),
            libc::MS_NOSUID | libc::MS_NODEV,
            Some(c"mode=755,size=1m"),
        )?;
    }
    if !is_in_writable_folder(&spec.folder) {
        fs::create_dir_all(path_in_new_root(&spec.folder))?;
    }
    for path in spec
        .shown
        .iter()
        .filter(|path| !is_in_writable_folder(path))
    {
        bind_mount(path)?;
    }
    Ok(())
}

/// Mounts a file or a folder at its path in the new root.
fn bind_mount(path: &Path) -> io::Result<()> {
    let place = path_in_new_root(path);
    if path.is_dir() {
        fs::create_dir_all(&place)?;
    } else {
        fs::create_dir_all(place.parent().unwrap_or(Path::new(ROOT)))?;
        if !place.exists() {
            File::create(&place)?;
        }
    }
    let from = CString::new(path.as_os_str().as_bytes())?;
    mount(
        Some(&from),
        &place,
        None,
        libc::MS_BIND | libc::MS_REC,
        None,
    )
}

/// Switches to the new root and removes the old one.
fn enter_new_root() -> io::Result<()> {
    std::env::set_current_dir(ROOT)?;
    let here = c".".as_ptr();
    // SAFETY: the texts are valid.
    checked(unsafe { libc::syscall(libc::SYS_pivot_root, here, here) })?;
    // SAFETY: the text is valid.
    checked(unsafe { libc::umount2(here, libc::MNT_DETACH) })?;
    std::env::set_current_dir("/")
}

fn mount(
    from: Option<&CStr>,
    to: &Path,
    kind: Option<&CStr>,
    flags: libc::c_ulong,
    data: Option<&CStr>,
) -> io::Result<()> {
    let pointer = |text: Option<&CStr>| text.map_or(std::ptr::null(), CStr::as_ptr);
    let place = CString::new(to.as_os_str().as_bytes())?;
    // SAFETY: the pointers are to valid texts, or null.
    let done = unsafe {
        libc::mount(
            pointer(from),
            place.as_ptr(),
            pointer(kind),
            flags,
            pointer(data).cast(),
        )
    };
    checked_at(done, to)
}

/// Returns the error of a system call with a path, unless the call has succeeded.
fn checked_at<T: Default + PartialOrd>(answer: T, path: &Path) -> io::Result<()> {
    checked(answer)
        .map(drop)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

/// Makes all mounts at or below `place` read-only and ignores setuid bits there.
pub(super) fn set_read_only(place: &Path) -> io::Result<()> {
    const READ_ONLY: u64 = 1;
    const NO_SUID: u64 = 2;
    const AT_RECURSIVE: libc::c_long = 0x8000;
    // `struct mount_attr` of the kernel: flags to set and to clear, propagation, namespace.
    let attributes = [READ_ONLY | NO_SUID, 0, 0, 0];
    let text = CString::new(place.as_os_str().as_bytes())?;
    let (call, from) = (libc::SYS_mount_setattr, libc::c_long::from(libc::AT_FDCWD));
    let size = size_of_val(&attributes);
    // SAFETY: the kernel reads a valid text, and numbers with the layout of its struct.
    let done = unsafe {
        libc::syscall(
            call,
            from,
            text.as_ptr(),
            AT_RECURSIVE,
            &raw const attributes,
            size,
        )
    };
    checked_at(done, place)
}
