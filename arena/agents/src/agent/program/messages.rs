//! Descriptions of the messages between host and program, in the order of the guide for authors,
//! which prints these tables. A test compares them with the messages that the host sends and
//! accepts.

use std::fmt::Write;

/// The description of a message.
#[derive(Debug)]
pub struct MessageSpec {
    /// Name. It is the `type` of the message, unless `about` says that there is no `type`.
    pub name: &'static str,
    /// `true` if the host sends the message, `false` if the program does.
    pub by_host: bool,
    /// Description of the message: when and why it is sent.
    pub about: &'static str,
    /// Members other than `type`.
    pub members: &'static [MemberSpec],
}

/// A member of a message: name, type and description. A `?` after the name marks an optional
/// member.
pub type MemberSpec = (&'static str, &'static str, &'static str);

const VIEW: MemberSpec = (
    "view",
    "object",
    "everything that your seat may know; `hattari show types lua GAME` lists its fields",
);
const EVENTS: MemberSpec = (
    "events?",
    "list",
    "events of the deal since the last message, oldest first; omitted if `skip` contains `events`",
);

/// All messages.
pub static MESSAGES: &[MessageSpec] = &[
    MessageSpec {
        name: "hello",
        by_host: false,
        about: "The first message of the program.",
        members: &[
            (
                "protocol",
                "number",
                "version of the protocol that the program uses: 1",
            ),
            (
                "format?",
                "text",
                "`json` (default), or `binary` to exchange binary frames from the first deal on",
            ),
            (
                "skip?",
                "list",
                "messages and data that the host omits: `events`, `deal_start`, `deal_end`",
            ),
        ],
    },
    MessageSpec {
        name: "block_start",
        by_host: true,
        about: "A block starts; each block has a new process. The answer is `ready` or `refuse`.",
        members: &[
            (
                "protocol",
                "number",
                "version of the protocol that the host uses: 1",
            ),
            ("game", "text", "game and revision, as in `holdem/1`"),
            ("options", "object", "all options of the rules"),
            ("players", "number", "number of players at the table"),
            (
                "player",
                "number",
                "your player number, from 1; seats may be redrawn for every deal, but this number \
                 stays the same",
            ),
            ("deals", "number", "number of planned deals"),
            (
                "seed",
                "number",
                "random seed of the bot, below 2^53; it differs from block to block and is the same when a block is played again",
            ),
            ("config", "object", "the entrant's `config` from the league"),
        ],
    },
    MessageSpec {
        name: "ready",
        by_host: false,
        about: "The answer to `block_start`.",
        members: &[],
    },
    MessageSpec {
        name: "refuse",
        by_host: false,
        about: "The answer to `block_start` if the program does not support the game, its options or the number of players. It has no `type`.",
        members: &[("refuse", "text", "the reason")],
    },
    MessageSpec {
        name: "deal_start",
        by_host: true,
        about: "Cards have been dealt. The program sends no answer.",
        members: &[VIEW, EVENTS],
    },
    MessageSpec {
        name: "act",
        by_host: true,
        about: "Your turn. The answer is `answer` or `error`.",
        members: &[
            (
                "id",
                "number",
                "number of the decision; the answer repeats it",
            ),
            (
                "budget_us?",
                "number",
                "time limit of the decision in microseconds; missing if there is none",
            ),
            VIEW,
            EVENTS,
            ("legal", "list", "the legal actions"),
        ],
    },
    MessageSpec {
        name: "answer",
        by_host: false,
        about: "The answer to `act`. It has no `type`.",
        members: &[
            ("id", "number", "the `id` of the `act` message"),
            ("action", "number", "index of the action in `legal`, from 1"),
            (
                "amount?",
                "number",
                "the amount, if the action takes one (`lowest` to `highest`)",
            ),
        ],
    },
    MessageSpec {
        name: "error",
        by_host: false,
        about: "Sent instead of `answer` if the bot cannot decide. The host records a fault for this decision, and the game goes on. It has no `type`.",
        members: &[
            ("id", "number", "the `id` of the `act` message"),
            ("error", "text", "the problem"),
        ],
    },
    MessageSpec {
        name: "log",
        by_host: false,
        about: "Writes a log message (shown with `HATTARI_LOG=hattari::bot=debug`). Can be sent any \
            number of times before an answer. It has no `type`.",
        members: &[
            ("log", "text", "the message"),
            ("level?", "text", "`debug`, `info`, `warning` or `error`"),
        ],
    },
    MessageSpec {
        name: "deal_end",
        by_host: true,
        about: "The deal is over. The program sends no answer.",
        members: &[
            VIEW,
            EVENTS,
            (
                "payoffs",
                "list",
                "payoff of each player, in the order of player numbers",
            ),
        ],
    },
    MessageSpec {
        name: "block_end",
        by_host: true,
        about: "The block is over, and standard input is closed. The program must end within 2 seconds with exit code 0.",
        members: &[],
    },
];

/// Returns the tables of the guide as Markdown.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::new();
    for MessageSpec {
        name,
        by_host,
        about,
        members,
    } in MESSAGES
    {
        let who = if *by_host {
            "Sent by Hattari"
        } else {
            "Sent by the program"
        };
        writeln!(text, "### `{name}`\n\n*{who}.* {about}\n").expect("text grows");
        if members.is_empty() {
            continue;
        }
        writeln!(text, "| member | type | description |\n|---|---|---|").expect("text grows");
        for (name, is, about) in *members {
            let (name, may) = name
                .strip_suffix('?')
                .map_or((*name, ""), |name| (name, ", optional"));
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
