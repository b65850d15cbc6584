//! Build script of the bot packages: adds every `pub const NAME: Declared<…>` of `src/bots/*.rs` to
//! the list of bots, so that a new bot needs only a new file.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let folder = root.join("src/bots");
    println!("cargo:rerun-if-changed={}", folder.display());

    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    files.sort();

    let (mut modules, mut paths) = (String::new(), String::new());
    for file in &files {
        let name = file
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default();
        let is_word = !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        assert!(
            is_word,
            "{}: the name must be that of a module: lower case letters, digits, `_`",
            file.display()
        );
        let path = file.display().to_string();
        modules += &format!("#[path = {path:?}]\npub mod {name};\n");
        for bot in declared(file) {
            paths += &format!("        $crate::bots::{name}::{bot},\n");
        }
    }
    let listed = format!(
        "macro_rules! every_bot {{\n    ($($with:tt)*) => {{ $($with)*![\n{paths}    ]; }};\n}}\n"
    );
    let collected = "every_bot!(hattari_plugin::collect_bots);\n";
    let source = format!("{modules}\n{EVERY_BOT}\n#[macro_export]\n{listed}\n{collected}");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("bots.rs");
    fs::write(&out, source).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
}

/// Documentation of the generated macro that lists all bots.
const EVERY_BOT: &str = "/// Passes all bots of this package to a macro: `every_bot!(hattari_plugin::export_bots);` makes a library of them.";

/// Returns the names of the constants of type `Declared` in `file`. Panics if there is none.
fn declared(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let names = text.lines().filter_map(|line| {
        let (name, ty) = line.strip_prefix("pub const ")?.split_once(':')?;
        ty.trim_start()
            .starts_with("Declared<")
            .then(|| name.trim().to_owned())
    });
    let names: Vec<String> = names.collect();
    assert!(
        !names.is_empty(),
        "{}: the file declares no bot; add a line `pub const NAME: Declared<Game, …>`",
        file.display()
    );
    names
}
