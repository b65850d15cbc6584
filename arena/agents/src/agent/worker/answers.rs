//! Decoding of a worker's answers. The bytes are not trusted, because the bot's code runs in the
//! process that sends them.

use crate::agent::transport::frame::{self, Body, FrameHead, Inbox, InvalidBytes};
use crate::agent::{AgentError, AgentResult, numbers};
use hattari_plugin::Choice;
use std::io::{self, Read};

/// An answer of a worker.
pub(super) enum Reply {
    /// Success without data.
    Done,
    /// Success of a call that the bot does not need.
    Unused,
    /// Success, with the bot's decision.
    Chosen(frame::ActReply),
}

impl Reply {
    /// Returns the choice; `None` for success without data.
    pub(super) fn choice(self) -> Option<Choice> {
        match self {
            Reply::Chosen(frame::ActReply { action, amount, .. }) => Some(Choice {
                action: action as usize,
                amount,
            }),
            Reply::Done | Reply::Unused => None,
        }
    }

    /// Returns `true` for success, `false` if the bot does not need the call, and `None` for a
    /// choice.
    pub(super) fn used(self) -> Option<bool> {
        match self {
            Reply::Done => Some(true),
            Reply::Unused => Some(false),
            Reply::Chosen(_) => None,
        }
    }
}

/// Receives the answer to request `number`, with a body of at most `most` bytes. Calls `log` with
/// the level and the text of each log message before it.
///
/// # Errors
/// Returns `InvalidData` for an invalid answer, or the error of the pipe.
pub(super) fn receive(
    replies: &mut impl Read,
    inbox: &mut Inbox,
    most: usize,
    number: u64,
    log: &mut dyn FnMut(i32, String),
) -> io::Result<FrameHead> {
    loop {
        let (head, mut body) = inbox.receive(replies, most)?;
        if head.kind == frame::LOG {
            let (level, text) = body.coded_text()?;
            log(level, text);
        } else if head.number == number {
            return Ok(head);
        } else {
            return Err(InvalidBytes.into());
        }
    }
}

/// Decodes an answer and stores the numbers that the bot logged. An inner error is an error that
/// the worker reports.
///
/// # Errors
/// Returns `InvalidData` if the frame is invalid.
pub(super) fn decode_answer(head: FrameHead, mut body: Body<'_>) -> io::Result<AgentResult<Reply>> {
    Ok(match head.kind {
        frame::CHOICE => {
            let chosen = body.take()?;
            // The worker has checked these numbers, unless the bot's code wrote the answer.
            numbers::log_all(body.numbers()?).map_err(|_| InvalidBytes)?;
            Ok(Reply::Chosen(chosen))
        }
        frame::DONE => Ok(Reply::Done),
        frame::UNUSED => Ok(Reply::Unused),
        frame::FAILED => Err(agent_error(body)?),
        _ => return Err(InvalidBytes.into()),
    })
}

/// Decodes an error from a body.
pub(super) fn agent_error(mut body: Body<'_>) -> Result<AgentError, InvalidBytes> {
    let (kind, text) = body.coded_text()?;
    let kind = usize::try_from(kind).ok();
    let kind = kind.and_then(|kind| frame::FRAME_FAULT_KINDS.get(kind));
    Ok(AgentError::new(*kind.ok_or(InvalidBytes)?, text))
}

/// The decoded output of a worker, for tests with arbitrary bytes.
#[derive(Debug)]
pub struct WorkerOutput {
    /// Answers in the order of the requests: a choice, `None` for success without data, or the
    /// error of the bot.
    pub answers: Vec<AgentResult<Option<Choice>>>,
    /// Total length of the log messages in bytes.
    pub message_bytes: usize,
    /// Error at which the decoding ended.
    pub end: io::Error,
}

/// Decodes `replies` as the host does, as answers to the requests `number`, `number + 1` and so on.
pub fn decode_output(replies: &mut impl Read, number: u64) -> WorkerOutput {
    let (mut inbox, mut answers, mut message_bytes) = (Inbox::default(), Vec::new(), 0);
    loop {
        let number = number.wrapping_add(answers.len() as u64);
        let mut log = |_: i32, text: String| message_bytes += text.len();
        let understood = receive(replies, &mut inbox, frame::ANSWER_MAX, number, &mut log)
            .and_then(|head| decode_answer(head, inbox.last(&head)));
        match understood {
            Ok(answer) => answers.push(answer.map(Reply::choice)),
            Err(end) => {
                return WorkerOutput {
                    answers,
                    message_bytes,
                    end,
                };
            }
        }
    }
}
