//! Histograms of block means, with the same bins for all bots. The quartiles are computed here, for
//! pages only.

use super::*;
use crate::numbers::index;
use crate::report::svg::grid;

/// The block means of one bot, in ascending order.
struct Spread<'a> {
    name: &'a str,
    means: Vec<f64>,
}

const BINS: usize = 40;
const ROW: f64 = 36.0;

/// Returns the distributions of block means for a page; `None` in other formats.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let Report {
        standings, samples, ..
    } = *report;
    if !detail.is_page() {
        return None;
    }
    let mut part = ReportPart::new(
        "distributions",
        "Distributions",
        "Distribution of block means",
    );
    let spread = |name: &str| {
        let entrant = samples.names.iter().position(|other| other == name);
        let mut means: Vec<f64> = samples
            .line_ups
            .iter()
            .filter_map(|line_up| line_up.bot(entrant?))
            .flat_map(|bot| bot.means.iter().flatten().copied())
            .collect();
        means.sort_by(f64::total_cmp);
        means
    };
    let spreads: Vec<_> = standings
        .bots
        .iter()
        .take(BOTS_MAX)
        .map(|bot| Spread {
            name: &bot.name,
            means: spread(&bot.name),
        })
        .filter(|spread| !spread.means.is_empty())
        .collect();
    if spreads.is_empty() {
        return Some(part.sentence("No games have been played."));
    }
    let label = format!(
        "Distributions of the block means of {}.",
        counted(spreads.len() as u64, "bot")
    );
    let axis = format!("mean {} of a block", score_axis(standings));
    let few = if standings.bots.len() > BOTS_MAX {
        " Only the first bots of the standings are shown."
    } else {
        ""
    };
    let caption = format!(
        "Histograms of block means with forty bins; the vertical line is the median. Each block \
         is one observation.{few}"
    );
    part.figures
        .push(Figure::both(|width| draw(&spreads, &axis, &label, width)).caption(caption));
    let section = Section::of("Quartiles of the block means", table(&spreads));
    Some(part.with([section.folded()]))
}

/// Returns a quantile of ascending numbers, interpolated linearly; `None` if there are no numbers.
/// `share` is between 0 (the smallest number) and 1 (the largest).
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share * last as f64;
    let below = index(place).min(last);
    let above = (below + 1).min(last);
    Some(sorted[below] + (place - below as f64) * (sorted[above] - sorted[below]))
}

/// Returns the number of means in each bin. The first bin begins at the coordinate `from` of the
/// axis.
fn bin_counts(means: &[f64], axis: &Axis, from: f64, bin_width: f64) -> [u32; BINS] {
    let mut counts = [0; BINS];
    for mean in means {
        let bin = index((axis.at(*mean) - from) / bin_width);
        counts[bin.min(BINS - 1)] += 1;
    }
    counts
}

fn draw(spreads: &[Spread<'_>], axis_name: &str, label: &str, width: f64) -> String {
    let left = name_column_width(spreads.iter().map(|spread| spread.name), width * 0.3);
    let bottom = 8.0 + ROW * spreads.len() as f64;
    let mut svg = Svg::new(width, bottom + 40.0);
    let ends = spreads.iter().flat_map(|spread| {
        spread
            .means
            .first()
            .into_iter()
            .chain(spread.means.last())
            .copied()
    });
    let axis = Axis::around(ends, left + 6.0, width - 12.0);
    grid(&mut svg, &axis, (4.0, bottom), width);
    svg.text(
        "axis",
        (f64::midpoint(left, width), bottom + 34.0),
        "middle",
        axis_name,
    );
    let (from, to) = (left + 6.0, width - 12.0);
    let bin_width = (to - from) / BINS as f64;
    for (number, spread) in spreads.iter().enumerate() {
        let base = 8.0 + ROW * (number as f64 + 1.0) - 4.0;
        let counts = bin_counts(&spread.means, &axis, from, bin_width);
        let most = f64::from(counts.iter().copied().max().unwrap_or(0).max(1));
        let title = quantile(&spread.means, 0.5).map_or_else(
            || format!("{}: no blocks", spread.name),
            |median| {
                format!(
                    "{}: {} blocks, median {median:.3}",
                    spread.name,
                    spread.means.len()
                )
            },
        );
        svg.with_tooltip(&title, |svg| {
            svg.row_name(left, base - 6.0, spread.name);
            let mut outline = vec![(from, base)];
            for (bin, count) in counts.iter().enumerate() {
                let (x, y) = (
                    from + bin_width * bin as f64,
                    base - (ROW - 10.0) * f64::from(*count) / most,
                );
                outline.extend([(x, y), (x + bin_width, y)]);
            }
            outline.push((to, base));
            svg.area("area", outline);
            svg.line("base", (from, base), (to, base));
            if let Some(median) = quantile(&spread.means, 0.5) {
                svg.line(
                    "median",
                    (axis.at(median), base - (ROW - 8.0)),
                    (axis.at(median), base + 2.0),
                );
            }
        });
    }
    svg.finish(label)
}

fn table(spreads: &[Spread<'_>]) -> Grid {
    let quantiles = |spread: &Spread<'_>| {
        let values = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(&spread.means, share));
        let span = values[3].zip(values[1]);
        let digits = decimals([span.map_or(0.0, |(high, low)| high - low)]).min(4);
        values.map(|value| value.map(|x| fixed(x, digits)))
    };
    let rows = spreads.iter().map(|spread| (spread, quantiles(spread)));
    crate::grid! { (spread, [lowest, first, median, third, highest]) in rows;
        "bot", Left = spread.name;
        "blocks", Right = spread.means.len().to_string();
        "lowest", Right = lowest;
        "first quarter", Right = first;
        "median", Right = median;
        "third quarter", Right = third;
        "highest", Right = highest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_interpolated_between_neighbouring_values() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[2.0], 0.9), Some(2.0));
        assert_eq!(
            [0.0, 0.25, 0.5, 1.0].map(|share| quantile(&[0.0, 2.0, 10.0], share).unwrap()),
            [0.0, 1.0, 2.0, 10.0]
        );
    }
}
