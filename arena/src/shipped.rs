//! What belongs to the program besides itself, and is in it: leagues, scripts, bots in C, what bots
//! are built with. A program that was copied somewhere, or installed without its project, has them
//! all the same.

use flate2::read::GzDecoder;
use std::io::{self, Read};
use std::path::Path;
use std::{fs, process};
use tar::Archive;

static ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/shipped.tar.gz"));

/// What Rust bots are built with, by the beginnings of paths.
const SDK: [&str; 3] = ["Cargo.toml", "LICENSE", "plugin-api/"];

/// A file: its path as in the project, with `/` between names, and what is in it.
pub type File = (String, Vec<u8>);

/// All files, in the order of their paths.
///
/// # Panics
/// Never: the archive was made when this program was built.
#[must_use]
pub fn files() -> Vec<File> {
    let mut archive = Archive::new(GzDecoder::new(ARCHIVE));
    let entries = archive.entries().expect("the archive is whole");
    let read = |entry: io::Result<tar::Entry<'_, _>>| {
        let mut entry = entry.expect("the archive is whole");
        let path = entry
            .path()
            .expect("paths are text")
            .to_string_lossy()
            .into_owned();
        let mut content = Vec::new();
        entry
            .read_to_end(&mut content)
            .expect("the archive is whole");
        (path, content)
    };
    entries.map(read).collect()
}

/// The packages that Rust bots are built with, as a workspace.
#[must_use]
pub fn sdk() -> Vec<File> {
    files()
        .into_iter()
        .filter(|(path, _)| SDK.iter().any(|begin| path.starts_with(begin)))
        .collect()
}

/// Writes all files below `folder`, which may be there as long as it is empty. Says how many they
/// are. What could not be written as a whole is not there.
///
/// # Errors
/// The folder holds something, or cannot be written.
pub fn unpack(folder: &Path) -> io::Result<usize> {
    let above = folder.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(if above.as_os_str().is_empty() {
        Path::new(".")
    } else {
        above
    })?;
    // Beside it, then at once in its place: nobody meets half of it.
    let beside = folder.with_file_name(format!(".hattari-{}", process::id()));
    let files = files();
    let write = || {
        for (path, content) in &files {
            let path = beside.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&beside))?;
            fs::write(path, content)?;
        }
        fs::rename(&beside, folder)
    };
    let outcome = write();
    if outcome.is_err() {
        // What could not be written is the error to tell.
        _ = fs::remove_dir_all(&beside);
    }
    outcome.map(|()| files.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::{Component, PathBuf};

    /// Returns the pages that a page refers to by relative links.
    fn linked(name: &str, text: &str) -> Vec<PathBuf> {
        let targets = text
            .split("](")
            .skip(1)
            .filter_map(|after| after.split([')', '#']).next());
        let pages = targets.filter(|target| target.ends_with(".md") && !target.contains("://"));
        pages
            .map(|target| {
                let mut place = PathBuf::new();
                for part in Path::new(name).with_file_name(target).components() {
                    if part == Component::ParentDir {
                        _ = place.pop()
                    } else {
                        place.push(part)
                    }
                }
                place
            })
            .collect()
    }

    #[test]
    fn pages_refer_to_pages_that_are_there() {
        let files = files();
        let names: BTreeSet<&Path> = files.iter().map(|(name, _)| Path::new(name)).collect();
        for page in [
            "bots/programs/README.md",
            "arena/REPORTS.md",
            "arena/site/write-a-bot.md",
            "SECURITY.md",
        ] {
            assert!(names.contains(Path::new(page)), "{page}");
        }
        for (name, content) in files.iter().filter(|(name, _)| name.ends_with(".md")) {
            for page in linked(name, &String::from_utf8_lossy(content)) {
                assert!(names.contains(&*page), "{name}: {}", page.display());
            }
        }
    }
}
