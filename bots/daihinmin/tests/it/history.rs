//! Tests of the evaluation and of play with two cards left.

use crate::support::{Position, lead, on};
use hattari_bots_daihinmin::evaluation::evaluation;
use hattari_plugin::daihinmin::{Action, Options};

#[track_caller]
fn check_evaluation(position: &Position, single: &str, expected: u32) {
    let play: Action = single.parse().unwrap();
    let legal = position.legal();
    let play = legal
        .iter()
        .find(|legal| legal.cards == play.cards && legal.count == 1)
        .expect("legal");
    assert_eq!(evaluation(position.view(), play), expected, "{single}");
}

#[test]
fn unseen_cards_that_beat_a_single_are_counted() {
    let hand = lead("S4 H6 SK H2");
    // Three twos and the joker.
    check_evaluation(&hand.clone().gone("SA HA DA CA"), "SK", 4);
    check_evaluation(&hand.clone().gone("SA HA DA CA S2 D2 JK"), "SK", 1);
    check_evaluation(&hand.clone().gone("JK"), "H2", 0);
    check_evaluation(&hand, "H2", 1);
    check_evaluation(&hand.revolution().gone("S3 H3"), "S4", 3);
}

#[test]
fn eights_the_joker_and_the_three_of_spades_have_special_values() {
    check_evaluation(&lead("S8 H6"), "S8", 0);
    let no_cut = Options {
        eight_cut: false,
        ..Options::default()
    };
    check_evaluation(&lead("S8 H6").rules(&no_cut), "S8", 7 * 4 + 1);
    check_evaluation(&lead("JK H6"), "JK", 1);
    check_evaluation(&lead("JK H6").gone("S3"), "JK", 0);
    check_evaluation(&lead("JK S3"), "JK", 0);
    check_evaluation(&on("JK", "S3 H4"), "S3", 0);
}

#[test]
fn existing_and_new_locks_reduce_the_cards_that_beat_a_play() {
    // Of the aces and twos that beat a king, only those of its suit, and the joker.
    check_evaluation(&on("D5", "DK H6").locked(), "DK", 3);
    check_evaluation(&on("D5", "DK H6"), "DK", 3);
    check_evaluation(&on("S5", "DK H6"), "DK", 9);
    check_evaluation(&on("S5", "DK JK").locked(), "JK", 1);
}

#[test]
fn an_eleven_back_jack_is_beaten_by_lower_cards() {
    let back = Options {
        eleven_back: true,
        ..Options::default()
    };
    check_evaluation(&lead("DJ H6").rules(&back), "DJ", 8 * 4 - 1 + 1);
    check_evaluation(&lead("DJ H6").rules(&back).revolution(), "DJ", 4 * 4 + 1);
}

#[test]
fn the_unbeatable_card_of_the_last_two_cards_is_played_first() {
    let last = lead("S4 D2").gone("JK");
    last.check("base", "D2");
    last.check("all-sk", "D2");
    last.check("plain", "S4");
    lead("S4 D8").check("base", "D8");
    lead("S4 DK").unseen("H3 H9 CQ").check("base", "DK");
    // An unseen card could still beat it.
    lead("S4 DK").unseen("H3 H9 CA").check("base", "S4");
    on("D5", "D6 DK").unseen("S6 H7 CA JK").check("base", "D6");
    on("D5", "D6 DK")
        .locked()
        .unseen("S6 H7 CA")
        .check("base", "D6");
    on("S5", "S6 DK")
        .locked()
        .unseen("S7 H7")
        .check("base", "S6");
}

#[test]
fn the_weaker_of_two_unbeatable_cards_is_played_first() {
    lead("D8 C2").gone("JK").check("base", "D8");
    lead("D8 C2").gone("JK").revolution().check("base", "D8");
    on("S9", "ST HK").unseen("S3 H4 C5").check("base", "ST");
}

#[test]
fn two_last_cards_that_form_a_pair_are_played_together() {
    lead("D2 C2").gone("JK").check("base", "D2 C2");
    lead("D2 JK").gone("S3").check("base", "JK=S2 D2");
    on("S5 H5", "D2 C2").check("base", "D2 C2");
}

#[test]
fn the_history_switch_has_no_effect_with_more_than_two_cards() {
    lead("S4 H6 D2").gone("JK").check("base", "S4");
    on("S5", "H6 H9 D2").gone("JK").check("base", "H6");
}
