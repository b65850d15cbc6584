//! Sequential leagues: the results of earlier blocks determine which further blocks are played.
//!
//! A *round* is one block of every open line-up. Each comparison gets one number per round: the
//! difference of the two bots' block means, averaged over the line-ups with both bots. The stopping
//! rule processes these numbers in order. A line-up is closed when every comparison at its table is
//! decided, so the numbers of an undecided comparison have no gaps. For luck-adjusted scores, the
//! adjustment of a round is fitted to the earlier rounds. The result depends only on the records in
//! the order of rounds, not on threads, shards or interruptions.

use crate::league::{League, PlannedDeals, Sequential, places_of};
use crate::schedule::Schedule;
use hattari_agents::record::{JobId, Record};
use hattari_stats::luck::RunningFit;
use hattari_stats::sequential::{Decision, SequentialTest, StoppingRule};
use std::collections::{BTreeMap, HashMap};

/// The league's need for a job, according to the stopping rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum JobNeed {
    /// The job belongs to the league's result.
    Yes,
    /// The line-up is closed before this block.
    No,
    /// The need for the job is not known yet, because it depends on incomplete rounds.
    Unknown,
}

/// The state of a league's comparisons after the last complete round.
#[derive(Clone, Debug)]
pub struct StoppingState {
    /// The rule for a single comparison.
    pub rule: StoppingRule,
    /// The comparisons with their results so far.
    pub comparisons: Vec<FollowedComparison>,
    /// The entrants of each line-up, each with its places.
    entrants: Vec<Vec<(usize, Vec<usize>)>>,
    /// For each line-up, the indices of the comparisons between its entrants.
    comparisons_by_line_up: Vec<Vec<usize>>,
    /// Number of blocks of each line-up; `None` while it is open.
    pub ends: Vec<Option<u32>>,
    /// Number of line-ups that are not closed.
    pub open_line_ups: usize,
    /// Number of complete rounds.
    pub rounds: u32,
    blocks: u32,
    plan: PlannedDeals,
    /// Scores of incomplete rounds, by round and line-up, one per entrant.
    waiting: BTreeMap<u32, HashMap<u32, Vec<EntrantScore>>>,
    /// Luck adjustment fitted to the rounds so far; `None` for unadjusted scores.
    luck: Option<RunningFit>,
}

/// The score of an entrant in a block.
#[derive(Clone, Debug)]
struct EntrantScore {
    entrant: usize,
    /// Points per deal.
    mean: f64,
    /// Luck per deal, by kind of chance.
    luck: Vec<f64>,
}

/// A comparison of two entrants.
#[derive(Clone, Debug)]
pub struct FollowedComparison {
    /// Index of the first entrant.
    pub a: usize,
    /// Index of the second entrant.
    pub b: usize,
    /// One difference per complete round, until the decision.
    pub differences: Vec<f64>,
    /// The decision of the rule.
    pub decision: Decision,
    line_ups: Vec<u32>,
    /// The state of the rule. `None` if the rule cannot decide: it is retired, its options are out
    /// of range, or it returned an error.
    test: Option<SequentialTest>,
}

impl StoppingState {
    /// Creates the state before the first block; `None` for a league without a rule.
    pub(crate) fn of(league: &League, schedule: &Schedule) -> Option<StoppingState> {
        let Sequential {
            rule,
            pairs,
            without_luck,
        } = league.sequential.as_ref()?;
        let line_ups = &schedule.line_ups;
        let entrants = |line_up: &Vec<usize>| {
            let places = places_of(line_up).into_iter();
            places.map(|places| (line_up[places[0]], places)).collect()
        };
        let meetings = meetings(line_ups);
        let comparison = |(a, b): (usize, usize)| {
            Some(FollowedComparison {
                a,
                b,
                differences: Vec::new(),
                decision: Decision::Continue,
                line_ups: meetings.get(&(a.min(b), a.max(b)))?.clone(),
                test: None,
            })
        };
        let mut comparisons: Vec<FollowedComparison> = compared_pairs(league, pairs)
            .into_iter()
            .filter_map(comparison)
            .collect();
        let mut comparisons_by_line_up = vec![Vec::new(); line_ups.len()];
        for (number, followed) in comparisons.iter().enumerate() {
            for &line_up in &followed.line_ups {
                comparisons_by_line_up[line_up as usize].push(number);
            }
        }
        let is_retired = matches!(rule, StoppingRule::Betting(_));
        let rule = bonferroni_rule(*rule, comparisons.len());
        // A retired rule decides nothing, so that a store of version 0.2 keeps all its blocks.
        for followed in &mut comparisons {
            followed.test = rule.start().ok().filter(|_| !is_retired);
        }
        Some(StoppingState {
            rule,
            comparisons,
            comparisons_by_line_up,
            ends: vec![None; line_ups.len()],
            open_line_ups: line_ups.len(),
            rounds: 0,
            blocks: schedule.blocks,
            plan: PlannedDeals::of(league, line_ups.first().map_or(0, Vec::len)),
            entrants: line_ups.iter().map(entrants).collect(),
            waiting: BTreeMap::new(),
            luck: without_luck.then(RunningFit::default),
        })
    }

    /// Adds a record and processes the rounds that are now complete. Records may be in any order;
    /// duplicates are ignored.
    pub(crate) fn add(&mut self, record: &Record) {
        let JobId { line_up, block } = record.job;
        if block < self.rounds
            || record.deals == 0
            || self.ends.get(line_up as usize).is_none_or(Option::is_some)
        {
            return;
        }
        let in_block = self.plan.scores(record);
        let scores = self.entrants[line_up as usize]
            .iter()
            .map(|(entrant, places)| EntrantScore {
                entrant: *entrant,
                mean: in_block.mean(places),
                luck: in_block.luck(places).collect(),
            })
            .collect();
        let round = self.waiting.entry(block).or_default();
        round.insert(line_up, scores);
        while self.rounds < self.blocks && self.is_complete() {
            self.close_round();
        }
    }

    /// Returns `true` if there are open line-ups and all of them have played the next round.
    fn is_complete(&self) -> bool {
        let Some(played) = self.waiting.get(&self.rounds) else {
            return false;
        };
        // Most records do not complete a round. Detect this without a pass over all line-ups.
        if self.open_line_ups == 0 || played.len() < self.open_line_ups {
            return false;
        }
        (0..)
            .zip(&self.ends)
            .all(|(number, end)| end.is_some() || played.contains_key(&number))
    }

    fn close_round(&mut self) {
        let mut played = self.waiting.remove(&self.rounds).unwrap_or_default();
        // Ignore blocks that a closed line-up has played after its end, whatever the order of
        // records.
        played.retain(|line_up, _| self.ends[*line_up as usize].is_none());
        self.rounds += 1;
        self.remove_luck(&mut played);
        for followed in self
            .comparisons
            .iter_mut()
            .filter(|followed| followed.decision == Decision::Continue)
        {
            let score = |line_up: &u32, entrant: usize| {
                let score = played
                    .get(line_up)?
                    .iter()
                    .find(|score| score.entrant == entrant);
                score.map(|score| score.mean)
            };
            let difference = followed
                .line_ups
                .iter()
                .filter_map(|line_up| {
                    Some(score(line_up, followed.a)? - score(line_up, followed.b)?)
                })
                .sum::<f64>()
                / followed.line_ups.len() as f64;
            followed.differences.push(difference);
            match followed.test.as_mut().map(|test| test.push(difference)) {
                Some(Ok(decision)) => followed.decision = decision,
                // The report contains the reason.
                Some(Err(_)) | None => followed.test = None,
            }
        }
        let undecided = |number: &usize| self.comparisons[*number].decision == Decision::Continue;
        let is_any_undecided = (0..self.comparisons.len()).any(|number| undecided(&number));
        for (end, comparisons) in self.ends.iter_mut().zip(&self.comparisons_by_line_up) {
            let is_open = if comparisons.is_empty() {
                is_any_undecided
            } else {
                comparisons.iter().any(undecided)
            };
            if end.is_none() && !is_open {
                *end = Some(self.rounds);
                self.open_line_ups -= 1;
            }
        }
    }

    /// Adjusts the scores of a round for luck, with the fit to earlier rounds, and adds the round
    /// to the fit.
    fn remove_luck(&mut self, played: &mut HashMap<u32, Vec<EntrantScore>>) {
        let Some(running) = &mut self.luck else {
            return;
        };
        let mut line_ups: Vec<_> = played.iter_mut().collect();
        line_ups.sort_unstable_by_key(|(line_up, _)| **line_up);
        let mut round = Vec::new();
        for (&line_up, scores) in line_ups {
            let scores = scores.iter_mut();
            round.extend(scores.map(
                |EntrantScore {
                     entrant,
                     mean,
                     luck,
                 }| { ((line_up, *entrant), mean, &luck[..]) },
            ));
        }
        running.remove_from_round(&mut round);
    }

    /// Returns whether the league needs a job.
    pub(crate) fn job_need(&self, job: JobId) -> JobNeed {
        match self.ends.get(job.line_up as usize).copied().flatten() {
            Some(end) if job.block < end => JobNeed::Yes,
            Some(_) => JobNeed::No,
            None if job.block <= self.rounds => JobNeed::Yes,
            None => JobNeed::Unknown,
        }
    }

    /// Returns `true` if all comparisons are decided, or all planned blocks are played.
    pub fn is_finished(&self) -> bool {
        self.open_line_ups == 0 || self.rounds == self.blocks
    }

    /// Returns the number of blocks that are needed according to the results so far: the blocks of
    /// closed line-ups, and all planned blocks of open line-ups.
    pub fn blocks_needed(&self) -> u64 {
        self.ends
            .iter()
            .map(|end| u64::from(end.unwrap_or(self.blocks)))
            .sum()
    }
}

/// Returns the pairs of entrants that a league compares; all pairs if `pairs` is empty.
fn compared_pairs(league: &League, pairs: &[[String; 2]]) -> Vec<(usize, usize)> {
    if pairs.is_empty() {
        let n = league.entrants.len();
        return (0..n)
            .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
            .collect();
    }
    pairs
        .iter()
        .filter_map(|[a, b]| Some((league.entrant(a)?, league.entrant(b)?)))
        .collect()
}

/// Returns the line-ups in which two entrants meet, by pair of entrants with the lower number
/// first.
fn meetings(line_ups: &[Vec<usize>]) -> HashMap<(usize, usize), Vec<u32>> {
    let mut meetings: HashMap<(usize, usize), Vec<u32>> = HashMap::new();
    for (number, entrants) in (0..).zip(line_ups) {
        let mut players = entrants.clone();
        players.sort_unstable();
        players.dedup();
        for (index, &a) in players.iter().enumerate() {
            for &b in &players[index + 1..] {
                meetings.entry((a, b)).or_default().push(number);
            }
        }
    }
    meetings
}

/// Returns the rule for one of `count` comparisons, so that the error rate holds for all together
/// (Bonferroni).
fn bonferroni_rule(rule: StoppingRule, count: usize) -> StoppingRule {
    let k = count.max(1) as f64;
    let level = |confidence: f64| 1.0 - (1.0 - confidence) / k;
    match rule.current() {
        StoppingRule::ConfidenceSequence(mut options) => {
            options.confidence = level(options.confidence);
            StoppingRule::ConfidenceSequence(options)
        }
        rule @ StoppingRule::Betting(_) => rule,
        StoppingRule::Sprt(mut options) => {
            options.alpha /= k;
            options.beta /= k;
            StoppingRule::Sprt(options)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_stats::sequential::{ConfidenceSequenceOptions, SprtModel, SprtOptions};

    /// Returns a league of three bots, with a table for each pair.
    fn league(rule: &StoppingRule, blocks: u32) -> (League, Schedule) {
        let entrant = |name: &str| serde_json::json!({"name": name, "bot": name, "config": {}});
        let league = serde_json::json!({
            "game": "highcard", "preset": "high", "options": {}, "seed": 7, "blocks": blocks, "deals": 1,
            "entrants": (["a", "b", "c"].map(entrant)), "format": {"kind": "line-ups", "size": 2}, "duplicate": false,
            "faults": "substitute", "budget": {}, "sequential": {"rule": rule},
            "report": {"confidence": 0.95, "correction": "holm", "published": null},
        });
        let league: League = serde_json::from_value(league).unwrap();
        let schedule = Schedule::of(&league);
        (league, schedule)
    }

    fn record(line_up: u32, block: u32, payoffs: [i64; 2]) -> Record {
        let mut record = Record::new(JobId { line_up, block }, 2);
        record.add_deal(&payoffs, None);
        record
    }

    fn sequence() -> StoppingRule {
        StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions::default())
    }

    #[test]
    fn the_error_level_is_divided_among_all_comparisons() {
        let rule = |rule| {
            let (league, schedule) = league(&rule, 5);
            StoppingState::of(&league, &schedule).unwrap().rule
        };
        let StoppingRule::ConfidenceSequence(each) = rule(sequence()) else {
            panic!()
        };
        assert!((each.confidence - (1.0 - 0.05 / 3.0)).abs() < 1e-12);
        let sprt = SprtOptions {
            model: SprtModel::Normal { sd: None },
            h0: 0.0,
            h1: 1.0,
            one_sided: false,
            alpha: 0.06,
            beta: 0.03,
        };
        let StoppingRule::Sprt(each) = rule(StoppingRule::Sprt(sprt)) else {
            panic!()
        };
        assert!((each.alpha - 0.02).abs() < 1e-12 && (each.beta - 0.01).abs() < 1e-12);
        let (mut league, schedule) = league(&sequence(), 5);
        league.sequential = None;
        assert!(StoppingState::of(&league, &schedule).is_none());
    }

    /// The score of a block that ended early is per planned deal, as in samples.
    #[test]
    fn unplayed_deals_count_as_zero() {
        let (mut league, schedule) = league(&sequence(), 60);
        league.deals = 4;
        let mut stopping = StoppingState::of(&league, &schedule).unwrap();
        (0..3).for_each(|line_up| stopping.add(&record(line_up, 0, [8, 0])));
        assert_eq!(stopping.comparisons[0].differences, [2.0]);
    }

    #[test]
    fn decisions_do_not_depend_on_block_order_and_wait_for_missing_blocks() {
        let (league, schedule) = league(&sequence(), 60);
        let noise = |block: u32, line_up: u32| i64::from((block * 7 + line_up * 3) % 5);
        // a is far ahead of b and c, which are tied.
        let payoffs = |line_up: u32, block: u32| match line_up {
            0 | 1 => [30 + noise(block, line_up), 0],
            _ => [noise(block, 0), noise(block + 2, 0)],
        };
        let all = (0..60).flat_map(|block| (0..3).map(move |line_up| (line_up, block)));
        let jobs: Vec<(u32, u32)> = all.collect();
        let state_after = |jobs: &mut dyn Iterator<Item = &(u32, u32)>| {
            let mut state = StoppingState::of(&league, &schedule).unwrap();
            jobs.for_each(|&(l, b)| state.add(&record(l, b, payoffs(l, b))));
            state
        };
        let needs = |state: &StoppingState, jobs: [(u32, u32); 3]| {
            jobs.map(|(line_up, block)| state.job_need(JobId { line_up, block }))
        };
        let forwards = state_after(&mut jobs.iter());
        let backwards = state_after(&mut jobs.iter().rev());
        assert_eq!(forwards.ends, backwards.ends);
        assert_eq!(
            forwards.ends,
            [Some(10), Some(10), None],
            "ten blocks decide both comparisons with a, and b against c continues"
        );
        assert!(forwards.is_finished() && forwards.blocks_needed() == 80);
        let decisions = forwards
            .comparisons
            .iter()
            .map(|followed| followed.decision);
        assert_eq!(
            decisions.collect::<Vec<_>>(),
            [Decision::Ahead, Decision::Ahead, Decision::Continue]
        );
        assert_eq!(
            needs(&forwards, [(0, 9), (0, 10), (2, 59)]),
            [JobNeed::Yes, JobNeed::No, JobNeed::Yes]
        );

        let mut gap = state_after(&mut jobs.iter().filter(|job| **job != (2, 3)));
        assert_eq!(
            (gap.rounds, gap.open_line_ups, gap.is_finished()),
            (3, 3, false)
        );
        assert_eq!(
            needs(&gap, [(2, 3), (2, 4), (0, 20)]),
            [JobNeed::Yes, JobNeed::Unknown, JobNeed::Unknown]
        );
        gap.add(&record(2, 3, payoffs(2, 3)));
        assert_eq!(gap.ends, forwards.ends);
    }
}
