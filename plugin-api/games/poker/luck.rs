//! What chance was worth in a deal of poker: the hands dealt, and every street's cards.
//!
//! The estimate behind the cards of a street is that nobody folds or bets any more: each pot goes to whoever is left to win it, as often as the
//! cards that are left say. Streets between which nothing was paid and nobody folded are taken together, so nothing need be estimated between
//! them. Where one community card is to come all of them are gone through, else boards are drawn, for this alone.

use super::betting::SeatSet;
use super::card::{self, DECK};
use super::equity::{self, Pack};
use super::event::Entry;
use super::hand::{Group, Strength, Tally};
use super::play::Deal;
use super::pots::pots_of;
use super::street::{Form, SEATS_MAX};
use crate::{ChanceEvent, LUCK_PARTS};
use rand::Rng;

/// What the kinds of chance are called: the hands dealt, cards that come when nobody can bet any more, and the others by street. What a flop was
/// worth is multiplied by the bets that it leads to; what cards were worth that are only turned over is not.
pub(crate) mod chances {
    pub(crate) const OF_HOLDEM: &[&str] =
        &["the hands dealt", "cards when all are in", "the flop", "the turn", "the river"];
    pub(crate) const OF_STUD: &[&str] = &[
        "the hands dealt",
        "cards when all are in",
        "the fourth cards",
        "the fifth cards",
        "the sixth cards",
        "the seventh cards",
    ];
}

/// Boards drawn for an estimate. As many as the pack allows have no card in common: together they see every card about as often as it comes,
/// and leave no more to chance than half as many again that know nothing of each other, which is about a hundredth of the variance of a
/// heads-up hand, for the first of them are drawn while the pot is small.
const DRAWN: usize = 11;
/// Boards looked at, at most: every card that can be the last one.
const BOARDS_MAX: usize = 48;
/// A whole pot, as in [`equity::PARTS`].
const PARTS: i64 = equity::PARTS.cast_signed();

/// What was at stake when the cards of a street came.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stake {
    /// Seats that had not folded.
    pub in_play: SeatSet,
    /// Chips that each seat had put in.
    pub paid: [i64; SEATS_MAX],
    /// Whether any two of them could still bet.
    pub is_open: bool,
    /// Events that the public record had.
    pub events: usize,
}

impl Stake {
    /// Whether nothing was paid and nobody folded between the two.
    fn is_as(&self, other: &Stake) -> bool {
        (self.in_play, self.paid) == (other.in_play, other.paid)
    }
}

/// Ways in which a deal can end from some street on.
struct Boards {
    /// What each seat's hand is worth in each; nothing where it had folded.
    strengths: [[Strength; SEATS_MAX]; BOARDS_MAX],
    count: usize,
}

impl Boards {
    fn none() -> Boards {
        Boards { strengths: [[Strength::default(); SEATS_MAX]; BOARDS_MAX], count: 0 }
    }

    /// How much of a pot each of the `seats` that may win it gets, summed over the boards, in [`PARTS`].
    fn shares(&self, seats: SeatSet) -> [i64; SEATS_MAX] {
        let mut shares = [0; SEATS_MAX];
        let boards = &self.strengths[..self.count];
        let (one, two) = (seats.trailing_zeros() as usize, (SeatSet::BITS - 1 - seats.leading_zeros()) as usize);
        if seats.count_ones() == 2 {
            // The common case, without a branch.
            let half = PARTS / 2;
            for board in boards {
                let ahead = i64::from(board[one] > board[two]) - i64::from(board[one] < board[two]);
                shares[one] += half + half * ahead;
                shares[two] += half - half * ahead;
            }
            return shares;
        }
        let in_pot: [bool; SEATS_MAX] = std::array::from_fn(|seat| seats >> seat & 1 == 1);
        for board in boards {
            let mut of_pot = *board;
            for (strength, in_pot) in of_pot.iter_mut().zip(in_pot) {
                *strength = if in_pot { *strength } else { Strength::default() };
            }
            let best = of_pot.iter().fold(Strength::default(), |best, &strength| best.max(strength));
            let winners: u8 = of_pot.iter().map(|&strength| u8::from(strength == best)).sum();
            let share = PARTS / i64::from(winners);
            for (sum, strength) in shares.iter_mut().zip(of_pot) {
                *sum += if strength == best { share } else { 0 };
            }
        }
        shares
    }
}

/// The seats of a set, from the lowest.
fn seats_of(seats: SeatSet) -> impl Iterator<Item = usize> {
    card::cards(seats.into()).map(usize::from)
}

impl<E: From<Entry> + Copy> Deal<E> {
    /// What chance was worth in this deal, which is over; as [`crate::Game::luck`].
    pub(crate) fn luck<R: Rng>(&self, form: &Form, chance: &mut R, mut tell: impl FnMut(ChanceEvent<'_>)) {
        // Where the deck is too short for everybody, who gets which card hangs on who has folded.
        if self.each != form.cards_each() {
            return;
        }
        let mut worth = [0; SEATS_MAX];
        let worth = &mut worth[..usize::from(self.betting.players())];
        self.luck_of_hands(form, worth);
        tell(ChanceEvent { kind: 0, event: 0, worth });
        let end = usize::from(self.street);
        if end == 0 {
            return;
        }
        let (mut before, mut after) = (Boards::none(), Boards::none());
        self.look_ahead(form, 0, self.stakes[1].in_play, &mut before, chance);
        let mut street = 1;
        while street <= end {
            let stake = self.stakes[street];
            let last = (street..=end).take_while(|&later| self.stakes[later].is_as(&stake)).last().unwrap_or(street);
            let mut dealt = form.streets[street..=last].iter();
            if dealt.all(|street| street.down + street.up + street.community == 0) {
                street = last + 1;
                continue;
            }
            self.look_ahead(form, last, stake.in_play, &mut after, chance);
            worth.fill(0);
            for pot in pots_of(self.betting.players(), stake.in_play, &stake.paid, &self.betting.dead) {
                for (boards, sign) in [(&before, -1), (&after, 1)] {
                    let parts = PARTS * i64::try_from(boards.count).unwrap_or(1);
                    for (worth, share) in worth.iter_mut().zip(boards.shares(pot.seats)) {
                        *worth += sign * part_of(pot.chips, share, parts);
                    }
                }
            }
            // What the kind hangs on was known before the cards came, so the mean of each kind is nothing.
            let kind = if stake.is_open { 1 + street } else { 1 };
            tell(ChanceEvent { kind, event: stake.events, worth });
            std::mem::swap(&mut before, &mut after);
            street = last + 1;
        }
    }

    /// What the first cards of each seat were worth, by an estimate that adds up over cards and pairs of cards, so that its mean over
    /// all hands is known: higher ranks, cards of one rank, cards of one suit, in thousandths of a pot of eight bets; less what the others have.
    fn luck_of_hands(&self, form: &Form, luck: &mut [i64]) {
        const RANK: i64 = 16;
        const SAME_RANK: i64 = 200;
        const SAME_SUIT: i64 = 30;
        let first = form.streets[0];
        let count = usize::from(first.down + first.up);
        let players = i64::try_from(luck.len()).unwrap_or(i64::MAX);
        for (seat, luck) in luck.iter_mut().enumerate() {
            let hand = self.first_places(seat, count);
            let (mut ranks, mut same_rank, mut same_suit) = (0, 0, 0);
            for (number, &place) in hand.iter().enumerate() {
                let card = self.deck[usize::from(place)];
                ranks += i64::from(card::rank(card));
                for &other in &hand[..number] {
                    let other = self.deck[usize::from(other)];
                    same_rank += i64::from(card::rank(card) == card::rank(other));
                    same_suit += i64::from(card::suit(card) == card::suit(other));
                }
            }
            let cards = i64::try_from(count).unwrap_or(0);
            let pairs = cards * (cards - 1) / 2;
            // Of 51 other cards 3 are of a card's rank and 12 of its suit: 17 and 51 of 17 ways in a 51st.
            *luck = RANK * (ranks - 6 * cards) * 51
                + SAME_RANK * (51 * same_rank - 3 * pairs)
                + SAME_SUIT * (51 * same_suit - 12 * pairs);
        }
        let sum: i64 = luck.iter().sum();
        let bet = first.bet.max(form.blinds[1]).max(form.ante).min(i64::MAX / LUCK_PARTS);
        for luck in luck {
            *luck = part_of(8 * bet, players * *luck - sum, 1000 * 51 * (players - 1).max(1));
        }
    }

    /// Places in the deck of the cards that a seat was dealt first.
    fn first_places(&self, seat: usize, count: usize) -> &[u8] {
        let dealt = self.hands[seat].count_ones() as usize;
        &self.places[seat][..count.min(dealt)]
    }

    /// Ways in which the deal can go on after the cards of `street` for the seats in play, as likely as each other.
    fn look_ahead<R: Rng>(&self, form: &Form, street: usize, seats: SeatSet, boards: &mut Boards, chance: &mut R) {
        let dealt = &form.streets[..=street];
        let each: usize = dealt.iter().map(|street| usize::from(street.down + street.up)).sum();
        let community: usize = dealt.iter().map(|street| usize::from(street.community)).sum();
        let players = usize::from(self.betting.players());
        let hand = |seat| {
            self.first_places(seat, each).iter().fold(0, |hand, &place| hand | 1 << self.deck[usize::from(place)])
        };
        let (common, rest) = self.deck[players * usize::from(self.each)..].split_at(community);
        let base = common.iter().fold(Tally::new(), |sum, &card| sum.with(card));
        let mut hands = [None; SEATS_MAX];
        for seat in seats_of(seats) {
            hands[seat] = Some(Group::of(hand(seat)));
        }
        let hands = || (0_usize..).zip(&hands).filter_map(|(seat, hand)| Some((seat, (*hand)?)));
        let missing_each = usize::from(form.cards_each()) - each;
        let missing = usize::from(form.community()) - community;
        boards.count = 0;
        let mut add = |board: Tally, others: &[u8]| {
            let strengths = &mut boards.strengths[boards.count];
            *strengths = [Strength::default(); SEATS_MAX];
            if missing_each == 0 {
                for (seat, hand) in hands() {
                    strengths[seat] = board.plus(hand).strength();
                }
            } else {
                for ((seat, hand), rest) in hands().zip(others.chunks_exact(missing_each)) {
                    strengths[seat] = rest.iter().fold(board.plus(hand), |hand, &card| hand.with(card)).strength();
                }
            }
            boards.count += 1;
        };
        match (missing, missing_each) {
            (0, 0) => add(base, &[]),
            (1, 0) => rest.iter().for_each(|&card| add(base.with(card), &[])),
            _ => {
                // Where every seat has all of its cards, nobody has seen what follows the community cards in the deck.
                let mut pack = if missing_each == 0 {
                    Pack::of(rest)
                } else {
                    let known = (0..players)
                        .map(hand)
                        .chain(common.iter().map(|&card| 1 << card))
                        .fold(0, |set, more| set | more);
                    Pack::new(DECK & !known)
                };
                let wanted = missing + missing_each * seats.count_ones() as usize;
                let mut left = DRAWN;
                while left > 0 {
                    let at_once = (pack.count() / wanted).min(left);
                    for drawn in pack.draw(at_once * wanted, chance).chunks_exact(wanted) {
                        let (board, others) = drawn.split_at(missing);
                        add(board.iter().fold(base, |sum, &card| sum.with(card)), others);
                    }
                    left -= at_once;
                }
            }
        }
    }
}

/// So many chips times a fraction, in [`LUCK_PARTS`]; nothing where that is more than a number holds.
fn part_of(chips: i64, part: i64, of: i64) -> i64 {
    if let Some(product) = chips.checked_mul(part).and_then(|product| product.checked_mul(LUCK_PARTS)) {
        return product / of;
    }
    let product = i128::from(chips) * i128::from(part) * i128::from(LUCK_PARTS);
    i64::try_from(product / i128::from(of)).unwrap_or(0)
}
