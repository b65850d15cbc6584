//! Features of decisions and outcomes in stud.

use super::records::{Action, Event, View, phase};
use super::{Options, Stud};
use crate::Move;
use crate::features::{FLAG, FeatureInfo, FeatureValue, Features, PlayStatistic};
use crate::poker::card;
use crate::poker::features as poker;

impl Features<Stud> for Options {
    const POSITIONS: &'static [FeatureInfo] = &[
        ("turn", &["bet", "open a card"]),
        ("street", &[]),
        ("facing", poker::FACING),
        ("opponents left", &[]),
        ("own hand", poker::MADE),
        ("own open cards", poker::MADE),
        ("an opponent shows a higher card", FLAG),
    ];
    const CHOICES: &'static [FeatureInfo] = &[("action", poker::ACTIONS), ("size", poker::SIZES)];
    const OUTCOMES: &'static [FeatureInfo] =
        &[("showdown", FLAG), ("sees the second street", FLAG)];
    const STATISTICS: &'static [PlayStatistic] = &[
        PlayStatistic::deals("VPIP", "street: 0", "action: call / bet / raise"),
        PlayStatistic::decisions(
            "bets or raises: first street",
            "turn: bet, street: 0",
            "action: bet / raise",
        ),
        PlayStatistic::decisions(
            "bets or raises: later streets",
            "turn: bet, street: 1 / 2 / 3 / 4 / 5 / 6",
            "action: bet / raise",
        ),
        PlayStatistic::decisions(
            "folds to a bet: first street",
            "street: 0, facing: a bet / a raise",
            "action: fold",
        ),
        PlayStatistic::decisions(
            "folds to a bet: later streets",
            "street: 1 / 2 / 3 / 4 / 5 / 6, facing: a bet / a raise",
            "action: fold",
        ),
        PlayStatistic::outcomes(
            "goes to showdown",
            "sees the second street: yes",
            "showdown: yes",
        ),
        PlayStatistic::winnings("winnings at showdown", "showdown: yes"),
        PlayStatistic::winnings("winnings without showdown", "showdown: no"),
        PlayStatistic::payoff("points when it folds", "", "action: fold"),
    ];

    fn position_values(view: &View) -> Vec<FeatureValue> {
        let up = |seat: u8| view.up[usize::from(seat)];
        // Rank of the highest open card of a seat; `None` if there is none.
        let highest = |seat| (up(seat) != 0).then(|| card::rank(card::highest(up(seat))));
        let is_higher = view.opponents().map(highest).max().flatten() > highest(view.seat);
        vec![
            u8::from(view.phase == phase::OPEN).into(),
            view.street.into(),
            poker::facing(view.to_call, view.raises),
            view.in_play_count().saturating_sub(1).into(),
            poker::made(view.hand | view.community),
            poker::made(up(view.seat)),
            is_higher.into(),
        ]
    }

    fn choice_values(view: &View, choice: &Move<Action>) -> Vec<FeatureValue> {
        let added = choice.amount - view.bets[usize::from(view.seat)];
        poker::choice_values(choice.action.kind, view.to_call, added, view.pot)
    }

    fn outcome_values(view: &View, history: &[Event]) -> Vec<FeatureValue> {
        poker::outcome_values(view.seat, view.in_play, bytemuck::cast_slice(history))
    }
}
