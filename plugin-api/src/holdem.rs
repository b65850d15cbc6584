//! Bots for Texas hold'em.
//!
//! A bot returns an index into `turn.legal()` and, for a raise, an amount within its range.
//! [`Moves`] finds the actions by kind and limits amounts to their range. `turn.view()` contains
//! the whole situation, so a bot need not keep state between calls. `turn.history()` contains all
//! actions in order.
//!
//! ```
//! use hattari_plugin::{Choice, NoConfig, holdem, holdem::{Block, Moves, Turn}};
//!
//! /// Raises by the pot before the flop with a pair, else checks or calls.
//! struct Pairs;
//!
//! impl holdem::Bot for Pairs {
//!     type Config = NoConfig;
//!     fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
//!         Ok(Pairs)
//!     }
//!     fn act(&mut self, turn: &Turn) -> Choice {
//!         let (view, moves) = (turn.view(), Moves::of(turn.legal()));
//!         let mut cards = holdem::card::cards(view.hand).map(holdem::card::rank);
//!         let is_pair = cards.next() == cards.next();
//!         if is_pair && view.community == 0 {
//!             return moves.raise_to(view.level + view.pot).unwrap_or(moves.check_or_call());
//!         }
//!         moves.check_or_call()
//!     }
//! }
//! ```

use crate::games::holdem as rules;
use crate::interface::interface;
use crate::{Choice, Rng};
use equity::Outcomes;

pub use crate::games::poker::{
    BetLimit, Category, Group, NOBODY, SEATS_MAX, Strength, Tally, card, equity, event, heads_up,
};
pub use crate::poker::{Moves, random_choice};
pub use rules::{Action, Event, Holdem, Options, View, kind, limit, street};

interface! {
    Holdem,
    /// The start of a deal, after cards are dealt and blinds are posted.
    deal_start,
    /// Folds, checks, calls or raises.
    act -> Choice
}

impl Moves {
    /// Stays in with the fewest chips: checks if there is nothing to call, otherwise calls.
    #[must_use]
    pub fn check_or_call(&self) -> Choice {
        self.stay()
    }

    /// Checks if there is nothing to call, otherwise folds.
    #[must_use]
    pub fn check_or_fold(&self, view: &View) -> Choice {
        if view.to_call == 0 {
            self.stay()
        } else {
            self.fold()
        }
    }
}

/// An expected share of the pot, in which a tie counts as a shared pot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRate {
    /// Share, from 0 to 1.
    pub share: f64,
    /// Standard error; 0 if all showdowns were counted.
    pub error: f64,
}

impl WinRate {
    /// Computes the share from a count of all showdowns.
    #[must_use]
    pub fn counted(outcomes: &Outcomes) -> WinRate {
        WinRate {
            share: mean(outcomes),
            error: 0.0,
        }
    }

    /// Computes the share and its standard error from random showdowns. The error is infinite for
    /// fewer than two showdowns.
    #[must_use]
    pub fn sampled(outcomes: &Outcomes) -> WinRate {
        let (share, deals) = (mean(outcomes), outcomes.deals as f64);
        let parts = equity::PARTS as f64;
        let squares = outcomes.squares() as f64 / (parts * parts * deals);
        let error = if outcomes.deals < 2 {
            f64::INFINITY
        } else {
            ((squares - share * share).max(0.0) / (deals - 1.0)).sqrt()
        };
        WinRate { share, error }
    }
}

fn mean(outcomes: &Outcomes) -> f64 {
    outcomes.parts() as f64 / (outcomes.deals.max(1) * equity::PARTS) as f64
}

/// Returns the expected share of `hand` against `opponents` random hands. It is exact if there are
/// at most `exact_max` showdowns, otherwise estimated from `samples` random ones.
///
/// # Panics
/// Panics in the same cases as [`equity::exact`]. The cards of a view are always valid.
#[must_use]
pub fn win_rate(
    hand: card::CardSet,
    community: card::CardSet,
    opponents: u32,
    samples: u64,
    exact_max: u64,
    rng: &mut Rng,
) -> WinRate {
    if equity::showdowns(community, opponents).is_some_and(|showdowns| showdowns <= exact_max) {
        return WinRate::counted(&equity::exact(hand, community, opponents));
    }
    WinRate::sampled(&equity::sampled(hand, community, opponents, samples, rng))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    #[test]
    fn win_rates_are_exact_within_the_limit_and_sampled_beyond() {
        let set = |text| card::parse_set(text).unwrap();
        let rate = |exact_max, seed| {
            let mut rng = Rng::new(seed);
            win_rate(
                set("AsKd"),
                set("Ah7d7cTs2c"),
                1,
                10_000,
                exact_max,
                &mut rng,
            )
        };
        let counted = rate(990, 1);
        assert_eq!((counted, counted.error), (rate(990, 2), 0.0));
        let sampled = rate(989, 1);
        assert_ne!(sampled, rate(989, 2));
        assert!(
            (sampled.share - counted.share).abs() < 4.0 * sampled.error && sampled.error < 0.005,
            "{sampled:?}"
        );
        // Two half pots and one loss: the mean is 1/3, its variance 1/18 (divisor n - 1).
        let tied = WinRate::sampled(&Outcomes {
            won: [0, 2, 0, 0, 0, 0, 0, 0, 0],
            deals: 3,
        });
        assert!(
            (tied.share - 1.0 / 3.0).abs() < 1e-12
                && (tied.error - (1.0_f64 / 36.0).sqrt()).abs() < 1e-12
        );
    }

    #[test]
    fn moves_are_found_by_kind_and_amounts_are_clamped() {
        let legal = [
            Action::new(kind::FOLD, 0, 0),
            Action::new(kind::CALL, 50, 50),
            Action::new(kind::RAISE, 200, 900),
        ];
        let moves = Moves::of(&legal);
        let raise = |amount| Some(Choice { action: 2, amount });
        assert_eq!(
            (moves.fold(), moves.check_or_call(), moves.raise()),
            (0.into(), 1.into(), Some((200, 900)))
        );
        assert_eq!(
            [moves.raise_to(1), moves.raise_to(300), moves.raise_to(1000)],
            [raise(200), raise(300), raise(900)]
        );
        let facing = |to_call| View {
            to_call,
            ..View::zeroed()
        };
        assert_eq!(moves.check_or_fold(&facing(50)), 0.into());
        let free = Moves::of(&[Action::new(kind::CHECK, 0, 0)]);
        assert_eq!(
            (
                free.fold(),
                free.check_or_fold(&facing(0)),
                free.raise_to(5)
            ),
            (0.into(), 0.into(), None)
        );
    }
}
