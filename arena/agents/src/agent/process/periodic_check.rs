//! A thread that checks all members of a list again and again, as long as there are any.

#[cfg(target_os = "linux")]
use super::pin;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{io, thread};

/// A list of members, and the thread that checks them.
pub(crate) struct PeriodicCheck<T> {
    list: Mutex<List<T>>,
    added: Condvar,
    /// Name of the thread.
    name: &'static str,
    interval: Duration,
    /// Checks all members, and removes those that are gone.
    check: fn(&mut Vec<T>),
}

/// The members of a list.
pub(crate) struct List<T> {
    pub members: Vec<T>,
    /// Whether the thread runs.
    runs: bool,
}

impl<T: Send + 'static> PeriodicCheck<T> {
    /// Makes an empty list, whose members are checked once an interval.
    pub(crate) const fn new(
        name: &'static str,
        interval: Duration,
        check: fn(&mut Vec<T>),
    ) -> PeriodicCheck<T> {
        PeriodicCheck {
            list: Mutex::new(List {
                members: Vec::new(),
                runs: false,
            }),
            added: Condvar::new(),
            name,
            interval,
            check,
        }
    }

    /// Adds a member. The first one starts the thread.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(crate) fn add(&'static self, member: T) -> io::Result<()> {
        let mut list = self.lock();
        if !list.runs {
            let thread = thread::Builder::new().name(self.name.into());
            thread.spawn(|| self.run())?;
            list.runs = true;
        }
        list.members.push(member);
        self.added.notify_one();
        Ok(())
    }

    /// Returns the list, which nobody else reads or changes meanwhile.
    pub(crate) fn lock(&self) -> MutexGuard<'_, List<T>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        // It is started by a thread that may be bound to a core, which bots keep busy.
        #[cfg(target_os = "linux")]
        pin::unbind_this_thread();
        loop {
            let list = self.lock();
            let mut list = self
                .added
                .wait_while(list, |list| list.members.is_empty())
                .unwrap_or_else(PoisonError::into_inner);
            (self.check)(&mut list.members);
            drop(list);
            thread::sleep(self.interval);
        }
    }
}
