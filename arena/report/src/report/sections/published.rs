//! Comparison with a published table.

use super::congeniality::{record, symbol_text};
use super::{Detail, none};
use crate::numbers::{decimals, interval, level, signed};
use crate::report::Report;
use crate::report::part::ReportPart;
use crate::report::table::{Align, Cell, CellColour, Grid, Section};
use crate::standings::{
    Agreement, Agreements, ComparedCell, PublishedCell, PublishedComparison, Symbol, TestResult,
};

/// Returns the comparison of both tables, and the cells that differ; `None` if the league names no
/// published table.
pub(super) fn part(report: &Report<'_>, _: Detail) -> Option<ReportPart> {
    let standings = report.standings;
    let beside = standings.published.as_ref()?;
    let table = Section {
        text: vec![
            format!("{}: {}.", beside.source, beside.table),
            agreement("By blocks", &beside.by_block),
            agreement("By single deals (the paper's test)", &beside.by_deal),
        ],
        table: Some(matrix(beside)),
        notes: notes(beside),
        ..Section::new("Comparison with the published table")
    };
    let part = ReportPart::new(
        "published",
        "Published",
        "Comparison with the published table",
    );
    Some(
        part.with([table])
            .with(differing(beside, standings.settings.confidence)),
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

fn notes(beside: &PublishedComparison) -> Vec<String> {
    let mut notes = vec![
        "Symbols of this league by blocks; if the published symbol differs, both are shown: this \
         league≠published. Same direction: both ahead (◎ ○), both even (△) or both behind (× ××)."
            .to_owned(),
    ];
    if let Some(exception) = &beside.exception {
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

fn matrix(beside: &PublishedComparison) -> Grid {
    let mut columns = vec![("", Align::Left)];
    columns.extend(
        beside
            .columns
            .iter()
            .map(|name| (name.as_str(), Align::Centre)),
    );
    let mut table = Grid::new(&columns);
    for row in &beside.rows {
        let cell = |column: &String| {
            let cell = beside
                .cells
                .iter()
                .find(|cell| cell.row == *row && cell.column == *column);
            cell.map_or_else(|| "".into(), beside_cell)
        };
        table.rows.push(
            std::iter::once(row.as_str().into())
                .chain(beside.columns.iter().map(cell))
                .collect(),
        );
    }
    table
}

fn beside_cell(cell: &PublishedCell) -> Cell {
    let ours = symbol_text(&cell.by_block.ours);
    match cell.by_block.agreement {
        Agreement::Same => return ours.into(),
        Agreement::Missing => return none(),
        _ => {}
    }
    let tone = if cell.by_block.same_direction {
        CellColour::Plain
    } else {
        CellColour::Warning
    };
    Cell::coloured(format!("{ours}≠{}", glyph(&cell.published)), tone)
}

/// Returns a published symbol as it was printed.
fn glyph(published: &str) -> &str {
    published
        .parse()
        .map_or("※", |symbol: Symbol| symbol.glyph())
}

fn differing(beside: &PublishedComparison, confidence: f64) -> Option<Section> {
    let differs =
        |cell: &ComparedCell| !matches!(cell.agreement, Agreement::Same | Agreement::Missing);
    let cells: Vec<&PublishedCell> = beside
        .cells
        .iter()
        .filter(|cell| differs(&cell.by_block) || differs(&cell.by_deal))
        .collect();
    if cells.is_empty() {
        return None;
    }
    let digits = decimals(
        cells
            .iter()
            .filter_map(|cell| cell.difference.tested().map(|estimate| estimate.se)),
    );
    let confidence = format!("{} % CI", level(confidence));
    let mut table = Grid::new(&[
        ("row", Align::Left),
        ("column", Align::Left),
        ("published", Align::Centre),
        ("by blocks", Align::Left),
        ("by deals", Align::Left),
        ("row − column", Align::Right),
        (&confidence, Align::Right),
        ("leads in", Align::Right),
    ]);
    for cell in cells {
        let side = |side: &ComparedCell| {
            let mark = if side.agreement == Agreement::Same {
                " ="
            } else {
                ""
            };
            let tone = if side.same_direction {
                CellColour::Plain
            } else {
                CellColour::Warning
            };
            Cell::coloured(
                format!("{} {}{mark}", symbol_text(&side.ours), record(&side.ours)),
                tone,
            )
        };
        let ours = cell.by_block.ours;
        let mut row: Vec<Cell> = vec![
            cell.row.as_str().into(),
            cell.column.as_str().into(),
            glyph(&cell.published).into(),
        ];
        row.extend([side(&cell.by_block), side(&cell.by_deal)]);
        match &cell.difference {
            TestResult::Tested(estimate) => row.extend([
                signed(estimate.value, digits).into(),
                interval((estimate.low, estimate.high), digits).into(),
            ]),
            TestResult::NotTestable(_) => row.extend([none(), none()]),
        }
        let line_ups = ours.cell.map_or(0, |cell| cell.line_ups());
        row.push(format!("{} of {line_ups}", ours.leading).into());
        table.rows.push(row);
    }
    let notes = vec![
        "By blocks, by deals: symbol in this league and numbers of line-ups ahead - not \
         different - behind; = if the test agrees with the published symbol. row − column: \
         pooled over line-ups; leads in: line-ups in which the row scored more."
            .to_owned(),
    ];
    Some(Section {
        table: Some(table),
        notes,
        folded: true,
        ..Section::new("Cells that differ")
    })
}
