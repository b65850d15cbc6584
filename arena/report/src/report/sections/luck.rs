//! Luck: comparison of scores as played with luck-adjusted scores.

use super::*;
use crate::report::figures::over_time::{ScoreSeries, panel};
use crate::standings::{LuckOfBot, LuckResults, Test};

/// Maximum number of pairs in the table of a short report.
const PAIRS_MAX: usize = 10;

/// Returns the effect of luck; `None` if the game does not measure luck.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    let luck = standings.luck.as_ref()?;
    let sections = match &luck.results {
        TestResult::NotTestable(why) if detail.is_file() => {
            let why = format!("Luck could not be measured: {why}.");
            vec![Section::new("Luck").sentence(why)]
        }
        TestResult::NotTestable(_) => return None,
        TestResult::Tested(results) => {
            let has_pairs = detail.is_file() || results.pairs.len() <= PAIRS_MAX;
            let pairs = has_pairs.then(|| pairs(results));
            std::iter::once(bots(standings, results, luck.is_adjusted))
                .chain(pairs.flatten())
                .collect()
        }
    };
    let mut part = ReportPart::new("luck", "Luck", "Luck").with(sections);
    if let (true, TestResult::Tested(results)) = (detail.is_page(), &luck.results) {
        part.figures.push(over_blocks(standings, results));
    }
    Some(part)
}

/// Draws the scores of each bot over blocks, as played and luck-adjusted.
fn over_blocks(standings: &Standings, results: &LuckResults) -> Figure {
    let confidence = standings.settings.confidence;
    let panels = results.bots.iter().filter_map(|bot| {
        let [values, adjusted] = bot.over_blocks.clone();
        // `panel` returns `None` for bots without stored series.
        let series = ScoreSeries {
            title: bot.name.clone(),
            values,
            comparison: adjusted,
            ..ScoreSeries::default()
        };
        Some(panel(&series, confidence)?.0)
    });
    let caption = format!(
        "Scores over the blocks played, in {}: running mean as played with a {} % confidence \
         sequence, and luck-adjusted running mean (dashed). The distance between the two is the \
         luck so far.",
        score_axis(standings),
        level(confidence)
    );
    Figure {
        panels: panels.collect(),
        caption,
        ..Figure::default()
    }
}

fn bots(standings: &Standings, results: &LuckResults, is_adjusted: bool) -> Section {
    let estimates = results
        .bots
        .iter()
        .flat_map(|bot| [&bot.played, &bot.adjusted]);
    let digits = digits_of(estimates);
    let confidence = interval_header(standings);
    let both = |bot: &'_ LuckOfBot| (bot.played.tested().copied(), bot.adjusted.tested().copied());
    let rows = results.bots.iter().map(|bot| (bot, both(bot)));
    let table = grid! { (bot, (played, adjusted)) in rows;
        "bot", Left = &bot.name;
        "as played", Right = fixed(played?.value, digits);
        &confidence, Right = interval(played?.ends(), digits);
        "luck-adjusted", Right = fixed(adjusted?.value, digits);
        &confidence, Right = interval(adjusted?.ends(), digits);
        "luck", Right = signed(played?.value - adjusted?.value, digits);
    };
    let kinds =
        (results.kinds.iter()).map(|kind| format!("{} {} %", kind.name, percent(kind.share)));
    let share = format!(
        "Measured luck accounts for {} % of the variance of block means within line-ups ({}).",
        percent(results.share),
        joined(kinds, ", ")
    );
    let used = if is_adjusted {
        "All other numbers of this report are luck-adjusted, except those of single deals and \
         places."
    } else {
        "All other numbers are as played; `report: {without_luck: true}` or --without-luck shows \
         luck-adjusted scores."
    };
    let meaning = "Luck is the estimated value of the cards dealt minus the mean value of the \
        cards that could have been dealt. Its expected value is zero for every bot. The weight of \
        the adjustment is fitted on blocks other than those that are adjusted.";
    Section::of("Luck", table)
        .note(share)
        .note(used)
        .note(meaning)
}

fn pairs(results: &LuckResults) -> Option<Section> {
    let estimates = results
        .pairs
        .iter()
        .flat_map(|pair| [&pair.played, &pair.adjusted]);
    let digits = decimals(estimates.filter_map(|estimate| Some(estimate.tested()?.se)));
    let difference = |test: &Test| {
        let (value, se) = (signed(test.difference, digits), fixed(test.se, digits));
        format!("{value} ± {se}")
    };
    let table = grid! { pair in &results.pairs;
        "a – b", Left = format!("{} – {}", pair.a, pair.b);
        "as played", Right = pair.played.tested().map(difference);
        "adj. p", Right = p_value(pair.played.tested()?.p_adjusted);
        "luck-adjusted", Right = pair.adjusted.tested().map(difference);
        "adj. p", Right = p_value(pair.adjusted.tested()?.p_adjusted);
        "equivalent blocks", Right = fixed(pair.equivalent_blocks()?, 2);
    };
    let note = "± is one standard error. Equivalent blocks: number of luck-adjusted blocks that \
        give the same precision as one unadjusted block.";
    Section::of("Luck-adjusted pairs", table)
        .note(note)
        .unless_empty()
}
