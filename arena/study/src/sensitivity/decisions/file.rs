//! The log file of measured blocks, from which a stopped run continues: a header, then one line of
//! JSON per block.

use super::measure::MeasureOptions;
use super::sums::BlockSums;
use crate::host::AtPath;
use anyhow::{Context, ensure};
use hattari_agents::record::JobId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The description of a measurement. All blocks of a file belong to the measurement that the header
/// of the file describes.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The league, without its number of blocks and its report settings.
    pub league: Value,
    /// Name of each entrant, with the hash of its bot's file.
    pub programs: Vec<String>,
    /// Number of deals and playouts per decision, and the policy of the playouts.
    pub effort: MeasureOptions,
    /// Version of Hattari.
    pub hattari: String,
}

/// A line of the file: one measured block.
#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    job: JobId,
    #[serde(flatten)]
    sums: BlockSums,
}

/// An open log file.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    file: File,
    /// Blocks in the file.
    pub blocks: Vec<(JobId, BlockSums)>,
}

impl Log {
    /// Opens or creates the file. Removes an incomplete last line, for example after a power
    /// failure.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, or if it belongs to another
    /// measurement.
    pub(crate) fn open(path: &Path, header: &Header) -> anyhow::Result<Log> {
        let name = || path.display().to_string();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(name)?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(name)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines().enumerate();
        // The header is checked before the file is truncated, because it could be an unrelated
        // file.
        let is_ours = match lines.next() {
            None => serde_json::to_string(header).is_ok_and(|header| header.starts_with(&text)),
            Some((_, first)) => serde_json::from_str::<Header>(first).ok().as_ref() == Some(header),
        };
        ensure!(
            is_ours,
            "{} contains measurements of another league, other bots or other numbers of deals and \
            playouts; use another folder, or move the file away",
            name()
        );
        file.set_len(whole as u64).with_context(name)?;
        file.seek(SeekFrom::End(0)).with_context(name)?;
        let mut log = Log {
            path: path.to_owned(),
            file,
            blocks: Vec::new(),
        };
        if whole == 0 {
            log.write(header)?;
        }
        for (number, line) in lines {
            let Line { job, sums } = serde_json::from_str(line)
                .with_context(|| format!("{}, line {}", name(), number + 1))?;
            log.blocks.push((job, sums));
        }
        Ok(log)
    }

    /// Adds a block.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(crate) fn add(&mut self, job: JobId, sums: BlockSums) -> anyhow::Result<()> {
        let line = Line { job, sums };
        self.write(&line)?;
        self.blocks.push((job, line.sums));
        Ok(())
    }

    /// Returns `true` if the log contains the block.
    pub(crate) fn contains(&self, job: JobId) -> bool {
        self.blocks.iter().any(|block| block.0 == job)
    }

    fn write(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        let text =
            serde_json::to_string(line).expect("numbers and texts can be written as JSON") + "\n";
        self.file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.flush())
            .at(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn header(playouts: u32) -> Header {
        let effort = MeasureOptions {
            deals: 2,
            playouts,
            fitted: false,
        };
        Header {
            league: Value::Null,
            programs: vec!["a: 1".into()],
            effort,
            hattari: "1".into(),
        }
    }

    #[test]
    fn a_truncated_result_file_is_resumed_after_its_last_complete_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cns.jsonl");
        let jobs = [
            JobId {
                line_up: 0,
                block: 0,
            },
            JobId {
                line_up: 1,
                block: 7,
            },
        ];
        let mut sums = BlockSums::default();
        sums.own[3].raw = 0.1 + 0.2;
        let mut log = Log::open(&path, &header(5)).unwrap();
        jobs.iter()
            .for_each(|&job| log.add(job, sums.clone()).unwrap());
        drop(log);
        // Truncate the last line.
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 9]).unwrap();
        let mut log = Log::open(&path, &header(5)).unwrap();
        assert_eq!(log.blocks, [(jobs[0], sums.clone())]);
        assert!(log.contains(jobs[0]) && !log.contains(jobs[1]));
        log.add(jobs[1], sums).unwrap();
        drop(log);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        let refusal = |header: &Header| Log::open(&path, header).unwrap_err().to_string();
        assert!(refusal(&header(6)).contains("measurements of another league"));
        // An unrelated file is not changed, whether or not it ends with a complete line.
        for other in ["a line\nand the start of another", "no whole line"] {
            fs::write(&path, other).unwrap();
            assert!(refusal(&header(5)).contains("measurements of another league"));
            assert_eq!(fs::read_to_string(&path).unwrap(), other);
        }
        // Truncate the header.
        fs::write(&path, &text[..20]).unwrap();
        assert!(Log::open(&path, &header(5)).unwrap().blocks.is_empty());
        fs::write(&path, text.replacen("\"block\":0", "\"block\":x", 1)).unwrap();
        assert!(refusal(&header(5)).ends_with("cns.jsonl, line 2"));
    }
}
