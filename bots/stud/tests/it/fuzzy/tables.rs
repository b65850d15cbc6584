//! The games in the paper's tables 6 to 8: opened cards, drops, and possible ranges of the printed
//! values.
//!
//! If the paper does not print suits, tables 6 and 7 use those of the recorded cases, and table 8
//! uses random suits.

use super::limits;
use hattari_bots_stud::fuzzy::config::Config;
use hattari_bots_stud::fuzzy::decide::{Reason, bet, drops, open};
use hattari_bots_stud::fuzzy::estimate::{Distribution, potential};
use hattari_bots_stud::fuzzy::infer::{RULES, Superiority, Tendencies};
use hattari_bots_stud::fuzzy::score::score;
use hattari_bots_stud::fuzzy::{Estimate, Situation};
use hattari_plugin::games::poker::card::{CardSet, cards, parse, parse_set, set_of};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn set(cards: &str) -> CardSet {
    parse_set(cards).unwrap()
}

/// Returns the state of a game with the printed superiority; the tendencies are unknown.
fn printed(
    turn: u8,
    own: &str,
    shown: &str,
    opponent: &str,
    (pot, bet): (u64, u64),
    result: f64,
) -> (Situation, Estimate) {
    let situation = Situation {
        turn,
        own: set(own),
        shown: set(shown),
        opponent: set(opponent),
        pot,
        bet,
    };
    let mut estimate = Estimate::of(&situation, &Tendencies([50.0; RULES]), &Config::default());
    assert!(estimate.p - 1.0 <= result && result <= estimate.p);
    estimate.superiority = Superiority {
        result,
        ..estimate.superiority
    };
    (situation, estimate)
}

/// Returns the number of times that each card is opened in 1000 choices, with the reason.
fn openings(situation: &Situation, superior: bool) -> Vec<(u8, usize, Reason)> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut chosen: Vec<(u8, usize, Reason)> = Vec::new();
    for _ in 0..1000 {
        let opening = open(situation, superior, &Config::default(), &mut rng);
        match chosen.iter_mut().find(|(card, ..)| *card == opening.card) {
            Some((_, count, reason)) => {
                assert_eq!(*reason, opening.reason);
                *count += 1;
            }
            None => chosen.push((opening.card, 1, opening.reason)),
        }
    }
    chosen.sort_by_key(|chosen| std::cmp::Reverse(chosen.1));
    chosen
}

const T6_OWN: &str = "Js 6d Qc Jh Tc 9d 2h";

/// Table 6: inferior at -0.051, the player opens the jack as a bluff. At -0.131 it continues the
/// bluff.
#[test]
fn the_player_bluffs_with_the_jack_of_table_6_and_stays_in() {
    let (turn_5, estimate) = printed(5, T6_OWN, "Qc Jh Tc 9d", "5h 6s 7d 9c", (542, 15), -0.051);
    assert!(!estimate.is_superior());
    assert_eq!(
        openings(&turn_5, false),
        [(parse("Js").unwrap(), 1000, Reason::Bluff)]
    );
    let (turn_6, estimate) = printed(
        6,
        T6_OWN,
        "Js Qc Jh Tc 9d",
        "5h 6s 7d 9c 3d",
        (718, 100),
        -0.131,
    );
    assert!(estimate.expectation < turn_6.potential());
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    assert!((0..100).all(|_| !drops(&turn_6, &estimate, false, &Config::default(), &mut rng)));
    // The bet of a bluff depends only on the potential, without noise.
    let limits = limits(718, 100);
    let share = 0.5 * turn_6.potential() / 9.0 + 0.5;
    let amount = bet(&turn_6, &estimate, limits, &Config::default(), &mut rng);
    assert!(
        (f64::from(u32::try_from(amount).unwrap()) - (100.0 + share * 718.0).floor()).abs() < 0.5
    );
    // Without bluffs it neither opens this card nor stays in.
    let honest = Config {
        bluff: false,
        ..Config::default()
    };
    assert_eq!(
        open(&turn_5, false, &honest, &mut rng).reason,
        Reason::GiveUp
    );
    assert!(drops(&turn_6, &estimate, false, &honest, &mut rng));
}

/// Table 7: superior with a hidden flush, the player opens the cards with the lowest potential,
/// never the eight.
#[test]
fn the_player_hides_the_flush_of_table_7() {
    let own = "Kh 8h 9h Td Jh 7h 9s";
    let (turn_5, estimate) = printed(5, own, "9h Td Jh 7h", "Ac 7d 6s Jc", (512, 512), 0.317);
    assert_eq!((estimate.com, estimate.is_superior()), (5, true));
    let hides = |situation: &Situation, cards: [&str; 2]| {
        let chosen = openings(situation, true);
        let opened: Vec<_> = chosen.iter().map(|(card, ..)| *card).collect();
        assert_eq!(opened, cards.map(|card| parse(card).unwrap()));
        let (_, count, reason) = chosen[0];
        assert!(
            (750..850).contains(&count) && reason == Reason::Hide,
            "{chosen:?}"
        );
    };
    hides(&turn_5, ["9s", "Kh"]);
    // After the king, as printed, the nine is opened before the eight.
    let (shown, opponent) = ("9h Td Jh 7h Kh", "Ac 7d 6s Jc 9d");
    let (turn_6, _) = printed(6, own, shown, opponent, (2560, 1000), 0.4);
    hides(&turn_6, ["9s", "8h"]);
}

/// A score that the open cards already show does not need to be hidden.
#[test]
fn a_player_with_a_visible_score_opens_any_card() {
    let (situation, _) = printed(
        5,
        "Kh 8h 9h Td Jh 7h 9s",
        "9h Jh 7h 8h Kh",
        "Ac 7d 6s Jc",
        (512, 512),
        0.3,
    );
    let chosen = openings(&situation, true);
    assert_eq!(chosen.len(), 2);
    assert!(
        chosen
            .iter()
            .all(|(_, count, reason)| (430..570).contains(count) && *reason == Reason::Visible)
    );
}

/// Ranks in table 8, in the order of the deal, without suits.
const T8_OWN: [usize; 7] = [9, 8, 7, 2, 11, 12, 3];
const T8_OPPONENT: [usize; 7] = [10, 4, 13, 14, 6, 5, 4];

/// Returns random suits for table 8 that agree with the text: the system has nothing, the opponent
/// a pair of fours.
fn table_8_suits(rng: &mut ChaCha8Rng) -> ([u8; 7], [u8; 7]) {
    let hand = |deck: &mut CardSet, ranks: [usize; 7], rng: &mut ChaCha8Rng| {
        ranks.map(|rank| {
            let left: Vec<u8> = cards(*deck & 0xf << (4 * (rank - 2))).collect();
            let card = left[usize::try_from(rng.next_u64() % left.len() as u64).unwrap()];
            *deck &= !(1 << card);
            card
        })
    };
    loop {
        let mut deck = hattari_plugin::games::poker::card::DECK;
        let (own, opponent) = (
            hand(&mut deck, T8_OWN, rng),
            hand(&mut deck, T8_OPPONENT, rng),
        );
        if score(set_of(&own)) == 0 && score(set_of(&opponent)) == 1 {
            return (own, opponent);
        }
    }
}

/// Table 8 with any suits: every printed value is between `p - 1` and `p`, and p and exp are in
/// their possible ranges. The nine is the most likely bluff. On turn 6 the player drops with some
/// suits and not with others.
#[test]
fn the_values_of_table_8_are_in_range_with_the_nine_as_likeliest_bluff() {
    // Turn, printed value, and ranges of p and exp over suits.
    const VALUES: [(u8, f64, [f64; 2], [f64; 2]); 6] = [
        (1, -0.248, [0.173, 0.178], [-0.572, -0.567]),
        (2, -0.365, [0.163, 0.185], [-0.584, -0.558]),
        (3, -0.356, [0.156, 0.213], [-0.589, -0.538]),
        (4, -0.368, [0.098, 0.252], [-0.555, -0.407]),
        (5, -0.419, [0.080, 0.246], [-0.562, -0.371]),
        (6, -0.589, [0.146, 0.315], [-0.518, -0.429]),
    ];
    // The ranges come from other random suits, so rare draws can be slightly outside.
    const SLACK: f64 = 0.03;
    let config = Config::default();
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (mut nines, mut bluffs, mut dropped) = (0, 0, 0);
    for _ in 0..300 {
        let (own, opponent) = table_8_suits(&mut rng);
        for (turn, value, p, exp) in VALUES {
            let dealt = if turn < 5 { usize::from(turn) + 2 } else { 7 };
            let open = set_of(&opponent[2..][..usize::from(turn).min(4)])
                | if turn == 6 { 1 << opponent[6] } else { 0 };
            let estimate = Distribution::of_opponent(set_of(&own[..dealt]), open);
            assert_eq!(score(set_of(&own[..dealt])), 0);
            let (p_here, exp_here) = (estimate.cdf(0), estimate.exp(0, config.between_scores));
            assert!(
                p_here - 1.0 <= value && value <= p_here,
                "turn {turn}: {value} with p {p_here}"
            );
            assert!(
                p[0] - SLACK < p_here && p_here < p[1] + SLACK,
                "turn {turn}: p {p_here}"
            );
            assert!(
                exp[0] - SLACK < exp_here && exp_here < exp[1] + SLACK,
                "turn {turn}: exp {exp_here}"
            );
        }
        let (shown, opened) = (set_of(&own[2..6]), set_of(&opponent[2..6]));
        let best = [0, 1, 6].map(|hole| (potential(shown | 1 << own[hole], opened), hole));
        let best = best.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        let turn_5 = Situation {
            turn: 5,
            own: set_of(&own),
            shown,
            opponent: opened,
            pot: 1144,
            bet: 1144,
        };
        let opening = open(&turn_5, false, &config, &mut rng);
        if 0.5 <= best.0 {
            bluffs += 1;
            assert_eq!((opening.reason, opening.card), (Reason::Bluff, own[best.1]));
            // The prospect of a bluff keeps the player in on turn 5, even against a bet of the
            // whole pot.
            let estimate = Estimate::of(&turn_5, &Tendencies([50.0; RULES]), &config);
            assert!(
                !estimate.is_superior() && !drops(&turn_5, &estimate, false, &config, &mut rng)
            );
        }
        nines += usize::from(best.1 == 0);
        let turn_6 = Situation {
            turn: 6,
            shown: shown | 1 << own[0],
            opponent: opened | 1 << opponent[6],
            pot: 5046,
            bet: 3000,
            ..turn_5
        };
        let estimate = Estimate::of(&turn_6, &Tendencies([50.0; RULES]), &config);
        dropped += usize::from(drops(&turn_6, &estimate, false, &config, &mut rng));
    }
    assert!(
        250 < bluffs && (170..250).contains(&nines),
        "{bluffs} bluffs, {nines} nines"
    );
    assert!((30..300).contains(&dropped), "{dropped} dropped");
}

/// With suits that make no flush likely, as in the table, the potentials are similar, and that of
/// the nine is below the expectation from the opponent's pair.
#[test]
fn the_player_drops_after_the_bluff_of_table_8() {
    let own = "9c 8d 7h 2s Jc Qd 3h";
    let (turn_6, estimate) = printed(
        6,
        own,
        "9c 7h 2s Jc Qd",
        "Kc Ad 6h 5s 4d",
        (5046, 3000),
        -0.589,
    );
    assert!(
        turn_6.potential() < estimate.expectation,
        "{} {}",
        turn_6.potential(),
        estimate.expectation
    );
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    assert!((0..100).all(|_| drops(&turn_6, &estimate, false, &Config::default(), &mut rng)));
}
