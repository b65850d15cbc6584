//! The three decisions as pure functions: which card to open, whether to drop, how much to bet.

use crate::fuzzy::chance;
use crate::fuzzy::config::{Config, Drop, Sets};
use crate::fuzzy::estimate::{Distribution, potential};
use crate::fuzzy::infer::{Premise, Superiority, TURNS, Tendencies, superiority};
use crate::fuzzy::score::score;
use crate::fuzzy::sets::centroid;
use hattari_plugin::games::poker::card::{CardSet, cards};
use rand::Rng;

/// What a player sees when it is to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Turn (betting interval), 1 to 7.
    pub turn: u8,
    /// All own cards, 3 to 7.
    pub own: CardSet,
    /// Those of them that lie open.
    pub shown: CardSet,
    /// The opponent's open cards.
    pub opponent: CardSet,
    /// Chips in the pot when the interval began.
    pub pot: u64,
    /// The opponent's bet in this interval, 0 before there is one; after a raise the amount it
    /// raised by.
    pub bet: u64,
}

impl Situation {
    /// Checks that cards and turn can be.
    ///
    /// # Errors
    /// What cannot be.
    pub fn check(&self) -> Result<(), String> {
        let told = |wrong: bool, what: &str| if wrong { Err(what.to_owned()) } else { Ok(()) };
        told(!(1..=TURNS).contains(&self.turn), "turns are 1 to 7")?;
        told(
            7 < self.own.count_ones() || 6 < self.opponent.count_ones(),
            "there are more cards than are dealt",
        )?;
        told(
            self.shown & !self.own != 0,
            "a shown card is not one of the own cards",
        )?;
        told(self.own & self.opponent != 0, "a card is in both hands")
    }

    /// The opponent's bet as a share of the pot, 0 to 1: under pot limit 1 is the highest bet.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a share needs no more than a double's digits"
    )]
    pub fn bet_share(&self) -> f64 {
        if self.bet == 0 {
            0.0
        } else {
            (self.bet as f64 / self.pot.max(1) as f64).min(1.0)
        }
    }

    /// One's own cards that are still hidden.
    #[must_use]
    pub fn holes(&self) -> CardSet {
        self.own & !self.shown
    }

    /// The potential of what is shown, equation (5). Needs the four open cards of turn 4 or more to
    /// be cheap.
    #[must_use]
    pub fn potential(&self) -> f64 {
        potential(self.shown, self.opponent)
    }

    /// The potentials after each hole card was opened, by ascending card.
    #[must_use]
    pub fn potentials(&self) -> Vec<(u8, f64)> {
        cards(self.holes())
            .map(|card| (card, potential(self.shown | 1 << card, self.opponent)))
            .collect()
    }
}

/// The limits of an answer under pot limit as the paper's tables show it, `(lowest, highest)`: from
/// calling a bet to raising by the pot of the interval's beginning; without a bet from `minimum` to
/// the pot.
#[must_use]
pub fn limits(pot: u64, bet: u64, minimum: u64) -> (u64, u64) {
    if bet == 0 {
        (minimum, pot.max(minimum))
    } else {
        (bet, bet + pot)
    }
}

/// All that was estimated in a situation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Turn of the situation.
    pub turn: u8,
    /// The opponent's final score.
    pub opponent: Distribution,
    /// Score of one's own cards so far.
    pub com: usize,
    /// Probability that the opponent's final score is at most `com`.
    pub p: f64,
    /// The opponent's expected score.
    pub expectation: f64,
    /// The strength before the opponent's ways are taken into account.
    pub exp: f64,
    /// The superiority with them.
    pub superiority: Superiority,
}

impl Estimate {
    /// Estimates the superiority in a situation.
    ///
    /// # Panics
    /// The situation does not [`check`](Situation::check).
    #[must_use]
    pub fn of(situation: &Situation, tendencies: &Tendencies, config: &Config) -> Estimate {
        situation.check().expect("a situation that can be");
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

    /// Whether the hand is thought the better one.
    #[must_use]
    pub fn superior(&self) -> bool {
        0.0 <= self.superiority.result
    }

    /// What the opponent's `score` made of this estimate: the strength there really was, -1 to 1.
    #[must_use]
    pub fn actual(&self, score: usize) -> f64 {
        self.p - self.opponent.cdf(score)
    }
}

/// A card to open, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The card.
    pub card: u8,
    /// Why it was chosen.
    pub reason: Reason,
}

/// Why a card is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Superior, but the score can be seen already: at random.
    Visible,
    /// Superior: to seem weak.
    Hide,
    /// Inferior: to seem strong.
    Bluff,
    /// Inferior without a prospect: at random, to drop next.
    GiveUp,
    /// At random, for a player without a strategy of opening.
    Random,
}

/// Chooses the hole card to open. `superior` is the newest estimate's verdict.
///
/// # Panics
/// There is no hole card.
#[must_use]
pub fn open(situation: &Situation, superior: bool, config: &Config, rng: &mut impl Rng) -> Opening {
    let mut potentials = situation.potentials();
    assert!(!potentials.is_empty(), "there is a card to open");
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

/// The card of highest potential, the first of equals, if that is far above the actual score `com`;
/// never without bluffs.
fn bluff(potentials: &[(u8, f64)], com: usize, config: &Config) -> Option<u8> {
    let far = |potential: f64| {
        config.bluff && config.bluff_margin <= potential - crate::fuzzy::estimate::number(com)
    };
    let best = potentials
        .iter()
        .fold(None, |best: Option<&(u8, f64)>, next| match best {
            Some(best) if next.1 <= best.1 => Some(best),
            _ => Some(next),
        });
    best.filter(|best| far(best.1)).map(|best| best.0)
}

/// Whether to drop. `gave_up` says that the newest card was opened for [`Reason::GiveUp`].
#[must_use]
pub fn drops(
    situation: &Situation,
    estimate: &Estimate,
    gave_up: bool,
    config: &Config,
    rng: &mut impl Rng,
) -> bool {
    if estimate.superior() {
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
        Drop::Probability => chance::unit(rng) < intention,
        Drop::Threshold => config.drop_threshold <= intention,
    }
}

/// The intention to drop, 0 to 1, by the rules of table 2; `bet` as in [`Situation::bet_share`]. 0
/// where no rule fires.
#[must_use]
pub fn intention(bet: f64, turn: u8, sets: &Sets) -> f64 {
    const ZO: usize = 0;
    const PS1: usize = 1;
    const PS2: usize = 2;
    const PB1: usize = 3;
    const PB2: usize = 4;
    const RULES: [[usize; 3]; 3] = [[ZO, PS1, PB1], [ZO, PS2, PB2], [ZO, PS2, PB2]];
    let turn = f64::from(turn) / f64::from(TURNS);
    let mut outputs = sets.intention.map(|set| (set, 0.0));
    for (bet_set, rules) in sets.bet.iter().zip(RULES) {
        for (turn_set, output) in sets.turn.iter().zip(rules) {
            let height: &mut f64 = &mut outputs[output].1;
            *height = height.max(bet_set.degree(bet).min(turn_set.degree(turn)));
        }
    }
    centroid(&outputs).unwrap_or(0.0)
}

/// The amount to bet, equations (6) and (7): `limits.0` to call, up to `limits.1`.
///
/// An inferior player that has stayed in bluffs from turn [`Config::bluff_bet_from`] on: it bets
/// what its potential would be worth.
#[must_use]
pub fn bet(
    situation: &Situation,
    estimate: &Estimate,
    limits: (u64, u64),
    config: &Config,
    rng: &mut impl Rng,
) -> u64 {
    let bluffs = config.bluff && !estimate.superior() && config.bluff_bet_from <= situation.turn;
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

/// Equation (6): the amount at share `a` of the limits, which is kept within 0 to 1, rounded down.
#[must_use]
pub fn amount(a: f64, (lower, upper): (u64, u64)) -> u64 {
    let upper = upper.max(lower);
    #[expect(
        clippy::cast_precision_loss,
        reason = "rounding is corrected below, and chips are far fewer than 2^53"
    )]
    let more = (a.clamp(0.0, 1.0) * (upper - lower) as f64).floor();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to the limits' distance"
    )]
    let more = more as u64;
    (lower + more).min(upper)
}
