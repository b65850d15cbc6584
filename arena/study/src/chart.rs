//! Line charts as pictures, for files of their own: figures of analyses.

use std::fmt::Write;

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// Heading.
    pub title: &'a str,
    /// What the horizontal axis counts.
    pub x: &'a str,
    /// What the vertical axis measures.
    pub y: &'a str,
    /// Where the horizontal axis has its numbers.
    pub ticks: Vec<f64>,
    /// Whether equal steps to the right are equal factors; else equal differences, from 0.
    pub logarithmic: bool,
    /// Lowest value of the vertical axis.
    pub bottom: f64,
    /// The lines, those that matter most first.
    pub lines: Vec<Line>,
}

/// A line of a chart.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Number of its colour, of four.
    pub colour: usize,
    /// Whether it is dashed.
    pub dashed: bool,
    /// Its points, from left to right.
    pub points: Vec<Mark>,
    /// Whether the points' intervals are drawn, as a band.
    pub band: bool,
}

/// A point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Where it is.
    pub x: f64,
    /// Its value.
    pub value: f64,
    /// Lower and upper end of its interval.
    pub interval: (f64, f64),
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;

/// Colours that are told apart without seeing red.
const COLOURS: [&str; 4] = ["#0b6e99", "#c4460a", "#555555", "#7a3d9a"];

impl Chart<'_> {
    /// The chart as SVG; text uses fonts that every viewer has.
    #[must_use]
    pub fn svg(&self) -> String {
        self.draw().expect("strings take everything")
    }

    fn draw(&self) -> Result<String, std::fmt::Error> {
        let marks = || self.lines.iter().flat_map(|line| &line.points);
        let along = |x: f64| if self.logarithmic { x.max(f64::MIN_POSITIVE).log10() } else { x };
        let ends = marks().map(|mark| mark.x).chain(self.ticks.iter().copied()).map(along);
        let (first, last) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let (first, span) = if last > first { (first, last - first) } else { (0.0, 1.0) };
        let highest = marks().map(|mark| mark.interval.1.max(mark.value)).fold(self.bottom, f64::max);
        let (top, step) = scale(self.bottom, highest);
        let x = |x: f64| LEFT + (WIDTH - LEFT - RIGHT) * (along(x) - first) / span;
        let height = top - self.bottom;
        let y = |value: f64| {
            let value = value.clamp(self.bottom, top);
            HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - self.bottom) / height
        };

        let mut text = String::new();
        writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             role=\"img\" font-family=\"sans-serif\" font-size=\"13\">"
        )?;
        let title = escaped(self.title);
        writeln!(text, "<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>")?;
        writeln!(text, "<text x=\"{LEFT}\" y=\"20\" font-size=\"15\">{title}</text>")?;
        let decimals = if step < 0.0095 { 3 } else { 2 };
        let mut tick = self.bottom;
        while tick <= top + step / 2.0 {
            let at = y(tick);
            writeln!(text, "<path d=\"M{LEFT} {at:.1}H{:.1}\" stroke=\"#ddd\"/>", WIDTH - RIGHT)?;
            writeln!(
                text,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick:.decimals$}</text>",
                LEFT - 8.0,
                at + 4.0
            )?;
            tick += step;
        }
        for &tick in &self.ticks {
            let (at, foot) = (x(tick), HEIGHT - BOTTOM);
            writeln!(text, "<path d=\"M{at:.1} {foot}v5\" stroke=\"#333\"/>")?;
            writeln!(text, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>", foot + 20.0)?;
        }
        let right = WIDTH - RIGHT;
        writeln!(text, "<path d=\"M{LEFT} {TOP}V{:.1}H{right:.1}\" fill=\"none\" stroke=\"#333\"/>", y(self.bottom))?;
        let middle = f64::midpoint(LEFT, right);
        writeln!(
            text,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - 14.0,
            escaped(self.x)
        )?;
        writeln!(
            text,
            "<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            f64::midpoint(TOP, HEIGHT - BOTTOM),
            escaped(self.y)
        )?;
        for (number, line) in self.lines.iter().enumerate() {
            let colour = COLOURS[line.colour % COLOURS.len()];
            let dash = if line.dashed { " stroke-dasharray=\"5 4\"" } else { "" };
            if line.band {
                let low = line.points.iter().map(|mark| (x(mark.x), y(mark.interval.0)));
                let high = line.points.iter().rev().map(|mark| (x(mark.x), y(mark.interval.1)));
                writeln!(text, "<path d=\"{}Z\" fill=\"{colour}\" fill-opacity=\"0.15\"/>", path(low.chain(high)))?;
            }
            let points = path(line.points.iter().map(|mark| (x(mark.x), y(mark.value))));
            writeln!(text, "<path d=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"{dash}/>")?;
            let (left, top) = (LEFT + 163.0 * number as f64, 38.0);
            writeln!(text, "<path d=\"M{left} {top}h22\" stroke=\"{colour}\" stroke-width=\"1.8\"{dash}/>")?;
            let name = escaped(&line.name);
            writeln!(text, "<text x=\"{}\" y=\"{}\" font-size=\"12\">{name}</text>", left + 27.0, top + 4.0)?;
        }
        text += "</svg>\n";
        Ok(text)
    }
}

fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let steps =
        points.enumerate().map(|(number, (x, y))| format!("{}{x:.1} {y:.1}", if number == 0 { 'M' } else { 'L' }));
    steps.collect()
}

/// The end of an axis that goes from `lowest` and reaches `highest`, and the step of its numbers: 1, 2 or 5 times a power of
/// ten.
fn scale(lowest: f64, highest: f64) -> (f64, f64) {
    let range = highest - lowest;
    let range = if range.is_finite() && range > 0.01 { range } else { 0.01 };
    let power = 10_f64.powf((range / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| step * 7.0 >= range);
    let step = step.unwrap_or(power * 10.0);
    (lowest + (range / step).ceil() * step, step)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
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
            assert!((top - expected.0).abs() < 1e-9 && (step - expected.1).abs() < 1e-9, "{highest}: {top} {step}");
        }
    }

    #[test]
    fn a_picture_has_all_its_lines_and_nothing_that_is_no_number() {
        let mark = |x: f64| Mark { x, value: 0.3, interval: (0.2, 0.35) };
        for xs in [vec![], vec![1.0], vec![2.0, 5.0, 9.0]] {
            for logarithmic in [false, true] {
                let line = |name: &str, colour: usize, dashed: bool| Line {
                    name: name.to_owned(),
                    colour,
                    dashed,
                    points: xs.iter().copied().map(mark).collect(),
                    band: !dashed,
                };
                let lines = vec![line("one", 0, false), line("two", 1, false), line("three", 0, true)];
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
                assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n") && !text.contains("NaN"), "{text}");
                assert!(text.contains("<title>a &lt; b &amp; c</title>"));
                assert_eq!((text.matches("stroke-width").count(), text.matches("fill-opacity").count()), (6, 2));
                // A band, and two lines with their samples.
                assert_eq!(text.matches("#0b6e99").count(), 5);
            }
        }
    }
}
