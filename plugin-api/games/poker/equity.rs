//! Win rates as exact counts of the showdowns that a hand wins, shares and loses. The caller
//! computes the share of the pot and its error from them.

use super::card::{CardSet, DECK, DECK_SIZE, cards};
use super::hand::{Group, Strength, Tally};
use super::street::SEATS_MAX;
pub use crate::cards::choose;
use rand::Rng;
use std::cmp::Ordering;

/// Maximum number of opponents: [`SEATS_MAX`] minus 1.
const OPPONENTS_MAX: u32 = 8;
/// Number of community cards at a showdown.
const COMMUNITY: u32 = 5;
/// Number of parts of a pot, divisible by any number of winners up to nine.
pub const PARTS: u64 = 2520;

/// The results of the showdowns of one hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Numbers of showdowns won, by the number of winners minus 1: `won[0]` counts those won alone,
    /// `won[1]` those shared by two hands.
    pub won: [u64; SEATS_MAX],
    /// Number of showdowns.
    pub deals: u64,
}

impl Outcomes {
    /// Returns the sum of the hand's shares of the pot over all showdowns, in units of 1/[`PARTS`].
    pub fn parts(&self) -> u64 {
        (1..)
            .zip(self.won)
            .map(|(winners, count)| count * (PARTS / winners))
            .sum()
    }

    /// Returns the sum of the squared shares over all showdowns, in units of 1/[`PARTS`]².
    pub fn squares(&self) -> u128 {
        let square = |winners: u64| u128::from(PARTS / winners).pow(2);
        (1..)
            .zip(self.won)
            .map(|(winners, count)| u128::from(count) * square(winners))
            .sum()
    }

    /// Returns the number of showdowns won alone.
    pub fn wins(&self) -> u64 {
        self.won[0]
    }

    /// Returns the number of shared showdowns.
    pub fn ties(&self) -> u64 {
        self.won[1..].iter().sum()
    }

    /// Adds the showdowns of `other`.
    pub fn add(&mut self, other: &Outcomes) {
        for (sum, more) in self.won.iter_mut().zip(other.won) {
            *sum += more;
        }
        self.deals += other.deals;
    }

    /// Counts a showdown. `winners` is the number of winners including this hand, or 0 if it lost.
    #[inline]
    fn count(&mut self, winners: usize) {
        if let Some(won) = self.won.get_mut(winners.wrapping_sub(1)) {
            *won += 1;
        }
        self.deals += 1;
    }
}

/// Returns the number of possible showdowns of a hand with `opponents` random hands, given the
/// community cards, or `None` if this number exceeds 64 bits. The order of opponents counts, so two
/// opponents double the number.
///
/// # Panics
/// Panics if there are more than five community cards.
pub fn showdowns(community: CardSet, opponents: u32) -> Option<u64> {
    let missing = COMMUNITY
        .checked_sub(community.count_ones())
        .expect("at most five community cards");
    let mut unseen = u64::from(52 - 2 - community.count_ones());
    let mut count = choose(unseen, missing.into());
    unseen -= u64::from(missing);
    for _ in 0..opponents {
        count = count.checked_mul(choose(unseen, 2))?;
        unseen = unseen.checked_sub(2)?;
    }
    Some(count)
}

/// Counts every showdown of `hand` with `opponents` random hands. [`showdowns`] returns their
/// number.
///
/// Panics if the hand does not have two cards or shares a card with the community. Panics if the
/// number of opponents is not 1 to 8, or if the community has more than five cards.
pub fn exact(hand: CardSet, community: CardSet, opponents: u32) -> Outcomes {
    check(hand, community, opponents);
    let mut outcomes = Outcomes::default();
    let unseen = DECK & !hand & !community;
    let own = Group::of(hand);
    let mut others = Vec::new();
    for_each_completion(
        Tally::of(community),
        community,
        unseen,
        &mut |board, tally| {
            let own = tally.plus(own).strength();
            others.clear();
            let left = unseen & !board;
            for (first, with_first) in cards(left).map(|card| (card, tally.with(card))) {
                // Pairs with a card below the first were counted before.
                for second in cards(left & !((2 << first) - 1)) {
                    let strength = with_first.with(second).strength();
                    others.push((1 << first | 1 << second, strength.cmp(&own)));
                }
            }
            count_opponents(&others, 0, opponents, 1, &mut outcomes);
        },
    );
    // The recursion skips hands that an opponent beats, so the number is computed.
    outcomes.deals =
        showdowns(community, opponents).expect("the number of showdowns fits in 64 bits");
    outcomes
}

/// Adds the showdowns in which none of `left` more opponents beats the hand. Each of these
/// opponents gets a hand from `others` without a card of `held`. `winners` is the number of hands
/// that share the pot so far.
fn count_opponents(
    others: &[(CardSet, Ordering)],
    held: CardSet,
    left: u32,
    winners: usize,
    outcomes: &mut Outcomes,
) {
    if left == 0 {
        outcomes.won[winners - 1] += 1;
        return;
    }
    for (hand, strength) in others {
        if hand & held == 0 && strength.is_le() {
            count_opponents(
                others,
                held | hand,
                left - 1,
                winners + usize::from(strength.is_eq()),
                outcomes,
            );
        }
    }
}

/// Counts every showdown of known hands. `dead` cards are not in the deck. Returns one count per
/// hand.
///
/// # Panics
/// Panics if the number of hands is not 2 to 9, if a hand does not have two cards, or if a card
/// occurs twice.
pub fn exact_between(hands: &[CardSet], community: CardSet, dead: CardSet) -> Vec<Outcomes> {
    let unseen = check_between(hands, community, dead);
    let mut outcomes = vec![Outcomes::default(); hands.len()];
    let sums: Vec<Group> = hands.iter().map(|&hand| Group::of(hand)).collect();
    match sums[..] {
        // A separate loop for the common case of two hands, for speed.
        [one, two] => {
            for_each_completion(Tally::of(community), community, unseen, &mut |_, board| {
                count_showdown_of_two(
                    &mut outcomes,
                    board.plus(one).strength(),
                    board.plus(two).strength(),
                );
            });
        }
        _ => for_each_completion(Tally::of(community), community, unseen, &mut |_, board| {
            count_showdown(&mut outcomes, &sums, board);
        }),
    }
    outcomes
}

/// Counts `samples` random showdowns of known hands. Returns one count per hand.
///
/// # Panics
/// Panics in the same cases as [`exact_between`].
pub fn sampled_between(
    hands: &[CardSet],
    community: CardSet,
    dead: CardSet,
    samples: u64,
    chance: &mut impl Rng,
) -> Vec<Outcomes> {
    let unseen = check_between(hands, community, dead);
    let missing = (COMMUNITY - community.count_ones()) as usize;
    let mut outcomes = vec![Outcomes::default(); hands.len()];
    let sums: Vec<Group> = hands.iter().map(|&hand| Group::of(hand)).collect();
    let base = Tally::of(community);
    let mut pack = SampleDeck::new(unseen);
    for _ in 0..samples {
        let board = base.with_all(pack.draw(missing, chance));
        count_showdown(&mut outcomes, &sums, board);
    }
    outcomes
}

/// Counts a showdown of two hands in the outcomes of both.
#[inline]
fn count_showdown_of_two(outcomes: &mut [Outcomes], one: Strength, two: Strength) {
    let winners = |own: Strength, other: Strength| match own.cmp(&other) {
        Ordering::Greater => 1,
        Ordering::Equal => 2,
        Ordering::Less => 0,
    };
    outcomes[0].count(winners(one, two));
    outcomes[1].count(winners(two, one));
}

/// Counts a showdown in the outcomes of all hands. `sums` contains the cards of each hand.
fn count_showdown(outcomes: &mut [Outcomes], sums: &[Group], board: Tally) {
    let mut strengths = [Strength::default(); SEATS_MAX];
    for (strength, &sum) in strengths.iter_mut().zip(sums) {
        *strength = board.plus(sum).strength();
    }
    let strengths = &strengths[..sums.len()];
    let best = strengths.iter().copied().max().unwrap_or_default();
    let winners = strengths
        .iter()
        .filter(|&&strength| strength == best)
        .count();
    for (outcomes, &strength) in outcomes.iter_mut().zip(strengths) {
        outcomes.count(if strength == best { winners } else { 0 });
    }
}

/// Counts `samples` random showdowns of `hand` with `opponents` random hands. The counts depend
/// only on the arguments and the generator, on every machine and in every release.
///
/// # Panics
/// Panics in the same cases as [`exact`].
pub fn sampled(
    hand: CardSet,
    community: CardSet,
    opponents: u32,
    samples: u64,
    chance: &mut impl Rng,
) -> Outcomes {
    check(hand, community, opponents);
    let missing = (COMMUNITY - community.count_ones()) as usize;
    let mut pack = SampleDeck::new(DECK & !hand & !community);
    let (base, own) = (Tally::of(community), Group::of(hand));
    let mut outcomes = Outcomes::default();
    for _ in 0..samples {
        let drawn = pack.draw(missing + 2 * opponents as usize, chance);
        let (board, others) = drawn.split_at(missing);
        let board = base.with_all(board);
        let own = board.plus(own).strength();
        let mut winners = 1;
        for pair in others.chunks_exact(2) {
            let other = board.with(pair[0]).with(pair[1]).strength();
            if own < other {
                winners = 0;
                break;
            }
            winners += usize::from(own == other);
        }
        outcomes.count(winners);
    }
    outcomes
}

/// A set of cards from which samples are drawn repeatedly.
#[derive(Clone, Debug)]
pub struct SampleDeck {
    /// The cards, padded to 64 elements, so that a masked index needs no bounds check.
    cards: [u8; 64],
    count: usize,
}

/// Number of cards that are drawn with one 64-bit random number.
const BATCH: usize = 8;
/// Number of ways to draw [`BATCH`] cards in order from the deck; far below 2⁶⁴.
const CHOICES_MAX: u64 = 52 * 51 * 50 * 49 * 48 * 47 * 46 * 45;

impl SampleDeck {
    /// Creates a sample deck from a set of cards.
    pub fn new(set: CardSet) -> SampleDeck {
        let mut pack = SampleDeck {
            cards: [0; 64],
            count: set.count_ones() as usize,
        };
        for (place, card) in pack.cards.iter_mut().zip(cards(set)) {
            *place = card;
        }
        pack
    }

    /// Creates a sample deck from a list of distinct cards.
    ///
    /// # Panics
    /// Panics if there are more than 52 cards.
    pub fn of(set: &[u8]) -> SampleDeck {
        assert!(set.len() <= DECK_SIZE, "a sample deck has at most 52 cards");
        let mut pack = SampleDeck {
            cards: [0; 64],
            count: set.len(),
        };
        pack.cards[..set.len()].copy_from_slice(set);
        pack
    }

    /// Returns the number of cards.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Draws cards without replacement; all choices and orders are equally likely. Every call draws
    /// from all cards. One random number gives eight cards: batches of bounded numbers after
    /// Brackett-Rozinsky and Lemire, "Batched Ranged Random Integer Generation".
    ///
    /// # Panics
    /// Panics if there are fewer than `wanted` cards.
    #[inline]
    pub fn draw(&mut self, wanted: usize, chance: &mut impl Rng) -> &[u8] {
        assert!(
            wanted <= self.count,
            "the sample deck has only {} cards",
            self.count
        );
        let mut from = 0;
        while from < wanted {
            let to = wanted.min(from + BATCH);
            // A number that would bias the draw is rejected, at most once in a million draws. Its
            // swaps need not be undone, because any initial order is equally good.
            let fraction = chance.next_u64();
            // Most batches are whole. Constant bounds let the compiler unroll the loop.
            let is_unbiased = match to - from {
                BATCH => self.draw_batch(from, from + BATCH, fraction),
                _ => self.draw_batch(from, to, fraction),
            };
            if is_unbiased {
                from = to;
            }
        }
        &self.cards[..wanted]
    }

    /// Draws the cards at places `from` to `to` with the digits of a fraction in a mixed base.
    /// Returns `false` if the fraction would bias the draw.
    #[inline(always)]
    fn draw_batch(&mut self, from: usize, to: usize, mut fraction: u64) -> bool {
        for place in from..to {
            let left = (self.count - place) as u64;
            let (rest, digit) = fraction.carrying_mul(left, 0);
            self.cards
                .swap(place & 63, (place + (digit & 63) as usize) & 63);
            fraction = rest;
        }
        CHOICES_MAX <= fraction || self.is_unbiased(from, to, fraction)
    }

    /// Returns `true` if a draw that leaves this rest of the fraction is kept. Draws with other
    /// rests are rejected, so that all choices are equally likely.
    #[cold]
    fn is_unbiased(&self, from: usize, to: usize, rest: u64) -> bool {
        let choices: u64 = (from..to)
            .map(|place| (self.count - place) as u64)
            .product();
        choices <= rest || choices.wrapping_neg() % choices <= rest
    }
}

/// Calls `look` for every completion of the community to five cards. The arguments are the added
/// cards and the sum of all five.
fn for_each_completion(
    base: Tally,
    community: CardSet,
    unseen: CardSet,
    look: &mut impl FnMut(CardSet, Tally),
) {
    complete_board(base, 0, unseen, COMMUNITY - community.count_ones(), look);
}

fn complete_board(
    sum: Tally,
    added: CardSet,
    rest: CardSet,
    missing: u32,
    look: &mut impl FnMut(CardSet, Tally),
) {
    match missing {
        0 => look(added, sum),
        // The innermost loop does most of the work, so it is separate.
        1 => cards(rest).for_each(|card| look(added | 1 << card, sum.with(card))),
        _ => {
            let mut rest = rest;
            for card in cards(rest) {
                rest &= !(1 << card);
                complete_board(sum.with(card), added | 1 << card, rest, missing - 1, look);
            }
        }
    }
}

fn check(hand: CardSet, community: CardSet, opponents: u32) {
    check_cards(&[hand], community, 0);
    assert!(
        (1..=OPPONENTS_MAX).contains(&opponents),
        "there are 1 to 8 opponents"
    );
}

/// Checks the arguments and returns the unknown cards.
fn check_between(hands: &[CardSet], community: CardSet, dead: CardSet) -> CardSet {
    assert!(
        (2..=SEATS_MAX).contains(&hands.len()),
        "there are 2 to 9 hands"
    );
    let known = check_cards(hands, community, dead);
    assert!(
        known.count_ones() + COMMUNITY <= 52 + community.count_ones(),
        "too few cards are left"
    );
    DECK & !known
}

/// Checks the cards and returns their union.
fn check_cards(hands: &[CardSet], community: CardSet, dead: CardSet) -> CardSet {
    assert!(
        community.count_ones() <= COMMUNITY,
        "there are at most five community cards"
    );
    assert!(community & dead == 0, "a card occurs twice");
    let mut known = community | dead;
    for &hand in hands {
        assert_eq!(hand.count_ones(), 2, "a hand has two cards");
        assert!(hand & known == 0, "a card occurs twice");
        known |= hand;
    }
    assert!(known & !DECK == 0, "a card is not in the deck");
    known
}
