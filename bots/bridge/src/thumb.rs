//! Play by textbook rules of thumb, for players that do not look ahead and for the line of play
//! that defenders assume declarer to follow.
//!
//! Declarer develops the longest suit of the two hands. It leads from the hand that is weaker in
//! this suit towards the stronger one, crosses to the right hand with an unbeatable card if needed,
//! and cashes high cards. Defenders lead the fourth best of their longest suit or the top of
//! touching honours, and return the suit that their side has opened. Second hand plays low, third
//! hand high, and the last hand wins as cheaply as possible.

use crate::rules::{above, is_small};
use hattari_plugin::bridge::{
    Card, CardSet, Strain, Suit, View, strain_of, winner_index, wins_trick,
};
use std::cmp::Reverse;

/// Returns the card that the rules of thumb play.
///
/// # Panics
/// Panics if there is no legal card.
pub(crate) fn choose(view: &View, legal: &[Card]) -> Card {
    let table = view.table();
    let is_declarers = view.seat == view.declarer;
    match table.len() {
        0 if is_declarers => declarer_leads(view, legal),
        0 => defender_leads(view, legal),
        _ => follow(view, &table, legal),
    }
}

fn lowest(cards: impl IntoIterator<Item = Card>) -> Option<Card> {
    cards
        .into_iter()
        .min_by_key(|card| (card.rank(), Reverse(*card)))
}

fn highest(cards: impl IntoIterator<Item = Card>) -> Option<Card> {
    cards
        .into_iter()
        .max_by_key(|card| (card.rank(), Reverse(*card)))
}

fn follow(view: &View, table: &[Card], legal: &[Card]) -> Card {
    let strain = strain_of(view);
    let best = winner_index(table, strain);
    let partner_wins = 2 <= table.len() && best == table.len() - 2;
    let low = || discard(view, table[0].suit(), legal);
    let wins = |card: &&Card| wins_trick(table, **card, strain);
    let winners = || legal.iter().filter(wins).copied();
    match table.len() {
        1 => low(),
        2 if view.seat == view.declarer => {
            if partner_wins
                && (above(view.unseen(), table[best]) == 0 || is_finesse(view, table, legal))
            {
                return low();
            }
            let is_sure = winners().any(|card| above(view.unseen(), card) == 0);
            let finesse = || lowest(winners().filter(|&card| above(view.unseen(), card) <= 1));
            // If several cards are unbeatable, the highest reveals least to the defenders.
            is_sure
                .then(|| highest(winners()))
                .flatten()
                .or_else(finesse)
                .or_else(|| highest(winners()))
                .unwrap_or_else(low)
        }
        2 => {
            if partner_wins && above(view.unseen(), table[best]) == 0 {
                return low();
            }
            highest(winners()).map_or_else(low, |top| lowest_touching(legal, top))
        }
        _ if partner_wins => low(),
        _ => lowest(winners()).unwrap_or_else(low),
    }
}

/// Returns `true` if an honour led from the other hand of declarer's side offers a finesse: at most
/// one higher card is unseen, and this hand has a higher card as well.
fn is_finesse(view: &View, table: &[Card], legal: &[Card]) -> bool {
    let led = table[0];
    let is_behind = legal
        .iter()
        .any(|card| card.suit() == led.suit() && card.rank() > led.rank());
    !is_small(led) && is_behind && above(view.unseen(), led) <= 1
}

/// Returns the lowest card in `legal` of the unbroken run of ranks that begins with `top`.
fn lowest_touching(legal: &[Card], top: Card) -> Card {
    let holds = |rank: u8| {
        legal
            .iter()
            .find(|card| card.suit() == top.suit() && card.rank() == rank)
    };
    let mut low = top;
    while let Some(&card) = low.rank().checked_sub(1).and_then(holds) {
        low = card;
    }
    low
}

/// Returns the lowest legal card. If the hand cannot follow suit, prefers cards that are not trumps
/// and not of the suit that declarer develops.
fn discard(view: &View, led: Suit, legal: &[Card]) -> Card {
    if legal.iter().any(|card| card.suit() == led) {
        return lowest(legal.iter().copied()).expect("a legal card");
    }
    let trump = strain_of(view);
    let plan = (view.seat == view.declarer)
        .then(|| developed_suit(view))
        .flatten();
    let is_dear = |card: &Card| Some(card.suit()) == plan || trump == Strain::Trump(card.suit());
    *legal
        .iter()
        .min_by_key(|card| (is_dear(card), card.rank(), Reverse(**card)))
        .expect("a legal card")
}

/// Returns the suit that declarer develops: the longest suit in the hand of declarer or dummy.
fn developed_suit(view: &View) -> Option<Suit> {
    let (hand, dummy) = (CardSet(view.hand), CardSet(view.dummy_hand));
    let length = |suit: Suit| hand.of_suit(suit).len().max(dummy.of_suit(suit).len());
    let both = |suit: Suit| hand.of_suit(suit).len() + dummy.of_suit(suit).len();
    let suits = Suit::ALL.into_iter().filter(|&suit| both(suit) > 0);
    suits.max_by_key(|&suit| (length(suit), both(suit), Reverse(suit)))
}

fn declarer_leads(view: &View, legal: &[Card]) -> Card {
    let is_dummys = view.turn == view.dummy;
    let (hand, dummy) = (CardSet(view.hand), CardSet(view.dummy_hand));
    let (here, there) = if is_dummys {
        (dummy, hand)
    } else {
        (hand, dummy)
    };
    let unseen = view.unseen();
    let any = || lowest(legal.iter().copied()).expect("a legal card");
    let Some(suit) = developed_suit(view) else {
        return any();
    };
    let (ours, theirs) = (here.of_suit(suit), there.of_suit(suit));
    let top_here = highest(ours);
    let top_there = highest(theirs);
    if let Some(top) = top_here {
        // High cards are cashed, beginning with the hand that has fewer cards of the suit.
        if above(unseen, top) == 0
            && (theirs.len() >= ours.len() || top_there.is_none_or(|card| above(unseen, card) > 0))
        {
            let is_tenace = top_there
                .is_some_and(|card| card.rank() + 1 < top.rank() && above(unseen, card) > 0);
            if !is_tenace || theirs.is_empty() {
                return top;
            }
        }
        let is_weaker = top_there.is_none_or(|card| card.rank() > top.rank());
        if is_weaker {
            let heads_a_sequence =
                ours.contains(Card::new(suit, top.rank().saturating_sub(1))) && !is_small(top);
            return if heads_a_sequence || theirs.is_empty() {
                top
            } else {
                lowest(ours).unwrap_or(top)
            };
        }
    }
    // The lead should come from the other hand: cross to that hand if it has an unbeatable card.
    let entry = Suit::ALL
        .into_iter()
        .filter(|&other| other != suit || top_here.is_none())
        .find_map(|other| {
            let (from, to) = (lowest(here.of_suit(other))?, highest(there.of_suit(other))?);
            (above(unseen, to) == 0 && from.rank() < to.rank()).then_some(from)
        });
    entry.or_else(|| lowest(ours)).unwrap_or_else(any)
}

fn defender_leads(view: &View, legal: &[Card]) -> Card {
    let hand = CardSet(view.hand);
    let partner = (usize::from(view.seat) + 2) % 4;
    let own = usize::from(view.seat);
    let opened = view.cards[..usize::from(view.played_count)]
        .chunks(4)
        .zip(&view.leaders)
        .find_map(|(trick, &leader)| {
            let is_ours = usize::from(leader) == own || usize::from(leader) == partner;
            let card = Card::from_index(trick[0]).filter(|_| is_ours)?;
            (!hand.of_suit(card.suit()).is_empty()).then_some(card.suit())
        });
    let longest = Suit::ALL.into_iter().max_by_key(|&suit| {
        (
            hand.of_suit(suit).len(),
            strength(hand, suit),
            Reverse(suit),
        )
    });
    let suit = opened.or(longest).expect("there are four suits");
    let mut cards: Vec<Card> = hand.of_suit(suit).into_iter().collect();
    cards.sort_by_key(|card| Reverse(card.rank()));
    match cards[..] {
        [] => lowest(legal.iter().copied()).expect("a legal card"),
        [top, next, ..]
            if !is_small(top) && next.rank() + 1 == top.rank() && is_sequence(&cards) =>
        {
            top
        }
        [_, _, _, fourth, ..] if view.played_count == 0 => fourth,
        [top, ..] if above(view.unseen(), top) == 0 => top,
        [.., low] => low,
    }
}

/// Returns `true` if the first three cards are a sequence with at most one gap, such as K Q T. The
/// third card must be a nine or higher.
fn is_sequence(cards: &[Card]) -> bool {
    matches!(*cards, [top, _, third, ..] if third.rank() + 3 >= top.rank() && third.rank() >= 7)
}

fn strength(hand: CardSet, suit: Suit) -> u32 {
    hand.of_suit(suit)
        .into_iter()
        .map(|card| u32::from(card.rank()))
        .sum()
}
