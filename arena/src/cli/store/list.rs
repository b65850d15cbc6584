//! `hattari store list`.

use crate::cli::{CommandResult, output};
use hattari_agents::text::{counted, grouped};
use hattari_play::session::Session;
use hattari_play::store::ReviewedPair;
use hattari_study::AtPath;
use serde_json::json;
use std::path::PathBuf;

/// List stored results and explain which are current
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A store keeps all its blocks: those of the current league, and those of earlier versions of \
bots, of removed entrants and of other formats. The latter are used again if the league is \
changed back. `hattari report --versions NAME` compares versions of a bot.

Examples:
  hattari store list leagues/mine.yaml    list stored blocks, and why some are not used
  hattari store prune leagues/mine.yaml   delete the blocks that the league does not use

Exit codes: 0 done, 2 any error.")]
pub(super) struct Arguments {
    /// The league, or its store
    #[arg(value_name = "LEAGUE.yaml|STORE.sqlite")]
    pub file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let store = Session::open(&arguments.file, None)?.into_stored()?.1;
    let path = store.path();
    let bytes = std::fs::metadata(path).at(path)?.len();
    let (blocks, planned) = (store.blocks_played()?, store.schedule.jobs());
    let unused = store.unused_blocks()?;
    let (versions, reviews) = (store.versions()?, store.reviewed()?);
    if arguments.json {
        return output::print_json(&json!({
            "store": path, "bytes": bytes, "blocks": blocks, "planned": planned, "aside": unused, "versions": versions,
            "reviews": reviews,
        }));
    }
    let mut text = format!("{}: {} kB\n", path.display(), grouped(bytes.div_ceil(1000)));
    text += &format!(
        "{} of the {} in its league\n",
        counted(blocks, "block"),
        grouped(planned)
    );
    for group in unused {
        text += &format!(
            "{} not used: {}\n",
            counted(group.blocks, "block"),
            group.why
        );
    }
    for ReviewedPair {
        reviewed,
        other,
        blocks,
        is_current,
    } in reviews
    {
        let used = if is_current { "" } else { ", not used" };
        let blocks = counted(blocks, "block");
        text += &format!("{blocks} of the review of {reviewed} by {other}{used}\n");
    }
    let heading = ["BOT", "VERSION", "BLOCKS", "NOW", "PROGRAM", "HASH"];
    let rows = versions.into_iter().map(|version| {
        let hash = if version.content.is_unknown() {
            "-".to_owned()
        } else {
            version.content.hash
        };
        [
            version.name,
            version.number.to_string(),
            grouped(version.blocks),
            if version.is_current { "yes" } else { "no" }.to_owned(),
            version.content.path,
            hash,
        ]
    });
    text += &output::table(heading, rows);
    output::print(&text)
}
