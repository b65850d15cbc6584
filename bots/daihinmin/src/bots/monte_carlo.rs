//! The Monte Carlo bots of the experiments on chance-node sensitivity, and a stronger one. The
//! algorithm is described in [`crate::monte_carlo`].

use crate::by_policy::Giving;
use crate::monte_carlo::{Config, MonteCarlo, PlayoutPolicy};
use hattari_plugin::Declared;
use hattari_plugin::daihinmin::{Daihinmin, bot};

/// The bot `mc-random`: playouts from uniformly sampled deals.
pub const MC_RANDOM: Declared<Daihinmin, MonteCarlo> = bot(
    "mc-random",
    VERSION,
    "Monte Carlo over uniformly drawn deals",
)
.preset(Config::default)
.schema(SCHEMA);
/// The bot `mc-estimate`: playouts from deals weighted by the actions of the other players.
pub const MC_ESTIMATE: Declared<Daihinmin, MonteCarlo> = bot(
    "mc-estimate",
    VERSION,
    "Monte Carlo over deals weighted by what the others have played and passed",
)
.preset(|| Config {
    weighed: 200,
    ..Config::default()
})
.schema(SCHEMA);

/// The bot `hattari`, the strongest of the project. Leagues can switch off its parts for ablation
/// studies.
pub const HATTARI: Declared<Daihinmin, MonteCarlo> = bot(
    "hattari",
    "3.0.0",
    "Monte Carlo by learned policies, with sure ways out and solved endgames",
)
.preset(hattari)
.schema(SCHEMA);

fn hattari() -> Config {
    Config {
        policy: PlayoutPolicy::Full,
        sure_win: true,
        endgame: true,
        giving: Giving::Learned,
        prior: 0.02,
        coming: true,
        regret: 0.001,
        race: true,
        lean: 0.05,
        ..Config::default()
    }
}

const VERSION: &str = "1.0.0";

/// JSON Schema of the settings, for authors of leagues.
pub const SCHEMA: &str = r#"{
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "playouts": {"type": "integer", "minimum": 0, "default": 2000, "description": "playouts a decision; 0 where time alone limits them"},
    "time_ms": {"type": "integer", "minimum": 0, "default": 0, "description": "milliseconds a decision, 0 for no limit; with one, games differ from run to run"},
    "c": {"type": "number", "minimum": 0, "default": 0.5, "description": "how much UCB explores; rewards are between 0 and 1"},
    "policy": {"enum": ["uniform", "fitted", "learned", "full", "deep"], "default": "uniform", "description": "who plays in the playouts: chance, the quick policy fitted or learned, the learned one that takes hands apart, or that of moves that are made; full for hattari"},
    "weighed": {"type": "integer", "minimum": 0, "description": "deals weighed at each decision by what the others have done; 200 for mc-estimate, 0 for the others"},
    "trust": {"type": "number", "minimum": 0, "maximum": 1, "default": 1.0, "description": "power that the likelihoods of weighed deals are taken to"},
    "others": {"enum": ["fitted", "learned", "full"], "default": "fitted", "description": "what the others are taken to play by when deals are weighed: the quick policy fitted or learned, or the learned one that takes hands apart"},
    "sure_win": {"type": "boolean", "description": "play a sure way out without playouts; true for hattari"},
    "endgame": {"type": "boolean", "description": "solve the game with two players left; true for hattari"},
    "giving": {"enum": ["weakest", "among_clients", "learned"], "default": "weakest", "description": "what is given away in the exchange: the weakest cards, or what a policy says that learned at tables of sample clients, or in strong company; learned for hattari"},
    "prior": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.0, "description": "try those actions alone that the learned policy takes for at least so strong, as a share of the strongest; 0.02 for hattari"},
    "coming": {"type": "boolean", "default": false, "description": "count what a place is worth in the next deals; true for hattari"},
    "regret": {"type": "number", "minimum": 0, "default": 0.0, "description": "stop trying when another action promises less than so many points more; 0 to use all playouts, 0.001 for hattari"},
    "race": {"type": "boolean", "default": false, "description": "try all actions on the same deals and drop those that are hardly the best, instead of UCB; true for hattari"},
    "lean": {"type": "number", "minimum": 0, "default": 0.0, "description": "what the logarithm of an action's strength by the deep policy is worth in a race, in points; 0.05 for hattari"},
    "weights": {"type": "string", "default": "", "description": "weights of the deep policy as text instead of those that come with the bot"},
    "playout_weights": {"type": "string", "default": "", "description": "weights of the full policy, that of playouts, likewise"},
    "gift_weights": {"type": "string", "default": "", "description": "weights of the exchange likewise"},
    "seed": {"type": "integer", "minimum": 0, "default": 0, "description": "mixed into the block's seed"}
  }
}"#;
