//! Main and side pots: who may win which chips, and how they are split.

use super::betting::{Betting, SeatSet};
use super::card::cards;
use super::hand::Strength;
use super::street::SEATS_MAX;

/// Chips that the same seats may win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pot {
    /// How many.
    pub chips: i64,
    /// The seats that may win them.
    pub seats: SeatSet,
}

/// The pots of a deal whose betting is over, the main pot first; bets that nobody matched have gone
/// back. Chips of those who have folded lie in the pots that they have paid for. Pots of the same
/// seats are one.
pub fn pots(betting: &Betting) -> impl Iterator<Item = Pot> + '_ {
    pots_of(
        betting.players(),
        betting.in_play,
        &betting.paid,
        &betting.dead,
    )
}

/// The same from what each of so many seats has paid in all, and of that as dead antes, where
/// `in_play` have not folded.
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
        // Nobody who has folded has paid more than all who have not; the last pot takes whatever
        // there is.
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

/// What each seat wins: every pot goes to the best hands among its seats in equal parts. Odd chips
/// go one each to the winners in `order`, which names all seats. `strengths` of seats that have
/// folded are not looked at.
#[must_use]
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
