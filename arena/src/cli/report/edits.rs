//! Warnings that bots have changed since they were played.

use crate::cli::output;
use hattari_agents::text::{counted, grouped, joined, quoted, shell};
use hattari_play::league::League;
use hattari_play::pack::LeagueFile;
use hattari_play::prepared::{OutdatedVersion, outdated};
use hattari_play::store::Store;
use std::path::{Path, PathBuf};

/// Warns if bots have been edited since they were played. `file` is the league or store that the
/// user named.
pub(in crate::cli) fn warn_of_edits(
    file: &Path,
    store: &Store,
    league: Option<&League>,
    folders: &[PathBuf],
) -> anyhow::Result<()> {
    // A store can be reported without its league and bots.
    let Ok(source) = LeagueFile::open(&store.source.file) else {
        return Ok(());
    };
    let Ok(catalogue) = source.catalogue(folders) else {
        return Ok(());
    };
    let outdated = outdated(
        store,
        league.unwrap_or(store.league()),
        source.base(),
        &catalogue,
    )?;
    if !outdated.is_empty() {
        tracing::warn!(
            "{}",
            edit_warning(&outdated, "these results are", &store.source.file, file)
        );
    }
    Ok(())
}

/// Maximum number of bots whose names a warning contains.
const NAMED_MAX: usize = 5;

/// Returns a warning that the bots in `outdated` have changed. `shown` is the start of the clause
/// that names the played versions, as in "these results are". `league` and `file` are paths for the
/// suggested commands.
pub(in crate::cli) fn edit_warning(
    outdated: &[OutdatedVersion],
    shown: &str,
    league: &Path,
    file: &Path,
) -> String {
    let more = match outdated.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {} more", grouped(more as u64)),
    };
    let named = &outdated[..outdated.len().min(NAMED_MAX)];
    let names = quoted(named.iter().map(|bot| bot.played.name.as_str()));
    let versions = named.iter().map(|OutdatedVersion { played, .. }| {
        let blocks = counted(played.blocks, "block");
        format!("version {} of {} ({blocks})", played.number, played.name)
    });
    let versions = joined(versions, ", ");
    // Built-in bots change if Hattari is upgraded, not by edits.
    let built_in = outdated.iter().filter(|bot| bot.is_built_in).count();
    let reason = match built_in {
        0 => "",
        _ if built_in == outdated.len() => {
            " (built in: this Hattari contains other versions than those in the store)"
        }
        _ => {
            " (some are built in: this Hattari contains other versions of them than those in the \
            store)"
        }
    };
    let path = |path: &Path| shell(&output::short(path));
    let first = named
        .first()
        .map_or_else(String::new, |bot| shell(&bot.played.name));
    format!(
        "changed since the league was last played: {names}{more}{reason}; {shown} of \
        {versions}{more}. `hattari run {}` plays the current bots; `hattari report {} --versions \
        {first}` then compares the versions",
        path(league),
        path(file)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_play::store::{BotContent, StoredVersion};

    fn outdated(number: usize, is_built_in: bool) -> OutdatedVersion {
        let played = StoredVersion {
            name: format!("b{number}"),
            number: 1,
            content: BotContent::default(),
            blocks: 2,
            is_current: true,
        };
        OutdatedVersion {
            played,
            is_built_in,
        }
    }

    #[track_caller]
    fn check_warning(outdated: &[OutdatedVersion], expected: &str) {
        let league = Path::new("x.yaml");
        let warning = edit_warning(outdated, "these results are", league, league);
        let start = warning.split(". `hattari run").next().unwrap();
        assert_eq!(start, expected);
    }

    #[test]
    fn the_changed_bots_warning_lists_at_most_five_bots() {
        let bots = |count| {
            (1..=count)
                .map(|number| outdated(number, false))
                .collect::<Vec<_>>()
        };
        check_warning(
            &bots(5),
            "changed since the league was last played: `b1`, `b2`, `b3`, `b4`, `b5`; these results are of \
             version 1 of b1 (2 blocks), version 1 of b2 (2 blocks), version 1 of b3 (2 blocks), \
             version 1 of b4 (2 blocks), version 1 of b5 (2 blocks)",
        );
        check_warning(
            &bots(1005),
            "changed since the league was last played: `b1`, `b2`, `b3`, `b4`, `b5` and 1,000 more; these results are of \
             version 1 of b1 (2 blocks), version 1 of b2 (2 blocks), version 1 of b3 (2 blocks), \
             version 1 of b4 (2 blocks), version 1 of b5 (2 blocks) and 1,000 more",
        );
    }

    #[test]
    fn the_changed_bots_warning_identifies_changed_built_in_bots() {
        check_warning(
            &[outdated(1, true)],
            "changed since the league was last played: `b1` (built in: this Hattari contains other \
            versions than those in the store); these results are of version 1 of b1 (2 blocks)",
        );
        check_warning(
            &[outdated(1, true), outdated(2, false)],
            "changed since the league was last played: `b1`, `b2` (some are built in: this Hattari \
            contains other versions of them than those in the store); these results are of version \
            1 of b1 (2 blocks), version 1 of b2 (2 blocks)",
        );
    }
}
