//! Whole games of the player with a dealer that knows the cards.

use super::limits;
use hattari_bots_stud::fuzzy::decide::{Opening, Reason};
use hattari_bots_stud::fuzzy::{Action, Config, Player, Situation};
use hattari_plugin::games::poker::card::set_of;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The events of a game, for comparison.
#[derive(Clone, Debug, Default, PartialEq)]
struct Course {
    actions: Vec<(u8, Action, bool)>,
    openings: Vec<Opening>,
}

/// Plays a game against an opponent that bets half the pot and opens its hole cards in order.
fn game(player: &mut Player, deal: &mut ChaCha8Rng, rng: &mut ChaCha8Rng) -> Course {
    let mut deck: Vec<u8> = (0..52).collect();
    for index in 0..14 {
        let other = index + usize::try_from(deal.next_u64() % (52 - index as u64)).unwrap();
        deck.swap(index, other);
    }
    // Cards 0, 1 and 6 are hole cards, the others are dealt open.
    let (own, other) = (&deck[..7], &deck[7..14]);
    let (mut shown, mut seen, mut pot) = (0, 0, 10);
    let mut course = Course::default();
    for turn in 1..=7u8 {
        let dealt = if turn < 5 { usize::from(turn) + 2 } else { 7 };
        let mut situation = Situation {
            turn,
            own: set_of(&own[..dealt]),
            shown,
            opponent: seen,
            pot,
            bet: 0,
        };
        match turn {
            1..=4 => {
                shown |= 1 << own[dealt - 1];
                seen |= 1 << other[dealt - 1];
            }
            5 => {}
            _ => {
                let opening = player.open(&situation, rng);
                assert!(
                    situation.holes() & 1 << opening.card != 0,
                    "an own hidden card"
                );
                course.openings.push(opening);
                shown |= 1 << opening.card;
                seen |= 1 << other[usize::from(turn) - 6];
            }
        }
        let bet = pot / 2;
        situation = Situation {
            shown,
            opponent: seen,
            bet,
            ..situation
        };
        let limits = limits(pot, bet);
        let action = player.act(&situation, limits, rng);
        let superior = player.estimates().last().unwrap().is_superior();
        course.actions.push((turn, action, superior));
        match action {
            Action::Drop => break,
            Action::Bet(amount) => {
                assert!(limits.0 <= amount && amount <= limits.1);
                pot += 2 * amount;
            }
        }
    }
    assert_eq!(player.estimates().len(), course.actions.len());
    let dropped = course.actions.last().unwrap().1 == Action::Drop;
    player.end(Some(set_of(other)), dropped);
    course
}

fn games(config: Config, count: usize, seed: u64) -> (Player, Vec<Course>) {
    let mut player = Player::new(config).unwrap();
    let (mut deal, mut rng) = (
        ChaCha8Rng::seed_from_u64(11),
        ChaCha8Rng::seed_from_u64(seed),
    );
    let courses = (0..count)
        .map(|_| game(&mut player, &mut deal, &mut rng))
        .collect();
    (player, courses)
}

const GAMES: usize = 150;

fn reasons(courses: &[Course]) -> Vec<Reason> {
    courses
        .iter()
        .flat_map(|course| &course.openings)
        .map(|opening| opening.reason)
        .collect()
}

#[test]
fn only_inferior_hands_are_dropped_and_every_decision_kind_occurs() {
    let (_, courses) = games(Config::default(), GAMES, 1);
    for (_, action, superior) in courses.iter().flat_map(|course| &course.actions) {
        assert!(*action != Action::Drop || !superior);
    }
    let reasons = reasons(&courses);
    for reason in [Reason::Hide, Reason::Bluff, Reason::Visible] {
        assert!(reasons.contains(&reason), "{reason:?}");
    }
    assert!(courses.iter().any(|course| course.actions.len() == 7));
    assert!(
        courses
            .iter()
            .any(|course| course.actions.last().unwrap().1 == Action::Drop)
    );
    // After giving up, the player drops at the next bet unless it has become superior.
    for course in &courses {
        for (opening, (_, action, superior)) in
            course.openings.iter().zip(course.actions.iter().skip(5))
        {
            assert!(opening.reason != Reason::GiveUp || *superior || *action == Action::Drop);
        }
    }
}

#[test]
fn equal_random_seeds_give_equal_games() {
    let (one, courses) = games(Config::default(), 40, 2);
    let (other, again) = games(Config::default(), 40, 2);
    assert_eq!((one.tendencies(), &courses), (other.tendencies(), &again));
    assert_ne!(courses, games(Config::default(), 40, 3).1);
}

#[test]
fn each_ablation_disables_its_feature() {
    let (learnt, _) = games(Config::default(), GAMES, 1);
    assert!(learnt.tendencies().0.iter().any(|t| *t != 50.0));
    let (player, _) = games(
        Config {
            learning: false,
            ..Config::default()
        },
        GAMES,
        1,
    );
    assert!(player.tendencies().0.iter().all(|t| *t == 50.0));

    let (_, courses) = games(
        Config {
            bluff: false,
            ..Config::default()
        },
        GAMES,
        1,
    );
    assert!(!reasons(&courses).contains(&Reason::Bluff));
    let mut late = courses
        .iter()
        .flat_map(|course| &course.actions)
        .filter(|(turn, ..)| 6 <= *turn);
    assert!(late.all(|(_, action, superior)| *superior || *action == Action::Drop));

    let (_, courses) = games(
        Config {
            opening: false,
            ..Config::default()
        },
        GAMES,
        1,
    );
    assert!(
        reasons(&courses)
            .iter()
            .all(|reason| *reason == Reason::Random)
    );

    let (player, courses) = games(
        Config {
            learn_from_drops: false,
            ..Config::default()
        },
        1,
        1,
    );
    let dropped = courses[0].actions.last().unwrap().1 == Action::Drop;
    assert_eq!(dropped, player.tendencies().0.iter().all(|t| *t == 50.0));
}
