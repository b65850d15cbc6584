//! Encoding of messages to a program in the format that its greeting requests.

use super::answer::{MessageFormat, ProgramGreeting, SkippedCall};
use super::json::{RecordEncoder, enclosed, put_number};
use super::spec::PROTOCOL;
use crate::agent::transport::Message;
use crate::agent::transport::frame::Outbox;
use crate::agent::{BlockStart, Notice, Observation};
use crate::games::GameInfo;
use std::io::Write;

/// Number of bits in a program's seed. JSON readers that use floats represent such integers
/// exactly.
const SEED_BITS: u32 = 53;

/// An encoder for the messages of a block.
pub(super) struct MessageWriter {
    game: &'static GameInfo,
    encoder: RecordEncoder,
    config_json: String,
    /// Number of the deal's events that the program has received.
    pub sent: u32,
    line: Vec<u8>,
    frames: Outbox,
}

impl MessageWriter {
    pub(super) fn new(game: &'static GameInfo, config_json: &str, players: u32) -> MessageWriter {
        let card_name = game.card_name;
        MessageWriter {
            game,
            encoder: RecordEncoder { card_name, players },
            config_json: config_json.to_owned(),
            sent: 0,
            line: Vec::new(),
            frames: Outbox::default(),
        }
    }

    /// Encodes a message in the format that `greeting` requests. `id` is the number of the
    /// decision.
    pub(super) fn write(
        &mut self,
        message: &Message<'_>,
        id: u64,
        greeting: &ProgramGreeting,
    ) -> &[u8] {
        let skips_events = greeting.skip.contains(&SkippedCall::Events);
        let is_start = matches!(message, Message::Notice(Notice::BlockStart(_)));
        if greeting.format == MessageFormat::Binary && !is_start {
            let number = if matches!(message, Message::Act(_)) {
                id
            } else {
                0
            };
            let message = if skips_events {
                message.without_events()
            } else {
                *message
            };
            message.put_frame(number, &mut self.sent, &mut self.frames);
            return self.frames.frame();
        }
        self.line.clear();
        self.put("{\"type\":\"");
        self.put(message.call());
        self.put("\"");
        match message {
            Message::Notice(Notice::BlockStart(start)) => self.put_start(start),
            Message::Notice(Notice::DealStart(seen)) => self.put_observation(seen, skips_events),
            Message::Act(turn) => {
                self.put(",\"id\":");
                put_number(id.into(), &mut self.line);
                if turn.budget_us > 0 {
                    self.put(",\"budget_us\":");
                    put_number(turn.budget_us.into(), &mut self.line);
                }
                self.put_observation(&turn.seen, skips_events);
                self.put(",\"legal\":");
                let legal = turn.legal.as_bytes();
                self.encoder
                    .put_all(&self.game.action, legal, &mut self.line);
            }
            Message::Notice(Notice::DealEnd(seen, payoffs)) => {
                self.put_observation(seen, skips_events);
                self.put(",\"payoffs\":");
                enclosed(b"[]", *payoffs, &mut self.line, |&payoff, out| {
                    put_number(payoff.into(), out)
                });
            }
            Message::Notice(Notice::BlockEnd) => {}
        }
        self.put("}\n");
        &self.line
    }

    fn put(&mut self, text: &str) {
        self.line.extend_from_slice(text.as_bytes());
    }

    fn put_start(&mut self, start: &BlockStart<'_>) {
        let BlockStart {
            game,
            options_json,
            players,
            player,
            deals,
            seed,
        } = *start;
        let (player, seed, config) = (
            player + 1,
            seed >> (u64::BITS - SEED_BITS),
            &self.config_json,
        );
        let game = serde_json::Value::from(game);
        write!(
            self.line,
            ",\"protocol\":{PROTOCOL},\"game\":{game},\"options\":{options_json},\"players\":{players},\
             \"player\":{player},\"deals\":{deals},\"seed\":{seed},\"config\":{config}"
        )
        .expect("writing to a vector cannot fail");
    }

    /// Appends the view and the new events to the object in `line`.
    fn put_observation(&mut self, seen: &Observation<'_>, skips_events: bool) {
        let line = &mut self.line;
        line.extend_from_slice(b",\"view\":");
        self.encoder.put(&self.game.view, seen.view, line);
        if !skips_events {
            line.extend_from_slice(b",\"events\":");
            // Within a deal the history only grows.
            let stride = seen.history.stride() as usize;
            let before = (self.sent.min(seen.history.count()) as usize) * stride;
            let events = &seen.history.as_bytes()[before..];
            self.encoder.put_all(&self.game.event, events, line);
        }
        self.sent = seen.history.count();
    }
}
