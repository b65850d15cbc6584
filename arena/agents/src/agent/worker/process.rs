//! The process of a compiled bot as the host sees it: calls it, and finds out what became of it.

use super::answers;
pub(super) use super::answers::Reply;
use crate::agent::bot::{self, BotInfo};
use crate::agent::process::control::{Code, Ended, Hosted, LibraryOrder, Order, Refusal};
use crate::agent::process::exit::End;
use crate::agent::process::supervisor::{NoStart, Supervisor, deadline, end_of};
use crate::agent::process::{BETWEEN_CALLS_MAX, LastWords};
use crate::agent::transport::Message;
use crate::agent::transport::frame::{self, Body, Head, Inbox, Nonsense, Outbox};
use crate::agent::{Limits, LoadError, Misstep, Reach, Sandboxed, log, said};
use crate::record::FaultKind;
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Write};
use std::path::Path;
use std::time::Duration;

/// Time for a process that has closed its pipe to end by itself, which tells how it ended.
const ENDING: Duration = Duration::from_secs(2);
/// Messages of a bot in a block that are passed on; a bot that goes round the worker's own count is
/// held by this one.
const MESSAGES_MAX: u32 = 10_000;

/// A process that plays, and the helper that starts one for each block.
#[derive(Debug)]
pub(super) struct Process {
    pub supervisor: Supervisor,
    /// `None` where no process runs.
    ends: Option<Ends>,
    out: Outbox,
    inbox: Inbox,
    /// Of the last request.
    number: u64,
    /// Name of the bot, for the log.
    bot: String,
    messages: u32,
    /// The sandbox of the bot.
    pub sandbox: Sandboxed,
    /// What the library says of its bots, where that was asked for.
    bots: Vec<BotInfo>,
}

/// The host's ends of what a process was started with. They are closed after it has been ended: it
/// would end by itself where it finds its pipes closed, before anybody has seen what it leaves
/// behind.
#[derive(Debug)]
struct Ends {
    requests: PipeWriter,
    replies: PipeReader,
    words: LastWords,
    /// Bytes of them that whoever listens has heard.
    heard: u64,
}

impl Process {
    /// Starts a helper and waits until a process is ready for a block. `sandbox` is that of the
    /// bot's process before, if there was one: a process that is killed early is judged by it.
    ///
    /// # Errors
    /// What the system, the library or the bot has against it.
    pub(super) fn start(
        library: LibraryOrder,
        limits: Limits,
        threads: u32,
        sandbox: Option<Sandboxed>,
    ) -> Result<Process, NoStart> {
        let bot = library.id.clone().unwrap_or_default();
        let sandbox = sandbox.unwrap_or_default();
        let order = Order {
            hosted: Hosted::Library(library),
            limits,
            threads,
        };
        let cannot_kill = sandbox.holds_system_calls();
        let mut process = Process {
            supervisor: Supervisor::start(order, "while its library was read", cannot_kill)?,
            ends: None,
            out: Outbox::default(),
            inbox: Inbox::default(),
            number: 0,
            bot,
            messages: 0,
            sandbox,
            bots: Vec::new(),
        };
        process.begin()?;
        Ok(process)
    }

    /// Starts a fresh process and waits until it has loaded the library and created an instance.
    /// One that played before is ended.
    ///
    /// # Errors
    /// What the system, the library or the bot has against it; somebody may have killed it.
    pub(super) fn begin(&mut self) -> Result<(), NoStart> {
        self.finish(Duration::ZERO);
        let words = LastWords::new()?;
        let (requests, replies) = self.supervisor.begin(&words)?;
        self.ends = Some(Ends {
            requests,
            replies,
            words,
            heard: 0,
        });
        self.inbox = Inbox::default();
        self.messages = 0;
        let during = if self.bot.is_empty() {
            "while it was loaded"
        } else {
            "create"
        };
        let ready = self.make_ready(during);
        // Where the helper is killed meanwhile, nobody opens files for the process, which takes it
        // for a lack of its library's.
        let is_refused = ready.is_err() && self.ends.is_some();
        if is_refused && self.finish(Duration::ZERO).is_none() {
            return Err(self.supervisor.killed(during).into());
        }
        ready?;
        self.sandbox = self.supervisor.inspect(during)?.map_err(|what| {
            self.finish(Duration::ZERO);
            let message = format!(
                "{during}: its process is not held as it was before its library was loaded: {what}"
            );
            Misstep::new(FaultKind::Crash, message)
        })?;
        self.supervisor.cannot_kill = self.sandbox.holds_system_calls();
        self.supervisor.count();
        Ok(())
    }

    /// Waits for the first word of a process.
    fn make_ready(&mut self, during: &str) -> Result<(), NoStart> {
        let limit = self.supervisor.limits.start;
        let (head, body) = match exchange(self, limit, frame::READY_MAX, false) {
            Ok(answer) => answer,
            Err(error) => return Err(self.died(during, limit, error).into()),
        };
        let nonsense = || {
            NoStart::Failed(Misstep::new(
                FaultKind::Crash,
                format!("{during}: {NONSENSE}"),
            ))
        };
        match head.kind {
            frame::READY => {
                let bots: Vec<BotInfo> =
                    serde_json::from_slice(body.json()).map_err(|_| nonsense())?;
                // It comes from where the library's code has run: what that says of itself is
                // looked at here, too.
                bot::check_all(&bots).map_err(|what| {
                    NoStart::Failed(Misstep::new(
                        FaultKind::Crash,
                        format!("{during}: {NONSENSE}: {what}"),
                    ))
                })?;
                self.bots = bots;
                Ok(())
            }
            frame::REFUSED => {
                let Refusal { cause, cure } =
                    serde_json::from_slice(body.json()).map_err(|_| nonsense())?;
                let tidy = |text: &str| match text {
                    text if text.chars().any(char::is_control) => crate::text::harmless(text),
                    text => text.to_owned(),
                };
                Err(NoStart::Refused(Refusal {
                    cause: tidy(&cause),
                    cure: tidy(&cure),
                }))
            }
            frame::FAILED => match answers::misstep(body) {
                Ok(misstep) => Err(misstep.into()),
                Err(Nonsense) => Err(nonsense()),
            },
            _ => Err(nonsense()),
        }
    }

    /// Prepares a message to be sent by [`Process::ask`]. `sent` counts the events of the deal that
    /// the bot has received.
    pub(super) fn prepare(&mut self, message: &Message<'_>, sent: &mut u32) {
        self.number += 1;
        message.put_frame(self.number, sent, &mut self.out);
    }

    /// Sends the message that was prepared and waits for the answer, for `patience` at most. `call`
    /// names it in messages, `read` takes the answer if it is of the right kind.
    ///
    /// # Errors
    /// What the bot says that went wrong, with its kind; or how its process ended, after which
    /// there is none to ask.
    pub(super) fn ask<T>(
        &mut self,
        call: &str,
        patience: Duration,
        read: fn(Reply) -> Option<T>,
    ) -> Result<T, Misstep> {
        let answer = exchange(self, patience, frame::ANSWER_MAX, true);
        let answer = answer.and_then(|(head, body)| match answers::understand(head, body) {
            Ok(Ok(reply)) => read(reply).map(Ok).ok_or(ErrorKind::InvalidData.into()),
            Ok(Err(misstep)) => Ok(Err(misstep)),
            Err(Nonsense) => Err(ErrorKind::InvalidData.into()),
        });
        self.overhear();
        answer.unwrap_or_else(|error| Err(self.died(call, patience, error)))
    }

    /// Lets whoever listens hear what the process has written to its outputs since the last time.
    pub(super) fn overhear(&mut self) {
        if let Some(ends) = &mut self.ends
            && said::is_heard()
            && let Some((text, end)) = ends.words.since(ends.heard)
        {
            ends.heard = end;
            said::hear(&text);
        }
    }

    /// What became of a process that does not answer. Afterwards it is gone.
    #[cold]
    fn died(&mut self, call: &str, patience: Duration, error: io::Error) -> Misstep {
        let watched = &self.supervisor.watched;
        let talks_nonsense = error.kind() == ErrorKind::InvalidData;
        let between_calls = watched.between_calls();
        let ended = self.supervisor.end(if talks_nonsense {
            Duration::ZERO
        } else {
            ENDING
        });
        let was_ended = self.supervisor.watched.was_ended();
        let end = if was_ended && BETWEEN_CALLS_MAX < between_calls {
            End::Busy(between_calls, BETWEEN_CALLS_MAX)
        } else if was_ended {
            End::Late(patience)
        } else if talks_nonsense {
            End::Nonsense
        } else {
            end_of(ended, End::Closed("pipe to the host"))
        };
        let mut misstep = self.supervisor.attribute(call, end);
        if let Some(words) = self.ends.take().and_then(|ends| ends.words.tell()) {
            misstep.message += "; it wrote: ";
            misstep.message += &words;
        }
        misstep
    }

    /// Ends the process that plays, as [`Supervisor::end`] does.
    pub(super) fn finish(&mut self, patience: Duration) -> Option<Ended> {
        let ended = self.supervisor.end(patience);
        self.ends = None;
        ended
    }
}

const NONSENSE: &str = "its process sent what is no answer";

/// Sends the request in `process.out` where it is to be sent, and receives its answer. A function
/// of its own so that the answer may stay in the inbox.
fn exchange(
    process: &mut Process,
    patience: Duration,
    most: usize,
    is_sent: bool,
) -> io::Result<(Head, Body<'_>)> {
    let Process {
        supervisor,
        ends,
        out,
        inbox,
        number,
        bot,
        messages,
        ..
    } = process;
    let Some(Ends {
        requests, replies, ..
    }) = ends
    else {
        return Err(ErrorKind::NotConnected.into());
    };
    let watched = &supervisor.watched;
    watched.arm(deadline(patience));
    let sent = if is_sent {
        requests.write_all(out.frame())
    } else {
        Ok(())
    };
    let number = if is_sent { *number } else { 0 };
    let outcome = sent.and_then(|()| {
        answers::receive(replies, inbox, most, number, &mut |level, text| {
            *messages += 1;
            if *messages <= MESSAGES_MAX {
                log::log(level, bot, &text);
            }
        })
    });
    // An answer of a process that has been ended while it came is none: the next request could not
    // be answered.
    if !watched.disarm() {
        return Err(ErrorKind::TimedOut.into());
    }
    outcome.map(|head| (head, inbox.last(&head)))
}

/// Loads a library, whose file has this hash, in a worker and gives what it says of its bots.
///
/// # Errors
/// What is wrong with the library, or how the worker ended.
pub fn describe(path: &Path, hash: u64) -> Result<Vec<BotInfo>, LoadError> {
    let library = LibraryOrder {
        code: Code::file(path),
        hash,
        id: None,
        config_json: String::new(),
        debug: false,
    };
    match Process::start(library, Limits::default(), 0, None) {
        Ok(mut process) => Ok(std::mem::take(&mut process.bots)),
        Err(NoStart::Refused(Refusal { cause, cure })) => Err(LoadError::new(path, cause, cure)),
        Err(NoStart::Failed(misstep)) => {
            let cure = match misstep.reach {
                Reach::Outside => {
                    "try again; look whether the machine has memory, processes and open files to spare (`ulimit -a`)"
                }
                _ => "mend the library",
            };
            Err(LoadError::new(path, misstep.message, cure))
        }
    }
}
