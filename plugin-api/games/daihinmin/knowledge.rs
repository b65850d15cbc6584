//! The information of a seat about the other hands.

use super::card::{self, CardSet, DIAMOND_3};
use super::records::{Event, PLAYERS, View, event, phase};
use super::tribute::{ExchangedCards, GiftKnowledge, Tribute, by_cell, by_strength};
use crate::cards::union_of;
use rand::Rng;

/// An error for a view and a history with which no deal is consistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no deal fits this view and history")]
pub struct InconsistentView;

/// The information of a seat about the other hands, from its view and the public record:
///
/// - Cards that it holds or that were played are not in other hands. The sizes of hands are public.
/// - The seat that acted first holds the three of diamonds until it is played.
/// - Cards that the seat gave away are in the hand that received them until they are played.
/// - Lower titles lost their strongest cards, see [`Knowledge::ways`].
///
/// A pass gives no certain information, because a seat may pass with a legal play. A play gives no
/// information except its cards.
#[derive(Clone, Debug)]
pub struct Knowledge {
    pub(super) seat: u8,
    pub(super) hand: CardSet,
    /// Number of cards left of each seat.
    pub(super) sizes: [u8; PLAYERS],
    /// Cards in other hands whose holder is known, by holder; bits in order of strength.
    pub(super) fixed: [u64; PLAYERS],
    /// Cards in other hands whose holder is unknown; bits in order of strength.
    pub(super) free: u64,
    /// Cards that each seat has played; bits in order of strength.
    pub(super) played: [u64; PLAYERS],
    /// Exchanges about which the seat lacks information; `None` if the seat gave the tribute, or if
    /// there is no exchange.
    pub(super) tributes: [Option<Tribute>; 2],
}

impl Knowledge {
    /// Computes the information of `view.seat`. `exchange` is the option of the rules, which the
    /// view of the third title does not show.
    ///
    /// # Errors
    /// Returns an error if no deal is consistent with the view, which cannot happen in play. During
    /// the exchange, also returns an error for a seat that is not to act, because this seat does
    /// not know which seat is to act.
    pub fn new(
        view: &View,
        history: &[Event],
        exchange: bool,
    ) -> Result<Knowledge, InconsistentView> {
        let in_exchange = view.phase == phase::EXCHANGE;
        if in_exchange && view.give == 0 {
            return Err(InconsistentView);
        }
        let actor = if in_exchange {
            Some(view.seat)
        } else {
            history.first().map(|event| event.seat)
        };
        Knowledge::from_actor(view, history, exchange, actor)
    }

    /// Computes the information of any seat. `actor` is the seat that chooses in the exchange;
    /// after it, the seat that acts first, if known.
    pub(super) fn from_actor(
        view: &View,
        history: &[Event],
        exchange: bool,
        actor: Option<u8>,
    ) -> Result<Knowledge, InconsistentView> {
        let (seat, actor) = (usize::from(view.seat), actor.map(usize::from));
        if seat >= PLAYERS {
            return Err(InconsistentView);
        }
        let in_exchange = view.phase == phase::EXCHANGE;
        let unseen = view.unseen();
        let mut played = [0; PLAYERS];
        for event in history.iter().filter(|event| event.kind == event::ACTION) {
            *played
                .get_mut(usize::from(event.seat))
                .ok_or(InconsistentView)? |= by_strength(event.action.cards);
        }
        let mut fixed = [0; PLAYERS];
        if let Some(first) = actor.filter(|_| !in_exchange) {
            *fixed.get_mut(first).ok_or(InconsistentView)? |= by_strength(DIAMOND_3 & unseen);
        }
        let mut tributes = [None; 2];
        if exchange && view.fresh == 0 {
            let seat_with = |title| {
                view.titles
                    .iter()
                    .position(|&held| held == title)
                    .ok_or(InconsistentView)
            };
            for (index, (count, upper, lower)) in [(2, 0, 4), (1, 1, 3)].into_iter().enumerate() {
                let (upper, lower) = (seat_with(upper)?, seat_with(lower)?);
                if seat == upper {
                    fixed[lower] |= by_strength(view.given & unseen);
                } else if seat == lower {
                    fixed[upper] |= by_strength(view.given & unseen);
                    continue;
                }
                // The daifugo chooses before the fugo.
                let due = in_exchange && (index == 1 || actor == Some(upper));
                let gift = match () {
                    () if due => GiftKnowledge::Due,
                    () if seat == upper => GiftKnowledge::Known(by_strength(view.given)),
                    () => GiftKnowledge::Unknown,
                };
                let seat_number = |seat: usize| u8::try_from(seat).map_err(|_| InconsistentView);
                tributes[index] = Some(Tribute {
                    upper: seat_number(upper)?,
                    lower: seat_number(lower)?,
                    count,
                    gift,
                });
            }
        }
        let known = union_of(&fixed);
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

    fn check(&self, view: &View) -> Result<(), InconsistentView> {
        let seat = usize::from(self.seat);
        let fits = |other: usize| self.fixed[other].count_ones() <= u32::from(self.sizes[other]);
        let hidden: u32 = (0..PLAYERS)
            .filter(|&other| other != seat)
            .map(|other| u32::from(self.sizes[other]))
            .sum();
        let known: u32 = self.fixed.iter().map(|cards| cards.count_ones()).sum();
        let whole = view.hand & view.gone == 0
            && (view.hand | view.gone) & !card::PACK == 0
            && view.hand.count_ones() == u32::from(self.sizes[seat])
            && hidden == view.unseen().count_ones()
            && known == union_of(&self.fixed).count_ones()
            && self.fixed[seat] == 0;
        if whole && (0..PLAYERS).all(fits) {
            Ok(())
        } else {
            Err(InconsistentView)
        }
    }

    /// Returns the cards that each seat has played.
    pub(super) fn played(&self) -> [CardSet; PLAYERS] {
        self.played.map(by_cell)
    }

    /// Returns the number of ways in which the cards can have been dealt and exchanged to give
    /// these hands, or 0 if the hands are impossible. Each combination of a deal and gifts is one
    /// way, and all are equally likely, so the probability of hands is proportional to the number.
    /// Without an exchange, the number is 1 for all possible hands.
    ///
    /// Factors that are the same for all possible hands are omitted.
    pub fn ways(&self, hands: &[CardSet; PLAYERS]) -> u64 {
        let ordered = hands.map(by_strength);
        let own = usize::from(self.seat);
        let fits = |seat: usize| {
            ordered[seat].count_ones() == u32::from(self.sizes[seat])
                && if seat == own {
                    hands[seat] == self.hand
                } else {
                    ordered[seat] & self.fixed[seat] == self.fixed[seat]
                }
        };
        let all = self.free | union_of(&self.fixed) | by_strength(self.hand);
        if union_of(&ordered) != all || !(0..PLAYERS).all(fits) {
            return 0;
        }
        self.tributes
            .iter()
            .flatten()
            .map(|tribute| self.ways_of(tribute, &ordered))
            .product()
    }

    /// Returns the number of ways in which one exchange can have led to these hands.
    #[inline]
    pub(super) fn ways_of(&self, tribute: &Tribute, hands: &[u64; PLAYERS]) -> u64 {
        let [upper, lower] = [tribute.upper, tribute.lower].map(usize::from);
        tribute.ways(
            hands[upper] | self.played[upper],
            hands[lower] | self.played[lower],
        )
    }

    /// Draws the cards of exchange `index` (0 or 1) that led to these hands. Returns `None` if that
    /// exchange gives no information.
    pub(super) fn draw_exchange(
        &self,
        index: usize,
        hands: &[CardSet; PLAYERS],
        chance: &mut impl Rng,
    ) -> Option<ExchangedCards> {
        let tribute = self.tributes[index]?;
        let [upper, lower] = [tribute.upper, tribute.lower]
            .map(usize::from)
            .map(|seat| by_strength(hands[seat]) | self.played[seat]);
        tribute.draw(upper, lower, chance)
    }
}
