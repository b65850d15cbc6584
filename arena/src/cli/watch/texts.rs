//! The texts that `hattari watch` prints about a version.

use super::{CONFIDENCE, PlayedVersion};
use crate::cli::output;
use crate::cli::replay::{first_event, state};
use crate::watch::{VersionFork, compare, faults, fork, games, opponents};
use hattari_agents::agent::lock;
use hattari_agents::record::Record;
use hattari_agents::table::Decider;
use hattari_agents::text::{counted, grouped};
use hattari_play::prepared::PreparedLeague;
use hattari_plugin::games::scene::from_one;
use hattari_report::numbers::{decimals, fixed, p_value, signed};
use hattari_report::review::{DecisionClass, ReviewReport};
use hattari_stats::one_sample_t;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Maximum number of faults that are described.
const FAULTS_SHOWN_MAX: usize = 5;
/// Maximum number of lines printed by bots that are shown.
const PRINTS_SHOWN_MAX: usize = 5;
/// Maximum number of choices before the first difference that are shown.
const CHOICES_SHOWN_MAX: usize = 6;

/// Interval between progress updates on a terminal.
const DRAW_EVERY: Duration = Duration::from_millis(200);
/// Interval between progress lines on other outputs.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// A display that shows the progress of a version's games on stderr and prints the first faults of
/// the bot immediately.
pub(super) struct ProgressPrinter<'a> {
    name: &'a str,
    /// Number of planned deals.
    deals: u64,
    done: AtomicU64,
    /// Number of printed faults. The lock is held while writing, so that output does not mix with
    /// the progress line.
    faults: Mutex<usize>,
    is_terminal: bool,
}

impl<'a> ProgressPrinter<'a> {
    /// Creates the display for the games of a league in which the bot is the first entrant.
    pub(super) fn new(prepared: &'a PreparedLeague) -> Self {
        ProgressPrinter {
            name: &prepared.league.entrants[0].name,
            deals: games(prepared),
            done: AtomicU64::new(0),
            faults: Mutex::new(0),
            is_terminal: std::io::stderr().is_terminal(),
        }
    }

    /// Runs `work` and shows progress meanwhile. `work` counts finished games and passes on the
    /// record of each block.
    pub(super) fn run_with_progress<T>(
        &self,
        work: impl FnOnce(&AtomicU64, &mut dyn FnMut(&Record)) -> T,
    ) -> T {
        let (end, ended) = channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                let every = if self.is_terminal {
                    DRAW_EVERY
                } else {
                    LINE_EVERY
                };
                loop {
                    self.draw();
                    if ended.recv_timeout(every) != Err(RecvTimeoutError::Timeout) {
                        break;
                    }
                }
                self.clear();
            });
            let outcome = work(&self.done, &mut |record| self.block(record));
            drop(end);
            outcome
        })
    }

    fn draw(&self) {
        let _writing = lock(&self.faults);
        let done = grouped(self.done.load(Ordering::Relaxed));
        let planned = grouped(self.deals);
        if self.is_terminal {
            output::replace_line(format_args!("  playing     {done} of {planned} deals"));
        } else {
            output::tell(format_args!("playing: {done} of {planned} deals"));
        }
    }

    fn clear(&self) {
        if self.is_terminal {
            output::replace_line("");
        }
    }

    /// Prints the faults of the bot in a block, up to [`FAULTS_SHOWN_MAX`] in total.
    fn block(&self, record: &Record) {
        let mut printed = lock(&self.faults);
        let faults = record.faults.iter().filter(|fault| fault.entrant == 0);
        for fault in faults.take(FAULTS_SHOWN_MAX.saturating_sub(*printed)) {
            self.clear();
            let (block, deal, decision) = (record.job.block, fault.deal, fault.decision);
            let (name, kind, message) = (self.name, fault.kind.name(), indented(&fault.message));
            let line = format!(
                "  fault       {name} in block {block}, deal {deal}, decision {decision}: {kind}: {message}\n"
            );
            // If the pipe is closed, the program ends soon anyway.
            _ = output::print(&line);
            *printed += 1;
        }
    }
}

/// Returns the text for a failed test.
pub(super) fn failure(test: &str, message: &str) -> String {
    format!("              {test}: {}\n", indented(message))
}

/// Returns a message in which all lines after the first are indented.
fn indented(message: &str) -> String {
    message.replace('\n', "\n              ")
}

/// Returns the factor from points per deal to the displayed unit, and the name of the unit.
fn unit(prepared: &PreparedLeague) -> (f64, String) {
    let Ok(game) = prepared.game() else {
        return (1.0, "points per deal".to_owned());
    };
    match game.stake() {
        Some((name, points)) => (100.0 / points as f64, format!("{name}s per hundred deals")),
        None => (
            1.0,
            format!("{} per deal", game.unit(prepared.league.duplicate)),
        ),
    }
}

/// Returns the score of a version and its number of faults as text.
pub(super) fn score(version: &PlayedVersion, seconds: f64) -> String {
    let (scale, unit) = unit(&version.prepared);
    let blocks = &version.played;
    let scores: Vec<f64> = blocks.iter().map(|block| block.score * scale).collect();
    let mut others = opponents(&version.prepared);
    others.dedup();
    let games: usize = blocks.iter().map(|block| block.games.len()).sum();
    let games = grouped(games as u64);
    let number = format!("version {}", version.number);
    let head = format!(
        "  {number:<11} played {games} deals against {} in {seconds:.1} s\n",
        others.join(", ")
    );
    let line = match one_sample_t(&scores, CONFIDENCE) {
        Ok(test) => {
            let digits = decimals([test.se]);
            let [mean, low, high] = [test.mean_difference, test.interval.low, test.interval.high]
                .map(|value| fixed(value, digits));
            format!("  score       {mean} {unit}, 95 % CI {low} to {high}\n")
        }
        Err(reason) => format!("  score       no interval: {reason}\n"),
    };
    let faults = match faults(&version.played) {
        0 => String::new(),
        count => format!(
            "  faults      {}: the results below include them\n",
            grouped(count)
        ),
    };
    head + &faults + &line
}

/// Returns the first lines that bots printed in a version's games, with their positions, and the
/// total number of lines.
pub(super) fn prints(version: &PlayedVersion) -> String {
    let blocks = &version.played;
    let lines: u64 = blocks.iter().map(|block| block.lines).sum();
    let first = (0..)
        .zip(blocks)
        .flat_map(|(number, block)| block.printed.iter().map(move |output| (number, output)));
    let mut text = String::new();
    let line_up = version.prepared.schedule.line_ups[0].as_slice();
    for (block, output) in first.take(PRINTS_SHOWN_MAX) {
        let name = &version.prepared.league.entrants[line_up[output.entrant]].name;
        let (game, moves) = (output.game, output.moves);
        text += &format!(
            "  prints      {name} in block {block}, deal {game}, after {}: {}\n",
            counted(moves.into(), "choice"),
            output.line
        );
    }
    if lines > PRINTS_SHOWN_MAX as u64 {
        let count = counted(lines, "line");
        text += &format!("              {count} in total\n");
    }
    text
}

/// Returns a description of the difference from one version to another, with a verdict. If a version
/// has faults, it contains the fault counts instead of a verdict. With `shows_fork`, it contains the
/// first decision that differs.
pub(super) fn difference(old: &PlayedVersion, new: &PlayedVersion, shows_fork: bool) -> String {
    let compared = compare(&old.played, &new.played, CONFIDENCE);
    let from = old.number;
    let Some((block, number)) = compared.first else {
        return format!(
            "  difference  none from version {from}: the same decisions in every deal\n"
        );
    };
    let (scale, unit) = unit(&new.prepared);
    let faults = [old, new].map(|version| faults(&version.played));
    let mut text = match compared.difference {
        Ok(test) => {
            let digits = decimals([test.se * scale]);
            let values = [test.mean_difference, test.interval.low, test.interval.high];
            let [mean, low, high] = values.map(|value| signed(value * scale, digits));
            let verdict = match (test.p < 1.0 - CONFIDENCE, test.mean_difference > 0.0) {
                _ if faults != [0, 0] => {
                    let [before, now] = faults.map(grouped);
                    format!(
                        "faults before: {before}, now: {now}; no verdict on the play until there \
                        are no faults"
                    )
                }
                (true, true) => "better".to_owned(),
                (true, false) => "worse".to_owned(),
                (false, _) => "undecided".to_owned(),
            };
            let p = p_value(test.p);
            format!(
                "  difference  {mean} {unit} compared with version {from}, 95 % CI {low} to {high}, p {p}: {verdict}\n"
            )
        }
        Err(reason) => format!("  difference  from version {from} unknown: {reason}\n"),
    };
    if !shows_fork {
        return text;
    }
    let (others, games) = (
        grouped(compared.other_games as u64),
        grouped(compared.games as u64),
    );
    text += &format!(
        "  decisions   {others} of {games} deals differ, first deal {number} of block {block}:\n"
    );
    let [before, now] = [old, new].map(|version| (&version.prepared, &version.played[..]));
    match fork(before, now, block, number) {
        Ok(fork) => text += &describe(&fork, &new.prepared),
        Err(error) => text += &format!("    cannot show its decisions: {error:#}\n"),
    }
    text
}

/// Returns a line on the classes of decisions that gained or lost points since the last version.
/// Without a significant difference it names none, because single classes of equal bots that choose
/// at random differ.
pub(super) fn review(report: &ReviewReport) -> String {
    let (total, digits) = (report.root().estimate, report.decimals());
    let range = total.range(digits);
    let range = range.map_or(String::new(), |range| format!(" (95 % CI {range})"));
    let (value, unit) = (signed(total.value, digits), report.unit);
    let value = format!("{value} {unit} per deal{range} without effects carried over");
    if total.ci.is_none() && total.value != 0.0 {
        return format!("  review      too few or equal blocks for an interval: {value}\n");
    }
    if !total.is_clear() {
        return format!("  review      no difference from the last version is found: {value}\n");
    }
    let mut classes: Vec<_> = report
        .classes
        .iter()
        .filter(|class| class.is_leaf && class.parent.is_some() && class.estimate.is_clear())
        .collect();
    classes.sort_by(|a, b| {
        let size = |class: &DecisionClass| class.estimate.value.abs();
        size(b).total_cmp(&size(a))
    });
    let classes: Vec<String> = classes
        .into_iter()
        .map(|class| {
            let value = signed(class.estimate.value, digits);
            format!("{value} {}", class.condition())
        })
        .collect();
    let direction = if total.value < 0.0 { "worse" } else { "better" };
    let causes = if classes.is_empty() {
        "no class of decisions stands out".to_owned()
    } else {
        classes.join("; ")
    };
    format!("  review      {direction} than the last version, {value}: {causes}\n")
}

/// Returns a description of the first decision that differs between two versions.
fn describe(fork: &VersionFork, prepared: &PreparedLeague) -> String {
    let name = |position: usize| {
        let entrant = prepared.schedule.line_ups[0][position];
        prepared.league.entrants[entrant].name.as_str()
    };
    let players: Vec<&str> = fork.entrants.iter().map(|&entrant| name(entrant)).collect();
    let mut text: String = state(&fork.dealt, &players)
        .trim_matches('\n')
        .lines()
        .map(|line| format!("  {line}\n"))
        .collect();
    let left_out = fork.common.len().saturating_sub(CHOICES_SHOWN_MAX);
    if left_out > 0 {
        text += &format!("    … {}\n", counted(left_out as u64, "choice"));
    }
    let add_output = |text: &mut String, index: usize| {
        for output in fork.printed.iter().filter(|output| output.before == index) {
            *text += &format!("    {} prints: {}\n", name(output.entrant), output.line);
        }
    };
    for (index, step) in (left_out..).zip(&fork.common[left_out..]) {
        add_output(&mut text, index);
        text += &format!("    {}: {}\n", name(step.entrant), first_event(step));
    }
    add_output(&mut text, fork.common.len());
    for (label, step) in [("before", &fork.old), ("now", &fork.new)] {
        let choice = step.as_ref().map_or("the game is over".to_owned(), |step| {
            let by_rule = if step.decider == Decider::Rule {
                " (chosen by the host after a fault)"
            } else {
                ""
            };
            format!(
                "{}, seat {}: {}{by_rule}",
                name(step.entrant),
                from_one(step.seat),
                step.choice
            )
        });
        text += &format!("    {label:<6}  {choice}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lines_of_a_failed_test_have_the_same_indentation() {
        let text = failure(
            "weak cards",
            "mine.lua:3: assertion failed\nexpected 1\ngot 2",
        );
        assert_eq!(text.lines().count(), 3);
        for line in text.lines() {
            let blanks = line.len() - line.trim_start().len();
            assert_eq!(blanks, "  tests       ".len(), "{line}");
        }
    }
}
