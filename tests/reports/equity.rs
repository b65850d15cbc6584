//! `hattari calc equity`: published numbers, and input that is rejected.

use crate::support::{Ended, JsonPart, hattari, project};
use serde_json::Value;

fn equity(arguments: &str) -> Ended {
    hattari(project(), ("calc equity", arguments))
}

fn json(arguments: &str) -> Value {
    equity(&format!("{arguments} --json")).code(0).json()
}

fn near(value: &Value, expected: f64, by: f64) {
    let value = value.float();
    assert!((value - expected).abs() < by, "{value}, not {expected}");
}

#[test]
fn the_equity_of_known_hands_is_exact() {
    for (arguments, showdowns, wins, ties) in [
        // Aces against kings of other suits.
        ("AcAd KhKs", 1_712_304, 1_388_072, 6_538),
        // On the turn: of nine spades that make a flush, two also give the queens a full house.
        ("AsKs QdQc --board Qs7s2d3h", 44, 7, 0),
    ] {
        let told = json(arguments);
        let hand = &told["hands"][0];
        assert_eq!(
            [&told["showdowns"], &hand["wins"], &hand["ties"]].map(Value::as_u64),
            [showdowns, wins, ties].map(Some),
            "{arguments}"
        );
        assert_eq!(told["exact"], true, "{arguments}");
        let share = (wins as f64 + ties as f64 / 2.0) / showdowns as f64;
        near(&hand["equity"], share, 1e-12);
        near(&told["hands"][1]["equity"], 1.0 - share, 1e-12);
    }
    equity("AsKs AdKd --board 2c3c4c5c6c")
        .code(0)
        .says(["50.0000 %", "exact", "1 showdown"]);
}

#[test]
fn random_opponents_are_sampled_or_counted_exactly() {
    // Aces win 85.2037 % against a random hand, with ties counted as halves.
    let told = json("AsAh --samples 400000");
    assert_eq!(told["exact"], false);
    let error = told["hands"][0]["error"].float();
    assert!(0.0 < error && error < 0.001);
    near(&told["hands"][0]["equity"], 0.852_037, 4.0 * error);
    assert_eq!(
        told,
        json("AsAh --samples 400000 --seed 1"),
        "the seed decides"
    );
    assert_ne!(told, json("AsAh --samples 400000 --seed 2"));
    // 49 % against five.
    let many = json("AsAh --opponents 5 --samples 400000");
    near(&many["hands"][0]["equity"], 0.492_9, 0.004);
    let flop = json("AsAh --board Kd7h2c");
    assert_eq!(flop["exact"], true);
    assert_eq!(flop["showdowns"], 1_070_190);
}

#[test]
fn invalid_arguments_are_refused() {
    for (arguments, why) in [
        ("AsAh AsKd", "As is given twice"),
        ("AsAh KdKc --board As2c3c", "As"),
        ("AsA", "`A` is not a card"),
        ("AsAhAd KdKc", "a hand needs two cards"),
        (
            "AsAh KdKc --board 2c3c4c5c6c7c",
            "at most five community cards",
        ),
        (
            "AsAh --dead KdKc",
            "--dead: allowed only if all hands are given (two or more)",
        ),
        (
            "AsAh KdKc --opponents 2",
            "--opponents: allowed only with a single hand",
        ),
        ("AsAh --opponents 9", "1..9"),
        ("AsAh KdKc --samples 0", "1..="),
        ("AsAh --exact --opponents 8", "too many showdowns to count"),
    ] {
        equity(arguments).code(2).complains(why);
    }
}
