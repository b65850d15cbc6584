//! Results of single line-ups.

use super::pairs::degrees;
use super::*;
use crate::standings::LineUpStanding;

/// Maximum number of line-ups on a page.
const LINE_UPS_MAX: usize = 300;

/// Returns the mean scores of each line-up for a page. For other formats, returns the bots and
/// pairs of each line-up, on request.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    let part = ReportPart::new("line-ups", "Line-ups", "Line-ups");
    if detail.is_page() {
        (standings.line_ups.len() > 1).then(|| part.with([means(standings)]))
    } else {
        (detail.per_line_up).then(|| part.with([bots(standings), pairs(standings)]))
    }
}

fn means(standings: &Standings) -> Section {
    let bots = standings.line_ups.iter().flat_map(|line_up| &line_up.bots);
    let digits = digits_of(bots.map(|bot| &bot.estimate));
    let scores = |line_up: &LineUpStanding| {
        let mut bots: Vec<(&str, f64)> = line_up
            .bots
            .iter()
            .filter_map(|bot| Some((bot.name.as_str(), bot.mean?)))
            .collect();
        bots.sort_by(|x, y| y.1.total_cmp(&x.1));
        let text = bots
            .iter()
            .map(|(name, mean)| format!("{name} {}", fixed(*mean, digits)));
        joined(text, ", ")
    };
    let table = grid! { line_up in standings.line_ups.iter().take(LINE_UPS_MAX);
        "line-up", Right = line_up.line_up;
        "bots with mean scores, highest first", Wrap = scores(line_up);
        "blocks", Right = line_up.blocks;
        "deals", Right = line_up.deals;
    };
    let section = Section::of("Mean scores by line-up", table).folded();
    let all = standings.progress.line_ups - standings.progress.line_ups_missing;
    if all <= LINE_UPS_MAX as u64 {
        return section;
    }
    section.sentence(format!(
        "Only the first {LINE_UPS_MAX} of {} are shown; `hattari report --format csv` writes \
         all of them.",
        counted(all, "line-up")
    ))
}

fn bots(standings: &Standings) -> Section {
    let rows = || {
        standings
            .line_ups
            .iter()
            .flat_map(|line_up| line_up.bots.iter().map(move |bot| (line_up, bot)))
    };
    let digits = digits_of(rows().map(|(_, bot)| &bot.estimate));
    let rows = rows().map(|(line_up, bot)| (line_up, bot, bot.estimate.tested()));
    let table = grid! { (line_up, bot, estimate) in rows;
        "line-up", Right = line_up.line_up;
        "bot", Left = &bot.name;
        "points", Right = fixed(bot.mean?, digits);
        "se", Right = fixed(estimate?.se, digits);
        &interval_header(standings), Right = unsigned_interval(estimate?.ends(), digits);
        "blocks", Right = line_up.blocks;
    };
    Section::of("Bots by line-up", table)
}

fn pairs(standings: &Standings) -> Section {
    let rows = standings.pairs_at_line_ups();
    let all = rows
        .iter()
        .flat_map(|(_, tests)| [&tests.by_block, &tests.by_deal]);
    let digits = decimals(all.filter_map(|test| Some(test.tested()?.se)));
    let adjusted = standings.settings.other_correction_name();
    let adjusted = format!("p {}", adjusted.unwrap_or("unadjusted"));
    let rows = rows
        .into_iter()
        .map(|(pair, tests)| (pair, tests, tests.by_block.tested(), tests.by_deal.tested()));
    let table = grid! { (pair, tests, by_block, by_deal) in rows;
        "line-up", Right = tests.line_up;
        "a", Left = &pair.a;
        "b", Left = &pair.b;
        "a − b", Right = signed(by_block?.difference, digits);
        &interval_header(standings), Right = interval(by_block?.ends(), digits);
        "t", Right = fixed(by_block?.t, 2);
        "df", Right = degrees(by_block?.df);
        "p", Right = p_value(by_block?.p);
        &adjusted, Right = p_value(by_block?.p_adjusted);
        "t by deals", Right = fixed(by_deal?.t, 2);
        "p by deals", Right = p_value(by_deal?.p);
    };
    Section::of("Pairs by line-up", table.keyed_by(3)).note(
        "The second p is adjusted for all pairs of the line-up; t and p by deals (the single-deal \
         test) are not adjusted.",
    )
}
