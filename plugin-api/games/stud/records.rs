//! The records of stud: action, event and view.

use crate::frame::{Code, Meaning, pick};
use crate::poker::card::NO_CARD;
use crate::poker::event::{Acts, flag};
use crate::poker::records::shared_view;
use crate::{codes, frame};

pub use crate::poker::records::{kind, limit};

/// Maximum number of seats. With more, the deck is too short for a sixth card each.
pub const PLAYERS_MAX: usize = 8;

codes! {
    /// What is to decide, [`View::phase`]; numbered as [`Phase`](crate::poker::Phase).
    pub mod phase {
        /// Bet, call or fold.
        BET = 0,
        /// Which hidden card to turn up.
        OPEN = 1,
        /// Nothing: the deal is over.
        OVER = 2,
    }
}

const ACTIONS: &[Code] = &pick(kind::NAMES, [0, 1, 2, 3, 4, 5]);
const EVENTS: &[Code] = &pick(kind::NAMES, [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12]);
const LIMITS: &[Code] = &pick(limit::NAMES, [2, 3]);

frame! {
    /// Something that a seat may do: fold, check, call, bet and raise, post the bring-in, or turn a card up.
    pub struct Action: "stud_action" {
        /// What. A bet is a raise over nothing, and so is completing the bring-in.
        kind: u8 => Meaning::Code(ACTIONS),
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
        kind: u8 => Meaning::Code(EVENTS),
        /// Whose; nobody for a new street.
        seat: u8 => Meaning::Seat,
        /// On which street.
        street: u8 => Meaning::Ordinal,
        /// Whether the seat has put in all its chips with it.
        flags: u8 => Meaning::Flags(flag::NAMES),
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
        phase: u8 => Meaning::Code(phase::NAMES),
        /// How much may be bet.
        limit: u8 => Meaning::Code(LIMITS),
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

impl Acts for Action {}

impl Action {
    /// Creates an action of a kind with its amounts.
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
}

shared_view!(View);
