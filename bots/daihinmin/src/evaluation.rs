//! The number of unseen cards that could beat a single, which play styles with `history` use.

use hattari_plugin::daihinmin::card::{JOKER_SET, SPADE_3};
use hattari_plugin::daihinmin::{Action, View, effect};
use hattari_plugin::games::daihinmin::moves::usable;
use hattari_search::daihinmin::sure::situation_after;

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
    let after = situation_after(&view.into(), single);
    (usable(unseen, &after) | unseen & JOKER_SET).count_ones()
}
