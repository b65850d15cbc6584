//! Features of decisions in tanhinmin.

use super::Tanhinmin;
use super::records::{Action, NONE, View};
use crate::Move;
use crate::features::{
    FeatureInfo, FeatureSink, FeatureValue, Features, PlayStatistic, fewest_of_others,
};

/// The features of decisions in tanhinmin.
pub(super) struct TanhinminFeatures;

impl Features<Tanhinmin> for TanhinminFeatures {
    fn positions(&self) -> &'static [FeatureInfo] {
        &[
            ("turn", &["lead", "follow"]),
            ("own cards", &[]),
            ("fewest cards of an opponent", &[]),
            ("stronger cards unseen", &[]),
        ]
    }

    fn choices(&self) -> &'static [FeatureInfo] {
        &[
            ("type", &["pass", "play"]),
            ("rank gap", &[]),
            ("weaker cards kept", &[]),
        ]
    }

    fn statistics(&self) -> &'static [PlayStatistic] {
        const {
            &[PlayStatistic::decisions(
                "passes",
                "turn: follow",
                "type: pass",
            )]
        }
    }

    fn position(&self, view: &View, tell: &mut FeatureSink<'_>) {
        let leads = view.table == NONE;
        tell(
            "turn",
            FeatureValue::Word(if leads { "lead" } else { "follow" }),
        );
        tell("own cards", FeatureValue::count(view.hand.count_ones()));
        let fewest = fewest_of_others(&view.cards_left, view.seat);
        tell("fewest cards of an opponent", fewest);
        let stronger = match view.table {
            NONE => view.unseen(),
            card => view.unseen() >> card >> 1,
        };
        tell(
            "stronger cards unseen",
            FeatureValue::count(stronger.count_ones()),
        );
    }

    fn choice(&self, view: &View, choice: &Move<Action>, tell: &mut FeatureSink<'_>) {
        let action = &choice.action;
        tell(
            "type",
            FeatureValue::Word(if action.is_pass() { "pass" } else { "play" }),
        );
        if action.is_pass() {
            return;
        }
        // The number of a card is its rank.
        let gap = match view.table {
            NONE => 0,
            table => action.card.saturating_sub(table),
        };
        tell("rank gap", FeatureValue::Count(gap));
        let below = view.hand & ((1 << action.card) - 1);
        tell("weaker cards kept", FeatureValue::count(below.count_ones()));
    }
}
