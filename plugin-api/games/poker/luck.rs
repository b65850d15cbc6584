//! The luck of a poker deal: the hands dealt, and the cards of every street.
//!
//! The value of the cards of a street assumes that no seat folds or bets any more, so each pot goes
//! to the best of the remaining hands. Streets are combined if no chips were paid and no seat
//! folded between them. If one community card is missing, all cards are tried. A table contains the
//! preflop results of two hands. In all other cases, boards are sampled with a separate generator.

use super::betting::SeatSet;
use super::card::{self, DECK};
use super::equity::{self, SampleDeck};
use super::hand::{Group, Strength, Tally};
use super::heads_up;
use super::play::Deal;
use super::pots::{Pot, pots_of};
use super::street::{BettingStructure, SEATS_MAX, Street};
use crate::{ChanceEvent, LUCK_PARTS};
use rand::Rng;

/// Number of boards that are sampled for an estimate. Boards are disjoint as far as the deck
/// allows. They then contain every card almost equally often and give the accuracy of 1.5 times as
/// many independent boards. Sampling adds 0.5 % to the variance of a heads-up hand, where the first
/// samples are drawn after the flop, and 4 to 6 % at a table of six.
const SAMPLED_BOARDS: usize = 11;
/// Maximum number of boards: all possible last cards.
const BOARDS_MAX: usize = 48;
/// Number of boards that are compared at once. The sum of their shares of a pot, in [`PARTS`], fits
/// in 16 bits.
const LANES: usize = 8;
const _: () = assert!(BOARDS_MAX.is_multiple_of(LANES));
/// Number of parts of a whole pot: [`equity::PARTS`] as an `i64`.
const PARTS: i64 = equity::PARTS.cast_signed();
/// Share of each winner in [`PARTS`], by the number of winners.
const SHARES: [u16; SEATS_MAX + 1] = [0, 2520, 1260, 840, 630, 504, 420, 360, 315, 280];

/// The state of a deal when the cards of a street were dealt.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StreetState {
    /// Seats in play.
    pub in_play: SeatSet,
    /// Chips paid by each seat.
    pub paid: [i64; SEATS_MAX],
    /// Chips paid by all seats.
    pub pot: i64,
    /// `true` if at least two seats could still bet.
    pub is_open: bool,
    /// Number of events in the public record.
    pub events: usize,
}

impl StreetState {
    /// Returns `true` if no chips were paid and no seat folded between two states of one deal.
    /// (Chips paid before a street are never returned.)
    fn is_unchanged(&self, other: &StreetState) -> bool {
        debug_assert_eq!(
            self.pot == other.pot,
            self.paid == other.paid,
            "chips have moved between seats"
        );
        (self.in_play, self.pot) == (other.in_play, other.pot)
    }
}

/// A sample of the final boards of a deal, with the strength of each hand on them.
struct Boards {
    /// Strength of each seat's hand on each board. Values of folded seats and of boards from
    /// `count` on have no meaning.
    strengths: [[Strength; BOARDS_MAX]; SEATS_MAX],
    count: usize,
    /// Results of the two seats over all boards in half pots, if they come from the table
    /// [`heads_up`]. No boards are sampled then.
    counted: Option<[u32; 2]>,
}

impl Boards {
    fn none() -> Boards {
        Boards {
            strengths: [[Strength::default(); BOARDS_MAX]; SEATS_MAX],
            count: 0,
            counted: None,
        }
    }

    /// Adds a board with the cards of each seat.
    #[inline]
    fn add(&mut self, hands: impl Iterator<Item = (usize, Tally)>) {
        for (seat, hand) in hands {
            self.strengths[seat][self.count] = hand.strength();
        }
        self.count += 1;
    }

    /// Adds the mean share of each seat in a pot, times `sign`, to `worth`, in units of 1 /
    /// [`LUCK_PARTS`] of a chip.
    fn add_worth(&self, pot: &Pot, sign: i64, worth: &mut [i64]) {
        if let Some(counted) = self.counted {
            for (worth, halves) in worth.iter_mut().zip(counted) {
                *worth += sign * part_of(pot.chips, halves.into(), heads_up::HALVES.into());
            }
            return;
        }
        // Division by a constant is several times faster, and there is one division per seat.
        match self.count {
            1 => self.add_parts::<1>(pot, 1, sign, worth),
            SAMPLED_BOARDS => self.add_parts::<LANES>(pot, SAMPLED_BOARDS, sign, worth),
            count => self.add_parts::<LANES>(pot, count, sign, worth),
        }
    }

    /// Implements [`Boards::add_worth`] for `count` boards, `AT_ONCE` of which are compared at
    /// once.
    #[inline(always)]
    fn add_parts<const AT_ONCE: usize>(
        &self,
        pot: &Pot,
        count: usize,
        sign: i64,
        worth: &mut [i64],
    ) {
        let shares = self.shares::<AT_ONCE>(pot.seats);
        for seat in seats_of(pot.seats) {
            worth[seat] +=
                sign * part_of(pot.chips, shares[seat], PARTS * count.cast_signed() as i64);
        }
    }

    /// Returns the sum over all boards of each seat's share in a pot that `seats` can win, in
    /// [`PARTS`].
    #[inline(always)]
    fn shares<const AT_ONCE: usize>(&self, seats: SeatSet) -> [i64; SEATS_MAX] {
        let mut shares = [0; SEATS_MAX];
        for (number, from) in (0..self.count).step_by(AT_ONCE).enumerate() {
            let of = |seat: usize| &self.strengths[seat].as_chunks::<AT_ONCE>().0[number];
            let mut best = [Strength::default(); AT_ONCE];
            for seat in seats_of(seats) {
                best.iter_mut()
                    .zip(of(seat))
                    .for_each(|(best, &strength)| *best = strength.max(*best));
            }
            let mut winners = [0_u16; AT_ONCE];
            for seat in seats_of(seats) {
                let is_best = of(seat)
                    .iter()
                    .zip(&best)
                    .map(|(strength, best)| u16::from(strength == best));
                winners
                    .iter_mut()
                    .zip(is_best)
                    .for_each(|(winners, is_best)| *winners += is_best);
            }
            let mut share = [0; AT_ONCE];
            for (share, winners) in share.iter_mut().zip(winners).take(self.count - from) {
                *share = SHARES[usize::from(winners)];
            }
            for seat in seats_of(seats) {
                let won = of(seat).iter().zip(&best).zip(share);
                let won =
                    won.map(|((strength, best), share)| if strength == best { share } else { 0 });
                shares[seat] += i64::from(won.sum::<u16>());
            }
        }
        shares
    }
}

/// Returns the seats of a set in ascending order.
fn seats_of(seats: SeatSet) -> impl Iterator<Item = usize> {
    card::cards(seats.into()).map(usize::from)
}

impl Deal {
    /// Reports the luck of a finished deal, see [`crate::Game::luck`].
    pub(crate) fn luck(
        &self,
        form: &BettingStructure,
        chance: &mut impl Rng,
        mut tell: impl FnMut(ChanceEvent<'_>),
    ) {
        // If the deck is too short, folds influence which seat gets which card.
        if self.each != form.cards_per_seat() {
            return;
        }
        let mut worth = [0; SEATS_MAX];
        let worth = &mut worth[..usize::from(self.betting.players())];
        self.luck_of_hands(form, worth);
        tell(ChanceEvent {
            kind: 0,
            event: 0,
            worth,
        });
        let end = usize::from(self.street);
        if end == 0 {
            return;
        }
        let (mut before, mut after) = (&mut Boards::none(), &mut Boards::none());
        self.sample_boards(form, 0, self.street_states[1].in_play, before, chance);
        let mut street = 1;
        while street <= end {
            let stake = &self.street_states[street];
            let last = (street..=end)
                .take_while(|&later| self.street_states[later].is_unchanged(stake))
                .last()
                .unwrap_or(street);
            let mut dealt = form.streets[street..=last].iter();
            if dealt.all(|street| street.down + street.up + street.community == 0) {
                street = last + 1;
                continue;
            }
            self.sample_boards(form, last, stake.in_play, after, chance);
            worth.fill(0);
            // Cards do not change pots that only one seat can win.
            let pots = pots_of(
                self.betting.players(),
                stake.in_play,
                &stake.paid,
                &self.betting.dead,
            );
            for pot in pots.filter(|pot| !pot.seats.is_power_of_two()) {
                for (boards, sign) in [(&*before, -1), (&*after, 1)] {
                    boards.add_worth(&pot, sign, worth);
                }
            }
            // The kind must not depend on the cards that come, so that the mean luck of each kind
            // is zero.
            let kind = if stake.is_open { 1 + street } else { 1 };
            tell(ChanceEvent {
                kind,
                event: stake.events,
                worth,
            });
            std::mem::swap(&mut before, &mut after);
            street = last + 1;
        }
    }

    /// Computes the luck of the first cards of each seat. The estimate is a sum over cards and
    /// pairs of cards, so its mean over all hands is known. It rewards high ranks, equal ranks and
    /// equal suits, in thousandths of a pot of eight bets. The mean of the other seats is
    /// subtracted.
    fn luck_of_hands(&self, form: &BettingStructure, luck: &mut [i64]) {
        const RANK: i64 = 16;
        const SAME_RANK: i64 = 200;
        const SAME_SUIT: i64 = 30;
        let first = form.streets[0];
        let count = usize::from(first.down + first.up);
        let players = i64::try_from(luck.len()).unwrap_or(i64::MAX);
        for (seat, luck) in luck.iter_mut().enumerate() {
            let hand = &self.places[seat][..count];
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
            // Of 51 other cards, 3 have the same rank and 12 the same suit. The values are
            // multiplied by 51.
            *luck = RANK * (ranks - 6 * cards) * 51
                + SAME_RANK * (51 * same_rank - 3 * pairs)
                + SAME_SUIT * (51 * same_suit - 12 * pairs);
        }
        let sum: i64 = luck.iter().sum();
        let bet = first
            .bet
            .max(form.blinds[1])
            .max(form.ante)
            .min(i64::MAX / LUCK_PARTS);
        for luck in luck {
            *luck = part_of(
                8 * bet,
                players * *luck - sum,
                1000 * 51 * (players - 1).max(1),
            );
        }
    }

    /// Samples the cards that `seats` can still get after those of `street`. All continuations are
    /// equally likely.
    fn sample_boards(
        &self,
        form: &BettingStructure,
        street: usize,
        seats: SeatSet,
        boards: &mut Boards,
        chance: &mut impl Rng,
    ) {
        let (dealt, to_come) = form.streets.split_at(street + 1);
        let cards = |streets: &[Street]| {
            streets.iter().fold((0, 0), |(each, community), street| {
                (
                    each + usize::from(street.down + street.up),
                    community + usize::from(street.community),
                )
            })
        };
        let ((each, community), (missing_each, missing)) = (cards(dealt), cards(to_come));
        let players = usize::from(self.betting.players());
        (boards.count, boards.counted) = (0, None);
        // The table is valid only for two players. With more players, the deck lacks the cards of
        // folded hands, which the table ignores.
        if (players, each, community, missing_each, missing) == (2, 2, 0, 0, 5) {
            let cards = |seat: usize| {
                [0, 1].map(|number| self.deck[usize::from(self.places[seat][number])])
            };
            boards.counted = Some(heads_up::half_pots(cards(0), cards(1)));
            return;
        }
        let (common, rest) = self.deck[players * usize::from(self.each)..].split_at(community);
        let base = Tally::new().with_all(common);
        let mut hands = [(0, Group::of(1)); SEATS_MAX];
        let mut count = 0;
        for (hand, seat) in hands.iter_mut().zip(seats_of(seats)) {
            *hand = (seat, Group::of(self.cards_at(&self.places[seat][..each])));
            count += 1;
        }
        let hands = &hands[..count];
        let with_hands = |board: Tally| {
            hands
                .iter()
                .map(move |&(seat, hand)| (seat, board.plus(hand)))
        };
        match (missing, missing_each) {
            (0, 0) => return boards.add(with_hands(base)),
            (1, 0) => {
                return rest
                    .iter()
                    .for_each(|&card| boards.add(with_hands(base.with(card))));
            }
            _ => {}
        }
        // If no private cards are missing, no seat has seen the deck after the community cards.
        let mut pack = if missing_each == 0 {
            SampleDeck::of(rest)
        } else {
            let seen = |seat: usize| {
                self.cards_at(
                    &self.places[seat][..each.min(self.hands[seat].count_ones() as usize)],
                )
            };
            SampleDeck::new(
                DECK & !(0..players).fold(card::set_of(common), |known, seat| known | seen(seat)),
            )
        };
        let wanted = missing + missing_each * count;
        let mut left = SAMPLED_BOARDS;
        while left > 0 {
            let at_once = (pack.count() / wanted).min(left);
            for drawn in pack.draw(at_once * wanted, chance).chunks_exact(wanted) {
                let (board, others) = drawn.split_at(missing);
                let board = with_hands(base.with_all(board));
                if missing_each == 0 {
                    boards.add(board);
                } else {
                    let others = others.chunks_exact(missing_each);
                    boards.add(
                        board
                            .zip(others)
                            .map(|((seat, hand), rest)| (seat, hand.with_all(rest))),
                    );
                }
            }
            left -= at_once;
        }
    }
}

/// Returns `chips * part / of` in units of 1 / [`LUCK_PARTS`], or 0 if the result exceeds 64 bits.
#[inline(always)]
fn part_of(chips: i64, part: i64, of: i64) -> i64 {
    if let Some(product) = chips
        .checked_mul(part)
        .and_then(|product| product.checked_mul(LUCK_PARTS))
    {
        return product / of;
    }
    let product = i128::from(chips) * i128::from(part) * i128::from(LUCK_PARTS);
    i64::try_from(product / i128::from(of)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::below;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    /// Computes the shares of a pot board by board, with 128-bit numbers.
    fn worth_by_the_book(boards: &Boards, pot: &Pot, worth: &mut [i64]) {
        for seat in seats_of(pot.seats) {
            let share = |board: usize| {
                let of = |seat: usize| boards.strengths[seat][board];
                let best = seats_of(pot.seats).map(of).max().unwrap();
                let winners = seats_of(pot.seats).filter(|&seat| of(seat) == best).count();
                if of(seat) == best {
                    i128::from(PARTS) / winners as i128
                } else {
                    0
                }
            };
            let shares: i128 = (0..boards.count).map(share).sum();
            let parts = i128::from(PARTS) * boards.count as i128;
            worth[seat] +=
                i64::try_from(i128::from(pot.chips) * shares * i128::from(LUCK_PARTS) / parts)
                    .unwrap();
        }
    }

    /// Few different strengths cause many ties. Results of earlier boards remain after `count`.
    #[test]
    fn pot_shares_match_a_direct_computation() {
        let mut chance = ChaCha8Rng::seed_from_u64(1);
        let strengths =
            ["7c5d4h3s2c", "AcKdJh9s7c", "2c2d5h4s3c"].map(|hand| card::parse_set(hand).unwrap());
        let mut boards = Boards::none();
        for _ in 0..3000 {
            boards.count =
                [1, 2, 8, SAMPLED_BOARDS, 44, BOARDS_MAX][below(&mut chance, 6) as usize];
            for seat in &mut boards.strengths {
                let count = boards.count;
                seat[..count].fill_with(|| Strength::of(strengths[below(&mut chance, 3) as usize]));
            }
            let chips = [1, 3, 400, 9_000_000_000_000][below(&mut chance, 4) as usize];
            let seats = 1 + SeatSet::try_from(below(&mut chance, (1 << SEATS_MAX) - 1)).unwrap();
            let pot = Pot { chips, seats };
            let (mut ours, mut book) = ([7; SEATS_MAX], [0; SEATS_MAX]);
            worth_by_the_book(&boards, &pot, &mut book);
            boards.add_worth(&pot, 1, &mut ours);
            assert_eq!(
                ours.map(|worth| worth - 7),
                book,
                "{pot:?}, {} boards",
                boards.count
            );
            boards.add_worth(&pot, -1, &mut ours);
            assert_eq!(ours, [7; SEATS_MAX]);
        }
    }
}
