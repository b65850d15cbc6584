//! The number of unseen cards that could beat a single, which play styles with `history` use.

use crate::order::Order;
use hattari_plugin::daihinmin::card::{CardSet, JOKER_SET, SPADE_3};
use hattari_plugin::daihinmin::{Action, View, effect};
use hattari_plugin::games::daihinmin::moves::EVERY_COLUMN;

/// Returns the evaluation of a legal single: the number of unseen cards (neither played nor in the
/// hand of the seat) that could legally be played on it.
///
/// Locks, the order of ranks, the joker and ♠3 are considered, including a lock or a reversed order
/// that the single itself causes. A single that clears the trick has evaluation 0. A single with
/// evaluation 0 is certain to win the trick.
///
/// The value is a number of cards, not of players (Satō and Itō, 4.1). A card counts even if its
/// owner has passed.
#[inline]
pub fn evaluation(view: &View, single: &Action) -> u32 {
    if single.effects & effect::CUT != 0 {
        return 0;
    }
    let unseen = view.unseen();
    if single.is_lone_joker() {
        return (unseen & SPADE_3).count_ones();
    }
    let turns = single.effects & effect::ELEVEN_BACK != 0;
    let order = Order {
        reversed: Order::in_force(view).reversed != turns,
    };
    let locked = view.lock != 0 || single.effects & effect::LOCK != 0;
    let suits = if locked {
        EVERY_COLUMN * CardSet::from(single.suits)
    } else {
        CardSet::MAX
    };
    (unseen & (order.stronger(single.column) & suits | JOKER_SET)).count_ones()
}
