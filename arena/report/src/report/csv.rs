//! Reports as CSV files in a folder, for spreadsheets and statistics programs. Numbers have full
//! precision, every file has a header line, and missing values are empty cells. The columns are
//! listed in `arena/REPORTS.md`.

use crate::standings::Standings;
use crate::tables::{CellValue, ColumnHead, RowOrigin, TABLES, TableSink};
use hattari_agents::files::NewFile;
use hattari_agents::text;
use hattari_play::samples::Samples;
use std::io::{self, ErrorKind};
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
        let path = folder.join(format!("{}.csv", table.name));
        if table.name == "congeniality" && standings.congeniality.is_none() {
            // A file of an earlier report would be taken for a part of this one.
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => continue,
            }
        }
        let file = NewFile::create(&path)?;
        let mut file = Csv {
            writer: csv::Writer::from_writer(file),
            outcome: Ok(()),
        };
        fill(standings, samples, &mut file);
        file.outcome?;
        file.writer
            .into_inner()
            .map_err(csv::IntoInnerError::into_error)?
            .finish()?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_play::mock::Folder;
    use hattari_play::samples::read_scores;
    use std::fs;

    #[test]
    fn symbols_of_an_earlier_report_are_removed() {
        let folder = Folder::new("[first, last]");
        let stale = folder.path("congeniality.csv");
        fs::write(&stale, "old").expect("the folder is writable");
        let samples = read_scores("block,a,b\n1,1,3\n".as_bytes()).expect("valid scores");
        let written = write(&folder.path(""), &Standings::default(), &samples);
        written.expect("the folder is writable");
        assert!(!stale.exists() && folder.path("pairs.csv").exists());
    }
}
