//! Binding of a host thread and its workers to one core. Only one of them runs at a time, and
//! waking a thread on another core takes ten times as long. The binding ends when the last worker
//! is dropped.

use crate::agent::lock;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::{LazyLock, Mutex};

/// Cores that this process may use, read before any thread is bound.
static ALLOWED: LazyLock<CpuSet> = LazyLock::new(|| sched_getaffinity(None).unwrap_or_default());
/// Cores to which threads of this process are bound; a core is listed once per thread.
static TAKEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Returns the calling thread's binding. Creates one if there is none.
pub(crate) fn this_thread() -> Rc<Pin> {
    thread_local!(static PIN: RefCell<Weak<Pin>> = const { RefCell::new(Weak::new()) });
    PIN.with_borrow_mut(|pin| {
        pin.upgrade().unwrap_or_else(|| {
            let new = Rc::new(Pin::new());
            *pin = Rc::downgrade(&new);
            new
        })
    })
}

/// The binding of a thread to a core, until it is dropped. If the system call fails, the thread is
/// not bound.
pub(crate) struct Pin {
    core: Option<usize>,
}

impl Pin {
    /// Binds the calling thread to the least used core, preferably the current one.
    pub(crate) fn new() -> Pin {
        let allowed = *ALLOWED;
        let mut taken = lock(&TAKEN);
        let here = sched_getcpu();
        let times = |core: usize| taken.iter().filter(|&&other| other == core).count();
        let core = (0..CpuSet::MAX_CPU)
            .filter(|&core| allowed.is_set(core))
            .min_by_key(|&core| (times(core), core != here));
        let core = core.filter(|&core| sched_setaffinity(None, &only(core)).is_ok());
        taken.extend(core);
        Pin { core }
    }

    /// Binds a worker process or thread to this core. Returns `true` on success.
    pub(crate) fn bind(&self, worker: Pid) -> bool {
        let Some(core) = self.core else { return false };
        sched_setaffinity(Some(worker), &only(core))
            .inspect_err(|error| {
                tracing::debug!("a worker process cannot be pinned to core {core}: {error}")
            })
            .is_ok()
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        let Some(core) = self.core else { return };
        unbind_this_thread();
        let mut taken = lock(&TAKEN);
        if let Some(at) = taken.iter().position(|&other| other == core) {
            taken.swap_remove(at);
        }
    }
}

/// Lets the calling thread run on all cores that the host may use.
pub(crate) fn unbind_this_thread() {
    _ = sched_setaffinity(None, &ALLOWED);
}

fn only(core: usize) -> CpuSet {
    let mut set = CpuSet::new();
    set.set(core);
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_pinned_to_a_core_while_it_has_workers() {
        std::thread::spawn(|| {
            let before = sched_getaffinity(None).unwrap();
            let (one, other) = (this_thread(), this_thread());
            assert_eq!(sched_getaffinity(None).unwrap().count(), 1);
            drop(one);
            assert_eq!(sched_getaffinity(None).unwrap().count(), 1);
            drop(other);
            assert_eq!(sched_getaffinity(None).unwrap(), before);
        })
        .join()
        .unwrap();
    }
}
