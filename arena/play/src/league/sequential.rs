//! Reads the rule that may end comparisons early.

use super::fields::{Fields, Reader};
use super::yaml::Node;
use super::{Entrant, Sequential};
use hattari_agents::text;
use hattari_stats::sequential::{ConfidenceSequenceOptions, SprtModel, SprtOptions, StoppingRule};

const KEYS: &[&str] = &[
    "rule",
    "confidence",
    "pairs",
    "without_luck",
    "tuned_for",
    "precision",
    "h0",
    "h1",
    "one_sided",
    "alpha",
    "beta",
    "sd",
];
/// Names of the rules.
pub(super) const RULES: [&str; 2] = ["confidence-sequence", "sprt"];
/// The cure for a rule of version 0.2.
const INSTEAD_OF_BETTING: &str =
    "use `confidence-sequence`, which needs no bounds and decides from 10 blocks on";
/// Keys that each rule understands, beside those that all have.
const KEYS_OF: [&[&str]; 2] = [
    &["confidence", "tuned_for", "precision"],
    &["h0", "h1", "one_sided", "alpha", "beta", "sd"],
];
/// Larger than any payoff.
const MOST: f64 = 1e12;

/// The rule and its comparisons.
pub(super) fn read_sequential(
    reader: &Reader<'_>,
    node: &Node,
    entrants: &[Entrant],
) -> Option<Sequential> {
    let fields = reader.fields(node, "`sequential`", KEYS)?;
    let rule = fields.get("rule").map_or(Some(0), |node| {
        if reader.is_retired(node, "rule", &["betting"], INSTEAD_OF_BETTING) {
            return None;
        }
        reader.word(node, "rule", &RULES)
    })?;
    for key in KEYS.iter().filter(|key| {
        !["rule", "pairs", "without_luck"].contains(key) && !KEYS_OF[rule].contains(key)
    }) {
        if let Some(node) = fields.get(key) {
            let cure = format!("it has {}", text::quoted(KEYS_OF[rule].iter().copied()));
            reader.problem(
                node,
                format!("the rule `{}` has no `{key}`", RULES[rule]),
                cure,
            );
        }
    }
    let pairs = fields
        .get("pairs")
        .map_or(Some(Vec::new()), |node| read_pairs(reader, node, entrants));
    let confidence = number(reader, &fields, "confidence", (0.5, 1.0), Some(0.95));
    let rule = match rule {
        0 => {
            let default = ConfidenceSequenceOptions::default();
            let tuned_for = number(
                reader,
                &fields,
                "tuned_for",
                (1.0, MOST),
                Some(default.tuned_for),
            );
            let precision = match fields.get("precision") {
                None => Some(None),
                Some(node) => reader.between(node, "precision", 0.0, MOST).map(Some),
            };
            StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions {
                confidence: confidence?,
                tuned_for: tuned_for?,
                precision: precision?,
                ..default
            })
        }
        _ => {
            let (h0, h1) = (
                bound(reader, &fields, "h0", (-MOST, MOST)),
                bound(reader, &fields, "h1", (-MOST, MOST)),
            );
            let alpha = number(reader, &fields, "alpha", (0.0, 0.5), Some(0.05));
            let beta = number(reader, &fields, "beta", (0.0, 0.5), Some(0.05));
            let sd = match fields.get("sd") {
                None => Some(None),
                Some(node) => reader.between(node, "sd", 0.0, MOST).map(Some),
            };
            let one_sided = fields
                .get("one_sided")
                .map_or(Some(false), |node| reader.flag(node, "one_sided"))?;
            let (h0, h1) = (h0?, h1?);
            if h0 == h1 {
                reader.problem(
                    fields.node,
                    "`h0` and `h1` are the same",
                    "a probability ratio test tells two differences apart",
                );
            } else if !(one_sided || 0.0 <= h0 && h0 < h1) {
                let message = "the rule is two-sided, so `h0` and `h1` are sizes of a difference, whoever is ahead";
                let cure =
                    "give `h0` from 0 on and a larger `h1`, or `one_sided: true` with `pairs`";
                reader.problem(fields.node, message, cure);
            } else if one_sided && pairs.as_ref().is_some_and(Vec::is_empty) {
                let message = "`one_sided` without `pairs`: who is first would hang on the order of the entrants";
                reader.problem(
                    fields.node,
                    message,
                    "say who is first, as in `pairs: [[mine, base]]`",
                );
            }
            let model = SprtModel::Normal { sd: sd? };
            StoppingRule::Sprt(SprtOptions {
                model,
                h0,
                h1,
                one_sided,
                alpha: alpha?,
                beta: beta?,
            })
        }
    };
    let without_luck = fields
        .get("without_luck")
        .map_or(Some(false), |node| reader.flag(node, "without_luck"));
    Some(Sequential {
        rule,
        pairs: pairs?,
        without_luck: without_luck?,
    })
}

/// A number that need not be given.
fn number(
    reader: &Reader<'_>,
    fields: &Fields<'_>,
    key: &str,
    (low, high): (f64, f64),
    default: Option<f64>,
) -> Option<f64> {
    fields
        .get(key)
        .map_or(default, |node| reader.between(node, key, low, high))
}

/// A number that must be given.
fn bound(
    reader: &Reader<'_>,
    fields: &Fields<'_>,
    key: &str,
    (low, high): (f64, f64),
) -> Option<f64> {
    let example = format!("{key}: {}", if key == "h0" { "0" } else { "4" });
    let node = reader.required(fields, "this rule", key, &example)?;
    reader.between(node, key, low, high)
}

fn read_pairs(reader: &Reader<'_>, node: &Node, entrants: &[Entrant]) -> Option<Vec<[String; 2]>> {
    const EXPECTED: &str = "a list of pairs of entrants, as in [[base, mine]]";
    let names = || entrants.iter().map(|entrant| entrant.name.as_str());
    let mut pairs: Vec<[String; 2]> = Vec::new();
    for item in reader.list(node, "pairs", EXPECTED)? {
        let Some(two) = reader.list(item, "pairs", EXPECTED) else {
            continue;
        };
        let [a, b] = two else {
            reader.problem(item, "`pairs`: a pair has two entrants", EXPECTED);
            continue;
        };
        let read = |node| {
            let name = reader.text(node, "pairs", "the name of an entrant")?;
            if !entrants.is_empty() && !names().any(|known| known == name) {
                let cure = text::suggestion(name, "entrants", names().collect::<Vec<_>>());
                reader.problem(node, format!("`pairs`: there is no entrant `{name}`"), cure);
            }
            Some(name.to_owned())
        };
        let (Some(a), Some(b)) = (read(a), read(b)) else {
            continue;
        };
        let twice = pairs
            .iter()
            .any(|[x, y]| (x == &a && y == &b) || (x == &b && y == &a));
        if a == b || twice {
            reader.problem(
                item,
                "`pairs`: two different entrants, and each pair once",
                "remove it",
            );
        }
        pairs.push([a, b]);
    }
    Some(pairs)
}
