//! The records of hold'em: action, event and view.

use crate::frame::{Code, Meaning, pick};
use crate::poker::SEATS_MAX;
use crate::poker::event::{Acts, flag};
use crate::poker::records::shared_view;
use crate::{codes, frame};

pub use crate::poker::records::{kind, limit};

codes! {
    /// Streets, [`View::street`].
    pub mod street {
        /// Two cards each.
        PREFLOP = 0,
        /// Three community cards.
        FLOP = 1,
        /// A fourth.
        TURN = 2,
        /// A fifth.
        RIVER = 3,
    }
}

const ACTIONS: &[Code] = &pick(kind::NAMES, [0, 1, 2, 3]);
const EVENTS: &[Code] = &pick(kind::NAMES, [0, 1, 2, 3, 6, 7, 8, 10, 11, 12]);
const LIMITS: &[Code] = &pick(limit::NAMES, [0, 1, 2]);

frame! {
    /// Something that a seat may do: fold, check, call, or bet and raise by an amount of its choice.
    pub struct Action: "holdem_action" {
        /// What. A bet is a raise over nothing.
        kind: u8 => Meaning::Code(ACTIONS),
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
        kind: u8 => Meaning::Code(EVENTS),
        /// Whose; nobody for a new street.
        seat: u8 => Meaning::Seat,
        /// On which street.
        street: u8 => Meaning::Code(street::NAMES),
        /// Whether the seat has put in all its chips with it.
        flags: u8 => Meaning::Flags(flag::NAMES),
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
        street: u8 => Meaning::Code(street::NAMES),
        /// 1 when the deal is over.
        over: u8 => Meaning::Flag,
        /// How much may be bet.
        limit: u8 => Meaning::Code(LIMITS),
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

impl Acts for Action {}

impl Action {
    /// Creates an action of a kind with its amounts.
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

shared_view!(View);
