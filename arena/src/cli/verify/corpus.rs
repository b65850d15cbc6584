//! `hattari verify CORPUS`: replays recorded games of daihinmin.

use super::Arguments;
use crate::cli::options::{game_options, open_input};
use crate::cli::{CommandResult, Outcome, output};
use anyhow::{Context, ensure};
use flate2::bufread::MultiGzDecoder;
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{Daihinmin, corpus};
use serde::Serialize;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Maximum length of a line, in bytes. A game of a thousand turns has about 50,000 bytes.
const LINE_BYTES_MAX: u64 = 16 << 20;
/// Maximum number of consecutive lines without a game. A file with more is rejected, because a
/// small compressed file could expand to millions of lines.
const LINES_WITHOUT_GAME_MAX: usize = 1_000_000;
/// Maximum number of bytes of consecutive lines without a game.
const BYTES_WITHOUT_GAME_MAX: usize = 32 << 20;
/// Magic number of gzip files.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The result of replaying a corpus.
#[derive(Default, Serialize)]
struct CorpusResult {
    games: usize,
    turns: usize,
    plays: usize,
    mismatch_count: usize,
    malformed_count: usize,
    mismatches: Vec<Mismatch>,
    malformed: Vec<Malformed>,
}

/// A turn or result of a recorded game that contradicts the rules.
#[derive(Serialize)]
struct Mismatch {
    /// Number of the game, from 1. Malformed lines are counted as games.
    game: usize,
    line: usize,
    /// Number of the turn, from 1; `None` before the first turn and after the last.
    turn: Option<usize>,
    what: String,
}

/// A line that is not a valid record.
#[derive(Serialize)]
struct Malformed {
    line: usize,
    what: String,
}

/// Replays a corpus.
pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let options = game_options::<Daihinmin>(&arguments.preset, "{}")?;
    let rules = Daihinmin::new(options).map_err(anyhow::Error::msg)?;
    let name = arguments.file.display();
    let verified = open(&arguments.file)
        .and_then(|reader| verify(&rules, reader, arguments.max))
        .with_context(|| format!("{name}"))?;
    ensure!(
        verified.games + verified.malformed_count != 0,
        "{name}: the file contains no games"
    );
    output::print_as(arguments.json, &verified, || text(&verified))?;
    let differences = verified.mismatch_count + verified.malformed_count;
    Ok(Outcome::of_search(differences > 0))
}

/// Opens a corpus, which is decompressed if it begins with the magic number of gzip.
fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    let mut reader = BufReader::with_capacity(1 << 16, open_input(path)?);
    // The first read from a pipe may return less than two bytes.
    let mut head = Vec::new();
    reader
        .by_ref()
        .take(GZIP.len() as u64)
        .read_to_end(&mut head)?;
    let zipped = head == GZIP;
    let whole = BufReader::new(std::io::Cursor::new(head).chain(reader));
    Ok(if zipped {
        Box::new(BufReader::new(MultiGzDecoder::new(whole)))
    } else {
        Box::new(whole)
    })
}

/// Replays the games in all lines. Keeps at most `max` messages of each kind.
fn verify(
    rules: &Daihinmin,
    mut reader: Box<dyn BufRead>,
    max: usize,
) -> anyhow::Result<CorpusResult> {
    let mut verified = CorpusResult::default();
    let mut bytes = Vec::new();
    let (mut lines_without_game, mut bytes_without_game) = (0, 0);
    for line in 1.. {
        bytes.clear();
        let read = reader
            .by_ref()
            .take(LINE_BYTES_MAX)
            .read_until(b'\n', &mut bytes);
        if read.with_context(|| format!("cannot read line {line}"))? == 0 {
            break;
        }
        ensure!(
            (bytes.len() as u64) < LINE_BYTES_MAX,
            "line {line} has more than {LINE_BYTES_MAX} bytes"
        );
        let is_blank = bytes.trim_ascii().is_empty();
        let games = verified.games;
        if !is_blank {
            verified.verify_line(rules, line, &bytes, max);
        }
        if verified.games > games {
            (lines_without_game, bytes_without_game) = (0, 0);
        } else {
            lines_without_game += 1;
            bytes_without_game += bytes.len();
        }
        ensure!(
            lines_without_game <= LINES_WITHOUT_GAME_MAX
                && bytes_without_game <= BYTES_WITHOUT_GAME_MAX,
            "lines {} to {line} contain no game: the file is not a corpus",
            line - lines_without_game + 1
        );
    }
    Ok(verified)
}

impl CorpusResult {
    fn verify_line(&mut self, rules: &Daihinmin, line: usize, bytes: &[u8], max: usize) {
        let record: corpus::CorpusRecord = match serde_json::from_slice(bytes.trim_ascii_end()) {
            Ok(record) => record,
            Err(error) => {
                self.malformed_count += 1;
                if self.malformed.len() < max {
                    self.malformed.push(Malformed {
                        line,
                        what: describe(&error),
                    });
                }
                return;
            }
        };
        self.games += 1;
        let game = self.games + self.malformed_count;
        let replay = corpus::replay(rules, &record);
        self.turns += replay.turns;
        self.plays += replay.plays;
        self.mismatch_count += replay.mismatches.len();
        let room = max.saturating_sub(self.mismatches.len());
        let mismatches = replay.mismatches.into_iter().take(room);
        self.mismatches
            .extend(mismatches.map(|corpus::Mismatch { turn, what }| Mismatch {
                game,
                line,
                turn,
                what,
            }));
    }
}

/// Returns the message of a JSON error without the line number, which is always 1, but with the
/// column.
fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(what, _)| what);
    format!("column {}: {what}", error.column())
}

fn text(verified: &CorpusResult) -> String {
    let CorpusResult {
        games,
        turns,
        plays,
        mismatch_count,
        malformed_count,
        ..
    } = verified;
    let mut text = String::new();
    for Malformed { line, what } in &verified.malformed {
        text += &format!("line {line}: malformed: {what}\n");
    }
    for Mismatch {
        game, turn, what, ..
    } in &verified.mismatches
    {
        match turn {
            Some(turn) => text += &format!("game {game}, turn {turn}: {what}\n"),
            None => text += &format!("game {game}: {what}\n"),
        }
    }
    let printed = verified.mismatches.len() + verified.malformed.len();
    let more = mismatch_count + malformed_count - printed;
    if more > 0 {
        text += &format!("... and {more} more (--max)\n");
    }
    text += &format!("{games} games, {turns} turns ({plays} plays), {mismatch_count} mismatches");
    if *malformed_count > 0 {
        text += &format!(", {malformed_count} malformed lines");
    }
    text + "\n"
}
