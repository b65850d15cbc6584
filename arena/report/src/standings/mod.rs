//! Computes the contents of reports from samples. Only [`of_store`] and [`PublishedTable::load`]
//! read files; no function reads a clock. The statistics come from [`hattari_stats`].
//!
//! Pooled results are means over line-ups with equal weights, with the errors within line-ups
//! ([`compare`](fn@hattari_stats::compare)). Means and differences therefore refer to the line-ups
//! of this league. Differences between line-ups appear in the congeniality table, not in the error.
//!
//! Congeniality (results of each pair over all line-ups) uses the symbols of Satō and Itō, "A study
//! on the congeniality of play styles in daihinmin"
//! (大貧民におけるプレイスタイルの相性に関する研究). There are two versions: one from the test on
//! blocks and one from their test on single deals (the single-deal test).

mod about;
mod across;
mod adaptive;
mod bot_standings;
mod checks;
mod compared;
mod compute;
mod congeniality;
#[cfg(test)]
mod congeniality_tests;
mod cut;
mod estimate;
mod kills;
mod line_ups;
mod logged;
mod luck;
mod machines;
mod of_league;
mod pairs;
mod play;
mod pool;
mod published;
mod published_comparison;
mod ranked;
mod ratings;
mod reported_test;
pub(crate) mod rounds;
mod score_cautions;
mod seats;
mod sequential;
mod settings;
mod several;
mod store_cautions;
mod swept;
mod symbols;
mod tiers;
mod transitivity;
mod types;
mod verdict;

pub use about::{About, AboutEntrant, AboutLeague};
pub(crate) use about::{Role, Stake};
pub(crate) use across::{AcrossLeagues, Interaction, LeagueOfSeveral, PairAcrossLeagues};
pub use compute::standings;
pub(crate) use congeniality::{CellResult, Congeniality, CongenialityCell};
pub(crate) use estimate::{Estimate, TestResult};
pub use hattari_stats::Method;
pub(crate) use logged::LoggedRow;
pub(crate) use luck::{Luck, LuckOfBot, LuckResults};
pub(crate) use machines::{MachineStanding, MachineTest};
pub use of_league::{ReportOptions, of_store, samples};
pub(crate) use play::PlayRow;
pub use play::{PlayCounter, PlayCounts};
pub use published::PublishedTable;
pub(crate) use published_comparison::{
    Agreement, Agreements, ComparedCell, PublishedCell, PublishedComparison,
};
pub(crate) use sequential::evidence_text;
pub use settings::TestSettings;
pub use store_cautions::{changes_of_league, fixed_deals_caution};
pub(crate) use swept::SweptSetting;
pub(crate) use symbols::{Published, Symbol, SymbolCell};
pub(crate) use tiers::Tiers;
pub(crate) use types::{
    BotAtLineUp, BotStanding, Dependence, GamesPlayed, LeftOut, LineUpStanding, PairAtLineUp,
    PairVerdict, RatingRange, Ratings, SequentialPair, SequentialRule, Test, Transitivity,
};
pub use types::{PairStanding, Rating, Standings, VerdictKind, VerdictTally};

impl Standings {
    /// Keeps only the pairs among the bots `names`; for one name, its pairs with all bots. Adjusted
    /// p values remain those of the whole family, because the selection is made after all
    /// comparisons.
    pub fn keep_pairs(&mut self, names: &[String]) {
        let is_kept = |a: &String, b: &String| match names {
            [_] => names.contains(a) || names.contains(b),
            _ => names.contains(a) && names.contains(b),
        };
        self.pairs.retain(|pair| is_kept(&pair.a, &pair.b));
        if let Some(TestResult::Tested(luck)) = self.luck.as_mut().map(|luck| &mut luck.results) {
            luck.pairs.retain(|pair| is_kept(&pair.a, &pair.b));
        }
    }

    /// Returns the pairs with their tests at each line-up, sorted by line-up.
    pub(crate) fn pairs_at_line_ups(&self) -> Vec<(&PairStanding, &PairAtLineUp)> {
        let mut tests: Vec<_> = self
            .pairs
            .iter()
            .flat_map(|pair| pair.line_ups.iter().map(move |tests| (pair, tests)))
            .collect();
        // The sort is stable: pairs stay in order.
        tests.sort_by_key(|(_, tests)| tests.line_up);
        tests
    }

    /// Returns the pooled tests of all pairs that can be tested.
    pub(crate) fn pooled_tests(&self) -> impl Iterator<Item = &Test> {
        self.pairs.iter().filter_map(|pair| pair.pooled.tested())
    }
}
