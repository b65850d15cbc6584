//! A league as a game whose moves are the bots: which mixture of bots is stable.

use crate::Untestable;

/// Pivots of the simplex method before it is given up; tables of leagues take about as many as they
/// have bots.
const PIVOTS_MAX: usize = 100_000;

/// A pair of optimal mixtures of a two-person zero-sum game.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    /// How often the row player plays each row.
    pub row: Vec<f64>,
    /// How often the column player plays each column.
    pub column: Vec<f64>,
    /// What the row player gets on average.
    pub value: f64,
}

/// An equilibrium of the zero-sum game in which `payoff[i][j]` goes from the column player to the
/// row player, by the simplex method. Where there are several, one of them. For the antisymmetric
/// table of a league the value is 0 and a bot outside the mixture is one that a population of the
/// best would drop.
///
/// # Errors
/// An empty or ragged table, or an entry that is not finite.
pub fn nash(payoff: &[Vec<f64>]) -> Result<Equilibrium, Untestable> {
    let rows = payoff.len();
    let columns = payoff.first().map_or(0, Vec::len);
    if rows == 0 || columns == 0 || payoff.iter().any(|row| row.len() != columns) {
        return Err(Untestable::LengthMismatch);
    }
    if payoff.iter().flatten().any(|x| !x.is_finite()) {
        return Err(Untestable::NotFinite);
    }
    let least = payoff
        .iter()
        .flatten()
        .copied()
        .fold(f64::INFINITY, f64::min);
    let most = payoff
        .iter()
        .flatten()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max);
    // With entries from 1 to 2 the game is worth something positive, so the column player's problem
    // is: the largest Σ y with table · y ≤ 1 and y ≥ 0; its dual is the row player's.
    let scale = if least < most { most - least } else { 1.0 };
    let width = columns + rows + 1;
    let mut tableau: Vec<Vec<f64>> = (0..rows)
        .map(|i| {
            let mut line = vec![0.0; width];
            line.iter_mut()
                .zip(&payoff[i])
                .for_each(|(cell, x)| *cell = (x - least) / scale + 1.0);
            line[columns + i] = 1.0;
            line[width - 1] = 1.0;
            line
        })
        .collect();
    let mut objective = vec![0.0; width];
    objective[..columns].fill(-1.0);
    let mut basis: Vec<usize> = (columns..columns + rows).collect();

    // Bland's rule never cycles in exact arithmetic; the limit is for arithmetic that is not.
    let mut pivots = 0;
    while let Some(entering) = objective[..width - 1]
        .iter()
        .position(|&cost| cost < -1e-12)
    {
        pivots += 1;
        if PIVOTS_MAX < pivots {
            return Err(Untestable::NoConvergence);
        }
        let mut leaving: Option<(usize, f64)> = None;
        for (i, line) in tableau
            .iter()
            .enumerate()
            .filter(|(_, line)| 1e-12 < line[entering])
        {
            let ratio = line[width - 1] / line[entering];
            let better = leaving.is_none_or(|(best, least)| {
                ratio < least || (ratio == least && basis[i] < basis[best])
            });
            if better {
                leaving = Some((i, ratio));
            }
        }
        // All entries are positive, so the problem is bounded and some row always limits.
        let Some((pivot, _)) = leaving else {
            return Err(Untestable::NoConvergence);
        };
        let factor = tableau[pivot][entering];
        tableau[pivot].iter_mut().for_each(|cell| *cell /= factor);
        let pivot_line = tableau[pivot].clone();
        let others = tableau
            .iter_mut()
            .enumerate()
            .filter(|(i, _)| *i != pivot)
            .map(|(_, line)| line);
        for line in others.chain(std::iter::once(&mut objective)) {
            let share = line[entering];
            line.iter_mut()
                .zip(&pivot_line)
                .for_each(|(cell, p)| *cell -= share * p);
        }
        basis[pivot] = entering;
    }

    let mut column = vec![0.0; columns];
    for (line, &variable) in tableau.iter().zip(&basis) {
        if variable < columns {
            column[variable] = line[width - 1];
        }
    }
    let mixture = |weights: &[f64]| {
        let total: f64 = weights.iter().map(|w| w.max(0.0)).sum();
        weights
            .iter()
            .map(|w| w.max(0.0) / total)
            .collect::<Vec<f64>>()
    };
    let worth = 1.0 / objective[width - 1];
    Ok(Equilibrium {
        row: mixture(&objective[columns..columns + rows]),
        column: mixture(&column),
        value: (worth - 1.0) * scale + least,
    })
}

/// α-Rank of one population (Omidshafiei and others, "α-Rank: multi-agent evaluation by
/// evolution"): how much of the time a population of `population` players that copies success with
/// intensity `alpha` consists of each bot. `payoff[i][j]` is what i gets against j.
///
/// # Errors
/// An empty or ragged table, an entry that is not finite, alpha not positive and finite, a
/// population under two.
pub fn alpha_rank(
    payoff: &[Vec<f64>],
    alpha: f64,
    population: u32,
) -> Result<Vec<f64>, Untestable> {
    let n = payoff.len();
    if n == 0 || payoff.iter().any(|row| row.len() != n) {
        return Err(Untestable::LengthMismatch);
    }
    if payoff.iter().flatten().any(|x| !x.is_finite()) {
        return Err(Untestable::NotFinite);
    }
    if !(alpha.is_finite() && 0.0 < alpha) || population < 2 {
        return Err(Untestable::bad(
            "alpha-rank needs a positive alpha and a population of two or more",
        ));
    }
    // From a population of i, a single j appears and takes it over.
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

/// (1 − e^−x) / (1 − e^−mx), the chance that one mutant of advantage x takes over m players; at
/// least the smallest normal number, so that every population can change.
fn fixation(x: f64, m: f64) -> f64 {
    let chance = if x == 0.0 {
        1.0 / m
    } else if 0.0 < x {
        libm::expm1(-x) / libm::expm1(-m * x)
    } else {
        // The same with e^{mx} taken out, which cannot overflow.
        libm::exp((m - 1.0) * x) * libm::expm1(x) / libm::expm1(m * x)
    };
    chance.max(f64::MIN_POSITIVE)
}

/// The stationary distribution of a chain with these rates, by the elimination of Grassmann, Taksar
/// and Heyman, which subtracts nothing and so keeps even tiny probabilities.
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
    fn a_saddle_point_and_a_lopsided_game_are_solved() {
        let saddle = nash(&[vec![3.0, 5.0], vec![1.0, 9.0]]).expect("valid");
        assert_eq!(
            (saddle.row, saddle.column, saddle.value),
            (vec![1.0, 0.0], vec![1.0, 0.0], 3.0)
        );
        // Worked by hand: rows even 2p = 1 − p …: value 2/3 with p = 1/3.
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
    fn alpha_rank_of_a_dominant_bot_is_all_its_own() {
        let shares = alpha_rank(&[vec![0.0, 1.0], vec![-1.0, 0.0]], 1e3, 50).expect("valid");
        assert!((shares[0] - 1.0).abs() < 1e-12 && shares.iter().all(|s| s.is_finite()));
        assert!(alpha_rank(&[vec![0.0]], 0.0, 50).is_err());
    }
}
