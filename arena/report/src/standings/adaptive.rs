//! Formats that choose the pairings from earlier results (race, swiss, knockout, ladder). This file
//! decides which parts of their standings are withheld.
//!
//! Tests, ranks and symbols assume that pairings are fixed in advance. If results chose the
//! pairings, means and differences only describe the games that were played.

use super::{PairStanding, PairVerdict, Standings, TestResult, VerdictKind, VerdictTally};

/// Caution for a race, which has its own claims.
const RACE: &str = "The table of rounds shows the claims of the race, which are valid however \
     often you look at them. The tests of this report are not valid here: earlier results \
     decided which challengers played more blocks, and challengers that left early played fewer \
     deals. Means and differences are shown, with the intervals that the means would have after \
     a fixed number of blocks; p values, ranks, symbols and verdicts are omitted.";
/// Caution for the other formats that choose pairings from earlier results.
const ROUNDS: &str = "Earlier results decided which bots met and how often, so the tests of this \
     report are not valid here. Means and differences are shown, with the intervals that the \
     means would have if the pairings had been fixed in advance; p values, ranks, symbols and \
     verdicts are omitted, and the places are those of the format. To prove a difference between \
     two bots, play them in a league with fixed line-ups or in a race.";
/// Reason that is shown instead of a withheld number.
const WHY: &str = "the format chose the pairings from earlier results";

impl Standings {
    /// Returns `true` if results chose the pairings, so that tests, ranks and symbols are withheld.
    pub fn is_adaptive(&self) -> bool {
        self.rounds.as_ref().is_some_and(|rounds| rounds.is_chosen)
    }

    /// Withholds everything that is invalid for an adaptive format and adds a caution. Does not
    /// change the standings of other formats. Comparisons of machines remain, because they compare
    /// blocks of the same line-up, and earlier results do not choose the machine.
    pub(super) fn withhold_tests(&mut self, is_race: bool) {
        if !self.is_adaptive() {
            return;
        }
        self.cautions
            .push(if is_race { RACE } else { ROUNDS }.to_owned());
        self.withhold(WHY);
        if self.published.take().is_some() {
            self.cautions
                .push(format!("No comparison with the published table: {WHY}."));
        }
    }

    /// Withholds all tests and what follows from them. `why` is shown in their place.
    pub fn withhold(&mut self, why: &str) {
        withhold(&mut self.tiers, why);
        for pair in &mut self.pairs {
            withhold_pair(pair, why);
        }
        for tally in self.left_out.iter_mut().flat_map(|left| &mut left.tallies) {
            *tally = VerdictTally([0, 0, 0, tally.total()]);
        }
        self.family = 0;
        self.relation = None;
        self.congeniality = None;
        for rating in self
            .ratings
            .iter_mut()
            .flat_map(|ratings| ratings.fit.tested_mut())
            .flatten()
        {
            rating.range = None;
        }
        if let Some(results) = self
            .luck
            .as_mut()
            .and_then(|luck| luck.results.tested_mut())
        {
            for pair in &mut results.pairs {
                withhold(&mut pair.played, why);
                withhold(&mut pair.adjusted, why);
            }
        }
    }
}

fn withhold_pair(pair: &mut PairStanding, why: &str) {
    pair.verdict = PairVerdict {
        kind: VerdictKind::CannotTell,
        text: format!("undecided: {why}"),
    };
    withhold(&mut pair.pooled, why);
    pair.winnings = None;
    pair.equivalence = None;
    if let Some(ratio) = &mut pair.score_ratio {
        withhold(ratio, why);
    }
    for tests in &mut pair.line_ups {
        withhold(&mut tests.by_block, why);
        withhold(&mut tests.by_deal, why);
    }
}

fn withhold<T>(answer: &mut TestResult<T>, why: &str) {
    *answer = TestResult::NotTestable(why.to_owned());
}
