//! What a report says, as values: every format prints these and nothing else. Their names are the
//! keys of the JSON.

use super::about::About;
use super::luck::Luck;
use super::rounds::Rounds;
use hattari_agents::record::Kills;
use hattari_play::samples::{FaultNote, Thinking};
use hattari_stats::compare::Equivalence;
use hattari_stats::congeniality::{Agreement, Cell};
use hattari_stats::sequential::{Bias, Decision, StoppingRule};
use hattari_stats::{CompareOptions, Correction};
use serde::Serialize;

/// Everything that a report says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// What was played.
    pub about: About,
    /// How it is read.
    pub settings: Settings,
    /// How much of it is played.
    pub progress: Played,
    /// The bots, the highest mean first.
    pub bots: Vec<BotStanding>,
    /// Every pair once, in the order of [`Standings::bots`]; `a` stands before `b` there.
    pub pairs: Vec<PairStanding>,
    /// Pooled tests over which p was adjusted.
    pub family: u64,
    /// The rule of a sequential league; `None` where all blocks are played whatever they bring.
    pub sequential: Option<SequentialRule>,
    /// The rounds of a format that decides as it goes; `None` where line-ups are fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<Rounds>,
    /// Whether the bots stand in an order; `None` for fewer than three.
    pub relation: Option<Relation>,
    /// Strengths fitted to who finished ahead of whom; `None` where no two bots met.
    pub ratings: Option<Ratings>,
    /// Symbols of every pair that met at a table; `None` where no two bots did.
    pub congeniality: Option<Congeniality>,
    /// What chance was worth; `None` where the game does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub luck: Option<Luck>,
    /// A published table beside ours.
    pub published: Option<PublishedBeside>,
    /// Every line-up of the schedule.
    pub line_ups: Vec<LineUpStanding>,
    /// What a reader must know before believing a number.
    pub cautions: Vec<String>,
    /// What these standings leave out of larger ones ([`Standings::for_readers`]).
    #[serde(skip)]
    pub left_out: Option<LeftOut>,
}

/// The parts of the standings of many bots that text and pages leave out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// All pairs.
    pub pairs: u64,
    /// Bots, the first ones, whose pairs are kept.
    pub bots: u64,
    /// Of how many others each bot is ahead, behind, equal, and of how many that cannot be told,
    /// over all pairs.
    pub tallies: Vec<[usize; 4]>,
}

/// How results are read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// Confidence of intervals; tests are at 1 minus it.
    pub confidence: f64,
    /// How p-values of the pooled family are adjusted: in standings as it was done, Holm's where
    /// max-T was asked for and the pairs do not share all their blocks or deals.
    pub correction: Correction,
    /// Power at which required blocks are computed.
    pub power: f64,
    /// Whether score ratios are asked for.
    pub score_ratio: bool,
    /// The difference, in points a deal, below which two bots are equal for the league's purposes;
    /// `None` where nobody is ever called equal.
    pub equal_within: Option<f64>,
}

impl Default for Settings {
    fn default() -> Settings {
        let CompareOptions {
            confidence,
            correction,
            power,
            equal_within,
            ..
        } = CompareOptions::default();
        Settings {
            confidence,
            correction,
            power,
            score_ratio: false,
            equal_within,
        }
    }
}

impl Settings {
    /// How p is adjusted, as texts name it; `None` where it is not.
    #[must_use]
    pub fn correction_name(&self) -> Option<&'static str> {
        correction_name(self.correction)
    }

    /// How p is adjusted within a line-up, and that of closeness: where the pooled pairs have
    /// max-T, by Holm.
    #[must_use]
    pub fn other_correction_name(&self) -> Option<&'static str> {
        correction_name(other_than_max_t(self.correction))
    }

    /// The level of the tests.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        1.0 - self.confidence
    }
}

/// What stands for max-T where p alone is known.
pub(super) fn other_than_max_t(correction: Correction) -> Correction {
    if correction == Correction::MaxT {
        Correction::Holm
    } else {
        correction
    }
}

/// How p is adjusted, as texts name it; `None` where it is not.
pub(super) fn correction_name(correction: Correction) -> Option<&'static str> {
    match correction {
        Correction::None => None,
        Correction::Holm => Some("Holm"),
        Correction::MaxT => Some("max-T"),
    }
}

/// How much is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Played {
    /// Line-ups of the schedule.
    pub line_ups: u64,
    /// Line-ups without a finished block.
    pub line_ups_missing: u64,
    /// Blocks of the schedule.
    pub blocks: u64,
    /// Finished blocks.
    pub blocks_played: u64,
    /// Deals played.
    pub deals_played: u64,
}

impl Played {
    /// Whether everything is played.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.blocks_played >= self.blocks
    }
}

/// A result that there may not be.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer<T> {
    /// The result.
    Tested(T),
    /// Why there is none, in words.
    NotTestable(String),
}

impl<T> Answer<T> {
    /// The result, if there is one.
    pub fn tested(&self) -> Option<&T> {
        match self {
            Answer::Tested(result) => Some(result),
            Answer::NotTestable(_) => None,
        }
    }

    /// The result to be changed, if there is one.
    pub(super) fn tested_mut(&mut self) -> Option<&mut T> {
        match self {
            Answer::Tested(result) => Some(result),
            Answer::NotTestable(_) => None,
        }
    }
}

/// A number with its error. All fields are finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Its standard error.
    pub se: f64,
    /// Lower end of the confidence interval.
    pub low: f64,
    /// Upper end of the confidence interval.
    pub high: f64,
}

/// How one bot did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BotStanding {
    /// Its name.
    pub name: String,
    /// Finished blocks at whose table it sat.
    pub blocks: u64,
    /// Deals of those blocks.
    pub deals: u64,
    /// Mean points per deal: the mean of its line-ups' means; `None` where it played nothing.
    pub mean: Option<f64>,
    /// The mean with its error.
    pub estimate: Answer<Estimate>,
    /// Share of deals (of seats, where copies sit at one table) in each place, first place first;
    /// empty for scores.
    pub places: Vec<f64>,
    /// Faults of all kinds.
    pub faults: u64,
    /// Blocks that it forfeited.
    pub forfeits: u64,
    /// Its first faults and the first of every kind, with the number of the line-up.
    pub fault_notes: Vec<(u32, FaultNote)>,
    /// How long it thought.
    pub thinking: Thinking,
    /// How often somebody else ended its process.
    pub kills: Kills,
    /// Decisions per second of its own thinking; `None` where nothing was timed.
    pub decisions_per_second: Option<f64>,
    /// How much its deals depend on their neighbours.
    pub dependence: Answer<Dependence>,
}

/// How much the deals of a bot depend on their neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Dependence {
    /// Correlation of its payoff with that of the next deal.
    pub lag1: f64,
    /// Independent deals that its deals are worth, if the dependence fades geometrically.
    pub effective_deals: f64,
}

/// Which test a result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Student's t on differences of block means, both bots at the same table.
    PairedBlocks,
    /// The same in each line-up, the mean over line-ups tested with the errors of all (stratified
    /// by line-up).
    StratifiedBlocks,
    /// Welch's t on block means of bots that did not share blocks.
    WelchBlocks,
    /// Student's t on means over line-ups, one for each set of blocks that were dealt the same
    /// cards.
    ClusteredBlocks,
    /// Student's t on differences of single deals, as if they were independent: what the paper did.
    PairedDeals,
}

/// A test of the difference of two bots. All fields are finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Test {
    /// Which test.
    pub method: Method,
    /// Observations (blocks; deals for [`Method::PairedDeals`]; for [`Method::ClusteredBlocks`]
    /// blocks with different deals); for Welch's test those of both bots together.
    pub n: u64,
    /// Mean score of `a` less that of `b`.
    pub difference: f64,
    /// Its standard error.
    pub se: f64,
    /// Lower end of the confidence interval.
    pub low: f64,
    /// Upper end of the confidence interval.
    pub high: f64,
    /// The statistic.
    pub t: f64,
    /// Its degrees of freedom.
    pub df: f64,
    /// Two-sided p.
    pub p: f64,
    /// p adjusted over the family (see [`PairStanding`]).
    pub p_adjusted: f64,
    /// The method that [`Test::p_adjusted`] comes from: in a family adjusted by max-T Holm's,
    /// where patterns of signs cannot tell how small p is.
    pub adjusted_by: Correction,
    /// Cohen's d_z: the difference over its standard deviation from block to block (deal to deal).
    pub effect_size: f64,
    /// Blocks (deals) in all at which a difference of the observed size is found with the stated
    /// power, at the level at which this pair was judged; `None` where there is hardly any
    /// difference (a billion blocks or more), and for Welch's test.
    pub required: Option<u64>,
    /// The same if the effect is as large as the confidence interval of its size allows; `None`
    /// but for pooled tests.
    pub required_low: Option<u64>,
    /// The same if it is as small; `None` where no number would do, for there may be no effect at
    /// all.
    pub required_high: Option<u64>,
}

/// Two bots, `a` less `b`. For the adjustment of p the pooled tests of all pairs are one family; at
/// each line-up its pairs are a family by blocks and another by deals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairStanding {
    /// Name of the first.
    pub a: String,
    /// Name of the second.
    pub b: String,
    /// Pooled over the line-ups at which both sat.
    pub pooled: Answer<Test>,
    /// Blocks already played in which both bots took part.
    pub blocks: u64,
    /// The pooled difference, known even where it cannot be tested.
    pub difference: Option<f64>,
    /// What speaks for a difference below [`Settings::equal_within`], where that is stated and the
    /// pair could be tested.
    pub equivalence: Option<Equivalence>,
    /// Where it is asked for: the share of `a` in what both scored, over all blocks at the same
    /// table.
    pub score_ratio: Option<Answer<Estimate>>,
    /// How many times larger the variance of the difference is than that of as many independent
    /// deals; `None` where that is unknown, and in leagues of very many pairs.
    pub design_effect: Option<f64>,
    /// Where the pair stands by the rule of a sequential league; the verdict is then the rule's.
    pub sequential: Option<Box<SequentialPair>>,
    /// What it comes to, in words.
    pub verdict: Statement,
    /// At each line-up, in the order of the schedule.
    pub line_ups: Vec<PairAtLineUp>,
}

/// The rule of a sequential league.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SequentialRule {
    /// As the league states it, for all comparisons together.
    pub rule: StoppingRule,
    /// As each comparison is judged.
    pub each: StoppingRule,
    /// Comparisons that the league follows.
    pub comparisons: u64,
    /// Those that are decided.
    pub decided: u64,
    /// Rounds that are complete.
    pub rounds: u64,
    /// Whether nothing is left to play.
    pub finished: bool,
}

/// A comparison by the rule of a sequential league, the first bot less the second.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SequentialPair {
    /// Name of the first.
    pub first: String,
    /// Name of the second.
    pub second: String,
    /// What the rule says.
    pub decision: Decision,
    /// Rounds that it took, or all that are complete.
    pub rounds: u64,
    /// Mean difference over these rounds.
    pub estimate: Option<f64>,
    /// Lower end of the interval, where the rule gives one.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// The evidence, where there is some.
    pub evidence: Option<Evidence>,
    /// How the estimate suffers from stopping.
    pub bias: Bias,
    /// Why there is no decision, if not just for want of rounds.
    pub note: Option<String>,
}

/// Evidence of a sequential rule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// What the number is: `always-valid-p` or `log-likelihood-ratio`.
    pub kind: &'static str,
    /// The number.
    pub value: f64,
}

/// Two bots at one line-up, `a` less `b`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairAtLineUp {
    /// Number of the line-up.
    pub line_up: u32,
    /// By blocks.
    pub by_block: Answer<Test>,
    /// By single deals, as the paper did; errors are understated where deals depend on each other.
    pub by_deal: Answer<Test>,
}

/// What a comparison comes to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statement {
    /// In one word.
    pub kind: VerdictKind,
    /// In a sentence.
    pub text: String,
}

/// What a comparison comes to, in one word, by the adjusted p of the pooled test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// `a` is ahead.
    Ahead,
    /// `a` is behind.
    Behind,
    /// Closer than the league asks for, significantly.
    Equal,
    /// Neither a difference nor its absence is shown, or there is too little to go by.
    CannotTell,
}

/// One line-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineUpStanding {
    /// Its number.
    pub line_up: u32,
    /// Names by place, copies repeated.
    pub entrants: Vec<String>,
    /// Finished blocks.
    pub blocks: u64,
    /// Deals of those blocks.
    pub deals: u64,
    /// Tests over which p was adjusted here.
    pub family: u64,
    /// Distinct entrants with their mean and its error.
    pub bots: Vec<BotAtLineUp>,
}

/// One entrant at one line-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BotAtLineUp {
    /// Its name.
    pub name: String,
    /// Mean of its block means; `None` without a finished block.
    pub mean: Option<f64>,
    /// The mean with its error.
    pub estimate: Answer<Estimate>,
}

/// Symbols of all ordered pairs, by two tests.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Congeniality {
    /// Names, in the order of the league.
    pub names: Vec<String>,
    /// By the test on blocks.
    pub by_block: Vec<CongenialityCell>,
    /// By the paper's test on single deals.
    pub by_deal: Vec<CongenialityCell>,
    /// How many times larger the standard error by blocks is than the one by deals: the median
    /// over all pairs at all line-ups. Above 1 the test on single deals overstates what is
    /// known.
    pub error_ratio: Option<f64>,
}

/// One ordered pair.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CongenialityCell {
    /// Name of the bot whose standing it is.
    pub row: String,
    /// Name of the bot against which.
    pub column: String,
    /// The symbol and what is behind it.
    #[serde(flatten)]
    pub ours: OurCell,
}

/// Our symbol for an ordered pair and what is behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OurCell {
    /// The symbol and the line-ups behind it; `None` where no line-up could be tested.
    pub cell: Option<Cell>,
    /// Line-ups at which the row is ahead in score, significantly or not.
    pub leading: u32,
    /// Line-ups at which it is behind in score.
    pub trailing: u32,
}

/// A published table beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublishedBeside {
    /// Where it comes from.
    pub source: String,
    /// Its name.
    pub table: String,
    /// What the source says of its exception `*`, where the table has one.
    pub exception: Option<String>,
    /// Names of its rows.
    pub rows: Vec<String>,
    /// Names of its columns.
    pub columns: Vec<String>,
    /// Its cells, row by row, without those where a bot would meet itself.
    pub cells: Vec<PublishedCell>,
    /// How it agrees with ours by the test on blocks.
    pub by_block: Agreements,
    /// How it agrees with ours by the paper's test on single deals.
    pub by_deal: Agreements,
}

/// How often a published table agrees with ours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Agreements {
    /// Published cells.
    pub cells: u32,
    /// Cells with the same symbol.
    pub same: u32,
    /// Cells with the same direction (ahead, even, behind), those with the same symbol among them.
    pub same_direction: u32,
    /// Cells that our league did not play or could not test.
    pub missing: u32,
}

/// A published cell beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublishedCell {
    /// Name of the bot whose standing it is.
    pub row: String,
    /// Name of the bot against which.
    pub column: String,
    /// As published: `++`, `+`, `0`, `-`, `--` or `*`.
    pub published: String,
    /// Ours by the test on blocks.
    pub by_block: ComparedCell,
    /// Ours by the paper's test.
    pub by_deal: ComparedCell,
    /// Our pooled difference, row less column.
    pub difference: Answer<Estimate>,
}

/// Our side of a published cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedCell {
    /// Our symbol and what is behind it.
    #[serde(flatten)]
    pub ours: OurCell,
    /// How the symbols agree.
    pub agreement: Agreement,
    /// Whether the directions agree.
    pub same_direction: bool,
}

/// Whether the bots stand in an order, or beat each other in circles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Relation {
    /// Part of the pooled differences (their squares, weighted by blocks) that one number per bot
    /// explains: 1 is a perfect order, 0 wholly cyclic (Hodge decomposition). Not testable
    /// where all bots sit at every table.
    pub transitive_share: Answer<f64>,
    /// Triples in which the first is significantly ahead of the second, the second of the third,
    /// the third of the first: the first thousand of them.
    pub cycles: Vec<[String; 3]>,
    /// The number of all of them.
    pub cycle_count: u64,
}

/// Strengths fitted to who finished ahead of whom, by the model of Plackett and Luce.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// Patterns of signs drawn for the ranks, where there are too many to be counted; `None` where
    /// line-ups have deals of their own, and ranks come from tests adjusted by Holm.
    pub samples: Option<u64>,
    /// Imaginary drawn deals between every two bots: above 0 only where some bot was never, or
    /// always, ahead of the rest.
    pub virtual_draws: f64,
    /// The bots, the strongest first.
    pub fit: Answer<Vec<Rating>>,
}

/// The rating of one bot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Its name.
    pub name: String,
    /// Logarithm of its strength, the mean of all being 0: a difference of x means odds of e^x to
    /// finish ahead.
    pub strength: f64,
    /// The strength in points of which 400 mean odds of ten to one.
    pub elo: f64,
    /// The uncertainty of strength and rank; `None` where the format decided who met whom.
    #[serde(flatten)]
    pub range: Option<RatingRange>,
}

/// The uncertainty of a rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatingRange {
    /// Lower end of the confidence interval of the strength.
    pub low: f64,
    /// Upper end of the confidence interval of the strength.
    pub high: f64,
    /// The best rank that it may hold, all ranks of all bots together at the confidence of the
    /// report.
    pub best_rank: u64,
    /// The worst rank that it may hold.
    pub worst_rank: u64,
}
