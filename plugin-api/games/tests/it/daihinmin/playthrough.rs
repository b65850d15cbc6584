//! One whole deal on paper: `daihinmin/playthrough.txt`, to be read and reviewed. `UPDATE_GOLDEN=1` writes it anew.

use hattari_games::daihinmin::card::describe;
use hattari_games::daihinmin::{Action, Daihinmin, NONE, Options, View, kind, phase};
use hattari_games::{Game, Grant};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::fmt::Write;

/// Whose views are printed.
const SEAT: u8 = 1;
/// Legal actions that are printed of a longer list.
const LISTED: usize = 24;

/// The weakest play of the most cards; gives away the weakest cards.
fn policy(legal: &[Action], reversed: bool) -> Action {
    if legal[0].kind == kind::GIVE {
        return *legal.last().unwrap();
    }
    let strength = |action: &Action| if reversed { 15 - action.column % 15 } else { action.column };
    let plays = legal.iter().filter(|action| !action.is_pass());
    *plays.min_by_key(|action| (action.uses_joker(), strength(action), 15 - action.count)).unwrap_or(&legal[0])
}

fn seats(seats: u8) -> String {
    let list: Vec<String> = (0..5).filter(|seat| seats >> seat & 1 == 1).map(|seat: u8| seat.to_string()).collect();
    if list.is_empty() { "-".into() } else { list.join(" ") }
}

fn numbers<T: Into<i64> + Copy>(numbers: &[T; 5]) -> String {
    let text = |&number: &T| if number.into() == i64::from(NONE) { "-".into() } else { number.into().to_string() };
    numbers.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn print_view(text: &mut String, view: &View) {
    let phase = ["exchange", "play", "over"][usize::from(view.phase)];
    let table = if view.table_seat == NONE { "-".into() } else { format!("{} by {}", view.table, view.table_seat) };
    writeln!(text, "    view of seat {}: {phase}, deal {} of {}, give {}", view.seat, view.deal, view.deals, view.give)
        .unwrap();
    writeln!(
        text,
        "      hand {} | given {} | received {}",
        describe(view.hand),
        describe(view.given),
        describe(view.received)
    )
    .unwrap();
    let (revolution, lock, back) = (view.revolution, view.lock, view.eleven_back);
    write!(text, "      table {table} | revolution {revolution} lock {lock} eleven-back {back}").unwrap();
    writeln!(text, " | passed {} | out {}", seats(view.passed), seats(view.out)).unwrap();
    write!(text, "      players {} | titles {}", numbers(&view.players), numbers(&view.titles)).unwrap();
    write!(text, " | points {} | left {}", numbers(&view.points), numbers(&view.cards_left)).unwrap();
    writeln!(text, " | places {}", numbers(&view.places)).unwrap();
    writeln!(text, "      gone {}", describe(view.gone)).unwrap();
}

/// The second deal of a block, with everything that happens and all that one seat sees.
fn playthrough(seed: u64) -> String {
    let game = Daihinmin::new(Options::default()).unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let (mut block, mut deal, mut legal) = (game.new_block(5, 100), game.new_deal(), Vec::new());
    let mut text = String::new();
    for printed in [false, true] {
        text.clear();
        game.deal(&mut block, &mut chance, &mut deal);
        let mut told = 0;
        loop {
            let events = &game.history(&deal)[told..];
            for event in events {
                writeln!(text, "{}", game.describe_event(event)).unwrap();
            }
            told += events.len();
            let Some(seat) = game.to_act(&deal) else { break };
            if game.history(&deal).is_empty() {
                writeln!(text, "{}", game.describe_deal(&deal)).unwrap();
            }
            game.legal(&deal, &mut legal);
            if printed && seat == SEAT && (legal.len() > 1 || deal.public(&block).phase == phase::EXCHANGE) {
                let mut view = bytemuck::Zeroable::zeroed();
                game.view(&block, &deal, seat, &mut view);
                print_view(&mut text, &view);
                let mut plays: Vec<String> = legal.iter().take(LISTED).map(ToString::to_string).collect();
                if legal.len() > LISTED {
                    plays.push("…".into());
                }
                writeln!(text, "      legal {}: {}", legal.len(), plays.join(", ")).unwrap();
            }
            let reversed = deal.public(&block).revolution != 0;
            let action = policy(&legal, reversed);
            if action.kind == kind::GIVE {
                writeln!(text, "(seat {seat} gives {action})").unwrap();
            }
            game.apply(&mut deal, Grant { action, amount: 0 });
        }
        writeln!(text, "{}", game.describe_deal(&deal)).unwrap();
        let mut payoffs = [0; 5];
        game.finish(&mut block, &deal, &mut payoffs);
        writeln!(text, "payoffs by player {}", numbers(&payoffs)).unwrap();
    }
    text
}

/// A deal that shows much: the printed seat is the daihinmin, there are locks, cuts, a revolution and the joker.
const SEED: u64 = 4394;

#[test]
fn the_deal_on_paper_is_played_again() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/daihinmin/playthrough.txt");
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
