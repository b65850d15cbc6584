//! Rules for the language of comments and pages.
//!
//! `tests/data/language.txt` contains the number of findings by package, which must not rise. If it
//! falls, record it: `UPDATE=1 cargo test -p hattari --test reports language`.

use crate::support::project;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

/// Words that must not begin a doc comment: functions begin with a verb, types with a noun.
const FIRST_WORDS: [&str; 13] = [
    "What",
    "Whether",
    "It",
    "Its",
    "How",
    "Who",
    "Where",
    "Why",
    "Those",
    "Of",
    "As",
    "Everything",
    "The one that",
];
/// Maximum number of words in a sentence.
const WORDS: usize = 30;
/// Maximum number of columns in a comment.
const COLUMNS: usize = 100;
/// Phrases that hide the actor, and plain replacements.
const PHRASES: [(&str, &str); 16] = [
    ("is told of", "receives, or: is reported"),
    ("is handed", "receives"),
    ("is held in a room", "is sandboxed"),
    ("is to be had", "is available"),
    ("as it goes", "while it runs"),
    ("a stranger's bot", "an untrusted bot"),
    ("strangers' bots", "untrusted bots"),
    ("one's own bot", "a trusted bot"),
    ("what it comes to", "the result"),
    ("begin anew", "start over"),
    ("begins anew", "starts over"),
    ("nobody is to blame", "nobody is charged"),
    ("is not to blame", "is not charged"),
    ("not a word of", "nothing of"),
    ("would tell as much", "has the same precision"),
    ("whoever is", "the one that is"),
];

/// A comment: number of its first line, from 1, and its lines.
struct Comment<'a> {
    line: usize,
    is_doc: bool,
    text: Vec<&'a str>,
}

/// Returns the comments of a source text.
fn comments(source: &str) -> Vec<Comment<'_>> {
    let mut comments: Vec<Comment<'_>> = Vec::new();
    let mut is_open = false;
    for (number, line) in (1..).zip(source.lines()) {
        let text = line.trim_start();
        let marks = ["///", "//!", "//"];
        let Some(mark) = marks.into_iter().find(|mark| text.starts_with(mark)) else {
            is_open = false;
            continue;
        };
        let text = &text[mark.len()..];
        match comments.last_mut().filter(|_| is_open) {
            Some(comment) => comment.text.push(text),
            None => comments.push(Comment {
                line: number,
                is_doc: mark != "//",
                text: vec![text],
            }),
        }
        is_open = true;
    }
    comments
}

/// Returns the sentences of a comment, without code, lists and tables.
fn sentences(comment: &Comment<'_>) -> Vec<String> {
    let mut is_code = false;
    let mut paragraphs = vec![String::new()];
    for line in &comment.text {
        let line = line.trim();
        if line.starts_with("```") {
            is_code = !is_code;
        } else if line.is_empty() || line.starts_with(['*', '-', '|', '#']) {
            paragraphs.push(String::new());
        } else if !is_code {
            let paragraph = paragraphs.last_mut().expect("there is one");
            write!(paragraph, "{line} ").expect("a string takes everything");
        }
    }
    let ends = |text: &str| text.ends_with(['.', '?', '!', ':', ';']);
    let mut sentences = Vec::new();
    for paragraph in paragraphs {
        let mut sentence = Vec::new();
        for word in paragraph.split_whitespace() {
            sentence.push(word);
            if ends(word) {
                sentences.push(std::mem::take(&mut sentence).join(" "));
            }
        }
        sentences.push(sentence.join(" "));
    }
    sentences
}

/// Returns the rule violations in a source text: line and message.
fn findings(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for comment in comments(source) {
        let first = comment.text[0].trim();
        let begins = |word: &&&str| {
            let rest = first.strip_prefix(**word);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        if let Some(word) = FIRST_WORDS.iter().find(begins).filter(|_| comment.is_doc) {
            let cure = "begin with a verb (functions) or a noun (types)";
            found.push((comment.line, format!("begins with `{word}`: {cure}")));
        }
        for sentence in sentences(&comment) {
            let words = sentence.split_whitespace().count();
            if comment.is_doc && words > WORDS {
                let cure = format!("{words} words: make two sentences of `{sentence}`");
                found.push((comment.line, cure));
            }
            let sentence = sentence.to_lowercase();
            for (phrase, plain) in PHRASES.iter().filter(|(odd, _)| sentence.contains(odd)) {
                found.push((comment.line, format!("`{phrase}`: {plain}")));
            }
        }
        for (number, line) in (comment.line..).zip(&comment.text) {
            let is_address = line.contains("://");
            if line.chars().count() > COLUMNS && !is_address {
                found.push((number, format!("more than {COLUMNS} columns")));
            }
        }
    }
    found
}

/// Calls `take` with each source file of the project, by its path from the project's root.
fn each_source(folder: &Path, take: &mut dyn FnMut(&Path, &str)) {
    let mut entries: Vec<_> = (fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && !["target", "templates", ".git"].contains(&&*name) {
            each_source(&path, take);
        } else if name.ends_with(".rs") {
            let source = fs::read_to_string(&path).unwrap();
            take(path.strip_prefix(project()).unwrap(), &source);
        }
    }
}

/// Returns the package that a file belongs to.
fn package(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    let is_root = ["src", "tests", "benches", "examples"].contains(&&*parts[1]);
    match is_root || parts.len() < 3 {
        true => parts[0].to_string(),
        false => format!("{}/{}", parts[0], parts[1]),
    }
}

#[test]
fn sentences_that_break_a_rule_become_fewer() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in ["arena", "plugin-api", "bots", "tests"] {
        each_source(&project().join(folder), &mut |path, source| {
            let list = found.entry(package(path)).or_default();
            let line = |(line, what)| format!("{}:{line}: {what}", path.display());
            list.extend(findings(source).into_iter().map(line));
        });
    }
    let file = project().join("tests/data/language.txt");
    if env::var_os("UPDATE").is_some() {
        let lines = found.iter().filter(|(_, list)| !list.is_empty());
        let lines = lines.map(|(package, list)| format!("{package} {}\n", list.len()));
        fs::write(&file, lines.collect::<String>()).unwrap();
    }
    let recorded = fs::read_to_string(&file).unwrap();
    let recorded: BTreeMap<&str, usize> = (recorded.lines())
        .filter_map(|line| line.split_once(' '))
        .map(|(package, count)| (package, count.parse().unwrap()))
        .collect();
    for (package, list) in &found {
        let before = recorded.get(&**package).copied().unwrap_or(0);
        assert!(
            list.len() <= before,
            "{package}: {} sentences break a rule, {before} did before:\n{}",
            list.len(),
            list.join("\n")
        );
        assert!(
            list.len() == before,
            "{package}: {} sentences break a rule, fewer than {before}: record it by UPDATE=1",
            list.len()
        );
    }
}

#[test]
fn each_rule_finds_what_breaks_it() {
    let long = format!("/// Plays {}.", "a ".repeat(30));
    for (source, expected) in [
        ("/// What is played.", "begins with `What`"),
        ("    //! Its own: all.", "begins with `Its`"),
        (&*long, "32 words"),
        ("// The bot is handed a view.", "`is handed`: receives"),
        (&format!("// {}", "x".repeat(110)), "more than 100 columns"),
    ] {
        let found = findings(source);
        let [(1, finding)] = &found[..] else {
            panic!("{source}: {found:?}");
        };
        assert!(finding.contains(expected), "{finding}");
    }
    for plain in [
        "/// Whatever is played.",
        "/// Plays a deal.\n///\n/// | a table | of what | it is |",
        "let x = 1; // What is not a doc comment.",
        "/// ```\n/// What.\n/// ```",
    ] {
        assert!(findings(plain).is_empty(), "{plain}: {:?}", findings(plain));
    }
}
