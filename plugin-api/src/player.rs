//! What a bot is to the border. The traits that authors implement live in the games' modules; each of those is turned
//! into [`Player`] by one blanket implementation.

use crate::{Block, Config, DealEnd, DealStart, Turn};
use hattari_games::Game;

/// What a bot answers: one of the legal actions, and an amount where that action is a range of amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Index into the legal actions.
    pub action: usize,
    /// The amount; ignored where the action takes none.
    pub amount: i64,
}

impl From<usize> for Choice {
    fn from(action: usize) -> Choice {
        Choice { action, amount: 0 }
    }
}

/// A bot of any game, as the border calls it. Authors implement the trait of their game instead, for instance
/// [`daihinmin::Bot`](crate::daihinmin::Bot).
pub trait Player<G: Game>: Sized + Send + 'static {
    /// What a league may set.
    type Config: Config;

    /// Refuses a config that can be read but makes no sense.
    ///
    /// # Errors
    /// What is wrong, in words for the author of the league.
    fn check(config: &Self::Config) -> Result<(), String>;

    /// A bot for one block.
    ///
    /// # Errors
    /// Why it does not play this block.
    fn new(config: Self::Config, block: &Block<'_, G>) -> Result<Self, String>;

    /// Cards have been dealt.
    fn deal_start(&mut self, start: &DealStart<'_, G>);

    /// Decides.
    fn choose(&mut self, turn: &Turn<'_, G>) -> Choice;

    /// The deal is over.
    fn deal_end(&mut self, end: &DealEnd<'_, G>);
}
