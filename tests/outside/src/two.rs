//! Seating and scenes for two players: seat 0 acts first, and the players alternate in it.

use hattari_plugin::games::scene::{Fact, OwnCards, Pile, Scene, SceneSeat, Tableau, unless_zero};
use hattari_plugin::games::{self, GameTypes, chance};
use rand::Rng;

/// The state that persists between deals: the player in each seat of the current deal.
pub(crate) type Block = games::Block<[u8; 2]>;

/// Seats the players: randomly in the first deal of a block, then alternating. Must be called after
/// the cards are dealt, so that the cards do not depend on the number of the deal.
pub(crate) fn seat(block: &mut Block, random: &mut impl Rng) {
    if block.finished > 0 || chance::below(random, 2) == 1 {
        block.memory.reverse();
    }
}

/// Writes the payoffs by player of a deal in which `seat` has won `chips`.
pub(crate) fn payoffs(players: [u8; 2], seat: usize, chips: u32, payoffs: &mut [i64]) {
    payoffs[usize::from(players[seat])] = chips.into();
    payoffs[usize::from(players[1 - seat])] = -i64::from(chips);
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
