//! Leagues of seven-card stud from file to report and replay, with compiled bots and a script.

use crate::support::{Folder, has, hattari, in_one_line, project};

fn script() -> String {
    project()
        .join("scripts/stud/minimal.lua")
        .display()
        .to_string()
}

fn duel() -> String {
    let script = script();
    format!(
        "game: stud\npreset: fuzzy-2002\nseed: 7\n\
         entrants: [fuzzy, fuzzy-no-bluff, call, {{name: minimal, bot: {script:?}}}]\n\
         format: {{kind: duel, a: [call, minimal], b: [fuzzy, fuzzy-no-bluff]}}\nblocks: 3\ndeals: 20\n"
    )
}

#[test]
fn the_game_of_the_paper_is_played_without_faults_and_printed_turn_by_turn() {
    let folder = Folder::of(&duel().replace("seed: 7", "seed: 9"));
    folder
        .succeeds("run x.yaml --no-report")
        .complains("0 faults");
    for record in folder.records("x.yaml") {
        let sum: i64 = record.sum.iter().sum();
        assert_eq!(sum, 0, "chips are neither made nor lost");
    }
    let games = (0..20).map(|game| {
        let arguments = format!("replay x.yaml --line-up call,fuzzy --game {game}");
        folder.succeeds(arguments).out
    });
    let whole = games
        .into_iter()
        .find(|told| told.contains("turn 7"))
        .expect("some game comes to its last turn");
    for words in [
        ">seat 1 player 1 call, button: ",
        "call   seat 1",
        "fuzzy  seat 2",
        "raises to 10",
        "  turn 2\n",
        ": turn up ",
        "turns up",
        "shows",
        "wins",
        "payoffs: call ",
    ] {
        has(&whole, words);
    }
}

#[test]
fn the_script_plays_larger_tables_and_the_fuzzy_bot_refuses_them() {
    let script = script();
    let text = format!(
        "game: stud\nentrants: [honest, bluffer, random, {{name: minimal, bot: {script:?}}}]\n\
         format: {{kind: line-ups, size: 4}}\nblocks: 2\ndeals: 50\n"
    );
    let folder = Folder::of(&text);
    folder
        .succeeds("run x.yaml --no-report")
        .complains("0 faults");

    let folder = Folder::of(
        "game: stud\nentrants: [honest, call, fuzzy]\nformat: {kind: line-ups, size: 3}\nblocks: 1\ndeals: 3\n",
    );
    let told = folder
        .succeeds("run x.yaml")
        .says(["refused", "HATTARI_E_UNSUPPORTED"]);
    has(
        &in_one_line(&told.out),
        "the fuzzy player plays against one opponent; this table has 3",
    );
}

#[test]
fn the_script_and_a_compiled_bot_pass_the_check() {
    hattari(project(), "check scripts/stud/minimal.lua").code(0);
    // A bot that does not support every table is not faulty; it is checked where it plays.
    hattari(project(), "check fuzzy --game stud --deals 2 --blocks 1")
        .code(0)
        .says("plays at tables of 2, refuses tables of 3, 4, 5, 6, 7, 8");
}

#[test]
fn the_leagues_of_the_paper_can_be_played() {
    for file in ["leagues/stud-paper.yaml", "leagues/stud-parts.yaml"] {
        hattari(project(), format!("run {file} --dry-run"))
            .code(0)
            .says("the same deals for every line-up");
    }
}

/// The bots also meet at common tables, in different seats, so a page could show the differences
/// of these scores.
#[test]
fn pages_show_no_differences_of_fixed_seats() {
    let folder = Folder::of(
        "game: stud\npreset: fuzzy-2002\nseed: 4\nentrants: [honest, random, call]\n\
         format: {kind: line-ups, size: 2}\nblocks: 12\ndeals: 4\nsame_deals: true\n",
    );
    folder.succeeds("run x.yaml --no-report");
    folder.succeeds("report x.yaml --output x.html");
    let page = folder.read("x.html");
    has(&page, "Players keep their seats");
    has(&page, "Means over the blocks");
    assert!(!page.contains("Differences over the blocks"));
}

/// The first player wins two of three balanced deals.
#[test]
fn balanced_decks_are_no_evidence_unless_the_seats_are_exchanged() {
    let league = "game: stud\noptions: {balanced: true}\nseed: 4\nentrants: [{name: p, bot: call}, \
                  {name: q, bot: call}]\nformat: {kind: line-ups, size: 2}\nblocks: 20\ndeals: 3\n";
    for (more, words) in [
        ("", "use `duplicate: true`"),
        ("duplicate: true\n", "p and q: "),
    ] {
        let folder = Folder::of(&format!("{league}{more}"));
        let told = folder.succeeds("run x.yaml --quiet");
        has(&in_one_line(&told.out), words);
        assert!(!told.out.contains(" beats "), "{}", told.out);
    }
}
