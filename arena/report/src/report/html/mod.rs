//! Reports as HTML pages: figures, tables, verdicts, the league file and instructions to replay the
//! league.
//!
//! A page is one file without network requests; style sheet, script and figures are embedded. The
//! template `page.html` is filled with a `PageTemplate`. The script tag `hattari-report` contains
//! the standings as JSON for the page's scripts and for programs that read pages.

mod markdown;

pub use markdown::markdown;

use super::part::ReportPart;
use super::sections::{self, Detail};
use super::{Report, json};
use crate::replay::steps::PickedGame;
use crate::standings::Standings;
use hattari_agents::text::{self, grouped, is_hidden};
use minijinja::value::Serde;
use minijinja::{Environment, escape_formatter};
use serde::Serialize;
use serde_json::Value;

/// Values of the page template.
#[derive(Serialize)]
struct PageTemplate<'a> {
    title: &'a str,
    version: &'a str,
    command: &'a str,
    head: Vec<String>,
    facts: Vec<(&'static str, String)>,
    cautions: &'a [String],
    parts: Vec<ReportPart>,
    css: &'static str,
    js: &'static str,
    /// Style sheet of the game viewer.
    viewer_css: &'static str,
    /// Script of the game viewer.
    viewer_js: &'static str,
    /// Additional scripts, if a server sends the page.
    scripts: &'a [&'a str],
    json: String,
    /// The games as JSON.
    replays: Option<String>,
    /// Heading and markup of the section on a review.
    review: Option<(&'a str, &'a str)>,
}

/// Maximum number of results of pairs at single line-ups in the JSON of a page. If a report has
/// more, the page contains none of them.
const PAIRS_AT_LINE_UPS_MAX: usize = 2_000;

/// Style sheet of the game viewer.
const VIEWER_CSS: &str = include_str!("viewer.css");
/// Script of the game viewer: `HattariViewer` and `HattariBoard`.
const VIEWER_JS: &str = include_str!("viewer.js");

/// Returns the page of a report.
///
/// # Panics
/// Never panics: the template is built in, and a test renders every part of it.
pub fn render(report: &Report<'_>) -> String {
    render_with(report, &[], None)
}

/// Returns the page of a report with additional scripts, for a server, and with a section on a
/// review, given by heading and markup.
pub fn render_with(report: &Report<'_>, scripts: &[&str], review: Option<(&str, &str)>) -> String {
    let standings = report.standings;
    let page = PageTemplate {
        title: &standings.about.title,
        version: &standings.about.version,
        command: &standings.about.command,
        head: sections::lead(standings),
        facts: facts(standings),
        cautions: &standings.cautions,
        parts: sections::parts(report, Detail::PAGE).collect(),
        css: include_str!("page.css"),
        js: include_str!("page.js"),
        viewer_css: VIEWER_CSS,
        viewer_js: VIEWER_JS,
        scripts,
        review,
        json: embedded(standings),
        replays: report
            .replays
            .filter(|replays| !replays.games.is_empty())
            .map(|replays| games(&replays.games)),
    };
    fill("page.html", include_str!("page.html"), &page)
}

/// A page with an arbitrary body, in the style of reports.
#[derive(Serialize)]
pub struct PlainPage<'a> {
    /// Title of the browser tab.
    pub title: &'a str,
    /// Type of the page, shown after the product name.
    pub kind: &'a str,
    /// Heading at the top of the page.
    pub heading: &'a str,
    /// Sentences below the heading.
    pub lead: &'a [String],
    /// Main part of the page, as well-formed markup.
    pub body: &'a str,
    /// Additional scripts, each with its CDATA markers.
    pub scripts: &'a [&'a str],
    /// JSON data for the scripts, by element id.
    pub data: &'a [(&'a str, String)],
    /// Text at the bottom of the page.
    pub foot: &'a str,
}

/// Returns a page with an arbitrary body. The page includes the style and script of the game
/// viewer.
pub fn plain(page: &PlainPage<'_>) -> String {
    let values = serde_json::json!({
        "page": page,
        "css": [include_str!("page.css"), VIEWER_CSS],
        "viewer_js": VIEWER_JS,
        "js": include_str!("page.js"),
    });
    fill("plain.html", include_str!("plain.html"), &values)
}

/// Returns a page with one game.
pub fn game(title: &str, lead: &[String], game: &PickedGame) -> String {
    let data = games(std::slice::from_ref(game));
    plain(&PlainPage {
        title,
        kind: "replay",
        heading: title,
        lead,
        body: "<div class=\"viewer\" id=\"viewer\"><p class=\"note\">The game viewer needs \
             JavaScript.</p></div>",
        scripts: &[],
        data: &[("hattari-replays", data)],
        foot: "This page is one file and makes no network requests.",
    })
}

/// Returns the page with the list of a server's leagues. Each league has the keys `number`, `name`
/// and `progress`; optional keys are `facts` (game, entrants, about, canPlay), `leader` (leader,
/// verdict, date) and `isLate`.
pub fn index(leagues: &[Value]) -> String {
    let body = fill(
        "index.html",
        include_str!("index.html"),
        &serde_json::json!({"leagues": leagues}),
    );
    plain(&PlainPage {
        title: "Leagues",
        kind: "leagues",
        heading: "Leagues",
        lead: &[],
        body: &body,
        scripts: &[],
        data: &[],
        foot: "Served by Hattari on this machine.",
    })
}

fn fill(name: &str, text: &str, values: &impl Serialize) -> String {
    let mut environment = Environment::new();
    environment.set_formatter(|output, state, value| match value.as_str() {
        Some(text) if !value.is_safe() => escape_formatter(
            output,
            state,
            &text::escape_for_terminal(text).as_ref().into(),
        ),
        _ => escape_formatter(output, state, value),
    });
    environment
        .render_named_str(name, text, Serde(values))
        .expect("the template is well-formed, and all its fields exist")
        + "\n"
}

/// Returns key figures for the top of the page.
fn facts(standings: &Standings) -> Vec<(&'static str, String)> {
    let progress = standings.progress;
    let blocks = if progress.is_complete() {
        grouped(progress.blocks_played)
    } else {
        format!(
            "{} of {}",
            grouped(progress.blocks_played),
            grouped(progress.blocks)
        )
    };
    let faults: u64 = standings.bots.iter().map(|bot| bot.faults).sum();
    let mut facts = vec![("bots", grouped(standings.bots.len() as u64))];
    if progress.line_ups > 1 {
        facts.push(("line-ups", grouped(progress.line_ups)));
    }
    facts.push(("blocks", blocks));
    let deals = if standings.about.unit == "row" {
        "rows"
    } else {
        "deals"
    };
    facts.push((deals, grouped(progress.deals_played)));
    if let Some(league) = &standings.about.league {
        facts.push(("faults", grouped(faults)));
        facts.push(("seed", league.seed.to_string()));
    }
    facts
}

/// Returns the standings as JSON without markup characters, for embedding in a page.
fn embedded(standings: &Standings) -> String {
    let mut value = json::standings(standings);
    let pairs = standings.pairs.iter();
    let results: usize = pairs.map(|pair| pair.line_ups.len()).sum();
    if results > PAIRS_AT_LINE_UPS_MAX {
        let pairs = value["pairs"].as_array_mut().into_iter().flatten();
        for pair in pairs.filter_map(Value::as_object_mut) {
            pair.remove("line_ups");
        }
    }
    harmless(&value)
}

/// Returns the JSON for the game viewer.
fn games(games: &[PickedGame]) -> String {
    harmless(&serde_json::json!({"games": games}))
}

/// Returns JSON without markup characters, for embedding in a page.
pub fn harmless(value: &Value) -> String {
    let mut text = String::new();
    for character in value.to_string().chars() {
        match character {
            '<' | '>' | '&' => text += &format!("\\u{:04x}", u32::from(character)),
            // Hidden characters become spaces.
            c if is_hidden(c) => text.push(' '),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_league_that_cannot_be_read_is_listed_without_facts() {
        let unread = serde_json::json!({"number": 0, "name": "a", "progress": "Not readable."});
        let page = index(&[unread]);
        assert!(
            page.contains(">a</a>") && page.contains("Not readable."),
            "{page}"
        );
    }
}
