//! Computes a digest of the sources of a bot, for its build script. The bot appends the digest to
//! its version. A league's store then identifies the bot by its sources, independent of compiler
//! and machine. A library without a digest is identified by the bytes of its file.

use std::path::{Path, PathBuf};
use std::{env, fs};
use xxhash_rust::xxh3::Xxh3;

/// The separator between a version and the digest of the sources.
pub const MARK: &str = "+src.";

/// Folders of a package that do not influence the built library.
const OMITTED_FOLDERS: [&str; 2] = ["tests", "benches"];
/// Folders of the SDK, on which every bot depends, relative to this package.
const SDK: [&str; 2] = ["../src", "../games"];

/// Sets the environment variable `HATTARI_VERSION` of the compiler to the package's version with
/// the digest of its sources. Call it from the build script of a bot's package; the bot reads the
/// variable with `env!("HATTARI_VERSION")`.
///
/// Sources are the package's `src`, the versions of its dependencies (`Cargo.lock`), and the SDK.
///
/// # Panics
/// Panics outside of a build script, or if a file cannot be read.
pub fn embed() {
    let root =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it for build scripts"));
    let version = env::var("CARGO_PKG_VERSION").expect("cargo sets it for build scripts");
    let mut files = files(&root, &["src", "Cargo.lock"]);
    files.extend(self::files(Path::new(env!("CARGO_MANIFEST_DIR")), &SDK));
    println!(
        "cargo:rustc-env=HATTARI_VERSION={version}{MARK}{:016x}",
        digest(&files)
    );
}

/// A source file: its name, which is the same on every system, and its path.
pub type Source = (String, PathBuf);

/// Returns the files of `root` with these names, and all files below folders with these names,
/// sorted by name. Omits tests, benches and missing files.
///
/// # Panics
/// Panics if a folder cannot be read.
#[must_use]
pub fn files(root: &Path, names: &[&str]) -> Vec<Source> {
    let mut files = Vec::new();
    for name in names {
        walk(&root.join(name), name, &mut files);
    }
    // Sorting by name gives the same order on every system.
    files.sort();
    files
}

/// Returns the digest of the names and contents of source files, independent of the line endings.
/// Tells Cargo to watch the files.
///
/// # Panics
/// Panics if a file cannot be read.
#[must_use]
pub fn digest(files: &[Source]) -> u64 {
    let mut hash = Xxh3::new();
    for (name, path) in files {
        println!("cargo:rerun-if-changed={}", path.display());
        let mut content = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        content.retain(|&byte| byte != b'\r');
        for part in [name.as_bytes(), &content] {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    hash.digest()
}

/// Lists a file, or all files below a folder. The parts of names are separated by `/` on every
/// system.
fn walk(path: &Path, name: &str, files: &mut Vec<Source>) {
    if path.is_file() {
        files.push((name.to_owned(), path.to_owned()));
        return;
    }
    if !path.is_dir() {
        return;
    }
    println!("cargo:rerun-if-changed={}", path.display());
    for entry in fs::read_dir(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())) {
        let path = entry.expect("a readable folder").path();
        let own = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_file() || !OMITTED_FOLDERS.contains(&own.as_str()) {
            walk(&path, &format!("{name}/{own}"), files);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_depends_only_on_file_names_and_content() {
        let package = |files: &[(&str, &str)]| {
            let folder = tempfile::tempdir().expect("a folder");
            for (name, content) in files {
                let path = folder.path().join(name);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(path, content).expect("a file");
            }
            digest(&super::files(folder.path(), &["src", "Cargo.lock"]))
        };
        let bot = [("src/lib.rs", "mod a;\n"), ("src/a/mod.rs", "// a\n")];
        let same = package(&bot);
        assert_eq!(
            package(&[
                ("src/a/mod.rs", "// a\r\n"),
                bot[0],
                ("src/tests/x.rs", ""),
                ("README.md", "")
            ]),
            same
        );
        for other in [
            [bot[0], ("src/a/mod.rs", "// b\n")],
            [bot[0], ("src/b/mod.rs", "// a\n")],
            [("src/lib.rs", "mod a;\n// a\n"), ("src/a/mod.rs", "")],
        ] {
            assert_ne!(package(&other), same, "{other:?}");
        }
        assert_ne!(package(&[bot[0], bot[1], ("Cargo.lock", "")]), same);
    }
}
