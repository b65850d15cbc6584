//! Several leagues in one report, as table and figures.

use super::*;
use crate::report::figures::curve::{self, CurvePoint};
use crate::standings::{AcrossLeagues, PairAcrossLeagues};

/// Maximum number of pairs with a figure.
const FIGURES_MAX: usize = 12;

/// Returns the differences of each pair in all leagues; `None` in a report on one league.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    let across = standings.across.as_deref()?;
    let title = match across.options.as_slice() {
        [] => "Differences by league".to_owned(),
        options => format!("Differences by {}", options.join(", ")),
    };
    let mut part = ReportPart::new("across", "Leagues", "Several leagues");
    part = part.with([section(standings, across, title)]);
    if detail.is_page() {
        part.figures = across
            .pairs
            .iter()
            .take(FIGURES_MAX)
            .filter_map(|pair| figure(standings, across, pair))
            .collect();
    }
    Some(part)
}

/// Returns the labels of the leagues: the options in which they differ, or their titles if all
/// options are equal.
fn labels(across: &AcrossLeagues) -> impl Iterator<Item = String> {
    across.leagues.iter().map(|league| {
        let options = across.options_of(league);
        if options.is_empty() {
            league.title.clone()
        } else {
            options
        }
    })
}

/// Returns the number of decimals for all differences.
fn digits(across: &AcrossLeagues) -> usize {
    digits_of(across.pairs.iter().flat_map(|pair| &pair.differences))
}

fn section(standings: &Standings, across: &AcrossLeagues, title: String) -> Section {
    let digits = digits(across);
    let shown = |estimate: &Estimate| {
        let value = signed(estimate.value, digits);
        format!("{value} ({})", interval(estimate.ends(), digits))
    };
    let mut table = grid! { pair in &across.pairs;
        "a", Left = &pair.a;
        "b", Left = &pair.b;
    };
    for (league, label) in labels(across).enumerate() {
        table = table.join(grid! { pair in &across.pairs;
            &label, Right = pair.differences[league].tested().map(shown);
        });
    }
    let tests = across.pairs.iter().map(|pair| pair.interaction.tested());
    let table = table.join(grid! { interaction in tests;
        "F", Right = fixed(interaction?.test.f, 2);
        "df", Right = {
            let test = &interaction?.test;
            format!("{}, {}", test.df1, fixed(test.df2, 1))
        };
        "p", Right = p_value(interaction?.test.p);
        "p Holm", Right = p_value(interaction?.p_adjusted);
    });
    let mut section = Section::of(title, table.keyed_by(2)).note(format!(
        "a − b in {} with {} % CI in each league. F: Welch's test of interaction; a small p means \
         that the difference depends on the league. p Holm: adjusted over the tested pairs. The \
         other sections are about the first of {}.",
        score_axis(standings),
        level(standings.settings.confidence),
        counted(across.leagues.len() as u64, "league")
    ));
    let mut reasons: Vec<&str> = across
        .pairs
        .iter()
        .filter_map(|pair| pair.interaction.reason())
        .collect();
    reasons.sort_unstable();
    reasons.dedup();
    let reasons = reasons.into_iter();
    section
        .notes
        .extend(reasons.map(|why| format!("No test of interaction: {why}.")));
    section
}

/// Draws the difference of a pair by the option in which the leagues differ. Returns `None` unless
/// they differ in exactly one option, it is numeric, and all differences could be tested.
fn figure(
    standings: &Standings,
    across: &AcrossLeagues,
    pair: &PairAcrossLeagues,
) -> Option<Figure> {
    let [option] = across.options.as_slice() else {
        return None;
    };
    let digits = digits(across);
    let mut points = Vec::new();
    for (league, difference) in across.leagues.iter().zip(&pair.differences) {
        let (x, estimate) = (league.values.first()?.as_f64()?, difference.tested()?);
        let ends = interval(estimate.ends(), digits);
        points.push(CurvePoint {
            x,
            y: estimate.value,
            interval: estimate.ends(),
            title: format!(
                "{option} = {x}: {} ({ends})",
                signed(estimate.value, digits)
            ),
        });
    }
    points.sort_by(|one, other| one.x.total_cmp(&other.x));
    let score = score_axis(standings);
    let what = format!("{} minus {} in {score} by {option}", pair.a, pair.b);
    let caption = format!(
        "{what}; the band connects the {} % confidence intervals.",
        level(standings.settings.confidence)
    );
    Some(curve::figure(&points, [option, &score], &format!("{what}.")).caption(caption))
}
