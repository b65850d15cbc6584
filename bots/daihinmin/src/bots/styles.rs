//! The play styles of Satō and Itō: a style is a row of switches. What the switches do is told in
//! [`crate::style`].

use crate::style::Lock::{None as No, Prefer, Weakest};
use crate::style::{Groups, Lock, Style, Switches};
use hattari_plugin::Declared;
use hattari_plugin::daihinmin::{Daihinmin, bot};

/// `plain`.
pub const PLAIN: Declared<Daihinmin, Style> =
    bot("plain", VERSION, "Weakest legal play, without card history")
        .preset(|| row(false, No, No, false));
/// `base`.
pub const BASE: Declared<Daihinmin, Style> = bot(
    "base",
    VERSION,
    "Weakest legal play, card history with two cards left",
)
.preset(|| row(true, No, No, false));
/// `single`.
pub const SINGLE: Declared<Daihinmin, Style> = bot(
    "single",
    VERSION,
    "As base, locks singles with equally weak plays",
)
.preset(|| row(true, Weakest, No, false));
/// `pair`.
pub const PAIR: Declared<Daihinmin, Style> = bot(
    "pair",
    VERSION,
    "As base, locks groups with equally weak plays",
)
.preset(|| row(true, No, Weakest, false));
/// `all`.
pub const ALL: Declared<Daihinmin, Style> = bot(
    "all",
    VERSION,
    "As base, locks singles and groups with equally weak plays",
)
.preset(|| row(true, Weakest, Weakest, false));
/// `single-s`.
pub const SINGLE_S: Declared<Daihinmin, Style> = bot(
    "single-s",
    VERSION,
    "As base, locks singles whenever it can",
)
.preset(|| row(true, Prefer, No, false));
/// `pair-s`.
pub const PAIR_S: Declared<Daihinmin, Style> =
    bot("pair-s", VERSION, "As base, locks groups whenever it can")
        .preset(|| row(true, No, Prefer, false));
/// `all-s`.
pub const ALL_S: Declared<Daihinmin, Style> = bot(
    "all-s",
    VERSION,
    "As base, locks singles and groups whenever it can",
)
.preset(|| row(true, Prefer, Prefer, false));
/// `base-k`.
pub const BASE_K: Declared<Daihinmin, Style> = bot(
    "base-k",
    VERSION,
    "As base, keeps sequences that save moves",
)
.preset(|| row(true, No, No, true));
/// `single-k`.
pub const SINGLE_K: Declared<Daihinmin, Style> = bot(
    "single-k",
    VERSION,
    "As single, keeps sequences that save moves",
)
.preset(|| row(true, Weakest, No, true));
/// `pair-k`.
pub const PAIR_K: Declared<Daihinmin, Style> = bot(
    "pair-k",
    VERSION,
    "As pair, keeps sequences that save moves",
)
.preset(|| row(true, No, Weakest, true));
/// `all-k`.
pub const ALL_K: Declared<Daihinmin, Style> =
    bot("all-k", VERSION, "As all, keeps sequences that save moves")
        .preset(|| row(true, Weakest, Weakest, true));
/// `single-sk`.
pub const SINGLE_SK: Declared<Daihinmin, Style> = bot(
    "single-sk",
    VERSION,
    "As single-s, keeps sequences that save moves",
)
.preset(|| row(true, Prefer, No, true));
/// `pair-sk`.
pub const PAIR_SK: Declared<Daihinmin, Style> = bot(
    "pair-sk",
    VERSION,
    "As pair-s, keeps sequences that save moves",
)
.preset(|| row(true, No, Prefer, true));
/// `all-sk`.
pub const ALL_SK: Declared<Daihinmin, Style> = bot(
    "all-sk",
    VERSION,
    "As all-s, keeps sequences that save moves",
)
.preset(|| row(true, Prefer, Prefer, true));
/// `style`: every switch is the league's to set; without config it plays as `plain`.
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

/// What the switches take, for authors of leagues: the JSON Schema of `style`'s config.
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
