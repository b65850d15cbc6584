//! Reference agents without a bot file, used as opponents in checks and benchmarks.

#![forbid(unsafe_code)]

use super::{Agent, AgentResult, Notice, Turn};
use hattari_plugin::Choice;
use hattari_plugin::games::{GameTypes, chance};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use std::marker::PhantomData;

/// An agent that chooses a legal action at random, and the amount at random in its range. All
/// choices are equally likely.
pub struct Random<G: GameTypes> {
    rng: ChaCha12Rng,
    game: PhantomData<fn() -> G>,
}

impl<G: GameTypes> Default for Random<G> {
    fn default() -> Self {
        Random {
            rng: ChaCha12Rng::from_seed([0; 32]),
            game: PhantomData,
        }
    }
}

impl<G: GameTypes> Agent for Random<G> {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        if let Notice::BlockStart(start) = notice {
            let mut key = [0; 32];
            key[..8].copy_from_slice(&start.seed.to_le_bytes());
            self.rng = ChaCha12Rng::from_seed(key);
        }
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        let index = chance::below(&mut self.rng, turn.legal.count());
        let amount = G::amounts(legal::<G>(turn, index)).map_or(0, |(low, high)| {
            let width = u32::try_from(high - low).unwrap_or(u32::MAX - 1);
            low + i64::from(chance::below(&mut self.rng, width + 1))
        });
        Ok(Choice {
            action: index as usize,
            amount,
        })
    }
}

/// An agent that takes the first legal action with its lowest amount: it passes, checks or folds if
/// that is legal.
pub struct First<G: GameTypes>(PhantomData<fn() -> G>);

impl<G: GameTypes> Default for First<G> {
    fn default() -> Self {
        First(PhantomData)
    }
}

impl<G: GameTypes> Agent for First<G> {
    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        Ok(Choice {
            action: 0,
            amount: G::amounts(legal::<G>(turn, 0)).map_or(0, |(low, _)| low),
        })
    }
}

/// Returns the legal action at `index`.
fn legal<'a, G: GameTypes>(turn: &Turn<'a>, index: u32) -> &'a G::Action {
    turn.legal
        .get(index)
        .expect("the decision belongs to this game")
}
