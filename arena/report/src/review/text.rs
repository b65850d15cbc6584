//! Reviews as text.

use super::estimate::Estimate;
use super::report::{ReviewReport, ShownFork};
use crate::numbers::{fixed, interval, percent, signed};
use hattari_agents::text::{counted, grouped, harmless};
use hattari_plugin::games::features::FeatureValue;

/// Returns the first sentence of a review.
#[must_use]
pub fn first_sentence(report: &ReviewReport) -> String {
    let (of, by, unit) = (&report.of, &report.by, report.unit);
    let decimals = report.decimals();
    let Some(root) = report.classes.first() else {
        return format!("{by} and {of} were not compared: no block was reviewed.");
    };
    let value = root.estimate.value;
    let (winner, loser) = if value < 0.0 { (of, by) } else { (by, of) };
    let size = fixed(value.abs(), decimals);
    let ends = |estimate: &Estimate| {
        let [low, high] = estimate.ci?;
        let ends = if value < 0.0 {
            (-high, -low)
        } else {
            (low, high)
        };
        Some(interval(ends, decimals))
    };
    let Some(range) = ends(&root.estimate) else {
        return format!(
            "{winner} scores {size} {unit} a game more than {loser} in the same seats, with too few blocks for an interval."
        );
    };
    if root
        .estimate
        .ci
        .is_some_and(|[low, high]| low * high <= 0.0)
    {
        return format!(
            "No difference is found between {by} and {of} in the same seats: {} {unit} a game (95 % CI {range}).",
            signed(value, decimals)
        );
    }
    let begin = format!("{winner} wins {size} {unit} a game more than {loser} in the same seats");
    match report.main_class() {
        None => format!("{begin} (95 % CI {range}); no class of decisions stands out."),
        Some(class) => format!(
            "{begin}; {} of it ({} %, 95 % CI {}) comes from decisions with {}.",
            fixed(class.estimate.value.abs(), decimals),
            percent(class.estimate.value / value),
            ends(&class.estimate).unwrap_or_default(),
            class.conditions.join(", ")
        ),
    }
}

/// Returns the review as text.
#[must_use]
pub fn render(report: &ReviewReport) -> String {
    let mut lines = vec![first_sentence(report), String::new()];
    let (of, by, unit) = (&report.of, &report.by, report.unit);
    lines.push(format!(
        "{}: {} of {of} in {}, {} played; the bots differ in {} % of its unforced decisions. Digest {}.",
        report.game,
        counted(report.games, "game"),
        counted(report.blocks as u64, "block"),
        counted(report.forks_played, "fork"),
        percent(report.fork_share),
        report.digest
    ));
    lines.extend(report.notes.iter().cloned());
    lines.push(String::new());
    lines.push(format!(
        "Difference by class of decisions, in {unit} a game (choices are shown as {of} → {by}; \
         the classes were chosen on the other half of the blocks; all intervals are valid \
         together):"
    ));
    lines.extend(tree(report));
    lines.extend(proof(report));
    lines.push(String::new());
    lines.extend(identity(report));
    if !report.faults.is_empty() {
        lines.push(String::new());
        lines.push("Faults in these games (each affects one decision):".to_owned());
        lines.extend(report.faults.iter().map(|fault| format!("  {fault}")));
    }
    for (number, fork) in (1..).zip(&report.forks) {
        lines.push(String::new());
        lines.extend(fork_lines(report, number, fork));
    }
    lines.push(String::new());
    lines.join("\n")
}

fn tree(report: &ReviewReport) -> Vec<String> {
    fn add(report: &ReviewReport, at: usize, depth: usize, lines: &mut Vec<String>) {
        lines.push(class_line(report, at, depth));
        let mut parts: Vec<usize> = (0..report.classes.len())
            .filter(|&part| report.classes[part].parent == Some(at))
            .collect();
        let size = |part: &usize| report.classes[*part].estimate.value.abs();
        parts.sort_by(|a, b| size(b).total_cmp(&size(a)));
        for part in parts {
            add(report, part, depth + 1, lines);
        }
    }
    let mut lines = Vec::new();
    if !report.classes.is_empty() {
        add(report, 0, 0, &mut lines);
    }
    lines
}

fn class_line(report: &ReviewReport, at: usize, depth: usize) -> String {
    let class = &report.classes[at];
    let decimals = report.decimals();
    let name = class.conditions.last().map_or("all decisions", |name| name);
    let range = match class.estimate.ci {
        Some([low, high]) => interval((low, high), decimals),
        None => "no interval".to_owned(),
    };
    let order = if class.depends_on_order {
        "; SIGN DEPENDS ON WHICH BOT PLAYED BEFORE"
    } else {
        ""
    };
    format!(
        "{at:>3}{:indent$}{} ({range})  {name}  [{} forks, {} unforced decisions, {} thousandths per \
         decision; {} before, {} after{order}]",
        "",
        signed(class.estimate.value, decimals),
        grouped(class.n),
        grouped(class.decisions),
        signed(class.milli_points_a_decision, 1),
        signed(class.orders[0], decimals),
        signed(class.orders[1], decimals),
        indent = 1 + 2 * depth,
    )
}

/// Returns the gain of the hybrid beside the value of its class, if it was played.
pub(super) fn proof(report: &ReviewReport) -> Option<String> {
    let proof = report.proof.as_ref()?;
    let number = |estimate: &Estimate| {
        let range = estimate.ci.map_or_else(String::new, |[low, high]| {
            format!(" ({})", interval((low, high), report.decimals()))
        });
        format!("{}{range}", signed(estimate.value, report.decimals()))
    };
    Some(format!(
        "{} with the choices of {} in class {} scores {} {} a game more than {}; the value of the class is {}.",
        report.of,
        report.by,
        proof.class,
        number(&proof.hybrid),
        report.unit,
        report.of,
        number(&report.classes[proof.class].estimate)
    ))
}

/// Returns the components of the difference, one per line.
pub(super) fn identity(report: &ReviewReport) -> Vec<String> {
    let parts = &report.identity;
    let decimals = report.decimals();
    let line = |name: &str, estimate: &Estimate| {
        let range = match estimate.ci {
            Some([low, high]) => format!(" ({})", interval((low, high), decimals)),
            None => String::new(),
        };
        format!("  {}{range}  {name}", signed(estimate.value, decimals))
    };
    let mut lines = vec![
        format!(
            "The difference {} − {} on all blocks:",
            report.by, report.of
        ),
        line("decisions", &parts.decisions),
        line(
            "effects carried over from game to game",
            &parts.carried_over,
        ),
        line(
            "memory of the bots between games, which is missing in single games",
            &parts.memory,
        ),
        line("sum: the difference as in a league", &parts.difference),
    ];
    match &parts.league {
        Some(league) => {
            let seats = if league.is_same_seats {
                "difference in the games of the league, in the same seats"
            } else {
                "difference in the games of the league, at common tables (not directly \
                 comparable)"
            };
            let luck = if league.is_without_luck {
                ", luck-adjusted"
            } else {
                ""
            };
            lines.push(line(&format!("{seats}{luck}"), &league.estimate));
        }
        None => lines.push(
            "  The league contains no games of both bots that can be compared with this review."
                .to_owned(),
        ),
    }
    if let Some(luck) = parts.luck {
        lines.push(format!(
            "  {}  luck of different deals: the difference in the league minus the sum",
            signed(luck, decimals)
        ));
    }
    if let Some(warning) = &parts.warning {
        lines.push(format!("  WARNING: {warning}"));
    }
    lines
}

/// Returns the position and value of a fork as a sentence.
pub(super) fn heading(report: &ReviewReport, number: usize, fork: &ShownFork) -> String {
    format!(
        "Fork {number} ({}): line-up {}, block {}, game {}, decision {}: the choice of {} is worth {:+} {} more",
        fork.why,
        fork.line_up,
        fork.block,
        fork.game,
        fork.decision,
        report.by,
        fork.value,
        report.unit
    )
}

/// Returns the features of a fork's position as a line.
pub(super) fn position(fork: &ShownFork) -> String {
    let word = |(name, mark): &(&str, FeatureValue)| match mark {
        FeatureValue::Count(count) => format!("{name}: {count}"),
        FeatureValue::Word(word) => format!("{name}: {word}"),
    };
    fork.position
        .iter()
        .map(word)
        .collect::<Vec<_>>()
        .join(", ")
}

fn fork_lines(report: &ReviewReport, number: usize, fork: &ShownFork) -> Vec<String> {
    let mut lines = vec![heading(report, number, fork)];
    lines.push(format!("  {}", position(fork)));
    lines.push(format!("  {}", harmless(&fork.dealt)));
    for (name, made) in [("before", &fork.common)]
        .into_iter()
        .map(|(name, made)| (name.to_owned(), made))
        .chain([
            (format!("after {}", report.by), &fork.continuations[0]),
            (format!("after {}", report.of), &fork.continuations[1]),
        ])
    {
        lines.push(format!("  {name}: {}", harmless(&made.join("; "))));
    }
    lines
}
