//! The protocol of programs in words: what each message holds, in the order in which they come. The
//! guide for authors prints these tables, and a test compares them with what the host really says
//! and takes.

use std::fmt::Write;

/// A message.
#[derive(Debug)]
pub struct Message {
    /// What it is called: the `type` of those that have one.
    pub name: &'static str,
    /// Whether the host says it, or the program.
    pub by_host: bool,
    /// When it comes and what it is for.
    pub about: &'static str,
    /// Its members besides `type`.
    pub members: &'static [Member],
}

/// A member of a message: its name, what stands there, and what it is. Names with `?` may be left
/// out.
pub type Member = (&'static str, &'static str, &'static str);

const VIEW: Member = (
    "view",
    "object",
    "all that your seat may know: `hattari show types lua GAME` says what stands in it",
);
const EVENTS: Member = (
    "events?",
    "list",
    "what has happened in the deal since the last message, oldest first; not where `skip` names it",
);

/// All messages.
pub static MESSAGES: &[Message] = &[
    Message {
        name: "hello",
        by_host: false,
        about: "What a program says first, of itself.",
        members: &[
            (
                "protocol",
                "number",
                "the version of the protocol that it speaks: 1",
            ),
            (
                "format?",
                "text",
                "`json`, or `binary` for frames from the first deal on",
            ),
            (
                "skip?",
                "list",
                "what it does without: `events`, `deal_start`, `deal_end`",
            ),
        ],
    },
    Message {
        name: "block_start",
        by_host: true,
        about: "A block starts, in a process of its own. To be answered by `ready` or `refuse`.",
        members: &[
            (
                "protocol",
                "number",
                "the version of the protocol that the host speaks: 1",
            ),
            ("game", "text", "game and revision, as in `holdem/1`"),
            ("options", "object", "options of the rules, all of them"),
            ("players", "number", "players of the table"),
            (
                "player",
                "number",
                "your number among them, from 1; seats may be redrawn for every deal, the number stays",
            ),
            ("deals", "number", "deals planned"),
            (
                "seed",
                "number",
                "your own chance, below 2 to the 53rd: another in every block, the same when the block is played again",
            ),
            ("config", "object", "the entrant's `config` from the league"),
        ],
    },
    Message {
        name: "ready",
        by_host: false,
        about: "The answer to `block_start`.",
        members: &[],
    },
    Message {
        name: "refuse",
        by_host: false,
        about: "In its place: the program does not play this game, these options or this table. It has no `type`.",
        members: &[("refuse", "text", "why")],
    },
    Message {
        name: "deal_start",
        by_host: true,
        about: "Cards have been dealt. It has no answer.",
        members: &[VIEW, EVENTS],
    },
    Message {
        name: "act",
        by_host: true,
        about: "Your turn: to be answered.",
        members: &[
            (
                "id",
                "number",
                "number of the decision, which the answer repeats",
            ),
            (
                "budget_us?",
                "number",
                "microseconds for the decision, where there is a limit",
            ),
            VIEW,
            EVENTS,
            ("legal", "list", "what you may do"),
        ],
    },
    Message {
        name: "answer",
        by_host: false,
        about: "The answer to `act`. It has no `type`.",
        members: &[
            ("id", "number", "that of the `act`"),
            ("action", "number", "which of `legal`, from 1"),
            (
                "amount?",
                "number",
                "the amount, where the action takes one (`lowest` to `highest`)",
            ),
        ],
    },
    Message {
        name: "error",
        by_host: false,
        about: "In its place: something went wrong. It is a fault at that decision, and the program is asked on. It has no `type`.",
        members: &[
            ("id", "number", "that of the `act`"),
            ("error", "text", "what"),
        ],
    },
    Message {
        name: "log",
        by_host: false,
        about: "Before an answer, as often as you like: a message for the log (`HATTARI_LOG=hattari::bot=debug`). It has no `type`.",
        members: &[
            ("log", "text", "the message"),
            ("level?", "text", "`debug`, `info`, `warning` or `error`"),
        ],
    },
    Message {
        name: "deal_end",
        by_host: true,
        about: "The deal is over. It has no answer.",
        members: &[
            VIEW,
            EVENTS,
            ("payoffs", "list", "what each has won, by player"),
        ],
    },
    Message {
        name: "block_end",
        by_host: true,
        about: "The block is over, and standard input is closed: the program ends, within 2 seconds and with exit code 0.",
        members: &[],
    },
];

/// The tables of the guide, as Markdown.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::new();
    for Message {
        name,
        by_host,
        about,
        members,
    } in MESSAGES
    {
        let who = if *by_host {
            "Hattari says"
        } else {
            "the program says"
        };
        writeln!(text, "### `{name}`\n\n*{who}.* {about}\n").expect("text grows");
        if members.is_empty() {
            continue;
        }
        writeln!(text, "| member | is | |\n|---|---|---|").expect("text grows");
        for (name, is, about) in *members {
            let (name, may) = name
                .strip_suffix('?')
                .map_or((*name, ""), |name| (name, ", may be left out"));
            writeln!(text, "| `{name}` | {is}{may} | {about} |").expect("text grows");
        }
        text.push('\n');
    }
    text.trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_guide_has_every_message() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots/programs/README.md");
        let text = fs::read_to_string(&path).unwrap();
        let (before, rest) = text
            .split_once("<!-- messages -->\n")
            .expect("the guide has a place for them");
        let (_, after) = rest.split_once("<!-- end -->").expect("and its end");
        let made = format!(
            "{before}<!-- messages -->\n{}<!-- end -->{after}",
            markdown()
        );
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, made).unwrap();
        } else {
            assert_eq!(text, made, "UPDATE=1 writes it");
        }
    }
}
