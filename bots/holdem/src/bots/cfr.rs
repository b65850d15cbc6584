//! The bot `cfr`: approximates an equilibrium of fixed-limit hold'em for two players.

use crate::cfr::betting::Situation;
use crate::cfr::strategy::{PARTS, Strategy};
use hattari_plugin::holdem::{
    self, BetLimit, Block, DealStart, Event, Holdem, Moves, Turn, View, bot, event,
};
use hattari_plugin::{Choice, Declared, NoConfig, Rng};
use std::sync::LazyLock;

/// Declaration of the bot `cfr`.
pub const CFR: Declared<Holdem, Cfr> = bot(
    "cfr",
    "1.0.0",
    "Plays a strategy for heads-up fixed limit, learned by counterfactual regret minimisation",
);

/// The learned strategy. `cargo run --release -p hattari-bots-holdem --example learn_cfr` writes
/// its file.
static STRATEGY: LazyLock<Strategy> = LazyLock::new(|| {
    Strategy::parse(include_str!("../cfr/limit.txt")).expect("the included strategy is valid")
});

/// A bot for fixed-limit hold'em with two players that plays the strategy of [`crate::cfr`]. The
/// blinds must be half a small bet and one small bet, and a big bet must be two small bets.
pub struct Cfr {
    rng: Rng,
    /// Community cards with which the hand was last classified, and its class then.
    placed: Option<(u64, usize)>,
}

impl holdem::Bot for Cfr {
    type Config = NoConfig;

    fn new(_: NoConfig, block: &Block) -> Result<Cfr, String> {
        let options = block.options()?;
        let (small, big) = (options.small_blind, options.big_blind);
        let fits =
            options.limit == BetLimit::FixedLimit && 2 * small == big && 2 * big == options.big_bet;
        if !fits || block.players != 2 || options.ante != 0 {
            return Err("`cfr` supports only fixed-limit hold'em for two players without antes: the small blind must be half a small \
                        bet, the big blind one small bet and the big bet two, as in `preset: acpc-limit`"
                .into());
        }
        Ok(Cfr {
            rng: block.rng(),
            placed: None,
        })
    }

    fn deal_start(&mut self, _: &DealStart) {
        self.placed = None;
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        let (view, moves) = (turn.view(), Moves::of(turn.legal()));
        let class = match self.placed {
            Some((community, class)) if community == view.community => class,
            _ => STRATEGY
                .bounds
                .class(view.hand, view.community, &mut self.rng),
        };
        self.placed = Some((view.community, class));
        let [fold, raise] = STRATEGY
            .chances(&situation(view, turn.history()), class)
            .map(u32::from);
        let drawn = self.rng.below(PARTS.into());
        if drawn < fold {
            moves.check_or_fold(view)
        } else if drawn < fold + raise {
            moves.raise_to(0).unwrap_or(moves.check_or_call())
        } else {
            moves.check_or_call()
        }
    }
}

/// Returns the situation of a decision as the learned strategy distinguishes it.
fn situation(view: &View, history: &[Event]) -> Situation {
    let seat = usize::from(view.seat);
    let before = view.street.wrapping_sub(1);
    let last = history
        .iter()
        .rfind(|event| event.kind == event::RAISE && event.street == before);
    Situation {
        street: usize::from(view.street),
        is_second: (view.seat == view.button) == (view.street > 0),
        raises: view.raises,
        prior: usize::try_from((view.paid[seat] - view.bets[seat]) / view.big_blind.max(1))
            .unwrap_or(0),
        last_is_own: last.map(|event| event.seat == view.seat),
    }
}
