//! A deal in progress with all hands known, for look-ahead.

use hattari_double_dummy::Position;
use hattari_plugin::bridge::{
    Card, CardSet, NONE, Seat, Side, Strain, View, playable_cards, strain_of, winner_index,
};

/// A deal that continues from a view, with all hands known.
pub struct OpenDeal {
    /// View of the deal. Only the fields that are the same for all players are used.
    public: View,
    hands: [CardSet; 4],
    strain: Strain,
}

impl OpenDeal {
    /// Continues from `view` with these hands, which must be consistent with it.
    pub fn of(view: &View, hands: [CardSet; 4]) -> OpenDeal {
        OpenDeal {
            public: *view,
            hands,
            strain: strain_of(view),
        }
    }

    /// Returns the seat that plays next, or `None` if the deal is over.
    pub fn turn(&self) -> Option<usize> {
        (self.public.turn != NONE).then(|| usize::from(self.public.turn))
    }

    /// Returns the seat that decides the next card: declarer if dummy plays it. `None` if the deal
    /// is over.
    pub(crate) fn decider(&self) -> Option<usize> {
        let turn = self.turn()?;
        Some(if turn == usize::from(self.public.dummy) {
            usize::from(self.public.declarer)
        } else {
            turn
        })
    }

    /// Returns `true` if a trick is about to begin and a defender leads to it.
    pub fn is_defenders_lead(&self) -> bool {
        self.public.on_table == 0
            && self
                .turn()
                .is_some_and(|turn| turn % 2 != usize::from(self.public.declarer % 2))
    }

    /// Returns the legal cards of the seat that plays next, in ascending order, spades first.
    pub fn legal(&self) -> Vec<Card> {
        self.turn().map_or_else(Vec::new, |turn| {
            playable_cards(self.hands[turn], self.public.table().first().copied())
                .into_iter()
                .collect()
        })
    }

    /// Returns the remaining cards of all four players, by seat.
    pub fn hands(&self) -> &[CardSet; 4] {
        &self.hands
    }

    /// Returns the number of tricks won by declarer's side.
    pub(crate) fn won(&self) -> u8 {
        self.public.won[usize::from(self.public.declarer % 2)]
    }

    /// Returns the number of tricks that declarer's side needs to make the contract.
    pub(crate) fn goal(&self) -> u8 {
        6 + self.public.level
    }

    /// Returns the side of declarer.
    pub(crate) fn declarer_side(&self) -> Side {
        Seat::ALL[usize::from(self.public.declarer & 3)].side()
    }

    /// Returns the view of the player who decides the next card.
    ///
    /// # Panics
    /// Panics if the deal is over.
    pub fn view(&self) -> View {
        let decider = self.decider().expect("the deal is not over");
        let is_shown = self.public.played_count > 0;
        View {
            seat: decider.to_le_bytes()[0],
            hand: self.hands[decider].0,
            dummy_shown: u8::from(is_shown),
            dummy_hand: if is_shown {
                self.hands[usize::from(self.public.dummy)].0
            } else {
                0
            },
            ..self.public
        }
    }

    /// Plays one of the cards of [`OpenDeal::legal`].
    ///
    /// # Panics
    /// Panics if the deal is over.
    pub fn play(&mut self, card: Card) {
        let turn = self.turn().expect("the deal is not over");
        let public = &mut self.public;
        let count = usize::from(public.played_count);
        self.hands[turn].remove(card);
        public.played[turn] |= 1 << card.index();
        public.cards[count] = card.index();
        public.leaders[count / 4] = public.leader;
        public.played_count += 1;
        public.on_table += 1;
        public.turn = (public.turn + 1) % 4;
        if public.on_table == 4 {
            let winner = winner_index(&public.table(), self.strain);
            let won_by = (usize::from(public.leader) + winner) % 4;
            public.won[won_by % 2] += 1;
            public.on_table = 0;
            public.leader = won_by.to_le_bytes()[0];
            public.turn = if count == 51 { NONE } else { public.leader };
        }
    }

    /// Returns the position for a solver.
    ///
    /// # Panics
    /// Panics if the hands are not consistent with the view.
    pub(crate) fn position(&self) -> Position {
        let leader = Seat::ALL[usize::from(self.public.leader & 3)];
        Position::new(self.hands, self.strain, leader, &self.public.table())
            .expect("the hands are consistent with the view")
    }
}
