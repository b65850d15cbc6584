//! Hand histories of random deals, replayed by PokerKit, an independent implementation of the games and of the format:
//! every action has to be legal there as it stands, and every payoff the same.
//!
//! Needs Python with the package `pokerkit` (0.7.7): `python3`, or the interpreter that `HATTARI_PYTHON` names. Where that
//! is missing the test says so and is skipped, unless `HATTARI_REQUIRE_POKERKIT` is set, as it is in CI.

use hattari::phh::{Hand, Origin, document, of_holdem, of_stud, parse, replay};
use hattari_games::chance::below;
use hattari_games::holdem::{self, Holdem};
use hattari_games::poker::OddChips;
use hattari_games::stud::{self, Stud};
use hattari_games::{Game, GameTypes, Grant};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// An interpreter that has PokerKit, or why there is none.
fn python() -> Result<String, String> {
    let python = env::var("HATTARI_PYTHON").unwrap_or_else(|_| "python3".into());
    match Command::new(&python).args(["-c", "import pokerkit"]).output() {
        Ok(output) if output.status.success() => Ok(python),
        Ok(_) => Err(format!("{python} has no package `pokerkit`")),
        Err(error) => Err(format!("{python}: {error}")),
    }
}

/// One action of some, none more often folded to than played, with any amount of a raise; all in now and then.
fn choose<A: Copy>(
    legal: &[A],
    amounts: impl Fn(&A) -> Option<(i64, i64)>,
    is_fold: impl Fn(&A) -> bool,
    chance: &mut ChaCha8Rng,
) -> Grant<A> {
    let pick = |chance: &mut ChaCha8Rng| legal[below(chance, u32::try_from(legal.len()).unwrap()) as usize];
    let mut action = pick(chance);
    if is_fold(&action) && below(chance, 2) == 0 {
        action = pick(chance);
    }
    let amount = amounts(&action).map_or(0, |(lowest, highest)| match below(chance, 4) {
        0 => highest,
        1 => lowest,
        _ => lowest + i64::from(below(chance, u32::try_from(highest - lowest + 1).unwrap())),
    });
    Grant { action, amount }
}

fn stacks(count: usize, least: i64, most: u32, chance: &mut ChaCha8Rng) -> [i64; 9] {
    let mut stacks = [0; 9];
    stacks[..count].fill_with(|| least + i64::from(below(chance, most)));
    stacks
}

fn origin(seed: u64, deal: u32) -> Origin {
    Origin {
        seed: Some(seed),
        league: Some("random hands".into()),
        block: Some(0),
        deal: Some(deal),
        ..Origin::default()
    }
}

/// Random deals of hold'em, each with stacks of its own.
fn holdem_hands(options: &holdem::Options, seed: u64, deals: u32) -> Vec<Hand> {
    let game = Holdem::new(options.clone()).unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let (mut deal, mut legal) = (game.new_deal(), Vec::new());
    let hand = |number| {
        let players = 2 + below(&mut chance, 8) as usize;
        let mut block = game.new_block(players, deals);
        block.stacks = stacks(players, 1, 3000, &mut chance);
        game.deal(&mut block, &mut chance, &mut deal);
        while game.to_act(&deal).is_some() {
            game.legal(&deal, &mut legal);
            let choice = choose(&legal, Holdem::amounts, |action| action.kind == holdem::kind::FOLD, &mut chance);
            game.apply(&mut deal, choice);
        }
        let names: Vec<String> = (0..players).map(|seat| format!("seat {seat}'s")).collect();
        of_holdem(&game, &deal, &names, origin(seed, number)).unwrap()
    };
    (0..deals).map(hand).collect()
}

/// Random deals of stud, each with stacks of its own.
fn stud_hands(options: &stud::Options, seed: u64, deals: u32) -> Vec<Hand> {
    let game = Stud::new(options.clone()).unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let (mut deal, mut legal) = (game.new_deal(), Vec::new());
    let hand = |number| {
        let players = 2 + below(&mut chance, 6) as usize;
        let mut block = game.new_block(players, deals);
        block.table.stacks = stacks(players, 1, 900, &mut chance);
        game.deal(&mut block, &mut chance, &mut deal);
        while game.to_act(&deal).is_some() {
            game.legal(&deal, &mut legal);
            let choice = choose(&legal, Stud::amounts, |action| action.kind == stud::kind::FOLD, &mut chance);
            game.apply(&mut deal, choice);
        }
        of_stud(&game, &deal, &[], origin(seed, number)).unwrap()
    };
    (0..deals).map(hand).collect()
}

/// What PokerKit calls when a blind is short, what it takes for a whole bet, and to whom it gives odd chips.
fn cash() -> holdem::Options {
    holdem::Options { whole_blind: false, ..holdem::Options::default() }
}

/// All kinds of hands, by name.
fn hands() -> Vec<(&'static str, Vec<Hand>)> {
    let half_bet_counts = false;
    let limit = holdem::Options { whole_blind: false, half_bet_counts, ..holdem::Options::preset("limit").unwrap() };
    let odd_chips = OddChips::LeftOfButton;
    let stud = stud::Options { whole_bring_in: false, half_bet_counts, odd_chips, ..stud::Options::default() };
    vec![
        ("no-limit", holdem_hands(&cash(), 1, 500)),
        ("antes", holdem_hands(&holdem::Options { ante: 7, ..cash() }, 2, 200)),
        ("capped", holdem_hands(&holdem::Options { raises_max: 4, small_blind: 1, big_blind: 2, ..cash() }, 3, 100)),
        ("limit", holdem_hands(&limit, 4, 200)),
        ("stud", stud_hands(&stud, 5, 400)),
    ]
}

/// What was written is read again, and played again to the same chips.
#[test]
fn hands_are_read_and_replayed_as_they_were_written() {
    for (name, hands) in hands() {
        let read = parse(&document(&hands)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read.len(), hands.len());
        for (number, (hand, read)) in (1..).zip(hands.iter().zip(&read)) {
            assert_eq!(hand, read, "{name} {number}");
            let replayed = replay(read)
                .unwrap_or_else(|error| panic!("{name} {number}: {error}\n{}", document(&hands[number - 1..number])));
            let chips = hand.finishing_stacks.iter().zip(&hand.starting_stacks);
            assert_eq!(
                replayed.payoffs,
                chips.map(|(after, before)| after - before).collect::<Vec<_>>(),
                "{name} {number}"
            );
        }
    }
}

/// What a script of PokerKit's prints.
fn pokerkit(script: &str, arguments: &[&OsStr]) -> Option<Vec<u8>> {
    let python = match python() {
        Ok(python) => python,
        Err(reason) => {
            assert!(env::var_os("HATTARI_REQUIRE_POKERKIT").is_none(), "PokerKit is wanted: {reason}");
            // Past the captured output of tests, so that it is seen.
            _ = writeln!(
                std::io::stderr(),
                "SKIPPED: {reason}; `pip install pokerkit==0.7.7`, HATTARI_PYTHON names another interpreter"
            );
            return None;
        }
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/pokerkit").join(script);
    let output = Command::new(python).arg(script).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(output.stdout)
}

/// Where our game of a hand differs from PokerKit's: at the first decision that does, or in the payoffs. `lax` counts
/// decisions in which PokerKit alone lets raise again who has acted, as no bet of the street was a whole one yet.
fn difference(hand: &Hand, theirs: &Value, lax: &mut usize) -> Option<String> {
    if let Some(error) = theirs.get("error") {
        return Some(format!("PokerKit: {error}"));
    }
    let ours = match replay(hand) {
        Ok(ours) => ours,
        Err(error) => return Some(error.to_string()),
    };
    let decisions = serde_json::to_value(&ours.decisions).unwrap();
    let (decisions, told) = (decisions.as_array().unwrap(), theirs["decisions"].as_array().unwrap());
    for (number, (ours, theirs)) in (1..).zip(decisions.iter().zip(told)) {
        let mut theirs = theirs.clone();
        let is_lax = theirs.as_object_mut().unwrap().remove("lax") == Some(true.into());
        if is_lax && ours["choices"]["raise"].is_null() && !theirs["choices"]["raise"].is_null() {
            theirs["choices"]["raise"] = Value::Null;
            *lax += 1;
        }
        if *ours != theirs {
            return Some(format!("decision {number}: {ours}, PokerKit has {theirs}"));
        }
    }
    if decisions.len() != told.len() {
        return Some(format!("{} decisions, PokerKit has {}", decisions.len(), told.len()));
    }
    let payoffs = serde_json::to_value(&ours.payoffs).unwrap();
    (payoffs != theirs["payoffs"]).then(|| format!("payoffs {payoffs}, PokerKit has {}", theirs["payoffs"]))
}

#[test]
fn pokerkit_has_the_same_players_act_with_the_same_choices_for_the_same_payoffs() {
    let folder = tempfile::tempdir().unwrap();
    let (mut files, mut all) = (Vec::new(), Vec::new());
    for (name, hands) in hands() {
        let file = folder.path().join(format!("{name}.phhs"));
        fs::write(&file, document(&hands)).unwrap();
        files.push(file);
        all.extend((1..).zip(hands).map(|(number, hand)| (format!("{name} {number}"), hand)));
    }
    let arguments: Vec<&OsStr> = files.iter().map(AsRef::as_ref).collect();
    let Some(output) = pokerkit("replay.py", &arguments) else { return };
    let result: Value = serde_json::from_slice(&output).unwrap();
    let told = result["hands"].as_array().unwrap();
    assert_eq!(told.len(), all.len());
    let mut lax = 0;
    let differences: Vec<String> = (all.iter().zip(told))
        .filter_map(|((name, hand), theirs)| Some(format!("{name}: {}", difference(hand, theirs, &mut lax)?)))
        .collect();
    assert!(differences.is_empty(), "{} differences, the first:\n{}", differences.len(), differences[0]);
    let count = |what: &str| result[what].as_u64().unwrap();
    assert!(lax <= 30, "{lax} of PokerKit's looser re-openings");
    assert!(1000 <= all.len() && 200 <= count("all_ins"), "{} {}", all.len(), count("all_ins"));
    assert!(50 <= count("side_pots") && 5 <= count("splits") && 300 <= count("showdowns"));
}
