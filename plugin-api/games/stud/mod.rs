//! Seven-card stud: at fixed limit, and in seven turns as a fuzzy stud system plays it.
//!
//! Facts: 2 to 8 players, 52 cards, seven cards each of which three are hidden, payoffs add up to
//! 0. All chance of a deal is drawn before its first decision.
//!
//! At fixed limit: every seat antes and gets two cards face down and one face up. The lowest card
//! has to bring in, or to bet; then in turn fold, call, complete to the small bet, raise by it.
//! Three more cards come face up and a last one face down, each with a round of betting that the
//! best hand showing begins, from the third of the five on in big bets. The best five of seven
//! cards win. Where eight players leave too few cards for a seventh each, one lies open for all.
//!
//! In seven turns, for two: the same cards on turns 1 to 5, then two turns on which each turns up a
//! hidden card of its choice, both at once. On every turn the first seat has to bet, no less than
//! the least bet and no more than the pot; the other drops, calls or raises by no more than that
//! pot; the first calls or drops.

mod balance;
mod options;
mod records;
mod scene;
mod schema;

pub use balance::Urn;
pub use options::{Opener, Options, Variant};
pub use records::{Action, Event, PLAYERS_MAX, View, kind, limit, phase};
pub use schema::SCHEMA;

use crate::frame::Schema;
use crate::poker::{self, Form, Limit, Move, NOBODY, Phase, SEATS_MAX, card};
use crate::scene::{Line, Offer, Scene};
use crate::{ChanceEvent, Game, GameTypes, Grant, chance, given};
use bytemuck::Zeroable;
use rand::Rng;

/// A deal: the true state and its record.
pub type Deal = poker::Deal<Event>;

/// What persists from deal to deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Stacks, results and the dealer.
    pub table: poker::Block,
    /// Whose cards are still to win, where decks are balanced.
    pub urn: Urn,
}

/// [`View::size`].
const VIEW_SIZE: u32 = 496;
const _: () = assert!(size_of::<View>() == VIEW_SIZE as usize);

/// The rules of stud under their options.
#[derive(Clone, Debug)]
pub struct Stud {
    options: Options,
    form: Form,
    /// The part of a view that is the same in all of them.
    blank: View,
}

impl Stud {
    /// The game as data.
    #[must_use]
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// Deals from a deck of the caller's choice; its cards go to the seats in their order, seven
    /// each (six of eight players, with the last four cards for the seventh).
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
        deal.begin(&self.form, &block.table);
        Ok(())
    }
}

impl GameTypes for Stud {
    const ID: &'static str = "stud/1";
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

impl Game for Stud {
    type Options = Options;
    type Block = Block;
    type Deal = Deal;

    fn new(options: Options) -> Result<Stud, String> {
        let form = options.form()?;
        let blank = View {
            size: VIEW_SIZE,
            streets: u8::try_from(form.streets.len()).unwrap_or(u8::MAX),
            limit: if form.limit == Limit::FixedLimit {
                limit::FIXED_LIMIT
            } else {
                limit::STREET_POT
            },
            raises_max: options.raises_max,
            ante: options.ante,
            bring_in: options.bring_in,
            ..View::zeroed()
        };
        Ok(Stud {
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
        (2, PLAYERS_MAX)
    }

    /// 100, the length of a session in the fuzzy system's experiment.
    fn block_deals(&self) -> u32 {
        100
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
        match self.options.variant {
            Variant::FixedLimit => Some(("big bet", self.options.big_bet)),
            Variant::SevenTurns => None,
        }
    }

    /// # Panics
    /// If there are no seats for so many players.
    fn new_block(&self, players: usize, deals: u32) -> Block {
        assert!(
            players <= PLAYERS_MAX,
            "stud is played by 2 to {PLAYERS_MAX}"
        );
        Block {
            table: poker::Block::new(&self.form, players, deals),
            urn: Urn::new(deals),
        }
    }

    fn number_block(&self, block: &mut Block, number: u64) {
        block.table.number = number;
    }

    fn given_deals(&self) -> usize {
        self.form.given.len()
    }

    fn new_deal(&self) -> Deal {
        Deal::new()
    }

    fn deal<R: Rng>(&self, block: &mut Block, chance: &mut R, deal: &mut Deal) {
        let table = &mut block.table;
        deal.shuffle(&self.form, table.players, chance);
        if self.options.balanced && table.players == 2 {
            block.urn.arrange(&self.form, deal, chance);
        }
        let is_fixed =
            self.options.variant == Variant::SevenTurns && self.options.opener == Opener::FirstSeat;
        table.button = match table.finished {
            _ if is_fixed => 0,
            0 => (chance::below(chance, table.players.into()) & 15) as u8,
            _ => table.after(table.button),
        };
        deal.lay(&self.form, table);
        deal.begin(&self.form, table);
    }

    #[inline]
    fn to_act(&self, deal: &Deal) -> Option<u8> {
        (deal.to_act != NOBODY).then_some(deal.to_act)
    }

    fn legal(&self, deal: &Deal, actions: &mut Vec<Action>) {
        actions.clear();
        if deal.phase == Phase::Open {
            actions.extend(card::cards(deal.hidden(deal.to_act)).map(Action::open));
            return;
        }
        let choices = deal.choices(&self.form);
        if let Some(chips) = choices.bring_in {
            actions.push(Action::new(kind::BRING_IN, chips, chips));
        }
        if choices.call == Some(0) {
            actions.push(Action::new(kind::CHECK, 0, 0));
        }
        if choices.fold {
            actions.push(Action::new(kind::FOLD, 0, 0));
        }
        if let Some(chips) = choices.call.filter(|&chips| chips != 0) {
            actions.push(Action::new(kind::CALL, chips, chips));
        }
        if let Some((lowest, highest)) = choices.raise {
            actions.push(Action::new(kind::RAISE, lowest, highest));
        }
    }

    fn view(&self, block: &Block, deal: &Deal, seat: u8, view: &mut View) {
        let betting = &deal.betting;
        *view = View {
            deal: block.table.finished,
            deals: block.table.planned,
            seat,
            players: block.table.players,
            button: deal.button,
            street: deal.street,
            phase: match deal.phase {
                Phase::Bet => phase::BET,
                Phase::Open => phase::OPEN,
                Phase::Over => phase::OVER,
            },
            raises: betting.raises,
            in_play: betting.in_play.into(),
            all_in: (betting.in_play & !betting.able).into(),
            hand: deal.hands[usize::from(seat)],
            down: deal.hidden(seat),
            community: deal.community,
            pot: betting.pot,
            street_pot: betting.street_pot,
            level: betting.level,
            to_call: betting.to_call(seat),
            bet: self.form.streets[usize::from(deal.street)].bet,
            stacks: seats(&betting.stacks),
            bets: seats(&betting.bets),
            paid: seats(&betting.paid),
            results: seats(&block.table.results),
            up: seats(&deal.up),
            shown: seats(&deal.shown),
            ..self.blank
        };
    }

    #[inline]
    fn history<'a>(&self, deal: &'a Deal) -> &'a [Event] {
        &deal.history
    }

    fn apply(&self, deal: &mut Deal, choice: Grant<Action>) {
        debug_assert_ne!(deal.to_act, NOBODY, "the deal is over");
        let choice = match choice.action.kind {
            kind::FOLD => Move::Fold,
            kind::RAISE => Move::RaiseTo(choice.amount),
            kind::BRING_IN => Move::BringIn,
            kind::OPEN => Move::Open(choice.action.card),
            _ => Move::Call,
        };
        deal.apply(&self.form, choice);
        if self.options.reveal && deal.phase == Phase::Over {
            deal.reveal(&self.form);
        }
    }

    fn finish(&self, block: &mut Block, deal: &Deal, payoffs: &mut [i64]) {
        debug_assert_eq!(deal.phase, Phase::Over, "the deal is not over");
        block
            .table
            .finish(&self.form, &deal.betting.stacks, payoffs);
    }

    /// None where deals are given, and where decks are balanced: what comes then hangs on what has
    /// come.
    fn chances(&self) -> &'static [&'static str] {
        if self.options.balanced || !self.form.given.is_empty() {
            &[]
        } else {
            poker::luck::chances::OF_STUD
        }
    }

    fn luck<R: Rng>(&self, deal: &Deal, chance: &mut R, tell: impl FnMut(ChanceEvent<'_>)) {
        if !self.chances().is_empty() {
            deal.luck(&self.form, chance, tell);
        }
    }

    fn block_over(&self, block: &Block) -> bool {
        block.table.is_broke
    }

    fn scene(&self, view: &View) -> Scene {
        scene::scene(&self.form, self.options.variant, view)
    }

    fn line(&self, event: &Event) -> Line {
        scene::line(event, self.options.variant)
    }

    fn offer(&self, action: &Action) -> Offer {
        scene::offer(action)
    }
}

/// The seats that stud has.
fn seats<T: Copy>(all: &[T; SEATS_MAX]) -> [T; PLAYERS_MAX] {
    std::array::from_fn(|seat| all[seat])
}
