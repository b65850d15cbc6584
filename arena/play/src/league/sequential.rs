//! Reads the stopping rule of a league.

use super::Sequential;
use super::fields::Reader;
use super::keys::{Flag, KeyType, OneOfCurrent, OpenInterval, keys, text};
use super::yaml::Node;
use hattari_agents::text::quoted;
use hattari_stats::sequential::{ConfidenceSequenceOptions, SprtModel, SprtOptions, StoppingRule};
use serde_json::json;

/// Maximum absolute value of the numbers in a rule.
const MOST: f64 = 1e12;
/// The remedy for the rule `betting` of version 0.2.
const BETTING_REMEDY: &str =
    "use `confidence-sequence`, which needs no bounds on scores and can decide after 10 blocks";

keys! {
    /// A rule that may end comparisons before all blocks are played.
    SequentialKeys = "`sequential`";
    /// `confidence-sequence` or `sprt`
    rule = OneOfCurrent<Rule>(&RULES, &["betting"], BETTING_REMEDY), or "`confidence-sequence`";
    /// confidence-sequence: joint confidence level of all comparisons, above 0.5, below 1
    confidence = OpenInterval(0.5, 1.0), or "0.95";
    /// the pairs to compare, as in `[[mine, base]]`
    pairs = EntrantPairs, or "every pair that plays together";
    /// use luck-adjusted scores
    without_luck = Flag, or "false";
    /// confidence-sequence: number of blocks for which the interval is optimised; it is valid for
    /// every number of blocks
    tuned_for = OpenInterval(1.0, MOST), or "100";
    /// confidence-sequence: also stop, after ten blocks with a difference, if the whole interval is
    /// within this distance of zero, in points per deal (verdict: equal within it)
    precision = OpenInterval(0.0, MOST), or "none";
    /// sprt: the smaller of the two absolute differences that the test distinguishes
    h0 = OpenInterval(-MOST, MOST);
    /// sprt: the larger of these two differences
    h1 = OpenInterval(-MOST, MOST);
    /// sprt: test only in the direction of `h1`; needs `pairs`. `h0` and `h1` are then any two
    /// signed differences, first bot minus second bot
    one_sided = Flag, or "false";
    /// sprt: probability of accepting `h1` if `h0` is true
    alpha = OpenInterval(0.0, 0.5), or "0.05";
    /// sprt: probability of accepting `h0` if `h1` is true
    beta = OpenInterval(0.0, 0.5), or "0.05";
    /// sprt: standard deviation of the difference per block
    sd = OpenInterval(0.0, MOST), or "estimated";
}

#[derive(Clone, Copy, Default)]
pub(super) enum Rule {
    #[default]
    ConfidenceSequence,
    Sprt,
}

/// Rules by keyword.
const RULES: [(&str, Rule); 2] = [
    ("confidence-sequence", Rule::ConfidenceSequence),
    ("sprt", Rule::Sprt),
];
/// Keys that all rules accept.
const KEYS_OF_ALL: [&str; 3] = ["rule", "pairs", "without_luck"];
/// Additional keys of each rule.
const KEYS_OF: [&[&str]; 2] = [
    &["confidence", "tuned_for", "precision"],
    &["h0", "h1", "one_sided", "alpha", "beta", "sd"],
];

/// Reads the rule and its comparisons.
pub(super) fn read_sequential(reader: &Reader<'_>, node: &Node) -> Option<Sequential> {
    let keys = SequentialKeys::read(reader, node)?;
    if keys.rule.is_none() && keys.fields.get("rule").is_some() {
        return None;
    }
    let rule = keys.rule.unwrap_or_default();
    let (word, understood) = (RULES[rule as usize].0, KEYS_OF[rule as usize]);
    for key in SequentialKeys::MAPPING
        .names()
        .filter(|key| !KEYS_OF_ALL.contains(key) && !understood.contains(key))
    {
        if let Some(node) = keys.fields.get(key) {
            reader.problem(
                node,
                format!("the rule `{word}` has no `{key}`"),
                format!("its keys are {}", quoted(understood.iter())),
            );
        }
    }
    let needed = |value: Option<f64>, key: &str, example: &str| {
        reader.required(&keys.fields, "this rule", key, example);
        value
    };
    let pairs = keys.pairs.unwrap_or_default();
    let confidence = keys.confidence.unwrap_or(0.95);
    let rule = match rule {
        Rule::ConfidenceSequence => {
            let default = ConfidenceSequenceOptions::default();
            StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions {
                confidence,
                tuned_for: keys.tuned_for.unwrap_or(default.tuned_for),
                precision: keys.precision,
                ..default
            })
        }
        Rule::Sprt => {
            let h0 = needed(keys.h0, "h0", "h0: 0");
            let h1 = needed(keys.h1, "h1", "h1: 4");
            let (h0, h1) = (h0?, h1?);
            let one_sided = keys.one_sided.unwrap_or_default();
            if h0 == h1 {
                reader.problem(
                    node,
                    "`h0` and `h1` are the same",
                    "`h0` and `h1` of a probability ratio test must differ",
                );
            } else if !(one_sided || h0 >= 0.0 && h0 < h1) {
                reader.problem(
                    node,
                    "the test is two-sided, so `h0` and `h1` must be absolute \
                    differences with `h0` below `h1`",
                    "give an `h0` of at least 0 and a larger `h1`, or `one_sided: true` with \
                    `pairs`",
                );
            } else if one_sided && pairs.is_empty() {
                reader.problem(
                    node,
                    "`one_sided` needs `pairs`, which give the direction of the test",
                    "name the pairs in order, as in `pairs: [[mine, base]]`",
                );
            }
            StoppingRule::Sprt(SprtOptions {
                model: SprtModel::Normal { sd: keys.sd },
                h0,
                h1,
                one_sided,
                alpha: keys.alpha.unwrap_or(0.05),
                beta: keys.beta.unwrap_or(0.05),
            })
        }
    };
    Some(Sequential {
        rule,
        pairs,
        without_luck: keys.without_luck.unwrap_or_default(),
    })
}

/// The type of the key `pairs`: pairs of entrants.
pub(super) struct EntrantPairs;

impl KeyType<'_> for EntrantPairs {
    type Value = Vec<[String; 2]>;

    fn schema(&self) -> serde_json::Value {
        let pair = json!({"type": "array", "minItems": 2, "maxItems": 2, "items": text()});
        json!({"type": "array", "items": pair})
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<Vec<[String; 2]>> {
        const EXPECTED: &str = "a list of pairs of entrants, as in [[base, mine]]";
        let mut pairs: Vec<[String; 2]> = Vec::new();
        for item in reader.list(node, key, EXPECTED)? {
            let Some(two) = reader.list(item, key, EXPECTED) else {
                continue;
            };
            let [a, b] = two else {
                reader.problem(item, "`pairs`: a pair must have two entrants", EXPECTED);
                continue;
            };
            let name = |node| reader.entrant(node, key).map(str::to_owned);
            let (Some(a), Some(b)) = (name(a), name(b)) else {
                continue;
            };
            if a == b
                || pairs
                    .iter()
                    .any(|pair| pair.contains(&a) && pair.contains(&b))
            {
                reader.problem(
                    item,
                    "`pairs`: a pair must have two different entrants, and occur only \
                    once",
                    "remove it",
                );
            }
            pairs.push([a, b]);
        }
        Some(pairs)
    }
}
