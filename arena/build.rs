//! Embeds files of the project into the program, as one archive: leagues, scripts, C bots, and the
//! SDK.

use flate2::{Compression, GzBuilder};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};
use tar::{Builder, Header};

/// Files and folders of the project that are embedded.
const SHIPPED: [&str; 20] = [
    "LICENSE",
    "SECURITY.md",
    "arena/REPORTS.md",
    "arena/schedulers/README.md",
    "arena/site/coming-from.md",
    "arena/site/concepts.md",
    "arena/site/webassembly.md",
    "arena/site/write-a-bot.md",
    "bots/c",
    "bots/programs/README.md",
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
/// Names of folders that are not embedded: measurements, tests, and build output.
const SKIPPED_FOLDERS: [&str; 5] = ["results", "pictures", "tests", "faulty", "target"];
/// Suffixes of the names of files that are embedded.
const SUFFIXES: [&str; 14] = [
    "LICENSE", ".bin", ".c", ".csv", ".h", ".json", ".lua", ".luau", ".md", ".pbn", ".rs", ".toml",
    ".txt", ".yaml",
];
/// The list of packages that Rust bots depend on, as members of a workspace.
const SDK: &str = "members = [\"plugin-api\", \"plugin-api/games\", \"plugin-api/sources\"]\n";

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the variable"))
        .join("..");
    let mut files = Vec::new();
    for name in SHIPPED {
        collect(&root.join(name), name, &mut files);
    }
    files.push((
        "Cargo.toml".to_owned(),
        sdk_manifest(&root.join("Cargo.toml")).into_bytes(),
    ));
    files.sort();
    let names: BTreeSet<String> = files.iter().map(|(name, _)| name.clone()).collect();
    for (name, content) in files.iter_mut().filter(|(name, _)| name.ends_with(".md")) {
        let text =
            String::from_utf8(std::mem::take(content)).unwrap_or_else(|e| panic!("{name}: {e}"));
        *content = without_dead_links(name, &text, &names).into_bytes();
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets the variable"))
        .join("shipped.tar.gz");
    let file = fs::File::create(&out).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
    let mut archive = Builder::new(GzBuilder::new().mtime(0).write(file, Compression::best()));
    for (name, content) in files {
        let mut header = Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        archive
            .append_data(&mut header, &name, content.as_slice())
            .unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let done = archive
        .into_inner()
        .and_then(flate2::write::GzEncoder::finish);
    done.unwrap_or_else(|e| panic!("{}: {e}", out.display()));
}

/// Adds a file, or the files in a folder, to `files`. Names use `/` as separator.
fn collect(path: &Path, name: &str, files: &mut Vec<(String, Vec<u8>)>) {
    println!("cargo:rerun-if-changed={}", path.display());
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())) {
            let entry = entry
                .expect("the folder is readable")
                .file_name()
                .to_string_lossy()
                .into_owned();
            if !SKIPPED_FOLDERS.contains(&entry.as_str()) {
                collect(&path.join(&entry), &format!("{name}/{entry}"), files);
            }
        }
    } else if SUFFIXES.iter().any(|end| name.ends_with(end)) {
        files.push((
            name.to_owned(),
            fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())),
        ));
    }
}

/// Returns `text`, the page `name`, with links to pages that are not embedded replaced by their
/// labels.
fn without_dead_links(name: &str, text: &str, names: &BTreeSet<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        out += before;
        let (target, later) = after
            .split_once(')')
            .unwrap_or_else(|| panic!("{name}: a link does not end"));
        let page = target.split('#').next().unwrap_or_default();
        let is_dead = page.ends_with(".md")
            && !page.contains("://")
            && !names.contains(&resolve_link(name, page));
        match out.rfind('[').filter(|_| is_dead) {
            Some(open) => _ = out.remove(open),
            None => out += &format!("]({target})"),
        }
        rest = later;
    }
    out + rest
}

/// Resolves the link `target` of page `name` to a path in the project.
fn resolve_link(name: &str, target: &str) -> String {
    let mut parts: Vec<&str> = name.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the project's manifest, reduced to the packages that bots need.
fn sdk_manifest(path: &Path) -> String {
    println!("cargo:rerun-if-changed={}", path.display());
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let (before, list) = text
        .split_once("members = [")
        .expect("the workspace has members");
    let (_, after) = list.split_once("]\n").expect("the list of members ends");
    // The other tables of the workspace refer to packages that are not included.
    let after = after.find("\n[").map_or("", |at| &after[at..]);
    // Profile settings of packages that are not included would cause warnings.
    let after = after.split("[profile.").next().unwrap_or_default();
    format!("{before}{SDK}{after}")
}
