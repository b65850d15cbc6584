//! The Monte Carlo bots of the experiments on chance-node sensitivity, and the stronger bot
//! `hattari`. The algorithm is described in [`crate::monte_carlo`].

use crate::by_policy::Giving;
use crate::monte_carlo::{Config, MonteCarlo, PlayoutPolicy};
use hattari_plugin::Declared;
use hattari_plugin::daihinmin::{Daihinmin, bot};

/// The bot `mc-random`: playouts from uniformly sampled deals.
pub const MC_RANDOM: Declared<Daihinmin, MonteCarlo> = bot(
    "mc-random",
    VERSION,
    "Tries every action in random playouts of uniformly sampled deals",
)
.preset(Config::default)
.schema(SCHEMA);
/// The bot `mc-estimate`: playouts from deals weighted by the actions of the other players.
pub const MC_ESTIMATE: Declared<Daihinmin, MonteCarlo> = bot(
    "mc-estimate",
    VERSION,
    "Like mc-random, but deals that explain the others' actions better have more weight",
)
.preset(|| Config {
    weighed: 200,
    ..Config::default()
})
.schema(SCHEMA);

/// The bot `hattari`, the strongest of the project. For ablation studies, leagues can switch off
/// parts of the bot.
pub const HATTARI: Declared<Daihinmin, MonteCarlo> = bot(
    "hattari",
    "3.0.0",
    "Tries actions in playouts by learned policies, plays sure wins, solves endgames",
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

/// JSON Schema of the settings of Monte Carlo bots, for authors of leagues.
pub const SCHEMA: &str = r#"{
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "playouts": {"type": "integer", "minimum": 0, "default": 2000, "description": "number of playouts per decision; 0 if only time limits them"},
    "time_ms": {"type": "integer", "minimum": 0, "default": 0, "description": "time limit per decision in milliseconds, 0 for none; with a limit, games are not reproducible"},
    "c": {"type": "number", "minimum": 0, "default": 0.5, "description": "exploration constant of UCB; rewards are between 0 and 1"},
    "policy": {"enum": ["uniform", "fitted", "learned", "full", "deep"], "default": "uniform", "description": "policy of all players in playouts: uniform (random), fitted or learned (fast policy with these weights), full (also analyses hands) or deep (most features, slowest); full for hattari"},
    "weighed": {"type": "integer", "minimum": 0, "description": "number of deals per decision that are weighted by the actions of the other players; 200 for mc-estimate, 0 for the other bots"},
    "trust": {"type": "number", "minimum": 0, "maximum": 1, "default": 1.0, "description": "exponent of the likelihoods that weight deals"},
    "others": {"enum": ["fitted", "learned", "full"], "default": "fitted", "description": "policy that the other players are assumed to use when deals are weighted: fitted or learned (fast policy with these weights) or full (also analyses hands)"},
    "sure_win": {"type": "boolean", "description": "play a sure win without playouts; true for hattari"},
    "endgame": {"type": "boolean", "description": "solve the game exactly when two players are left; true for hattari"},
    "giving": {"enum": ["weakest", "among_clients", "learned"], "default": "weakest", "description": "cards to give away in the exchange: the weakest, or the choice of a policy learned in games with sample clients (among_clients) or with strong bots (learned); learned for hattari"},
    "prior": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.0, "description": "minimum strength of the actions to try, by the deep policy, as a share of the strongest action's; 0 to try all, 0.02 for hattari"},
    "coming": {"type": "boolean", "default": false, "description": "add the value of a place in later deals to its points; true for hattari"},
    "regret": {"type": "number", "minimum": 0, "default": 0.0, "description": "stop if no other action promises to be better by this number of points; 0 to use all playouts, 0.001 for hattari"},
    "race": {"type": "boolean", "default": false, "description": "try all actions on the same deals and eliminate bad ones, instead of UCB; true for hattari"},
    "lean": {"type": "number", "minimum": 0, "default": 0.0, "description": "head start of an action in a race, in points per unit of the logarithm of its strength by the deep policy; 0.05 for hattari"},
    "weights": {"type": "string", "default": "", "description": "weights of the deep policy as text, instead of the included ones"},
    "playout_weights": {"type": "string", "default": "", "description": "weights of the full policy as text, instead of the included ones"},
    "gift_weights": {"type": "string", "default": "", "description": "weights of the exchange policy as text, instead of the included ones"},
    "seed": {"type": "integer", "minimum": 0, "default": 0, "description": "number that is combined with the seed of the block"}
  }
}"#;
