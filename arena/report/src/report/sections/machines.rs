//! The machines that played the league.

use super::*;
use crate::numbers::p_equals;
use crate::standings::MachineTest;

/// Heading in all formats.
const TITLE: &str = "Results by machine";
/// Maximum number of machines in the table of a short report.
const ROWS_MAX: usize = 30;

/// Returns the comparison of the machines; `None` if there are fewer than two.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    let section = (!standings.machines.is_empty()).then(|| section(standings, detail))?;
    Some(ReportPart::new("machines", "Machines", TITLE).with([section]))
}

fn section(standings: &Standings, detail: Detail) -> Section {
    let mut machines: Vec<_> = standings
        .machines
        .iter()
        .map(|machine| (machine, machine.most_significant()))
        .collect();
    // Machines with small p first; those that cannot be tested last.
    let p =
        |largest: Option<(&str, &MachineTest)>| largest.map_or(f64::INFINITY, |(_, test)| test.p);
    machines.sort_by(|(_, one), (_, other)| p(*one).total_cmp(&p(*other)));
    let least = machines.first().and_then(|(_, largest)| *largest);
    let shown = if !detail.is_screen() {
        machines.len()
    } else {
        machines.len().min(ROWS_MAX)
    };
    let errors = machines
        .iter()
        .filter_map(|(_, largest)| Some(largest.as_ref()?.1.difference.se));
    let digits = decimals(errors);
    let rows = machines[..shown]
        .iter()
        .map(|(machine, largest)| (machine, largest.unzip()));
    let table = grid! { (machine, (bot, test)) in rows;
        "machine", Left = &machine.machine;
        "blocks", Right = machine.blocks;
        "bot", Left = bot;
        "here − elsewhere", Right = signed(test?.difference.value, digits);
        &interval_header(standings), Right = interval(test?.difference.ends(), digits);
        "p", Right = p_value(test?.p);
        "p Holm", Right =
            Cell::warning(p_value(test?.p_adjusted), is_significant(standings, test?));
    };
    let mut section = Section::of(TITLE, table)
        .caption("Scores on each machine compared with the other machines")
        .sentence(verdict(standings, least.map(|(_, test)| test)))
        .note(
            "Each row shows the bot with the smallest p. Blocks of a machine are compared with \
             those of other machines in the same line-up: regression of the difference from the \
             mean of line-up and bot, with errors over clusters of blocks. p Holm: adjusted over \
             all bots and machines.",
        );
    let played: u64 = machines.iter().map(|(machine, _)| machine.blocks).sum();
    let unknown = standings.progress.blocks_played.saturating_sub(played);
    if unknown > 0 {
        let blocks = counted(unknown, "block");
        section = section.sentence(format!(
            "The table leaves out {blocks} whose machine is not known."
        ));
    }
    let more = machines.len() - shown;
    if more > 0 {
        section = section.note(format!("The JSON report lists {more} more machines."));
    }
    section
}

/// Returns `true` if the results depend significantly on the machine.
fn is_significant(standings: &Standings, test: &MachineTest) -> bool {
    test.p_adjusted <= standings.settings.alpha()
}

/// Returns a sentence on the test with the smallest p, or on the reason why there is no test.
fn verdict(standings: &Standings, least: Option<&MachineTest>) -> String {
    let Some(test) = least else {
        return format!("The machines are not compared: {}.", why_not(standings));
    };
    let sentence = if is_significant(standings, test) {
        "Results depend on the machine"
    } else {
        "No dependence of results on the machine was found"
    };
    format!("{sentence} ({}).", p_equals(test.p_adjusted))
}

/// Returns the reason why no machine was compared.
fn why_not(standings: &Standings) -> String {
    standings
        .machines
        .iter()
        .flat_map(|one| &one.differences)
        .find_map(|difference| difference.test.reason())
        .map_or_else(
            || "there are too many blocks and machines".to_owned(),
            str::to_owned,
        )
}
