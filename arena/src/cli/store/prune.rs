//! `hattari store prune`.

use super::list;
pub(super) use super::list::Arguments;
use crate::cli::{CommandResult, output};
use anyhow::ensure;
use hattari_agents::text::counted;
use hattari_play::session::Session;
use hattari_play::store::StoreWriter;
use hattari_report::standings::changes_of_league;

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let (league, store) = Session::open(&arguments.file, None)?.into_stored()?;
    if let Some(league) = league {
        // The changed league may ask for blocks that the stored one does not use.
        let mut changes = changes_of_league(&store, &league);
        let played = store.league().blocks;
        if played < league.blocks {
            changes.push(format!(
                "blocks: {played} as played, {} in the file now",
                league.blocks
            ));
        }
        ensure!(
            changes.is_empty(),
            "the league file has changed since the last run ({}): run the league before you prune \
             its store, or name the store to prune it for the stored league",
            changes.join("; ")
        );
    }
    let (path, identity) = (store.path().to_owned(), store.identity.clone());
    let source = store.source.clone();
    drop(store);
    let pruned = StoreWriter::open(&path, &identity, &source)?.0.prune()?;
    output::tell(format_args!("{} deleted", counted(pruned, "block")));
    list::main(arguments)
}
