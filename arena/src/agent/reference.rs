//! The host's own agents: opponents for checks and benches that need no library and no script.

#![expect(unsafe_code, reason = "reads the legal actions of a decision")]

use super::{Agent, BlockStart, Misstep};
use hattari_plugin::abi;
use hattari_plugin::games::{GameTypes, chance};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use std::marker::PhantomData;

/// Chooses uniformly among the legal actions, and uniformly among the amounts of a range.
pub struct Random<G: GameTypes> {
    rng: ChaCha12Rng,
    game: PhantomData<fn() -> G>,
}

impl<G: GameTypes> Default for Random<G> {
    fn default() -> Self {
        Random { rng: ChaCha12Rng::from_seed([0; 32]), game: PhantomData }
    }
}

impl<G: GameTypes> Agent for Random<G> {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&start.seed.to_le_bytes());
        self.rng = ChaCha12Rng::from_seed(key);
        Ok(())
    }

    fn deal_start(&mut self, _start: &abi::DealInfo) -> Result<(), Misstep> {
        Ok(())
    }

    fn act(&mut self, decision: &abi::Decision) -> Result<abi::Choice, Misstep> {
        let actions = legal::<G>(decision);
        let action = chance::below(&mut self.rng, decision.action_count);
        let amount = G::amounts(&actions[action as usize]).map_or(0, |(low, high)| {
            let width = u32::try_from(high - low).unwrap_or(u32::MAX - 1);
            low + i64::from(chance::below(&mut self.rng, width + 1))
        });
        Ok(choice(action, amount))
    }

    fn deal_end(&mut self, _result: &abi::DealResult) -> Result<(), Misstep> {
        Ok(())
    }
}

/// Takes the first legal action at its lowest amount: passes, checks and folds wherever that is allowed.
pub struct First<G: GameTypes>(PhantomData<fn() -> G>);

impl<G: GameTypes> Default for First<G> {
    fn default() -> Self {
        First(PhantomData)
    }
}

impl<G: GameTypes> Agent for First<G> {
    fn block_start(&mut self, _start: &BlockStart<'_>) -> Result<(), Misstep> {
        Ok(())
    }

    fn deal_start(&mut self, _start: &abi::DealInfo) -> Result<(), Misstep> {
        Ok(())
    }

    fn act(&mut self, decision: &abi::Decision) -> Result<abi::Choice, Misstep> {
        Ok(choice(0, G::amounts(&legal::<G>(decision)[0]).map_or(0, |(low, _)| low)))
    }

    fn deal_end(&mut self, _result: &abi::DealResult) -> Result<(), Misstep> {
        Ok(())
    }
}

fn choice(action: u32, amount: i64) -> abi::Choice {
    abi::Choice { struct_size: abi::struct_size::<abi::Choice>(), action, amount }
}

/// The legal actions of a decision.
fn legal<G: GameTypes>(decision: &abi::Decision) -> &[G::Action] {
    assert_eq!(decision.action_stride as usize, size_of::<G::Action>(), "a decision of the game that is played");
    // SAFETY: the table's own buffer of actions of `G`, of which the stride is a witness; it outlives the decision.
    unsafe { std::slice::from_raw_parts(decision.actions.cast(), decision.action_count as usize) }
}
