//! Decoding of answers from a worker. The bytes are untrusted, because the bot runs in the same
//! process.

use crate::agent::Misstep;
use crate::agent::transport::frame::{self, Body, Head, Inbox, Nonsense};
use hattari_plugin::Choice;
use std::io::{self, ErrorKind, Read};

/// An answer of a worker.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// Success without data.
    Done,
    /// A choice.
    Chosen(frame::Chosen),
}

impl Reply {
    /// Returns the choice, if this is one.
    pub(super) fn choice(self) -> Option<Choice> {
        match self {
            Reply::Chosen(frame::Chosen { action, amount, .. }) => Some(Choice {
                action: action as usize,
                amount,
            }),
            Reply::Done => None,
        }
    }

    /// Returns `Some` if this is success without data.
    pub(super) fn done(self) -> Option<()> {
        matches!(self, Reply::Done).then_some(())
    }
}

/// Receives the answer to request `number`, with a body of at most `most` bytes. Messages that
/// precede it go to `log` with their level.
///
/// # Errors
/// Returns `InvalidData` for an invalid answer, and the errors of the pipe.
pub(super) fn receive(
    replies: &mut impl Read,
    inbox: &mut Inbox,
    most: usize,
    number: u64,
    log: &mut dyn FnMut(i32, String),
) -> io::Result<Head> {
    loop {
        let (head, mut body) = inbox.receive(replies, most)?;
        if head.kind == frame::LOG {
            let message = body
                .take()
                .and_then(|head: frame::LogHead| Ok((head.level, body.text(head.text)?)));
            let (level, text) = message.map_err(|Nonsense| ErrorKind::InvalidData)?;
            log(level, text);
        } else if head.number == number {
            return Ok(head);
        } else {
            return Err(ErrorKind::InvalidData.into());
        }
    }
}

/// Decodes an answer, or an error that the worker reports.
///
/// # Errors
/// Returns an error if the frame is invalid.
pub(super) fn understand(
    head: Head,
    mut body: Body<'_>,
) -> Result<Result<Reply, Misstep>, Nonsense> {
    match head.kind {
        frame::CHOICE => Ok(Ok(Reply::Chosen(body.take()?))),
        frame::DONE => Ok(Ok(Reply::Done)),
        frame::FAILED => misstep(body).map(Err),
        _ => Err(Nonsense),
    }
}

/// Decodes an error from a body.
pub(super) fn misstep(mut body: Body<'_>) -> Result<Misstep, Nonsense> {
    let failure: frame::Failure = body.take()?;
    let kind = frame::KINDS.get(failure.kind as usize).ok_or(Nonsense)?;
    Ok(Misstep::new(*kind, body.text(failure.text)?))
}

/// The decoded output of a worker, for tests with arbitrary bytes.
#[derive(Debug)]
pub struct Heard {
    /// Answers to the requests from the first number on: index and amount of a choice, `None` for
    /// success without data, or an error.
    pub answers: Vec<Result<Option<(u32, i64)>, Misstep>>,
    /// Total length of the messages in bytes.
    pub message_bytes: usize,
    /// Error that ended the decoding.
    pub end: io::Error,
}

/// Decodes `replies` as the host does, as answers to the requests `number`, `number + 1` and so on.
pub fn hear(replies: &mut impl Read, number: u64) -> Heard {
    let (mut inbox, mut answers, mut message_bytes) = (Inbox::default(), Vec::new(), 0);
    loop {
        let number = number.wrapping_add(answers.len() as u64);
        let mut log = |_: i32, text: String| message_bytes += text.len();
        let understood = receive(replies, &mut inbox, frame::ANSWER_MAX, number, &mut log)
            .and_then(|head| {
                understand(head, inbox.last(&head))
                    .map_err(|Nonsense| ErrorKind::InvalidData.into())
            });
        answers.push(match understood {
            Ok(Ok(Reply::Chosen(chosen))) => Ok(Some((chosen.action, chosen.amount))),
            Ok(Ok(Reply::Done)) => Ok(None),
            Ok(Err(misstep)) => Err(misstep),
            Err(end) => {
                return Heard {
                    answers,
                    message_bytes,
                    end,
                };
            }
        });
    }
}
