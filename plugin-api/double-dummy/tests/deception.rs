//! The example of N. Kobayashi, N. Yamashita, T. Uehara on misleading the defenders: what every card is worth.

use hattari_double_dummy::{Card, Deal, Position, Seat, Side, Solver, Strain};

const REAL: &str = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54";
const PRINTED: &str = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 96.K432.J6543.53 AQJ4.J65.K92.A42";
const REPAIRED: &str = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J6.K432.96543.53 AQ94.J65.KJ2.A42";
const AFTER_THE_ACE: &str = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 QJ.6542.J9632.43 A964.KJ3.K54.A52";

fn check(deal: &str, played: &str, expected: &str) {
    let deal: Deal = deal.parse().expect("a deal");
    let mut position = Position::new(deal.hands, Strain::NoTrump, Seat::North, &[]).expect("a position");
    let mut won = 0;
    for card in played.split_whitespace() {
        let winner = position.play(card.parse().expect("a card")).expect(played);
        won += u8::from(winner.is_some_and(|seat| seat.side() == Side::EastWest));
    }
    let values = Solver::default().all_cards(&position, Side::EastWest);
    for pair in expected.split_whitespace() {
        let (card, tricks) = pair.split_once('=').expect("card=tricks");
        let card: Card = card.parse().expect("a card");
        let found = values.iter().find(|value| value.0 == card).map(|value| value.1 + won);
        assert_eq!(found, tricks.parse().ok(), "{card} after {played} in {deal}");
    }
}

#[test]
fn west_does_best_to_win_with_the_queen_in_the_real_deal() {
    check(REAL, "S7 S2 SJ", "SA=6 SQ=8 S6=6");
    check(REAL, "S7 S3 SJ", "SA=6 SQ=8 S6=6");
}

#[test]
fn west_does_best_to_win_with_the_queen_in_the_repaired_deal() {
    check(REPAIRED, "S7 S2 SJ", "SA=6 SQ=8 S9=6 S4=6");
}
