//! Ends workers that do not answer in time, and those that work between their calls. One thread
//! looks at all of them; a thread that waits for an answer only notes when it is due.

#![expect(
    unsafe_code,
    reason = "the clock of another process, which no library here offers"
)]

use super::disturbance::{BETWEEN_CALLS_MAX, Disturbance, FORGIVEN, FORGIVEN_UNBOUND};
use super::pin;
use crate::agent::lock::lock;
use crate::agent::patrol::Patrol;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::sync::atomic::{
    AtomicI32, AtomicU64,
    Ordering::{self, Relaxed},
};
use std::sync::{Arc, LazyLock, Mutex, Once, Weak};
use std::time::{Duration, Instant};

/// How often the watchdog looks.
const TICK: Duration = Duration::from_millis(5);
/// Nothing is due.
const IDLE: u64 = 0;
/// The process has been ended.
const ENDED: u64 = u64::MAX;

/// Nanoseconds since the first call, at least 1.
pub(crate) fn now() -> u64 {
    static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);
    1 + u64::try_from(EPOCH.elapsed().as_nanos()).unwrap_or(ENDED - 2)
}

/// One worker as the watchdog sees it.
#[derive(Debug)]
pub(crate) struct Watched {
    /// When the answer is due, [`IDLE`] or [`ENDED`].
    due: AtomicU64,
    /// The process, which leads a group of its own; `None` once it has been waited for, when its
    /// number may be another's.
    group: Mutex<Option<Pid>>,
    /// Sum for all processes that the same thread calls.
    disturbance: Arc<Disturbance>,
    /// The process that plays, 0 while there is none.
    player: AtomicI32,
    /// Processor time of the one that plays when it was last looked at, in nanoseconds.
    used: AtomicU64,
    /// The same when its last call began.
    used_before: AtomicU64,
    /// Processor time since its last answer, up to that look.
    since_answer: AtomicU64,
    /// Processor time between its calls before that, beyond what is forgiven after each.
    between_calls: AtomicU64,
    /// Nanoseconds after an answer that are forgiven.
    forgiven: AtomicU64,
    /// Time at which its last call ended.
    answered: AtomicU64,
}

/// Returns the processor time of all threads of a process, in nanoseconds; `None` once it is gone.
fn processor_time(process: i32) -> Option<u64> {
    // As `clock_getcpuclockid` makes it, which asks the kernel first whether there is such a
    // process.
    let clock = (!process << 3) | 2;
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the result has room.
    let answer = unsafe { libc::clock_gettime(clock, &raw mut time) };
    (answer == 0).then(|| u64::try_from(time.tv_sec * 1_000_000_000 + time.tv_nsec).unwrap_or(0))
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Counts what the idle processes that belong to this disturbance have used up to now.
fn settle(disturbance: &Arc<Disturbance>) {
    WATCHDOG.for_each(|watched| {
        if let Some(watched) = watched.upgrade()
            && Arc::ptr_eq(&watched.disturbance, disturbance)
        {
            watched.settle();
        }
    });
}

/// Returns the processor time that processes of other bots have used since the call began that this
/// thread makes, in nanoseconds. It looks at all of them, so it is for calls that have taken too
/// long.
#[cold]
pub(crate) fn nanos_in_call() -> u64 {
    let own = Disturbance::of_this_thread();
    settle(&own);
    own.in_call()
}

impl Watched {
    /// Puts a process under watch, which the calling thread is going to call.
    ///
    /// # Errors
    /// The system gives no thread for the watchdog.
    pub(crate) fn new(process: Pid) -> io::Result<Arc<Watched>> {
        let watched = Arc::new(Watched {
            due: AtomicU64::new(IDLE),
            group: Mutex::new(Some(process)),
            disturbance: Disturbance::of_this_thread(),
            player: AtomicI32::new(0),
            used: AtomicU64::new(0),
            used_before: AtomicU64::new(0),
            since_answer: AtomicU64::new(0),
            between_calls: AtomicU64::new(0),
            forgiven: AtomicU64::new(nanos(FORGIVEN_UNBOUND)),
            answered: AtomicU64::new(0),
        });
        WATCHDOG.add(Arc::downgrade(&watched))?;
        Ok(watched)
    }

    /// Counts from now on what this process uses between its calls; nothing where there is none.
    pub(crate) fn set_player(&self, process: Option<Pid>) {
        let process = process.map_or(0, Pid::as_raw_pid);
        self.player.store(0, Relaxed);
        self.forgive();
        self.used.store(
            processor_time(process).filter(|_| process > 0).unwrap_or(0),
            Relaxed,
        );
        self.answered.store(now(), Relaxed);
        self.player.store(process, Ordering::Release);
    }

    /// Ends the time since the last answer, of which some is forgiven.
    fn forgive(&self) {
        let beyond = self
            .since_answer
            .swap(0, Relaxed)
            .saturating_sub(self.forgiven.load(Relaxed));
        self.between_calls.fetch_add(beyond, Relaxed);
    }

    /// Sets what has been used between calls in this block so far, by a process before this one.
    pub(crate) fn set_between_calls(&self, time: Duration) {
        self.since_answer.store(0, Relaxed);
        self.between_calls.store(nanos(time), Relaxed);
    }

    /// Returns the processor time that the process has used in its last call.
    pub(crate) fn used_in_call(&self) -> Duration {
        let (used, before) = (self.used.load(Relaxed), self.used_before.load(Relaxed));
        Duration::from_nanos(used.saturating_sub(before))
    }

    /// Notes that its processes run on the host thread's core.
    pub(crate) fn set_bound(&self) {
        self.forgiven.store(nanos(FORGIVEN), Relaxed);
    }

    /// Notes that a call begins, whose answer is due at `time`. A process that has worked too much
    /// since the last one is ended.
    pub(crate) fn arm(&self, time: u64) {
        // In less time than is forgiven a process that shares the core cannot have used more.
        if now().saturating_sub(self.answered.load(Relaxed)) > self.forgiven.load(Relaxed) {
            self.settle();
            self.end_if_busy();
        }
        self.forgive();
        self.used_before.store(self.used.load(Relaxed), Relaxed);
        self.disturbance.call_begins();
        // The end of a process is final.
        self.change_due(IDLE, time.clamp(IDLE + 1, ENDED - 1));
    }

    /// Notes that the answer has come; `false` if the process has been ended meanwhile.
    pub(crate) fn disarm(&self) -> bool {
        let player = self.player.load(Relaxed);
        if player > 0 {
            if let Some(used) = processor_time(player) {
                self.used.store(used, Relaxed);
            }
            self.answered.store(now(), Relaxed);
        }
        let due = self.due.load(Relaxed);
        due != ENDED && self.change_due(due, IDLE)
    }

    /// Counts what the process has used since its last answer, unless a call is under way.
    fn settle(&self) {
        let (player, before) = (self.player.load(Ordering::Acquire), self.used.load(Relaxed));
        if player == 0 || self.due.load(Ordering::Acquire) != IDLE {
            return;
        }
        let Some(used) = processor_time(player).filter(|used| before < *used) else {
            return;
        };
        // Whatever a call uses moves `used` on, so a call between the two looks is noticed.
        if self.due.load(Ordering::Acquire) == IDLE
            && self
                .used
                .compare_exchange(before, used, Ordering::AcqRel, Relaxed)
                .is_ok()
        {
            self.since_answer.fetch_add(used - before, Relaxed);
            self.disturbance.add(used - before);
        }
    }

    /// Returns the processor time that was used between its calls in this block, beyond what is
    /// forgiven.
    pub(crate) fn between_calls(&self) -> Duration {
        let forgiven = self.forgiven.load(Relaxed);
        let last = self.since_answer.load(Relaxed).saturating_sub(forgiven);
        Duration::from_nanos(self.between_calls.load(Relaxed).saturating_add(last))
    }

    /// Ends an idle process that has worked too much between its calls.
    fn end_if_busy(&self) {
        if BETWEEN_CALLS_MAX < self.between_calls() && self.change_due(IDLE, ENDED) {
            self.kill();
        }
    }

    /// Whether the watchdog has ended the process.
    pub(crate) fn was_ended(&self) -> bool {
        self.due.load(Relaxed) == ENDED
    }

    /// Kills the process and all that it may have started.
    pub(crate) fn kill(&self) {
        if let Some(group) = *lock(&self.group) {
            // It fails only where everybody is gone already.
            _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// The process is about to be waited for: from now on its number is not used.
    pub(crate) fn forget(&self) {
        *lock(&self.group) = None;
    }

    /// Changes when the answer is due, if that is `from` now. Returns whether it was.
    fn change_due(&self, from: u64, to: u64) -> bool {
        let changed = self
            .due
            .compare_exchange(from, to, Ordering::AcqRel, Relaxed);
        changed.is_ok()
    }

    /// Ends the process if its answer is overdue. What others have taken from the call is added to
    /// its time.
    fn look(&self, now: u64) {
        let due = self.due.load(Ordering::Acquire);
        if due == IDLE || due == ENDED || now < due.saturating_add(self.disturbance.in_call()) {
            return;
        }
        if self.change_due(due, ENDED) {
            self.kill();
        }
    }
}

static WATCHDOG: Patrol<Weak<Watched>> = Patrol::new("watchdog", TICK, look_at);

fn look_at(all: &mut Vec<Weak<Watched>>) {
    // The thread is started by one that may be bound to a core, which bots keep busy.
    static UNBOUND: Once = Once::new();
    UNBOUND.call_once(pin::unbind_this_thread);
    all.retain(|watched| watched.strong_count() > 0);
    let all: Vec<_> = all.iter().filter_map(Weak::upgrade).collect();
    // First all that may explain why others are late.
    for watched in &all {
        watched.settle();
        watched.end_if_busy();
    }
    let now = now();
    all.iter().for_each(|watched| watched.look(now));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::Command;
    use std::thread;

    #[test]
    fn who_answers_lives_and_who_does_not_is_ended() {
        let start = || {
            Command::new("sleep")
                .arg("60")
                .process_group(0)
                .spawn()
                .unwrap()
        };
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

    /// A process that works all the time.
    fn busy() -> std::process::Child {
        Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .process_group(0)
            .spawn()
            .unwrap()
    }

    #[test]
    fn a_process_that_works_between_its_calls_is_ended_and_not_before() {
        let mut child = busy();
        let watched = Watched::new(Pid::from_child(&child)).unwrap();
        // While it is asked it may work as long as it likes.
        watched.set_bound();
        watched.arm(now() + 600_000_000_000);
        watched.set_player(Some(Pid::from_child(&child)));
        let used =
            || Duration::from_nanos(processor_time(Pid::from_child(&child).as_raw_pid()).unwrap());
        while used() < 4 * BETWEEN_CALLS_MAX {
            thread::yield_now();
        }
        assert_eq!(
            (watched.between_calls(), watched.was_ended()),
            (Duration::ZERO, false)
        );
        assert!(watched.disarm());
        assert_eq!(child.wait().unwrap().signal(), Some(9));
        assert!(watched.was_ended() && BETWEEN_CALLS_MAX < watched.between_calls());
    }

    #[test]
    fn what_an_idle_process_uses_is_added_to_the_time_of_the_one_that_is_asked() {
        let (mut child, asked) = (
            busy(),
            Command::new("sleep")
                .arg("60")
                .process_group(0)
                .spawn()
                .unwrap(),
        );
        let mut asked = asked;
        let busy = Watched::new(Pid::from_child(&child)).unwrap();
        let watched = Watched::new(Pid::from_child(&asked)).unwrap();
        busy.set_player(Some(Pid::from_child(&child)));
        watched.set_player(Some(Pid::from_child(&asked)));
        // It is overdue at once, if nothing is added.
        watched.arm(u64::MAX - 1);
        while watched.disturbance.in_call() == 0 {
            settle(&watched.disturbance);
        }
        let disturbed = watched.disturbance.in_call();
        watched.look(u64::MAX - 1);
        assert!(!watched.was_ended(), "it is not overdue");
        assert!(disturbed <= nanos_in_call());
        // Another thread's calls are not disturbed.
        assert_eq!(thread::spawn(nanos_in_call).join().unwrap(), 0);
        busy.kill();
        watched.kill();
        child.wait().unwrap();
        asked.wait().unwrap();
    }
}
