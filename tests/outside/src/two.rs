//! Seating and scenes for two players: seat 0 acts first, and the players alternate in it.

use hattari_plugin::games::scene::{Fact, OwnCards, Pile, Scene, SceneSeat, Tableau, unless_zero};
use hattari_plugin::games::{GameTypes, chance};
use rand::Rng;

/// The state that persists between deals: seats, and chips won, which have no effect on play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub(crate) finished: u32,
    pub(crate) planned: u32,
    /// Player in each seat of the current deal.
    pub(crate) players: [u8; 2],
    /// Chips won minus chips lost, by player.
    won: [i32; 2],
}

impl Block {
    /// Creates a block before its first deal.
    pub(crate) fn new(planned: u32) -> Block {
        Block {
            finished: 0,
            planned,
            players: [0, 1],
            won: [0; 2],
        }
    }

    /// Seats the players: randomly in the first deal of a block, then alternating. Must be called
    /// after the cards are dealt, so that the cards do not depend on the number of the deal.
    pub(crate) fn seat(&mut self, random: &mut impl Rng) {
        if self.finished > 0 || chance::below(random, 2) == 1 {
            self.players.reverse();
        }
    }

    /// Returns the chips won before this deal, by seat.
    pub(crate) fn results(&self, players: [u8; 2]) -> [i32; 2] {
        players.map(|player| self.won[usize::from(player)])
    }

    /// Ends a deal in which `seat` has won chips. Returns the payoffs by player.
    pub(crate) fn finish(
        &mut self,
        players: [u8; 2],
        seat: usize,
        chips: u32,
        payoffs: &mut [i64],
    ) {
        for (at, player) in players.into_iter().enumerate() {
            let (payoff, won) = (
                &mut payoffs[usize::from(player)],
                &mut self.won[usize::from(player)],
            );
            if at == seat {
                (*payoff, *won) = (chips.into(), won.saturating_add_unsigned(chips));
            } else {
                (*payoff, *won) = (-i64::from(chips), won.saturating_sub_unsigned(chips));
            }
        }
        self.finished += 1;
    }
}

/// The fields of views that scenes show, by seat.
pub(crate) struct Seats {
    pub players: [u8; 2],
    pub paid: [u32; 2],
    pub results: [i32; 2],
    /// Seats that have folded.
    pub folded: u8,
    /// Cards that were shown.
    pub shown: [u8; 2],
}

impl Seats {
    /// Returns the scene for `seat`, which holds `card`. `facts` come before the pot.
    pub(crate) fn scene<G: GameTypes>(
        &self,
        seat: u8,
        card: u8,
        mut facts: Vec<Fact>,
        pile: Option<Pile>,
    ) -> Scene {
        facts.push(("pot", (self.paid[0] + self.paid[1]).to_string()));
        let places: Vec<SceneSeat> = (0..2).map(|seat| self.place::<G>(seat)).collect();
        let is_hidden = places[usize::from(seat & 1)].held == 1;
        Scene {
            table: Tableau {
                facts,
                piles: pile.into_iter().collect(),
                places,
            },
            own: OwnCards {
                hand: G::faces(is_hidden.then_some(card)),
                facts: Vec::new(),
            },
        }
    }

    fn place<G: GameTypes>(&self, seat: u8) -> SceneSeat {
        let at = usize::from(seat);
        let (open, is_out) = (G::faces([self.shown[at]]), self.folded >> seat & 1 == 1);
        SceneSeat {
            player: self.players[at],
            role: if seat == 0 { "first" } else { "" }.to_owned(),
            held: u8::from(open.is_empty()),
            open,
            facts: vec![
                ("in the pot", self.paid[at].to_string()),
                ("won before", unless_zero(self.results[at].into())),
            ],
            note: if is_out { "folded" } else { "" }.to_owned(),
            is_out,
        }
    }
}
