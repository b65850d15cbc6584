//! Tests of the estimates and the player: recorded cases, tables of the paper, and general
//! properties.

mod golden;
mod player;
mod properties;
mod tables;

/// Returns the limits `(lowest, highest)` of a bet under pot limit, as in the paper's tables. After
/// a bet of the opponent, they are a call and a raise by the pot at the start of the interval.
/// Otherwise they are 10 chips and the pot.
fn limits(pot: u64, bet: u64) -> (u64, u64) {
    if bet == 0 {
        (10, pot.max(10))
    } else {
        (bet, bet + pot)
    }
}
