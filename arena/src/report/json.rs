//! A report as JSON: everything, for programs. The keys are those of [`Standings`] and of [`Samples`]; they are listed in
//! `arena/REPORTS.md` and only ever added to while `format` stays the same.

use crate::samples::Samples;
use crate::standings::Standings;
use serde::Serialize;

/// Name and revision of the format.
pub const FORMAT: &str = "hattari.report/1";

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    #[serde(flatten)]
    standings: &'a Standings,
    samples: &'a Samples,
}

/// Prints the standings and the samples that they were computed from.
///
/// # Panics
/// Never: the values are plain data whose keys are text.
#[must_use]
pub fn render(standings: &Standings, samples: &Samples) -> String {
    let document = Document { format: FORMAT, standings, samples };
    serde_json::to_string_pretty(&document).expect("plain data") + "\n"
}
