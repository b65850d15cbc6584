//! `hattari report --review`.

use crate::cli::{CommandResult, Outcome, output, signals};
use anyhow::{Context, ensure};
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::ReviewPlan;
use hattari_play::store::Store;
use hattari_report::report::{Report, html};
use hattari_report::review::{ExampleOptions, ReviewReport, league_difference, page, show_forks};
use hattari_report::standings::samples;
use hattari_study::{Interrupted, threads};
use std::path::{Path, PathBuf};

/// Options of the example forks on the page of the review.
const EXAMPLES: ExampleOptions = ExampleOptions {
    forks: 10,
    samples: 100,
};

/// Reviews a pair of entrants, given as `OF:BY`. Writes the page of the review, and the report with
/// a section that links to this page. `path` is the path of the report.
pub(super) fn main(
    pair: &str,
    store: &Store,
    folders: &[PathBuf],
    report: &Report<'_>,
    path: &Path,
) -> CommandResult {
    let prepared = PreparedLeague::of_store(store, folders)?.as_played(store);
    // Names may contain colons.
    let mut plans: Vec<_> = pair
        .match_indices(':')
        .map(|(index, _)| {
            let (reviewed, other) = (&pair[..index], &pair[index + 1..]);
            ReviewPlan::new(&prepared, reviewed, other)
        })
        .collect();
    ensure!(
        !plans.is_empty(),
        "--review {pair}: give two entrants, as in `--review mine:base`"
    );
    let found = plans.iter().position(Result::is_ok).unwrap_or(0);
    let plan = ReviewPlan {
        threads: threads(None),
        ..plans.swap_remove(found).context("--review")?
    };
    let stop = signals::stop_flag()?;
    let review = plan.run(&prepared, None, &stop, |_| {})?;
    Interrupted::check(&stop)?;
    let league = league_difference(&prepared, &plan, &review, &samples(store, true)?);
    let confidence = hattari_report::review::CONFIDENCE;
    let mut review_report = ReviewReport::new(&prepared, &plan, &review, league, confidence);
    show_forks(
        &prepared,
        &plan,
        &review,
        &mut review_report,
        EXAMPLES,
        &stop,
    )?;
    Interrupted::check(&stop)?;
    let long = path.with_extension("review.html");
    output::write_page(&long, &page::render(&review_report))?;
    // In a URL, these characters would end the path or, for a colon, the scheme.
    let link = long.file_name().map(|name| {
        name.to_string_lossy()
            .replace('%', "%25")
            .replace('#', "%23")
            .replace('?', "%3F")
            .replace(':', "%3A")
    });
    let (heading, markup) = page::section(&review_report, link.as_deref());
    let review = Some((&*heading, &*markup));
    output::write_page(path, &html::render_with(report, &[], review))?;
    Ok(Outcome::Done)
}
