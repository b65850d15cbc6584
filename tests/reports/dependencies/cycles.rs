//! Import cycles between the files of a package.

use super::{packages, walk};
use crate::support::project;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Packages with files that still import each other: the first file of each group, and the number
/// of its files. These groups should be removed, and no new ones added.
const KNOWN: &[(&str, &str, usize)] = &[
    ("arena", "cli/export/mod.rs", 4),
    ("arena", "cli/report/mod.rs", 3),
    ("arena", "cli/verify/mod.rs", 3),
    ("arena", "cli/watch/mod.rs", 2),
    ("arena/play", "check/self_test/mod.rs", 3),
    ("arena/play", "league/mod.rs", 15),
    ("arena/play", "pack/mod.rs", 5),
    ("arena/play", "runner/mod.rs", 2),
    ("arena/play", "store/layout.rs", 2),
    ("arena/play", "store/mod.rs", 8),
    ("arena/report", "report/mod.rs", 3),
    ("arena/report", "standings/cut.rs", 6),
    ("arena/stats", "race/mod.rs", 4),
    ("arena/stats", "rating/mod.rs", 2),
    ("arena/stats", "sequential/mod.rs", 4),
    ("arena/study", "sensitivity/tanhinmin/search.rs", 3),
    ("bots/holdem", "cfr/betting.rs", 2),
    ("plugin-api", "lib.rs", 9),
    ("plugin-api/double-dummy", "bounds.rs", 3),
    ("plugin-api/games", "bridge/mod.rs", 12),
    ("plugin-api/games", "daihinmin/deal.rs", 3),
    ("plugin-api/games", "daihinmin/groups.rs", 4),
    ("plugin-api/games", "daihinmin/mod.rs", 4),
    ("plugin-api/games", "lib.rs", 4),
    ("plugin-api/games", "poker/balance.rs", 3),
    ("plugin-api/games", "tanhinmin/mod.rs", 5),
];

/// A path in the source of a module. For a `use`, `name` is the name of the imported item.
pub(super) struct Import {
    pub path: Vec<String>,
    name: Option<String>,
}

/// Splits code into identifiers, `::` and single characters. Omits comments and unit tests.
fn tokens(source: &str) -> Vec<String> {
    let code = source.split("\nmod tests {").next().unwrap();
    let mut tokens: Vec<String> = Vec::new();
    for line in code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
    {
        let mut in_word = false;
        for letter in line.chars() {
            let is_letter = letter.is_alphanumeric() || letter == '_';
            match tokens.last_mut() {
                Some(last) if is_letter && in_word => last.push(letter),
                Some(last) if letter == ':' && last == ":" => last.push(letter),
                _ if letter.is_whitespace() => {}
                _ => tokens.push(letter.to_string()),
            }
            in_word = is_letter;
        }
    }
    tokens
}

/// Reads the path that begins at `at`, or the tree of paths in a `use`. Returns the position after
/// it.
fn read(
    tokens: &[String],
    mut at: usize,
    mut path: Vec<String>,
    is_use: bool,
    found: &mut Vec<Import>,
) -> usize {
    let token = |at: usize| tokens.get(at).map_or("", String::as_str);
    loop {
        match token(at) {
            "{" if is_use => {
                at += 1;
                while !matches!(token(at), "}" | "") {
                    at = read(tokens, at, path.clone(), is_use, found);
                    at += usize::from(token(at) == ",");
                }
                return at + 1;
            }
            "self" if !path.is_empty() => {}
            "*" if is_use => {}
            word if word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') => {
                path.push(word.to_owned());
            }
            _ => break,
        }
        at += 1;
        if token(at) != "::" {
            break;
        }
        at += 1;
    }
    let mut name = path.last().cloned().filter(|_| is_use);
    if is_use && token(at) == "as" {
        name = Some(token(at + 1).to_owned());
        at += 2;
    }
    // A macro's parameter is a different module in each use.
    if token(at) != "$" {
        found.push(Import { path, name });
    }
    at
}

/// Returns the paths that begin with `crate`, `super`, `self` or a module that the file declares.
pub(super) fn imports(source: &str) -> Vec<Import> {
    let tokens = tokens(source);
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| token == word);
    let declared: BTreeSet<&String> = (1..tokens.len())
        .filter(|&at| is(at - 1, "mod") && is(at + 1, ";"))
        .map(|at| &tokens[at])
        .collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let is_start =
            ["crate", "super", "self"].contains(&&*tokens[at]) || declared.contains(&tokens[at]);
        let is_first = at == 0 || !(is(at - 1, "::") || is(at - 1, "in"));
        at = if is_start && is_first && is(at + 1, "::") {
            read(
                &tokens,
                at,
                Vec::new(),
                at > 0 && is(at - 1, "use"),
                &mut found,
            )
        } else {
            at + 1
        };
    }
    found
}

/// The modules of a package by path, each with its file and its imports.
struct Modules(BTreeMap<Vec<String>, (String, Vec<Import>)>);

impl Modules {
    /// Creates the modules from names and sources of files.
    fn new(files: impl IntoIterator<Item = (String, String)>) -> Modules {
        let modules = files.into_iter().map(|(name, source)| {
            let mut path: Vec<String> = name
                .trim_end_matches(".rs")
                .split('/')
                .map(str::to_owned)
                .collect();
            path.pop_if(|last| ["mod", "lib", "main"].contains(&&**last));
            (path, (name, imports(&source)))
        });
        Modules(modules.collect())
    }

    fn read(source: &Path) -> Modules {
        let mut files = Vec::new();
        walk(source, &mut files);
        Modules::new(files.into_iter().map(|file| {
            let name = file
                .strip_prefix(source)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            (name, fs::read_to_string(&file).unwrap())
        }))
    }

    /// Returns the module that defines the item `path` as seen from the module `from`. Follows
    /// imports of other modules, so that re-exports are transparent.
    fn defining(&self, from: &[String], path: &[String], depth: usize) -> Vec<String> {
        let mut module = from.to_vec();
        for (number, segment) in path.iter().enumerate() {
            let inner = [&module[..], std::slice::from_ref(segment)].concat();
            match &**segment {
                "crate" => module.clear(),
                "super" => drop(module.pop()),
                "self" => {}
                _ if self.0.contains_key(&inner) => module = inner,
                name => {
                    let all = self.0.get(&module).map_or(&[][..], |(_, imports)| imports);
                    let import = all
                        .iter()
                        .find(|import| import.name.as_deref() == Some(name));
                    return match import {
                        Some(import) if depth < 8 => {
                            let path = [&import.path[..], &path[number + 1..]].concat();
                            self.defining(&module, &path, depth + 1)
                        }
                        _ => module,
                    };
                }
            }
        }
        module
    }

    /// Returns the groups of files that import each other, directly or through others.
    fn cycles(&self) -> BTreeSet<Vec<&str>> {
        let uses = self.0.iter().map(|(module, (_, imports))| {
            let targets = imports
                .iter()
                .map(|import| self.defining(module, &import.path, 0))
                .filter(|to| to != module && self.0.contains_key(to));
            (module.clone(), targets.collect())
        });
        let uses = uses.collect();
        let files = |group: Vec<&Vec<String>>| {
            let modules = group.into_iter();
            modules.map(|module| &*self.0[module].0).collect()
        };
        circles(&uses).into_iter().map(files).collect()
    }
}

/// Returns the groups of nodes of a graph from which each other can be reached.
pub(super) fn circles<N: Ord>(uses: &BTreeMap<N, Vec<N>>) -> BTreeSet<Vec<&N>> {
    let reach = |from| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(node) = open.pop() {
            let next = uses.get(node).into_iter().flatten();
            open.extend(next.filter(|next| reached.insert(*next)));
        }
        reached
    };
    let reached: BTreeMap<&N, _> = uses.keys().map(|node| (node, reach(node))).collect();
    let group = |node: &&N| -> Vec<&N> {
        let others = reached[*node].iter().copied();
        others
            .filter(|other| reached.get(other).is_some_and(|back| back.contains(node)))
            .collect()
    };
    let groups = reached.keys().map(group);
    groups.filter(|group| !group.is_empty()).collect()
}

#[test]
fn import_cycles_are_neither_new_nor_larger_than_recorded() {
    let mut left: Vec<_> = KNOWN.to_vec();
    for folder in packages() {
        let name = folder.strip_prefix(project()).unwrap().to_str().unwrap();
        let source = Some(folder.join("src")).filter(|source| source.is_dir());
        for group in Modules::read(&source.unwrap_or(folder.clone())).cycles() {
            let known = left
                .iter()
                .position(|known| (known.0, known.1) == (name, group[0]));
            let most = known.map_or(0, |known| left.swap_remove(known).2);
            assert!(
                group.len() <= most,
                "{name}: these files import each other: {group:#?}"
            );
        }
    }
    assert!(
        left.is_empty(),
        "gone, so take them out of the list: {left:?}"
    );
}

#[test]
fn imports_through_a_parent_are_imports_of_the_defining_file() {
    let package = |parent: &str, low: &str| {
        let files = [
            ("a/mod.rs", parent),
            ("a/low.rs", low),
            ("a/high.rs", "use super::Low;\nstruct High;"),
        ];
        Modules::new(files.map(|(name, source)| (name.to_owned(), source.to_owned())))
    };
    let parent = "mod high;\nmod low;\npub use high::High;\npub use low::{Low, self as l};\n";
    assert!(
        package(parent, "pub(in crate::a) struct Low;")
            .cycles()
            .is_empty()
    );
    let pair = BTreeSet::from([vec!["a/high.rs", "a/low.rs"]]);
    assert_eq!(package(parent, "struct Low(super::High);").cycles(), pair);
    assert_eq!(
        package(parent, "use crate::a::{\n    high::{High},\n};").cycles(),
        pair
    );
    assert!(
        package(
            parent,
            "struct Low;\n#[cfg(test)]\nmod tests { use super::super::High; }"
        )
        .cycles()
        .is_empty()
    );
    let defines = format!("{parent}struct Here;");
    assert_eq!(
        package(&defines, "use super::Here;").cycles(),
        BTreeSet::from([vec!["a/mod.rs", "a/high.rs", "a/low.rs"]])
    );
}

#[test]
fn parent_modules_of_agents_and_formats_only_declare_and_re_export() {
    for package in ["arena/agents/src", "arena/formats/src"] {
        let mut files = Vec::new();
        walk(&project().join(package), &mut files);
        for file in files.iter().filter(|file| file.ends_with("mod.rs")) {
            let source = fs::read_to_string(file).unwrap();
            let code = source.lines().filter(|line| !line.starts_with("//"));
            let defining = ["fn", "struct", "enum", "trait", "impl", "const", "static"];
            let defines = code
                .flat_map(str::split_whitespace)
                .find(|word| defining.contains(word));
            assert_eq!(defines, None, "{}", file.display());
        }
    }
}
