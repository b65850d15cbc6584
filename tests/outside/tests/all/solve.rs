//! Compares the solver with published results.

use hattari_outside::cfr::{Solver, Strategy, Tree};
use hattari_outside::kuhn::{self, Kuhn, situation, stage};
use hattari_outside::leduc::{self, Leduc};
use hattari_plugin::Rng;
use hattari_plugin::games::Game;

const J: u8 = 0;
const Q: u8 = 1;
const K: u8 = 2;

/// Returns a strategy for Kuhn poker from the probability of a bet or call with J, Q and K at each
/// stage.
pub(crate) fn by_stage(chances: [(u8, [f64; 3]); 4]) -> Strategy {
    let of = |(stage, chances): (u8, [f64; 3])| {
        [J, Q, K].map(|card| {
            let chance = chances[usize::from(card)];
            (situation(card, stage), vec![1.0 - chance, chance])
        })
    };
    Strategy(chances.into_iter().flat_map(of).collect())
}

/// Returns an optimal strategy of Kuhn's paper. The first player bets a jack with probability
/// `alpha`.
fn family(alpha: f64) -> Strategy {
    by_stage([
        (stage::OPEN, [alpha, 0.0, 3.0 * alpha]),
        (stage::CHECK_BET, [0.0, alpha + 1.0 / 3.0, 1.0]),
        (stage::CHECKED, [1.0 / 3.0, 0.0, 1.0]),
        (stage::BET, [0.0, 1.0 / 3.0, 1.0]),
    ])
}

pub(crate) fn kuhn() -> Tree {
    Tree::of(&Kuhn::new(kuhn::Options::default()).unwrap())
}

pub(crate) fn trained(tree: Tree, rounds: u32) -> (Solver, Strategy) {
    let mut solver = Solver::new(tree);
    solver.train(rounds);
    let strategy = solver.strategy();
    (solver, strategy)
}

#[test]
fn optimal_strategies_have_zero_exploitability() {
    let tree = kuhn();
    for alpha in [0.0, 0.1, 0.25, 1.0 / 3.0] {
        let strategy = family(alpha);
        assert!(tree.exploitability(&strategy).abs() < 1e-12, "{alpha}");
        assert!((tree.value(&strategy, &strategy) + 1.0 / 18.0).abs() < 1e-12);
        assert!((tree.best_response(1, &strategy) - 1.0 / 18.0).abs() < 1e-12);
    }
    // A strategy can be exploited if it bets more than a third of its jacks, or calls with another
    // share of queens.
    let mut wrong = family(0.2);
    wrong.0.insert(situation(J, stage::OPEN), vec![0.6, 0.4]);
    assert!(tree.exploitability(&wrong) > 1e-3);
}

/// A best response is as good as the best pure strategy, found by enumeration.
#[test]
fn best_responses_equal_the_best_pure_strategies() {
    let (tree, mut random) = (kuhn(), Rng::new(7));
    for _ in 0..5 {
        let stages = [stage::OPEN, stage::CHECKED, stage::BET, stage::CHECK_BET];
        let against =
            by_stage(stages.map(|stage| (stage, [random.unit(), random.unit(), random.unit()])));
        for player in 0..2 {
            let pure = |code: u32| {
                let three = |from: u32| [0, 1, 2].map(|card| f64::from(code >> (from + card) & 1));
                by_stage([
                    (stage::OPEN, three(0)),
                    (stage::CHECK_BET, three(3)),
                    (stage::CHECKED, three(0)),
                    (stage::BET, three(3)),
                ])
            };
            let worth = |code| match player {
                0 => tree.value(&pure(code), &against),
                _ => -tree.value(&against, &pure(code)),
            };
            let best = (0..64).map(worth).fold(f64::MIN, f64::max);
            let response = tree.best_response(player, &against);
            assert!((response - best).abs() < 1e-12, "{response} {best}");
        }
    }
}

#[test]
fn kuhn_poker_is_solved() {
    let (solver, strategy) = trained(kuhn(), 10_000);
    let tree = solver.tree();
    assert_eq!(tree.situations(), 12);
    let (value, exploitability) = (
        tree.value(&strategy, &strategy),
        tree.exploitability(&strategy),
    );
    println!("Kuhn poker: value {value:.9}, exploitability {exploitability:.9}");
    assert!((value + 1.0 / 18.0).abs() < 1e-4);
    assert!((0.0..1e-3).contains(&exploitability));

    let alpha = strategy.0[&situation(J, stage::OPEN)][1];
    assert!((-0.01..1.0 / 3.0 + 0.01).contains(&alpha), "{alpha}");
    for (number, known) in family(alpha).0 {
        let found = strategy.0[&number][1];
        let is_near = (found - known[1]).abs() < 0.01;
        assert!(is_near, "{number}: {found}, known is {known:?}");
    }
}

/// The value was computed by a linear program: Lanctot and others, "A Unified Game-Theoretic
/// Approach to Multiagent Reinforcement Learning" (2017), appendix E.2. The tests of OpenSpiel
/// contain it as well.
#[test]
fn leduc_is_solved() {
    let (solver, strategy) = trained(
        Tree::of(&Leduc::new(leduc::Options::default()).unwrap()),
        1000,
    );
    let tree = solver.tree();
    // By ranks. Suits, which do not matter, would give 936 situations.
    assert_eq!(tree.situations(), 288);
    let (value, exploitability) = (
        tree.value(&strategy, &strategy),
        tree.exploitability(&strategy),
    );
    println!("Leduc hold'em: value {value:.9}, exploitability {exploitability:.9}");
    assert!((value + 0.085_606_424_078).abs() < 1e-4, "{value}");
    assert!((0.0..1e-3).contains(&exploitability), "{exploitability}");
    // The value is between the limits that the best responses to the strategy give for both
    // players.
    assert!(
        -tree.best_response(1, &strategy) <= -0.085_606
            && tree.best_response(0, &strategy) >= -0.085_607
    );
}

#[test]
fn resumed_training_gives_the_same_strategy() {
    let (_, at_once) = trained(kuhn(), 70);
    let (mut solver, _) = trained(kuhn(), 30);
    solver.train(40);
    assert_eq!((solver.rounds(), solver.strategy()), (70, at_once));
}
