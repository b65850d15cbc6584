//! The limits of the speed test (`arena/benches/gate`).

#[path = "../../arena/benches/gate/compare.rs"]
#[allow(dead_code, reason = "the bench uses the table, too")]
mod compare;

use compare::{Change, Counts, Measured, compare as compared};

fn change(recorded: Counts, now: Counts) -> [Change; 2] {
    let [recorded, now] = [recorded, now].map(|counts| Measured::from([("w".to_owned(), counts)]));
    let rows = compared(&recorded, &now);
    [rows[0].change, rows[1].change]
}

#[test]
fn losses_over_two_percent_and_gains_over_five_percent_fail() {
    let counts = |instructions, allocations| Counts {
        instructions,
        allocations,
    };
    let recorded = counts(10_000, 100_000);
    for (now, change_of_both) in [
        (counts(10_200, 102_000), Change::Within),
        (counts(10_201, 102_001), Change::Worse),
        (counts(9_500, 95_000), Change::Within),
        (counts(9_499, 94_999), Change::Better),
    ] {
        assert_eq!(change(recorded, now), [change_of_both; 2]);
    }
}

#[test]
fn changes_of_up_to_2000_allocations_are_tolerated() {
    let counts = |allocations| Counts {
        instructions: 1,
        allocations,
    };
    assert_eq!(change(counts(0), counts(2_000))[1], Change::Within);
    assert_eq!(change(counts(0), counts(2_001))[1], Change::Worse);
    assert_eq!(change(counts(2_001), counts(0))[1], Change::Better);
}

#[test]
fn a_workload_without_a_record_fails() {
    let now = Measured::from([(
        "w".to_owned(),
        Counts {
            instructions: 1,
            allocations: 0,
        },
    )]);
    let rows = compared(&Measured::new(), &now);
    assert!(rows.iter().all(|row| row.change == Change::New), "{rows:?}");
}
