//! Precomputed win rates before the flop.
//!
//! `preflop.txt` contains, for each of the 169 kinds of hand, the expected share of the pot against
//! one to eight random hands, in ten-thousandths. Against one hand all showdowns were counted
//! ([`hattari_plugin::holdem::heads_up`]). Against more hands the shares are means over a hundred
//! million deals. Their standard error is at most three ten-thousandths, a fiftieth of that of a
//! thousand sampled showdowns. `cargo run --release -p hattari-bots-holdem --example preflop`
//! creates an identical file.

use crate::cfr::classes::two_card_class;
use hattari_plugin::holdem::SEATS_MAX;
use hattari_plugin::holdem::card::{self, CardSet};
use std::sync::LazyLock;

/// Number of kinds of hands before the flop.
pub const KINDS: usize = 169;
/// Maximum number of opponents.
pub const OPPONENTS: usize = SEATS_MAX - 1;
/// Number in the file that represents a whole pot.
pub const WHOLE: f64 = 10_000.0;
/// Shares of the pot by kind of hand, then by the number of opponents minus one.
pub type Shares = [[f64; OPPONENTS]; KINDS];

static TABLE: LazyLock<Shares> = LazyLock::new(|| {
    read(include_str!("preflop.txt")).unwrap_or_else(|what| panic!("preflop.txt: {what}"))
});

/// Returns the expected share of the pot of two cards against 1 to 8 random hands.
pub fn share(hand: CardSet, opponents: u32) -> f64 {
    TABLE[two_card_class(hand)][(opponents as usize).clamp(1, OPPONENTS) - 1]
}

/// Parses shares: one line per kind of hand, weakest ranks first.
///
/// # Errors
/// Returns a text that describes the first line that is not valid.
pub fn read(text: &str) -> Result<Shares, String> {
    let mut shares = [[0.0; OPPONENTS]; KINDS];
    let mut lines = text.lines();
    for (kind, shares) in shares.iter_mut().enumerate() {
        let line = lines.next().ok_or("the text ends too early")?;
        let mut words = line.split(' ');
        if words.next() != Some(&name(kind)) {
            return Err(format!("`{line}` must be the line of {}", name(kind)));
        }
        for share in shares {
            let number = words.next().and_then(|word| word.parse::<u16>().ok());
            *share = f64::from(number.ok_or_else(|| format!("`{line}` lacks a number"))?) / WHOLE;
        }
    }
    Ok(shares)
}

/// Returns the usual name of a kind of hand: `AKs`, `AKo`, `AA`.
pub fn name(kind: usize) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::Rng;
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
}
