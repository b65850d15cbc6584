//! The true state of a deal, including its public record.

use super::call::Contract;
use super::cards::{Card, CardSet, Seat};
use super::deal::Deal;
use super::options::BridgeSetup;
use super::records::{Event, NONE, event};
use super::trick::{playable_cards, winner_index};

/// A deal: the hands, the cards played, and the public record.
#[derive(Clone, Debug)]
pub struct Board {
    pub(super) hands: [CardSet; 4],
    /// Leader of the current or next trick.
    pub(super) leader: Seat,
    pub(super) table: Vec<Card>,
    /// Cards in the order of play.
    pub(super) cards: [u8; 52],
    pub(super) leaders: [u8; 13],
    pub(super) played: [u64; 4],
    pub(super) count: u8,
    /// Tricks won by North-South and by East-West.
    pub(super) won: [u8; 2],
    pub(super) history: Vec<Event>,
}

impl Board {
    pub(super) fn new() -> Board {
        Board {
            hands: [CardSet::default(); 4],
            leader: Seat::North,
            table: Vec::with_capacity(4),
            cards: [NONE; 52],
            leaders: [NONE; 13],
            played: [0; 4],
            count: 0,
            won: [0; 2],
            history: Vec::with_capacity(128),
        }
    }

    /// Starts a deal with the hands of `deal`: records the calls of `setting` and plays the cards
    /// that it says are already played.
    pub(super) fn start(&mut self, deal: &Deal, setting: &BridgeSetup) {
        self.hands = deal.hands;
        self.leader = setting.contract.declarer.after(1);
        self.table.clear();
        self.cards = [NONE; 52];
        self.leaders = [NONE; 13];
        self.played = [0; 4];
        self.count = 0;
        self.won = [0; 2];
        self.history.clear();
        for (n, call) in setting.auction.calls().iter().enumerate() {
            let seat = setting.auction.dealer().after(n);
            self.history.push(Event {
                call: call.number(),
                ..blank(event::CALL, seat)
            });
        }
        for &card in &setting.played {
            self.play(card, &setting.contract);
        }
    }

    /// Returns the seat whose card is played next, or `None` if all cards are played.
    pub fn seat_to_play(&self) -> Option<Seat> {
        (self.count < 52).then(|| self.leader.after(self.table.len()))
    }

    /// Returns the cards that may be played now.
    pub fn legal(&self) -> CardSet {
        self.seat_to_play().map_or(CardSet::default(), |seat| {
            playable_cards(self.hands[seat as usize], self.table.first().copied())
        })
    }

    /// Returns the cards that each seat still holds.
    pub fn hands(&self) -> &[CardSet; 4] {
        &self.hands
    }

    /// Returns the tricks won by North-South and by East-West.
    pub fn tricks_won(&self) -> [u8; 2] {
        self.won
    }

    /// Plays a card, which must be in [`Board::legal`].
    pub(super) fn play(&mut self, card: Card, contract: &Contract) {
        let seat = self.leader.after(self.table.len());
        let count = usize::from(self.count);
        debug_assert!(self.legal().contains(card), "{seat} may not play {card}");
        self.hands[seat as usize].remove(card);
        self.played[seat as usize] |= 1 << card.index();
        self.cards[count] = card.index();
        self.leaders[count / 4] = self.leader as u8;
        self.table.push(card);
        self.count += 1;
        let mut event = Event {
            card: card.index(),
            trick: (self.count - 1) / 4,
            ..blank(event::CARD, seat)
        };
        if self.table.len() == 4 {
            self.leader = self
                .leader
                .after(winner_index(&self.table, contract.strain));
            self.won[self.leader as usize % 2] += 1;
            self.table.clear();
            event.winner = self.leader as u8;
        }
        self.history.push(event);
        if count == 0 {
            let dummy = contract.declarer.after(2);
            self.history.push(Event {
                cards: self.hands[dummy as usize].0,
                ..blank(event::DUMMY, dummy)
            });
        }
    }
}

/// Returns an event without call, card, winner and cards.
fn blank(kind: u8, seat: Seat) -> Event {
    Event {
        kind,
        seat: seat as u8,
        call: NONE,
        card: NONE,
        trick: 0,
        winner: NONE,
        reserved: [0; 2],
        cards: 0,
    }
}
