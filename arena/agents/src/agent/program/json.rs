//! Conversion of records to JSON. The encoders are built from the descriptions of the records, so
//! new games need no code here. Fields have the same names as in scripts. Seats, ordinals and
//! indices count from 1; a missing value is null.

use crate::agent::script::decoder::{is_shown, stride};
use crate::games::GameInfo;
use hattari_plugin::games::frame::{Field, Frame, Meaning, Scalar, Type};

/// Encoders for the records of a game.
#[derive(Debug)]
pub(super) struct RecordEncoder {
    /// Encoder of views.
    pub view: ObjectShape,
    /// Encoder of events.
    pub event: ObjectShape,
    /// Encoder of actions.
    pub action: ObjectShape,
}

impl RecordEncoder {
    /// Creates the encoders of a game.
    pub(super) fn of(game: &GameInfo) -> RecordEncoder {
        let shape = |frame| ObjectShape::of(frame, game.card_name);
        RecordEncoder {
            view: shape(&game.view),
            event: shape(&game.event),
            action: shape(&game.action),
        }
    }
}

/// An encoder that writes a record as a JSON object.
#[derive(Debug)]
pub(super) struct ObjectShape {
    size: usize,
    members: Vec<ObjectMember>,
}

/// A member of the object.
#[derive(Debug)]
struct ObjectMember {
    /// Key with punctuation: `,"name":`. The first member has no comma.
    key: String,
    offset: usize,
    /// Number of elements; `None` if the member is not a list.
    count: Option<usize>,
    stride: usize,
    value: ValueEncoding,
}

/// The encoding of a value.
#[derive(Debug)]
enum ValueEncoding {
    Number(Scalar),
    Flag(Scalar),
    /// One card.
    Card(Scalar, CardNames),
    /// A set of cards, as a list of names.
    Cards(Scalar, CardNames),
    /// A seat or another ordinal: the number plus 1, or null.
    Ordinal(Scalar),
    /// A set of seats, as a list of booleans.
    Seats(Scalar),
    /// A number that stands for one of the listed texts, which are JSON strings.
    Code(Scalar, Vec<(u64, String)>),
    /// A set of flags, as an object of booleans. The list contains the mask and the key of each
    /// flag.
    Flags(Scalar, Vec<(u64, String)>),
    Frame(ObjectShape),
}

/// A function that returns the name of a card, given its number.
type CardNames = fn(u8) -> Option<&'static str>;

impl ObjectShape {
    fn of(frame: &Frame, cards: CardNames) -> ObjectShape {
        let shown = frame.fields.iter().filter(|field| is_shown(field));
        let member = |(number, field): (usize, &Field)| ObjectMember {
            key: key(number, field.name),
            offset: field.offset,
            count: field.array,
            stride: stride(field.ty),
            value: ValueEncoding::of(field, cards),
        };
        ObjectShape {
            size: frame.size,
            members: shown.enumerate().map(member).collect(),
        }
    }

    /// Appends a record as a JSON object. `players` is the number of players. Appends nothing if
    /// `record` has the wrong size.
    pub(super) fn put(&self, record: &[u8], players: u32, out: &mut Vec<u8>) {
        if record.len() != self.size {
            return;
        }
        out.push(b'{');
        for member in &self.members {
            out.extend_from_slice(member.key.as_bytes());
            let element =
                |at: usize| &record[member.offset + at * member.stride..][..member.stride];
            match member.count {
                None => member.value.put(element(0), players, out),
                Some(count) => list(0..count, out, |at, out| {
                    member.value.put(element(at), players, out)
                }),
            }
        }
        out.push(b'}');
    }

    /// Appends contiguous records as a JSON list.
    pub(super) fn put_all(&self, records: &[u8], players: u32, out: &mut Vec<u8>) {
        list(records.chunks_exact(self.size), out, |record, out| {
            self.put(record, players, out)
        });
    }
}

impl ValueEncoding {
    fn of(field: &Field, cards: CardNames) -> ValueEncoding {
        let scalar = match field.ty {
            Type::Frame(frame) => return ValueEncoding::Frame(ObjectShape::of(frame, cards)),
            Type::Scalar(scalar) => scalar,
        };
        let quoted = |name: &str| serde_json::Value::from(name).to_string();
        match field.meaning {
            Meaning::Flag => ValueEncoding::Flag(scalar),
            Meaning::Card => ValueEncoding::Card(scalar, cards),
            Meaning::Cards => ValueEncoding::Cards(scalar, cards),
            Meaning::Seat | Meaning::Ordinal => ValueEncoding::Ordinal(scalar),
            Meaning::Seats => ValueEncoding::Seats(scalar),
            Meaning::Code(codes) => ValueEncoding::Code(
                scalar,
                codes
                    .iter()
                    .map(|&(name, code)| (code, quoted(name)))
                    .collect(),
            ),
            Meaning::Flags(flags) => {
                let named = flags.iter().enumerate();
                ValueEncoding::Flags(
                    scalar,
                    named
                        .map(|(number, &(name, mask))| (mask, key(number, name)))
                        .collect(),
                )
            }
            Meaning::Number | Meaning::Size | Meaning::Reserved | Meaning::Record => {
                ValueEncoding::Number(scalar)
            }
        }
    }

    fn put(&self, bytes: &[u8], players: u32, out: &mut Vec<u8>) {
        match self {
            ValueEncoding::Number(scalar) => put_number(signed(*scalar, bytes), out),
            ValueEncoding::Flag(scalar) => put_bool(unsigned(*scalar, bytes) != 0, out),
            ValueEncoding::Card(scalar, cards) => put_card(unsigned(*scalar, bytes), *cards, out),
            ValueEncoding::Cards(scalar, cards) => {
                let mut set = unsigned(*scalar, bytes);
                let numbers = std::iter::from_fn(|| {
                    let number = (set != 0).then(|| u64::from(set.trailing_zeros()));
                    set &= set.wrapping_sub(1);
                    number
                });
                list(numbers, out, |number, out| put_card(number, *cards, out));
            }
            ValueEncoding::Ordinal(scalar) => match unsigned(*scalar, bytes) {
                0xff => out.extend_from_slice(b"null"),
                number => put_number(i128::from(number) + 1, out),
            },
            ValueEncoding::Seats(scalar) => {
                let set = unsigned(*scalar, bytes);
                list(0..players.min(64), out, |seat, out| {
                    put_bool(set >> seat & 1 != 0, out)
                });
            }
            ValueEncoding::Code(scalar, codes) => {
                let code = unsigned(*scalar, bytes);
                let text = codes
                    .iter()
                    .find(|(known, _)| *known == code)
                    .map_or("null", |(_, text)| text);
                out.extend_from_slice(text.as_bytes());
            }
            ValueEncoding::Flags(scalar, flags) => {
                let set = unsigned(*scalar, bytes);
                out.push(b'{');
                for (mask, key) in flags {
                    out.extend_from_slice(key.as_bytes());
                    put_bool(set & mask != 0, out);
                }
                out.push(b'}');
            }
            // An empty record: nobody has acted yet.
            ValueEncoding::Frame(_) if bytes.iter().all(|&byte| byte == 0) => {
                out.extend_from_slice(b"null")
            }
            ValueEncoding::Frame(shape) => shape.put(bytes, players, out),
        }
    }
}

fn key(number: usize, name: &str) -> String {
    let comma = if number == 0 { "" } else { "," };
    format!("{comma}{}:", serde_json::Value::from(name))
}

fn unsigned(scalar: Scalar, bytes: &[u8]) -> u64 {
    let number = signed(scalar, bytes);
    u64::try_from(number).unwrap_or_default()
}

/// Reads a number in native byte order.
fn signed(scalar: Scalar, bytes: &[u8]) -> i128 {
    fn read<T: bytemuck::AnyBitPattern>(bytes: &[u8]) -> T {
        bytemuck::pod_read_unaligned(&bytes[..size_of::<T>()])
    }
    match scalar {
        Scalar::U8 => bytes[0].into(),
        Scalar::U16 => read::<u16>(bytes).into(),
        Scalar::U32 => read::<u32>(bytes).into(),
        Scalar::U64 => read::<u64>(bytes).into(),
        Scalar::I32 => read::<i32>(bytes).into(),
        Scalar::I64 => read::<i64>(bytes).into(),
    }
}

fn put_bool(value: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

fn put_card(number: u64, cards: CardNames, out: &mut Vec<u8>) {
    match u8::try_from(number).ok().and_then(cards) {
        Some(name) => {
            out.push(b'"');
            out.extend_from_slice(name.as_bytes());
            out.push(b'"');
        }
        None => out.extend_from_slice(b"null"),
    }
}

/// Appends a number as JSON.
pub(super) fn put_number(number: i128, out: &mut Vec<u8>) {
    serde_json::to_writer(out, &number).expect("a vector takes all");
}

/// Appends a JSON list; `put` appends each item.
pub(super) fn list<T>(
    items: impl IntoIterator<Item = T>,
    out: &mut Vec<u8>,
    mut put: impl FnMut(T, &mut Vec<u8>),
) {
    out.push(b'[');
    for (number, item) in items.into_iter().enumerate() {
        if number > 0 {
            out.push(b',');
        }
        put(item, out);
    }
    out.push(b']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::games::frame::Framed;
    use hattari_plugin::games::holdem::{Action, kind};
    use serde_json::{Value as Json, json};

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
            let encoder = RecordEncoder::of(game);
            for (shape, frame) in [
                (&encoder.view, &game.view),
                (&encoder.event, &game.event),
                (&encoder.action, &game.action),
            ] {
                for byte in [0, 1, 0xff] {
                    let object = parsed(|out| shape.put(&vec![byte; frame.size], 4, out));
                    let mut names: Vec<&str> = object
                        .as_object()
                        .unwrap()
                        .keys()
                        .map(String::as_str)
                        .collect();
                    let mut shown: Vec<&str> = frame
                        .fields
                        .iter()
                        .filter(|field| is_shown(field))
                        .map(|field| field.name)
                        .collect();
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
        let encoder = RecordEncoder::of(game);
        let mut raise: Action = bytemuck::Zeroable::zeroed();
        (raise.kind, raise.lowest, raise.highest) = (kind::RAISE, 20, 1000);
        let actions = [raise, bytemuck::Zeroable::zeroed()];
        let read = parsed(|out| {
            encoder
                .action
                .put_all(bytemuck::cast_slice(&actions), 2, out)
        });
        assert_eq!(
            (&read[0]["kind"], &read[0]["lowest"], &read[0]["highest"]),
            (&json!("raise"), &json!(20), &json!(1000))
        );
        assert_eq!(read.as_array().unwrap().len(), 2);
        assert_eq!(parsed(|out| encoder.action.put_all(&[], 2, out)), json!([]));
        assert_eq!(Action::FRAME.size, size_of::<Action>());
    }
}
