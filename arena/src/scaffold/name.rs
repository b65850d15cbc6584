//! Names of bots.

use hattari_agents::games;
use std::fmt;

/// Most characters of a name.
const LENGTH_MAX: usize = 40;

/// Words that cannot name a package or a file of a scaffold: Rust's own, and the scaffold's.
const TAKEN: [&str; 56] = [
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc-macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// Why a name is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadName {
    /// It has other characters than names may have, or is too long. Holds a name that is near.
    Form(Option<String>),
    /// It is a word of the languages or the tools.
    Taken,
    /// A folder of that name would say which game the scripts in it play.
    Game,
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadName::Form(near) => {
                write!(
                    f,
                    "a bot's name has lower case letters, digits and single `-` between them, begins with a letter"
                )?;
                write!(f, " and has no more than {LENGTH_MAX} characters")?;
                near.as_ref()
                    .map_or(Ok(()), |near| write!(f, "; `{near}` would do"))
            }
            BadName::Taken => {
                f.write_str("that word has a meaning of its own to compilers; choose another")
            }
            BadName::Game => f.write_str("that is a game; choose another"),
        }
    }
}

/// Whether a new bot may have this name.
///
/// # Errors
/// Why not.
pub fn check_name(name: &str) -> Result<(), BadName> {
    if !is_formed(name) {
        // What is mended may be no name either, of a text without letters for instance; asking for
        // its own mend would not end.
        return Err(BadName::Form(
            Some(mended(name)).filter(|near| is_formed(near) && check_name(near).is_ok()),
        ));
    }
    if TAKEN.contains(&name) || name.starts_with("hattari") {
        return Err(BadName::Taken);
    }
    if games::Facts::find(name).is_some() {
        Err(BadName::Game)
    } else {
        Ok(())
    }
}

fn is_formed(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    name.len() <= LENGTH_MAX
        && name.chars().all(plain)
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('-')
        && !name.contains("--")
}

/// The nearest name that is formed as names are: the same words, with `-` between them.
fn mended(name: &str) -> String {
    let words = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-").to_lowercase();
    joined
        .trim_start_matches(|c: char| !c.is_ascii_lowercase())
        .chars()
        .take(LENGTH_MAX)
        .collect()
}

/// The name of the bot's type in Rust: its words in capitals, and that it is a bot, so that it
/// meets no name of the SDK.
pub(super) fn type_name(name: &str) -> String {
    let capital = |word: &str| {
        word.chars()
            .take(1)
            .map(|c| c.to_ascii_uppercase())
            .chain(word.chars().skip(1))
            .collect()
    };
    let words: String = name
        .split('-')
        .map(|word| -> String { capital(word) })
        .collect();
    if words.ends_with("Bot") && words != "Bot" {
        words
    } else {
        words + "Bot"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_in_lower_case() {
        for name in ["mine", "my-bot", "a1", "bold-2"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for (name, near) in [
            ("My Bot", Some("my-bot")),
            ("my_bot", Some("my-bot")),
            ("../mine", Some("mine")),
            ("2nd", Some("nd")),
            ("bot-", Some("bot")),
            ("a--b", Some("a-b")),
            ("", None),
            ("ハッタリ", None),
            ("Self", None),
        ] {
            assert_eq!(
                check_name(name),
                Err(BadName::Form(near.map(str::to_owned))),
                "{name}"
            );
        }
        assert!(
            check_name(&"a".repeat(LENGTH_MAX)).is_ok()
                && check_name(&"a".repeat(LENGTH_MAX + 1)).is_err()
        );
    }

    #[test]
    fn words_of_compilers_and_games_are_refused() {
        for name in ["match", "test", "hattari-plugin", "self"] {
            assert_eq!(check_name(name), Err(BadName::Taken), "{name}");
        }
        assert_eq!(check_name("stud"), Err(BadName::Game));
        assert!(TAKEN.is_sorted(), "so that they can be looked over");
    }

    #[test]
    fn types_meet_no_name_of_the_sdk() {
        for (name, expected) in [
            ("mine", "MineBot"),
            ("my-bot", "MyBot"),
            ("bot", "BotBot"),
            ("block", "BlockBot"),
        ] {
            assert_eq!(type_name(name), expected);
        }
    }
}
