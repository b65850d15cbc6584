//! The host's additions that hold'em and stud share.

use super::{GameExtras, WatchDefaults};

/// The additions without those of a single game.
pub(super) const HOSTED: GameExtras = GameExtras {
    supplement: include_str!("poker.luau"),
    card: "rank (2 to 9, T, J, Q, K, A) and suit (c, d, h, s), as in \"As\"",
    watch_defaults: Some(WatchDefaults {
        opponents: &["honest"],
        duplicate: true,
        ..WatchDefaults::NONE
    }),
    ..GameExtras::NONE
};
/// Description of an action's text.
pub(super) const ACTION_TEXT: &str =
    "The action in words: \"fold\", \"call 50\", \"raise to 200 to 9900\".";
