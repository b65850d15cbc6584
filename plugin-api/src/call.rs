//! The arguments of a bot's callbacks: block, start of a deal, turn, end of a deal. All are
//! borrowed for the call.

use crate::games::Game;
use crate::{Host, Rng, config};
use std::borrow::Cow;
use std::cell::Cell;
use std::time::Duration;

/// Returns a record with all bytes 0, for views and actions in tests of bots: `View { to_call: 20,
/// ..blank() }`.
#[must_use]
pub fn blank<R: crate::games::frame::Framed>() -> R {
    bytemuck::Zeroable::zeroed()
}

/// The start of a block. A block is a sequence of deals that ends with a reset of all persistent
/// state. A bot plays one block.
pub struct Block<'a, G: Game> {
    /// Number of players.
    pub players: usize,
    /// Your player number, from 0. It stays the same if seats are redrawn.
    pub player: usize,
    /// Number of planned deals.
    pub deals: u32,
    /// A seed for the bot. A replay of the block has the same seed.
    pub seed: u64,
    pub(crate) options_json: Cow<'a, str>,
    pub(crate) host: Host<'a>,
    pub(crate) game: std::marker::PhantomData<fn() -> G>,
}

impl<G: Game> Block<'_, G> {
    /// Creates a block for tests of a bot, without host services.
    ///
    /// # Panics
    /// Panics if the options cannot be serialised as JSON.
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

    /// Parses the options of the rules; each call parses again. Options that this library does not
    /// know are ignored, because a change that breaks old bots raises the revision of the game.
    ///
    /// # Errors
    /// Returns an error if the host's options are not valid.
    pub fn options(&self) -> Result<G::Options, String> {
        config::read_options(&self.options_json)
    }

    /// Creates a fast generator from the block's seed. A replay of the block draws the same
    /// numbers.
    #[must_use]
    pub fn rng(&self) -> Rng {
        Rng::new(self.seed)
    }

    /// Returns the services of the host.
    #[must_use]
    pub fn host(&self) -> Host<'_> {
        self.host
    }
}

/// Implements the accessors of view, public record and host services, with the documentation of the
/// first two.
macro_rules! accessors {
    ($name:ident, $(#[$view:meta])* view, $(#[$history:meta])* history) => {
        impl<'a, G: Game> $name<'a, G> {
            $(#[$view])*
            #[inline]
            #[must_use]
            pub fn view(&self) -> &'a G::View {
                self.view
            }

            $(#[$history])*
            #[inline]
            #[must_use]
            pub fn history(&self) -> &'a [G::Event] {
                self.history
            }

            /// Returns the services of the host.
            #[must_use]
            pub fn host(&self) -> Host<'a> {
                self.host
            }
        }
    };
}

accessors! {
    DealStart,
    /// Returns your view.
    view,
    /// Returns the events before the first decision, if the game has any.
    history
}

accessors! {
    Turn,
    /// Returns your view.
    view,
    /// Returns the public record of the deal from its start.
    history
}

accessors! {
    DealEnd,
    /// Returns your last view of the deal.
    view,
    /// Returns the complete public record of the deal.
    history
}

/// The start of a deal, after the cards are dealt.
pub struct DealStart<'a, G: Game> {
    pub(crate) view: &'a G::View,
    pub(crate) history: &'a [G::Event],
    pub(crate) host: Host<'a>,
    pub(crate) is_unused: Cell<bool>,
}

impl<'a, G: Game> DealStart<'a, G> {
    /// Creates the start of a deal for tests of a bot, without host services.
    #[must_use]
    pub fn new(view: &'a G::View, history: &'a [G::Event]) -> Self {
        DealStart {
            view,
            history,
            host: Host::absent(),
            is_unused: Cell::new(false),
        }
    }

    /// Tells the host that it need not call `deal_start` again in this block. Bots that do not
    /// implement `deal_start` do this.
    pub fn skip_from_now_on(&self) {
        self.is_unused.set(true);
    }
}

/// A decision of the bot: view, public record and legal actions.
pub struct Turn<'a, G: Game> {
    pub(crate) view: &'a G::View,
    pub(crate) history: &'a [G::Event],
    pub(crate) legal: &'a [G::Action],
    pub(crate) budget_us: i64,
    pub(crate) host: Host<'a>,
}

impl<'a, G: Game> Turn<'a, G> {
    /// Creates a turn for tests of a bot, without time limit and host services.
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

    /// Returns the legal actions, at least two. Forced actions are played without a call.
    #[inline]
    #[must_use]
    pub fn legal(&self) -> &'a [G::Action] {
        self.legal
    }

    /// Returns the time limit of this decision, or `None` if there is none. [`Host::time_left`]
    /// returns the remaining time.
    #[must_use]
    pub fn budget(&self) -> Option<Duration> {
        u64::try_from(self.budget_us)
            .ok()
            .filter(|&us| us > 0)
            .map(Duration::from_micros)
    }
}

/// The end of a deal: last view, public record and payoffs.
pub struct DealEnd<'a, G: Game> {
    pub(crate) view: &'a G::View,
    pub(crate) history: &'a [G::Event],
    pub(crate) payoffs: &'a [i64],
    pub(crate) host: Host<'a>,
    pub(crate) is_unused: Cell<bool>,
}

impl<'a, G: Game> DealEnd<'a, G> {
    /// Creates the end of a deal for tests of a bot, without host services.
    #[must_use]
    pub fn new(view: &'a G::View, history: &'a [G::Event], payoffs: &'a [i64]) -> Self {
        DealEnd {
            view,
            history,
            payoffs,
            host: Host::absent(),
            is_unused: Cell::new(false),
        }
    }

    /// Returns the payoff of each player, by player number.
    #[must_use]
    pub fn payoffs(&self) -> &'a [i64] {
        self.payoffs
    }

    /// Tells the host that it need not call `deal_end` again in this block. Bots that do not
    /// implement `deal_end` do this.
    pub fn skip_from_now_on(&self) {
        self.is_unused.set(true);
    }
}
