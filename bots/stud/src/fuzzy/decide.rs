//! The three decisions of the player as functions without state: the card to open, whether to drop,
//! and the amount of the bet.

use crate::fuzzy::chance;
use crate::fuzzy::config::{Config, DropRule, Sets};
use crate::fuzzy::estimate::{Distribution, potential};
use crate::fuzzy::infer::{Premise, Superiority, TURNS, Tendencies, superiority};
use crate::fuzzy::score::score;
use crate::fuzzy::sets::apply_rules;
use hattari_plugin::games::poker::card::{CardSet, cards};
use rand::Rng;

/// The information that a player has at a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Turn (betting interval), 1 to 7.
    pub turn: u8,
    /// All cards of the player, 3 to 7.
    pub own: CardSet,
    /// Open cards of the player.
    pub shown: CardSet,
    /// Open cards of the opponent.
    pub opponent: CardSet,
    /// Chips in the pot at the start of the interval.
    pub pot: u64,
    /// Bet of the opponent in this interval; 0 if there is none. After a raise, the amount of the
    /// raise.
    pub bet: u64,
}

impl Situation {
    /// Returns the opponent's bet as a share of the pot, 0 to 1. The highest bet under pot limit
    /// gives 1.
    pub fn bet_share(&self) -> f64 {
        if self.bet == 0 {
            0.0
        } else {
            (self.bet as f64 / self.pot.max(1) as f64).min(1.0)
        }
    }

    /// Returns the player's hidden cards.
    pub fn holes(&self) -> CardSet {
        self.own & !self.shown
    }

    /// Returns the potential of the open cards, equation (5) of the paper. Fast only with four open
    /// cards, which a player has from turn 4 on.
    pub fn potential(&self) -> f64 {
        potential(self.shown, self.opponent)
    }

    /// Returns each hole card with the potential after it is opened, sorted by card.
    pub(crate) fn potentials(&self) -> Vec<(u8, f64)> {
        cards(self.holes())
            .map(|card| (card, potential(self.shown | 1 << card, self.opponent)))
            .collect()
    }
}

/// The player's estimates of both hands in a situation.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Turn for which the estimates hold, 1 to 7.
    pub turn: u8,
    /// Distribution of the opponent's final score.
    pub opponent: Distribution,
    /// Score of the player's cards so far.
    pub com: usize,
    /// Probability that the opponent's final score is at most `com`.
    pub p: f64,
    /// Expected score of the opponent.
    pub expectation: f64,
    /// Strength before the adjustment by the opponent's tendencies.
    pub exp: f64,
    /// Superiority after the adjustment.
    pub superiority: Superiority,
}

impl Estimate {
    /// Estimates the superiority in a situation.
    ///
    /// # Panics
    /// Panics in the same cases as [`Distribution::of_opponent`].
    pub fn of(situation: &Situation, tendencies: &Tendencies, config: &Config) -> Estimate {
        let opponent = Distribution::of_opponent(situation.own, situation.opponent);
        let com = score(situation.own);
        let (p, exp) = (opponent.cdf(com), opponent.exp(com, config.between_scores));
        let premise = Premise {
            exp,
            bet: situation.bet_share(),
            turn: situation.turn,
        };
        Estimate {
            turn: situation.turn,
            opponent,
            com,
            p,
            expectation: opponent.expectation(),
            exp,
            superiority: superiority(&premise, p, tendencies, config),
        }
    }

    /// Returns `true` if the player considers the own hand better than the opponent's.
    pub fn is_superior(&self) -> bool {
        0.0 <= self.superiority.result
    }

    /// Returns the actual strength, -1 to 1, if `score` is the opponent's final score.
    pub(crate) fn actual(&self, score: usize) -> f64 {
        self.p - self.opponent.cdf(score)
    }
}

/// A card to open, with the reason.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    /// The card to open.
    pub card: u8,
    /// The reason for the choice of the card.
    pub reason: Reason,
}

/// The reason for opening a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The card is random: the player is superior, but its score is already visible.
    Visible,
    /// The card hides the strength of a superior player.
    Hide,
    /// The card suggests strength of an inferior player.
    Bluff,
    /// The card is random: the player is inferior and will drop.
    GiveUp,
    /// The card is random: the player has no opening strategy.
    Random,
}

/// Chooses the hole card to open. `superior` is true if the latest estimate favours the player.
///
/// # Panics
/// Panics if there is no hole card.
pub fn open(situation: &Situation, superior: bool, config: &Config, rng: &mut impl Rng) -> Opening {
    let mut potentials = situation.potentials();
    let mut any = |reason| Opening {
        card: potentials[chance::below(rng, potentials.len())].0,
        reason,
    };
    let com = score(situation.own);
    if !config.opening {
        return any(Reason::Random);
    }
    if superior && score(situation.shown) == com {
        return any(Reason::Visible);
    }
    if !superior {
        return match bluff(&potentials, com, config) {
            Some(card) => Opening {
                card,
                reason: Reason::Bluff,
            },
            None => any(Reason::GiveUp),
        };
    }
    potentials.sort_by(|a, b| a.1.total_cmp(&b.1));
    let lowest = potentials.len() == 1 || chance::unit(rng) < config.hide;
    Opening {
        card: potentials[usize::from(!lowest)].0,
        reason: Reason::Hide,
    }
}

/// Returns the card with the highest potential (the first if several are equal) if this potential
/// exceeds the score `com` by [`Config::bluff_margin`]. Otherwise, or if bluffs are disabled,
/// returns `None`.
fn bluff(potentials: &[(u8, f64)], com: usize, config: &Config) -> Option<u8> {
    let far = |potential: f64| {
        config.bluff && config.bluff_margin <= potential - crate::fuzzy::estimate::number(com)
    };
    let best = potentials
        .iter()
        .rev()
        .max_by(|one, other| one.1.total_cmp(&other.1));
    best.filter(|best| far(best.1)).map(|best| best.0)
}

/// Returns `true` if the player drops (folds). `gave_up` is true if the reason for opening the
/// latest card was [`Reason::GiveUp`].
pub fn drops(
    situation: &Situation,
    estimate: &Estimate,
    gave_up: bool,
    config: &Config,
    rng: &mut impl Rng,
) -> bool {
    if estimate.is_superior() {
        return false;
    }
    if 6 <= situation.turn {
        let promising = || estimate.expectation + config.stay_margin < situation.potential();
        return gave_up || !config.bluff || !promising();
    }
    if situation.turn == 5
        && config.stay_for_bluff
        && bluff(&situation.potentials(), estimate.com, config).is_some()
    {
        return false;
    }
    let intention = intention(situation.bet_share(), situation.turn, &config.sets);
    match config.drop {
        DropRule::Probability => chance::unit(rng) < intention,
        DropRule::Threshold => config.drop_threshold <= intention,
    }
}

/// Returns the intention to drop, 0 to 1, by the rules of table 2 of the paper. `bet` is
/// [`Situation::bet_share`]. Returns 0 if no rule applies.
pub fn intention(bet: f64, turn: u8, sets: &Sets) -> f64 {
    const ZO: usize = 0;
    const PS1: usize = 1;
    const PS2: usize = 2;
    const PB1: usize = 3;
    const PB2: usize = 4;
    const RULES: [[usize; 3]; 3] = [[ZO, PS1, PB1], [ZO, PS2, PB2], [ZO, PS2, PB2]];
    let turn = f64::from(turn) / f64::from(TURNS);
    let bet = sets.bet.map(|set| set.degree(bet));
    apply_rules(
        &RULES,
        bet,
        sets.turn.map(|set| set.degree(turn)),
        sets.intention,
    )
}

/// Returns the amount to bet, from `limits.0` (a call) to `limits.1`, by equations (6) and (7) of
/// the paper.
///
/// From turn [`Config::bluff_bet_from`] on, an inferior player bluffs: it bets according to its
/// potential.
pub fn bet(
    situation: &Situation,
    estimate: &Estimate,
    limits: (u64, u64),
    config: &Config,
    rng: &mut impl Rng,
) -> u64 {
    let bluffs = config.bluff && !estimate.is_superior() && config.bluff_bet_from <= situation.turn;
    let (result, noise) = if bluffs {
        (situation.potential() / 9.0, 0.0)
    } else {
        (
            estimate.superiority.result,
            chance::normal(rng) * config.noise_variance.sqrt(),
        )
    };
    amount(0.5 * result + 0.5 + noise, limits)
}

/// Returns the amount at the fraction `a` of the way from the lower to the upper limit, rounded
/// down (equation (6) of the paper on which [`crate::fuzzy`] is based). `a` is limited to the range
/// 0 to 1.
pub fn amount(a: f64, (lower, upper): (u64, u64)) -> u64 {
    let upper = upper.max(lower);
    let more = (a.clamp(0.0, 1.0) * (upper - lower) as f64).floor();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to the limits' distance"
    )]
    let more = more as u64;
    (lower + more).min(upper)
}
