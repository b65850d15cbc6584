//! The play styles of Satō and Itō. A style is a set of switches, which [`crate::style`] describes.

use crate::style::Lock::{None as No, Prefer, Weakest};
use crate::style::{Groups, Lock, Style, Switches};
use hattari_plugin::Declared;
use hattari_plugin::daihinmin::{Daihinmin, bot};

/// The style `plain`.
pub const PLAIN: Declared<Daihinmin, Style> =
    bot("plain", VERSION, "Weakest legal play, without card history")
        .preset(|| row(false, No, No, false));
/// The style `base`.
pub const BASE: Declared<Daihinmin, Style> = bot(
    "base",
    VERSION,
    "Weakest legal play, card history with two cards left",
)
.preset(|| row(true, No, No, false));
/// The style `single`.
pub const SINGLE: Declared<Daihinmin, Style> = bot(
    "single",
    VERSION,
    "As base, locks singles with equally weak plays",
)
.preset(|| row(true, Weakest, No, false));
/// The style `pair`.
pub const PAIR: Declared<Daihinmin, Style> = bot(
    "pair",
    VERSION,
    "As base, locks groups with equally weak plays",
)
.preset(|| row(true, No, Weakest, false));
/// The style `all`.
pub const ALL: Declared<Daihinmin, Style> = bot(
    "all",
    VERSION,
    "As base, locks singles and groups with equally weak plays",
)
.preset(|| row(true, Weakest, Weakest, false));
/// The style `single-s`.
pub const SINGLE_S: Declared<Daihinmin, Style> = bot(
    "single-s",
    VERSION,
    "As base, locks singles whenever it can",
)
.preset(|| row(true, Prefer, No, false));
/// The style `pair-s`.
pub const PAIR_S: Declared<Daihinmin, Style> =
    bot("pair-s", VERSION, "As base, locks groups whenever it can")
        .preset(|| row(true, No, Prefer, false));
/// The style `all-s`.
pub const ALL_S: Declared<Daihinmin, Style> = bot(
    "all-s",
    VERSION,
    "As base, locks singles and groups whenever it can",
)
.preset(|| row(true, Prefer, Prefer, false));
/// The style `base-k`.
pub const BASE_K: Declared<Daihinmin, Style> = bot(
    "base-k",
    VERSION,
    "As base, keeps sequences that save moves",
)
.preset(|| row(true, No, No, true));
/// The style `single-k`.
pub const SINGLE_K: Declared<Daihinmin, Style> = bot(
    "single-k",
    VERSION,
    "As single, keeps sequences that save moves",
)
.preset(|| row(true, Weakest, No, true));
/// The style `pair-k`.
pub const PAIR_K: Declared<Daihinmin, Style> = bot(
    "pair-k",
    VERSION,
    "As pair, keeps sequences that save moves",
)
.preset(|| row(true, No, Weakest, true));
/// The style `all-k`.
pub const ALL_K: Declared<Daihinmin, Style> =
    bot("all-k", VERSION, "As all, keeps sequences that save moves")
        .preset(|| row(true, Weakest, Weakest, true));
/// The style `single-sk`.
pub const SINGLE_SK: Declared<Daihinmin, Style> = bot(
    "single-sk",
    VERSION,
    "As single-s, keeps sequences that save moves",
)
.preset(|| row(true, Prefer, No, true));
/// The style `pair-sk`.
pub const PAIR_SK: Declared<Daihinmin, Style> = bot(
    "pair-sk",
    VERSION,
    "As pair-s, keeps sequences that save moves",
)
.preset(|| row(true, No, Prefer, true));
/// The style `all-sk`.
pub const ALL_SK: Declared<Daihinmin, Style> = bot(
    "all-sk",
    VERSION,
    "As all-s, keeps sequences that save moves",
)
.preset(|| row(true, Prefer, Prefer, true));
/// The bot `style`: the league sets every switch. With the default settings it plays like `plain`.
pub const STYLE: Declared<Daihinmin, Style> = bot(
    "style",
    VERSION,
    "The play styles' algorithm with switches: history, lock_single, lock_group, stairs, groups",
)
.schema(SCHEMA);

const VERSION: &str = "2.0.0";

const fn row(history: bool, lock_single: Lock, lock_group: Lock, stairs: bool) -> Switches {
    Switches {
        history,
        lock_single,
        lock_group,
        stairs,
        groups: Groups::Whole,
    }
}

/// JSON Schema of the settings of `style`, for authors of leagues.
pub const SCHEMA: &str = r#"{
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "history": {"type": "boolean", "default": false, "description": "use the history of played cards with two cards left"},
    "lock_single": {"enum": ["none", "weakest", "prefer"], "default": "none", "description": "how singles are locked"},
    "lock_group": {"enum": ["none", "weakest", "prefer"], "default": "none", "description": "how groups are locked"},
    "stairs": {"type": "boolean", "default": false, "description": "keep sequences together that save moves"},
    "groups": {"enum": ["any", "whole"], "default": "whole", "description": "which groups follow: any, or those that take all cards of their rank"}
  }
}"#;
