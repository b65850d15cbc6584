//! `hattari cluster pack`.

use crate::cli::folders::Folders;
use crate::cli::ready::{LoadedLeague, PrepareOptions};
use crate::cli::{CommandResult, output};
use anyhow::{Context, ensure};
use hattari_agents::text::{counted, grouped, shell};
use hattari_play::pack::{self, EXTENSION, Pack};
use hattari_play::prepared::EntrantBot;
use std::fs;
use std::path::{Path, PathBuf};

/// Pack a league and its bots into one file that other machines can run
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A pack is one file that any machine with Hattari can run. It contains the league file, the files \
that it reads, the files of its bots, and a list of their SHA-256 hashes. The same files give \
the same pack. A pack can be given wherever a league file can; its results are stored next to \
it, and they are equal to the results of the league file. The pack is unpacked into the cache \
folder of the user. Bots in a pack are not trusted: their code needs the same confirmation as \
elsewhere.

A pack does not contain: bots that are built into Hattari, interpreters such as `python3`, and \
files that bots open by themselves (add them with --with).

Examples:
  hattari cluster pack leagues/mine.yaml                 writes leagues/mine.hattari
  hattari cluster pack leagues/mine.yaml --output night.hattari
  hattari run night.hattari                              on any machine
  hattari run night.hattari --unit 0-99 --store 1.sqlite

Exit codes: 0 packed, 2 any error.")]
pub(super) struct Arguments {
    /// The league, a YAML file
    #[arg(value_name = "LEAGUE")]
    league: PathBuf,
    /// Output file (default: next to the league)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// An additional file that a bot reads; it keeps its path relative to the league. May be
    /// repeated
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    #[command(flatten)]
    folders: Folders,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let options = PrepareOptions::WITHOUT_PLAY;
    let ready = LoadedLeague::load(&arguments.league, &arguments.folders)?.prepare(options)?;
    let bots = ready
        .bots
        .iter()
        .flat_map(EntrantBot::parts)
        .map(|bot| match bot {
            EntrantBot::Bot(bot) => Some(&**bot),
            _ => None,
        });
    let packed = pack::pack(
        &ready.file,
        &ready.identity.league,
        &bots.collect::<Vec<_>>(),
        &arguments.with,
    )?;
    let path = arguments
        .output
        .clone()
        .unwrap_or_else(|| arguments.league.with_extension(EXTENSION));
    ensure!(
        path.extension().is_some_and(|ending| ending == EXTENSION),
        "--output {}: the name of a pack must end in .{EXTENSION}",
        path.display()
    );
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let cannot = || format!("{} cannot be written", path.display());
    let unfinished = tempfile::Builder::new()
        .prefix(".unfinished-")
        .tempdir_in(folder)
        .with_context(cannot)?;
    let file = unfinished.path().join(path.file_name().unwrap_or_default());
    fs::write(&file, &packed.bytes).with_context(cannot)?;
    // Check the pack now. An error would otherwise appear only on a machine without the original
    // files.
    let again = LoadedLeague::load(&file, &Folders::default())
        .and_then(|league| league.prepare(options))
        .with_context(|| {
            format!(
                "{} cannot be played from a pack",
                arguments.league.display()
            )
        })?;
    let differences = again
        .identity
        .differences(&ready.identity, "in the pack", "in the league");
    ensure!(
        differences.is_empty(),
        "{} would be a different league in a pack: {}",
        arguments.league.display(),
        differences.join("; ")
    );
    fs::rename(&file, &path).with_context(cannot)?;
    output::print(&text(&path, &packed))
}

/// Returns a text that lists the packed files, the built-in bots and the notes on files left out.
fn text(
    path: &Path,
    Pack {
        bytes,
        manifest,
        notes,
    }: &Pack,
) -> String {
    let built_in: Vec<&str> = manifest
        .bots
        .iter()
        .filter(|(_, bot)| bot.file.is_none())
        .map(|(name, _)| name.as_str())
        .collect();
    let mut text = format!(
        "{}: {}, {} bytes\n",
        path.display(),
        counted(manifest.files.len() as u64, "file"),
        grouped(bytes.len() as u64)
    );
    manifest
        .files
        .iter()
        .for_each(|file| text += &format!("  {}\n", file.path));
    if !built_in.is_empty() {
        text += &format!(
            "built into Hattari, so not in the pack: {}\n",
            built_in.join(", ")
        );
    }
    notes
        .iter()
        .for_each(|note| text += &format!("note: {note}\n"));
    text += &format!(
        "To play it: `hattari run {}`\n",
        shell(&path.to_string_lossy())
    );
    text
}
