//! Selection of one legal play without listing the others. Playouts spend most of their time here.

use super::card::{CardSet, JOKER_SET, SPADE_3, SUITED, column_set};
use super::groups::{self, group, group_of_five};
use super::moves::{
    EffectMasks, LONE_JOKER, SPADE_3_ON_JOKER, Situation, columns_holding, lowest, nth_cell, usable,
};
use super::records::{Action, kind, rule};
use super::sequences;
use super::singles::single_in;

/// Returns one of the actions that [`legal_plays`](super::moves::legal_plays) lists. `choose`
/// receives the number of actions and returns an index below this number.
#[inline]
pub fn pick(hand: CardSet, situation: &Situation, choose: impl FnOnce(u32) -> u32) -> Action {
    let table = &situation.table;
    match table.kind {
        kind::PASS => pick_lead(hand, situation, choose),
        kind::SINGLE => pick_single(hand, situation, choose),
        kind::GROUP => pick_group(hand, situation, choose),
        _ => pick_sequence(hand, situation, choose),
    }
}

fn pick_lead(hand: CardSet, situation: &Situation, choose: impl FnOnce(u32) -> u32) -> Action {
    let suited = hand & SUITED;
    let joker = hand & JOKER_SET != 0;
    let of_one = suited.count_ones() + u32::from(joker);
    let columns = columns_holding(suited, if joker { 1 } else { 2 });
    let of_column = |column| {
        let fifth = joker & (suited & column_set(column) == column_set(column));
        groups::count(suited, column, (2, 4), joker) + u32::from(fifth)
    };
    let of_rank: u32 = every_column(columns).map(of_column).sum();
    let has_sequences =
        situation.rules & rule::SEQUENCES != 0 && sequences::has_sequence(suited, joker);
    let of_suit = if has_sequences {
        sequences::count_leads(suited, joker)
    } else {
        0
    };

    let index = choose(1 + of_one + of_rank + of_suit);
    if index == 0 {
        return Action::PASS;
    }
    let index = index - 1;
    if index < of_one {
        return if index < suited.count_ones() {
            single_in(nth_cell(suited, index), situation)
        } else {
            LONE_JOKER
        };
    }
    let mut index = index - of_one;
    let masks = EffectMasks::new(situation);
    for column in every_column(columns) {
        let count = of_column(column);
        if index < count {
            // The group of five is the last of its column.
            return groups::ways_in(suited, column, (2, 4), joker)
                .get(index as usize)
                .map_or_else(
                    || group_of_five(column, &masks),
                    |way| group(way, column, &masks),
                );
        }
        index -= count;
    }
    sequences::nth_lead(suited, joker, index, &masks)
}

#[inline]
fn pick_single(hand: CardSet, situation: &Situation, choose: impl FnOnce(u32) -> u32) -> Action {
    let table = &situation.table;
    if table.is_lone_joker() {
        let answers = u32::from(hand & SPADE_3 != 0);
        return if choose(1 + answers) == 0 {
            Action::PASS
        } else {
            SPADE_3_ON_JOKER
        };
    }
    let higher = usable(hand, situation);
    let count = higher.count_ones();
    let index = choose(1 + count + u32::from(hand & JOKER_SET != 0));
    match index {
        0 => Action::PASS,
        index if index <= count => single_in(nth_cell(higher, index - 1), situation),
        _ => LONE_JOKER,
    }
}

fn pick_group(hand: CardSet, situation: &Situation, choose: impl FnOnce(u32) -> u32) -> Action {
    let table = &situation.table;
    let joker = hand & JOKER_SET != 0;
    let usable = usable(hand, situation);
    // Five cards need the joker, which is already on the table.
    let columns = if table.count > 4 {
        0
    } else {
        columns_holding(usable, table.count - u8::from(joker))
    };
    if columns == 0 {
        choose(1);
        return Action::PASS;
    }
    let suits = situation.lock.then_some(table.suits);
    let of_column = |column| match suits {
        Some(suits) => groups::count_of(usable, column, suits, joker),
        None => groups::count(usable, column, (table.count, table.count), joker),
    };
    let total: u32 = every_column(columns).map(of_column).sum();
    let Some(mut index) = choose(1 + total).checked_sub(1) else {
        return Action::PASS;
    };
    let masks = EffectMasks::new(situation);
    for column in every_column(columns) {
        let count = of_column(column);
        if index < count {
            let way = match suits {
                Some(suits) => {
                    groups::ways_covering(usable, column, suits, joker).nth(index as usize)
                }
                None => groups::ways_in(usable, column, (table.count, table.count), joker)
                    .get(index as usize),
            };
            return way.map_or(Action::PASS, |way| group(way, column, &masks));
        }
        index -= count;
    }
    Action::PASS
}

fn pick_sequence(hand: CardSet, situation: &Situation, choose: impl FnOnce(u32) -> u32) -> Action {
    let joker = hand & JOKER_SET != 0;
    let Some(beating) = sequences::beating_sequences(hand, joker, situation) else {
        choose(1);
        return Action::PASS;
    };
    let index = choose(1 + beating.plays()).checked_sub(1);
    index.map_or(Action::PASS, |index| {
        beating.nth(index, &EffectMasks::new(situation))
    })
}

/// Returns the columns of a set that has at most one bit in each.
fn every_column(mut columns: CardSet) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (columns != 0).then(|| {
            let column = lowest(columns) / 4;
            columns &= columns - 1;
            column
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::card::{self, PACK};
    use super::super::moves::legal_plays;
    use super::*;
    use crate::chance::{below, index, shuffle};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    /// Returns a set of up to 13 cards, often of few ranks or suits, so that groups and sequences
    /// occur.
    fn hand(chance: &mut ChaCha8Rng) -> CardSet {
        let mut deck: Vec<u8> = card::cells(PACK).collect();
        let (suit, from) = (below(chance, 4), below(chance, 11));
        match below(chance, 4) {
            0 => deck
                .retain(|&cell| cell == card::JOKER || u32::from(card::suit(cell)) / 2 == suit / 2),
            1 => deck.retain(|&cell| {
                cell == card::JOKER || (from..from + 4).contains(&u32::from(card::column(cell)))
            }),
            _ => {}
        }
        shuffle(&mut deck, chance);
        deck.truncate(below(chance, 13) as usize + 1);
        let hand = deck.into_iter().fold(0, |hand, card| hand | 1 << card);
        if below(chance, 3) == 0 {
            hand | JOKER_SET
        } else {
            hand
        }
    }

    #[test]
    fn picking_by_index_returns_the_entry_of_the_list_of_legal_plays() {
        let mut chance = ChaCha8Rng::seed_from_u64(30);
        let (mut plays, mut others) = (Vec::new(), Vec::new());
        let mut seen = [0; 4];
        for _ in 0..20_000 {
            let hand = hand(&mut chance);
            let rules = if below(&mut chance, 3) == 0 {
                (below(&mut chance, 128) & 0x7f) as u8
            } else {
                0x0f
            };
            let reversed = below(&mut chance, 2) == 1;
            let mut situation = Situation {
                table: Action::PASS,
                lock: false,
                reversed,
                rules,
            };
            if below(&mut chance, 4) != 0 {
                legal_plays(self::hand(&mut chance) & !hand, &situation, &mut others);
                // A minimum number of cards is drawn, because long plays are rare.
                let count = (below(&mut chance, 6) & 7) as u8;
                others.retain(|play| play.count >= count);
                if !others.is_empty() {
                    situation.table = others[index(&mut chance, others.len())];
                }
                situation.lock = situation.table.suits != 0 && below(&mut chance, 2) == 1;
            }
            legal_plays(hand, &situation, &mut plays);
            for (index, play) in (0..).zip(&plays) {
                let mut told = 0;
                let picked = pick(hand, &situation, |count| {
                    told = count as usize;
                    index
                });
                assert_eq!(
                    (picked, told),
                    (*play, plays.len()),
                    "{} on {situation:?}",
                    card::describe(hand)
                );
                seen[usize::from(play.kind)] += usize::from(index != 0);
            }
        }
        assert!(seen[1..].iter().all(|&count| count > 20_000), "{seen:?}");
    }
}
