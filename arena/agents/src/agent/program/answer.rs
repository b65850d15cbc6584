//! Parsing of a program's messages: one JSON object per line. Invalid input leads to an error
//! message, never to a panic.

use crate::agent::choice::to_integer;
use crate::agent::numbers::LoggedNumber;
use crate::agent::{AgentError, AgentResult, choice};
use crate::record::FaultKind;
use crate::text;
use serde::Deserialize;
use serde_json::Number;
use std::collections::BTreeMap;
use std::mem;

/// Version of the protocol.
pub(super) const PROTOCOL: u32 = 1;
/// Maximum number of bytes of a program's output that an error message quotes.
const SHOWN: usize = 80;

/// The greeting: the first message of a program.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgramGreeting {
    /// Type of the message, which must be `hello`.
    #[serde(rename = "type")]
    kind: String,
    /// Version of the protocol.
    pub protocol: u32,
    /// Format of all later messages.
    #[serde(default)]
    pub format: MessageFormat,
    /// Messages that the program does not need.
    #[serde(default)]
    pub skip: Vec<SkippedCall>,
}

/// The format in which host and program exchange all messages after the greeting.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum MessageFormat {
    /// JSON lines.
    #[default]
    Json,
    /// Frames of flat records.
    Binary,
}

/// The messages, and parts of messages, that a program can ask the host to omit.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(super) enum SkippedCall {
    /// Events of the deal, which are part of other messages.
    Events,
    /// Messages at the start of a deal.
    DealStart,
    /// Messages at the end of a deal.
    DealEnd,
}

/// A message of a program during a decision: the answer or a log message.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnswerLine {
    /// Number of the decision to which the message is the answer.
    pub id: Option<u64>,
    /// Number of the action, from 1.
    action: Option<Number>,
    /// Amount, if the action takes one.
    amount: Option<Number>,
    /// Error message instead of an action.
    error: Option<String>,
    /// Log message, if the line is not an answer; in an answer, the logged numbers.
    log: Option<ProgramLog>,
    /// Level of the log message.
    level: Option<LogLevel>,
}

/// The member `log` of a message.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "`log` must be a text, or an object of numbers in an answer"
)]
enum ProgramLog {
    Text(String),
    Numbers(BTreeMap<String, f64>),
}

/// The levels of log messages.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LogLevel {
    Debug,
    Info,
    Warning,
    Error,
}

/// The answer of a program that is ready to play the block.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockReady {
    #[serde(rename = "type")]
    kind: String,
}

/// The answer of a program that refuses to play the block.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockRefusal {
    refuse: String,
}

impl ProgramGreeting {
    /// Parses a greeting.
    ///
    /// # Errors
    /// Returns an error if `line` is not a greeting, or if the protocol version differs.
    pub(super) fn read(line: &[u8]) -> AgentResult<ProgramGreeting> {
        let example = r#"`{"type": "hello", "protocol": 1}`"#;
        let greeting: ProgramGreeting = object(line).map_err(|what| {
            AgentError::start(format!("{what}; the first message must be {example}"))
        })?;
        if greeting.kind != "hello" {
            return Err(AgentError::start(format!(
                "the first message has type `{}`; it must be {example}",
                text::escape_for_sentence(&greeting.kind)
            )));
        }
        if greeting.protocol != PROTOCOL {
            let (theirs, ours) = (greeting.protocol, PROTOCOL);
            return Err(AgentError::start(format!(
                "the bot uses protocol version {theirs}; this host supports version {ours}"
            )));
        }
        Ok(greeting)
    }
}

/// Parses the answer to `block_start`.
///
/// # Errors
/// Returns an error if `line` is not such an answer, or if the program refuses the block.
pub(super) fn read_ready(line: &[u8]) -> AgentResult {
    if let Ok(BlockRefusal { refuse }) = object(line) {
        return Err(AgentError::new(
            FaultKind::Refused,
            text::escape_for_sentence(&refuse),
        ));
    }
    let example = r#"`{"type": "ready"}`"#;
    let BlockReady { kind } = object(line).map_err(|what| {
        AgentError::start(format!(
            "{what}; the answer to block_start must be {example}"
        ))
    })?;
    if kind == "ready" {
        Ok(())
    } else {
        Err(AgentError::start(format!(
            "the answer to block_start has type `{}`; it must be {example}",
            text::escape_for_sentence(&kind)
        )))
    }
}

impl AnswerLine {
    /// Parses a line that a program sent during a decision.
    ///
    /// # Errors
    /// Returns an error if `line` is not a message of the protocol.
    pub(super) fn read(line: &[u8]) -> AgentResult<AnswerLine> {
        object(line).map_err(|what| AgentError::new(FaultKind::Error, format!("act: {what}")))
    }

    /// Returns the log message; `None` for an answer.
    pub(super) fn message(&self) -> Option<&str> {
        match &self.log {
            Some(ProgramLog::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Removes and returns the logged numbers of an answer.
    pub(super) fn take_numbers(&mut self) -> Vec<LoggedNumber> {
        match mem::take(&mut self.log) {
            Some(ProgramLog::Numbers(numbers)) => numbers.into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the level of a log message in the C interface.
    pub(super) fn level(&self) -> i32 {
        use hattari_plugin::abi;
        match self.level {
            Some(LogLevel::Debug) => abi::LOG_DEBUG,
            None | Some(LogLevel::Info) => abi::LOG_INFO,
            Some(LogLevel::Warning) => abi::LOG_WARNING,
            Some(LogLevel::Error) => abi::LOG_ERROR,
        }
    }

    /// Returns the choice among `count` legal actions. The index of its action counts from 0.
    ///
    /// # Errors
    /// Returns an error if the choice is invalid, or if the program reports an error.
    pub(super) fn choice(self, count: u32) -> AgentResult<hattari_plugin::Choice> {
        if let Some(error) = self.error {
            return Err(AgentError::new(
                FaultKind::Error,
                text::escape_for_sentence(&error),
            ));
        }
        let Some(action) = self.action else {
            return Err(AgentError::new(
                FaultKind::Error,
                "act: the answer has no `action`",
            ));
        };
        let number = |number: &Number| number.as_i64().or_else(|| to_integer(number.as_f64()?));
        let index = choice::checked_index(&action, number(&action), count)?;
        let amount = match &self.amount {
            Some(amount) => choice::checked_amount(amount, number(amount))?,
            None => 0,
        };
        Ok(hattari_plugin::Choice {
            action: index,
            amount,
        })
    }
}

/// Parses a line that must be a JSON object. `serde_json` alone would also accept an array of the
/// fields' values. Ignores a byte order mark, which some libraries write first.
///
/// # Errors
/// Returns a message if the line is not a message of the protocol.
fn object<'l, T: Deserialize<'l>>(line: &'l [u8]) -> Result<T, String> {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let shown = || {
        let start = String::from_utf8_lossy(&line[..line.len().min(4 * SHOWN)]);
        text::shortened(&text::escape_for_sentence(&start), SHOWN)
    };
    // Anything but an object is probably debug output.
    if !line.trim_ascii_start().starts_with(b"{") {
        return Err(format!(
            "stdout must contain only JSON objects (got `{}`); write debug output to stderr",
            shown()
        ));
    }
    serde_json::from_slice(line).map_err(|error| {
        let told = error.to_string();
        let told = text::escape_for_sentence(told.split(" at line ").next().unwrap_or_default());
        // The line number is always 1.
        let byte = error.column();
        format!(
            "`{}` is not a valid message at byte {byte}: {told}",
            shown()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_with_indices_from_1() {
        for (line, expected) in [
            (r#"{"id": 1, "action": 1}"#, "0 0"),
            (r#"{"id":1,"action":3.0,"amount":-5}"#, "2 -5"),
            ("\u{feff}{\"id\":1,\"action\":2}", "1 0"),
            (
                r#"{"id":1,"action":0}"#,
                "the answer must be the index of a legal action, from 1 to 3 (got 0)",
            ),
            (
                r#"{"id":1,"action":4}"#,
                "the answer must be the index of a legal action, from 1 to 3 (got 4)",
            ),
            (
                r#"{"id":1,"action":1.5}"#,
                "the answer must be the index of a legal action, from 1 to 3 (got 1.5)",
            ),
            (
                r#"{"id":1,"action":1,"amount":0.5}"#,
                "the amount must be an integer (got 0.5)",
            ),
            (r#"{"id":1}"#, "act: the answer has no `action`"),
            (r#"{"id":1,"error":"no\u001b[2J idea"}"#, "no [2J idea"),
            (
                "thinking …",
                "act: stdout must contain only JSON objects (got `thinking …`); write debug output \
                 to stderr",
            ),
            (
                "",
                "act: stdout must contain only JSON objects (got ``); write debug output to stderr",
            ),
            (
                r#"{"id":1,"acton":1}"#,
                "act: `{\"id\":1,\"acton\":1}` is not a valid message at byte 15: unknown field 'acton', \
                 expected one of 'id', 'action', 'amount', 'error', 'log', 'level'",
            ),
            (
                r#"{"id":1,"action":1,"log":{"win":"high"}}"#,
                "act: `{\"id\":1,\"action\":1,\"log\":{\"win\":\"high\"}}` is not a valid message at byte 40: \
                 'log' must be a text, or an object of numbers in an answer",
            ),
            (
                r#"{"id":1,"action":1,"log":{"win":NaN}}"#,
                "act: `{\"id\":1,\"action\":1,\"log\":{\"win\":NaN}}` is not a valid message at byte \
                 33: expected value",
            ),
            (
                r#"{"id":1,"log":{"win":0.5}}"#,
                "act: the answer has no `action`",
            ),
            (
                "[1]",
                "act: stdout must contain only JSON objects (got `[1]`); write debug output to \
                 stderr",
            ),
        ] {
            let said = AnswerLine::read(line.as_bytes()).and_then(|said| said.choice(3));
            let told = said.map_or_else(
                |agent_error| agent_error.message,
                |choice| format!("{} {}", choice.action, choice.amount),
            );
            assert_eq!(told, expected, "{line}");
            assert!(!told.contains(char::is_control), "{told:?}");
        }
    }

    #[test]
    fn log_is_a_message_or_the_numbers_of_an_answer() {
        let mut said =
            AnswerLine::read(br#"{"id":1,"action":1,"log":{"win":0.5,"risk":-2}}"#).unwrap();
        assert_eq!(said.message(), None);
        let numbers = [("risk".to_owned(), -2.0), ("win".to_owned(), 0.5)];
        assert_eq!(said.take_numbers(), numbers);
        let mut said = AnswerLine::read(br#"{"log":"0.5"}"#).unwrap();
        assert_eq!(said.message(), Some("0.5"));
        assert!(said.take_numbers().is_empty());
    }

    #[test]
    fn greetings_contain_the_protocol_and_may_request_frames() {
        let greeting = ProgramGreeting::read(
            br#"{"type":"hello","protocol":1,"format":"binary","skip":["events"]}"#,
        )
        .unwrap();
        assert_eq!(
            (greeting.format, greeting.skip),
            (MessageFormat::Binary, vec![SkippedCall::Events])
        );
        let plain = ProgramGreeting::read(br#"{"type":"hello","protocol":1}"#).unwrap();
        assert_eq!((plain.format, plain.skip), (MessageFormat::Json, vec![]));
        assert_eq!(read_ready(br#"{"type":"ready"}"#), Ok(()));
        let greets: fn(&[u8]) -> AgentResult = |line| ProgramGreeting::read(line).map(drop);
        for (read, line, kind, words) in [
            (
                greets,
                r#"{"type":"hello","protocol":2}"#,
                FaultKind::Start,
                "protocol version 2; this host supports version 1",
            ),
            (
                greets,
                r#"{"type":"ready","protocol":1}"#,
                FaultKind::Start,
                "type `ready`; it must be `{\"type\": \"hello\"",
            ),
            (
                greets,
                "hello",
                FaultKind::Start,
                "the first message must be",
            ),
            (
                greets,
                r#"{"type":"hello","protocol":1,"format":"xml"}"#,
                FaultKind::Start,
                "unknown variant 'xml'",
            ),
            (
                read_ready,
                r#"{"refuse":"two players alone"}"#,
                FaultKind::Refused,
                "two players alone",
            ),
            (
                read_ready,
                r#"{"type":"read"}"#,
                FaultKind::Start,
                "type `read`; it must be `{\"type\": \"ready\"}`",
            ),
            (
                read_ready,
                "ready",
                FaultKind::Start,
                "stdout must contain only JSON objects",
            ),
        ] {
            let agent_error = read(line.as_bytes()).unwrap_err();
            assert_eq!(agent_error.kind, kind, "{line}");
            assert!(
                agent_error.message.contains(words),
                "{line}: {}",
                agent_error.message
            );
        }
    }
}
