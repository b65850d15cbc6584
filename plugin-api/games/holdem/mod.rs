//! Texas hold'em: no limit, pot limit or fixed limit.
//!
//! Facts: 2 to 9 players, 52 cards, two cards each and five common to all, payoffs add up to 0. All
//! chance of a deal is drawn before its first decision. Only the own two cards are hidden from
//! others, until a showdown shows all hands that have not folded.
//!
//! A deal in short: the seats after the button post the blinds (heads-up the button posts the small
//! one). Four times, before and after three, one and one community cards, all seats bet in turn:
//! fold, check or call, or raise to an amount of at least the last raise more. Who cannot call in
//! full may go all in for the part of the pot that he has paid for. The best five of seven cards
//! win; equal hands split, odd chips go one each to the first winners left of the button.
//! The button moves with every deal. Players sit in the seat of their number.

mod options;
mod records;
mod scene;
mod schema;

pub use options::Options;
pub use records::{Action, Event, View, kind, limit, street};
pub use schema::SCHEMA;

use crate::frame::Schema;
use crate::poker::{self, Form, Limit, Move, NOBODY, Phase, SEATS_MAX, card};
use crate::scene::{Line, Offer, Scene};
use crate::{ChanceEvent, Game, GameTypes, Grant, chance, given};
use bytemuck::Zeroable;
use rand::Rng;

/// What persists from deal to deal.
pub type Block = poker::Block;
/// A deal: the true state and its record.
pub type Deal = poker::Deal<Event>;

/// [`View::size`].
const VIEW_SIZE: u32 = 448;
const _: () = assert!(size_of::<View>() == VIEW_SIZE as usize);

/// The rules of hold'em under their options.
#[derive(Clone, Debug)]
pub struct Holdem {
    options: Options,
    form: Form,
    /// The part of a view that is the same in all of them.
    blank: View,
}

impl Holdem {
    /// The game as data.
    #[must_use]
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// Deals from a deck and a button of the caller's choice; cards of the deck go to the seats in
    /// their order, two each, then to the table.
    ///
    /// # Errors
    /// Where the deck is not the 52 cards.
    pub fn start(
        &self,
        block: &Block,
        deck: &[u8; card::DECK_SIZE],
        deal: &mut Deal,
    ) -> Result<(), &'static str> {
        deal.shown = [0; SEATS_MAX];
        deal.community = 0;
        deal.set_deck(deck)?;
        deal.begin(&self.form, block);
        Ok(())
    }
}

impl GameTypes for Holdem {
    const ID: &'static str = "holdem/1";
    type View = View;
    type Event = Event;
    type Action = Action;
    const SCHEMA: Schema = SCHEMA;

    #[inline]
    fn amounts(action: &Action) -> Option<(i64, i64)> {
        (action.kind == kind::RAISE).then_some((action.lowest, action.highest))
    }

    fn card_name(card: u8) -> Option<&'static str> {
        card::name(card)
    }
}

impl Game for Holdem {
    type Options = Options;
    type Block = Block;
    type Deal = Deal;

    fn new(options: Options) -> Result<Holdem, String> {
        let form = options.form()?;
        let limit = match options.limit {
            Limit::PotLimit => limit::POT_LIMIT,
            Limit::FixedLimit => limit::FIXED_LIMIT,
            Limit::NoLimit | Limit::StreetPot => limit::NO_LIMIT,
        };
        let blank = View {
            size: VIEW_SIZE,
            limit,
            small_blind: options.small_blind,
            big_blind: options.big_blind,
            ante: options.ante,
            ..View::zeroed()
        };
        Ok(Holdem {
            options,
            form,
            blank,
        })
    }

    fn options(&self) -> &Options {
        &self.options
    }

    /// Without the deals that are given.
    fn told_options(&self) -> Options {
        Options {
            deals: Vec::new(),
            ..self.options.clone()
        }
    }

    /// Reads `deals` from lines with a deal each.
    fn read_option_file(
        options: &mut Options,
        name: &str,
        text: &str,
    ) -> Option<Result<(), String>> {
        (name == "deals").then(|| given::lines(text).map(|deals| options.deals = deals))
    }

    fn preset(name: &str) -> Option<Options> {
        Options::preset(name)
    }

    fn presets() -> &'static [&'static str] {
        Options::PRESETS
    }

    fn rules() -> &'static str {
        include_str!("RULES.md")
    }

    fn players() -> (usize, usize) {
        (2, SEATS_MAX)
    }

    /// 120: as often as not the number of players divides it, so that everybody has the button
    /// equally often.
    fn block_deals(&self) -> u32 {
        120
    }

    fn tables(&self) -> (usize, usize) {
        self.form.tables(Self::players())
    }

    fn worst_payoff(&self) -> i64 {
        self.form.worst_payoff()
    }

    fn score_unit() -> &'static str {
        "chips"
    }

    fn stake(&self) -> Option<(&'static str, i64)> {
        Some(("big blind", self.options.big_blind))
    }

    /// # Panics
    /// If there are no seats for so many players.
    fn new_block(&self, players: usize, deals: u32) -> Block {
        Block::new(&self.form, players, deals)
    }

    fn number_block(&self, block: &mut Block, number: u64) {
        block.number = number;
    }

    fn given_deals(&self) -> usize {
        self.form.given.len()
    }

    fn new_deal(&self) -> Deal {
        Deal::new()
    }

    fn deal<R: Rng>(&self, block: &mut Block, chance: &mut R, deal: &mut Deal) {
        deal.shuffle(&self.form, block.players, chance);
        block.button = if block.finished == 0 {
            // The button is drawn after the cards, so that these do not depend on the number of the
            // deal.
            (chance::below(chance, block.players.into()) & 15) as u8
        } else {
            block.after(block.button)
        };
        deal.lay(&self.form, block);
        deal.begin(&self.form, block);
    }

    #[inline]
    fn to_act(&self, deal: &Deal) -> Option<u8> {
        (deal.to_act != NOBODY).then_some(deal.to_act)
    }

    #[inline]
    fn legal(&self, deal: &Deal, actions: &mut Vec<Action>) {
        actions.clear();
        let choices = deal.choices(&self.form);
        let to_call = choices.call.unwrap_or(0);
        if to_call == 0 {
            actions.push(Action::new(kind::CHECK, 0, 0));
        }
        if choices.fold {
            actions.push(Action::new(kind::FOLD, 0, 0));
        }
        if to_call != 0 {
            actions.push(Action::new(kind::CALL, to_call, to_call));
        }
        if let Some((lowest, highest)) = choices.raise {
            actions.push(Action::new(kind::RAISE, lowest, highest));
        }
    }

    #[inline]
    fn view(&self, block: &Block, deal: &Deal, seat: u8, view: &mut View) {
        let betting = &deal.betting;
        *view = View {
            deal: block.finished,
            deals: block.planned,
            seat,
            players: block.players,
            button: deal.button,
            street: deal.street,
            over: u8::from(deal.phase == Phase::Over),
            raises: betting.raises,
            raises_max: self
                .form
                .raises_max_on(&self.form.streets[usize::from(deal.street)]),
            in_play: betting.in_play,
            all_in: betting.in_play & !betting.able,
            hand: deal.hands[usize::from(seat)],
            community: deal.community,
            pot: betting.pot,
            level: betting.level,
            to_call: betting.to_call(seat),
            stacks: betting.stacks,
            bets: betting.bets,
            paid: betting.paid,
            results: block.results,
            shown: deal.shown,
            ..self.blank
        };
    }

    #[inline]
    fn history<'a>(&self, deal: &'a Deal) -> &'a [Event] {
        &deal.history
    }

    #[inline]
    fn apply(&self, deal: &mut Deal, choice: Grant<Action>) {
        debug_assert_ne!(deal.to_act, NOBODY, "the deal is over");
        let choice = match choice.action.kind {
            kind::FOLD => Move::Fold,
            kind::RAISE => Move::RaiseTo(choice.amount),
            _ => Move::Call,
        };
        deal.apply(&self.form, choice);
    }

    fn finish(&self, block: &mut Block, deal: &Deal, payoffs: &mut [i64]) {
        debug_assert_eq!(deal.phase, Phase::Over, "the deal is not over");
        block.finish(&self.form, &deal.betting.stacks, payoffs);
    }

    /// None where deals are given.
    fn chances(&self) -> &'static [&'static str] {
        if self.form.given.is_empty() {
            poker::luck::chances::OF_HOLDEM
        } else {
            &[]
        }
    }

    fn luck<R: Rng>(&self, deal: &Deal, chance: &mut R, tell: impl FnMut(ChanceEvent<'_>)) {
        if !self.chances().is_empty() {
            deal.luck(&self.form, chance, tell);
        }
    }

    fn block_over(&self, block: &Block) -> bool {
        block.is_broke
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
