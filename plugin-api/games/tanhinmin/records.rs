//! The records of tanhinmin: view, event and action.

use crate::frame::Meaning;
use crate::{codes, frame};

/// Maximum number of players.
pub const PLAYERS_MAX: usize = 6;
/// Number that stands for no seat, card, player or place.
pub const NONE: u8 = 0xff;

codes! {
    /// Kinds of action, [`Action::kind`].
    pub mod kind {
        /// Pass.
        PASS = 0,
        /// Play a card.
        PLAY = 1,
    }
}

codes! {
    /// Kinds of event, [`Event::kind`].
    pub mod event {
        /// A seat passed.
        PASS = 0,
        /// A seat played a card.
        PLAY = 1,
        /// The trick ended; the seat leads.
        LEAD = 2,
        /// The seat has its place.
        OUT = 3,
    }
}

codes! {
    /// Switches of the rules, [`View::rules`].
    pub mod rule {
        /// Who has passed may play again after somebody has played.
        FREE_PASS = 1,
        /// Where the last to play has gone out the lowest seat leads, not the next.
        LOWEST_LEADS = 2,
    }
}

frame! {
    /// Something that a seat may do: pass, or play a card.
    pub struct Action: "tanhinmin_action" {
        /// Pass or play.
        kind: u8 => Meaning::Code(kind::NAMES),
        /// The card; none for a pass.
        card: u8 => Meaning::Card,
        /// Zero.
        reserved: u16 => Meaning::Reserved,
    }
}

frame! {
    /// One line of the public record: who did what, and what followed.
    pub struct Event: "tanhinmin_event" {
        /// What happened: a pass, a play, a new lead after a trick ended, or a seat that has got its place.
        kind: u8 => Meaning::Code(event::NAMES),
        /// Whose.
        seat: u8 => Meaning::Seat,
        /// The card played; none for other kinds.
        card: u8 => Meaning::Card,
        /// For `out`: place, 0 is first.
        place: u8 => Meaning::Ordinal,
    }
}

frame! {
    /// All that a seat may know now.
    pub struct View: "tanhinmin_view" {
        /// Size of this record in bytes. Later releases may add fields at the end.
        size: u32 => Meaning::Size,
        /// Deals of this block that are finished.
        deal: u32 => Meaning::Number,
        /// Deals planned for this block.
        deals: u32 => Meaning::Number,
        /// Your seat. Seats are numbered in the order of play; seat 0 leads the deal.
        seat: u8 => Meaning::Seat,
        /// Players of the table: seats from 0 to one less are taken.
        seats: u8 => Meaning::Number,
        /// Cards that each player was dealt.
        cards: u8 => Meaning::Number,
        /// The card on the table; none while it is empty (you lead).
        table: u8 => Meaning::Card,
        /// Seat whose card lies on the table; nobody while it is empty.
        table_seat: u8 => Meaning::Seat,
        /// Seats that have passed and are not asked again for the time being.
        passed: u8 => Meaning::Seats,
        /// Seats that are out of cards.
        out: u8 => Meaning::Seats,
        /// Switches of the rules that are on.
        rules: u8 => Meaning::Flags(rule::NAMES),
        /// Player who sits in each seat; none where nobody does.
        players: [u8; 6] => Meaning::Ordinal,
        /// Cards left in each seat.
        cards_left: [u8; 6] => Meaning::Number,
        /// Place that each seat has finished in, 0 is first; none while it plays.
        places: [u8; 6] => Meaning::Ordinal,
        /// Zero.
        reserved: u16 => Meaning::Reserved,
        /// Your cards.
        hand: u64 => Meaning::Cards,
        /// Cards played in this deal, by anyone.
        gone: u64 => Meaning::Cards,
        /// Points in this block so far, by seat.
        points: [i32; 6] => Meaning::Number,
    }
}

impl Action {
    /// The pass.
    pub const PASS: Action = Action {
        kind: kind::PASS,
        card: NONE,
        reserved: 0,
    };

    /// Creates the play of a card.
    #[must_use]
    pub const fn play(card: u8) -> Action {
        Action {
            kind: kind::PLAY,
            card,
            reserved: 0,
        }
    }

    /// Returns `true` for the pass.
    #[must_use]
    pub fn is_pass(&self) -> bool {
        self.kind == kind::PASS
    }
}

impl View {
    /// Returns all cards of the deal.
    #[must_use]
    pub fn pack(&self) -> u64 {
        let cards = u32::from(self.seats) * u32::from(self.cards);
        if cards >= 64 {
            u64::MAX
        } else {
            (1 << cards) - 1
        }
    }

    /// Returns the cards in the hands of the other seats.
    #[must_use]
    pub fn unseen(&self) -> u64 {
        self.pack() & !self.hand & !self.gone
    }
}
