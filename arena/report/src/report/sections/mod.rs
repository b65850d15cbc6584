//! The sections of a report, one file each: text and tables for all formats, and figures for pages.
//! A section that has no content is omitted.

mod head;

// Every section imports these names with `use super::*`.
use super::Report;
use super::part::{Figure, ReportPart, VerdictLine, Verdicts};
use super::svg::{Axis, Svg, name_column_width};
use super::table::{Cell, CellColour, Grid, NONE, Section};
use crate::grid;
use crate::numbers::{
    date, decimals, fixed, interval, level, p_value, percent, short, signed, unsigned_interval,
};
use crate::standings::{
    AboutLeague, BotStanding, Estimate, PairStanding, Role, Standings, TestResult, VerdictKind,
};
use hattari_agents::text::{counted, grouped, joined};

/// The reader of a report, who determines its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// A reader at a terminal. Tables are short.
    #[default]
    Screen,
    /// A reader of a file. The file contains everything that is needed to replay the league, and
    /// tables of any length.
    File,
    /// A reader of a page. The page contains figures and other content that only pages show.
    Page,
}

/// The amount of content in the sections of a report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Detail {
    /// `true` to include every pair at every line-up.
    pub per_line_up: bool,
    /// The reader of the report.
    pub audience: Audience,
}

impl Detail {
    /// The detail of files.
    const FILE: Detail = Detail {
        per_line_up: false,
        audience: Audience::File,
    };
    /// The detail of pages.
    pub(super) const PAGE: Detail = Detail {
        per_line_up: false,
        audience: Audience::Page,
    };

    /// Returns `true` for a report on the screen.
    fn is_screen(self) -> bool {
        self.audience == Audience::Screen
    }

    /// Returns `true` for a report in a file.
    fn is_file(self) -> bool {
        self.audience == Audience::File
    }

    /// Returns `true` for a page.
    fn is_page(self) -> bool {
        self.audience == Audience::Page
    }
}

/// Declares the module of every section and lists the sections. The function `part` of a section
/// takes the standings or the whole report.
macro_rules! sections {
    ($($name:ident,)*) => {
        $(mod $name;)*
        /// All sections.
        const ALL: &[fn(&Report<'_>, Detail) -> Option<ReportPart>] =
            &[$(|report, detail| $name::part(report.into(), detail)),*];
    };
}

// The sections, in the order of the report. To add one, create its file and add a line here.
sections! {
    verdicts,
    rounds,
    standings,
    across,
    winnings,
    swept,
    stopping,
    pairs,
    distributions,
    over_time,
    placements,
    play,
    logged,
    luck,
    checks,
    machines,
    ratings,
    congeniality,
    published,
    line_ups,
    replays,
    faults,
    timing,
    methods,
    reproduce,
}

/// Returns the sections of a text report, the head first.
pub fn sections(report: &Report<'_>, detail: Detail) -> Vec<Section> {
    head::sections(report.standings, detail.is_file())
        .into_iter()
        .chain(parts(report, detail).flat_map(|part| part.sections))
        .collect()
}

/// Returns the short report at the end of a run. Verdicts come last, because the end of the output
/// is visible in the terminal.
pub(crate) fn brief(standings: &Standings) -> Vec<Section> {
    let detail = Detail::default();
    let parts = [
        rounds::part,
        standings::part,
        across::part,
        winnings::part,
        stopping::part,
        faults::part,
    ]
    .map(|part| part(standings, detail))
    .into_iter()
    .flatten()
    .flat_map(|part| part.sections);
    let head = head::sections(standings, false);
    let verdicts = (!standings.is_adaptive()).then(|| verdicts::section(standings));
    head.into_iter().chain(parts).chain(verdicts).collect()
}

/// Returns the sections for a paper: standings with tiers, pairs and methods.
pub(crate) fn for_papers(standings: &Standings) -> Vec<Section> {
    let more = [across::part, winnings::part, swept::part, methods::part]
        .into_iter()
        .filter_map(|part| part(standings, Detail::FILE));
    (standings::for_paper(standings).into_iter())
        .chain([pairs::for_paper(standings)])
        .chain(more.flat_map(|part| part.sections))
        .collect()
}

/// Returns the parts with content, in order.
pub(in crate::report) fn parts(
    report: &Report<'_>,
    detail: Detail,
) -> impl Iterator<Item = ReportPart> {
    ALL.iter().filter_map(move |part| part(report, detail))
}

/// Returns the sentences above all parts.
pub(in crate::report) use head::sentences as lead;

/// Maximum number of bots in a figure; the top ones are shown.
const BOTS_MAX: usize = 60;

/// Returns a sentence that says how many of `bots` a figure shows; empty if it shows all.
fn omitted_bots(bots: usize) -> String {
    if bots > BOTS_MAX {
        format!(
            " The figure shows the first {BOTS_MAX} of {} bots.",
            grouped(bots as u64)
        )
    } else {
        String::new()
    }
}

/// Returns a place as text: `1st`, `2nd`, …
fn ordinal(place: usize) -> String {
    let suffix = match (place % 10, place % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{place}{suffix}")
}

/// Returns the axis title of scores, such as `points per deal`.
fn score_axis(standings: &Standings) -> String {
    standings.about.unit_of_means()
}

/// Returns the colour of a verdict.
fn colour_of(kind: VerdictKind) -> CellColour {
    let colours = [
        CellColour::Ahead,
        CellColour::Behind,
        CellColour::Plain,
        CellColour::Warning,
    ];
    colours[kind as usize]
}

/// Returns the pairs that have a part, with this part.
fn pairs_with<'s, T>(
    standings: &'s Standings,
    part: impl Fn(&'s PairStanding) -> Option<T>,
) -> impl Iterator<Item = (&'s PairStanding, T)> {
    standings
        .pairs
        .iter()
        .filter_map(move |pair| Some((pair, part(pair)?)))
}

/// Returns the number of decimals for estimates.
fn digits_of<'e>(estimates: impl Iterator<Item = &'e TestResult<Estimate>>) -> usize {
    decimals(estimates.filter_map(|estimate| Some(estimate.tested()?.se)))
}

/// Returns the header of a column of confidence intervals.
fn interval_header(standings: &Standings) -> String {
    format!("{} % CI", level(standings.settings.confidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standings::{About, Rating, Ratings, TestResult, TestSettings};
    use hattari_agents::record::DecisionTime;
    use hattari_play::samples::read_scores;

    #[test]
    fn figures_of_many_bots_show_the_first_ones_and_say_how_many_there_are() {
        let scores = "block,a,b\n1,1,3\n2,1,2\n3,2,4\n";
        let samples = read_scores(scores.as_bytes()).expect("valid scores");
        let settings = TestSettings::default();
        let result = crate::standings::standings(&samples, About::default(), settings, None, None);
        let mut standings = result.expect("valid settings");
        let mut bot = standings.bots[0].clone();
        bot.places = vec![1.0];
        bot.thinking = DecisionTime {
            decisions: 1,
            timed: 1,
            nanos: 9,
            worst_nanos: 9,
        };
        standings.bots = vec![bot; BOTS_MAX + 1];
        let rating = Rating {
            name: "a".to_owned(),
            strength: 0.5,
            elo: 0.0,
            range: None,
        };
        standings.ratings = Some(Ratings {
            samples: None,
            virtual_draws: 0.0,
            fit: TestResult::Tested(vec![rating; BOTS_MAX + 1]),
        });
        for part in [
            standings::part,
            ratings::part,
            placements::part,
            timing::part,
        ] {
            let part = part(&standings, Detail::PAGE).expect("there are bots");
            let figure = &part.figures[0];
            assert!(figure.wide.contains("of 60 bots"), "{}", part.id);
            let caption = &figure.caption;
            assert!(
                caption.ends_with(" The figure shows the first 60 of 61 bots."),
                "{caption}"
            );
        }
        assert_eq!(omitted_bots(BOTS_MAX), "");
    }

    #[test]
    fn the_design_effect_of_one_pair_is_one_number() {
        let scores = "block,a,b\n1,1,3\n1,2,3\n2,1,2\n2,4,2\n3,2,4\n3,5,1\n";
        let samples = read_scores(scores.as_bytes()).expect("valid scores");
        let settings = TestSettings::default();
        let result = crate::standings::standings(&samples, About::default(), settings, None, None);
        let mut standings = result.expect("valid settings");
        standings.pairs[0].design_effect = Some(1.126);
        let part = checks::part(&standings, Detail::PAGE).expect("there is an effect");
        let text = format!("{:?}", part.sections[0]);
        assert!(text.contains("is 1.13 times the variance"), "{text}");
        // Every block is a single deal.
        standings.progress.blocks_played = standings.progress.deals_played;
        assert!(checks::part(&standings, Detail::PAGE).is_none());
    }
}
