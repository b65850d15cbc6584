//! Compares a published table with our results, cell by cell.
//!
//! Two cells have the same direction if both are ahead (◎ or ○), both even (△) or both behind (× or
//! ××). The published exception `*` means that the outcome depends on the line-up. It matches a
//! cell of ours that is significantly ahead in some line-ups and significantly behind in others. It
//! has the same direction as a cell with a higher score in some line-ups and a lower score in
//! others, significant or not.

use super::{
    CellResult, Congeniality, CongenialityCell, Estimate, Published, PublishedTable, TestResult,
};
use serde::Serialize;

/// A published table compared with our results.
#[derive(Debug, Serialize)]
pub struct PublishedComparison {
    /// Source of the table.
    pub source: String,
    /// Name of the table.
    pub table: String,
    /// The source's explanation of the symbol `*` (an exception), if it gives one.
    pub exception: Option<String>,
    /// Names of the rows.
    pub rows: Vec<String>,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The cells, row by row, without the diagonal.
    pub cells: Vec<PublishedCell>,
    /// Agreement with our test on blocks.
    pub by_block: Agreements,
    /// Agreement with our results by the single-deal test.
    pub by_deal: Agreements,
}

/// Counts of agreement between a published table and our results.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Agreements {
    /// Number of published cells.
    pub cells: u32,
    /// Number of cells with the same symbol.
    pub same: u32,
    /// Number of cells with the same direction (ahead, even, behind), including cells with the same
    /// symbol.
    pub same_direction: u32,
    /// Number of cells whose pair this league did not play or could not test.
    pub missing: u32,
}

/// A published cell and our result for it.
#[derive(Debug, Serialize)]
pub struct PublishedCell {
    /// Name of the bot that is rated.
    pub row: String,
    /// Name of the opponent.
    pub column: String,
    /// The published symbol: `++`, `+`, `0`, `-`, `--` or `*`.
    pub published: String,
    /// Our result by the test on blocks.
    pub by_block: ComparedCell,
    /// Our result by the single-deal test.
    pub by_deal: ComparedCell,
    /// Our pooled difference, row minus column.
    pub difference: TestResult<Estimate>,
}

/// Our result for a published cell.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ComparedCell {
    /// Our symbol and the counts it is based on.
    #[serde(flatten)]
    pub ours: CellResult,
    /// Agreement of the symbols.
    pub agreement: Agreement,
    /// `true` if the directions agree.
    pub same_direction: bool,
}

/// The agreement between our cell and a published symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// The symbols are equal. A published exception is equal to a mixed cell.
    Same,
    /// The symbols are one step apart (◎ and ○, △ and ×, …). A published exception is one step
    /// apart from ○, △ and × that are not mixed.
    OneStep,
    /// The cells differ by more than one step.
    Differs,
    /// This league did not play the pair or could not test it.
    Missing,
}

/// Compares `published` with `ours`. `difference` returns our pooled difference of an ordered pair
/// of names.
pub(super) fn compare_with_published(
    published: &PublishedTable,
    ours: Option<&Congeniality>,
    difference: impl Fn(&str, &str) -> TestResult<Estimate>,
) -> PublishedComparison {
    let mut cells = Vec::new();
    let (mut by_block, mut by_deal) = (Agreements::default(), Agreements::default());
    for (row, symbols) in &published.rows {
        for (column, symbol) in published.columns.iter().zip(symbols) {
            let Some(symbol) = *symbol else { continue };
            let compared =
                |cells: Option<&[CongenialityCell]>| compare(find(cells, row, column), symbol);
            let cell = PublishedCell {
                row: row.clone(),
                column: column.clone(),
                published: text(symbol).to_owned(),
                by_block: compared(ours.map(|ours| ours.by_block.as_slice())),
                by_deal: compared(ours.map(|ours| ours.by_deal.as_slice())),
                difference: difference(row, column),
            };
            by_block.count(&cell.by_block);
            by_deal.count(&cell.by_deal);
            cells.push(cell);
        }
    }
    let has_exception = cells
        .iter()
        .any(|cell| cell.published == text(Published::Exception));
    PublishedComparison {
        source: published.source.clone(),
        table: published.table.clone(),
        exception: published.exception.clone().filter(|_| has_exception),
        rows: published.rows.iter().map(|(row, _)| row.clone()).collect(),
        columns: published.columns.clone(),
        cells,
        by_block,
        by_deal,
    }
}

impl Agreements {
    fn count(&mut self, cell: &ComparedCell) {
        self.cells += 1;
        self.same += u32::from(cell.agreement == Agreement::Same);
        self.same_direction += u32::from(cell.same_direction);
        self.missing += u32::from(cell.agreement == Agreement::Missing);
    }
}

fn find(cells: Option<&[CongenialityCell]>, row: &str, column: &str) -> CellResult {
    let cell = cells
        .unwrap_or_default()
        .iter()
        .find(|cell| cell.row == row && cell.column == column);
    cell.map(|cell| cell.ours).unwrap_or_default()
}

pub(super) fn compare(ours: CellResult, published: Published) -> ComparedCell {
    let (agreement, same_direction) = match (ours.cell, published) {
        (None, _) => (Agreement::Missing, false),
        (Some(cell), Published::Exception) => {
            let agreement = match cell.symbol.level().abs() {
                _ if cell.mixed => Agreement::Same,
                0 | 1 => Agreement::OneStep,
                _ => Agreement::Differs,
            };
            let is_two_sided = ours.leading > 0 && ours.trailing > 0;
            (agreement, cell.mixed || is_two_sided)
        }
        (Some(cell), Published::Symbol(theirs)) => {
            let (ours, theirs) = (cell.symbol.level(), theirs.level());
            let agreement = match ours.abs_diff(theirs) {
                0 => Agreement::Same,
                1 => Agreement::OneStep,
                _ => Agreement::Differs,
            };
            (agreement, ours.signum() == theirs.signum())
        }
    };
    ComparedCell {
        ours,
        agreement,
        same_direction,
    }
}

/// Returns a published symbol in ASCII.
fn text(symbol: Published) -> &'static str {
    match symbol {
        Published::Exception => "*",
        Published::Symbol(symbol) => symbol.ascii(),
    }
}
