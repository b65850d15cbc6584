//! A process of a program with its parameters, and the exchange of messages with it through pipes,
//! with a deadline for reads and writes.

use super::answer::{self, AnswerLine, MessageFormat, ProgramGreeting};
use super::launcher;
use super::writer::MessageWriter;
use crate::agent::launch::RunningProgram;
use crate::agent::log::{self, MESSAGE_BYTES_MAX, MESSAGES_MAX};
use crate::agent::numbers::{self, LoggedNumber};
use crate::agent::process::exit::{ExitContext, ProcessEnd, attribute};
use crate::agent::sandbox::SandboxSpec;
#[cfg(target_os = "linux")]
use crate::agent::sandbox::inspect_program;
use crate::agent::transport::frame::{self, ActReply, Inbox};
use crate::agent::transport::{Message, timed};
use crate::agent::{
    AgentError, AgentResult, BlockStart, CommandLine, FaultScope, Launch, Notice, SandboxReport,
    Turn, lock,
};
use crate::record::FaultKind;
use crate::text;
use hattari_plugin::Choice;
use std::io::{self, ErrorKind, Read, Write};
#[cfg(target_os = "linux")]
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::{ChildStdin, ChildStdout};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// Time that a program has from its start to its greeting.
pub(super) const START: Duration = Duration::from_secs(20);
/// Time that a program has to exit after its block.
pub(super) const LEAVING: Duration = Duration::from_secs(10);

/// The parameters that all processes of a program share.
#[derive(Debug)]
pub(super) struct ProgramSpec {
    pub name: String,
    pub command: CommandLine,
    /// Folder to which the paths in `command` are relative.
    pub base: PathBuf,
    pub launch: Launch,
    /// Hash of the program's files when they were inspected.
    pub hash: u64,
    /// Time limit of an answer if the league sets none.
    pub hang: Duration,
    /// Memory limit of a process in bytes, if the league sets one.
    pub memory: Option<u64>,
    /// Sandbox, with the restrictions in effect on this machine.
    pub sandbox: Option<(SandboxSpec, SandboxReport)>,
    /// Lengths and times of the program's files when their hash was last verified.
    pub seen: Mutex<Option<Vec<FileStamp>>>,
}

/// Length and modification time of a file; `None` if it does not exist.
type FileStamp = Option<(u64, Option<SystemTime>)>;

impl ProgramSpec {
    /// Returns `true` if the program's files have not changed since they were inspected. The files
    /// are read only if a length or modification time has changed.
    pub(super) fn is_unchanged(&self) -> bool {
        let stamps: Vec<FileStamp> = self
            .command
            .files(&self.base)
            .map(|file| {
                file.metadata()
                    .ok()
                    .map(|about| (about.len(), about.modified().ok()))
            })
            .collect();
        let mut seen = lock(&self.seen);
        if seen.as_ref() == Some(&stamps) {
            return true;
        }
        let is_same = self.command.hash(&self.base) == self.hash;
        *seen = is_same.then_some(stamps);
        is_same
    }
}

/// Time that the host waits for the exit status of a process that has closed its pipes.
const ENDING: Duration = Duration::from_millis(500);
/// Maximum number of bytes that a program may send during a decision, including the answer.
const OUTPUT_BYTES_MAX: usize = 1 << 20;

/// A parsed message of a program during a decision.
enum ProgramOutput {
    /// Log message with its level.
    Log(i32, String),
    /// Id of the decision, if the message has one, the choice or the error, and the logged numbers.
    Answer(Option<u64>, AgentResult<Choice>, Vec<LoggedNumber>),
}

/// A process that plays a block.
#[derive(Debug)]
pub(super) struct ProgramSession {
    spec: Arc<ProgramSpec>,
    pub running: RunningProgram,
    pipes: Pipes,
    inbox: Inbox,
    /// Greeting of the program.
    pub greeting: ProgramGreeting,
    /// Number of the last decision.
    id: u64,
    /// Number of the last decision that failed. Its answer may still arrive and is ignored.
    given_up: u64,
    /// Number of bytes that the program had written before the last message was sent.
    written_before: u64,
    /// Number of log messages so far.
    messages: u32,
    /// Time at which the process was started.
    begun: Instant,
}

impl ProgramSession {
    /// Starts a process and reads its greeting.
    ///
    /// # Errors
    /// Returns an error if the program does not start, if its sandbox differs from the probe, or if
    /// its greeting is invalid.
    pub(super) fn begin(
        spec: &Arc<ProgramSpec>,
        patience: Duration,
    ) -> AgentResult<ProgramSession> {
        let command = match &spec.sandbox {
            Some((sandbox_spec, _)) => launcher::command(sandbox_spec),
            None => Ok(spec.launch.command(Clone::clone)),
        };
        let (running, input, output) = command
            .and_then(|command| spec.launch.start_with_pipes(command))
            .map_err(AgentError::start)?;
        if let (Some(memory), None) = (spec.memory, &spec.sandbox) {
            running.limit_memory(memory).map_err(AgentError::start)?;
        }
        let pipes = Pipes::new(input, output)
            .map_err(|error| AgentError::start(format!("cannot set up its pipes: {error}")))?;
        let begun = Instant::now();
        let mut talk = ProgramSession {
            spec: Arc::clone(spec),
            running,
            pipes,
            inbox: Inbox::default(),
            greeting: ProgramGreeting::default(),
            id: 0,
            given_up: 0,
            written_before: 0,
            messages: 0,
            begun,
        };
        talk.pipes.until = begun + patience;
        if let Some((_, before)) = &spec.sandbox {
            talk.check_sandbox_report(before)?;
        }
        talk.greeting = talk.read_first_message("start", patience, ProgramGreeting::read)?;
        #[cfg(target_os = "linux")]
        if spec.sandbox.is_some() {
            talk.check_processes()?;
        }
        Ok(talk)
    }

    /// Reads the restrictions of the sandbox and compares them with the probe. The first line of
    /// output is the launcher's, because the launcher writes it before it starts the program.
    fn check_sandbox_report(&mut self, before: &SandboxReport) -> AgentResult {
        let outcome = self.pipes.read_line(|line| {
            serde_json::from_slice::<Result<SandboxReport, String>>(line)
                .unwrap_or_else(|_| Err("its sandbox launcher sent no report".to_owned()))
        });
        let why = match outcome {
            Ok(Ok(now)) if now == *before => return Ok(()),
            Ok(Ok(now)) => now
                .missing()
                .find(|restriction| !before.restrictions.contains(restriction))
                .map_or_else(
                    || "its restrictions have changed".to_owned(),
                    |it| format!("{}: {}", it.name, it.text),
                ),
            Ok(Err(why)) => why,
            Err(error) => {
                return Err(self.pipe_fault("start", START, &error).at_start());
            }
        };
        Err(self.with_output(AgentError::start(format!(
            "start: its sandbox is no longer in effect; {why}"
        ))))
    }

    /// Checks, from the host's process, that all processes of the program are sandboxed.
    #[cfg(target_os = "linux")]
    fn check_processes(&self) -> AgentResult {
        let given: Vec<_> = self.pipes.files().chain(self.running.words.id()).collect();
        inspect_program(self.running.id(), &given).map_err(|why| {
            self.with_output(AgentError::new(
                FaultKind::Crash,
                format!("start: its sandbox is no longer in effect; {why}"),
            ))
        })
    }

    /// Sends `block_start` and waits until the program is ready.
    ///
    /// # Errors
    /// Returns an error if the program fails, does not answer in time or refuses the block.
    pub(super) fn start_block(
        &mut self,
        start: &BlockStart<'_>,
        writer: &mut MessageWriter,
    ) -> AgentResult {
        let message = Message::Notice(Notice::BlockStart(*start));
        self.tell(&message, writer, START)
            .map_err(AgentError::at_start)?;
        self.read_first_message("block_start", START, answer::read_ready)
    }

    /// Reads a message before the first decision and parses it with `read`. Such messages are
    /// always JSON lines.
    fn read_first_message<T>(
        &mut self,
        call: &str,
        patience: Duration,
        read: fn(&[u8]) -> AgentResult<T>,
    ) -> AgentResult<T> {
        loop {
            let heard = self.pipes.read_line(|line| {
                let said = AnswerLine::read(line).ok();
                said.as_ref()
                    .and_then(|said| Some((said.level(), said.message()?.to_owned())))
                    .map_or_else(|| Ok(read(line)), Err)
            });
            match heard {
                Ok(Err((level, text))) => self.write_log(level, &text),
                Ok(Ok(heard)) => return heard.map_err(|agent_error| self.with_output(agent_error)),
                Err(error) => {
                    return Err(self.pipe_fault(call, patience, &error).at_start());
                }
            }
        }
    }

    /// Sends a message that has no answer.
    ///
    /// # Errors
    /// Returns an error if the program has ended or does not read the message in time.
    pub(super) fn tell(
        &mut self,
        message: &Message<'_>,
        writer: &mut MessageWriter,
        patience: Duration,
    ) -> AgentResult {
        let bytes = writer.write(message, self.id, &self.greeting);
        self.written_before = self.pipes.bytes_written();
        self.pipes.until = Instant::now() + patience;
        self.pipes
            .write_all(bytes)
            .map_err(|error| self.pipe_fault(message.call(), patience, &error))
    }

    /// Sends the next decision and returns the choice.
    ///
    /// # Errors
    /// Returns an error if the program fails or gives no valid answer in time.
    pub(super) fn ask(
        &mut self,
        turn: &Turn<'_>,
        writer: &mut MessageWriter,
        patience: Duration,
    ) -> AgentResult<Choice> {
        self.id += 1;
        self.tell(&Message::Act(*turn), writer, patience)?;
        let answer = self.read_answer(turn.legal.count(), patience);
        if answer.is_err() {
            self.given_up = self.id;
        }
        answer
    }

    /// Reads messages until the answer to the last decision arrives. Log messages are logged; late
    /// answers to failed decisions are ignored.
    fn read_answer(&mut self, count: u32, patience: Duration) -> AgentResult<Choice> {
        let mut heard = 0;
        loop {
            let next = match self.greeting.format {
                MessageFormat::Json => self.read_line(count),
                MessageFormat::Binary => self.read_frame(count),
            };
            let (length, next) = next.map_err(|error| self.pipe_fault("act", patience, &error))?;
            // A limit on other messages, so that a program cannot keep the host busy.
            heard += length;
            if OUTPUT_BYTES_MAX < heard {
                let what = format!("it sent more than {OUTPUT_BYTES_MAX} bytes without an answer");
                return Err(self.with_output(protocol_fault(what)));
            }
            let used = self.pipes.bytes_consumed() - self.inbox.waiting_bytes() as u64;
            match next? {
                ProgramOutput::Log(level, text) => self.write_log(level, &text),
                ProgramOutput::Answer(Some(id), ..)
                    if id == self.id && used <= self.written_before =>
                {
                    let what = format!(
                        "it sent the answer to decision {id} before it received `act`; it must \
                         send one answer after each `act` message"
                    );
                    return Err(self.with_output(protocol_fault(what)));
                }
                ProgramOutput::Answer(Some(id), choice, logged) if id == self.id => {
                    let choice = choice?;
                    return match numbers::log_all(logged) {
                        Ok(()) => Ok(choice),
                        Err(why) => Err(AgentError::new(FaultKind::Error, format!("act: {why}"))),
                    };
                }
                ProgramOutput::Answer(Some(id), ..) if id <= self.given_up => {}
                ProgramOutput::Answer(id, ..) => {
                    let asked = self.id;
                    return Err(protocol_fault(match id {
                        Some(id) => format!(
                            "the answer has `id` {id}, but the `act` message has `id` {asked}; \
                             the answer must repeat it"
                        ),
                        None => format!(
                            "the answer has no `id`; it must repeat the `id` of the `act` \
                             message, {asked}"
                        ),
                    }));
                }
            }
        }
    }

    /// Reads and parses a line. Also returns the length of the line.
    fn read_line(&mut self, count: u32) -> io::Result<(usize, AgentResult<ProgramOutput>)> {
        let (length, said) = self
            .pipes
            .read_line(|line| (line.len(), AnswerLine::read(line)))?;
        let heard = said.map(|mut said| match said.message() {
            Some(text) => ProgramOutput::Log(said.level(), text.to_owned()),
            None => {
                let numbers = said.take_numbers();
                ProgramOutput::Answer(said.id, said.choice(count), numbers)
            }
        });
        Ok((length, heard))
    }

    /// Reads and parses a frame. Also returns the length of the frame.
    fn read_frame(&mut self, count: u32) -> io::Result<(usize, AgentResult<ProgramOutput>)> {
        let (head, mut body) = self.inbox.receive(&mut self.pipes, frame::ANSWER_MAX)?;
        let read = match head.kind {
            frame::LOG => body
                .coded_text()
                .map(|(level, text)| ProgramOutput::Log(level, text)),
            frame::CHOICE => body.take::<ActReply>().and_then(|chosen| {
                let choice = checked_choice(chosen, count);
                Ok(ProgramOutput::Answer(
                    Some(head.number),
                    choice,
                    body.numbers()?,
                ))
            }),
            _ => Err(frame::InvalidBytes),
        };
        let heard = read.map_err(|frame::InvalidBytes| {
            let (kind, size) = (head.kind, head.size);
            protocol_fault(format!(
                "a frame of kind {kind} with {size} bytes is not a valid answer"
            ))
        });
        Ok((head.size as usize + size_of::<frame::FrameHead>(), heard))
    }

    /// Ends the block and waits for the process to exit.
    ///
    /// # Errors
    /// Returns an error if the process does not exit or has an exit code other than 0.
    pub(super) fn end(mut self, writer: &mut MessageWriter) -> AgentResult {
        // If the program has already exited, its status is reported below.
        _ = self.tell(&Message::Notice(Notice::BlockEnd), writer, LEAVING);
        self.pipes.close();
        let end = match self.running.wait_for_exit(LEAVING) {
            Some(status) if status.success() => return Ok(()),
            Some(status) => ProcessEnd::Exited(status),
            None => ProcessEnd::Lingered(LEAVING),
        };
        Err(self.with_output(self.attribute("block_end", end)))
    }

    fn write_log(&mut self, level: i32, message: &str) {
        self.messages = self.messages.saturating_add(1);
        if self.messages <= MESSAGES_MAX {
            let most = usize::try_from(MESSAGE_BYTES_MAX).unwrap_or(usize::MAX);
            log::log(
                level,
                &self.spec.name,
                text::cut(&text::escape_for_sentence(message), most),
            );
        }
    }

    /// Returns the fault of a program whose pipe failed or timed out.
    #[cold]
    fn pipe_fault(&mut self, call: &str, patience: Duration, error: &io::Error) -> AgentError {
        let agent_error = match error.kind() {
            ErrorKind::TimedOut => {
                let mut agent_error = self.attribute(call, ProcessEnd::Late(patience));
                // A program that has already answered does not buffer its output.
                if self.id <= 1 {
                    agent_error.message +=
                        "; its standard output may be buffered: flush it after every message";
                }
                agent_error
            }
            ErrorKind::InvalidData if self.greeting.format == MessageFormat::Binary => {
                AgentError::new(
                    FaultKind::Error,
                    format!(
                        "{call}: it sent an invalid frame, or one of more than {} bytes",
                        frame::ANSWER_MAX
                    ),
                )
            }
            ErrorKind::InvalidData => AgentError::new(
                FaultKind::Error,
                format!("{call}: it sent a line of more than {LINE_MAX} bytes"),
            ),
            _ => match self.running.wait_for_exit(ENDING) {
                Some(status) => self.attribute(call, ProcessEnd::Exited(status)),
                None => self.attribute(call, ProcessEnd::Closed("standard input or output")),
            },
        };
        let scope = agent_error.scope.at_least(FaultScope::Deal);
        self.with_output(agent_error.with_scope(scope))
    }

    /// Returns the fault for the end of the process.
    fn attribute(&self, call: &str, end: ProcessEnd) -> AgentError {
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
        let cores = u32::try_from(cores).unwrap_or(u32::MAX);
        let context = ExitContext {
            limits: self.spec.sandbox.as_ref().map(|(spec, _)| &spec.limits),
            could_use: self.begun.elapsed().saturating_mul(cores),
            cannot_kill: false,
        };
        attribute(call, end, &context)
    }

    /// Adds the program's error output to the message.
    fn with_output(&self, agent_error: AgentError) -> AgentError {
        agent_error.with_output(self.running.shortened_output())
    }
}

/// Returns the fault for output that is not an answer to `act`.
fn protocol_fault(what: String) -> AgentError {
    AgentError::new(FaultKind::Error, format!("act: {what}")).with_scope(FaultScope::Deal)
}

/// Returns the choice in a frame after checking its index against the `count` legal actions.
fn checked_choice(chosen: ActReply, count: u32) -> AgentResult<Choice> {
    let ActReply { action, amount, .. } = chosen;
    if count <= action {
        let most = count - 1;
        let what = format!(
            "the answer must be the index of a legal action, from 0 to {most} (got {action})"
        );
        return Err(AgentError::new(FaultKind::IllegalAction, what));
    }
    Ok(Choice {
        action: action as usize,
        amount,
    })
}

/// Maximum length in bytes of a line that a program sends.
const LINE_MAX: usize = 1 << 16;

/// The pipes to a program's standard input and output. Reads and writes fail at the deadline
/// [`Pipes::until`].
#[derive(Debug)]
struct Pipes {
    /// `None` once standard input of the program has been closed.
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// Deadline of reads and writes.
    until: Instant,
    /// Received bytes that [`Pipes::read_line`] has not returned yet.
    lines: Vec<u8>,
    /// Number of bytes read from the program's output.
    read: u64,
}

impl Pipes {
    /// Creates non-blocking pipes.
    ///
    /// # Errors
    /// Returns an error if a system call fails.
    fn new(input: ChildStdin, output: ChildStdout) -> io::Result<Pipes> {
        rustix::io::ioctl_fionbio(&input, true)?;
        rustix::io::ioctl_fionbio(&output, true)?;
        Ok(Pipes {
            input: Some(input),
            output,
            until: Instant::now(),
            lines: Vec::new(),
            read: 0,
        })
    }

    /// Returns the number of bytes that the program has written so far.
    fn bytes_written(&self) -> u64 {
        self.read + rustix::io::ioctl_fionread(&self.output).unwrap_or(0)
    }

    /// Returns the number of received bytes that are no longer in the line buffer.
    fn bytes_consumed(&self) -> u64 {
        self.read - self.lines.len() as u64
    }

    /// Returns device and inode numbers of both pipes.
    #[cfg(target_os = "linux")]
    fn files(&self) -> impl Iterator<Item = crate::agent::sandbox::FileId> {
        self.input
            .iter()
            .map(AsFd::as_fd)
            .chain([self.output.as_fd()])
            .filter_map(|end| rustix::fs::fstat(end).ok())
            .map(|about| (about.st_dev, about.st_ino))
    }

    /// Closes the program's standard input.
    fn close(&mut self) {
        self.input = None;
    }

    /// Passes the next line without its end to `use_line` and returns the result.
    ///
    /// # Errors
    /// Returns `TimedOut` at the deadline, `UnexpectedEof` if the program has closed its output, or
    /// `InvalidData` for a line of more than [`LINE_MAX`] bytes.
    fn read_line<T>(&mut self, use_line: impl FnOnce(&[u8]) -> T) -> io::Result<T> {
        let mut looked = 0;
        loop {
            if let Some(end) = self.lines[looked..].iter().position(|&byte| byte == b'\n') {
                let end = looked + end;
                let line = &self.lines[..end];
                let used = use_line(line.strip_suffix(b"\r").unwrap_or(line));
                self.lines.drain(..=end);
                return Ok(used);
            }
            looked = self.lines.len();
            if LINE_MAX < looked {
                return Err(ErrorKind::InvalidData.into());
            }
            let mut chunk = [0; 4096];
            match self.read(&mut chunk)? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                count => self.lines.extend_from_slice(&chunk[..count]),
            }
        }
    }
}

impl Read for Pipes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = timed::read(&mut self.output, buffer, self.until)?;
        self.read += count as u64;
        Ok(count)
    }
}

impl Write for Pipes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.input {
            Some(input) => timed::write(input, bytes, self.until),
            None => Err(ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::agent::ProgramBot;
    use super::*;
    use crate::agent::{Budget, CommandLine, Isolation};

    #[test]
    fn a_timeout_before_the_first_answer_mentions_output_buffering() {
        let words = ["sh", "-c", "read line"].map(str::to_owned).to_vec();
        let command = CommandLine {
            words,
            folder: None,
        };
        let (base, hash) = (PathBuf::from("/"), command.hash("/".as_ref()));
        let bot = ProgramBot::new(
            "silent",
            &command,
            base,
            hash,
            &Budget::default(),
            Isolation::None,
        )
        .unwrap();
        let agent_error = ProgramSession::begin(&bot.0, Duration::from_millis(20)).unwrap_err();
        assert_eq!(agent_error.kind, FaultKind::Start);
        let hint = "start: no answer within 20ms; its process was killed; its standard output may \
            be buffered: flush it";
        assert!(
            agent_error.message.starts_with(hint),
            "{}",
            agent_error.message
        );
    }
}
