//! Features of decisions and outcomes in hold'em.

use super::records::{Action, Event, View};
use super::{Holdem, Options};
use crate::Move;
use crate::features::{FLAG, FeatureInfo, FeatureValue, Features, PlayStatistic};
use crate::poker::features as poker;

impl Features<Holdem> for Options {
    const POSITIONS: &'static [FeatureInfo] = &[
        ("street", &["preflop", "flop", "turn", "river"]),
        ("facing", poker::FACING),
        ("on the button", FLAG),
        ("opponents left", &[]),
        ("board", poker::TEXTURES),
        ("hand strength", &[]),
    ];
    const CHOICES: &'static [FeatureInfo] = &[("action", poker::ACTIONS), ("size", poker::SIZES)];
    const OUTCOMES: &'static [FeatureInfo] = &[("showdown", FLAG), ("sees the flop", FLAG)];
    const STATISTICS: &'static [PlayStatistic] = &[
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
    ];

    fn position_values(view: &View) -> Vec<FeatureValue> {
        vec![
            view.street.into(),
            poker::facing(view.to_call, view.raises),
            (view.seat == view.button).into(),
            view.in_play_count().saturating_sub(1).into(),
            poker::texture(view.community),
            poker::decile(view.hand, view.community),
        ]
    }

    fn choice_values(view: &View, choice: &Move<Action>) -> Vec<FeatureValue> {
        let added = choice.amount - view.bets[usize::from(view.seat)];
        poker::choice_values(choice.action.kind, view.to_call, added, view.pot)
    }

    fn outcome_values(view: &View, history: &[Event]) -> Vec<FeatureValue> {
        poker::outcome_values(
            view.seat,
            view.in_play.into(),
            bytemuck::cast_slice(history),
        )
    }
}
