//! Solves a game and prints the exploitability of the solution: `cfr kuhn` or `cfr leduc`, followed
//! by the number of training rounds.

use hattari_outside::cfr::{Small, Solver, Tree};
use hattari_outside::kuhn::Kuhn;
use hattari_outside::leduc::Leduc;
use std::process::ExitCode;

/// Prints value and exploitability after 1, 2, 5, 10, … rounds.
fn solve<G: Small>(rounds: u32) -> Result<(), String> {
    let mut solver = Solver::new(Tree::of(&G::new(G::Options::default())?));
    println!("{}: {} situations", G::ID, solver.tree().situations());
    println!("{:>8} {:>14} {:>14}", "rounds", "value", "exploitability");
    let stops = (0..9).flat_map(|power| [1, 2, 5].map(|first| first * 10_u32.pow(power)));
    for stop in stops.take_while(|stop| *stop < rounds).chain([rounds]) {
        solver.train(stop - solver.rounds());
        let strategy = solver.strategy();
        let tree = solver.tree();
        println!(
            "{stop:>8} {:>14.9} {:>14.9}",
            tree.value(&strategy, &strategy),
            tree.exploitability(&strategy)
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = arguments.get(1).map_or(Ok(1000), |text| text.parse());
    let outcome = match (arguments.first().map(String::as_str), rounds) {
        (Some("kuhn"), Ok(rounds)) => solve::<Kuhn>(rounds),
        (Some("leduc"), Ok(rounds)) => solve::<Leduc>(rounds),
        _ => Err("usage: cfr kuhn|leduc [ROUNDS]".to_owned()),
    };
    if let Err(error) = outcome {
        eprintln!("{error}");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}
