//! Leading: the basic algorithm with an empty table.

use crate::support::lead;

#[test]
fn sequences_are_led_before_groups_and_groups_before_singles() {
    lead("S4 H4 H5 H6 D9").check("base", "H4 H5 H6");
    lead("S4 H4 H5 D9 C9").check("base", "S4 H4");
    lead("S4 H5 D9 C9 H9").check("base", "S4");
}

#[test]
fn leads_must_contain_a_card_of_the_weakest_rank() {
    lead("S3 H5 H6 H7 D9 C9").check("base", "S3");
    lead("C3 S3 H5 H6 H7").check("base", "S3 C3");
    // The weakest card can be any card of the sequence.
    lead("H4 H5 H6 H7").check("base", "H4 H5 H6 H7");
}

#[test]
fn the_lead_with_the_most_cards_is_chosen() {
    lead("S4 H4 D4 H9").check("base", "S4 H4 D4");
    lead("H4 H5 H6 H7 H8 D9").check("base", "H4 H5 H6 H7 H8");
    lead("H4 H5 H6 D4 D5 D6 D7").check("base", "D4 D5 D6 D7");
    lead("H4 H5 H6 D4 D5 D6").check("base", "H4 H5 H6");
}

#[test]
fn leads_without_the_joker_are_preferred_at_equal_size() {
    lead("S4 H6 D9 JK").check("base", "S4 JK=H4");
    lead("S4 H4 D9 JK").check("base", "S4 H4 JK=D4");
    lead("H4 H5 D9 JK").check("base", "JK=H3 H4 H5");
    lead("H4 H5 H6 D4 D5 D6 D7 JK").check("base", "JK=D3 D4 D5 D6 D7");
    // Four cards with the joker count as many as four without it.
    lead("H4 H5 H6 D4 D5 D6 D7 S9 JK").check("base", "JK=D3 D4 D5 D6 D7");
    lead("JK S2").check("plain", "S2 JK=H2");
    lead("JK").check("plain", "JK");
}

#[test]
fn a_revolution_reverses_which_play_is_weakest() {
    lead("S4 H4 D9 CK").revolution().check("base", "CK");
    lead("S4 H4 DK CK").revolution().check("base", "DK CK");
    lead("S4 HJ HQ HK CK")
        .revolution()
        .check("base", "HJ HQ HK");
}
