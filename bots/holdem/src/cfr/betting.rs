//! The betting of two players at fixed limit, in small bets: blinds of a half and one, bets of one
//! on the first two streets and two on the others.

use super::classes::CLASSES;

/// Streets.
pub const STREETS: usize = 4;
/// Fold; check or call; bet or raise.
pub const ACTIONS: usize = 3;
/// Fold.
pub const FOLD: usize = 0;
/// Check or call.
pub const STAY: usize = 1;
/// Bet or raise.
pub const RAISE: usize = 2;
/// Most bets and raises of a street, blinds not counted.
pub const RAISES_MAX: [u8; STREETS] = [3, 4, 4, 4];
/// Small bets that each player can have put in before a street, at most.
const PRIOR_MAX: [usize; STREETS] = [1, 4, 8, 16];
/// Who may have bet last on the street before: nobody, whoever decides, the other.
const LAST: usize = 3;
/// Places in a street's betting: whether the first or the second to act decides, and how many bets
/// and raises there are. Who has checked before follows from them.
const NODES: usize = 10;
/// What a small bet is worth at each street.
const BET: [f64; STREETS] = [1.0, 1.0, 2.0, 2.0];

/// All that is remembered of the betting where a player decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// The street.
    pub street: usize,
    /// Whether the player is the second to act on this street.
    pub is_second: bool,
    /// Bets and raises of this street.
    pub raises: u8,
    /// Small bets that each had put in before this street; 1 or less on the first.
    pub prior: usize,
    /// Whether whoever bet last on the street before is the player itself; `None` where nobody bet
    /// or it is the first street.
    pub last_is_own: Option<bool>,
}

impl Situation {
    /// How many of them are told apart on a street.
    #[must_use]
    pub const fn count(street: usize) -> usize {
        if street == 0 {
            NODES
        } else {
            PRIOR_MAX[street] * LAST * NODES
        }
    }

    /// Its number among those of its street.
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

    /// The number among the decisions of all streets of this situation with a hand of that class.
    #[must_use]
    pub fn decision(&self, class: usize) -> usize {
        START[self.street] + self.number() * CLASSES[self.street] + class
    }
}

/// Numbers of each street's first decision, and of all.
pub const START: [usize; STREETS + 1] = {
    let mut start = [0; STREETS + 1];
    let mut street = 0;
    while street < STREETS {
        start[street + 1] = start[street] + Situation::count(street) * CLASSES[street];
        street += 1;
    }
    start
};

/// A deal's betting so far. Player 0 has the button and the small blind.
#[derive(Clone, Copy, Debug)]
pub struct Betting {
    street: usize,
    player: usize,
    raises: u8,
    paid: [f64; 2],
    prior: f64,
    /// Who bet last on this street and on the one before.
    last: [Option<usize>; 2],
}

/// What a choice leads to.
#[derive(Clone, Copy, Debug)]
pub enum Next {
    /// Somebody has to decide.
    Decide(Betting),
    /// A player has folded: so many small bets are lost by the one of that number.
    Folded(usize, f64),
    /// The hands are compared for so many small bets.
    Showdown(f64),
}

impl Betting {
    /// The blinds are posted.
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

    /// Who decides.
    #[must_use]
    pub fn player(&self) -> usize {
        self.player
    }

    /// The street.
    #[must_use]
    pub fn street(&self) -> usize {
        self.street
    }

    fn is_second(&self) -> bool {
        (self.player == 0) == (self.street > 0)
    }

    /// As the player who decides remembers it.
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

    /// Whether the choice may be made: nobody folds for free, and raises have a bound.
    #[must_use]
    pub fn allows(&self, action: usize) -> bool {
        match action {
            FOLD => self.paid[self.player] < self.paid[1 - self.player],
            RAISE => self.raises < RAISES_MAX[self.street],
            _ => true,
        }
    }

    /// Makes a choice that is allowed.
    #[must_use]
    pub fn after(&self, action: usize) -> Next {
        let (player, other) = (self.player, 1 - self.player);
        let mut next = Betting {
            player: other,
            ..*self
        };
        match action {
            FOLD => return Next::Folded(player, self.paid[player]),
            RAISE => {
                next.paid[player] = self.paid[other] + BET[self.street];
                next.raises += 1;
                next.last[0] = Some(player);
            }
            _ => {
                next.paid[player] = self.paid[other];
                // The first to act has left it to the other: a check, or the small blind made
                // whole.
                if self.raises == 0 && !self.is_second() {
                    return Next::Decide(next);
                }
                if self.street + 1 == STREETS {
                    return Next::Showdown(next.paid[player]);
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
        Next::Decide(next)
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

    fn play(actions: &[usize]) -> Next {
        let mut betting = Betting::new();
        for (number, &action) in actions.iter().enumerate() {
            assert!(betting.allows(action), "{number}");
            match betting.after(action) {
                Next::Decide(next) => betting = next,
                end => {
                    assert_eq!(number + 1, actions.len());
                    return end;
                }
            }
        }
        Next::Decide(betting)
    }

    #[test]
    fn streets_end_and_chips_add_up() {
        assert!(matches!(play(&[FOLD]), Next::Folded(0, lost) if lost == 0.5));
        // Called, checked, and checked down.
        assert!(matches!(play(&[STAY; 8]), Next::Showdown(stake) if stake == 1.0));
        // All that can be bet: 4 + 4 + 8 + 8.
        let all = [
            RAISE, RAISE, RAISE, STAY, RAISE, RAISE, RAISE, RAISE, STAY, RAISE, RAISE, RAISE,
            RAISE, STAY,
        ];
        let all: Vec<usize> = all
            .into_iter()
            .chain([RAISE, RAISE, RAISE, RAISE, STAY])
            .collect();
        assert!(matches!(play(&all), Next::Showdown(stake) if stake == 24.0));
        let Next::Decide(flop) = play(&[RAISE, STAY, STAY]) else {
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
    fn decisions_have_numbers_of_their_own() {
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
                        if let Next::Decide(next) = betting.after(action) {
                            Some(next)
                        } else {
                            None
                        }
                    }),
            );
        }
    }
}
