//! Reports as JSON, with all results. The keys are the fields of [`Standings`] and [`Samples`];
//! they are listed in `arena/REPORTS.md`. Later versions with the same `format` only add keys.

use crate::standings::Standings;
use hattari_play::samples::Samples;
use serde::Serialize;
use std::io::Write;

/// Name and revision of the format.
pub(crate) const FORMAT: &str = "hattari.report/2";

#[derive(Serialize)]
struct JsonDocument<'a> {
    format: &'static str,
    #[serde(flatten)]
    standings: &'a Standings,
    samples: &'a Samples,
}

/// Returns the standings without the samples, for embedding in a page.
///
/// # Panics
/// Never panics: the values are plain data with text keys.
pub fn standings(standings: &Standings) -> serde_json::Value {
    let mut value = serde_json::to_value(standings).expect("plain data");
    if let Some(fields) = value.as_object_mut() {
        fields.insert("format".to_owned(), FORMAT.into());
    }
    value
}

/// Writes the standings and the underlying samples as JSON.
///
/// # Errors
/// Returns an error if `to` cannot be written.
pub fn write(mut to: impl Write, standings: &Standings, samples: &Samples) -> std::io::Result<()> {
    let document = JsonDocument {
        format: FORMAT,
        standings,
        samples,
    };
    serde_json::to_writer_pretty(&mut to, &document)?;
    to.write_all(b"\n")
}
