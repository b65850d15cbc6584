//! Scores by block: the running mean with a confidence sequence, which stays valid if it is checked
//! after every block.

use crate::numbers::{decimals, fixed, index, short, signed};
use crate::report::part::Panel;
use crate::report::svg::{Axis, Svg};
use hattari_stats::sequential::{ConfidenceSequenceOptions, confidence_sequence};

/// Width and height of a panel, in CSS pixels.
const SIZE: (f64, f64) = (300.0, 132.0);
/// Maximum number of points of a line.
const POINTS: usize = 90;

/// A score, or a difference of two scores, by round.
#[derive(Default)]
pub(crate) struct ScoreSeries {
    pub title: String,
    /// The scores or differences, one per round.
    pub values: Vec<f64>,
    /// `true` for a difference; the axis then contains zero.
    pub is_difference: bool,
    /// The round in which the stopping rule decided, marked by a vertical line; `None` if it has
    /// not decided.
    pub stop: Option<usize>,
    /// A second score with the same rounds, drawn as a running mean for comparison; may be empty.
    pub comparison: Vec<f64>,
}

/// The mean and interval at the last round.
pub(crate) struct LastEstimate {
    pub rounds: usize,
    pub mean: f64,
    pub interval: Option<(f64, f64)>,
}

impl LastEstimate {
    /// Returns the function that formats values of the series with the decimals of this estimate.
    pub(crate) fn format(&self, series: &ScoreSeries) -> impl Fn(f64) -> String + use<> {
        let error = self.interval.map_or(0.0, |(low, high)| (high - low) / 4.0);
        let digits = decimals([error]);
        let text = if series.is_difference { signed } else { fixed };
        move |value| text(value, digits)
    }
}

/// Returns the panel and the estimate at the last round; `None` if there are no values.
pub(crate) fn panel(series: &ScoreSeries, confidence: f64) -> Option<(Panel, LastEstimate)> {
    let n = series.values.len();
    if n == 0 {
        return None;
    }
    let options = ConfidenceSequenceOptions {
        confidence,
        ..ConfidenceSequenceOptions::default()
    };
    let sequence = confidence_sequence(&series.values, &options).ok()?;
    let [means, comparison] =
        [&series.values, &series.comparison].map(|values| running_means(values));
    let shown: Vec<usize> = plotted_indices(n);
    // The first intervals are very wide and would make the scale too large.
    let settled = n / 8;
    let bounds = shown
        .iter()
        .filter(|&&k| settled <= k)
        .filter_map(|&k| sequence[k])
        .flat_map(|i| [i.low, i.high]);
    let zero = series.is_difference.then_some(0.0);
    let lines = [&means, &comparison]
        .into_iter()
        .filter(|line| line.len() == n);
    let seen = lines
        .clone()
        .flat_map(|line| shown.iter().filter(|&&k| settled <= k).map(|&k| line[k]));
    let values = bounds.chain(seen).chain(zero);
    let (width, height) = SIZE;
    let y = Axis::around(values, height - 22.0, 8.0);
    let x = Axis::between(0.0, n as f64, 44.0, width - 8.0);
    let mut svg = Svg::new(width, height);
    for (value, text) in y.ticks(4.0) {
        let class = if value == 0.0 && series.is_difference {
            "zero"
        } else {
            "grid"
        };
        svg.line(class, (44.0, y.at(value)), (width - 8.0, y.at(value)));
        svg.text("tick", (40.0, y.at(value) + 4.0), "end", &text);
    }
    svg.text("tick", (44.0, height - 6.0), "middle", "0");
    svg.text("tick", (width - 8.0, height - 6.0), "end", &short(n as f64));
    let with: Vec<(usize, f64, f64)> = shown
        .iter()
        .filter_map(|&k| sequence[k].map(|i| (k, i.low, i.high)))
        .collect();
    if with.len() > 1 {
        let place = |k: usize, value: f64| (x.at((k + 1) as f64), y.at(value));
        let upper = with.iter().map(|&(k, _, high)| place(k, high));
        let lower = with.iter().rev().map(|&(k, low, _)| place(k, low));
        svg.area("band", upper.chain(lower));
    }
    for (line, class) in lines.zip(["course", "course beside"]) {
        let points = shown.iter().map(|&k| (x.at((k + 1) as f64), y.at(line[k])));
        svg.path(class, points);
    }
    if let Some(stop) = series.stop {
        svg.line(
            "stop",
            (x.at(stop as f64), 8.0),
            (x.at(stop as f64), height - 22.0),
        );
    }
    let last = LastEstimate {
        rounds: n,
        mean: means[n - 1],
        interval: sequence[n - 1].map(|i| (i.low, i.high)),
    };
    let label = label(series, &last);
    Some((
        Panel {
            title: series.title.clone(),
            svg: svg.finish(&label),
        },
        last,
    ))
}

/// Returns the means of the first value, of the first two values, and so on.
fn running_means(values: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    (1..)
        .zip(values)
        .map(|(count, value)| {
            sum += value;
            sum / f64::from(count)
        })
        .collect()
}

/// Returns the last mean and its interval as text.
fn label(series: &ScoreSeries, last: &LastEstimate) -> String {
    let text = last.format(series);
    let interval = last.interval.map_or_else(
        || "no interval yet".to_owned(),
        |(low, high)| format!("confidence sequence {} to {}", text(low), text(high)),
    );
    format!(
        "{} after {} rounds: {}, {interval}",
        series.title,
        last.rounds,
        text(last.mean)
    )
}

/// Returns about [`POINTS`] indices below `n`, including the first and the last, with more at the
/// start.
fn plotted_indices(n: usize) -> Vec<usize> {
    if n <= POINTS {
        return (0..n).collect();
    }
    let mut places: Vec<usize> = (0..POINTS)
        .map(|k| {
            let share = (k as f64 / (POINTS - 1) as f64).powf(1.5);
            index((share * (n - 1) as f64).round())
        })
        .collect();
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_score_series_are_downsampled_and_keep_both_end_points() {
        assert_eq!(plotted_indices(3), [0, 1, 2]);
        let many = plotted_indices(100_000);
        assert!(
            (many.first(), many.last()) == (Some(&0), Some(&99_999))
                && many.len() <= POINTS
                && many.is_sorted()
        );
    }

    #[test]
    fn short_score_series_are_drawn_without_a_confidence_band() {
        let series = |n: i32| ScoreSeries {
            title: "a − b".to_owned(),
            values: (0..n).map(|k| f64::from(k % 3)).collect(),
            is_difference: true,
            stop: None,
            comparison: (0..n).map(|k| f64::from(k % 2)).collect(),
        };
        assert!(panel(&series(0), 0.95).is_none());
        let (few, last) = panel(&series(5), 0.95).unwrap();
        assert!(
            last.interval.is_none()
                && !few.svg.contains("class=\"band\"")
                && few.svg.contains("no interval yet")
        );
        let (many, last) = panel(&series(60), 0.95).unwrap();
        assert_eq!(many.svg.matches("class=\"course").count(), 2);
        assert!(many.svg.contains("class=\"band\"") && (last.mean - 1.0).abs() < 1e-12);
        assert!(
            last.interval
                .is_some_and(|(low, high)| low < 1.0 && high > 1.0)
        );
    }
}
