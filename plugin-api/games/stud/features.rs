//! Features of decisions and outcomes in stud.

use super::Stud;
use super::records::{Action, Event, View, phase};
use crate::Move;
use crate::features::{FLAG, FeatureInfo, FeatureSink, FeatureValue, Features, PlayStatistic};
use crate::poker::card;
use crate::poker::features as poker;

/// The features of decisions in stud.
pub(super) struct StudFeatures;

/// Name of the outcome feature that is `yes` if the seat was in play on the second street.
const SECOND_STREET: &str = "sees the second street";

impl Features<Stud> for StudFeatures {
    fn positions(&self) -> &'static [FeatureInfo] {
        &[
            ("turn", &["bet", "open a card"]),
            ("street", &[]),
            ("facing", poker::FACING),
            ("opponents left", &[]),
            ("own hand", poker::MADE),
            ("own open cards", poker::MADE),
            ("an opponent shows a higher card", FLAG),
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
            ]
        }
    }

    fn position(&self, view: &View, tell: &mut FeatureSink<'_>) {
        let opens = view.phase == phase::OPEN;
        tell(
            "turn",
            FeatureValue::Word(if opens { "open a card" } else { "bet" }),
        );
        tell("street", FeatureValue::Count(view.street));
        tell("facing", poker::facing(view.to_call, view.raises));
        let others = view.in_play_count().saturating_sub(1);
        tell("opponents left", FeatureValue::count(others));
        tell("own hand", poker::made(view.hand | view.community));
        let up = |seat: u8| view.up[usize::from(seat)];
        tell("own open cards", poker::made(up(view.seat)));
        // Rank of the highest open card of a seat; `None` if there is none.
        let highest = |seat| (up(seat) != 0).then(|| card::rank(card::highest(up(seat))));
        let others = (0..view.players).filter(|&seat| seat != view.seat && view.is_in_play(seat));
        let is_higher = others.map(highest).max().flatten() > highest(view.seat);
        tell(
            "an opponent shows a higher card",
            FeatureValue::flag(is_higher),
        );
    }

    fn choice(&self, view: &View, choice: &Move<Action>, tell: &mut FeatureSink<'_>) {
        let Action { kind, .. } = choice.action;
        let added = choice.amount - view.bets[usize::from(view.seat)];
        poker::tell_choice(kind, view.to_call, added, view.pot, tell);
    }

    fn outcome(&self, view: &View, history: &[Event], tell: &mut FeatureSink<'_>) {
        let history = bytemuck::cast_slice(history);
        poker::tell_outcome((view.seat, view.in_play), history, SECOND_STREET, tell);
    }
}
