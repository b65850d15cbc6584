//! Precomputed win rates before the flop.
//!
//! `preflop.txt` contains, for each of the 169 kinds of hand, the expected share of the pot against
//! one to eight random hands, in ten-thousandths. Against one hand all showdowns were counted
//! ([`heads_up`]). Against more hands the shares are means over a hundred million deals. Their
//! standard error is at most three ten-thousandths, a fiftieth of that of a thousand sampled
//! showdowns. `cargo run --release -p hattari-bots-holdem --example preflop` creates an identical
//! file.

use crate::cfr::classes::two_card_class;
use hattari_plugin::Rng;
use hattari_plugin::holdem::card::{self, CardSet};
use hattari_plugin::holdem::equity::{PARTS, SampleDeck};
use hattari_plugin::holdem::{Group, SEATS_MAX, Strength, Tally, heads_up};
use std::fmt::Write as _;
use std::sync::LazyLock;

/// Number of kinds of hands before the flop.
const KINDS: usize = 169;
/// Maximum number of opponents.
const OPPONENTS: usize = SEATS_MAX - 1;
/// Number in the file that stands for a whole pot.
const WHOLE: f64 = 10_000.0;
/// Number of two-card hands that can be dealt from the 50 remaining cards.
const OTHERS: u64 = 1225;

/// Shares of the pot by kind of hand, then by the number of opponents minus one.
pub type Shares = [[f64; OPPONENTS]; KINDS];

static TABLE: LazyLock<Shares> = LazyLock::new(|| {
    read(include_str!("preflop.txt")).unwrap_or_else(|what| panic!("preflop.txt: {what}"))
});

/// Returns the expected share of the pot of two cards against 1 to 8 random hands.
#[must_use]
pub fn share(hand: CardSet, opponents: u32) -> f64 {
    TABLE[two_card_class(hand)][(opponents as usize).clamp(1, OPPONENTS) - 1]
}

/// Returns shares as text: one line per kind of hand, weakest ranks first.
#[must_use]
pub fn text(shares: &Shares) -> String {
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

fn read(text: &str) -> Result<Shares, String> {
    let mut shares = [[0.0; OPPONENTS]; KINDS];
    let mut lines = text.lines();
    for (kind, shares) in shares.iter_mut().enumerate() {
        let line = lines.next().ok_or("it ends too early")?;
        let mut words = line.split(' ');
        if words.next() != Some(&name(kind)) {
            return Err(format!("`{line}` should be the line of {}", name(kind)));
        }
        for share in shares {
            let number = words.next().and_then(|word| word.parse::<u16>().ok());
            *share = f64::from(number.ok_or_else(|| format!("`{line}` lacks a number"))?) / WHOLE;
        }
    }
    Ok(shares)
}

/// Returns the usual name of a kind of hand: `AKs`, `AKo`, `AA`.
fn name(kind: usize) -> String {
    let (one, other) = (kind / 13, kind % 13);
    let rank = |rank: usize| {
        u8::try_from(4 * rank)
            .ok()
            .and_then(card::name)
            .map_or("?", |name| &name[..1])
    };
    match one.cmp(&other) {
        std::cmp::Ordering::Equal => rank(one).repeat(2),
        std::cmp::Ordering::Greater => format!("{}{}s", rank(one), rank(other)),
        std::cmp::Ordering::Less => format!("{}{}o", rank(other), rank(one)),
    }
}

/// Computes the shares: against one opponent over all showdowns, against more opponents over
/// `deals` sampled deals.
#[must_use]
pub fn count(deals: u64, seed: u64) -> Shares {
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
    use hattari_plugin::holdem::win_rate;

    fn set(text: &str) -> CardSet {
        card::parse_set(text).unwrap()
    }

    #[test]
    fn preflop_shares_match_published_values() {
        // Published values.
        for (hand, known) in [
            ("AsAh", 0.8520),
            ("KsKh", 0.8240),
            ("AsKs", 0.6704),
            ("7c2d", 0.3458),
            ("3c2d", 0.3230),
        ] {
            assert!(
                (share(set(hand), 1) - known).abs() < 1e-4,
                "{hand}: {}",
                share(set(hand), 1)
            );
        }
    }

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

    /// Every pot has a winner, so the mean over all hands is an even share.
    #[test]
    fn the_mean_preflop_share_of_all_hands_is_an_even_share() {
        for opponents in 1..=8_u32 {
            let shares = (0..52_u8)
                .flat_map(|high| (0..high).map(move |low| share(1 << high | 1 << low, opponents)));
            let mean = shares.sum::<f64>() / 1326.0;
            assert!(
                (mean - 1.0 / f64::from(opponents + 1)).abs() < 5e-5,
                "{opponents}: {mean}"
            );
        }
    }

    #[test]
    fn preflop_shares_match_sampled_showdowns() {
        for (hand, opponents) in [
            ("AsAh", 2),
            ("AsKs", 3),
            ("7c2d", 5),
            ("JhTh", 8),
            ("2c2d", 8),
            ("Qs3d", 4),
        ] {
            let drawn = win_rate(set(hand), 0, opponents, 200_000, 0, &mut Rng::new(1));
            assert!(
                (share(set(hand), opponents) - drawn.share).abs() < 4.0 * drawn.error,
                "{hand} {opponents}"
            );
        }
    }

    #[test]
    fn the_preflop_table_survives_a_round_trip() {
        let text = include_str!("preflop.txt");
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
