//! Play with a sequence plan. The contents of plans are tested in `plan.rs`.

use crate::support::{lead, on};
use hattari_plugin::daihinmin::Options;

/// Figure 1 of the paper.
const FIGURE_1: &str = "S5 S6 S7 H5 D6 D7 D8 C6";

#[test]
fn the_hand_of_figure_1_is_led_in_four_moves() {
    lead(FIGURE_1).check("base-k", "S5 S6 S7");
    lead("H5 D6 D7 D8 C6").check("base-k", "D6 D7 D8");
    lead("H5 C6").check("base-k", "H5");
}

#[test]
fn reserved_cards_are_not_used_to_follow() {
    on("S4", FIGURE_1).check("base", "S5");
    on("S4", FIGURE_1).check("base-k", "H5");
    on("S5", FIGURE_1).check("base-k", "C6");
    on("H6", FIGURE_1).check("base-k", "-");
    on("S4 H4", FIGURE_1).check("base", "S5 H5");
    on("S4 H4", FIGURE_1).check("base-k", "-");
    on("S4 H4", "H5 H6 H7 C5 CQ DQ JK").check_any("base-k", "JK=S5 C5");
    // The reserved five counts as held, so the pair of fives is not a whole group.
    on("S4 H4", "H5 H6 H7 C5 CQ DQ JK").check("base-k", "DQ CQ");
    // A sequence does not follow either: it is played on the own lead.
    on("S3 S4 S5", "H7 H8 H9 D3").check("base", "H7 H8 H9");
    on("S3 S4 S5", "H7 H8 H9 D3").check("base-k", "-");
}

#[test]
fn planned_sequences_are_led_before_weaker_cards() {
    lead("S3 H7 H8 H9 CK").check("base", "S3");
    lead("S3 H7 H8 H9 CK").check("base-k", "H7 H8 H9");
    lead("S3 H7 H8 H9 C4 C5 C6").check("base-k", "C4 C5 C6");
    lead("S3 C4 H4 C5 H5 C6 H6").check("base-k", "H4 H5 H6");
}

#[test]
fn a_sequence_that_saves_no_move_is_not_led() {
    // Leading the sequence would break the pair of fours, and the number of moves would be the
    // same.
    let hand = "S4 H4 H5 H6 D6 CK";
    lead(hand).check("base", "H4 H5 H6");
    lead(hand).check("base-k", "S4 H4");
    on("S3", hand).check("base-k", "S4");
}

#[test]
fn sequences_of_strong_ranks_are_played_as_in_the_basic_algorithm() {
    lead("HT HJ HQ C2").check("base-k", "HT HJ HQ");
    on("S9", "HT HJ HQ C2").check("base-k", "HT");
    lead("S3 HT HJ HQ").check("base-k", "S3");
    // In a revolution, 6 and below are strong.
    lead("H6 H7 H8 C5").revolution().check("base-k", "H6 H7 H8");
    on("S9", "H6 H7 H8 C5").revolution().check("base-k", "H8");
    on("S9", "H7 H8 HT H9 C5")
        .revolution()
        .check("base-k", "C5");
}

#[test]
fn the_joker_is_not_planned_but_may_join_a_lead_that_saves_a_move() {
    lead("H4 H5 S9 CK JK").check("base-k", "JK=H3 H4 H5");
    lead("H4 H5 S4 S5 CK JK").check("base", "JK=S3 S4 S5");
    lead("H4 H5 S4 S5 CK JK").check("base-k", "S4 H4 JK=D4");
    on("S2", "H4 H5 S9 CK JK").check("base-k", "JK");
    lead("H4 H5 H6 S9 CK JK").check("base-k", "H4 H5 H6");
}

#[test]
fn the_other_switches_apply_to_unreserved_cards() {
    let hand = "H7 H8 H9 S6 D6 CK C2";
    on("D5", hand).check("all-k", "D6");
    on("D5", hand).check("base-k", "S6");
    on("H5", "H7 H8 H9 S6 HK C2").check("single-sk", "HK");
    on("H5", "H7 H8 H9 S6 CK C2").check("single-sk", "S6");
}

#[test]
fn no_sequences_are_planned_if_the_rules_exclude_sequences() {
    let rules = Options {
        sequences: false,
        ..Options::default()
    };
    lead("S3 H7 H8 H9 CK").rules(&rules).check("base-k", "S3");
    on("S4", FIGURE_1).rules(&rules).check("base-k", "S5");
}
