//! Reviews as HTML pages. A page is one file without network requests.

use super::fork::ShownFork;
use super::report::{DecisionClass, ReviewReport};
use super::summary::ReviewSummary;
use super::text::{
    OTHER_DEALS, component_lines, first_sentence, heading, hybrid_gain, place, position, sampled,
};
use crate::numbers::{interval, level, signed};
use crate::report::html::{self, PlainPage};
use crate::report::svg::escape;
use hattari_agents::text::grouped;

/// Returns the page of a review.
#[must_use]
pub fn render(report: &ReviewReport) -> String {
    let title = format!("{} reviewed by {}", report.reviewed, report.other);
    let mut lead = vec![first_sentence(report)];
    lead.extend(report.notes.iter().cloned());
    let mut body = format!(
        "<section><h2>Which decisions cause the difference</h2>{}{}",
        legend(report),
        tree(report)
    );
    if let Some(sentence) = hybrid_gain(report) {
        body += &format!("<p>{}</p>", escape(&sentence));
    }
    let lines = component_lines(report);
    let (first, components) = lines
        .split_first()
        .map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    body += &format!(
        "</section><section><h2>How the difference adds up</h2><p>{}</p><ul>",
        escape(first)
    );
    for line in components {
        body += &format!("<li>{}</li>", escape(line.trim()));
    }
    body += "</ul></section>";
    if !report.faults.is_empty() {
        body += "<section><h2>Faults</h2><ul>";
        for fault in &report.faults {
            body += &format!("<li>{}</li>", escape(fault));
        }
        body += "</ul></section>";
    }
    body += &format!(
        "<section><h2>Example decisions</h2><p class=\"note\">Decisions on which the bots differ, \
         with the rest of the game after each choice: first the most costly ones, then typical \
         ones of the most frequent kinds. {}</p>",
        escape(OTHER_DEALS)
    );
    for (number, fork) in (1..).zip(&report.forks) {
        body += &example(report, number, fork);
    }
    let mut data = Vec::new();
    let games: Vec<_> = report.forks.iter().flat_map(|fork| &fork.games).collect();
    if !games.is_empty() {
        body += "<p>The same games step by step, two for each decision:</p><div class=\"viewer\" \
             id=\"viewer\"><p class=\"note\">The game viewer needs JavaScript.</p></div>";
        let games = html::harmless(&serde_json::json!({ "games": games }));
        data.push(("hattari-replays", games));
    }
    body += "</section>";
    html::plain(&PlainPage {
        title: &title,
        kind: "review",
        heading: &title,
        lead: &lead,
        body: &body,
        scripts: &[],
        data: &data,
        foot: "This page is one file and makes no network requests.",
    })
}

/// Returns the explanation of the tree.
fn legend(report: &ReviewReport) -> String {
    format!(
        "<p class=\"note\">Numbers are {} per deal. Blue bars: {other} gains; orange bars: \
         {reviewed} gains. Select a line to see its parts and its interval. Choices are shown as \
         {reviewed} → {other}; “higher” means that {other} chooses the higher one. The classes were \
         chosen on one half of the blocks and measured on the other half; all intervals hold \
         together with {level} % confidence.</p>",
        escape(report.unit),
        level = level(report.confidence),
        reviewed = escape(&report.reviewed),
        other = escape(&report.other)
    )
}

/// Returns heading and markup of the section on a review in the report of a league. `page` is the
/// path of the review's own page, relative to the report; `None` if there is no such page.
#[must_use]
pub fn section(report: &ReviewReport, page: Option<&str>) -> (String, String) {
    let link = page.map_or_else(String::new, |page| {
        let page = escape(page);
        format!("<p><a href=\"{page}\">The whole review</a> shows example decisions with both games.</p>")
    });
    let heading = format!("Why {} and {} differ", report.reviewed, report.other);
    let sentence = escape(&first_sentence(report));
    let (legend, tree) = (legend(report), tree(report));
    (heading, format!("<p>{sentence}</p>{legend}{tree}{link}"))
}

/// Returns the markup of an example fork, with the rest of the game after each choice.
fn example(report: &ReviewReport, number: usize, fork: &ShownFork) -> String {
    let other_deals = sampled(report, fork).map(|line| format!("<p>{}</p>", escape(&line)));
    let mut text = format!(
        "<details><summary>{number}. {}</summary>{}\
         <p class=\"note\">{}</p><p class=\"note\">{}</p><p>{}</p>",
        escape(&heading(report, fork)),
        other_deals.unwrap_or_default(),
        escape(&position(fork)),
        escape(&place(fork)),
        escape(&fork.dealt).replace(" | ", "<br/>"),
    );
    if !fork.common.is_empty() {
        let common: Vec<String> = fork.common.iter().map(ToString::to_string).collect();
        let common = escape(&common.join("; "));
        text += &format!("<p class=\"note\">Before: {common}</p>");
    }
    text += "<div class=\"both\">";
    for (name, continuation) in [
        (&report.other, &fork.continuations.other),
        (&report.reviewed, &fork.continuations.reviewed),
    ] {
        let moves = continuation.moves.iter().map(ToString::to_string);
        let lines = moves.chain([continuation.last_line()]);
        let lines = lines.map(|line| format!("<li>{}</li>", escape(&line)));
        text += &format!(
            "<div><h3>After the choice of {}</h3><ol>{}</ol></div>",
            escape(name),
            lines.collect::<String>()
        );
    }
    text + "</div></details>"
}

/// Returns the page of several reviews.
#[must_use]
pub fn summary(summary: &ReviewSummary) -> String {
    let title = format!("{} reviewed by the other entrants", summary.reviewed);
    let mut body =
        "<section><h2>Gain in its seats</h2><div class=\"scroll\"><table><thead><tr><th>bot</th>\
         <th>gain per deal</th><th>largest class</th><th>decisions</th></tr></thead><tbody>"
            .to_owned();
    for row in summary.rows() {
        let cells = row.map(|cell| format!("<td>{}</td>", escape(&cell)));
        body += &format!("<tr>{}</tr>", cells.concat());
    }
    body += "</tbody></table></div></section>";
    for report in &summary.reviews {
        body += &format!(
            "<section><h2>{}</h2><p>{}</p>{}</section>",
            escape(&report.other),
            escape(&first_sentence(report)),
            tree(report)
        );
    }
    let lead = [
        vec![summary.first_sentence(), summary.note()],
        summary.skipped.clone(),
    ]
    .concat();
    html::plain(&PlainPage {
        title: &title,
        kind: "review",
        heading: &title,
        lead: &lead,
        body: &body,
        scripts: &[],
        data: &[],
        foot: "This page is one file and makes no network requests.",
    })
}

/// Returns the tree of classes as bars that unfold.
pub(crate) fn tree(report: &ReviewReport) -> String {
    if report.classes.is_empty() {
        return String::new();
    }
    class_markup(report, 0)
}

/// Returns a class and its subclasses as a bar that unfolds.
fn class_markup(report: &ReviewReport, index: usize) -> String {
    let class = &report.classes[index];
    let subclasses = report.subclasses(index).into_iter();
    let inner: String = subclasses
        .map(|subclass| class_markup(report, subclass))
        .collect();
    let open = if class.parent.is_none() {
        " open=\"open\""
    } else {
        ""
    };
    format!(
        "<details class=\"class\"{open}><summary>{}</summary>{}<div>{inner}</div></details>",
        bar(report, class),
        facts(report, class)
    )
}

/// Returns name and value of a class, and a bar whose width is relative to the largest value.
fn bar(report: &ReviewReport, class: &DecisionClass) -> String {
    let decimals = report.decimals();
    let largest = report
        .classes
        .iter()
        .map(|class| class.estimate.value.abs());
    let largest = largest.fold(f64::MIN_POSITIVE, f64::max);
    let width = 100.0 * class.estimate.value.abs() / largest;
    let loss = if class.estimate.value < 0.0 {
        " loss"
    } else {
        ""
    };
    let name = report.own_conditions(class);
    format!(
        "{} <strong>{}</strong><span class=\"bar{loss}\" style=\"width: {width:.1}%\"></span>",
        escape(&name),
        signed(class.estimate.value, decimals)
    )
}

fn facts(report: &ReviewReport, class: &DecisionClass) -> String {
    let decimals = report.decimals();
    let range = match class.estimate.ci {
        Some([low, high]) => format!("{}, ", interval((low, high), decimals)),
        None => String::new(),
    };
    let order = if class.depends_on_order {
        " The sign depends on which bot played before."
    } else {
        ""
    };
    format!(
        "<p class=\"note\">{range}{} forks in {} unforced decisions; {} if {} played the earlier \
         decisions, {} if {} did.{order}</p>",
        grouped(class.n),
        grouped(class.decisions),
        signed(class.orders.reviewed, decimals),
        escape(&report.reviewed),
        signed(class.orders.other, decimals),
        escape(&report.other)
    )
}
