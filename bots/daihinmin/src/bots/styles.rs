//! The play styles of Satō and Itō. A style is a set of switches, which [`crate::style`] describes.

use crate::style::Lock::{None as No, Prefer, Weakest};
use crate::style::{Groups, Lock, Style, Switches};
use hattari_plugin::Declared;
use hattari_plugin::daihinmin::{Daihinmin, bot};

/// The style `plain`: the weakest legal play, without counting cards.
pub const PLAIN: Declared<Daihinmin, Style> = style(
    "plain",
    "Plays the weakest legal play, does not count played cards",
    || row(false, No, No, false),
);
/// The style `base`: the weakest legal play, with counting when two cards are left.
pub const BASE: Declared<Daihinmin, Style> = style(
    "base",
    "Plays the weakest legal play; counts unseen cards when it has two cards left",
    || row(true, No, No, false),
);
/// The style `single`: like `base`, with the lock rule `weakest` for singles.
pub const SINGLE: Declared<Daihinmin, Style> = style(
    "single",
    "Like base; among equally weak singles, plays one that locks suits",
    || row(true, Weakest, No, false),
);
/// The style `pair`: like `base`, with the lock rule `weakest` for groups.
pub const PAIR: Declared<Daihinmin, Style> = style(
    "pair",
    "Like base; among equally weak groups, plays one that locks suits",
    || row(true, No, Weakest, false),
);
/// The style `all`: like `base`, with the lock rule `weakest` for singles and groups.
pub const ALL: Declared<Daihinmin, Style> = style(
    "all",
    "Like base; among equally weak singles or groups, plays one that locks suits",
    || row(true, Weakest, Weakest, false),
);
/// The style `single-s`: like `base`, with the lock rule `prefer` for singles.
pub const SINGLE_S: Declared<Daihinmin, Style> = style(
    "single-s",
    "Like base; locks suits with a single whenever possible",
    || row(true, Prefer, No, false),
);
/// The style `pair-s`: like `base`, with the lock rule `prefer` for groups.
pub const PAIR_S: Declared<Daihinmin, Style> = style(
    "pair-s",
    "Like base; locks suits with a group whenever possible",
    || row(true, No, Prefer, false),
);
/// The style `all-s`: like `base`, with the lock rule `prefer` for singles and groups.
pub const ALL_S: Declared<Daihinmin, Style> = style(
    "all-s",
    "Like base; locks suits with a single or group whenever possible",
    || row(true, Prefer, Prefer, false),
);
/// The style `base-k`: like `base`, with a plan for sequences.
pub const BASE_K: Declared<Daihinmin, Style> = style(
    "base-k",
    "Like base; keeps a sequence together if the hand then needs fewer plays",
    || row(true, No, No, true),
);
/// The style `single-k`: like `single`, with a plan for sequences.
pub const SINGLE_K: Declared<Daihinmin, Style> = style(
    "single-k",
    "Like single; keeps a sequence together if the hand then needs fewer plays",
    || row(true, Weakest, No, true),
);
/// The style `pair-k`: like `pair`, with a plan for sequences.
pub const PAIR_K: Declared<Daihinmin, Style> = style(
    "pair-k",
    "Like pair; keeps a sequence together if the hand then needs fewer plays",
    || row(true, No, Weakest, true),
);
/// The style `all-k`: like `all`, with a plan for sequences.
pub const ALL_K: Declared<Daihinmin, Style> = style(
    "all-k",
    "Like all; keeps a sequence together if the hand then needs fewer plays",
    || row(true, Weakest, Weakest, true),
);
/// The style `single-sk`: like `single-s`, with a plan for sequences.
pub const SINGLE_SK: Declared<Daihinmin, Style> = style(
    "single-sk",
    "Like single-s; keeps a sequence together if the hand then needs fewer plays",
    || row(true, Prefer, No, true),
);
/// The style `pair-sk`: like `pair-s`, with a plan for sequences.
pub const PAIR_SK: Declared<Daihinmin, Style> = style(
    "pair-sk",
    "Like pair-s; keeps a sequence together if the hand then needs fewer plays",
    || row(true, No, Prefer, true),
);
/// The style `all-sk`: like `all-s`, with a plan for sequences.
pub const ALL_SK: Declared<Daihinmin, Style> = style(
    "all-sk",
    "Like all-s; keeps a sequence together if the hand then needs fewer plays",
    || row(true, Prefer, Prefer, true),
);
/// The bot `style`, whose switches are set by the league. With the default settings it plays like
/// `plain`.
pub const STYLE: Declared<Daihinmin, Style> = bot(
    "style",
    VERSION,
    "Plays like `plain`; settings: history, lock_single, lock_group, stairs, groups",
)
.schema(SCHEMA);

const VERSION: &str = "2.0.0";

/// Returns the declaration of a style whose switches are those of `preset`, unless a league sets
/// them.
const fn style(
    id: &'static str,
    description: &'static str,
    preset: fn() -> Switches,
) -> Declared<Daihinmin, Style> {
    bot(id, VERSION, description).preset(preset)
}

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
    "history": {"type": "boolean", "default": false, "description": "with two cards left, count the unseen cards that could beat each of them"},
    "lock_single": {"enum": ["none", "weakest", "prefer"], "default": "none", "description": "preference for singles that lock suits: none, among equally weak singles, or always"},
    "lock_group": {"enum": ["none", "weakest", "prefer"], "default": "none", "description": "preference for groups that lock suits: none, among equally weak groups, or always"},
    "stairs": {"type": "boolean", "default": false, "description": "keep a sequence together if the hand then needs fewer plays"},
    "groups": {"enum": ["any", "whole"], "default": "whole", "description": "groups that may answer a group: any, or only those that use all held cards of their rank (whole)"}
  }
}"#;
