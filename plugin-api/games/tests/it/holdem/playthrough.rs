//! Whole deals on paper: `holdem/playthrough.txt`, to be read and reviewed. `UPDATE_GOLDEN=1` writes it anew.

use hattari_games::holdem::{Action, Block, Deal, Holdem, Options, View, kind};
use hattari_games::poker::card::describe;
use hattari_games::{Game, Grant, chance};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::fmt::Write;

/// Whose views are printed.
const SEAT: u8 = 1;

fn words(action: &Action) -> String {
    match action.kind {
        kind::FOLD => "fold".into(),
        kind::CHECK => "check".into(),
        kind::CALL => format!("call {}", action.lowest),
        _ => format!("raise {}-{}", action.lowest, action.highest),
    }
}

fn chips(chips: &[i64], view: &View) -> String {
    chips[..usize::from(view.players)].iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn seats(seats: u16) -> String {
    let list: Vec<String> = (0..9).filter(|seat| seats >> seat & 1 == 1).map(|seat: u8| seat.to_string()).collect();
    if list.is_empty() { "-".into() } else { list.join(" ") }
}

fn print_view(text: &mut String, view: &View) {
    let street = ["preflop", "flop", "turn", "river"][usize::from(view.street)];
    let limit = ["no limit", "pot limit", "fixed limit"][usize::from(view.limit)];
    writeln!(
        text,
        "    view of seat {}: deal {} of {}, {street}, over {}, {limit}, blinds {} {} ante {}",
        view.seat, view.deal, view.deals, view.over, view.small_blind, view.big_blind, view.ante
    )
    .unwrap();
    write!(text, "      hand {} | community {} | pot {}", describe(view.hand), describe(view.community), view.pot)
        .unwrap();
    writeln!(text, " | level {} to call {} | raises {} of {}", view.level, view.to_call, view.raises, view.raises_max)
        .unwrap();
    write!(text, "      stacks {} | bets {}", chips(&view.stacks, view), chips(&view.bets, view)).unwrap();
    writeln!(text, " | paid {} | results {}", chips(&view.paid, view), chips(&view.results, view)).unwrap();
    write!(text, "      button {} | in play {} | all in {}", view.button, seats(view.in_play), seats(view.all_in))
        .unwrap();
    let shown: Vec<String> = view.shown[..usize::from(view.players)].iter().map(|&hand| describe(hand)).collect();
    writeln!(text, " | shown {}", shown.join(" ")).unwrap();
}

fn print_seat(text: &mut String, game: &Holdem, block: &Block, deal: &Deal) {
    let mut view = bytemuck::Zeroable::zeroed();
    game.view(block, deal, SEAT, &mut view);
    print_view(text, &view);
}

/// Mostly calls, folds and small raises; all in now and then.
fn policy(legal: &[Action], chance: &mut ChaCha8Rng) -> Grant<Action> {
    let pick = |wanted: &[u8]| legal.iter().find(|action| wanted.contains(&action.kind)).copied();
    let stay = pick(&[kind::CHECK, kind::CALL]).unwrap();
    let action = match chance::below(chance, 10) {
        0..=1 => pick(&[kind::FOLD]).filter(|_| stay.kind == kind::CALL).unwrap_or(stay),
        2..=4 => pick(&[kind::RAISE]).unwrap_or(stay),
        _ => stay,
    };
    let amount = if chance::below(chance, 6) == 0 { action.highest } else { action.lowest };
    Grant { action, amount }
}

/// The deals of a short block, with everything that happens and all that one seat sees.
fn playthrough(seed: u64) -> String {
    let options = Options { ante: 10, stack: 1500, carry: true, rebuy: 1500, raises_max: 4, ..Options::default() };
    let game = Holdem::new(options).unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let (mut block, mut deal, mut legal) = (game.new_block(4, 3), game.new_deal(), Vec::new());
    let mut text = String::new();
    for number in 1..=3 {
        game.deal(&mut block, &mut chance, &mut deal);
        writeln!(text, "deal {number}\n{}", game.describe_deal(&deal)).unwrap();
        let mut told = 0;
        loop {
            let events = &game.history(&deal)[told..];
            for event in events {
                writeln!(text, "{}", game.describe_event(event)).unwrap();
            }
            told += events.len();
            let Some(seat) = game.to_act(&deal) else { break };
            game.legal(&deal, &mut legal);
            if seat == SEAT {
                print_seat(&mut text, &game, &block, &deal);
                writeln!(text, "      legal: {}", legal.iter().map(words).collect::<Vec<_>>().join(", ")).unwrap();
            }
            let choice = policy(&legal, &mut chance);
            if seat == SEAT {
                writeln!(text, "      choice: {}", game.describe_choice(&choice)).unwrap();
            }
            game.apply(&mut deal, choice);
        }
        print_seat(&mut text, &game, &block, &deal);
        writeln!(text, "{}", game.describe_deal(&deal)).unwrap();
        let mut payoffs = [0; 4];
        game.finish(&mut block, &deal, &mut payoffs);
        writeln!(text, "payoffs {payoffs:?}\n").unwrap();
    }
    text
}

/// Three deals that show much: a side pot, a run-out, chips bought anew.
const SEED: u64 = 205;

#[test]
fn the_deals_on_paper_are_played_again() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/holdem/playthrough.txt");
    let played = playthrough(SEED);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &played).unwrap();
    }
    let golden = std::fs::read_to_string(path).unwrap();
    for (number, (golden, played)) in (1..).zip(golden.lines().zip(played.lines())) {
        assert_eq!(played, golden, "line {number}; UPDATE_GOLDEN=1 accepts what is played now");
    }
    assert_eq!(played.lines().count(), golden.lines().count());
}
