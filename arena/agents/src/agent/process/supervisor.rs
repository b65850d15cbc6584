//! The host's side of a helper: starts it, lets it start and end processes of a bot, and finds out
//! what became of them.

use super::control::{self, Command, Ended, Fate, Measures, Order, Refusal, Report};
use super::exit::{End, Held, attribute};
use super::pin::Pin;
use super::{LastWords, Watched, now, worker_command};
use crate::agent::{Limits, Misstep, Reach};
use crate::record::FaultKind;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::fs;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{self, Child, ExitStatus, Stdio};
use std::sync::{Arc, Once};
use std::time::Duration;

/// Time for a helper to answer, beside the time that a process may take to start.
const ANSWERING: Duration = Duration::from_secs(3);

/// A running helper, and the process of a bot that it has started.
#[derive(Debug)]
pub(crate) struct Supervisor {
    child: Child,
    control: UnixStream,
    pub watched: Arc<Watched>,
    state: State,
    pub limits: Limits,
    /// Threads that the bot may start.
    threads: u32,
    /// The sandbox of the bot lets it send no SIGKILL.
    pub cannot_kill: bool,
    /// Start of the process, by the watchdog's clock.
    begun: u64,
}

/// The state of a hosted process.
#[derive(Debug)]
enum State {
    /// The helper waits, and has started nothing yet.
    Ready,
    /// The process has been started, and what holds it is not known yet.
    Starting,
    /// The process runs with this number, in a sandbox that was looked at.
    Running(Pid),
    /// The process has ended, and the helper waits.
    Exited(Ended),
    /// The helper has ended, or does not answer.
    Gone,
}

/// Why a process could not be started.
pub(crate) enum NoStart {
    /// The library cannot be used: why, and what to do about it.
    Refused(Refusal),
    /// The bot, somebody who has killed it, or the system.
    Failed(Misstep),
}

impl From<io::Error> for NoStart {
    /// Of the system.
    fn from(error: io::Error) -> NoStart {
        let message = format!("no worker process could be started: {error}");
        NoStart::Failed(Misstep::new(FaultKind::Start, message).reaching(Reach::Outside))
    }
}

impl From<Misstep> for NoStart {
    fn from(misstep: Misstep) -> NoStart {
        NoStart::Failed(misstep)
    }
}

impl Supervisor {
    /// Starts a helper and waits until it can start processes. `call` names what goes on in
    /// messages. `cannot_kill` says whether an earlier process of the bot could send no SIGKILL: a
    /// helper that is killed early is judged by it.
    ///
    /// # Errors
    /// What the system or the helper has against it.
    pub(crate) fn start(
        order: Order,
        call: &str,
        cannot_kill: bool,
    ) -> Result<Supervisor, NoStart> {
        let mut command = worker_command()?;
        make_room();
        let (control, end) = UnixStream::pair()?;
        command.arg0("hattari").arg(order.place()).process_group(0);
        command.stdin(OwnedFd::from(end)).stdout(Stdio::null());
        let mut child = command.spawn()?;
        // The command holds the helper's end; as long as it does, nobody notices that a helper is
        // gone.
        drop(command);
        let watched = Watched::new(Pid::from_child(&child)).inspect_err(|_| {
            _ = child.kill();
            _ = child.wait();
        });
        let mut supervisor = Supervisor {
            watched: watched?,
            child,
            control,
            state: State::Ready,
            limits: order.limits,
            threads: order.threads,
            cannot_kill,
            begun: now(),
        };
        let prepare = Command::Prepare {
            order: Box::new(order),
            parent: process::id(),
        };
        match supervisor.command(&prepare) {
            Some(Report::Ready) => Ok(supervisor),
            Some(Report::Changed) => {
                let what = "its file has changed since the host has looked at it";
                Err(Misstep::new(FaultKind::Start, what).into())
            }
            Some(Report::Refused(refusal)) => Err(NoStart::Refused(refusal)),
            _ => Err(supervisor.killed(call).into()),
        }
    }

    /// Lets the helper start a process whose outputs go to `words`; one that it has started before
    /// has to be ended first. Returns the host's ends of its pipes.
    ///
    /// # Errors
    /// The system refuses, or somebody has killed the helper.
    pub(crate) fn begin(&mut self, words: &LastWords) -> Result<(PipeWriter, PipeReader), NoStart> {
        let (requests_end, requests) = io::pipe()?;
        let (replies, replies_end) = io::pipe()?;
        let writer = words.writer()?;
        let pipes = [requests_end.as_fd(), replies_end.as_fd(), writer.as_fd()];
        if control::send(&self.control, &Command::Start, &pipes).is_err() {
            self.state = State::Gone;
            return Err(self.killed("between blocks").into());
        }
        self.state = State::Starting;
        self.begun = now();
        // The ends of the process are closed here: as long as the host has them too, it does not
        // notice that the process is gone.
        Ok((requests, replies))
    }

    /// Returns what holds the process. `call` names what goes on in messages.
    ///
    /// # Errors
    /// Somebody has killed the helper.
    pub(crate) fn inspect(&mut self, call: &str) -> Result<Measures, Misstep> {
        let Some(Report::Inspected(process, measures)) = self.command(&Command::Inspect) else {
            return Err(self.killed(call));
        };
        if let Some(process) = Pid::from_raw(process) {
            self.state = State::Running(process);
        }
        Ok(measures)
    }

    /// Counts from now on what the process uses between its calls.
    pub(crate) fn count(&self) {
        self.watched.set_player(self.running());
    }

    /// Returns the number of a process that was looked at.
    pub(crate) fn running(&self) -> Option<Pid> {
        match self.state {
            State::Running(process) => Some(process),
            _ => None,
        }
    }

    /// Sends a command to the helper and returns its answer; `None` where it is gone.
    fn command(&mut self, command: &Command) -> Option<Report> {
        self.watched.arm(deadline(self.limits.start + ANSWERING));
        let heard = control::send(&self.control, command, &[])
            .and_then(|()| control::receive(&self.control));
        let heard = heard.ok().filter(|_| self.watched.disarm());
        if heard.is_none() {
            self.state = State::Gone;
        }
        heard.map(|(report, _)| report)
    }

    /// Binds the helper, and all threads of the process that plays, to the core of the host's
    /// thread.
    pub(crate) fn bind(&self, pin: &Pin) {
        let threads = self
            .running()
            .and_then(|process| fs::read_dir(format!("/proc/{process}/task")).ok());
        let threads = threads.into_iter().flatten().flatten();
        let threads =
            threads.filter_map(|thread| Pid::from_raw(thread.file_name().to_str()?.parse().ok()?));
        threads.for_each(|thread| _ = pin.bind(thread));
        if pin.bind(Pid::from_child(&self.child)) {
            self.watched.set_bound();
        }
    }

    /// Ends the process, after giving it this time to end by itself. Returns what it used and how
    /// it ended, or has ended before; `None` where there is none, or the helper is gone.
    pub(crate) fn end(&mut self, patience: Duration) -> Option<Ended> {
        match self.state {
            State::Starting | State::Running(_) => {}
            State::Exited(ended) => return Some(ended),
            State::Ready | State::Gone => return None,
        }
        self.watched.set_player(None);
        let ended = match self.command(&Command::End { patience }) {
            Some(Report::Ended(ended)) => Some(ended),
            _ => None,
        };
        self.state = match ended {
            Some(ended) if !ended.is_last => State::Exited(ended),
            _ => State::Gone,
        };
        ended
    }

    /// Returns the fault of the bot whose process ended in this way.
    pub(crate) fn attribute(&self, call: &str, end: End) -> Misstep {
        let lived = Duration::from_nanos(now().saturating_sub(self.begun));
        let held = Held {
            limits: Some(&self.limits),
            could_use: lived.saturating_mul(1 + self.threads),
            cannot_kill: self.cannot_kill,
        };
        attribute(call, end, &held)
    }

    /// Returns the fault for a helper that somebody has killed, and all its processes with it.
    pub(crate) fn killed(&self, call: &str) -> Misstep {
        self.attribute(call, End::WithHelper)
    }

    /// Whether another process can be started by the same helper.
    pub(crate) fn is_kept(&self) -> bool {
        // It is only looked at: until it has been waited for, its number is nobody else's and its
        // group can be killed by it.
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(self.state, State::Gone)
            && !self.watched.was_ended()
            && matches!(
                waitid(WaitId::Pid(Pid::from_child(&self.child)), look),
                Ok(None)
            )
    }
}

impl Drop for Supervisor {
    /// Ends the helper and whatever it has started.
    fn drop(&mut self) {
        self.watched.kill();
        self.watched.forget();
        _ = self.child.wait();
    }
}

/// Returns the end of a process by what its helper says; `killed` is the end of one that the
/// helper had to end.
pub(crate) fn end_of(ended: Option<Ended>, killed: End) -> End {
    match ended.map(|ended| ended.fate) {
        None => End::WithHelper,
        Some(Fate::Exited(status)) => End::Exited(ExitStatus::from_raw(status)),
        Some(Fate::Killed) => killed,
        Some(Fate::NotStarted(errno)) => End::NotStarted(errno),
    }
}

/// Returns the moment after this time, by the watchdog's clock.
pub(crate) fn deadline(patience: Duration) -> u64 {
    now().saturating_add(u64::try_from(patience.as_nanos()).unwrap_or(u64::MAX))
}

/// Lets this process have as many open files as it may: each worker takes four, and leagues may
/// have hundreds of bots.
fn make_room() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        // Where the system refuses, it is as it was.
        _ = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: maximum,
                maximum,
            },
        );
    });
}
