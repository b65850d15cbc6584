//! Reviews as text.

use super::estimate::Estimate;
use super::fork::{Continuation, ShownFork};
use super::report::ReviewReport;
use crate::numbers::{fixed, interval, level, percent, signed};
use hattari_agents::text::{counted, escape_for_sentence, grouped};
use hattari_play::review::PerBot;
use std::iter;

/// Returns the first sentence of a review: the gain, and the class that explains most of it.
#[must_use]
pub fn first_sentence(report: &ReviewReport) -> String {
    let (reviewed, other, unit) = (&report.reviewed, &report.other, report.unit);
    let (decimals, level) = (report.decimals(), level(report.confidence));
    let root = report.root().estimate;
    let value = root.value;
    let (winner, loser) = if value < 0.0 {
        (reviewed, other)
    } else {
        (other, reviewed)
    };
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
    let Some(range) = ends(&root) else {
        return format!(
            "{winner} scores {size} {unit} per deal more than {loser} in the same seats, but there are too few blocks for an interval."
        );
    };
    if !root.is_clear() {
        return format!(
            "No difference is found between {other} and {reviewed} in the same seats: {} {unit} per deal ({level} % CI {range}).",
            signed(value, decimals)
        );
    }
    let begin = format!("{winner} wins {size} {unit} per deal more than {loser} in the same seats");
    match report.clear_main_class() {
        None => format!("{begin} ({level} % CI {range}); no class of decisions stands out."),
        Some(class) => format!(
            "{begin}; {} of it ({} %, {level} % CI {}) comes from decisions with {}.",
            fixed(class.estimate.value.abs(), decimals),
            percent(class.estimate.value / value),
            ends(&class.estimate).unwrap_or_default(),
            class.description()
        ),
    }
}

/// Returns the review as text.
#[must_use]
pub fn render(report: &ReviewReport) -> String {
    let (reviewed, other, unit) = (&report.reviewed, &report.other, report.unit);
    let mut about = vec![format!(
        "{}: {} of {reviewed} in {}, {} played; the bots differ in {} % of its unforced decisions. Digest {}.",
        report.game,
        counted(report.games, "game"),
        counted(report.blocks as u64, "block"),
        counted(report.forks_played, "fork"),
        percent(report.fork_share),
        report.digest
    )];
    about.extend(report.notes.iter().cloned());
    let mut classes = vec![format!(
        "Difference by class of decisions, in {unit} per deal (choices are shown as {reviewed} → \
         {other}; `higher` means that {other} chooses the higher one; the classes were chosen on \
         the other half of the blocks; all intervals are valid together):"
    )];
    classes.extend(tree(report, 0, 0));
    classes.extend(hybrid_gain(report));
    let mut components = vec![components_title(report)];
    let lines = component_lines(report).into_iter();
    components.extend(lines.map(|line| format!("  {line}")));
    let mut sections = vec![vec![first_sentence(report)], about, classes, components];
    if !report.faults.is_empty() {
        let title = "Faults in these games (each affects one decision):".to_owned();
        let faults = report.faults.iter().map(|fault| format!("  {fault}"));
        sections.push(iter::once(title).chain(faults).collect());
    }
    if report.forks.iter().any(|fork| fork.sampled.is_some()) {
        sections.push(vec![format!("Example forks. {OTHER_DEALS} {WHOLE_GAMES}")]);
    }
    let forks = (1..).zip(&report.forks);
    sections.extend(forks.map(|(number, fork)| fork_lines(report, number, fork)));
    let sections: Vec<String> = sections.iter().map(|lines| lines.join("\n")).collect();
    sections.join("\n\n") + "\n"
}

/// Returns a line for a class and each of its subclasses.
fn tree(report: &ReviewReport, class: usize, depth: usize) -> Vec<String> {
    let mut lines = vec![class_line(report, class, depth)];
    for subclass in report.subclasses(class) {
        lines.extend(tree(report, subclass, depth + 1));
    }
    lines
}

fn class_line(report: &ReviewReport, index: usize, depth: usize) -> String {
    let class = &report.classes[index];
    let decimals = report.decimals();
    let name = report.own_conditions(class);
    let range = class.estimate.range(decimals);
    let range = range.unwrap_or_else(|| "no interval".to_owned());
    let order = if class.depends_on_order {
        "; SIGN DEPENDS ON WHICH BOT PLAYED BEFORE"
    } else {
        ""
    };
    format!(
        "{index:>3}{:indent$}{} ({range})  {name}  [{} forks, {} unforced decisions, \
         {} thousandths per decision; {} if {} plays before the fork, {} if {} does{order}]",
        "",
        signed(class.estimate.value, decimals),
        grouped(class.n),
        grouped(class.decisions),
        signed(class.gain_per_decision_milli, 1),
        signed(class.orders.reviewed, decimals),
        report.reviewed,
        signed(class.orders.other, decimals),
        report.other,
        indent = 1 + 2 * depth,
    )
}

/// Returns the gain of the hybrid, compared with the value of its class, as text; `None` if the
/// hybrid was not played.
pub(super) fn hybrid_gain(report: &ReviewReport) -> Option<String> {
    let hybrid = report.hybrid.as_ref()?;
    let value = hybrid.class.map_or_else(String::new, |class| {
        let value = report.number(&report.classes[class].estimate);
        format!("; the value of class {class} is {value}")
    });
    Some(format!(
        "{} with the choices of {} in decisions with {} scores {} {} per deal more than {}{value}.",
        report.reviewed,
        report.other,
        hybrid.condition,
        report.number(&hybrid.gain),
        report.unit,
        report.reviewed,
    ))
}

/// Returns the title of the components of the difference.
pub(super) fn components_title(report: &ReviewReport) -> String {
    let (reviewed, other) = (&report.reviewed, &report.other);
    format!("The difference {other} − {reviewed} on all blocks:")
}

/// Returns the components of the difference, one per line.
pub(super) fn component_lines(report: &ReviewReport) -> Vec<String> {
    let components = &report.components;
    let decimals = report.decimals();
    let line = |name: &str, estimate: &Estimate| format!("{}  {name}", report.number(estimate));
    let mut lines = vec![
        line("decisions", &components.decisions),
        line(
            "effects carried over from game to game",
            &components.carried_over,
        ),
        line(
            "memory of the bots between games, which is missing in single games",
            &components.memory,
        ),
        line("sum: the difference as in a league", &components.difference),
    ];
    match &components.league {
        Some(league) => {
            let seats = if league.is_same_seats {
                "difference in the games of the league, in the same seats"
            } else {
                "difference in the games of the league, at common tables (not directly \
                 comparable)"
            };
            let luck = if league.is_luck_adjusted {
                ", luck-adjusted"
            } else {
                ""
            };
            lines.push(line(&format!("{seats}{luck}"), &league.estimate));
        }
        None => lines.push(
            "The league contains no games of both bots that can be compared with this review."
                .to_owned(),
        ),
    }
    if let Some(luck) = components.luck {
        lines.push(format!(
            "{}  luck of different deals: the difference in the league minus the sum",
            signed(luck, decimals)
        ));
    }
    if let Some(warning) = &components.warning {
        lines.push(format!("WARNING: {warning}"));
    }
    lines
}

/// Explanation of the results of forks in other deals.
pub(super) const OTHER_DEALS: &str = "Each was also played in other deals that fit what the seat \
    knew. This separates a bad decision from bad luck. All such deals are equally likely, whatever \
    the other bots would have done with these cards.";

/// Note in texts, which show only the moves close to a fork.
const WHOLE_GAMES: &str = "`--format html` shows the games move by move.";

/// Returns the place of a fork in the league.
pub(super) fn place(fork: &ShownFork) -> String {
    format!(
        "line-up {}, block {}, game {}, decision {}",
        fork.line_up, fork.block, fork.game, fork.decision
    )
}

/// Returns the two choices at a fork and the gain.
pub(super) fn heading(report: &ReviewReport, fork: &ShownFork) -> String {
    let mean = fork.sampled.as_ref().map_or_else(String::new, |sampled| {
        format!("; {} on average", signed(sampled.gain.value, 2))
    });
    format!(
        "{}: “{}” ({}) instead of “{}” ({}): {} {}{mean}",
        fork.why,
        fork.continuations.other.choice,
        report.other,
        fork.continuations.reviewed.choice,
        report.reviewed,
        signed(fork.value as f64, 0),
        report.unit
    )
}

/// Returns a sentence on the gain of a fork with other hidden cards; `None` if it was not measured.
pub(super) fn sampled(report: &ReviewReport, fork: &ShownFork) -> Option<String> {
    let sampled = fork.sampled.as_ref()?;
    let decimals = 2;
    let range = sampled.gain.range(decimals);
    let range = range.map_or_else(String::new, |range| format!(" (95 % CI {range})"));
    let better = if 0.0 < sampled.gain.value {
        &report.other
    } else {
        &report.reviewed
    };
    let verdict = if sampled.gain.is_clear() {
        format!("the choice of {better} is better")
    } else {
        "neither choice is clearly better".to_owned()
    };
    Some(format!(
        "In {} other deals that fit what {} knew here: {verdict}; the choice of {} gains {}{range} {} \
         on average, and {:+} with these cards.",
        grouped(sampled.deals as u64),
        fork.before,
        report.other,
        signed(sampled.gain.value, decimals),
        report.unit,
        fork.value
    ))
}

/// Returns the features of a fork's position as a line.
pub(super) fn position(fork: &ShownFork) -> String {
    let features = fork.position.iter();
    let features = features.map(|(name, value)| format!("{name}: {value}"));
    features.collect::<Vec<_>>().join(", ")
}

fn fork_lines(report: &ReviewReport, number: usize, fork: &ShownFork) -> Vec<String> {
    let heading = escape_for_sentence(&heading(report, fork));
    let mut lines = vec![format!("Fork {number}, {heading}")];
    lines.push(format!("  {}", place(fork)));
    lines.push(format!("  {}", position(fork)));
    lines.extend(sampled(report, fork).map(|line| format!("  {line}")));
    lines.push(format!("  {}", escape_for_sentence(&fork.dealt)));
    let PerBot { other, reviewed } = &fork.continuations;
    for (name, moves) in [
        ("before".to_owned(), last_moves(&fork.common)),
        (format!("after {}", report.other), first_moves(other)),
        (format!("after {}", report.reviewed), first_moves(reviewed)),
    ] {
        lines.push(format!("  {name}: {}", escape_for_sentence(&moves)));
    }
    lines
}

/// Maximum number of moves before a fork, and after it.
const MOVES_MAX: usize = 5;

/// Returns the last moves as text, with the number of the earlier ones.
fn last_moves(moves: &[String]) -> String {
    let omitted = moves.len().saturating_sub(MOVES_MAX);
    let mut shown = moves[omitted..].to_vec();
    if 0 < omitted {
        shown.insert(0, format!("({omitted} earlier)"));
    }
    shown.join("; ")
}

/// Returns the first moves and the payoffs as text, with the number of omitted moves.
fn first_moves(continuation: &Continuation) -> String {
    let mut shown = continuation.moves.clone();
    let omitted = shown.len().saturating_sub(MOVES_MAX);
    if 0 < omitted {
        shown.truncate(MOVES_MAX);
        shown.push(format!("({omitted} more)"));
    }
    shown.push(continuation.last_line());
    shown.join("; ")
}
