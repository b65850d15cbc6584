//! Betting of two players at fixed limit. Amounts are in small bets: the blinds are a half and one,
//! bets are one on the first two streets and two on the others.

use super::classes::CLASSES;

/// Number of streets.
pub const STREETS: usize = 4;
/// Number of actions: fold, check or call, bet or raise.
pub const ACTIONS: usize = 3;
/// Index of the action fold.
pub const FOLD: usize = 0;
/// Index of the action check or call.
pub const STAY: usize = 1;
/// Index of the action bet or raise.
pub const RAISE: usize = 2;
/// Maximum number of bets and raises per street, without blinds.
pub const RAISES_MAX: [u8; STREETS] = [3, 4, 4, 4];
/// For each street, the maximum number of small bets that a player has put in on earlier streets.
const PRIOR_MAX: [usize; STREETS] = [1, 4, 8, 16];
/// Number of values for the last bettor on the previous street: nobody, the deciding player or the
/// other player.
const LAST: usize = 3;
/// Number of betting states of a street, which consist of the position of the deciding player
/// (first or second) and the number of bets and raises. Earlier checks follow from these.
const NODES: usize = 10;
/// Size of a bet on each street, in small bets.
const BET: [f64; STREETS] = [1.0, 1.0, 2.0, 2.0];

/// The parts of the betting that a player remembers at a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Index of the street.
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
    #[must_use]
    pub const fn count(street: usize) -> usize {
        if street == 0 {
            NODES
        } else {
            PRIOR_MAX[street] * LAST * NODES
        }
    }

    /// Returns the index of the situation on its street.
    #[must_use]
    pub fn number(&self) -> usize {
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
    #[must_use]
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

/// The betting of a deal so far. Player 0 has the button and the small blind.
#[derive(Clone, Copy, Debug)]
pub struct Betting {
    street: usize,
    player: usize,
    raises: u8,
    paid: [f64; 2],
    prior: f64,
    /// Last bettor on the current street, and on the previous street.
    last: [Option<usize>; 2],
}

/// The state after an action.
#[derive(Clone, Copy, Debug)]
pub enum BettingStep {
    /// A player has to decide.
    Decide(Betting),
    /// The player with this index has folded and loses this number of small bets.
    Folded(usize, f64),
    /// Showdown; the loser loses this number of small bets.
    Showdown(f64),
}

impl Betting {
    /// Returns the state after the blinds.
    #[must_use]
    pub fn new() -> Betting {
        Betting {
            street: 0,
            player: 0,
            raises: 0,
            paid: [0.5, 1.0],
            prior: 0.0,
            last: [None; 2],
        }
    }

    /// Returns the player who decides.
    #[must_use]
    pub fn player(&self) -> usize {
        self.player
    }

    /// Returns the current street.
    #[must_use]
    pub fn street(&self) -> usize {
        self.street
    }

    fn is_second(&self) -> bool {
        (self.player == 0) == (self.street > 0)
    }

    /// Returns the situation of the deciding player.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole small bets, 16 at most"
    )]
    pub fn situation(&self) -> Situation {
        Situation {
            street: self.street,
            is_second: self.is_second(),
            raises: self.raises,
            prior: self.prior as usize,
            last_is_own: self.last[1].map(|last| last == self.player),
        }
    }

    /// Returns `true` if the deciding player may take the action. A fold is not allowed if a check
    /// is free, and the number of raises is limited.
    #[must_use]
    pub fn allows(&self, action: usize) -> bool {
        match action {
            FOLD => self.paid[self.player] < self.paid[1 - self.player],
            RAISE => self.raises < RAISES_MAX[self.street],
            _ => true,
        }
    }

    /// Returns the state after an action, which must be allowed.
    #[must_use]
    pub fn after(&self, action: usize) -> BettingStep {
        let (player, other) = (self.player, 1 - self.player);
        let mut next = Betting {
            player: other,
            ..*self
        };
        match action {
            FOLD => return BettingStep::Folded(player, self.paid[player]),
            RAISE => {
                next.paid[player] = self.paid[other] + BET[self.street];
                next.raises += 1;
                next.last[0] = Some(player);
            }
            _ => {
                next.paid[player] = self.paid[other];
                // The first player has checked or completed the small blind, so the second player
                // acts.
                if self.raises == 0 && !self.is_second() {
                    return BettingStep::Decide(next);
                }
                if self.street + 1 == STREETS {
                    return BettingStep::Showdown(next.paid[player]);
                }
                let prior = next.paid[player];
                next = Betting {
                    street: self.street + 1,
                    player: 1,
                    raises: 0,
                    prior,
                    last: [None, self.last[0]],
                    ..next
                };
            }
        }
        BettingStep::Decide(next)
    }
}

impl Default for Betting {
    fn default() -> Betting {
        Betting::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(actions: &[usize]) -> BettingStep {
        let mut betting = Betting::new();
        for (number, &action) in actions.iter().enumerate() {
            assert!(betting.allows(action), "{number}");
            match betting.after(action) {
                BettingStep::Decide(next) => betting = next,
                end => {
                    assert_eq!(number + 1, actions.len());
                    return end;
                }
            }
        }
        BettingStep::Decide(betting)
    }

    #[test]
    fn betting_streets_end_and_stakes_add_up() {
        assert!(matches!(play(&[FOLD]), BettingStep::Folded(0, lost) if lost == 0.5));
        // A call, then checks to the showdown.
        assert!(matches!(play(&[STAY; 8]), BettingStep::Showdown(stake) if stake == 1.0));
        // The maximum number of bets: 4 + 4 + 8 + 8.
        let all = [
            RAISE, RAISE, RAISE, STAY, RAISE, RAISE, RAISE, RAISE, STAY, RAISE, RAISE, RAISE,
            RAISE, STAY,
        ];
        let all: Vec<usize> = all
            .into_iter()
            .chain([RAISE, RAISE, RAISE, RAISE, STAY])
            .collect();
        assert!(matches!(play(&all), BettingStep::Showdown(stake) if stake == 24.0));
        let BettingStep::Decide(flop) = play(&[RAISE, STAY, STAY]) else {
            panic!("the flop goes on")
        };
        let expected = Situation {
            street: 1,
            is_second: true,
            raises: 0,
            prior: 2,
            last_is_own: Some(true),
        };
        assert_eq!(flop.situation(), expected);
        assert!(!flop.allows(FOLD));
    }

    #[test]
    fn every_betting_decision_has_a_unique_number() {
        let mut seen = std::collections::HashMap::new();
        let mut open = vec![Betting::new()];
        while let Some(betting) = open.pop() {
            let situation = betting.situation();
            let decision = situation.decision(0);
            assert!((START[situation.street]..START[situation.street + 1]).contains(&decision));
            assert_eq!(*seen.entry(decision).or_insert(situation), situation);
            open.extend(
                (0..ACTIONS)
                    .filter(|&action| betting.allows(action))
                    .filter_map(|action| {
                        if let BettingStep::Decide(next) = betting.after(action) {
                            Some(next)
                        } else {
                            None
                        }
                    }),
            );
        }
    }
}
