//! Estimates with intervals, one per line, for standings and ratings.

use crate::report::part::Figure;
use crate::report::svg::{Axis, Svg, grid, name_column_width};

/// One line of the figure.
pub(crate) struct IntervalRow<'a> {
    pub name: &'a str,
    pub value: f64,
    /// Ends of the interval; `None` if there is none.
    pub interval: Option<(f64, f64)>,
    /// The value as text.
    pub text: String,
    /// Text of the tooltip.
    pub title: String,
    /// `true` if a dashed line separates the row from the one above.
    pub starts_group: bool,
}

const ROW: f64 = 26.0;

/// Draws the figure; `axis` is the axis title, `label` describes the figure in a sentence.
pub(crate) fn figure(rows: &[IntervalRow<'_>], axis: &str, label: &str) -> Figure {
    Figure::both(|width| draw(rows, axis, label, width))
}

fn draw(rows: &[IntervalRow<'_>], axis_name: &str, label: &str, width: f64) -> String {
    let left = name_column_width(rows.iter().map(|row| row.name), width * 0.3);
    let right = name_column_width(rows.iter().map(|row| row.text.as_str()), 90.0);
    let bottom = 8.0 + ROW * rows.len() as f64;
    let mut svg = Svg::new(width, bottom + 40.0);
    let values = rows.iter().flat_map(|row| {
        row.interval
            .map_or([row.value; 2], |(low, high)| [low, high])
    });
    let axis = Axis::around(values, left + 6.0, width - right - 6.0);
    grid(&mut svg, &axis, (4.0, bottom), width);
    svg.text(
        "axis",
        (f64::midpoint(left, width - right), bottom + 34.0),
        "middle",
        axis_name,
    );
    for (number, row) in rows.iter().enumerate() {
        let y = 8.0 + ROW * (number as f64 + 0.5);
        if row.starts_group && number > 0 {
            let top = y - ROW / 2.0;
            svg.line("tier", (6.0, top), (width - 2.0, top));
        }
        svg.with_tooltip(&row.title, |svg| {
            svg.row_name(left, y + 4.0, row.name);
            if let Some((low, high)) = row.interval {
                let (low, high) = (axis.at(low), axis.at(high));
                svg.rect("bar", (low, y - 4.0), (high - low, 8.0), 1.0);
                svg.line("end", (low, y - 6.0), (low, y + 6.0));
                svg.line("end", (high, y - 6.0), (high, y + 6.0));
            }
            svg.circle("dot", (axis.at(row.value), y), 4.0);
            svg.text("value", (width - 2.0, y + 4.0), "end", &row.text);
        });
    }
    svg.finish(label)
}
