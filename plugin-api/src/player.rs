//! What a game is to the SDK, and what a bot is to the border. The traits that authors implement live in the games'
//! modules; each of those is turned into [`Player`] by one blanket implementation.

use crate::{Block, Config, DealEnd, DealStart, Turn};
use hattari_games::frame::Framed;
use serde::{Serialize, de::DeserializeOwned};

/// A game as the SDK sees it: its name and its records.
pub trait Family: Sized + 'static {
    /// Name and revision, as in `daihinmin/1`.
    const ID: &'static str;
    /// All that a seat may know at a decision.
    type View: Framed;
    /// One line of the deal's public record.
    type Event: Framed;
    /// One legal action, or a range of amounts.
    type Action: Framed;
    /// The switches of the rules.
    type Options: Default + Serialize + DeserializeOwned;
}

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
pub trait Player<F: Family>: Sized + Send + 'static {
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
    fn new(config: Self::Config, block: &Block<'_, F>) -> Result<Self, String>;

    /// Cards have been dealt.
    fn deal_start(&mut self, start: &DealStart<'_, F>);

    /// Decides.
    fn choose(&mut self, turn: &Turn<'_, F>) -> Choice;

    /// The deal is over.
    fn deal_end(&mut self, end: &DealEnd<'_, F>);
}
