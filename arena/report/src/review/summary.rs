//! The reviews of one bot by several others.

use super::estimate::{CONFIDENCE, Estimate};
use super::report::ReviewReport;
use console::{Alignment, measure_text_width, pad_str};
use hattari_agents::text::counted;
use serde::Serialize;

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
    #[must_use]
    pub fn confidence(reviews: usize) -> f64 {
        1.0 - (1.0 - CONFIDENCE) / (2 * reviews.max(1)) as f64
    }

    /// Creates the summary of reports that have the confidence level [`ReviewSummary::confidence`].
    #[must_use]
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

    /// Returns the first sentence of the summary.
    #[must_use]
    pub fn first_sentence(&self) -> String {
        let Some(best) = self.reviews.first() else {
            return format!("{} was not reviewed by any entrant.", self.reviewed);
        };
        if total(best).ci.is_none_or(|[low, _]| low <= 0.0) {
            return format!(
                "No entrant is clearly better than {} in its seats.",
                self.reviewed
            );
        }
        let class = best.clear_main_class().map_or_else(String::new, |class| {
            let value = best.number(&class.estimate);
            format!(
                "; {value} of it comes from decisions with {}",
                class.description()
            )
        });
        format!(
            "{} gains most in the seats of {}: {} {} per deal{class}.",
            best.other,
            self.reviewed,
            best.number(&total(best)),
            best.unit
        )
    }

    /// Returns a note on the intervals.
    #[must_use]
    pub fn note(&self) -> String {
        format!(
            "{}; all {} of this summary hold together with 95 % confidence.",
            counted(self.reviews.len() as u64, "review"),
            counted(self.statements as u64, "interval"),
        )
    }

    /// Returns a row for each review: the bot, its gain, the value of its main class, and the
    /// decisions of that class.
    #[must_use]
    pub fn rows(&self) -> Vec<[String; 4]> {
        let row = |report: &ReviewReport| {
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
        };
        self.reviews.iter().map(row).collect()
    }

    /// Returns the summary as text.
    #[must_use]
    pub fn text(&self) -> String {
        let unit = self.reviews.first().map_or("points", |report| report.unit);
        let head = ["bot", "gain", "main class", "decisions"].map(str::to_owned);
        let rows = [vec![head], self.rows()].concat();
        let widths = [0, 1, 2].map(|column| {
            let widths = rows
                .iter()
                .map(|row: &[String; 4]| measure_text_width(&row[column]));
            widths.max().unwrap_or(0)
        });
        let mut lines = vec![
            self.first_sentence(),
            self.note(),
            String::new(),
            format!(
                "Gain in the seats of {}, in {unit} per deal:",
                self.reviewed
            ),
        ];
        for row in &rows {
            let padded = row.iter().zip(widths);
            let padded = padded.map(|(cell, width)| pad_str(cell, width, Alignment::Left, None));
            lines.push(format!(
                "{}  {}",
                padded.collect::<Vec<_>>().join("  "),
                row[3]
            ));
        }
        lines.extend(self.skipped.iter().map(|why| format!("Left out: {why}")));
        lines.push("`--by NAME` shows one review with example decisions.\n".to_owned());
        lines.join("\n")
    }
}

/// Returns the gain on the blocks on which the values of the classes were measured.
fn total(report: &ReviewReport) -> Estimate {
    report.root().estimate
}
