//! Betting of two players at fixed limit. Amounts are in small bets: the blinds are a half and one,
//! bets are one on the first two streets and two on the others.

use hattari_bots_holdem::cfr::betting::{STREETS, Situation};

/// Number of actions: fold, check or call, bet or raise.
pub(crate) const ACTIONS: usize = 3;
/// Index of the action "fold".
pub(crate) const FOLD: usize = 0;
/// Index of the action "check or call".
pub(crate) const STAY: usize = 1;
/// Index of the action "bet or raise".
pub(crate) const RAISE: usize = 2;
/// Maximum number of bets and raises per street, without blinds.
pub(crate) const RAISES_MAX: [u8; STREETS] = [3, 4, 4, 4];
/// Size of a bet on each street, in small bets.
const BET: [f64; STREETS] = [1.0, 1.0, 2.0, 2.0];

/// The betting of a deal so far. Player 0 has the button and the small blind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Betting {
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
pub(crate) enum BettingStep {
    /// A player has to decide.
    Decide(Betting),
    /// The player with this index has folded and loses this number of small bets.
    Folded(usize, f64),
    /// Showdown; the loser loses this number of small bets.
    Showdown(f64),
}

impl Betting {
    /// Returns the state after the blinds.
    pub(crate) fn new() -> Betting {
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
    pub(crate) fn player(&self) -> usize {
        self.player
    }

    /// Returns the current street.
    pub(crate) fn street(&self) -> usize {
        self.street
    }

    fn is_second(&self) -> bool {
        (self.player == 0) == (self.street > 0)
    }

    /// Returns the situation of the deciding player.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole small bets, 16 at most"
    )]
    pub(crate) fn situation(&self) -> Situation {
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
    pub(crate) fn allows(&self, action: usize) -> bool {
        match action {
            FOLD => self.paid[self.player] < self.paid[1 - self.player],
            RAISE => self.raises < RAISES_MAX[self.street],
            _ => true,
        }
    }

    /// Returns the state after an action, which must be allowed.
    pub(crate) fn after(&self, action: usize) -> BettingStep {
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

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_bots_holdem::cfr::betting::START;

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
