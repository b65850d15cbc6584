//! Results that are withheld because the league does not fulfil the assumptions of its tests.
//!
//! Tests, ranks and symbols assume that pairings are fixed in advance. If results chose the
//! pairings (race, swiss, knockout, ladder), means and differences only describe the games that
//! were played. They also assume that equal bots have equal chances. If a game keeps its players
//! in their seats, a difference at one table is also a difference of seats.

use super::{PairStanding, PairVerdict, Standings, TestResult, VerdictKind, VerdictTally};
use hattari_agents::games::GameInfo;
use hattari_play::league::{Format, League};
use std::collections::HashSet;

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
/// Reason that is shown instead of a number that is withheld because results chose the pairings.
const CHOSEN: &str = "the format chose the pairings from earlier results";
/// Reason that is shown instead of a number that is withheld because of different seats.
const SEATS: &str =
    "bots of one table sit in different seats, and the league has no `duplicate: true`";

impl Standings {
    /// Returns `true` if results chose the pairings, so that tests, ranks and symbols are withheld.
    pub fn is_adaptive(&self) -> bool {
        self.rounds.as_ref().is_some_and(|rounds| rounds.is_chosen)
    }

    /// Withholds everything that is invalid in this league and adds a caution. Comparisons of
    /// machines remain, because they compare blocks of the same line-up, and earlier results do
    /// not choose the machine.
    pub(super) fn withhold_invalid(&mut self, league: &League) {
        let is_race = matches!(league.format, Format::Race(_));
        let game = game_with_seats(league);
        if self.is_adaptive() {
            self.cautions
                .push(if is_race { RACE } else { ROUNDS }.to_owned());
            // Challengers of a race play in the same seats.
            if let Some(game) = game.filter(|_| !is_race) {
                let decided = " The format decided on such differences.";
                self.cautions.push(seats_caution(game, decided));
            }
            self.withhold_tests(CHOSEN, |_| false);
            self.family = 0;
            if self.published.take().is_some() {
                self.cautions
                    .push(format!("No comparison with the published table: {CHOSEN}."));
            }
        } else if let Some(game) = game {
            // In these formats, rivals play in the same seats at different tables.
            let has_sides = matches!(
                league.format,
                Format::Duel(_) | Format::Pairs(_) | Format::Challenge(_)
            );
            let is_valid = |pair: &PairStanding| has_sides && pair.line_ups.is_empty();
            if !self.pairs.iter().all(is_valid) {
                let decided = match league.sequential {
                    Some(_) => " The stopping rule decided on such differences.",
                    None => "",
                };
                self.cautions.push(seats_caution(game, decided));
                self.withhold_tests(SEATS, is_valid);
            }
        }
    }

    /// Withholds the tests of all pairs but the valid ones, and what follows from tests of several
    /// pairs.
    fn withhold_tests(&mut self, why: &str, is_valid: impl Fn(&PairStanding) -> bool) {
        withhold(&mut self.tiers, why);
        let mut valid = HashSet::new();
        for pair in &mut self.pairs {
            if is_valid(pair) {
                valid.insert([pair.a.clone(), pair.b.clone()]);
            } else {
                withhold_pair(pair, why);
            }
        }
        for tally in self.left_out.iter_mut().flat_map(|left| &mut left.tallies) {
            *tally = VerdictTally([0, 0, 0, tally.total()]);
        }
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
        let luck = self.luck.as_mut();
        if let Some(results) = luck.and_then(|luck| luck.results.tested_mut()) {
            for pair in &mut results.pairs {
                if !valid.contains(&[pair.a.clone(), pair.b.clone()]) {
                    withhold(&mut pair.played, why);
                    withhold(&mut pair.adjusted, why);
                }
            }
        }
    }
}

/// Returns the game of the league if bots of one table have different chances in it, because they
/// keep their seats.
fn game_with_seats(league: &League) -> Option<&'static GameInfo> {
    GameInfo::find(&league.game).filter(|game| game.keeps_seats && !league.duplicate)
}

/// Returns the caution for a league of a game whose players keep their seats. It ends with the
/// sentence `decided`.
fn seats_caution(game: &GameInfo, decided: &str) -> String {
    format!(
        "In {} bots keep their seats unless the league has `duplicate: true`. A difference \
         between bots of one table is therefore also a difference between seats: its tests, and \
         what follows from them, are omitted. Bots that play in the same seats at different tables \
         are compared as usual.{decided}",
        game.name()
    )
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
