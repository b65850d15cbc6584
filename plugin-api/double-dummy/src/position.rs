//! What is solved: the open hands, the strain and the trick under way.

use hattari_games::bridge::{Card, CardSet, Deal, Seat, Strain, follow, winner};

/// A position with all four hands open.
///
/// Whoever still has to play to the trick under way holds one card more than those who have played
/// to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    hands: [CardSet; 4],
    strain: Strain,
    leader: Seat,
    table: Vec<Card>,
}

/// Hands and cards on the table that make no position, or a card that may not be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A card in two places.
    #[error("{0} is in two places; leave it in one hand or on the table")]
    Twice(Card),
    /// Four cards or more on the table.
    #[error("{0} cards are on the table; a trick under way has at most three")]
    Table(usize),
    /// A hand of the wrong size.
    #[error(
        "{seat} holds {has} cards and should hold {should}: all hands had equally many before the trick"
    )]
    Size {
        /// Whose hand.
        seat: Seat,
        /// Its cards.
        has: u32,
        /// What it should have.
        should: u32,
    },
    /// A card that the player does not hold.
    #[error("{seat} is to play and does not hold {card}; {seat} holds {holds}")]
    NotHeld {
        /// Who is to play.
        seat: Seat,
        /// The card.
        card: Card,
        /// What the seat may play.
        holds: String,
    },
    /// A card that does not follow suit.
    #[error(
        "{seat} may not play {card} while holding a card of the suit led; {seat} may play {legal}"
    )]
    Revoke {
        /// Who is to play.
        seat: Seat,
        /// The card.
        card: Card,
        /// What the seat may play.
        legal: String,
    },
}

impl Position {
    /// The position in which `leader` leads, or led the first of the cards on the table.
    ///
    /// # Errors
    /// If a card is in two places, more than three are on the table, the hands do not fit the
    /// trick, or a card on the table did not follow suit.
    pub fn new(
        hands: [CardSet; 4],
        strain: Strain,
        leader: Seat,
        table: &[Card],
    ) -> Result<Self, PositionError> {
        if table.len() > 3 {
            return Err(PositionError::Table(table.len()));
        }
        let mut seen = CardSet::default();
        let all = hands
            .iter()
            .flat_map(|&hand| hand)
            .chain(table.iter().copied());
        for card in all {
            if seen.contains(card) {
                return Err(PositionError::Twice(card));
            }
            seen.insert(card);
        }
        let before = hands[leader as usize].len() + u32::from(!table.is_empty());
        let mut position = Self {
            hands,
            strain,
            leader,
            table: Vec::new(),
        };
        for (n, seat) in (0..4).map(|n| (n, leader.after(n))) {
            let has = hands[seat as usize].len();
            let should = before - u32::from(n < table.len());
            if has != should {
                return Err(PositionError::Size { seat, has, should });
            }
        }
        for (n, &card) in table.iter().enumerate() {
            position.hands[leader.after(n) as usize].insert(card);
        }
        for &card in table {
            position.play(card)?;
        }
        Ok(position)
    }

    /// The cards still held.
    pub fn hands(&self) -> [CardSet; 4] {
        self.hands
    }

    /// Trumps, or none.
    pub fn strain(&self) -> Strain {
        self.strain
    }

    /// Who leads, or led, to the trick under way.
    pub fn leader(&self) -> Seat {
        self.leader
    }

    /// The cards of the trick under way, the lead first.
    pub fn table(&self) -> &[Card] {
        &self.table
    }

    /// Whose turn it is.
    pub fn to_play(&self) -> Seat {
        self.leader.after(self.table.len())
    }

    /// Tricks still to be decided, the one under way included.
    pub fn tricks_left(&self) -> u32 {
        self.hands[self.to_play() as usize].len()
    }

    /// The cards that may be played; empty when the play is over.
    pub fn legal(&self) -> CardSet {
        follow(
            self.hands[self.to_play() as usize],
            self.table.first().copied(),
        )
    }

    /// Plays a card; returns who won the trick where that ended it.
    ///
    /// # Errors
    /// If the card may not be played; the position stays as it was.
    pub fn play(&mut self, card: Card) -> Result<Option<Seat>, PositionError> {
        let seat = self.to_play();
        let hand = self.hands[seat as usize];
        if !hand.contains(card) {
            return Err(PositionError::NotHeld {
                seat,
                card,
                holds: listed(hand),
            });
        }
        let legal = self.legal();
        if !legal.contains(card) {
            return Err(PositionError::Revoke {
                seat,
                card,
                legal: listed(legal),
            });
        }
        self.hands[seat as usize].remove(card);
        self.table.push(card);
        if self.table.len() < 4 {
            return Ok(None);
        }
        self.leader = self.leader.after(winner(&self.table, self.strain));
        self.table.clear();
        Ok(Some(self.leader))
    }

    /// The hands as a PBN deal.
    pub fn deal(&self) -> Deal {
        Deal { hands: self.hands }
    }
}

fn listed(cards: CardSet) -> String {
    if cards.is_empty() {
        return "no card".into();
    }
    cards
        .into_iter()
        .map(|card| card.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}
