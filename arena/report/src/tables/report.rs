//! Tables of a report. The order of columns is stable: new columns come last.

use super::columns::{
    CellValue, ColumnHead, ColumnType, RowWriter, TableColumn, TableSink, columns,
};
use crate::standings::{
    BotStanding, CellResult, Congeniality, CongenialityCell, LineUpStanding, PairAtLineUp,
    PairStanding, SequentialPair, Standings, SymbolCell, Test,
};
use hattari_play::samples::{BlockInfo, BlockLabel, BotSample, FaultNote, Samples};
use hattari_stats::sequential::Evidence;
use serde::Serialize;

/// Returns the JSON form of a value if it is a string, otherwise `None`.
fn name(value: impl Serialize) -> Option<String> {
    serde_json::to_value(value)
        .ok()?
        .as_str()
        .map(str::to_owned)
}

/// Returns the name of the kind of evidence.
fn kind(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::AlwaysValidP(_) => "always-valid-p",
        Evidence::LogLikelihoodRatio(_) => "log-likelihood-ratio",
    }
}

/// Writes a row for each bot.
pub(super) fn standings(standings: &Standings, _: &Samples, sink: &mut dyn TableSink) {
    let bots = &standings.bots;
    let places = bots.iter().map(|bot| bot.places.len()).max().unwrap_or(0);
    let mut columns = columns! { bot: BotStanding;
        "bot", Text = &bot.name;
        "blocks", Integer = bot.blocks;
        "deals", Integer = bot.deals;
        "points", Real = bot.mean;
        "se", Real = bot.estimate.tested()?.se;
        "low", Real = bot.estimate.tested()?.low;
        "high", Real = bot.estimate.tested()?.high;
    };
    for place in 0..places {
        columns.extend(columns! { bot: BotStanding;
            format!("place_{}", place + 1), Real = bot.places.get(place).copied();
        });
    }
    columns.extend(columns! { bot: BotStanding;
        "faults", Integer = bot.faults;
        "forfeits", Integer = bot.forfeits;
        "decisions", Integer = bot.thinking.decisions;
        "decisions_per_second", Real = bot.decisions_per_second;
        "worst_decision_ns", Integer = (bot.thinking.timed > 0).then_some(bot.thinking.worst_nanos);
        "not_testable", Text = bot.estimate.reason();
        "lag1", Real = bot.dependence.tested()?.lag1;
        "effective_deals", Real = bot.dependence.tested()?.effective_deals;
        "killed_blocks", Integer = bot.kills.blocks;
        "kills", Integer = bot.kills.times;
        "tier", Integer = standings.tiers.tested()?.tier_of(&bot.name);
        "winnings", Real = bot.winnings?.value;
    });
    if bots.iter().any(|bot| bot.role.is_some()) {
        columns.extend(columns! { bot: BotStanding;
            "role", Text = name(bot.role?);
        });
    }
    let mut rows = RowWriter::new(columns, sink);
    bots.iter().for_each(|bot| rows.add(bot));
}

/// Returns the columns of a test. `of` selects the test of a row, and `untested` the difference if
/// there is no test.
fn test<'c, R: 'c>(
    of: fn(&R) -> Option<&Test>,
    untested: fn(&R) -> Option<f64>,
) -> Vec<TableColumn<'c, R>> {
    columns! { row: R;
        "n", Integer = of(row)?.n;
        "difference", Real = of(row).map_or_else(|| untested(row), |test| Some(test.difference));
        "se", Real = of(row)?.se;
        "low", Real = of(row)?.low;
        "high", Real = of(row)?.high;
        "t", Real = of(row)?.t;
        "df", Real = of(row)?.df;
        "p", Real = of(row)?.p;
        "p_adjusted", Real = of(row)?.p_adjusted;
    }
}

/// Returns the result of the stopping rule for a pair.
fn rule(pair: &PairStanding) -> Option<&SequentialPair> {
    pair.sequential.as_deref()
}

/// Writes a row for each pair of bots.
pub(super) fn pairs(standings: &Standings, _: &Samples, sink: &mut dyn TableSink) {
    let mut columns = columns! { pair: PairStanding;
        "a", Text = &pair.a;
        "b", Text = &pair.b;
        "method", Text = name(pair.pooled.tested()?.method);
    };
    columns.extend(test(
        |pair: &PairStanding| pair.pooled.tested(),
        |pair| pair.difference,
    ));
    columns.extend(columns! { pair: PairStanding;
        "effect_size", Real = pair.pooled.tested()?.effect_size;
        "blocks", Integer = pair.blocks;
        "required_blocks", Integer = pair.pooled.tested()?.required;
        "verdict", Text = name(pair.verdict.kind);
        "in_words", Text = &pair.verdict.text;
        "not_testable", Text = pair.pooled.reason();
        "design_effect", Real = pair.design_effect;
        "sequential_first", Text = &rule(pair)?.first;
        "sequential_decision", Text = name(rule(pair)?.decision);
        "sequential_rounds", Integer = rule(pair)?.rounds;
        "sequential_estimate", Real = rule(pair)?.estimate;
        "sequential_low", Real = rule(pair)?.low;
        "sequential_high", Real = rule(pair)?.high;
        "sequential_evidence", Real = rule(pair)?.evidence?.value();
        "sequential_evidence_kind", Text = kind(rule(pair)?.evidence?);
        "sequential_bias", Text = name(rule(pair)?.bias);
        "required_blocks_low", Integer = pair.pooled.tested()?.required_low;
        "required_blocks_high", Integer = pair.pooled.tested()?.required_high;
        "equivalence_p", Real = pair.equivalence?.p;
        "equivalence_p_adjusted", Real = pair.equivalence?.p_adjusted;
        "winnings", Real = pair.winnings?.value;
    });
    let mut rows = RowWriter::new(columns, sink);
    standings.pairs.iter().for_each(|pair| rows.add(pair));
}

/// A pair of bots at a line-up.
struct AtLineUp<'a> {
    line_up: &'a LineUpStanding,
    pair: &'a PairStanding,
    tests: &'a PairAtLineUp,
    /// `true` if both bots have a score in every block, as in all leagues.
    is_complete: bool,
}

impl AtLineUp<'_> {
    /// Returns the mean at this line-up of the bot with the given name.
    fn mean(&self, name: &str) -> Option<f64> {
        self.line_up.bots.iter().find(|bot| bot.name == name)?.mean
    }

    /// Returns the difference of the means at this line-up; `None` if they may be of different
    /// blocks.
    fn difference(&self) -> Option<f64> {
        self.mean(&self.pair.a)
            .zip(self.mean(&self.pair.b))
            .filter(|_| self.is_complete)
            .map(|(a, b)| a - b)
    }
}

/// Writes a row for each pair of bots at each line-up.
pub(super) fn line_ups(standings: &Standings, _: &Samples, sink: &mut dyn TableSink) {
    let mut columns = columns! { row: AtLineUp<'_>;
        "line_up", Integer = row.line_up.line_up;
        "entrants", Text = row.line_up.entrants.join(" ");
        "blocks", Integer = row.line_up.blocks;
        "a", Text = &row.pair.a;
        "b", Text = &row.pair.b;
        "mean_a", Real = row.mean(&row.pair.a);
        "mean_b", Real = row.mean(&row.pair.b);
    };
    columns.extend(test(
        |row: &AtLineUp<'_>| row.tests.by_block.tested(),
        AtLineUp::difference,
    ));
    let by_deal = test(|row: &AtLineUp<'_>| row.tests.by_deal.tested(), |_| None).into_iter();
    columns.extend(by_deal.map(|column| column.prefixed("deals_")));
    columns.extend(columns! { row: AtLineUp<'_>;
        "not_testable", Text = row.tests.by_block.reason();
    });
    let mut rows = RowWriter::new(columns, sink);
    let line_ups = &standings.line_ups;
    for (pair, tests) in standings.pairs_at_line_ups() {
        let found = line_ups.binary_search_by_key(&tests.line_up, |line_up| line_up.line_up);
        if let Ok(index) = found {
            rows.add(&AtLineUp {
                line_up: &line_ups[index],
                pair,
                tests,
                is_complete: standings.about.league.is_some(),
            });
        }
    }
}

/// Writes a row for each fault with a stored description.
pub(super) fn faults(_: &Standings, samples: &Samples, sink: &mut dyn TableSink) {
    type Row<'a> = (&'a str, usize, &'a FaultNote);
    let columns = columns! { row: Row<'_>;
        "bot", Text = row.0;
        "line_up", Integer = row.1;
        "block", Integer = row.2.block;
        "deal", Integer = row.2.deal;
        "decision", Integer = row.2.decision;
        "fault", Text = row.2.kind.name();
        "message", Text = &row.2.message;
    };
    let mut rows = RowWriter::new(columns, sink);
    for (number, line_up) in samples.line_ups.iter().enumerate() {
        for bot in &line_up.bots {
            let name = samples.names[bot.entrant].as_str();
            bot.fault_notes
                .iter()
                .for_each(|fault| rows.add(&(name, number, fault)));
        }
    }
}

/// A bot in a block.
struct InBlock<'a> {
    line_up: usize,
    block: &'a BlockInfo,
    bot: &'a str,
    sample: &'a BotSample,
    /// Index of the block within the line-up.
    index: usize,
}

impl<'a> From<&'a BlockLabel> for CellValue<'a> {
    fn from(label: &'a BlockLabel) -> Self {
        match label {
            BlockLabel::Number(number) => (*number).into(),
            BlockLabel::Text(text) => CellValue::Text(text.as_ref().into()),
        }
    }
}

/// Writes a row for each bot and block.
pub(super) fn samples(_: &Standings, samples: &Samples, sink: &mut dyn TableSink) {
    let columns = columns! { row: InBlock<'_>;
        "line_up", Integer = row.line_up;
        "block", Integer = &row.block.label;
        "deals", Integer = row.block.deals;
        "bot", Text = row.bot;
        "mean", Real = row.sample.means[row.index];
        "forfeited", Boolean = row.sample.forfeited.get(row.index) == Some(&true);
        "cluster", Integer = row.block.cluster;
    };
    let mut rows = RowWriter::new(columns, sink);
    for (number, line_up) in samples.line_ups.iter().enumerate() {
        for (index, block) in line_up.blocks.iter().enumerate() {
            for sample in &line_up.bots {
                rows.add(&InBlock {
                    line_up: number,
                    block,
                    bot: &samples.names[sample.entrant],
                    sample,
                    index,
                });
            }
        }
    }
}

/// A cell of the congeniality table by both tests, and the published symbol.
struct CongenialityRow<'a> {
    by_block: &'a CongenialityCell,
    by_deal: &'a CellResult,
    published: Option<String>,
}

/// Returns the columns of one of the two tests. `select` returns the result of this test.
fn cell<'c, 'a: 'c>(
    select: fn(&CongenialityRow<'a>) -> Option<SymbolCell>,
) -> Vec<TableColumn<'c, CongenialityRow<'a>>> {
    columns! { row: CongenialityRow<'a>;
        "symbol", Text = select(row)?.symbol.ascii();
        "ahead", Integer = select(row)?.ahead;
        "undecided", Integer = select(row)?.undecided;
        "behind", Integer = select(row)?.behind;
        "untestable", Integer = select(row)?.untestable;
        "mixed", Boolean = select(row)?.mixed;
    }
}

/// Writes a row for each ordered pair; none if the standings have no symbols.
pub(super) fn congeniality(standings: &Standings, _: &Samples, sink: &mut dyn TableSink) {
    let mut columns = columns! { row: CongenialityRow<'_>;
        "row", Text = &row.by_block.row;
        "column", Text = &row.by_block.column;
    };
    let by_block = cell(|row| row.by_block.ours.cell).into_iter();
    columns.extend(by_block.map(|column| column.prefixed("blocks_")));
    let by_deal = cell(|row| row.by_deal.cell).into_iter();
    columns.extend(by_deal.map(|column| column.prefixed("deals_")));
    columns.extend(columns! { row: CongenialityRow<'_>;
        "leading", Integer = row.by_block.ours.leading;
        "trailing", Integer = row.by_block.ours.trailing;
        "published", Text = row.published.as_ref();
    });
    let mut rows = RowWriter::new(columns, sink);
    let Some(Congeniality {
        by_block, by_deal, ..
    }) = &standings.congeniality
    else {
        return;
    };
    for (by_block, by_deal) in by_block.iter().zip(by_deal) {
        let CongenialityCell { row, column, .. } = by_block;
        let published = standings
            .published
            .iter()
            .flat_map(|comparison| &comparison.cells)
            .find(|cell| cell.row == *row && cell.column == *column);
        rows.add(&CongenialityRow {
            by_block,
            by_deal: &by_deal.ours,
            published: published.map(|cell| cell.published.to_string()),
        });
    }
}
