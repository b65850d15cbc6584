//! The dependencies between packages, and between the modules of each, are those of
//! `tests/data/dependencies.txt`.

mod cycles;

use crate::support::project;
use cycles::{circles, imports};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Pairs of a package or module and one that it uses.
type Dependencies = BTreeSet<(String, String)>;

/// Returns the dependencies that a list allows: lines such as
/// `hattari-play → hattari-agents hattari-stats` and `agents/table agents/agent → record text`.
fn allowed(list: &str) -> Dependencies {
    let lines = list.lines().filter_map(|line| line.split_once(" →"));
    let dependencies = lines.flat_map(|(users, used)| {
        let users = users.split_whitespace();
        users.flat_map(|user| {
            let used = used.split_whitespace();
            used.map(|used| (user.to_owned(), used.to_owned()))
        })
    });
    dependencies.collect()
}

/// Reads the manifest in a folder.
fn manifest(folder: &Path) -> toml::Table {
    let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    text.parse().unwrap()
}

/// Returns the folders of the workspace's packages, with `bots/*` expanded.
fn packages() -> Vec<PathBuf> {
    let manifest = manifest(project());
    let members = manifest["workspace"]["members"].as_array().unwrap().iter();
    let members = members.map(|member| member.as_str().unwrap());
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

/// Returns the packages of the project that the build of a package needs. Dependencies of its tests
/// do not count.
fn needs(folder: &Path) -> Dependencies {
    let manifest = manifest(folder);
    let name = manifest["package"]["name"].as_str().unwrap();
    let needed = manifest.get("dependencies").and_then(toml::Value::as_table);
    let needed = needed.into_iter().flat_map(toml::Table::keys);
    needed
        .filter(|needed| needed.starts_with("hattari"))
        .map(|needed| (name.to_owned(), needed.clone()))
        .collect()
}

/// Returns the modules that a file's own code names as `crate::module`. Comments and tests are
/// ignored.
fn names(source: &str) -> BTreeSet<String> {
    let paths = imports(source).into_iter().map(|import| import.path);
    paths
        .filter(|path| path[0] == "crate")
        .filter_map(|mut path| (path.len() > 1).then(|| path.swap_remove(1)))
        .collect()
}

/// Returns which other top-level modules of a package each of them uses.
fn modules(source: &Path, name: &str) -> Dependencies {
    let top = fs::read_to_string(source.join("lib.rs")).unwrap();
    let lines: Vec<&str> = top.lines().collect();
    let is_product = |number: usize| {
        !(number > 0 && lines[number - 1].contains("cfg(") && lines[number - 1].contains("test"))
    };
    let declared = (0..lines.len())
        .filter(|&number| is_product(number))
        .filter_map(|number| {
            let line = lines[number].trim_start_matches("pub ");
            line.strip_prefix("mod ")?.strip_suffix(';')
        });
    let declared: BTreeSet<&str> = declared.collect();
    let mut dependencies = Dependencies::new();
    for &module in &declared {
        let mut files = vec![source.join(format!("{module}.rs"))];
        walk(&source.join(module), &mut files);
        for file in files.iter().filter(|file| file.is_file()) {
            let used = names(&fs::read_to_string(file).unwrap()).into_iter();
            let used = used.filter(|used| used != module && declared.contains(used.as_str()));
            dependencies.extend(used.map(|used| (format!("{name}/{module}"), used)));
        }
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
    let refused = found
        .difference(allowed)
        .map(|(from, to)| format!("{from} → {to} is not allowed"));
    let unused = allowed
        .difference(found)
        .map(|(from, to)| format!("{from} → {to} is allowed, but unused"));
    let mut uses: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (from, to) in found {
        let package = from.len() - from.rsplit('/').next().map_or(0, str::len);
        let to = format!("{}{to}", &from[..package]);
        uses.entry(from.clone()).or_default().push(to);
    }
    let members = circles(&uses).into_iter().flatten();
    let cyclic = members.map(|module| format!("{module} is part of a cycle"));
    refused.chain(unused).chain(cyclic).collect()
}

#[test]
fn dependencies_match_the_list() {
    let list = fs::read_to_string(project().join("tests/data/dependencies.txt")).unwrap();
    let mut found = Dependencies::new();
    for folder in packages() {
        found.extend(needs(&folder));
        let name = folder.strip_prefix(project()).unwrap().to_str().unwrap();
        // Modules of the solvers and formulas at the bottom of the stack are not listed.
        if name.starts_with("arena") && !name.ends_with("stats") {
            let short = name.rsplit('/').next().unwrap();
            found.extend(modules(&folder.join("src"), short));
        }
    }
    let errors = errors(&allowed(&list), &found);
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn an_added_dependency_is_detected() {
    let right = allowed("a/high → low\nb/low → high\n");
    assert_eq!(errors(&right, &right), [""; 0]);
    let source = "use crate::high::{self, Thing};\n// not crate::other\n#[cfg(test)]\nmod tests { use crate::b; }";
    let added = names(source).into_iter();
    let mut planted = right.clone();
    planted.extend(added.map(|used| ("a/low".to_owned(), used)));
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
