//! Main and side pots: their sizes, the seats that can win them, and their division.

use super::betting::{Betting, SeatSet};
use super::card::cards;
use super::hand::Strength;
use super::street::SEATS_MAX;

/// Chips that the same seats can win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pot {
    /// Number of chips.
    pub chips: i64,
    /// Seats that can win the chips.
    pub seats: SeatSet,
}

/// Returns the pots after the end of betting, main pot first. Unmatched bets must have been
/// returned. Chips of folded seats belong to the pots that they were paid for. Pots with the same
/// seats are combined.
pub fn pots(betting: &Betting) -> impl Iterator<Item = Pot> + '_ {
    pots_of(
        betting.players(),
        betting.in_play,
        &betting.paid,
        &betting.dead,
    )
}

/// Computes the pots from the total that each seat has paid, of which `dead` are dead antes.
pub(super) fn pots_of<'p>(
    players: u8,
    in_play: SeatSet,
    paid: &'p [i64; SEATS_MAX],
    dead: &'p [i64; SEATS_MAX],
) -> impl Iterator<Item = Pot> + use<'p> {
    let mut below = 0;
    let mut left = in_play;
    let mut ante: i64 = dead.iter().sum();
    std::iter::from_fn(move || {
        let paid = |seat: usize| paid[seat] - dead[seat];
        let seats = |set: SeatSet| cards(set.into()).map(usize::from);
        let pot_seats = left;
        let level = seats(left).map(paid).min()?;
        left = seats(left)
            .filter(|&seat| level < paid(seat))
            .fold(0, |above, seat| above | 1 << seat);
        // No folded seat has paid more than all seats in play, so the last pot takes all remaining
        // chips.
        let top = if left == 0 { i64::MAX } else { level };
        let chips: i64 = (0..usize::from(players))
            .map(|seat| (paid(seat).min(top) - below).max(0))
            .sum();
        below = level;
        Some(Pot {
            chips: chips + std::mem::take(&mut ante),
            seats: pot_seats,
        })
    })
}

/// Returns the chips that each seat wins. The best hands of a pot share it equally; odd chips go to
/// the winners in `order`, one each. `order` contains all seats. Strengths of folded seats are
/// ignored.
pub fn split(
    betting: &Betting,
    strengths: &[Strength; SEATS_MAX],
    order: &[u8],
) -> [i64; SEATS_MAX] {
    let mut won = [0; SEATS_MAX];
    for pot in pots(betting) {
        let in_pot = || {
            order
                .iter()
                .copied()
                .filter(|&seat| pot.seats & 1 << seat != 0)
        };
        let Some(best) = in_pot().map(|seat| strengths[usize::from(seat)]).max() else {
            continue;
        };
        let winners = || in_pot().filter(|&seat| strengths[usize::from(seat)] == best);
        let count = winners().fold(0, |count, _| count + 1);
        let (each, odd) = (pot.chips / count, pot.chips % count);
        for (number, seat) in (0..).zip(winners()) {
            won[usize::from(seat)] += each + i64::from(number < odd);
        }
    }
    won
}
