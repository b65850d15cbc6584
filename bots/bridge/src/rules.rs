//! Rules of thumb for inferring the hands of other players from calls and play.
//!
//! The rules about the play conclude that a player does not hold certain cards. When deals are
//! sampled, these cards are dealt to other players, so these rules cost no time.

use hattari_plugin::bridge::{Card, CardSet, View, strain, strain_of, winner_index, wins_trick};

/// The inference rules that a player uses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Hands have the strengths and lengths that the calls describe.
    pub hcp: bool,
    /// Third hand plays high to the first trick, and plays the lowest of touching cards. A jack
    /// denies ace, king and ten, but not the queen. A card that does not win denies all cards that
    /// would have won.
    pub third: bool,
    /// The opening lead of a low card against no trumps is the fourth best of the longest suit.
    pub lead: bool,
    /// Declarer wins as cheaply as possible if it plays the last card of a trick from its own hand.
    /// Winning with the ace denies a queen that would also have won.
    pub cheap: bool,
}

impl Rules {
    /// No inference: every deal that agrees with the view is possible.
    pub const NONE: Rules = Rules {
        hcp: false,
        third: false,
        lead: false,
        cheap: false,
    };
}

/// The conclusions that the rules draw from a view.
pub struct Conclusions {
    /// Cards that each seat is assumed not to hold.
    pub denied: [CardSet; 4],
    /// Seat of the player who has led the fourth best card of the longest suit, and this card.
    pub fourth_best: Option<(usize, Card)>,
}

impl Conclusions {
    /// Applies the rules to the cards played so far.
    pub fn of(view: &View, rules: Rules) -> Conclusions {
        let mut conclusions = Conclusions {
            denied: [CardSet::default(); 4],
            fourth_best: None,
        };
        let cards: Vec<Card> = view.cards[..usize::from(view.played_count)]
            .iter()
            .filter_map(|&n| Card::from_index(n))
            .collect();
        if rules.lead && view.strain == strain::NO_TRUMP {
            let lead = cards.first().filter(|card| is_small(**card));
            conclusions.fourth_best = lead.map(|&card| (usize::from(view.leaders[0] & 3), card));
        }
        if rules.third && 3 <= cards.len() {
            let third = (usize::from(view.leaders[0]) + 2) % 4;
            conclusions.denied[third].0 |= denied_by_third(&[cards[0], cards[1], cards[2]], view).0;
        }
        if rules.cheap {
            for (trick, &leader) in cards.chunks_exact(4).zip(&view.leaders) {
                let last = (usize::from(leader) + 3) % 4;
                if last == usize::from(view.declarer) {
                    conclusions.denied[last].0 |= denied_by_cheap(trick, view).0;
                }
            }
        }
        conclusions
    }

    /// Returns `true` if the hands at the start of play agree with the opening lead. `dealt`
    /// returns the hand of a seat.
    pub fn fits_lead(&self, dealt: impl Fn(usize) -> CardSet) -> bool {
        self.fourth_best
            .is_none_or(|(seat, card)| is_fourth_best(dealt(seat), card))
    }
}

/// Returns `true` for a nine or lower card. A lead of such a card says nothing about honours.
pub(crate) fn is_small(card: Card) -> bool {
    card.rank() < 8
}

/// Returns `true` if `card` is the fourth best card of a suit of `hand`, and no other suit is
/// longer.
pub fn is_fourth_best(hand: CardSet, card: Card) -> bool {
    let lengths = hand.lengths();
    above(hand, card) == 3
        && lengths
            .iter()
            .all(|&length| length <= lengths[card.suit() as usize])
}

/// Returns the number of cards in `cards` that are higher than `card` and of its suit.
pub(crate) fn above(cards: CardSet, card: Card) -> usize {
    cards
        .of_suit(card.suit())
        .into_iter()
        .filter(|other| other.rank() > card.rank())
        .count()
}

/// Returns the cards of the suit of `card` for whose rank `is_meant` returns `true`.
fn suited(card: Card, is_meant: impl Fn(u8) -> bool) -> CardSet {
    (0..13)
        .filter(|&rank| is_meant(rank))
        .map(|rank| Card::new(card.suit(), rank))
        .collect()
}

fn denied_by_third(cards: &[Card; 3], view: &View) -> CardSet {
    let [led, second, third] = *cards;
    if third.suit() != led.suit() {
        return CardSet::default();
    }
    let rank = third.rank();
    match winner_index(cards, strain_of(view)) {
        2 => suited(led, |other| other + 1 == rank || rank + 2 <= other),
        1 if second.suit() == led.suit() => suited(led, |other| second.rank() < other),
        // If the led card beats dummy's card, third hand does not need to play high.
        _ => CardSet::default(),
    }
}

fn denied_by_cheap(trick: &[Card], view: &View) -> CardSet {
    let strain = strain_of(view);
    let card = trick[3];
    if winner_index(trick, strain) != 3 {
        return CardSet::default();
    }
    let would_win = |rank: u8| wins_trick(&trick[..3], Card::new(card.suit(), rank), strain);
    suited(card, |rank| rank < card.rank() && would_win(rank))
}
