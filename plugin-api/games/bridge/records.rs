//! The records of bridge: action, event and view.

use super::cards::{Card, CardSet};
use super::options::CALLS_MAX;
use crate::frame::Meaning;
use crate::{codes, frame};

/// Number that stands for no seat, card or call.
pub const NONE: u8 = 0xff;

codes! {
    /// Kinds of event, [`Event::kind`].
    pub mod event {
        /// A call of the auction.
        CALL = 0,
        /// Dummy's hand is put down.
        DUMMY = 1,
        /// A card is played.
        CARD = 2,
    }
}

codes! {
    /// Strains, [`View::strain`].
    pub mod strain {
        /// Spades are trumps.
        SPADES = 0,
        /// Hearts are trumps.
        HEARTS = 1,
        /// Diamonds are trumps.
        DIAMONDS = 2,
        /// Clubs are trumps.
        CLUBS = 3,
        /// No trumps.
        NO_TRUMP = 4,
    }
}

frame! {
    /// A card that may be played.
    pub struct Action: "bridge_action" {
        /// The card.
        card: u8 => Meaning::Card,
        /// Whose card it is: yours, or dummy's where you are declarer.
        seat: u8 => Meaning::Seat,
        /// Zero.
        reserved: [u8; 6] => Meaning::Reserved,
    }
}

frame! {
    /// One line of the public record: the calls, then the cards; dummy's hand after the first card.
    pub struct Event: "bridge_event" {
        /// What happened.
        kind: u8 => Meaning::Code(event::NAMES),
        /// Whose call, hand or card.
        seat: u8 => Meaning::Seat,
        /// The call: 0 pass, 1 double, 2 redouble, 3 to 37 the bids 1C, 1D, 1H, 1S, 1NT, 2C and so on to 7NT; else 255.
        call: u8 => Meaning::Number,
        /// The card played; else none.
        card: u8 => Meaning::Card,
        /// Trick of the card, from 0; else 0.
        trick: u8 => Meaning::Number,
        /// Who has won the trick, where this card was its last; else nobody.
        winner: u8 => Meaning::Seat,
        /// Zero.
        reserved: [u8; 2] => Meaning::Reserved,
        /// Dummy's hand; else none.
        cards: u64 => Meaning::Cards,
    }
}

frame! {
    /// All that a seat may know now. Arrays of four go by seat.
    pub struct View: "bridge_view" {
        /// Size of this record in bytes. Later releases may add fields at the end.
        size: u32 => Meaning::Size,
        /// Deals of this block that are finished.
        deal: u32 => Meaning::Number,
        /// Deals planned for this block.
        deals: u32 => Meaning::Number,
        /// Your seat: 0 North, 1 East, 2 South, 3 West.
        seat: u8 => Meaning::Seat,
        /// Who called first.
        dealer: u8 => Meaning::Seat,
        /// Who plays the contract.
        declarer: u8 => Meaning::Seat,
        /// Declarer's partner, whose cards declarer plays.
        dummy: u8 => Meaning::Seat,
        /// Tricks over six that declarer has undertaken, 1 to 7.
        level: u8 => Meaning::Number,
        /// Trumps.
        strain: u8 => Meaning::Code(strain::NAMES),
        /// 0 undoubled, 1 doubled, 2 redoubled.
        doubling: u8 => Meaning::Number,
        /// Sides that are vulnerable.
        vulnerable: u8 => Meaning::Flags(&[("north_south", 1), ("east_west", 2)]),
        /// Whose card is played next; nobody when the deal is over. Where it is dummy, declarer decides.
        turn: u8 => Meaning::Seat,
        /// Who leads, or led, to the trick under way.
        leader: u8 => Meaning::Seat,
        /// Cards of the trick under way, 0 to 3.
        on_table: u8 => Meaning::Number,
        /// Cards played in all.
        played_count: u8 => Meaning::Number,
        /// Tricks won by North-South and by East-West.
        won: [u8; 2] => Meaning::Number,
        /// Calls of the auction.
        call_count: u8 => Meaning::Number,
        /// 1 once dummy's hand is on the table.
        dummy_shown: u8 => Meaning::Flag,
        /// Zero.
        reserved: [u8; 4] => Meaning::Reserved,
        /// The cards that you hold.
        hand: u64 => Meaning::Cards,
        /// The cards that dummy holds, once they are shown.
        dummy_hand: u64 => Meaning::Cards,
        /// The cards that each seat has played.
        played: [u64; 4] => Meaning::Cards,
        /// Your points in the finished deals of this block; of each seat.
        results: [i64; 4] => Meaning::Number,
        /// The cards in the order in which they were played, four a trick; none from `played_count` on.
        cards: [u8; 52] => Meaning::Card,
        /// Who led to each trick; nobody for tricks to come.
        leaders: [u8; 13] => Meaning::Seat,
        /// The calls from the dealer on, numbered as in events; 255 from `call_count` on.
        calls: [u8; CALLS_MAX] => Meaning::Number,
        /// Zero.
        reserved_end: [u8; 7] => Meaning::Reserved,
    }
}

impl View {
    /// Returns your cards as a set.
    #[must_use]
    pub fn own(&self) -> CardSet {
        CardSet(self.hand)
    }

    /// Returns the cards of the current trick, starting with the lead.
    #[must_use]
    pub fn table(&self) -> Vec<Card> {
        let count = usize::from(self.played_count);
        let cards = &self.cards[count - usize::from(self.on_table)..count];
        cards
            .iter()
            .filter_map(|&card| Card::of_index(card))
            .collect()
    }

    /// Returns the cards that you cannot see: not yours, not shown by dummy and not played.
    #[must_use]
    pub fn unseen(&self) -> CardSet {
        let seen = self
            .played
            .iter()
            .fold(self.hand | self.dummy_hand, |seen, played| seen | played);
        CardSet(CardSet::PACK.0 & !seen)
    }
}
