//! The C headers are generated from the Rust types, compared with the committed files, compiled,
//! and checked for changes that would break existing bots.
//!
//! `UPDATE=1 cargo test -p hattari-plugin --test headers` writes headers and layouts.

mod abi;
mod abi32;
#[path = "../support/build.rs"]
mod build;
mod compile;
mod layout;
mod model;

use hattari_plugin::headers;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Returns the folder of this package.
fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the folder of the headers.
fn include() -> PathBuf {
    package().join("include")
}

/// Returns the names and texts of all headers, generated from the Rust types.
fn all_headers() -> Vec<(String, String)> {
    let mut all = vec![("hattari.h".to_owned(), abi::header(&model::parse()))];
    all.extend(
        hattari_plugin::games::SCHEMAS
            .iter()
            .map(|schema| (headers::file_name(schema), headers::of_game(schema))),
    );
    all
}

/// Compares a committed file with the expected text, or writes it if `UPDATE` is set.
fn check_committed(path: &Path, expected: &str) {
    if env::var_os("UPDATE").is_some() {
        fs::write(path, expected).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        return;
    }
    let committed = fs::read_to_string(path).unwrap_or_default();
    if committed != expected {
        let differs = committed
            .lines()
            .zip(expected.lines())
            .position(|(old, new)| old != new);
        let line =
            differs.unwrap_or_else(|| committed.lines().count().min(expected.lines().count()));
        panic!(
            "{} differs from the Rust types, from line {} on:\n  found    {}\n  expected {}\n\
             Run the test with UPDATE=1 to write the file, and review the difference.",
            path.display(),
            line + 1,
            committed.lines().nth(line).unwrap_or("(end)"),
            expected.lines().nth(line).unwrap_or("(end)"),
        );
    }
}

#[test]
fn committed_headers_match_the_rust_types() {
    for (name, text) in all_headers() {
        // Some compilers accept only ASCII, even in comments.
        assert!(
            text.is_ascii(),
            "{name} contains characters that are not ASCII: {:?}",
            text.split(' ').find(|w| !w.is_ascii())
        );
        check_committed(&include().join(name), &text);
    }
}
