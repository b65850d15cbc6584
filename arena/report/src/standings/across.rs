//! Several leagues in one report: the differences of each pair in all leagues. A test shows whether
//! they depend on the league, for example on an option of the rules.

use super::{Estimate, TestResult};
use hattari_agents::text::joined;
use hattari_stats::heterogeneity::SameValueTest;
use serde::Serialize;
use serde_json::Value;

/// Differences of pairs in several leagues.
#[derive(Debug, Serialize)]
pub struct AcrossLeagues {
    /// The options of the rules in which the leagues differ.
    pub options: Vec<String>,
    /// The leagues, in the order in which they were given.
    pub leagues: Vec<LeagueOfSeveral>,
    /// The pairs of the first league.
    pub pairs: Vec<PairAcrossLeagues>,
}

impl AcrossLeagues {
    /// Returns the options in which a league differs from the others, with their values.
    pub(crate) fn options_of(&self, league: &LeagueOfSeveral) -> String {
        let options = self.options.iter().zip(&league.values);
        joined(options.map(|(name, value)| format!("{name}={value}")), ", ")
    }
}

/// A league of a report on several leagues.
#[derive(Debug, Serialize)]
pub struct LeagueOfSeveral {
    /// Title of the league.
    pub title: String,
    /// Seed of the league.
    pub seed: u64,
    /// Values of the options in which the leagues differ, in the order of
    /// [`AcrossLeagues::options`].
    pub values: Vec<Value>,
}

/// The difference of two bots in several leagues.
#[derive(Debug, Serialize)]
pub struct PairAcrossLeagues {
    /// Name of the first bot.
    pub a: String,
    /// Name of the second bot.
    pub b: String,
    /// The difference in each league, `a` minus `b`.
    pub differences: Vec<TestResult<Estimate>>,
    /// The test of the hypothesis that the difference is the same in all leagues.
    pub interaction: TestResult<Interaction>,
}

/// A test of the hypothesis that the difference of a pair is the same in all leagues.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Interaction {
    /// F statistic, degrees of freedom and unadjusted p.
    #[serde(flatten)]
    pub test: SameValueTest,
    /// p adjusted by Holm over the pairs that were tested.
    pub p_adjusted: f64,
}
