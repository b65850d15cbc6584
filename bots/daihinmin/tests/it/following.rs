//! Following and passing: the basic algorithm with a play on the table.

use crate::support::on;

#[test]
fn the_weakest_legal_play_is_chosen() {
    on("S5", "H3 H6 D9 C2").check("plain", "H6");
    on("S5 H5", "S6 H7 D7 CK DK").check("plain", "H7 D7");
    on("S5 S6 S7", "H8 H9 HT HJ CA").check("plain", "H8 H9 HT");
    on("S5 H5 D5", "S7 H7 D7 C7").check_any("plain", "S7 H7 D7");
}

#[test]
fn a_revolution_reverses_which_play_is_weakest() {
    on("SJ", "H3 H6 D9 C2").revolution().check("plain", "D9");
    on("SJ HJ", "S6 H6 D9 C9")
        .revolution()
        .check("plain", "D9 C9");
    on("SJ SQ SK", "H4 H5 H6 H7 H8")
        .revolution()
        .check("plain", "H6 H7 H8");
}

#[test]
fn ties_are_broken_by_no_joker_and_then_by_suit_order() {
    on("S5", "C7 D7 H7").check("plain", "H7");
    on("S5 H5", "C7 D7 H7 JK").check_any("plain", "H7 D7");
    on("S5 H5", "S7 C7 H7 D7").check_any("plain", "S7 H7");
    on("S5 C5", "S7 C7 H7 D7")
        .locked()
        .check_any("plain", "S7 C7");
    // Only the joker makes a pair of sevens, but the sevens are weaker than the nines.
    on("S5 H5", "D7 C9 H9 JK").check("plain", "JK=S7 D7");
}

#[test]
fn the_groups_setting_decides_whether_groups_are_broken_to_follow() {
    // Exactly as many cards as the table requires, or one fewer and the joker.
    for (table, hand, whole, any) in [
        ("S5 H5", "S7 H7 D7 H9 D9", "H9 D9", "S7 H7"),
        ("S5 H5", "S7 H7 D7", "-", "S7 H7"),
        ("S5 H5", "S7 H7 D7 JK", "-", "S7 H7"),
        ("S5 H5", "S7 H7 D7 D9 JK", "JK=S9 D9", "S7 H7"),
        ("S5 H5", "S7 H7 D7 D9 H9 JK", "H9 D9", "S7 H7"),
        ("S5 H5 D5", "S7 H7 JK", "S7 H7 JK=D7", "S7 H7 JK=D7"),
        ("S5 H5 D5", "S7 H7 D7 C7 JK", "-", "S7 H7 D7"),
        ("S5 H5 D5", "S7 D9 JK", "-", "-"),
        ("SJ HJ", "S3 H3 D3 D9 H9", "-", "-"),
    ] {
        for name in ["plain", "base-k"] {
            on(table, hand).check(name, whole);
            on(table, hand).check_any(name, any);
        }
    }
    // All held cards of the rank count, including those that a lock forbids.
    on("S5 H5", "S7 H7 D7 S9 H9")
        .locked()
        .check("plain", "S9 H9");
    on("S5 H5", "S7 H7 D7 S9 H9")
        .locked()
        .check_any("plain", "S7 H7");
    on("SJ HJ", "S9 D9 H9 S7 H7")
        .revolution()
        .check("pair-s", "S7 H7");
    // Singles and sequences are not affected.
    on("S5", "S7 H7 D7").check("plain", "S7");
    on("S5 S6 S7", "H8 H9 HT D9 C9").check("plain", "H8 H9 HT");
}

#[test]
fn the_joker_is_the_strongest_single() {
    on("S5", "H2 JK").check("plain", "H2");
    on("S2", "H4 H3 JK").check("plain", "JK");
    on("H3", "H4 H5 JK").revolution().check("plain", "JK");
    on("JK", "S3 H2 D5").check("plain", "S3");
}

#[test]
fn a_player_that_cannot_follow_passes() {
    on("S2", "H3 H4 HA").check("base", "-");
    on("JK", "H3 H2 D5").check("base", "-");
    on("S9", "H3 HT HA").locked().check("base", "-");
}

#[test]
fn a_player_that_owns_the_trick_passes_after_all_others_passed() {
    let trick = on("S9", "H3 HT HA").own();
    trick.clone().passed(&[1, 2, 3, 4]).check("base", "-");
    trick
        .clone()
        .passed(&[1, 3])
        .out(&[2, 4])
        .check("plain", "-");
    // Another player may still answer.
    trick.clone().passed(&[1, 2, 3]).check("base", "HT");
    // All have passed, but the play on the table is that of a seat that is already out.
    on("S9", "H3 HT HA")
        .passed(&[2, 3, 4])
        .out(&[1])
        .check("base", "HT");
}
