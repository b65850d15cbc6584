//! The three games printed in the paper (tables 6 to 8) with the rules of the game: the fuzzy
//! player's view, and its drops. `fuzzy/tables.rs` tests the cards that it turns up.
//!
//! The paper does not print suits; the suits here agree with its text.

use crate::support::{bot, seven_turns};
use crate::table::Table;
use hattari_bots_stud::bots::fuzzy::{Fuzzy, situation};
use hattari_bots_stud::fuzzy::Config;
use hattari_plugin::stud::Options;
use hattari_plugin::stud::card::{parse_list, set_of};

/// Cards of the other player and of the system, and their actions up to the opening on turn 6.
const TABLE_6: &str = "3dKs5h6s7d9c2c | Js6dQcJhTc9d2h";
const BETS_6: &str = "raise 10, raise 12, stay, raise 15, raise 17, stay, raise 20, raise 62, stay, raise 50, raise 175, stay, \
                      raise 15, raise 88, stay";
const TABLE_7: &str = "9dQsAc7d6sJcQd | Kh8h9hTdJh7h9s";
const BETS_7: &str = "raise 10, stay, raise 10, stay, raise 50, stay, raise 100, raise 181, stay, raise 512, raise 1024, stay";
const TABLE_8: &str = "Ts4cKcAd6h5s4d | 9h8d7h2sJhQd3c";
const BETS_8: &str = "raise 10, raise 12, stay, raise 34, stay, raise 102, raise 121, stay, raise 344, raise 400, stay, \
                      raise 1144, raise 1951, stay";

fn table(cards: &str, moves: &str) -> Table<Options> {
    Table::new(seven_turns(), 2, cards).then(moves)
}

/// The printed bets give the printed pots, and the system's answers are within the limits of the
/// rules.
#[test]
fn the_published_bets_are_legal_and_give_the_published_pots() {
    for (cards, bets, pot) in [
        (TABLE_6, BETS_6, 718),
        (TABLE_7, BETS_7, 2560),
        (TABLE_8, BETS_8, 5046),
    ] {
        let view = table(cards, bets).view();
        assert_eq!(
            (view.pot, view.street_pot, view.street),
            (pot, pot, 5),
            "{cards}"
        );
    }
}

#[test]
fn the_fuzzy_situation_matches_the_view_of_the_game() {
    let table = table(
        TABLE_7,
        "raise 10, stay, raise 10, stay, raise 50, stay, raise 100",
    );
    let seen = situation(&table.view());
    let set = |text: &str| set_of(&parse_list(text).unwrap());
    assert_eq!((seen.turn, seen.pot, seen.bet), (4, 150, 100));
    assert_eq!(
        (seen.own, seen.shown, seen.opponent),
        (set("Kh8h9hTdJh7h"), set("9hTdJh7h"), set("Ac7d6sJc"))
    );
    // After a raise, the bet is the amount of the raise.
    let raised = situation(&table.then("raise 181").view());
    assert_eq!((raised.turn, raised.pot, raised.bet), (4, 150, 81));
}

/// Inferior without prospects, the player turns up a random card and then drops at any bet.
#[test]
fn an_inferior_hand_without_prospects_is_dropped_at_the_next_bet() {
    let cards = "AcAd Kc Kd 9h 5s Ah | 2c 7d 9s 4h Jd 6c 3s";
    let mut player: Fuzzy = bot(Config {
        bluff: false,
        ..Config::default()
    });
    let table = table(cards, &"raise 10, stay, ".repeat(5)).then("open Ah");
    let opened = table.choice(&mut player);
    let suits = [("♣", "c"), ("♦", "d"), ("♥", "h"), ("♠", "s")];
    let card = suits.iter().fold(
        opened.strip_prefix("turn up ").unwrap().to_owned(),
        |card, (sign, letter)| card.replace(sign, letter),
    );
    let table = table.then(&format!("open {card}, raise 10"));
    assert_eq!(table.choice(&mut player), "fold");
}
