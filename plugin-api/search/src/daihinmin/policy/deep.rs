//! The features of the deep policy: those of the full policy, more about the remaining hand, and
//! the state of the deal. The state is the same for all actions of a decision, but hidden units
//! combine it with the other features.

use super::full::{FullContext, FullFeatures};
use super::plan::Plan;
use super::ranks::{cap, columns, counts};
use super::view::PolicyView;
use super::weights::{Groups, Policy, PolicyInput, weights};
use hattari_games::daihinmin::card::{CardSet, JOKER_SET, SPADE_3, SUITED, column_set};
use hattari_games::daihinmin::{Action, effect, kind};

/// The feature groups of a [`DeepPolicy`](super::DeepPolicy); a type without values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeepFeatures {}

impl Groups<41> for DeepFeatures {
    const NAMES: [&'static str; 41] = [
        "shape",
        "cost",
        "after",
        "danger",
        "effect",
        "step",
        "joker",
        "plan",
        "near",
        "gain",
        "next",
        "place",
        "need",
        "table",
        "chance",
        "rest",
        "left",
        "top",
        "low",
        "field",
        "pack",
        "others",
        "joker-about",
        "own",
        "first",
        "second",
        "third",
        "fourth",
        "rank-1",
        "rank-2",
        "rank-3",
        "rank-4",
        "rank-5",
        "rank-6",
        "rank-7",
        "rank-8",
        "rank-9",
        "rank-10",
        "rank-11",
        "rank-12",
        "rank-13",
    ];
    const SIZES: [u16; 41] = [
        256, 256, 96, 144, 16, 60, 33, 192, 120, 128, 144, 160, 48, 104, 72, 192, 192, 64, 64, 256,
        128, 176, 8, 24, 96, 96, 96, 96, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25,
    ];
    const HIDDEN: bool = true;
}

impl PolicyInput<41> for DeepFeatures {
    weights!(DeepFeatures, 41, shipped: "full.txt", learned: "learned-deep.txt");
    type Judge<'a> = FullContext<'a>;

    fn judge(sight: &PolicyView) -> FullContext<'_> {
        FullFeatures::judge(sight)
    }

    fn feature_indices(context: &FullContext<'_>, action: &Action) -> [u16; 41] {
        let (full, left) = context.features_and_plan(action);
        let hand_and_deal = context.hand_and_deal_features(action, &left);
        let seats_and_ranks = context.seat_and_rank_features(action);
        std::array::from_fn(|group| match group {
            0..14 => full[group],
            14..22 => hand_and_deal[group - 14],
            _ => seats_and_ranks[group - 22],
        })
    }
}

impl FullContext<'_> {
    /// Returns the features `chance` to `others`: the remaining hand and the state of the deal.
    fn hand_and_deal_features(&self, action: &Action, left: &Plan) -> [u16; 8] {
        let sight = self.light.sight;
        let leads = u16::from(self.light.leads);
        let pass = u16::from(action.is_pass());
        let rest = sight.hand & !action.cards;
        let cards = (rest.count_ones() & 15) as u16;
        let turned = action.effects & effect::REVOLUTION != 0;
        let reversed = sight.revolution != turned;
        let situation = &sight.situation;
        let table = &situation.table;
        let kind = if table.is_pass() {
            0
        } else {
            (u16::from(table.kind & 3) << 1 | u16::from(table.count > 2)).min(7)
        };
        [
            self.chance(action),
            (pass * 12 + cards.min(11)) << 3 | cap(left.turns, 7),
            pass * 96 + (cap(left.weak, 5) << 4 | cap(left.near, 3) << 2 | cap(left.sure, 3)),
            pass << 5 | self.top(rest, reversed),
            self.low(rest, action, reversed),
            (self.out << 2 | self.light.danger) << 4 | self.light.size << 1 | leads,
            // Number of unseen cards, revolution, lock, and a group or sequence on the table.
            (((sight.unseen.count_ones() / 3) & 15) as u16) << 2
                | u16::from(sight.revolution) << 1
                | u16::from(situation.lock)
                | u16::from(kind > 3) << 6,
            if self.light.leads {
                (self.waiting << 3 | u16::from(sight.waiting_cards / 5).min(7)) << 1
                    | u16::from(sight.own_table)
            } else {
                64 + (kind.min(6) << 4 | self.light.table)
            },
        ]
    }

    /// Returns the features of the joker, of each seat (the acting seat, then the others in turn
    /// order) and of each rank from the weakest. The feature of a rank combines the numbers of
    /// cards left in the seat's own hand and in other hands.
    fn seat_and_rank_features(&self, action: &Action) -> [u16; 19] {
        let sight = self.light.sight;
        let rest = sight.hand & !action.cards;
        let reversed = sight.revolution != (action.effects & effect::REVOLUTION != 0);
        let has = |set: CardSet| u16::from(set & JOKER_SET != 0);
        let (own, unseen) = (counts(rest & SUITED), counts(sight.unseen & SUITED));
        let title = |seat: usize| u16::from(sight.titles[seat].min(5));
        let mut held = [0; 19];
        held[0] = has(rest) << 2 | has(sight.unseen) << 1 | u16::from(reversed);
        held[1] =
            title(usize::from(sight.seat)) << 2 | u16::from(action.is_pass()) << 1 | leads(self);
        for turn in 1..5 {
            let seat = (usize::from(sight.seat) + turn) % 5;
            let cards = CARDS[usize::from(sight.cards_left[seat] & 15)];
            held[1 + turn] = title(seat) << 4 | cards << 1 | u16::from(sight.passed >> seat & 1);
        }
        for rank in 0..13 {
            let column = if reversed { 13 - rank } else { 1 + rank };
            let count = |counts: CardSet| (counts >> (4 * column) & 7) as u16;
            held[6 + rank] = count(own) * 5 + count(unseen);
        }
        held
    }

    /// Returns the feature `chance`. For a play: its type, and the probability in eight steps that
    /// no later seat of the trick can beat it. For a pass: the number of these seats. The unseen
    /// cards are assumed to be dealt at random.
    fn chance(&self, action: &Action) -> u16 {
        let sight = self.light.sight;
        if action.is_pass() {
            return 64 | self.waiting << 1 | u16::from(sight.own_table);
        }
        let class = if action.kind == kind::SEQUENCE {
            3
        } else {
            u16::from(action.count.clamp(1, 3)) - 1
        };
        let beaters = self.light.beaters(action);
        let unseen = sight.unseen.count_ones().max(1);
        let waiting = if action.effects & effect::CUT != 0 {
            0
        } else {
            u32::from(sight.waiting_cards).min(unseen)
        };
        let mut none = 1.0_f32;
        if action.count == 1 {
            // The cards that beat the play must all be in other places; they are placed one by one.
            for drawn in 0..beaters.min(24) {
                none *= unseen.saturating_sub(waiting + drawn) as f32
                    / unseen.saturating_sub(drawn).max(1) as f32;
            }
        } else {
            // The cards of a set must be in one hand; there are about two ways to form each set.
            let hands = f32::from(sight.waiting.max(1));
            let share = waiting as f32 / hands / unseen as f32;
            let together = (1..action.count).fold(share, |product, _| product * share);
            let each = (1.0 - 2.0 * hands * together).max(0.0);
            for _ in 0..beaters.min(16) {
                none *= each;
            }
        }
        let step: u16 = STEPS.iter().map(|&step| u16::from(none < step)).sum();
        (leads(self) << 2 | class) << 3 | step
    }

    /// Returns the feature `top`: the number of cards left of the strongest rank, and three flags:
    /// the joker is left, ♠3 is left, the joker is unseen.
    fn top(&self, rest: CardSet, reversed: bool) -> u16 {
        let strongest = if reversed { THREES } else { TWOS };
        let has = |set: CardSet, cards: CardSet| u16::from(set & cards != 0);
        ((rest & strongest).count_ones().min(3) as u16) << 3
            | has(rest, JOKER_SET) << 2
            | has(rest, SPADE_3) << 1
            | has(self.light.sight.unseen, JOKER_SET)
    }

    /// Returns the feature `low`: the weakest rank left, and the comparison of the action with this
    /// rank: weaker, equal or stronger.
    fn low(&self, rest: CardSet, action: &Action, reversed: bool) -> u16 {
        let held = columns(rest & SUITED);
        if held == 0 {
            return 15;
        }
        let column = if reversed {
            14 - (held.ilog2() / 4).min(14)
        } else {
            held.trailing_zeros() / 4
        };
        let from = if action.is_pass() {
            0
        } else {
            let own = u32::from(super::features::level(action, reversed));
            1 + u16::from(own >= column) + u16::from(own > column)
        };
        from << 4 | (column & 15) as u16
    }
}

fn leads(context: &FullContext<'_>) -> u16 {
    u16::from(context.light.leads)
}

/// Class of each number of cards. The classes 0 to 7 are none, 1, 2, 3, 4, 5 to 6, 7 to 8, more.
pub const CARDS: [u16; 16] = [0, 1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 7, 7, 7, 7, 7];
/// Bounds between the steps of a probability.
const STEPS: [f32; 7] = [0.999, 0.9, 0.75, 0.6, 0.42, 0.25, 0.1];
/// The cells of the twos.
const TWOS: CardSet = column_set(13);
/// The cells of the threes.
const THREES: CardSet = column_set(1);
