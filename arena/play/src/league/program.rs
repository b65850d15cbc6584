//! Entrants that are programs, which the league starts and speaks with: what it says of them.

use super::client::{read_command, read_folder};
use super::fields::{Fields, Reader};
use hattari_agents::agent::CommandLine;

/// How an entrant that is no client is started: `Some(None)` for a bot that the host knows how to
/// run.
pub(super) fn read(reader: &Reader<'_>, fields: &Fields<'_>) -> Option<Option<CommandLine>> {
    let folder = fields.get("folder").map_or(Some(None), |node| {
        read_folder(reader, fields, node).map(Some)
    });
    let Some(command) = fields.get("command") else {
        return folder.map(|_| None);
    };
    if let Some(bot) = fields.get("bot") {
        let cure = "leave `bot` out for a program that the league starts, or `command` for a bot that it finds";
        reader.problem(
            bot,
            "an entrant has `bot` or `command`, and this one has both".to_owned(),
            cure,
        );
        return None;
    }
    if fields.get("name").is_none() {
        let cure = "give it a name, as in `{name: mine, command: [python3, mine.py]}`";
        reader.problem(command, "a program has no name of its own".to_owned(), cure);
        return None;
    }
    if let Some(node) = fields.get("threads") {
        let what =
            "`threads` is for compiled bots; a program starts as many as it likes, or as its room has".to_owned();
        reader.problem(node, what, "leave `threads` out");
        return None;
    }
    let words = read_command(reader, command);
    Some(Some(CommandLine {
        words: words?,
        folder: folder?,
    }))
}
