//! Random deals. A deal is rejected if a hand does not satisfy its constraints.

use super::cards::{Card, CardSet, Seat};
use super::deal::Deal;
use super::options::HandConstraints;
use crate::chance;
use rand::{Rng, TryRng};
use std::convert::Infallible;

/// Number of trial deals after which options are rejected if no deal satisfied them.
const TRIAL_DEALS: u32 = 200_000;

/// Draws a deal that satisfies the constraints.
///
/// The result is the first of successive random deals that fits. To save time, the shuffle of a
/// deal stops at the first hand that does not fit. Deals are uniform for every generator. If the
/// generator makes words of four bytes, as ChaCha does, [`random`] would draw the same deals.
pub(super) fn draw<R: Rng>(holdings: &[HandConstraints; 4], chance: &mut R) -> Deal {
    let any = HandConstraints::default();
    let constrained = holdings.map(|holding| (holding != any).then_some(holding));
    'deals: loop {
        let (mut pack, mut deal) = (PACK, Deal::default());
        let numbers = numbers_below_bounds(draw_words(chance), || chance.next_u32());
        for seat in (0..4).rev() {
            let (first, mut hand) = (13 * seat, CardSet::default());
            // Shuffles from the last card to the first: swaps each card with one at or before its
            // place.
            for last in (first..first + 13).rev() {
                let drawn = usize::from(numbers[51 - last]);
                hand.0 |= 1 << pack[drawn];
                pack[drawn] = pack[last];
            }
            if constrained[seat].is_some_and(|holding| !holding.fits(hand)) {
                continue 'deals;
            }
            deal.hands[seat] = hand;
        }
        return deal;
    }
}

/// Number of random numbers that the shuffle of a deal takes.
const DRAWS: usize = 51;
/// The exclusive upper bounds of the random numbers of a shuffle, in order.
const BOUNDS: [u32; DRAWS] = {
    let mut bounds = [52; DRAWS];
    let mut place = 1;
    while place < DRAWS {
        bounds[place] = bounds[place - 1] - 1;
        place += 1;
    }
    bounds
};

/// Draws all random words for a deal in one call, as bytes, which is faster than a call per word.
#[inline]
fn draw_words<R: Rng>(chance: &mut R) -> [u32; DRAWS] {
    let mut bytes = [0; 4 * DRAWS];
    chance.fill_bytes(&mut bytes);
    let mut words = [0; DRAWS];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// Returns the numbers that [`chance::below`] would draw for [`BOUNDS`] from a generator that makes
/// these words and then those of `next_word`. A 0 for the first card follows, which is not drawn.
#[inline]
fn numbers_below_bounds(words: [u32; DRAWS], next_word: impl FnMut() -> u32) -> [u8; DRAWS + 1] {
    let mut numbers = [0; DRAWS + 1];
    let pairs = words.iter().zip(&BOUNDS);
    // A number takes one word, unless `below` rejects a word: once in 100 million.
    let may_reject = |(word, bound): (&u32, &u32)| word.wrapping_mul(*bound) < *bound;
    if pairs
        .clone()
        .map(may_reject)
        .fold(false, |any, one| any | one)
    {
        let mut words = words.into_iter().chain(std::iter::repeat_with(next_word));
        for (number, bound) in numbers.iter_mut().zip(BOUNDS) {
            let next_word = || words.next().expect("the words do not end");
            *number = (chance::below_from(next_word, bound) & 63) as u8;
        }
    } else {
        for (number, (&word, &bound)) in numbers.iter_mut().zip(pairs) {
            *number = ((u64::from(word) * u64::from(bound)) >> 32 & 63) as u8;
        }
    }
    numbers
}

/// The pack: all cards in the order of their numbers.
const PACK: [u8; 52] = {
    let mut pack = [0; 52];
    let mut card = 0;
    while card < 52 {
        pack[card as usize] = card;
        card += 1;
    }
    pack
};

/// Checks that random deals satisfy the constraints often enough.
///
/// # Errors
/// Returns an error if none of [`TRIAL_DEALS`] deals satisfies them.
pub(super) fn check(holdings: &[HandConstraints; 4]) -> Result<(), String> {
    let mut trial = TrialRng(1);
    if (0..TRIAL_DEALS).any(|_| fits(&random(&mut trial), holdings)) {
        return Ok(());
    }
    Err(format!(
        "none of {TRIAL_DEALS} random deals satisfies the constraints; relax `declarer`, `dummy`, \
         `leader` or `partner`"
    ))
}

fn random<R: Rng>(chance: &mut R) -> Deal {
    let mut pack: [u8; 52] = std::array::from_fn(|n| n.to_le_bytes()[0]);
    chance::shuffle(&mut pack, chance);
    let hand = |seat: usize| {
        pack[13 * seat..13 * seat + 13]
            .iter()
            .filter_map(|&n| Card::from_index(n))
            .collect()
    };
    Deal {
        hands: [hand(0), hand(1), hand(2), hand(3)],
    }
}

/// Returns `true` if every hand satisfies its constraints.
pub(super) fn fits(deal: &Deal, holdings: &[HandConstraints; 4]) -> bool {
    let any = HandConstraints::default();
    let fits = |seat: Seat| {
        let holding = &holdings[seat as usize];
        *holding == any || holding.fits(deal.hands[seat as usize])
    };
    Seat::ALL.into_iter().all(fits)
}

/// The generator of the trial deals of [`check`]; play does not use it. (Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators".)
struct TrialRng(u64);

impl TryRng for TrialRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(mixed ^ mixed >> 31)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            let word = self.try_next_u64()?.to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Options;
    use rand_chacha::ChaCha12Rng;
    use rand_chacha::rand_core::SeedableRng;

    /// Checks that deals and the state of the generator afterwards are the same as with [`random`]
    /// deals.
    #[test]
    fn the_drawn_deal_is_the_first_random_deal_that_satisfies_the_constraints() {
        let [three, one, any] =
            ["3nt", "1nt", "random"].map(|name| Options::preset(name).expect("a preset"));
        let north = Options {
            auction: "Pass Pass 1NT Pass Pass Pass".into(),
            ..one.clone()
        };
        let long = HandConstraints {
            spades: [5, 13],
            clubs: [0, 2],
            hcp: [8, 37],
            ..HandConstraints::default()
        };
        let odd = Options {
            leader: long,
            partner: HandConstraints {
                hcp: [0, 12],
                ..long
            },
            ..any.clone()
        };
        for (options, deals) in [
            (three, 100),
            (one, 400),
            (any, 1000),
            (north, 400),
            (odd, 100),
        ] {
            let holdings = options.setup().expect("a setting").holdings;
            let (mut chance, mut plain) =
                (ChaCha12Rng::seed_from_u64(5), ChaCha12Rng::seed_from_u64(5));
            for _ in 0..deals {
                let expected = std::iter::repeat_with(|| random(&mut plain))
                    .find(|deal| fits(deal, &holdings));
                assert_eq!(Some(draw(&holdings, &mut chance)), expected);
            }
            assert_eq!(chance.next_u64(), plain.next_u64());
        }
    }

    #[test]
    fn a_rejected_word_is_replaced_by_the_next_word() {
        let mut plain = draw_words(&mut ChaCha12Rng::seed_from_u64(5));
        // Word 0 is rejected for all bounds but powers of two.
        let [rejected, accepted] = [49, 32].map(|bound| 52 - bound);
        plain[accepted] = 0;
        let expected = numbers_below_bounds(plain, || panic!("there are enough words"));
        assert_eq!(expected[accepted], 0);
        let mut shifted = plain;
        shifted.copy_within(rejected..DRAWS - 1, rejected + 1);
        shifted[rejected] = 0;
        let mut rest = vec![plain[DRAWS - 1]];
        let next_word = || rest.pop().expect("one word was rejected");
        assert_eq!(numbers_below_bounds(shifted, next_word), expected);
        assert!(rest.is_empty());
    }
}
