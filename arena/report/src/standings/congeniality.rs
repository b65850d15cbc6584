//! The table of congeniality: symbols of all pairs from their results at single line-ups.

use super::SymbolCell;
use serde::Serialize;

/// Congeniality symbols of all ordered pairs, by two tests. A symbol says in how many line-ups one
/// bot is ahead of the other.
#[derive(Debug, PartialEq, Serialize)]
pub struct Congeniality {
    /// Names of the bots, in the order of the league.
    pub names: Vec<String>,
    /// Symbols by the test on blocks.
    pub by_block: Vec<CongenialityCell>,
    /// Symbols by the single-deal test.
    pub by_deal: Vec<CongenialityCell>,
    /// Standard error by blocks, divided by the standard error by deals: the median over all pairs
    /// at all line-ups; of two middle values, the larger one. If it is above 1, the single-deal
    /// test is overconfident.
    pub error_ratio: Option<f64>,
}

/// The symbol of one ordered pair.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CongenialityCell {
    /// Name of the bot that is rated.
    pub row: String,
    /// Name of the opponent.
    pub column: String,
    /// The symbol and the counts it is based on.
    #[serde(flatten)]
    pub ours: CellResult,
}

/// Our symbol for an ordered pair and the counts it is based on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CellResult {
    /// The symbol and its line-up counts; `None` if no line-up could be tested.
    pub cell: Option<SymbolCell>,
    /// Number of line-ups in which the bot of the row has the higher score, significant or not.
    pub leading: u32,
    /// Number of line-ups in which the bot of the row has the lower score, significant or not.
    pub trailing: u32,
}

impl Congeniality {
    /// Returns the table with only the pairs of which both bots satisfy `is_kept`.
    pub(super) fn among(mut self, is_kept: impl Fn(&str) -> bool) -> Congeniality {
        self.names.retain(|name| is_kept(name));
        for cells in [&mut self.by_block, &mut self.by_deal] {
            cells.retain(|cell| is_kept(&cell.row) && is_kept(&cell.column));
        }
        self
    }
}

/// The difference of two bots at one line-up.
#[derive(Clone, Copy)]
pub(super) struct LineUpDifference {
    /// Indices of the bot that is rated and of its opponent.
    pub bots: [usize; 2],
    /// Mean difference of the block means, first bot minus second; `None` if there is none.
    pub difference: Option<f64>,
    /// Difference and p of the test on blocks; `None` if it could not be tested.
    pub by_block: Option<(f64, f64)>,
    /// Difference and p of the single-deal test; `None` if it could not be tested.
    pub by_deal: Option<(f64, f64)>,
}

impl LineUpDifference {
    /// Returns the difference from the point of view of the other bot.
    fn mirrored(self) -> LineUpDifference {
        let [a, b] = self.bots;
        let mirrored = |(difference, p): (f64, f64)| (-difference, p);
        LineUpDifference {
            bots: [b, a],
            difference: self.difference.map(|difference| -difference),
            by_block: self.by_block.map(mirrored),
            by_deal: self.by_deal.map(mirrored),
        }
    }
}

/// The tests of pairs at all line-ups, from which symbols are determined.
#[derive(Default)]
pub(super) struct CongenialityTests {
    /// Every difference from the point of view of both bots.
    differences: Vec<LineUpDifference>,
    /// Standard errors by blocks divided by those by deals, for every pair with both tests.
    error_ratios: Vec<f64>,
}

impl CongenialityTests {
    /// Adds the tests of a pair at a line-up. `error_ratio` is the standard error by blocks divided
    /// by the one by deals, if both tests exist.
    pub(super) fn add(&mut self, difference: LineUpDifference, error_ratio: Option<f64>) {
        self.differences.extend([difference, difference.mirrored()]);
        self.error_ratios.extend(error_ratio);
    }

    /// Returns the symbols of all pairs that met, from the unadjusted p of each line-up as in the
    /// paper of Satō and Itō; `None` if no pair met.
    pub(super) fn congeniality(self, names: &[String], alpha: f64) -> Option<Congeniality> {
        let CongenialityTests {
            mut differences,
            mut error_ratios,
        } = self;
        differences.sort_by_key(|difference| difference.bots);
        let mut by_block = Vec::new();
        let mut by_deal = Vec::new();
        for line_ups in differences.chunk_by(|x, y| x.bots == y.bots) {
            by_block.push(cell(names, line_ups, |tests| tests.by_block, alpha));
            by_deal.push(cell(names, line_ups, |tests| tests.by_deal, alpha));
        }
        error_ratios.sort_by(f64::total_cmp);
        (!by_block.is_empty()).then(|| Congeniality {
            names: names.to_vec(),
            by_block,
            by_deal,
            error_ratio: error_ratios.get(error_ratios.len() / 2).copied(),
        })
    }
}

/// Returns the cell of an ordered pair. `test` returns the difference at a line-up and its p.
fn cell(
    names: &[String],
    line_ups: &[LineUpDifference],
    test: fn(&LineUpDifference) -> Option<(f64, f64)>,
    alpha: f64,
) -> CongenialityCell {
    let tests: Vec<_> = line_ups.iter().map(test).collect();
    let count = |is_counted: fn(&f64) -> bool| {
        let differences = line_ups.iter().filter_map(|tests| tests.difference);
        u32::try_from(differences.filter(is_counted).count()).unwrap_or(u32::MAX)
    };
    let [row, column] = line_ups[0].bots.map(|bot| names[bot].clone());
    let ours = CellResult {
        cell: SymbolCell::of(&tests, alpha),
        leading: count(|difference| *difference > 0.0),
        trailing: count(|difference| *difference < 0.0),
    };
    CongenialityCell { row, column, ours }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_gets_a_cell_in_each_order_and_the_larger_middle_error_ratio() {
        let names = ["x", "y"].map(str::to_owned);
        let mut tests = CongenialityTests::default();
        for (difference, error_ratio) in [(0.5, Some(1.0)), (-0.25, Some(2.0)), (0.5, None)] {
            let line_up = LineUpDifference {
                bots: [0, 1],
                difference: Some(difference),
                by_block: Some((difference, 0.001)),
                by_deal: None,
            };
            tests.add(line_up, error_ratio);
        }
        let table = tests.congeniality(&names, 0.05).expect("they met");
        assert_eq!(table.error_ratio, Some(2.0));
        let cells: Vec<_> = (table.by_block.iter())
            .map(|cell| (cell.row.as_str(), cell.ours.leading, cell.ours.trailing))
            .collect();
        assert_eq!(cells, [("x", 2, 1), ("y", 1, 2)]);
        let first = table.by_block[0].ours.cell.expect("it is tested");
        assert_eq!((first.ahead, first.behind), (2, 1));
        assert_eq!(table.by_deal[0].ours.cell, None);
        let none = CongenialityTests::default();
        assert_eq!(none.congeniality(&names, 0.05), None);
    }
}
