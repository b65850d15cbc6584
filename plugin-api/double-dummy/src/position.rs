//! The position to solve: visible hands, strain and current trick.

use hattari_games::bridge::{Card, CardSet, Deal, Seat, Strain, playable_cards, winner_index};

/// A position with all four hands visible.
///
/// A seat that still has to play to the current trick holds one card more than a seat that has
/// played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    hands: [CardSet; 4],
    strain: Strain,
    leader: Seat,
    table: Vec<Card>,
}

/// The reason why a position is invalid or a card cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(String);

impl Position {
    /// Creates a position. `leader` has led the first card of `table`, or leads next if `table` is
    /// empty.
    ///
    /// # Errors
    /// Returns an error if:
    ///
    /// - a card occurs twice,
    /// - there are more than three cards on the table,
    /// - a hand has the wrong size,
    /// - a card on the table did not follow suit.
    pub fn new(
        hands: [CardSet; 4],
        strain: Strain,
        leader: Seat,
        table: &[Card],
    ) -> Result<Self, PositionError> {
        if table.len() > 3 {
            return Err(PositionError(format!(
                "{} cards are on the table; an unfinished trick has at most three",
                table.len()
            )));
        }
        let mut seen = CardSet::default();
        let all = hands
            .iter()
            .flat_map(|&hand| hand)
            .chain(table.iter().copied());
        for card in all {
            if seen.contains(card) {
                return Err(PositionError(format!(
                    "{card} occurs twice; keep it in one hand or on the table only"
                )));
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
                return Err(PositionError(format!(
                    "{seat} holds {has} cards and should hold {should}; hands may differ by one \
                     card during a trick"
                )));
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

    /// Returns the cards still held by each seat.
    pub fn hands(&self) -> [CardSet; 4] {
        self.hands
    }

    /// Returns the trump suit, or no trumps.
    pub fn strain(&self) -> Strain {
        self.strain
    }

    /// Returns the seat that leads, or has led, to the current trick.
    pub fn leader(&self) -> Seat {
        self.leader
    }

    /// Returns the cards of the current trick, in the order of play.
    pub fn table(&self) -> &[Card] {
        &self.table
    }

    /// Returns the seat to play.
    pub fn to_play(&self) -> Seat {
        self.leader.after(self.table.len())
    }

    /// Returns the number of undecided tricks, including the current one.
    pub fn tricks_left(&self) -> u32 {
        self.hands[self.to_play() as usize].len()
    }

    /// Returns the legal cards; empty if the play is over.
    pub fn legal(&self) -> CardSet {
        playable_cards(
            self.hands[self.to_play() as usize],
            self.table.first().copied(),
        )
    }

    /// Plays a card. Returns the winner if the card completes a trick.
    ///
    /// # Errors
    /// Returns an error, and leaves the position unchanged, if the card is not legal.
    pub fn play(&mut self, card: Card) -> Result<Option<Seat>, PositionError> {
        let seat = self.to_play();
        let hand = self.hands[seat as usize];
        if !hand.contains(card) {
            return Err(PositionError(format!(
                "{seat} is to play and does not hold {card}; {seat} holds {}",
                listed(hand)
            )));
        }
        let legal = self.legal();
        if !legal.contains(card) {
            return Err(PositionError(format!(
                "{seat} may not play {card} while holding a card of the suit led; {seat} may play \
                 {}",
                listed(legal)
            )));
        }
        self.hands[seat as usize].remove(card);
        self.table.push(card);
        if self.table.len() < 4 {
            return Ok(None);
        }
        self.leader = self.leader.after(winner_index(&self.table, self.strain));
        self.table.clear();
        Ok(Some(self.leader))
    }

    /// Returns the hands as a PBN deal.
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
