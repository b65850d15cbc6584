//! Generation of the Luau source that converts frames (views, actions and events in binary form) to
//! tables. The source is generated from the descriptions of the frames, so new games need no code
//! here.
//!
//! The host copies frames to one buffer ([`BufferLayout`]), from which the generated source reads
//! them. Scalars of the view are written to one table at every decision. Sets and arrays are
//! converted when the script accesses them. Actions become frozen tables, created once for each
//! distinct record.

use crate::games::GameInfo;
use crate::text::joined;
use hattari_plugin::games::frame::{Field, Frame, Meaning, Scalar, Type};

/// Offset of the chosen index, a float.
pub(super) const CHOICE: usize = 0;
/// Offset of the chosen amount, a float.
pub(super) const AMOUNT: usize = 8;
/// Offset of the number of legal actions or payoffs.
pub(super) const COUNT: usize = 16;
/// Offset of the number of the deal. If it changes, the history starts again.
pub(super) const DEAL: usize = 20;
/// Offset of the numbers of actions embedded in the view.
pub(super) const EMBEDDED: usize = 24;
/// Maximum number of actions of a decision.
pub(super) const LEGAL_MAX: usize = 4096;
/// Maximum number of actions converted to tables in one call.
pub(super) const LEARN_MAX: usize = 256;
/// Maximum number of events passed in one call.
pub(super) const EVENTS_MAX: usize = 256;

/// The layout of the buffer between host and script. The script writes the choice and the amount;
/// the host writes the rest.
pub(super) struct BufferLayout {
    /// Offsets in the view at which actions are embedded. The buffer contains the numbers of these
    /// actions from [`EMBEDDED`] on.
    pub embedded: Vec<usize>,
    /// Offset in an event at which an action is embedded, if any. The first four bytes there are
    /// replaced by the action's number.
    pub event_action: Option<usize>,
    /// Offsets of the sets of cards in an action. In new actions, the first four bytes there are
    /// replaced by the number of the card list.
    pub action_cards: Vec<usize>,
    /// Offset of the view.
    pub view: usize,
    /// Offset of the numbers of the legal actions; at the end of a deal, of the payoffs, which are
    /// floats.
    pub legal: usize,
    /// Offset of actions for which no tables exist yet.
    pub learn: usize,
    /// Offset of events.
    pub events: usize,
    /// Size of the buffer in bytes.
    pub size: usize,
}

impl BufferLayout {
    /// Returns the layout for a game.
    pub(super) fn of(game: &GameInfo) -> BufferLayout {
        let embedded: Vec<usize> = (game.view.fields.iter())
            .filter(|field| is_action(game, field))
            .flat_map(|field| {
                (0..field.array.unwrap_or(1)).map(|i| field.offset + i * game.action.size)
            })
            .collect();
        let event_action = (game.event.fields.iter())
            .find(|field| is_action(game, field) && field.array.is_none());
        let view = (EMBEDDED + 4 * embedded.len()).next_multiple_of(8);
        let legal = (view + game.view.size).next_multiple_of(8);
        let learn = legal + 4 * LEGAL_MAX;
        let events = learn + game.action.size * LEARN_MAX;
        let size = events + game.event.size * EVENTS_MAX;
        let sets = (game.action.fields.iter()).filter(|field| is_set_of_cards(field));
        BufferLayout {
            event_action: event_action.map(|field| field.offset),
            action_cards: sets.map(|field| field.offset).collect(),
            embedded,
            view,
            legal,
            learn,
            events,
            size,
        }
    }
}

/// Generates the decoder of a game: a chunk with these arguments in order:
///
/// - the buffer
/// - the names of cards by number
/// - the card lists of actions by number
/// - the Luau source of the game, which adds fields to records
/// - the function that fetches events
/// - the function that returns the error message for an unknown field
/// - the two C functions of [`super::host::push_strict`]
pub(super) fn source(game: &GameInfo) -> String {
    let layout = BufferLayout::of(game);
    let mut writer = SourceWriter {
        game,
        tables: String::new(),
        n_tables: 0,
        readers: String::new(),
    };
    let action = writer.reader(&game.action, &added(game, &game.action));
    // An action in an event is looked up by its number.
    let fields = writer.fields(&game.event, |field| {
        let offset = layout
            .event_action
            .filter(|&offset| offset == field.offset)?;
        Some(format!("moves[readu32(buf, o + {offset})]"))
    });
    writer.readers += &format!(
        "local function read_event_line(o)\n    return freeze(setmetatable({{\n{fields}    }}, STRICT_EVENT))\nend\n"
    );
    let (eager, lazy) = writer.view(&layout);
    let has_phase = game.view.fields.iter().any(|field| field.name == "phase");
    let phase = if has_phase { "view.phase" } else { "nil" };
    let mut text = include_str!("luau/decoder.luau").to_owned();
    let special = game.hosted.phase;
    let special = special.map_or("nil".to_owned(), |phase| format!("{:?}", phase.name));
    let constants = format!(
        "local SPECIAL = {special}\nlocal CHOICE, AMOUNT, COUNT, DEAL = {CHOICE}, {AMOUNT}, {COUNT}, {DEAL}\n\
         local LEGAL, LEARN, EVENTS = {}, {}, {}\n\
         local ACTION_SIZE, EVENT_SIZE, EVENTS_MAX = {}, {}, {EVENTS_MAX}\n",
        layout.legal, layout.learn, layout.events, game.action.size, game.event.size,
    );
    for (mark, value) in [
        ("--@constants", constants),
        ("--@strict", strict(game)),
        ("--@tables", writer.tables),
        ("--@readers", writer.readers),
        ("--@lazy", lazy),
        ("--@initial", initial(&eager)),
        ("--@eager", eager),
        (
            "--@aliases",
            format!("local read_action, read_event = {action}, read_event_line\n"),
        ),
        ("PHASE", phase.to_owned()),
    ] {
        text = text.replacen(mark, value.trim_end(), 1);
    }
    text
}

/// Returns initial values for the fields that are assigned at every decision, so that the table of
/// the view has a slot for each.
fn initial(eager: &str) -> String {
    eager
        .lines()
        .filter_map(|line| line.trim().strip_prefix("view.")?.split_once(' '))
        .map(|(name, _)| format!("        {name} = false,\n"))
        .collect()
}

/// Returns the fields that the game's own Luau source (its supplement) adds to a record.
fn added(game: &GameInfo, frame: &Frame) -> Vec<&'static str> {
    let of_frame = game
        .hosted
        .fields
        .iter()
        .filter(|field| field.0 == frame.name);
    let is_new = |name: &&str| frame.fields.iter().all(|field| field.name != *name);
    of_frame.map(|field| field.1).filter(is_new).collect()
}

/// Generates the metatables that reject unknown fields of the view, actions and events.
fn strict(game: &GameInfo) -> String {
    // The names of a frame's fields, and of those that may be nil.
    let fields = |frame: &Frame, more: &[&'static str]| {
        let names = shown(frame)
            .map(|field| field.name)
            .chain(added(game, frame));
        let optional = shown(frame)
            .filter(|field| field.array.is_none() && may_be_nil(field))
            .map(|field| format!("{} = true", field.name));
        let names = listed(names.chain(more.iter().copied()));
        format!("{names}, {}", list(optional))
    };
    format!(
        "local FIELDS, OPTIONAL = {}\nlocal STRICT_ACTION = strict(\"an action\", {})\n\
         local STRICT_EVENT = strict(\"an event\", {})\n",
        fields(&game.view, &["history"]),
        fields(&game.action, &[]),
        fields(&game.event, &[]),
    )
}

/// Returns the Luau source of a table with these entries.
fn list(entries: impl Iterator<Item = String>) -> String {
    format!("{{ {} }}", joined(entries, ", "))
}

/// Returns the Luau source of a list of names.
fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    list(names.into_iter().map(|name| format!("{name:?}")))
}

struct SourceWriter<'a> {
    game: &'a GameInfo,
    /// Source of the tables of codes and flags.
    tables: String,
    n_tables: usize,
    readers: String,
}

impl SourceWriter<'_> {
    /// Generates a function that converts the frame at an offset to a table, and returns its name.
    /// The table is created with room for the `added` fields, which are set later, so that it is
    /// not reallocated.
    fn reader(&mut self, frame: &Frame, added: &[&str]) -> String {
        let name = format!("read_{}", frame.name);
        let head = format!("local function {name}(o)");
        if self.readers.contains(&head) {
            return name;
        }
        let is_action = frame.name == self.game.action.name;
        let mut fields = self.fields(frame, |field| {
            (is_action && is_set_of_cards(field))
                .then(|| format!("CARD_LISTS[readu32(buf, o + {})]", field.offset))
        });
        for name in added {
            fields += &format!("        {name} = false,\n");
        }
        self.readers += &format!("{head}\n    return {{\n{fields}    }}\nend\n");
        name
    }

    /// Generates the fields of the table of a frame. `own` returns the expressions of fields that
    /// are not read from the frame itself.
    fn fields(&mut self, frame: &Frame, own: impl Fn(&Field) -> Option<String>) -> String {
        let mut fields = String::new();
        for field in shown(frame) {
            let value = own(field).unwrap_or_else(|| self.value(field, None));
            fields += &format!("        {} = {value},\n", field.name);
        }
        fields
    }

    /// Generates the statements that fill the view at every decision, and the functions that read a
    /// field on access.
    fn view(&mut self, layout: &BufferLayout) -> (String, String) {
        let (mut eager, mut lazy) = (String::new(), String::new());
        let mut n_embedded = 0;
        let game = self.game;
        for field in shown(&game.view) {
            let name = field.name;
            match (is_action(game, field), field.array) {
                (true, None) => {
                    let number = EMBEDDED + 4 * n_embedded;
                    eager +=
                        &format!("        rawset(view, {name:?}, moves[readu32(buf, {number})])\n");
                    n_embedded += 1;
                }
                (true, Some(n)) => {
                    let number = |i| {
                        let at = EMBEDDED + 4 * i;
                        format!("moves[readu32(buf, {at})] or false")
                    };
                    let list = list((n_embedded..n_embedded + n).map(number));
                    lazy += &format!("    {name} = function() return {list} end,\n");
                    n_embedded += n;
                }
                (false, array) => {
                    let value = self.value(field, Some(layout.view));
                    // Other values are cheap to read at every decision.
                    let is_table = matches!(
                        field.meaning,
                        Meaning::Cards | Meaning::Seats | Meaning::Record | Meaning::Flags(_)
                    );
                    if is_table || array.is_some() {
                        lazy += &format!("    {name} = function() return {value} end,\n");
                    } else if may_be_nil(field) {
                        eager += &format!("        rawset(view, {name:?}, {value})\n");
                    } else {
                        eager += &format!("        view.{name} = {value}\n");
                    }
                }
            }
        }
        (eager, lazy)
    }

    /// Generates the expression of a field's value. `view` is the offset of the view if the field
    /// is one of its fields. Other records are at the offset in the variable `o`, and their tables
    /// are read-only.
    fn value(&mut self, field: &Field, view: Option<usize>) -> String {
        let mut element = |offset: usize, none: &str| match view {
            Some(view) => self.element(field, &(view + offset).to_string(), false, none),
            None => self.element(field, &format!("o + {offset}"), true, none),
        };
        let Some(n) = field.array else {
            return element(field.offset, "nil");
        };
        let stride = field.ty.size();
        let elements = (0..n).map(|i| element(field.offset + i * stride, "false"));
        freeze(list(elements), view.is_none())
    }

    /// Generates the expression of the single value at offset `at`. `frozen` requests read-only
    /// tables; `none` is the expression of a missing value.
    fn element(&mut self, field: &Field, at: &str, frozen: bool, none: &str) -> String {
        let scalar = match field.ty {
            Type::Frame(frame) => {
                let reader = self.reader(frame, &[]);
                return freeze(format!("{reader}({at})"), frozen);
            }
            Type::Scalar(scalar) => scalar,
        };
        let raw = read(scalar, at);
        match field.meaning {
            Meaning::Flag => format!("{raw} ~= 0"),
            Meaning::Card => format!("NAMES[{raw} + 1] or {none}"),
            Meaning::Seat | Meaning::Ordinal => format!("one_on({raw}, {none})"),
            Meaning::Seats => freeze(format!("seats({raw})"), frozen),
            Meaning::Cards => {
                let (low, high) = if scalar.size() == 8 {
                    let high = read(Scalar::U32, &format!("{at} + 4"));
                    (read(Scalar::U32, at), high)
                } else {
                    (raw, "0".to_owned())
                };
                freeze(format!("cards({low}, {high})"), frozen)
            }
            Meaning::Code(codes) => {
                let table = self.codes(codes);
                format!("{table}[{raw} + 1]")
            }
            Meaning::Flags(flags) => {
                let table = self.flags(flags);
                format!("{table}({raw})")
            }
            Meaning::Number | Meaning::Size | Meaning::Reserved | Meaning::Record => raw,
        }
    }

    /// Generates a Luau list of the texts for codes, and returns the name of the list.
    fn codes(&mut self, codes: &[(&str, u64)]) -> String {
        let name = format!("CODES_{}", self.n_tables);
        self.n_tables += 1;
        let last = codes.iter().map(|(_, code)| *code).max().unwrap_or(0);
        let entry = |code| {
            let text = codes.iter().find(|(_, known)| *known == code);
            text.map_or_else(|| "nil".to_owned(), |(text, _)| format!("{text:?}"))
        };
        let entries = list((0..=last).map(entry));
        self.tables += &format!("local {name} = {entries}\n");
        name
    }

    /// Generates a function that converts a mask to a frozen table of booleans, and returns its
    /// name.
    fn flags(&mut self, flags: &[(&str, u64)]) -> String {
        let name = format!("flags_{}", self.n_tables);
        self.n_tables += 1;
        let entries = flags
            .iter()
            .map(|(text, mask)| format!("{text} = btest(mask, {mask})"));
        let entries = list(entries);
        let names = listed(flags.iter().map(|(text, _)| *text));
        // The cache has slots for all sets of up to eight flags.
        let masks = flags.iter().fold(0, |all, (_, mask)| all | mask).min(255) + 1;
        self.tables += &format!(
            "local strict_{name} = strict(\"this set of flags\", {names}, {{}})\nlocal known_{name} = table.create({masks})\n\
             local function {name}(mask)\n    local flags = known_{name}[mask + 1]\n    if flags == nil then\n        \
             flags = freeze(setmetatable({entries}, strict_{name}))\n        known_{name}[mask + 1] = flags\n    end\n    \
             return flags\nend\n"
        );
        name
    }
}

/// Generates the expression of a table, read-only if `is_frozen`.
fn freeze(table: String, is_frozen: bool) -> String {
    if is_frozen {
        format!("freeze({table})")
    } else {
        table
    }
}

/// Returns the fields of a frame that scripts and programs see.
pub(crate) fn shown(frame: &Frame) -> impl Iterator<Item = &'static Field> {
    frame
        .fields
        .iter()
        .filter(|field| !matches!(field.meaning, Meaning::Size | Meaning::Reserved))
}

/// Returns `true` if a single value of the field may be nil.
pub(super) fn may_be_nil(field: &Field) -> bool {
    matches!(
        field.meaning,
        Meaning::Card | Meaning::Seat | Meaning::Ordinal
    ) || matches!(field.ty, Type::Frame(_))
}

/// Returns `true` if a field contains actions of the game.
fn is_action(game: &GameInfo, field: &Field) -> bool {
    matches!(field.ty, Type::Frame(frame) if frame.name == game.action.name)
}

/// Returns `true` if a field is a single set of cards, of 8 bytes.
fn is_set_of_cards(field: &Field) -> bool {
    let is_word = matches!(field.ty, Type::Scalar(Scalar::U64 | Scalar::I64));
    is_word && field.array.is_none() && matches!(field.meaning, Meaning::Cards)
}

/// Generates the expression that reads a scalar. Integers beyond 2^53 lose their low bits, because
/// Luau's numbers are floats.
fn read(scalar: Scalar, at: &str) -> String {
    match scalar {
        Scalar::U8 => format!("readu8(buf, {at})"),
        Scalar::U16 => format!("readu16(buf, {at})"),
        Scalar::U32 => format!("readu32(buf, {at})"),
        Scalar::I32 => format!("readi32(buf, {at})"),
        Scalar::U64 => format!("(readu32(buf, {at}) + readu32(buf, {at} + 4) * 4294967296)"),
        Scalar::I64 => format!("(readu32(buf, {at}) + readi32(buf, {at} + 4) * 4294967296)"),
    }
}
