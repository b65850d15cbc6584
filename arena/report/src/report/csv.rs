//! Reports as CSV files in a folder, for spreadsheets and statistics programs. Numbers have full
//! precision, every file has a header line, and missing values are empty cells. The columns are
//! listed in `arena/REPORTS.md`.

use crate::standings::Standings;
use crate::tables::{CellValue, ColumnHead, RowOrigin, TABLES, TableSink};
use hattari_agents::files::NewFile;
use hattari_agents::text;
use hattari_play::samples::Samples;
use std::io::{self, Write};
use std::path::Path;

/// Writes the tables of a report. `open` creates the file with a given name; `close` finishes it.
fn write_all<W: Write>(
    standings: &Standings,
    samples: &Samples,
    mut open: impl FnMut(String) -> io::Result<W>,
    mut close: impl FnMut(W) -> io::Result<()>,
) -> io::Result<()> {
    for table in TABLES {
        let RowOrigin::Report(fill) = table.origin else {
            continue;
        };
        if table.name == "congeniality" && standings.congeniality.is_none() {
            continue;
        }
        let mut file = Csv {
            writer: csv::Writer::from_writer(open(format!("{}.csv", table.name))?),
            outcome: Ok(()),
        };
        fill(standings, samples, &mut file);
        file.outcome?;
        close(
            file.writer
                .into_inner()
                .map_err(csv::IntoInnerError::into_error)?,
        )?;
    }
    Ok(())
}

/// Returns the files of a report as names and contents.
///
/// # Panics
/// Never panics: writing to memory succeeds, and cells are text.
#[must_use]
pub fn render(standings: &Standings, samples: &Samples) -> Vec<(String, String)> {
    let (mut names, mut texts) = (Vec::new(), Vec::new());
    let open = |name| {
        names.push(name);
        Ok(Vec::new())
    };
    let close = |bytes| {
        texts.push(String::from_utf8(bytes).expect("cells are text"));
        Ok(())
    };
    write_all(standings, samples, open, close).expect("writing to memory cannot fail");
    names.into_iter().zip(texts).collect()
}

/// Writes the files into `folder`, which is created if necessary.
///
/// # Errors
/// Returns an error if the folder or a file cannot be written.
pub fn write(folder: &Path, standings: &Standings, samples: &Samples) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let open = |name: String| NewFile::create(&folder.join(name));
    write_all(standings, samples, open, NewFile::finish)
}

/// A CSV file that is being written.
struct Csv<W: Write> {
    writer: csv::Writer<W>,
    /// The first error, if writing failed.
    outcome: csv::Result<()>,
}

impl<W: Write> Csv<W> {
    fn write<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) {
        if self.outcome.is_ok() {
            let cells = cells
                .into_iter()
                .map(|cell| text::cell(cell.as_ref()).into_owned());
            self.outcome = self.writer.write_record(cells);
        }
    }
}

impl<W: Write> TableSink for Csv<W> {
    fn columns(&mut self, heads: Vec<ColumnHead>) {
        self.write(heads.iter().map(|head| &head.name));
    }

    fn row(&mut self, cells: &[CellValue<'_>]) {
        self.write(cells.iter().map(CellValue::text));
    }
}
