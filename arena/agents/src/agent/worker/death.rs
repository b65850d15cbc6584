//! The end of a process in words, and whose doing it was.

use crate::agent::transport::frame::{self, Ended};
use crate::agent::{Jailed, Limits, Misstep, Reach};
use crate::record::FaultKind;
use rustix::process::Signal;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

const XCPU: i32 = Signal::XCPU.as_raw();
const KILL: i32 = Signal::KILL.as_raw();
/// The signal by which the first process of a program's sandbox says that it has ended the program
/// for its memory: the last real-time signal of Linux.
pub(in crate::agent) const OVER_MEMORY: i32 = 64;

/// Returns the fault of a bot whose process has ended in this way because it met a limit of its
/// own; `None` for every other end. `could_use` is the most processor time that it can have used:
/// the kernel counts by its ticks, which may be far more than what it has used in truth.
pub(in crate::agent) fn met_limit(
    call: &str,
    end: ExitStatus,
    limits: &Limits,
    could_use: Duration,
) -> Option<Misstep> {
    let signal = end.signal()?;
    if signal == OVER_MEMORY {
        let message = format!(
            "{call}: its processes had more than {} MiB of memory together",
            limits.memory_mb
        );
        return Some(Misstep::new(FaultKind::Memory, message).reaching(Reach::Deal));
    }
    // Whoever catches the first of the two signals gets the second a little later.
    let is_over_time = signal == XCPU || (signal == KILL && limits.processor <= could_use);
    let allowed = limits.processor;
    let message =
        format!("{call}: its process has used up its processor time ({allowed:?} a block)");
    is_over_time.then(|| Misstep::new(FaultKind::Time, message).reaching(Reach::Block))
}

/// The end of a process in a call as a misstep; `None` for a keeper that is gone, and its process
/// with it. `could_use` as in [`met_limit`].
pub(super) fn explain(
    call: &str,
    ended: Option<&Ended>,
    jail: &Jailed,
    limits: &Limits,
    could_use: Duration,
) -> Misstep {
    let crash = |what: &str| Misstep::new(FaultKind::Crash, format!("{call}: {what}"));
    let killed = || {
        let misstep = crash("its process was killed (signal 9, by somebody or for want of memory)");
        // In a jail that holds it cannot have done that itself.
        misstep.reaching(if jail.holds_system_calls() {
            Reach::Outside
        } else {
            Reach::Deal
        })
    };
    let Some(ended) = ended else { return killed() };
    match ended.fate {
        frame::ENDED_BY_ITSELF => {}
        frame::ENDED_BY_KEEPER => return crash("its process closed the pipe to the host"),
        _ => {
            let error = std::io::Error::from_raw_os_error(ended.errno);
            return not_started(&error);
        }
    }
    let status = ExitStatus::from_raw(ended.status);
    if let Some(misstep) = met_limit(call, status, limits, could_use) {
        return misstep;
    }
    match (status.signal(), status.code()) {
        (Some(KILL), _) => killed(),
        (Some(signal), _) => crash(&format!("its process died of {}", signal_name(signal))),
        (None, code) => crash(&format!(
            "its process ended with exit code {}",
            code.unwrap_or_default()
        )),
    }
}

/// No process could be started: the bot has no part in it.
pub(super) fn not_started(error: &std::io::Error) -> Misstep {
    let message = format!("no worker process could be started: {error}");
    Misstep::new(FaultKind::Start, message).reaching(Reach::Outside)
}

/// Whether somebody else has ended the process of a bot.
pub(super) fn is_kill(misstep: &Misstep) -> bool {
    misstep.reach == Reach::Outside && misstep.kind == FaultKind::Crash
}

fn signal_name(signal: i32) -> String {
    const NAMES: [(i32, &str); 8] = [
        (4, "SIGILL, an instruction that there is not"),
        (5, "SIGTRAP"),
        (6, "SIGABRT, it gave up itself"),
        (8, "SIGFPE, a division by zero or the like"),
        (11, "SIGSEGV, memory that is not its own"),
        (13, "SIGPIPE"),
        (15, "SIGTERM"),
        (31, "SIGSYS, a call of the system that is not allowed"),
    ];
    // SIGBUS has no number that all systems share.
    if signal == Signal::BUS.as_raw() {
        return format!("signal {signal} (SIGBUS, memory that is not there)");
    }
    match NAMES.iter().find(|(number, _)| *number == signal) {
        Some((_, name)) => format!("signal {signal} ({name})"),
        None => format!("signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::SYSTEM_CALLS;

    fn held() -> Jailed {
        let mut jail = Jailed::default();
        jail.note(SYSTEM_CALLS, Ok(String::new()));
        jail
    }

    #[test]
    fn a_kill_is_somebody_else_s_doing_only_where_the_bot_could_not_have_had_it() {
        let limits = Limits::default();
        let explain = |call: &str, ended: Option<&Ended>, jail: &Jailed, limits: &Limits| {
            explain(call, ended, jail, limits, Duration::from_secs(60))
        };
        let killed = Ended {
            status: 9,
            fate: frame::ENDED_BY_ITSELF,
            ..Ended::default()
        };
        assert!(is_kill(&explain("act", Some(&killed), &held(), &limits)));
        assert!(
            is_kill(&explain("act", None, &held(), &limits)),
            "with its keeper"
        );
        let unheld = explain("act", Some(&killed), &Jailed::default(), &limits);
        assert_eq!((unheld.kind, unheld.reach), (FaultKind::Crash, Reach::Deal));
        let by_keeper = Ended {
            fate: frame::ENDED_BY_KEEPER,
            ..killed
        };
        let closed = explain("act", Some(&by_keeper), &held(), &limits);
        assert!(closed.reach == Reach::Deal && closed.message.contains("closed the pipe"));
        let none = Ended {
            errno: 24,
            ..Ended::default()
        };
        let short = explain("create", Some(&none), &held(), &limits);
        assert!(
            short.reach == Reach::Outside && short.kind == FaultKind::Start && !is_kill(&short)
        );
        let crashed = Ended {
            status: 11,
            ..killed
        };
        assert!(
            explain("act", Some(&crashed), &held(), &limits)
                .message
                .contains("SIGSEGV")
        );
    }

    #[test]
    fn a_process_that_met_a_limit_is_to_blame() {
        let limits = Limits {
            processor: Duration::from_secs(9),
            memory_mb: 128,
            ..Limits::default()
        };
        let met = |signal: i32, seconds: u64| {
            met_limit(
                "act",
                ExitStatus::from_raw(signal),
                &limits,
                Duration::from_secs(seconds),
            )
            .map(|misstep| (misstep.kind, misstep.reach))
        };
        let over_time = Some((FaultKind::Time, Reach::Block));
        assert_eq!(met(XCPU, 0), over_time);
        // The kernel counts by ticks: it may end a process that has hardly worked, once there were
        // ticks enough.
        assert_eq!((met(KILL, 9), met(KILL, 8)), (over_time, None));
        assert_eq!(met(OVER_MEMORY, 0), Some((FaultKind::Memory, Reach::Deal)));
        assert_eq!(met(11, 3600), None);
        // A worker's process that has been there long enough for that is not taken for one that
        // others have ended.
        let killed = Ended {
            status: KILL,
            fate: frame::ENDED_BY_ITSELF,
            processor_us: 1000,
            ..Ended::default()
        };
        let after = |seconds| {
            explain(
                "act",
                Some(&killed),
                &held(),
                &limits,
                Duration::from_secs(seconds),
            )
        };
        assert!(is_kill(&after(8)) && !is_kill(&after(9)));
    }
}
