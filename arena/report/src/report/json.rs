//! A report as JSON: everything, for programs. The keys are those of [`Standings`] and of
//! [`Samples`]; they are listed in `arena/REPORTS.md` and only ever added to while `format` stays
//! the same.

use crate::standings::Standings;
use hattari_play::samples::Samples;
use serde::Serialize;
use std::io::Write;

/// Name and revision of the format.
pub const FORMAT: &str = "hattari.report/2";

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    #[serde(flatten)]
    standings: &'a Standings,
    samples: &'a Samples,
}

/// The standings without the samples, as they stand in a page.
///
/// # Panics
/// Never, as [`render`].
pub fn standings(standings: &Standings) -> serde_json::Value {
    let mut value = serde_json::to_value(standings).expect("plain data");
    if let Some(fields) = value.as_object_mut() {
        fields.insert("format".to_owned(), FORMAT.into());
    }
    value
}

/// Prints the standings and the samples that they were computed from.
///
/// # Panics
/// Never: the values are plain data whose keys are text.
#[must_use]
pub fn render(standings: &Standings, samples: &Samples) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes, standings, samples).expect("memory takes everything");
    String::from_utf8(bytes).expect("JSON is text")
}

/// Writes the same: of very many pairs it would be too large for memory.
///
/// # Errors
/// Returns an error if it cannot be written.
pub fn write(mut to: impl Write, standings: &Standings, samples: &Samples) -> std::io::Result<()> {
    let document = Document {
        format: FORMAT,
        standings,
        samples,
    };
    serde_json::to_writer_pretty(&mut to, &document)?;
    to.write_all(b"\n")
}
