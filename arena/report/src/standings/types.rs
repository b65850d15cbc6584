//! The contents of a report as plain values. The JSON keys are the field names. Every report format
//! prints these values; only pages also show distributions and scores over blocks.

use super::rounds::PlayedRounds;
use super::{
    About, AcrossLeagues, Congeniality, Estimate, LoggedRow, Luck, MachineStanding, PlayRow,
    PublishedComparison, Role, SweptSetting, TestResult, TestSettings, Tiers,
};
use hattari_agents::record::{DecisionTime, KillCounts};
use hattari_play::samples::FaultNote;
use hattari_stats::compare::Equivalence;
use hattari_stats::sequential::{Bias, Decision, Evidence, StoppingRule};
use hattari_stats::{Correction, Method};
use serde::Serialize;

/// The contents of a report.
///
/// [`standings`](fn@super::standings) computes all parts that follow from samples.
/// [`of_store`](super::of_store) adds the parts that need the store: [`Standings::luck`],
/// [`Standings::machines`] and [`Standings::rounds`]. The standings are then complete. On request,
/// the caller adds [`Standings::play`], [`Standings::numbers`] and [`Standings::across`].
#[derive(Debug, Default, Serialize)]
pub struct Standings {
    /// The league or file and the entrants.
    pub about: About,
    /// Options of the evaluation.
    pub settings: TestSettings,
    /// Numbers of line-ups, blocks and deals: in the schedule, and finished so far.
    pub progress: GamesPlayed,
    /// The bots in tiers: groups of bots whose order is not clear.
    pub tiers: TestResult<Tiers>,
    /// The bots, sorted by descending mean. Bots of the field (`Role::Field`) come last.
    pub bots: Vec<BotStanding>,
    /// Scores of entrants that differ in one numeric setting only, by that setting.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub swept: Vec<SweptSetting>,
    /// Every pair once, in the order of [`Standings::bots`]: `a` comes before `b`.
    pub pairs: Vec<PairStanding>,
    /// Number of pooled tests over which p was adjusted.
    pub family: u64,
    /// Comparison with other leagues, if the report is on several leagues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub across: Option<Box<AcrossLeagues>>,
    /// Statistics of play, by statistic and bot; empty if they were not computed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub play: Vec<PlayRow>,
    /// Means of the numbers that bots log, by name, bot and turn; empty if they were not computed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<LoggedRow>,
    /// The stopping rule of a sequential league; `None` if the number of blocks is fixed.
    pub sequential: Option<SequentialRule>,
    /// The rounds of a format that schedules one round after another; `None` for other formats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<PlayedRounds>,
    /// Transitivity of the results; `None` for fewer than three bots.
    pub relation: Option<Transitivity>,
    /// Strengths fitted to finishing orders; `None` if no two bots met.
    pub ratings: Option<Ratings>,
    /// Symbols of every pair that shared a table; `None` if no pair did.
    pub congeniality: Option<Congeniality>,
    /// Luck in the scores; `None` if the game does not measure it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub luck: Option<Luck>,
    /// The machines that played the blocks; empty if there is only one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<MachineStanding>,
    /// Comparison with a published table.
    pub published: Option<PublishedComparison>,
    /// The results of the line-ups with a finished block.
    pub line_ups: Vec<LineUpStanding>,
    /// Warnings about the reliability of the results.
    pub cautions: Vec<String>,
    /// Summary of the parts that are left out; `None` if the standings are complete.
    #[serde(skip)]
    pub left_out: Option<LeftOut>,
}

/// A summary of the parts that text reports and pages leave out if there are many bots.
#[derive(Debug)]
pub struct LeftOut {
    /// Total number of pairs.
    pub pairs: u64,
    /// Number of top bots whose pairs are kept.
    pub bots: u64,
    /// The verdict counts of each bot, in the order of [`Standings::bots`].
    pub tallies: Vec<VerdictTally>,
}

/// For one bot, the number of other bots with each verdict, in the order of [`VerdictKind::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerdictTally(pub [u64; 4]);

impl VerdictTally {
    /// Counts another bot. `kind` is the verdict from the point of view of this bot.
    pub(crate) fn add(&mut self, kind: VerdictKind) {
        self.0[kind as usize] += 1;
    }

    /// Returns the number of bots with this verdict.
    pub fn count(&self, kind: VerdictKind) -> u64 {
        self.0[kind as usize]
    }

    /// Returns the number of all other bots.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// Numbers of line-ups, blocks and deals: in the schedule, and finished so far.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct GamesPlayed {
    /// Number of line-ups in the schedule.
    pub line_ups: u64,
    /// Number of line-ups without a finished block.
    pub line_ups_missing: u64,
    /// Number of blocks in the schedule.
    pub blocks: u64,
    /// Number of finished blocks.
    pub blocks_played: u64,
    /// Number of deals in the finished blocks.
    pub deals_played: u64,
}

impl GamesPlayed {
    /// Returns `true` if all blocks of the schedule are finished.
    pub(crate) fn is_complete(&self) -> bool {
        self.blocks_played >= self.blocks
    }
}

impl From<&Test> for Estimate {
    fn from(test: &Test) -> Estimate {
        Estimate {
            value: test.difference,
            se: test.se,
            low: test.low,
            high: test.high,
        }
    }
}

impl Test {
    /// Returns the ends of the confidence interval.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }
}

/// The results of one bot.
#[derive(Clone, Debug, Serialize)]
pub struct BotStanding {
    /// Name of the bot.
    pub name: String,
    /// Role of the bot; `None` if the format has no challengers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Number of finished blocks in which the bot played.
    pub blocks: u64,
    /// Number of deals in the finished blocks.
    pub deals: u64,
    /// Mean points per deal, averaged over the means of its line-ups; `None` if it has not played.
    pub mean: Option<f64>,
    /// The mean with its standard error and interval.
    pub estimate: TestResult<Estimate>,
    /// The estimate in units of the stake per 100 deals, such as bb/100; `None` if the game has no
    /// stake or there is no estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winnings: Option<Estimate>,
    /// Shares of the deals in which the bot took each place, from first to last. If copies of the
    /// bot share a table, the result of every copy counts. Empty for a file of scores.
    pub places: Vec<f64>,
    /// Number of faults of all kinds.
    pub faults: u64,
    /// Number of blocks that the bot forfeited.
    pub forfeits: u64,
    /// Number of blocks, without forfeited ones, in which the bot could not be started.
    #[serde(skip)]
    pub unstarted: u64,
    /// The bot's first faults and the first fault of each kind, with the line-up number.
    pub fault_notes: Vec<(u32, FaultNote)>,
    /// Thinking time and number of decisions.
    pub thinking: DecisionTime,
    /// Kills of the bot's process that the bot did not cause.
    pub kills: KillCounts,
    /// Decisions per second of thinking time; `None` if nothing was timed.
    pub decisions_per_second: Option<f64>,
    /// Serial dependence of the bot's deals.
    pub dependence: TestResult<Dependence>,
}

/// Serial dependence of the deals of a bot.
#[derive(Clone, Debug, Serialize)]
pub struct Dependence {
    /// Correlation of a deal's payoff with the payoff of the next deal.
    pub lag1: f64,
    /// Effective sample size: the equivalent number of independent deals, if the dependence decays
    /// geometrically.
    pub effective_deals: f64,
}

/// A test of the difference of two bots. All fields are finite.
#[derive(Debug, Serialize)]
pub struct Test {
    /// The test that was used.
    pub method: Method,
    /// Number of observations: deals for [`Method::PairedDeals`], groups of blocks with the same
    /// cards for [`Method::ClusteredBlocks`], otherwise blocks. For Welch's test, the sum over both
    /// bots.
    pub n: u64,
    /// Mean score of `a` minus that of `b`.
    pub difference: f64,
    /// Standard error of the difference.
    pub se: f64,
    /// Lower end of the confidence interval.
    pub low: f64,
    /// Upper end of the confidence interval.
    pub high: f64,
    /// The t statistic.
    pub t: f64,
    /// Degrees of freedom.
    pub df: f64,
    /// Two-sided p.
    pub p: f64,
    /// p adjusted for several comparisons (see [`PairStanding`]).
    pub p_adjusted: f64,
    /// The method that gave [`Test::p_adjusted`]. In a report with max-T, it is Holm's method for
    /// pairs whose p is too small for the number of sign patterns.
    pub adjusted_by: Correction,
    /// Cohen's d_z: the difference divided by its standard deviation between observations.
    pub effect_size: f64,
    /// Total number of observations at which a difference of the observed size is detected with the
    /// requested power, at the level used for this pair. `None` for Welch's test, and if a billion
    /// or more would be needed.
    pub required: Option<u64>,
    /// [`Test::required`] for the largest effect in the confidence interval of the effect size;
    /// `None` if the test is not pooled.
    pub required_low: Option<u64>,
    /// [`Test::required`] for the smallest effect in the confidence interval of the effect size;
    /// `None` if the interval contains zero or the test is not pooled.
    pub required_high: Option<u64>,
}

/// A pair of bots; differences are `a` minus `b`. p is adjusted over the pooled tests of all pairs.
/// At each line-up, p is adjusted over the tests by block, and separately over the tests by deal.
#[derive(Debug, Serialize)]
pub struct PairStanding {
    /// Name of the first bot.
    pub a: String,
    /// Name of the second bot.
    pub b: String,
    /// The test pooled over the line-ups of both bots.
    pub pooled: TestResult<Test>,
    /// Number of finished blocks in which both bots took part.
    pub blocks: u64,
    /// The pooled difference, also if it cannot be tested; `None` if there are no scores to
    /// compare.
    pub difference: Option<f64>,
    /// The tested difference in units of the stake per 100 deals, such as bb/100; `None` if the
    /// game has no stake or the pair is not testable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winnings: Option<Estimate>,
    /// The test of equivalence within the margin [`TestSettings::equal_within`]; `None` if no
    /// margin is set or the pair could not be tested.
    pub equivalence: Option<Equivalence>,
    /// Score of `a` divided by the sum of both scores, over all blocks at the same table; `None` if
    /// it was not requested.
    pub score_ratio: Option<TestResult<Estimate>>,
    /// Variance of the difference, divided by its variance if all deals were independent; `None` if
    /// it cannot be computed, and in leagues with very many pairs.
    pub design_effect: Option<f64>,
    /// Result of the stopping rule, which determines the verdict; `None` if the league has no rule
    /// or does not compare this pair.
    pub sequential: Option<Box<SequentialPair>>,
    /// Conclusion about the pair, as a category and a sentence.
    pub verdict: PairVerdict,
    /// The tests at each line-up, in the order of the schedule.
    pub line_ups: Vec<PairAtLineUp>,
}

/// The stopping rule of a sequential league.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SequentialRule {
    /// The rule in the league file. Its error probability holds for all comparisons together.
    pub rule: StoppingRule,
    /// The rule that is applied to each comparison, with its share of the error probability.
    pub each: StoppingRule,
    /// Number of comparisons.
    pub comparisons: u64,
    /// Number of decided comparisons.
    pub decided: u64,
    /// Number of complete rounds. A round is one block of every line-up that is still played.
    pub rounds: u64,
    /// `true` if no block is left to play.
    pub finished: bool,
}

/// The result of the stopping rule for one comparison. Differences are the first bot minus the
/// second.
#[derive(Clone, Debug, Serialize)]
pub struct SequentialPair {
    /// Name of the first bot.
    pub first: String,
    /// Name of the second bot.
    pub second: String,
    /// The decision of the rule.
    pub decision: Decision,
    /// Number of rounds up to the decision; of all complete rounds if there is no decision.
    pub rounds: u64,
    /// Mean difference over the rounds up to the decision; `None` if no round is complete.
    pub estimate: Option<f64>,
    /// Lower end of the confidence interval; `None` if the rule gives no interval, or none yet.
    pub low: Option<f64>,
    /// Upper end of the confidence interval; `None` if the rule gives no interval, or none yet.
    pub high: Option<f64>,
    /// The evidence after the last round; `None` if there is none yet.
    pub evidence: Option<Evidence>,
    /// Bias of the estimate caused by the stopping rule.
    pub bias: Bias,
    /// The reason why more rounds cannot lead to a decision; `None` if they can, or after a
    /// decision.
    pub note: Option<String>,
}

/// The tests of a pair at one line-up, `a` minus `b`.
#[derive(Debug, Serialize)]
pub struct PairAtLineUp {
    /// Number of the line-up.
    pub line_up: u32,
    /// The test on blocks.
    pub by_block: TestResult<Test>,
    /// The single-deal test; it understates errors if deals are dependent.
    pub by_deal: TestResult<Test>,
}

/// The verdict on a comparison.
#[derive(Debug, Serialize)]
pub struct PairVerdict {
    /// The category of the verdict.
    pub kind: VerdictKind,
    /// The verdict as a sentence.
    pub text: String,
}

/// The category of a verdict, by the adjusted p of the pooled test or by the rule of a sequential
/// league.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// `a` is better: its score is significantly higher, or the stopping rule has decided for it.
    Ahead,
    /// `b` is better, by the same criteria.
    Behind,
    /// The bots are equivalent: their difference is significantly smaller than the margin of the
    /// league.
    Equal,
    /// Neither a difference nor equivalence is shown, or there is too little data.
    CannotTell,
}

impl VerdictKind {
    /// All categories, in the order of the type, in which reports list them.
    pub const ALL: [VerdictKind; 4] = [
        VerdictKind::Ahead,
        VerdictKind::Behind,
        VerdictKind::Equal,
        VerdictKind::CannotTell,
    ];

    /// Returns the verdict from the point of view of the other bot.
    #[must_use]
    pub(crate) fn mirrored(self) -> VerdictKind {
        match self {
            VerdictKind::Ahead => VerdictKind::Behind,
            VerdictKind::Behind => VerdictKind::Ahead,
            kind => kind,
        }
    }

    /// Returns the words between the names of the two bots for this verdict, such as `ahead of`.
    #[must_use]
    pub fn relation(self) -> &'static str {
        ["ahead of", "behind", "equal to", "undecided against"][self as usize]
    }
}

/// The results of one line-up.
#[derive(Debug, Serialize)]
pub struct LineUpStanding {
    /// Number of the line-up.
    pub line_up: u32,
    /// Names of the entrants in the order of the line-up. The name of an entrant with several seats
    /// is repeated.
    pub entrants: Vec<String>,
    /// Number of finished blocks.
    pub blocks: u64,
    /// Number of deals in the finished blocks.
    pub deals: u64,
    /// Number of tests over which p was adjusted at this line-up.
    pub family: u64,
    /// The entrants with their means, each entrant once.
    pub bots: Vec<BotAtLineUp>,
}

/// The result of one entrant at one line-up.
#[derive(Debug, Serialize)]
pub struct BotAtLineUp {
    /// Name of the entrant.
    pub name: String,
    /// Mean of the entrant's block means; `None` if no block is finished.
    pub mean: Option<f64>,
    /// The mean with its standard error and interval.
    pub estimate: TestResult<Estimate>,
}

/// Transitivity: how well the results fit a linear order, and cycles that contradict it.
#[derive(Debug, Serialize)]
pub struct Transitivity {
    /// Share of the pooled squared differences, weighted by blocks, that one number per bot
    /// explains (Hodge decomposition): 1 is a perfect order, 0 is purely cyclic. Not testable if
    /// all bots sit at every table.
    pub transitive_share: TestResult<f64>,
    /// Triples in which the first bot is significantly ahead of the second, the second of the third
    /// and the third of the first. At most 1,000 are listed.
    pub cycles: Vec<[String; 3]>,
    /// Total number of cycles of three bots, listed or not.
    pub cycle_count: u64,
}

/// Strengths of the Bradley–Terry model, fitted to who finished ahead of whom in each deal.
#[derive(Debug, Serialize)]
pub struct Ratings {
    /// Number of random sign patterns that are used for the ranks if there are too many patterns to
    /// try all. `None` if line-ups have different deals; ranks then come from tests adjusted by
    /// Holm.
    pub samples: Option<u64>,
    /// Number of fictitious drawn deals that are added for every pair of bots. It is above 0 only
    /// if some bot was never, or always, ahead of the others.
    pub virtual_draws: f64,
    /// The ratings, the strongest bot first.
    pub fit: TestResult<Vec<Rating>>,
}

/// The rating of one bot.
#[derive(Clone, Debug, Serialize)]
pub struct Rating {
    /// Name of the bot.
    pub name: String,
    /// Natural logarithm of the strength, with mean 0 over all bots. A difference of x means odds
    /// of e^x to finish ahead.
    pub strength: f64,
    /// The strength in Elo points: 400 points are odds of ten to one.
    pub elo: f64,
    /// The uncertainty of strength and rank; `None` if the format chose the opponents, or if every
    /// block agrees.
    #[serde(flatten)]
    pub range: Option<RatingRange>,
}

/// The uncertainty of a rating.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RatingRange {
    /// Lower end of the confidence interval of the strength.
    pub low: f64,
    /// Upper end of the confidence interval of the strength.
    pub high: f64,
    /// Best rank in the confidence set of the bot's rank; 1 is the first rank. The sets of all bots
    /// hold simultaneously at the confidence of the report.
    pub best_rank: u64,
    /// Worst rank in the confidence set of the bot's rank.
    pub worst_rank: u64,
}
