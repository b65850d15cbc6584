//! Situations in the betting of two players at fixed limit, and the numbers of the decisions in
//! them. Amounts are in small bets.

use super::classes::CLASSES;

/// Number of streets.
pub const STREETS: usize = 4;
/// For each street, the maximum number of small bets that a player has put in on earlier streets.
const PRIOR_MAX: [usize; STREETS] = [1, 4, 8, 16];
/// Number of values for the last bettor on the previous street: nobody, the deciding player or the
/// other player.
const LAST: usize = 3;
/// Number of betting states of a street, which consist of the position of the deciding player
/// (first or second) and the number of bets and raises. Earlier checks follow from these.
const NODES: usize = 10;

/// The parts of the betting that a player remembers at a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Index of the street, 0 (preflop) to 3 (river).
    pub street: usize,
    /// True if the player acts second on this street.
    pub is_second: bool,
    /// Number of bets and raises on this street.
    pub raises: u8,
    /// Number of small bets that each player put in on earlier streets; at most 1 on the first
    /// street.
    pub prior: usize,
    /// True if the player made the last bet on the previous street, false if the other player did.
    /// `None` if nobody bet there, and on the first street.
    pub last_is_own: Option<bool>,
}

impl Situation {
    /// Returns the number of different situations on a street.
    pub(crate) const fn count(street: usize) -> usize {
        if street == 0 {
            NODES
        } else {
            PRIOR_MAX[street] * LAST * NODES
        }
    }

    /// Returns the index of the situation on its street.
    pub(crate) fn number(&self) -> usize {
        let node = 5 * usize::from(self.is_second) + usize::from(self.raises.min(4));
        if self.street == 0 {
            return node;
        }
        let last = self
            .last_is_own
            .map_or(0, |is_own| if is_own { 1 } else { 2 });
        ((self.prior.clamp(1, PRIOR_MAX[self.street]) - 1) * LAST + last) * NODES + node
    }

    /// Returns the index of the decision in this situation with a hand of `class`. Indexes count
    /// the decisions of all streets.
    pub fn decision(&self, class: usize) -> usize {
        START[self.street] + self.number() * CLASSES[self.street] + class
    }
}

/// Index of the first decision of each street, and the total number of decisions.
pub const START: [usize; STREETS + 1] = {
    let mut start = [0; STREETS + 1];
    let mut street = 0;
    while street < STREETS {
        start[street + 1] = start[street] + Situation::count(street) * CLASSES[street];
        street += 1;
    }
    start
};
