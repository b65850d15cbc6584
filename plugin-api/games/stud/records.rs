//! The records of stud: action, event and view.

use crate::frame::{Code, pick};
use crate::poker::card::NO_CARD;
use crate::poker::event::{VariantActions, flag};
use crate::poker::records::shared_view;
use crate::{codes, frame};

pub use crate::poker::records::{kind, limit};

/// Maximum number of seats. With more, the deck is too short for a sixth card each.
pub const PLAYERS_MAX: usize = 8;

codes! {
    /// Phases of a deal, [`View::phase`]; numbered as [`Phase`](crate::poker::Phase).
    pub mod phase {
        /// Choice of a bet, a call or a fold.
        BET = 0,
        /// Choice of a hidden card to turn up.
        OPEN = 1,
        /// The deal is over; there is no choice.
        OVER = 2,
    }
}

const ACTIONS: &[Code] = &pick(kind::NAMES, [0, 1, 2, 3, 4, 5]);
const EVENTS: &[Code] = &pick(kind::NAMES, [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12]);
const LIMITS: &[Code] = &pick(limit::NAMES, [2, 3]);

frame! {
    /// An action: fold, check, call, bet or raise, post the bring-in, or turn a card up.
    pub struct Action: "stud_action" {
        /// Kind of action. A first bet is also a raise, and so is the completion of the bring-in.
        kind: u8 => Code(ACTIONS),
        /// Hidden card to turn up; 0xff for other kinds.
        card: u8 => Card,
        /// Reserved; always 0.
        reserved: [u8; 6] => Reserved,
        /// For a call or the bring-in: chips to add. For a raise: lowest total bet of this street,
        /// including chips already bet. 0 for other kinds.
        lowest: i64,
        /// For a raise: highest total bet of this street. Otherwise equal to `lowest`.
        highest: i64,
    }

    /// An event of the public history.
    pub struct Event: "stud_event" {
        /// Kind of event. `street` starts a new street, with a community card if the deck has too
        /// few cards. `up` contains cards dealt face up. `open` contains the card turned up. `show`
        /// contains the whole hand of a seat. `return` gives back chips that nobody matched. `win`
        /// pays chips out.
        kind: u8 => Code(EVENTS),
        /// Seat of the event; none for a new street.
        seat: u8 => Seat,
        /// Street of the event.
        street: u8 => Ordinal,
        /// `all_in` if the seat puts in its last chips with this event.
        flags: u8 => Flags(flag::NAMES),
        /// Reserved; always 0.
        reserved: u32 => Reserved,
        /// Chips put in for antes, the bring-in and calls; chips received for `return` and `win`;
        /// for a raise, the seat's total bet of this street.
        amount: i64,
        /// Cards that this event shows to all players.
        cards: u64 => Cards,
    }

    /// All information that a seat has now. Arrays are indexed by seat; seats from `players` on are
    /// empty.
    pub struct View: "stud_view" {
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
        /// Seat of the dealer. If several open hands are equal, the next one after the dealer
        /// acts first. In seven turns, the seat that bets first.
        button: u8 => Seat,
        /// Current street; in seven turns, the current turn.
        street: u8 => Ordinal,
        /// Number of streets of a deal.
        streets: u8,
        /// Phase of the deal.
        phase: u8 => Code(phase::NAMES),
        /// Betting limit.
        limit: u8 => Code(LIMITS),
        /// Number of bets and raises on this street so far, not counting the bring-in.
        raises: u8,
        /// Maximum of `raises` on a street; 0 for no limit.
        raises_max: u8,
        /// Reserved; always 0.
        reserved: [u8; 3] => Reserved,
        /// Seats that have not folded.
        in_play: u32 => Seats,
        /// Seats of `in_play` that have no chips left.
        all_in: u32 => Seats,
        /// Your cards.
        hand: u64 => Cards,
        /// Cards of `hand` that no other player has seen.
        down: u64 => Cards,
        /// Community cards: one if the deck had too few cards for all seats, otherwise none.
        community: u64 => Cards,
        /// Chips put in by all seats in this deal, including the bets of this street.
        pot: i64,
        /// Chips put in by all seats before this street.
        street_pot: i64,
        /// Total bet of this street in chips that a seat needs to stay in.
        level: i64,
        /// Chips that you must add to stay in, at most all that you have.
        to_call: i64,
        /// Bet of this street in chips; in seven turns, the minimum bet.
        bet: i64,
        /// Ante in chips.
        ante: i64,
        /// Bring-in in chips.
        bring_in: i64,
        /// Chips left, by seat.
        stacks: [i64; PLAYERS_MAX],
        /// Chips put in on this street, by seat.
        bets: [i64; PLAYERS_MAX],
        /// Chips put in during this deal, by seat.
        paid: [i64; PLAYERS_MAX],
        /// Chips won minus chips lost in the finished deals of this block, by seat.
        results: [i64; PLAYERS_MAX],
        /// Open cards of each seat, including those of folded hands.
        up: [u64; PLAYERS_MAX] => Cards,
        /// Cards of each seat that all players have seen: open cards, and whole hands at the end.
        shown: [u64; PLAYERS_MAX] => Cards,
    }
}

impl VariantActions for Action {}

impl Action {
    /// Creates an action of a kind with its amounts.
    #[inline]
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
