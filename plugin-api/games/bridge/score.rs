//! Scores of a contract: duplicate score and international match points (Laws of Duplicate Bridge
//! 2017, laws 77 and 78).

use super::call::{Contract, Doubling};
use super::cards::{Strain, Suit};

/// Returns the score of declarer's side for a contract; negative if it failed.
///
/// `vulnerable` refers to declarer's side. `tricks` is the number of tricks that this side won, 0
/// to 13.
pub fn duplicate_score(contract: &Contract, vulnerable: bool, tricks: u8) -> i64 {
    let over = i64::from(tricks) - i64::from(contract.tricks());
    if over < 0 {
        return -penalty(contract.doubling, vulnerable, -over);
    }
    let level = i64::from(contract.level);
    let (each, first) = match contract.strain {
        Strain::NoTrump => (30, 10),
        Strain::Trump(Suit::Spades | Suit::Hearts) => (30, 0),
        Strain::Trump(Suit::Diamonds | Suit::Clubs) => (20, 0),
    };
    let times = 1 << contract.doubling as u32;
    let odd = (level * each + first) * times;
    let game = match (odd < 100, vulnerable) {
        (true, _) => 50,
        (false, false) => 300,
        (false, true) => 500,
    };
    let slam = match (contract.level, vulnerable) {
        (6, false) => 500,
        (6, true) => 750,
        (7, false) => 1000,
        (7, true) => 1500,
        _ => 0,
    };
    let overtrick = match contract.doubling {
        Doubling::Undoubled => each,
        _ => 50 * times * if vulnerable { 2 } else { 1 },
    };
    let insult = 50 * i64::from(contract.doubling as u8);
    odd + game + slam + over * overtrick + insult
}

/// Returns the points that declarer's side loses for `under` undertricks.
fn penalty(doubling: Doubling, vulnerable: bool, under: i64) -> i64 {
    if doubling == Doubling::Undoubled {
        return under * if vulnerable { 100 } else { 50 };
    }
    let doubled = if vulnerable {
        300 * under - 100
    } else {
        // 100 for the first undertrick, 200 for the second and third, 300 for each further one.
        100 + 200 * (under - 1).min(2) + 300 * (under - 3).max(0)
    };
    doubled
        * if doubling == Doubling::Redoubled {
            2
        } else {
            1
        }
}

/// Minimum differences for 1, 2, … 24 international match points.
const IMPS: [i64; 24] = [
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750,
    2000, 2250, 2500, 3000, 3500, 4000,
];

/// Returns the international match points for a difference of two scores, with the same sign.
pub fn imps(difference: i64) -> i64 {
    let steps = IMPS
        .iter()
        .take_while(|&&least| least <= difference.abs())
        .count();
    i64::try_from(steps).unwrap_or(0) * difference.signum()
}
