//! Expected gain of choices if the hands of the other players are inferred. Deals are sampled from
//! the ranges of all other players and played to the end under a simple assumption.
//!
//! The assumption: other players answer a raise like honest players, who fold if the odds are not
//! sufficient for their hand. After the answers, all players check. Chips count from this decision
//! on, so a fold has value 0.

use crate::honest::calls_from;
use crate::reading::Range;
use crate::strengths::{HANDS, Strengths, hands};
use hattari_plugin::holdem::card::{CardSet, DECK, set_of};
use hattari_plugin::holdem::equity::SampleDeck;
use hattari_plugin::holdem::{Group, Moves, Strength, Tally, View};
use hattari_plugin::{Choice, Rng};

/// Maximum number of attempts to draw a hand whose cards have not been dealt yet.
const REDRAWS: u32 = 50;

/// A choice that is evaluated.
pub(crate) struct Candidate {
    /// Choice that the bot makes if this candidate is best.
    pub choice: Choice,
    /// Number of chips that the bot puts into the pot by this choice.
    pub added: i64,
    /// For a raise, the bot's total on this street, which the others have to match.
    pub raises_to: Option<i64>,
    /// Sum of the chips gained in all sampled deals.
    pub value: f64,
}

/// An opponent of the bot who has not folded.
pub(crate) struct Opponent {
    /// Cumulative probabilities of the hands in the player's range, by index of the hand.
    sums: Vec<f64>,
    /// Chips put in on this street.
    bet: i64,
    /// Remaining chips.
    stack: i64,
}

/// An opponent's hand in a sampled deal.
struct SampledOpponent {
    rate: f64,
    strength: Strength,
    bet: i64,
    stack: i64,
}

/// Returns a check or call, and a raise for each of `sizes`, which are multiples of the pot after a
/// call. Equal raises are listed only once.
pub(crate) fn candidates(view: &View, moves: &Moves, sizes: &[f64]) -> Vec<Candidate> {
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
    /// Creates an opponent from its range.
    pub(crate) fn new(view: &View, seat: u8, range: &Range) -> Opponent {
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

    /// Draws the index of a hand according to the probabilities, without cards in `held`. Returns
    /// `None` if all [`REDRAWS`] attempts fail.
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

/// Samples deals, and adds to the value of each candidate its gain in every deal.
pub(crate) fn weigh(
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
        let board = view.community | set_of(SampleDeck::new(DECK & !held).draw(missing, rng));
        let tally = Tally::of(board);
        let own = tally.plus(Group::of(view.hand)).strength();
        let others: Vec<SampledOpponent> = (drawn.iter())
            .map(|&(hand, opponent)| SampledOpponent {
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

/// Returns the chips that the bot gains by a candidate in a sampled deal.
fn earned(view: &View, candidate: &Candidate, own: Strength, others: &[SampledOpponent]) -> f64 {
    let Some(total) = candidate.raises_to else {
        return share(own, others.iter()) * (view.pot + candidate.added) as f64
            - candidate.added as f64;
    };
    let from = calls_from(view.community == 0);
    let pot = view.pot + candidate.added;
    let to_call = |other: &SampledOpponent| (total - other.bet).clamp(0, other.stack);
    let calls = |other: &&SampledOpponent| {
        let to_call = to_call(other);
        other.rate * (pot + to_call) as f64 >= from * to_call as f64
    };
    let callers = || others.iter().filter(calls);
    // The part of a raise that nobody can match is returned.
    let Some(matched) = callers().map(|other| other.bet + to_call(other)).max() else {
        return view.pot as f64;
    };
    let added = (candidate.added - (total - matched)).max(0);
    let pot = view.pot + added + callers().map(to_call).sum::<i64>();
    share(own, callers()) * pot as f64 - added as f64
}

/// Returns the share of the pot that a hand of strength `own` wins at a showdown with `others`.
fn share<'a>(own: Strength, others: impl Iterator<Item = &'a SampledOpponent>) -> f64 {
    let mut winners = 1;
    for other in others {
        if own < other.strength {
            return 0.0;
        }
        winners += u32::from(own == other.strength);
    }
    1.0 / f64::from(winners)
}
