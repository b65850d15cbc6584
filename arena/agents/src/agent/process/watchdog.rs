//! A watchdog for workers. It kills workers that do not answer in time or use too much processor
//! time between their calls. One thread checks all of them; a thread that waits for an answer only
//! stores the deadline.
//!
//! Some time is not charged to the called bot. The processes of a table share one core with the
//! host's thread, so a process that works between its calls delays the calls of the other bots.
//! More than [`BETWEEN_CALLS_MAX`] is a fault of the bot that uses it. A virtual machine that is
//! paused delays all calls.

use super::pin;
use crate::agent::periodic_checks::PeriodicChecks;
use crate::agent::{lock, processor};
use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::sync::atomic::Ordering::{self, AcqRel, Relaxed};
use std::sync::atomic::{AtomicI32, AtomicU64};
use std::sync::{Arc, LazyLock, Mutex, Once, Weak};
use std::time::{Duration, Instant};

/// Interval of the checks.
const TICK: Duration = Duration::from_millis(5);
/// Value of [`WatchedWorker::due`] while no call is running.
const IDLE: u64 = 0;
/// Value of [`WatchedWorker::due`] after the process has been killed.
const ENDED: u64 = u64::MAX;

/// Returns the nanoseconds since this function was first called, plus 1.
pub(crate) fn now() -> u64 {
    static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);
    1 + u64::try_from(EPOCH.elapsed().as_nanos()).unwrap_or(ENDED - 2)
}

/// The data that the watchdog keeps for each worker. By default, no call is running.
#[derive(Default)]
pub(crate) struct WatchedWorker {
    /// Time, measured by [`now`], at which the answer is due; [`IDLE`] or [`ENDED`] if none is
    /// awaited.
    due: AtomicU64,
    /// Leader of the worker's process group; `None` once the process has been waited for, because
    /// the id may then be reused.
    group: Mutex<Option<Pid>>,
    /// Counter of the processor time of idle processes, shared by all processes that one thread
    /// calls.
    disturbance: Arc<Disturbance>,
    /// Process that runs the bot; 0 if there is none.
    player: AtomicI32,
    /// Processor time in nanoseconds of the player process at the last check.
    used: AtomicU64,
    /// Value of `used` when the last call began.
    used_before: AtomicU64,
    /// Processor time in nanoseconds used from the last answer to the last check.
    since_answer: AtomicU64,
    /// Processor time in nanoseconds used between earlier calls, without the uncounted time after
    /// each answer.
    between_calls: AtomicU64,
    /// Processor time in nanoseconds that is not counted after each answer.
    uncounted: AtomicU64,
    /// Time, measured by [`now`], at which the last call ended.
    answered: AtomicU64,
}

/// Returns the processor time of a process in nanoseconds; `None` if it has ended.
#[inline]
fn processor_time(process: i32) -> Option<u64> {
    processor::nanos(processor::of_process(process))
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Adds the processor time that idle processes have used since the last check to a thread's
/// counter.
fn count_idle_time(disturbance: &Arc<Disturbance>) {
    WATCHDOG.for_each(|watched| {
        if let Some(watched) = watched.upgrade()
            && Arc::ptr_eq(&watched.disturbance, disturbance)
        {
            watched.count_idle_time();
        }
    });
}

/// Returns the nanoseconds in the current call of this thread in which other bots used the
/// processor or the system had stopped. Call this only if a call took too long, because all
/// processes are checked.
#[cold]
pub(crate) fn nanos_in_call() -> u64 {
    STALL_TIME.count(now());
    let own = Disturbance::of_this_thread();
    count_idle_time(&own);
    own.in_call()
}

impl WatchedWorker {
    /// Adds a process that the calling thread is going to call.
    ///
    /// # Errors
    /// Returns an error if the watchdog's thread cannot be started.
    pub(crate) fn new(process: Pid) -> io::Result<Arc<WatchedWorker>> {
        let watched = Arc::new(WatchedWorker {
            group: Mutex::new(Some(process)),
            disturbance: Disturbance::of_this_thread(),
            uncounted: AtomicU64::new(nanos(UNCOUNTED_TIME_UNBOUND)),
            ..WatchedWorker::default()
        });
        WATCHDOG.add(Arc::downgrade(&watched))?;
        Ok(watched)
    }

    /// Starts measuring the processor time that `process` uses between its calls; `None` stops the
    /// measurement.
    pub(crate) fn measure_process(&self, process: Option<Pid>) {
        let process = process.map_or(0, Pid::as_raw_pid);
        self.player.store(0, Relaxed);
        self.add_counted_time();
        self.used.store(
            processor_time(process).filter(|_| process > 0).unwrap_or(0),
            Relaxed,
        );
        self.answered.store(now(), Relaxed);
        self.player.store(process, Ordering::Release);
    }

    /// Adds the processor time since the last answer to the total, without the uncounted time.
    fn add_counted_time(&self) {
        let beyond = self
            .since_answer
            .swap(0, Relaxed)
            .saturating_sub(self.uncounted.load(Relaxed));
        self.between_calls.fetch_add(beyond, Relaxed);
    }

    /// Sets the processor time that an earlier process has used between calls in this block.
    pub(crate) fn set_between_calls(&self, time: Duration) {
        self.since_answer.store(0, Relaxed);
        self.between_calls.store(nanos(time), Relaxed);
    }

    /// Returns the processor time that the process used in its last call.
    pub(crate) fn used_in_call(&self) -> Duration {
        let (used, before) = (self.used.load(Relaxed), self.used_before.load(Relaxed));
        Duration::from_nanos(used.saturating_sub(before))
    }

    /// Records that the worker runs on the core of the host's thread.
    pub(crate) fn set_bound(&self) {
        self.uncounted.store(nanos(UNCOUNTED_TIME), Relaxed);
    }

    /// Starts a call that may take up to `patience`, and returns the time. Kills the process if it
    /// has used too much processor time since its last answer.
    pub(crate) fn arm(&self, patience: Duration) -> u64 {
        let start = now();
        // Within the uncounted time, a process that shares the core cannot have used more than
        // that.
        if start.saturating_sub(self.answered.load(Relaxed)) > self.uncounted.load(Relaxed) {
            self.count_idle_time();
            self.end_if_busy();
        }
        self.add_counted_time();
        self.used_before.store(self.used.load(Relaxed), Relaxed);
        self.disturbance.begin_call();
        // Has no effect if the process has been killed.
        let due = start.saturating_add(nanos(patience));
        self.change_due(IDLE, due.clamp(IDLE + 1, ENDED - 1));
        start
    }

    /// Returns the time from `start`, which [`WatchedWorker::arm`] returned, to the end of the
    /// call.
    pub(crate) fn duration_since(&self, start: u64) -> Duration {
        Duration::from_nanos(self.answered.load(Relaxed).saturating_sub(start))
    }

    /// Ends a call. Returns `false` if the process has been killed.
    pub(crate) fn disarm(&self) -> bool {
        let player = self.player.load(Relaxed);
        if player > 0
            && let Some(used) = processor_time(player)
        {
            self.used.store(used, Relaxed);
        }
        self.answered.store(now(), Relaxed);
        let due = self.due.load(Relaxed);
        due != ENDED && self.change_due(due, IDLE)
    }

    /// Adds the processor time used since the last answer to the counters, unless a call is
    /// running.
    fn count_idle_time(&self) {
        let (player, before) = (self.player.load(Ordering::Acquire), self.used.load(Relaxed));
        if player == 0 || self.due.load(Ordering::Acquire) != IDLE {
            return;
        }
        let Some(used) = processor_time(player).filter(|used| before < *used) else {
            return;
        };
        // Every call increases `used`, so the exchange fails if there was a call since the first
        // load.
        if self.due.load(Ordering::Acquire) == IDLE
            && self
                .used
                .compare_exchange(before, used, AcqRel, Relaxed)
                .is_ok()
        {
            self.since_answer.fetch_add(used - before, Relaxed);
            self.disturbance.used.fetch_add(used - before, Relaxed);
        }
    }

    /// Returns the processor time used between calls in this block, without the uncounted time.
    pub(crate) fn between_calls(&self) -> Duration {
        let forgiven = self.uncounted.load(Relaxed);
        let last = self.since_answer.load(Relaxed).saturating_sub(forgiven);
        Duration::from_nanos(self.between_calls.load(Relaxed).saturating_add(last))
    }

    /// Kills an idle process that has used too much processor time between its calls.
    fn end_if_busy(&self) {
        if BETWEEN_CALLS_MAX < self.between_calls() && self.change_due(IDLE, ENDED) {
            self.kill();
        }
    }

    /// Returns `true` if the watchdog has killed the process.
    pub(crate) fn was_killed(&self) -> bool {
        self.due.load(Relaxed) == ENDED
    }

    /// Kills the process and all processes of its group.
    pub(crate) fn kill(&self) {
        if let Some(group) = *lock(&self.group) {
            // Fails only if no process of the group exists.
            _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Forgets the process group. Must be called before the process is waited for, because the id
    /// may be reused afterwards.
    pub(crate) fn forget(&self) {
        *lock(&self.group) = None;
    }

    /// Changes the deadline from `from` to `to`. Returns `false` if it was not `from`.
    fn change_due(&self, from: u64, to: u64) -> bool {
        self.due.compare_exchange(from, to, AcqRel, Relaxed).is_ok()
    }

    /// Kills the process if its deadline has passed. The deadline is extended by the time that is
    /// not charged to the bot.
    fn check_deadline(&self, now: u64) {
        let due = self.due.load(Ordering::Acquire);
        if due == IDLE || due == ENDED || now < due.saturating_add(self.disturbance.in_call()) {
            return;
        }
        if self.change_due(due, ENDED) {
            self.kill();
        }
    }
}

static WATCHDOG: PeriodicChecks<Weak<WatchedWorker>> =
    PeriodicChecks::new("watchdog", TICK, check_all);

/// Keeps the watchdog running until the calling thread ends, so that pauses of the system are
/// noticed even if none of its bots is watched.
pub(crate) fn notice_pauses() {
    KEPT.with(|_| ());
}

thread_local!(static KEPT: Arc<WatchedWorker> = {
    let kept = Arc::default();
    // If its thread cannot be started, pauses are charged to the called bots.
    _ = WATCHDOG.add(Arc::downgrade(&kept));
    kept
});

fn check_all(all: &mut Vec<Weak<WatchedWorker>>) {
    // The thread may inherit a binding to a core that bots keep busy.
    static UNBOUND: Once = Once::new();
    UNBOUND.call_once(pin::unbind_this_thread);
    STALL_TIME.count(now());
    all.retain(|watched| watched.strong_count() > 0);
    let checked = if all.is_empty() { 0 } else { now() };
    STALL_TIME.last_check.store(checked, Relaxed);
    let all = || all.iter().filter_map(Weak::upgrade);
    // First update the counters, which extend the deadlines.
    all().for_each(|watched| {
        watched.count_idle_time();
        watched.end_if_busy();
    });
    let now = now();
    all().for_each(|watched| watched.check_deadline(now));
}

/// Processor time that a process may use between its calls in a block, in addition to
/// [`UNCOUNTED_TIME`].
pub(crate) const BETWEEN_CALLS_MAX: Duration = Duration::from_millis(50);
/// Processor time after each answer that is not counted, because a process needs some before it
/// waits for the next call.
const UNCOUNTED_TIME: Duration = Duration::from_micros(100);
/// Uncounted time after each answer for a process that is not bound to the host's core. The kernel
/// updates the processor time on another core only at its timer ticks.
const UNCOUNTED_TIME_UNBOUND: Duration = Duration::from_millis(10);

/// Longest interval between two checks of the watchdog on a working system. In a longer one the
/// system was paused, or gave the program no processor time.
const CHECK_INTERVAL_MAX: Duration = Duration::from_millis(100);

/// Total time in which the watchdog should have run and did not.
#[derive(Default)]
struct StallTime {
    nanos: AtomicU64,
    /// Time of the last check in nanoseconds; 0 while the watchdog has nothing to check.
    last_check: AtomicU64,
}

static STALL_TIME: StallTime = StallTime {
    nanos: AtomicU64::new(0),
    last_check: AtomicU64::new(0),
};

impl StallTime {
    /// Adds the time since the last check if it is longer than [`CHECK_INTERVAL_MAX`].
    fn count(&self, now: u64) {
        let last = self.last_check.load(Relaxed);
        let since = now.saturating_sub(last);
        if last > 0
            && u128::from(since) > CHECK_INTERVAL_MAX.as_nanos()
            // Two threads may notice the same stall.
            && self.last_check.compare_exchange(last, now, AcqRel, Relaxed).is_ok()
        {
            self.nanos.fetch_add(since, Relaxed);
        }
    }
}

/// Processor time in nanoseconds that the processes called by one host thread have used between
/// their calls, and the time in which the system had stopped.
#[derive(Default)]
struct Disturbance {
    used: AtomicU64,
    /// Value of [`Disturbance::sum`] at the start of the current call.
    at_call: AtomicU64,
}

impl Disturbance {
    /// Returns the counter of the calling thread.
    fn of_this_thread() -> Arc<Disturbance> {
        OWN.with(Arc::clone)
    }

    fn sum(&self) -> u64 {
        self.used.load(Relaxed) + STALL_TIME.nanos.load(Relaxed)
    }

    /// Sets the value from which [`Disturbance::in_call`] counts, at the start of a call.
    fn begin_call(&self) {
        self.at_call.store(self.sum(), Relaxed);
    }

    /// Returns the nanoseconds added since the start of the current call.
    fn in_call(&self) -> u64 {
        self.sum().saturating_sub(self.at_call.load(Relaxed))
    }
}

thread_local!(static OWN: Arc<Disturbance> = {
    let own = Arc::<Disturbance>::default();
    own.begin_call();
    own
});

/// Starts to count the time that is not charged to the call that now begins on this thread.
#[inline]
pub(crate) fn begin_call() {
    OWN.with(|own| own.begin_call());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Child, Command};
    use std::thread;

    /// Commands of processes that wait, and that are always busy.
    const WAIT: &str = "exec sleep 60";
    const BUSY: &str = "while :; do :; done";

    /// Starts a process and watches it.
    fn watched(script: &str) -> (Child, Arc<WatchedWorker>) {
        let mut command = Command::new("sh");
        let child = command.args(["-c", script]).process_group(0).spawn();
        let child = child.unwrap();
        let watched = WatchedWorker::new(Pid::from_child(&child)).unwrap();
        (child, watched)
    }

    #[test]
    fn a_process_without_an_answer_in_time_is_killed() {
        let ((mut quick, watched_quick), (mut slow, watched_slow)) = (watched(WAIT), watched(WAIT));
        watched_quick.arm(Duration::from_secs(60));
        watched_slow.arm(Duration::from_millis(1));
        assert_eq!(slow.wait().unwrap().signal(), Some(9));
        assert!(watched_slow.was_killed() && !watched_slow.disarm());
        assert!(watched_quick.disarm() && quick.try_wait().unwrap().is_none());
        watched_quick.kill();
        assert_eq!(quick.wait().unwrap().signal(), Some(9));
        assert!(!watched_quick.was_killed());
    }

    #[test]
    fn a_process_that_works_between_its_calls_is_killed_at_the_limit() {
        let (mut child, watched) = watched(BUSY);
        // The time during a call is not limited.
        watched.set_bound();
        watched.arm(Duration::from_secs(600));
        watched.measure_process(Some(Pid::from_child(&child)));
        let used =
            || Duration::from_nanos(processor_time(Pid::from_child(&child).as_raw_pid()).unwrap());
        while used() < 4 * BETWEEN_CALLS_MAX {
            thread::yield_now();
        }
        assert_eq!(
            (watched.between_calls(), watched.was_killed()),
            (Duration::ZERO, false)
        );
        assert!(watched.disarm());
        assert_eq!(child.wait().unwrap().signal(), Some(9));
        assert!(watched.was_killed() && BETWEEN_CALLS_MAX < watched.between_calls());
    }

    #[test]
    fn time_used_by_idle_processes_extends_the_deadline_of_the_called_one() {
        let ((mut child, busy), (mut asked, watched)) = (watched(BUSY), watched(WAIT));
        busy.measure_process(Some(Pid::from_child(&child)));
        watched.measure_process(Some(Pid::from_child(&asked)));
        // Overdue immediately unless the deadline is extended.
        watched.arm(Duration::MAX);
        while watched.disturbance.in_call() == 0 {
            count_idle_time(&watched.disturbance);
        }
        let disturbed = watched.disturbance.in_call();
        watched.check_deadline(u64::MAX - 1);
        assert!(!watched.was_killed(), "it is not overdue");
        assert!(disturbed <= nanos_in_call());
        // The counter of another thread is not affected.
        let of_other = thread::spawn(|| {
            nanos_in_call();
            Disturbance::of_this_thread().used.load(Relaxed)
        });
        assert_eq!(of_other.join().unwrap(), 0);
        busy.kill();
        watched.kill();
        child.wait().unwrap();
        asked.wait().unwrap();
    }

    #[test]
    fn pauses_are_noticed_until_the_thread_ends_although_no_process_is_watched() {
        let in_thread = || {
            notice_pauses();
            notice_pauses();
            while STALL_TIME.last_check.load(Relaxed) == 0 {
                thread::yield_now();
            }
            let (kept, mut times) = (KEPT.with(Arc::downgrade), 0);
            WATCHDOG.for_each(|watched| times += u32::from(watched.ptr_eq(&kept)));
            (kept, times)
        };
        let (kept, times) = thread::spawn(in_thread).join().unwrap();
        // The watchdog holds entries for an instant, but not while it lists them.
        let mut left = 0;
        WATCHDOG.for_each(|_| left = kept.strong_count());
        assert_eq!((times, left), (1, 0));
    }

    #[test]
    fn intervals_without_a_check_are_counted_once_and_only_if_they_are_long() {
        let ms = |ms: u64| ms * 1_000_000;
        let stall = StallTime::default();
        let counted = || stall.nanos.load(Relaxed);
        // Nothing has been checked.
        stall.count(ms(5_000));
        assert_eq!(counted(), 0);
        stall.last_check.store(ms(5_000), Relaxed);
        stall.count(ms(5_100));
        assert_eq!(counted(), 0, "delays of a busy system");
        stall.count(ms(25_000));
        stall.count(ms(25_001));
        assert_eq!(counted(), ms(20_000));
        // There was nothing to check for a while.
        stall.last_check.store(0, Relaxed);
        stall.count(ms(90_000));
        assert_eq!(counted(), ms(20_000));
    }
}
