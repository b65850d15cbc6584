//! The features of the full policy: those of the light policy, and the hand that an action leaves.

use super::features::{LightContext, LightFeatures, PASS, class, level};
use super::plan::{Plan, plan};
use super::ranks::cap;
use super::view::PolicyView;
use super::weights::{Groups, Policy, PolicyInput, weights};
use hattari_games::daihinmin::{Action, effect, kind};

/// The feature groups of a [`FullPolicy`](super::FullPolicy); a type without values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullFeatures {}

/// The features of the light policy, and the plan for the current hand.
#[derive(Clone, Copy, Debug)]
pub struct FullContext<'a> {
    pub(super) light: LightContext<'a>,
    pub(super) plan: Plan,
    /// Number of other seats that can still act in the trick, at most 3.
    pub(super) waiting: u16,
    /// Number of seats without cards.
    pub(super) out: u16,
    /// Class of the number of cards of the next seat. The classes 0 to 3 are 1, 2, 3, more.
    next: u16,
}

impl Groups<14> for FullFeatures {
    const NAMES: [&'static str; 14] = [
        "shape", "cost", "after", "danger", "effect", "step", "joker", "plan", "near", "gain",
        "next", "place", "need", "table",
    ];
    const SIZES: [u16; 14] = [
        256, 256, 96, 144, 16, 60, 33, 192, 120, 128, 144, 160, 48, 104,
    ];
}

impl PolicyInput<14> for FullFeatures {
    weights!(FullFeatures, 14, shipped: "full.txt", learned: "learned-full.txt");
    type Judge<'a> = FullContext<'a>;

    fn judge(sight: &PolicyView) -> FullContext<'_> {
        FullContext {
            light: LightFeatures::judge(sight),
            plan: plan(
                sight.hand,
                sight.unseen,
                sight.revolution,
                sight.situation.rules,
            ),
            waiting: u16::from(sight.waiting.min(3)),
            out: u16::from(sight.out.min(3)),
            next: u16::from(sight.next.clamp(1, 4) - 1),
        }
    }

    fn feature_indices(context: &FullContext<'_>, action: &Action) -> [u16; 14] {
        context.features_and_plan(action).0
    }
}

impl FullContext<'_> {
    /// Returns the features of an action, and the plan for the hand that it leaves.
    pub(super) fn features_and_plan(&self, action: &Action) -> ([u16; 14], Plan) {
        let [a, b, c, d, e, f, g] = LightFeatures::feature_indices(&self.light, action);
        let sight = self.light.sight;
        let (left, [h, i, j, k, l, m, n]) = if action.is_pass() {
            (self.plan, self.of_pass())
        } else {
            let turned = action.effects & effect::REVOLUTION != 0;
            let rest = sight.hand & !action.cards;
            let left = plan(
                rest,
                sight.unseen,
                sight.revolution != turned,
                sight.situation.rules,
            );
            (left, self.of_play(action, &left))
        };
        ([a, b, c, d, e, f, g, h, i, j, k, l, m, n], left)
    }

    fn of_play(&self, play: &Action, left: &Plan) -> [u16; 7] {
        let sight = self.light.sight;
        let rest = sight.hand & !play.cards;
        let beaten = if rest == 0 {
            0
        } else {
            self.light.beaten_by(play)
        };
        let class = class(play);
        let leads = u16::from(self.light.leads);
        let level = level(play, self.light.reversed);
        [
            beatable(left) << 4 | cap(left.sure, 3) << 2 | u16::from(beaten == 0) << 1 | leads,
            cap(left.near, 2) << 5 | cap(left.turns, 7) << 2 | beaten,
            self.gain(left) << 4 | class << 1 | leads,
            self.next << 5 | self.waiting << 3 | level >> 1,
            self.out << 5 | beatable(&self.plan) << 2 | beaten,
            beatable(&self.plan) << 3 | class,
            self.table_feature(play, level),
        ]
    }

    fn of_pass(&self) -> [u16; 7] {
        let sight = self.light.sight;
        let wins = u16::from(sight.wins_by_passing());
        let leads = u16::from(self.light.leads);
        [
            96 | beatable(&self.plan) << 4 | cap(self.plan.sure, 3) << 2 | wins << 1 | leads,
            96 | cap(self.plan.near, 2) << 3 | cap(self.plan.turns, 7),
            PASS << 1 | leads,
            128 | self.next << 2 | self.waiting,
            128 | self.out << 3 | beatable(&self.plan),
            beatable(&self.plan) << 3 | PASS,
            72 + (u16::from(sight.own_table) << 4
                | self.light.danger << 2
                | u16::from(sight.situation.table.kind & 3)),
        ]
    }

    /// Returns the class of the change in the number of beatable plays. 0: at least two fewer. If
    /// no sure play was used, 1 to 4: one fewer, equal, one more, at least two more. If a sure play
    /// was used, 5 to 7: one fewer, equal, more.
    fn gain(&self, left: &Plan) -> u16 {
        let (before, after) = (i16::from(self.plan.beatable()), i16::from(left.beatable()));
        let spent = left.sure < self.plan.sure;
        match after - before {
            ..=-2 => 0,
            -1 if spent => 5,
            -1 => 1,
            0 if spent => 6,
            0 => 2,
            _ if spent => 7,
            1 => 3,
            _ => 4,
        }
    }

    /// Returns the feature `table`. For a lead, it combines the class of the fewest cards of another
    /// seat (`danger`) with a flag for singles. For other plays, it combines half the strength level
    /// of the play with the seat that played last: its class of card count, and whether it is the
    /// acting seat.
    fn table_feature(&self, play: &Action, level: u16) -> u16 {
        let sight = self.light.sight;
        if self.light.leads {
            return u16::from(play.kind == kind::SINGLE) << 2 | self.light.danger;
        }
        let owner = u16::from(sight.owner.clamp(1, 4) - 1);
        8 + (u16::from(sight.own_table) << 5 | owner << 3 | level >> 1)
    }
}

fn beatable(plan: &Plan) -> u16 {
    cap(plan.beatable(), 5)
}
