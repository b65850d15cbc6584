//! Tests of the lock switches.

use crate::support::{lead, on};

#[test]
fn without_a_lock_switch_suit_order_decides_between_equal_cards() {
    let position = on("D5", "S7 H7 D7 CK");
    for name in ["plain", "base", "pair", "pair-s"] {
        position.check(name, "S7");
    }
}

#[test]
fn the_weakest_setting_locks_with_one_of_the_equally_weak_cards() {
    for name in ["single", "all"] {
        on("D5", "S7 H7 D7 CK").check(name, "D7");
        on("D9", "ST HT D3 CK").revolution().check(name, "D3");
        on("D9", "S3 H3 D3 CK").revolution().check(name, "D3");
    }
}

#[test]
fn the_weakest_setting_never_plays_a_stronger_card_for_a_lock() {
    for name in ["single", "all"] {
        on("D5", "S7 D8 DK").check(name, "S7");
        on("D5", "S7 DK").gone("JK").check(name, "S7");
    }
    for name in ["pair", "all"] {
        on("S5 H5", "D7 C7 S9 H9").check(name, "D7 C7");
        // The joker is a stronger card than the seven of diamonds.
        on("S5 H5", "S7 D7 JK CK").check(name, "S7 D7");
    }
}

#[test]
fn the_prefer_setting_plays_the_weakest_card_that_locks() {
    for name in ["single-s", "all-s"] {
        on("D5", "S7 D9 DK C2").check(name, "D9");
        on("D5", "S7 H9 CK").check(name, "S7");
        on("DJ", "S7 D9 D5 C2").revolution().check(name, "D9");
    }
    for name in ["pair-s", "all-s"] {
        on("S5 H5", "D7 C7 S9 H9 SK HK").check(name, "S9 H9");
        on("S5 H5", "S7 D7 JK CK").check_any(name, "S7 JK=H7");
        on("S5 H5", "S7 D7 JK CK").check(name, "S7 D7");
        on("S5 H5", "D7 C7 S9 JK").check(name, "S9 JK=H9");
        on("S5 H5", "D7 C7 H9 C9").check(name, "D7 C7");
    }
}

#[test]
fn each_lock_switch_affects_only_its_kind_of_play() {
    let (single, pair) = (on("D5", "S7 H7 D7 DK"), on("D5 C5", "S7 H7 D7 C7 DK CK"));
    for name in ["pair", "pair-s", "base"] {
        single.check(name, "S7");
    }
    for name in ["single", "single-s", "base"] {
        pair.check_any(name, "S7 H7");
    }
    for name in ["pair", "all", "pair-s", "all-s"] {
        pair.check_any(name, "D7 C7");
    }
    // Sequences are not locked: ♣ would lock, but ♥ comes first.
    on("C4 C5 C6", "H8 H9 HT C8 C9 CT").check("all-s", "H8 H9 HT");
}

#[test]
fn a_required_joker_is_placed_in_the_suit_that_locks() {
    on("S5 D5", "D7 JK C3").check("base", "JK=S7 D7");
    on("H5 D5", "D7 JK C3").check("base", "JK=S7 D7");
    on("H5 D5", "D7 JK C3").check("pair", "JK=H7 D7");
}

#[test]
fn eights_and_leads_do_not_count_as_locks() {
    // The weakest play that locks is the ten, because the eight clears the trick.
    on("D5", "S9 D8 DT").check("single-s", "DT");
    on("D5", "S8 D8 DT").check("single", "S8");
    lead("D5 DK").check("all-s", "D5");
}
