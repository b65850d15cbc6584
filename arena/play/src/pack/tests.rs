//! A pack for tests.

use super::{FORMAT, Manifest, PackedFile, sha256};
use std::collections::BTreeMap;

/// Returns the list of a pack with these paths and texts, of which the first is the league, and the
/// contents of the files.
pub(super) fn listed(files: &[(&str, &str)]) -> (Manifest, Vec<Vec<u8>>) {
    let file = |(path, text): &(&str, &str)| PackedFile {
        path: (*path).to_owned(),
        size: text.len() as u64,
        sha256: sha256(text.as_bytes()),
    };
    let manifest = Manifest {
        format: FORMAT,
        hattari: "1".into(),
        league: files[0].0.to_owned(),
        bots: BTreeMap::new(),
        files: files.iter().map(file).collect(),
    };
    let contents = files.iter().map(|(_, text)| text.as_bytes().to_vec());
    (manifest, contents.collect())
}
