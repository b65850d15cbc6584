//! Features of decisions in bridge.

use super::cards::{Card, CardSet, Strain};
use super::records::{Action, View};
use super::{Bridge, winner_index, wins_trick};
use crate::Move;
use crate::features::{FLAG, FeatureInfo, FeatureValue, Features, PlayStatistic};

impl Features<Bridge> for Bridge {
    const POSITIONS: &'static [FeatureInfo] = &[
        ("role", &["declarer", "declarer from dummy", "defender"]),
        ("trick", &[]),
        (
            "turn",
            &["lead", "second hand", "third hand", "fourth hand"],
        ),
        ("trumps", FLAG),
        ("partner wins so far", &["yes", "no", "not played"]),
    ];
    const CHOICES: &'static [FeatureInfo] = &[
        ("play", &["highest", "lower", "finesse", "ruff", "discard"]),
        ("wins so far", FLAG),
        ("honour", FLAG),
    ];
    const STATISTICS: &'static [PlayStatistic] = &[
        PlayStatistic::payoff("points as declarer", "role: declarer", ""),
        PlayStatistic::payoff("points as defender", "role: defender", ""),
        PlayStatistic::decisions(
            "leads an honour: declarer",
            "role: declarer, turn: lead",
            "honour: yes",
        ),
        PlayStatistic::decisions(
            "leads an honour: declarer from dummy",
            "role: declarer from dummy, turn: lead",
            "honour: yes",
        ),
        PlayStatistic::decisions(
            "leads an honour: defender",
            "role: defender, turn: lead",
            "honour: yes",
        ),
        PlayStatistic::decisions(
            "ruffs: declarer",
            "role: declarer, trumps: yes",
            "play: ruff",
        ),
        PlayStatistic::decisions(
            "ruffs: declarer from dummy",
            "role: declarer from dummy, trumps: yes",
            "play: ruff",
        ),
        PlayStatistic::decisions(
            "ruffs: defender",
            "role: defender, trumps: yes",
            "play: ruff",
        ),
        PlayStatistic::decisions(
            "finesses in third hand",
            "turn: third hand",
            "play: finesse",
        ),
    ];

    fn position_values(view: &View) -> Vec<FeatureValue> {
        let role = match view.turn {
            seat if seat == view.dummy => "declarer from dummy",
            seat if seat == view.declarer => "declarer",
            _ => "defender",
        };
        let partner = match view.table().as_slice() {
            table @ [_, _, ..] => (winner_index(table, view.trumps()) == table.len() - 2).into(),
            _ => "not played".into(),
        };
        vec![
            role.into(),
            (view.played_count / 4 + 1).into(),
            (view.on_table % 4).into(),
            (view.trumps() != Strain::NoTrump).into(),
            partner,
        ]
    }

    fn choice_values(view: &View, choice: &Move<Action>) -> Vec<FeatureValue> {
        let Some(card) = Card::from_index(choice.action.card) else {
            return Vec::new();
        };
        let is_dummy = choice.action.seat == view.dummy && view.seat != view.dummy;
        let hand = if is_dummy { view.dummy_hand } else { view.hand };
        vec![
            kind_of_play(view, card, CardSet(hand)).into(),
            wins(view, card).into(),
            (9 <= card.rank()).into(),
        ]
    }
}

/// Returns `true` if the card would win the trick so far.
fn wins(view: &View, card: Card) -> bool {
    wins_trick(&view.table(), card, view.trumps())
}

/// Returns the kind of a play: highest or lower within the suit, ruff, discard, or finesse. A
/// finesse is a card in third hand that wins the trick so far, but is not the highest card of its
/// suit in the hand.
fn kind_of_play(view: &View, card: Card, hand: CardSet) -> &'static str {
    let table = view.table();
    let is_trump = view.trumps() == Strain::Trump(card.suit());
    if let Some(led) = table.first()
        && led.suit() != card.suit()
    {
        return if is_trump { "ruff" } else { "discard" };
    }
    let suit = hand.of_suit(card.suit()).into_iter();
    let highest = suit.map(Card::rank).max().unwrap_or(0);
    match table.len() {
        2 if card.rank() < highest && wins(view, card) => "finesse",
        _ if card.rank() == highest => "highest",
        _ => "lower",
    }
}
