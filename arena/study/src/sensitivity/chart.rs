//! Line charts as SVG files.

use crate::host::AtPath;
use hattari_agents::files;
use hattari_report::report::svg::{Axis, Svg};
use std::path::Path;

/// A line chart with confidence intervals.
pub(crate) struct Chart<'a> {
    /// Title above the chart.
    pub title: &'a str,
    /// Label of the horizontal axis.
    pub x: &'a str,
    /// Label of the vertical axis.
    pub y: &'a str,
    /// Values with a label on the horizontal axis.
    pub ticks: Vec<f64>,
    /// `true` for a logarithmic horizontal axis, `false` for a linear one.
    pub logarithmic: bool,
    /// Smallest value of the vertical axis.
    pub bottom: f64,
    /// The lines, most important first.
    pub lines: Vec<ChartLine>,
}

/// A line of a chart.
pub(crate) struct ChartLine {
    /// Name of the line.
    pub name: String,
    /// Index of the colour, 0 to 3.
    pub colour: usize,
    /// `true` for a dashed line. The intervals of the other lines are drawn as bands.
    pub dashed: bool,
    /// Points of the line, from left to right.
    pub points: Vec<ChartPoint>,
}

/// A point of a line.
pub(crate) struct ChartPoint {
    /// Horizontal position.
    pub x: f64,
    /// Value on the vertical axis.
    pub value: f64,
    /// Lower and upper end of the confidence interval.
    pub interval: (f64, f64),
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;

/// Colours that people with red-green colour blindness can distinguish.
const COLOURS: [&str; 4] = ["#0b6e99", "#c4460a", "#555555", "#7a3d9a"];

/// CSS rules for everything except colours. Only generic fonts are used, because every viewer has
/// them.
const STYLE: &str = "text{font:13px sans-serif}.title{font-size:15px}.name{font-size:12px}.side{text-anchor:middle}\
    .grid{stroke:#ddd}.axis{stroke:#333}.line{fill:none;stroke-width:1.8}.dashed{stroke-dasharray:5 4}\
    .band{fill-opacity:0.15;stroke:none}";

impl Chart<'_> {
    /// Writes the chart as an SVG file.
    pub(crate) fn save(&self, path: &Path) -> anyhow::Result<()> {
        files::write(path, self.svg()).at(path)
    }

    /// Returns the chart as the text of an SVG file.
    fn svg(&self) -> String {
        let marks = || self.lines.iter().flat_map(|line| &line.points);
        let along = |x: f64| {
            if self.logarithmic {
                x.max(f64::MIN_POSITIVE).log10()
            } else {
                x
            }
        };
        let ends = marks()
            .map(|mark| mark.x)
            .chain(self.ticks.iter().copied())
            .map(along);
        let (first, last) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        let highest = marks()
            .map(|mark| mark.interval.1.max(mark.value))
            .fold(self.bottom, f64::max);
        let (top, step) = scale(self.bottom, highest);
        let (foot, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let across = if last > first {
            Axis::between(first, last, LEFT, right)
        } else {
            Axis::between(0.0, 1.0, LEFT, right)
        };
        let up = Axis::between(self.bottom, top, foot, TOP);
        let place = |x: f64, value: f64| (across.at(along(x)), up.at(value));

        let mut svg = Svg::new(WIDTH, HEIGHT);
        svg.text("title", (LEFT, 20.0), "start", self.title);
        let decimals = if step < 0.0095 { 3 } else { 2 };
        let mut tick = self.bottom;
        while tick <= top + step / 2.0 {
            let y = up.at(tick);
            svg.line("grid", (LEFT, y), (right, y));
            svg.text(
                "tick",
                (LEFT - 8.0, y + 4.0),
                "end",
                &format!("{tick:.decimals$}"),
            );
            tick += step;
        }
        for &tick in &self.ticks {
            let x = across.at(along(tick));
            svg.line("axis", (x, foot), (x, foot + 5.0));
            svg.text("tick", (x, foot + 20.0), "middle", &tick.to_string());
        }
        svg.line("axis", (LEFT, TOP), (LEFT, foot));
        svg.line("axis", (LEFT, foot), (right, foot));
        svg.text(
            "tick",
            (f64::midpoint(LEFT, right), HEIGHT - 14.0),
            "middle",
            self.x,
        );
        svg.rotated_text("side", (16.0, f64::midpoint(TOP, foot)), -90.0, self.y);
        for (number, line) in self.lines.iter().enumerate() {
            let colour = line.colour % COLOURS.len();
            if !line.dashed {
                let low = line
                    .points
                    .iter()
                    .map(|mark| place(mark.x, mark.interval.0));
                let high = line
                    .points
                    .iter()
                    .rev()
                    .map(|mark| place(mark.x, mark.interval.1));
                svg.area(&format!("band of-{colour}"), low.chain(high));
            }
            let class = format!(
                "line{} in-{colour}",
                if line.dashed { " dashed" } else { "" }
            );
            let points = line.points.iter();
            svg.path(&class, points.map(|mark| place(mark.x, mark.value)));
            let (left, top) = (LEFT + 163.0 * number as f64, 38.0);
            svg.line(&class, (left, top), (left + 22.0, top));
            svg.text("name", (left + 27.0, top + 4.0), "start", &line.name);
        }
        let colours = COLOURS
            .iter()
            .enumerate()
            .map(|(n, colour)| format!(".in-{n}{{stroke:{colour}}}.of-{n}{{fill:{colour}}}"));
        svg.file(
            self.title,
            &(STYLE.to_owned() + &colours.collect::<String>()),
        )
    }
}

/// Returns the upper end of an axis that covers `lowest` to `highest`, and the interval between its
/// tick labels: 1, 2 or 5 times a power of ten.
fn scale(lowest: f64, highest: f64) -> (f64, f64) {
    let range = highest - lowest;
    let range = if range.is_finite() && range > 0.01 {
        range
    } else {
        0.01
    };
    let power = 10_f64.powf((range / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|step| step * 7.0 >= range)
        .unwrap_or(power * 10.0);
    (lowest + (range / step).ceil() * step, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        let cases = [
            (0.0, 0.31, (0.35, 0.05)),
            (0.0, 1.0, (1.0, 0.2)),
            (0.0, 0.0, (0.01, 0.002)),
            (0.0, 7.2, (8.0, 2.0)),
            (0.4, 0.53, (0.54, 0.02)),
        ];
        for (lowest, highest, expected) in cases {
            let (top, step) = scale(lowest, highest);
            assert!(
                (top - expected.0).abs() < 1e-9 && (step - expected.1).abs() < 1e-9,
                "{highest}: {top} {step}"
            );
        }
    }

    #[test]
    fn a_chart_contains_all_its_lines_and_no_nan() {
        for xs in [vec![], vec![1.0], vec![2.0, 5.0, 9.0]] {
            for logarithmic in [false, true] {
                let line = |name: &str, colour: usize, dashed: bool| ChartLine {
                    name: name.to_owned(),
                    colour,
                    dashed,
                    points: xs
                        .iter()
                        .copied()
                        .map(|x| ChartPoint {
                            x,
                            value: 0.3,
                            interval: (0.2, 0.35),
                        })
                        .collect(),
                };
                let lines = vec![
                    line("one", 0, false),
                    line("two", 1, false),
                    line("three", 0, true),
                ];
                let chart = Chart {
                    title: "a < b & c",
                    x: "cards",
                    y: "v",
                    ticks: xs.clone(),
                    logarithmic,
                    bottom: 0.0,
                    lines,
                };
                let text = chart.svg();
                assert!(
                    text.starts_with("<svg ")
                        && text.ends_with("</svg>\n")
                        && !text.contains("NaN"),
                    "{text}"
                );
                assert!(text.contains("<title>a &lt; b &amp; c</title>"));
                // Lines with their legend entries, and bands.
                let count = |class: &str| text.matches(&format!("class=\"{class}\"")).count();
                let counts = [
                    "line in-0",
                    "line in-1",
                    "line dashed in-0",
                    "band of-0",
                    "band of-1",
                    "grid",
                ]
                .map(count);
                assert_eq!(counts[..5], [2, 2, 2, 1, 1]);
                assert!(
                    counts[5] > 1 && text.contains(".in-1{stroke:#c4460a}"),
                    "{text}"
                );
            }
        }
    }
}
