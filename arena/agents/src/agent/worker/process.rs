//! The host's side of a worker. It starts the worker, calls the bot, and determines why the process
//! has ended.

use super::answers;
pub(super) use super::answers::Reply;
use super::control::{
    self, CodeLocation, ExitKind, HelperCommand, Inspected, ProcessExit, WorkerSpec,
};
use crate::agent::process::exit::{ExitContext, ProcessEnd, attribute, not_started};
use crate::agent::process::pin::Pin;
use crate::agent::process::{BETWEEN_CALLS_MAX, OutputFile, WatchedWorker, now, worker_command};
use crate::agent::transport::Message;
use crate::agent::transport::frame::{self, Body, FrameHead, Inbox, InvalidBytes, Outbox};
use crate::agent::{
    AgentError, AgentResult, BotInfo, FaultScope, LoadError, Notice, ProcessLimits, SandboxReport,
    bot, log, output,
};
use crate::record::FaultKind;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use serde::de::DeserializeOwned;
use std::fs;
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{self, Child, ExitStatus, Stdio};
use std::sync::{Arc, Once};
use std::time::Duration;

/// Additional time for an answer of the helper, which may have to end a process first.
const ENDING: Duration = Duration::from_secs(3);

/// A running worker: its helper, and the process that runs the bot.
pub(super) struct WorkerProcess {
    child: Child,
    control: UnixStream,
    pub watched: Arc<WatchedWorker>,
    state: WorkerState,
    out: Outbox,
    inbox: Inbox,
    /// Number of the last request to the process; 0 before the first one.
    number: u64,
    /// Number of the deal's events that the bot has received.
    pub sent: u32,
    /// Duration of the last call.
    pub took: Duration,
    /// Name of the bot in the log.
    bot: String,
    messages: u32,
    /// Restrictions of the bot's process.
    pub sandbox: SandboxReport,
    /// Descriptors of the library's bots; empty if they were not requested.
    bots: Vec<BotInfo>,
    limits: ProcessLimits,
    /// Number of threads that the bot may start.
    threads: u32,
    /// Time at which the bot's process was started, on the watchdog's clock.
    begun: u64,
}

enum WorkerState {
    /// The helper waits, and no process of the bot runs.
    Ready,
    /// The bot's process loads its library, waits for a call, or executes one.
    Running(WorkerPipes),
    /// The helper has ended or does not answer.
    Gone,
}

/// The host's ends of a process's pipes.
struct WorkerPipes {
    requests: PipeWriter,
    replies: PipeReader,
    words: OutputFile,
    /// Number of bytes of output that have been collected.
    heard: u64,
    /// Process id, once its library is loaded and its sandbox has been checked.
    process: Option<Pid>,
}

/// The reason a process could not be started.
pub(super) enum StartError {
    /// The library cannot be used. The path in the error was set by the worker.
    Refused(LoadError),
    /// The bot failed, another process killed the worker, or a system call failed.
    Failed(AgentError),
}

impl From<io::Error> for StartError {
    /// Converts the error of a system call.
    fn from(error: io::Error) -> StartError {
        StartError::Failed(not_started(&error))
    }
}

impl From<AgentError> for StartError {
    fn from(agent_error: AgentError) -> StartError {
        StartError::Failed(agent_error)
    }
}

impl WorkerProcess {
    /// Starts a worker and waits until a process is ready for a block. `sandbox` is the report of
    /// the bot's previous process, empty if there is none. If the new process is killed before its
    /// own report arrives, this report determines whether the kill is a fault of the bot.
    ///
    /// # Errors
    /// Returns an error if the worker cannot be started, the library cannot be used or the bot
    /// refuses its config.
    pub(super) fn start(
        order: WorkerSpec,
        sandbox: SandboxReport,
    ) -> Result<WorkerProcess, StartError> {
        let mut command = worker_command()?;
        raise_file_limit();
        let (control, end) = UnixStream::pair()?;
        command
            .arg0("hattari")
            .arg(order.code.place())
            .process_group(0)
            .stdin(OwnedFd::from(end))
            .stdout(Stdio::null());
        let mut child = command.spawn()?;
        // The command holds the worker's end of the socket; while it is open, the end of a worker
        // is not detected.
        drop(command);
        let watched = WatchedWorker::new(Pid::from_child(&child)).inspect_err(|_| {
            _ = child.kill();
            _ = child.wait();
        });
        let mut process = WorkerProcess {
            watched: watched?,
            child,
            control,
            state: WorkerState::Ready,
            out: Outbox::default(),
            inbox: Inbox::default(),
            number: 0,
            sent: 0,
            took: Duration::ZERO,
            bot: order.id.clone().unwrap_or_default(),
            messages: 0,
            sandbox,
            bots: Vec::new(),
            limits: order.limits,
            threads: order.threads,
            begun: now(),
        };
        let prepared: Option<Result<(), _>> =
            process.command(&HelperCommand::Prepare(Box::new(order)));
        prepared
            .ok_or_else(|| process.helper_fault("while its library was read"))?
            .map_err(StartError::Refused)?;
        process.begin()?;
        Ok(process)
    }

    /// Starts a fresh process and waits until it has loaded the library and created an instance. A
    /// previous process is ended.
    ///
    /// # Errors
    /// Returns an error if the process cannot be started or is killed, if the library cannot be
    /// used, or if the bot refuses its config.
    pub(super) fn begin(&mut self) -> Result<(), StartError> {
        self.finish();
        let words = OutputFile::new()?;
        let (requests_end, requests) = io::pipe()?;
        let (replies, replies_end) = io::pipe()?;
        let writer = words.writer()?;
        let pipes = [requests_end.as_fd(), replies_end.as_fd(), writer.as_fd()];
        if control::send(&self.control, &HelperCommand::Start, &pipes).is_err() {
            self.state = WorkerState::Gone;
            return Err(self.helper_fault("between blocks").into());
        }
        // While the host has these ends open, it does not detect the end of the process.
        drop((requests_end, replies_end, writer));
        self.state = WorkerState::Running(WorkerPipes {
            requests,
            replies,
            words,
            heard: 0,
            process: None,
        });
        self.inbox = Inbox::default();
        (self.number, self.messages, self.begun) = (0, 0, now());
        let during = if self.bot.is_empty() {
            "while it was loaded"
        } else {
            "create"
        };
        let ready = self.wait_until_ready(during);
        // If the helper is killed, it opens no files for the process, which then reports missing
        // libraries.
        let is_running = matches!(self.state, WorkerState::Running(_));
        if ready.is_err() && is_running && self.finish().is_none() {
            return Err(self.helper_fault(during).into());
        }
        ready?;
        let inspected: Option<Inspected> = self.command(&HelperCommand::Inspect);
        let inspected = inspected.ok_or_else(|| self.helper_fault(during))?;
        let (process, sandbox) = inspected.map_err(|what| {
            self.finish();
            let message = format!(
                "{during}: its sandbox is no longer in effect after loading the library ({what})"
            );
            AgentError::new(FaultKind::Crash, message)
        })?;
        self.sandbox = sandbox;
        if let WorkerState::Running(seat) = &mut self.state {
            seat.process = Pid::from_raw(process);
            self.watched.measure_process(seat.process);
        }
        Ok(())
    }

    /// Waits for the first answer of a process, which says that it is ready or why it failed.
    /// `during` names this phase in errors.
    fn wait_until_ready(&mut self, during: &str) -> Result<(), StartError> {
        let limit = self.limits.start;
        let (head, body) = match exchange(self, limit, frame::READY_MAX, false) {
            Ok(answer) => answer,
            Err(error) => return Err(self.end_failed_process(during, limit, error).into()),
        };
        let invalid_answer = |what: &str| {
            StartError::Failed(AgentError::new(
                FaultKind::Crash,
                format!("{during}: its process sent an invalid answer{what}"),
            ))
        };
        match head.kind {
            frame::READY => {
                let bots: Vec<BotInfo> =
                    serde_json::from_slice(body.json()).map_err(|_| invalid_answer(""))?;
                // The bot's code may have written these descriptors, so they are checked again.
                self.bots = match u32::try_from(bots.len()).unwrap_or(u32::MAX) {
                    0 => bots,
                    count => bot::read_descriptors(count, |index| {
                        let info = &bots[index as usize];
                        info.check().map(|()| info.clone())
                    })
                    .map_err(|what| invalid_answer(&format!(": {what}")))?,
                };
                Ok(())
            }
            frame::REFUSED => {
                let error: LoadError =
                    serde_json::from_slice(body.json()).map_err(|_| invalid_answer(""))?;
                let tidy = |text: String| {
                    if text.contains(char::is_control) {
                        crate::text::escape_for_sentence(&text)
                    } else {
                        text
                    }
                };
                Err(StartError::Refused(LoadError {
                    cause: tidy(error.cause),
                    remedy: tidy(error.remedy),
                    path: error.path,
                }))
            }
            frame::FAILED => Err(answers::agent_error(body)
                .map_or_else(|InvalidBytes| invalid_answer(""), StartError::Failed)),
            _ => Err(invalid_answer("")),
        }
    }

    /// Sends a command to the helper and returns its answer; `None` if the helper has ended.
    fn command<T: DeserializeOwned>(&mut self, command: &HelperCommand) -> Option<T> {
        self.watched.arm(self.limits.start + ENDING);
        let heard = control::send(&self.control, command, &[])
            .and_then(|()| control::receive(&self.control))
            .ok()
            .filter(|_| self.watched.disarm());
        if heard.is_none() {
            self.state = WorkerState::Gone;
        }
        heard.map(|(report, _)| report)
    }

    /// Binds the worker and all threads of the bot's process to the core of the host's thread.
    pub(super) fn bind(&self, pin: &Pin) {
        if let WorkerState::Running(WorkerPipes {
            process: Some(process),
            ..
        }) = &self.state
        {
            fs::read_dir(format!("/proc/{process}/task"))
                .into_iter()
                .flatten()
                .flatten()
                .filter_map(|thread| Pid::from_raw(thread.file_name().to_str()?.parse().ok()?))
                .for_each(|thread| _ = pin.bind(thread));
        }
        if pin.bind(Pid::from_child(&self.child)) {
            self.watched.set_bound();
        }
    }

    /// Sends a message and waits up to `patience` for the answer. `read` returns the data of the
    /// answer, or `None` if the answer has another type.
    ///
    /// # Errors
    /// Returns the error that the bot reports, or the fault for a process that has ended. Such a
    /// process cannot be called again.
    pub(super) fn ask<T>(
        &mut self,
        message: &Message<'_>,
        patience: Duration,
        read: fn(Reply) -> Option<T>,
    ) -> AgentResult<T> {
        self.number += 1;
        message.put_frame(self.number, &mut self.sent, true, &mut self.out);
        let answer = exchange(self, patience, frame::ANSWER_MAX, true)
            .and_then(|(head, body)| answers::decode_answer(head, body));
        let answer = answer.and_then(|answer| match answer.map(read) {
            Ok(Some(data)) => Ok(Ok(data)),
            Ok(None) => Err(InvalidBytes.into()),
            Err(agent_error) => Ok(Err(agent_error)),
        });
        self.pass_output();
        answer.unwrap_or_else(|error| {
            let call = match message {
                Message::Notice(Notice::BlockEnd) => "destroy",
                _ => message.call(),
            };
            Err(self.end_failed_process(call, patience, error))
        })
    }

    /// Adds new output of the process to the collected output of this thread, if it is collected.
    fn pass_output(&mut self) {
        if let WorkerState::Running(seat) = &mut self.state
            && output::is_collecting()
            && let Some((text, end)) = seat.words.output_from(seat.heard)
        {
            seat.heard = end;
            output::collect_output(&text);
        }
    }

    /// Ends a process that gave no valid answer, and returns the fault.
    #[cold]
    fn end_failed_process(
        &mut self,
        call: &str,
        patience: Duration,
        error: io::Error,
    ) -> AgentError {
        let talks_nonsense = error.kind() == ErrorKind::InvalidData;
        let between_calls = self.watched.between_calls();
        let (ended, seat) = self.finish_with_pipes(!talks_nonsense);
        let killed = self.end_by_watchdog(between_calls, ProcessEnd::Late(patience));
        let end = killed.unwrap_or_else(|| {
            if talks_nonsense {
                ProcessEnd::InvalidAnswer
            } else {
                ended.map_or(ProcessEnd::WithHelper, end_of)
            }
        });
        let words = seat.and_then(|seat| seat.words.end_of_output());
        self.attribute(call, end).with_output(words)
    }

    /// Returns the fault for the end of the process.
    fn attribute(&self, call: &str, end: ProcessEnd) -> AgentError {
        let lived = Duration::from_nanos(now().saturating_sub(self.begun));
        let context = ExitContext {
            limits: Some(&self.limits),
            could_use: lived.saturating_mul(1 + self.threads),
            cannot_kill: self.sandbox.restricts_system_calls(),
        };
        attribute(call, end, &context)
    }

    /// Returns why the watchdog killed the process: time between calls, or else `late`. Returns
    /// `None` if it did not.
    fn end_by_watchdog(&self, between_calls: Duration, late: ProcessEnd) -> Option<ProcessEnd> {
        let is_busy = BETWEEN_CALLS_MAX < between_calls;
        let busy = ProcessEnd::Busy(between_calls, BETWEEN_CALLS_MAX);
        let end = if is_busy { busy } else { late };
        self.watched.was_killed().then_some(end)
    }

    /// Returns the fault for a worker whose helper was killed, or did not answer in time.
    fn helper_fault(&self, call: &str) -> AgentError {
        let late = ProcessEnd::HelperLate(self.limits.start + ENDING);
        let killed = self.end_by_watchdog(self.watched.between_calls(), late);
        self.attribute(call, killed.unwrap_or(ProcessEnd::WithHelper))
    }

    /// Ends the bot's process. Returns its resource usage and the cause of its end; `None` if there
    /// is no process or the helper has ended.
    pub(super) fn finish(&mut self) -> Option<ProcessExit> {
        self.finish_with_pipes(false).0
    }

    /// Ends the bot's process like [`WorkerProcess::finish`], and also returns the host's ends of
    /// its pipes. If `may_end`, first waits for the process to exit by itself. The ends stay open
    /// until then: if they were closed, the process would exit by itself, and threads that still
    /// run could not be counted.
    fn finish_with_pipes(&mut self, may_end: bool) -> (Option<ProcessExit>, Option<WorkerPipes>) {
        let seat = match std::mem::replace(&mut self.state, WorkerState::Ready) {
            WorkerState::Running(seat) => seat,
            other => {
                self.state = other;
                return (None, None);
            }
        };
        self.watched.measure_process(None);
        let ended: Option<ProcessExit> = self.command(&HelperCommand::End { may_end });
        if ended.is_none_or(|ended| ended.is_last) {
            self.state = WorkerState::Gone;
        }
        (ended, Some(seat))
    }

    /// Returns `true` if the helper can start another process.
    pub(super) fn can_start_process(&self) -> bool {
        // `NOWAIT` does not reap the process, so its id is not reused and its group can still be
        // killed.
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(self.state, WorkerState::Gone)
            && !self.watched.was_killed()
            && matches!(
                waitid(WaitId::Pid(Pid::from_child(&self.child)), look),
                Ok(None)
            )
    }
}

impl Drop for WorkerProcess {
    /// Kills the worker and all processes that it has started.
    fn drop(&mut self) {
        self.watched.kill();
        self.watched.forget();
        _ = self.child.wait();
    }
}

/// Converts the helper's report on the end of a process.
fn end_of(ended: ProcessExit) -> ProcessEnd {
    match ended.fate {
        ExitKind::Exited(status) => ProcessEnd::Exited(ExitStatus::from_raw(status)),
        ExitKind::Killed => ProcessEnd::Closed("pipe to the host"),
        ExitKind::NotStarted(errno) => ProcessEnd::NotStarted(errno),
    }
}

/// Sends the request in `process.out`, if `has_request`, and waits up to `patience` for an answer of
/// at most `size_max` bytes. The returned body is in the inbox.
fn exchange(
    process: &mut WorkerProcess,
    patience: Duration,
    size_max: usize,
    has_request: bool,
) -> io::Result<(FrameHead, Body<'_>)> {
    let WorkerProcess {
        state,
        watched,
        out,
        inbox,
        number,
        took,
        bot,
        messages,
        ..
    } = process;
    let WorkerState::Running(WorkerPipes {
        requests, replies, ..
    }) = state
    else {
        return Err(ErrorKind::NotConnected.into());
    };
    let start = watched.arm(patience);
    let sent = if has_request {
        requests.write_all(out.frame())
    } else {
        Ok(())
    };
    let outcome = sent.and_then(|()| {
        answers::receive(replies, inbox, size_max, *number, &mut |level, text| {
            *messages += 1;
            if *messages <= log::MESSAGES_MAX {
                log::log(level, bot, &text);
            }
        })
    });
    // The process may have been killed while its answer arrived. It could not answer the next
    // request, so the answer is discarded.
    let is_alive = watched.disarm();
    *took = watched.duration_since(start);
    if !is_alive {
        return Err(ErrorKind::TimedOut.into());
    }
    outcome.map(|head| (head, inbox.last(&head)))
}

/// Raises this process's limit of open files to its maximum. Each worker needs four files, and
/// leagues may have hundreds of bots.
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        // On failure the limit is unchanged.
        _ = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: maximum,
                maximum,
            },
        );
    });
}

/// Loads a library in a worker and returns the descriptors of its bots. `hash` is the hash of its
/// file.
///
/// # Errors
/// Returns an error if the library cannot be used or the worker fails.
pub(crate) fn describe(path: &Path, hash: u64) -> Result<Vec<BotInfo>, LoadError> {
    let order = WorkerSpec {
        code: CodeLocation::file(path),
        hash,
        id: None,
        config_json: String::new(),
        limits: ProcessLimits::default(),
        threads: 0,
        debug: false,
        parent: process::id(),
    };
    match WorkerProcess::start(order, SandboxReport::default()) {
        Ok(mut process) => Ok(std::mem::take(&mut process.bots)),
        Err(StartError::Refused(error)) => Err(LoadError {
            path: path.to_owned(),
            ..error
        }),
        Err(StartError::Failed(agent_error)) => {
            let remedy = match agent_error.scope {
                FaultScope::Outside => {
                    "try again; check that enough memory, processes and open files are available \
                     (`ulimit -a`)"
                }
                _ => "fix the library",
            };
            Err(LoadError::new(path, agent_error.message, remedy))
        }
    }
}
