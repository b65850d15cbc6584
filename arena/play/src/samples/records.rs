//! Converts records to samples, one record at a time. The memory use depends on the number of
//! blocks, not on the number of deals.

use super::accumulate::{keep_first_notes, push};
use super::{BlockInfo, BlockLabel, BotSample, LineUpSample, PairDeals, PairSample, Samples};
use crate::league::{DealSharing, PlannedDeals, places_of};
use hattari_agents::record::{DecisionTime, JobId, KillCounts, Record};
use hattari_stats::PairSums;
use std::sync::Arc;

/// A collector of records. The result of [`SampleCollector::finish`] does not depend on the order
/// of the records.
pub struct SampleCollector {
    names: Vec<String>,
    line_ups: Vec<LineUpCollector>,
    /// Planned number of deals per block; `None` to use the number of deals that each block
    /// contains.
    plan: Option<PlannedDeals>,
    /// The rule by which blocks share cards.
    pub sharing: DealSharing,
    /// False if luck values are ignored.
    pub has_luck: bool,
}

/// The sample of a line-up while records are added: blocks are in order of arrival and have no
/// cluster yet. The type is small, because there may be many line-ups.
struct LineUpCollector {
    sample: LineUpSample,
    /// Places of each distinct entrant. Entrants are ordered by their first place.
    places: Arc<[Vec<usize>]>,
}

impl SampleCollector {
    /// Creates a collector for a schedule. `line_ups[l][place]` is an index of `names`.
    pub fn new(names: Vec<String>, line_ups: &[Vec<usize>]) -> SampleCollector {
        let mut collectors: Vec<LineUpCollector> = Vec::with_capacity(line_ups.len());
        for entrants in line_ups {
            let places = places_of(entrants);
            // Share equal lists, because there may be many line-ups and most of them are alike.
            let places = collectors
                .last()
                .filter(|last| *last.places == places[..])
                .map(|last| Arc::clone(&last.places))
                .unwrap_or_else(|| places.into());
            let sample = LineUpSample::new(entrants, &places);
            collectors.push(LineUpCollector { sample, places });
        }
        SampleCollector {
            names,
            line_ups: collectors,
            plan: None,
            sharing: DealSharing::Own,
            has_luck: true,
        }
    }

    /// Sets the planned number of deals per block.
    #[must_use]
    pub fn planned(mut self, plan: PlannedDeals) -> SampleCollector {
        for line_up in &mut self.line_ups {
            line_up.sample.planned_deals = plan.games();
        }
        self.plan = Some(plan);
        self
    }

    /// Marks the line-ups for which `has_equal_chances` returns `false`: their entrants are not
    /// compared with each other.
    #[must_use]
    pub fn comparing(mut self, has_equal_chances: impl Fn(&[usize]) -> bool) -> SampleCollector {
        for LineUpCollector { sample, .. } in &mut self.line_ups {
            sample.has_equal_chances = has_equal_chances(&sample.entrants);
            if !sample.has_equal_chances {
                sample.pairs = Vec::new();
            }
        }
        self
    }

    /// Adds one block.
    ///
    /// # Errors
    /// Returns an error if the record does not fit the schedule; the collector is then unchanged.
    /// Duplicate blocks are detected by [`SampleCollector::finish`].
    pub fn add(&mut self, record: &Record) -> Result<(), String> {
        let collector = usize::try_from(record.job.line_up)
            .ok()
            .and_then(|number| self.line_ups.get_mut(number));
        let plan = self.plan.unwrap_or(PlannedDeals {
            deals: record.deals,
            rotations: 1,
        });
        collector
            .ok_or_else(|| format!("line-up {} is not in the schedule", record.job.line_up))?
            .add(record, plan, self.has_luck)
    }

    /// Returns the samples. Their kills are zero, because records do not contain kills. `timing`
    /// has one entry per entrant, or is empty.
    ///
    /// # Errors
    /// Returns an error if a block was added twice.
    pub fn finish(self, timing: &[DecisionTime]) -> Result<Samples, String> {
        let mut line_ups = (0..)
            .zip(self.line_ups)
            .map(|(number, collector)| collector.finish(number))
            .collect::<Result<Vec<_>, _>>()?;
        let numbers: Vec<Vec<u32>> = line_ups
            .iter()
            .map(|line_up| line_up.blocks.iter().map(number_of).collect())
            .collect();
        for (line_up, clusters) in line_ups.iter_mut().zip(self.sharing.clusters(&numbers)) {
            line_up
                .blocks
                .iter_mut()
                .zip(clusters)
                .for_each(|(block, cluster)| block.cluster = cluster);
        }
        let mut thinking = timing.to_vec();
        thinking.resize(self.names.len(), DecisionTime::default());
        let kills = vec![KillCounts::default(); self.names.len()];
        Ok(Samples {
            names: self.names,
            line_ups,
            thinking,
            kills,
        })
    }
}

/// Returns `true` if the lists of the record have the lengths for `n` places.
fn has_shape(record: &Record, n: usize) -> bool {
    record.sum.len() == n
        && record.product.len() == n * n
        && record.places.len() == n * n
        && record.ahead.len() == n * n
        && record.lagged.len() == n
        && record.luck.len().is_multiple_of(n)
        && record.fault_counts.len() == n
}

impl LineUpSample {
    /// Creates the sample of a line-up without blocks. `places` contains the places of each
    /// distinct entrant.
    pub(super) fn new(entrants: &[usize], places: &[Vec<usize>]) -> LineUpSample {
        let bot = |places: &Vec<usize>| BotSample {
            entrant: entrants[places[0]],
            copies: u32::try_from(places.len()).expect("a table has at most 64 players"),
            ranks: vec![0; entrants.len()],
            ..BotSample::default()
        };
        let pair = |(a, b): (usize, usize)| PairSample {
            a: entrants[places[a][0]],
            b: entrants[places[b][0]],
            deals: PairDeals::Sums {
                sums: PairSums::default(),
                scale: (places[a].len() * places[b].len()) as f64,
            },
            ahead: Vec::new(),
        };
        // Allocate the exact size; the iterator over pairs does not provide it.
        let mut pairs = Vec::with_capacity(pairs_of(places.len()).count());
        pairs.extend(pairs_of(places.len()).map(pair));
        LineUpSample {
            entrants: entrants.to_vec(),
            blocks: Vec::new(),
            bots: places.iter().map(bot).collect(),
            pairs,
            planned_deals: 0,
            has_equal_chances: true,
        }
    }
}

impl LineUpCollector {
    fn add(&mut self, record: &Record, plan: PlannedDeals, has_luck: bool) -> Result<(), String> {
        let LineUpSample {
            entrants,
            blocks,
            bots,
            pairs,
            ..
        } = &mut self.sample;
        let n = entrants.len();
        if !has_shape(record, n) {
            return Err(format!(
                "the record of {} does not fit a table of {n} seats",
                record.job
            ));
        }
        if record.deals == 0 {
            return Err(format!("{} has no deals", record.job));
        }
        let luck = if has_luck { &record.luck[..] } else { &[] };
        for (bot, places) in bots.iter_mut().zip(&*self.places) {
            bot.add(record, places, blocks.len(), plan, luck);
        }
        for (pair, (a, b)) in pairs.iter_mut().zip(pairs_of(self.places.len())) {
            pair.add(record, &self.places[a], &self.places[b]);
        }
        push(
            blocks,
            BlockInfo {
                label: BlockLabel::Number(record.job.block),
                deals: u64::from(record.deals),
                cluster: 0,
            },
        );
        Ok(())
    }

    /// Returns the sample with blocks ordered by number.
    fn finish(self, number: u32) -> Result<LineUpSample, String> {
        let mut sample = self.sample;
        let count = sample.blocks.len();
        for bot in &mut sample.bots {
            if !bot.forfeited.is_empty() {
                bot.forfeited.resize(count, false);
            }
        }
        if !sample.blocks.is_sorted_by_key(number_of) {
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by_key(|&index| number_of(&sample.blocks[index]));
            reorder(&mut sample.blocks, &order);
            for bot in &mut sample.bots {
                reorder(&mut bot.means, &order);
                reorder(&mut bot.forfeited, &order);
                bot.luck.iter_mut().for_each(|list| reorder(list, &order));
            }
            sample
                .pairs
                .iter_mut()
                .for_each(|pair| reorder(&mut pair.ahead, &order));
        }
        let blocks = sample.blocks.iter().map(number_of);
        if let Some((block, _)) = blocks
            .clone()
            .zip(blocks.skip(1))
            .find(|(block, next)| block == next)
        {
            let job = JobId {
                line_up: number,
                block,
            };
            return Err(format!("{job} occurs twice"));
        }
        sample.blocks.shrink_to_fit();
        for bot in &mut sample.bots {
            bot.means.shrink_to_fit();
            keep_first_notes(&mut bot.fault_notes);
        }
        sample
            .pairs
            .iter_mut()
            .for_each(|pair| pair.ahead.shrink_to_fit());
        Ok(sample)
    }
}

/// Reorders a list, which may be empty. `order` contains the old position of the item at each new
/// position.
fn reorder<T: Clone>(list: &mut [T], order: &[usize]) {
    let old = list.to_vec();
    for (item, &index) in list.iter_mut().zip(order) {
        item.clone_from(&old[index]);
    }
}

/// Returns the number of a block that belongs to a league.
fn number_of(block: &BlockInfo) -> u32 {
    block.label.number().unwrap_or_default()
}

/// Returns all pairs `(a, b)` with `a < b < n`, row by row.
pub(super) fn pairs_of(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::keep_first;
    use hattari_agents::record::{Fault, FaultKind, Timing};
    use hattari_plugin::games::LUCK_PARTS;

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

    /// Returns the samples of the only line-up after these records.
    fn collected(mut collector: SampleCollector, records: &[Record]) -> LineUpSample {
        for record in records {
            collector.add(record).unwrap();
        }
        let samples = collector.finish(&Timing::default());
        samples.unwrap().line_ups.remove(0)
    }

    fn three() -> SampleCollector {
        SampleCollector::new(names(3), &[vec![0, 1, 2]])
    }

    fn close(x: f64, y: f64) -> bool {
        (x - y).abs() < 1e-12
    }

    #[test]
    fn samples_contain_block_means_and_per_deal_moments() {
        // Blocks are returned by number, in any order of adding them.
        let records = [
            record(0, 1, &[[3, 1, 2], [1, 3, 2]]),
            record(0, 0, &[[3, 2, 1], [3, 1, 2], [2, 3, 1]]),
        ];
        let line_up = collected(three(), &records);
        let blocks = line_up.blocks.iter().map(|b| (b.label.number(), b.deals));
        assert_eq!(blocks.collect::<Vec<_>>(), [(Some(0), 3), (Some(1), 2)]);
        assert_eq!(line_up.bots[0].means, [Some(8.0 / 3.0), Some(2.0)]);
        assert_eq!(line_up.bots[0].ranks, [3, 1, 1]);
        let json = serde_json::to_value(&line_up).unwrap();
        let block = serde_json::json!({"label": "1", "deals": 2, "cluster": 1});
        assert_eq!(json["blocks"][1], block);
        let bot = &json["bots"][0];
        assert_eq!(bot["forfeited"], serde_json::json!([]));
        assert_eq!(bot.get("luck"), None);
        let pair = &line_up.pairs[0];
        assert_eq!((pair.a, pair.b), (0, 1));
        assert_eq!(pair.ahead, [[2.0, 1.0], [1.0, 1.0]]);
        // Differences per deal: 1, 2, -1, 2, -2.
        let test = pair.deals.test(0.95).unwrap();
        assert_eq!(test.n_a, 5);
        assert!(close(test.mean_difference, 0.4));
        assert!(close(test.se * test.se * 5.0, (14.0 - 4.0 / 5.0) / 4.0));
    }

    /// The second block ended after one of two deals, without a penalty.
    #[test]
    fn unplayed_deals_count_as_zero() {
        for (rotations, expected) in [(1, [2.0, 1.5]), (3, [2.0 / 3.0, 0.5])] {
            let plan = PlannedDeals {
                deals: 2,
                rotations,
            };
            let records = [
                record(0, 0, &[[3, 1, 2], [1, 3, 2]]),
                record(0, 1, &[[3, 2, 1]]),
            ];
            let line_up = collected(three().planned(plan), &records);
            assert_eq!(line_up.bots[0].means, expected.map(Some));
            assert_eq!(line_up.deals(), 3);
            let planned = 2 * u64::from(rotations);
            assert_eq!(line_up.divisor(&line_up.blocks[1]), planned);
        }
    }

    #[test]
    fn copies_of_an_entrant_are_averaged_into_one_sample() {
        let collector = SampleCollector::new(names(2), &[vec![1, 0, 1]]);
        let line_up = collected(collector, &[record(0, 0, &[[5, 3, 0], [2, 4, 2]])]);
        let copies = line_up.bots.iter().map(|b| (b.entrant, b.copies));
        assert_eq!(copies.collect::<Vec<_>>(), [(1, 2), (0, 1)]);
        assert_eq!(line_up.bots[0].means, [Some(2.25)]);
        assert_eq!(line_up.bots[0].ranks, [1, 2, 1]);
        let pair = &line_up.pairs[0];
        assert_eq!((pair.a, pair.b), (1, 0));
        // 5 and 0 against 3, 2 and 2 against 4.
        assert_eq!(pair.ahead, [[1.0, 3.0]]);
        // Mean of the copies minus the other entrant: 2.5 - 3 and 2 - 4.
        let test = pair.deals.test(0.95).unwrap();
        assert!(close(test.mean_difference, -1.25));
        assert!(close(test.se * test.se * 2.0, 1.125));
        let direct = hattari_stats::paired_t(&[2.5, 2.0], &[3.0, 4.0], 0.95).unwrap();
        assert!(close(test.interval.low, direct.interval.low) && close(test.p, direct.p));
    }

    /// The second block, which is added first, has a kind of chance that the other block lacks.
    #[test]
    fn luck_samples_contain_only_luck_kinds_present_in_every_block() {
        let blocks = [(1, &[6, 2, 4, 9, 9, 9][..]), (0, &[3, 1, 2][..])];
        let records = blocks.map(|(block, luck)| Record {
            luck: luck.iter().map(|luck| luck * LUCK_PARTS).collect(),
            ..record(0, block, &[[1, 2, 3], [1, 2, 3]])
        });
        let line_up = collected(three(), &records);
        let luck = line_up.bots.iter().map(|bot| bot.luck.to_vec());
        let expected = [[1.5, 3.0], [0.5, 1.0], [1.0, 2.0]];
        let expected = expected.map(|by_block| vec![by_block.to_vec()]);
        assert_eq!(luck.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn faults_forfeits_and_times_are_added_up() {
        use FaultKind::{Crash, Error, Start, Time};
        let mut first = record(0, 3, &[[1, 2, 3]]);
        let fault = |entrant, deal| Fault {
            entrant,
            kind: Error,
            deal,
            decision: 4,
            message: format!("deal {deal}"),
        };
        (0..6).for_each(|deal| first.add_fault(fault(1, deal)));
        first.forfeit(1, 1);
        let mut second = record(0, 0, &[[1, 2, 3]]);
        second.add_fault(fault(1, 7));
        let unstarted = |deal| Fault {
            kind: Start,
            ..fault(2, deal)
        };
        (0..2).for_each(|deal| second.add_fault(unstarted(deal)));
        let times = [(9, 3, 30, 5), (8, 2, 20, 4), (7, 1, 10, 3)];
        let timing = times.map(|(decisions, timed, nanos, worst_nanos)| DecisionTime {
            decisions,
            timed,
            nanos,
            worst_nanos,
        });
        let mut collector = three();
        collector.add(&first).unwrap();
        collector.add(&second).unwrap();
        let samples = collector.finish(&timing).unwrap();
        assert_eq!(samples.thinking[1], timing[1]);
        let bob = &samples.line_ups[0].bots[1];
        assert_eq!((bob.faults, &bob.forfeited[..]), (7, &[false, true][..]));
        assert!(samples.line_ups[0].bots[0].forfeited.is_empty());
        let unstarted = samples.line_ups[0].bots.iter().map(|bot| bot.unstarted);
        assert_eq!(unstarted.collect::<Vec<_>>(), [0, 0, 1]);
        let notes = bob.fault_notes.iter().map(|note| (note.block, note.deal));
        let expected = [(0, 7), (3, 0), (3, 1), (3, 2), (3, 3)];
        assert_eq!(notes.collect::<Vec<_>>(), expected);

        let list: Vec<_> = (0..).zip([Error, Error, Time, Error, Crash]).collect();
        let kept = keep_first(list, 1, |(_, kind)| *kind);
        assert_eq!(kept, [(0, Error), (2, Time), (4, Crash)]);
    }

    #[test]
    fn records_that_do_not_match_the_schedule_are_rejected() {
        let mut collector = three();
        let played = record(0, 0, &[[1, 2, 3]]);
        let job = played.job;
        for (record, error) in [
            (
                record(1, 0, &[[1, 2, 3]]),
                "line-up 1 is not in the schedule".to_owned(),
            ),
            (
                Record::new(job, 2),
                format!("the record of {job} does not fit a table of 3 seats"),
            ),
            (Record::new(job, 3), format!("{job} has no deals")),
        ] {
            assert_eq!(collector.add(&record), Err(error));
        }
        collector.add(&played).unwrap();
        collector.add(&played).unwrap();
        assert_eq!(
            collector.finish(&Timing::default()),
            Err(format!("{job} occurs twice"))
        );
    }
}
