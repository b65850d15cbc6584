//! Descriptions for editors that hold'em and stud share.

/// Description of a card's name.
pub(super) const CARD: &str = "rank (2 to 9, T, J, Q, K, A) and suit (c, d, h, s), as in \"As\"";
/// Description of an action's text.
pub(super) const ACTION_TEXT: &str =
    "The action in words: \"fold\", \"call 50\", \"raise to 200 to 9900\".";
