//! What crosses the border: action, event and view of hold'em.

use crate::frame;
use crate::frame::Meaning;
use crate::poker::SEATS_MAX;
use crate::poker::event::Entry;

/// Kinds of action, [`Action::kind`].
pub mod kind {
    /// Give up the pot.
    pub const FOLD: u8 = 0;
    /// Stay in without adding chips.
    pub const CHECK: u8 = 1;
    /// Add what is owed.
    pub const CALL: u8 = 2;
    /// Bet or raise, to an amount of one's choice.
    pub const RAISE: u8 = 3;
}

/// Streets, [`View::street`].
pub mod street {
    /// Two cards each.
    pub const PREFLOP: u8 = 0;
    /// Three community cards.
    pub const FLOP: u8 = 1;
    /// A fourth.
    pub const TURN: u8 = 2;
    /// A fifth.
    pub const RIVER: u8 = 3;
}

/// Limits, [`View::limit`].
pub mod limit {
    /// Up to all chips.
    pub const NO_LIMIT: u8 = 0;
    /// Raises by no more than the pot.
    pub const POT_LIMIT: u8 = 1;
    /// Bets of one size.
    pub const FIXED_LIMIT: u8 = 2;
}

frame! {
    /// Something that a seat may do: fold, check, call, or bet and raise by an amount of its choice.
    pub struct Action: "holdem_action" {
        /// What. A bet is a raise over nothing.
        kind: u8 => Meaning::Code(&[("fold", 0), ("check", 1), ("call", 2), ("raise", 3)]),
        /// Zero.
        reserved: [u8; 7] => Meaning::Reserved,
        /// For a call the chips that it takes. For a raise the least amount: amounts are what you will have put in on this
        /// street in all, so they count what lies there already. 0 for fold and check.
        lowest: i64 => Meaning::Number,
        /// For a raise the highest amount, with which you are all in unless a limit forbids it; else as `lowest`.
        highest: i64 => Meaning::Number,
    }
}

frame! {
    /// One line of the public record: who did what.
    pub struct Event: "holdem_event" {
        /// What happened. `street` begins a new street and has its community cards, `show` has a seat's two cards, `return`
        /// gives chips back that nobody matched, `win` pays out.
        kind: u8 => Meaning::Code(&[("fold", 0), ("check", 1), ("call", 2), ("raise", 3), ("ante", 6), ("blind", 7),
            ("street", 8), ("show", 10), ("return", 11), ("win", 12)]),
        /// Whose; nobody for a new street.
        seat: u8 => Meaning::Seat,
        /// On which street.
        street: u8 => Meaning::Code(&[("preflop", 0), ("flop", 1), ("turn", 2), ("river", 3)]),
        /// Whether the seat has put in all its chips with it.
        flags: u8 => Meaning::Flags(&[("all_in", 1)]),
        /// Zero.
        reserved: u32 => Meaning::Reserved,
        /// Chips: put in for antes, blinds and calls; got back or won; for a raise the seat's total of this street.
        amount: i64 => Meaning::Number,
        /// Cards of a new street or of a hand shown.
        cards: u64 => Meaning::Cards,
    }
}

frame! {
    /// All that a seat may know now. Arrays go by seat; seats past `players` are empty.
    pub struct View: "holdem_view" {
        /// Size of this record in bytes. Later releases may add fields at the end.
        size: u32 => Meaning::Size,
        /// Deals of this block that are finished.
        deal: u32 => Meaning::Number,
        /// Deals planned for this block.
        deals: u32 => Meaning::Number,
        /// Your seat. Seats are numbered clockwise, which is the order of play, and stay for the block.
        seat: u8 => Meaning::Seat,
        /// Players of the table.
        players: u8 => Meaning::Number,
        /// Seat with the button. The next two post the blinds; heads-up the button posts the small one.
        button: u8 => Meaning::Seat,
        /// The street.
        street: u8 => Meaning::Code(&[("preflop", 0), ("flop", 1), ("turn", 2), ("river", 3)]),
        /// 1 when the deal is over.
        over: u8 => Meaning::Flag,
        /// How much may be bet.
        limit: u8 => Meaning::Code(&[("no_limit", 0), ("pot_limit", 1), ("fixed_limit", 2)]),
        /// Bets and raises of this street so far, blinds not counted.
        raises: u8 => Meaning::Number,
        /// Most of them that the rules allow on this street; 0 for no bound.
        raises_max: u8 => Meaning::Number,
        /// Seats that have not folded.
        in_play: u16 => Meaning::Seats,
        /// Of these, the ones that have no chips left.
        all_in: u16 => Meaning::Seats,
        /// Your two cards.
        hand: u64 => Meaning::Cards,
        /// The community cards dealt so far.
        community: u64 => Meaning::Cards,
        /// All chips put in in this deal, this street's bets among them.
        pot: i64 => Meaning::Number,
        /// What a seat must have put in on this street to stay in.
        level: i64 => Meaning::Number,
        /// Chips that you would have to add to stay in, all you have at most.
        to_call: i64 => Meaning::Number,
        /// Chips of the small blind.
        small_blind: i64 => Meaning::Number,
        /// Chips of the big blind.
        big_blind: i64 => Meaning::Number,
        /// Chips of the ante.
        ante: i64 => Meaning::Number,
        /// Chips that each seat has left.
        stacks: [i64; SEATS_MAX] => Meaning::Number,
        /// Chips that each seat has put in on this street.
        bets: [i64; SEATS_MAX] => Meaning::Number,
        /// Chips that each seat has put in in this deal.
        paid: [i64; SEATS_MAX] => Meaning::Number,
        /// Chips that each seat has won in the finished deals of this block, less those lost.
        results: [i64; SEATS_MAX] => Meaning::Number,
        /// Cards of each seat that were shown to all.
        shown: [u64; SEATS_MAX] => Meaning::Cards,
    }
}

impl From<Entry> for Event {
    #[inline]
    fn from(entry: Entry) -> Event {
        let Entry {
            kind,
            seat,
            street,
            flags,
            amount,
            cards,
        } = entry;
        Event {
            kind,
            seat,
            street,
            flags,
            reserved: 0,
            amount,
            cards,
        }
    }
}

impl From<Event> for Entry {
    fn from(event: Event) -> Entry {
        let Event {
            kind,
            seat,
            street,
            flags,
            amount,
            cards,
            ..
        } = event;
        Entry {
            kind,
            seat,
            street,
            flags,
            amount,
            cards,
        }
    }
}

impl Action {
    /// An action of a kind with its amounts.
    #[inline]
    #[must_use]
    pub const fn new(kind: u8, lowest: i64, highest: i64) -> Action {
        Action {
            kind,
            reserved: [0; 7],
            lowest,
            highest,
        }
    }
}

impl View {
    /// How many players have not folded, you among them unless you have.
    #[must_use]
    pub fn in_play_count(&self) -> u32 {
        self.in_play.count_ones()
    }

    /// Whether a seat has not folded.
    #[must_use]
    pub fn is_in_play(&self, seat: u8) -> bool {
        self.in_play >> seat & 1 == 1
    }
}
