//! Reviews as HTML pages: one file without network requests.

use super::report::{DecisionClass, ReviewReport};
use super::text::{first_sentence, heading, identity, position, proof};
use crate::numbers::{interval, signed};
use crate::report::html::{self, PlainPage};
use crate::report::svg::escape;
use hattari_agents::text::grouped;

/// Returns the page.
#[must_use]
pub fn render(report: &ReviewReport) -> String {
    let title = format!("{} reviewed by {}", report.of, report.by);
    let mut lead = vec![first_sentence(report)];
    lead.extend(report.notes.iter().cloned());
    let mut body = format!(
        "<section><h2>Difference by class of decisions</h2><p class=\"note\">In {} a game; \
         choices are shown as {} → {}. The classes were chosen on the other half of the blocks; \
         all intervals are valid together.</p>",
        escape(report.unit),
        escape(&report.of),
        escape(&report.by)
    );
    if !report.classes.is_empty() {
        body += &class(report, 0);
    }
    if let Some(proof) = proof(report) {
        body += &format!("<p>{}</p>", escape(&proof));
    }
    body += "</section><section><h2>Components of the difference</h2><ul>";
    for line in identity(report) {
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
    body += "<section><h2>Example decisions</h2>";
    for (number, fork) in (1..).zip(&report.forks) {
        body += &format!(
            "<details><summary>{}</summary><p>{}</p><p>{}</p><p>Before: {}</p>",
            escape(&heading(report, number, fork)),
            escape(&position(fork)),
            escape(&fork.dealt),
            escape(&fork.common.join("; "))
        );
        for (name, rest) in [&report.by, &report.of]
            .into_iter()
            .zip(&fork.continuations)
        {
            body += &format!(
                "<details><summary>After the choice of {}</summary><p>{}</p></details>",
                escape(name),
                escape(&rest.join("; "))
            );
        }
        body += "</details>";
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

/// Returns a class and its subclasses as a bar that unfolds.
fn class(report: &ReviewReport, at: usize) -> String {
    let here = &report.classes[at];
    let mut parts: Vec<usize> = (0..report.classes.len())
        .filter(|&part| report.classes[part].parent == Some(at))
        .collect();
    let size = |part: &usize| report.classes[*part].estimate.value.abs();
    parts.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let inner: String = parts.iter().map(|&part| class(report, part)).collect();
    let open = if here.parent.is_none() {
        " open=\"open\""
    } else {
        ""
    };
    format!(
        "<details{open}><summary>{}</summary>{}<div style=\"padding-left: 1rem\">{inner}</div></details>",
        bar(report, here),
        facts(report, here)
    )
}

/// Returns the value of a class and a bar, scaled to the largest value.
fn bar(report: &ReviewReport, class: &DecisionClass) -> String {
    let decimals = report.decimals();
    let largest = report
        .classes
        .iter()
        .map(|class| class.estimate.value.abs());
    let largest = largest.fold(f64::MIN_POSITIVE, f64::max);
    let width = 100.0 * class.estimate.value.abs() / largest;
    let colour = if class.estimate.value < 0.0 {
        "--cold"
    } else {
        "--warm"
    };
    let name = report.own_conditions(class);
    format!(
        "{} <strong>{}</strong><span style=\"display: block; height: 0.5rem; width: {width:.1}%; background: \
         var({colour})\"></span>",
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
        signed(class.orders[0], decimals),
        escape(&report.of),
        signed(class.orders[1], decimals),
        escape(&report.by)
    )
}
