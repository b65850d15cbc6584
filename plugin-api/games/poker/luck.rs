//! What chance was worth in a deal of poker: the hands dealt, and every street's cards.
//!
//! The estimate behind the cards of a street is that nobody folds or bets any more: each pot goes to whoever is left to win it, as often as the
//! cards that are left say. Streets between which nothing was paid and nobody folded are taken together, so nothing need be estimated between
//! them. Where one community card is to come all of them are gone through, else boards are drawn, for this alone.

use super::betting::SeatSet;
use super::card::{self, CardSet, DECK};
use super::equity::{PARTS, Pack};
use super::event::Entry;
use super::hand::{Group, Strength, Tally};
use super::play::Deal;
use super::pots::pots_of;
use super::street::{Form, SEATS_MAX};
use crate::{ChanceEvent, LUCK_PARTS};
use rand::Rng;

/// The kinds of chance that poker tells the worth of.
pub(crate) const CHANCES: &[&str] = &["the hands dealt", "the cards of the streets"];

/// Boards drawn for an estimate. What so few leave to chance is about a hundredth of the variance of a heads-up hand, for the first of them
/// are drawn while the pot is small.
const DRAWN: usize = 16;
/// Boards looked at, at most: every card that can be the last one.
const BOARDS_MAX: usize = 48;

/// What was at stake when the cards of a street came.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stake {
    /// Seats that had not folded.
    pub in_play: SeatSet,
    /// Chips that each seat had put in.
    pub paid: [i64; SEATS_MAX],
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
    street: usize,
    /// What each seat's hand is worth in each; of seats that had folded nothing is said.
    strengths: [[Strength; SEATS_MAX]; BOARDS_MAX],
    count: usize,
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
        let mut boards =
            Boards { street: usize::MAX, strengths: [[Strength::default(); SEATS_MAX]; BOARDS_MAX], count: 0 };
        let (mut street, end) = (1, usize::from(self.street));
        while street <= end {
            let stake = self.stakes[street];
            let last = (street..=end).take_while(|&later| self.stakes[later].is_as(&stake)).last().unwrap_or(street);
            if boards.street != street - 1 {
                self.look_ahead(form, street - 1, stake.in_play, &mut boards, chance);
            }
            worth.fill(0);
            self.add_worth(&stake, &boards, -1, worth);
            self.look_ahead(form, last, stake.in_play, &mut boards, chance);
            self.add_worth(&stake, &boards, 1, worth);
            tell(ChanceEvent { kind: 1, event: stake.events, worth });
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
            let hand = self.first_cards(seat, count);
            let pairs = |of: &dyn Fn(u8) -> u8| {
                let cards = || card::cards(hand);
                let same = cards()
                    .map(|one| cards().filter(|&other| one < other && of(one) == of(other)).count())
                    .sum::<usize>();
                i64::try_from(same).unwrap_or(0)
            };
            let ranks: i64 = card::cards(hand).map(|one| i64::from(card::rank(one))).sum();
            let cards = i64::try_from(count).unwrap_or(0);
            let of_cards = cards * (cards - 1) / 2;
            // Of 51 other cards 3 are of a card's rank and 12 of its suit: 17 and 51 of 17 ways in a 51st.
            let estimate = RANK * (ranks - 6 * cards) * 51
                + SAME_RANK * (51 * pairs(&card::rank) - 3 * of_cards)
                + SAME_SUIT * (51 * pairs(&card::suit) - 12 * of_cards);
            *luck = estimate;
        }
        let sum: i64 = luck.iter().sum();
        let bet = first.bet.max(form.blinds[1]).max(form.ante).min(i64::MAX / LUCK_PARTS);
        for luck in luck {
            let beyond = i128::from(players * *luck - sum) * i128::from(8 * bet) * i128::from(LUCK_PARTS / 1000);
            *luck = i64::try_from(beyond / i128::from(51 * (players - 1).max(1))).unwrap_or(0);
        }
    }

    /// The cards that a seat was dealt first.
    fn first_cards(&self, seat: usize, count: usize) -> CardSet {
        let dealt = self.hands[seat].count_ones() as usize;
        self.places[seat][..count.min(dealt)].iter().fold(0, |hand, &place| hand | 1 << self.deck[usize::from(place)])
    }

    /// Ways in which the deal can go on after the cards of `street` for the seats in play, as likely as each other.
    fn look_ahead<R: Rng>(&self, form: &Form, street: usize, seats: SeatSet, boards: &mut Boards, chance: &mut R) {
        let dealt = &form.streets[..=street];
        let each: usize = dealt.iter().map(|street| usize::from(street.down + street.up)).sum();
        let community: usize = dealt.iter().map(|street| usize::from(street.community)).sum();
        let first_place = usize::from(self.betting.players() * self.each);
        let common = self.deck[first_place..first_place + community].iter().fold(0, |set, &card| set | 1 << card);
        let mut known = common;
        let mut hands = [0; SEATS_MAX];
        for (seat, hand) in hands.iter_mut().enumerate().take(usize::from(self.betting.players())) {
            *hand = self.first_cards(seat, each);
            known |= *hand;
        }
        let base = Tally::of(common);
        let in_play = || (0..SEATS_MAX).filter(move |seat| seats >> seat & 1 == 1);
        let groups = hands.map(|hand| (hand != 0).then(|| Group::of(hand)));
        let missing_each = usize::from(form.cards_each()) - each;
        let missing = usize::from(form.community()) - community;
        boards.street = street;
        boards.count = 0;
        let mut add = |board: Tally, others: &[u8]| {
            let strengths = &mut boards.strengths[boards.count];
            let mut others = others.chunks_exact(missing_each.max(1));
            for seat in in_play() {
                let hand = groups[seat].map_or(board, |group| board.plus(group));
                let rest = if missing_each == 0 { &[][..] } else { others.next().unwrap_or_default() };
                strengths[seat] = rest.iter().fold(hand, |hand, &card| hand.with(card)).strength();
            }
            boards.count += 1;
        };
        match (missing, missing_each) {
            (0, 0) => add(base, &[]),
            (1, 0) => card::cards(DECK & !known).for_each(|card| add(base.with(card), &[])),
            _ => {
                let mut pack = Pack::new(DECK & !known);
                for _ in 0..DRAWN {
                    let drawn = pack.draw(missing + missing_each * in_play().count(), chance);
                    let (board, others) = drawn.split_at(missing);
                    add(board.iter().fold(base, |sum, &card| sum.with(card)), others);
                }
            }
        }
    }

    /// Adds what the seats can expect of the pots, times `sign`.
    fn add_worth(&self, stake: &Stake, boards: &Boards, sign: i128, luck: &mut [i64]) {
        let mut worth = [0_i128; SEATS_MAX];
        for pot in pots_of(self.betting.players(), stake.in_play, &stake.paid, &self.betting.dead) {
            let seats = || (0..SEATS_MAX).filter(move |seat| pot.seats >> seat & 1 == 1);
            let mut shares = [0_u64; SEATS_MAX];
            for strengths in &boards.strengths[..boards.count] {
                let best = seats().map(|seat| strengths[seat]).max();
                let winners = || seats().filter(|&seat| Some(strengths[seat]) == best);
                let share = PARTS / (winners().count() as u64).max(1);
                winners().for_each(|seat| shares[seat] += share);
            }
            for (worth, share) in worth.iter_mut().zip(shares) {
                *worth += i128::from(pot.chips) * i128::from(share);
            }
        }
        let parts = i128::from(PARTS) * i128::try_from(boards.count).unwrap_or(1).max(1);
        for (luck, worth) in luck.iter_mut().zip(worth) {
            *luck += i64::try_from(sign * worth * i128::from(LUCK_PARTS) / parts).unwrap_or(0);
        }
    }
}
