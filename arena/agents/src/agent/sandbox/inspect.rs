//! Inspection of a running program from outside. The functions read data of the kernel and check
//! that the restrictions set by the launcher are in effect.

use super::refused_calls::FILTERS;
use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// Namespaces that must differ from the host's.
const NAMESPACES: [&str; 7] = ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"];
/// Mount points that may be writable.
const WRITABLE: [&str; 3] = ["/tmp", "/dev/shm", "/proc"];

/// Checks that all processes started by a launcher are sandboxed. `given` lists the files that the
/// host has passed to the program.
///
/// # Errors
/// Returns the first violation.
pub(crate) fn inspect_program(launcher: u32, given: &[FileId]) -> Result<(), String> {
    let first = first_child(&children(launcher)?)?;
    let filters = filters_of_this_process().map(|filters| filters + FILTERS);
    let mut all = children(first)?;
    let program = first_child(&all)?;
    let mut next = 0;
    while let Some(&process) = all.get(next) {
        next += 1;
        let number = i32::try_from(process).map_err(|_| "invalid process id".to_owned())?;
        let Ok(status) = ProcessStatus::of(number) else {
            continue;
        };
        if let Some(wrong) = filters.and_then(|filters| status.first_wrong_permission(filters)) {
            return Err(wrong);
        }
        let users: Vec<&str> = status.field("Uid").split_whitespace().collect();
        if users.contains(&"0") {
            return Err(format!("Uid: {}", users.join(" ")));
        }
        all.extend(children(process).unwrap_or_default());
    }
    for space in NAMESPACES {
        let of = |process: &str| {
            fs::read_link(format!("/proc/{process}/ns/{space}"))
                .map_err(|error| format!("its {space} namespace cannot be inspected ({error})"))
        };
        if of(&program.to_string())? == of("self")? {
            return Err(format!("it is in the host's {space} namespace"));
        }
    }
    let mounts = fs::read_to_string(format!("/proc/{program}/mountinfo"));
    let mounts = mounts.map_err(|error| format!("its mounts cannot be read ({error})"))?;
    first_wrong_mount(&mounts)
        .or(first_inherited_descriptor(
            &program.to_string(),
            &mounts,
            given,
        )?)
        .map_or(Ok(()), Err)
}

/// Device and inode number of a file.
pub(crate) type FileId = (u64, u64);

/// Returns the open descriptors of a process: number, path and file.
fn descriptors(
    process: &str,
) -> Result<impl Iterator<Item = (String, PathBuf, FileId)> + use<'_>, String> {
    let folder = fs::read_dir(format!("/proc/{process}/fd"))
        .map_err(|error| format!("its descriptors cannot be read ({error})"))?;
    // Skips descriptors that have been closed in the meantime.
    Ok(folder.flatten().filter_map(|entry| {
        let about = fs::metadata(entry.path()).ok()?;
        let name = entry.file_name().into_string().ok()?;
        Some((
            name,
            fs::read_link(entry.path()).ok()?,
            (about.dev(), about.ino()),
        ))
    }))
}

/// Returns the first descriptor that a program has inherited from the host although it is not in
/// `given`. A descriptor counts as inherited if it refers to a file outside the program's own
/// `mounts`, or to an object without a path that the host has open too.
fn first_inherited_descriptor(
    program: &str,
    mounts: &str,
    given: &[FileId],
) -> Result<Option<String>, String> {
    let own: HashSet<&str> = mounts
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    let of_host: HashSet<FileId> = descriptors("self")?.map(|(_, _, file)| file).collect();
    let mut all = descriptors(program)?.filter(|(_, _, file)| !given.contains(file));
    let is_inherited = |(name, path, file): &(String, PathBuf, FileId)| {
        // All objects of this kind share one inode, whoever opens them.
        if path.to_string_lossy().starts_with("anon_inode:") {
            return false;
        }
        if path.is_absolute() && !path.to_string_lossy().starts_with("/memfd:") {
            let about =
                fs::read_to_string(format!("/proc/{program}/fdinfo/{name}")).unwrap_or_default();
            let mount = about
                .lines()
                .find_map(|line| line.strip_prefix("mnt_id:"))
                .map(str::trim);
            return mount.is_some_and(|mount| !own.contains(mount));
        }
        of_host.contains(file)
    };
    Ok(all.find(is_inherited).map(|(name, path, _)| {
        format!(
            "descriptor {name} is inherited from the host: {}",
            path.display()
        )
    }))
}

/// Returns the first mount that is wrongly writable or honours setuid bits.
fn first_wrong_mount(mounts: &str) -> Option<String> {
    mounts.lines().find_map(|line| {
        let mut fields = line.split(' ').skip(4);
        let (place, flags) = (fields.next()?, fields.next()?);
        let has = |flag: &str| flags.split(',').any(|it| it == flag);
        let is_well = has("nosuid") && (has("ro") || WRITABLE.contains(&place));
        (!is_well).then(|| format!("{place} is mounted with flags {flags}"))
    })
}

/// Returns the child processes of all threads of a process.
fn children(process: u32) -> Result<Vec<u32>, String> {
    let told = |error: std::io::Error| format!("its processes cannot be listed ({error})");
    let mut children = Vec::new();
    for thread in fs::read_dir(format!("/proc/{process}/task"))
        .map_err(told)?
        .flatten()
    {
        let list = fs::read_to_string(thread.path().join("children")).map_err(told)?;
        children.extend(
            list.split_whitespace()
                .filter_map(|number| number.parse::<u32>().ok()),
        );
    }
    Ok(children)
}

/// Returns the first of the children, which has the lowest id.
fn first_child(children: &[u32]) -> Result<u32, String> {
    children
        .first()
        .copied()
        .ok_or_else(|| "its process has ended".to_owned())
}

/// The contents of `/proc/<process>/status`.
pub(crate) struct ProcessStatus(String);

impl ProcessStatus {
    /// Reads the status of a process.
    ///
    /// # Errors
    /// Returns an error if the status cannot be read.
    pub(crate) fn of(process: i32) -> Result<ProcessStatus, String> {
        fs::read_to_string(format!("/proc/{process}/status"))
            .map(ProcessStatus)
            .map_err(|error| format!("its status cannot be read ({error})"))
    }

    /// Returns the value of a field; empty if it is missing.
    fn field(&self, name: &str) -> &str {
        self.0
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
            .map_or("", str::trim)
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.field(name).parse().ok()
    }

    /// Returns the number of threads of the process.
    pub(crate) fn threads(&self) -> u64 {
        self.number("Threads").unwrap_or(0)
    }

    /// Returns the first field whose value is wrong for a sandboxed process, as `name: value`;
    /// `None` if there is none. The process must have `filters` filters and at most `threads`
    /// additional threads.
    pub(crate) fn first_wrong_field(&self, filters: u64, threads: u32) -> Option<String> {
        self.first_wrong_permission(filters).or_else(|| {
            (self.threads() > 1 + u64::from(threads))
                .then(|| format!("Threads: {}", self.threads()))
        })
    }

    /// Returns the first field with a wrong value like [`ProcessStatus::first_wrong_field`], but
    /// ignores the number of threads.
    fn first_wrong_permission(&self, filters: u64) -> Option<String> {
        // Capabilities are hexadecimal, but only zero is read as the decimal number 0.
        let wanted = [
            ("Seccomp", 2),
            ("Seccomp_filters", filters),
            ("NoNewPrivs", 1),
            ("TracerPid", 0),
            ("CapEff", 0),
            ("CapPrm", 0),
            ("CapInh", 0),
        ];
        let (wrong, _) = wanted
            .into_iter()
            .find(|&(name, number)| self.number(name) != Some(number))?;
        Some(format!("{wrong}: {}", self.field(wrong)))
    }
}

/// Returns the number of filters of this process, which its children inherit.
pub(crate) fn filters_of_this_process() -> Option<u64> {
    ProcessStatus::of(i32::try_from(std::process::id()).ok()?)
        .ok()?
        .number("Seccomp_filters")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_mount_with_wrong_flags_is_reported() {
        let line = |place: &str, flags: &str| {
            format!("36 35 98:0 / {place} {flags} master:1 - ext3 /dev/root rw\n")
        };
        let well = line("/", "ro,nosuid,nodev")
            + &line("/tmp", "rw,nosuid,nodev")
            + &line("/usr", "ro,nosuid,relatime");
        assert_eq!(first_wrong_mount(&well), None);
        for bad in [
            line("/usr", "rw,nosuid"),
            line("/tmp/x", "rw,nosuid"),
            line("/tmp", "rw,nodev"),
            line("/opt", "ro"),
        ] {
            assert!(first_wrong_mount(&(well.clone() + &bad)).is_some(), "{bad}");
        }
    }

    #[test]
    fn inherited_descriptors_are_reported_unless_they_were_passed() {
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
        let (reader, writer) = std::io::pipe().unwrap();
        let mut child = Command::new("sleep");
        let output = tempfile::NamedTempFile::new().unwrap();
        child
            .arg("60")
            .stdin(reader)
            .stdout(output.reopen().unwrap())
            .stderr(Stdio::null());
        let mut child = child.spawn().unwrap();
        let program = child.id().to_string();
        let named = |mounts: &str, given: &[FileId]| {
            first_inherited_descriptor(&program, mounts, given).unwrap()
        };
        let writer = fs::File::from(std::os::fd::OwnedFd::from(writer));
        let about = writer.metadata().unwrap();
        // The test runner may have left more descriptors open.
        let others = descriptors(&program)
            .unwrap()
            .filter(|(name, ..)| !["0", "1", "2"].contains(&name.as_str()));
        let others: Vec<FileId> = others.map(|(_, _, file)| file).collect();
        let given = [&others[..], &[(about.dev(), about.ino())]].concat();
        let of_pipe = named(&mounts, &others).expect("the host has the other end");
        assert!(
            of_pipe.starts_with("descriptor 0 is inherited from the host: pipe:["),
            "{of_pipe}"
        );
        assert_eq!(named(&mounts, &given), None);
        let elsewhere = named("", &given).expect("it is on no mount of its own");
        assert!(
            elsewhere.ends_with(&format!(
                "is inherited from the host: {}",
                output.path().display()
            )),
            "{elsewhere}"
        );
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn every_wrong_process_status_field_is_reported() {
        let held = "Name:\tx\nTracerPid:\t0\nThreads:\t1\nCapInh:\t0000\nCapPrm:\t0000\nCapEff:\t0000\nNoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t4\n";
        assert_eq!(ProcessStatus(held.into()).first_wrong_field(4, 0), None);
        for (good, bad) in [
            ("TracerPid:\t0", "TracerPid:\t7"),
            ("Threads:\t1", "Threads:\t2"),
            ("CapEff:\t0000", "CapEff:\t0001"),
            ("NoNewPrivs:\t1", "NoNewPrivs:\t0"),
            ("Seccomp:\t2", "Seccomp:\t0"),
            ("Seccomp_filters:\t4", "Seccomp_filters:\t5"),
            ("Seccomp_filters:\t4\n", ""),
        ] {
            let name = good.split(':').next().unwrap();
            assert!(
                ProcessStatus(held.replace(good, bad))
                    .first_wrong_field(4, 0)
                    .unwrap()
                    .starts_with(name)
            );
        }
        assert_eq!(
            ProcessStatus(held.replace("Threads:\t1", "Threads:\t3")).first_wrong_field(4, 2),
            None
        );
    }
}
