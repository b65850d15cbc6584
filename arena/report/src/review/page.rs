//! Reviews as HTML pages. A page is one file without network requests. The template `review.html`
//! has a part for each kind of page and escapes all texts.

use super::fork::{Continuation, ShownFork};
use super::report::{DecisionClass, ReviewReport};
use super::summary::ReviewSummary;
use super::text::{
    OTHER_DEALS, component_lines, components_title, first_sentence, heading, hybrid_gain, place,
    position, sampled,
};
use crate::numbers::{level, signed};
use crate::report::html::{self, PlainPage};
use crate::report::svg::escape;
use hattari_agents::text::grouped;
use minijinja::value::Serde;
use minijinja::{Environment, Error, escape_formatter};
use serde_json::{Value, json};

/// Returns the page of a review.
#[must_use]
pub fn render(report: &ReviewReport) -> String {
    let title = format!("{} reviewed by {}", report.reviewed, report.other);
    let mut lead = vec![first_sentence(report)];
    lead.extend(report.notes.iter().cloned());
    let forks = (1..).zip(&report.forks);
    let forks: Vec<Value> = forks
        .map(|(number, fork)| example_values(report, number, fork))
        .collect();
    let games: Vec<_> = report.forks.iter().flat_map(|fork| &fork.games).collect();
    let body = fill(&json!({
        "part": "page",
        "review": review_values(report),
        "hybrid": hybrid_gain(report),
        "difference": components_title(report),
        "components": component_lines(report),
        "faults": report.faults,
        "other_deals": OTHER_DEALS,
        "forks": forks,
        "has_games": !games.is_empty(),
    }));
    let mut data = Vec::new();
    if !games.is_empty() {
        let games = html::harmless(&json!({ "games": games }));
        data.push(("hattari-replays", games));
    }
    plain(&title, &lead, &body, &data)
}

/// Returns heading and markup of the section on a review in the report of a league. `page` is the
/// path of the review's own page, relative to the report; `None` if there is no such page.
#[must_use]
pub fn section(report: &ReviewReport, page: Option<&str>) -> (String, String) {
    let heading = format!("Why {} and {} differ", report.reviewed, report.other);
    let review = review_values(report);
    let markup = fill(&json!({ "part": "section", "review": review, "link": page }));
    (heading, markup)
}

/// Returns the page of several reviews.
#[must_use]
pub fn summary(summary: &ReviewSummary) -> String {
    let title = format!("{} reviewed by the other entrants", summary.reviewed);
    let reviews: Vec<Value> = summary.reviews.iter().map(review_values).collect();
    let body = fill(&json!({ "part": "summary", "rows": summary.rows(), "reviews": reviews }));
    let mut lead = vec![summary.first_sentence(), summary.note()];
    lead.extend(summary.skipped.iter().cloned());
    plain(&title, &lead, &body, &[])
}

fn plain(title: &str, lead: &[String], body: &str, data: &[(&str, String)]) -> String {
    html::plain(&PlainPage {
        title,
        kind: "review",
        heading: title,
        lead,
        body,
        scripts: &[],
        data,
        foot: "This page is one file and makes no network requests.",
    })
}

/// Fills the template.
fn fill(values: &Value) -> String {
    let mut environment = Environment::new();
    environment
        .add_template("review.html", include_str!("review.html"))
        .expect("the template is well-formed");
    environment.set_formatter(|output, state, value| match value.as_str() {
        Some(text) if !value.is_safe() => output.write_str(&escape(text)).map_err(Error::from),
        _ => escape_formatter(output, state, value),
    });
    let template = environment.get_template("review.html");
    let template = template.expect("it was just added");
    template
        .render(Serde(values))
        .expect("all values of the template exist")
}

/// Returns the values of a review: names, first sentence and tree of classes.
fn review_values(report: &ReviewReport) -> Value {
    json!({
        "reviewed": report.reviewed,
        "other": report.other,
        "unit": report.unit,
        "level": level(report.confidence),
        "sentence": first_sentence(report),
        "classes": [class_values(report, 0)],
    })
}

/// Returns the values of a class and its subclasses. The width of the bar is relative to the
/// largest value.
fn class_values(report: &ReviewReport, index: usize) -> Value {
    let class = &report.classes[index];
    let subclasses = report.subclasses(index).into_iter();
    let subclasses: Vec<Value> = subclasses
        .map(|subclass| class_values(report, subclass))
        .collect();
    let sizes = report
        .classes
        .iter()
        .map(|class| class.estimate.value.abs());
    let largest = sizes.fold(f64::MIN_POSITIVE, f64::max);
    let width = 100.0 * class.estimate.value.abs() / largest;
    json!({
        "is_root": class.parent.is_none(),
        "is_loss": class.estimate.value < 0.0,
        "name": report.own_conditions(class),
        "value": signed(class.estimate.value, report.decimals()),
        "width": format!("{width:.1}"),
        "note": class_note(report, class),
        "subclasses": subclasses,
    })
}

/// Returns the interval of a class, its size, and its value for each of the two bots that may have
/// played before the fork.
fn class_note(report: &ReviewReport, class: &DecisionClass) -> String {
    let decimals = report.decimals();
    let range = class.estimate.range(decimals);
    let range = range.map_or_else(String::new, |range| format!("{range}, "));
    let order = if class.depends_on_order {
        " The sign depends on which bot played before."
    } else {
        ""
    };
    format!(
        "{range}{} forks in {} unforced decisions; {} if {} played the earlier decisions, {} if {} \
         did.{order}",
        grouped(class.n),
        grouped(class.decisions),
        signed(class.orders.reviewed, decimals),
        report.reviewed,
        signed(class.orders.other, decimals),
        report.other
    )
}

/// Returns the values of an example fork, with the rest of the game after each choice.
fn example_values(report: &ReviewReport, number: usize, fork: &ShownFork) -> Value {
    let dealt: Vec<&str> = fork.dealt.split(" | ").collect();
    let side =
        |bot: &str, continuation: &Continuation| json!({ "bot": bot, "lines": continuation });
    let sides = [
        side(&report.other, &fork.continuations.other),
        side(&report.reviewed, &fork.continuations.reviewed),
    ];
    json!({
        "number": number,
        "heading": heading(report, fork),
        "sampled": sampled(report, fork),
        "position": position(fork),
        "place": place(fork),
        "dealt": dealt,
        "before": fork.common.join("; "),
        "sides": sides,
    })
}

#[cfg(test)]
mod tests {
    use super::{Value, fill, json};

    #[test]
    fn texts_are_escaped_in_pages() {
        let rows = [["<b>", "a & b", "\"c\"", "1/2 of d's"]];
        let page = fill(&json!({ "part": "summary", "rows": rows, "reviews": [] }));
        let cells = "<tr><td>&lt;b&gt;</td><td>a &amp; b</td><td>&quot;c&quot;</td>\
                     <td>1/2 of d's</td></tr>";
        assert!(page.contains(cells), "{page}");
    }

    #[test]
    fn subclasses_are_inside_their_class() {
        let class = |name: &str, is_root: bool, subclasses: Vec<Value>| {
            json!({
                "is_root": is_root, "is_loss": !is_root, "name": name, "value": "+1",
                "width": "50.0", "note": "2 forks", "subclasses": subclasses,
            })
        };
        let markup = |name: &str, open: &str, loss: &str, inner: &str| {
            format!(
                "<details class=\"class\"{open}><summary>{name} <strong>+1</strong>\
                 <span class=\"bar{loss}\" style=\"width: 50.0%\"></span></summary>\
                 <p class=\"note\">2 forks</p><div>{inner}</div></details>"
            )
        };
        let leaves = ["c", "d"].map(|name| class(name, false, Vec::new()));
        let parent = class("b", false, leaves.to_vec());
        let review = json!({
            "reviewed": "x", "other": "y", "unit": "points", "level": "95", "sentence": "s",
            "classes": [class("a", true, vec![parent])],
        });
        let page = fill(&json!({ "part": "section", "review": review, "link": null }));
        let leaves = ["c", "d"].map(|name| markup(name, "", " loss", ""));
        let parent = markup("b", "", " loss", &leaves.concat());
        let root = markup("a", " open=\"open\"", "", &parent);
        assert!(page.ends_with(&format!("confidence.</p>{root}")), "{page}");
    }
}
