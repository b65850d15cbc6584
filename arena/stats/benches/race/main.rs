//! Benchmark of races between arms of known strength: number of blocks compared with even
//! allocation, and frequency of false claims.
//!
//! `cargo bench -p hattari-stats --bench race` prints the tables behind `leagues/results/race.md`
//! in some minutes; `-- --races 100` plays fewer. Exits with an error if a row has more false
//! claims than its error level allows.

#![allow(
    clippy::disallowed_methods,
    reason = "numbers computed for a benchmark may differ in the last bit"
)]

mod field;
mod fixed;

use field::{Field, Shape, Simulation, Strengths};
use hattari_stats::race::{Allocation, End, Goal, Race, RaceOptions, Relation, Side};
use std::process::ExitCode;

/// Default number of races per row.
const RACES: usize = 1000;
/// Upper limit of blocks per arm. Races between unequal arms end earlier, except if the race has
/// wrongly eliminated the best arm.
const RACE_BLOCKS_MAX: u32 = 40_000;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    let races = match words.iter().position(|word| word == "--races") {
        Some(at) => words
            .get(at + 1)
            .and_then(|word| word.parse().ok())
            .expect("--races needs a number, for example `--races 100`"),
        None => RACES,
    };
    println!("{}", introduction(races));
    let mut beyond = print_costs(races);
    beyond += print_null_rows(races);
    println!(
        "\n{}",
        match beyond {
            0 => "No tested row makes more false claims than its error level allows.".to_owned(),
            rows =>
                format!("{rows} tested rows make more false claims than their error level allows."),
        }
    );
    if beyond == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn introduction(races: usize) -> String {
    let options = RaceOptions::new(Goal::Best);
    format!(
        "# Races\n\n\
         Simulated races between arms of known strength: {races} races per row, error level {}, \
         {} first blocks, batches of {} blocks. Scores have standard deviation 1. *shared*: arms \
         play the same deals, with the given correlation of their scores.\n\n\
         - *race*: mean number of blocks of all arms until all claims are decided.\n\
         - *even play*: the same claims, but all arms play until all claims are decided.\n\
         - *one look*: all arms play a number of blocks that is fixed in advance, then one test \
         finds the best arm in 90 % of the cases. The number is computed from the true strengths, \
         so it is a bound that cannot be reached in practice.\n\
         - *wrong*: share of races with a false claim.\n\n\
         Output of `cargo bench -p hattari-stats --bench race -- --races {races}`.",
        options.error, options.first_blocks, options.batch
    )
}

/// The result of one race.
struct Outcome {
    blocks: u64,
    end: Option<End>,
    is_wrong: bool,
}

/// Plays a race to its end.
fn race(field: Field, options: RaceOptions, seed: u64) -> Outcome {
    let mut race = Race::new(field.arms, options).expect("valid options");
    let mut play = Simulation::new(field, seed);
    let mut played = vec![0; field.arms];
    while race.end().is_none() {
        for (arm, target) in race.next_round() {
            for _ in played[arm]..target {
                race.push(arm, play.block(arm)).expect("a finite score");
            }
            played[arm] = target;
        }
    }
    Outcome {
        blocks: played.iter().map(|&n| u64::from(n)).sum(),
        end: race.end(),
        is_wrong: is_wrong(&race, field, options),
    }
}

/// Returns `true` if the race made a false claim.
fn is_wrong(race: &Race, field: Field, options: RaceOptions) -> bool {
    let means = field.strengths.of(field.arms);
    let margin = options.margin;
    let slots = match options.goal {
        Goal::Best => 1,
        Goal::Top(k) => k,
        Goal::Ranking | Goal::Pairs => {
            let arms = 0..field.arms;
            let mut pairs = arms.flat_map(|a| (0..a).map(move |b| (a, b)));
            return pairs.any(|(a, b)| {
                let difference = means[a] - means[b];
                match race.relation(a, b) {
                    Some(Relation::Ahead) => difference <= 0.0,
                    Some(Relation::Behind) => 0.0 <= difference,
                    Some(Relation::Equal) => margin < difference.abs(),
                    Some(Relation::Open) | None => false,
                }
            });
        }
    };
    // `means` is sorted, best first.
    let line = means[slots - 1];
    let is_tied = slots < means.iter().filter(|&&mean| line <= mean).count();
    race.standing()
        .arms
        .iter()
        .zip(&means)
        .any(|(arm, &mean)| match arm.side {
            // Without a margin, `In` claims that the arm is strictly better than the (k + 1)-th.
            Some(Side::In) if margin == 0.0 => mean < line || is_tied && mean <= line,
            Some(Side::In) => mean < line - margin,
            Some(Side::Out) => line <= mean,
            Some(Side::Open) | None => false,
        })
}

/// Returns the share of races with a false claim as text, and whether it is marked: if the number
/// exceeds the expected one by more than three standard deviations.
fn share_of_wrong(wrong: usize, races: usize, error: f64) -> (String, bool) {
    let expected = error * races as f64;
    let is_marked = expected + 3.0 * (expected * (1.0 - error)).sqrt() < wrong as f64;
    let mark = if is_marked { " **!**" } else { "" };
    (percent(wrong, races) + mark, is_marked)
}

fn percent(part: usize, of: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / of as f64)
}

/// Prints the cost table. Returns the number of rows with too many false claims.
fn print_costs(races: usize) -> usize {
    println!(
        "\n## Cost\n\n\
         | goal | arms | strengths | deals | scores | race | even play | race / even | one look | race / one look | wrong |\n\
         |---|---:|---|---|---|---:|---:|---:|---:|---:|---:|"
    );
    let mut rows = Vec::new();
    let fields = [Strengths::Even, Strengths::OneAhead, Strengths::TwoLeaders];
    for (arms, shape, correlations) in [
        (20, Shape::Normal, &[0.3, 0.6, 0.0][..]),
        (20, Shape::Skewed, &[0.6, 0.0]),
        (8, Shape::Normal, &[0.6, 0.0]),
        (3, Shape::Normal, &[0.6, 0.0]),
    ] {
        for &strengths in &fields {
            for &correlation in correlations {
                let field = Field {
                    arms,
                    strengths,
                    correlation,
                    shape,
                };
                rows.push((Goal::Best, 0.0, field));
            }
        }
    }
    let even = |arms| Field {
        arms,
        strengths: Strengths::Even,
        correlation: 0.6,
        shape: Shape::Normal,
    };
    rows.extend([
        (Goal::Best, 0.05, even(20)),
        (Goal::Top(5), 0.0, even(20)),
        (Goal::Top(5), 0.05, even(20)),
        (Goal::Ranking, 0.0, even(8)),
        (Goal::Pairs, 0.0, even(8)),
        (Goal::Pairs, 0.2, even(8)),
    ]);
    let mut beyond = 0;
    for (goal, margin, field) in rows {
        let options = RaceOptions {
            margin,
            max_blocks: Some(RACE_BLOCKS_MAX),
            ..RaceOptions::new(goal)
        };
        let even = RaceOptions {
            allocation: Allocation::Even,
            ..options
        };
        let (mut wrong, mut ours, mut theirs) = (0, 0, 0);
        for seed in 0..races as u64 {
            let focused = race(field, options, seed);
            let even = race(field, even, seed);
            for outcome in [&focused, &even] {
                assert!(
                    outcome.end == Some(End::Decided) || outcome.is_wrong,
                    "the race did not end: {field:?}"
                );
            }
            wrong += usize::from(focused.is_wrong);
            ours += focused.blocks;
            theirs += even.blocks;
        }
        let mean = |blocks: u64| blocks as f64 / races as f64;
        let look =
            (goal == Goal::Best && margin == 0.0).then(|| fixed::blocks(field, options.error));
        let look = look.map_or_else(
            || "– | –".to_owned(),
            |blocks| format!("{blocks:.0} | {:.2}", mean(ours) / blocks),
        );
        let (wrong, is_marked) = share_of_wrong(wrong, races, options.error);
        beyond += usize::from(is_marked);
        println!(
            "{} {:.0} | {:.0} | {:.2} | {look} | {wrong} |",
            head(goal, margin, field),
            mean(ours),
            mean(theirs),
            ours as f64 / theirs as f64,
        );
    }
    beyond
}

/// Returns the first cells of a row.
fn head(goal: Goal, margin: f64, field: Field) -> String {
    let mut goal = match goal {
        Goal::Best => "best".to_owned(),
        Goal::Top(k) => format!("top {k}"),
        Goal::Ranking => "ranking".to_owned(),
        Goal::Pairs => "pairs".to_owned(),
    };
    if margin != 0.0 {
        goal += &format!(", margin {margin}");
    }
    let (deals, shape) = (field.deals_text(), field.shape);
    format!(
        "| {goal} | {} | {} | {deals} | {shape} |",
        field.arms, field.strengths
    )
}

/// Prints how often races between equal or nearly equal arms make false claims. Returns the number
/// of rows with too many.
fn print_null_rows(races: usize) -> usize {
    const BLOCKS_MAX: u32 = 400;
    println!(
        "\n## Equal arms\n\n\
         Races between equal arms, which play up to {BLOCKS_MAX} blocks each, and between arms of \
         which one is ahead of all others by slightly more than the margin. Claims that the others \
         are in, or equal to the first, are then false.\n\n\
         - *wrong*: share of races with a false claim.\n\
         - *decided*: share of races in which all claims were decided.\n\n\
         In half of the arms the skewness is positive, in the other half negative. Rows with \
         skewness ±2 show where the asymptotic theory fails: they are marked if they have too \
         many false claims, but they do not make the benchmark fail. A block that is four times as \
         long has half the skewness.\n\n\
         | goal | arms | strengths | deals | scores | wrong | decided |\n|---|---:|---|---|---|---:|---:|"
    );
    let mut beyond = 0;
    let mut rows = Vec::new();
    let beyond_margin = Strengths::JustBeyond(0.3);
    // Without a margin, the correlation only scales the differences and cannot change the claims.
    // One correlation is therefore enough.
    let cases = [
        (Goal::Best, 0.0, Strengths::Equal, 0.6),
        (Goal::Pairs, 0.0, Strengths::Equal, 0.6),
        (Goal::Best, 0.3, Strengths::Equal, 0.6),
        (Goal::Best, 0.3, Strengths::Equal, 0.0),
        (Goal::Best, 0.3, beyond_margin, 0.6),
        (Goal::Best, 0.3, beyond_margin, 0.0),
        (Goal::Pairs, 0.3, beyond_margin, 0.6),
        // Only with 20 arms.
        (Goal::Top(5), 0.0, Strengths::Equal, 0.6),
        (Goal::Ranking, 0.3, Strengths::Equal, 0.6),
    ];
    for (arms, count) in [(3, 7), (8, 7), (20, 9)] {
        for shape in [Shape::Normal, Shape::Skewed, Shape::VerySkewed] {
            for &(goal, margin, strengths, correlation) in &cases[..count] {
                let field = Field {
                    arms,
                    strengths,
                    correlation,
                    shape,
                };
                rows.push((goal, margin, field));
            }
        }
    }
    for (goal, margin, field) in rows {
        let options = RaceOptions {
            margin,
            max_blocks: Some(BLOCKS_MAX),
            ..RaceOptions::new(goal)
        };
        let (mut wrong, mut decided) = (0, 0);
        for seed in 0..races as u64 {
            let outcome = race(field, options, seed);
            wrong += usize::from(outcome.is_wrong);
            decided += usize::from(outcome.end == Some(End::Decided));
        }
        let (wrong, is_marked) = share_of_wrong(wrong, races, options.error);
        beyond += usize::from(is_marked && field.shape != Shape::VerySkewed);
        let decided = percent(decided, races);
        println!("{} {wrong} | {decided} |", head(goal, margin, field));
    }
    beyond
}
