//! Features of decisions in daihinmin.

use super::card::{self, CardSet, JOKER_SET, column_set};
use super::records::{Action, View, effect, kind, phase};
use super::{Daihinmin, NONE, TITLES};
use crate::Move;
use crate::features::{
    FLAG, FeatureInfo, FeatureSink, FeatureValue, Features, PlayStatistic, fewest_of_others,
};
use crate::scene::name_at;

impl Features<Daihinmin> for Daihinmin {
    const POSITIONS: &'static [FeatureInfo] = &[
        ("turn", &["exchange", "lead", "follow"]),
        ("own cards", &[]),
        ("fewest cards of an opponent", &[]),
        (
            "title",
            &["daifugo", "fugo", "heimin", "hinmin", "daihinmin", "none"],
        ),
        (
            "trick",
            &["plain", "locked", "reversed", "locked and reversed"],
        ),
        (
            "on the table",
            &["nothing", "single", "group", "sequence", "gift"],
        ),
    ];
    const CHOICES: &'static [FeatureInfo] = &[
        ("type", &["pass", "single", "group", "sequence", "gift"]),
        ("spends", &["joker", "2", "8", "none"]),
        ("strength", &[]),
        ("splits a group", FLAG),
        ("cuts", FLAG),
    ];
    const STATISTICS: &'static [PlayStatistic] = &[
        PlayStatistic::payoff("points as daifugo", "title: daifugo", ""),
        PlayStatistic::payoff("points as fugo", "title: fugo", ""),
        PlayStatistic::payoff("points as heimin", "title: heimin", ""),
        PlayStatistic::payoff("points as hinmin", "title: hinmin", ""),
        PlayStatistic::payoff("points as daihinmin", "title: daihinmin", ""),
        PlayStatistic::payoff("points without a title", "title: none", ""),
        PlayStatistic::decisions("gives a joker or 2", "turn: exchange", "spends: joker / 2"),
        PlayStatistic::decisions(
            "leads a group or sequence",
            "turn: lead",
            "type: group / sequence",
        ),
        PlayStatistic::decisions("passes", "turn: follow", "type: pass"),
        PlayStatistic::decisions(
            "follows with a joker or 2",
            "turn: follow",
            "spends: joker / 2",
        ),
        PlayStatistic::decisions(
            "splits a group",
            "turn: lead / follow",
            "splits a group: yes",
        ),
    ];

    fn position_values(view: &View) -> Vec<FeatureValue> {
        let title = view.titles[usize::from(view.seat)];
        let trick = match (view.lock, view.revolution ^ view.eleven_back) {
            (0, 0) => "plain",
            (_, 0) => "locked",
            (0, _) => "reversed",
            _ => "locked and reversed",
        };
        vec![
            turn(view).into(),
            view.hand.count_ones().into(),
            fewest_of_others(&view.cards_left, view.seat).into(),
            name_at(&TITLES, title, "none").into(),
            trick.into(),
            type_of(&view.table, "nothing").into(),
        ]
    }

    fn choice(view: &View, choice: &Move<Action>, tell: &mut FeatureSink<'_>) {
        let action = &choice.action;
        tell("type", type_of(action, "pass").into());
        tell("spends", spends(action.cards).into());
        if action.cards != 0 {
            let is_reversed = view.revolution ^ view.eleven_back != 0;
            tell("strength", strength(action.cards, is_reversed).into());
        }
        tell("splits a group", splits(view.hand, action).into());
        tell("cuts", (action.effects & effect::CUT != 0).into());
    }
}

fn turn(view: &View) -> &'static str {
    match (view.phase, view.table_seat) {
        (phase::EXCHANGE, _) => "exchange",
        (_, NONE) => "lead",
        _ => "follow",
    }
}

/// Returns the type of a play, or `none` for a pass.
fn type_of(action: &Action, none: &'static str) -> &'static str {
    match action.kind {
        kind::SINGLE => "single",
        kind::GROUP => "group",
        kind::SEQUENCE => "sequence",
        kind::GIVE => "gift",
        _ => none,
    }
}

/// Returns the most valuable card of a set: `joker`, `2` or `8`, or `none` if it has none of them.
fn spends(cards: CardSet) -> &'static str {
    let has = |set| cards & set != 0;
    if has(JOKER_SET) {
        "joker"
    } else if has(column_set(card::COLUMN_2)) {
        "2"
    } else if has(column_set(card::COLUMN_8)) {
        "8"
    } else {
        "none"
    }
}

/// Returns the strength of the strongest card other than the joker: from 1 for the weakest rank in
/// the current order to 13. Returns 15 for the joker alone.
fn strength(cards: CardSet, is_reversed: bool) -> u8 {
    let mut suited = card::cells(cards & card::SUITED);
    let (lowest, highest) = (suited.next(), suited.last());
    match lowest {
        None => 15,
        Some(lowest) if is_reversed => 14 - card::column(lowest),
        Some(lowest) => card::column(highest.unwrap_or(lowest)),
    }
}

/// Returns `true` if a play leaves cards of a played rank in the hand.
fn splits(hand: CardSet, action: &Action) -> bool {
    let stays = hand & !action.cards;
    (card::COLUMN_3..=card::COLUMN_2)
        .map(column_set)
        .any(|rank| action.cards & rank != 0 && stays & rank != 0)
}
