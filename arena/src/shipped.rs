//! Files that are embedded in the program: leagues, scripts, C bots, and the SDK. They are
//! available even if only the program is installed.

use flate2::read::GzDecoder;
use std::io::{self, Read};
use std::path::Path;
use std::{fs, process};
use tar::Archive;

static ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/shipped.tar.gz"));

/// Path prefixes of the files needed to build Rust bots.
const SDK: [&str; 3] = ["Cargo.toml", "LICENSE", "plugin-api/"];

/// An embedded file: path relative to the project, with `/` as separator, and contents.
pub(crate) type File = (String, Vec<u8>);

/// Returns all embedded files, sorted by path.
///
/// # Panics
/// Panics if the embedded archive, which the build script creates, is damaged.
pub(crate) fn files() -> Vec<File> {
    let mut archive = Archive::new(GzDecoder::new(ARCHIVE));
    let entries = archive.entries().expect("the embedded archive is valid");
    entries
        .map(|entry| {
            let mut entry = entry.expect("the embedded archive is valid");
            let path = entry
                .path()
                .expect("embedded paths are valid UTF-8")
                .to_string_lossy()
                .into_owned();
            let mut content = Vec::new();
            entry
                .read_to_end(&mut content)
                .expect("the embedded archive is valid");
            (path, content)
        })
        .collect()
}

/// Returns the files of the packages that Rust bots depend on, which form a workspace.
pub(crate) fn sdk() -> Vec<File> {
    files()
        .into_iter()
        .filter(|(path, _)| SDK.iter().any(|begin| path.starts_with(begin)))
        .collect()
}

/// Writes all embedded files into `folder`. Returns the number of files.
///
/// # Errors
/// Returns the errors of `write`.
pub(crate) fn unpack(folder: &Path) -> io::Result<usize> {
    let files = files();
    let parts = files.iter().map(|(path, content)| (&**path, &**content));
    write(folder, parts).map(|()| files.len())
}

/// Writes files, given by their paths in `folder` and their contents, into `folder`, which must be
/// empty or not exist. After an error, the folder is unchanged.
///
/// # Errors
/// Returns an error if the folder is not empty or cannot be written.
pub(crate) fn write<'a>(
    folder: &Path,
    files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
) -> io::Result<()> {
    // The files are written to a temporary folder, which is then renamed, so that no incomplete
    // folder is visible.
    let temporary = folder.with_file_name(format!(".hattari-{}", process::id()));
    let write = || {
        fs::create_dir_all(&temporary)?;
        for (path, content) in files {
            let path = temporary.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&temporary))?;
            fs::write(path, content)?;
        }
        fs::rename(&temporary, folder)
    };
    let outcome = write();
    if outcome.is_err() {
        // Report the write error, not an error of the cleanup.
        _ = fs::remove_dir_all(&temporary);
    }
    outcome
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
    fn links_in_shipped_pages_point_to_shipped_pages() {
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

    #[test]
    fn bundled_files_equal_the_files_of_the_project() {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let files = files();
        for path in [
            "leagues/table1.yaml",
            "leagues/published/table1.csv",
            "scripts/daihinmin/tactician.lua",
            "bots/c/template.c",
            "plugin-api/games/poker/heads_up.bin",
        ] {
            assert!(
                files.iter().any(|(name, _)| name == path) || !project.join(path).exists(),
                "{path} is not brought"
            );
        }
        // Compares without links, because links to pages that are not installed are removed.
        let without_links = |text: &str| {
            let text = text.replace('[', "");
            let mut parts = text.split("](");
            let first = parts.next().unwrap_or_default().to_owned();
            first
                + &parts
                    .map(|part| part.split_once(')').map_or(part, |(_, after)| after))
                    .collect::<String>()
        };
        for (path, content) in files.iter().filter(|(path, _)| path != "Cargo.toml") {
            let here = fs::read(project.join(path)).unwrap();
            if path.ends_with(".md") {
                let [brought, here] =
                    [content, &here].map(|text| without_links(&String::from_utf8_lossy(text)));
                assert!(brought == here, "{path} is another page");
            } else {
                assert!(*content == here, "{path} has another content");
            }
        }
    }
}
