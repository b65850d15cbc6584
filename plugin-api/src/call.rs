//! What a bot is handed: the block, a deal's start, a turn, a deal's end. All of it is borrowed for
//! the call.

use crate::games::Game;
use crate::{Host, Rng, config};
use std::borrow::Cow;
use std::time::Duration;

/// A record with nothing in it, all zeros: a start for views and actions that a test of a bot makes
/// by hand, as in `View { to_call: 20, ..blank() }`.
#[must_use]
pub fn blank<R: crate::games::frame::Framed>() -> R {
    bytemuck::Zeroable::zeroed()
}

/// What a block starts with. A block is a run of deals between two resets of everything that
/// persists; a bot lives for one block.
pub struct Block<'a, G: Game> {
    /// Players of the table.
    pub players: usize,
    /// Your number among them, from 0. Seats may be redrawn, this number stays.
    pub player: usize,
    /// Deals planned.
    pub deals: u32,
    /// A seed of your own: the same block played again gives the same seed.
    pub seed: u64,
    pub(crate) options_json: Cow<'a, str>,
    pub(crate) host: Host<'a>,
    pub(crate) game: std::marker::PhantomData<fn() -> G>,
}

impl<G: Game> Block<'_, G> {
    /// A block made by hand, for tests of a bot: host services are absent.
    ///
    /// # Panics
    /// If the options cannot be written as JSON.
    #[must_use]
    pub fn new(
        players: usize,
        player: usize,
        deals: u32,
        seed: u64,
        options: &G::Options,
    ) -> Block<'static, G> {
        let options = serde_json::to_string(options).expect("options of rules are plain data");
        Block {
            players,
            player,
            deals,
            seed,
            options_json: options.into(),
            host: Host::absent(),
            game: std::marker::PhantomData,
        }
    }

    /// The options of the rules in force, read anew at each call. Switches that the host knows and
    /// this library does not are left out: a change that old bots could not follow raises the
    /// game's revision instead.
    ///
    /// # Errors
    /// What the host sent and could not be read.
    pub fn options(&self) -> Result<G::Options, String> {
        config::read_options(&self.options_json)
    }

    /// A fast generator that starts from the block's seed: the same block played again draws the
    /// same numbers.
    #[must_use]
    pub fn rng(&self) -> Rng {
        Rng::new(self.seed)
    }

    /// What the host offers.
    #[must_use]
    pub fn host(&self) -> Host<'_> {
        self.host
    }
}

/// Cards have been dealt.
pub struct DealStart<'a, G: Game> {
    pub(crate) view: &'a G::View,
    pub(crate) history: &'a [G::Event],
    pub(crate) host: Host<'a>,
}

impl<'a, G: Game> DealStart<'a, G> {
    /// A deal's start made by hand, for tests of a bot: host services are absent.
    #[must_use]
    pub fn new(view: &'a G::View, history: &'a [G::Event]) -> Self {
        DealStart {
            view,
            history,
            host: Host::absent(),
        }
    }

    /// All that you may know now.
    #[must_use]
    pub fn view(&self) -> &'a G::View {
        self.view
    }

    /// What the public record starts with, where a game has something before its first decision.
    #[must_use]
    pub fn history(&self) -> &'a [G::Event] {
        self.history
    }

    /// What the host offers.
    #[must_use]
    pub fn host(&self) -> Host<'a> {
        self.host
    }
}

/// A decision.
pub struct Turn<'a, G: Game> {
    pub(crate) view: &'a G::View,
    pub(crate) history: &'a [G::Event],
    pub(crate) legal: &'a [G::Action],
    pub(crate) budget_us: i64,
    pub(crate) host: Host<'a>,
}

impl<'a, G: Game> Turn<'a, G> {
    /// A turn made by hand, for tests of a bot: no limit of time, host services are absent.
    #[must_use]
    pub fn new(view: &'a G::View, history: &'a [G::Event], legal: &'a [G::Action]) -> Self {
        Turn {
            view,
            history,
            legal,
            budget_us: 0,
            host: Host::absent(),
        }
    }

    /// All that you may know now.
    #[inline]
    #[must_use]
    pub fn view(&self) -> &'a G::View {
        self.view
    }

    /// The deal's public record from its start.
    #[inline]
    #[must_use]
    pub fn history(&self) -> &'a [G::Event] {
        self.history
    }

    /// What you may do. At least two: a forced action is carried out without asking.
    #[inline]
    #[must_use]
    pub fn legal(&self) -> &'a [G::Action] {
        self.legal
    }

    /// Time for this decision, `None` where there is no limit. What is left of it:
    /// [`Host::time_left`].
    #[must_use]
    pub fn budget(&self) -> Option<Duration> {
        u64::try_from(self.budget_us)
            .ok()
            .filter(|&us| us > 0)
            .map(Duration::from_micros)
    }

    /// What the host offers.
    #[must_use]
    pub fn host(&self) -> Host<'a> {
        self.host
    }
}

/// The deal is over.
pub struct DealEnd<'a, G: Game> {
    pub(crate) view: &'a G::View,
    pub(crate) history: &'a [G::Event],
    pub(crate) payoffs: &'a [i64],
    pub(crate) host: Host<'a>,
}

impl<'a, G: Game> DealEnd<'a, G> {
    /// A deal's end made by hand, for tests of a bot: host services are absent.
    #[must_use]
    pub fn new(view: &'a G::View, history: &'a [G::Event], payoffs: &'a [i64]) -> Self {
        DealEnd {
            view,
            history,
            payoffs,
            host: Host::absent(),
        }
    }

    /// Your last view of the deal.
    #[must_use]
    pub fn view(&self) -> &'a G::View {
        self.view
    }

    /// The deal's whole public record.
    #[must_use]
    pub fn history(&self) -> &'a [G::Event] {
        self.history
    }

    /// Payoff of each player, by player number.
    #[must_use]
    pub fn payoffs(&self) -> &'a [i64] {
        self.payoffs
    }

    /// What the host offers.
    #[must_use]
    pub fn host(&self) -> Host<'a> {
        self.host
    }
}
