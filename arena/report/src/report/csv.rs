//! Reports as CSV files in a folder, for spreadsheets and statistics programs. Numbers have full
//! precision, every file has a header line, and missing values are empty cells. The columns are
//! listed in `arena/REPORTS.md`.

use crate::standings::Standings;
use crate::tables::{CellValue, ColumnHead, RowOrigin, TABLES, TableSink};
use hattari_agents::files::NewFile;
use hattari_agents::text;
use hattari_play::samples::Samples;
use std::io;
use std::path::Path;

/// Writes the tables of a report into `folder`, which is created if necessary.
///
/// # Errors
/// Returns an error if the folder or a file cannot be written.
pub fn write(folder: &Path, standings: &Standings, samples: &Samples) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for table in TABLES {
        let RowOrigin::Report(fill) = table.origin else {
            continue;
        };
        if table.name == "congeniality" && standings.congeniality.is_none() {
            continue;
        }
        let file = NewFile::create(&folder.join(format!("{}.csv", table.name)))?;
        let mut file = Csv {
            writer: csv::Writer::from_writer(file),
            outcome: Ok(()),
        };
        fill(standings, samples, &mut file);
        file.outcome?;
        let written = file.writer.into_inner();
        written.map_err(csv::IntoInnerError::into_error)?.finish()?;
    }
    Ok(())
}

/// A CSV file that is being written.
struct Csv {
    writer: csv::Writer<NewFile>,
    /// The first error, if writing failed.
    outcome: csv::Result<()>,
}

impl Csv {
    fn write<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) {
        if self.outcome.is_ok() {
            let cells = cells
                .into_iter()
                .map(|cell| text::escape_cell(cell.as_ref()).into_owned());
            self.outcome = self.writer.write_record(cells);
        }
    }
}

impl TableSink for Csv {
    fn columns(&mut self, heads: Vec<ColumnHead>) {
        self.write(heads.iter().map(|head| &head.name));
    }

    fn row(&mut self, cells: &[CellValue<'_>]) {
        self.write(cells.iter().map(CellValue::text));
    }
}
