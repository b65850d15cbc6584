//! The bot `policy`: acts without playouts. The algorithm is described in [`crate::by_policy`].

use crate::by_policy::{ByPolicy, Settings};
use hattari_plugin::Declared;
use hattari_plugin::daihinmin::{Daihinmin, bot};

/// The bot `policy`: plays by a learned policy, without playouts.
pub const POLICY: Declared<Daihinmin, ByPolicy> = bot(
    "policy",
    "3.0.0",
    "Plays the action that a learned policy rates highest, without playouts",
)
.preset(Settings::default)
.schema(SCHEMA);

/// JSON Schema of the settings of `policy`, for authors of leagues.
pub const SCHEMA: &str = r#"{
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "look": {"enum": ["light", "full", "deep"], "default": "deep", "description": "policy that chooses plays: light (fast policy of playouts), full (also analyses hands) or deep (more features and hidden units)"},
    "skill": {"enum": ["fitted", "learned"], "default": "learned", "description": "source of the weights: fitted to recorded choices, or learned from the results of games"},
    "giving": {"enum": ["weakest", "among_clients", "learned"], "default": "learned", "description": "cards to give away in the exchange: the weakest, or the choice of a policy learned in games with sample clients (among_clients) or with strong bots (learned)"},
    "by_chance": {"type": "boolean", "default": false, "description": "choose plays randomly, with probabilities in proportion to their strength, instead of the strongest"},
    "gifts_by_chance": {"type": "boolean", "default": false, "description": "choose gifts randomly, with probabilities in proportion to their strength, instead of the strongest"},
    "sure_win": {"type": "boolean", "default": true, "description": "play a sure win if there is one"},
    "endgame": {"type": "boolean", "default": true, "description": "solve the game exactly when two players are left"},
    "weights": {"type": "string", "default": "", "description": "weights of the policy for plays as text, instead of the included ones"},
    "gift_weights": {"type": "string", "default": "", "description": "weights of the exchange policy as text, instead of the included ones"},
    "seed": {"type": "integer", "minimum": 0, "default": 0, "description": "number that is combined with the seed of the block"}
  }
}"#;
