//! Reviews as HTML pages. A page is one file without network requests. The template `review.html`
//! has a part for each kind of page and escapes all texts.

use super::report::ReviewReport;
use super::summary::ReviewSummary;
use super::template::{self, ReportValues};
use super::text::first_sentence;
use crate::report::html::{self, PlainPage};
use serde_json::json;

/// Returns the page of a review.
pub fn render(report: &ReviewReport) -> String {
    let title = format!("{} reviewed by {}", report.reviewed, report.other);
    let mut lead = vec![first_sentence(report)];
    lead.extend(report.notes.iter().cloned());
    let games: Vec<_> = report.forks.iter().flat_map(|fork| &fork.games).collect();
    let body = template::html(&json!({
        "part": "page",
        "review": ReportValues::of(report),
        "has_games": !games.is_empty(),
    }));
    let mut data = Vec::new();
    if !games.is_empty() {
        let games = html::harmless(&json!({ "games": games }));
        data.push(("hattari-replays", games));
    }
    plain(&title, &lead, &body, &data)
}

/// Returns heading and markup of the section on a review in the report of a league. `page` is the
/// path of the review's own page, relative to the report; `None` if there is no such page.
pub fn section(report: &ReviewReport, page: Option<&str>) -> (String, String) {
    let heading = format!("Why {} and {} differ", report.reviewed, report.other);
    let review = ReportValues::of(report);
    let markup = template::html(&json!({ "part": "section", "review": review, "link": page }));
    (heading, markup)
}

/// Returns the page of several reviews.
pub fn summary(summary: &ReviewSummary) -> String {
    let title = format!("{} reviewed by the other entrants", summary.reviewed);
    let body = template::html(&summary.values("summary"));
    let mut lead = summary.lead();
    lead.extend(summary.skipped.iter().cloned());
    plain(&title, &lead, &body, &[])
}

fn plain(title: &str, lead: &[String], body: &str, data: &[(&str, String)]) -> String {
    html::plain(&PlainPage {
        title,
        kind: "review",
        heading: title,
        lead,
        body,
        scripts: &[],
        data,
        foot: "This page is one file and makes no network requests.",
    })
}
