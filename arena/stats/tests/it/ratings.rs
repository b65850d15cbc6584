//! Ratings and the structure of a league against choix, OpenSpiel and numpy, and against their own
//! definitions.

use crate::common::{all_close, close, golden, matrix, number, numbers};
use hattari_stats::hodge::hodge;
use hattari_stats::meta_game::{alpha_rank, nash};
use hattari_stats::rating::{RankSet, Ranking, RatingOptions, fit, rankings_from_wins, rate};
use hattari_stats::{Rng, Untestable};

#[test]
fn bradley_terry_is_choix_s() {
    let reference = &golden()["bradley_terry"];
    let rankings = rankings_from_wins(&matrix(&reference["wins"]));
    all_close(
        &fit(3, &rankings, 0.0).expect("a fit"),
        &numbers(&reference["log_strength_centred"]),
        1e-9,
    );
}

#[test]
fn plackett_luce_is_choix_s() {
    let reference = &golden()["plackett_luce"];
    let order = |row: &Vec<f64>| {
        let bot = |x: &f64| (0..4usize).find(|&i| i as f64 == *x).expect("a bot");
        Ranking::strict(&row.iter().map(bot).collect::<Vec<usize>>())
    };
    let rankings: Vec<Ranking> = matrix(&reference["rankings"]).iter().map(order).collect();
    all_close(
        &fit(4, &rankings, 0.0).expect("a fit"),
        &numbers(&reference["log_strength_centred"]),
        1e-9,
    );
}

#[test]
fn hodge_splits_the_reference_table() {
    // On a complete table the least-squares potential is the mean of each row, so these can be
    // checked by hand.
    let reference = &golden()["hodge_M"];
    let m = matrix(&reference["M"]);
    let table: Vec<Vec<Option<f64>>> = m
        .iter()
        .enumerate()
        .map(|(i, row)| {
            row.iter()
                .enumerate()
                .map(|(j, &x)| (i != j).then_some(x))
                .collect()
        })
        .collect();
    let h = hodge(&table, |_, _| 1.0).expect("valid");
    all_close(&h.potential, &numbers(&reference["potential"]), 1e-14);
    close(
        h.transitive_share,
        number(&reference["transitive_share"]),
        1e-13,
    );
}

#[test]
fn alpha_rank_is_open_spiel_s() {
    let rps = vec![
        vec![0.0, -1.0, 1.0],
        vec![1.0, 0.0, -1.0],
        vec![-1.0, 1.0, 0.0],
    ];
    let reference = golden();
    let ours = alpha_rank(&rps, 100.0, 50).expect("valid");
    all_close(
        &ours,
        &numbers(&reference["alpharank_rps_single_pop_alpha100"]),
        1e-14,
    );
    let ours = alpha_rank(&matrix(&reference["hodge_M"]["M"]), 10.0, 50).expect("valid");
    all_close(&ours, &numbers(&reference["alpharank_M_alpha10"]), 1e-12);
}

#[test]
fn nash_is_scipy_s_linear_programme() {
    let reference = golden();
    let m = matrix(&reference["hodge_M"]["M"]);
    let equilibrium = nash(&m).expect("valid");
    all_close(&equilibrium.row, &numbers(&reference["nash_M"]), 1e-12);
    all_close(&equilibrium.column, &equilibrium.row, 1e-12);
    assert!(equilibrium.value.abs() < 1e-12);
}

#[test]
fn no_mixture_does_better_against_an_equilibrium() {
    let mut rng = Rng::new(11);
    for _ in 0..200 {
        let (rows, columns) = (1 + rng.below(7), 1 + rng.below(7));
        let game: Vec<Vec<f64>> = (0..rows)
            .map(|_| {
                (0..columns)
                    .map(|_| (20.0 * rng.uniform()).floor() - 10.0)
                    .collect()
            })
            .collect();
        let e = nash(&game).expect("valid");
        close(e.row.iter().sum::<f64>(), 1.0, 1e-12);
        close(e.column.iter().sum::<f64>(), 1.0, 1e-12);
        let row_gets = game
            .iter()
            .map(|row| row.iter().zip(&e.column).map(|(x, p)| x * p).sum::<f64>());
        let column_pays = (0..columns).map(|j| {
            game.iter()
                .zip(&e.row)
                .map(|(row, p)| row[j] * p)
                .sum::<f64>()
        });
        assert!(
            row_gets.fold(f64::NEG_INFINITY, f64::max) <= e.value + 1e-9,
            "{game:?} {e:?}"
        );
        assert!(
            e.value - 1e-9 <= column_pays.fold(f64::INFINITY, f64::min),
            "{game:?} {e:?}"
        );
    }
}

/// The gradient of the likelihood by its definition, ties averaged over all orders one by one.
fn score_by_permutations(rankings: &[Ranking], theta: &[f64]) -> Vec<f64> {
    fn orders(group: &[usize]) -> Vec<Vec<usize>> {
        if group.is_empty() {
            return vec![vec![]];
        }
        let with_first = |i: usize| {
            let mut rest = group.to_vec();
            let first = rest.remove(i);
            orders(&rest)
                .into_iter()
                .map(move |tail| [vec![first], tail].concat())
        };
        (0..group.len()).flat_map(with_first).collect()
    }
    let mut gradient = vec![0.0; theta.len()];
    for ranking in rankings {
        let mut strict = vec![vec![]];
        for group in &ranking.groups {
            strict = strict
                .iter()
                .flat_map(|head| {
                    orders(group)
                        .into_iter()
                        .map(move |o| [head.clone(), o].concat())
                })
                .collect();
        }
        let weight = ranking.weight / strict.len() as f64;
        for order in &strict {
            for first in 0..order.len() - 1 {
                let total: f64 = order[first..].iter().map(|&i| theta[i].exp()).sum();
                gradient[order[first]] += weight;
                order[first..]
                    .iter()
                    .for_each(|&i| gradient[i] -= weight * theta[i].exp() / total);
            }
        }
    }
    gradient
}

#[test]
fn ties_and_partial_rankings_are_fitted_to_the_top_of_the_averaged_likelihood() {
    let ranking = |groups: &[&[usize]], weight| Ranking {
        groups: groups.iter().map(|g| g.to_vec()).collect(),
        weight,
    };
    let rankings = [
        ranking(&[&[0], &[1, 2], &[3]], 2.0),
        ranking(&[&[3, 0, 1], &[4]], 1.5),
        ranking(&[&[4], &[2], &[0]], 1.0),
        ranking(&[&[1, 4, 2, 3]], 0.5),
        ranking(&[&[2], &[0, 4]], 1.0),
    ];
    let theta = fit(5, &rankings, 0.0).expect("a fit");
    assert!(theta.iter().sum::<f64>().abs() < 1e-12);
    let gradient = score_by_permutations(&rankings, &theta);
    assert!(gradient.iter().all(|g| g.abs() < 1e-9), "{gradient:?}");
}

#[test]
fn a_draw_is_half_a_win_for_each() {
    let draws = [
        Ranking {
            groups: vec![vec![0, 1]],
            weight: 6.0,
        },
        Ranking {
            groups: vec![vec![0], vec![1]],
            weight: 4.0,
        },
    ];
    let halves = rankings_from_wins(&[vec![0.0, 7.0], vec![3.0, 0.0]]);
    let (a, b) = (
        fit(2, &draws, 0.0).expect("a fit"),
        fit(2, &halves, 0.0).expect("a fit"),
    );
    all_close(&a, &b, 1e-12);
    // Two bots: the difference is the log odds.
    close(a[0] - a[1], (7.0f64 / 3.0).ln(), 1e-12);
}

#[test]
fn undefeated_groups_are_named_and_virtual_draws_help() {
    let unbeaten = [Ranking::strict(&[2, 0, 1]), Ranking::strict(&[2, 1, 0])];
    assert_eq!(
        fit(3, &unbeaten, 0.0),
        Err(Untestable::Unbounded { group: vec![2] })
    );
    let theta = fit(3, &unbeaten, 1.0).expect("a fit");
    assert!(
        theta[0] < theta[2] && (theta[0] - theta[1]).abs() < 1e-9,
        "{theta:?}"
    );
    // Two pairs that never met.
    let apart = rankings_from_wins(&[
        vec![0.0, 1.0, 0.0, 0.0],
        vec![1.0, 0.0, 0.0, 0.0],
        vec![0.0, 0.0, 0.0, 1.0],
        vec![0.0, 0.0, 1.0, 0.0],
    ]);
    assert_eq!(
        fit(4, &apart, 0.0),
        Err(Untestable::Unbounded { group: vec![0, 1] })
    );
    // Only losses far below everyone else: undefeated from the other side.
    let loser = [Ranking::strict(&[0, 1, 2]), Ranking::strict(&[1, 0, 2])];
    assert_eq!(
        fit(3, &loser, 0.0),
        Err(Untestable::Unbounded { group: vec![0, 1] })
    );
}

#[test]
fn bad_rankings_are_refused() {
    for bad in [
        Ranking::strict(&[0, 5]),
        Ranking::strict(&[0, 1, 0]),
        Ranking {
            groups: vec![vec![0], vec![1]],
            weight: 0.0,
        },
        Ranking {
            groups: vec![vec![0], vec![1]],
            weight: f64::NAN,
        },
    ] {
        assert!(
            matches!(
                fit(3, std::slice::from_ref(&bad), 0.0),
                Err(Untestable::BadParameter { .. })
            ),
            "{bad:?}"
        );
    }
    let wide = Ranking {
        groups: vec![(0..13).collect()],
        weight: 1.0,
    };
    assert_eq!(
        fit(13, &[wide], 0.0),
        Err(Untestable::TieTooLarge {
            tied: 13,
            limit: 12
        })
    );
}

#[test]
fn placements_come_from_scores() {
    let ranking = Ranking::from_scores(&[Some(1.0), None, Some(3.0), Some(1.0), Some(-2.0)]);
    assert_eq!(ranking.groups, vec![vec![2], vec![0, 3], vec![4]]);
}

/// Blocks of ten races of three bots drawn from known strengths, each block leaning its own way.
fn races(seed: u64, blocks: usize, strengths: [f64; 3]) -> Vec<Vec<Ranking>> {
    let mut rng = Rng::new(seed);
    let race = |rng: &mut Rng, lean: [f64; 3]| {
        // The order of exponential arrival times with these rates is Plackett-Luce.
        let arrival =
            |rng: &mut Rng, i: usize| -(1.0 - rng.uniform()).ln() / (strengths[i] + lean[i]).exp();
        let times = [0, 1, 2].map(|i| Some(-arrival(rng, i)));
        Ranking::from_scores(&times)
    };
    (0..blocks)
        .map(|_| {
            let lean = [0.0; 3].map(|_: f64| rng.uniform() - 0.5);
            (0..10).map(|_| race(&mut rng, lean)).collect()
        })
        .collect()
}

#[test]
fn ten_blocks_are_enough_for_intervals_and_ranks() {
    let options = RatingOptions {
        samples: 499,
        ..RatingOptions::default()
    };
    let leagues = 1000;
    for (truth, blocks) in [
        ([0.6, -0.1, -0.5], 10),
        ([0.0; 3], 10),
        ([0.6, -0.1, -0.5], 30),
        ([0.0; 3], 20),
    ] {
        let (mut covered, mut ranked) = (0, 0);
        for seed in 0..leagues {
            let rating = rate(3, &[races(seed, blocks, truth)], &options).expect("a rating");
            covered += (0..3)
                .filter(|&i| rating.intervals[i].contains(truth[i]))
                .count();
            // Equal strengths: every rank is each bot's.
            let ranks = |i: usize| {
                let above = (0..3).filter(|&j| truth[i] < truth[j]).count();
                let below = (0..3).filter(|&j| truth[j] < truth[i]).count();
                (1 + above, 3 - below)
            };
            let holds =
                |(i, set): (usize, &RankSet)| set.best <= ranks(i).0 && ranks(i).1 <= set.worst;
            ranked += usize::from(rating.rank_sets.iter().enumerate().all(holds));
        }
        let percent = |hits: usize, of: u64| 100.0 * hits as f64 / of as f64;
        let (covered, ranked) = (percent(covered, 3 * leagues), percent(ranked, leagues));
        assert!(
            (93.0..=97.0).contains(&covered),
            "{covered} % of the intervals of {blocks} blocks hold {truth:?}"
        );
        assert!(
            93.5 <= ranked,
            "{ranked} % of the leagues of {blocks} blocks hold all ranks of {truth:?}"
        );
    }
}

/// Four challengers, each alone with the same field in ten blocks of its own: what is known of
/// each, ten blocks tell.
#[test]
fn blocks_of_other_line_ups_tell_nothing_of_a_challenger() {
    let options = RatingOptions::default();
    let (leagues, challengers, blocks) = (1000, 4, 10);
    let (mut covered, mut told_apart) = (0, 0);
    for seed in 0..leagues {
        let mut rng = Rng::new(seed);
        let mut block = |challenger: usize| {
            let share = (0.3 + 0.4 * rng.uniform()).clamp(0.0, 1.0);
            let ahead = (0..20).filter(|_| rng.uniform() < share).count();
            let order = |groups: [usize; 2], weight: usize| Ranking {
                groups: groups.map(|bot| vec![bot]).to_vec(),
                weight: weight as f64,
            };
            let both = [
                order([challenger, challengers], ahead),
                order([challengers, challenger], 20 - ahead),
            ];
            both.into_iter()
                .filter(|ranking| 0.0 < ranking.weight)
                .collect::<Vec<_>>()
        };
        let strata: Vec<Vec<Vec<Ranking>>> = (0..challengers)
            .map(|challenger| (0..blocks).map(|_| block(challenger)).collect())
            .collect();
        let rating = rate(challengers + 1, &strata, &options).expect("a rating");
        covered += rating
            .intervals
            .iter()
            .filter(|interval| interval.contains(0.0))
            .count();
        told_apart += usize::from(
            rating
                .rank_sets
                .iter()
                .any(|set| 1 < set.best || set.worst <= challengers),
        );
    }
    let percent = |hits: usize, of: u64| 100.0 * hits as f64 / of as f64;
    let (covered, told_apart) = (percent(covered, 5 * leagues), percent(told_apart, leagues));
    assert!(
        (93.0..=97.0).contains(&covered),
        "{covered} % of the intervals hold the truth"
    );
    assert!(
        told_apart <= 6.5,
        "in {told_apart} % of the leagues equals are ranked"
    );
}

#[test]
fn the_same_seed_gives_the_same_rating_and_clear_strengths_clear_ranks() {
    let blocks = races(5, 60, [2.0, 0.0, -2.0]);
    let options = RatingOptions::default();
    let rating = rate(3, std::slice::from_ref(&blocks), &options).expect("a rating");
    assert_eq!(
        rate(3, std::slice::from_ref(&blocks), &options),
        Ok(rating.clone())
    );
    let exact = |rank| RankSet {
        best: rank,
        worst: rank,
    };
    assert_eq!(rating.rank_sets, vec![exact(1), exact(2), exact(3)]);
    let win = rating.win_probability(0, 2).expect("in range");
    close(
        win,
        1.0 / (1.0 + (rating.log_strength[2] - rating.log_strength[0]).exp()),
        1e-15,
    );
    assert!(rating.win_probability(0, 3).is_none() && 0.9 < win);
    assert!(matches!(
        rate(3, &[blocks[..1].to_vec()], &options),
        Err(Untestable::TooFewBlocks { .. } | Untestable::Unbounded { .. })
    ));
}
