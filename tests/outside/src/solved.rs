//! A bot that plays the strategy of the solver.

use crate::cfr::{Small, Solver, Strategy, Tree};
use hattari_plugin::{Block, Choice, Player, Rng, Turn};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

/// Settings of the bot.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Number of training rounds, 1 to 100,000.
    pub rounds: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config { rounds: 500 }
    }
}

/// A bot that plays an approximate equilibrium; its precision depends on the number of training
/// rounds.
pub struct Solved<G> {
    strategy: Arc<Strategy>,
    random: Rng,
    game: PhantomData<fn() -> G>,
}

/// Cache of strategies by game, options and rounds, shared by all blocks.
static KNOWN: Mutex<Option<HashMap<String, Arc<Strategy>>>> = Mutex::new(None);

/// Returns the strategy for a game with these options after this number of rounds.
fn strategy<G: Small>(options: G::Options, rounds: u32) -> Result<Arc<Strategy>, String> {
    let key = format!("{} {options:?} {rounds}", G::ID);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(strategy) = known.get(&key) {
        return Ok(strategy.clone());
    }
    let mut solver = Solver::new(Tree::of(&G::new(options)?));
    solver.train(rounds);
    let strategy = Arc::new(solver.strategy());
    known.insert(key, strategy.clone());
    Ok(strategy)
}

impl<G: Small> Player<G> for Solved<G> {
    type Config = Config;

    fn check(config: &Config) -> Result<(), String> {
        let is_sane = (1..=100_000).contains(&config.rounds);
        if is_sane {
            Ok(())
        } else {
            Err(format!("rounds is {}, must be 1 to 100000", config.rounds))
        }
    }

    fn new(config: Config, block: &Block<'_, G>) -> Result<Solved<G>, String> {
        let strategy = strategy::<G>(block.options()?, config.rounds)?;
        Ok(Solved {
            strategy,
            random: block.rng(),
            game: PhantomData,
        })
    }

    fn choose(&mut self, turn: &Turn<'_, G>) -> Choice {
        let mut left = self.random.unit();
        let chances = self
            .strategy
            .0
            .get(&G::situation(turn.view(), turn.history()));
        let drawn = chances.into_iter().flatten().position(|chance| {
            left -= chance;
            left < 0.0
        });
        // The sum of the probabilities can differ from one in the last digit.
        drawn.unwrap_or(turn.legal().len() - 1).into()
    }
}
