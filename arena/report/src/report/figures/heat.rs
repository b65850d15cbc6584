//! A matrix of all ordered pairs, coloured by difference and marked by verdict.

use crate::report::part::Figure;
use crate::report::svg::{Svg, name_column_width, truncate};
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
    let (side, height, left_max) = if with_numbers {
        (54.0, 44.0, 110.0)
    } else {
        (24.0, 24.0, 130.0)
    };
    let name_width = |most| name_column_width(names.iter().copied(), most);
    let left = name_width(left_max);
    let slanted = names.len() > 3;
    let slope = name_width(110.0) * 0.72;
    let (top, over) = if slanted {
        (slope + 14.0, slope)
    } else {
        (24.0, 10.0)
    };
    let width = left + side * names.len() as f64 + over;
    let mut svg = Svg::new(width, top + height * names.len() as f64 + 4.0);
    for (column, name) in names.iter().enumerate() {
        let x = left + side * (column as f64 + 0.5);
        if slanted {
            svg.rotated_text("name", (x, top - 6.0), -45.0, &truncate(name, 110.0));
        } else {
            svg.text("name", (x, top - 8.0), "middle", &truncate(name, side));
        }
    }
    let most = squares
        .iter()
        .flatten()
        .flatten()
        .filter_map(|square| square.difference)
        .map(f64::abs)
        .fold(0.0, f64::max);
    for (row, line) in squares.iter().enumerate() {
        let y = top + height * row as f64;
        svg.text(
            "name",
            (left - 8.0, y + height / 2.0 + 4.0),
            "end",
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
    let strength = difference.abs() / most.max(f64::MIN_POSITIVE);
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
    svg.text(weight, (middle, mark_y), "middle", mark(square.kind));
    if with_number {
        let number_y = centre + 13.0;
        svg.text("number", (middle, number_y), "middle", &square.text);
    }
}
