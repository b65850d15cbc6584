//! The exchange of cards: lower titles lose their strongest cards, upper titles return cards of
//! their choice.

use super::card::{CardSet, JOKER, JOKER_SET};
use super::deal::Deal;
use super::position::seat_index;
use super::records::{Action, NONE, kind, phase};
use super::tribute::{by_cell, by_strength, top};

/// For titles 0 and 1, in the order in which they choose: the number of cards exchanged, and the
/// lower title with which they are exchanged.
pub(super) const EXCHANGES: [(u8, u8); 2] = [(2, 4), (1, 3)];

/// Returns the strongest `count` cards of a hand: the joker, then ranks from the two down, equal
/// ranks in the order ♠ ♥ ♦ ♣. The order of ranks is never reversed, because no deal starts in a
/// revolution.
#[must_use]
pub fn strongest(hand: CardSet, count: u8) -> CardSet {
    let mut rest = by_strength(hand);
    for _ in 0..count {
        rest &= !top(rest);
    }
    hand & !by_cell(rest)
}

/// Moves the strongest cards of lower titles to upper titles and proceeds to the first choice.
pub(super) fn take_tribute(deal: &mut Deal) {
    for (title, (count, receiver)) in (0..).zip(EXCHANGES) {
        let from = deal.seat_with[seat_index(receiver)];
        let tribute = strongest(deal.position.hands[seat_index(from)], count);
        move_cards(deal, from, deal.seat_with[seat_index(title)], tribute);
    }
    deal.phase = phase::EXCHANGE;
    deal.position.to_act = deal.seat_with[seat_index(0)];
}

/// Returns the number of cards that the seat to act must give.
pub(super) fn cards_due(deal: &Deal) -> u8 {
    let title = deal.seats.title(deal.position.to_act);
    EXCHANGES
        .get(usize::from(title))
        .map_or(0, |&(count, _)| count)
}

/// Replaces `actions` by all possible gifts from `hand`, strongest first. The contest's server uses
/// the first gift if a choice is invalid.
pub fn legal_gifts(hand: CardSet, count: u8, actions: &mut Vec<Action>) {
    actions.clear();
    // Cards in order of strength; at most 13.
    let mut cards = [0; 16];
    let mut held = 0;
    let mut rest = by_strength(hand);
    while rest != 0 && held < cards.len() {
        let card = top(rest);
        rest &= !card;
        cards[held] = by_cell(card);
        held += 1;
    }
    let cards = &cards[..held];
    if count == 1 {
        actions.extend(cards.iter().map(|&card| give_counted(card, 1)));
    } else {
        // The joker is the strongest card, so it is always the first of a pair.
        for (index, &card) in cards.iter().enumerate() {
            let joker = if card == JOKER_SET { JOKER } else { NONE };
            let small = Action::packed_fields(kind::GIVE, 2, 0, 0, joker, 0);
            let others = cards[index + 1..].iter();
            actions.extend(others.map(|&other| Action::from_words(card | other, 0, small)));
        }
    }
}

/// Creates the action that gives `cards` away.
pub fn give(cards: CardSet) -> Action {
    give_counted(cards, (cards.count_ones() & 63) as u8)
}

#[inline]
fn give_counted(cards: CardSet, count: u8) -> Action {
    let joker = if cards & JOKER_SET == 0 { NONE } else { JOKER };
    Action::from_words(
        cards,
        0,
        Action::packed_fields(kind::GIVE, count, 0, 0, joker, 0),
    )
}

/// Applies the choice of the seat to act and proceeds to the next choice or to the play.
pub(super) fn apply(deal: &mut Deal, action: &Action) {
    debug_assert_eq!(action.kind, kind::GIVE);
    debug_assert_eq!(action.cards.count_ones(), u32::from(cards_due(deal)));
    let giver = deal.position.to_act;
    let title = deal.seats.title(giver);
    let (_, receiver) = EXCHANGES[usize::from(title)];
    let to = deal.seat_with[seat_index(receiver)];
    move_cards(deal, giver, to, action.cards);
    // Lower titles see the cards that they receive. Upper titles do not, so `received` does not
    // contain the tribute.
    deal.received[seat_index(to)] |= action.cards;
    if title == 0 {
        deal.position.to_act = deal.seat_with[seat_index(1)];
    } else {
        deal.phase = phase::PLAY;
        deal.position.lead_first();
    }
}

fn move_cards(deal: &mut Deal, from: u8, to: u8, cards: CardSet) {
    debug_assert_eq!(cards & !deal.position.hands[seat_index(from)], 0);
    let count = u64::from(cards.count_ones());
    deal.position.hands[seat_index(from)] &= !cards;
    deal.position.hands[seat_index(to)] |= cards;
    deal.given[seat_index(from)] |= cards;
    deal.seats.take_cards(from, count);
    deal.seats.add_cards(to, count);
}

#[cfg(test)]
mod tests {
    use super::super::card::{cells, describe, parse_set};
    use super::*;

    #[test]
    fn tribute_strength_is_ordered_by_joker_rank_and_suit() {
        for (hand, count, taken) in [
            ("S3 H4 C2 JK", 2, "C2 JK"),
            ("SA HA DA CA", 1, "SA"),
            ("HA DA CA SK", 2, "HA DA"),
            ("S3 H3 C3 D3", 2, "S3 H3"),
            ("C2 SA S3", 2, "SA C2"),
        ] {
            assert_eq!(
                describe(strongest(parse_set(hand).unwrap(), count)),
                taken,
                "{hand}"
            );
        }
    }

    #[test]
    fn every_set_of_cards_is_a_legal_gift_with_the_strongest_listed_first() {
        let hand = parse_set("S3 H3 D9 CK JK").unwrap();
        let mut actions = Vec::new();
        for (count, sets) in [(1, 5), (2, 10)] {
            legal_gifts(hand, count, &mut actions);
            assert_eq!(actions.len(), sets);
            assert_eq!(actions[0].cards, strongest(hand, count));
            let mut seen: Vec<CardSet> = actions.iter().map(|action| action.cards).collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), sets);
            assert!(
                seen.iter()
                    .all(|&set| set & !hand == 0 && cells(set).count() == usize::from(count))
            );
        }
    }
}
