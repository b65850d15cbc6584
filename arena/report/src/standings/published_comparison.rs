//! Compares a published table with our results, cell by cell.
//!
//! Two cells have the same direction if both are ahead (◎ or ○), both even (△) or both behind (× or
//! ××). The published exception `*` means that the outcome depends on the line-up. It matches a
//! cell of ours that is significantly ahead in some line-ups and significantly behind in others. It
//! has the same direction as a cell with a higher score in some line-ups and a lower score in
//! others, significant or not.

use super::estimate::{Estimate, Testable};
use super::published::PublishedTable;
use super::types::{
    Agreements, ComparedCell, Congeniality, CongenialityCell, OurCell, PublishedBeside,
    PublishedCell,
};
use hattari_stats::congeniality::{Agreement, Published, agreement};

/// Compares `published` with `ours`. `difference` returns our pooled difference of an ordered pair
/// of names.
#[must_use]
pub(super) fn compare_with_published(
    published: &PublishedTable,
    ours: Option<&Congeniality>,
    difference: impl Fn(&str, &str) -> Testable<Estimate>,
) -> PublishedBeside {
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
    PublishedBeside {
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

fn find(cells: Option<&[CongenialityCell]>, row: &str, column: &str) -> OurCell {
    let found = cells
        .unwrap_or_default()
        .iter()
        .find(|cell| cell.row == row && cell.column == column);
    found.map(|cell| cell.ours).unwrap_or_default()
}

fn compare(ours: OurCell, published: Published) -> ComparedCell {
    let same_direction = ours.cell.is_some_and(|cell| match published {
        Published::Exception => cell.mixed || (ours.leading > 0 && ours.trailing > 0),
        Published::Symbol(symbol) => cell.symbol.level().signum() == symbol.level().signum(),
    });
    ComparedCell {
        ours,
        agreement: agreement(ours.cell.as_ref(), published),
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

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_stats::congeniality::{Cell, Outcome, Symbol};

    /// Returns one of our cells, made from the significant line-ups and the counts of line-ups with
    /// a higher and a lower score.
    fn our_cell(outcomes: &[Outcome], leading: u32, trailing: u32) -> OurCell {
        OurCell {
            cell: Cell::of(outcomes.iter().copied()),
            leading,
            trailing,
        }
    }

    #[test]
    fn cells_are_counted_by_symbol_and_by_direction() {
        use Outcome::{Ahead, Behind, Undecided};
        let cell = |row: &str, column: &str, ours| CongenialityCell {
            row: row.into(),
            column: column.into(),
            ours,
        };
        let by_block = vec![
            cell("a", "b", our_cell(&[Ahead, Ahead], 2, 0)),
            cell("a", "c", our_cell(&[Ahead, Undecided, Behind], 2, 1)),
            cell("b", "a", our_cell(&[Behind, Behind], 0, 2)),
            cell("b", "c", our_cell(&[Undecided, Undecided], 1, 1)),
        ];
        let ours = Congeniality {
            names: Vec::new(),
            by_block,
            by_deal: Vec::new(),
            error_ratio: None,
        };
        let symbol = |symbol| Some(Published::Symbol(symbol));
        let published = PublishedTable {
            source: "A paper".into(),
            table: "one".into(),
            exception: Some("depends".into()),
            columns: vec!["a".into(), "b".into(), "c".into()],
            rows: vec![
                (
                    "a".into(),
                    vec![
                        None,
                        symbol(Symbol::MostlyAhead),
                        Some(Published::Exception),
                    ],
                ),
                (
                    "b".into(),
                    vec![
                        symbol(Symbol::AlwaysBehind),
                        None,
                        Some(Published::Exception),
                    ],
                ),
                (
                    "c".into(),
                    vec![symbol(Symbol::Even), symbol(Symbol::Even), None],
                ),
            ],
        };
        let beside = compare_with_published(&published, Some(&ours), |row, column| {
            Testable::NotTestable(format!("{row} {column}"))
        });
        let agreements: Vec<_> = beside
            .cells
            .iter()
            .map(|c| (c.by_block.agreement, c.by_block.same_direction))
            .collect();
        use Agreement::{Missing, OneStep, Same};
        assert_eq!(
            agreements,
            [
                (OneStep, true),
                (Same, true),
                (Same, true),
                (OneStep, true),
                (Missing, false),
                (Missing, false)
            ]
        );
        assert_eq!(
            beside.by_block,
            Agreements {
                cells: 6,
                same: 2,
                same_direction: 4,
                missing: 2
            }
        );
        assert_eq!(
            beside.by_deal,
            Agreements {
                cells: 6,
                same: 0,
                same_direction: 0,
                missing: 6
            }
        );
        assert_eq!(beside.cells[1].published, "*");
        assert_eq!(
            beside.cells[1].difference,
            Testable::NotTestable("a c".into())
        );
    }
}
