//! A background thread that checks the entries of a list at regular intervals.

use super::lock;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;
use std::{io, thread};

/// A list whose entries a background thread checks at regular intervals. The thread starts with the
/// first entry and sleeps while the list is empty.
pub(super) struct PeriodicChecks<T: 'static> {
    /// Name of the thread.
    name: &'static str,
    interval: Duration,
    /// Checks all entries and removes those that are no longer needed.
    check: fn(&mut Vec<T>),
    /// Entries; `None` until the thread has been started.
    entries: Mutex<Option<Vec<T>>>,
    added: Condvar,
}

impl<T: Send> PeriodicChecks<T> {
    pub(super) const fn new(
        name: &'static str,
        interval: Duration,
        check: fn(&mut Vec<T>),
    ) -> PeriodicChecks<T> {
        PeriodicChecks {
            name,
            interval,
            check,
            entries: Mutex::new(None),
            added: Condvar::new(),
        }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub(super) fn add(&'static self, entry: T) -> io::Result<()> {
        let mut entries = lock(&self.entries);
        if entries.is_none() {
            thread::Builder::new()
                .name(self.name.into())
                .spawn(|| self.run())?;
        }
        entries.get_or_insert_default().push(entry);
        self.added.notify_one();
        Ok(())
    }

    /// Calls `f` with each entry.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only processes of bots need it")
    )]
    pub(super) fn for_each(&self, f: impl FnMut(&T)) {
        lock(&self.entries).iter().flatten().for_each(f);
    }

    fn run(&self) {
        let mut entries = lock(&self.entries);
        loop {
            let list = entries.get_or_insert_default();
            (self.check)(list);
            let is_empty = list.is_empty();
            entries = if is_empty {
                self.added
                    .wait(entries)
                    .unwrap_or_else(PoisonError::into_inner)
            } else {
                drop(entries);
                thread::sleep(self.interval);
                lock(&self.entries)
            };
        }
    }
}
