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
    list: Mutex<List<T>>,
    added: Condvar,
}

struct List<T> {
    entries: Vec<T>,
    /// `true` once the thread has been started.
    runs: bool,
}

impl<T: Send> PeriodicChecks<T> {
    pub(super) const fn new(
        name: &'static str,
        interval: Duration,
        look: fn(&mut Vec<T>),
    ) -> PeriodicChecks<T> {
        let list = List {
            entries: Vec::new(),
            runs: false,
        };
        PeriodicChecks {
            name,
            interval,
            check: look,
            list: Mutex::new(list),
            added: Condvar::new(),
        }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub(super) fn add(&'static self, entry: T) -> io::Result<()> {
        let mut list = lock(&self.list);
        if !list.runs {
            thread::Builder::new()
                .name(self.name.into())
                .spawn(|| self.run())?;
            list.runs = true;
        }
        list.entries.push(entry);
        self.added.notify_one();
        Ok(())
    }

    /// Calls `f` with each entry.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only processes of bots need it")
    )]
    pub(super) fn for_each(&self, f: impl FnMut(&T)) {
        lock(&self.list).entries.iter().for_each(f);
    }

    fn run(&self) {
        let mut list = lock(&self.list);
        loop {
            (self.check)(&mut list.entries);
            list = if list.entries.is_empty() {
                self.added
                    .wait(list)
                    .unwrap_or_else(PoisonError::into_inner)
            } else {
                drop(list);
                thread::sleep(self.interval);
                lock(&self.list)
            };
        }
    }
}
