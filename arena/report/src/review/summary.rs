//! The reviews of one bot by several others.

use super::estimate::{CONFIDENCE, Estimate};
use super::report::ReviewReport;
use super::template::{self, ReportValues};
use crate::report::terminal::text_table;
use serde::Serialize;
use serde_json::{Value, json};

/// The reviews of one bot by several others, sorted by decreasing gain.
#[derive(Debug, Serialize)]
pub struct ReviewSummary {
    /// Name of the reviewed bot.
    #[serde(rename = "of")]
    pub reviewed: String,
    /// Number of statements of the summary: the total and the main class of each review. Their
    /// intervals hold together with 95 % confidence.
    pub statements: usize,
    /// The reviews.
    pub reviews: Vec<ReviewReport>,
    /// The entrants that cannot take part, with the reasons.
    pub skipped: Vec<String>,
}

impl ReviewSummary {
    /// Returns the confidence level of each report in a summary of `reviews` reports. Half of the
    /// error probability is for the total, and half is shared by the classes
    /// ([`ReviewReport::new`]).
    pub fn confidence(reviews: usize) -> f64 {
        1.0 - (1.0 - CONFIDENCE) / (2 * reviews.max(1)) as f64
    }

    /// Creates the summary of reports that have the confidence level [`ReviewSummary::confidence`].
    pub fn new(
        reviewed: &str,
        mut reviews: Vec<ReviewReport>,
        skipped: Vec<String>,
    ) -> ReviewSummary {
        reviews.sort_by(|a, b| total(b).value.total_cmp(&total(a).value));
        ReviewSummary {
            reviewed: reviewed.to_owned(),
            statements: 2 * reviews.len(),
            reviews,
            skipped,
        }
    }

    /// Returns the values of a part of the templates.
    pub(super) fn values(&self, part: &str) -> Value {
        let heading = ["bot", "gain", "main class", "decisions"];
        let reviews = self.reviews.iter().map(ReportValues::of);
        json!({
            "part": part,
            "of": self.reviewed,
            "statements": self.statements,
            "reviews": reviews.collect::<Vec<_>>(),
            "rows": self.rows(),
            "table": text_table(heading, self.rows()),
            "skipped": self.skipped,
        })
    }

    /// Returns the first sentence of the summary, and a note on the intervals.
    pub(super) fn lead(&self) -> Vec<String> {
        let lead = template::text(&self.values("summary lead"));
        lead.lines().map(str::to_owned).collect()
    }

    /// Returns a row for each review: the bot, its gain, the value of its main class, and the
    /// decisions of that class.
    fn rows(&self) -> Vec<[String; 4]> {
        self.reviews
            .iter()
            .map(|report| {
                let (value, class) = match report.main.map(|main| &report.classes[main]) {
                    Some(class) => (report.number(&class.estimate), class.description()),
                    None => (String::new(), "no class stands out".to_owned()),
                };
                [
                    report.other.clone(),
                    report.number(&total(report)),
                    value,
                    class,
                ]
            })
            .collect()
    }

    /// Returns the summary as text.
    pub fn text(&self) -> String {
        template::text(&self.values("summary")) + "\n"
    }
}

/// Returns the gain on the blocks on which the values of the classes were measured.
fn total(report: &ReviewReport) -> Estimate {
    report.root().estimate
}
