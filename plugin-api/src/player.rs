//! The trait [`Player`], through which hosts call a bot. Authors implement the trait in the module
//! of their game, and a blanket implementation provides [`Player`]. Bots for other games implement
//! [`Player`] directly.

use crate::{Block, Config, DealEnd, DealStart, NoConfig, Rng, Turn};
use hattari_games::Game;

/// The answer of a bot: a legal action, and an amount if the action is a range of amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Index into the legal actions.
    pub action: usize,
    /// Amount; ignored if the action takes none.
    pub amount: i64,
}

impl From<usize> for Choice {
    fn from(action: usize) -> Choice {
        Choice { action, amount: 0 }
    }
}

/// A bot of any game. For the built-in games, authors implement the trait of their game instead,
/// for example [`daihinmin::Bot`](crate::daihinmin::Bot). For your own game, implement this trait:
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
/// hattari_plugin::export_bots![Declared::<MyGame, Last>::new("last", "1.0.0", "Plays the last")];
/// # fn main() {}
/// ```
pub trait Player<G: Game>: Sized + Send + 'static {
    /// The settings that leagues can change.
    type Config: Config;

    /// Checks a config for values that make no sense.
    ///
    /// # Errors
    /// Returns a message for the author of the league.
    fn check(_config: &Self::Config) -> Result<(), String> {
        Ok(())
    }

    /// Creates a bot for one block.
    ///
    /// # Errors
    /// Returns the reason if the bot does not play this block.
    fn new(config: Self::Config, block: &Block<'_, G>) -> Result<Self, String>;

    /// Handles the start of a deal, after the cards are dealt.
    fn deal_start(&mut self, start: &DealStart<'_, G>) {
        start.skip_from_now_on();
    }

    /// Makes a decision: chooses one of the legal actions of `turn`.
    fn choose(&mut self, turn: &Turn<'_, G>) -> Choice;

    /// Handles the end of a deal.
    fn deal_end(&mut self, end: &DealEnd<'_, G>) {
        end.skip_from_now_on();
    }
}

/// A baseline for any game without amounts: takes a random legal action. All have the same
/// probability. The seed of the block determines the choices.
#[derive(Clone, Debug)]
pub struct Uniform(Rng);

impl<G: Game> Player<G> for Uniform {
    type Config = NoConfig;

    fn new(_: NoConfig, block: &Block<'_, G>) -> Result<Uniform, String> {
        Ok(Uniform(block.rng()))
    }

    fn choose(&mut self, turn: &Turn<'_, G>) -> Choice {
        self.0.index(turn.legal().len()).into()
    }
}
