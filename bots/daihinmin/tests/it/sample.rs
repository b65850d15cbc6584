//! Tests of the bot `default`, in the style of the sample client.

use crate::support::{Position, lead, on};
use hattari_bots_daihinmin::bots::sample;

#[track_caller]
fn check(position: &Position, expected: &str) {
    assert_eq!(position.answer(sample::choose), expected);
}

#[test]
fn the_sample_bot_leads_sequences_then_groups_then_singles() {
    check(&lead("S3 H5 H6 H7 H8 D9 C9"), "H5 H6 H7 H8");
    check(&lead("S3 H5 H6 D9 C9"), "D9 C9");
    check(&lead("S3 H5 H6 D9"), "S3");
    check(&lead("S3 H5 DQ DK DA").revolution(), "DQ DK DA");
    check(&lead("S3 S4 D9 C9 HK CK").revolution(), "HK CK");
}

#[test]
fn the_sample_bot_follows_with_its_weakest_cards_even_on_its_own_play() {
    check(&on("S5", "H6 C6 D9"), "H6");
    check(&on("S5 H5", "H6 C6 D9 C9"), "H6 C6");
    check(&on("S5 S6 S7", "H8 H9 HT D3"), "H8 H9 HT");
    check(&on("S9", "H3 HT HA").own().passed(&[1, 2, 3, 4]), "HT");
    check(&on("S2", "H3 HT HA"), "-");
}

#[test]
fn the_sample_bot_plays_the_joker_last() {
    check(&lead("S3 S4 JK"), "S3");
    check(&lead("JK"), "JK");
    check(&on("S5 H5", "H6 C9 D9 JK"), "D9 C9");
    check(&on("S5 H5", "H6 C9 DT JK"), "JK=S6 H6");
    check(&on("S2", "H6 C9 JK"), "JK");
}
