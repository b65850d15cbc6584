//! Comparison with a published table.

use super::congeniality::{symbol_grid, symbol_text, tally};
use super::*;
use crate::standings::{
    Agreement, Agreements, CellResult, ComparedCell, PublishedCell, PublishedComparison, Symbol,
};

/// Returns the comparison of both tables, and the cells that differ; `None` if the league names no
/// published table.
pub(super) fn part(standings: &Standings, _: Detail) -> Option<ReportPart> {
    let comparison = standings.published.as_ref()?;
    let mut table = Section::of("Comparison with the published table", matrix(comparison))
        .sentence(format!("{}: {}.", comparison.source, comparison.table))
        .sentence(agreement("By blocks", &comparison.by_block))
        .sentence(agreement("By single deals", &comparison.by_deal));
    table.notes = notes(comparison);
    Some(
        ReportPart::new(
            "published",
            "Published",
            "Comparison with the published table",
        )
        .with([table])
        .with(differing(standings, comparison)),
    )
}

fn agreement(by: &str, agreements: &Agreements) -> String {
    let Agreements {
        cells,
        same,
        same_direction,
        missing,
    } = agreements;
    let compared = cells - missing;
    let missing = if *missing > 0 {
        format!("; {missing} cells of the table are not in this league")
    } else {
        String::new()
    };
    format!(
        "{by}: {same} of {compared} cells have the same symbol, {same_direction} the same direction{missing}."
    )
}

fn notes(comparison: &PublishedComparison) -> Vec<String> {
    let mut notes = vec![
        "Symbols of this league by blocks; if the published symbol differs, both are shown: this \
         league≠published. Same direction: both ahead (◎ ○), both even (△) or both behind (× ××)."
            .to_owned(),
    ];
    if let Some(exception) = &comparison.exception {
        notes.push(format!(
            "Published ※: {}. This counts as the same symbol if this league has a ※ \
             (significantly ahead in some line-ups and behind in others), and as the same \
             direction if the score in this league is ahead in some line-ups and behind in \
             others.",
            exception.trim_end_matches('.')
        ));
    }
    notes
}

fn matrix(comparison: &PublishedComparison) -> Grid {
    symbol_grid(&comparison.rows, &comparison.columns, |row, column| {
        let cell = comparison
            .cells
            .iter()
            .find(|cell| cell.row == row && cell.column == column)?;
        Some(comparison_cell(cell))
    })
}

fn comparison_cell(cell: &PublishedCell) -> Cell {
    let ours = symbol_text(&cell.by_block.ours);
    match cell.by_block.agreement {
        Agreement::Same => ours.into(),
        Agreement::Missing => None::<Cell>.into(),
        _ => Cell::warning(
            format!("{ours}≠{}", glyph(&cell.published)),
            !cell.by_block.same_direction,
        ),
    }
}

/// Returns a published symbol as it was printed.
fn glyph(published: &str) -> &str {
    published.parse().map_or("※", Symbol::glyph)
}

fn differing(standings: &Standings, comparison: &PublishedComparison) -> Option<Section> {
    let differs =
        |cell: &ComparedCell| !matches!(cell.agreement, Agreement::Same | Agreement::Missing);
    let cells: Vec<&PublishedCell> = comparison
        .cells
        .iter()
        .filter(|cell| differs(&cell.by_block) || differs(&cell.by_deal))
        .collect();
    let digits = digits_of(cells.iter().map(|cell| &cell.difference));
    let side = |side: &ComparedCell| {
        let mark = match side.agreement {
            Agreement::Same => " =",
            _ => "",
        };
        let text = format!("{} {}{mark}", symbol_text(&side.ours), tally(&side.ours));
        Cell::warning(text, !side.same_direction)
    };
    let leads = |ours: &CellResult| {
        let line_ups = ours.cell.map_or(0, |cell| cell.line_ups());
        format!("{} of {line_ups}", ours.leading)
    };
    let rows = cells
        .into_iter()
        .map(|cell| (cell, cell.difference.tested()));
    let table = grid! { (cell, difference) in rows;
        "row", Left = &cell.row;
        "column", Left = &cell.column;
        "published", Centre = glyph(&cell.published);
        "by blocks", Left = side(&cell.by_block);
        "by deals", Left = side(&cell.by_deal);
        "row − column", Right = signed(difference?.value, digits);
        &interval_header(standings), Right = interval(difference?.ends(), digits);
        "leads in", Right = leads(&cell.by_block.ours);
    };
    Section::of("Cells that differ", table)
        .note(
            "By blocks, by deals: symbol in this league and numbers of line-ups ahead - not \
             different - behind; = if the test agrees with the published symbol. row − column: \
             pooled over line-ups; leads in: line-ups in which the row scored more.",
        )
        .folded()
        .unless_empty()
}
