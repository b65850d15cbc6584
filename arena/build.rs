//! Puts what belongs to the program besides itself into it, as one archive: leagues, scripts, bots in C, and what bots are built with.

use flate2::{Compression, GzBuilder};
use std::path::{Path, PathBuf};
use std::{env, fs};
use tar::{Builder, Header};

/// Files and folders of the project.
const SHIPPED: [&str; 12] = [
    "LICENSE",
    "bots/c",
    "leagues",
    "plugin-api/Cargo.toml",
    "plugin-api/README.md",
    "plugin-api/benches",
    "plugin-api/examples",
    "plugin-api/games",
    "plugin-api/include",
    "plugin-api/sources",
    "plugin-api/src",
    "scripts",
];
/// Names of folders in them that stay behind: what was measured, what is for tests, what cargo builds.
const BEHIND: [&str; 5] = ["results", "pictures", "tests", "faulty", "target"];
/// What is taken of them, by the ends of names.
const ENDS: [&str; 14] =
    ["LICENSE", ".bin", ".c", ".csv", ".h", ".json", ".lua", ".luau", ".md", ".pbn", ".rs", ".toml", ".txt", ".yaml"];
/// The packages that Rust bots are built with: members of a workspace of their own.
const SDK: &str = "members = [\"plugin-api\", \"plugin-api/games\", \"plugin-api/sources\"]\n";

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("..");
    let mut files = Vec::new();
    for name in SHIPPED {
        collect(&root.join(name), name, &mut files);
    }
    files.push(("Cargo.toml".to_owned(), sdk_manifest(&root.join("Cargo.toml")).into_bytes()));
    files.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("shipped.tar.gz");
    let file = fs::File::create(&out).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
    let mut archive = Builder::new(GzBuilder::new().mtime(0).write(file, Compression::best()));
    for (name, content) in files {
        let mut header = Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        archive.append_data(&mut header, &name, content.as_slice()).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let done = archive.into_inner().and_then(flate2::write::GzEncoder::finish);
    done.unwrap_or_else(|e| panic!("{}: {e}", out.display()));
}

/// Adds a file, or what is below a folder, by names with `/` between their parts.
fn collect(path: &Path, name: &str, files: &mut Vec<(String, Vec<u8>)>) {
    println!("cargo:rerun-if-changed={}", path.display());
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())) {
            let entry = entry.expect("a readable folder").file_name().to_string_lossy().into_owned();
            if !BEHIND.contains(&entry.as_str()) {
                collect(&path.join(&entry), &format!("{name}/{entry}"), files);
            }
        }
    } else if ENDS.iter().any(|end| name.ends_with(end)) {
        files.push((name.to_owned(), fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))));
    }
}

/// The project's manifest with no members but what bots are built with.
fn sdk_manifest(path: &Path) -> String {
    println!("cargo:rerun-if-changed={}", path.display());
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let (before, list) = text.split_once("members = [").expect("the workspace has members");
    let (_, after) = list.split_once("]\n").expect("the list of members ends");
    // What else is said of members is of those that are not here.
    let after = after.find("\n[").map_or("", |at| &after[at..]);
    // What is said of packages that are not here would be warned of.
    let after = after.split("[profile.").next().unwrap_or_default();
    format!("{before}{SDK}{after}")
}
