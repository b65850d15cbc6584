//! The example of Kobayashi, Yamashita and Uehara, "コンピュータブリッジにおいてディフェンダーを惑わすプレイ" (play in computer
//! bridge that misleads the defenders): values of all cards with open hands in the deals of its
//! figures.

use hattari_double_dummy::{Card, Deal, Position, Seat, Side, Solver, Strain};

const REAL: &str = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54";
const PRINTED: &str = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 96.K432.J6543.53 AQJ4.J65.K92.A42";
const REPAIRED: &str = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J6.K432.96543.53 AQ94.J65.KJ2.A42";
const AFTER_THE_ACE: &str = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 QJ.6542.J9632.43 A964.KJ3.K54.A52";

/// Returns East-West's tricks in the whole deal after each legal card, if `played` was played
/// before.
fn table(deal: &str, played: &str) -> Vec<(Card, u8)> {
    let deal: Deal = deal.parse().expect("a deal");
    let mut position =
        Position::new(deal.hands, Strain::NoTrump, Seat::North, &[]).expect("a position");
    let mut won = 0;
    for card in played.split_whitespace() {
        let winner = position.play(card.parse().expect("a card")).expect(played);
        won += u8::from(winner.is_some_and(|seat| seat.side() == Side::EastWest));
    }
    let values = Solver::new(16).tricks_by_card(&position, Side::EastWest);
    values
        .into_iter()
        .map(|(card, tricks)| (card, tricks + won))
        .collect()
}

fn check(deal: &str, played: &str, expected: &str) {
    let values = table(deal, played);
    assert_eq!(
        values.len(),
        expected.split_whitespace().count(),
        "every legal card is in the table"
    );
    for pair in expected.split_whitespace() {
        let (card, tricks) = pair.split_once('=').expect("card=tricks");
        let card: Card = card.parse().expect("a card");
        let found = values
            .iter()
            .find(|value| value.0 == card)
            .map(|value| value.1);
        assert_eq!(
            found,
            tricks.parse().ok(),
            "{card} after {played} in {deal}"
        );
    }
}

/// Continuation after the first trick: West leads a low diamond to dummy's ace, and dummy's queen
/// of clubs loses to North's king.
const TO_NORTH: &str = "D5 D7 DA D2 CQ C2 C4 CK";

#[test]
fn the_queen_is_best_for_west_in_the_real_deal() {
    check(REAL, "S7 S2 SJ", "SA=6 SQ=8 S6=6");
    check(REAL, "S7 S3 SJ", "SA=6 SQ=8 S6=6");
}

/// In figure 3 West holds the jack of spades that South has played. In this test South plays the
/// nine from the cards in the figure.
#[test]
fn the_queen_and_jack_are_best_for_west_in_the_printed_deal() {
    check(PRINTED, "S7 S2 S9", "SA=7 SQ=8 SJ=8 S4=6");
}

#[test]
fn the_queen_is_best_for_west_in_the_repaired_deal() {
    check(REPAIRED, "S7 S2 SJ", "SA=6 SQ=8 S9=6 S4=6");
}

#[test]
fn low_cards_are_best_for_west_without_the_queen() {
    check(AFTER_THE_ACE, "S7 S2 SJ", "SA=6 S9=6 S6=7 S4=7");
}

#[test]
fn hearts_defeat_the_contract_after_the_queen_in_every_assumed_deal() {
    check(
        PRINTED,
        "S7 S2 S9 SQ D2 D7 DA D3 CQ C3 C2 CK",
        "SK=11 ST=11 S8=11 S5=11 HA=8 HQ=8 H8=8 H7=8 D8=10 C6=10",
    );
    check(
        REPAIRED,
        "S7 S2 SJ SQ D2 D7 DA D3 CQ C3 C2 CK",
        "SK=10 ST=10 S8=11 S5=11 HA=8 HQ=8 H8=8 H7=8 D8=10 C6=10",
    );
    check(
        REAL,
        &format!("S7 S2 SJ SQ {TO_NORTH}"),
        "SK=11 ST=11 S8=11 S5=11 HA=8 HQ=8 H8=8 H7=8 D8=11 C6=11",
    );
}

#[test]
fn best_leads_against_the_assumed_deal_let_the_real_contract_make() {
    check(
        AFTER_THE_ACE,
        "S7 S2 SJ SA D4 D7 DA D2 CQ C3 C2 CK",
        "SK=9 ST=8 S8=6 S5=6 HA=9 HQ=10 H8=10 H7=10 D8=9 C6=9",
    );
    check(
        REAL,
        &format!("S7 S2 SJ SA {TO_NORTH}"),
        "SK=7 ST=11 S8=11 S5=11 HA=4 HQ=4 H8=4 H7=4 D8=10 C6=10",
    );
}

/// The paper's algorithm with its three worlds. North plays the best card of the deal that he
/// believes in, and the result is that in the real deal. The ordinary algorithm plays the queen,
/// and the contract fails. Virtual worlds play the ace, and the contract is made.
#[test]
fn virtual_worlds_choose_the_ace_but_double_dummy_play_chooses_the_queen() {
    let best = |values: &[(Card, u8)]| {
        values
            .iter()
            .max_by_key(|value| value.1)
            .expect("a card")
            .0
            .to_string()
    };
    assert_eq!(best(&table(REAL, "S7 S2 SJ")), "SQ");

    let virtual_tricks = |wests: &str, believed: &str, line: &str| {
        let north = table(believed, &format!("S7 S2 SJ {wests} {line}"));
        let least = north.iter().map(|value| value.1).min().expect("a card");
        let card = north
            .iter()
            .find(|value| value.1 == least)
            .expect("the least is one of them")
            .0;
        let real = table(REAL, &format!("S7 S2 SJ {wests} {TO_NORTH}"));
        real.iter()
            .find(|value| value.0 == card)
            .expect("North holds the same cards in both deals")
            .1
    };
    let queen = virtual_tricks("SQ", REPAIRED, "D2 D7 DA D3 CQ C3 C2 CK");
    let ace = virtual_tricks("SA", AFTER_THE_ACE, "D4 D7 DA D2 CQ C3 C2 CK");
    assert_eq!((queen, ace), (8, 11), "nine tricks make the contract");
}
