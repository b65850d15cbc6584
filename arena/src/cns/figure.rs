//! Curves as pictures.

use super::curve::{Curve, Point};
use std::fmt::Write;

/// What a picture says besides its curves.
#[derive(Clone, Copy, Debug)]
pub struct Figure<'a> {
    /// Heading.
    pub title: &'a str,
    /// What the horizontal axis counts.
    pub axis: &'a str,
    /// Step of its numbers.
    pub step: usize,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;

/// A curve to draw: its name, its colour, whether it is dashed, and what of a [`Curve`] it shows.
type Line = (&'static str, &'static str, &'static str, fn(&Curve) -> Point);

const LINES: [Line; 4] = [
    ("raw, mean over actions", "#0b6e99", "", |curve| curve.raw),
    ("less noise", "#c4460a", "", |curve| curve.corrected),
    ("raw, best action", "#0b6e99", " stroke-dasharray=\"5 4\"", |curve| curve.best_raw),
    ("best action less noise", "#c4460a", " stroke-dasharray=\"5 4\"", |curve| curve.best_corrected),
];

/// The picture of some curves as SVG: means as lines, 95 % intervals of the first two as bands. Text uses fonts that every
/// viewer has, colours are told apart without seeing red.
#[must_use]
pub fn figure(curves: &[Curve], figure: &Figure<'_>) -> String {
    draw(curves, figure).expect("strings take everything")
}

fn draw(curves: &[Curve], figure: &Figure<'_>) -> Result<String, std::fmt::Error> {
    let last = curves.iter().map(|curve| curve.cards).max().unwrap_or(1).max(1);
    let upper = |point: Point| point.mean + point.margin.unwrap_or(0.0);
    let highest = curves.iter().flat_map(|curve| LINES.map(|line| upper((line.3)(curve)))).fold(0.0, f64::max);
    let (top, step) = scale(highest);
    let x = |cards: usize| LEFT + (WIDTH - LEFT - RIGHT) * cards as f64 / last as f64;
    let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value.clamp(0.0, top) / top;

    let mut text = String::new();
    writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         role=\"img\" font-family=\"sans-serif\" font-size=\"13\">"
    )?;
    writeln!(text, "<title>{}</title>", escaped(figure.title))?;
    writeln!(text, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>")?;
    writeln!(text, "<text x=\"{LEFT}\" y=\"20\" font-size=\"15\">{}</text>", escaped(figure.title))?;
    let mut tick = 0.0;
    while tick <= top + step / 2.0 {
        let at = y(tick);
        writeln!(text, "<path d=\"M{LEFT} {at:.1}H{:.1}\" stroke=\"#ddd\"/>", WIDTH - RIGHT)?;
        writeln!(text, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick:.2}</text>", LEFT - 8.0, at + 4.0)?;
        tick += step;
    }
    for cards in (0..=last).step_by(figure.step.max(1)) {
        let (at, foot) = (x(cards), HEIGHT - BOTTOM);
        writeln!(text, "<path d=\"M{at:.1} {foot}v5\" stroke=\"#333\"/>")?;
        writeln!(text, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{cards}</text>", foot + 20.0)?;
    }
    writeln!(text, "<path d=\"M{LEFT} {TOP}V{:.1}H{:.1}\" fill=\"none\" stroke=\"#333\"/>", y(0.0), WIDTH - RIGHT)?;
    let middle = f64::midpoint(LEFT, WIDTH - RIGHT);
    let axis = escaped(figure.axis);
    writeln!(text, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{axis}</text>", HEIGHT - 14.0)?;
    writeln!(
        text,
        "<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">variance over deals, points²</text>",
        f64::midpoint(TOP, HEIGHT - BOTTOM)
    )?;
    for (number, (name, colour, dash, of)) in LINES.into_iter().enumerate() {
        if number < 2 {
            let edge = |sign: f64| {
                move |curve: &Curve| {
                    let point = of(curve);
                    (x(curve.cards), y(point.mean + sign * point.margin.unwrap_or(0.0)))
                }
            };
            let band = curves.iter().map(edge(1.0)).chain(curves.iter().rev().map(edge(-1.0)));
            writeln!(text, "<path d=\"{}Z\" fill=\"{colour}\" fill-opacity=\"0.15\"/>", path(band))?;
        }
        let line = path(curves.iter().map(|curve| (x(curve.cards), y(of(curve).mean))));
        writeln!(text, "<path d=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"{dash}/>")?;
        let (left, top) = (LEFT + 163.0 * number as f64, 38.0);
        writeln!(text, "<path d=\"M{left} {top}h22\" stroke=\"{colour}\" stroke-width=\"1.8\"{dash}/>")?;
        writeln!(text, "<text x=\"{}\" y=\"{}\" font-size=\"12\">{name}</text>", left + 27.0, top + 4.0)?;
    }
    text += "</svg>\n";
    Ok(text)
}

fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let steps =
        points.enumerate().map(|(number, (x, y))| format!("{}{x:.1} {y:.1}", if number == 0 { 'M' } else { 'L' }));
    steps.collect()
}

/// The end of an axis that reaches `highest`, and the step of its numbers: 1, 2 or 5 times a power of ten.
fn scale(highest: f64) -> (f64, f64) {
    let highest = if highest.is_finite() && highest > 0.01 { highest } else { 0.01 };
    let power = 10_f64.powf((highest / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| step * 7.0 >= highest);
    let step = step.unwrap_or(power * 10.0);
    ((highest / step).ceil() * step, step)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        for (highest, expected) in [(0.31, (0.35, 0.05)), (1.0, (1.0, 0.2)), (0.0, (0.01, 0.002)), (7.2, (8.0, 2.0))] {
            let (top, step) = scale(highest);
            assert!((top - expected.0).abs() < 1e-9 && (step - expected.1).abs() < 1e-9, "{highest}: {top} {step}");
        }
    }

    #[test]
    fn a_picture_has_all_its_lines_and_nothing_that_is_no_number() {
        let point = |mean| Point { mean, margin: Some(0.02) };
        let curve = |cards| Curve {
            cards,
            decisions: 3,
            raw: point(0.3),
            corrected: Point { mean: -0.1, margin: None },
            best_raw: point(0.2),
            best_corrected: point(0.1),
        };
        let about = Figure { title: "a < b & c", axis: "cards", step: 2 };
        for curves in [vec![], vec![curve(1)], (2..12).map(curve).collect()] {
            let text = figure(&curves, &about);
            assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n") && !text.contains("NaN"), "{text}");
            assert!(text.contains("<title>a &lt; b &amp; c</title>"));
            assert_eq!(text.matches("stroke-width").count(), 8);
        }
    }
}
