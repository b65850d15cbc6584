//! Estimates with a band of intervals over a numeric axis.

use crate::report::part::{Figure, Panel};
use crate::report::svg::{Axis, Svg, grid};

/// An estimate and its interval at a value of the horizontal axis.
pub(crate) struct CurvePoint {
    pub x: f64,
    pub y: f64,
    /// Ends of the interval.
    pub interval: (f64, f64),
    /// Text of the tooltip.
    pub title: String,
}

const HEIGHT: f64 = 300.0;
/// Width and height of a panel, in CSS pixels.
const PANEL: (f64, f64) = (300.0, 190.0);
/// Space for the labels of the vertical axis.
const LEFT: f64 = 60.0;
const TOP: f64 = 26.0;
/// Space for the labels of the horizontal axis.
const BELOW: f64 = 44.0;

/// Draws the figure with the titles of both axes; `label` describes the figure in a sentence.
pub(crate) fn figure(points: &[CurvePoint], axes: [&str; 2], label: &str) -> Figure {
    let covered = covered(points);
    Figure::both(|width| draw(points, &covered, axes, label, (width, HEIGHT)))
}

/// Draws curves with titles side by side, on the same axes. The horizontal axis also covers the
/// values `more`. `label` returns a sentence that describes the curve with the given title.
pub(crate) fn panels(
    curves: &[(String, Vec<CurvePoint>)],
    more: [f64; 2],
    axes: [&str; 2],
    label: impl Fn(&str) -> String,
) -> Figure {
    let mut all = covered(curves.iter().flat_map(|(_, points)| points));
    all[0].extend(more);
    Figure {
        panels: curves
            .iter()
            .map(|(title, points)| Panel {
                title: title.clone(),
                svg: draw(points, &all, axes, &label(title), PANEL),
            })
            .collect(),
        ..Figure::default()
    }
}

/// Returns the values that the horizontal and the vertical axis must cover.
fn covered<'a>(points: impl IntoIterator<Item = &'a CurvePoint>) -> [Vec<f64>; 2] {
    let mut covered = [Vec::new(), Vec::new()];
    for point in points {
        covered[0].push(point.x);
        covered[1].extend([point.interval.0, point.interval.1]);
    }
    covered
}

fn draw(
    points: &[CurvePoint],
    [x_values, y_values]: &[Vec<f64>; 2],
    [x_title, y_title]: [&str; 2],
    label: &str,
    (width, height): (f64, f64),
) -> String {
    let bottom = height - BELOW;
    let mut svg = Svg::new(width, height);
    let x = Axis::around(x_values.iter().copied(), LEFT, width - 12.0);
    let y = Axis::around(y_values.iter().copied(), bottom, TOP);
    grid(&mut svg, &x, (TOP, bottom), width);
    for (value, text) in y.ticks(5.0) {
        let class = if value == 0.0 { "zero" } else { "grid" };
        svg.line(class, (LEFT, y.at(value)), (width - 12.0, y.at(value)));
        svg.text("tick", (LEFT - 6.0, y.at(value) + 4.0), "end", &text);
    }
    let middle = f64::midpoint(LEFT, width - 12.0);
    svg.text("axis", (middle, height - 8.0), "middle", x_title);
    svg.text("axis", (4.0, 14.0), "start", y_title);
    let at = |point: &CurvePoint, value: f64| (x.at(point.x), y.at(value));
    let upper = points.iter().map(|point| at(point, point.interval.1));
    let lower = points.iter().rev().map(|point| at(point, point.interval.0));
    svg.area("band", upper.chain(lower));
    svg.path("course", points.iter().map(|point| at(point, point.y)));
    for point in points {
        svg.with_tooltip(&point.title, |svg| {
            svg.circle("dot", at(point, point.y), 4.0);
        });
    }
    svg.finish(label)
}
