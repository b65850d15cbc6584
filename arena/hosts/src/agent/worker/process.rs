//! A worker as the host sees it: starts it, asks it, and finds out what became of it.

use super::answers;
pub(super) use super::answers::Reply;
use super::frame::{self, Body, Head, Inbox, Nonsense, Outbox};
use super::last_words::LastWords;
use super::usage::{self, Usage};
use super::watchdog::{Watched, now};
use super::{Code, Jailed, Limits, MARK, Order, PROGRAM, Ready};
use crate::agent::plugin::{BotInfo, LoadError};
use crate::agent::{Misstep, Reach, plugin};
use crate::record::FaultKind;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Once};
use std::thread;
use std::time::{Duration, Instant};

/// How long a process that has closed its pipe may take to end by itself, which tells how it ended.
const ENDING: Duration = Duration::from_secs(2);
/// Messages of a bot in a block that are passed on; a bot that goes round the worker's own count is held by this one.
const MESSAGES_MAX: u32 = 10_000;

/// A running worker.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    requests: PipeWriter,
    replies: PipeReader,
    words: LastWords,
    watched: Arc<Watched>,
    out: Outbox,
    inbox: Inbox,
    /// Of the last request.
    number: u64,
    /// Name of the bot, for the log.
    bot: String,
    messages: u32,
    /// What the worker has said of itself.
    pub ready: Ready,
    /// What it used when it was ready.
    pub at_first: Usage,
    limits: Limits,
}

/// Why a worker could not be started.
pub(super) enum NoStart {
    /// The library cannot be used.
    Refused(LoadError),
    /// The bot, or the system.
    Failed(Misstep),
}

impl Process {
    /// Starts a worker and waits until it is ready. `jail` is what has held the bot before, if it is known: a worker that is
    /// killed before it can tell is judged by it.
    ///
    /// # Errors
    /// What the system, the library or the bot has against it.
    pub(super) fn start(order: &Order, jail: Option<Jailed>) -> Result<Process, NoStart> {
        let system = |error: io::Error| {
            let message = format!("no worker process could be started: {error}");
            // The bot has no part in it.
            NoStart::Failed(Misstep::new(FaultKind::Start, message).reaching(Reach::Outside))
        };
        if std::env::var_os(MARK).is_some() {
            return Err(system(io::Error::other("this is a worker itself")));
        }
        make_room();
        let words = LastWords::new().map_err(system)?;
        let (requests_end, requests) = io::pipe().map_err(system)?;
        let (replies, replies_end) = io::pipe().map_err(system)?;
        let mut command = Command::new(program().map_err(system)?);
        command.arg0("hattari").arg("worker").arg(order.code.place());
        command.env_clear().env(MARK, "1").current_dir("/").process_group(0);
        // The loader needs it where libraries lie in unusual places; nothing else of the host's is for strangers.
        command.envs(
            ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]
                .into_iter()
                .filter_map(|name| Some((name, std::env::var_os(name)?))),
        );
        command.stdin(requests_end).stdout(replies_end).stderr(Stdio::from(words.writer().map_err(system)?));
        let mut child = command.spawn().map_err(system)?;
        // The command holds the worker's ends of the pipes; as long as it does, nobody notices that a worker is gone.
        drop(command);
        let watched = Watched::new(Pid::from_child(&child)).inspect_err(|_| {
            _ = child.kill();
            _ = child.wait();
        });
        let mut process = Process {
            watched: watched.map_err(system)?,
            child,
            requests,
            replies,
            words,
            out: Outbox::default(),
            inbox: Inbox::default(),
            number: 0,
            bot: order.id.clone().unwrap_or_default(),
            messages: 0,
            ready: Ready { jail: jail.unwrap_or_default(), bots: Vec::new() },
            at_first: Usage::default(),
            limits: order.limits,
        };
        process.make_ready(order)?;
        process.at_first = process.usage().unwrap_or_default();
        Ok(process)
    }

    fn make_ready(&mut self, order: &Order) -> Result<(), NoStart> {
        let json = serde_json::to_vec(order).expect("orders are plain data");
        self.request(frame::OPEN).add(&json);
        let during = if order.id.is_some() { "create" } else { "while it was loaded" };
        let limit = order.limits.start;
        let (head, body) = match exchange(self, limit, frame::READY_MAX) {
            Ok(answer) => answer,
            Err(error) => return Err(NoStart::Failed(self.died(during, limit, error))),
        };
        let nonsense = |_| NoStart::Failed(Misstep::new(FaultKind::Crash, format!("{during}: {NONSENSE}")));
        match head.kind {
            frame::READY => self.ready = serde_json::from_slice(body.json()).map_err(nonsense)?,
            frame::REFUSED => {
                let error: Refusal = serde_json::from_slice(body.json()).map_err(nonsense)?;
                return Err(NoStart::Refused(LoadError::told_by_worker(order.code.place(), error.cause, error.cure)));
            }
            frame::FAILED => {
                let misstep =
                    answers::misstep(body).unwrap_or_else(|Nonsense| Misstep::new(FaultKind::Crash, NONSENSE));
                return Err(NoStart::Failed(misstep));
            }
            _ => return Err(NoStart::Failed(Misstep::new(FaultKind::Crash, format!("{during}: {NONSENSE}")))),
        }
        Ok(())
    }

    /// The worker's number among the processes.
    pub(super) fn id(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Begins a request; what it says is added to what this gives, then [`Process::ask`] sends it.
    pub(super) fn request(&mut self, kind: u32) -> &mut Outbox {
        self.number += 1;
        self.out.begin(kind, self.number);
        &mut self.out
    }

    /// Sends the request that was begun and waits for the answer, for `patience` at most. `call` names it in messages.
    ///
    /// # Errors
    /// What the bot says that went wrong, with its kind; or how its process ended, after which there is none to ask.
    pub(super) fn ask(&mut self, call: &str, patience: Duration) -> Result<Reply, Misstep> {
        match exchange(self, patience, frame::ANSWER_MAX) {
            Ok((head, body)) => {
                if let Ok(answer) = answers::understand(head, body) {
                    return answer;
                }
            }
            Err(error) => return Err(self.died(call, patience, error)),
        }
        Err(self.died(call, patience, ErrorKind::InvalidData.into()))
    }

    /// A block starts: what was said before is of no interest any more, messages are counted anew, and the limit of processor
    /// time counts from what the process may have used in its calls so far.
    pub(super) fn begin_block(&mut self, calls: Duration) {
        self.words.forget();
        self.messages = 0;
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{Resource, Rlimit, prlimit};
            let seconds = (self.at_first.processor + calls + self.limits.processor).as_secs() + 1;
            // Where the system refuses, the limit of the first block goes on.
            _ = prlimit(Some(self.id()), Resource::Cpu, Rlimit { current: Some(seconds), maximum: None });
        }
        #[cfg(not(target_os = "linux"))]
        let _ = calls;
    }

    /// What the process uses; `None` where the system does not tell.
    pub(super) fn usage(&self) -> Option<Usage> {
        usage::of(self.id())
    }

    /// What became of a process that does not answer. Afterwards it is gone.
    #[cold]
    fn died(&mut self, call: &str, patience: Duration, error: io::Error) -> Misstep {
        let talks_nonsense = error.kind() == ErrorKind::InvalidData;
        let status = if talks_nonsense { self.end() } else { self.wait() };
        let mut misstep = if self.watched.was_ended() {
            let message = format!("{call}: no answer within {patience:?}, its process was ended");
            Misstep::new(FaultKind::Time, message).reaching(Reach::Deal)
        } else if talks_nonsense {
            Misstep::new(FaultKind::Crash, format!("{call}: {NONSENSE}"))
        } else {
            self.explain(call, status)
        };
        if let Some(words) = self.words.tell() {
            misstep.message += "; it wrote: ";
            misstep.message += &words;
        }
        misstep
    }

    /// Puts the end of a process into words; `None` for one that had to be ended because it did not answer any more.
    fn explain(&self, call: &str, status: Option<ExitStatus>) -> Misstep {
        const XCPU: i32 = Signal::XCPU.as_raw();
        const KILL: i32 = Signal::KILL.as_raw();
        let Some(status) = status else {
            return Misstep::new(FaultKind::Crash, format!("{call}: its process closed the pipe to the host"));
        };
        match (status.signal(), status.code()) {
            (Some(XCPU), _) => {
                let allowed = self.limits.processor;
                let message = format!("{call}: its process has used up its processor time ({allowed:?} a block)");
                Misstep::new(FaultKind::Time, message).reaching(Reach::Block)
            }
            (Some(KILL), _) => {
                let message = format!("{call}: its process was killed (signal 9, by somebody or for want of memory)");
                // In a jail that holds it cannot have done that itself.
                let reach = if self.ready.jail.holds_system_calls() { Reach::Outside } else { Reach::Deal };
                Misstep::new(FaultKind::Crash, message).reaching(reach)
            }
            (Some(signal), _) => {
                Misstep::new(FaultKind::Crash, format!("{call}: its process died of {}", signal_name(signal)))
            }
            (None, code) => {
                let code = code.unwrap_or_default();
                Misstep::new(FaultKind::Crash, format!("{call}: its process ended with exit code {code}"))
            }
        }
    }

    /// Waits for a process that is about to end; `None` if it does not and must be ended.
    fn wait(&mut self) -> Option<ExitStatus> {
        let start = Instant::now();
        // It is only looked at: until it has been waited for, its number is nobody else's and its group can be killed by it.
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        while start.elapsed() < ENDING {
            match waitid(WaitId::Pid(self.id()), look) {
                Ok(Some(_)) => return self.end(),
                Ok(None) => thread::sleep(Duration::from_micros(200)),
                Err(_) => break,
            }
        }
        self.end();
        None
    }

    /// Ends the process and whatever it has started.
    fn end(&mut self) -> Option<ExitStatus> {
        self.watched.kill();
        self.watched.forget();
        self.child.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

const NONSENSE: &str = "its process sent what is no answer";

/// What a worker says against a library.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Refusal {
    pub cause: String,
    pub cure: String,
}

/// Sends the request in `process.out` and receives its answer. A function of its own so that the answer may stay in the inbox.
fn exchange(process: &mut Process, patience: Duration, most: usize) -> io::Result<(Head, Body<'_>)> {
    let Process { requests, replies, watched, out, inbox, number, bot, messages, .. } = process;
    watched.arm(now().saturating_add(u64::try_from(patience.as_nanos()).unwrap_or(u64::MAX)));
    let outcome = send_and_receive((requests, replies), out, inbox, most, *number, &mut |level, text| {
        *messages += 1;
        if *messages <= MESSAGES_MAX {
            plugin::log(level, bot, &text);
        }
    });
    // An answer of a process that has been ended while it came is none: the next request could not be answered.
    if !watched.disarm() {
        return Err(ErrorKind::TimedOut.into());
    }
    outcome.map(|head| (head, inbox.last(&head)))
}

fn send_and_receive(
    (requests, replies): (&mut PipeWriter, &mut PipeReader),
    out: &mut Outbox,
    inbox: &mut Inbox,
    most: usize,
    number: u64,
    log: &mut dyn FnMut(i32, String),
) -> io::Result<Head> {
    requests.write_all(out.frame())?;
    answers::receive(replies, inbox, most, number, log)
}

/// Lets this process have as many open files as it may: each worker takes three, and leagues may have hundreds of bots.
fn make_room() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        // Where the system refuses, it is as it was.
        _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    });
}

/// The program that is started as a worker.
fn program() -> io::Result<PathBuf> {
    if let Some(program) = PROGRAM.get() {
        return Ok(program.clone());
    }
    // The running program itself, even where its file has been replaced meanwhile.
    if cfg!(target_os = "linux") { Ok(PathBuf::from("/proc/self/exe")) } else { std::env::current_exe() }
}

/// Loads a library, whose file has this hash, in a worker and gives what it says of its bots.
///
/// # Errors
/// What is wrong with the library, or how the worker ended.
pub fn describe(path: &Path, hash: u64) -> Result<Vec<BotInfo>, LoadError> {
    let order = Order {
        code: Code::file(path),
        hash,
        id: None,
        config_json: String::new(),
        limits: Limits::default(),
        threads: false,
        debug: false,
        parent: std::process::id(),
    };
    match Process::start(&order, None) {
        Ok(mut process) => Ok(std::mem::take(&mut process.ready.bots)),
        Err(NoStart::Refused(error)) => Err(LoadError::told_by_worker(path, error.cause, error.cure)),
        Err(NoStart::Failed(misstep)) => {
            let cure = match misstep.reach {
                Reach::Outside => {
                    "try again; look whether the machine has memory, processes and open files to spare (`ulimit -a`)"
                }
                _ => "mend the library",
            };
            Err(LoadError::told_by_worker(path, misstep.message, cure.to_owned()))
        }
    }
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
