//! Reviews as text.

use super::report::ReviewReport;
use super::template::{self, ReportValues};
use serde_json::json;

/// Returns the review as text.
pub fn render(report: &ReviewReport) -> String {
    template::text(&json!({ "part": "review", "review": ReportValues::of(report) })) + "\n"
}

/// Returns the first sentence of a review: the gain, and the class that explains most of it.
pub(crate) fn first_sentence(report: &ReviewReport) -> String {
    template::text(&json!({ "part": "sentence", "review": ReportValues::of(report) }))
}
