//! A league as a game in which each player chooses a bot: equilibria and α-Rank.

use crate::Untestable;

/// Maximum number of pivots of the simplex method. The table of a league needs about as many pivots
/// as it has bots.
const PIVOTS_MAX: usize = 100_000;

/// A pair of optimal mixed strategies of a two-player zero-sum game.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    /// Probability with which the row player plays each row.
    pub row: Vec<f64>,
    /// Probability with which the column player plays each column.
    pub column: Vec<f64>,
    /// Expected payoff of the row player.
    pub value: f64,
}

/// Returns an equilibrium of the zero-sum game in which the column player pays `payoff[i][j]` to
/// the row player, by the simplex method. If there are several equilibria, returns one of them.
///
/// For the antisymmetric table of a league the value is 0. A bot with probability 0 is not needed
/// in the best mixture of bots.
///
/// # Errors
/// Returns an error if the table is empty or ragged, or if an entry is not finite.
pub fn nash(payoff: &[Vec<f64>]) -> Result<Equilibrium, Untestable> {
    let rows = payoff.len();
    let columns = payoff.first().map_or(0, Vec::len);
    check(payoff, columns)?;
    let all = || payoff.iter().flatten().copied();
    let (least, most) = (
        all().fold(f64::INFINITY, f64::min),
        all().fold(f64::NEG_INFINITY, f64::max),
    );
    // With entries from 1 to 2 the value of the game is positive. The column player's problem is
    // then: maximise Σ y subject to table · y ≤ 1 and y ≥ 0. Its dual is the row player's problem.
    let scale = if least < most { most - least } else { 1.0 };
    let width = columns + rows + 1;
    let row = |(i, payoff): (usize, &Vec<f64>)| {
        let mut line: Vec<f64> = payoff.iter().map(|x| (x - least) / scale + 1.0).collect();
        line.resize(width, 0.0);
        line[columns + i] = 1.0;
        line[width - 1] = 1.0;
        line
    };
    let mut tableau: Vec<Vec<f64>> = payoff.iter().enumerate().map(row).collect();
    // The last line is the objective.
    tableau.push([vec![-1.0; columns], vec![0.0; rows + 1]].concat());
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    // Bland's rule cannot cycle in exact arithmetic. The limit is a safeguard against rounding
    // errors.
    let mut pivots = 0..PIVOTS_MAX;
    let is_negative = |cost: &f64| *cost < -1e-12;
    while let Some(entering) = tableau[rows][..width - 1].iter().position(is_negative) {
        pivots.next().ok_or(Untestable::NoConvergence)?;
        // All entries are positive, so the problem is bounded and there is always a limiting row.
        let ratio = |i: usize| tableau[i][width - 1] / tableau[i][entering];
        let limiting = (0..rows).filter(|&i| 1e-12 < tableau[i][entering]);
        let by_ratio = |&i: &usize, &j: &usize| {
            let by_index = basis[i].cmp(&basis[j]);
            ratio(i).total_cmp(&ratio(j)).then(by_index)
        };
        let pivot = limiting.min_by(by_ratio).ok_or(Untestable::NoConvergence)?;
        let factor = tableau[pivot][entering];
        tableau[pivot].iter_mut().for_each(|cell| *cell /= factor);
        let pivot_line = tableau[pivot].clone();
        let lines = tableau.iter_mut().enumerate();
        for (_, line) in lines.filter(|(i, _)| *i != pivot) {
            let share = line[entering];
            let cells = line.iter_mut().zip(&pivot_line);
            cells.for_each(|(cell, p)| *cell -= share * p);
        }
        basis[pivot] = entering;
    }

    let mut column = vec![0.0; columns];
    for (line, &variable) in tableau.iter().zip(&basis) {
        if variable < columns {
            column[variable] = line[width - 1];
        }
    }
    let mixture = |weights: &[f64]| -> Vec<f64> {
        let total: f64 = weights.iter().map(|w| w.max(0.0)).sum();
        weights.iter().map(|w| w.max(0.0) / total).collect()
    };
    let objective = &tableau[rows];
    Ok(Equilibrium {
        row: mixture(&objective[columns..columns + rows]),
        column: mixture(&column),
        value: (1.0 / objective[width - 1] - 1.0) * scale + least,
    })
}

/// Returns the α-Rank of the bots in one population (Omidshafiei and others, "α-Rank: multi-agent
/// evaluation by evolution").
///
/// The result for a bot is the share of time for which all of `population` players play this bot,
/// if players copy more successful ones with selection intensity `alpha`. `payoff[i][j]` is the
/// payoff of i against j.
///
/// # Errors
/// Returns an error if the table is empty or ragged, if an entry is not finite, if `alpha` is not
/// positive and finite, or if `population` is less than 2.
pub fn alpha_rank(
    payoff: &[Vec<f64>],
    alpha: f64,
    population: u32,
) -> Result<Vec<f64>, Untestable> {
    let n = payoff.len();
    check(payoff, n)?;
    Untestable::require(
        alpha.is_finite() && 0.0 < alpha && 2 <= population,
        "alpha-rank needs a positive alpha and a population of at least two",
    )?;
    // Transition from a population of i to a population of j, started by a single mutant.
    let rate =
        |i: usize, j: usize| fixation(alpha * (payoff[j][i] - payoff[i][j]), f64::from(population));
    let rates = (0..n)
        .map(|i| {
            (0..n)
                .map(|j| if i == j { 0.0 } else { rate(i, j) })
                .collect()
        })
        .collect();
    Ok(stationary(rates))
}

/// Checks that every row of the table has `columns` entries, at least one, and that all are finite.
fn check(payoff: &[Vec<f64>], columns: usize) -> Result<(), Untestable> {
    if columns == 0 || payoff.iter().any(|row| row.len() != columns) {
        Err(Untestable::LengthMismatch)
    } else if payoff.iter().flatten().any(|x| !x.is_finite()) {
        Err(Untestable::NotFinite)
    } else {
        Ok(())
    }
}

/// Returns (1 − e^−x) / (1 − e^−mx), the probability that one mutant with advantage x takes over a
/// population of m. The result is at least the smallest normal number, so that no state is
/// absorbing.
fn fixation(x: f64, m: f64) -> f64 {
    let chance = if x == 0.0 {
        1.0 / m
    } else if 0.0 < x {
        libm::expm1(-x) / libm::expm1(-m * x)
    } else {
        // Multiply numerator and denominator by e^{mx}, so that neither overflows.
        libm::exp((m - 1.0) * x) * libm::expm1(x) / libm::expm1(m * x)
    };
    chance.max(f64::MIN_POSITIVE)
}

/// Returns the stationary distribution of a Markov chain with these rates. The elimination of
/// Grassmann, Taksar and Heyman uses no subtraction, so that tiny probabilities are accurate.
fn stationary(mut rates: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rates.len();
    for last in (1..n).rev() {
        let out: f64 = rates[last][..last].iter().sum();
        for i in 0..last {
            rates[i][last] /= out;
            for j in 0..last {
                if i != j {
                    rates[i][j] += rates[i][last] * rates[last][j];
                }
            }
        }
    }
    let mut shares: Vec<f64> = vec![1.0];
    while shares.len() < n {
        let state = shares.len();
        let inflow = shares
            .iter()
            .zip(&rates)
            .map(|(share, row)| share * row[state])
            .sum();
        shares.push(inflow);
    }
    let total: f64 = shares.iter().sum();
    shares.iter().map(|share| share / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nash_solves_saddle_points_and_mixed_games() {
        let saddle = nash(&[vec![3.0, 5.0], vec![1.0, 9.0]]).expect("valid");
        assert_eq!(
            (saddle.row, saddle.column, saddle.value),
            (vec![1.0, 0.0], vec![1.0, 0.0], 3.0)
        );
        // By hand: the payoffs of both columns are equal if 2p = 1 − p, so p = 1/3 and the value is
        // 2/3.
        let mixed = nash(&[vec![2.0, 0.0], vec![0.0, 1.0]]).expect("valid");
        assert!(
            (mixed.value - 2.0 / 3.0).abs() < 1e-12 && (mixed.row[0] - 1.0 / 3.0).abs() < 1e-12,
            "{mixed:?}"
        );
        let flat = nash(&[vec![1.5; 3]]).expect("valid");
        assert!((flat.value - 1.5).abs() < 1e-12);
        assert_eq!(nash(&[]), Err(Untestable::LengthMismatch));
    }

    #[test]
    fn alpha_rank_gives_a_dominant_bot_the_whole_share() {
        let shares = alpha_rank(&[vec![0.0, 1.0], vec![-1.0, 0.0]], 1e3, 50).expect("valid");
        assert!((shares[0] - 1.0).abs() < 1e-12 && shares.iter().all(|s| s.is_finite()));
        assert!(alpha_rank(&[vec![0.0]], 0.0, 50).is_err());
    }
}
