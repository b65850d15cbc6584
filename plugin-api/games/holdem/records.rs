//! The records of hold'em: action, event and view.

use crate::frame::{Code, pick};
use crate::poker::SEATS_MAX;
use crate::poker::event::{VariantActions, flag};
use crate::poker::records::shared_view;
use crate::{codes, frame};

pub use crate::poker::records::{kind, limit};

codes! {
    /// Streets, [`View::street`].
    pub mod street {
        /// Two cards for each player.
        PREFLOP = 0,
        /// Three community cards.
        FLOP = 1,
        /// A fourth community card.
        TURN = 2,
        /// A fifth community card.
        RIVER = 3,
    }
}

const ACTIONS: &[Code] = &pick(kind::NAMES, [0, 1, 2, 3]);
const EVENTS: &[Code] = &pick(kind::NAMES, [0, 1, 2, 3, 6, 7, 8, 10, 11, 12]);
const LIMITS: &[Code] = &pick(limit::NAMES, [0, 1, 2]);

frame! {
    /// An action: fold, check, call, or bet or raise to a total of your choice.
    pub struct Action: "holdem_action" {
        /// Kind of action. A first bet is also a raise.
        kind: u8 => Code(ACTIONS),
        /// Reserved; always 0.
        reserved: [u8; 7] => Reserved,
        /// For a call: chips to add. For a raise: lowest total bet of this street, including chips
        /// already bet. 0 for fold and check.
        lowest: i64,
        /// For a raise: highest total bet of this street, which is all-in unless a limit forbids
        /// it. Otherwise equal to `lowest`.
        highest: i64,
    }

    /// An event of the public history.
    pub struct Event: "holdem_event" {
        /// Kind of event. `street` starts a new street and contains its community cards. `show`
        /// contains the two cards of a seat. `return` gives back chips that nobody matched. `win`
        /// pays chips out.
        kind: u8 => Code(EVENTS),
        /// Seat of the event; none for a new street.
        seat: u8 => Seat,
        /// Street of the event.
        street: u8 => Code(street::NAMES),
        /// `all_in` if the seat puts in its last chips with this event.
        flags: u8 => Flags(flag::NAMES),
        /// Reserved; always 0.
        reserved: u32 => Reserved,
        /// Chips put in for antes, blinds and calls; chips received for `return` and `win`; for a
        /// raise, the seat's total bet of this street.
        amount: i64,
        /// Cards of a new street or of a shown hand.
        cards: u64 => Cards,
    }

    /// All information that a seat has now. Arrays are indexed by seat; seats from `players` on are
    /// empty.
    pub struct View: "holdem_view" {
        /// Size of this record in bytes. Later releases may add fields at the end.
        size: u32 => Size,
        /// Number of finished deals of this block.
        deal: u32,
        /// Planned number of deals of this block.
        deals: u32,
        /// Your seat. Seats are numbered clockwise in the order of play and are fixed for the
        /// block.
        seat: u8 => Seat,
        /// Number of players at the table.
        players: u8,
        /// Seat with the button. The next two seats post the blinds; heads-up, the button posts the
        /// small blind.
        button: u8 => Seat,
        /// Current street.
        street: u8 => Code(street::NAMES),
        /// 1 if the deal is over.
        over: u8 => Flag,
        /// Betting limit.
        limit: u8 => Code(LIMITS),
        /// Number of bets and raises on this street so far, not counting blinds.
        raises: u8,
        /// Maximum of `raises` on this street; 0 for no limit.
        raises_max: u8,
        /// Seats that have not folded.
        in_play: u16 => Seats,
        /// Seats of `in_play` that have no chips left.
        all_in: u16 => Seats,
        /// Your two cards.
        hand: u64 => Cards,
        /// Community cards dealt so far.
        community: u64 => Cards,
        /// Chips put in by all seats in this deal, including the bets of this street.
        pot: i64,
        /// Total bet of this street in chips that a seat needs to stay in.
        level: i64,
        /// Chips that you must add to stay in, at most all that you have.
        to_call: i64,
        /// Small blind in chips.
        small_blind: i64,
        /// Big blind in chips.
        big_blind: i64,
        /// Ante in chips.
        ante: i64,
        /// Chips left, by seat.
        stacks: [i64; SEATS_MAX],
        /// Chips put in on this street, by seat.
        bets: [i64; SEATS_MAX],
        /// Chips put in during this deal, by seat.
        paid: [i64; SEATS_MAX],
        /// Chips won minus chips lost in the finished deals of this block, by seat.
        results: [i64; SEATS_MAX],
        /// Cards of each seat that were shown to all players.
        shown: [u64; SEATS_MAX] => Cards,
    }
}

impl VariantActions for Action {}

impl Action {
    /// Creates an action of a kind with its amounts.
    #[inline]
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
