//! Comparison with PokerKit, an independent implementation of the poker games and of their file
//! format.
//!
//! PokerKit replays hand histories of random deals, and hands dealt by PokerKit are replayed here.
//! Every action must be legal as written. At every decision, player, choices, pot, stacks and bets
//! must be equal, and so must all payoffs. `HATTARI_POKERKIT_HANDS=10000` sets the number of hands
//! that PokerKit deals.
//!
//! The ignored tests need Python with the package `pokerkit` (0.7.7): `python3`, or the interpreter
//! in `HATTARI_PYTHON`.

use crate::support::{JsonPart, project, python};
use hattari_formats::phh::{
    Hand, HandOrigin, Overrides, ReplayError, Step, document, hand_of, parse, replay,
};
use hattari_games::chance::below;
use hattari_games::holdem;
use hattari_games::poker::{OddChips, Poker, Variant};
use hattari_games::stud;
use hattari_games::{Game, GameTypes, Move};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use std::ffi::OsStr;
use std::{env, fs};

/// Chooses a random action with a random amount, sometimes all in. A fold is at most as frequent as
/// other actions.
fn choose<A: Copy>(
    legal: &[A],
    amounts: impl Fn(&A) -> Option<(i64, i64)>,
    is_fold: impl Fn(&A) -> bool,
    chance: &mut ChaCha8Rng,
) -> Move<A> {
    let pick = |chance: &mut ChaCha8Rng| {
        legal[below(chance, u32::try_from(legal.len()).unwrap()) as usize]
    };
    let mut action = pick(chance);
    if is_fold(&action) && below(chance, 2) == 0 {
        action = pick(chance);
    }
    let amount = amounts(&action).map_or(0, |(lowest, highest)| match below(chance, 4) {
        0 => highest,
        1 => lowest,
        _ => lowest + i64::from(below(chance, u32::try_from(highest - lowest + 1).unwrap())),
    });
    Move { action, amount }
}

fn stacks(count: usize, least: i64, most: u32, chance: &mut ChaCha8Rng) -> [i64; 9] {
    let mut stacks = [0; 9];
    stacks[..count].fill_with(|| least + i64::from(below(chance, most)));
    stacks
}

fn origin(seed: u64, deal: u32) -> HandOrigin {
    HandOrigin {
        seed: Some(seed),
        league: Some("random hands".into()),
        block: Some(0),
        deal: Some(deal),
        ..HandOrigin::default()
    }
}

/// Plays random deals, each with different stacks. Players of hold'em have names.
fn hands<V: Variant>(options: &V, seed: u64, deals: u32) -> Vec<Hand> {
    let is_holdem = V::ID == holdem::Options::ID;
    let (seats, chips) = if is_holdem { (8, 3000) } else { (6, 900) };
    let game = Poker::new(options.clone()).unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let (mut deal, mut legal) = (game.new_deal(), Vec::new());
    let hand = |number| {
        let players = 2 + below(&mut chance, seats) as usize;
        let mut block = game.new_block(players, deals);
        block.memory.stacks = stacks(players, 1, chips, &mut chance);
        game.deal(&mut block, &mut chance, &mut deal);
        while game.to_act(&deal).is_some() {
            game.legal(&deal, &mut legal);
            let choice = choose(
                &legal,
                Poker::<V>::amounts,
                |action| game.offer(action).words == "Fold",
                &mut chance,
            );
            game.apply(&mut deal, choice);
        }
        let named = if is_holdem { players } else { 0 };
        let names: Vec<String> = (0..named).map(|seat| format!("seat {seat}'s")).collect();
        hand_of(&game, &deal, &names, origin(seed, number)).unwrap()
    };
    (0..deals).map(hand).collect()
}

/// Returns PokerKit's rules for calls of a short blind, for whole bets, and for odd chips.
fn cash() -> holdem::Options {
    holdem::Options {
        whole_blind: false,
        ..holdem::Options::default()
    }
}

/// Returns all kinds of hands by name.
fn all_hands() -> Vec<(&'static str, Vec<Hand>)> {
    let half_bet_counts = false;
    let limit = holdem::Options {
        whole_blind: false,
        half_bet_counts,
        ..holdem::Options::preset("limit").unwrap()
    };
    let odd_chips = OddChips::LeftOfButton;
    let stud = stud::Options {
        whole_bring_in: false,
        half_bet_counts,
        odd_chips,
        ..stud::Options::default()
    };
    vec![
        ("no-limit", hands(&cash(), 1, 500)),
        (
            "antes",
            hands(&holdem::Options { ante: 7, ..cash() }, 2, 200),
        ),
        (
            "capped",
            hands(
                &holdem::Options {
                    raises_max: 4,
                    small_blind: 1,
                    big_blind: 2,
                    ..cash()
                },
                3,
                100,
            ),
        ),
        ("limit", hands(&limit, 4, 200)),
        ("stud", hands(&stud, 5, 400)),
    ]
}

/// Written hands can be parsed, and replaying them gives the same chips.
#[test]
fn written_hands_are_parsed_and_replayed_with_equal_results() {
    for (name, hands) in all_hands() {
        let read = parse(&document(&hands)).into_iter().map(|(_, hand)| hand);
        let read: Vec<Hand> = read
            .collect::<Result<_, _>>()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read.len(), hands.len());
        for (number, (hand, read)) in (1..).zip(hands.iter().zip(&read)) {
            assert_eq!(hand, read, "{name} {number}");
            let replayed = replay(read, &Overrides::new()).unwrap_or_else(|error| {
                panic!(
                    "{name} {number}: {error}\n{}",
                    document(&hands[number - 1..number])
                )
            });
            let chips = hand.finishing_stacks.iter().zip(&hand.starting_stacks);
            assert_eq!(
                replayed.payoffs,
                chips
                    .map(|(after, before)| after - before)
                    .collect::<Vec<_>>(),
                "{name} {number}"
            );
        }
    }
}

/// Cards that were dealt or shown in another way than the rules allow are errors, because the replay
/// would ignore them.
#[test]
fn impossible_dealing_and_showing_is_refused() {
    let start = "d dh p1 8h4d, d dh p2 9d7c, d dh p3 ????";
    let check = "p1 cc, p2 cc, p3 cc";
    let flop = format!("{start}, p3 cc, p1 cc, p2 cc, d db 2c3c5h");
    let showdown = format!("{flop}, {check}, d db 6h, {check}, d db 7h, {check}");
    for (actions, error) in [
        (
            format!("{showdown}, p1 sm 4d8h, p2 sm 9d7c, p3 sm KcKd"),
            "",
        ),
        (
            format!("{showdown}, p1 sm AsAh, p2 sm, p3 sm"),
            "player 1 shows As, but was dealt other cards",
        ),
        (
            format!("{showdown}, p3 sm KcKd, p3 sm KcKs"),
            "player 3 shows Ks, but was dealt other cards",
        ),
        (
            format!("{showdown}, p4 sm KcKd"),
            "action 19 `p4 sm KcKd`: the hand has only 3 players",
        ),
        (
            format!("{start}, d dh p4 2c2d, p3 f, p1 f"),
            "action 4 `d dh p4 2c2d`: the hand has only 3 players",
        ),
        (
            format!("{start}, d dh p1 2s, p3 f, p1 f"),
            "player 1 is dealt more than 2 cards",
        ),
        (
            format!("{start}, d db 2c3c5h, p3 f, p1 f"),
            "action 4 `d db 2c3c5h`: the board has 3 cards, but only 0 can have been dealt here",
        ),
        (
            format!("{flop}, d db 6h, p1 f, p2 f"),
            "action 8 `d db 6h`: the board has 4 cards, but only 3 can have been dealt here",
        ),
        (
            format!("{start}, p3 sd, p3 f, p1 f"),
            "action 4 `p3 sd`: the game has no draws",
        ),
    ] {
        let text = format!(
            "variant = 'NT'\nantes = [0, 0, 0]\nblinds_or_straddles = [50, 100, 0]\nmin_bet = 100\n\
             starting_stacks = [1000, 1000, 1000]\nactions = ['{}']\n",
            actions.replace(", ", "', '")
        );
        let (_, hand) = parse(&text).remove(0);
        let replayed = replay(&hand.unwrap(), &Overrides::new());
        let found = replayed.map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(found, error, "{actions}");
    }
}

/// Runs a script with PokerKit and returns its output.
fn pokerkit(script: &str, arguments: &[&OsStr]) -> String {
    let python = python::with("pokerkit");
    python::run(
        &python,
        &project().join("tests/pokerkit").join(script),
        arguments,
    )
}

/// Comparison of hands with PokerKit.
#[derive(Default)]
struct Compared {
    /// Number of decisions in which only PokerKit allows a player who has acted to raise again,
    /// because there was no whole bet on the street yet.
    lax: usize,
    /// Number of hands in which a player then raised. These are illegal here.
    lax_hands: usize,
    /// The first difference of each hand, at a decision or in the payoffs.
    differences: Vec<String>,
}

impl Compared {
    fn compare(&mut self, name: &str, hand: &Hand, theirs: &Value) {
        if let Some(what) = self.difference(hand, theirs) {
            self.differences.push(format!("{name}: {what}"));
        }
    }

    fn difference(&mut self, hand: &Hand, theirs: &Value) -> Option<String> {
        if let Some(error) = theirs.get("error") {
            return Some(format!("PokerKit: {error}"));
        }
        let told = theirs["decisions"].list();
        let ours = match replay(hand, &Overrides::new()) {
            Ok(ours) => ours,
            Err(ReplayError::Action {
                number,
                step,
                message,
            }) => {
                let is_decision = |step: &&Step| {
                    matches!(
                        step,
                        Step::BringIn(_) | Step::RaiseTo(..) | Step::CheckOrCall(_) | Step::Fold(_)
                    )
                };
                let at = hand.actions[..number].iter().filter(is_decision).count() - 1;
                let is_lax =
                    step.contains("cbr") && !message.contains("cbr") && told[at]["lax"] == true;
                self.lax_hands += usize::from(is_lax);
                return (!is_lax).then(|| format!("action {number} `{step}`: {message}"));
            }
            Err(error) => return Some(error.to_string()),
        };
        let decisions = serde_json::to_value(&ours.decisions).unwrap();
        let decisions = decisions.list();
        for (number, (ours, theirs)) in (1..).zip(decisions.iter().zip(told)) {
            let mut theirs = theirs.clone();
            let is_lax = theirs.as_object_mut().unwrap().remove("lax") == Some(true.into());
            if is_lax && ours["choices"]["raise"].is_null() && !theirs["choices"]["raise"].is_null()
            {
                theirs["choices"]["raise"] = Value::Null;
                self.lax += 1;
            }
            if *ours != theirs {
                return Some(format!("decision {number}: {ours}, PokerKit has {theirs}"));
            }
        }
        if decisions.len() != told.len() {
            return Some(format!(
                "{} decisions, PokerKit has {}",
                decisions.len(),
                told.len()
            ));
        }
        let payoffs = serde_json::to_value(&ours.payoffs).unwrap();
        if payoffs != theirs["payoffs"] {
            return Some(format!(
                "payoffs {payoffs}, PokerKit has {}",
                theirs["payoffs"]
            ));
        }
        // In the file, PokerKit has already moved the chips, with all odd chips of a pot for one
        // winner.
        let chips = hand
            .starting_stacks
            .iter()
            .zip(&ours.payoffs)
            .zip(&hand.finishing_stacks);
        let far = chips
            .map(|((before, won), after)| (before + won - after).abs())
            .max()
            .unwrap_or(0);
        (far > ours.odd_chips).then(|| format!("{far} chips from {:?}", hand.finishing_stacks))
    }

    /// Panics with the first differences, if there are any.
    fn check(&self, hands: usize) {
        let Compared {
            lax,
            lax_hands,
            differences,
        } = self;
        eprintln!(
            "{hands} hands: {} differ; PokerKit alone lets raise again: {lax} decisions, used in {lax_hands} hands",
            differences.len()
        );
        let first: Vec<&str> = differences.iter().map(String::as_str).take(5).collect();
        assert!(
            differences.is_empty(),
            "{} differences, the first:\n{}",
            differences.len(),
            first.join("\n")
        );
        assert!(
            lax + lax_hands <= hands / 10,
            "{lax} + {lax_hands} of PokerKit's looser re-openings in {hands} hands"
        );
    }
}

#[test]
#[ignore = "needs PokerKit (pip install pokerkit)"]
fn pokerkit_agrees_on_players_choices_and_payoffs() {
    let folder = tempfile::tempdir().unwrap();
    let (mut files, mut all) = (Vec::new(), Vec::new());
    for (name, hands) in all_hands() {
        let file = folder.path().join(format!("{name}.phhs"));
        fs::write(&file, document(&hands)).unwrap();
        files.push(file);
        all.extend(
            (1..)
                .zip(hands)
                .map(|(number, hand)| (format!("{name} {number}"), hand)),
        );
    }
    let arguments: Vec<&OsStr> = files.iter().map(AsRef::as_ref).collect();
    let output = pokerkit("replay.py", &arguments);
    let result: Value = serde_json::from_str(&output).unwrap();
    let told = result["hands"].list();
    assert_eq!(told.len(), all.len());
    let mut compared = Compared::default();
    all.iter()
        .zip(told)
        .for_each(|((name, hand), theirs)| compared.compare(name, hand, theirs));
    compared.check(all.len());
    let count = |what: &str| result[what].natural();
    assert!(
        1000 <= all.len() && 200 <= count("all_ins"),
        "{} {}",
        all.len(),
        count("all_ins")
    );
    assert!(50 <= count("side_pots") && 5 <= count("splits") && 300 <= count("showdowns"));
}

/// Replays hands dealt by PokerKit: 300, or the number in `HATTARI_POKERKIT_HANDS`.
#[test]
#[ignore = "needs PokerKit (pip install pokerkit)"]
fn hands_dealt_by_pokerkit_replay_with_equal_results() {
    let wanted: usize =
        env::var("HATTARI_POKERKIT_HANDS").map_or(300, |hands| hands.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dealt.phhs");
    let count = wanted.to_string();
    pokerkit("deal.py", &["2026".as_ref(), count.as_ref(), file.as_ref()]);
    let hands = parse(&fs::read_to_string(&file).unwrap());
    assert_eq!(hands.len(), wanted);
    let result: Value = serde_json::from_str(&pokerkit("replay.py", &[file.as_os_str()])).unwrap();
    let mut compared = Compared::default();
    for ((place, hand), theirs) in hands.iter().zip(result["hands"].list()) {
        match hand {
            Ok(hand) => compared.compare(&format!("hand {}", place.hand), hand, theirs),
            Err(error) => compared
                .differences
                .push(format!("hand {}: {error}", place.hand)),
        }
    }
    compared.check(wanted);
    let count = |what: &str| usize::try_from(result[what].natural()).unwrap();
    assert!(
        wanted / 10 <= count("all_ins")
            && wanted / 20 <= count("side_pots")
            && wanted / 10 <= count("showdowns")
    );
}
