//! What a seat may see.

use super::deal::{Block, Deal, at};
use super::exchange;
use super::records::{NONE, View, flag, phase};

/// [`View::size`].
const VIEW_SIZE: u32 = 120;
const _: () = assert!(size_of::<View>() == VIEW_SIZE as usize);

/// Writes all that `seat` may know now; every byte of `view`.
#[inline]
pub(super) fn fill(block: &Block, deal: &Deal, seat: u8, view: &mut View) {
    let flags = deal.flags;
    *view = View {
        size: VIEW_SIZE,
        deal: block.finished,
        deals: deal.planned,
        seat,
        phase: deal.phase,
        give: if deal.phase == phase::EXCHANGE && seat == deal.to_act { exchange::due(deal) } else { 0 },
        revolution: u8::from(flags & flag::REVOLUTION != 0),
        lock: u8::from(flags & flag::LOCK != 0),
        eleven_back: u8::from(flags & flag::ELEVEN_BACK != 0),
        fresh: deal.fresh,
        table_seat: if flags & flag::EMPTY == 0 { deal.last } else { NONE },
        passed: deal.passed,
        out: deal.out,
        ask_last: deal.ask_last,
        rules: deal.situation.rules,
        hand: deal.hands[at(seat)],
        gone: deal.gone,
        given: deal.given[at(seat)],
        received: deal.received[at(seat)],
        table: deal.situation.table,
        points: block.seat_points,
        players: deal.players.array(),
        cards_left: deal.cards_left.array(),
        titles: deal.titles.array(),
        places: deal.places.array(),
    };
}
