//! The views of seats.

use super::deal::{Block, Deal};
use super::exchange;
use super::position::seat_index;
use super::records::{NONE, View, flag, phase};
use crate::frame::Framed;

/// Writes the information of `seat` to `view`. Overwrites every byte.
///
/// The view is assembled from 64-bit words in the order of its fields. It is filled at every
/// decision, and this is twice as fast as setting the fields one by one.
#[inline]
pub(super) fn fill(block: &Block, deal: &Deal, seat: u8, view: &mut View) {
    let give = if deal.phase == phase::EXCHANGE && seat == deal.position.to_act {
        exchange::cards_due(deal)
    } else {
        0
    };
    let flags = u64::from(deal.position.flags);
    let table_seat = if deal.position.flags & flag::EMPTY == 0 {
        deal.position.last
    } else {
        NONE
    };
    let [table, cells, small] = deal.position.situation.table.words();
    let points = &block.memory.seat_points;
    let [seats_0, seats_1, seats_2] = deal.seats.words();
    let bytes = |bytes: [u8; 8]| u64::from_le_bytes(bytes);
    let planned = u64::from(block.planned);
    let up = |flag: u8| flags >> flag.trailing_zeros() & 1;
    *view = bytemuck::cast([
        u64::from(View::SIZE) | u64::from(block.finished) << 32,
        planned | bytes([0, 0, 0, 0, seat, deal.phase, give, 0]) | up(flag::REVOLUTION) << 56,
        up(flag::LOCK)
            | up(flag::ELEVEN_BACK) << 8
            | bytes([
                0,
                0,
                deal.fresh,
                table_seat,
                deal.position.passed,
                deal.position.out,
                deal.position.ask_last,
                deal.position.situation.rules,
            ]),
        deal.position.hands[seat_index(seat)],
        deal.position.gone,
        deal.given[seat_index(seat)],
        deal.received[seat_index(seat)],
        table,
        cells,
        small,
        points[0],
        points[1],
        points[2] | seats_0,
        seats_1,
        seats_2,
    ]);
}

#[cfg(test)]
mod tests {
    use super::super::card::{PACK, parse_set};
    use super::super::{Action, Daihinmin, Options, Setup, effect, notation, rule};
    use super::*;
    use crate::Game;

    /// Checks the position of every field in the words.
    #[test]
    fn every_view_field_has_its_expected_value() {
        let options = Options {
            eleven_back: true,
            six_reverse: true,
            ..Options::default()
        };
        let game = Daihinmin::new(options).unwrap();
        let mut block = game.new_block(5, 1000);
        let mut deal = game.new_deal();
        let setup = Setup {
            players: [3, 1, 4, 0, 2],
            titles: [2, 4, 0, 3, 1],
            hands: [
                "H6 C6 S3",
                "C3 D9 DQ JK",
                "S6 H9 HJ HK H2",
                "SJ D5 SQ DA",
                "S9 DK DJ S2",
            ]
            .map(|hand| parse_set(hand).unwrap()),
            deadlock_order: [0, 1, 2, 3, 4],
        };
        block.totals[..5].copy_from_slice(&[10, 20, -30, 40, 50]);
        block.finished = 70;
        game.start(&mut block, &setup, &mut deal).unwrap();
        let mut view: View = bytemuck::Zeroable::zeroed();
        fill(&block, &deal, 2, &mut view);
        assert_eq!(
            (view.phase, view.give, view.table_seat),
            (phase::EXCHANGE, 2, NONE)
        );

        // The daifugo and the fugo give. A six reverses the direction, so seats 4 and 3 pass before
        // seat 2 plays a jack.
        let set = |text| parse_set(text).unwrap();
        for gift in ["S6 H2", "S9"] {
            game.apply(&mut deal, exchange::give(set(gift)).into());
        }
        for play in ["H6", "-", "-", "HJ"] {
            let legal = game.legal_actions(&deal);
            let action = *notation::find(&legal, &play.parse().unwrap()).unwrap();
            game.apply(&mut deal, action.into());
        }
        fill(&block, &deal, 1, &mut view);
        let jack: Action = "HJ".parse().unwrap();
        let held = "C6 S3 C3 D9 S6 H2 H9 HK DQ JK SJ D5 SQ S9 DK DJ S2 DA";
        let expected = View {
            size: 120,
            deal: 70,
            deals: 1000,
            seat: 1,
            phase: phase::PLAY,
            give: 0,
            revolution: 0,
            lock: 1,
            eleven_back: 1,
            fresh: 0,
            table_seat: 2,
            passed: 0b11000,
            out: 0,
            ask_last: 1,
            rules: game.options().flags() | rule::BACKWARDS,
            hand: set("C3 D9 S6 H2"),
            gone: PACK & !set(held),
            given: set("DQ JK"),
            received: set("S6 H2"),
            table: Action {
                effects: effect::LOCK | effect::ELEVEN_BACK,
                ..jack
            },
            points: [40, 20, 50, 10, -30],
            players: [3, 1, 4, 0, 2],
            cards_left: [2, 4, 4, 4, 4],
            titles: [2, 4, 0, 3, 1],
            places: [NONE; 5],
        };
        assert_eq!(view, expected);
    }
}
