//! Daihinmin (大貧民) with the rules of the UECda contest.
//!
//! Properties: 5 players, 53 cards, places worth 5 to 1 points. Titles persist within a block, and
//! cards are exchanged by title. All random draws are made before the first decision. Hands and
//! gifts are hidden.
//!
//! From the second deal on, lower titles lose their strongest cards to upper titles, which return
//! cards of their choice. The holder of ♦3 leads. A play is a single, a group of one rank or a
//! sequence of one suit. It must beat the play on the table with the same number of cards and the
//! same shape. A seat that passes is out until the trick ends; the seat that played last leads the
//! next trick. Two successive plays of the same suits lock them. An eight clears the trick. Four of
//! a kind or five in sequence reverse the order of ranks. The joker stands for any card; alone it
//! is the strongest card, and only ♠3 beats it.

pub mod card;
pub mod chronicle;
pub mod corpus;
mod deal;
mod deals;
mod exchange;
mod features;
mod groups;
mod judge;
mod knowledge;
pub mod luck;
pub mod moves;
pub mod notation;
mod options;
mod pick;
mod position;
mod records;
mod resample;
mod scene;
mod schema;
mod seat_table;
mod sequences;
mod setup;
mod singles;
mod state;
mod tribute;
mod view;

pub use deal::{Block, Deal, Memory};
pub use deals::HandSampler;
pub use exchange::{give, legal_gifts, strongest};
pub use judge::{IllegalPlay, check_beats_table, check_play, play_of};
pub use knowledge::{InconsistentView, Knowledge};
pub use moves::Situation;
pub use options::{Options, PASSES_MAX, PASSES_MIN, POINTS_MAX};
pub use pick::pick;
pub use position::Position;
pub use records::{Action, Event, NONE, PLAYERS, View, effect, event, flag, kind, phase, rule};
pub use scene::TITLES;
pub use setup::Setup;

use crate::given::{self, FixedDeal};
use crate::scene::{Line, Offer, Scene};
use crate::{ChanceEvent, Game, Move, Seating};
use position::seat_index;
use rand::Rng;
use std::sync::OnceLock;

/// The rules of daihinmin with their options.
#[derive(Clone, Debug)]
pub struct Daihinmin {
    options: Options,
    /// Number of successive passes that end a deal.
    deadlock_passes: u32,
    /// Options as flags of [`View::rules`].
    rules: u8,
    /// Given deals of the league.
    given: Vec<FixedDeal>,
    /// Values for the estimate of luck, computed at the first use.
    values: OnceLock<luck::HandValues>,
}

impl Game for Daihinmin {
    type Options = Options;
    type Features = Self;
    type Memory = Memory;
    type Deal = Deal;

    fn new(options: Options) -> Result<Daihinmin, String> {
        let given = options.check()?;
        Ok(Daihinmin {
            rules: options.flags(),
            deadlock_passes: options.deadlock_after(),
            given,
            options,
            values: OnceLock::new(),
        })
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn given_deals(&self) -> Vec<usize> {
        given::first_with_same_cards(&self.given)
    }

    fn rules() -> &'static str {
        include_str!("RULES.md")
    }

    fn players() -> (usize, usize) {
        (PLAYERS, PLAYERS)
    }

    fn block_deals(&self) -> u32 {
        self.options.rank_reset
    }

    fn worst_payoff(&self) -> i64 {
        self.options
            .points
            .iter()
            .copied()
            .min()
            .map_or(0, i64::from)
    }

    fn memory(&self, _players: usize, _deals: u32) -> Memory {
        Memory::default()
    }

    fn seating(&self) -> Seating {
        match self.options.seat_redraw {
            0 => Seating::Ordered,
            _ => Seating::Drawn,
        }
    }

    fn new_deal(&self) -> Deal {
        Deal::new()
    }

    fn deal<R: Rng>(&self, block: &mut Block, chance: &mut R, deal: &mut Deal) {
        let setup = self.draw(block, chance);
        self.begin(block, &setup, deal);
    }

    #[inline]
    fn to_act(&self, deal: &Deal) -> Option<u8> {
        (deal.position.to_act != NONE).then_some(deal.position.to_act)
    }

    #[inline]
    fn player_at(&self, deal: &Deal, seat: u8) -> usize {
        usize::from(deal.seats.player(seat))
    }

    #[inline]
    fn legal(&self, deal: &Deal, actions: &mut Vec<Action>) {
        debug_assert_ne!(deal.position.to_act, NONE, "the deal is over");
        let hand = deal.position.hands[seat_index(deal.position.to_act)];
        if deal.phase == phase::EXCHANGE {
            legal_gifts(hand, exchange::cards_due(deal), actions);
        } else {
            moves::legal_plays(hand, &deal.position.situation, actions);
        }
    }

    #[inline]
    fn view(&self, block: &Block, deal: &Deal, seat: u8, view: &mut View) {
        view::fill(block, deal, seat, view);
    }

    #[inline]
    fn history<'a>(&self, deal: &'a Deal) -> &'a [Event] {
        &deal.history
    }

    #[inline]
    fn apply(&self, deal: &mut Deal, choice: Move<Action>) {
        debug_assert_ne!(deal.position.to_act, NONE, "the deal is over");
        if deal.phase == phase::EXCHANGE {
            exchange::apply(deal, &choice.action);
        } else {
            deal.play(&choice.action);
        }
    }

    fn resample<R: Rng>(&self, deal: &mut Deal, seat: u8, chance: &mut R) {
        resample::resample(deal, self.options.exchange, seat, chance);
    }

    fn origin(&self, start: &Deal, later: &Deal, choices: &mut [Move<Action>]) -> Option<Deal> {
        Some(resample::origin(start, later, choices))
    }

    fn payoffs(&self, _block: &Block, deal: &Deal, payoffs: &mut [i64]) {
        for seat in 0..5 {
            let place = usize::from(deal.seats.place(seat));
            payoffs[usize::from(deal.seats.player(seat))] = self.options.points[place].into();
        }
    }

    fn remember(&self, block: &mut Block, deal: &Deal) {
        for seat in 0..5 {
            let player = usize::from(deal.seats.player(seat));
            block.memory.titles[player] = deal.seats.place(seat);
        }
        block.update_seat_points();
    }

    /// Returns the deal of the hands; an empty list if the deals are given.
    fn chances(&self) -> &'static [&'static str] {
        if self.given.is_empty() {
            luck::CHANCES
        } else {
            &[]
        }
    }

    fn luck<R: Rng>(&self, deal: &Deal, _chance: &mut R, mut tell: impl FnMut(ChanceEvent<'_>)) {
        tell(ChanceEvent {
            kind: 0,
            event: 0,
            worth: &self.values.get_or_init(luck::HandValues::new).luck(deal),
        });
    }

    fn scene(&self, view: &View) -> Scene {
        scene::scene(view)
    }

    fn line(&self, event: &Event) -> Line {
        scene::line(event)
    }

    fn offer(&self, action: &Action) -> Offer {
        scene::offer(action)
    }
}
