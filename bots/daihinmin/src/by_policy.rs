//! Players that act by a policy, without playouts.
//!
//! A policy gives every action a strength. The player takes the strongest action. For learning, it
//! chooses randomly in proportion to strength. A policy also chooses the cards to give away in the
//! exchange.

use crate::gift::weakest_gift;
use hattari_plugin::Rng;
use hattari_plugin::daihinmin::{Block, Bot, Options, Turn};
use hattari_search::daihinmin::endgame::{Endgame, Outcome};
use hattari_search::daihinmin::playout::Scratch;
use hattari_search::daihinmin::policy::{
    DeepFeatures, FullFeatures, GiftFeatures, GiftPolicy, LightFeatures, Policy, PolicyInput,
    PolicyView,
};
use hattari_search::daihinmin::sure::SureWin;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// The policy that chooses plays.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PolicyKind {
    /// The fast policy for playouts.
    Light,
    /// A policy that analyses the hand that remains after each action.
    Full,
    /// A policy with more features than `Full`, and with hidden units.
    Deep,
}

/// The source of a policy's weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Skill {
    /// The weights are fitted to recorded choices.
    Fitted,
    /// The weights are learned from the results of games.
    Learned,
}

/// The rule for choosing the cards that are given away in the exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Giving {
    /// The weakest cards.
    Weakest,
    /// The cards that an exchange policy chooses, which was learned in games with the contest's
    /// sample clients.
    AmongClients,
    /// The cards that an exchange policy chooses, which was learned in games with strong bots.
    Learned,
}

impl Giving {
    /// Returns the exchange policy, or `None` if the weakest cards are given away.
    pub(crate) fn policy(self) -> Option<&'static GiftPolicy> {
        match self {
            Giving::Weakest => None,
            Giving::AmongClients => Some(GiftFeatures::shipped()),
            Giving::Learned => Some(GiftFeatures::learned()),
        }
    }
}

hattari_plugin::games::defaults! {
    /// Settings of a bot that acts by a policy.
    #[derive(Clone, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Settings {
        /// The policy that chooses plays.
        pub look: PolicyKind = PolicyKind::Deep,
        /// The source of the weights of this policy.
        pub skill: Skill = Skill::Learned,
        /// The rule for choosing the cards that are given away in the exchange.
        pub giving: Giving = Giving::Learned,
        /// True to choose plays randomly in proportion to strength.
        pub by_chance: bool = false,
        /// True to choose gifts randomly in proportion to strength.
        pub gifts_by_chance: bool = false,
        /// True to play a sure win, a series of plays that nobody can stop, if there is one.
        pub sure_win: bool = true,
        /// True to solve the game exactly when two players are left.
        pub endgame: bool = true,
        /// Weights of the policy for plays, in the format of the training tool `learn-policy`
        /// (`arena/study/examples/train`). If empty, the included weights are used.
        pub weights: String = String::new(),
        /// Weights of the policy for the exchange, in the same format; empty for the included ones.
        pub gift_weights: String = String::new(),
        /// Number that is combined with the seed from the host.
        pub seed: u64 = 0,
    }
}

/// Weights of a policy: included ones, or ones parsed from the settings.
pub(crate) enum Weights<L: PolicyInput<N>, const N: usize> {
    Shipped(&'static Policy<L, N>),
    Own(Arc<Policy<L, N>>),
}

/// Cache of parsed weights, with their texts. Learning plays thousands of blocks with the same
/// weights, and parsing takes as long as tens of games.
static PARSED_WEIGHTS: Mutex<VecDeque<(String, Arc<dyn Any + Send + Sync>)>> =
    Mutex::new(VecDeque::new());
/// Maximum number of cached weights.
const CACHED_MAX: usize = 4;

impl<L: PolicyInput<N>, const N: usize> Weights<L, N> {
    /// Parses `text`, the weights in the setting `name`, or returns the included ones if `text` is
    /// empty. Errors contain `name`.
    pub(crate) fn new(
        name: &str,
        text: &str,
        shipped: &'static Policy<L, N>,
    ) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Weights::Shipped(shipped));
        }
        let mut cached = PARSED_WEIGHTS
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let known = cached
            .iter()
            .filter(|(known, _)| known == text)
            .find_map(|(_, policy)| policy.clone().downcast().ok());
        if let Some(policy) = known {
            return Ok(Weights::Own(policy));
        }
        let parsed = Policy::<L, N>::parse(text).map_err(|error| format!("`{name}`: {error}"))?;
        let policy = Arc::new(parsed);
        cached.truncate(CACHED_MAX - 1);
        cached.push_front((text.to_owned(), policy.clone()));
        Ok(Weights::Own(policy))
    }

    pub(crate) fn get(&self) -> &Policy<L, N> {
        match self {
            Weights::Shipped(policy) => policy,
            Weights::Own(policy) => policy,
        }
    }
}

/// Returns the index of the action that a policy chooses: the strongest action or, with `dice`, a
/// random action in proportion to strength.
fn choose<L: PolicyInput<N>, const N: usize>(
    policy: &Policy<L, N>,
    sight: &PolicyView,
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

/// The policy for plays, one variant for each [`PolicyKind`], with its weights.
enum PlayPolicy {
    Light(Weights<LightFeatures, 7>),
    Full(Weights<FullFeatures, 14>),
    Deep(Weights<DeepFeatures, 41>),
}

/// A player that acts by a policy.
pub struct ByPolicy {
    settings: Settings,
    options: Options,
    chance: Rng,
    play: PlayPolicy,
    gift: Option<Weights<GiftFeatures, 7>>,
    scratch: Scratch,
    wins: WinSearch,
}

/// Maximum number of plays that the search for a sure win examines.
const SURE_WIN_PLAYS: u32 = 2000;
/// Maximum number of positions that the search with two players left visits.
const ENDGAME_POSITIONS: u32 = 20_000;

/// The searches for an action that is certain to win.
pub(crate) struct WinSearch {
    sure_win: Option<SureWin>,
    /// Exact solver for positions with two players left.
    endgame: Option<Endgame>,
}

impl WinSearch {
    /// Creates the enabled searches.
    pub(crate) fn new(sure_win: bool, endgame: bool) -> WinSearch {
        WinSearch {
            sure_win: sure_win.then(|| SureWin::new(SURE_WIN_PLAYS)),
            endgame: endgame.then(|| Endgame::new(ENDGAME_POSITIONS)),
        }
    }

    /// Returns the index of an action that is certain to win, if the searches find one.
    pub(crate) fn find(
        &mut self,
        turn: &Turn,
        sight: &PolicyView,
        options: &Options,
    ) -> Option<usize> {
        if let Some(search) = &mut self.sure_win
            && let Some(index) = search.find(sight, turn.legal())
        {
            return Some(index);
        }
        let (endgame, after) = (self.endgame.as_mut()?, options.deadlock_after());
        match endgame.find(turn.view(), turn.history(), turn.legal(), after) {
            Outcome::Wins(index) => Some(index),
            _ => None,
        }
    }
}

fn play_policy(settings: &Settings) -> Result<PlayPolicy, String> {
    fn of<L: PolicyInput<N>, const N: usize>(settings: &Settings) -> Result<Weights<L, N>, String> {
        let shipped = if settings.skill == Skill::Learned {
            L::learned()
        } else {
            L::shipped()
        };
        Weights::new("weights", &settings.weights, shipped)
    }
    Ok(match settings.look {
        PolicyKind::Light => PlayPolicy::Light(of(settings)?),
        PolicyKind::Full => PlayPolicy::Full(of(settings)?),
        PolicyKind::Deep => PlayPolicy::Deep(of(settings)?),
    })
}

/// Returns the exchange policy of `giving`, with the weights in `text` unless `text` is empty.
/// Returns `None` if the weakest cards are given away.
pub(crate) fn gift(giving: Giving, text: &str) -> Result<Option<Weights<GiftFeatures, 7>>, String> {
    Weights::new(
        "gift_weights",
        text,
        giving.policy().unwrap_or(GiftFeatures::learned()),
    )
    .map(|weights| giving.policy().map(|_| weights))
}

impl Bot for ByPolicy {
    type Config = Settings;

    fn check(settings: &Settings) -> Result<(), String> {
        play_policy(settings)?;
        gift(settings.giving, &settings.gift_weights)?;
        Ok(())
    }

    fn new(settings: Settings, block: &Block) -> Result<ByPolicy, String> {
        Ok(ByPolicy {
            options: block.options()?,
            chance: Rng::new(block.seed ^ settings.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            play: play_policy(&settings)?,
            gift: gift(settings.giving, &settings.gift_weights)?,
            scratch: Scratch::default(),
            wins: WinSearch::new(settings.sure_win, settings.endgame),
            settings,
        })
    }

    fn exchange(&mut self, turn: &Turn) -> usize {
        let Some(gift) = &self.gift else {
            return weakest_gift(turn.legal());
        };
        let dice = self
            .settings
            .gifts_by_chance
            .then_some((&mut self.scratch, &mut self.chance));
        choose(gift.get(), &PolicyView::seen(turn.view()), turn, dice)
    }

    fn act(&mut self, turn: &Turn) -> usize {
        let sight = PolicyView::seen(turn.view());
        if let Some(index) = self.wins.find(turn, &sight, &self.options) {
            return index;
        }
        let dice = self
            .settings
            .by_chance
            .then_some((&mut self.scratch, &mut self.chance));
        match &self.play {
            PlayPolicy::Light(weights) => choose(weights.get(), &sight, turn, dice),
            PlayPolicy::Full(weights) => choose(weights.get(), &sight, turn, dice),
            PlayPolicy::Deep(weights) => choose(weights.get(), &sight, turn, dice),
        }
    }
}
