//! Faults for ended processes of bots: kind, scope and message. The rules are the same for
//! libraries and programs.

use crate::agent::FaultScope::{self, Block, Deal, Decision, Outside};
use crate::agent::{AgentError, ProcessLimits};
use crate::record::FaultKind::{self, Crash, Memory, Time};
use rustix::process::Signal;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

const XCPU: i32 = Signal::XCPU.as_raw();
const KILL: i32 = Signal::KILL.as_raw();
/// Signal number by which a program's init process reports that it killed the program because of
/// its memory. It is the last real-time signal of Linux. If the program ends by this signal, the
/// signal before it is reported.
pub(crate) const OVER_MEMORY: i32 = 64;

/// The end of a bot's process.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ProcessEnd {
    /// The process ended, and the host did not kill it.
    Exited(ExitStatus),
    /// The process ended together with its helper, which runs no code of bots.
    WithHelper,
    /// The host killed the process and its helper because the helper did not answer within this
    /// time.
    HelperLate(Duration),
    /// The process closed the named connection to the host, and was then killed.
    Closed(&'static str),
    /// The host killed the process because no answer came within this time.
    Late(Duration),
    /// The host killed the process because it did not exit within this time.
    Lingered(Duration),
    /// The host killed the process because it used too much processor time between its calls.
    /// Contains the time and the limit.
    Busy(Duration, Duration),
    /// The host killed the process because it sent an invalid answer.
    InvalidAnswer,
    /// The system could not start the process and returned this error number.
    NotStarted(i32),
}

/// The properties of a process that determine the cause of its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExitContext<'a> {
    /// Limits of the process's sandbox; `None` without a sandbox.
    pub limits: Option<&'a ProcessLimits>,
    /// Upper bound of the processor time that the kernel may have charged to the process. The kernel
    /// counts in ticks, so its figure can be much larger than the time used.
    pub could_use: Duration,
    /// `true` if the sandbox keeps the process from sending SIGKILL, so that a process outside must
    /// have sent such a signal.
    pub cannot_kill: bool,
}

/// Returns the fault of a bot whose process ended during `call`.
pub(crate) fn attribute(call: &str, end: ProcessEnd, context: &ExitContext<'_>) -> AgentError {
    let (kind, scope, what) = match end {
        ProcessEnd::Exited(status) => exited(status, context),
        // A helper uses almost no processor time, so a limit cannot have killed it.
        ProcessEnd::WithHelper => {
            let could_use = Duration::ZERO;
            exited(
                ExitStatus::from_raw(KILL),
                &ExitContext {
                    could_use,
                    ..*context
                },
            )
        }
        ProcessEnd::HelperLate(patience) => (
            Time,
            outside(context),
            format!(
                "the process of `hattari` that starts and inspects it gave no answer within \
                {patience:?}; the system may be overloaded"
            ),
        ),
        ProcessEnd::Closed(what) => (Crash, Deal, format!("it closed its {what}")),
        ProcessEnd::Late(patience) => (
            Time,
            Deal,
            format!("no answer within {patience:?}; its process was killed"),
        ),
        ProcessEnd::Lingered(patience) => (
            Time,
            Decision,
            format!(
                "it did not exit within {patience:?}; a program must exit when its standard input \
                is closed"
            ),
        ),
        ProcessEnd::Busy(used, most) => (
            Time,
            Block,
            format!(
                "{used:?} of CPU time between its calls in this block ({most:?} are allowed): it \
                uses the CPU while other bots decide; its threads must sleep after the answer"
            ),
        ),
        ProcessEnd::InvalidAnswer => (Crash, Deal, "its process sent an invalid answer".to_owned()),
        ProcessEnd::NotStarted(errno) => return not_started(&io::Error::from_raw_os_error(errno)),
    };
    AgentError::new(kind, format!("{call}: {what}")).with_scope(scope)
}

/// Returns the fault of a bot for which the system could not start a process.
pub(crate) fn not_started(error: &io::Error) -> AgentError {
    let message = format!("no worker process could be started: {error}");
    AgentError::start(message).with_scope(Outside)
}

/// Returns kind, scope and text of the fault of a bot whose process ended without being killed by
/// the host. The cause is a limit, the process itself or another process.
fn exited(status: ExitStatus, context: &ExitContext<'_>) -> (FaultKind, FaultScope, String) {
    let Some(signal) = status.signal() else {
        let code = status.code().unwrap_or_default();
        return (
            Crash,
            Deal,
            format!("its process ended with exit code {code}"),
        );
    };
    if let Some(limits) = context.limits {
        if signal == OVER_MEMORY {
            let most = limits.memory_mb;
            let what = format!("its processes used more than {most} MiB of memory in total");
            return (Memory, Deal, what);
        }
        // A process that catches the first of the two signals receives the second a little later. It
        // could also send them to itself, or set a shorter limit.
        if matches!(signal, XCPU | KILL) && limits.processor <= context.could_use {
            let most = limits.processor;
            let what = format!("its process has used up its CPU time ({most:?} per block)");
            return (Time, Block, what);
        }
    }
    if signal != KILL {
        let what = format!("its process was terminated by {}", signal_name(signal));
        return (Crash, Deal, what);
    }
    let what = "its process was killed with signal 9 (by another process or out of memory)";
    (Crash, outside(context), what.to_owned())
}

/// Returns the scope of a fault with a cause outside the process, if the process cannot be the
/// cause.
fn outside(context: &ExitContext<'_>) -> FaultScope {
    if context.cannot_kill { Outside } else { Deal }
}

fn signal_name(signal: i32) -> String {
    const NAMES: [(i32, &str); 10] = [
        (4, "SIGILL, illegal instruction"),
        (5, "SIGTRAP"),
        (6, "SIGABRT, the process aborted"),
        (8, "SIGFPE, arithmetic error such as a division by zero"),
        (11, "SIGSEGV, invalid memory access"),
        (13, "SIGPIPE"),
        (15, "SIGTERM"),
        (31, "SIGSYS, forbidden system call"),
        // The numbers of these signals differ between systems.
        (XCPU, "SIGXCPU"),
        (
            Signal::BUS.as_raw(),
            "SIGBUS, access to memory that does not exist",
        ),
    ];
    match NAMES.iter().find(|(number, _)| *number == signal) {
        Some((_, name)) => format!("signal {signal} ({name})"),
        None => format!("signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_process_exit_maps_to_a_fault_kind_scope_and_message() {
        use FaultKind::Start;
        let seconds = Duration::from_secs;
        let limits = ProcessLimits {
            processor: seconds(9),
            memory_mb: 128,
            ..ProcessLimits::default()
        };
        let context = |could_use, cannot_kill| ExitContext {
            limits: Some(&limits),
            could_use: seconds(could_use),
            cannot_kill,
        };
        // Sandboxes of a library and of a program; `free` has none.
        let (library, program) = (context(8, true), context(8, false));
        let free = ExitContext {
            limits: None,
            ..context(3600, false)
        };
        let signal = |number| ProcessEnd::Exited(ExitStatus::from_raw(number));
        let code = |code: i32| ProcessEnd::Exited(ExitStatus::from_raw(code << 8));
        for (end, context, kind, scope, words) in [
            (code(0), library, Crash, Deal, "exit code 0"),
            (code(3), free, Crash, Deal, "exit code 3"),
            (signal(11), library, Crash, Deal, "signal 11 (SIGSEGV"),
            (signal(11), program, Crash, Deal, "signal 11 (SIGSEGV"),
            (signal(77), free, Crash, Deal, "was terminated by signal 77"),
            // A kill is external only if the bot could not send or cause it.
            (signal(KILL), library, Crash, Outside, "was killed"),
            (
                ProcessEnd::WithHelper,
                library,
                Crash,
                Outside,
                "was killed",
            ),
            (signal(KILL), program, Crash, Deal, "was killed"),
            (
                ProcessEnd::WithHelper,
                context(9, true),
                Crash,
                Outside,
                "was killed",
            ),
            (ProcessEnd::WithHelper, program, Crash, Deal, "was killed"),
            (signal(KILL), free, Crash, Deal, "was killed"),
            (
                ProcessEnd::HelperLate(seconds(2)),
                library,
                Time,
                Outside,
                "no answer within 2s",
            ),
            (
                ProcessEnd::HelperLate(seconds(2)),
                program,
                Time,
                Deal,
                "no answer within 2s",
            ),
            // The kernel counts ticks, so it may kill a process that has hardly worked.
            (
                signal(KILL),
                context(9, true),
                Time,
                Block,
                "(9s per block)",
            ),
            (
                signal(KILL),
                context(9, false),
                Time,
                Block,
                "(9s per block)",
            ),
            (
                signal(XCPU),
                context(9, true),
                Time,
                Block,
                "(9s per block)",
            ),
            // A program may send itself this signal, or set a shorter limit.
            (signal(XCPU), program, Crash, Deal, "(SIGXCPU)"),
            (signal(XCPU), free, Crash, Deal, "was terminated by signal"),
            (signal(OVER_MEMORY), program, Memory, Deal, "than 128 MiB"),
            (
                signal(OVER_MEMORY),
                free,
                Crash,
                Deal,
                "was terminated by signal 64",
            ),
            (
                ProcessEnd::Closed("pipe"),
                library,
                Crash,
                Deal,
                "closed its pipe",
            ),
            (
                ProcessEnd::Late(seconds(2)),
                library,
                Time,
                Deal,
                "within 2s",
            ),
            (
                ProcessEnd::Lingered(seconds(2)),
                free,
                Time,
                Decision,
                "not exit",
            ),
            (
                ProcessEnd::Busy(seconds(2), seconds(1)),
                library,
                Time,
                Block,
                "2s of CPU time",
            ),
            (
                ProcessEnd::InvalidAnswer,
                library,
                Crash,
                Deal,
                "an invalid answer",
            ),
            (
                ProcessEnd::NotStarted(24),
                library,
                Start,
                Outside,
                "open files",
            ),
        ] {
            let fault = attribute("act", end, &context);
            assert_eq!(
                (fault.kind, fault.scope),
                (kind, scope),
                "{end:?} {context:?}"
            );
            assert!(fault.message.contains(words), "{}", fault.message);
            let names_call = fault.message.starts_with("act: ");
            assert_eq!(names_call, kind != Start, "{}", fault.message);
        }
    }
}
