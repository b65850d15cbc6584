//! Adds single records to the samples of bots and pairs.

use super::{BotSample, FAULTS_SHOWN, FaultNote, PairDeals, PairSample};
use crate::league::PlannedDeals;
use hattari_agents::record::{Fault, FaultKind, Record};
use hattari_stats::dependence::LagSums;
use hattari_stats::{PairSums, Sums};
use std::collections::BTreeSet;
use std::iter::Sum;

impl BotSample {
    /// Adds a block. `places` are the entrant's places in the line-up, `blocks` is the number of
    /// earlier blocks, and `luck` has one row per kind of chance.
    pub(super) fn add(
        &mut self,
        record: &Record,
        places: &[usize],
        blocks: usize,
        plan: PlannedDeals,
        luck: &[i64],
    ) {
        let n = record.sum.len();
        let scores = plan.scores_of(record.deals, &record.sum, luck);
        push(&mut self.means, Some(scores.mean(places)));
        self.add_luck(scores.luck(places), luck.len() / n, blocks);
        if places.iter().any(|&place| has_forfeited(record, place)) {
            // Mark the blocks since the last forfeited one as not forfeited.
            self.forfeited.resize(blocks, false);
            self.forfeited.push(true);
        } else if faults_of(record, places).any(|fault| fault.kind == FaultKind::Start) {
            self.unstarted += 1;
        }
        self.deals += u64::from(record.deals);
        self.add_lag(record, places, plan);
        for &place in places {
            let counts = &record.places[place * n..(place + 1) * n];
            for (sum, count) in self.ranks.iter_mut().zip(counts) {
                *sum += u64::from(*count);
            }
            self.faults += u64::from(record.fault_counts[place]);
        }
        self.add_fault_notes(record, places);
    }

    /// Adds the luck of a block. Keeps only the kinds of luck that every block has.
    fn add_luck(&mut self, luck: impl Iterator<Item = f64>, kinds: usize, blocks: usize) {
        let kinds = if blocks == 0 {
            kinds
        } else {
            kinds.min(self.luck.len())
        };
        if kinds != self.luck.len() {
            self.luck.resize(kinds, Vec::new());
        }
        for (list, luck) in self.luck.iter_mut().zip(luck) {
            list.push(luck);
        }
    }

    /// Adds the sums of neighbouring deals, without forfeited places.
    fn add_lag(&mut self, record: &Record, places: &[usize], plan: PlannedDeals) {
        let n = record.sum.len();
        let stretches = record.deals.div_ceil(plan.deals.max(1));
        for &place in places
            .iter()
            .filter(|&&place| !has_forfeited(record, place))
        {
            self.lag.merge(&LagSums {
                games: Sums {
                    n: record.deals.into(),
                    sum: record.sum[place],
                    sum_of_squares: record.product[place * n + place].into(),
                },
                neighbours: (record.deals - stretches).into(),
                sum_of_products: record.lagged[place].into(),
            });
        }
    }

    /// Adds the descriptions of faults. Records arrive in any order, so the first notes by block
    /// are kept, which limits the memory for bots with many faults.
    fn add_fault_notes(&mut self, record: &Record, places: &[usize]) {
        for fault in faults_of(record, places) {
            self.fault_notes.push(FaultNote {
                block: record.job.block,
                deal: fault.deal,
                decision: fault.decision,
                kind: fault.kind,
                message: fault.message.clone(),
            });
        }
        if self.fault_notes.len() > 4 * FAULTS_SHOWN {
            keep_first_notes(&mut self.fault_notes);
        }
    }
}

impl PairSample {
    /// Adds the sums of a block. `a` and `b` are the places of the two entrants.
    pub(super) fn add(&mut self, record: &Record, a: &[usize], b: &[usize]) {
        let n = record.sum.len();
        let total = |places: &[usize]| places.iter().map(|&place| record.sum[place]).sum::<i64>();
        let product = |x: usize, y: usize| i128::from(record.product[x * n + y]);
        let times_ahead = |x: usize, y: usize| f64::from(record.ahead[x * n + y]);
        let first = sum_of_pairs(a, b, times_ahead);
        let second = sum_of_pairs(b, a, times_ahead);
        let ties = f64::from(record.deals) * (a.len() * b.len()) as f64 - first - second;
        push(&mut self.ahead, [first + 0.5 * ties, second + 0.5 * ties]);
        // Instead of means over copies, use sums multiplied by the other entrant's number of
        // copies, so that all numbers are integers.
        let copies =
            |places: &[usize]| i64::try_from(places.len()).expect("a table has at most 64 players");
        let scaled = |own: &[usize], other: &[usize]| Sums {
            n: record.deals.into(),
            sum: copies(other) * total(own),
            sum_of_squares: i128::from(copies(other).pow(2)) * sum_of_pairs(own, own, product),
        };
        if let PairDeals::Sums { sums, .. } = &mut self.deals {
            sums.merge(&PairSums {
                a: scaled(a, b),
                b: scaled(b, a),
                sum_of_products: i128::from(copies(a) * copies(b)) * sum_of_pairs(a, b, product),
            });
        }
    }
}

/// Returns the sum of `value(x, y)` over all `x` in `xs` and all `y` in `ys`.
fn sum_of_pairs<T: Sum>(xs: &[usize], ys: &[usize], value: impl Fn(usize, usize) -> T) -> T {
    xs.iter()
        .map(|&x| ys.iter().map(|&y| value(x, y)).sum::<T>())
        .sum()
}

/// Returns the described faults of the bots at `places`.
fn faults_of<'a>(record: &'a Record, places: &'a [usize]) -> impl Iterator<Item = &'a Fault> {
    record
        .faults
        .iter()
        .filter(|fault| places.contains(&usize::from(fault.entrant)))
}

/// Returns `true` if the bot at a place has forfeited the block.
fn has_forfeited(record: &Record, place: usize) -> bool {
    record.forfeits >> place & 1 == 1
}

/// Appends an item. Allocates less memory than `Vec::push`, because there are many lists with few
/// items.
pub(super) fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len().max(1));
    }
    list.push(item);
}

/// Orders notes by block, deal and decision. Keeps the first [`FAULTS_SHOWN`] notes, and the first
/// note of every kind that they lack.
pub(super) fn keep_first_notes(notes: &mut Vec<FaultNote>) {
    notes.sort_by_key(|note| (note.block, note.deal, note.decision));
    *notes = keep_first(std::mem::take(notes), FAULTS_SHOWN, |note| note.kind);
}

/// Returns the first `count` items, and the first item of every kind that they lack.
pub fn keep_first<T>(list: Vec<T>, count: usize, kind: impl Fn(&T) -> FaultKind) -> Vec<T> {
    let mut kinds = BTreeSet::new();
    let mut number = 0;
    let mut is_kept = |item: &T| {
        number += 1;
        kinds.insert(kind(item)) || number <= count
    };
    list.into_iter().filter(|item| is_kept(item)).collect()
}
