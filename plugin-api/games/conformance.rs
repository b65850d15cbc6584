//! Checks of the guarantees of [`Game`] in random play, for the tests of games.

use crate::chance::{below, index};
use crate::features::{FeatureInfo, FeatureValue, Features, PlayStatistic};
use crate::scene::Scene;
use crate::{BlockState, Game, Move, Seating};
use bytemuck::{bytes_of, bytes_of_mut};
use rand::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// The information that a seat has about a deal.
#[derive(Debug, PartialEq)]
struct SeatKnowledge {
    view: Vec<u8>,
    history: Vec<u8>,
    /// The seat to act, which is public.
    to_act: Option<u8>,
}

fn seat_knowledge<G: Game>(
    game: &G,
    block: &BlockState<G>,
    deal: &G::Deal,
    seat: u8,
) -> SeatKnowledge {
    let view = game.view_of(block, deal, seat);
    // Every bit is set, to detect bytes that are not written.
    let mut again = view;
    bytes_of_mut(&mut again).fill(0xff);
    game.view(block, deal, seat, &mut again);
    assert_eq!(
        bytes_of(&view),
        bytes_of(&again),
        "`view` does not write all bytes of the record"
    );
    SeatKnowledge {
        view: bytes_of(&view).to_vec(),
        history: bytemuck::cast_slice(game.history(deal)).to_vec(),
        to_act: game.to_act(deal),
    }
}

/// Returns a random action with a random amount.
pub fn random_move<G: Game>(legal: &[G::Action], chance: &mut impl Rng) -> Move<G::Action> {
    let action = legal[index(chance, legal.len())];
    let amount = G::amounts(&action).map_or(0, |(lowest, highest)| {
        let span = u32::try_from(highest - lowest + 1).unwrap_or(u32::MAX);
        lowest + i64::from(below(chance, span))
    });
    Move { action, amount }
}

/// Checks the scenes of all seats: the public part is the same in all, hands have the right size,
/// no card occurs twice, and each place shows its player.
fn check_scenes<G: Game>(game: &G, block: &BlockState<G>, deal: &G::Deal, players: usize) {
    let scene_of = |player| {
        let seat = game.seat_of(deal, player);
        (seat, game.scene(&game.view_of(block, deal, seat)))
    };
    let scenes: Vec<(u8, Scene)> = (0..players).map(scene_of).collect();
    let table = &scenes[0].1.table;
    assert_eq!(table.places.len(), players);
    for (player, (seat, scene)) in scenes.iter().enumerate() {
        assert_eq!(
            scene.table, *table,
            "seat {seat}: the scene of the table differs from that of the first seat"
        );
        let place = &table.places[usize::from(*seat)];
        assert_eq!(usize::from(place.player), player);
        assert_eq!(
            scene.own.hand.split_whitespace().count(),
            usize::from(place.held),
            "seat {seat}: the number of cards in the hand must equal `held`"
        );
    }
    let open = table.places.iter().map(|place| &place.open);
    let faces = open.chain(scenes.iter().map(|(_, scene)| &scene.own.hand));
    let mut shown_cards = BTreeSet::new();
    for face in faces.flat_map(|faces| faces.split_whitespace()) {
        assert!(shown_cards.insert(face), "a card occurs twice in the scene");
    }
}

/// Checks that every action can be selected: its cards are visible to the seat to act, and no two
/// actions look the same.
fn check_offers<G: Game>(game: &G, scene: &Scene, legal: &[G::Action]) {
    let seen = scene
        .table
        .places
        .iter()
        .map(|place| place.open.as_str())
        .chain([scene.own.hand.as_str()]);
    let seen: Vec<&str> = seen.flat_map(str::split_whitespace).collect();
    let mut words = BTreeSet::new();
    for action in legal {
        let offer = game.offer(action);
        assert!(
            offer
                .faces
                .split_whitespace()
                .all(|face| seen.contains(&face)),
            "{offer:?} has cards that the seat does not see ({seen:?})"
        );
        assert!(
            !offer.words.contains(['{', '?']),
            "{offer:?} has no text or names an unknown field"
        );
        assert!(
            words.insert(offer.words),
            "two legal actions have the same text"
        );
    }
}

/// Checks that the game declares the features of a position and of its legal actions.
fn check_features<G: Game>(view: &G::View, legal: &[G::Action]) {
    let (positions, choices) = (G::Features::POSITIONS, G::Features::CHOICES);
    assert!(
        positions
            .iter()
            .all(|(name, _)| choices.iter().all(|choice| choice.0 != *name))
    );
    for statistic in G::Features::STATISTICS {
        let declared = match statistic.measure.is_of_outcomes() {
            true => [G::Features::OUTCOMES; 2],
            false => [positions, choices],
        };
        let conditions = [statistic.position, statistic.choice];
        for (declared, conditions) in declared.into_iter().zip(conditions) {
            for (name, values) in PlayStatistic::conditions(conditions) {
                let info = declared.iter().find(|info| info.0 == name);
                let (_, words) = info.unwrap_or_else(|| panic!("{}: `{name}`", statistic.name));
                for value in values {
                    let is_known =
                        words.contains(&value) || words.is_empty() && value.parse::<u8>().is_ok();
                    assert!(is_known, "{}: `{name}: {value}`", statistic.name);
                }
            }
        }
    }
    G::Features::position(view, &mut |name, value| {
        assert_declared(positions, name, value)
    });
    for &action in legal {
        let amount = G::amounts(&action).map_or(0, |(lowest, _)| lowest);
        let choice = Move { action, amount };
        G::Features::choice(view, &choice, &mut |name, value| {
            assert_declared(choices, name, value)
        });
    }
}

/// Checks that the game declares the features of the outcome of a finished deal. Checks that its
/// lines have text, and that the names in [`Game::LINES`] are fields.
fn check_outcomes<G: Game>(game: &G, block: &BlockState<G>, deal: &G::Deal, players: usize) {
    for player in 0..players {
        let view = game.view_of(block, deal, game.seat_of(deal, player));
        G::Features::outcome(&view, game.history(deal), &mut |name, value| {
            assert_declared(G::Features::OUTCOMES, name, value);
        });
    }
    for event in game.history(deal) {
        let line = game.line(event);
        assert!(
            !line.words.contains(['{', '?']),
            "`{line}` has no text or names an unknown field"
        );
    }
}

/// Checks that a list declares the name and the value of a feature.
fn assert_declared(declared: &[FeatureInfo], name: &str, value: FeatureValue) {
    let info = declared.iter().find(|info| info.0 == name);
    let is_declared = info.is_some_and(|(_, words)| match value {
        FeatureValue::Count(_) => words.is_empty(),
        FeatureValue::Word(word) => words.contains(&word),
    });
    assert!(is_declared, "`{name}: {value:?}` is not declared");
}

/// The parameters of a run of random deals.
#[derive(Clone, Copy)]
pub struct ConformanceRun {
    /// Number of players at the table.
    pub players: usize,
    /// Seed of the cards and of the choices.
    pub seed: u64,
    /// Number of deals, unless the block ends earlier.
    pub deals: u32,
    /// Required sum of the payoffs of each deal.
    pub payoff_sum: i64,
    /// `true` to check that no payoff is below [`Game::worst_payoff`].
    pub is_bounded: bool,
}

/// Plays blocks at random and checks the guarantees of [`Game`].
///
/// At every decision:
/// * The seat to act has at least one legal action.
/// * `view` writes every byte of a view.
/// * After [`Game::resample`], every seat has the same information as before, the seat to act has
///   the same legal actions, and the deal can be played to its end.
/// * [`Game::origin`] returns a deal from which the choices lead to the same information.
/// * The game declares its features.
///
/// Not always the same player acts first, unless the seats are [`Seating::Fixed`].
///
/// At the end of every deal, the payoffs sum to `payoff_sum`. `generator` creates a generator from
/// a seed; `watch` receives the true state after every step.
///
/// # Panics
/// Panics if a guarantee is broken; the message says which.
pub fn check_conformance<G: Game, R: Rng>(
    game: &G,
    run: ConformanceRun,
    generator: impl Fn(u64) -> R,
    watch: impl Fn(&BlockState<G>, &G::Deal),
) {
    let ConformanceRun {
        players,
        seed,
        deals,
        payoff_sum,
        is_bounded,
    } = run;
    let finish = |block: &mut BlockState<G>, deal: &G::Deal| {
        let mut payoffs = vec![i64::MIN; players];
        game.finish(block, deal, &mut payoffs);
        assert_eq!(payoffs.iter().sum::<i64>(), payoff_sum);
        payoffs
    };
    check_seats(game, players, &mut generator(seed));
    let mut chance = generator(seed);
    let mut block = game.new_block(players, deals);
    let mut deal = game.new_deal();
    for _ in 0..deals {
        game.deal(&mut block, &mut chance, &mut deal);
        let (start, mut choices) = (deal.clone(), Vec::new());
        while let Some(to_act) = game.to_act(&deal) {
            watch(&block, &deal);
            check_scenes(game, &block, &deal, players);
            let legal = game.legal_actions(&deal);
            assert!(!legal.is_empty());
            let view = game.view_of(&block, &deal, to_act);
            check_offers(game, &game.scene(&view), &legal);
            check_features::<G>(&view, &legal);
            for player in 0..players {
                let seat = game.seat_of(&deal, player);
                assert_eq!(game.player_at(&deal, seat), player);
                let mut other = deal.clone();
                game.resample(&mut other, seat, &mut chance);
                watch(&block, &other);
                assert_eq!(
                    seat_knowledge(game, &block, &deal, seat),
                    seat_knowledge(game, &block, &other, seat),
                    "the record of seat {seat} depends on hidden cards"
                );
                let mut changed = choices.clone();
                if let Some(origin) = game.origin(&start, &other, &mut changed) {
                    let again = replayed(game, origin, &changed)
                        .expect("the choices are legal in the other deal");
                    assert_eq!(
                        seat_knowledge(game, &block, &deal, seat),
                        seat_knowledge(game, &block, &again, seat),
                        "`origin` returned a deal that leads to another position"
                    );
                }
                if seat == to_act {
                    assert_eq!(
                        bytemuck::cast_slice::<_, u8>(&legal),
                        bytemuck::cast_slice::<_, u8>(&game.legal_actions(&other))
                    );
                    play_out(game, &mut other, &mut chance);
                    watch(&block, &other);
                    finish(&mut block.clone(), &other);
                }
            }
            let choice = random_move::<G>(&legal, &mut chance);
            game.apply(&mut deal, choice);
            choices.push(choice);
        }
        watch(&block, &deal);
        check_scenes(game, &block, &deal, players);
        check_outcomes(game, &block, &deal, players);
        let payoffs = finish(&mut block, &deal);
        assert!(!is_bounded || payoffs.iter().all(|&payoff| game.worst_payoff() <= payoff));
        if game.block_over(&block) {
            break;
        }
    }
}

/// Plays the first two deals of some blocks, and checks that not always the same player acts first.
/// Otherwise reports would compare players whose seats have different chances.
fn check_seats<G: Game>(game: &G, players: usize, chance: &mut impl Rng) {
    let mut first = Vec::new();
    for _ in 0..20 {
        let (mut block, mut deal) = (game.new_block(players, 2), game.new_deal());
        for _ in 0..2 {
            game.deal(&mut block, chance, &mut deal);
            first.extend(game.to_act(&deal).map(|seat| game.player_at(&deal, seat)));
            play_out(game, &mut deal, chance);
            game.finish(&mut block, &deal, &mut vec![0; players]);
            if game.block_over(&block) {
                break;
            }
        }
    }
    assert!(
        game.seating() == Seating::Fixed
            || players < 2
            || first.iter().any(|player| *player != first[0]),
        "the same player always acts first: return `Seating::Fixed`, or let players change seats"
    );
}

/// Plays a block. `choose` receives the state, the seat to act, its legal actions and the
/// generator.
pub fn play_block<G: Game, R: Rng>(
    game: &G,
    players: usize,
    deals: u32,
    chance: &mut R,
    mut choose: impl FnMut(&BlockState<G>, &G::Deal, u8, &[G::Action], &mut R) -> Move<G::Action>,
) {
    let (mut block, mut deal) = (game.new_block(players, deals), game.new_deal());
    for _ in 0..deals {
        game.deal(&mut block, chance, &mut deal);
        while let Some(seat) = game.to_act(&deal) {
            let legal = game.legal_actions(&deal);
            let choice = choose(&block, &deal, seat, &legal, chance);
            game.apply(&mut deal, choice);
        }
        game.finish(&mut block, &deal, &mut vec![0; players]);
    }
}

fn play_out<G: Game>(game: &G, deal: &mut G::Deal, chance: &mut impl Rng) {
    while game.to_act(deal).is_some() {
        let legal = game.legal_actions(deal);
        game.apply(deal, random_move::<G>(&legal, chance));
    }
}

/// Returns the deal after the given choices, or `None` if one of them is not legal.
pub fn replayed<G: Game>(
    game: &G,
    mut deal: G::Deal,
    choices: &[Move<G::Action>],
) -> Option<G::Deal> {
    for &choice in choices {
        let is_choice = |action: &G::Action| bytes_of(action) == bytes_of(&choice.action);
        if !game.legal_actions(&deal).iter().any(is_choice) {
            return None;
        }
        game.apply(&mut deal, choice);
    }
    Some(deal)
}

/// Checks how often [`Game::resample`] draws each of the deals that `seat` cannot distinguish from
/// `deal`. The frequency must be proportional to the number of times that `all` contains the deal.
/// `all` contains every possible deal, played to the same decision in every possible way; if views
/// do not contain the seat's own choices, only those with the same own choices. `key` groups the
/// deals that are counted together. Returns the number of groups.
///
/// # Panics
/// Panics if a drawn deal is impossible, or if a group is drawn too often or too rarely.
pub fn check_resampling<G: Game, R: Rng, K: Ord + std::fmt::Debug>(
    game: &G,
    block: &BlockState<G>,
    deal: &G::Deal,
    seat: u8,
    all: impl IntoIterator<Item = G::Deal>,
    key: impl Fn(&G::Deal) -> K,
    chance: &mut R,
) -> usize {
    let seen = seat_knowledge(game, block, deal, seat);
    let mut cells: BTreeMap<K, (u32, u32)> = BTreeMap::new();
    let mut total = 0;
    for other in all {
        if seat_knowledge(game, block, &other, seat) == seen {
            cells.entry(key(&other)).or_default().0 += 1;
            total += 1;
        }
    }
    let draws = 60 * cells.len();
    for _ in 0..draws {
        let mut other = deal.clone();
        game.resample(&mut other, seat, chance);
        let key = key(&other);
        match cells.get_mut(&key) {
            Some((_, drawn)) => *drawn += 1,
            None => panic!("`resample` returned a deal that contradicts the view: {key:?}"),
        }
    }
    let statistic: f64 = cells
        .values()
        .map(|&(ways, drawn)| {
            let expected = draws as f64 * f64::from(ways) / f64::from(total);
            (f64::from(drawn) - expected).powi(2) / expected
        })
        .sum();
    let freedom = cells.len() as f64 - 1.0;
    // A chi-squared statistic has the mean `freedom` and the variance `2 * freedom`.
    assert!(
        statistic < freedom + 5.0 * (2.0 * freedom).sqrt() + 5.0,
        "chi-squared is {statistic} for {freedom} degrees of freedom"
    );
    cells.len()
}

/// Checks that the cards of a deal do not depend on earlier play, for games whose block state does
/// not influence the dealing. `generator` creates a generator from a seed; `describe` returns the
/// cards of a deal as text.
///
/// # Panics
/// Panics if the cards depend on earlier play.
pub fn check_chance_independence<G: Game, R: Rng>(
    game: &G,
    deals: u32,
    generator: impl Fn(u64) -> R,
    describe: impl Fn(&G::Deal) -> String,
) {
    let dealt = |play_seed: u64| {
        let mut play = generator(play_seed);
        let mut block = game.new_block(G::players().1, deals);
        let mut deal = game.new_deal();
        let mut texts = Vec::new();
        for number in 0..u64::from(deals) {
            game.deal(&mut block, &mut generator(number), &mut deal);
            texts.push(describe(&deal));
            play_out(game, &mut deal, &mut play);
            game.finish(&mut block, &deal, &mut vec![0; G::players().1]);
        }
        texts
    };
    assert_eq!(dealt(1), dealt(2));
}
