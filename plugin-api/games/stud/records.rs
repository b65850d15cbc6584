//! What crosses the border: action, event and view of stud.

use crate::frame;
use crate::frame::Meaning;
use crate::poker::card::NO_CARD;
use crate::poker::event::Entry;

/// Most seats of a table: with more the deck would not reach to the sixth card.
pub const PLAYERS_MAX: usize = 8;

/// Kinds of action, [`Action::kind`].
pub mod kind {
    /// Give up the pot.
    pub const FOLD: u8 = 0;
    /// Stay in without adding chips.
    pub const CHECK: u8 = 1;
    /// Add what is owed.
    pub const CALL: u8 = 2;
    /// Bet, complete or raise.
    pub const RAISE: u8 = 3;
    /// Post the bring-in and no more.
    pub const BRING_IN: u8 = 4;
    /// Turn a hidden card up.
    pub const OPEN: u8 = 5;
}

/// What is to decide, [`View::phase`].
pub mod phase {
    /// Bet, call or fold.
    pub const BET: u8 = 0;
    /// Which hidden card to turn up.
    pub const OPEN: u8 = 1;
    /// Nothing: the deal is over.
    pub const OVER: u8 = 2;
}

/// Limits, [`View::limit`].
pub mod limit {
    /// Bets of one size.
    pub const FIXED_LIMIT: u8 = 2;
    /// Bets and raises by no more than the pot before the street.
    pub const STREET_POT: u8 = 3;
}

frame! {
    /// Something that a seat may do: fold, check, call, bet and raise, post the bring-in, or turn a card up.
    pub struct Action: "stud_action" {
        /// What. A bet is a raise over nothing, and so is completing the bring-in.
        kind: u8 => Meaning::Code(&[("fold", 0), ("check", 1), ("call", 2), ("raise", 3), ("bring_in", 4), ("open", 5)]),
        /// The hidden card to be turned up; 0xff for other kinds.
        card: u8 => Meaning::Card,
        /// Zero.
        reserved: [u8; 6] => Meaning::Reserved,
        /// For a call and the bring-in the chips that it takes. For a raise the least amount: amounts are what you will have
        /// put in on this street in all, so they count what lies there already. 0 for other kinds.
        lowest: i64 => Meaning::Number,
        /// For a raise the highest amount; else as `lowest`.
        highest: i64 => Meaning::Number,
    }
}

frame! {
    /// One line of the public record: who did what.
    pub struct Event: "stud_event" {
        /// What happened. `street` begins a new street, with a community card where the deck had too few, `up` has cards
        /// dealt face up, `open` the card turned up, `show` a seat's whole hand, `return` gives chips back that nobody
        /// matched, `win` pays out.
        kind: u8 => Meaning::Code(&[("fold", 0), ("check", 1), ("call", 2), ("raise", 3), ("bring_in", 4), ("open", 5),
            ("ante", 6), ("street", 8), ("up", 9), ("show", 10), ("return", 11), ("win", 12)]),
        /// Whose; nobody for a new street.
        seat: u8 => Meaning::Seat,
        /// On which street.
        street: u8 => Meaning::Ordinal,
        /// Whether the seat has put in all its chips with it.
        flags: u8 => Meaning::Flags(&[("all_in", 1)]),
        /// Zero.
        reserved: u32 => Meaning::Reserved,
        /// Chips: put in for antes, the bring-in and calls; got back or won; for a raise the seat's total of this street.
        amount: i64 => Meaning::Number,
        /// Cards that all have seen with it.
        cards: u64 => Meaning::Cards,
    }
}

frame! {
    /// All that a seat may know now. Arrays go by seat; seats past `players` are empty.
    pub struct View: "stud_view" {
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
        /// The dealer's seat: of equal hands showing the first after it acts first. In seven turns the seat that bets first.
        button: u8 => Meaning::Seat,
        /// The street, in seven turns the turn.
        street: u8 => Meaning::Ordinal,
        /// How many streets there are.
        streets: u8 => Meaning::Number,
        /// What is to decide.
        phase: u8 => Meaning::Code(&[("bet", 0), ("open", 1), ("over", 2)]),
        /// How much may be bet.
        limit: u8 => Meaning::Code(&[("fixed_limit", 2), ("street_pot", 3)]),
        /// Bets and raises of this street so far, the bring-in not counted.
        raises: u8 => Meaning::Number,
        /// Most of them that the rules allow on a street; 0 for no bound.
        raises_max: u8 => Meaning::Number,
        /// Zero.
        reserved: [u8; 3] => Meaning::Reserved,
        /// Seats that have not folded.
        in_play: u32 => Meaning::Seats,
        /// Of these, the ones that have no chips left.
        all_in: u32 => Meaning::Seats,
        /// Your cards.
        hand: u64 => Meaning::Cards,
        /// Of these, the ones that nobody else has seen.
        down: u64 => Meaning::Cards,
        /// Community cards: one where the deck had too few for all, else none.
        community: u64 => Meaning::Cards,
        /// All chips put in in this deal, this street's bets among them.
        pot: i64 => Meaning::Number,
        /// All chips put in before this street.
        street_pot: i64 => Meaning::Number,
        /// What a seat must have put in on this street to stay in.
        level: i64 => Meaning::Number,
        /// Chips that you would have to add to stay in, all you have at most.
        to_call: i64 => Meaning::Number,
        /// The bet of this street; in seven turns the least bet.
        bet: i64 => Meaning::Number,
        /// Chips of the ante.
        ante: i64 => Meaning::Number,
        /// Chips of the bring-in.
        bring_in: i64 => Meaning::Number,
        /// Chips that each seat has left.
        stacks: [i64; PLAYERS_MAX] => Meaning::Number,
        /// Chips that each seat has put in on this street.
        bets: [i64; PLAYERS_MAX] => Meaning::Number,
        /// Chips that each seat has put in in this deal.
        paid: [i64; PLAYERS_MAX] => Meaning::Number,
        /// Chips that each seat has won in the finished deals of this block, less those lost.
        results: [i64; PLAYERS_MAX] => Meaning::Number,
        /// Cards of each seat that lie face up, those of folded hands too.
        up: [u64; PLAYERS_MAX] => Meaning::Cards,
        /// Cards of each seat that all have seen: those face up, and whole hands at the end.
        shown: [u64; PLAYERS_MAX] => Meaning::Cards,
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
            card: NO_CARD,
            reserved: [0; 6],
            lowest,
            highest,
        }
    }

    /// Turning a card up.
    #[inline]
    #[must_use]
    pub const fn open(card: u8) -> Action {
        Action {
            kind: kind::OPEN,
            card,
            reserved: [0; 6],
            lowest: 0,
            highest: 0,
        }
    }
}

impl View {
    /// How many players have not folded.
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
