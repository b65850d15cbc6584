//! Features of decisions and outcomes that all poker variants share.

use super::card::{self, CardSet};
use super::event::{self, Entry};
use super::hand::{RANKED_MIN, Strength};
use crate::features::FeatureValue;

/// The words that [`action`] returns.
pub const ACTIONS: &[&str] = &[
    "fold",
    "check",
    "call",
    "bet",
    "raise",
    "bring-in",
    "open a card",
];
/// The words that [`facing`] returns.
pub const FACING: &[&str] = &["nothing", "a forced bet", "a bet", "a raise"];
/// The words that [`size`] returns.
pub const SIZES: &[&str] = &[
    "half the pot or less",
    "up to the pot",
    "more than the pot",
    "none",
];
/// The words that [`made`] returns.
pub const MADE: &[&str] = &[
    "high card",
    "pair",
    "one pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
];
/// The words that [`texture`] returns.
pub const TEXTURES: &[&str] = &[
    "no board",
    "dry",
    "paired",
    "three of a suit",
    "paired and three of a suit",
];

/// Returns the features of a choice: the kind of action, and the size of a bet or raise. `added` is
/// the number of chips that the action adds to the bets of the seat on this street.
pub fn choice_values(kind: u8, to_call: i64, added: i64, pot: i64) -> Vec<FeatureValue> {
    vec![action(kind, to_call), size(kind, added, pot)]
}

/// Returns two features of the outcome, `yes` or `no`: `seat` was at the showdown, and the second
/// street was dealt before the seat folded. `in_play` is the set of seats that have not folded.
pub fn outcome_values(seat: u8, in_play: u32, history: &[Entry]) -> Vec<FeatureValue> {
    let own = 1 << seat;
    let is_dealt = |entry: &Entry| entry.kind == event::STREET && 0 < entry.street;
    let folds = |entry: &Entry| entry.kind == event::FOLD && entry.seat == seat;
    let stays = !history
        .iter()
        .any(|entry| folds(entry) && entry.street == 0);
    let is_contested = in_play & own != 0 && in_play != own;
    let sees_second_street = stays && history.iter().any(is_dealt);
    vec![is_contested.into(), sees_second_street.into()]
}

/// Returns the word for a kind of action. The number of chips to call distinguishes a bet from a
/// raise.
pub fn action(kind: u8, to_call: i64) -> FeatureValue {
    FeatureValue::Word(match kind {
        event::FOLD => "fold",
        event::CHECK => "check",
        event::CALL => "call",
        event::RAISE if to_call == 0 => "bet",
        event::RAISE => "raise",
        event::BRING_IN => "bring-in",
        _ => "open a card",
    })
}

/// Returns the last action that the seat must answer: nothing, a forced bet, a bet or a raise.
pub fn facing(to_call: i64, raises: u8) -> FeatureValue {
    FeatureValue::Word(match (to_call, raises) {
        (..=0, _) => "nothing",
        (_, 0) => "a forced bet",
        (_, 1) => "a bet",
        _ => "a raise",
    })
}

/// Returns the size of a bet or raise relative to the pot, or `none` for other actions.
pub fn size(kind: u8, added: i64, pot: i64) -> FeatureValue {
    FeatureValue::Word(match kind {
        event::RAISE if 2 * added <= pot => "half the pot or less",
        event::RAISE if added <= pot => "up to the pot",
        event::RAISE => "more than the pot",
        _ => "none",
    })
}

/// Returns the category of five or more cards. Fewer cards are classified by equal ranks only.
pub fn made(cards: CardSet) -> FeatureValue {
    if RANKED_MIN <= cards.count_ones() {
        return FeatureValue::Word(Strength::of(cards).category().name());
    }
    let in_rank = |rank: u32| (cards >> (4 * rank) & 0xf).count_ones();
    let most = (0..=u32::from(card::ACE)).map(in_rank).max();
    FeatureValue::Word(match most {
        Some(3..) => "three of a kind",
        Some(2) => "pair",
        _ => "high card",
    })
}

/// Returns the decile of a hand among all hands of two cards on this board, from 0 (weakest) to 9.
/// Without community cards, hands are compared by Chen's points.
pub fn decile(hand: CardSet, community: CardSet) -> FeatureValue {
    let strength = |hand: CardSet| match community {
        0 => chen(hand),
        _ => i64::from(Strength::of(hand | community).number()),
    };
    let own = strength(hand);
    let rest = card::DECK & !(hand | community);
    let cards: Vec<u8> = card::cards(rest).collect();
    let (mut below, mut all) = (0_usize, 0);
    for (index, &first) in cards.iter().enumerate() {
        for &second in &cards[..index] {
            let other = strength(1 << first | 1 << second);
            // An equal hand counts half.
            below += usize::from(other <= own) + usize::from(other < own);
            all += 2;
        }
    }
    FeatureValue::Count(u8::try_from((10 * below / all.max(1)).min(9)).unwrap_or(9))
}

/// Returns the points of a starting hand by Chen's formula, times two to avoid fractions.
fn chen(hand: CardSet) -> i64 {
    let mut cards = card::cards(hand);
    let (Some(low), Some(high)) = (cards.next(), cards.next()) else {
        return 0;
    };
    let (low_rank, high_rank) = (i64::from(card::rank(low)), i64::from(card::rank(high)));
    let points = match high_rank {
        12 => 20,
        11 => 16,
        10 => 14,
        9 => 12,
        rank => rank + 2,
    };
    if low_rank == high_rank {
        return (2 * points).max(10);
    }
    let gap = high_rank - low_rank - 1;
    let penalty = match gap {
        0..=2 => 2 * gap,
        3 => 8,
        _ => 10,
    };
    let close = if gap < 2 && high_rank < 10 { 2 } else { 0 };
    let suited = if card::suit(low) == card::suit(high) {
        4
    } else {
        0
    };
    points - penalty + close + suited
}

/// Returns the structure of the community cards: pairs, and three of a suit.
pub fn texture(community: CardSet) -> FeatureValue {
    let paired = (0..13).any(|rank| 1 < (community >> (4 * rank) & 0xf).count_ones());
    let suited = (0..4).any(|suit| 2 < (community & card::CLUBS << suit).count_ones());
    FeatureValue::Word(match (community, paired, suited) {
        (0, ..) => "no board",
        (_, false, false) => "dry",
        (_, true, false) => "paired",
        (_, false, true) => "three of a suit",
        _ => "paired and three of a suit",
    })
}
