//! Tests of the templates with values that no game gives.

use super::page;
use super::summary::ReviewSummary;
use super::template::{html, text};
use serde_json::{Value, json};

/// Returns the values of a review with these and other values.
fn review(more: Value) -> Value {
    let mut review = json!({
        "of": "x", "by": "y", "unit": "points", "level": "95", "decimals": 1, "clear_main": null,
        "largest": 2.0, "identity": { "memory": { "value": 0.0, "ci": null } },
    });
    let (Value::Object(values), Value::Object(more)) = (&mut review, more) else {
        panic!("the values have names");
    };
    values.extend(more);
    review
}

#[test]
fn texts_are_escaped_in_pages() {
    let rows = [["<b>", "a & b", "\"c\"", "1/2 of d's"]];
    let page = html(&json!({ "part": "summary", "rows": rows, "reviews": [] }));
    let cells = "<tr><th scope=\"row\">&lt;b&gt;</th><td>a &amp; b</td><td>&quot;c&quot;</td>\
                 <td>1/2 of d's</td></tr>";
    assert!(page.contains(cells), "{page}");
}

#[test]
fn subclasses_are_inside_their_class() {
    let class = |parent: Option<usize>, value: f64| {
        json!({
            "parent": parent, "value": value, "ci": null, "n": 2, "decisions": 1000,
            "orders": [0.5, -1], "depends_on_order": parent.is_none(),
        })
    };
    let review = review(json!({
        "classes": [
            class(None, 1.0), class(Some(0), -1.0), class(Some(1), -2.0), class(Some(1), 0.0),
        ],
        "names": ["a", "b", "c <", "d"], "subclasses": [[1], [2, 3], [], []],
    }));
    let markup = |name: &str, value: &str, width: &str, inner: &str| {
        let (open, order) = match name {
            "a" => (
                " open=\"open\"",
                " The sign depends on which bot played before.",
            ),
            _ => ("", ""),
        };
        let loss = if value.starts_with('-') { " loss" } else { "" };
        format!(
            "<details class=\"class\"{open}><summary>{name} <strong>{value}</strong>\
             <span class=\"bar{loss}\" style=\"width: {width}%\"></span></summary>\
             <p class=\"note\">2 forks in 1,000 unforced decisions; +0.5 if x played the earlier \
             decisions, -1.0 if y did.{order}</p><div>{inner}</div></details>"
        )
    };
    let page = html(&json!({ "part": "section", "review": review, "link": Value::Null }));
    let leaves = markup("c &lt;", "-2.0", "100.0", "") + &markup("d", "0.0", "0.0", "");
    let parent = markup("b", "-1.0", "50.0", &leaves);
    let root = markup("a", "+1.0", "50.0", &parent);
    assert!(page.ends_with(&format!("confidence.</p>{root}")), "{page}");
}

/// Returns the first sentence of a review with this class of all decisions, and the same total.
fn sentence(value: f64, ci: Option<[f64; 2]>, forks: u64, games: u64) -> String {
    sentence_with_total((value, ci), value, ci, forks, games)
}

fn sentence_with_total(
    (total, total_ci): (f64, Option<[f64; 2]>),
    value: f64,
    ci: Option<[f64; 2]>,
    forks: u64,
    games: u64,
) -> String {
    let review = review(json!({
        "decimals": 2, "games": games, "forks_played": forks,
        "total": { "value": total, "ci": total_ci },
        "classes": [{ "value": value, "ci": ci, "decisions": forks / 2 }],
    }));
    text(&json!({ "part": "sentence", "review": review }))
}

#[test]
fn the_interval_of_a_difference_has_the_sign_of_its_value() {
    let none = "No difference is found between y and x in the same seats: -0.11 points per deal \
                (95 % CI -0.35 to +0.12).";
    assert_eq!(sentence(-0.11, Some([-0.35, 0.12]), 6, 40), none);
    let loss = "x wins 0.30 points per deal more than y in the same seats (95 % CI +0.10 to +0.50); \
                no class of decisions stands out.";
    assert_eq!(sentence(-0.3, Some([-0.5, -0.1]), 6, 40), loss);
    // The classes use half of the blocks, and all blocks do not show the difference.
    let total = (-0.11, Some([-0.35, 0.12]));
    assert_eq!(
        sentence_with_total(total, -0.3, Some([-0.5, -0.1]), 6, 40),
        none
    );
}

#[test]
fn bots_that_never_differ_do_not_lack_blocks() {
    let same = "No decision makes a difference between y and x in the same seats: they choose the \
                same in 40 games.";
    assert_eq!(sentence(0.0, None, 0, 40), same);
    assert_eq!(sentence(0.0, None, 0, 0), "No game was reviewed.");
    let equal = "No difference is found between y and x in the same seats: 0 points per deal. \
                 There are too few blocks for an interval, or their differences are equal.";
    assert_eq!(sentence(0.0, None, 6, 40), equal);
    // All forks are in the half of the blocks from which the tree grows.
    let unreported = "Too few blocks were reviewed to report a difference between y and x.";
    assert_eq!(sentence(0.0, None, 1, 40), unreported);
    let few = "y scores 0.30 points per deal more than x in the same seats, but there are too few \
               blocks for an interval, or their differences are equal.";
    assert_eq!(sentence(0.3, None, 6, 40), few);
}

#[test]
fn memory_of_earlier_games_is_mentioned_with_values_of_single_games() {
    let review = review(json!({
        "games": 40, "forks_played": 0, "classes": [{ "value": 0.0, "ci": null }],
        "identity": {
            "memory": { "value": 1.0, "ci": [0.5, 1.5] }, "difference": { "value": 1.26, "ci": null },
        },
    }));
    let sentence = text(&json!({ "part": "sentence", "review": review }));
    let expected = "No decision makes a difference between y and x in the same seats in single games \
                    (without memory of earlier ones): they choose the same in 40 games.";
    assert_eq!(sentence, expected);
    let lead = text(&json!({
        "part": "summary lead", "of": "x", "reviews": [review], "statements": 2,
    }));
    let expected = "No entrant is clearly better than x in its seats.\n\
                    1 review; all 2 intervals of this summary hold together with 95 % confidence.\n\
                    These values are for single games. With memory of earlier games y gains +1.3.";
    assert_eq!(lead, expected);
}

#[test]
fn a_summary_without_reviews_has_no_intervals() {
    let summary = ReviewSummary::new("x", Vec::new(), vec!["2 of 2 reviews".to_owned()]);
    let expected = "x was not reviewed by any entrant.\n\nLeft out: 2 of 2 reviews\n\
                    `--by NAME` shows one review with example decisions.\n";
    assert_eq!(summary.text(), expected);
    let page = page::summary(&summary);
    assert!(
        !page.contains("0 reviews") && !page.contains("<table"),
        "{page}"
    );
}

#[test]
fn a_page_mentions_other_deals_only_if_they_were_played() {
    let page = |sampled: Value| {
        let fork = json!({
            "why": "costly", "value": 1, "sampled": sampled, "position": [], "line_up": 0, "block": 0,
            "game": 0, "decision": 0, "before": "x", "dealt": "", "common": [],
            "continuations": [[], []],
        });
        let class = json!({ "value": 1.0, "ci": null, "n": 1, "decisions": 1, "orders": [1, 1] });
        let estimate = json!({ "value": 1.0, "ci": null });
        let review = review(json!({
            "classes": [class], "names": ["a"], "subclasses": [[]], "forks": [fork],
            "choices": [["a", "b"]],
            "identity": {
                "decisions": estimate, "carried_over": estimate, "memory": estimate,
                "difference": estimate, "luck": null,
            },
        }));
        html(&json!({ "part": "page", "review": review, "has_games": false }))
    };
    let deals = json!({ "deals": 100, "gain": { "value": 1.0, "ci": null } });
    assert!(page(deals).contains("other deals that fit what the seat knew"));
    assert!(!page(Value::Null).contains("other deals"));
}
