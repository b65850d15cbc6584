//! The features of gifts in the exchange: the cards given and the hand that remains.

use super::plan::{Plan, plan};
use super::ranks::cap;
use super::view::PolicyView;
use super::weights::{Groups, Policy, PolicyInput, weights};
use hattari_games::daihinmin::card::{
    COLUMN_8, CardSet, DIAMOND_3, JOKER_SET, SPADE_3, SUITED, column_set,
};
use hattari_games::daihinmin::{Action, phase};

/// The feature groups of a [`GiftPolicy`](super::GiftPolicy); a type without values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GiftFeatures {}

/// The hand before the gift, and the plan for it.
#[derive(Clone, Copy, Debug)]
pub struct GiftContext<'a> {
    sight: &'a PolicyView,
    plan: Plan,
}

impl Groups<7> for GiftFeatures {
    const NAMES: [&'static str; 7] = [
        "rest", "gain", "ranks", "special", "broken", "order", "cuts",
    ];
    const SIZES: [u16; 7] = [64, 32, 256, 32, 32, 64, 64];
}

impl PolicyInput<7> for GiftFeatures {
    weights!(GiftFeatures, 7, shipped: "gift.txt", learned: "learned-gift.txt");
    const PHASE: u8 = phase::EXCHANGE;
    type Judge<'a> = GiftContext<'a>;

    fn judge(sight: &PolicyView) -> GiftContext<'_> {
        GiftContext {
            sight,
            plan: plan(sight.hand, sight.unseen, false, sight.situation.rules),
        }
    }

    fn feature_indices(context: &GiftContext<'_>, gift: &Action) -> [u16; 7] {
        let sight = context.sight;
        let rest = sight.hand & !gift.cards;
        // Another seat will hold the cards given.
        let left = plan(
            rest,
            sight.unseen | gift.cards,
            false,
            sight.situation.rules,
        );
        let one = u16::from(gift.cards.is_power_of_two());
        let [low, high] = lowest_and_highest_rank(gift.cards);
        let has = |set: CardSet, cards: CardSet| u16::from(set & cards != 0);
        let kept_eights = (rest & column_set(COLUMN_8)).count_ones().min(3) as u16;
        let given_eights = (gift.cards & column_set(COLUMN_8)).count_ones().min(3) as u16;
        [
            cap(left.turns, 7) << 3 | cap(left.beatable(), 7),
            cap(context.plan.turns, 7)
                .abs_diff(cap(left.turns, 7))
                .min(3)
                << 2
                | cap(context.plan.beatable(), 7)
                    .saturating_sub(cap(left.beatable(), 7))
                    .min(3)
                | one << 4,
            high << 4 | low,
            has(gift.cards, DIAMOND_3)
                | has(rest, DIAMOND_3) << 1
                | has(gift.cards, SPADE_3) << 2
                | has(rest, JOKER_SET) << 3
                | one << 4,
            broken(sight.hand, gift.cards) << 1 | one,
            cap(left.sure, 7) << 3 | cap(left.weak, 7),
            kept_eights << 4 | given_eights << 2 | cap(left.near, 3),
        ]
    }
}

/// Returns the ranks of the weakest and the strongest card; 15 is the joker.
fn lowest_and_highest_rank(cards: CardSet) -> [u16; 2] {
    let suited = cards & SUITED;
    let rank = |cell: u32| ((cell / 4) & 15) as u16;
    let low = if suited == 0 {
        15
    } else {
        rank(suited.trailing_zeros())
    };
    let high = if cards & JOKER_SET != 0 {
        15
    } else {
        rank(suited.ilog2())
    };
    [low, high]
}

/// Returns the number of cards that remain of the ranks given away, at most 7. Adds 8 if two cards
/// of one rank are given.
fn broken(hand: CardSet, given: CardSet) -> u16 {
    let ranks = (1..=13)
        .map(column_set)
        .filter(|column| given & column != 0);
    let left: u32 = ranks
        .clone()
        .map(|column| (hand & !given & column).count_ones())
        .sum();
    let together = given & SUITED != 0 && given.count_ones() == 2 && ranks.count() == 1;
    left.min(7) as u16 | u16::from(together) << 3
}
