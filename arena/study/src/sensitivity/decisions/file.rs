//! The file in which blocks are kept, so that a run that was stopped goes on: a header, then a line
//! of JSON a block.

use super::measure::Effort;
use super::sums::BlockSums;
use hattari_agents::record::JobId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What the blocks of a file are blocks of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The league, without the number of its blocks.
    pub(crate) league: Value,
    /// The bots' files.
    pub(crate) programs: Vec<String>,
    /// How much is spent on a decision.
    pub(crate) effort: Effort,
    /// Version of the host.
    pub(crate) hattari: String,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    job: JobId,
    #[serde(flatten)]
    sums: BlockSums,
}

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LogError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It belongs to something else.
    #[error("{} holds measures of another league, other bots or another effort; take another folder, or move it away", .0.display())]
    Other(PathBuf),
    /// A line in its midst is none of ours.
    #[error("{}, line {line}: {error}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        error: serde_json::Error,
    },
}

/// The file of a measurement.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    file: File,
    /// The blocks that it holds.
    pub(crate) blocks: Vec<(JobId, BlockSums)>,
}

impl Log {
    /// Opens or makes the file. A last line that was cut off, as by a loss of power, is taken away.
    ///
    /// # Errors
    /// It cannot be read or written, or is of something else.
    pub(crate) fn open(path: &Path, header: &Header) -> Result<Log, LogError> {
        let io = |error| LogError::Io {
            path: path.to_owned(),
            error,
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines().enumerate();
        // Looked at before anything is taken away: it may be somebody else's.
        let is_ours = match lines.next() {
            None => serde_json::to_string(header).is_ok_and(|header| header.starts_with(&text)),
            Some((_, first)) => serde_json::from_str::<Header>(first).ok().as_ref() == Some(header),
        };
        if !is_ours {
            return Err(LogError::Other(path.to_owned()));
        }
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let mut log = Log {
            path: path.to_owned(),
            file,
            blocks: Vec::new(),
        };
        if whole == 0 {
            log.write(header)?;
        }
        for (number, line) in lines {
            let broken = |error| LogError::Broken {
                path: path.to_owned(),
                line: number + 1,
                error,
            };
            let Line { job, sums } = serde_json::from_str(line).map_err(broken)?;
            log.blocks.push((job, sums));
        }
        Ok(log)
    }

    /// Adds a block.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn add(&mut self, job: JobId, sums: BlockSums) -> Result<(), LogError> {
        let line = Line { job, sums };
        self.write(&line)?;
        self.blocks.push((job, line.sums));
        Ok(())
    }

    /// Whether a block is there.
    #[must_use]
    pub(crate) fn holds(&self, job: JobId) -> bool {
        self.blocks.iter().any(|block| block.0 == job)
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), LogError> {
        let text = serde_json::to_string(line).expect("numbers and texts") + "\n";
        let written = self
            .file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.flush());
        written.map_err(|error| LogError::Io {
            path: self.path.clone(),
            error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn header(playouts: u32) -> Header {
        let effort = Effort {
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
    fn a_file_goes_on_where_it_stopped() {
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
        // The last line is cut.
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 9]).unwrap();
        let mut log = Log::open(&path, &header(5)).unwrap();
        assert_eq!(log.blocks, [(jobs[0], sums.clone())]);
        assert!(log.holds(jobs[0]) && !log.holds(jobs[1]));
        log.add(jobs[1], sums).unwrap();
        drop(log);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert!(matches!(
            Log::open(&path, &header(6)),
            Err(LogError::Other(_))
        ));
        // What is somebody else's stays as it is, whether it ends in a whole line or not.
        for other in ["a line\nand the start of another", "no whole line"] {
            fs::write(&path, other).unwrap();
            assert!(matches!(
                Log::open(&path, &header(5)),
                Err(LogError::Other(_))
            ));
            assert_eq!(fs::read_to_string(&path).unwrap(), other);
        }
        // The header itself was cut.
        fs::write(&path, &text[..20]).unwrap();
        assert!(Log::open(&path, &header(5)).unwrap().blocks.is_empty());
        fs::write(&path, text.replacen("\"block\":0", "\"block\":x", 1)).unwrap();
        assert!(matches!(
            Log::open(&path, &header(5)),
            Err(LogError::Broken { line: 2, .. })
        ));
    }
}
