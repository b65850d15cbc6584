//! Generates the table of preflop equities: `cargo run --release -p hattari-games --example
//! heads_up [FILE]`, one minute on one core. The output is always the same.
//!
//! Boards that differ only in the names of suits form a class. All hands are ranked on one board of
//! each class and compared with each other. The results are then summed over all pairs of hands
//! that differ only in the names of suits. The sum counts every board once for each of these pairs,
//! so it is divided by their number.

use hattari_games::poker::card::{self, CardSet};
use hattari_games::poker::{Group, Tally, heads_up};
use std::error::Error;

/// Path of the table.
const FILE: &str = "plugin-api/games/poker/heads_up.bin";
/// Number of hands of two cards.
const HANDS: usize = 1326;
/// Number of boards that are processed while the sums of a hand are in the cache.
const AT_ONCE: usize = 32;
/// Rank of a hand that shares a card with the board; it never wins.
const NONE: u16 = u16::MAX;

/// The weight of a board, and the rank of each hand on it.
type Ranked = (u32, [u16; HANDS]);

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| FILE.to_owned());
    let hands: Vec<[u8; 2]> = (0..52)
        .flat_map(|high| (0..high).map(move |low| [high, low]))
        .collect();
    let mut won = vec![[0_u32; HANDS]; HANDS];
    let mut ranked = Vec::with_capacity(AT_ONCE);
    for_each_board(&mut |board, weight| {
        ranked.push((weight, ranks(&hands, board)));
        if ranked.len() == AT_ONCE {
            add(&mut won, &ranked);
            ranked.clear();
        }
    });
    add(&mut won, &ranked);
    std::fs::write(&file, table(&hands, &won)?).map_err(|error| format!("{file}: {error}"))?;
    Ok(())
}

/// Returns the rank of each hand on a board.
fn ranks(hands: &[[u8; 2]], board: CardSet) -> [u16; HANDS] {
    let tally = Tally::of(board);
    let mut ranks = [NONE; HANDS];
    for (rank, hand) in ranks.iter_mut().zip(hands) {
        let hand = card::set_of(hand);
        if hand & board == 0 {
            *rank = tally.plus(Group::of(hand)).strength().number();
        }
    }
    ranks
}

/// Adds the results of each hand against each other hand in half pots. Pairs that share a card get
/// undefined values.
fn add(won: &mut [[u32; HANDS]], ranked: &[Ranked]) {
    for (hand, won) in won.iter_mut().enumerate() {
        for (weight, ranks) in ranked {
            let own = ranks[hand];
            if own == NONE {
                continue;
            }
            for (won, &other) in won.iter_mut().zip(ranks) {
                *won += weight * (u32::from(own > other) + u32::from(own >= other));
            }
        }
    }
}

/// Returns the bytes of the table.
fn table(hands: &[[u8; 2]], won: &[[u32; HANDS]]) -> Result<Vec<u8>, String> {
    let mut sums = vec![(0_u64, 0_u64); heads_up::PLACES];
    for (&one, won) in hands.iter().zip(won) {
        for (&two, &won) in hands.iter().zip(won) {
            if card::set_of(&one) & card::set_of(&two) != 0 {
                continue;
            }
            let (place, is_of_first) = heads_up::entry_index(one, two);
            if is_of_first {
                sums[place].0 += u64::from(won);
                sums[place].1 += 1;
            }
        }
    }
    let mut bytes = vec![0; heads_up::SIZE];
    for (place, (sum, pairs)) in sums.into_iter().enumerate() {
        // Pairs that share a card have an entry too, which stays 0.
        let mean = sum / pairs.max(1);
        if mean * pairs != sum || mean > u64::from(heads_up::HALVES) {
            return Err(format!(
                "entry {place}: {pairs} pairs of hands win {sum} half pots, which is impossible"
            ));
        }
        let bit = place * heads_up::BITS;
        for (byte, more) in bytes[bit / 8..]
            .iter_mut()
            .zip((mean << (bit % 8)).to_le_bytes())
        {
            *byte |= more;
        }
    }
    Ok(bytes)
}

/// Calls `look` with one board of each class, and with the size of the class.
fn for_each_board(look: &mut impl FnMut(CardSet, u32)) {
    let orders = suit_orders();
    let mut board: [u8; 5] = [0, 1, 2, 3, 4];
    loop {
        let set = card::set_of(&board);
        let mut images: Vec<CardSet> = orders.iter().map(|order| in_suits(set, order)).collect();
        images.sort_unstable();
        if images[0] == set {
            images.dedup();
            look(set, images.iter().map(|_| 1).sum());
        }
        // The next five cards in order.
        let Some(place) = (0..5).rfind(|&place| usize::from(board[place]) < 47 + place) else {
            return;
        };
        board[place] += 1;
        for later in place + 1..5 {
            board[later] = board[later - 1] + 1;
        }
    }
}

/// Returns all permutations of the four suits.
fn suit_orders() -> Vec<[u8; 4]> {
    let digits = |number: u8| [number % 4, number / 4 % 4, number / 16 % 4, number / 64];
    (0..=255)
        .map(digits)
        .filter(|order| order.iter().fold(0, |seen, suit| seen | 1 << suit) == 0b1111)
        .collect()
}

fn in_suits(set: CardSet, order: &[u8; 4]) -> CardSet {
    card::cards(set).fold(0, |image, card| {
        image | 1 << (card / 4 * 4 + order[usize::from(card % 4)])
    })
}
