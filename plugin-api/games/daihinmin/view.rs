//! What a seat may see.

use super::deal::{Block, Deal};
use super::exchange;
use super::records::{View, phase};

/// Writes all that `seat` may know now; every byte of `view`.
#[inline]
pub(super) fn fill(block: &Block, deal: &Deal, seat: u8, view: &mut View) {
    *view = deal.public;
    view.deal = block.finished;
    view.points = block.seat_points;
    view.seat = seat;
    view.hand = deal.hands[usize::from(seat)];
    view.given = deal.given[usize::from(seat)];
    view.received = exchange::known_received(deal, seat);
    if view.phase == phase::EXCHANGE && seat == deal.to_act {
        view.give = exchange::due(deal);
    }
}
