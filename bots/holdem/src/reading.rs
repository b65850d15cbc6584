//! Inference of a player's cards from the player's actions, under the assumption that the player
//! acts like [`crate::honest`].
//!
//! An honest player raises with a win rate of at least 1.5 even shares. A check or call means a
//! lower win rate, and a call also means that the odds are sufficient. Every action of a deal
//! multiplies the probability of each hand by the probability that this hand takes the action.
//! Honest players only estimate their win rate, and not all players are honest. Limits are
//! therefore smoothed by [`SOFTNESS`], and no action excludes a hand completely.

use crate::honest::{self, RAISES_FROM};
use crate::strengths::{Strengths, hands};
use hattari_plugin::Rng;
use hattari_plugin::holdem::card::CardSet;
use hattari_plugin::holdem::{Event, SEATS_MAX, View, event};

/// Half the width of the band around a limit in which both actions are possible. It is two standard
/// errors of a win rate from 1,000 samples.
pub(crate) const SOFTNESS: f64 = 0.03;
/// Minimum probability of an observed action, for every hand.
pub(crate) const DOUBT: f64 = 0.01;

/// The inference in one deal, with the win rates of all hands on each street reached so far.
#[derive(Default)]
pub(crate) struct Reader {
    streets: Vec<Strengths>,
}

/// Relative probability of each hand of one player, by index of the hand.
pub(crate) type Range = Vec<f64>;

/// The state of the betting while the history is replayed.
struct BettingState {
    bets: [i64; SEATS_MAX],
    level: i64,
    pot: i64,
    raises: u8,
    in_play: u16,
    community: CardSet,
}

/// Returns the probability that a noisy estimate of `quantity` is at least `limit`. It increases
/// linearly from 0 to 1 in the band of [`SOFTNESS`] around the limit.
pub(crate) fn at_least(quantity: f64, limit: f64) -> f64 {
    ((quantity - limit) / (2.0 * SOFTNESS) + 0.5).clamp(0.0, 1.0)
}

impl Reader {
    /// Returns the win rates with these community cards, which are cached for the deal. If cards
    /// are missing, `boards` random boards are used.
    pub(crate) fn strengths(
        &mut self,
        community: CardSet,
        boards: u32,
        rng: &mut Rng,
    ) -> &Strengths {
        if community == 0 {
            return Strengths::preflop();
        }
        let known = self
            .streets
            .iter()
            .position(|strengths| strengths.community == community);
        let index = known.unwrap_or_else(|| {
            self.streets
                .retain(|strengths| strengths.community & !community == 0);
            self.streets
                .push(Strengths::with_community(community, boards, rng));
            self.streets.len() - 1
        });
        &self.streets[index]
    }

    /// Returns the seat and the range of every other player who has not folded, inferred from the
    /// player's actions in the deal.
    pub(crate) fn ranges(
        &mut self,
        view: &View,
        history: &[Event],
        boards: u32,
        rng: &mut Rng,
    ) -> Vec<(u8, Range)> {
        let seen = view.hand | view.community;
        let start: Range = hands()
            .map(|hand| f64::from(u8::from(hand & seen == 0)))
            .collect();
        let mut ranges: Vec<(u8, Range)> =
            view.opponents().map(|seat| (seat, start.clone())).collect();
        let mut betting = BettingState {
            bets: [0; SEATS_MAX],
            level: 0,
            pot: 0,
            raises: 0,
            in_play: (1 << view.players) - 1,
            community: 0,
        };
        for event in history {
            if let Some((_, range)) = ranges.iter_mut().find(|(seat, _)| *seat == event.seat) {
                let strengths = self.strengths(betting.community, boards, rng);
                betting.update_range(range, event, strengths, view);
            }
            betting.follow(event);
        }
        ranges
    }
}

impl BettingState {
    /// Multiplies the probability of each hand in `range` by its probability of the action in
    /// `event`. `self` must be the state before the action.
    fn update_range(&self, range: &mut Range, event: &Event, strengths: &Strengths, view: &View) {
        let n = self.in_play.count_ones();
        let is_capped = view.raises_max != 0 && view.raises_max <= self.raises;
        let raises_from = RAISES_FROM / f64::from(n);
        let to_call = self.level - self.bets[usize::from(event.seat)];
        let from = honest::calls_from(self.community == 0);
        let calls_from = from * to_call as f64 / (self.pot + to_call) as f64;
        for (hand, chance) in range.iter_mut().enumerate() {
            let rate = strengths.rate(hand, n - 1);
            let raises = if is_capped {
                0.0
            } else {
                at_least(rate, raises_from)
            };
            let taken = match event.kind {
                event::RAISE => at_least(rate, raises_from),
                event::CHECK => 1.0 - raises,
                event::CALL => (1.0 - raises) * at_least(rate, calls_from),
                _ => 1.0,
            };
            *chance *= taken.max(DOUBT);
        }
    }

    fn follow(&mut self, event: &Event) {
        let seat = usize::from(event.seat);
        match event.kind {
            event::FOLD => self.in_play &= !(1 << event.seat),
            event::ANTE => self.pot += event.amount,
            event::BLIND | event::CALL => {
                self.pot += event.amount;
                self.bets[seat] += event.amount;
                self.level = self.level.max(self.bets[seat]);
            }
            event::RAISE => {
                self.pot += event.amount - self.bets[seat];
                self.bets[seat] = event.amount;
                self.level = event.amount;
                self.raises += 1;
            }
            event::STREET => {
                self.bets = [0; SEATS_MAX];
                self.level = 0;
                self.raises = 0;
                self.community |= event.cards;
            }
            _ => {}
        }
    }
}
