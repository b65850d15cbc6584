//! What a process uses, as the system tells it.

use std::time::Duration;

/// What a process uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// Most memory that it has had in use, in KiB.
    pub peak_kib: u64,
    /// Its address space, in KiB.
    pub size_kib: u64,
    /// Its threads.
    pub threads: u64,
    /// Processor time of all its threads, to a hundredth of a second.
    pub processor: Duration,
}

/// What the process of that number uses; `None` where the system does not tell.
#[cfg(target_os = "linux")]
pub(super) fn of(process: rustix::process::Pid) -> Option<Usage> {
    let read = |name: &str| std::fs::read_to_string(format!("/proc/{}/{name}", process.as_raw_pid())).ok();
    parse(&read("status")?, &read("stat")?)
}

/// What the process of that number uses; `None` where the system does not tell.
#[cfg(not(target_os = "linux"))]
pub fn of(_process: rustix::process::Pid) -> Option<Usage> {
    None
}

/// Reads `/proc/<process>/status` and `/proc/<process>/stat`.
#[cfg(target_os = "linux")]
fn parse(status: &str, stat: &str) -> Option<Usage> {
    /// Length of a tick in both files; the kernel has used a hundredth of a second for programs since there were ticks.
    const TICK: Duration = Duration::from_millis(10);
    let field = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    };
    // The name, which may hold anything, stands in brackets; user and system time are fields 14 and 15.
    let mut ticks = stat.rsplit_once(") ")?.1.split(' ').skip(11);
    let mut next = || ticks.next()?.parse::<u32>().ok();
    let processor = TICK * (next()? + next()?);
    Some(Usage { peak_kib: field("VmHWM")?, size_kib: field("VmSize")?, threads: field("Threads")?, processor })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_told_from_its_files() {
        let status = "Name:\tx\nVmPeak:\t  99 kB\nVmSize:\t  2048 kB\nVmHWM:\t 512 kB\nThreads:\t3\n";
        let stat = "7 (a ) b) S 1 7 7 0 -1 4194304 100 0 0 0 12 30 0 0 20 0 3 0 5 0 0";
        let usage = parse(status, stat).unwrap();
        assert_eq!((usage.peak_kib, usage.size_kib, usage.threads), (512, 2048, 3));
        assert_eq!(usage.processor, Duration::from_millis(420));
        assert_eq!(parse("", stat), None);
        assert_eq!(parse(status, "7 (x"), None);
        assert!(of(rustix::process::getpid()).unwrap().size_kib > 1000);
    }
}
