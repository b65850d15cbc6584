//! Encoding of messages to a program in the format that its greeting requests.
//!
//! Records are converted to JSON by their descriptions, so that new games need no code here. Fields
//! have the same names as in scripts. Seats, ordinals and indices count from 1; a missing value is
//! null.

use super::answer::{MessageFormat, PROTOCOL, ProgramGreeting, SkippedCall};
use crate::agent::script::decoder::shown;
use crate::agent::transport::Message;
use crate::agent::transport::frame::Outbox;
use crate::agent::{BlockStart, Notice, Observation};
use crate::games::GameInfo;
use hattari_plugin::games::frame::{Field, Frame, Meaning, Type};
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
            message.put_frame(number, &mut self.sent, !skips_events, &mut self.frames);
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

/// An encoder of the records of a block.
#[derive(Clone, Copy)]
struct RecordEncoder {
    /// Function that returns the name of a card, given its number.
    card_name: fn(u8) -> Option<&'static str>,
    /// Number of players.
    players: u32,
}

impl RecordEncoder {
    /// Appends a record as a JSON object. Appends nothing if `record` has the wrong size.
    fn put(self, frame: &Frame, record: &[u8], out: &mut Vec<u8>) {
        if record.len() != frame.size {
            return;
        }
        enclosed(b"{}", shown(frame), out, |field, out| {
            let stride = field.ty.size();
            let element = |at: usize| &record[field.offset + at * stride..][..stride];
            put_key(field.name, out);
            match field.array {
                None => self.put_value(field, element(0), out),
                Some(count) => enclosed(b"[]", 0..count, out, |at, out| {
                    self.put_value(field, element(at), out)
                }),
            }
        });
    }

    /// Appends contiguous records as a JSON list.
    fn put_all(self, frame: &Frame, records: &[u8], out: &mut Vec<u8>) {
        enclosed(
            b"[]",
            records.chunks_exact(frame.size),
            out,
            |record, out| self.put(frame, record, out),
        );
    }

    /// Appends one element of a field.
    fn put_value(self, field: &Field, bytes: &[u8], out: &mut Vec<u8>) {
        let scalar = match field.ty {
            // An empty record: nobody has acted yet.
            Type::Frame(_) if bytes.iter().all(|&byte| byte == 0) => {
                return out.extend_from_slice(b"null");
            }
            Type::Frame(frame) => return self.put(frame, bytes, out),
            Type::Scalar(scalar) => scalar,
        };
        let number = scalar.read(bytes);
        let bits = u64::try_from(number).unwrap_or_default();
        match field.meaning {
            Meaning::Flag => put_bool(bits != 0, out),
            Meaning::Card => self.put_card(bits, out),
            Meaning::Cards => {
                let mut left = bits;
                let numbers = std::iter::from_fn(|| {
                    let number = (left != 0).then(|| u64::from(left.trailing_zeros()));
                    left &= left.wrapping_sub(1);
                    number
                });
                enclosed(b"[]", numbers, out, |number, out| {
                    self.put_card(number, out)
                });
            }
            Meaning::Seat | Meaning::Ordinal if bits == 0xff => out.extend_from_slice(b"null"),
            Meaning::Seat | Meaning::Ordinal => put_number(number + 1, out),
            Meaning::Seats => enclosed(b"[]", 0..self.players.min(64), out, |seat, out| {
                put_bool(bits >> seat & 1 != 0, out)
            }),
            Meaning::Code(codes) => {
                let code = codes.iter().find(|(_, code)| *code == bits);
                put_text(code.map(|(name, _)| *name), out);
            }
            Meaning::Flags(flags) => enclosed(b"{}", flags, out, |&(name, mask), out| {
                put_key(name, out);
                put_bool(bits & mask != 0, out);
            }),
            Meaning::Number | Meaning::Size | Meaning::Reserved | Meaning::Record => {
                put_number(number, out)
            }
        }
    }

    fn put_card(self, number: u64, out: &mut Vec<u8>) {
        put_text(u8::try_from(number).ok().and_then(self.card_name), out);
    }
}

fn put_bool(value: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

/// Appends a text as JSON, or null.
fn put_text(text: Option<&str>, out: &mut Vec<u8>) {
    serde_json::to_writer(out, &text).expect("writing to a vector cannot fail");
}

fn put_key(name: &str, out: &mut Vec<u8>) {
    put_text(Some(name), out);
    out.push(b':');
}

/// Appends a number as JSON.
fn put_number(number: i128, out: &mut Vec<u8>) {
    serde_json::to_writer(out, &number).expect("writing to a vector cannot fail");
}

/// Appends a JSON list or object between two brackets. `put` appends each item: in an object, its
/// key and its value.
fn enclosed<T>(
    [start, end]: &[u8; 2],
    items: impl IntoIterator<Item = T>,
    out: &mut Vec<u8>,
    mut put: impl FnMut(T, &mut Vec<u8>),
) {
    out.push(*start);
    for (number, item) in items.into_iter().enumerate() {
        if number > 0 {
            out.push(b',');
        }
        put(item, out);
    }
    out.push(*end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameInfo;
    use hattari_plugin::games::frame::Framed;
    use hattari_plugin::games::holdem::{Action, kind};
    use serde_json::{Value as Json, json};

    fn encoder(game: &GameInfo, players: u32) -> RecordEncoder {
        let card_name = game.card_name;
        RecordEncoder { card_name, players }
    }

    fn parsed(put: impl FnOnce(&mut Vec<u8>)) -> Json {
        let mut out = Vec::new();
        put(&mut out);
        serde_json::from_slice(&out)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&out)))
    }

    #[test]
    fn integers_are_written_as_decimal_digits_up_to_64_bits() {
        for number in [0, 7, 10, -1, i128::from(i64::MIN), i128::from(u64::MAX)] {
            let mut out = Vec::new();
            put_number(number, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), number.to_string());
        }
    }

    #[test]
    fn json_records_of_every_game_have_exactly_the_script_visible_fields() {
        for game in crate::games::all() {
            let encoder = encoder(game, 4);
            for frame in [&game.view, &game.event, &game.action] {
                for byte in [0, 1, 0xff] {
                    let object = parsed(|out| encoder.put(frame, &vec![byte; frame.size], out));
                    let mut names: Vec<&str> = object
                        .as_object()
                        .unwrap()
                        .keys()
                        .map(String::as_str)
                        .collect();
                    let mut shown: Vec<&str> = shown(frame).map(|field| field.name).collect();
                    names.sort_unstable();
                    shown.sort_unstable();
                    assert_eq!(names, shown, "{} of {}", frame.name, game.id);
                }
            }
        }
    }

    #[test]
    fn actions_are_encoded_as_json_with_their_documented_field_names() {
        let game = GameInfo::find("holdem").unwrap();
        let encoder = encoder(game, 2);
        let mut raise: Action = bytemuck::Zeroable::zeroed();
        (raise.kind, raise.lowest, raise.highest) = (kind::RAISE, 20, 1000);
        let actions = [raise, bytemuck::Zeroable::zeroed()];
        let read = parsed(|out| encoder.put_all(&game.action, bytemuck::cast_slice(&actions), out));
        assert_eq!(
            (&read[0]["kind"], &read[0]["lowest"], &read[0]["highest"]),
            (&json!("raise"), &json!(20), &json!(1000))
        );
        assert_eq!(read.as_array().unwrap().len(), 2);
        assert_eq!(
            parsed(|out| encoder.put_all(&game.action, &[], out)),
            json!([])
        );
        assert_eq!(Action::FRAME.size, size_of::<Action>());
    }
}
