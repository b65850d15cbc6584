//! Values of dealt daihinmin hands, fitted to games.
//! [`Game::luck`](hattari_plugin::games::Game::luck) uses them.

use crate::Games;
use hattari_agents::table::TypedObserver;
use hattari_agents::text::joined;
use hattari_plugin::games::daihinmin::luck::{COUNTS, HANDS, RANKS, RankValues, counts, hand_kind};
use hattari_plugin::games::daihinmin::{Daihinmin, Deal, PLAYERS};
use hattari_stats::solve_symmetric;
use std::sync::atomic::AtomicBool;

/// Number of features of a hand: one for each rank and each positive number of cards of this rank,
/// and one for the joker.
const FEATURES: usize = (RANKS - 1) * (COUNTS - 1) + 1;
/// Number of hands that are considered for one seat: one per title, or the seat's own and the sum
/// of the others.
const HANDS_PER_SEAT: usize = PLAYERS;
/// Number of columns: the features of all hands and a constant.
const COLUMNS: usize = HANDS_PER_SEAT * FEATURES + 1;
/// Ridge penalty, in deals.
const RIDGE: f64 = 20.0;

/// Returns the fit that a kind of hand belongs to, and the position of this kind in the fit. Fit 0
/// is for deals without titles; the others are ordered by the title of the seat whose points are
/// explained.
fn position_in_fit(kind: usize) -> (usize, usize) {
    kind.checked_sub(2)
        .map_or((0, kind), |kind| (1 + kind % PLAYERS, kind / PLAYERS))
}

/// A deal, with one entry per seat: title, number of cards of each rank in the dealt hand, and
/// points minus the mean.
type RecordedDeal = [(u8, [usize; RANKS], f64); PLAYERS];

/// An observer that records the dealt hands and the points.
#[derive(Default)]
struct HandRecorder(Vec<RecordedDeal>);

impl TypedObserver<Daihinmin> for HandRecorder {
    fn ended(&mut self, _game: &Daihinmin, deal: &Deal, payoffs: &[i64], _entrants: &[usize]) {
        let mean = payoffs.iter().sum::<i64>() as f64 / PLAYERS as f64;
        self.0.push([0, 1, 2, 3, 4].map(|seat| {
            let points = payoffs[usize::from(deal.player(seat))] as f64 - mean;
            (
                deal.title(seat),
                counts(deal.dealt()[usize::from(seat)]),
                points,
            )
        }));
    }
}

/// The normal equations of one fit.
#[derive(Clone)]
struct NormalEquations {
    matrix: Vec<Vec<f64>>,
    right: Vec<f64>,
    total: f64,
    count: u64,
}

impl NormalEquations {
    /// Adds an observation: the points of a seat, and the hands of all seats with their positions
    /// in the fit.
    fn add(&mut self, hands: [(usize, &[usize; RANKS]); PLAYERS], points: f64) {
        let mut columns = vec![COLUMNS - 1];
        for (place, hand) in hands {
            let held = hand.iter().enumerate().filter(|(_, count)| **count > 0);
            columns.extend(
                held.map(|(rank, count)| place * FEATURES + rank * (COUNTS - 1) + count - 1),
            );
        }
        for &column in &columns {
            columns
                .iter()
                .for_each(|&other| self.matrix[column][other] += 1.0);
            self.right[column] += points;
        }
        self.total += points * points;
        self.count += 1;
    }

    /// Returns the fitted values and the share of the variance of points that they explain.
    fn solve(mut self) -> Option<(Vec<f64>, f64)> {
        if self.count == 0 {
            return None;
        }
        (0..COLUMNS).for_each(|column| self.matrix[column][column] += RIDGE);
        let figures = solve_symmetric(&self.matrix, &self.right)?;
        let mean = self.right[COLUMNS - 1] / self.count as f64;
        let explained: f64 = figures
            .iter()
            .zip(&self.right)
            .map(|(figure, right)| figure * right)
            .sum();
        let centre = self.count as f64 * mean * mean;
        Some((figures, (explained - centre) / (self.total - centre)))
    }
}

/// Fitted values of hands, and how well they explain the points.
pub(crate) struct Fit {
    /// Values by kind of hand, as in [`hattari_plugin::games::daihinmin::luck::VALUES`].
    pub values: [RankValues<i32>; HANDS],
    /// Number of deals.
    pub deals: u64,
    /// Explained share of the variance of points: first for deals without titles, then for each
    /// title, from the daifugo's down.
    pub explained: Vec<f64>,
}

impl Fit {
    /// Returns the values in the format that the source of the rules includes.
    pub(crate) fn source(&self) -> String {
        let mut text = String::from("[\n");
        for worth in &self.values {
            let rows = joined(worth.iter().map(|of_rank| format!("{of_rank:?}")), ", ");
            text += &format!("    [{rows}],\n");
        }
        text + "]\n"
    }
}

/// Plays the blocks of a league and fits the values of hands.
///
/// # Errors
/// Returns the same errors as [`Games::play`].
pub(crate) fn fit(games: &Games, stop: &AtomicBool) -> anyhow::Result<Fit> {
    let empty = NormalEquations {
        matrix: vec![vec![0.0; COLUMNS]; COLUMNS],
        right: vec![0.0; COLUMNS],
        total: 0.0,
        count: 0,
    };
    let mut squares = vec![empty; 6];
    // Sums of counts are integers and points are multiples of 0.2. The order of the blocks only
    // affects the last digits, which are rounded off.
    games.play(
        &games.prepare()?,
        stop,
        |_| HandRecorder::default(),
        |_, HandRecorder(recorded)| {
            for deal in &recorded {
                for (seat, &(title, _, points)) in deal.iter().enumerate() {
                    let hands = std::array::from_fn(|other| {
                        let (of, hand, _) = &deal[other];
                        (
                            position_in_fit(hand_kind(*of, title, other == seat)).1,
                            hand,
                        )
                    });
                    squares[position_in_fit(hand_kind(title, title, true)).0].add(hands, points);
                }
            }
        },
    )?;
    let deals = squares.iter().map(|squares| squares.count).sum::<u64>() / 5;
    let mut values = [[[0; COUNTS]; RANKS]; HANDS];
    let mut explained = Vec::new();
    for (class, squares) in squares.into_iter().enumerate() {
        // A title without deals gets value 0. With deals, the ridge penalty makes the solution
        // unique.
        let (figures, share) = squares.solve().unwrap_or((vec![0.0; COLUMNS], 0.0));
        explained.push(share);
        for (kind, worth) in values.iter_mut().enumerate() {
            let (of_class, place) = position_in_fit(kind);
            if of_class != class {
                continue;
            }
            for (rank, of_rank) in worth.iter_mut().enumerate() {
                let most = if rank + 1 == RANKS { 1 } else { COUNTS - 1 };
                for count in 1..=most {
                    let figure = figures[place * FEATURES + rank * (COUNTS - 1) + count - 1];
                    #[expect(
                        clippy::cast_possible_truncation,
                        reason = "a hand is worth a few points"
                    )]
                    let thousandths = (1000.0 * figure).round() as i32;
                    of_rank[count] = thousandths;
                }
            }
        }
    }
    Ok(Fit {
        values,
        deals,
        explained,
    })
}
