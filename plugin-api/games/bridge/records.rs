//! The records of bridge: action, event and view.

use super::cards::{Card, CardSet, Strain};
use super::options::CALLS_MAX;
use crate::cards::union_of;
use crate::{codes, frame};

/// Value for no seat, card or call.
pub const NONE: u8 = 0xff;

codes! {
    /// Kinds of event, [`Event::kind`].
    pub mod event {
        /// A call of the auction.
        CALL = 0,
        /// Dummy shows its hand.
        DUMMY = 1,
        /// A card of a trick.
        CARD = 2,
    }

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
    /// A card that can be played.
    pub struct Action: "bridge_action" {
        /// Card to play.
        card: u8 => Card,
        /// Seat that holds the card: your seat, or dummy's if you are declarer.
        seat: u8 => Seat,
        /// Reserved; always 0.
        reserved: [u8; 6] => Reserved,
    }

    /// An event of the public history: the calls, then the cards, with dummy's hand after the first
    /// card.
    pub struct Event: "bridge_event" {
        /// Kind of event.
        kind: u8 => Code(event::NAMES),
        /// Seat of the call, the hand or the card.
        seat: u8 => Seat,
        /// The call: 0 pass, 1 double, 2 redouble, 3 to 37 the bids 1C, 1D, 1H, 1S, 1NT, 2C and so
        /// on to 7NT; 255 for other kinds.
        call: u8,
        /// Card played; none for other kinds.
        card: u8 => Card,
        /// Trick of the card, from 0; 0 for other kinds.
        trick: u8,
        /// Seat that won the trick, if this card was the last of the trick; otherwise none.
        winner: u8 => Seat,
        /// Reserved; always 0.
        reserved: [u8; 2] => Reserved,
        /// Hand of dummy; empty for other kinds.
        cards: u64 => Cards,
    }

    /// All information that a seat has now. Arrays of four are indexed by seat.
    pub struct View: "bridge_view" {
        /// Size of this record in bytes. Later releases may add fields at the end.
        size: u32 => Size,
        /// Number of finished deals of this block.
        deal: u32,
        /// Planned number of deals of this block.
        deals: u32,
        /// Your seat: 0 North, 1 East, 2 South, 3 West.
        seat: u8 => Seat,
        /// Dealer: the seat of the first call.
        dealer: u8 => Seat,
        /// Declarer: the seat that plays the contract.
        declarer: u8 => Seat,
        /// Dummy: declarer's partner. Declarer plays dummy's cards.
        dummy: u8 => Seat,
        /// Level of the contract, 1 to 7: tricks over six that declarer must win.
        level: u8,
        /// Strain of the contract: the trump suit, or no trumps.
        strain: u8 => Code(strain::NAMES),
        /// State of the contract: 0 undoubled, 1 doubled, 2 redoubled.
        doubling: u8,
        /// Vulnerable sides.
        vulnerable: u8 => Flags(&[("north_south", 1), ("east_west", 2)]),
        /// Seat that plays the next card; none if the deal is over. Declarer decides for dummy.
        turn: u8 => Seat,
        /// Seat that leads to the current trick or has led to it.
        leader: u8 => Seat,
        /// Number of cards in the current trick, 0 to 3.
        on_table: u8,
        /// Number of cards played in this deal, 0 to 52.
        played_count: u8,
        /// Number of tricks won by North-South and by East-West.
        won: [u8; 2],
        /// Number of calls in the auction.
        call_count: u8,
        /// 1 after dummy has shown its hand, 0 before.
        dummy_shown: u8 => Flag,
        /// Reserved; always 0.
        reserved: [u8; 4] => Reserved,
        /// Cards that you hold.
        hand: u64 => Cards,
        /// Cards that dummy holds, after dummy has shown its hand.
        dummy_hand: u64 => Cards,
        /// Cards that each seat has played.
        played: [u64; 4] => Cards,
        /// Points of each seat in the finished deals of this block.
        results: [i64; 4],
        /// Cards in the order of play, four per trick; none from index `played_count` on.
        cards: [u8; 52] => Card,
        /// Seat that led to each trick; none for future tricks.
        leaders: [u8; 13] => Seat,
        /// Calls in order, the dealer's first, numbered as in events; 255 from index `call_count`
        /// on.
        calls: [u8; CALLS_MAX],
        /// Reserved; always 0.
        reserved_end: [u8; 7] => Reserved,
    }
}

impl View {
    /// Returns your cards as a set.
    pub fn own(&self) -> CardSet {
        CardSet(self.hand)
    }

    /// Returns the trump suit of the contract, or no trumps.
    pub fn trumps(&self) -> Strain {
        Strain::ALL[usize::from(self.strain.min(strain::NO_TRUMP))]
    }

    /// Returns the cards of the current trick, starting with the lead.
    pub fn table(&self) -> Vec<Card> {
        let count = usize::from(self.played_count);
        let cards = &self.cards[count - usize::from(self.on_table)..count];
        cards
            .iter()
            .filter_map(|&card| Card::from_index(card))
            .collect()
    }

    /// Returns the cards that you cannot see: not yours, not shown by dummy and not played.
    pub fn unseen(&self) -> CardSet {
        let seen = self.hand | self.dummy_hand | union_of(&self.played);
        CardSet(CardSet::PACK.0 & !seen)
    }
}
