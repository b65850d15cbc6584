//! What the host asks of a game.

use crate::features::Features;
use crate::frame::{Framed, Schema};
use crate::given;
use crate::scene::{Line, Offer, Scene};
use rand::Rng;
use serde::{Serialize, de::DeserializeOwned};

/// The records of a game: all that a bot needs to know of its types.
pub trait GameTypes: Send + Sync + Sized + 'static {
    /// Name and revision, as in `daihinmin/1`. A change that old bots cannot follow raises the
    /// revision.
    const ID: &'static str;
    /// All that a seat may know at a decision.
    type View: Framed;
    /// One line of the deal's public record.
    type Event: Framed;
    /// One legal action, or a range of amounts.
    type Action: Framed;
    /// The description of everything that crosses the border. Without constants, and for records
    /// that embed no others, it is made from those of the three.
    const SCHEMA: Schema = Schema {
        game: Self::ID,
        doc: &[],
        constants: &[],
        frames: &[Self::Action::FRAME, Self::Event::FRAME, Self::View::FRAME],
    };

    /// The amounts that `action` takes, lowest and highest; `None` where it takes none.
    #[inline]
    fn amounts(_action: &Self::Action) -> Option<(i64, i64)> {
        None
    }
    /// Text of the card whose number is `card`, as it stands in card sets; `None` for numbers
    /// without a card.
    fn card_name(card: u8) -> Option<&'static str>;
}

/// A choice as the rules take it: an action from the legal ones, and an amount where it is a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant<A> {
    /// The action, one of those that [`Game::legal`] gave.
    pub action: A,
    /// The amount within the action's range; 0 where it takes none.
    pub amount: i64,
}

/// Something that chance did, as [`Game::luck`] tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChanceEvent<'a> {
    /// Which of [`Game::chances`] it was.
    pub kind: usize,
    /// Number of the event of the public record that it came with, or that it came before.
    pub event: usize,
    /// What it was worth to each player, in [`LUCK_PARTS`] of a payoff; in all nothing, but for
    /// what is rounded off.
    pub worth: &'a [i64],
}

/// Parts of a payoff that [`Game::luck`] counts in.
pub const LUCK_PARTS: i64 = 1_000_000;

/// The rules of a game with their options.
///
/// A *block* is a run of deals between two resets of everything that persists; players are numbered
/// within it and keep their numbers, seats may change from deal to deal. The host drives a block as
/// `new_block, (deal, (to_act, legal, view, apply)*, finish)*`.
///
/// Two promises are tested for every game: views and history do not depend on cards that the seat
/// may not know, and the chance of a deal depends on nothing but the generator and what the block
/// carries over.
pub trait Game: GameTypes {
    /// Every switch of the rules.
    type Options: Clone
        + Default
        + PartialEq
        + std::fmt::Debug
        + Serialize
        + DeserializeOwned
        + Send
        + Sync;
    /// What persists from deal to deal.
    type Block: Clone + Send;
    /// The true state of a deal, with its record.
    type Deal: Clone + Send;

    /// Generation of the rules. Raise it when the same choices would lead to other games: by other
    /// rules, or because the same chance deals other cards. Stores keep it with every block,
    /// and blocks of another generation do not count.
    const GENERATION: u32 = 1;

    /// The rules under `options`.
    ///
    /// # Errors
    /// What is wrong with the options, in words for the author of the league.
    fn new(options: Self::Options) -> Result<Self, String>;
    /// The options in force.
    fn options(&self) -> &Self::Options;
    /// The option `deals`: texts of deals to be played in turn, from block to block; `None` where the
    /// game has no such option.
    fn deals(_options: &mut Self::Options) -> Option<&mut Vec<String>> {
        None
    }
    /// Deals of a file that a league names, as in `deals: {file: boards.pbn}`.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn read_deals(text: &str) -> Result<Vec<String>, String> {
        given::lines(text)
    }
    /// How many deals the options give; 0 where all deals are drawn.
    fn given_deals(&self) -> usize {
        Self::deals(&mut self.options().clone()).map_or(0, |deals| deals.len())
    }
    /// The options as bots are told them: those in force, without what no seat may know, such as
    /// the cards of a deal.
    fn told_options(&self) -> Self::Options {
        let mut told = self.options().clone();
        if let Some(deals) = Self::deals(&mut told) {
            deals.clear();
        }
        told
    }
    /// Options by the name of a preset, `None` if there is no such preset.
    fn preset(name: &str) -> Option<Self::Options> {
        (name == Self::presets()[0]).then(Self::Options::default)
    }
    /// Names of the presets, the default one first; at least one.
    fn presets() -> &'static [&'static str] {
        &["default"]
    }
    /// Fewest and most players of a table.
    fn players() -> (usize, usize);
    /// The rules in words for people, as Markdown with a table of the options; empty where nobody
    /// has written them down.
    fn rules() -> &'static str {
        ""
    }
    /// Fewest and most players of a table under these options, within [`Game::players`].
    fn tables(&self) -> (usize, usize) {
        Self::players()
    }
    /// What payoffs are counted in, in the plural, as reports say it: "0.3 points a deal".
    fn score_unit() -> &'static str {
        "points"
    }
    /// What a deal counts in as reports tell it, where deals are duplicated or not.
    fn unit(&self, _is_duplicate: bool) -> &'static str {
        Self::score_unit()
    }
    /// How many deals a block has where the league does not say.
    fn block_deals(&self) -> u32;
    /// The least payoff that one deal can bring a player; what a forfeited deal is counted as.
    /// Where there is no bound, a loss that is rarely exceeded.
    fn worst_payoff(&self) -> i64;

    /// What payoffs are told in besides points: its name and how many points it is, as the big
    /// blind of hold'em. `None` where points speak for themselves.
    fn stake(&self) -> Option<(&'static str, i64)> {
        None
    }

    /// A block before its first deal. `deals` is how many are planned.
    fn new_block(&self, players: usize, deals: u32) -> Self::Block;
    /// Tells a block its number in its line-up, from 0, before its first deal. Only what leagues
    /// give in an order, such as deals to be played in turn, may depend on it.
    fn number_block(&self, _block: &mut Self::Block, _number: u64) {}
    /// A deal to be filled by [`Game::deal`]; reused so that play allocates nothing.
    fn new_deal(&self) -> Self::Deal;
    /// Deals: seats, cards and all chance that the deal will need.
    fn deal<R: Rng>(&self, block: &mut Self::Block, chance: &mut R, deal: &mut Self::Deal);
    /// The seat that is to decide, `None` when the deal is over. Declarer's seat decides for
    /// bridge's dummy.
    fn to_act(&self, deal: &Self::Deal) -> Option<u8>;
    /// The player who decides for `seat`. Without this, players sit in the seat of their number.
    #[inline]
    fn player_at(&self, _deal: &Self::Deal, seat: u8) -> usize {
        usize::from(seat)
    }
    /// The seat of `player` in this deal.
    ///
    /// # Panics
    /// May panic if there is no such player.
    fn seat_of(&self, deal: &Self::Deal, player: usize) -> u8 {
        (0..u8::MAX)
            .find(|&seat| self.player_at(deal, seat) == player)
            .expect("the player sits at the table")
    }
    /// Clears `actions` and fills it with everything that the seat to act may do, at least one. The
    /// first is the one that the fault rule falls back to: the least committing (pass, check or
    /// fold).
    fn legal(&self, deal: &Self::Deal, actions: &mut Vec<Self::Action>);
    /// All that `seat` may know now. Overwrites every byte of `view`.
    fn view(&self, block: &Self::Block, deal: &Self::Deal, seat: u8, view: &mut Self::View);
    /// The deal's public record so far.
    fn history<'a>(&self, deal: &'a Self::Deal) -> &'a [Self::Event];
    /// Carries out a choice of the seat to act. The action is one of [`Game::legal`]'s.
    fn apply(&self, deal: &mut Self::Deal, choice: Grant<Self::Action>);
    /// Deals anew what `seat` cannot see now. Of all deals that agree with what it has seen, in its
    /// views and in the public record, and with what it has chosen, each is as likely as the
    /// others; a hidden choice of another seat counts as many deals as there were choices. The
    /// deal goes on from there.
    ///
    /// How likely others are to choose as they did is for the caller to weigh.
    fn resample<R: Rng>(&self, deal: &mut Self::Deal, seat: u8, chance: &mut R);
    /// Closes a finished deal: payoffs by player (all entries written), and what the block carries
    /// on.
    fn finish(&self, block: &mut Self::Block, deal: &Self::Deal, payoffs: &mut [i64]);
    /// The kinds of chance whose worth [`Game::luck`] tells, as reports name them; none where the
    /// game tells nothing.
    fn chances(&self) -> &'static [&'static str] {
        &[]
    }
    /// Tells what chance was worth in a finished deal, of everything that it did. What a card was
    /// worth is what some estimate of the payoffs says after it, less the mean of what it would
    /// have said after each that could have come. So its own mean is nothing, to the last part that
    /// is rounded off, **whatever anybody does and however poor the estimate is**: a mean that
    /// is drawn, with `luck`, is drawn anew for every deal. (Chance nodes as in MIVAT, White
    /// and Bowling 2009, and AIVAT, Burch and others 2018.)
    fn luck<R: Rng>(
        &self,
        _deal: &Self::Deal,
        _chance: &mut R,
        _tell: impl FnMut(ChanceEvent<'_>),
    ) {
    }
    /// In how many rotations a deal is played where deals are duplicated; with each the entrants
    /// move on by one seat.
    fn rotations(players: usize) -> usize {
        players
    }
    /// Where deals are duplicated: what one deal counts for an entrant, from its payoffs in all
    /// rotations. `None` where every rotation counts as a deal of its own.
    fn joint_payoff(&self, _payoffs: &[i64]) -> Option<i64> {
        None
    }
    /// Whether the block ends before its planned deals (somebody is broke).
    fn block_over(&self, _block: &Self::Block) -> bool {
        false
    }

    /// The features of decisions by which a review groups them; `None` where the game names none.
    fn features() -> Option<&'static dyn Features<Self>> {
        None
    }

    /// What a seat sees, for people. Made from its view alone, so that it tells no more than the
    /// seat may know.
    fn scene(&self, view: &Self::View) -> Scene;
    /// An event of the record for people, as it reads after the name of whoever did it.
    fn line(&self, event: &Self::Event) -> Line;
    /// A legal action as a person picks it.
    fn offer(&self, action: &Self::Action) -> Offer;
}
