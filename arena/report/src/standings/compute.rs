//! Computes the standings from the samples of a league: compares the bots over all line-ups, ranks
//! them, evaluates line-ups and pairs, and assembles the results.

use super::bot_standings::bot_standings;
use super::compared::ComparedLineUp;
use super::cut::KeptParts;
use super::line_ups::LineUpResults;
use super::pairs::{EvaluatedPairs, difference};
use super::pool::{options_of, pool};
use super::published_comparison::compare_with_published;
use super::ranked::{ListedPairs, RankedComparison, Ranking};
use super::ratings::ratings;
use super::score_cautions::score_cautions;
use super::sequential;
use super::settings::other_than_max_t;
use super::swept::swept_settings;
use super::transitivity::transitivity;
use super::{
    About, BotStanding, GamesPlayed, PublishedTable, Standings, SweptSetting, TestSettings,
};
use hattari_agents::seeds::{Purpose, Seeds};
use hattari_play::samples::{LineUpSample, Samples};
use hattari_play::stopping::StoppingState;
use hattari_stats::sequential::StoppingRule;
use hattari_stats::{CompareOptions, Untestable};
use std::collections::{BTreeSet, HashSet};

/// Computes the standings of fixed line-ups. `planned` is the number of blocks per line-up. If it
/// is `None`, the finished blocks count as the complete schedule.
///
/// # Errors
/// Returns an error if a setting is out of range or a score is not finite.
pub fn standings(
    samples: &Samples,
    about: About,
    settings: TestSettings,
    planned: Option<u32>,
    published: Option<&PublishedTable>,
) -> Result<Standings, Untestable> {
    let evaluation = Evaluation {
        samples,
        about,
        settings,
        planned,
        published,
        followed: None,
    };
    evaluation.standings()
}

/// The data and options from which standings are computed.
pub(super) struct Evaluation<'a> {
    /// The scores of all blocks.
    pub samples: &'a Samples,
    /// Metadata of the report.
    pub about: About,
    /// Options of the tests.
    pub settings: TestSettings,
    /// Planned number of blocks per line-up. If it is `None`, the finished blocks count as the
    /// complete schedule.
    pub planned: Option<u32>,
    /// The published table to compare with.
    pub published: Option<&'a PublishedTable>,
    /// The rule of a sequential league and its results so far.
    pub followed: Option<(&'a StoppingRule, &'a StoppingState)>,
}

impl Evaluation<'_> {
    /// Returns the rule of a sequential league and its results, unless it compared bots with
    /// different chances. Such a rule is refused now, but stores of earlier versions have it.
    fn valid_rule(&self) -> Option<(&StoppingRule, &StoppingState)> {
        let is_valid = self
            .samples
            .line_ups
            .iter()
            .all(|line_up| line_up.has_equal_chances);
        self.followed.filter(|_| is_valid)
    }

    /// Computes the standings.
    ///
    /// # Errors
    /// Returns an error if a setting is out of range or a score is not finite.
    pub(super) fn standings(&self) -> Result<Standings, Untestable> {
        let comparison = self.compare()?;
        let mut line_ups = comparison.evaluate_line_ups()?;
        let pairs = comparison.evaluate_pairs(std::mem::take(&mut line_ups.pairs));
        Ok(self.assemble(comparison, line_ups, pairs))
    }

    /// Compares the bots over all line-ups and ranks them.
    fn compare(&self) -> Result<RankedComparison<'_>, Untestable> {
        let names = &self.samples.names;
        let options = options_of(&self.settings);
        let line_ups = ComparedLineUp::all(self.samples);
        // The ratings come first because they need much memory.
        let seed = self.about.league.as_ref().map_or(0, |league| {
            Seeds::league(league.seed)
                .purpose(Purpose::Report)
                .number(0)
        });
        let ratings = ratings(names, &line_ups, options.confidence, seed);
        let pooled = pool(names.len(), &line_ups, &options)?;
        let ranking = Ranking::of(&pooled, names, &self.about);
        let listed = ListedPairs::of(names.len(), &line_ups);
        let pairs = (pooled.pairs.iter()).filter(|pair| listed.contains(pair));
        let listed_count = pairs.count();
        let followed = self.valid_rule();
        Ok(RankedComparison {
            names,
            about: &self.about,
            settings: TestSettings {
                correction: pooled.options.correction,
                ..self.settings
            },
            line_up_options: CompareOptions {
                correction: other_than_max_t(options.correction),
                ..options
            },
            followed: followed.map(|(rule, stopping)| (rule, sequential::pairs(stopping, names))),
            bots: bot_standings(self.samples, &pooled, &ranking, self.about.stake()),
            line_ups,
            ratings,
            pooled,
            ranking,
            listed,
            listed_count,
            // The comparison with a published table needs all pairs.
            kept: if self.settings.for_readers && self.published.is_none() {
                KeptParts::of(listed_count)
            } else {
                KeptParts::ALL
            },
        })
    }

    /// Returns the standings with all parts that follow from samples.
    fn assemble(
        &self,
        comparison: RankedComparison<'_>,
        line_ups: LineUpResults,
        pairs: EvaluatedPairs,
    ) -> Standings {
        let RankedComparison {
            names,
            pooled,
            ranking,
            bots,
            kept,
            listed_count,
            ..
        } = comparison;
        let followed = self.valid_rule();
        let kept_names: HashSet<&str> = ranking.top(names, kept.bots).collect();
        let congeniality = match kept {
            KeptParts::ALL => line_ups.congeniality,
            _ => (line_ups.congeniality).map(|table| table.among(|name| kept_names.contains(name))),
        };
        let progress = self.progress();
        let sequential = followed.map(|(rule, stopping)| sequential::rule(rule, stopping));
        let rule = sequential.as_ref();
        let few = (pairs.few, listed_count);
        let cautions = score_cautions(&progress, few, rule, &bots, self.samples);
        Standings {
            about: self.about.clone(),
            settings: comparison.settings,
            progress,
            tiers: ranking.tiers(
                names,
                &pooled,
                &pairs.leads,
                followed.map(|(rule, _)| *rule),
            ),
            swept: self.swept(&bots),
            family: pooled.family as u64,
            sequential,
            relation: transitivity(names, &pooled, &comparison.line_ups),
            ratings: comparison.ratings,
            published: self.published.map(|published| {
                compare_with_published(published, congeniality.as_ref(), |row, column| {
                    difference(&pairs.pairs, row, column)
                })
            }),
            congeniality,
            line_ups: line_ups.line_ups,
            cautions,
            left_out: kept.left_out(listed_count, pairs.tallies),
            bots,
            pairs: pairs.pairs,
            ..Standings::default()
        }
    }

    /// Returns the scores of entrants that differ in one numeric setting and sit in the same seats.
    fn swept(&self, bots: &[BotStanding]) -> Vec<SweptSetting> {
        let Some(league) = &self.about.league else {
            return Vec::new();
        };
        let mut settings = swept_settings(&league.entrants, |name| {
            Some(
                bots.iter()
                    .find(|bot| bot.name == name)?
                    .estimate
                    .tested()
                    .copied(),
            )
        });
        settings.retain(|setting| {
            let mut seats = setting
                .points
                .iter()
                .map(|point| self.fixed_seats(&point.name));
            let first = seats.next();
            seats.all(|seats| Some(seats) == first)
        });
        settings
    }

    /// Returns the places of a bot at tables whose seats have different chances.
    fn fixed_seats(&self, name: &str) -> BTreeSet<usize> {
        let Samples {
            names, line_ups, ..
        } = self.samples;
        line_ups
            .iter()
            .filter(|line_up| !line_up.has_equal_chances)
            .flat_map(|line_up| line_up.entrants.iter().enumerate())
            .filter(|(_, entrant)| names[**entrant] == name)
            .map(|(place, _)| place)
            .collect()
    }

    /// Returns the numbers of line-ups, blocks and deals in the schedule and finished so far.
    fn progress(&self) -> GamesPlayed {
        let line_ups = &self.samples.line_ups;
        let count = line_ups.len() as u64;
        let blocks_played: u64 = line_ups
            .iter()
            .map(|line_up| line_up.blocks.len() as u64)
            .sum();
        let missing = line_ups.iter().filter(|line_up| line_up.blocks.is_empty());
        let planned = self.planned.map(|blocks| u64::from(blocks) * count);
        let needed = self.followed.map(|(_, stopping)| stopping.blocks_needed());
        GamesPlayed {
            line_ups: count,
            line_ups_missing: missing.count() as u64,
            blocks: needed.or(planned).unwrap_or(blocks_played),
            blocks_played,
            deals_played: line_ups.iter().map(LineUpSample::deals).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_play::samples::read_scores;

    /// Returns the standings of bots `a` and `b`, which played 5 blocks.
    fn of_five_blocks(planned: Option<u32>) -> Standings {
        let scores = "block,a,b\n1,1,3\n2,1,2\n3,2,4\n4,1,3\n5,2,5\n";
        let samples = read_scores(scores.as_bytes()).expect("valid scores");
        let settings = TestSettings::default();
        standings(&samples, About::default(), settings, planned, None).expect("valid settings")
    }

    #[test]
    fn bots_are_ranked_by_mean_and_each_pair_begins_with_the_better_bot() {
        let standings = of_five_blocks(None);
        let names: Vec<&str> = standings.bots.iter().map(|bot| bot.name.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
        let [pair] = &standings.pairs[..] else {
            panic!("{:?}", standings.pairs);
        };
        assert_eq!((pair.a.as_str(), pair.b.as_str()), ("b", "a"));
        let difference = pair.difference.expect("they met");
        assert!((difference - 2.0).abs() < 1e-12, "{difference}");
        assert_eq!((standings.family, pair.blocks), (1, 5));
    }

    #[test]
    fn parts_that_need_a_store_are_empty() {
        let standings = of_five_blocks(None);
        assert!(standings.luck.is_none() && standings.rounds.is_none());
        assert!(standings.machines.is_empty() && standings.play.is_empty());
        assert!(standings.across.is_none() && standings.left_out.is_none());
    }

    #[test]
    fn blocks_of_the_schedule_that_are_not_finished_count_as_missing() {
        let progress = of_five_blocks(Some(10)).progress;
        assert_eq!((progress.line_ups, progress.line_ups_missing), (1, 0));
        assert_eq!((progress.blocks, progress.blocks_played), (10, 5));
        assert!(!progress.is_complete());
        assert!(of_five_blocks(None).progress.is_complete());
    }
}
