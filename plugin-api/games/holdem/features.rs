//! Features of decisions and outcomes in hold'em.

use super::Holdem;
use super::records::{Action, Event, View, street};
use crate::Move;
use crate::features::{FLAG, FeatureInfo, FeatureSink, FeatureValue, Features, PlayStatistic};
use crate::poker::features as poker;

/// The features of decisions in hold'em.
pub(super) struct HoldemFeatures;

/// Name of the outcome feature that is `yes` if the seat was in play on the second street.
const SECOND_STREET: &str = "sees the flop";

impl Features<Holdem> for HoldemFeatures {
    fn positions(&self) -> &'static [FeatureInfo] {
        &[
            ("street", &["preflop", "flop", "turn", "river"]),
            ("facing", poker::FACING),
            ("on the button", FLAG),
            ("opponents left", &[]),
            ("board", poker::TEXTURES),
            ("hand strength", &[]),
        ]
    }

    fn choices(&self) -> &'static [FeatureInfo] {
        &[("action", poker::ACTIONS), ("size", poker::SIZES)]
    }

    fn outcomes(&self) -> &'static [FeatureInfo] {
        &[("showdown", FLAG), (SECOND_STREET, FLAG)]
    }

    fn statistics(&self) -> &'static [PlayStatistic] {
        const {
            &[
                PlayStatistic::deals("VPIP", "street: preflop", "action: call / bet / raise"),
                PlayStatistic::deals("PFR", "street: preflop", "action: bet / raise"),
                PlayStatistic::decisions(
                    "bets or raises: flop",
                    "street: flop",
                    "action: bet / raise",
                ),
                PlayStatistic::decisions(
                    "bets or raises: turn",
                    "street: turn",
                    "action: bet / raise",
                ),
                PlayStatistic::decisions(
                    "bets or raises: river",
                    "street: river",
                    "action: bet / raise",
                ),
                PlayStatistic::decisions(
                    "folds to a bet: preflop",
                    "street: preflop, facing: a bet / a raise",
                    "action: fold",
                ),
                PlayStatistic::decisions(
                    "folds to a bet: flop",
                    "street: flop, facing: a bet / a raise",
                    "action: fold",
                ),
                PlayStatistic::decisions(
                    "folds to a bet: turn",
                    "street: turn, facing: a bet / a raise",
                    "action: fold",
                ),
                PlayStatistic::decisions(
                    "folds to a bet: river",
                    "street: river, facing: a bet / a raise",
                    "action: fold",
                ),
                PlayStatistic::outcomes("goes to showdown", "sees the flop: yes", "showdown: yes"),
                PlayStatistic::winnings("winnings at showdown", "showdown: yes"),
                PlayStatistic::winnings("winnings without showdown", "showdown: no"),
                PlayStatistic::payoff("points when it folds", "", "action: fold"),
            ]
        }
    }

    fn position(&self, view: &View, tell: &mut FeatureSink<'_>) {
        let street = street::NAMES.get(usize::from(view.street));
        tell(
            "street",
            FeatureValue::Word(street.map_or("none", |street| street.0)),
        );
        tell("facing", poker::facing(view.to_call, view.raises));
        tell(
            "on the button",
            FeatureValue::flag(view.seat == view.button),
        );
        let others = view.in_play_count().saturating_sub(1);
        tell("opponents left", FeatureValue::count(others));
        tell("board", poker::texture(view.community));
        tell("hand strength", poker::decile(view.hand, view.community));
    }

    fn choice(&self, view: &View, choice: &Move<Action>, tell: &mut FeatureSink<'_>) {
        let Action { kind, .. } = choice.action;
        let added = choice.amount - view.bets[usize::from(view.seat)];
        poker::tell_choice(kind, view.to_call, added, view.pot, tell);
    }

    fn outcome(&self, view: &View, history: &[Event], tell: &mut FeatureSink<'_>) {
        let history = bytemuck::cast_slice(history);
        poker::tell_outcome(
            (view.seat, view.in_play.into()),
            history,
            SECOND_STREET,
            tell,
        );
    }
}
