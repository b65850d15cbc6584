//! The process that runs a bot's code. It restricts itself, loads the library, creates an instance,
//! and answers calls until it is killed. The code is that of linked bots, or an unchanged copy of
//! the library that the host inspected.

use super::answers::Reply;
use super::control::{self, CodeLocation, WorkerSpec};
use crate::agent::plugin::{Library, LibraryInfo, PluginBot};
use crate::agent::process::{flush_outputs, put_in_place, sealed};
use crate::agent::sandbox::{LibrarySpec, restrict_library};
use crate::agent::transport::frame::{
    self, ActHead, ActReply, Body, FRAME_FAULT_KINDS, Inbox, InvalidBytes, ObservationHead, Outbox,
    Payoffs, TextHead,
};
use crate::agent::{
    Agent, AgentError, AgentFactory, AgentResult, BlockStart, LoadError, Notice, Observation,
    Records, SYSTEM_CALLS, Turn, built_in, numbers,
};
use hattari_plugin::Choice;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Maximum length of an error message in bytes.
const TEXT_MAX: usize = 2000;

/// Pipe for answers and log messages. Any thread of the bot may log.
static REPLIES: OnceLock<File> = OnceLock::new();

/// Runs the process until the host closes the pipe. `descriptors` are the three standard ones, the
/// pipes for requests and replies, and the socket to the helper. The socket is closed before the
/// library is loaded.
///
/// # Errors
/// Returns an error if the host has ended, or if a required restriction fails.
pub(super) fn run_child(
    order: &WorkerSpec,
    source: &BotCode,
    spec: &LibrarySpec<'_>,
    descriptors: [OwnedFd; 6],
) -> io::Result<()> {
    let [reads, writes, words, requests, replies, helper] = put_in_place(descriptors)?;
    // They must stay open until the process ends.
    [reads, writes, words]
        .into_iter()
        .for_each(std::mem::forget);
    let (mut requests, replies) = (File::from(requests), REPLIES.get_or_init(|| replies.into()));
    let helper = UnixStream::from(helper);
    let mut is_told = false;
    let report = restrict_library(spec, |listener| {
        is_told = true;
        control::pass(&helper, &[0], &[listener.as_fd()])
    });
    // A `File` cannot receive descriptors, only write.
    let mut helper = File::from(OwnedFd::from(helper));
    if !is_told {
        helper.write_all(&[0])?;
    }
    helper.write_all(&serde_json::to_vec(&report).expect("plain data"))?;
    drop(helper);
    let lacking = report
        .missing()
        .find(|measure| measure.name == SYSTEM_CALLS);
    if let (None, Some(lacking)) = (spec.readable, lacking) {
        return Err(wrong(format!(
            "the system calls could not be restricted: {}",
            lacking.text
        )));
    }
    let mut out = Outbox::default();
    let agent = open(order, source, &mut out);
    (&*replies).write_all(out.frame())?;
    // `out` contained the complete answer.
    let Some(mut agent) = agent else {
        return Ok(());
    };
    let (mut inbox, mut history) = (Inbox::default(), History::default());
    loop {
        let (head, body) = match inbox.receive(&mut requests, frame::REQUEST_MAX) {
            Ok(request) => request,
            // The host has closed the pipe.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(wrong(format!("cannot read a request: {error}"))),
        };
        let answer = answer(&mut *agent, &mut history, head.kind, body);
        flush_outputs();
        let answer = answer.map_err(|InvalidBytes| {
            wrong(format!(
                "invalid request {} of kind {}",
                head.number, head.kind
            ))
        })?;
        match answer {
            Ok(Reply::Done) => out.begin(frame::DONE, head.number),
            Ok(Reply::Unused) => out.begin(frame::UNUSED, head.number),
            Ok(Reply::Chosen(choice)) => {
                out.begin(frame::CHOICE, head.number);
                out.put(&choice);
                out.put_numbers(&numbers::of_last_decision());
            }
            Err(agent_error) => fail(&mut out, head.number, &agent_error),
        }
        (&*replies).write_all(out.frame())?;
    }
}

/// Creates an error that ends the worker.
pub(super) fn wrong(what: impl Into<String>) -> io::Error {
    io::Error::other(what.into())
}

/// Loads the library and creates the instance for the block. Writes the answer to the host into
/// `out`. Returns `None` after an error, or if only descriptors were requested.
fn open(order: &WorkerSpec, source: &BotCode, out: &mut Outbox) -> Option<Box<dyn Agent>> {
    crate::agent::log::send_log_to(order.debug, send_log);
    let library = match source {
        BotCode::BuiltIn(library) => Ok(*library),
        BotCode::File { path, .. } => Library::load_as(path, order.hash),
    };
    let library = match library {
        Ok(library) => library,
        Err(error) => {
            out.begin(frame::REFUSED, 0);
            out.add(&serde_json::to_vec(&error).expect("texts are plain data"));
            return None;
        }
    };
    let Some(id) = &order.id else {
        out.begin(frame::READY, 0);
        out.add(&serde_json::to_vec(library.bots()).expect("descriptors are plain data"));
        return None;
    };
    let bot = PluginBot::new(library, id);
    let bot = bot.ok_or_else(|| AgentError::start(format!("there is no bot `{id}`")));
    let opened = bot.and_then(|mut bot| {
        bot.is_timed = false;
        bot.open(&order.config_json)
    });
    match opened {
        Ok(agent) => {
            // Only a request without a bot returns the descriptors.
            out.begin(frame::READY, 0);
            out.add(b"[]");
            Some(agent)
        }
        Err(agent_error) => {
            fail(out, 0, &agent_error);
            None
        }
    }
}

fn fail(out: &mut Outbox, number: u64, agent_error: &AgentError) {
    let kind = FRAME_FAULT_KINDS
        .iter()
        .position(|kind| *kind == agent_error.kind)
        .unwrap_or_default();
    let kind = i32::try_from(kind).expect("the list is short");
    out.begin(frame::FAILED, number);
    out.put_text(kind, crate::text::cut(&agent_error.message, TEXT_MAX));
}

/// Sends a log message of the bot immediately, because the bot may crash afterwards.
fn send_log(level: i32, text: &str) {
    let Some(mut replies) = REPLIES.get() else {
        return;
    };
    let text = crate::text::cut(
        text,
        frame::LOG_FRAME_MAX - size_of::<frame::FrameHead>() - size_of::<TextHead>(),
    );
    let mut out = Outbox::default();
    out.begin(frame::LOG, 0);
    out.put_text(level, text);
    // Fails if the host has ended.
    _ = replies.write_all(out.frame());
}

/// The events of the deal so far. They need not be aligned: the agent of a library copies records
/// that are not.
#[derive(Default)]
struct History {
    bytes: Vec<u8>,
    events: u32,
}

/// Reads the seat's observation from a request. Keeps the events of the history that the request
/// presupposes, and appends its own.
fn take_observation<'a>(
    body: &mut Body<'a>,
    history: &'a mut History,
    known: ObservationHead,
) -> Result<Observation<'a>, InvalidBytes> {
    let ObservationHead {
        events_before,
        events,
        event,
        ..
    } = known;
    let view = body.bytes(known.view as usize)?;
    let added = body.records(events, event)?;
    let kept = events_before as usize * event as usize;
    if history.events < events_before || history.bytes.len() < kept {
        return Err(InvalidBytes);
    }
    history.bytes.truncate(kept);
    history.bytes.extend_from_slice(added);
    history.events = events_before + events;
    let history = Records::new(&history.bytes, history.events, event).ok_or(InvalidBytes)?;
    Ok(Observation { view, history })
}

/// Executes a request. The inner result is the bot's answer or error.
///
/// # Errors
/// Returns an error if the request is invalid.
fn answer<'a>(
    agent: &mut dyn Agent,
    history: &'a mut History,
    kind: u32,
    mut body: Body<'a>,
) -> Result<AgentResult<Reply>, InvalidBytes> {
    let (outcome, is_used) = match kind {
        frame::BLOCK_START => {
            let parameters: (String, String, u32, u32, u32, u64) =
                serde_json::from_slice(body.json()).map_err(|_| InvalidBytes)?;
            let (game, options_json, players, player, deals, seed) = parameters;
            let start = BlockStart {
                game: &game,
                options_json: &options_json,
                players,
                player,
                deals,
                seed,
            };
            (agent.notify(&Notice::BlockStart(start)), true)
        }
        frame::DEAL_START => {
            let known = body.take()?;
            let seen = take_observation(&mut body, history, known)?;
            let outcome = agent.notify(&Notice::DealStart(seen));
            (outcome, agent.uses().start)
        }
        frame::ACT => {
            let known = body.take()?;
            let ActHead {
                actions,
                action,
                budget_us,
            } = body.take()?;
            let seen = take_observation(&mut body, history, known)?;
            let legal = Records::new(body.records(actions, action)?, actions, action)
                .ok_or(InvalidBytes)?;
            let turn = Turn {
                seen,
                legal,
                budget_us,
            };
            let chosen = numbers::during(|| agent.act(&turn));
            return Ok(chosen.map(|Choice { action, amount }| {
                Reply::Chosen(ActReply {
                    // An index that does not fit is illegal like any other outside the list.
                    action: u32::try_from(action).unwrap_or(u32::MAX),
                    reserved: 0,
                    amount,
                })
            }));
        }
        frame::DEAL_END => {
            let known = body.take()?;
            let head: Payoffs = body.take()?;
            let seen = take_observation(&mut body, history, known)?;
            let payoffs = bytemuck::try_cast_slice(body.records(head.payoffs, 8)?)
                .map_err(|_| InvalidBytes)?;
            let outcome = agent.notify(&Notice::DealEnd(seen, payoffs));
            (outcome, agent.uses().end)
        }
        frame::BLOCK_END => (agent.notify(&Notice::BlockEnd), true),
        _ => return Err(InvalidBytes),
    };
    Ok(outcome.map(|()| if is_used { Reply::Done } else { Reply::Unused }))
}

/// The code of a bot.
pub(super) enum BotCode {
    /// Bots that are linked into this program.
    BuiltIn(&'static Library),
    /// Library that a process must load.
    File {
        /// Path under which the process opens the library.
        path: PathBuf,
        /// Copy of the file in memory, which cannot be changed.
        data: File,
    },
}

impl BotCode {
    /// Finds the code that a worker needs. The inner error is sent to the host.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub(super) fn of(order: &WorkerSpec) -> io::Result<Result<BotCode, LoadError>> {
        let place = order.code.place();
        if let CodeLocation::BuiltIn(package) = &order.code {
            let cause = "these bots are not built into this program";
            let remedy = "use the same build for host and worker";
            let found = built_in::find(package)
                .unwrap_or_else(|| Err(LoadError::new(place, cause, remedy)));
            return Ok(found.map(|found| BotCode::BuiltIn(found.library)));
        }
        Ok(match LibraryInfo::read(place) {
            Ok((info, _)) if info.hash != order.hash => {
                let cause = "its file has changed since the host inspected it";
                Err(LoadError::new(place, cause, "start the command again"))
            }
            Ok((_, data)) => Ok(BotCode::File {
                path: place.to_owned(),
                data: sealed(&data)?,
            }),
            Err(error) => Err(error),
        })
    }

    /// Returns the library and the path under which a process opens it; `None` for linked bots.
    pub(super) fn file(&self) -> Option<(&File, &Path)> {
        match self {
            BotCode::BuiltIn(_) => None,
            BotCode::File { path, data, .. } => Some((data, path)),
        }
    }
}
