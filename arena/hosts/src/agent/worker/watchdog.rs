//! Ends workers that do not answer in time. One thread looks at all of them; those who wait for an answer only write down when
//! it is due, which costs them no call of the system.

use rustix::process::{Pid, Signal, kill_process_group};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use std::{io, thread};

/// How often the watchdog looks.
const TICK: Duration = Duration::from_millis(5);
/// Nothing is due.
const IDLE: u64 = 0;
/// It has come too late; its process has been ended.
const ENDED: u64 = u64::MAX;

/// Nanoseconds since the first call, at least 1.
pub(super) fn now() -> u64 {
    static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);
    1 + u64::try_from(EPOCH.elapsed().as_nanos()).unwrap_or(ENDED - 2)
}

/// One worker as the watchdog sees it.
#[derive(Debug)]
pub(super) struct Watched {
    /// When the answer is due, [`IDLE`] or [`ENDED`].
    due: AtomicU64,
    /// The process, which leads a group of its own; `None` once it has been waited for, when its number may be another's.
    group: Mutex<Option<Pid>>,
}

impl Watched {
    /// Puts a process under watch.
    ///
    /// # Errors
    /// The system gives no thread for the watchdog.
    pub(super) fn new(process: Pid) -> io::Result<Arc<Watched>> {
        let watched = Arc::new(Watched { due: AtomicU64::new(IDLE), group: Mutex::new(Some(process)) });
        WATCHDOG.add(&watched)?;
        Ok(watched)
    }

    /// An answer is due at `time`.
    pub(super) fn arm(&self, time: u64) {
        // The end of a process is final.
        _ = self.due.compare_exchange(IDLE, time.clamp(IDLE + 1, ENDED - 1), Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The answer has come; `false` if the process has been ended meanwhile.
    pub(super) fn disarm(&self) -> bool {
        let due = self.due.load(Ordering::Relaxed);
        due != ENDED && self.due.compare_exchange(due, IDLE, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Whether the watchdog has ended the process.
    pub(super) fn was_ended(&self) -> bool {
        self.due.load(Ordering::Relaxed) == ENDED
    }

    /// Kills the process and all that it may have started.
    pub(super) fn kill(&self) {
        if let Some(group) = *self.group() {
            // It fails only where everybody is gone already.
            _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// The process is about to be waited for: from now on its number is not used.
    pub(super) fn forget(&self) {
        *self.group() = None;
    }

    fn group(&self) -> MutexGuard<'_, Option<Pid>> {
        self.group.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self, now: u64) {
        let due = self.due.load(Ordering::Relaxed);
        if due == IDLE || due == ENDED || now < due {
            return;
        }
        if self.due.compare_exchange(due, ENDED, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            self.kill();
        }
    }
}

static WATCHDOG: LazyLock<Watchdog> = LazyLock::new(Watchdog::default);

#[derive(Default)]
struct Watchdog {
    all: Mutex<Kennel>,
    somebody: Condvar,
}

#[derive(Default)]
struct Kennel {
    watched: Vec<Weak<Watched>>,
    /// Whether the thread runs.
    runs: bool,
}

impl Watchdog {
    fn add(&'static self, watched: &Arc<Watched>) -> io::Result<()> {
        let mut all = self.lock();
        if !all.runs {
            thread::Builder::new().name("watchdog".into()).spawn(|| self.run())?;
            all.runs = true;
        }
        all.watched.push(Arc::downgrade(watched));
        self.somebody.notify_one();
        Ok(())
    }

    fn run(&self) {
        loop {
            let mut all = self.lock();
            while all.watched.is_empty() {
                all = self.somebody.wait(all).unwrap_or_else(PoisonError::into_inner);
            }
            let now = now();
            all.watched.retain(|watched| watched.upgrade().inspect(|watched| watched.look(now)).is_some());
            drop(all);
            thread::sleep(TICK);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kennel> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::Command;

    #[test]
    fn who_answers_lives_and_who_does_not_is_ended() {
        let start = || Command::new("sleep").arg("60").process_group(0).spawn().unwrap();
        let (mut quick, mut slow) = (start(), start());
        let watch = |child: &std::process::Child| Watched::new(Pid::from_child(child)).unwrap();
        let (watched_quick, watched_slow) = (watch(&quick), watch(&slow));
        watched_quick.arm(now() + 60_000_000_000);
        watched_slow.arm(now() + 1_000_000);
        assert_eq!(slow.wait().unwrap().signal(), Some(9));
        assert!(watched_slow.was_ended() && !watched_slow.disarm());
        assert!(watched_quick.disarm() && quick.try_wait().unwrap().is_none());
        watched_quick.kill();
        assert_eq!(quick.wait().unwrap().signal(), Some(9));
        assert!(!watched_quick.was_ended());
    }
}
