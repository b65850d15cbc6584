//! A look from outside at a program that has been started: what its jailer claims, the kernel is asked.

use super::calls::FILTERS;
use crate::agent::worker::jail::{Status, filters_of_this_process};
use std::fs;

/// Spaces that must not be the host's.
const SPACES: [&str; 6] = ["user", "mnt", "pid", "net", "ipc", "uts"];
/// What may be written.
const WRITABLE: [&str; 3] = ["/tmp", "/dev/shm", "/proc"];

/// Sees that all that a jailer has started is held.
///
/// # Errors
/// What is not as it must be.
pub(in super::super) fn look(jailer: u32) -> Result<(), String> {
    let first = only(&children(jailer)?)?;
    let filters = filters_of_this_process().map(|filters| filters + FILTERS);
    let mut all = children(first)?;
    let program = only(&all)?;
    let mut next = 0;
    while let Some(&process) = all.get(next) {
        next += 1;
        let number = i32::try_from(process).map_err(|_| "no number of a process".to_owned())?;
        let Ok(status) = Status::of(number) else { continue };
        if let Some(wrong) = filters.and_then(|filters| status.wrong_rights(filters)) {
            return Err(wrong);
        }
        let users: Vec<&str> = status.field("Uid").split_whitespace().collect();
        if users.contains(&"0") {
            return Err(format!("Uid: {}", users.join(" ")));
        }
        all.extend(children(process).unwrap_or_default());
    }
    for space in SPACES {
        let of = |process: &str| {
            let link = fs::read_link(format!("/proc/{process}/ns/{space}"));
            link.map_err(|error| format!("its space of {space} cannot be looked at ({error})"))
        };
        if of(&program.to_string())? == of("self")? {
            return Err(format!("its space of {space} is the host's"));
        }
    }
    let mounts = fs::read_to_string(format!("/proc/{program}/mountinfo"));
    wrong_mount(&mounts.map_err(|error| format!("its mounts cannot be looked at ({error})"))?).map_or(Ok(()), Err)
}

/// The first mount that could be written and may not be, or that rights could be gained by.
fn wrong_mount(mounts: &str) -> Option<String> {
    mounts.lines().find_map(|line| {
        let mut fields = line.split(' ').skip(4);
        let (place, flags) = (fields.next()?, fields.next()?);
        let has = |flag: &str| flags.split(',').any(|it| it == flag);
        let is_well = has("nosuid") && (has("ro") || WRITABLE.contains(&place));
        (!is_well).then(|| format!("{place} is mounted {flags}"))
    })
}

/// The children of a process, of all its threads.
fn children(process: u32) -> Result<Vec<u32>, String> {
    let told = |error: std::io::Error| format!("its processes cannot be looked at ({error})");
    let mut children = Vec::new();
    for thread in fs::read_dir(format!("/proc/{process}/task")).map_err(told)?.flatten() {
        let list = fs::read_to_string(thread.path().join("children")).map_err(told)?;
        children.extend(list.split_whitespace().filter_map(|number| number.parse::<u32>().ok()));
    }
    Ok(children)
}

/// The first that a process has started, which is the lowest of those that it has.
fn only(children: &[u32]) -> Result<u32, String> {
    children.first().copied().ok_or_else(|| "its process has gone".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_that_could_be_written_is_named() {
        let line = |place: &str, flags: &str| format!("36 35 98:0 / {place} {flags} master:1 - ext3 /dev/root rw\n");
        let well =
            line("/", "ro,nosuid,nodev") + &line("/tmp", "rw,nosuid,nodev") + &line("/usr", "ro,nosuid,relatime");
        assert_eq!(wrong_mount(&well), None);
        for bad in
            [line("/usr", "rw,nosuid"), line("/tmp/x", "rw,nosuid"), line("/tmp", "rw,nodev"), line("/opt", "ro")]
        {
            assert!(wrong_mount(&(well.clone() + &bad)).is_some(), "{bad}");
        }
    }
}
