//! Tanhinmin (単貧民): a version of daihinmin that is small enough to solve. All cards differ in
//! strength, and only single cards are played.
//!
//! Properties: 2 to 6 players, the same number of cards each, hidden hands. Seat 0 leads; its
//! player is drawn for each deal. A play is one card that is stronger than the card on the table,
//! or a pass; the leader cannot pass. The trick ends when all other seats with cards have passed.
//! The seat that played last leads the next trick. Seats are ranked in the order in which they play
//! their last card. The first gets as many points as there are players, the last gets 1.
//!
//! The game is from Nishino and Nishino, 大貧民における偶然手番感度 (2013). Two rules that the paper leaves open
//! are options: the duration of a pass, and the next leader if the last seat to play has no cards.

mod deal;
mod features;
mod options;
mod records;
mod scene;
mod schema;

pub use deal::{Block, Deal};
pub use options::{CARDS_MAX, LeadRule, Options, PassRule};
pub use records::{Action, Event, NONE, PLAYERS_MAX, View, event, kind, rule};
pub use schema::card_name;

use crate::cards::set_of;
use crate::features::Features;
use crate::frame::Schema;
use crate::given::FixedDeal;
use crate::scene::{Line, Offer, Scene};
use crate::{ChanceEvent, Game, GameTypes, Move, chance, given};
use rand::Rng;

/// The rules of tanhinmin with their options.
#[derive(Clone, Debug)]
pub struct Tanhinmin {
    options: Options,
    /// Given deals of the league.
    given: Vec<FixedDeal>,
}

impl GameTypes for Tanhinmin {
    const ID: &'static str = "tanhinmin/1";
    type View = View;
    type Event = Event;
    type Action = Action;
    const SCHEMA: Schema = schema::SCHEMA;

    fn card_name(card: u8) -> Option<&'static str> {
        card_name(card)
    }
}

impl Game for Tanhinmin {
    type Options = Options;
    type Block = Block;
    type Deal = Deal;

    fn new(options: Options) -> Result<Tanhinmin, String> {
        let given = options.check()?;
        Ok(Tanhinmin { options, given })
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn deals(options: &mut Options) -> Option<&mut Vec<String>> {
        Some(&mut options.deals)
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

    fn block_deals(&self) -> u32 {
        // Only points persist, and they do not influence play, so the size of a block is arbitrary.
        100
    }

    /// Returns the smallest number of players for which all given hands and cards are dealt, and
    /// the maximum number of players.
    fn tables(&self) -> (usize, usize) {
        let strongest = self
            .given
            .iter()
            .flat_map(|deal| deal.hands.iter().flatten())
            .max();
        let needed = strongest.map_or(0, |&card| {
            (usize::from(card) + 1).div_ceil(self.options.cards as usize)
        });
        let (fewest, most) = Self::players();
        (fewest.max(needed).max(given::hands_max(&self.given)), most)
    }

    fn worst_payoff(&self) -> i64 {
        1
    }

    /// Creates a block before its first deal.
    ///
    /// # Panics
    /// Panics if `players` is not 2 to 6.
    fn new_block(&self, players: usize, deals: u32) -> Block {
        Block::new(players, deals)
    }

    fn number_block(&self, block: &mut Block, number: u64) {
        block.number = number;
    }

    fn new_deal(&self) -> Deal {
        Deal::new()
    }

    fn deal<R: Rng>(&self, block: &mut Block, chance: &mut R, deal: &mut Deal) {
        let players = block.players();
        let mut seats: [u8; PLAYERS_MAX] = [0, 1, 2, 3, 4, 5];
        chance::shuffle(&mut seats[..players], chance);
        block.set_seats(&seats);
        let size = players * self.options.cards as usize;
        let mut deck = [0; 64];
        (0_u8..)
            .zip(&mut deck)
            .for_each(|(number, card)| *card = number);
        chance::shuffle(&mut deck[..size], chance);
        let given =
            given::next_given_deal(&self.given, block.number, block.planned, block.finished);
        if let Some(deal) = given {
            for (hand, place) in deal
                .hands
                .iter()
                .zip((0..).step_by(self.options.cards as usize))
            {
                given::place_cards(&mut deck[..size], place, hand);
            }
        }
        let mut hands = [0; PLAYERS_MAX];
        for (hand, cards) in hands
            .iter_mut()
            .zip(deck[..size].chunks(self.options.cards as usize))
        {
            *hand = set_of(cards);
        }
        deal.begin(block, &self.options, hands);
    }

    #[inline]
    fn to_act(&self, deal: &Deal) -> Option<u8> {
        deal.to_act()
    }

    #[inline]
    fn player_at(&self, deal: &Deal, seat: u8) -> usize {
        usize::from(deal.player(seat))
    }

    #[inline]
    fn legal(&self, deal: &Deal, actions: &mut Vec<Action>) {
        deal.legal(actions);
    }

    #[inline]
    fn view(&self, block: &Block, deal: &Deal, seat: u8, view: &mut View) {
        deal.view(block, seat, view);
    }

    #[inline]
    fn history<'a>(&self, deal: &'a Deal) -> &'a [Event] {
        &deal.history
    }

    #[inline]
    fn apply(&self, deal: &mut Deal, choice: Move<Action>) {
        deal.play(&choice.action);
    }

    fn resample<R: Rng>(&self, deal: &mut Deal, seat: u8, chance: &mut R) {
        deal.resample(seat, chance);
    }

    fn origin(&self, start: &Deal, later: &Deal, _choices: &mut [Move<Action>]) -> Option<Deal> {
        let mut deal = start.clone();
        (deal.hands, deal.dealt) = (later.dealt, later.dealt);
        Some(deal)
    }

    fn finish(&self, block: &mut Block, deal: &Deal, payoffs: &mut [i64]) {
        block.finish(deal, payoffs);
    }

    /// Returns the draw of the leader and the deal of the hands; an empty list if the deals are
    /// given.
    fn chances(&self) -> &'static [&'static str] {
        if self.given.is_empty() {
            &["who leads", "the hands dealt"]
        } else {
            &[]
        }
    }

    fn luck<R: Rng>(&self, deal: &Deal, _chance: &mut R, mut tell: impl FnMut(ChanceEvent<'_>)) {
        if !self.chances().is_empty() {
            let players = deal.hands().len();
            for (kind, worth) in deal.luck().iter().enumerate() {
                tell(ChanceEvent {
                    kind,
                    event: 0,
                    worth: &worth[..players],
                });
            }
        }
    }

    fn features() -> Option<&'static dyn Features<Self>> {
        Some(&features::TanhinminFeatures)
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
