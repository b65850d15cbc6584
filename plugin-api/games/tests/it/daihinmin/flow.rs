//! Sequences of play by the rules. `flow.txt` contains them and explains the format.

use crate::play::{dealt, seeded};
use hattari_games::Game;
use hattari_games::daihinmin::card::parse_set;
use hattari_games::daihinmin::{
    Action, Block, Daihinmin, Deal, Memory, NONE, Options, Setup, check_play, event, notation,
};

/// Parses a play of a hand, or returns `None` if it is illegal.
fn parse_legal(text: &str, hand: u64, deal: &Deal) -> Option<Action> {
    let action: Action = text.parse().ok()?;
    if action.is_pass() {
        return Some(action);
    }
    check_play(&action, hand, deal.situation()).ok()
}

/// Returns the flags of the table, with the names of the scripts.
fn flags(deal: &Deal) -> String {
    let public = deal.public(&Block::new(5, 1, Memory::default()));
    let up = [
        (public.table_seat == NONE, "empty"),
        (public.lock != 0, "lock"),
        (public.revolution != 0, "revolution"),
        (public.eleven_back != 0, "back"),
    ];
    up.into_iter()
        .filter_map(|(up, name)| up.then_some(name))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the seats in the order of their places.
fn finish(rules: &Daihinmin, deal: &Deal) -> String {
    let placed = rules
        .history(deal)
        .iter()
        .filter(|event| event.kind == event::OUT);
    placed
        .map(|event| event.seat.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

fn step(rules: &Daihinmin, deal: &mut Deal, step: &str) {
    let (who, what) = step.split_once(' ').unwrap();
    let to_act = rules.to_act(deal).map(|seat| seat.to_string());
    if who == "over" {
        assert_eq!((to_act, finish(rules, deal).as_str()), (None, what));
        return;
    }
    if who == "pass" {
        for _ in 0..what.parse().unwrap() {
            let seat = rules.to_act(deal).unwrap();
            self::step(rules, deal, &format!("{seat} -"));
        }
        return;
    }
    assert_eq!(to_act.as_deref(), Some(who), "to act");
    if let Some(expected) = what.strip_prefix('?') {
        assert_eq!(flags(deal), expected);
        return;
    }
    let legal = rules.legal_actions(deal);
    let hand = deal.hands()[who.parse::<usize>().unwrap()];
    if let Some(play) = what.strip_prefix('!') {
        assert!(parse_legal(play, hand, deal).is_none(), "is legal");
        assert!(
            !legal.iter().any(|action| action.to_string() == play),
            "is in the list"
        );
        return;
    }
    let action = parse_legal(what, hand, deal).unwrap();
    assert_eq!(notation::find(&legal, &action), Some(&action));
    rules.apply(deal, action.into());
}

#[test]
fn every_scripted_sequence_of_plays_has_the_expected_result() {
    let text = include_str!("flow.txt");
    let (_, scripts) = text.split_once("\n# ").unwrap();
    let (mut name, mut options, mut hands) = ("", Options::default(), [0; 5]);
    let mut played = 0;
    for line in scripts
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        match line
            .strip_prefix("  ")
            .and_then(|line| line.split_once(' '))
        {
            None => (name, options) = (line, Options::default()),
            Some(("rules", json)) => options = serde_json::from_str(json).unwrap(),
            Some(("hands", by_seat)) => {
                let sets: Vec<u64> = by_seat
                    .split('/')
                    .map(|hand| parse_set(hand).unwrap())
                    .collect();
                hands = sets.try_into().unwrap();
            }
            Some(("play", steps)) => {
                let rules = Daihinmin::new(options.clone()).unwrap();
                let setup = Setup {
                    players: [0, 1, 2, 3, 4],
                    titles: [NONE; 5],
                    hands,
                    deadlock_order: [3, 1, 4, 0, 2],
                };
                let mut deal = rules.new_deal();
                rules
                    .start(&mut rules.new_block(5, 1), &setup, &mut deal)
                    .unwrap_or_else(|why| panic!("{name}: {why}"));
                for text in steps.split('|').map(str::trim) {
                    let shown = format!("{name}: `{text}`");
                    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                        step(&rules, &mut deal, text)
                    }));
                    assert!(result.is_ok(), "{shown}");
                }
                played += 1;
            }
            Some((word, _)) => panic!("no step is called {word}"),
        }
    }
    assert_eq!(played, scripts.matches("\n  play ").count());
    assert!(played > 70, "{played} scripts");
}

/// The order for a deadlock is drawn with the cards, and no seat knows it before a deadlock.
#[test]
fn the_deadlock_order_stays_hidden() {
    let game = Daihinmin::new(Options::default()).unwrap();
    let hands = *dealt(&game, 5, &mut seeded(4)).1.hands();
    let told = |deadlock_order: [u8; 5]| {
        let setup = Setup {
            players: [0, 1, 2, 3, 4],
            titles: [NONE; 5],
            hands,
            deadlock_order,
        };
        let (mut block, mut deal) = (game.new_block(5, 1), game.new_deal());
        game.start(&mut block, &setup, &mut deal).unwrap();
        let mut views = Vec::new();
        while let Some(seat) = game.to_act(&deal) {
            let view = game.view_of(&block, &deal, seat);
            views.push((view, game.history(&deal).to_vec()));
            let action = game.legal_actions(&deal)[0];
            game.apply(&mut deal, action.into());
        }
        (views, deal.public(&block).places)
    };
    let (some, places) = told([0, 1, 2, 3, 4]);
    let (others, other_places) = told([4, 2, 0, 1, 3]);
    assert_eq!(some.len(), 20);
    assert_eq!(some, others);
    assert_eq!((places, other_places), ([0, 1, 2, 3, 4], [2, 3, 1, 4, 0]));
}
