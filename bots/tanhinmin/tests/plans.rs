//! Tests of the plans in small situations.

use bytemuck::Zeroable;
use hattari_bots_tanhinmin::bots::plans::{Boss, Eager, Saver, is_certain_win};
use hattari_plugin::NoConfig;
use hattari_plugin::tanhinmin::{Action, Block, Bot, NONE, Options, Turn, View};

fn set(cards: &[u32]) -> u64 {
    cards.iter().fold(0, |set, card| set | 1 << (card - 1))
}

/// Returns a view at a table of three players with three cards each; `table` is a strength, or 0 if
/// empty.
fn view(hand: &[u32], gone: &[u32], table: u8) -> View {
    let table = if table == 0 { NONE } else { table - 1 };
    View {
        seats: 3,
        cards: 3,
        hand: set(hand),
        gone: set(gone),
        table,
        ..View::zeroed()
    }
}

/// Returns the strength of the card that a bot plays, or 0 for a pass.
fn play<B: Bot<Config = NoConfig>>(view: &View) -> u8 {
    let mut legal = Vec::new();
    if view.table != NONE {
        legal.push(Action::PASS);
    }
    let beats = |card: &u8| view.table == NONE || *card > view.table;
    legal.extend(
        (0..9)
            .filter(|card| view.hand >> card & 1 == 1)
            .filter(beats)
            .map(Action::play),
    );
    let mut bot = B::new(NoConfig {}, &Block::new(3, 0, 1, 1, &Options::default())).unwrap();
    let action = legal[bot.act(&Turn::new(view, &[], &legal))];
    if action.is_pass() { 0 } else { action.card + 1 }
}

#[test]
fn eager_plays_the_weakest_card_and_saver_the_second_weakest() {
    let leads = view(&[2, 5, 8], &[], 0);
    assert_eq!((play::<Eager>(&leads), play::<Saver>(&leads)), (2, 5));
    let answers = view(&[2, 5, 8], &[1], 1);
    assert_eq!((play::<Eager>(&answers), play::<Saver>(&answers)), (2, 5));
    let last = view(&[2], &[5, 8], 0);
    assert_eq!((play::<Eager>(&last), play::<Saver>(&last)), (2, 2));
    let beaten = view(&[2, 5], &[8, 9], 9);
    assert_eq!((play::<Eager>(&beaten), play::<Saver>(&beaten)), (0, 0));
}

#[test]
fn boss_goes_out_when_a_win_is_certain() {
    let sure = view(&[2, 8, 9], &[], 0);
    assert!(is_certain_win(&sure));
    assert_eq!((play::<Boss>(&sure), play::<Saver>(&sure)), (9, 8));
    let unsure = view(&[2, 6, 9], &[], 0);
    assert!(!is_certain_win(&unsure));
    assert_eq!(play::<Boss>(&unsure), 6);
    assert!(is_certain_win(&view(&[2, 6, 9], &[7, 8], 0)));
}
