//! A matrix of all ordered pairs, coloured by difference and marked by verdict.

use crate::report::part::Figure;
use crate::report::svg::{Anchor, Svg, name_column_width, truncate};
use crate::standings::VerdictKind;

/// A cell of the matrix: the score of the row's bot minus the score of the column's bot.
#[derive(Clone)]
pub(crate) struct HeatCell {
    /// The difference; `None` if it is not known.
    pub difference: Option<f64>,
    /// The verdict from the point of view of the bot of the row.
    pub kind: VerdictKind,
    /// The difference as text.
    pub text: String,
    /// Text of the tooltip.
    pub title: String,
}

/// Maximum number of bots for which cells contain numbers.
const NUMBERS_MAX: usize = 12;

/// Returns the symbol of a verdict.
pub(crate) fn mark(kind: VerdictKind) -> &'static str {
    ["▲", "▼", "=", "?"][kind as usize]
}

/// Returns the CSS class of a verdict.
pub(crate) fn class(kind: VerdictKind) -> &'static str {
    ["ahead", "behind", "even", "unknown"][kind as usize]
}

/// Draws the matrix. `squares[row][column]` is `None` on the diagonal and for pairs that are not
/// shown.
pub(crate) fn figure(names: &[&str], squares: &[Vec<Option<HeatCell>>], label: &str) -> Figure {
    let with_numbers = names.len() <= NUMBERS_MAX;
    let side = if with_numbers { 54.0 } else { 24.0 };
    let height = if with_numbers { 44.0 } else { 24.0 };
    let left = name_column_width(
        names.iter().copied(),
        if with_numbers { 110.0 } else { 130.0 },
    );
    let slanted = names.len() > 3;
    let longest = name_column_width(names.iter().copied(), 110.0);
    let top = if slanted { longest * 0.72 + 14.0 } else { 24.0 };
    let over = if slanted { longest * 0.72 } else { 10.0 };
    let width = left + side * names.len() as f64 + over;
    let mut svg = Svg::new(width, top + height * names.len() as f64 + 4.0);
    for (column, name) in names.iter().enumerate() {
        let x = left + side * (column as f64 + 0.5);
        if slanted {
            svg.rotated_text("name", (x, top - 6.0), -45.0, &truncate(name, 110.0));
        } else {
            svg.text(
                "name",
                (x, top - 8.0),
                Anchor::Middle,
                &truncate(name, side),
            );
        }
    }
    let known = squares
        .iter()
        .flatten()
        .flatten()
        .filter_map(|square| square.difference);
    let most = known.map(f64::abs).fold(0.0, f64::max);
    for (row, line) in squares.iter().enumerate() {
        let y = top + height * row as f64;
        svg.text(
            "name",
            (left - 8.0, y + height / 2.0 + 4.0),
            Anchor::End,
            &truncate(names[row], left - 10.0),
        );
        for (column, square) in line.iter().enumerate() {
            let x = left + side * column as f64;
            let Some(square) = square else {
                svg.rect("none", (x + 1.0, y + 1.0), (side - 2.0, height - 2.0), 1.0);
                continue;
            };
            svg.with_tooltip(&square.title, |svg| {
                draw(svg, square, most, with_numbers, (x, y), (side, height))
            });
        }
    }
    Figure {
        wide: svg.finish(label),
        ..Figure::default()
    }
}

fn draw(
    svg: &mut Svg,
    square: &HeatCell,
    most: f64,
    with_number: bool,
    (x, y): (f64, f64),
    (side, height): (f64, f64),
) {
    let difference = square.difference.unwrap_or(0.0);
    let strength = if most > 0.0 {
        difference.abs() / most
    } else {
        0.0
    };
    // Opacity is at most 0.5, so that the text on top stays readable.
    let colour = if difference < 0.0 { "cold" } else { "warm" };
    let (corner, size) = ((x + 1.0, y + 1.0), (side - 2.0, height - 2.0));
    svg.rect("cell", corner, size, 1.0);
    if square.difference.is_some() {
        svg.rect(colour, corner, size, 0.08 + 0.42 * strength.sqrt());
    }
    let middle = x + side / 2.0;
    let weight = if matches!(square.kind, VerdictKind::Ahead | VerdictKind::Behind) {
        "mark strong"
    } else {
        "mark"
    };
    let centre = y + height / 2.0;
    let mark_y = centre + if with_number { -3.0 } else { 4.0 };
    svg.text(weight, (middle, mark_y), Anchor::Middle, mark(square.kind));
    if with_number {
        let number_y = centre + 13.0;
        svg.text("number", (middle, number_y), Anchor::Middle, &square.text);
    }
}
