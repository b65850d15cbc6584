//! Computes the table of win rates before the flop. The same deals and seed give an identical file.
//!
//! ```sh
//! cargo run --release -p hattari-bots-holdem --example preflop [deals=N] [seed=N] [output=FILE]
//! ```

#[path = "support/arguments.rs"]
mod arguments;

use hattari_bots_holdem::cfr::classes::two_card_class;
use hattari_bots_holdem::preflop::{KINDS, OPPONENTS, Shares, WHOLE, name};
use hattari_plugin::Rng;
use hattari_plugin::holdem::card;
use hattari_plugin::holdem::equity::{PARTS, SampleDeck};
use hattari_plugin::holdem::{Group, SEATS_MAX, Strength, Tally, heads_up};
use std::error::Error;
use std::fmt::Write as _;

/// Number of two-card hands that can be dealt from the 50 remaining cards.
const OTHERS: u64 = 1225;

fn main() -> Result<(), Box<dyn Error>> {
    let (deals, seed, output) = arguments::read(100_000_000, "bots/holdem/src/preflop.txt")?;
    let text = text(&count(deals, seed));
    std::fs::write(&output, text).map_err(|error| format!("{output}: {error}"))?;
    Ok(())
}

/// Returns shares as text: one line per kind of hand, weakest ranks first.
fn text(shares: &Shares) -> String {
    let mut text = String::new();
    for (kind, shares) in shares.iter().enumerate() {
        text += &name(kind);
        for share in shares {
            _ = write!(text, " {:.0}", share * WHOLE);
        }
        text.push('\n');
    }
    text
}

/// Computes the shares: against one opponent over all showdowns, against more opponents over
/// `deals` sampled deals.
fn count(deals: u64, seed: u64) -> Shares {
    let mut shares = [[0.0; OPPONENTS]; KINDS];
    for high in 0..52 {
        for low in 0..high {
            shares[two_card_class(1 << high | 1 << low)][0] = against_one([high, low]);
        }
    }
    let drawn = draw(deals, &mut Rng::new(seed));
    for (shares, (parts, hands)) in shares.iter_mut().zip(&drawn) {
        for (share, &parts) in shares.iter_mut().zip(parts).skip(1) {
            *share = parts as f64 / (hands * PARTS) as f64;
        }
    }
    shares
}

/// Returns the share of the pot of a hand against one random hand, computed from all showdowns.
fn against_one(hand: [u8; 2]) -> f64 {
    let free = || (0..52_u8).filter(|card| !hand.contains(card));
    let others = free().flat_map(|high| {
        free()
            .filter(move |&low| low < high)
            .map(move |low| [high, low])
    });
    let halves: u64 = others
        .map(|other| u64::from(heads_up::half_pots(hand, other)[0]))
        .sum();
    halves as f64 / (OTHERS * u64::from(heads_up::HALVES)) as f64
}

/// Returns, for each kind of hand, the sum of its shares and the number of times that it was dealt.
/// Shares are in [`PARTS`] of a pot and indexed by the number of opponents minus one. Each deal has
/// nine hands in a circle; each hand plays against the next one, the next two and so on.
fn draw(deals: u64, rng: &mut Rng) -> Vec<([u64; OPPONENTS], u64)> {
    let mut won = vec![([0; OPPONENTS], 0); KINDS];
    let mut pack = SampleDeck::new(card::DECK);
    for _ in 0..deals {
        let drawn = pack.draw(5 + 2 * SEATS_MAX, rng);
        let board = Tally::of(card::set_of(&drawn[..5]));
        let mut hands = [(0, Strength::default()); SEATS_MAX];
        for (hand, pair) in hands.iter_mut().zip(drawn[5..].chunks_exact(2)) {
            let set = card::set_of(pair);
            *hand = (two_card_class(set), board.plus(Group::of(set)).strength());
        }
        for (seat, &(kind, own)) in hands.iter().enumerate() {
            let (parts, dealt) = &mut won[kind];
            *dealt += 1;
            let mut winners = 1;
            for (parts, next) in parts.iter_mut().zip(1..) {
                let other = hands[(seat + next) % SEATS_MAX].1;
                if own < other {
                    break;
                }
                winners += u64::from(own == other);
                *parts += PARTS / winners;
            }
        }
    }
    won
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_bots_holdem::preflop::{read, share};

    /// The first version of the file was computed from the ranks of all hands on all boards.
    #[test]
    fn heads_up_preflop_shares_match_exact_counts() {
        for high in 1..52 {
            for low in 0..high {
                let counted = against_one([high, low]);
                let table = share(1 << high | 1 << low, 1);
                assert!(
                    (counted - table).abs() < 0.5001 / WHOLE,
                    "{high} {low}: {counted} {table}"
                );
            }
        }
    }

    #[test]
    fn the_preflop_table_survives_a_round_trip() {
        let text = include_str!("../src/preflop.txt");
        assert_eq!(super::text(&read(text).unwrap()), text);
        assert!(read("22 1").unwrap_err().contains("lacks a number"));
        assert!(
            read("AKs 1 2 3 4 5 6 7 8")
                .unwrap_err()
                .contains("line of 22")
        );
        assert!(read("").unwrap_err().contains("too early"));
    }
}
