//! Names of new bots.

use super::Language;
use anyhow::{bail, ensure};
use hattari_agents::games::GameInfo;
use hattari_agents::text::joined;

/// Maximum length of a name, in characters.
const LENGTH_MAX: usize = 40;

/// Reserved words: keywords of Rust and names that templates use.
const RESERVED_WORDS: &str = "\
    abstract alloc as async await become box break const continue core crate do dyn else \
    enum extern false final fn for gen if impl in let loop macro match mod move mut override \
    priv proc-macro pub ref return self static std struct super test trait true try type \
    typeof unsafe unsized use virtual where while yield";

/// Modules that the Python template imports directly or indirectly. A bot file with such a name
/// would be imported instead.
const PYTHON_MODULES: &str =
    "collections copyreg enum functools json keyword operator re reprlib sys types";

/// Checks the name of a new bot in a language.
///
/// # Errors
/// Returns the reason if the name is refused.
pub(crate) fn check_name(name: &str, language: Language) -> anyhow::Result<()> {
    if !is_well_formed(name) {
        // The suggested name may be invalid too, for example if the text has no letters. Checking
        // its form first prevents an infinite recursion.
        let near = Some(suggest_name(name))
            .filter(|near| is_well_formed(near) && check_name(near, language).is_ok())
            .map_or_else(String::new, |near| format!("; for example `{near}`"));
        bail!(
            "the name of a bot must consist of lower case letters, digits and single `-` between \
            them, begin with a letter and have at most {LENGTH_MAX} characters{near}"
        );
    }
    let is_among = |words: &str| words.split(' ').any(|word| word == name);
    ensure!(
        !is_among(RESERVED_WORDS) && !name.starts_with("hattari"),
        "this is a reserved word of a programming language, or a name that the templates use; \
        choose another name"
    );
    ensure!(
        language != Language::Python || !is_among(PYTHON_MODULES),
        "this is a module of Python that the bot imports; choose another name"
    );
    // Names of games are reserved for folders, which determine the game of the scripts in them.
    ensure!(
        GameInfo::find(name).is_none(),
        "this is the name of a game; choose another name"
    );
    Ok(())
}

fn is_well_formed(name: &str) -> bool {
    name.len() <= LENGTH_MAX
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('-')
        && !name.contains("--")
}

/// Returns a similar name, valid if possible: the words of a text in lower case, joined by `-`.
fn suggest_name(name: &str) -> String {
    let words = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    joined(words, "-")
        .to_lowercase()
        .trim_start_matches(|c: char| !c.is_ascii_lowercase())
        .chars()
        .take(LENGTH_MAX)
        .collect()
}

/// Returns the name of the Rust type of a bot: the words of `name` in camel case with the suffix
/// `Bot`, which prevents collisions with names of the SDK.
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

    /// Returns the reason why a name is refused for a script; empty if it is accepted.
    fn refusal(name: &str) -> String {
        check_name(name, Language::Lua).map_or_else(|reason| reason.to_string(), |()| String::new())
    }

    #[test]
    fn bot_names_must_be_lower_case_words_separated_by_hyphens() {
        for name in ["mine", "my-bot", "a1", "bold-2"] {
            assert_eq!(refusal(name), "", "{name}");
        }
        for (name, near) in [
            ("My Bot", "; for example `my-bot`"),
            ("my_bot", "; for example `my-bot`"),
            ("../mine", "; for example `mine`"),
            ("2nd", "; for example `nd`"),
            ("bot-", "; for example `bot`"),
            ("a--b", "; for example `a-b`"),
            ("", ""),
            ("ハッタリ", ""),
            ("Self", ""),
        ] {
            let end = format!("have at most 40 characters{near}");
            assert!(refusal(name).ends_with(&end), "{name}");
        }
        assert!(
            refusal(&"a".repeat(LENGTH_MAX)).is_empty()
                && !refusal(&"a".repeat(LENGTH_MAX + 1)).is_empty()
        );
    }

    #[test]
    fn reserved_words_and_game_names_are_rejected_as_bot_names() {
        for name in ["match", "test", "hattari-plugin", "self"] {
            assert!(
                refusal(name).starts_with("this is a reserved word"),
                "{name}"
            );
        }
        assert!(refusal("stud").starts_with("this is the name of a game"));
        let module = check_name("json", Language::Python)
            .unwrap_err()
            .to_string();
        assert!(module.starts_with("this is a module of Python"), "{module}");
        assert_eq!(refusal("json"), "");
        assert!(
            RESERVED_WORDS.split(' ').is_sorted(),
            "so that they can be looked over"
        );
    }

    #[test]
    fn generated_type_names_do_not_collide_with_sdk_names() {
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
