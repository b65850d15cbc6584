//! The records of daihinmin: action, event and view.

use super::card::{self, CardSet};
use crate::{codes, frame};

// Records are exchanged as they are in memory, and their format is little-endian.
const _: () = assert!(cfg!(target_endian = "little"), "records are little-endian");

/// Number of players.
pub const PLAYERS: usize = 5;
/// Value for no seat, title or cell.
pub const NONE: u8 = 0xff;

codes! {
    /// Kinds of action, [`Action::kind`].
    pub mod kind {
        /// No cards.
        PASS = 0,
        /// One card, including the joker alone.
        SINGLE = 1,
        /// Two or more cards of one rank.
        GROUP = 2,
        /// Three or more consecutive ranks of one suit.
        SEQUENCE = 3,
        /// Cards given away in the exchange.
        GIVE = 4,
    }

    /// Effects of a play, [`Action::effects`].
    pub mod effect {
        /// Clears the trick at once: an eight, or the three of spades on a lone joker. Such a play
        /// locks no suits.
        CUT = 1,
        /// Reverses the order of ranks.
        REVOLUTION = 2,
        /// Locks the suits until the trick ends. They were not locked before.
        LOCK = 4,
        /// Reverses the order of ranks until the trick ends (option `eleven_back`).
        ELEVEN_BACK = 8,
    }

    /// Phases of a deal, [`View::phase`].
    pub mod phase {
        /// Choice of cards to give away.
        EXCHANGE = 0,
        /// Choice of a play or a pass.
        PLAY = 1,
        /// The deal is over.
        OVER = 2,
    }

    /// Kinds of event, [`Event::kind`].
    pub mod event {
        /// A seat played or passed.
        ACTION = 0,
        /// The trick ended; the seat leads the next one.
        LEAD = 1,
        /// The place of the seat is final: the seat has no cards left, or the deal is over.
        OUT = 2,
    }

    /// State of the table after an event, [`Event::flags`].
    pub mod flag {
        /// The table is empty.
        EMPTY = 1,
        /// Suits are locked.
        LOCK = 2,
        /// A revolution is in effect.
        REVOLUTION = 4,
        /// A jack has reversed the order of ranks until the trick ends.
        ELEVEN_BACK = 8,
    }

    /// Options of the rules that are on, [`View::rules`].
    pub mod rule {
        /// A group of four or a sequence of five reverses the order of ranks.
        REVOLUTION = 1,
        /// Two successive plays of the same suits lock them.
        LOCK = 2,
        /// Sequences are allowed.
        SEQUENCES = 4,
        /// Eights clear the trick.
        EIGHT_CUT = 8,
        /// Jacks reverse the order of ranks until the trick ends.
        ELEVEN_BACK = 16,
        /// A five skips the next seat once.
        FIVE_SKIP = 32,
        /// A six reverses the direction of play.
        SIX_REVERSE = 64,
        /// The direction of play is reversed at present; the only flag that is not an option.
        BACKWARDS = 128,
    }
}

frame! {
    /// An action: pass, play cards, or give cards away in the exchange.
    pub struct Action: "daihinmin_action" {
        /// Cards that leave the hand. A joker is listed as the joker, not as the card it replaces.
        cards: u64 => Cards,
        /// Cells that the play covers on the table. A joker covers the cell of the card it
        /// replaces. A lone joker and the joker in a group of five cover no cell.
        cells: u64 => Cards,
        /// Kind of action: pass, single, group, sequence or give.
        kind: u8 => Code(kind::NAMES),
        /// Number of cards.
        count: u8,
        /// Lowest column covered: 1 for rank 3, 2 for rank 4, … 13 for rank 2. Columns 0 and 14
        /// occur only if the joker is below 3 or above 2. 15 for a lone joker; 0 for pass and give.
        column: u8,
        /// Suits covered, one bit each: spades 1, hearts 2, diamonds 4, clubs 8. 0 for a lone
        /// joker.
        suits: u8,
        /// Cell of the card that the joker replaces; 60 if it replaces none (alone or fifth in a
        /// group); 0xff without a joker.
        joker: u8 => Card,
        /// Effects of the play, if it is legal now.
        effects: u8 => Flags(effect::NAMES),
        /// Reserved; always 0.
        reserved: u16 => Reserved,
    }

    /// An event of the public history: an action or one of its consequences.
    pub struct Event: "daihinmin_event" {
        /// Kind of event: an action (play or pass), a new lead after the end of a trick, or the
        /// final place of a seat.
        kind: u8 => Code(event::NAMES),
        /// Seat that acted, leads, or received its final place.
        seat: u8 => Seat,
        /// State of the table after the event. After a play, the state includes that play, even if
        /// the play clears the trick.
        flags: u8 => Flags(flag::NAMES),
        /// For `out`: place of the seat, 0 is first.
        place: u8 => Ordinal,
        /// Reserved; always 0.
        reserved: u32 => Reserved,
        /// The action; all zero for other kinds.
        action: Action => Record,
    }

    /// All information that a seat has now.
    pub struct View: "daihinmin_view" {
        /// Size of this record in bytes. Later releases may add fields at the end.
        size: u32 => Size,
        /// Number of finished deals of this block.
        deal: u32,
        /// Planned number of deals of this block.
        deals: u32,
        /// Your seat. Seats are numbered in the order of play.
        seat: u8 => Seat,
        /// Phase of the deal.
        phase: u8 => Code(phase::NAMES),
        /// Number of cards to give away now. In the exchange, 2 for the highest title and 1 for the
        /// next; otherwise 0.
        give: u8,
        /// 1 while a revolution reverses the order of ranks.
        revolution: u8 => Flag,
        /// 1 while suits are locked.
        lock: u8 => Flag,
        /// 1 while a jack reverses the order of ranks for this trick (option `eleven_back`).
        eleven_back: u8 => Flag,
        /// 1 in the first deal after a reset of titles, which has no exchange and no titles.
        fresh: u8 => Flag,
        /// Seat of the play on the table; none while the table is empty (you lead).
        table_seat: u8 => Seat,
        /// Seats that have passed in this trick.
        passed: u8 => Seats,
        /// Seats without cards.
        out: u8 => Seats,
        /// 1 if the seat that played last gets another turn before the trick ends (option
        /// `ask_last_player_again`).
        ask_last: u8 => Flag,
        /// Options of the rules that are on. `backwards` is on while the direction of play is
        /// reversed (option `six_reverse`).
        rules: u8 => Flags(rule::NAMES),
        /// Your cards.
        hand: u64 => Cards,
        /// Cards that all seats have played in this deal.
        gone: u64 => Cards,
        /// Cards that you gave away in the exchange, by choice or by rule.
        given: u64 => Cards,
        /// Cards that you received in the exchange, if the rules reveal them. Lower titles know
        /// these cards; upper titles see only the larger hand.
        received: u64 => Cards,
        /// The play on the table; all zero while the table is empty.
        table: Action => Record,
        /// Points in this block so far, by seat.
        points: [i32; 5],
        /// Player number of each seat. Players keep their numbers during the block; seats are
        /// redrawn.
        players: [u8; 5] => Ordinal,
        /// Number of cards left, by seat.
        cards_left: [u8; 5],
        /// Title of each seat at the start of the deal: 0 daifugo, 1 fugo, 2 heimin, 3 hinmin, 4
        /// daihinmin; 0xff in a fresh deal.
        titles: [u8; 5] => Ordinal,
        /// Final place of each seat, 0 is first; 0xff while the seat plays.
        places: [u8; 5] => Ordinal,
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

    /// Packs the fields after the two sets into one word, the first in the lowest byte.
    #[inline]
    pub(super) const fn packed_fields(
        kind: u8,
        count: u8,
        column: u8,
        suits: u8,
        joker: u8,
        effects: u8,
    ) -> u64 {
        u64::from_le_bytes([kind, count, column, suits, joker, effects, 0, 0])
    }

    /// Bit position of [`Action::count`] in the word of [`Action::packed_fields`].
    pub(super) const COUNT_SHIFT: u32 = 8;
    /// Bit position of [`Action::effects`] in the word of [`Action::packed_fields`].
    pub(super) const EFFECTS_SHIFT: u32 = 40;

    /// Returns the two sets and the word of the other fields.
    #[inline]
    pub(super) fn words(&self) -> [u64; 3] {
        bytemuck::cast(*self)
    }

    /// Creates an action from its words. It is assembled in three words, because reading back
    /// single bytes that were just written stalls the processor.
    #[inline]
    pub(super) fn from_words(cards: CardSet, cells: CardSet, small: u64) -> Action {
        bytemuck::cast([cards, cells, small])
    }

    /// Returns `true` for a pass.
    pub fn is_pass(&self) -> bool {
        self.kind == kind::PASS
    }

    /// Returns `true` if the joker is among the cards.
    pub fn uses_joker(&self) -> bool {
        self.cards & card::JOKER_SET != 0
    }

    /// Returns `true` for the joker alone.
    pub fn is_lone_joker(&self) -> bool {
        self.kind == kind::SINGLE && self.uses_joker()
    }
}

impl Event {
    /// Creates an event from its fields and the words of its action.
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
    /// Returns the cards in other hands: all cards except the seat's own and those played.
    pub fn unseen(&self) -> CardSet {
        card::PACK & !self.hand & !self.gone
    }

    /// Returns the state of the table as in [`Event::flags`].
    pub fn flags(&self) -> u8 {
        let up = |up: u8, flag| if up == 0 { 0 } else { flag };
        up(u8::from(self.table.is_pass()), flag::EMPTY)
            | up(self.lock, flag::LOCK)
            | up(self.revolution, flag::REVOLUTION)
            | up(self.eleven_back, flag::ELEVEN_BACK)
    }
}
