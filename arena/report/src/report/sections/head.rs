//! The head of a report: a description of the league, and cautions.

use crate::grid;
use crate::numbers::{date, short};
use crate::report::table::{Grid, Section};
use crate::standings::{AboutEntrant, AboutLeague, AcrossLeagues, Standings};
use hattari_agents::agent::Budget;
use hattari_agents::text::{counted, grouped, joined};
use hattari_play::store::RunInfo;

/// Returns the head of a report, followed by cautions if there are any.
pub(super) fn sections(standings: &Standings, is_file: bool) -> Vec<Section> {
    let about = &standings.about;
    let mut head = Section {
        text: sentences(standings),
        ..Section::new(about.title.clone())
    };
    let mut sections = Vec::new();
    if is_file {
        if let Some(league) = &about.league {
            head.text.push(format!(
                "Played with `hattari run {}`{}.",
                league.file,
                speed(&league.runs)
            ));
        }
        head.text
            .push(format!("Report created with `{}`.", about.command));
        if let Some(league) = &about.league {
            head.text
                .push(format!("Rules and options: `{}`.", league.options));
            head.table = Some(entrants(league));
        }
    }
    sections.push(head);
    if !standings.cautions.is_empty() {
        sections.push(Section {
            text: standings.cautions.clone(),
            ..Section::new("Cautions")
        });
    }
    sections
}

/// Returns sentences that describe what was played.
pub(crate) fn sentences(standings: &Standings) -> Vec<String> {
    let about = &standings.about;
    let progress = standings.progress;
    match &about.league {
        Some(league) => vec![
            sentence(league, progress.line_ups, progress.deals_played),
            format!(
                "Seed {}. Faults: {}. Hattari {}.",
                league.seed, league.faults, about.version
            ),
        ]
        .into_iter()
        .chain(league.at.map(|seconds| as_of(seconds, standings)))
        .chain(budgets(league))
        .chain(standings.across.as_deref().map(joint_report))
        .collect(),
        None => vec![format!(
            "{}, {}. Hattari {}.",
            counted(progress.blocks_played, "block"),
            counted(progress.deals_played, about.unit),
            about.version
        )],
    }
}

/// Returns a sentence for a report that counts only blocks stored up to a time. `seconds` is this
/// time in seconds since 1970.
fn as_of(seconds: i64, standings: &Standings) -> String {
    let sequential = match standings.sequential {
        Some(_) => " The stopping rule is in the state after the rounds that were complete then.",
        None => "",
    };
    format!(
        "As of {} UTC: blocks that were stored later do not count. The league is that of its last \
         run.{sequential}",
        date(seconds)
    )
}

/// Returns a sentence that says to which of several leagues the report refers.
fn joint_report(across: &AcrossLeagues) -> String {
    let first = match across.leagues.first() {
        Some(league) if !across.options.is_empty() => {
            format!(" ({})", across.options_of(league))
        }
        _ => String::new(),
    };
    format!(
        "Joint report on {}. Only the table of differences by league is about all of them; tiers, \
         verdicts and all other results are those of the first one{first}.",
        counted(across.leagues.len() as u64, "league")
    )
}

/// Maximum number of entrants whose own budgets are listed by name.
const BUDGETS_MAX: usize = 12;

/// Returns a sentence that lists the entrants with their own budgets; `None` if there are none.
fn budgets(league: &AboutLeague) -> Option<String> {
    let own: Vec<(&str, &Budget)> = league
        .entrants
        .iter()
        .filter_map(|entrant| Some((entrant.name.as_str(), entrant.budget.as_ref()?)))
        .collect();
    let listed = own.iter().take(BUDGETS_MAX);
    let listed = joined(
        listed.map(|(name, budget)| format!("{name} ({budget})")),
        ", ",
    );
    let more = match own.len().saturating_sub(BUDGETS_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!own.is_empty()).then(|| format!("Entrants with their own budgets: {listed}{more}."))
}

/// Returns the duration and speed of the runs as text; empty if a run has not ended or all took
/// less than a second.
fn speed(runs: &[RunInfo]) -> String {
    let seconds: Option<i64> = runs.iter().map(|run| Some(run.ended? - run.started)).sum();
    let (Some(seconds), Some(last)) = (seconds.filter(|seconds| *seconds > 0), runs.last()) else {
        return String::new();
    };
    let deals: u64 = runs.iter().map(|run| run.deals).sum();
    let threads = counted(u64::from(last.threads), "thread");
    format!(
        " in {seconds} s on {threads} ({} deals/s)",
        short(deals as f64 / seconds as f64)
    )
}

fn sentence(league: &AboutLeague, line_ups: u64, deals: u64) -> String {
    let duplicate = if league.duplicate {
        ", each dealt once for every rotation of the seats"
    } else {
        ""
    };
    let same = if league.same_deals {
        ", the same deals for every line-up"
    } else {
        ""
    };
    format!(
        "{} ({}), {}: {}, {} each of {}{duplicate}{same}; {} played.",
        league.game,
        league.preset,
        league.format,
        counted(line_ups, "line-up"),
        counted(league.blocks.into(), "block"),
        counted(league.deals.into(), "deal"),
        grouped(deals),
    )
}

/// Returns the entrants with the data that identifies their bots.
pub(super) fn entrants(league: &AboutLeague) -> Grid {
    let settings = |entrant: &AboutEntrant| {
        let config = match &entrant.config {
            serde_json::Value::Object(fields) if fields.is_empty() => None,
            serde_json::Value::Null => None,
            config => Some(format!("`{config}`")),
        };
        let budget = entrant.budget.map(|budget| format!("budget: {budget}"));
        joined(config.into_iter().chain(budget), "; ")
    };
    grid! { entrant in &league.entrants;
        "entrant", Left = &entrant.name;
        "bot", Left = &entrant.bot;
        "backend", Left = &entrant.kind;
        "version", Left = &entrant.version;
        "file hash", Left = &entrant.hash;
        "settings", Wrap = settings(entrant);
    }
}
