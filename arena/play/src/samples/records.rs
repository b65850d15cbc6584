//! From the records of blocks to samples, one record at a time: memory grows with blocks, not with
//! deals.

use super::{
    BlockInfo, BotSample, FAULTS_SHOWN, FaultNote, Label, LineUpSample, PairDeals, PairSample,
    Samples, Thinking,
};
use crate::league::{Plan, Sharing};
use hattari_agents::record::{FaultKind, JobId, Kills, Record, Timing};
use hattari_plugin::games::LUCK_PARTS;
use hattari_stats::dependence::LagSums;
use hattari_stats::{PairSums, Sums};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Gathers records in any order; [`Collector::finish`] does not depend on the order.
pub struct Collector {
    names: Vec<String>,
    line_ups: Vec<Gathering>,
    /// Deals that a block was to have. Without a plan it was to have what it has.
    plan: Option<Plan>,
    sharing: Sharing,
    has_luck: bool,
}

/// A record that does not belong to the schedule.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The schedule has no such line-up.
    #[error("line-up {0} is not in the schedule")]
    LineUp(u32),
    /// Lists of the record have another length than the table.
    #[error("the record of line-up {}, block {} is not that of a table of {seats}", job.line_up, job.block)]
    Shape {
        /// Which block.
        job: JobId,
        /// Seats of the line-up.
        seats: usize,
    },
    /// Nothing was played in the block.
    #[error("line-up {}, block {} has no deals", .0.line_up, .0.block)]
    Empty(JobId),
    /// The block has come before.
    #[error("line-up {}, block {} is there twice", .0.line_up, .0.block)]
    Twice(JobId),
}

/// One line-up while records come in.
struct Gathering {
    /// Entrants by place.
    entrants: Vec<usize>,
    /// Places of each distinct entrant, in the order of the first seat.
    seats: Arc<[Vec<usize>]>,
    blocks: Vec<Played>,
    bots: Vec<Tally>,
    pairs: Vec<PairSums>,
}

/// One block: deals, and for each distinct entrant the sum of payoffs over its copies and whether
/// it forfeited.
struct Played {
    number: u32,
    deals: u32,
    /// Deals that its means are over: those planned, were they played or not.
    counted: u64,
    sums: Vec<i64>,
    /// The same of what chance was worth, a row for each kind; no kinds where it was not measured.
    luck: Vec<i64>,
    /// One bit for each distinct entrant.
    forfeited: u32,
    /// For each pair how often who was ahead; see [`PairSample::ahead`].
    ahead: Vec<[f64; 2]>,
}

/// What is added up for each distinct entrant.
struct Tally {
    places: Vec<u64>,
    faults: u64,
    notes: Vec<FaultNote>,
    lag: LagSums,
}

impl Collector {
    /// A collector for a schedule; `line_ups[l][place]` is the index of an entrant in `names`.
    #[must_use]
    pub fn new(names: Vec<String>, line_ups: &[Vec<usize>]) -> Collector {
        let mut gatherings: Vec<Gathering> = Vec::with_capacity(line_ups.len());
        for entrants in line_ups {
            let seats = seats_of(entrants);
            // Line-ups may be many, and most tables are alike.
            let like_before = gatherings
                .last()
                .filter(|before| *before.seats == seats[..])
                .map(|before| Arc::clone(&before.seats));
            let seats = like_before.unwrap_or_else(|| seats.into());
            gatherings.push(Gathering::new(entrants, seats));
        }
        Collector {
            names,
            line_ups: gatherings,
            plan: None,
            sharing: Sharing::Own,
            has_luck: true,
        }
    }

    /// Leaves out what chance was worth.
    #[must_use]
    pub fn without_luck(self) -> Collector {
        Collector {
            has_luck: false,
            ..self
        }
    }

    /// Says how many deals a block was to have.
    #[must_use]
    pub fn planned(self, plan: Plan) -> Collector {
        Collector {
            plan: Some(plan),
            ..self
        }
    }

    /// Says which blocks were dealt the same cards.
    #[must_use]
    pub fn sharing(self, sharing: Sharing) -> Collector {
        Collector { sharing, ..self }
    }

    /// Takes in one block.
    ///
    /// # Errors
    /// The record does not fit the schedule; the collector is as it was. A block that comes twice
    /// is found by [`Collector::finish`].
    pub fn add(&mut self, record: &Record) -> Result<(), Unfit> {
        let gathering = usize::try_from(record.job.line_up)
            .ok()
            .and_then(|number| self.line_ups.get_mut(number));
        let plan = self.plan.unwrap_or(Plan {
            deals: record.deals,
            rotations: 1,
        });
        gathering
            .ok_or(Unfit::LineUp(record.job.line_up))?
            .add(record, plan, self.has_luck)
    }

    /// The samples, without kills, of which records know nothing; `timing` goes by entrant.
    ///
    /// # Errors
    /// A block came twice.
    pub fn finish(self, timing: &Timing) -> Result<Samples, Unfit> {
        let mut line_ups = Vec::with_capacity(self.line_ups.len());
        let mut numbers = Vec::with_capacity(self.line_ups.len());
        for (number, gathering) in (0..).zip(self.line_ups) {
            let (line_up, blocks) = gathering.finish(number)?;
            line_ups.push(line_up);
            numbers.push(blocks);
        }
        for (line_up, clusters) in line_ups.iter_mut().zip(self.sharing.clusters(&numbers)) {
            line_up
                .blocks
                .iter_mut()
                .zip(clusters)
                .for_each(|(block, cluster)| block.cluster = cluster);
        }
        let thinking = Thinking::of(timing, self.names.len());
        let kills = vec![Kills::default(); self.names.len()];
        Ok(Samples {
            names: self.names,
            line_ups,
            thinking,
            kills,
        })
    }
}

impl Gathering {
    fn new(entrants: &[usize], seats: Arc<[Vec<usize>]>) -> Gathering {
        let tally = |_| Tally {
            places: vec![0; entrants.len()],
            faults: 0,
            notes: Vec::new(),
            lag: LagSums::default(),
        };
        let bots: Vec<Tally> = seats.iter().map(tally).collect();
        let pairs = vec![PairSums::default(); pairs_of(bots.len()).count()];
        Gathering {
            entrants: entrants.to_vec(),
            seats,
            blocks: Vec::new(),
            bots,
            pairs,
        }
    }

    fn add(&mut self, record: &Record, plan: Plan, has_luck: bool) -> Result<(), Unfit> {
        let n = self.entrants.len();
        let fits = record.sum.len() == n
            && record.product.len() == n * n
            && record.places.len() == n * n
            && record.ahead.len() == n * n
            && record.lagged.len() == n
            && record.luck.len().is_multiple_of(n)
            && record.fault_counts.len() == n;
        if !fits {
            return Err(Unfit::Shape {
                job: record.job,
                seats: n,
            });
        }
        if record.deals == 0 {
            return Err(Unfit::Empty(record.job));
        }
        let total = |seats: &[usize]| seats.iter().map(|&seat| record.sum[seat]).sum::<i64>();
        let lost = |seats: &[usize]| seats.iter().any(|&seat| record.forfeits >> seat & 1 == 1);
        let all_seats = Arc::clone(&self.seats);
        let luck = if has_luck { &record.luck[..] } else { &[] };
        let ahead = pairs_of(all_seats.len()).map(|(a, b)| {
            let (a, b) = (&all_seats[a], &all_seats[b]);
            let times = |xs: &[usize], ys: &[usize]| {
                let row = |&x: &usize| {
                    ys.iter()
                        .map(|&y| f64::from(record.ahead[x * n + y]))
                        .sum::<f64>()
                };
                xs.iter().map(row).sum::<f64>()
            };
            let (first, second) = (times(a, b), times(b, a));
            let ties = f64::from(record.deals) * (a.len() * b.len()) as f64 - first - second;
            [first + 0.5 * ties, second + 0.5 * ties]
        });
        let block = Played {
            number: record.job.block,
            deals: record.deals,
            counted: plan.counted(record),
            sums: all_seats.iter().map(|seats| total(seats)).collect(),
            luck: luck
                .chunks(n)
                .flat_map(|row| {
                    all_seats
                        .iter()
                        .map(|seats| seats.iter().map(|&seat| row[seat]).sum())
                })
                .collect(),
            forfeited: all_seats
                .iter()
                .zip(0..)
                .map(|(seats, at)| u32::from(lost(seats)) << at)
                .sum(),
            ahead: ahead.collect(),
        };
        // Line-ups may be many, with few blocks each.
        if self.blocks.len() == self.blocks.capacity() {
            self.blocks.reserve_exact(self.blocks.len().max(1));
        }
        self.blocks.push(block);
        for (tally, seats) in self.bots.iter_mut().zip(&*all_seats) {
            tally.add(record, seats, plan.deals);
        }
        let products = |xs: &[usize], ys: &[usize]| {
            let row = |&x: &usize| {
                ys.iter()
                    .map(|&y| i128::from(record.product[x * n + y]))
                    .sum::<i128>()
            };
            xs.iter().map(row).sum::<i128>()
        };
        for (sums, (a, b)) in self.pairs.iter_mut().zip(pairs_of(all_seats.len())) {
            // Means over copies times the product of both numbers of copies are whole numbers.
            let (a, b) = (&all_seats[a], &all_seats[b]);
            let copies = |seats: &[usize]| {
                i64::try_from(seats.len()).expect("tables have a handful of seats")
            };
            let (weight_a, weight_b) = (copies(b), copies(a));
            let (wide_a, wide_b) = (i128::from(weight_a), i128::from(weight_b));
            let n = u64::from(record.deals);
            sums.merge(&PairSums {
                a: Sums {
                    n,
                    sum: weight_a * total(a),
                    sum_of_squares: wide_a * wide_a * products(a, a),
                },
                b: Sums {
                    n,
                    sum: weight_b * total(b),
                    sum_of_squares: wide_b * wide_b * products(b, b),
                },
                sum_of_products: wide_a * wide_b * products(a, b),
            });
        }
        Ok(())
    }

    /// The sample, its blocks in no cluster yet, and the numbers of its blocks.
    fn finish(mut self, number: u32) -> Result<(LineUpSample, Vec<u32>), Unfit> {
        self.blocks.sort_by_key(|block| block.number);
        if let Some(twice) = self
            .blocks
            .windows(2)
            .find(|two| two[0].number == two[1].number)
        {
            return Err(Unfit::Twice(JobId {
                line_up: number,
                block: twice[0].number,
            }));
        }
        let deals: u64 = self.blocks.iter().map(|block| u64::from(block.deals)).sum();
        let all_seats = self.seats;
        let kinds = self
            .blocks
            .iter()
            .map(|block| block.luck.len() / all_seats.len())
            .min()
            .unwrap_or(0);
        let luck = |bot: usize, copies: usize| -> Vec<Vec<f64>> {
            (0..kinds)
                .map(|kind| {
                    self.blocks
                        .iter()
                        .map(|block| block.luck(kind, bot, copies))
                        .collect()
                })
                .collect()
        };
        let mut pairs = Vec::with_capacity(self.pairs.len());
        for (pair, (sums, (a, b))) in self.pairs.iter().zip(pairs_of(all_seats.len())).enumerate() {
            let scale = (all_seats[a].len() * all_seats[b].len()) as f64;
            pairs.push(PairSample {
                a: self.entrants[all_seats[a][0]],
                b: self.entrants[all_seats[b][0]],
                deals: PairDeals::Sums { sums: *sums, scale },
                ahead: self.blocks.iter().map(|block| block.ahead[pair]).collect(),
            });
        }
        let mut bots = Vec::with_capacity(self.bots.len());
        for (at, (tally, seats)) in self.bots.into_iter().zip(&*all_seats).enumerate() {
            let forfeited: Vec<bool> = self
                .blocks
                .iter()
                .map(|block| block.forfeited >> at & 1 == 1)
                .collect();
            bots.push(BotSample {
                entrant: self.entrants[seats[0]],
                copies: u32::try_from(seats.len()).expect("tables have a handful of seats"),
                means: self
                    .blocks
                    .iter()
                    .map(|block| Some(block.mean(at, seats.len())))
                    .collect(),
                luck: luck(at, seats.len()).into(),
                deals,
                places: tally.places,
                faults: tally.faults,
                forfeited: if forfeited.contains(&true) {
                    forfeited
                } else {
                    Vec::new()
                }
                .into(),
                fault_notes: first_notes(tally.notes).into(),
                lag: tally.lag,
            });
        }
        let info = |block: &Played| BlockInfo {
            label: Label::Number(block.number),
            deals: u64::from(block.deals),
            cluster: 0,
        };
        let blocks = self.blocks.iter().map(info).collect();
        let numbers = self.blocks.iter().map(|block| block.number).collect();
        Ok((
            LineUpSample {
                entrants: self.entrants,
                blocks,
                bots,
                pairs,
            },
            numbers,
        ))
    }
}

impl Played {
    /// Mean payoff per deal planned of the distinct entrant `bot` with `copies` seats.
    fn mean(&self, bot: usize, copies: usize) -> f64 {
        self.sums[bot] as f64 / (self.counted as f64 * copies as f64)
    }

    /// The same of what one kind of chance was worth.
    fn luck(&self, kind: usize, bot: usize, copies: usize) -> f64 {
        self.luck[kind * self.sums.len() + bot] as f64
            / (LUCK_PARTS as f64 * self.counted as f64 * copies as f64)
    }
}

impl Tally {
    fn add(&mut self, record: &Record, seats: &[usize], run_deals: u32) {
        let n = record.sum.len();
        let stretches = record.deals.div_ceil(run_deals.max(1));
        for &seat in seats
            .iter()
            .filter(|&&seat| record.forfeits >> seat & 1 == 0)
        {
            self.lag.merge(&LagSums {
                games: Sums {
                    n: record.deals.into(),
                    sum: record.sum[seat],
                    sum_of_squares: record.product[seat * n + seat].into(),
                },
                neighbours: (record.deals - stretches).into(),
                sum_of_products: record.lagged[seat].into(),
            });
        }
        for &seat in seats {
            for (places, record) in self
                .places
                .iter_mut()
                .zip(&record.places[seat * n..(seat + 1) * n])
            {
                *places += u64::from(*record);
            }
            self.faults += u64::from(record.fault_counts[seat]);
        }
        for fault in record
            .faults
            .iter()
            .filter(|fault| seats.contains(&usize::from(fault.entrant)))
        {
            self.notes.push(FaultNote {
                block: record.job.block,
                deal: fault.deal,
                decision: fault.decision,
                kind: fault.kind,
                message: fault.message.clone(),
            });
        }
        // Records come in any order; keep the first by block, and do not let a bot that errs all
        // the time fill memory.
        if self.notes.len() > 4 * FAULTS_SHOWN {
            self.notes = first_notes(std::mem::take(&mut self.notes));
        }
    }
}

/// Places of each distinct entrant, in the order of the first seat.
fn seats_of(entrants: &[usize]) -> Vec<Vec<usize>> {
    let mut distinct: Vec<usize> = Vec::new();
    let mut seats: Vec<Vec<usize>> = Vec::new();
    for (place, entrant) in entrants.iter().enumerate() {
        match distinct.iter().position(|known| known == entrant) {
            Some(at) => seats[at].push(place),
            None => {
                distinct.push(*entrant);
                seats.push(vec![place]);
            }
        }
    }
    seats
}

/// The first notes by block, deal and decision, and the first of every kind.
fn first_notes(mut notes: Vec<FaultNote>) -> Vec<FaultNote> {
    notes.sort_by_key(|note| (note.block, note.deal, note.decision));
    keep_first(notes, FAULTS_SHOWN, |note| note.kind)
}

/// The first `count` of a list, and of the others the first of every kind.
pub fn keep_first<T>(list: Vec<T>, count: usize, kind: impl Fn(&T) -> FaultKind) -> Vec<T> {
    let mut kinds = BTreeSet::new();
    let mut number = 0;
    let mut is_kept = |item: &T| {
        number += 1;
        kinds.insert(kind(item)) || number <= count
    };
    list.into_iter().filter(|item| is_kept(item)).collect()
}

/// All pairs `(a, b)` with `a < b < n`, row by row.
fn pairs_of(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_agents::record::{Fault, FaultKind};

    fn names(n: usize) -> Vec<String> {
        ["ada", "bob", "cleo", "dan", "eve"][..n]
            .iter()
            .map(|name| (*name).to_owned())
            .collect()
    }

    fn record(line_up: u32, block: u32, deals: &[[i64; 3]]) -> Record {
        let mut record = Record::new(JobId { line_up, block }, 3);
        for payoffs in deals {
            record.add_deal(payoffs, None);
        }
        record
    }

    fn close(x: f64, y: f64) -> bool {
        (x - y).abs() < 1e-12
    }

    #[test]
    fn a_block_gives_one_number_per_bot_and_deals_give_moments() {
        let mut collector = Collector::new(names(3), &[vec![0, 1, 2]]);
        // Blocks come out by number, whatever the order in which they come in.
        collector
            .add(&record(0, 1, &[[3, 1, 2], [1, 3, 2]]))
            .unwrap();
        collector
            .add(&record(0, 0, &[[3, 2, 1], [3, 1, 2], [2, 3, 1]]))
            .unwrap();
        let samples = collector.finish(&Timing::default()).unwrap();
        let line_up = &samples.line_ups[0];
        assert_eq!(
            line_up
                .blocks
                .iter()
                .map(|b| (b.label.number(), b.deals))
                .collect::<Vec<_>>(),
            [(Some(0), 3), (Some(1), 2)]
        );
        assert_eq!(line_up.bots[0].means, [Some(8.0 / 3.0), Some(2.0)]);
        assert_eq!(line_up.bots[0].places, [3, 1, 1]);
        let json = serde_json::to_value(line_up).unwrap();
        let block = serde_json::json!({"label": "1", "deals": 2, "cluster": 1});
        assert_eq!(json["blocks"][1], block);
        let bot = &json["bots"][0];
        assert_eq!(bot["forfeited"], serde_json::json!([]));
        assert_eq!(bot.get("luck"), None);
        let pair = &line_up.pairs[0];
        assert_eq!((pair.a, pair.b), (0, 1));
        assert_eq!(pair.ahead, [[2.0, 1.0], [1.0, 1.0]]);
        // Differences from deal to deal: 1, 2, -1, 2, -2.
        let test = pair.deals.test(0.95).unwrap();
        assert_eq!(test.n_a, 5);
        assert!(close(test.mean_difference, 0.4));
        assert!(close(test.se * test.se * 5.0, (14.0 - 4.0 / 5.0) / 4.0));
    }

    /// The second block was over after one of two deals, and lost no more by that.
    #[test]
    fn deals_that_a_block_did_not_come_to_count_as_zero() {
        for (rotations, expected) in [(1, [2.0, 1.5]), (3, [2.0 / 3.0, 0.5])] {
            let mut collector = Collector::new(names(3), &[vec![0, 1, 2]]).planned(Plan {
                deals: 2,
                rotations,
            });
            collector
                .add(&record(0, 0, &[[3, 1, 2], [1, 3, 2]]))
                .unwrap();
            collector.add(&record(0, 1, &[[3, 2, 1]])).unwrap();
            let samples = collector.finish(&Timing::default()).unwrap();
            assert_eq!(samples.line_ups[0].bots[0].means, expected.map(Some));
            assert_eq!(samples.line_ups[0].deals(), 3);
        }
    }

    #[test]
    fn copies_of_an_entrant_are_pooled_to_their_mean() {
        let mut collector = Collector::new(names(2), &[vec![1, 0, 1]]);
        collector
            .add(&record(0, 0, &[[5, 3, 0], [2, 4, 2]]))
            .unwrap();
        let samples = collector.finish(&Timing::default()).unwrap();
        let line_up = &samples.line_ups[0];
        assert_eq!(
            line_up
                .bots
                .iter()
                .map(|b| (b.entrant, b.copies))
                .collect::<Vec<_>>(),
            [(1, 2), (0, 1)]
        );
        assert_eq!(line_up.bots[0].means, [Some(2.25)]);
        assert_eq!(line_up.bots[0].places, [1, 2, 1]);
        let pair = &line_up.pairs[0];
        assert_eq!((pair.a, pair.b), (1, 0));
        // 5 and 0 against 3, 2 and 2 against 4.
        assert_eq!(pair.ahead, [[1.0, 3.0]]);
        // Mean of the copies less the other: 2.5 - 3 and 2 - 4.
        let test = pair.deals.test(0.95).unwrap();
        assert!(close(test.mean_difference, -1.25));
        assert!(close(test.se * test.se * 2.0, 1.125));
        let direct = hattari_stats::paired_t(&[2.5, 2.0], &[3.0, 4.0], 0.95).unwrap();
        assert!(close(test.interval.low, direct.interval.low) && close(test.p, direct.p));
    }

    #[test]
    fn faults_forfeits_and_times_are_added_up() {
        let mut first = record(0, 3, &[[1, 2, 3]]);
        let fault = |entrant, deal| Fault {
            entrant,
            kind: FaultKind::Error,
            deal,
            decision: 4,
            message: format!("deal {deal}"),
        };
        (0..6).for_each(|deal| first.add_fault(fault(1, deal)));
        first.forfeit(1, 1);
        let mut second = record(0, 0, &[[1, 2, 3]]);
        second.add_fault(fault(1, 7));
        let timing = Timing {
            decisions: vec![9, 8, 7],
            timed: vec![3, 2, 1],
            nanos: vec![30, 20, 10],
            worst_nanos: vec![5, 4, 3],
        };
        let mut collector = Collector::new(names(3), &[vec![0, 1, 2]]);
        collector.add(&first).unwrap();
        collector.add(&second).unwrap();
        let samples = collector.finish(&timing).unwrap();
        assert_eq!(
            samples.thinking[1],
            Thinking {
                decisions: 8,
                timed: 2,
                nanos: 20,
                worst_nanos: 4
            }
        );
        let bob = &samples.line_ups[0].bots[1];
        assert_eq!((bob.faults, &bob.forfeited[..]), (7, &[false, true][..]));
        assert!(samples.line_ups[0].bots[0].forfeited.is_empty());
        let places: Vec<_> = bob
            .fault_notes
            .iter()
            .map(|note| (note.block, note.deal))
            .collect();
        assert_eq!(places, [(0, 7), (3, 0), (3, 1), (3, 2), (3, 3)]);

        let kinds = [
            FaultKind::Error,
            FaultKind::Error,
            FaultKind::Time,
            FaultKind::Error,
            FaultKind::Crash,
        ];
        let list: Vec<_> = (0..).zip(kinds).collect();
        let kept: Vec<i32> = keep_first(list, 1, |(_, kind)| *kind)
            .iter()
            .map(|(number, _)| *number)
            .collect();
        assert_eq!(kept, [0, 2, 4]);
    }

    #[test]
    fn records_that_do_not_fit_the_schedule_are_refused() {
        let mut collector = Collector::new(names(3), &[vec![0, 1, 2]]);
        assert_eq!(
            collector.add(&record(1, 0, &[[1, 2, 3]])),
            Err(Unfit::LineUp(1))
        );
        let job = JobId {
            line_up: 0,
            block: 0,
        };
        assert_eq!(
            collector.add(&Record::new(job, 2)),
            Err(Unfit::Shape { job, seats: 3 })
        );
        assert_eq!(collector.add(&Record::new(job, 3)), Err(Unfit::Empty(job)));
        collector.add(&record(0, 0, &[[1, 2, 3]])).unwrap();
        collector.add(&record(0, 0, &[[1, 2, 3]])).unwrap();
        assert_eq!(collector.finish(&Timing::default()), Err(Unfit::Twice(job)));
    }
}
