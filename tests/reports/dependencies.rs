//! The dependencies between packages, and between the modules of each, are those of
//! `tests/data/dependencies.txt`.

mod cycles;

use crate::support::project;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Maps a package or module to those that it uses.
type Dependencies = BTreeMap<String, BTreeSet<String>>;

/// Returns the dependencies that a list allows: lines such as
/// `hattari-play → hattari-agents hattari-stats` and `agents/table agents/agent → record text`.
fn allowed(list: &str) -> Dependencies {
    let lines = list.lines().filter_map(|line| line.split_once(" →"));
    let words = |words: &str| words.split_whitespace().map(str::to_owned).collect();
    let dependencies = lines.flat_map(|(from, to)| {
        let users = from.split_whitespace();
        users.map(move |user| (user.to_owned(), words(to)))
    });
    dependencies.collect()
}

/// Returns the folders of the workspace's packages, with `bots/*` expanded.
fn packages() -> Vec<PathBuf> {
    let manifest: toml::Table = fs::read_to_string(project().join("Cargo.toml"))
        .unwrap()
        .parse()
        .unwrap();
    let members = manifest["workspace"]["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|member| member.as_str().unwrap());
    members
        .flat_map(|member| match member.strip_suffix("/*") {
            None => vec![project().join(member)],
            Some(folder) => {
                let entries = fs::read_dir(project().join(folder))
                    .unwrap()
                    .map(|entry| entry.unwrap().path());
                entries
                    .filter(|path| path.join("Cargo.toml").is_file())
                    .collect()
            }
        })
        .collect()
}

/// Returns a package's name and the packages of the project that its build needs. Dependencies of
/// its tests do not count.
fn needs(folder: &Path) -> (String, BTreeSet<String>) {
    let manifest: toml::Table = fs::read_to_string(folder.join("Cargo.toml"))
        .unwrap()
        .parse()
        .unwrap();
    let name = manifest["package"]["name"].as_str().unwrap().to_owned();
    let needed = manifest
        .get("dependencies")
        .and_then(toml::Value::as_table)
        .into_iter()
        .flat_map(|table| table.keys());
    (
        name,
        needed
            .filter(|needed| needed.starts_with("hattari"))
            .cloned()
            .collect(),
    )
}

/// Returns the modules that a file's own code names as `crate::module`. Comments and tests are
/// ignored.
fn names(source: &str) -> BTreeSet<String> {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let mut names = BTreeSet::new();
    for line in lines {
        for (at, _) in line.match_indices("crate::") {
            let inside_a_word = line[..at]
                .ends_with(|letter: char| letter.is_alphanumeric() || "_$".contains(letter));
            let module = line[at + "crate::".len()..]
                .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            names.extend(
                module
                    .take(1)
                    .filter(|module| !inside_a_word && !module.is_empty())
                    .map(str::to_owned),
            );
        }
    }
    names
}

/// Returns the top-level modules of a package, and the other modules that each uses.
fn modules(source: &Path, name: &str) -> Dependencies {
    let mut dependencies = Dependencies::new();
    let top = fs::read_to_string(source.join("lib.rs")).unwrap();
    let lines: Vec<&str> = top.lines().collect();
    let is_product = |number: usize| {
        !(number > 0 && lines[number - 1].contains("cfg(") && lines[number - 1].contains("test"))
    };
    let declared = (0..lines.len())
        .filter(|&number| is_product(number))
        .filter_map(|number| {
            let line = lines[number];
            line.strip_prefix("pub mod ")
                .or(line.strip_prefix("mod "))
                .and_then(|rest| rest.strip_suffix(';'))
        });
    let declared: BTreeSet<&str> = declared.collect();
    for module in &declared {
        let mut files = vec![source.join(format!("{module}.rs"))];
        walk(&source.join(module), &mut files);
        let mut uses = BTreeSet::new();
        for file in files.iter().filter(|file| file.is_file()) {
            uses.extend(names(&fs::read_to_string(file).unwrap()));
        }
        uses.retain(|other| other != module && declared.contains(other.as_str()));
        dependencies.insert(format!("{name}/{module}"), uses);
    }
    dependencies
}

/// Collects all sources in a folder and its subfolders, except tests, which are recognised by name.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let is_test = path
            .file_stem()
            .is_some_and(|stem| stem.to_string_lossy().ends_with("tests"));
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            files.push(path);
        }
    }
}

/// Returns the errors: dependencies that are not allowed, allowed ones that are unused, and cycles.
fn errors(allowed: &Dependencies, found: &Dependencies) -> Vec<String> {
    let mut errors = Vec::new();
    let none = BTreeSet::new();
    for from in allowed.keys().chain(found.keys()).collect::<BTreeSet<_>>() {
        let (allowed, found) = (
            allowed.get(from).unwrap_or(&none),
            found.get(from).unwrap_or(&none),
        );
        errors.extend(
            found
                .difference(allowed)
                .map(|to| format!("{from} → {to} is not allowed")),
        );
        errors.extend(
            allowed
                .difference(found)
                .map(|to| format!("{from} → {to} is allowed, but unused")),
        );
    }
    // Modules that use no remaining module are removed; cycles remain.
    let short = |module: &str| module.rsplit('/').next().unwrap().to_owned();
    let package = |module: &str| {
        module
            .rsplit_once('/')
            .map(|(package, _)| package.to_owned())
    };
    let mut left: Dependencies = found.clone();
    loop {
        let is_free = |from: &String, uses: &BTreeSet<String>| {
            !uses.iter().any(|to| {
                left.keys()
                    .any(|other| short(other) == *to && package(other) == package(from))
            })
        };
        let free: Vec<String> = left
            .iter()
            .filter(|(from, uses)| is_free(from, uses))
            .map(|(from, _)| from.clone())
            .collect();
        if free.is_empty() {
            break;
        }
        free.iter().for_each(|from| drop(left.remove(from)));
    }
    errors.extend(left.keys().map(|from| format!("{from} is part of a cycle")));
    errors
}

#[test]
fn dependencies_match_the_list() {
    let list = fs::read_to_string(project().join("tests/data/dependencies.txt")).unwrap();
    let mut found = Dependencies::new();
    for folder in packages() {
        found.extend([needs(&folder)]);
        let name = folder
            .strip_prefix(project())
            .unwrap()
            .display()
            .to_string();
        // Modules of the solvers and formulas at the bottom of the stack are not listed.
        if name.starts_with("arena") && !name.ends_with("stats") {
            found.extend(modules(
                &folder.join("src"),
                name.rsplit('/').next().unwrap(),
            ));
        }
    }
    let errors = errors(&allowed(&list), &found);
    if !errors.is_empty() {
        for (from, to) in found.iter().filter(|(_, to)| !to.is_empty()) {
            println!(
                "{from} → {}",
                to.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
            );
        }
    }
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn an_added_dependency_is_detected() {
    let dependencies = |list: &[(&str, &[&str])]| -> Dependencies {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        list.iter()
            .map(|&(from, to)| (from.to_owned(), words(to)))
            .collect()
    };
    let right = dependencies(&[
        ("a/low", &[]),
        ("a/high", &["low"]),
        ("b/low", &["high"]),
        ("b/high", &[]),
    ]);
    assert_eq!(errors(&right, &right), [""; 0]);
    let mut planted = right.clone();
    planted.insert(
        "a/low".into(),
        names("use crate::high::{self, Thing};\n// not crate::other\n#[cfg(test)]\nmod tests { use crate::b; }"),
    );
    assert_eq!(
        errors(&right, &planted),
        [
            "a/low → high is not allowed",
            "a/high is part of a cycle",
            "a/low is part of a cycle"
        ]
    );
    assert_eq!(
        errors(&planted, &right),
        ["a/low → high is allowed, but unused"]
    );
}
