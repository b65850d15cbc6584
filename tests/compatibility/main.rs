//! Tests with unchanged files of version 0.2 (`tests/v0.2`): stores, packs, leagues, bots,
//! scaffolds, reports and names.

mod bots;
mod cases;
mod leagues;
mod names;
mod reports;
mod scaffolds;
#[path = "../support/mod.rs"]
mod support;

use crate::support::{Folder, project};
use flate2::read::GzDecoder;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Returns the path of a file of the corpus.
fn corpus(name: &str) -> PathBuf {
    project().join("tests/v0.2").join(name)
}

/// Reads a text of the corpus.
#[track_caller]
fn corpus_text(name: &str) -> String {
    fs::read_to_string(corpus(name)).unwrap_or_else(|error| panic!("tests/v0.2/{name}: {error}"))
}

/// Reads a file that may be compressed.
fn unpacked(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if path.extension().is_none_or(|ending| ending != "gz") {
        return bytes;
    }
    let mut whole = Vec::new();
    GzDecoder::new(&bytes[..]).read_to_end(&mut whole).unwrap();
    whole
}

/// Copies a file or folder of the corpus into `folder` as `name`. Compressed files are unpacked.
fn copy(folder: &Folder, from: &str, name: &str) {
    let path = corpus(from);
    if path.is_dir() {
        for entry in fs::read_dir(&path).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            copy(folder, &format!("{from}/{file}"), &format!("{name}/{file}"));
        }
    } else {
        folder.write(name.trim_end_matches(".gz"), unpacked(&path));
    }
}
