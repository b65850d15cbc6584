//! Features of decisions in tanhinmin.

use super::Tanhinmin;
use super::records::{Action, NONE, View};
use crate::Move;
use crate::features::{FeatureInfo, FeatureValue, Features, PlayStatistic, fewest_of_others};

impl Features<Tanhinmin> for Tanhinmin {
    const POSITIONS: &'static [FeatureInfo] = &[
        ("turn", &["lead", "follow"]),
        ("own cards", &[]),
        ("fewest cards of an opponent", &[]),
        ("stronger cards unseen", &[]),
    ];
    const CHOICES: &'static [FeatureInfo] = &[
        ("type", &["pass", "play"]),
        ("rank gap", &[]),
        ("weaker cards kept", &[]),
    ];
    const STATISTICS: &'static [PlayStatistic] = &[PlayStatistic::decisions(
        "passes",
        "turn: follow",
        "type: pass",
    )];

    fn position_values(view: &View) -> Vec<FeatureValue> {
        let stronger = match view.table {
            NONE => view.unseen(),
            card => view.unseen() >> card >> 1,
        };
        vec![
            u8::from(view.table != NONE).into(),
            view.hand.count_ones().into(),
            fewest_of_others(&view.cards_left, view.seat).into(),
            stronger.count_ones().into(),
        ]
    }

    fn choice_values(view: &View, choice: &Move<Action>) -> Vec<FeatureValue> {
        let Action { kind, card, .. } = choice.action;
        if choice.action.is_pass() {
            return vec![kind.into()];
        }
        // The number of a card is its rank.
        let gap = match view.table {
            NONE => 0,
            table => card.saturating_sub(table),
        };
        let below = view.hand & ((1 << card) - 1);
        vec![kind.into(), gap.into(), below.count_ones().into()]
    }
}
