//! Tests of races: guarantees, allocation, and that a race is a function of its scores.

use crate::common::normal;
use hattari_stats::race::{Allocation, End, Goal, Race, RaceOptions, Relation, Side, Standing};
use hattari_stats::{Rng, Untestable};

/// Returns scores of arms with these means. Block scores are normal with standard deviation 1; part
/// of the luck is common to all arms.
fn field(rng: &mut Rng, means: &[f64], blocks: usize) -> Vec<Vec<f64>> {
    let luck: Vec<f64> = (0..blocks).map(|_| normal(rng)).collect();
    means
        .iter()
        .map(|mean| {
            luck.iter()
                .map(|luck| mean + 0.7 * luck + 0.7 * normal(rng))
                .collect()
        })
        .collect()
}

fn race(arms: usize, options: RaceOptions) -> Race {
    Race::new(arms, options).unwrap()
}

/// Returns options with a margin and a maximum number of blocks (0: no maximum).
fn options(goal: Goal, margin: f64, max_blocks: u32) -> RaceOptions {
    RaceOptions {
        margin,
        max_blocks: Some(max_blocks).filter(|&blocks| 0 < blocks),
        ..RaceOptions::new(goal)
    }
}

/// Returns the number of blocks of each arm.
fn by_arm(race: &Race) -> Vec<u32> {
    race.standing().arms.iter().map(|arm| arm.blocks).collect()
}

/// Returns a race that was played with these options, as in [`run`].
fn raced(options: RaceOptions, scores: &[Vec<f64>]) -> Race {
    let mut race = race(scores.len(), options);
    run(&mut race, scores);
    race
}

/// Plays rounds until the race is over or the scores are used up.
fn run(race: &mut Race, scores: &[Vec<f64>]) {
    let mut played = vec![0; scores.len()];
    loop {
        let asked = race.next_round();
        let is_there = |&(arm, target): &(usize, u32)| target as usize <= scores[arm].len();
        if asked.is_empty() || !asked.iter().all(is_there) {
            return;
        }
        for (arm, target) in asked {
            for score in &scores[arm][played[arm]..target as usize] {
                race.push(arm, *score).unwrap();
            }
            played[arm] = target as usize;
        }
    }
}

/// Returns the claims about all pairs of arms.
fn relations(race: &Race, arms: usize) -> impl Iterator<Item = Option<Relation>> {
    let pairs = (0..arms).flat_map(move |a| (a + 1..arms).map(move |b| (a, b)));
    pairs.map(|(a, b)| race.relation(a, b))
}

/// Returns the number of blocks of all arms.
fn blocks(standing: &Standing) -> u64 {
    standing.arms.iter().map(|arm| u64::from(arm.blocks)).sum()
}

fn sides(race: &Race) -> Vec<Side> {
    race.standing()
        .arms
        .iter()
        .map(|arm| arm.side.unwrap())
        .collect()
}

#[test]
fn a_race_finds_the_best_arm_and_drops_weak_arms_early() {
    let means = [0.0, -0.5, 0.3, -1.5, -0.1];
    let scores = field(&mut Rng::new(1), &means, 2000);
    let mut race = race(5, RaceOptions::new(Goal::Best));
    assert_eq!(
        race.next_round(),
        (0..5).map(|arm| (arm, 20)).collect::<Vec<_>>()
    );
    run(&mut race, &scores);
    let standing = race.standing();
    assert_eq!(
        (race.end(), standing.to_go, race.next_round()),
        (Some(End::Decided), Some(0), Vec::new())
    );
    assert_eq!(
        sides(&race),
        [Side::Out, Side::Out, Side::In, Side::Out, Side::Out]
    );
    assert_eq!(standing.order[0], 2);
    let blocks = by_arm(&race);
    assert!(
        blocks[3] < blocks[1] && blocks[1] < blocks[0] && blocks[0] <= blocks[2],
        "{blocks:?}"
    );
}

#[test]
fn a_race_finds_the_best_three_arms() {
    let means = [0.6, 0.5, 0.55, 0.0, 0.1, -0.4, -0.5];
    let scores = field(&mut Rng::new(2), &means, 3000);
    let race = raced(RaceOptions::new(Goal::Top(3)), &scores);
    assert_eq!(race.end(), Some(End::Decided));
    assert_eq!(
        sides(&race),
        [vec![Side::In; 3], vec![Side::Out; 4]].concat()
    );
}

#[test]
fn arms_equal_within_the_margin_end_a_race() {
    let scores = field(&mut Rng::new(3), &[0.0; 4], 3000);
    let margin = |goal| options(goal, 0.3, 0);
    for goal in [Goal::Best, Goal::Top(2)] {
        let race = raced(margin(goal), &scores);
        let inside = sides(&race)
            .iter()
            .filter(|&&side| side == Side::In)
            .count();
        let wanted = if goal == Goal::Best { 1 } else { 2 };
        assert!(
            race.end() == Some(End::Decided) && wanted <= inside,
            "{goal:?}: {inside}"
        );
        assert!(!sides(&race).contains(&Side::Out), "{goal:?}");
    }
    for goal in [Goal::Ranking, Goal::Pairs] {
        let race = raced(margin(goal), &scores);
        assert_eq!(race.end(), Some(End::Decided), "{goal:?}");
        let equal = relations(&race, 4)
            .filter(|relation| *relation == Some(Relation::Equal))
            .count();
        assert!(
            if goal == Goal::Pairs {
                equal == 6
            } else {
                3 <= equal
            },
            "{goal:?}: {equal}"
        );
    }
}

/// The leader is shown to be at most a margin worse than the second, so more blocks of the second
/// arm cannot change the result.
#[test]
fn an_open_arm_that_cannot_change_the_result_gets_no_more_blocks() {
    let noise = |size: f64, block: i32| size * (f64::from(block % 2) - 0.5);
    let scores: Vec<Vec<f64>> = [(0.02, 0.0), (0.0, 0.2), (-0.2, 6.0)]
        .map(|(mean, size)| (0..300).map(|block| mean + noise(size, block)).collect())
        .to_vec();
    let race = raced(options(Goal::Best, 0.05, 300), &scores);
    assert_eq!(
        (race.end(), sides(&race)),
        (Some(End::MaxBlocks), vec![Side::Open; 3])
    );
    let blocks = by_arm(&race);
    assert!(
        blocks[0] == 300 && blocks[1] < 100 && blocks[2] == 300,
        "{blocks:?}"
    );
}

#[test]
fn ranking_and_pairs_races_find_the_complete_order() {
    let means = [0.0, 0.8, -0.3, 0.4];
    let scores = field(&mut Rng::new(4), &means, 3000);
    for goal in [Goal::Ranking, Goal::Pairs] {
        let race = raced(RaceOptions::new(goal), &scores);
        let standing = race.standing();
        assert_eq!(
            (race.end(), &standing.order[..]),
            (Some(End::Decided), &[1, 3, 0, 2][..])
        );
        let ranks: Vec<_> = standing.arms.iter().map(|arm| arm.ranks).collect();
        assert_eq!(
            ranks,
            [Some((3, 3)), Some((1, 1)), Some((4, 4)), Some((2, 2))]
        );
        assert_eq!(race.relation(0, 1), Some(Relation::Behind));
        assert_eq!(race.relation(1, 2), Some(Relation::Ahead));
    }
}

#[test]
fn arms_with_a_decided_rank_get_no_more_blocks_in_a_ranking_race() {
    // Two pairs of close arms, far apart. A pair whose order is known needs no more blocks.
    let means = [2.0, 1.6, 0.0, -0.1];
    let scores = field(&mut Rng::new(5), &means, 5000);
    let race = raced(RaceOptions::new(Goal::Ranking), &scores);
    let blocks = by_arm(&race);
    assert!(
        race.end() == Some(End::Decided) && 4 * blocks[0] < blocks[3] && blocks[2] == blocks[3],
        "{blocks:?}"
    );
}

#[test]
fn the_result_of_a_race_depends_only_on_its_scores() {
    let mut rng = Rng::new(6);
    for trial in 0..60 {
        let arms = 2 + rng.below(5);
        let means: Vec<f64> = (0..arms).map(|_| 1.5 * rng.uniform()).collect();
        let scores = field(&mut rng, &means, 160);
        let goal = [
            Goal::Best,
            Goal::Top(1 + rng.below(arms - 1)),
            Goal::Ranking,
            Goal::Pairs,
        ][rng.below(4)];
        let options = RaceOptions {
            margin: [0.0, 0.3][rng.below(2)],
            max_blocks: Some(150),
            batch: 1 + u32::try_from(rng.below(20)).unwrap(),
            first_blocks: 10,
            ..RaceOptions::new(goal)
        };
        let in_rounds = raced(options, &scores);
        assert!(in_rounds.end().is_some());
        // Pushes all blocks in random order of the arms, far beyond the requirements of the rounds,
        // as with results from shards or older leagues.
        let mut shuffled = race(arms, options);
        let mut next = vec![0; arms];
        let mut open: Vec<usize> = (0..arms).collect();
        while !open.is_empty() {
            let k = rng.below(open.len());
            let arm = open[k];
            shuffled.push(arm, scores[arm][next[arm]]).unwrap();
            next[arm] += 1;
            if next[arm] == scores[arm].len() {
                open.swap_remove(k);
            }
        }
        assert_eq!(
            shuffled.standing(),
            in_rounds.standing(),
            "{trial}: {options:?}"
        );
        assert_eq!(shuffled.end(), in_rounds.end());
        for (a, b) in (0..arms).flat_map(|a| (0..a).map(move |b| (a, b))) {
            assert_eq!(shuffled.relation(a, b), in_rounds.relation(a, b));
        }
    }
}

#[test]
fn claims_of_a_race_are_never_withdrawn() {
    let mut rng = Rng::new(7);
    for _ in 0..30 {
        let scores = field(&mut rng, &[0.3, 0.2, 0.25, 0.0, -0.2], 600);
        let mut race = race(5, options(Goal::Top(2), 0.15, 600));
        let mut before = vec![Side::Open; 5];
        let mut played = [0; 5];
        while race.end().is_none() {
            for (arm, target) in race.next_round() {
                (played[arm]..target)
                    .for_each(|block| race.push(arm, scores[arm][block as usize]).unwrap());
                played[arm] = target;
            }
            let now = sides(&race);
            assert!(
                before
                    .iter()
                    .zip(&now)
                    .all(|(b, n)| *b == Side::Open || b == n),
                "{before:?} {now:?}"
            );
            before = now;
        }
    }
}

#[test]
fn even_allocation_gives_the_same_result_with_more_blocks() {
    let mut rng = Rng::new(8);
    for _ in 0..40 {
        let scores = field(&mut rng, &[0.4, 0.2, 0.1, -0.4, -0.5, -0.6], 2000);
        let options = RaceOptions::new(Goal::Best);
        let focused = raced(options, &scores);
        let evenly = RaceOptions {
            allocation: Allocation::Even,
            ..options
        };
        let even = raced(evenly, &scores);
        assert_eq!((sides(&focused), focused.end()), (sides(&even), even.end()));
        let (focused, even) = (focused.standing(), even.standing());
        let most = focused.arms.iter().map(|arm| arm.blocks).max().unwrap();
        assert!(even.arms.iter().all(|arm| arm.blocks == most) && blocks(&focused) < blocks(&even));
    }
}

#[test]
fn untestable_arms_remain_open_at_the_end_of_a_race() {
    let options = options(Goal::Best, 0.0, 60);
    // Equal scores in every block and a constant lead cannot be tested.
    for second in [0.0, -1.0] {
        let wave = |block: u32| f64::from(block % 7);
        let scores = [0.0, second].map(|mean| (0..60).map(|block| mean + wave(block)).collect());
        let race = raced(options, &scores);
        let standing = race.standing();
        assert_eq!(
            (race.end(), blocks(&standing), standing.to_go),
            (Some(End::MaxBlocks), 120, None),
            "{second:?}"
        );
        assert_eq!(sides(&race), [Side::Open; 2]);
    }
}

#[test]
fn the_estimated_remaining_blocks_are_close_to_the_actual_number() {
    // A periodic score instead of luck, so that means and deviations are always the same.
    let wave = |arm: usize, block: usize| {
        f64::from(u32::try_from(block * (37 + 14 * arm) % 100).unwrap()) / 50.0
    };
    let means = [0.1, 0.0, -0.2];
    let scores: Vec<Vec<f64>> = (0..3)
        .map(|arm| {
            (0..20_000)
                .map(|block| means[arm] + wave(arm, block))
                .collect()
        })
        .collect();
    for (goal, margin) in [
        (Goal::Best, 0.0),
        (Goal::Best, 0.05),
        (Goal::Ranking, 0.0),
        (Goal::Pairs, 0.15),
    ] {
        let options = RaceOptions {
            margin,
            first_blocks: 100,
            batch: 1,
            ..RaceOptions::new(goal)
        };
        let short = RaceOptions {
            max_blocks: Some(100),
            ..options
        };
        let early = raced(short, &scores).standing();
        let mut race = race(3, options);
        assert_eq!(race.standing().to_go, None);
        run(&mut race, &scores);
        assert_eq!(race.end(), Some(End::Decided), "{goal:?}");
        let (guess, came) = (
            early.to_go.unwrap(),
            blocks(&race.standing()) - blocks(&early),
        );
        assert!(
            2 * guess < 3 * came && came < 2 * guess + 50,
            "{goal:?} {margin}: {guess} {came}"
        );
    }
}

#[test]
fn false_claims_occur_less_often_than_the_error_rate() {
    const RACES: usize = 400;
    let mut rng = Rng::new(10);
    let (mut best, mut pairs, mut beyond) = (0, 0, 0);
    for _ in 0..RACES {
        let equal = field(&mut rng, &[0.0; 5], 150);
        let capped = |goal| options(goal, 0.0, 150);
        let contest = raced(capped(Goal::Best), &equal);
        best += usize::from(sides(&contest) != [Side::Open; 5]);
        let order = raced(capped(Goal::Pairs), &equal);
        pairs += usize::from(relations(&order, 5).any(|claim| claim != Some(Relation::Open)));
        // No arm is within the margin of the first.
        let unequal = field(&mut rng, &[0.301, 0.0, 0.0, 0.0, 0.0], 600);
        let near = raced(options(Goal::Best, 0.3, 0), &unequal);
        beyond +=
            usize::from(sides(&near)[0] == Side::Out || sides(&near)[1..].contains(&Side::In));
    }
    // The limit is 20, 5 % of 400.
    assert!(
        [best, pairs, beyond].iter().all(|&wrong| wrong <= 20),
        "{best} {pairs} {beyond}"
    );
}

#[test]
fn invalid_race_options_and_scores_are_rejected() {
    let best = RaceOptions::new(Goal::Best);
    let with = |change: fn(&mut RaceOptions)| {
        let mut options = best;
        change(&mut options);
        (3, options)
    };
    for (arms, options) in [
        (1, best),
        (3, RaceOptions::new(Goal::Top(0))),
        (3, RaceOptions::new(Goal::Top(3))),
        with(|options| options.error = 0.0),
        with(|options| options.error = 0.5),
        with(|options| options.margin = -0.1),
        with(|options| options.margin = f64::NAN),
        with(|options| options.first_blocks = 9),
        with(|options| options.batch = 0),
        with(|options| options.max_blocks = Some(19)),
    ] {
        assert!(
            matches!(
                Race::new(arms, options),
                Err(Untestable::BadParameter { .. })
            ),
            "{options:?}"
        );
    }
    let mut race = race(2, best);
    assert_eq!(race.push(0, f64::NAN), Err(Untestable::NotFinite));
    assert!(
        matches!(race.push(2, 1.0), Err(Untestable::BadParameter { what }) if what.contains("no arm 2"))
    );
    assert_eq!(race.next_round(), [(0, 20), (1, 20)]);
}
