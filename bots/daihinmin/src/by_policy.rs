//! Players that do what a policy says, without looking ahead.
//!
//! A policy gives every action a strength. The player takes the strongest, or, to learn and to be
//! learned from, one by chance in proportion to strength. What the exchange gives away is chosen by
//! a policy as well.

use crate::gift::weakest_gift;
use hattari_plugin::Rng;
use hattari_plugin::daihinmin::{Block, Bot, Options, Turn};
use hattari_search::daihinmin::endgame::{Endgame, Outcome};
use hattari_search::daihinmin::playout::Scratch;
use hattari_search::daihinmin::policy::{Deep, Full, Gift, GiftPolicy, Light, Look, Policy, Sight};
use hattari_search::daihinmin::sure::SureWin;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Which policy plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Looks {
    /// That of playouts, quick.
    Light,
    /// That which takes every hand apart that an action would leave.
    Full,
    /// That which looks at still more, and at what its features mean together.
    #[default]
    Deep,
}

/// Where the weights come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Skill {
    /// Fitted to recorded choices.
    Fitted,
    /// Learned from what games brought.
    #[default]
    Learned,
}

/// What is given away in the exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Giving {
    /// The weakest cards.
    #[default]
    Weakest,
    /// What a policy of the exchange says that was learned at tables of the contest's sample
    /// clients.
    AmongClients,
    /// What the learned policy of the exchange says.
    Learned,
}

impl Giving {
    /// The policy that says it; `None` where the weakest cards go.
    pub(crate) fn policy(self) -> Option<&'static GiftPolicy> {
        match self {
            Giving::Weakest => None,
            Giving::AmongClients => Some(Gift::shipped()),
            Giving::Learned => Some(Gift::learned()),
        }
    }
}

/// What a league may set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Which policy plays.
    pub look: Looks,
    /// Where its weights come from.
    pub skill: Skill,
    /// What is given away.
    pub giving: Giving,
    /// Choose plays by chance, in proportion to strength.
    pub by_chance: bool,
    /// Choose what is given away by chance likewise.
    pub gifts_by_chance: bool,
    /// Play a sure way out where there is one.
    pub sure_win: bool,
    /// Solve the game with two players left.
    pub endgame: bool,
    /// Weights of play instead of those that come with the bot, as the training tool
    /// `learn-policy` (`arena/study/examples/train`) writes them.
    pub weights: String,
    /// Weights of the exchange likewise.
    pub gift_weights: String,
    /// Mixed into the seed that the host gives.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            look: Looks::Deep,
            skill: Skill::Learned,
            giving: Giving::Learned,
            by_chance: false,
            gifts_by_chance: false,
            sure_win: true,
            endgame: true,
            weights: String::new(),
            gift_weights: String::new(),
            seed: 0,
        }
    }
}

/// Weights that come with the bot or with its settings.
pub(crate) enum Weights<L: Look<N>, const N: usize> {
    Shipped(&'static Policy<L, N>),
    Own(Arc<Policy<L, N>>),
}

/// Texts of weights that were read last, with what they say. Whoever learns plays thousands of
/// blocks by the same weights, and reading them takes as long as playing tens of games.
static READ: Mutex<VecDeque<(String, Arc<dyn Any + Send + Sync>)>> = Mutex::new(VecDeque::new());
/// So many are kept.
const READ_MAX: usize = 4;

impl<L: Look<N>, const N: usize> Weights<L, N> {
    /// Weights as text, or those shipped where that is empty.
    pub(crate) fn new(text: &str, shipped: &'static Policy<L, N>) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Weights::Shipped(shipped));
        }
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        let known = read
            .iter()
            .filter(|(known, _)| known == text)
            .find_map(|(_, policy)| policy.clone().downcast().ok());
        if let Some(policy) = known {
            return Ok(Weights::Own(policy));
        }
        let policy = Arc::new(Policy::<L, N>::parse(text).map_err(|error| error.to_string())?);
        read.truncate(READ_MAX - 1);
        read.push_front((text.to_owned(), policy.clone()));
        Ok(Weights::Own(policy))
    }

    pub(crate) fn get(&self) -> &Policy<L, N> {
        match self {
            Weights::Shipped(policy) => policy,
            Weights::Own(policy) => policy,
        }
    }
}

/// The index of the action that a policy takes: the strongest, or one by chance.
fn take<L: Look<N>, const N: usize>(
    policy: &Policy<L, N>,
    sight: &Sight,
    turn: &Turn,
    dice: Option<(&mut Scratch, &mut Rng)>,
) -> usize {
    let idle = sight.idle_passes(turn.legal());
    let actions = &turn.legal()[idle..];
    idle + match dice {
        Some((scratch, chance)) => policy.choose(sight, actions, &mut scratch.strengths, chance),
        None => policy.best(sight, actions),
    }
}

/// The weights of play.
enum Play {
    Light(Weights<Light, 7>),
    Full(Weights<Full, 14>),
    Deep(Weights<Deep, 41>),
}

/// A player that does what a policy says.
pub struct ByPolicy {
    settings: Settings,
    options: Options,
    chance: Rng,
    play: Play,
    gift: Option<Weights<Gift, 7>>,
    scratch: Scratch,
    sure_win: SureWin,
    endgame: Option<Endgame>,
}

/// Plays that the search for a sure way out looks at.
const SURE_WIN_PLAYS: u32 = 2000;
/// Positions that the search with two players left visits.
const ENDGAME_POSITIONS: u32 = 20_000;

/// The weights that a setting of this name holds.
pub(crate) fn weights<L: Look<N>, const N: usize>(
    name: &str,
    text: &str,
    shipped: &'static Policy<L, N>,
) -> Result<Weights<L, N>, String> {
    Weights::new(text, shipped).map_err(|error| format!("`{name}`: {error}"))
}

fn play(settings: &Settings) -> Result<Play, String> {
    fn of<L: Look<N>, const N: usize>(settings: &Settings) -> Result<Weights<L, N>, String> {
        let shipped = if settings.skill == Skill::Learned {
            L::learned()
        } else {
            L::shipped()
        };
        weights("weights", &settings.weights, shipped)
    }
    Ok(match settings.look {
        Looks::Light => Play::Light(of(settings)?),
        Looks::Full => Play::Full(of(settings)?),
        Looks::Deep => Play::Deep(of(settings)?),
    })
}

/// The policy of the exchange, with weights of its own where `text` has them; `None` where the
/// weakest cards go.
pub(crate) fn gift(giving: Giving, text: &str) -> Result<Option<Weights<Gift, 7>>, String> {
    weights(
        "gift_weights",
        text,
        giving.policy().unwrap_or(Gift::learned()),
    )
    .map(|weights| giving.policy().map(|_| weights))
}

impl Bot for ByPolicy {
    type Config = Settings;

    fn check(settings: &Settings) -> Result<(), String> {
        play(settings)?;
        gift(settings.giving, &settings.gift_weights)?;
        Ok(())
    }

    fn new(settings: Settings, block: &Block) -> Result<ByPolicy, String> {
        Ok(ByPolicy {
            options: block.options()?,
            chance: Rng::new(block.seed ^ settings.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            play: play(&settings)?,
            gift: gift(settings.giving, &settings.gift_weights)?,
            scratch: Scratch::default(),
            sure_win: SureWin::new(SURE_WIN_PLAYS),
            endgame: settings.endgame.then(|| Endgame::new(ENDGAME_POSITIONS)),
            settings,
        })
    }

    fn exchange(&mut self, turn: &Turn) -> usize {
        let Some(gift) = &self.gift else {
            return weakest_gift(turn.view(), turn.legal());
        };
        let dice = self
            .settings
            .gifts_by_chance
            .then_some((&mut self.scratch, &mut self.chance));
        take(gift.get(), &Sight::seen(turn.view()), turn, dice)
    }

    fn act(&mut self, turn: &Turn) -> usize {
        let sight = Sight::seen(turn.view());
        if self.settings.sure_win
            && let Some(index) = self.sure_win.find(&sight, turn.legal())
        {
            return index;
        }
        let after = self.options.deadlock_after();
        if let Some(endgame) = &mut self.endgame
            && let Outcome::Wins(index) =
                endgame.find(turn.view(), turn.history(), turn.legal(), after)
        {
            return index;
        }
        let dice = self
            .settings
            .by_chance
            .then_some((&mut self.scratch, &mut self.chance));
        match &self.play {
            Play::Light(weights) => take(weights.get(), &sight, turn, dice),
            Play::Full(weights) => take(weights.get(), &sight, turn, dice),
            Play::Deep(weights) => take(weights.get(), &sight, turn, dice),
        }
    }
}
