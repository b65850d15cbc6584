//! The generator lists exactly the plays that a literal implementation of the rules accepts. That
//! implementation tries all subsets of the hand and all cells for the joker, in random positions.

use crate::play::{pick, seeded};
use hattari_games::chance::{below, shuffle};
use hattari_games::daihinmin::card::{self, CardSet, JOKER, JOKER_SET};
use hattari_games::daihinmin::moves::legal_plays;
use hattari_games::daihinmin::{Action, NONE, Situation, check_play, effect, kind, rule};
use rand_chacha::ChaCha8Rng;

/// A cell that a play covers: column and suit.
type Cell = (u8, u8);

/// Implements the rules of shapes literally, on lists of cells instead of bits.
fn word_for_word(cards: CardSet, joker: u8) -> Option<Action> {
    let has_joker = cards & JOKER_SET != 0;
    let mut covered: Vec<Cell> = card::cells(cards & !JOKER_SET)
        .map(|cell| (cell / 4, cell % 4))
        .collect();
    let action = |kind, column, suits| Action {
        cards,
        cells: 0,
        kind,
        count: u8::try_from(cards.count_ones()).unwrap(),
        column,
        suits,
        joker: if has_joker { joker } else { NONE },
        effects: 0,
        reserved: 0,
    };
    if has_joker && covered.is_empty() {
        // The lone joker is listed once, with the cell of the joker itself.
        return (joker == JOKER).then(|| action(kind::SINGLE, 15, 0));
    }
    if has_joker && joker != JOKER {
        if covered.contains(&(joker / 4, joker % 4)) {
            return None;
        }
        covered.push((joker / 4, joker % 4));
    }
    covered.sort_unstable();
    let lowest = covered[0].0;
    let suits = covered
        .iter()
        .fold(0, |suits, &(_, suit)| suits | 1 << suit);
    let cells = covered
        .iter()
        .fold(0, |cells, &(column, suit)| cells | 1 << (4 * column + suit));
    let whole = |play: Action| Some(Action { cells, ..play });
    if covered.iter().all(|&(column, _)| column == lowest) {
        if has_joker && joker == JOKER && covered.len() != 4 {
            return None;
        }
        return whole(action(
            if cards.count_ones() == 1 {
                kind::SINGLE
            } else {
                kind::GROUP
            },
            lowest,
            suits,
        ));
    }
    let one_suit = covered.iter().all(|&(_, suit)| suit == covered[0].1);
    let neighbours = covered.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1);
    if one_suit && neighbours && covered.len() >= 3 && joker != JOKER {
        return whole(action(kind::SEQUENCE, lowest, suits));
    }
    None
}

/// Implements the rules of which play beats which.
fn may_be_laid(play: &Action, on: &Situation) -> bool {
    let table = &on.table;
    if play.kind == kind::SEQUENCE && on.rules & rule::SEQUENCES == 0 {
        return false;
    }
    if table.kind == kind::PASS {
        return true;
    }
    let lone_joker = |play: &Action| play.cards == JOKER_SET;
    if lone_joker(table) {
        return play.to_string() == "S3";
    }
    if lone_joker(play) {
        return table.kind == kind::SINGLE;
    }
    if play.kind != table.kind
        || play.count != table.count
        || (on.lock && play.suits != table.suits)
    {
        return false;
    }
    let columns = |play: &Action| {
        card::cells(play.cells)
            .map(card::column)
            .collect::<Vec<_>>()
    };
    // Every card must beat every card.
    columns(play).iter().all(|&new| {
        columns(table)
            .iter()
            .all(|&old| if on.reversed { new < old } else { old < new })
    })
}

/// Implements the rules of effects.
fn effects(play: &Action, on: &Situation) -> u8 {
    let covers = |column| card::cells(play.cells).any(|cell| card::column(cell) == column);
    let has = |switch| on.rules & switch != 0;
    let mut effects = 0;
    if has(rule::EIGHT_CUT) && covers(card::COLUMN_8) || on.table.cards == JOKER_SET {
        effects |= effect::CUT;
    }
    let long = play.kind == kind::GROUP && play.count >= 4
        || play.kind == kind::SEQUENCE && play.count >= 5;
    if has(rule::REVOLUTION) && long {
        effects |= effect::REVOLUTION;
    }
    if has(rule::ELEVEN_BACK) && covers(card::COLUMN_J) {
        effects |= effect::ELEVEN_BACK;
    }
    let same_suits = !on.table.is_pass() && play.suits == on.table.suits;
    if has(rule::LOCK) && same_suits && !on.lock && effects & effect::CUT == 0 {
        effects |= effect::LOCK;
    }
    effects
}

/// Returns all legal plays by trying all subsets and joker cells.
fn all_by_trial(hand: CardSet, on: &Situation) -> Vec<Action> {
    let cards: Vec<u8> = card::cells(hand).collect();
    let mut plays = Vec::new();
    for subset in 1_u32..1 << cards.len() {
        let chosen = cards
            .iter()
            .enumerate()
            .filter(|&(index, _)| subset >> index & 1 == 1);
        let set = chosen.fold(0, |set, (_, &card)| set | 1 << card);
        let places = if set & JOKER_SET == 0 {
            NONE..=NONE
        } else {
            0..=JOKER
        };
        for joker in places {
            let shaped = word_for_word(set, joker);
            let legal = shaped.filter(|play| may_be_laid(play, on));
            let legal = legal.map(|play| Action {
                effects: effects(&play, on),
                ..play
            });
            plays.extend(legal);
            // The check of single plays must agree in each case. It accepts any cell for a lone
            // joker.
            if set != JOKER_SET || joker == JOKER {
                let bare = Action {
                    cards: set,
                    joker,
                    ..Action::PASS
                };
                assert_eq!(
                    check_play(&bare, hand, on).ok(),
                    legal,
                    "{} joker {joker}",
                    card::describe(set)
                );
            }
        }
    }
    plays
}

/// Returns 1 to 9 cards from few columns or suits, so that groups and sequences are frequent.
fn hand(chance: &mut ChaCha8Rng) -> CardSet {
    let mut deck: Vec<u8> = card::cells(card::PACK).collect();
    let suits = below(chance, 2) + 1;
    match below(chance, 4) {
        0 => deck.retain(|&cell| cell == JOKER || u32::from(cell % 4) < suits),
        1 => {
            let from = u8::try_from(below(chance, 11) + 1).unwrap();
            deck.retain(|&cell| cell == JOKER || (from..from + 3).contains(&(cell / 4)));
        }
        2 => deck.retain(|&cell| cell == JOKER || !(3..=11).contains(&(cell / 4)) || cell % 4 == 1),
        _ => {}
    }
    shuffle(&mut deck, chance);
    deck.truncate(below(chance, 9) as usize + 1);
    let hand: CardSet = deck.into_iter().fold(0, |hand, card| hand | 1 << card);
    if below(chance, 3) == 0 && hand.count_ones() < 9 {
        hand | JOKER_SET
    } else {
        hand
    }
}

/// Returns a random situation: an empty table, or a play from another hand.
fn table(hand: CardSet, chance: &mut ChaCha8Rng) -> Situation {
    let rules = if below(chance, 3) == 0 {
        (below(chance, 128) & 0x7f) as u8
    } else {
        0x0f
    };
    let mut on = Situation {
        table: Action::PASS,
        lock: false,
        reversed: below(chance, 2) == 1,
        rules,
    };
    if below(chance, 4) == 0 {
        return on;
    }
    let mut other = self::hand(chance) & !hand;
    if other.count_ones() < 2 {
        other |= JOKER_SET & !hand;
    }
    let plays = all_by_trial(other, &on);
    // Long plays are rare, so the number of cards is drawn first.
    let count = below(chance, 5) + 1;
    let some: Vec<Action> = plays
        .iter()
        .filter(|play| u32::from(play.count) == count)
        .copied()
        .collect();
    let some = if some.is_empty() { plays } else { some };
    if !some.is_empty() {
        on.table = some[pick(chance, some.len())];
        on.lock = !on.table.is_lone_joker() && below(chance, 2) == 1;
    }
    on
}

#[test]
fn generated_plays_equal_the_legal_plays_found_by_search() {
    let mut chance = seeded(20);
    let mut generated = Vec::new();
    let (mut kinds, mut with_joker, mut follows) = ([0; 5], 0, 0);
    for _ in 0..6000 {
        let hand = hand(&mut chance);
        let on = table(hand, &mut chance);
        legal_plays(hand, &on, &mut generated);
        assert_eq!(generated[0], Action::PASS);
        let mut expected = all_by_trial(hand, &on);
        let mut listed = generated[1..].to_vec();
        for play in &listed {
            kinds[usize::from(play.kind)] += 1;
            with_joker += usize::from(play.uses_joker());
            follows += usize::from(!on.table.is_pass());
        }
        let key = |play: &Action| (play.kind, play.cards, play.joker);
        expected.sort_unstable_by_key(key);
        listed.sort_unstable_by_key(key);
        assert_eq!(listed, expected, "{} on {on:?}", card::describe(hand));
    }
    // The test is useful only if every kind of play occurred often.
    assert!(kinds[1..4].iter().all(|&count| count > 1000), "{kinds:?}");
    assert!(
        with_joker > 5000 && follows > 2000,
        "{with_joker} with the joker, {follows} on a play"
    );
}

#[test]
fn legal_plays_are_ordered_by_kind_and_column() {
    let mut chance = seeded(21);
    let mut plays = Vec::new();
    for _ in 0..2000 {
        let hand = hand(&mut chance);
        let on = table(hand, &mut chance);
        legal_plays(hand, &on, &mut plays);
        let key = |play: &Action| {
            let is_sequence = u8::from(play.kind == kind::SEQUENCE);
            (play.kind, is_sequence * play.count, play.column)
        };
        assert!(plays.is_sorted_by_key(key), "{}", card::describe(hand));
    }
}
