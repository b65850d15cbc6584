//! The part of the rules that all poker variants share.

use super::balance;
use super::block::{Block, Memory};
use super::card;
use super::event::{self, BettingAction, Entry, VariantActions};
use super::play::{Deal, Phase, SeatMove};
use super::street::{BettingStructure, NOBODY};
use crate::features::Features;
use crate::frame::{Constant, Framed};
use crate::scene::{Line, Scene, name_at};
use crate::{
    ChanceEvent, Game, GameOptions, GameTypes, Move, Seating, chance, default_line, given,
};
use rand::Rng;

/// A variant of poker. Its options define the rules as a [`BettingStructure`], and it has its own
/// record types.
///
/// In all variants, events have the memory layout of [`Entry`], and actions that of
/// [`BettingAction`].
pub trait Variant: GameOptions {
    /// Name and revision of the game, see [`GameTypes::ID`].
    const ID: &'static str;
    /// Rules for people, see [`Game::rules`].
    const RULES: &'static str;
    /// Maximum number of seats.
    const PLAYERS_MAX: usize;
    /// Default number of deals in a block, see [`Game::block_deals`].
    const BLOCK_DEALS: u32;
    /// Names of the kinds of chance event, see [`Game::chances`]; for random deals with decks that
    /// are not balanced.
    const CHANCES: &'static [&'static str];
    /// Value of [`BettingAction::card`] for actions without a card.
    const NO_CARD: u8;
    /// The features of decisions, see [`Game::Features`].
    type Features: Features<Poker<Self>>;
    /// Information that a seat has, see [`GameTypes::View`].
    type View: Framed;
    /// Event of the public record, see [`GameTypes::Event`].
    type Event: Framed;
    /// Legal action, see [`GameTypes::Action`].
    type Action: VariantActions;

    /// Returns the rules for these options.
    ///
    /// # Errors
    /// Returns the name and the range of an option that is out of range.
    fn form(&self) -> Result<BettingStructure, String>;
    /// Returns an additional unit for payoffs, see [`Game::stake`].
    fn stake(&self) -> Option<(&'static str, i64)>;
    /// Returns the names of the streets.
    fn streets(&self) -> &'static [&'static str];
    /// Writes the view of `seat`, every field.
    fn view(form: &BettingStructure, block: &Block, deal: &Deal, seat: u8, view: &mut Self::View);
    /// Returns a view as a scene for people, see [`Game::scene`].
    fn scene(&self, form: &BettingStructure, view: &Self::View) -> Scene;
}

/// The rules of a variant with its options.
#[derive(Clone, Debug)]
pub struct Poker<V: Variant> {
    options: V,
    form: BettingStructure,
}

impl<V: Variant> Poker<V> {
    /// Returns the rules as data: streets, forced bets and limits.
    pub fn form(&self) -> &BettingStructure {
        &self.form
    }

    /// Starts a deal with a given deck and the button of `block`. The deck contains the cards of
    /// the seats, seat by seat, then the community cards.
    ///
    /// # Errors
    /// Returns an error if the deck does not consist of the 52 cards.
    pub fn start(
        &self,
        block: &Block,
        deck: &[u8; card::DECK_SIZE],
        deal: &mut Deal,
    ) -> Result<(), &'static str> {
        deal.set_deck(deck)?;
        deal.begin(&self.form, block);
        Ok(())
    }
}

impl<V: Variant> GameTypes for Poker<V> {
    const ID: &'static str = V::ID;
    type View = V::View;
    type Event = V::Event;
    type Action = V::Action;
    const NUMBERING: &'static [&'static str] = &[
        "Cards are numbered 4 times the rank plus the suit.",
        "Ranks are 0 for a two, 1 for a three and so on to 12 for an ace.",
        "Suits are 0 clubs, 1 diamonds, 2 hearts, 3 spades.",
        "For example, the two of clubs is 0 and the ace of spades is 51.",
        "",
        "A set of cards has bit 1 << n for card n.",
        "Four adjacent bits are a rank; every fourth bit is a suit.",
        "",
        "Seats are numbered from 0 clockwise. A set of seats has bit 1 << n for seat n.",
        "Streets are numbered from 0.",
    ];
    const CONSTANTS: &'static [Constant] = &[
        Constant::number(
            "SEATS_MAX",
            V::PLAYERS_MAX as u64,
            "Maximum number of players at a table.",
        ),
        Constant::number("NONE", NOBODY as u64, "Value for no seat or card."),
        Constant::cards("DECK", card::DECK, "Set of all 52 cards."),
        Constant::cards("CLUBS", card::CLUBS, "Set of all clubs."),
        Constant::number(
            "RANK_ACE",
            card::ACE as u64,
            "Rank of the aces, the highest.",
        ),
    ];

    #[inline]
    fn amounts(action: &V::Action) -> Option<(i64, i64)> {
        let betting_action: BettingAction = bytemuck::cast(*action);
        (betting_action.kind == event::RAISE)
            .then_some((betting_action.lowest, betting_action.highest))
    }

    fn card_name(card: u8) -> Option<&'static str> {
        card::name(card)
    }
}

impl<V: Variant> Game for Poker<V> {
    type Options = V;
    type Features = V::Features;
    type Memory = Memory;
    type Deal = Deal;

    const LINES: &'static [&'static str] = &[
        "folds",
        "checks",
        "calls {amount}",
        "raises to {amount}",
        "brings in {amount}",
        "turns up {cards}",
        "antes {amount}",
        "posts {amount}",
        ": {cards}",
        "is dealt {cards}",
        "shows {cards}",
        "takes {amount} back",
        "wins {amount}",
    ];
    const OFFERS: &'static [&'static str] = &[
        "Fold",
        "Check",
        "Call {lowest}",
        "Raise to",
        "Bring in {lowest}",
        "Turn up {card}",
    ];

    fn new(options: V) -> Result<Poker<V>, String> {
        let form = options.form()?;
        Ok(Poker { options, form })
    }

    fn options(&self) -> &V {
        &self.options
    }

    fn given_deals(&self) -> Vec<usize> {
        given::first_with_same_cards(&self.form.given)
    }

    fn rules() -> &'static str {
        V::RULES
    }

    fn players() -> (usize, usize) {
        (2, V::PLAYERS_MAX)
    }

    fn block_deals(&self) -> u32 {
        V::BLOCK_DEALS
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
        self.options.stake()
    }

    fn memory(&self, players: usize, deals: u32) -> Memory {
        Memory::new(&self.form, players, deals)
    }

    fn seating(&self) -> Seating {
        // With balanced decks, ties and the odd deal of a block favour one seat.
        if self.form.fixed_button || self.form.balanced {
            Seating::Fixed
        } else {
            Seating::Ordered
        }
    }

    fn new_deal(&self) -> Deal {
        Deal::new()
    }

    fn deal<R: Rng>(&self, block: &mut Block, chance: &mut R, deal: &mut Deal) {
        deal.shuffle(&self.form, block.players, chance);
        if self.form.balanced && block.players == 2 {
            balance::balance_deck(&mut block.memory.to_win, &self.form, deal, chance);
        }
        block.memory.button = match block.finished {
            _ if self.form.fixed_button => 0,
            // The button is drawn after the cards, so that the cards do not depend on the number of
            // the deal.
            0 => (chance::below(chance, block.players.into()) & 15) as u8,
            _ => block.after(block.memory.button),
        };
        deal.place_given_cards(&self.form, block);
        deal.begin(&self.form, block);
    }

    #[inline]
    fn to_act(&self, deal: &Deal) -> Option<u8> {
        (deal.to_act != NOBODY).then_some(deal.to_act)
    }

    #[inline]
    fn legal(&self, deal: &Deal, actions: &mut Vec<V::Action>) {
        actions.clear();
        let mut push = |kind, card, lowest, highest| {
            let betting_action = BettingAction {
                kind,
                card,
                reserved: [0; 6],
                lowest,
                highest,
            };
            actions.push(bytemuck::cast(betting_action));
        };
        if deal.phase == Phase::Open {
            card::cards(deal.hidden(deal.to_act)).for_each(|card| push(event::OPEN, card, 0, 0));
            return;
        }
        let choices = deal.choices(&self.form);
        if let Some(chips) = choices.bring_in {
            push(event::BRING_IN, V::NO_CARD, chips, chips);
        }
        if choices.call == Some(0) {
            push(event::CHECK, V::NO_CARD, 0, 0);
        }
        if choices.fold {
            push(event::FOLD, V::NO_CARD, 0, 0);
        }
        if let Some(chips) = choices.call.filter(|&chips| chips != 0) {
            push(event::CALL, V::NO_CARD, chips, chips);
        }
        if let Some((lowest, highest)) = choices.raise {
            push(event::RAISE, V::NO_CARD, lowest, highest);
        }
    }

    #[inline]
    fn view(&self, block: &Block, deal: &Deal, seat: u8, view: &mut V::View) {
        V::view(&self.form, block, deal, seat, view);
    }

    #[inline]
    fn history<'a>(&self, deal: &'a Deal) -> &'a [V::Event] {
        bytemuck::cast_slice(&deal.history)
    }

    #[inline]
    fn apply(&self, deal: &mut Deal, choice: Move<V::Action>) {
        debug_assert_ne!(deal.to_act, NOBODY, "the deal is over");
        let betting_action: BettingAction = bytemuck::cast(choice.action);
        let choice = match betting_action.kind {
            event::FOLD => SeatMove::Fold,
            event::RAISE => SeatMove::RaiseTo(choice.amount),
            event::BRING_IN => SeatMove::BringIn,
            event::OPEN => SeatMove::Open(betting_action.card),
            _ => SeatMove::Call,
        };
        deal.apply(&self.form, choice);
        if self.form.reveal && deal.phase == Phase::Over {
            deal.reveal(&self.form);
        }
    }

    fn resample<R: Rng>(&self, deal: &mut Deal, seat: u8, chance: &mut R) {
        deal.resample(&self.form, seat, chance);
    }

    fn origin(&self, start: &Deal, later: &Deal, choices: &mut [Move<V::Action>]) -> Option<Deal> {
        let mut deal = start.clone();
        deal.deck = later.deck;
        deal.look_up_hands();
        let mut now = deal.clone();
        for choice in choices {
            let mut betting_action: BettingAction = bytemuck::cast(choice.action);
            let seat = usize::from(now.to_act);
            // Cards that are turned up together are secret until the last seat has chosen.
            if betting_action.kind == event::OPEN && later.up[seat] >> betting_action.card & 1 == 0
            {
                let place = later.places[seat][usize::from(later.chosen[seat])];
                betting_action.card = later.deck[usize::from(place)];
                choice.action = bytemuck::cast(betting_action);
            }
            self.apply(&mut now, *choice);
        }
        Some(deal)
    }

    fn payoffs(&self, block: &Block, deal: &Deal, payoffs: &mut [i64]) {
        let all = block.payoffs(&self.form, &deal.betting.stacks);
        payoffs.copy_from_slice(&all[..payoffs.len()]);
    }

    fn remember(&self, block: &mut Block, deal: &Deal) {
        if self.form.carry {
            let after = &deal.betting.stacks;
            block.memory.keep(&self.form, block.players, after);
        }
    }

    /// Returns the events of the variant; an empty list if the deals are given or the decks are
    /// balanced, because then the cards of a deal are not drawn independently.
    fn chances(&self) -> &'static [&'static str] {
        if self.form.balanced || !self.form.given.is_empty() {
            &[]
        } else {
            V::CHANCES
        }
    }

    fn luck<R: Rng>(&self, deal: &Deal, chance: &mut R, tell: impl FnMut(ChanceEvent<'_>)) {
        deal.luck(&self.form, chance, tell);
    }

    fn block_over(&self, block: &Block) -> bool {
        block.memory.is_broke
    }

    fn scene(&self, view: &V::View) -> Scene {
        self.options.scene(&self.form, view)
    }

    fn line(&self, event: &V::Event) -> Line {
        let entry: Entry = bytemuck::cast(*event);
        let mut line = default_line::<Self>(event);
        if entry.kind == event::STREET {
            let street = name_at(self.options.streets(), entry.street, "a street");
            line.words = match entry.cards {
                0 => street.to_owned(),
                _ => street.to_owned() + &line.words,
            };
        }
        if entry.flags & event::ALL_IN != 0 {
            line.words.push_str(", all in");
        }
        line
    }
}
