//! What a bot is to the border. The traits that authors implement live in the games' modules; each
//! of those is turned into [`Player`] by one blanket implementation. Bots for games of others
//! implement [`Player`] itself.

use crate::{Block, Config, DealEnd, DealStart, Turn};
use hattari_games::Game;

/// What a bot answers: one of the legal actions, and an amount where that action is a range of
/// amounts.
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

/// A bot of any game, as the border calls it. For the games that come with the arena, authors
/// implement the trait of their game instead, for instance
/// [`daihinmin::Bot`](crate::daihinmin::Bot). For a game of your own, implement this:
///
/// ```
/// use hattari_plugin::games::tanhinmin::Tanhinmin as MyGame;
/// use hattari_plugin::{Block, Choice, Declared, NoConfig, Player, Turn};
///
/// /// Takes the last action offered.
/// struct Last;
///
/// impl Player<MyGame> for Last {
///     type Config = NoConfig;
///     fn new(_: NoConfig, _: &Block<'_, MyGame>) -> Result<Last, String> {
///         Ok(Last)
///     }
///     fn choose(&mut self, turn: &Turn<'_, MyGame>) -> Choice {
///         (turn.legal().len() - 1).into()
///     }
/// }
///
/// hattari_plugin::export_bots![Declared::<MyGame, Last>::new("last", "1.0.0", "Takes the last action")];
/// # fn main() {}
/// ```
pub trait Player<G: Game>: Sized + Send + 'static {
    /// What a league may set.
    type Config: Config;

    /// Refuses a config that can be read but makes no sense.
    ///
    /// # Errors
    /// What is wrong, in words for the author of the league.
    fn check(_config: &Self::Config) -> Result<(), String> {
        Ok(())
    }

    /// A bot for one block.
    ///
    /// # Errors
    /// Why it does not play this block.
    fn new(config: Self::Config, block: &Block<'_, G>) -> Result<Self, String>;

    /// Cards have been dealt.
    fn deal_start(&mut self, _start: &DealStart<'_, G>) {}

    /// Decides.
    fn choose(&mut self, turn: &Turn<'_, G>) -> Choice;

    /// The deal is over.
    fn deal_end(&mut self, _end: &DealEnd<'_, G>) {}
}
