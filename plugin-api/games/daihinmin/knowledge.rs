//! What a seat can know of the other hands.

use super::card::{self, CardSet, DIAMOND_3};
use super::records::{Event, PLAYERS, View, event, phase};
use super::tribute::{Exchanged, Gift, Tribute, by_cell, by_strength};
use rand::Rng;
use std::fmt;

/// A view and a history that no deal can bring about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit;

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no deal fits this view and history")
    }
}

impl std::error::Error for Unfit {}

/// What a seat can know of the other hands, from its view and the public record alone:
///
/// - the cards that it holds or has seen played are not in them, and every hand has as many cards
///   as it shows;
/// - the seat that acted first holds the three of diamonds, as long as that has not been played;
/// - what the seat gave away in the exchange is where it went, unless played;
/// - the lower titles have lost their strongest cards, see [`Knowledge::ways`].
///
/// A pass tells nothing for certain: whoever passes may hold a play. Nor does a play tell more than
/// its cards.
#[derive(Clone, Debug)]
pub struct Knowledge {
    pub(super) seat: u8,
    pub(super) hand: CardSet,
    /// Cards left of each seat.
    pub(super) sizes: [u8; PLAYERS],
    /// Cards in other hands, by the hand they are known to be in; in order of strength.
    pub(super) fixed: [u64; PLAYERS],
    /// Cards in other hands, nobody knows which; in order of strength.
    pub(super) free: u64,
    /// Cards that each seat has played; in order of strength.
    pub(super) played: [u64; PLAYERS],
    /// Exchanges that tell something: those that the seat did not lose cards in.
    pub(super) tributes: [Option<Tribute>; 2],
}

impl Knowledge {
    /// What `view.seat` can know. `exchange` is the option of that name: a view of the third title
    /// does not show it.
    ///
    /// # Errors
    /// Where no deal fits, which no rules bring about; and in the exchange for a seat that has
    /// nothing to decide: it cannot tell what has been given already.
    pub fn new(view: &View, history: &[Event], exchange: bool) -> Result<Knowledge, Unfit> {
        let in_exchange = view.phase == phase::EXCHANGE;
        if in_exchange && view.give == 0 {
            return Err(Unfit);
        }
        let actor = if in_exchange {
            Some(view.seat)
        } else {
            history.first().map(|event| event.seat)
        };
        Knowledge::at(view, history, exchange, actor)
    }

    /// As [`Knowledge::new`], for any seat. `actor` is the seat that is to choose in the exchange,
    /// and later the one that acts first, where that is known.
    pub(super) fn at(
        view: &View,
        history: &[Event],
        exchange: bool,
        actor: Option<u8>,
    ) -> Result<Knowledge, Unfit> {
        let (seat, actor) = (usize::from(view.seat), actor.map(usize::from));
        if seat >= PLAYERS {
            return Err(Unfit);
        }
        let in_exchange = view.phase == phase::EXCHANGE;
        let unseen = view.unseen();
        let mut played = [0; PLAYERS];
        for event in history.iter().filter(|event| event.kind == event::ACTION) {
            *played.get_mut(usize::from(event.seat)).ok_or(Unfit)? |=
                by_strength(event.action.cards);
        }
        let mut fixed = [0; PLAYERS];
        if let Some(first) = actor.filter(|_| !in_exchange) {
            *fixed.get_mut(first).ok_or(Unfit)? |= by_strength(DIAMOND_3 & unseen);
        }
        let mut tributes = [None; 2];
        if exchange && view.fresh == 0 {
            let seat_with = |title| {
                view.titles
                    .iter()
                    .position(|&held| held == title)
                    .ok_or(Unfit)
            };
            for (index, (count, upper, lower)) in [(2, 0, 4), (1, 1, 3)].into_iter().enumerate() {
                let (upper, lower) = (seat_with(upper)?, seat_with(lower)?);
                if seat == upper {
                    fixed[lower] |= by_strength(view.given & unseen);
                } else if seat == lower {
                    fixed[upper] |= by_strength(view.given & unseen);
                    continue;
                }
                // The daifugo chooses first, then the fugo.
                let due = in_exchange && (index == 1 || actor == Some(upper));
                let gift = match () {
                    () if due => Gift::Due,
                    () if seat == upper => Gift::Known(by_strength(view.given)),
                    () => Gift::Unknown,
                };
                let seat_number = |seat: usize| u8::try_from(seat).map_err(|_| Unfit);
                tributes[index] = Some(Tribute {
                    upper: seat_number(upper)?,
                    lower: seat_number(lower)?,
                    count,
                    gift,
                });
            }
        }
        let known = fixed.iter().fold(0, |known, cards| known | cards);
        let knowledge = Knowledge {
            seat: view.seat,
            hand: view.hand,
            sizes: view.cards_left,
            fixed,
            free: by_strength(unseen) & !known,
            played,
            tributes,
        };
        knowledge.check(view)?;
        Ok(knowledge)
    }

    fn check(&self, view: &View) -> Result<(), Unfit> {
        let seat = usize::from(self.seat);
        let fits = |other: usize| self.fixed[other].count_ones() <= u32::from(self.sizes[other]);
        let hidden: u32 = (0..PLAYERS)
            .filter(|&other| other != seat)
            .map(|other| u32::from(self.sizes[other]))
            .sum();
        let known: u32 = self.fixed.iter().map(|cards| cards.count_ones()).sum();
        let union = self.fixed.iter().fold(0, |union, cards| union | cards);
        let whole = view.hand & view.gone == 0
            && (view.hand | view.gone) & !card::PACK == 0
            && view.hand.count_ones() == u32::from(self.sizes[seat])
            && hidden == view.unseen().count_ones()
            && known == union.count_ones()
            && self.fixed[seat] == 0;
        if whole && (0..PLAYERS).all(fits) {
            Ok(())
        } else {
            Err(Unfit)
        }
    }

    /// Cards that each seat has played.
    pub(super) fn played(&self) -> [CardSet; PLAYERS] {
        self.played.map(by_cell)
    }

    /// The seat that knows this.
    #[must_use]
    pub fn seat(&self) -> u8 {
        self.seat
    }

    /// In how many ways the cards may have been dealt and exchanged so that these are the hands
    /// now; 0 where they do not fit. Every deal of the pack and every gift is one way, each as
    /// likely as the others: hands with more ways are proportionally more likely. Without an
    /// exchange all hands that fit have one way.
    ///
    /// The numbers are relative: they leave out what is the same for all hands that fit.
    #[must_use]
    pub fn ways(&self, hands: &[CardSet; PLAYERS]) -> u64 {
        let ordered = hands.map(by_strength);
        let own = usize::from(self.seat);
        let all = ordered.iter().fold(0, |union, hand| union | hand);
        let fits = |seat: usize| {
            ordered[seat].count_ones() == u32::from(self.sizes[seat])
                && if seat == own {
                    hands[seat] == self.hand
                } else {
                    ordered[seat] & self.fixed[seat] == self.fixed[seat]
                }
        };
        let known = self.fixed.iter().fold(0, |known, cards| known | cards);
        if all != self.free | known | by_strength(self.hand) || !(0..PLAYERS).all(fits) {
            return 0;
        }
        self.tributes
            .iter()
            .flatten()
            .map(|tribute| self.ways_of(tribute, &ordered))
            .product()
    }

    /// The ways of one exchange.
    #[inline]
    pub(super) fn ways_of(&self, tribute: &Tribute, hands: &[u64; PLAYERS]) -> u64 {
        let [upper, lower] = [tribute.upper, tribute.lower].map(usize::from);
        tribute.ways(
            hands[upper] | self.played[upper],
            hands[lower] | self.played[lower],
        )
    }

    /// Draws how an exchange that this knows of, the first or the second one, led to these hands.
    pub(super) fn draw_exchange<R: Rng>(
        &self,
        index: usize,
        hands: &[CardSet; PLAYERS],
        chance: &mut R,
    ) -> Option<Exchanged> {
        let tribute = self.tributes[index]?;
        let [upper, lower] = [tribute.upper, tribute.lower]
            .map(usize::from)
            .map(|seat| by_strength(hands[seat]) | self.played[seat]);
        tribute.draw(upper, lower, chance)
    }
}
