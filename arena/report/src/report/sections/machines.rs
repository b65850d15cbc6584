//! The machines that played the league.

use super::{Detail, none};
use crate::numbers::{decimals, interval, level, p_equals, p_value, signed};
use crate::report::Report;
use crate::report::part::ReportPart;
use crate::report::table::{Align, Cell, CellColour, Grid, Section};
use crate::standings::{MachineStanding, Standings};
use hattari_agents::text::{counted, grouped};

/// Maximum number of machines in the table of a short report.
const ROWS_MAX: usize = 30;

/// Compares the machines; `None` if there are fewer than two.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let standings = report.standings;
    let section = (!standings.machines.is_empty()).then(|| section(standings, detail))?;
    Some(ReportPart::new("machines", "Machines", "Results by machine").with([section]))
}

fn section(standings: &Standings, detail: Detail) -> Section {
    let confidence = format!("{} % CI", level(standings.settings.confidence));
    let mut table = Grid::new(&[
        ("machine", Align::Left),
        ("blocks", Align::Right),
        ("bot", Align::Left),
        ("here − elsewhere", Align::Right),
        (&confidence, Align::Right),
        ("p", Align::Right),
        ("p Holm", Align::Right),
    ]);
    // Machines with small p first; those that cannot be tested last.
    let mut machines: Vec<&MachineStanding> = standings.machines.iter().collect();
    let p = |machine: &MachineStanding| machine.largest().map_or(f64::INFINITY, |(_, test)| test.p);
    machines.sort_by(|one, other| p(one).total_cmp(&p(other)));
    let least = machines.first().and_then(|machine| machine.largest());
    let shown = if detail.full || detail.page {
        machines.len()
    } else {
        machines.len().min(ROWS_MAX)
    };
    let errors = machines
        .iter()
        .filter_map(|machine| Some(machine.largest()?.1.difference.se));
    let digits = decimals(errors);
    let alpha = standings.settings.alpha();
    for machine in &machines[..shown] {
        let mut row: Vec<Cell> = vec![
            machine.machine.as_str().into(),
            grouped(machine.blocks).into(),
        ];
        match machine.largest() {
            Some((bot, test)) => {
                let found = test.difference;
                let is_significant = test.p_adjusted <= alpha;
                let colour = if is_significant {
                    CellColour::Warning
                } else {
                    CellColour::Plain
                };
                row.extend([
                    bot.into(),
                    signed(found.value, digits).into(),
                    interval((found.low, found.high), digits).into(),
                    p_value(test.p).into(),
                    Cell::coloured(p_value(test.p_adjusted), colour),
                ]);
            }
            None => row.extend([none(), none(), none(), none(), none()]),
        }
        table.rows.push(row);
    }
    let verdict = match least {
        Some((_, test)) if test.p_adjusted <= alpha => {
            format!(
                "Results depend on the machine ({}).",
                p_equals(test.p_adjusted)
            )
        }
        Some((_, test)) => format!(
            "No dependence of results on the machine was found ({}).",
            p_equals(test.p_adjusted)
        ),
        None => format!("The machines are not compared: {}.", why_not(standings)),
    };
    let played: u64 = standings
        .machines
        .iter()
        .map(|machine| machine.blocks)
        .sum();
    let unknown = standings.progress.blocks_played.saturating_sub(played);
    let unknown = (0 < unknown).then(|| {
        format!(
            "{} without a known machine do not count here.",
            counted(unknown, "block")
        )
    });
    let more = machines.len() - shown;
    let more = (0 < more).then(|| format!("{more} more machines are in the JSON report."));
    Section {
        text: std::iter::once(verdict).chain(unknown).collect(),
        table: Some(table),
        notes: std::iter::once(
            "Each row shows the bot with the smallest p. Blocks of a machine are compared with \
             those of other machines in the same line-up: regression of the difference from the \
             mean of line-up and bot, with errors over clusters of blocks. p Holm: adjusted over \
             all bots and machines."
                .to_owned(),
        )
        .chain(more)
        .collect(),
        caption: "Scores on each machine compared with the other machines",
        ..Section::new("Machines")
    }
}

/// Returns the reason why no machine was compared.
fn why_not(standings: &Standings) -> String {
    let differences = standings.machines.iter().flat_map(|one| &one.differences);
    let mut reasons = differences.filter_map(|difference| difference.test.reason());
    reasons.next().map_or_else(
        || "there are too many blocks and machines".to_owned(),
        str::to_owned,
    )
}
