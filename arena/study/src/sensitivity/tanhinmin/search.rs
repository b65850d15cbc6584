//! The search: maxⁿ and its paranoid variants. One transposition table is shared by all deals.

use super::position::{Cards, EMPTY, Position};
use super::table::{Memory, Table};
use hattari_plugin::games::tanhinmin::{LeadRule, PassRule};
use serde::{Deserialize, Serialize};

/// The goal of the players other than player 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opponents {
    /// Each player tries to get the best place for itself. Among equal results, it chooses the
    /// worst for player 0 (equations 1 and 2 of the paper).
    #[default]
    MaxnParanoid,
    /// Each player tries to get the best place for itself. Among equal results, it plays the
    /// weakest card, and passes only if no card gives this result.
    Maxn,
    /// Each player tries to give player 0 the worst place. Among equal results, it chooses the best
    /// for itself.
    Paranoid,
}

/// Conventions that the paper does not state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Conventions {
    /// Duration of a pass.
    pub pass: PassRule,
    /// The player who leads if the last player to play has gone out.
    pub lead: LeadRule,
    /// The goal of the players other than player 0.
    pub opponents: Opponents,
}

/// A finishing order: players from first to last, three bits each, first player in the lowest bits.
type Order = u64;

const ORDER_BITS: u32 = 3;

/// Returns the place of `player` in a finishing order of `players` players; 0 is first.
#[inline]
fn place_of(order: Order, player: u32, players: u32) -> u32 {
    let mut place = 0;
    while place + 1 < players && order >> (ORDER_BITS * place) & 7 != u64::from(player) {
        place += 1;
    }
    place
}

/// A solver for a number of players and a set of conventions. Several threads can use it.
pub struct Solver {
    conventions: Conventions,
    players: u32,
    table: Table,
}

impl Solver {
    /// Creates a solver with an empty table.
    ///
    /// # Panics
    /// Panics if `players` is not between 2 and 6.
    pub fn new(players: u32, conventions: Conventions, memory: Memory) -> Solver {
        assert!(
            (2..=6).contains(&players),
            "tanhinmin has two to six players"
        );
        Solver {
            conventions,
            players,
            table: Table::new(memory),
        }
    }

    /// Sets `places` to the final place of player 0 (0 is first) after each possible lead, for the
    /// cards of player 0 from the weakest up. `owners` holds the owner of every card of the deal,
    /// weakest card first.
    pub fn lead_places(&self, owners: &[u8], places: &mut Vec<u32>) {
        if self.players <= 4 {
            self.leads::<2>(owners, places)
        } else {
            self.leads::<3>(owners, places)
        }
    }

    fn leads<const BITS: u32>(&self, owners: &[u8], places: &mut Vec<u32>) {
        let cards = Cards::<BITS>::new(owners);
        let start = Position {
            cards,
            table: EMPTY,
            turn: 0,
            last: 0,
            passed: 0,
        };
        let active = cards.active(self.players);
        places.clear();
        let mut mine = cards.of(0);
        while mine != 0 {
            let order = self.play(&start, active, Cards::<BITS>::place(mine));
            places.push(place_of(order, 0, active.count_ones()));
            mine &= mine - 1;
        }
    }

    /// Returns the order in which the active players finish from `position`.
    fn solve<const BITS: u32>(&self, position: &Position<BITS>, active: u32) -> Order {
        if active & (active - 1) == 0 {
            return Order::from(active.trailing_zeros());
        }
        let key = position.key(self.players);
        if let Some(order) = self.table.get(key) {
            return order;
        }
        let order = self.best(position, active);
        self.table.put(key, order);
        order
    }

    /// Returns the finishing order after the best move of the player to move.
    fn best<const BITS: u32>(&self, position: &Position<BITS>, active: u32) -> Order {
        let players = active.count_ones();
        let held = position.cards.of(position.turn);
        let mut cards = if position.table == EMPTY {
            held
        } else {
            Cards::<BITS>::from_place(held, position.table)
        };
        let merit_max = self.merit_max(position.turn, players);
        let mut best = None;
        let mut consider = |order| {
            let merit = self.merit(order, position.turn, players);
            if best.is_none_or(|(most, _)| merit > most) {
                best = Some((merit, order));
            }
            merit == merit_max
        };
        while cards != 0 {
            let order = self.play(position, active, Cards::<BITS>::place(cards));
            cards &= cards - 1;
            if consider(order) {
                return order;
            }
        }
        if position.table != EMPTY {
            consider(self.pass(position, active));
        }
        best.expect("the player to move holds a card or may pass").1
    }

    /// Returns the value of a finishing order for the player to move; larger is better.
    #[inline]
    fn merit(&self, order: Order, mover: u32, players: u32) -> u32 {
        let own = 7 - place_of(order, mover, players);
        if mover == 0 {
            return own;
        }
        match self.conventions.opponents {
            Opponents::Maxn => own,
            // If player 0 is out, its place is the same in all orders.
            Opponents::MaxnParanoid => own << 3 | place_of(order, 0, players),
            Opponents::Paranoid => place_of(order, 0, players) << 3 | own,
        }
    }

    /// Returns the largest possible value for the player to move. The search stops when a move
    /// reaches it.
    #[inline]
    fn merit_max(&self, mover: u32, players: u32) -> u32 {
        match self.conventions.opponents {
            _ if mover == 0 => 7,
            Opponents::Maxn => 7,
            Opponents::MaxnParanoid => 7 << 3 | (players - 1),
            Opponents::Paranoid => (players - 1) << 3 | 7,
        }
    }

    /// Returns the finishing order after the player to move has played the card at `place`.
    fn play<const BITS: u32>(&self, position: &Position<BITS>, active: u32, place: u32) -> Order {
        let cards = position.cards.without(place);
        let mover = position.turn;
        let passed = match self.conventions.pass {
            PassRule::Permanent => position.passed,
            PassRule::Free => 0,
        };
        let out = cards.of(mover) == 0;
        let left = if out { active & !(1 << mover) } else { active };
        let next = Position {
            cards,
            table: place,
            turn: mover,
            last: mover,
            passed,
        };
        let order = self.continue_after_turn(next, left);
        if out {
            order << ORDER_BITS | Order::from(mover)
        } else {
            order
        }
    }

    /// Returns the finishing order after the player to move has passed.
    fn pass<const BITS: u32>(&self, position: &Position<BITS>, active: u32) -> Order {
        self.continue_after_turn(
            Position {
                passed: position.passed | 1 << position.turn,
                ..*position
            },
            active,
        )
    }

    /// Returns the finishing order after `position.turn` has acted and the turn moves on. If all
    /// players except the last one to play have passed, the table is cleared first.
    fn continue_after_turn<const BITS: u32>(
        &self,
        mut position: Position<BITS>,
        active: u32,
    ) -> Order {
        let asked = active & !position.passed & !(1 << position.last);
        if asked == 0 {
            let leads = if active >> position.last & 1 == 1 {
                position.last
            } else {
                match self.conventions.lead {
                    LeadRule::Next => self.next(position.last, active),
                    LeadRule::Lowest => active.trailing_zeros(),
                }
            };
            position = Position {
                table: EMPTY,
                turn: leads,
                last: leads,
                passed: 0,
                ..position
            };
        } else {
            position.turn = self.next(position.turn, asked);
            // The pass bits of players who are out are cleared, so that equivalent positions have
            // the same key.
            position.passed &= active;
        }
        self.solve(&position, active)
    }

    /// Returns the next player after `player` in turn order who is in the set `among`.
    #[inline]
    fn next(&self, player: u32, among: u32) -> u32 {
        let ahead = among >> (player + 1) << (player + 1);
        if ahead != 0 {
            ahead.trailing_zeros()
        } else {
            among.trailing_zeros()
        }
    }
}
