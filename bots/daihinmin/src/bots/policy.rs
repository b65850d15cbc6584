//! The bot `policy`: acts without search. The algorithm is described in [`crate::by_policy`].

use crate::by_policy::{ByPolicy, Settings};
use hattari_plugin::Declared;
use hattari_plugin::daihinmin::{Daihinmin, bot};

/// The bot `policy`: plays by a learned policy, without search.
pub const POLICY: Declared<Daihinmin, ByPolicy> = bot(
    "policy",
    "3.0.0",
    "Plays what a learned policy says, without looking ahead",
)
.preset(Settings::default)
.schema(SCHEMA);

/// JSON Schema of the settings, for authors of leagues.
pub const SCHEMA: &str = r#"{
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "look": {"enum": ["light", "full", "deep"], "default": "deep", "description": "which policy: that of quick playouts, that which takes hands apart, or that which looks at still more with hidden units"},
    "skill": {"enum": ["fitted", "learned"], "default": "learned", "description": "weights fitted to recorded choices, or learned from what games brought"},
    "giving": {"enum": ["weakest", "among_clients", "learned"], "default": "learned", "description": "what is given away in the exchange: the weakest cards, or what a policy says that learned at tables of sample clients, or in strong company"},
    "by_chance": {"type": "boolean", "default": false, "description": "choose plays by chance, in proportion to strength"},
    "gifts_by_chance": {"type": "boolean", "default": false, "description": "choose gifts by chance likewise"},
    "sure_win": {"type": "boolean", "default": true, "description": "play a sure way out where there is one"},
    "endgame": {"type": "boolean", "default": true, "description": "solve the game with two players left"},
    "weights": {"type": "string", "default": "", "description": "weights of play as text instead of those that come with the bot"},
    "gift_weights": {"type": "string", "default": "", "description": "weights of the exchange likewise"},
    "seed": {"type": "integer", "minimum": 0, "default": 0, "description": "mixed into the block's seed"}
  }
}"#;
