//! Where deals come from: all cards at random, kept if every hand is what it should be.

use super::cards::{Card, CardSet, Seat};
use super::deal::Deal;
use super::options::Holding;
use crate::chance;
use rand::{Rng, TryRng};
use std::convert::Infallible;

/// Deals that are tried before options are refused as too rare.
const TRIES: u32 = 200_000;

/// Draws a deal with such hands.
pub(super) fn draw<R: Rng>(holdings: &[Holding; 4], chance: &mut R) -> Deal {
    loop {
        let deal = random(chance);
        if fits(&deal, holdings) {
            return deal;
        }
    }
}

/// Whether hands such as these come up often enough to be waited for.
///
/// # Errors
/// If none has been found in many deals.
pub(super) fn check(holdings: &[Holding; 4]) -> Result<(), String> {
    let mut trial = Trial(1);
    if (0..TRIES).any(|_| fits(&random(&mut trial), holdings)) {
        return Ok(());
    }
    Err(format!("not one deal in {TRIES} has such hands; ask less of declarer, dummy, leader and partner"))
}

fn random<R: Rng>(chance: &mut R) -> Deal {
    let mut pack: [u8; 52] = std::array::from_fn(|n| n.to_le_bytes()[0]);
    chance::shuffle(&mut pack, chance);
    let hand = |seat: usize| pack[13 * seat..13 * seat + 13].iter().filter_map(|&n| Card::of_index(n)).collect();
    Deal { hands: [hand(0), hand(1), hand(2), hand(3)] }
}

fn fits(deal: &Deal, holdings: &[Holding; 4]) -> bool {
    let any = Holding::default();
    let fits = |seat: Seat| {
        let holding = &holdings[seat as usize];
        *holding == any || holding.fits(deal.hands[seat as usize])
    };
    Seat::ALL.into_iter().all(fits)
}

/// Puts the cards of the seats that `hidden` names into another order, as many to each as before.
pub fn redeal<R: Rng>(hands: &mut [CardSet; 4], hidden: &[bool; 4], chance: &mut R) {
    let sizes = hands.map(CardSet::len);
    let seats = || (0..4).filter(|&seat| hidden[seat]);
    let mut pool: Vec<Card> = seats().flat_map(|seat| hands[seat]).collect();
    chance::shuffle(&mut pool, chance);
    let mut cards = pool.into_iter();
    for seat in seats() {
        hands[seat] = cards.by_ref().take(sizes[seat] as usize).collect();
    }
}

/// A generator for the trial deals of [`check`] alone: nothing that is played comes from it. (Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators".)
struct Trial(u64);

impl TryRng for Trial {
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
