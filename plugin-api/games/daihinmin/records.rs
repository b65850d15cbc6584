//! The records of daihinmin: action, event and view.

use super::card::{self, CardSet};
use crate::frame::Meaning;
use crate::{codes, frame};

// Records are exchanged as they are in memory, and their format is little-endian.
const _: () = assert!(cfg!(target_endian = "little"), "records are little-endian");

/// Number of players.
pub const PLAYERS: usize = 5;
/// Number that stands for no seat, title or cell.
pub const NONE: u8 = 0xff;

codes! {
    /// Kinds of action, [`Action::kind`].
    pub mod kind {
        /// No cards.
        PASS = 0,
        /// One card, or the joker alone.
        SINGLE = 1,
        /// Two or more cards of one rank.
        GROUP = 2,
        /// Three or more neighbouring ranks of one suit.
        SEQUENCE = 3,
        /// Cards given away in the exchange.
        GIVE = 4,
    }
}

codes! {
    /// What a play brings about besides lying on the table, [`Action::effects`].
    pub mod effect {
        /// Clears the trick at once: an eight, or the three of spades on a lone joker. Such a play
        /// locks nothing.
        CUT = 1,
        /// Turns the order of ranks round.
        REVOLUTION = 2,
        /// Locks the suits until the trick ends; it was not locked before.
        LOCK = 4,
        /// Turns the order round until the trick ends (option `eleven_back`).
        ELEVEN_BACK = 8,
    }
}

codes! {
    /// Phases of a deal, [`View::phase`].
    pub mod phase {
        /// Choose cards to give away.
        EXCHANGE = 0,
        /// Play or pass.
        PLAY = 1,
        /// The deal is over.
        OVER = 2,
    }
}

codes! {
    /// Kinds of event, [`Event::kind`].
    pub mod event {
        /// A seat played or passed.
        ACTION = 0,
        /// The trick ended; the seat leads.
        LEAD = 1,
        /// The seat has its place: it has no cards left, or the deal is over and its place is settled.
        OUT = 2,
    }
}

codes! {
    /// State of the table after an event, [`Event::flags`].
    pub mod flag {
        /// No play lies on the table.
        EMPTY = 1,
        /// Suits are locked.
        LOCK = 2,
        /// A revolution is on.
        REVOLUTION = 4,
        /// A jack has turned the order round for this trick.
        ELEVEN_BACK = 8,
    }
}

codes! {
    /// Switches of the rules, [`View::rules`].
    pub mod rule {
        /// A group of four or a sequence of five turns the order of ranks round.
        REVOLUTION = 1,
        /// Two plays of the same suits lock them.
        LOCK = 2,
        /// Sequences may be played.
        SEQUENCES = 4,
        /// Eights clear the trick.
        EIGHT_CUT = 8,
        /// Jacks turn the order round until the trick ends.
        ELEVEN_BACK = 16,
        /// A five lets the next seat miss its turn.
        FIVE_SKIP = 32,
        /// A six turns the direction of play round.
        SIX_REVERSE = 64,
        /// Not a switch: play goes round backwards at the moment.
        BACKWARDS = 128,
    }
}

frame! {
    /// Something that a seat may do: pass, play cards, or give cards away in the exchange.
    pub struct Action: "daihinmin_action" {
        /// The cards that leave the hand, the joker as itself.
        cards: u64 => Meaning::Cards,
        /// The cells that the play covers on the table: the joker as the card it stands for; a lone joker and the
        /// joker in a group of five cover none.
        cells: u64 => Meaning::Cards,
        /// Pass, single, group, sequence or give.
        kind: u8 => Meaning::Code(kind::NAMES),
        /// Number of cards.
        count: u8 => Meaning::Number,
        /// Lowest column covered: 1 is 3, 2 is 4, … 13 is 2; 0 and 14 where the joker stands below 3 or above 2.
        /// 15 for a lone joker, 0 for pass and give.
        column: u8 => Meaning::Number,
        /// Suits covered, one bit each: spades 1, hearts 2, diamonds 4, clubs 8. 0 for a lone joker.
        suits: u8 => Meaning::Number,
        /// The cell that the joker stands for; 60 where it stands for none (alone or fifth in a group); 0xff without joker.
        joker: u8 => Meaning::Card,
        /// What the play brings about where it is legal now.
        effects: u8 => Meaning::Flags(effect::NAMES),
        /// Zero.
        reserved: u16 => Meaning::Reserved,
    }
}

frame! {
    /// One line of the public record: who did what, and what followed.
    pub struct Event: "daihinmin_event" {
        /// What happened: an action (play or pass), a new lead after a trick ended, or a seat that has got its place.
        kind: u8 => Meaning::Code(event::NAMES),
        /// Whose.
        seat: u8 => Meaning::Seat,
        /// State of the table after it. After a play it still shows that play, also where the play clears the trick.
        flags: u8 => Meaning::Flags(flag::NAMES),
        /// For `out`: place, 0 is first.
        place: u8 => Meaning::Ordinal,
        /// Zero.
        reserved: u32 => Meaning::Reserved,
        /// The action; all zero for other kinds.
        action: Action => Meaning::Record,
    }
}

frame! {
    /// All that a seat may know now.
    pub struct View: "daihinmin_view" {
        /// Size of this record in bytes. Later releases may add fields at the end.
        size: u32 => Meaning::Size,
        /// Deals of this block that are finished.
        deal: u32 => Meaning::Number,
        /// Deals planned for this block.
        deals: u32 => Meaning::Number,
        /// Your seat. Seats are numbered in the order of play.
        seat: u8 => Meaning::Seat,
        /// What is to decide.
        phase: u8 => Meaning::Code(phase::NAMES),
        /// Cards that you have to give away now: in the exchange the highest title gives 2, the next 1; else 0.
        give: u8 => Meaning::Number,
        /// 1 while the order of ranks is turned round by a revolution.
        revolution: u8 => Meaning::Flag,
        /// 1 while suits are locked.
        lock: u8 => Meaning::Flag,
        /// 1 while a jack has turned the order round for this trick (option `eleven_back`).
        eleven_back: u8 => Meaning::Flag,
        /// 1 in the first deal after ranks were reset: no exchange, no titles.
        fresh: u8 => Meaning::Flag,
        /// Seat whose play lies on the table; nobody while it is empty (you lead).
        table_seat: u8 => Meaning::Seat,
        /// Seats that have passed in this trick.
        passed: u8 => Meaning::Seats,
        /// Seats that are out of cards.
        out: u8 => Meaning::Seats,
        /// 1 where the seat that played last is asked again before the trick ends (the option of that name).
        ask_last: u8 => Meaning::Flag,
        /// Switches of the rules that are on; and, with `six_reverse`, whether play goes round backwards now.
        rules: u8 => Meaning::Flags(rule::NAMES),
        /// Your cards.
        hand: u64 => Meaning::Cards,
        /// Cards played in this deal, by anyone.
        gone: u64 => Meaning::Cards,
        /// Cards that you gave away in the exchange, chosen or taken.
        given: u64 => Meaning::Cards,
        /// Cards that you got in the exchange, where the rules let you know them: the lower titles do, the upper see only
        /// a hand that has grown.
        received: u64 => Meaning::Cards,
        /// The play on the table; all zero while it is empty.
        table: Action => Meaning::Record,
        /// Points in this block so far, by seat.
        points: [i32; 5] => Meaning::Number,
        /// Player who sits in each seat: players keep their number for the block, seats are redrawn.
        players: [u8; 5] => Meaning::Ordinal,
        /// Cards left in each seat.
        cards_left: [u8; 5] => Meaning::Number,
        /// Title that each seat came in with: 0 daifugo, 1 fugo, 2 heimin, 3 hinmin, 4 daihinmin; 0xff in a fresh deal.
        titles: [u8; 5] => Meaning::Ordinal,
        /// Place that each seat has finished in, 0 is first; 0xff while it plays.
        places: [u8; 5] => Meaning::Ordinal,
    }
}

impl Action {
    /// The pass.
    pub const PASS: Action = Action {
        cards: 0,
        cells: 0,
        kind: kind::PASS,
        count: 0,
        column: 0,
        suits: 0,
        joker: NONE,
        effects: 0,
        reserved: 0,
    };

    /// Creates an action from its fields. It is assembled in three words, because reading back
    /// single bytes that were just written would stall.
    #[expect(
        clippy::too_many_arguments,
        reason = "they are the fields of the record, in its order"
    )]
    #[inline]
    pub(super) fn packed(
        cards: CardSet,
        cells: CardSet,
        kind: u8,
        count: u8,
        column: u8,
        suits: u8,
        joker: u8,
        effects: u8,
    ) -> Action {
        Action::from_words(
            cards,
            cells,
            Action::small(kind, count, column, suits, joker, effects),
        )
    }

    /// Packs the fields after the two sets into one word, the first in the lowest byte.
    #[inline]
    pub(super) const fn small(
        kind: u8,
        count: u8,
        column: u8,
        suits: u8,
        joker: u8,
        effects: u8,
    ) -> u64 {
        u64::from_le_bytes([kind, count, column, suits, joker, effects, 0, 0])
    }

    /// Bit position of [`Action::count`] in that word.
    pub(super) const COUNT_SHIFT: u32 = 8;
    /// Bit position of [`Action::effects`] in that word.
    pub(super) const EFFECTS_SHIFT: u32 = 40;

    /// Returns the two sets and the word of the other fields.
    #[inline]
    pub(super) fn words(&self) -> [u64; 3] {
        bytemuck::cast(*self)
    }

    /// Creates an action from its words.
    #[inline]
    pub(super) fn from_words(cards: CardSet, cells: CardSet, small: u64) -> Action {
        bytemuck::cast([cards, cells, small])
    }

    /// Returns `true` for a pass.
    #[must_use]
    pub fn is_pass(&self) -> bool {
        self.kind == kind::PASS
    }

    /// Returns `true` if the joker is among the cards.
    #[must_use]
    pub fn uses_joker(&self) -> bool {
        self.cards & card::JOKER_SET != 0
    }

    /// Returns `true` for the joker alone.
    #[must_use]
    pub fn is_lone_joker(&self) -> bool {
        self.kind == kind::SINGLE && self.uses_joker()
    }
}

impl Event {
    /// Creates an event from its other fields and the words of an action.
    #[inline]
    pub(super) fn packed(
        kind: u8,
        seat: u8,
        flags: u8,
        place: u8,
        [cards, cells, small]: [u64; 3],
    ) -> Event {
        let head = u64::from_le_bytes([kind, seat, flags, place, 0, 0, 0, 0]);
        bytemuck::cast([head, cards, cells, small])
    }
}

impl View {
    /// Returns the cards in other hands: all cards except its own and those played.
    #[must_use]
    pub fn unseen(&self) -> CardSet {
        card::PACK & !self.hand & !self.gone
    }
}
