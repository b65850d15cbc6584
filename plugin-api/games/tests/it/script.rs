//! Deals of poker games as scripts: the legal actions and the choice of each seat, line by line.
//! `rulings.txt` of each game contains scripts and explains them.

use crate::conformance::{Variation, game};
use crate::playthrough::offered;
use hattari_games::poker::card::{DECK, cards, parse_list, set_of};
use hattari_games::poker::{Deal, Poker, Variant};
use hattari_games::{Game, GameTypes, Move};

/// Starts a deal with these chips and cards; the rest of the deck is in order.
fn start<V: Variant>(variation: Variation<'_>, stacks: &[i64], dealt: &str) -> (Poker<V>, Deal) {
    let (game, _) = game::<Poker<V>>(variation);
    let mut block = game.new_block(stacks.len(), 1);
    block.memory.stacks[..stacks.len()].copy_from_slice(stacks);
    let mut deck = parse_list(&dealt.replace('|', " ")).unwrap();
    deck.extend(cards(!set_of(&deck) & DECK));
    let mut deal = game.new_deal();
    game.start(&block, &deck.try_into().unwrap(), &mut deal)
        .unwrap();
    (game, deal)
}

/// Plays a line of a script.
fn step<V: Variant>(game: &Poker<V>, deal: &mut Deal, line: &str, what: &str) {
    let (seat, rest) = line.split_once(':').expect(what);
    let to_act = game.to_act(deal).map(|seat| seat.to_string());
    assert_eq!(to_act.as_deref(), Some(seat), "the seat to act, {what}");
    let (expected, choice) = rest.split_once('>').unwrap_or((rest, ""));
    let (expected, choice) = (expected.trim(), choice.trim());
    let legal = game.legal_actions(deal);
    if !expected.is_empty() {
        let offers: Vec<String> = legal.iter().map(|action| offered(game, action)).collect();
        assert_eq!(offers.join(", "), expected, "what is legal, {what}");
    }
    if choice.is_empty() {
        return;
    }
    let amount = choice.rsplit(' ').next().unwrap().parse().unwrap_or(0);
    let fits = |action: &&V::Action| match Poker::<V>::amounts(action) {
        Some((lowest, highest)) => {
            choice.starts_with("Raise") && (lowest..=highest).contains(&amount)
        }
        None => game.offer(action).words.starts_with(choice),
    };
    let action = legal.iter().find(fits);
    let action = *action.unwrap_or_else(|| panic!("the choice is not legal, {what}"));
    game.apply(deal, Move { action, amount });
}

/// Plays a script. Returns the game and the deal after it.
pub(crate) fn play<V: Variant>(
    variation: Variation<'_>,
    stacks: &[i64],
    cards: &str,
    moves: &str,
) -> (Poker<V>, Deal) {
    let (game, mut deal) = start(variation, stacks, cards);
    for line in moves.lines() {
        step(&game, &mut deal, line.trim(), line);
    }
    (game, deal)
}

/// Plays all scripts of a file with rulings. `dealt` are the cards of scripts that name none.
pub(crate) fn check_rulings<V: Variant>(file: &str, dealt: &str) {
    let chips = |text: &str| -> Vec<i64> {
        let chips = text.split(' ').map(|chips| chips.parse().expect(text));
        chips.collect()
    };
    for ruling in file.split("\n\n").skip(2) {
        let (name, lines) = ruling.split_once('\n').unwrap();
        let (mut variation, mut cards) = ((V::PRESETS[0], "{}"), dealt);
        let (mut game, mut deal) = start::<V>(variation, &[1000; 2], cards);
        let mut total = 0;
        for line in lines.lines().map(str::trim) {
            let what = format!("{name}: `{line}`");
            match line.split_once(' ').expect(&what) {
                ("--", _) => {}
                ("rules", rules) => variation = rules.split_once(' ').expect(&what),
                ("cards", named) => cards = named,
                ("stacks", stacks) => {
                    let stacks = chips(stacks);
                    total = stacks.iter().sum();
                    (game, deal) = start(variation, &stacks, cards);
                }
                ("ends", ends) => {
                    let ends = chips(ends);
                    assert_eq!(game.to_act(&deal), None, "{what}: {deal:?}");
                    assert_eq!(deal.betting.stacks[..ends.len()], ends, "{what}");
                    assert_eq!(ends.iter().sum::<i64>(), total, "{what}");
                }
                ("paid", paid) => assert!(deal.betting.paid.starts_with(&chips(paid)), "{what}"),
                _ => step(&game, &mut deal, line, &what),
            }
        }
    }
}
