//! Rules for the language of comments, names and pages.
//!
//! A failure names file, line and replacement.

use crate::support::project;
use std::fmt::Write;
use std::fs;
use std::path::Path;

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

/// Maximum number of words in all Markdown pages.
const PAGE_WORDS: usize = 48_000;
/// Names of types that readers did not understand, and plain replacements.
const NAMES: [(&str, &str); 34] = [
    ("Misstep", "AgentError"),
    ("Reach", "FaultScope"),
    ("Seatable", "AgentFactory"),
    ("Shelf", "BotFileInfo"),
    ("Terms", "AgentSpec or Limits"),
    ("Place", "what it is a place of"),
    ("Told", "what it contains"),
    ("Said", "what it contains"),
    ("Played", "what was played"),
    ("Kept", "what is kept"),
    ("Known", "what is known"),
    ("Held", "what is held"),
    ("Meetings", "TournamentFormat"),
    ("Meeting", "Pairing"),
    ("Course", "RoundSchedule"),
    ("Imagined", "AssumedResults"),
    ("Onlooker", "BlockObserver"),
    ("Watch", "an observer"),
    ("Sight", "what is seen"),
    ("Cast", "PreparedLeague"),
    ("Chair", "SeatConfig"),
    ("Orders", "RunOptions"),
    ("Wishes", "ReportOptions"),
    ("How", "PrepareOptions"),
    ("What", "the command or options"),
    ("Facts", "GameInfo"),
    ("Grant", "Move"),
    ("Given", "FixedDeal"),
    ("Loan", "ScopedPtr"),
    ("Door", "a listener"),
    ("Aside", "UnusedBlocks"),
    ("Stranger", "UntrustedCode"),
    ("Again", "Rerun"),
    ("Answer", "what the answer is to"),
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
            let remedy = "begin with a verb (functions) or a noun (types)";
            found.push((comment.line, format!("begins with `{word}`: {remedy}")));
        }
        for sentence in sentences(&comment) {
            let words = sentence.split_whitespace().count();
            if comment.is_doc && words > WORDS {
                let remedy = format!("{words} words: make two sentences of `{sentence}`");
                found.push((comment.line, remedy));
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

/// Calls `take` with each source file below a folder, by its path from the project's root.
fn each_source(folder: &Path, take: &mut dyn FnMut(&Path, &str)) {
    each_file(folder, ".rs", take);
}

/// Calls `take` with each file below a folder whose name ends with `ending`.
fn each_file(folder: &Path, ending: &str, take: &mut dyn FnMut(&Path, &str)) {
    let mut entries: Vec<_> = (fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && !["target", "templates", ".git"].contains(&&*name) {
            each_file(&path, ending, take);
        } else if path.is_file() && name.ends_with(ending) {
            let text = fs::read_to_string(&path).unwrap();
            take(path.strip_prefix(project()).unwrap(), &text);
        }
    }
}

/// Returns the findings in all source files, by file and line.
fn all_findings(find: impl Fn(&str) -> Vec<(usize, String)>) -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["arena", "plugin-api", "bots", "tests"] {
        each_source(&project().join(folder), &mut |path, source| {
            let line = |(line, what)| format!("{}:{line}: {what}", path.display());
            found.extend(find(source).into_iter().map(line));
        });
    }
    found
}

#[test]
fn comments_follow_the_rules() {
    let found = all_findings(findings);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Returns the definitions of types whose names are not understood, with replacements.
fn odd_names(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(source.lines()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        for pair in words.windows(2) {
            let name = pair[1].split(|c: char| !c.is_alphanumeric()).next();
            let is_type = ["struct", "enum", "trait", "type"].contains(&pair[0]);
            let odd = NAMES.iter().find(|(odd, _)| is_type && name == Some(odd));
            if let Some((odd, plain)) = odd {
                found.push((number, format!("`{odd}`: {plain}")));
            }
        }
    }
    found
}

#[test]
fn types_have_plain_names() {
    let mut found = all_findings(odd_names);
    found.retain(|found| !found.contains("tests/") && !found.contains("benches/"));
    assert!(found.is_empty(), "{}", found.join("\n"));
    let found =
        odd_names("pub(crate) struct Misstep {\nenum Missteps;\nlet agent_error = Misstep;");
    assert_eq!(found, [(1, "`Misstep`: AgentError".to_owned())]);
}

/// Returns the text outside of code blocks, tables, headings and lists, by paragraph.
fn prose(page: &str) -> Vec<String> {
    let (mut is_code, mut paragraphs) = (false, vec![String::new()]);
    for line in page.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with(":::") {
            is_code = !is_code;
        } else if line.is_empty() || line.starts_with(['|', '#', '*', '-', '>', '[']) {
            paragraphs.push(String::new());
        } else if !is_code && !line.starts_with(|c: char| c.is_ascii_digit()) {
            let paragraph = paragraphs.last_mut().expect("there is one");
            write!(paragraph, "{line} ").expect("a string takes everything");
        }
    }
    paragraphs
}

#[test]
fn pages_and_their_sentences_are_short() {
    let (mut words, mut found) = (0, Vec::new());
    each_file(project(), ".md", &mut |path, page| {
        words += page.split_whitespace().count();
        for paragraph in prose(page) {
            let mut count = 0;
            for word in paragraph.split_whitespace() {
                count += 1;
                if word.ends_with(['.', '?', '!', ':', ';']) {
                    if count > WORDS {
                        found.push(format!("{}: {count} words: {paragraph}", path.display()));
                    }
                    count = 0;
                }
            }
        }
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(
        words <= PAGE_WORDS,
        "all pages have {words} words, more than {PAGE_WORDS}"
    );
    let readme = fs::read_to_string(project().join("README.md")).unwrap();
    assert!(
        readme.lines().count() <= 120,
        "README.md has more than 120 lines"
    );
}

#[test]
fn each_language_rule_reports_its_violations() {
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
