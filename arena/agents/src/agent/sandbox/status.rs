//! The status of a process as reported by the kernel.

use std::fs;

/// The contents of `/proc/<process>/status`.
pub(crate) struct ProcessStatus(String);

impl ProcessStatus {
    /// Reads the status of a process.
    ///
    /// # Errors
    /// Returns an error if the status cannot be read.
    pub(crate) fn of(process: i32) -> Result<ProcessStatus, String> {
        let read = fs::read_to_string(format!("/proc/{process}/status"));
        read.map(ProcessStatus)
            .map_err(|error| format!("its status cannot be read ({error})"))
    }

    /// Returns the value of a field; empty if it is missing.
    pub(crate) fn field(&self, name: &str) -> &str {
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
        let has_more = || {
            (self.threads() > 1 + u64::from(threads))
                .then(|| format!("Threads: {}", self.threads()))
        };
        self.first_wrong_permission(filters).or_else(has_more)
    }

    /// Returns the first field with a wrong value like [`ProcessStatus::first_wrong_field`], but
    /// ignores the number of threads.
    pub(crate) fn first_wrong_permission(&self, filters: u64) -> Option<String> {
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
        let is_wrong = |&(name, number): &(&str, u64)| self.number(name) != Some(number);
        let (wrong, _) = wanted.into_iter().find(is_wrong)?;
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
