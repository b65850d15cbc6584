//! Plays the games of one version of a bot.

use hattari_agents::agent::output::{self, OutputCapture};
use hattari_agents::agent::recorded::Answers;
use hattari_agents::agent::{Call, CallResult};
use hattari_agents::record::Record;
use hattari_agents::table::{BlockObserver, Position, TakenAction};
use hattari_play::play_blocks::{SeatedBlock, play_blocks};
use hattari_play::prepared::PreparedLeague;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The results of all games of one version, by block number.
pub(crate) type VersionGames = Vec<VersionBlock>;

/// Returns the number of faults of the watched bot.
pub(crate) fn faults(played: &[VersionBlock]) -> u64 {
    played.iter().map(|block| u64::from(block.faults)).sum()
}

/// The results of one block.
#[derive(Clone, Default)]
pub(crate) struct VersionBlock {
    /// Mean payoff per deal of the watched bot, which is the first bot in the line-up.
    pub score: f64,
    /// Number of faults of the watched bot.
    pub faults: u32,
    /// A digest of the actions of each game. Rotations of duplicate deals are separate games.
    pub games: Vec<u64>,
    /// First lines that bots printed, at most `PRINTED_MAX`.
    pub printed: Vec<PrintedLine>,
    /// Total number of lines that bots printed.
    pub lines: u64,
    /// Answers of all bots, if one of them may play differently when the block is played again.
    pub answers: Option<Answers>,
}

/// A line that a bot printed or logged.
#[derive(Clone)]
pub(crate) struct PrintedLine {
    /// Line-up position of the bot.
    pub entrant: usize,
    /// Number of the game.
    pub game: u32,
    /// Number of choices in the game before the line was printed.
    pub moves: u32,
    /// The line, with hidden and control characters replaced by spaces.
    pub line: String,
}

/// Maximum number of printed lines that are stored per block.
const PRINTED_MAX: usize = 8;

/// Returns the number of games that a version plays, including rotations of duplicate deals.
pub(crate) fn games(prepared: &PreparedLeague) -> u64 {
    let PreparedLeague {
        league, schedule, ..
    } = prepared;
    let line_up = schedule.line_ups.first();
    let rotations = league.rotations(line_up.map_or(1, Vec::len));
    u64::from(league.blocks) * u64::from(league.deals) * u64::from(rotations)
}

/// Returns the names of the opponents of the watched bot, one for each place.
pub(crate) fn opponents(prepared: &PreparedLeague) -> Vec<String> {
    let line_up = &prepared.schedule.line_ups[0];
    line_up
        .iter()
        .filter(|&&entrant| entrant != 0)
        .map(|&entrant| prepared.league.entrants[entrant].name.clone())
        .collect()
}

/// Plays all blocks of a league with one line-up. Calls `on_record` with the record of each block,
/// in any order, and counts finished games in `done`. Returns `None` if `stop` was set before the
/// end.
///
/// # Errors
/// Returns an error if a bot cannot be opened.
pub(crate) fn play(
    prepared: &PreparedLeague,
    threads: usize,
    stop: &AtomicBool,
    done: &AtomicU64,
    on_record: &mut dyn FnMut(&Record),
) -> anyhow::Result<Option<VersionGames>> {
    let game = prepared.game()?;
    let jobs: Vec<_> = prepared.jobs().collect();
    let mut played = vec![VersionBlock::default(); jobs.len()];
    let mut missing = jobs.len();
    let is_repeatable = prepared.seats.iter().all(|seat| seat.is_repeatable);
    let observer = |job| BlockCollector {
        stop,
        done,
        digest: 0,
        record: None,
        moves: 0,
        block: VersionBlock {
            answers: (!is_repeatable).then(|| Answers::new(prepared.line_up(job).len())),
            ..VersionBlock::default()
        },
    };
    let play = |seated: SeatedBlock<'_>, notes: &mut BlockCollector<'_>| {
        let _listener = OutputCapture::begin();
        seated.play_any(&*game, notes)
    };
    play_blocks(
        play,
        prepared,
        &jobs,
        threads,
        stop,
        observer,
        |job, seen| {
            // Unfinished blocks are discarded.
            if let Some(record) = seen.record.filter(|_| !stop.load(Ordering::Relaxed)) {
                on_record(&record);
                let score = record.sum[0] as f64 / f64::from(record.deals.max(1));
                played[job.block as usize] = VersionBlock {
                    score,
                    faults: record.fault_counts[0],
                    ..seen.block
                };
                missing -= 1;
            }
            anyhow::Ok(())
        },
    )?;
    Ok((missing == 0).then_some(played))
}

/// An observer that collects the results of a block.
struct BlockCollector<'a> {
    stop: &'a AtomicBool,
    done: &'a AtomicU64,
    digest: u64,
    record: Option<Record>,
    /// Number of choices so far in the current game.
    moves: u32,
    /// The results without score and faults.
    block: VersionBlock,
}

impl BlockObserver for BlockCollector<'_> {
    fn answered(&mut self, entrant: usize, call: Call, answer: CallResult<'_>) {
        if let Some(answers) = &mut self.block.answers {
            answers.note(entrant, call, answer);
        }
        let (lines, moves, block) = (output::take(), self.moves, &mut self.block);
        block.lines += lines.len() as u64;
        let game = u32::try_from(block.games.len()).unwrap_or(u32::MAX);
        let room = PRINTED_MAX.saturating_sub(block.printed.len());
        let printed = lines.into_iter().take(room).map(|line| PrintedLine {
            entrant,
            game,
            moves,
            line,
        });
        block.printed.extend(printed);
    }

    fn acted(&mut self, _at: &dyn Position, taken: &TakenAction<'_>) {
        self.moves += 1;
        self.digest = xxh3_64_with_seed(
            taken.choice().as_bytes(),
            self.digest.rotate_left(8) ^ u64::from(taken.seat),
        );
    }

    fn ended(&mut self, _payoffs: &[i64], _entrants: &[usize]) {
        self.block.games.push(std::mem::take(&mut self.digest));
        self.done.fetch_add(1, Ordering::Relaxed);
        self.moves = 0;
    }

    fn finished(&mut self, record: &Record) {
        self.record = Some(record.clone());
    }

    fn has_seen_enough(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
