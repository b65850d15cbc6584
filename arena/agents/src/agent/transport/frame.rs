//! Frames that the host and a worker exchange. A frame is a head and a body in native layout; the
//! size of the body is a multiple of 8. Every request has one answer with the same number. Log
//! messages of the bot may come before the answer.
//!
//! The worker trusts the host. The host does not trust the worker. Bytes that are not valid are
//! decoded to [`InvalidBytes`], never to a panic.

use crate::agent::numbers::LoggedNumber;
use crate::agent::status::size;
use crate::agent::{BlockStart, Notice, Observation, Records, Turn};
use crate::record::FaultKind;
use bytemuck::{Pod, Zeroable};
use std::io::{self, ErrorKind, Read};

/// Request: a block starts. Body: the fields of [`BlockStart`] in order, as a JSON list.
pub(crate) const BLOCK_START: u32 = 2;
/// Request: a deal starts. Body: [`ObservationHead`], the view, events.
pub(crate) const DEAL_START: u32 = 3;
/// Request: a decision. Body: [`ObservationHead`], [`ActHead`], the view, events, actions.
pub(crate) const ACT: u32 = 4;
/// Request: a deal is over. Body: [`ObservationHead`], [`Payoffs`], the view, events, payoffs.
pub(crate) const DEAL_END: u32 = 5;
/// Request: the block is over. No body.
pub(crate) const BLOCK_END: u32 = 6;

/// Answer: the worker is ready. Body: the library's descriptors as JSON.
pub(crate) const READY: u32 = 101;
/// Answer: success, without a body.
pub(crate) const DONE: u32 = 102;
/// Answer to `deal_start` or `deal_end`: success, and the bot does not need this call. No body.
pub(crate) const UNUSED: u32 = 107;
/// Answer: an [`ActReply`], and for each number that the bot logged a [`NumberHead`] and its name.
pub(crate) const CHOICE: u32 = 103;
/// Answer: an error. Body: [`TextHead`], text.
pub(crate) const FAILED: u32 = 104;
/// Answer: the library cannot be used. Body: cause and remedy as JSON.
pub(crate) const REFUSED: u32 = 105;
/// Log message, which is not an answer. Body: [`TextHead`], text.
pub(crate) const LOG: u32 = 106;

/// Maximum size of an answer's body in bytes.
pub(crate) const ANSWER_MAX: usize = 1 << 16;
/// Maximum size in bytes of a body that contains descriptors.
pub(crate) const READY_MAX: usize = 1 << 24;
/// Maximum size of a request's body in bytes. Games need far less.
pub(crate) const REQUEST_MAX: usize = 1 << 28;
/// Maximum size of a log frame in bytes. Up to this size, writes of several threads to a pipe are
/// not mixed.
pub(crate) const LOG_FRAME_MAX: usize = 4096;

/// The head of a frame, which precedes the body.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct FrameHead {
    /// Size of the body in bytes.
    pub size: u32,
    /// Kind of the frame: [`BLOCK_START`] to [`LOG`].
    pub kind: u32,
    /// Number of the request.
    pub number: u64,
}

/// The size of the view, and the number and size of the events that the bot has not received.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct ObservationHead {
    /// Size of the view in bytes.
    pub view: u32,
    /// Number of events of the deal that were sent before.
    pub events_before: u32,
    /// Number of events that follow.
    pub events: u32,
    /// Size of an event in bytes.
    pub event: u32,
}

/// The additional parameters of a decision.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct ActHead {
    /// Number of actions that follow.
    pub actions: u32,
    /// Size of an action in bytes.
    pub action: u32,
    /// Time limit of the decision in microseconds; 0 or less for no limit.
    pub budget_us: i64,
}

/// The additional parameters of the request at the end of a deal.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Payoffs {
    /// Number of payoffs that follow.
    pub payoffs: u32,
    /// Reserved; always 0.
    pub reserved: u32,
}

/// The answer to a decision.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct ActReply {
    /// Index of the chosen action among the legal actions.
    pub action: u32,
    /// Reserved; always 0.
    pub reserved: u32,
    /// Amount, if the action has a range.
    pub amount: i64,
}

/// A number that the bot logged.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct NumberHead {
    /// The number.
    pub number: f64,
    /// Length of the name in bytes.
    pub name: u32,
    /// Reserved; always 0.
    pub reserved: u32,
}

/// An error that the worker reports, or a message for the log.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct TextHead {
    /// Index of the error's kind in [`FRAME_FAULT_KINDS`], or log level as in the C interface.
    code: i32,
    /// Length of the text in bytes.
    text: u32,
}

/// Kinds of fault that a worker can report. Crashes are missing, because the host detects them.
pub(crate) const FRAME_FAULT_KINDS: [FaultKind; 6] = [
    FaultKind::Error,
    FaultKind::Start,
    FaultKind::Panic,
    FaultKind::Time,
    FaultKind::Memory,
    FaultKind::Refused,
];

/// The error for an invalid frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct InvalidBytes;

impl From<InvalidBytes> for io::Error {
    fn from(InvalidBytes: InvalidBytes) -> io::Error {
        ErrorKind::InvalidData.into()
    }
}

/// A buffer for a frame to be sent.
#[derive(Default)]
pub(crate) struct Outbox {
    bytes: Vec<u8>,
}

impl Outbox {
    /// Starts a new frame.
    pub(crate) fn begin(&mut self, kind: u32, number: u64) {
        self.bytes.clear();
        self.put(&FrameHead {
            size: 0,
            kind,
            number,
        });
    }

    /// Appends a struct.
    pub(crate) fn put<T: Pod>(&mut self, value: &T) {
        self.add(bytemuck::bytes_of(value));
    }

    /// Appends bytes, and zeros up to a multiple of 8.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
    }

    /// Appends an error or a log message.
    pub(crate) fn put_text(&mut self, code: i32, text: &str) {
        let bytes = text.as_bytes();
        let text = size(bytes);
        self.put(&TextHead { code, text });
        self.add(bytes);
    }

    /// Appends the numbers that the bot logged.
    pub(crate) fn put_numbers(&mut self, numbers: &[LoggedNumber]) {
        for (name, number) in numbers {
            self.put(&NumberHead {
                number: *number,
                name: size(name.as_bytes()),
                reserved: 0,
            });
            self.add(name.as_bytes());
        }
    }

    /// Appends an observation without the first `sent` events, and sets `sent` to the number of all
    /// events. `more` appends data between the head and the view.
    pub(crate) fn put_observation(
        &mut self,
        sent: &mut u32,
        &Observation { view, history }: &Observation<'_>,
        more: impl FnOnce(&mut Outbox),
    ) {
        // Within a deal the history only grows.
        let before = (*sent).min(history.count());
        let event = history.stride();
        self.put(&ObservationHead {
            view: size(view),
            events_before: before,
            events: history.count() - before,
            event,
        });
        more(self);
        self.add(view);
        self.add(&history.as_bytes()[before as usize * event as usize..]);
        *sent = history.count();
    }

    /// Returns the finished frame.
    ///
    /// # Panics
    /// Panics if the body is larger than `u32::MAX` bytes.
    pub(crate) fn frame(&mut self) -> &[u8] {
        let size = size(&self.bytes[size_of::<FrameHead>()..]);
        self.bytes[..4].copy_from_slice(&size.to_ne_bytes());
        &self.bytes
    }
}

/// Least size in bytes of the buffer for received frames.
const INBOX_MIN: usize = 1 << 13;

/// A buffer for received frames.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    /// Buffer of 64-bit words, so that bodies are aligned as the C interface requires.
    words: Vec<u64>,
    start: usize,
    end: usize,
}

impl Inbox {
    /// Waits for the next frame and returns it.
    ///
    /// # Errors
    /// Returns `UnexpectedEof` if the other side has closed the pipe, `InvalidData` for an invalid
    /// size or a body larger than `most` bytes, or the error of the pipe.
    pub(crate) fn receive(
        &mut self,
        pipe: &mut impl Read,
        most: usize,
    ) -> io::Result<(FrameHead, Body<'_>)> {
        const HEAD: usize = size_of::<FrameHead>();
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        let head = loop {
            let have = self.end - self.start;
            let mut wanted = HEAD;
            if HEAD <= have {
                let head: FrameHead =
                    bytemuck::pod_read_unaligned(&self.bytes()[self.start..self.start + HEAD]);
                let size = head.size as usize;
                if most < size || !size.is_multiple_of(8) {
                    return Err(ErrorKind::InvalidData.into());
                }
                wanted += size;
                if wanted <= have {
                    self.start += wanted;
                    break head;
                }
            }
            self.make_room(wanted);
            let end = self.end;
            match pipe.read(&mut bytemuck::cast_slice_mut(&mut self.words)[end..]) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => self.end += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        };
        Ok((head, self.last(&head)))
    }

    /// Returns the body of the last received frame.
    pub(crate) fn last(&self, head: &FrameHead) -> Body<'_> {
        Body {
            rest: &self.bytes()[self.start - head.size as usize..self.start],
        }
    }

    /// Returns the number of received bytes that follow the last frame.
    pub(crate) fn waiting_bytes(&self) -> usize {
        self.end - self.start
    }

    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.words)
    }

    /// Makes room for a frame of `wanted` bytes.
    fn make_room(&mut self, wanted: usize) {
        if self.words.len() * 8 < self.start + wanted || self.end == self.words.len() * 8 {
            let (start, end) = (self.start, self.end);
            bytemuck::cast_slice_mut::<u64, u8>(&mut self.words).copy_within(start..end, 0);
            (self.start, self.end) = (0, end - start);
        }
        if self.words.len() * 8 < wanted {
            self.words.resize(wanted.max(INBOX_MIN).div_ceil(8), 0);
        }
    }
}

/// A reader for the body of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<'a> {
    rest: &'a [u8],
}

impl<'a> Body<'a> {
    /// Creates a reader for the bytes of a body.
    #[cfg(test)]
    pub(crate) fn new(bytes: &'a [u8]) -> Body<'a> {
        Body { rest: bytes }
    }

    /// Reads a struct.
    ///
    /// # Errors
    /// Returns an error if the body is too short.
    pub(crate) fn take<T: Pod>(&mut self) -> Result<T, InvalidBytes> {
        self.bytes(size_of::<T>()).map(bytemuck::pod_read_unaligned)
    }

    /// Reads `count` bytes.
    ///
    /// # Errors
    /// Returns an error if the body is too short.
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], InvalidBytes> {
        let padded = count.checked_next_multiple_of(8).ok_or(InvalidBytes)?;
        let (bytes, rest) = self.rest.split_at_checked(padded).ok_or(InvalidBytes)?;
        self.rest = rest;
        Ok(&bytes[..count])
    }

    /// Reads `count` records of `size` bytes.
    ///
    /// # Errors
    /// Returns an error if the body is too short.
    pub(crate) fn records(&mut self, count: u32, size: u32) -> Result<&'a [u8], InvalidBytes> {
        self.bytes(
            (count as usize)
                .checked_mul(size as usize)
                .ok_or(InvalidBytes)?,
        )
    }

    /// Reads `count` bytes as text; invalid UTF-8 is replaced.
    ///
    /// # Errors
    /// Returns an error if the body is too short.
    pub(crate) fn text(&mut self, count: u32) -> Result<String, InvalidBytes> {
        self.bytes(count as usize)
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// Reads an error or a log message: its code and its text.
    ///
    /// # Errors
    /// Returns an error if the body is too short.
    pub(crate) fn coded_text(&mut self) -> Result<(i32, String), InvalidBytes> {
        let TextHead { code, text } = self.take()?;
        Ok((code, self.text(text)?))
    }

    /// Reads the rest of the body, which is the numbers that the bot logged.
    ///
    /// # Errors
    /// Returns an error if the body ends within a number.
    pub(crate) fn numbers(mut self) -> Result<Vec<LoggedNumber>, InvalidBytes> {
        let mut numbers = Vec::new();
        while !self.rest.is_empty() {
            let NumberHead { number, name, .. } = self.take()?;
            numbers.push((self.text(name)?, number));
        }
        Ok(numbers)
    }

    /// Returns the rest of the body, which is JSON, without the zeros that pad it.
    pub(crate) fn json(self) -> &'a [u8] {
        let end = self
            .rest
            .iter()
            .rposition(|&byte| byte != 0)
            .map_or(0, |last| last + 1);
        &self.rest[..end]
    }
}

/// A call from the host to a bot.
pub(crate) enum Message<'a> {
    /// A notification.
    Notice(Notice<'a>),
    /// A request to choose a legal action.
    Act(Turn<'a>),
}

impl<'a> Message<'a> {
    /// Returns the name of the call.
    pub(crate) fn call(&self) -> &'static str {
        match self {
            Message::Notice(notice) => notice.name(),
            Message::Act(_) => "act",
        }
    }

    /// Encodes the message as a frame with a number. `sent` is the number of events of the deal
    /// that the bot has received, and is updated. Without `has_events`, the history is empty.
    pub(crate) fn put_frame(
        &self,
        number: u64,
        sent: &mut u32,
        has_events: bool,
        out: &mut Outbox,
    ) {
        let shown = |seen: Observation<'a>| Observation {
            history: if has_events {
                seen.history
            } else {
                Records::default()
            },
            ..seen
        };
        match *self {
            Message::Notice(Notice::BlockStart(BlockStart {
                game,
                options_json,
                players,
                player,
                deals,
                seed,
            })) => {
                out.begin(BLOCK_START, number);
                let parameters = (game, options_json, players, player, deals, seed);
                out.add(&serde_json::to_vec(&parameters).expect("plain data"));
            }
            Message::Notice(Notice::DealStart(seen)) => {
                *sent = 0;
                out.begin(DEAL_START, number);
                out.put_observation(sent, &shown(seen), |_| {});
            }
            Message::Act(Turn {
                seen,
                legal,
                budget_us,
            }) => {
                out.begin(ACT, number);
                let choose = ActHead {
                    actions: legal.count(),
                    action: legal.stride(),
                    budget_us,
                };
                out.put_observation(sent, &shown(seen), |out| out.put(&choose));
                out.add(legal.as_bytes());
            }
            Message::Notice(Notice::DealEnd(seen, payoffs)) => {
                out.begin(DEAL_END, number);
                let head = Payoffs {
                    payoffs: size(payoffs),
                    reserved: 0,
                };
                out.put_observation(sent, &shown(seen), |out| out.put(&head));
                out.add(bytemuck::cast_slice(payoffs));
            }
            Message::Notice(Notice::BlockEnd) => out.begin(BLOCK_END, number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns bytes in pieces whose sizes are given and repeat.
    struct Pieces<'a>(&'a [u8], Vec<usize>);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1.rotate_left(1);
            let count = self.1[0].min(buffer.len()).min(self.0.len());
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    fn frames() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut out = Outbox::default();
        for number in 0..50_u64 {
            out.begin(ACT, number);
            out.put(&ActHead {
                actions: 3,
                action: 1,
                budget_us: -5,
            });
            out.add(&vec![7; (number * 37 % 5000) as usize]);
            bytes.extend_from_slice(out.frame());
        }
        out.begin(DONE, 50);
        bytes.extend_from_slice(out.frame());
        bytes
    }

    #[test]
    fn frames_are_received_in_pieces_of_any_size() {
        for pieces in [
            vec![1],
            vec![usize::MAX],
            vec![8, 9, 1000],
            vec![16, 24, 4096],
            vec![70_000, 3],
        ] {
            let bytes = frames();
            let (mut pipe, mut inbox) = (Pieces(&bytes, pieces), Inbox::default());
            for number in 0..50_u64 {
                let (head, mut body) = inbox.receive(&mut pipe, 1 << 16).unwrap();
                assert_eq!((head.kind, head.number), (ACT, number));
                assert_eq!(body.rest.as_ptr().align_offset(8), 0);
                assert_eq!(body.take::<ActHead>().unwrap().budget_us, -5);
                let count = (number * 37 % 5000) as usize;
                assert!(body.bytes(count).unwrap().iter().all(|&byte| byte == 7));
                assert_eq!(body.take::<ActHead>().unwrap_err(), InvalidBytes);
            }
            assert_eq!(inbox.receive(&mut pipe, 1 << 16).unwrap().0.kind, DONE);
            assert_eq!(
                inbox.receive(&mut pipe, 1 << 16).unwrap_err().kind(),
                ErrorKind::UnexpectedEof
            );
        }
    }

    #[test]
    fn frames_that_are_too_large_or_of_odd_size_are_refused() {
        for (size, most) in [
            (64, 56),
            (7, 100),
            (u32::MAX, ANSWER_MAX),
            (1 << 31, REQUEST_MAX),
        ] {
            let bytes = [
                bytemuck::bytes_of(&FrameHead {
                    size,
                    kind: DONE,
                    number: 0,
                }),
                &[0; 64],
            ]
            .concat();
            let refused = Inbox::default().receive(&mut &bytes[..], most).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::InvalidData);
        }
    }

    #[test]
    fn counts_that_overflow_are_rejected() {
        let mut body = Body::new(&[0; 64]);
        assert_eq!(body.bytes(usize::MAX), Err(InvalidBytes));
        assert_eq!(body.records(u32::MAX, u32::MAX), Err(InvalidBytes));
        assert_eq!(body.bytes(65), Err(InvalidBytes));
        assert_eq!(body.bytes(57).map(<[u8]>::len), Ok(57));
        assert_eq!(body.bytes(1), Err(InvalidBytes));
    }

    #[test]
    fn numbers_are_read_up_to_the_end_of_the_body() {
        let numbers = [("win".to_owned(), 0.7), ("risk_of_ruin".to_owned(), -2e300)];
        let mut out = Outbox::default();
        out.begin(CHOICE, 1);
        out.put_numbers(&numbers);
        let body = &out.frame()[size_of::<FrameHead>()..];
        assert_eq!(Body::new(body).numbers().unwrap(), numbers);
        for cut in [8, 16, 24] {
            let end = body.len() - cut;
            assert_eq!(Body::new(&body[..end]).numbers(), Err(InvalidBytes));
        }
        assert_eq!(Body::new(&[0xff; 64]).numbers(), Err(InvalidBytes));
    }

    #[test]
    fn json_is_read_up_to_its_padding() {
        let mut out = Outbox::default();
        for text in ["{}", "{\"a\": 1}", "[1,2,3]"] {
            out.begin(READY, 0);
            out.add(text.as_bytes());
            assert_eq!(
                Body::new(&out.frame()[size_of::<FrameHead>()..]).json(),
                text.as_bytes()
            );
        }
    }
}
