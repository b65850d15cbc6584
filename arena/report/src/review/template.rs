//! The templates of reviews: `review.txt` for text and `review.html` for pages. Both contain the
//! macros of `sentences.txt`.

use super::report::ReviewReport;
use crate::numbers::{fixed, interval, level, percent, signed};
use crate::report::svg::escape;
use hattari_agents::text::{counted, escape_for_sentence, grouped};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Error, escape_formatter};
use serde::Serialize;
use serde_json::Value;

/// The values of a review in templates: the report as in JSON, and values computed from it.
#[derive(Serialize)]
pub(super) struct ReportValues<'r> {
    #[serde(flatten)]
    report: &'r ReviewReport,
    /// Number of decimals of values.
    decimals: usize,
    /// Confidence level in percent.
    level: String,
    /// Index of the main class, if the first sentence names it.
    clear_main: Option<usize>,
    /// For each class, its conditions without those of its parent class.
    names: Vec<String>,
    /// For each class, all its conditions.
    descriptions: Vec<String>,
    /// For each class, the indices of its subclasses, the largest first.
    subclasses: Vec<Vec<usize>>,
    /// The largest absolute value of a class.
    largest: f64,
    /// For each example fork, the choices of the other bot and of the reviewed bot.
    choices: Vec<&'r [String; 2]>,
}

impl ReportValues<'_> {
    pub(super) fn of(report: &ReviewReport) -> ReportValues<'_> {
        let classes = || report.classes.iter();
        ReportValues {
            report,
            decimals: report.decimals(),
            level: level(report.confidence),
            clear_main: report.clear_main_class(),
            names: classes()
                .map(|class| report.own_conditions(class))
                .collect(),
            descriptions: classes().map(|class| class.description()).collect(),
            subclasses: (0..report.classes.len())
                .map(|class| report.subclasses(class))
                .collect(),
            largest: classes()
                .map(|class| class.estimate.value.abs())
                .fold(f64::MIN_POSITIVE, f64::max),
            choices: report.forks.iter().map(|fork| &fork.choices).collect(),
        }
    }
}

/// Returns the text that the template makes of `values`.
pub(super) fn text(values: &Value) -> String {
    let source = concat!(include_str!("sentences.txt"), include_str!("review.txt"));
    fill("review.txt", source, values)
}

/// Returns the markup that the template makes of `values`. All texts are escaped.
pub(super) fn html(values: &Value) -> String {
    let source = concat!(include_str!("sentences.txt"), include_str!("review.html"));
    fill("review.html", source, values)
}

/// Fills a template. The ending of its name decides whether texts are escaped.
fn fill(name: &str, source: &str, values: &Value) -> String {
    let mut environment = Environment::new();
    environment.set_formatter(|output, state, value| {
        let is_escaped = *state.auto_escape() != AutoEscape::None && !value.is_safe();
        match value.as_str().filter(|_| is_escaped) {
            Some(text) => output.write_str(&escape(text)).map_err(Error::from),
            None => escape_formatter(output, state, value),
        }
    });
    environment.add_filter("fixed", fixed);
    environment.add_filter("signed", signed);
    environment.add_filter("percent", percent);
    environment.add_filter("grouped", grouped);
    environment.add_filter("counted", counted);
    environment.add_filter("sentence", escape_for_sentence);
    environment.add_filter("interval", |ends: Vec<f64>, decimals: usize| {
        interval((ends[0], ends[1]), decimals)
    });
    environment
        .render_named_str(name, source, Serde(values))
        .expect("the template is well-formed, and all its values exist")
}
