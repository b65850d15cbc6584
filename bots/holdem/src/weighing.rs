//! What a choice earns against hands that are read: deals drawn from the ranges of all others,
//! played to the end under a simple assumption of what they do.
//!
//! Others answer a raise as honest players do: they fold where the odds are not right for their
//! hand. After the answers everybody checks. Chips count from the decision on, so that a fold is
//! worth nothing.

use crate::honest::{CALLS_FROM, CALLS_PREFLOP_FROM};
use crate::reading::Range;
use crate::strengths::{HANDS, Strengths, hands};
use hattari_plugin::holdem::card::{CardSet, DECK, set_of};
use hattari_plugin::holdem::equity::Pack;
use hattari_plugin::holdem::{Group, Moves, Strength, Tally, View};
use hattari_plugin::{Choice, Rng};

/// Times that a hand is drawn anew where it shares a card with another.
const REDRAWS: u32 = 50;

/// A choice that is weighed.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The choice.
    pub choice: Choice,
    /// Chips that the own seat adds.
    pub added: i64,
    /// For a raise the own total of the street that others have to match.
    pub raises_to: Option<i64>,
    /// Chips that it earned in the deals drawn so far.
    pub value: f64,
}

/// Another seat that has not folded.
#[derive(Clone, Debug)]
pub struct Opponent {
    /// Chances of all hands up to each.
    sums: Vec<f64>,
    /// Chips that it has put in on this street.
    bet: i64,
    /// Chips that it has left.
    stack: i64,
}

/// A hand that an opponent holds in a drawn deal.
struct Drawn {
    rate: f64,
    strength: Strength,
    bet: i64,
    stack: i64,
}

/// Checking or calling, and a raise for each size, in pots as they are after a call; each legal
/// raise once.
#[must_use]
pub fn candidates(view: &View, moves: &Moves, sizes: &[f64]) -> Vec<Candidate> {
    let own = view.bets[usize::from(view.seat)];
    let mut all = vec![Candidate {
        choice: moves.check_or_call(),
        added: view.to_call,
        raises_to: None,
        value: 0.0,
    }];
    let pot = (view.pot + view.to_call) as f64;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "chips stay far below 2^53; a cast past 64 bits saturates"
    )]
    let raises = sizes
        .iter()
        .filter_map(|size| moves.raise_to(view.level.saturating_add((size * pot) as i64)));
    for choice in raises {
        if all.iter().all(|other| other.choice != choice) {
            all.push(Candidate {
                choice,
                added: choice.amount - own,
                raises_to: Some(choice.amount),
                value: 0.0,
            });
        }
    }
    all
}

impl Opponent {
    /// A seat with its range.
    #[must_use]
    pub fn new(view: &View, seat: u8, range: &Range) -> Opponent {
        let mut sum = 0.0;
        let sums = range.iter().map(|chance| {
            sum += chance;
            sum
        });
        let seat = usize::from(seat);
        Opponent {
            sums: sums.collect(),
            bet: view.bets[seat],
            stack: view.stacks[seat],
        }
    }

    /// The number of a hand by its chances, one that shares no card with `held`, if it comes up.
    fn draw(&self, held: CardSet, all: &[CardSet], rng: &mut Rng) -> Option<usize> {
        let total = self.sums.last().copied().unwrap_or(0.0);
        (0..REDRAWS).find_map(|_| {
            let drawn = rng.unit() * total;
            let hand = self
                .sums
                .partition_point(|&sum| sum <= drawn)
                .min(HANDS - 1);
            (all[hand] & held == 0).then_some(hand)
        })
    }
}

/// Draws deals and adds to every candidate what it earns in them.
pub fn weigh(
    view: &View,
    strengths: &Strengths,
    opponents: &[Opponent],
    candidates: &mut [Candidate],
    samples: u32,
    rng: &mut Rng,
) {
    let all: Vec<CardSet> = hands().collect();
    let n = view.in_play_count();
    let missing = 5 - view.community.count_ones() as usize;
    let mut drawn = Vec::with_capacity(opponents.len());
    for _ in 0..samples {
        let mut held = view.hand | view.community;
        drawn.clear();
        for opponent in opponents {
            let Some(hand) = opponent.draw(held, &all, rng) else {
                break;
            };
            held |= all[hand];
            drawn.push((hand, opponent));
        }
        if drawn.len() < opponents.len() {
            continue;
        }
        let board = view.community | set_of(Pack::new(DECK & !held).draw(missing, rng));
        let tally = Tally::of(board);
        let own = tally.plus(Group::of(view.hand)).strength();
        let others: Vec<Drawn> = (drawn.iter())
            .map(|&(hand, opponent)| Drawn {
                rate: strengths.rate(hand, n - 1),
                strength: tally.plus(Group::of(all[hand])).strength(),
                bet: opponent.bet,
                stack: opponent.stack,
            })
            .collect();
        for candidate in candidates.iter_mut() {
            candidate.value += earned(view, candidate, own, &others);
        }
    }
}

/// Chips that a candidate earns in a drawn deal.
fn earned(view: &View, candidate: &Candidate, own: Strength, others: &[Drawn]) -> f64 {
    let Some(total) = candidate.raises_to else {
        return share(own, others.iter()) * (view.pot + candidate.added) as f64
            - candidate.added as f64;
    };
    let from = if view.community == 0 {
        CALLS_PREFLOP_FROM
    } else {
        CALLS_FROM
    };
    let pot = view.pot + candidate.added;
    let to_call = |other: &Drawn| (total - other.bet).clamp(0, other.stack);
    let calls = |other: &&Drawn| {
        let to_call = to_call(other);
        other.rate * (pot + to_call) as f64 >= from * to_call as f64
    };
    let callers = || others.iter().filter(calls);
    // What nobody can match comes back.
    let Some(matched) = callers().map(|other| other.bet + to_call(other)).max() else {
        return view.pot as f64;
    };
    let added = (candidate.added - (total - matched)).max(0);
    let pot = view.pot + added + callers().map(to_call).sum::<i64>();
    share(own, callers()) * pot as f64 - added as f64
}

/// The own share of a showdown.
fn share<'a>(own: Strength, others: impl Iterator<Item = &'a Drawn>) -> f64 {
    let mut winners = 1;
    for other in others {
        if own < other.strength {
            return 0.0;
        }
        winners += u32::from(own == other.strength);
    }
    1.0 / f64::from(winners)
}
