//! The records of tanhinmin: view, event and action.

use crate::{codes, frame};

/// Maximum number of players.
pub const PLAYERS_MAX: usize = 6;
/// Value for no seat, card, player or place.
pub const NONE: u8 = 0xff;

codes! {
    /// Kinds of action, [`Action::kind`].
    pub mod kind {
        /// Pass.
        PASS = 0,
        /// Play a card.
        PLAY = 1,
    }

    /// Kinds of event, [`Event::kind`].
    pub mod event {
        /// A seat passed.
        PASS = 0,
        /// A seat played a card.
        PLAY = 1,
        /// The trick ended; the seat leads the next one.
        LEAD = 2,
        /// The place of the seat is final.
        OUT = 3,
    }

    /// Options of the rules that are on, [`View::rules`].
    pub mod rule {
        /// A seat that has passed can play again after another seat has played.
        FREE_PASS = 1,
        /// If the seat that played last has no cards, the seat with the lowest number leads next.
        LOWEST_LEADS = 2,
    }
}

frame! {
    /// An action: pass, or play a card.
    pub struct Action: "tanhinmin_action" {
        /// Kind of action: pass or play.
        kind: u8 => Code(kind::NAMES),
        /// Card to play; none for a pass.
        card: u8 => Card,
        /// Reserved; always 0.
        reserved: u16 => Reserved,
    }

    /// An event of the public history: an action or one of its consequences.
    pub struct Event: "tanhinmin_event" {
        /// Kind of event: a pass, a play, a new lead after the end of a trick, or the final place
        /// of a seat.
        kind: u8 => Code(event::NAMES),
        /// Seat of the event.
        seat: u8 => Seat,
        /// Card played; none for other kinds.
        card: u8 => Card,
        /// For `out`: place of the seat, 0 is first.
        place: u8 => Ordinal,
    }

    /// All information that a seat has now.
    pub struct View: "tanhinmin_view" {
        /// Size of this record in bytes. Later releases may add fields at the end.
        size: u32 => Size,
        /// Number of finished deals of this block.
        deal: u32,
        /// Planned number of deals of this block.
        deals: u32,
        /// Your seat. Seats are numbered in the order of play; seat 0 leads the deal.
        seat: u8 => Seat,
        /// Number of players at the table. Seats from this number on are empty.
        seats: u8,
        /// Number of cards dealt to each player.
        cards: u8,
        /// Card on the table; none while the table is empty (you lead).
        table: u8 => Card,
        /// Seat of the card on the table; none while the table is empty.
        table_seat: u8 => Seat,
        /// Seats that have passed and get no turn at present.
        passed: u8 => Seats,
        /// Seats without cards.
        out: u8 => Seats,
        /// Options of the rules that are on.
        rules: u8 => Flags(rule::NAMES),
        /// Player number of each seat; none for an empty seat.
        players: [u8; 6] => Ordinal,
        /// Number of cards left, by seat.
        cards_left: [u8; 6],
        /// Final place of each seat, 0 is first; none while the seat plays.
        places: [u8; 6] => Ordinal,
        /// Reserved; always 0.
        reserved: u16 => Reserved,
        /// Your cards.
        hand: u64 => Cards,
        /// Cards that all seats have played in this deal.
        gone: u64 => Cards,
        /// Points in this block so far, by seat.
        points: [i32; 6],
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
    pub const fn play(card: u8) -> Action {
        Action {
            kind: kind::PLAY,
            card,
            reserved: 0,
        }
    }

    /// Returns `true` for the pass.
    pub fn is_pass(&self) -> bool {
        self.kind == kind::PASS
    }
}

impl View {
    /// Returns all cards of the deal.
    pub fn pack(&self) -> u64 {
        let cards = u32::from(self.seats) * u32::from(self.cards);
        1_u64.checked_shl(cards).map_or(u64::MAX, |bit| bit - 1)
    }

    /// Returns the cards in the hands of the other seats.
    pub fn unseen(&self) -> u64 {
        self.pack() & !self.hand & !self.gone
    }
}
