//! Tests that the leagues of the play-style paper are as their comments describe.

use crate::support::project;
use hattari_play::league::League;
use hattari_play::schedule::Schedule;

/// Returns the line-ups of a league in the repository, by names of entrants.
fn line_ups(name: &str) -> Vec<Vec<String>> {
    let league = League::load(&project().join("leagues").join(name)).unwrap();
    assert_eq!(
        u64::from(league.blocks) * u64::from(league.deals),
        70_000,
        "{name}"
    );
    assert_eq!(league.options["rank_reset"], 1000);
    let line_ups = Schedule::of(&league).line_ups.into_iter();
    line_ups
        .map(|line_up| {
            line_up
                .iter()
                .map(|&e| league.entrants[e].name.clone())
                .collect()
        })
        .collect()
}

#[test]
fn tables_1_and_3_play_all_line_ups_of_five_of_seven_styles() {
    for name in ["table1.yaml", "table3.yaml"] {
        assert_eq!(line_ups(name).len(), 21);
    }
}

#[test]
fn table_2_plays_all_line_ups_of_five_styles() {
    let line_ups = line_ups("table2.yaml");
    assert_eq!(line_ups.len(), 2002);
    let is_k = |name: &str| name.ends_with('k');
    let mut pairs = std::collections::BTreeMap::new();
    for line_up in &line_ups {
        let (with, without): (Vec<&String>, Vec<&String>) =
            line_up.iter().partition(|name| is_k(name));
        for pair in with
            .iter()
            .flat_map(|&a| without.iter().map(move |&b| (a, b)))
        {
            *pairs.entry(pair).or_insert(0) += 1;
        }
    }
    // Two entrants are fixed; three of the other twelve complete the line-up.
    assert_eq!(
        (pairs.len(), pairs.values().all(|&times| times == 220)),
        (49, true)
    );
}

#[test]
fn the_history_league_is_one_duel() {
    assert_eq!(
        line_ups("history.yaml"),
        [["base", "plain", "default", "default", "default"]]
    );
}
