//! Helper files: what a script requires of the folder that it lies in, and nowhere else.
//!
//! Which files a bot is made of is known before anything of it runs: `require` takes a name in
//! quotes, and is found in the text. So the files belong to the bot's version, are packed with it,
//! and are the same for every instance.

use super::budget::Limits;
use super::{loops, source};
use std::fs;
use std::path::{Path, PathBuf};

/// Most helper files of a script.
const MODULES_MAX: usize = 64;

/// A helper file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Module {
    /// What it is required by: the file's name without its ending.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// What it holds.
    pub text: String,
}

/// The helper files of the script at `file`, whose text is `text`: those that it requires, and
/// those that they require, each once, in the order of their names.
///
/// # Errors
/// `file:line: …`: a name that is no file of the folder, or is not given in quotes; a file that
/// cannot be read; too many, or too much text in all.
pub(super) fn of(file: &Path, text: &str) -> Result<Vec<Module>, String> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut found: Vec<Module> = Vec::new();
    let mut open = vec![(file.to_owned(), text.to_owned())];
    let mut bytes = text.len();
    while let Some((file, text)) = open.pop() {
        for (line, word) in loops::required(&text) {
            let fail = |what: String| format!("{}:{line}: require: {what}", file.display());
            let word = word.ok_or_else(|| {
                fail("takes the name of a file in quotes, for the files of a bot are known before it runs".to_owned())
            })?;
            let name = plain(word).ok_or_else(|| {
                fail(format!(
                    "`{word}` is no file beside this one: helper files lie in the bot's own folder and are called by their names, of \
                     letters, digits, `-` and `_`"
                ))
            })?;
            if found.iter().any(|module| module.name == name) {
                continue;
            }
            let path = beside(folder, name).map_err(fail)?;
            let text =
                source(&path).map_err(|error| fail(format!("`{}`: {error}", path.display())))?;
            bytes += text.len();
            if Limits::SOURCE < bytes {
                return Err(fail(format!(
                    "with `{name}` the bot has more than {} KiB of source",
                    Limits::SOURCE / 1024
                )));
            }
            let text = String::from_utf8(text)
                .ok()
                .filter(|text| !text.contains('\0'));
            let text =
                text.ok_or_else(|| fail(format!("`{}` is not text in UTF-8", path.display())))?;
            if found.len() == MODULES_MAX {
                return Err(fail(format!(
                    "a bot has at most {MODULES_MAX} helper files"
                )));
            }
            open.push((path.clone(), text.clone()));
            found.push(Module {
                name: name.to_owned(),
                path,
                text,
            });
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

/// The hash of a script with its helper files; that of its text alone where it has none.
pub(super) fn hash(text: &[u8], modules: &[Module]) -> u64 {
    if modules.is_empty() {
        return xxhash_rust::xxh3::xxh3_64(text);
    }
    let mut hash = xxhash_rust::xxh3::Xxh3::new();
    let mut add = |bytes: &[u8]| {
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(text);
    for module in modules {
        add(module.name.as_bytes());
        add(module.text.as_bytes());
    }
    hash.digest()
}

/// The plain name in what is required: `./cards.lua` and `cards` are the same file.
fn plain(word: &str) -> Option<&str> {
    let name = word.strip_prefix("./").unwrap_or(word);
    let name = name
        .strip_suffix(".lua")
        .or_else(|| name.strip_suffix(".luau"))
        .unwrap_or(name);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
}

/// The file of that name in a folder, whatever links there are.
fn beside(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let candidates = ["lua", "luau"].map(|ending| folder.join(format!("{name}.{ending}")));
    let Some(path) = candidates.iter().find(|path| path.is_file()) else {
        return Err(format!("there is no file `{}`", candidates[0].display()));
    };
    let (real, home) = (fs::canonicalize(path), fs::canonicalize(folder));
    match (real, home) {
        (Ok(real), Ok(home)) if real.parent() == Some(&home) => Ok(path.clone()),
        (Ok(_), Ok(_)) => Err(format!(
            "`{}` is a link that leads out of the bot's folder",
            path.display()
        )),
        (Err(error), _) | (_, Err(error)) => Err(format!("`{}`: {error}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn helper_files_are_found_in_the_text() {
        let folder = folder(&[
            (
                "one.lua",
                "local two = require 'two'\nlocal self = require('one')",
            ),
            (
                "two.luau",
                "-- require('three')\nreturn { require = 1, text = \"require('four')\", own = view.require('five') }",
            ),
        ]);
        let main = folder.path().join("mine.lua");
        let found = of(
            &main,
            "local one = require(\"./one.lua\")\nlocal two = require [[two]]",
        )
        .unwrap();
        let names: Vec<&str> = found.iter().map(|module| module.name.as_str()).collect();
        assert_eq!(names, ["one", "two"]);
        assert_eq!(found[1].path, folder.path().join("two.luau"));
        assert_eq!(
            of(&main, "return { act = function() return 1 end }").unwrap(),
            []
        );
        // Every file counts for what the bot is.
        let changed = [
            found[0].clone(),
            Module {
                text: "other".into(),
                ..found[1].clone()
            },
        ];
        let hashes = [
            hash(b"main", &[]),
            hash(b"main", &found),
            hash(b"main", &changed),
            hash(b"other", &found),
        ];
        assert_eq!(hashes[0], xxhash_rust::xxh3::xxh3_64(b"main"));
        assert!(
            (0..4).all(|i| (0..i).all(|j| hashes[i] != hashes[j])),
            "{hashes:?}"
        );
    }

    #[test]
    fn no_way_leads_out_of_the_folder() {
        let outside = folder(&[("secret.lua", "return 'secret'")]);
        let folder = folder(&[("latin.lua", "")]);
        fs::write(folder.path().join("latin.lua"), b"return '\xe4'").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(
            outside.path().join("secret.lua"),
            folder.path().join("link.lua"),
        )
        .unwrap();
        let main = folder.path().join("mine.lua");
        let secret = outside.path().join("secret").display().to_string();
        for (text, words) in [
            (
                "local x = 1\nrequire('../secret')",
                ":2: require: `../secret` is no file beside this one",
            ),
            (
                &format!("require('{secret}')"),
                "is no file beside this one",
            ),
            ("require('sub/secret')", "is no file beside this one"),
            ("require('..')", "is no file beside this one"),
            ("require('')", "is no file beside this one"),
            ("require('a\\x2fb')", "is no file beside this one"),
            ("require('gone')", "gone.lua`"),
            ("require('latin')", "not text in UTF-8"),
            ("require('x' .. 'y')", "takes the name of a file in quotes"),
            ("require(name)", "takes the name of a file in quotes"),
            #[cfg(unix)]
            (
                "require('link')",
                "is a link that leads out of the bot's folder",
            ),
        ] {
            let message = of(&main, text).expect_err(text);
            assert!(message.contains(words), "{text}: {message}");
        }
    }
}
