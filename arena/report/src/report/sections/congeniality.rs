//! The section on congeniality, the results of each bot against each opponent: one table by blocks
//! and one by single deals.

use super::*;
use crate::standings::{CellResult, CongenialityCell, Symbol};

/// Returns the tables by block and by single deal. Omits the second if every block is a single
/// deal, or no pair was tested by deal. Returns `None` if no two bots met.
pub(super) fn part(standings: &Standings, _: Detail) -> Option<ReportPart> {
    let congeniality = standings.congeniality.as_ref()?;
    let alpha = level(1.0 - standings.settings.confidence);
    let several = standings.line_ups.len() > 1;
    let unit = standings.about.unit;
    let counts = if several {
        "; each line-up is tested separately. The three numbers after a symbol are line-ups in \
         which the bot of the row is significantly ahead, not significantly different, and \
         significantly behind"
    } else {
        "; each pair is tested separately"
    };
    let table = matrix(&congeniality.names, &congeniality.by_block, several);
    let by_block = Section::of("Congeniality by blocks", table)
        .note(legend(several))
        .note(format!(
            "Row against column, significance level {alpha} %{counts}."
        ));
    let mut sections = vec![by_block];
    let mut cells = congeniality.by_deal.iter();
    if cells.any(|cell| cell.ours.cell.is_some())
        && standings.progress.blocks_played < standings.progress.deals_played
    {
        let mut reading = format!(
            "The same table with the single-{unit} test: a t-test on the differences of single \
             {unit}s, as in the study of play styles by Satō and Itō. It assumes that {unit}s are \
             independent."
        );
        if let Some(ratio) = congeniality.error_ratio {
            reading += &format!(
                " The standard error from blocks is {} times the standard error from {unit}s \
                 (median over pairs and line-ups). Above 1, the single-{unit} test finds too many \
                 significant differences.",
                fixed(ratio, 2),
            );
        }
        let heading = format!("Congeniality by single {unit}s");
        let table = matrix(&congeniality.names, &congeniality.by_deal, several);
        sections.push(Section::of(heading, table).note(reading).folded());
    }
    Some(
        ReportPart::new(
            "congeniality",
            "Congeniality",
            "Results against each opponent",
        )
        .with(sections),
    )
}

fn legend(several: bool) -> &'static str {
    if several {
        "◎ significantly ahead in every line-up; ○ significantly ahead in at least half of them; \
         ×× and × the same for behind; △ all other cases. ※ after a symbol: significantly ahead \
         in some line-ups and behind in others (Holm over the line-ups)."
    } else {
        "◎ significantly ahead, △ no significant difference, ×× significantly behind."
    }
}

fn matrix(names: &[String], cells: &[CongenialityCell], counts: bool) -> Grid {
    symbol_grid(names, names, |row, column| {
        let cell = cells
            .iter()
            .find(|cell| cell.row == row && cell.column == column)?;
        Some(symbol_cell(&cell.ours, counts))
    })
}

/// Returns a table of `rows` against `columns`; cells without a value are empty.
pub(super) fn symbol_grid(
    rows: &[String],
    columns: &[String],
    cell: impl Fn(&str, &str) -> Option<Cell>,
) -> Grid {
    let mut table = grid! { row in rows;
        "", Left = row;
    };
    for column in columns {
        table = table.join(grid! { row in rows;
            column, Centre = cell(row, column).unwrap_or_default();
        });
    }
    table
}

fn symbol_cell(ours: &CellResult, counts: bool) -> Cell {
    ours.cell
        .map(|cell| {
            let counts = if counts {
                format!(" {}", tally(ours))
            } else {
                String::new()
            };
            Cell::coloured(
                format!("{}{counts}", symbol_text(ours)),
                colour_of(cell.symbol),
            )
        })
        .into()
}

/// Returns the symbol of this league, with ※ if the bot is ahead in some line-ups and behind in
/// others.
pub(super) fn symbol_text(ours: &CellResult) -> String {
    ours.cell.map_or_else(
        || NONE.to_owned(),
        |cell| {
            format!(
                "{}{}",
                cell.symbol.glyph(),
                if cell.mixed { "※" } else { "" }
            )
        },
    )
}

/// Returns the numbers of line-ups in which the bot is ahead, not different and behind, as `3-1-0`.
pub(super) fn tally(ours: &CellResult) -> String {
    ours.cell.map_or_else(
        || NONE.to_owned(),
        |cell| {
            format!(
                "{}-{}-{}",
                cell.ahead,
                cell.undecided + cell.untestable,
                cell.behind
            )
        },
    )
}

/// Returns the colour of a symbol.
fn colour_of(symbol: Symbol) -> CellColour {
    match symbol {
        Symbol::AlwaysAhead | Symbol::MostlyAhead => CellColour::Ahead,
        Symbol::Even => CellColour::Faint,
        Symbol::AlwaysBehind | Symbol::MostlyBehind => CellColour::Behind,
    }
}
