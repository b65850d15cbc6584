//! The worker: jails itself, loads the library, and answers until the host closes the pipe.

use super::frame::{
    self, BlockHead, Body, Choose, Chosen, Failure, Inbox, KINDS, Known, LogHead, Nonsense, Outbox, Payoffs,
};
use super::process::Refusal;
use super::{Code, Order, Ready, jail};
use crate::agent::built_in;
use crate::agent::plugin::{self, Library, LoadError, PluginBot};
use crate::agent::{Agent, BlockStart, Misstep, Observation, Records, Seatable, Turn};
use crate::record::FaultKind;
use hattari_plugin::Choice;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::sync::OnceLock;

/// Bytes of a misstep's text that are sent.
const TEXT_MAX: usize = 2000;

/// Where answers go; messages of the bot too, from whatever thread.
static REPLIES: OnceLock<File> = OnceLock::new();

/// Serves the host at the other end of the standard input and output until it closes them.
///
/// # Errors
/// What comes is no host.
pub fn serve() -> io::Result<()> {
    let (mut requests, replies) = take_pipes()
        .map_err(|error| wrong(format!("a worker is started by `hattari` itself, with pipes to it: {error}")))?;
    let keep = [requests.as_raw_fd(), replies.as_raw_fd()];
    let replies = REPLIES.get_or_init(|| replies);
    let mut inbox = Inbox::default();
    let (head, body) = inbox
        .receive(&mut requests, frame::REQUEST_MAX)
        .map_err(|error| wrong(format!("no order has come: {error}")))?;
    if head.kind != frame::OPEN {
        return Err(wrong("a worker is started by `hattari` itself"));
    }
    let order: Order =
        serde_json::from_slice(body.json()).map_err(|error| wrong(format!("the order cannot be read: {error}")))?;
    let mut out = Outbox::default();
    let agent = open(&order, keep, &mut out, head.number);
    (&*replies).write_all(out.frame())?;
    // Without an agent all has been said.
    let Some(mut agent) = agent else { return Ok(()) };
    let mut history = History::default();
    loop {
        let (head, body) = match inbox.receive(&mut requests, frame::REQUEST_MAX) {
            Ok(request) => request,
            // The host needs this worker no longer.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(wrong(format!("a request: {error}"))),
        };
        let answer = answer(&mut *agent, &mut history, head.kind, body);
        let answer = answer.map_err(|Nonsense| wrong(format!("request {} of kind {}", head.number, head.kind)))?;
        match answer {
            Ok(None) => out.begin(frame::DONE, head.number),
            Ok(Some(choice)) => {
                out.begin(frame::CHOICE, head.number);
                // An index that does not fit is as illegal as any other that is not in the list.
                let action = u32::try_from(choice.action).unwrap_or(u32::MAX);
                out.put(&Chosen { action, reserved: 0, amount: choice.amount });
            }
            Err(misstep) => fail(&mut out, head.number, &misstep),
        }
        (&*replies).write_all(out.frame())?;
    }
}

fn wrong(what: impl Into<String>) -> io::Error {
    io::Error::other(what.into())
}

/// The pipes to the host. In their place the bot finds nothing: what it prints is lost, what it reads is at its end.
fn take_pipes() -> io::Result<(File, File)> {
    use rustix::stdio::{dup2_stdin, dup2_stdout, stdin, stdout};
    let is_pipe = |file: &File| -> io::Result<bool> {
        use std::os::unix::fs::FileTypeExt;
        Ok(file.metadata()?.file_type().is_fifo())
    };
    let take = |descriptor| rustix::io::fcntl_dupfd_cloexec(descriptor, 3).map(File::from);
    let (requests, replies) = (take(stdin())?, take(stdout())?);
    if !is_pipe(&requests)? || !is_pipe(&replies)? {
        return Err(wrong("the standard input and output are no pipes"));
    }
    let nothing = File::options()
        .read(true)
        .write(true)
        .open("/dev/null")
        .map_err(|error| wrong(format!("/dev/null: {error}")))?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    Ok((requests, replies))
}

/// Loads the library and creates the first instance, in the jail. The answer is put into `out`; there is an agent
/// unless that is a refusal, or none was asked for.
fn open(order: &Order, keep: [i32; 2], out: &mut Outbox, number: u64) -> Option<Box<dyn Agent>> {
    let mut jail = jail::prepare(order, keep);
    plugin::send_log_to(order.debug, send_log);
    let library = match &order.code {
        Code::BuiltIn(package) => built_in::named(package).map(|found| found.map(|found| found.library)),
        Code::File(_) => order.code.path().map(Library::load),
    };
    let none = || {
        let (cause, cure) = ("this program has no such bots", "start host and worker from one build");
        Err(LoadError::told_by_worker(order.code.place(), cause.to_owned(), cure.to_owned()))
    };
    let library = match library.unwrap_or_else(none) {
        Ok(library) => library,
        Err(error) => {
            out.begin(frame::REFUSED, number);
            let refusal = Refusal { cause: error.cause, cure: error.cure };
            out.add(&serde_json::to_vec(&refusal).expect("texts are plain data"));
            return None;
        }
    };
    if library.image().hash != order.hash {
        let misstep = Misstep::new(FaultKind::Start, "its file has changed since the host has looked at it");
        fail(out, number, &misstep);
        return None;
    }
    let mut agent = None;
    if let Some(id) = &order.id {
        let bot = PluginBot::new(library, id);
        let bot = bot.ok_or_else(|| Misstep::new(FaultKind::Start, format!("there is no bot `{id}`")));
        // The first instance tells whether the config will do. It is destroyed: all that play are created in the same jail.
        let opened = bot.and_then(|bot| {
            drop(bot.open(&order.config_json)?);
            jail::close(order, &mut jail);
            Ok(bot.open_later(&order.config_json))
        });
        match opened {
            Ok(opened) => agent = Some(opened),
            Err(misstep) => {
                fail(out, number, &misstep);
                return None;
            }
        }
    }
    // Who describes needs the descriptors; who plays knows them.
    let bots = if agent.is_some() { Vec::new() } else { library.bots().to_vec() };
    out.begin(frame::READY, number);
    out.add(&serde_json::to_vec(&Ready { jail, bots }).expect("descriptors are plain data"));
    agent
}

fn fail(out: &mut Outbox, number: u64, misstep: &Misstep) {
    let kind = KINDS.iter().position(|kind| *kind == misstep.kind).unwrap_or_default();
    let text = crate::text::cut(&misstep.message, TEXT_MAX);
    let size = |count: usize| u32::try_from(count).expect("a short list, a short text");
    out.begin(frame::FAILED, number);
    out.put(&Failure { kind: size(kind), text: size(text.len()) });
    out.add(text.as_bytes());
}

/// Passes a message of the bot on at once: if it crashes with the next step, this was its last.
fn send_log(level: i32, text: &str) {
    let Some(mut replies) = REPLIES.get() else { return };
    let text = crate::text::cut(text, frame::LOG_FRAME_MAX - size_of::<frame::Head>() - size_of::<LogHead>());
    let mut out = Outbox::default();
    out.begin(frame::LOG, 0);
    out.put(&LogHead { level, text: u32::try_from(text.len()).expect("a short text") });
    out.add(text.as_bytes());
    // If the host is gone, nobody reads it.
    _ = replies.write_all(out.frame());
}

/// The deal's record so far, in one piece and aligned as the C interface promises.
#[derive(Default)]
struct History {
    words: Vec<u64>,
    bytes: usize,
    events: u32,
}

impl History {
    /// Keeps the first `before` events and adds `events` more.
    fn add(&mut self, before: u32, events: u32, event: u32, bytes: &[u8]) -> Result<(), Nonsense> {
        let kept = before as usize * event as usize;
        if self.events < before || self.bytes < kept {
            return Err(Nonsense);
        }
        self.bytes = kept + bytes.len();
        self.events = before + events;
        if self.words.len() * 8 < self.bytes {
            self.words.resize(self.bytes.div_ceil(8).next_power_of_two(), 0);
        }
        bytemuck::cast_slice_mut(&mut self.words)[kept..self.bytes].copy_from_slice(bytes);
        Ok(())
    }

    /// The events, of `event` bytes each.
    fn events(&self, event: u32) -> Result<Records<'_>, Nonsense> {
        Records::new(&bytemuck::cast_slice(&self.words)[..self.bytes], self.events, event).ok_or(Nonsense)
    }
}

/// What the bot may know by a request; its events are added to the history.
fn take_seen<'a>(body: &mut Body<'a>, history: &'a mut History, known: Known) -> Result<Observation<'a>, Nonsense> {
    let view = body.bytes(known.view as usize)?;
    let events = body.records(known.events, known.event)?;
    history.add(known.events_before, known.events, known.event, events)?;
    Ok(Observation { view, history: history.events(known.event)? })
}

/// Carries a request out.
///
/// # Errors
/// The request is none; within, the misstep of the bot.
fn answer<'a>(
    agent: &mut dyn Agent,
    history: &'a mut History,
    kind: u32,
    mut body: Body<'a>,
) -> Result<Result<Option<Choice>, Misstep>, Nonsense> {
    let done = |outcome: Result<(), Misstep>| Ok(outcome.map(|()| None));
    match kind {
        frame::BLOCK_START => {
            let head: BlockHead = body.take()?;
            let (game, options) = (body.text(head.game)?, body.text(head.options)?);
            let BlockHead { players, player, deals, seed, .. } = head;
            let start = BlockStart { game: &game, options_json: &options, players, player, deals, seed };
            done(agent.block_start(&start))
        }
        frame::DEAL_START => {
            let known: Known = body.take()?;
            done(agent.deal_start(&take_seen(&mut body, history, known)?))
        }
        frame::ACT => {
            let (known, Choose { actions, action, budget_us }): (Known, Choose) = (body.take()?, body.take()?);
            let seen = take_seen(&mut body, history, known)?;
            let legal = Records::new(body.records(actions, action)?, actions, action).ok_or(Nonsense)?;
            Ok(agent.act(&Turn { seen, legal, budget_us }).map(Some))
        }
        frame::DEAL_END => {
            let (known, head): (Known, Payoffs) = (body.take()?, body.take()?);
            let seen = take_seen(&mut body, history, known)?;
            let payoffs = bytemuck::try_cast_slice(body.records(head.payoffs, 8)?).map_err(|_| Nonsense)?;
            done(agent.deal_end(&seen, payoffs))
        }
        frame::BLOCK_END => done(agent.block_end()),
        _ => Err(Nonsense),
    }
}
