//! Plays the games of a version.

use hattari_agents::agent::said::{self, Listener};
use hattari_agents::agent::{Call, Misstep};
use hattari_agents::record::Record;
use hattari_agents::table::{Onlooker, Position, Taken};
use hattari_play::cast::Cast;
use hattari_play::gather::{Seated, gather};
use hattari_plugin::Choice;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What came of a version's games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Played {
    /// By number of the block.
    pub blocks: Vec<Block>,
}

/// A block of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// Mean payoff a deal of the first in the line-up.
    pub score: f64,
    /// Its faults.
    pub faults: u32,
    /// What stands for everything that was done in each game; rotations of duplicate deals count
    /// on.
    pub games: Vec<u64>,
    /// The first lines that were printed in it.
    pub said: Vec<Said>,
    /// How many lines were printed in all.
    pub lines: u64,
}

/// A line that a bot printed or logged.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// Place in the line-up of the bot.
    pub entrant: usize,
    /// The game.
    pub game: u32,
    /// Choices that had been made in it.
    pub moves: u32,
    /// The line, harmless.
    pub line: String,
}

/// Lines of a block that are kept.
const SAID_MAX: usize = 8;

/// Returns how many games a version plays; rotations of duplicate deals count on.
///
/// # Errors
/// The game is not known.
pub fn games(cast: &Cast) -> anyhow::Result<u64> {
    let plan = cast.league.block_plan();
    let players = cast
        .schedule
        .line_ups
        .first()
        .map_or(1, |line_up| line_up.entrants.len());
    let rotations = if plan.duplicate {
        cast.game()?.rotations(players) as u64
    } else {
        1
    };
    Ok(u64::from(cast.league.blocks) * u64::from(plan.deals) * rotations)
}

/// Plays all blocks of a cast with one line-up, and tells each record as it comes, in any order;
/// `done` counts the games as they end. Returns `None` if `stop` was set before the end.
///
/// # Errors
/// A bot that cannot be opened.
pub fn play(
    cast: &Cast,
    threads: usize,
    stop: &AtomicBool,
    done: &AtomicU64,
    told: &mut dyn FnMut(&Record),
) -> anyhow::Result<Option<Played>> {
    let game = cast.game()?;
    let jobs: Vec<_> = cast.jobs().collect();
    let mut played = Played {
        blocks: vec![Block::default(); jobs.len()],
    };
    let mut missing = jobs.len();
    let onlooker = |_| Notes {
        stop,
        done,
        digest: 0,
        games: Vec::new(),
        record: None,
        moves: 0,
        said: Vec::new(),
        lines: 0,
    };
    let play = |seated: Seated<'_>, notes: &mut Notes<'_>| {
        let _listener = Listener::begin();
        seated.at_any(&*game, notes)
    };
    gather(play, cast, &jobs, threads, stop, onlooker, |job, seen| {
        // A block that was cut short is none.
        if let Some(record) = seen.record.filter(|_| !stop.load(Ordering::Relaxed)) {
            told(&record);
            let score = record.sum[0] as f64 / f64::from(record.deals.max(1));
            let Notes {
                games, said, lines, ..
            } = seen;
            played.blocks[job.block as usize] = Block {
                score,
                faults: record.fault_counts[0],
                games,
                said,
                lines,
            };
            missing -= 1;
        }
        anyhow::Ok(())
    })?;
    Ok((missing == 0).then_some(played))
}

/// Takes down what a block comes to.
struct Notes<'a> {
    stop: &'a AtomicBool,
    done: &'a AtomicU64,
    digest: u64,
    games: Vec<u64>,
    record: Option<Record>,
    /// Choices of the game so far.
    moves: u32,
    said: Vec<Said>,
    lines: u64,
}

impl Onlooker for Notes<'_> {
    fn answered(
        &mut self,
        entrant: usize,
        _call: Call,
        _answer: Result<Option<&Choice>, &Misstep>,
    ) {
        let lines = said::take();
        self.lines += lines.len() as u64;
        let (game, moves) = (
            u32::try_from(self.games.len()).unwrap_or(u32::MAX),
            self.moves,
        );
        let room = SAID_MAX.saturating_sub(self.said.len());
        self.said
            .extend(lines.into_iter().take(room).map(|line| Said {
                entrant,
                game,
                moves,
                line,
            }));
    }

    fn acted(&mut self, _at: &dyn Position, taken: &Taken<'_>) {
        self.moves += 1;
        self.digest = xxh3_64_with_seed(
            taken.choice().as_bytes(),
            self.digest.rotate_left(8) ^ u64::from(taken.seat),
        );
    }

    fn ended(&mut self, _payoffs: &[i64], _entrants: &[usize]) {
        self.games.push(std::mem::take(&mut self.digest));
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
