//! What dealt hands of daihinmin are worth, fitted to games: the figures behind [`Game::luck`](hattari_plugin::games::Game::luck).

use hattari_hosts::record::JobId;
use hattari_hosts::table::Watch;
use hattari_play::cast::{Cast, CastError};
use hattari_play::gather::gather;
use hattari_plugin::games::daihinmin::luck::{COUNTS, HANDS, RANKS, Worth, counts, other, own};
use hattari_plugin::games::daihinmin::{Daihinmin, Deal, NONE, PLAYERS};
use hattari_stats::solve_symmetric;
use std::fmt::Write;
use std::sync::atomic::AtomicBool;

/// Numbers that a hand is looked at by: one for each rank and each number of its cards but none, and the joker.
const FEATURES: usize = (RANKS - 1) * (COUNTS - 1) + 1;
/// Those of a seat: its own hand's, the hand's that it exchanges cards with, and a constant.
const COLUMNS: usize = 2 * FEATURES + 1;
/// Weight of the wish for small figures, in deals.
const RIDGE: f64 = 20.0;

/// A seat of a deal: its title, the two hands, its points.
type Seen = (u8, [[usize; RANKS]; 2], f64);

/// Notes who was dealt what, and what came of it.
#[derive(Default)]
struct Looker(Vec<Seen>);

impl Watch<Daihinmin> for Looker {
    fn ended(&mut self, _game: &Daihinmin, deal: &Deal, payoffs: &[i64], _entrants: &[usize]) {
        let mean = payoffs.iter().sum::<i64>() as f64 / PLAYERS as f64;
        for seat in 0..5 {
            let title = deal.title(seat);
            let hand = |seat: u8| counts(deal.dealt()[usize::from(seat)]);
            let partner = other(title).map_or([0; RANKS], |(_, title)| hand(deal.seat_with(title)));
            let player = usize::from(deal.player(seat));
            self.0.push((title, [hand(seat), partner], payoffs[player] as f64 - mean));
        }
    }
}

/// The least squares of one title.
#[derive(Clone)]
struct Squares {
    matrix: Vec<Vec<f64>>,
    right: Vec<f64>,
    total: f64,
    count: u64,
}

impl Squares {
    fn add(&mut self, hands: &[[usize; RANKS]; 2], points: f64) {
        let mut columns = [COLUMNS - 1; 2 * RANKS + 1];
        let mut used = 1;
        for (half, hand) in hands.iter().enumerate() {
            for (rank, &count) in hand.iter().enumerate().filter(|(_, count)| **count > 0) {
                columns[used] = half * FEATURES + rank * (COUNTS - 1) + count - 1;
                used += 1;
            }
        }
        for &column in &columns[..used] {
            columns[..used].iter().for_each(|&other| self.matrix[column][other] += 1.0);
            self.right[column] += points;
        }
        self.total += points * points;
        self.count += 1;
    }

    /// The figures, and the share of the variance of points that they explain.
    fn solve(mut self) -> Option<(Vec<f64>, f64)> {
        if self.count == 0 {
            return None;
        }
        (0..COLUMNS).for_each(|column| self.matrix[column][column] += RIDGE);
        let figures = solve_symmetric(&self.matrix, &self.right)?;
        let mean = self.right[COLUMNS - 1] / self.count as f64;
        let explained: f64 = figures.iter().zip(&self.right).map(|(figure, right)| figure * right).sum();
        let centre = self.count as f64 * mean * mean;
        Some((figures, (explained - centre) / (self.total - centre)))
    }
}

/// What hands are worth, and how well that explains the points.
pub struct Fit {
    /// By kind of hand, as in [`hattari_plugin::games::daihinmin::luck::VALUES`].
    pub values: [Worth<i32>; HANDS],
    /// Deals looked at.
    pub deals: u64,
    /// Share of the variance of points, within each title from the daifugo's, and before them without titles.
    pub explained: Vec<f64>,
}

impl Fit {
    /// The values as the source of the rules includes them.
    #[must_use]
    pub fn source(&self) -> String {
        let mut text = String::from("[\n");
        for worth in &self.values {
            let rows: Vec<String> = worth.iter().map(|of_rank| format!("{of_rank:?}")).collect();
            writeln!(text, "    [{}],", rows.join(", ")).expect("strings take everything");
        }
        text + "]\n"
    }
}

/// Plays the blocks of a league and fits what hands were worth in it. `progress` gets the blocks done.
///
/// # Errors
/// As [`gather`].
pub fn fit(cast: &Cast, threads: usize, stop: &AtomicBool, mut progress: impl FnMut(u64)) -> Result<Fit, CastError> {
    let game: Daihinmin = cast.game_as()?;
    let jobs: Vec<JobId> = cast.jobs().collect();
    let empty = Squares { matrix: vec![vec![0.0; COLUMNS]; COLUMNS], right: vec![0.0; COLUMNS], total: 0.0, count: 0 };
    let mut squares = vec![empty; 6];
    let mut blocks = 0;
    // Sums of counts are whole numbers, and points are in fifths: the order of blocks shows in the last digits alone, which are rounded off.
    gather(
        |seated, watch| seated.at(&game, watch),
        cast,
        &jobs,
        threads,
        stop,
        |_| Looker::default(),
        |_, Looker(seen)| {
            for (title, hands, points) in seen {
                squares[own(title)].add(&hands, points);
            }
            blocks += 1;
            progress(blocks);
            Ok::<_, CastError>(())
        },
    )?;
    let deals = squares.iter().map(|squares| squares.count).sum::<u64>() / 5;
    let mut values = [[[0; COUNTS]; RANKS]; HANDS];
    let mut explained = Vec::new();
    for (class, squares) in squares.into_iter().enumerate() {
        let title = u8::try_from(class).unwrap_or(0).checked_sub(1).unwrap_or(NONE);
        // A title that nobody came in with is worth nothing; where there are deals the ridge leaves one solution.
        let (figures, share) = squares.solve().unwrap_or((vec![0.0; COLUMNS], 0.0));
        explained.push(share);
        let kinds = [Some(own(title)), other(title).map(|(kind, _)| kind)];
        for (half, kind) in kinds.into_iter().enumerate() {
            let Some(kind) = kind else { continue };
            for (rank, of_rank) in values[kind].iter_mut().enumerate() {
                let most = if rank + 1 == RANKS { 1 } else { COUNTS - 1 };
                for count in 1..=most {
                    let figure = figures[half * FEATURES + rank * (COUNTS - 1) + count - 1];
                    #[expect(clippy::cast_possible_truncation, reason = "a hand is worth a few points")]
                    let thousandths = (1000.0 * figure).round() as i32;
                    of_rank[count] = thousandths;
                }
            }
        }
    }
    Ok(Fit { values, deals, explained })
}
