//! The host's additions to bridge, including the double-dummy solver.

use super::{GameExtras, WatchDefaults};
use hattari_double_dummy::{Deal, Position, Solver};
use hattari_plugin::games::bridge::{self, Contract};
use std::cell::RefCell;

/// The host's additions to the game.
pub(super) const HOSTED: GameExtras = GameExtras {
    supplement: include_str!("bridge/supplement.luau"),
    card: "suit (S, H, D, C) and rank (2 to 9, T, J, Q, K, A), as in \"SQ\"",
    fields: &[
        (
            "bridge_action",
            "text",
            "string",
            "The card as logs and replays print it.",
        ),
        (
            "bridge_event",
            "seat",
            "number",
            "Seat of the call, the hand or the card, from 1: North, East, South, West.",
        ),
        (
            "bridge_view",
            "seat",
            "number",
            "Your seat, from 1: North, East, South, West.",
        ),
        (
            "bridge_view",
            "dealer",
            "number",
            "Dealer, from 1: the seat of the first call.",
        ),
        (
            "bridge_view",
            "declarer",
            "number",
            "Declarer, from 1: the seat that plays the contract.",
        ),
        (
            "bridge_view",
            "dummy",
            "number",
            "Dummy, from 1: declarer's partner. Declarer plays dummy's cards.",
        ),
        (
            "bridge_view",
            "leader",
            "number",
            "Seat that leads to the current trick or has led to it, from 1.",
        ),
    ],
    types: &[include_str!("bridge/types.luau")],
    watch_defaults: Some(WatchDefaults {
        opponents: &["cheap"],
        deals: 1,
        in_pairs: true,
        duplicate: true,
    }),
    ..GameExtras::NONE
};

/// Registers the solver that `luck: double-dummy` needs.
pub(crate) fn register_solver() {
    bridge::set_solver(tricks);
}

/// Memory of each thread's solver in MiB.
const MEMORY_MIB: usize = 16;

/// Returns the number of tricks that the declarer's side takes if all play perfectly and see all
/// hands. The result does not depend on earlier calls.
fn tricks(deal: &Deal, contract: &Contract) -> u8 {
    thread_local! {
        static SOLVER: RefCell<Option<Solver>> = const { RefCell::new(None) };
    }
    let leader = contract.declarer.after(1);
    let position = Position::new(deal.hands, contract.strain, leader, &[])
        .expect("a whole deal is a valid position");
    let side = contract.declarer.side();
    SOLVER.with_borrow_mut(|solver| {
        solver
            .get_or_insert_with(|| Solver::new(MEMORY_MIB))
            .solve(&position, side)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_a_deal_is_the_number_of_double_dummy_tricks() {
        // In spades, declarer has twelve tricks on top and loses a diamond. Without trumps, East
        // runs the diamonds.
        let deal: Deal = "N:AKQJT9.AKQ.2.432 2.J98765.AKQJT.5 87.T4.43.AKQJT98 6543.32.98765.76"
            .parse()
            .expect("a deal");
        let tricks_in = |calls: &str| {
            let options = bridge::Options {
                auction: calls.to_owned(),
                dealer: bridge::Seat::North,
                ..bridge::Options::default()
            };
            tricks(&deal, &options.setup().expect("an auction").contract)
        };
        assert_eq!(
            [
                tricks_in("1S Pass Pass Pass"),
                tricks_in("1NT Pass Pass Pass")
            ],
            [12, 8]
        );
        assert_eq!(
            tricks_in("1S Pass Pass Pass"),
            12,
            "whatever was solved before"
        );
    }
}
