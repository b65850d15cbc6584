//! A seat that is played by an ACPC client.

use super::line::{LINE_MAX, is_comment};
use hattari_agents::agent::socket::{ConnectionEnd, SeatClient, Stream};
use hattari_agents::agent::{Agent, AgentError, AgentResult, FaultScope, Notice, Turn};
use hattari_agents::record::FaultKind;
use hattari_formats::acpc::{DecisionContext, StateAction, StateWriter, choose};
use hattari_plugin::Choice;
use hattari_plugin::games::holdem::{Event, Holdem, View, limit};
use std::time::Instant;

/// Maximum number of lines that are ignored while the host waits for an answer. A client that sends
/// more is disconnected.
const IGNORED_LINES_MAX: usize = 1000;
/// Maximum length in bytes of an action with the colon before it and the end of its line.
const ACTION_MAX: usize = 40;
/// Maximum number of characters of a client's line in messages.
const QUOTED_MAX: usize = 80;

/// A seat and the ACPC client that plays it.
pub(super) struct AcpcSeat {
    host: SeatClient,
    /// Writer for the states of the current deal; `None` before the first deal of a block.
    writer: Option<StateWriter>,
    /// Number of the current hand, from 0.
    hand: u32,
    /// Number of events of the history that the client has received.
    sent_events: usize,
    /// Last state that was sent to the client.
    line: String,
}

/// Number of ignored lines of a client, and the last of these lines.
#[derive(Default)]
struct IgnoredLines {
    lines: usize,
    last: String,
}

impl AcpcSeat {
    /// Creates a seat without a client.
    pub(super) fn new(host: SeatClient) -> AcpcSeat {
        AcpcSeat {
            host,
            writer: None,
            hand: 0,
            sent_events: 0,
            line: String::new(),
        }
    }

    /// Queues a line with the current state.
    fn put_state(&mut self, writer: &StateWriter, seat: u8) {
        self.line = writer.state(seat, self.hand).to_string();
        let outbox = self.host.outbox();
        outbox.extend_from_slice(self.line.as_bytes());
        outbox.extend_from_slice(b"\r\n");
    }

    /// Queues the states since the last call: one state after each action of a player, which
    /// includes the events that follow from the action.
    fn queue_states(&mut self, view: &View, history: &[Event]) {
        let Some(mut writer) = self.writer.take() else {
            return;
        };
        let mut is_new = false;
        for event in &history[self.sent_events.min(history.len())..] {
            if StateWriter::is_player_action(event) && std::mem::replace(&mut is_new, true) {
                self.put_state(&writer, view.seat);
            }
            writer.push(event);
        }
        if is_new {
            self.put_state(&writer, view.seat);
        }
        self.sent_events = history.len();
        self.writer = Some(writer);
    }

    /// Waits for the client's answer to the last state.
    fn ask(&mut self, budget_us: i64) -> AgentResult<String> {
        const CALL: &str = "act";
        let mut passed = IgnoredLines::default();
        let line = &self.line;
        let answer = self.host.ask(CALL, budget_us, |stream, until| {
            read_answer(stream, until, line, &mut passed)
        });
        let answer = answer.map_err(|mut agent_error| {
            agent_error.message += &passed.note();
            agent_error
        })?;
        match answer {
            (Some(_), Some(late)) => Err(late),
            (Some(action), None) => Ok(action),
            (None, _) => {
                self.host.hang_up();
                let message = format!("{CALL}: too many lines without an answer{}", passed.note());
                Err(AgentError::new(FaultKind::Error, message).with_scope(FaultScope::Deal))
            }
        }
    }
}

/// Reads lines until one answers the state `line`, and counts the others in `passed`. Returns `None`
/// after too many other lines.
fn read_answer(
    stream: &mut Stream,
    until: Instant,
    line: &str,
    passed: &mut IgnoredLines,
) -> Result<Option<String>, ConnectionEnd> {
    while passed.lines < IGNORED_LINES_MAX {
        let read = stream.read_line(LINE_MAX.max(line.len() + ACTION_MAX), until)?;
        let rest = read
            .strip_prefix(line.as_bytes())
            .and_then(|rest| rest.strip_prefix(b":"));
        if let Some(action) = rest {
            let action = String::from_utf8_lossy(action);
            return Ok(Some(action.trim_end().to_owned()));
        }
        passed.lines += 1;
        if !is_comment(&read) {
            passed.last = quoted(&String::from_utf8_lossy(&read));
        }
    }
    Ok(None)
}

/// Returns the first [`QUOTED_MAX`] characters of a client's text for a message, with `·` in place
/// of control characters.
fn quoted(text: &str) -> String {
    let end = if text.chars().nth(QUOTED_MAX).is_some() {
        "…"
    } else {
        ""
    };
    let kept: String = text
        .chars()
        .take(QUOTED_MAX)
        .map(|c| if c.is_control() { '·' } else { c })
        .collect();
    kept + end
}

impl IgnoredLines {
    /// Returns a note on the ignored lines that can be appended to an error message.
    fn note(&self) -> String {
        match self.lines {
            0 => String::new(),
            lines if self.last.is_empty() => format!("; {lines} comments received"),
            lines => format!(
                "; ignored {}, the last `{}`",
                hattari_agents::text::counted(lines as u64, "line"),
                self.last
            ),
        }
    }
}

impl Agent for AcpcSeat {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        match notice {
            Notice::BlockStart(_) => {
                self.writer = None;
                self.host.connect()?;
            }
            Notice::DealStart(seen) => {
                self.host.tidy();
                let (view, history) = seen.read::<Holdem>();
                let mut telling =
                    StateWriter::new(view.limit == limit::NO_LIMIT, view.players, view.button);
                telling.reveal(view.seat, view.hand);
                history.iter().for_each(|event| telling.push(event));
                (self.hand, self.sent_events) = (view.deal, history.len());
                self.put_state(&telling, view.seat);
                self.writer = Some(telling);
            }
            // Queues the last states of the hand. They are sent together with the start of the next
            // hand, so that a client receives both at the same time.
            Notice::DealEnd(seen, _) => {
                let (view, history) = seen.read::<Holdem>();
                self.queue_states(view, history);
            }
            Notice::BlockEnd => self.host.disconnect(),
        }
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        let (view, history) = turn.seen.read::<Holdem>();
        self.queue_states(view, history);
        let said = self.ask(turn.budget_us)?;
        let wrong =
            |kind: FaultKind, message: String| AgentError::new(kind, format!("act: {message}"));
        let act: StateAction = said.parse().map_err(|_| {
            wrong(
                FaultKind::IllegalAction,
                format!("`{}` is not an action", quoted(&said)),
            )
        })?;
        let chosen = choose(
            turn.actions::<Holdem>(),
            act,
            DecisionContext::of_view(view),
        );
        let (action, amount) = chosen.map_err(|illegal| {
            let kind = if illegal.by_amount {
                FaultKind::IllegalAmount
            } else {
                FaultKind::IllegalAction
            };
            wrong(kind, illegal.message)
        })?;
        Ok(Choice { action, amount })
    }

    fn is_asked_when_forced(&self) -> bool {
        true
    }
}
