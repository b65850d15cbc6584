//! Statistics of play: how often bots make certain choices, and their payoffs in certain positions
//! and after certain outcomes.

use super::estimate::CountAndSum;
use super::logged::{LoggedNumberSums, LoggedValues};
use super::{Estimate, LoggedRow, Stake, TestResult};
use hattari_agents::table::{BlockObserver, Decider, Position, TakenAction};
use hattari_plugin::games::features::{PlayMeasure, PlayStatistic};
use serde::Serialize;

/// A statistic of a bot's play.
#[derive(Debug, Serialize)]
pub struct PlayRow {
    /// Name of the bot.
    pub bot: String,
    /// Name of the statistic.
    pub statistic: &'static str,
    /// The measured quantity: a share of decisions, a share of deals, a mean payoff or winnings.
    pub measure: PlayMeasure,
    /// Number of decisions or deals.
    pub count: u64,
    /// The share, mean payoff or winnings; `None` without decisions or deals.
    pub value: Option<f64>,
    /// The value with its interval over blocks.
    pub estimate: TestResult<Estimate>,
}

/// An observer that counts the statistics of a block.
pub struct PlayCounter {
    statistics: &'static [PlayStatistic],
    /// Counts by line-up position and statistic.
    counts: Vec<Vec<CountAndSum>>,
    /// For each player and statistic: `None` until the position of the statistic occurs in the
    /// deal, then `true` if the bot made the choice. For statistics of outcomes: `None` if the deal
    /// is not selected, otherwise `true` if the outcome matches.
    deal: Vec<Vec<Option<bool>>>,
    /// View of the seat that decides.
    view: Vec<u8>,
    logged: LoggedNumberSums,
}

impl PlayCounter {
    /// Creates an observer for a block with `players` players.
    pub fn new(statistics: &'static [PlayStatistic], players: usize) -> PlayCounter {
        PlayCounter {
            statistics,
            counts: vec![vec![CountAndSum::default(); statistics.len()]; players],
            deal: vec![vec![None; statistics.len()]; players],
            view: Vec::new(),
            logged: LoggedNumberSums::new(players),
        }
    }
}

impl BlockObserver for PlayCounter {
    fn asked(&mut self, position: &dyn Position, seat: u8, _: usize) {
        self.view.clear();
        position.view(seat, &mut self.view);
    }

    fn acted(&mut self, position: &dyn Position, taken: &TakenAction<'_>) {
        self.logged.acted(position, taken);
        if taken.decider != Decider::Bot {
            return;
        }
        let features = position.game().position_features(&self.view);
        let choice = position
            .game()
            .choice_features(&self.view, taken.action, taken.amount);
        let deal = &mut self.deal[position.player_at(taken.seat)];
        for (number, statistic) in self.statistics.iter().enumerate() {
            let measure = statistic.measure;
            if measure.is_of_outcomes() || !PlayStatistic::are_met(statistic.position, &features) {
                continue;
            }
            let is_chosen = PlayStatistic::are_met(statistic.choice, &choice);
            if measure == PlayMeasure::Decisions {
                self.counts[taken.entrant][number].add(share(is_chosen));
            } else {
                deal[number] = Some(is_chosen || deal[number] == Some(true));
            }
        }
    }

    fn outcome(&mut self, position: &dyn Position) {
        for (player, deal) in self.deal.iter_mut().enumerate() {
            let outcome = position.outcome_features(position.seat_of(player));
            for (statistic, is_matching) in self.statistics.iter().zip(deal) {
                let are_met = |conditions| PlayStatistic::are_met(conditions, &outcome);
                if statistic.measure.is_of_outcomes() && are_met(statistic.position) {
                    *is_matching = Some(are_met(statistic.choice));
                }
            }
        }
    }

    fn ended(&mut self, payoffs: &[i64], entrants: &[usize]) {
        self.logged.deal_ended();
        for ((deal, &payoff), &entrant) in self.deal.iter_mut().zip(payoffs).zip(entrants) {
            let statistics = self.statistics.iter().zip(deal);
            for ((statistic, chosen), count) in statistics.zip(&mut self.counts[entrant]) {
                match (statistic.measure, chosen.take()) {
                    (PlayMeasure::Deals | PlayMeasure::Outcomes, Some(is_chosen)) => {
                        count.add(share(is_chosen));
                    }
                    (PlayMeasure::Payoff, Some(true)) => count.add(payoff as f64),
                    (PlayMeasure::Winnings, Some(is_matching)) => {
                        count.add(share(is_matching) * payoff as f64);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Returns 1 for a choice that was made, otherwise 0.
fn share(is_chosen: bool) -> f64 {
    f64::from(u8::from(is_chosen))
}

/// The counts of all blocks.
pub struct PlayCounts {
    statistics: &'static [PlayStatistic],
    /// For each entrant and statistic, the counts of the blocks, each with the cluster of its
    /// block.
    blocks: Vec<Vec<Vec<(usize, CountAndSum)>>>,
    logged: LoggedValues,
}

impl PlayCounts {
    /// Creates empty counts for a league of `entrants` entrants.
    pub fn new(statistics: &'static [PlayStatistic], entrants: usize) -> PlayCounts {
        PlayCounts {
            statistics,
            blocks: vec![vec![Vec::new(); statistics.len()]; entrants],
            logged: LoggedValues::new(entrants),
        }
    }

    /// Adds a block. `line_up` has the entrant of each line-up position; blocks of a cluster share
    /// their deals.
    pub fn add(&mut self, counter: PlayCounter, line_up: &[usize], cluster: usize) {
        self.logged.add(counter.logged, line_up, cluster);
        for (counts, &entrant) in counter.counts.iter().zip(line_up) {
            for (blocks, &count) in self.blocks[entrant].iter_mut().zip(counts) {
                if count.count > 0 {
                    blocks.push((cluster, count));
                }
            }
        }
    }

    /// Returns the statistics with confidence intervals, by statistic and entrant. `stake` is the
    /// unit of winnings, if the game has one. The result does not depend on the order in which
    /// blocks were added.
    pub fn rows(&self, names: &[String], confidence: f64, stake: Option<&Stake>) -> Vec<PlayRow> {
        let mut rows = Vec::new();
        for (number, statistic) in self.statistics.iter().enumerate() {
            let stake = stake.filter(|_| statistic.measure == PlayMeasure::Winnings);
            let scale = stake.map_or(1.0, Stake::per_hundred_points);
            for (bot, counts) in names.iter().zip(&self.blocks) {
                let (total, estimate) = CountAndSum::over_blocks(&counts[number], confidence);
                let CountAndSum { count, sum } = total;
                rows.push(PlayRow {
                    bot: bot.clone(),
                    statistic: statistic.name,
                    measure: statistic.measure,
                    count,
                    value: (count > 0).then(|| scale * sum / count as f64),
                    estimate: estimate
                        .map(|mean| stake.map_or(mean, |stake| stake.per_hundred(mean)))
                        .into(),
                });
            }
        }
        rows
    }

    /// Returns the means of the logged numbers with confidence intervals, by name, entrant and
    /// turn. The result does not depend on the order in which blocks were added.
    pub fn logged(&self, names: &[String], confidence: f64) -> Vec<LoggedRow> {
        self.logged.rows(names, confidence)
    }
}
