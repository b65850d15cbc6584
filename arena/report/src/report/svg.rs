//! A small SVG writer, with axes and truncated names. Colours are CSS classes. A page defines them,
//! so that drawings follow its theme; a separate SVG file contains a style sheet.

use hattari_agents::text::is_hidden;
use std::fmt::Write;

/// Approximate width of a character, in CSS pixels.
const CHARACTER: f64 = 6.9;

/// A drawing under construction. Units are CSS pixels at full size.
#[derive(Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    /// Creates an empty drawing.
    pub fn new(width: f64, height: f64) -> Svg {
        Svg {
            width,
            height,
            body: String::new(),
        }
    }

    /// Draws a line between two points.
    pub fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(round);
        self.put(format_args!(
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        ));
    }

    /// Draws a circle around a point.
    pub(crate) fn circle(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        let [x, y, radius] = [x, y, radius].map(round);
        self.put(format_args!(
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"
        ));
    }

    /// Draws a rectangle; `opacity` applies to its fill.
    pub(crate) fn rect(
        &mut self,
        class: &str,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        opacity: f64,
    ) {
        let [x, y, width, height, opacity] =
            [x, y, width.max(0.0), height.max(0.0), opacity].map(round);
        let opacity = if opacity < 1.0 {
            format!(" fill-opacity=\"{opacity}\"")
        } else {
            String::new()
        };
        self.put(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{opacity}/>"
        ));
    }

    /// Draws a line through points.
    pub fn path(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        self.draw_path(class, points, "");
    }

    /// Draws the area inside of a line through points.
    pub fn area(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        self.draw_path(class, points, "Z");
    }

    /// Draws a line through points. `end` is a last command of the path.
    fn draw_path(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>, end: &str) {
        let mut d = String::new();
        for (number, (x, y)) in points.into_iter().enumerate() {
            let mark = if number == 0 { 'M' } else { 'L' };
            _ = write!(d, "{mark}{} {}", round(x), round(y));
        }
        self.put(format_args!("<path class=\"{class}\" d=\"{d}{end}\"/>"));
    }

    /// Writes a text whose `start`, `middle` or `end` is at a point, as `anchor` says.
    pub fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: &str, text: &str) {
        let [x, y] = [x, y].map(round);
        let text = escape(text);
        self.put(format_args!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    /// Writes the name of a row to the left of `x`, shortened to the space there.
    pub(crate) fn row_name(&mut self, x: f64, y: f64, name: &str) {
        let name = truncate(name, x - 10.0);
        self.text("name", (x - 6.0, y), "end", &name);
    }

    /// Writes a text that starts at a point and is rotated around it, in degrees clockwise.
    pub fn rotated_text(&mut self, class: &str, (x, y): (f64, f64), degrees: f64, text: &str) {
        let ([x, y, degrees], text) = ([x, y, degrees].map(round), escape(text));
        self.put(format_args!(
            "<text class=\"{class}\" transform=\"translate({x} {y}) rotate({degrees})\">{text}</text>"
        ));
    }

    /// Draws a group with a tooltip.
    pub(crate) fn with_tooltip(&mut self, title: &str, draw: impl FnOnce(&mut Svg)) {
        self.put(format_args!("<g><title>{}</title>", escape(title)));
        draw(self);
        self.body += "</g>";
    }

    /// Returns the drawing for a page; `label` describes it in a sentence.
    #[must_use]
    pub(crate) fn finish(self, label: &str) -> String {
        format!(
            "<svg {} aria-label=\"{}\">{}</svg>",
            self.frame(),
            escape(label),
            self.body
        )
    }

    /// Returns the drawing as a separate file with a white background and a style sheet.
    #[must_use]
    pub fn file(self, title: &str, style: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {}>\n<title>{}</title>\n<style>{style}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}\n</svg>\n",
            self.frame(),
            escape(title),
            self.body
                .replace("/><", "/>\n<")
                .replace("</text><", "</text>\n<")
        )
    }

    fn frame(&self) -> String {
        let [width, height] = [self.width, self.height].map(round);
        format!(
            "viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\""
        )
    }

    fn put(&mut self, markup: std::fmt::Arguments<'_>) {
        self.body
            .write_fmt(markup)
            .expect("writing to a string cannot fail");
    }
}

/// Rounds to two decimals, more than any screen needs.
fn round(x: f64) -> f64 {
    let rounded = (x * 100.0).round() / 100.0;
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// Escapes a text for element content and attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // XML does not allow control characters.
            c if is_hidden(c) => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns the approximate width of a text.
pub(crate) fn width_of(text: &str) -> f64 {
    text.chars()
        .map(|c| if c >= '\u{1100}' { 2.0 } else { 1.0 })
        .sum::<f64>()
        * CHARACTER
}

/// Truncates a text to the width `room` and marks the omission with an ellipsis.
pub(crate) fn truncate(text: &str, room: f64) -> String {
    if width_of(text) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for character in text.chars() {
        kept.push(character);
        if room < width_of(&kept) + CHARACTER {
            kept.pop();
            break;
        }
    }
    kept + "…"
}

/// Returns the width of a column of names: the width of the longest name, at least 30 and at most
/// `most`, plus a margin.
pub(crate) fn name_column_width<'a>(names: impl IntoIterator<Item = &'a str>, most: f64) -> f64 {
    names
        .into_iter()
        .map(width_of)
        .fold(30.0, f64::max)
        .min(most)
        + 12.0
}

/// Returns the smallest and the largest value; `None` if there are no values.
pub(crate) fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values
        .map(|value| (value, value))
        .reduce(|(low, high), (value, _)| (low.min(value), high.max(value)))
}

/// A linear axis that maps values to coordinates.
#[derive(Debug)]
pub struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// Creates an axis from coordinate `from` to `to` that covers `values` with a margin at both
    /// ends.
    pub(crate) fn around(values: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Axis {
        let finite = values.into_iter().filter(|x| x.is_finite());
        let (low, high) = extent(finite).unwrap_or((0.0, 1.0));
        let room = if low < high {
            0.04 * (high - low)
        } else {
            low.abs().max(1.0) * 0.1
        };
        Axis {
            low: low - room,
            high: high + room,
            from,
            to,
        }
    }

    /// Creates an axis that maps `low` to coordinate `from` and `high` to `to`.
    pub fn between(low: f64, high: f64, from: f64, to: f64) -> Axis {
        Axis {
            low,
            high: if low < high { high } else { low + 1.0 },
            from,
            to,
        }
    }

    /// Returns the coordinate of a value. Values outside the axis are moved to the nearer end.
    pub fn at(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    /// Returns about `count` round values on the axis with their labels.
    pub(crate) fn ticks(&self, count: f64) -> Vec<(f64, String)> {
        let raw = (self.high - self.low) / count;
        let power = 10_f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0]
            .into_iter()
            .map(|s| s * power)
            .find(|s| raw <= *s * (1.0 + 1e-9))
            .unwrap_or(power);
        // A step of 2.5 needs one more decimal than its power of ten.
        let fraction =
            |digits: usize| (step * 10_f64.powi(i32::try_from(digits).unwrap_or(0))).fract();
        let digits = (0..9)
            .find(|&digits| fraction(digits) < 1e-6 || fraction(digits) > 1.0 - 1e-6)
            .unwrap_or(9);
        let first = (self.low / step).ceil();
        let numbers = (0..40)
            .map(|k| (first + f64::from(k)) * step)
            .take_while(|x| *x <= self.high + step * 1e-9);
        numbers
            .map(|x| (x, crate::numbers::fixed(x, digits)))
            .collect()
    }
}

/// Draws the vertical grid lines of a horizontal axis from `top` to `bottom`, with labels below. A
/// drawing with a `width` below 500 gets fewer lines.
pub fn grid(svg: &mut Svg, axis: &Axis, (top, bottom): (f64, f64), width: f64) {
    let count = if width < 500.0 { 3.0 } else { 6.0 };
    for (value, text) in axis.ticks(count) {
        let x = axis.at(value);
        svg.line(
            if value == 0.0 { "zero" } else { "grid" },
            (x, top),
            (x, bottom),
        );
        svg.text("tick", (x, bottom + 15.0), "middle", &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_within_the_axis() {
        let texts = |low, high, count| {
            Axis::between(low, high, 0.0, 1.0)
                .ticks(count)
                .into_iter()
                .map(|(_, text)| text)
                .collect::<Vec<_>>()
        };
        assert_eq!(texts(0.0, 10.0, 5.0), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(texts(-0.31, 0.12, 4.0), ["-0.2", "0.0"]);
        assert_eq!(
            texts(2.9, 3.1, 4.0),
            ["2.90", "2.95", "3.00", "3.05", "3.10"]
        );
        assert_eq!(texts(-900.0, 2100.0, 3.0), ["0", "1000", "2000"]);
    }

    #[test]
    fn svg_text_is_escaped_truncated_and_within_the_drawing() {
        let mut svg = Svg::new(10.0, 10.0);
        svg.with_tooltip("a < b & \"c\"", |svg| {
            svg.text("name", (0.0, 1.0 / 3.0), "end", "x\u{1}<y")
        });
        let text = svg.finish("all");
        assert!(
            text.contains("<title>a &lt; b &amp; &quot;c&quot;</title>")
                && text.contains(">x &lt;y<"),
            "{text}"
        );
        assert!(
            text.contains("y=\"0.33\"") && text.starts_with("<svg viewBox=\"0 0 10 10\""),
            "{text}"
        );
        assert_eq!(
            (truncate("abcdef", 100.0), truncate("abcdefghij", 42.0)),
            ("abcdef".to_owned(), "abcde…".to_owned())
        );
        assert_eq!(Axis::around([], 0.0, 10.0).at(0.5), 5.0);
        assert_eq!(Axis::around([3.0], 0.0, 10.0).at(3.0), 5.0);
    }
}
