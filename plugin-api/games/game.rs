//! The interface between the host and the rules of a game.

use crate::block::Block;
use crate::features::Features;
use crate::frame::{Constant, Framed, Meaning, Schema};
use crate::scene::{self, Line, Offer, Scene, ordinal, spoken};
use crate::seats::NOBODY;
use crate::{cards, given};
use bytemuck::{Zeroable, bytes_of};
use rand::Rng;
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;

/// The part of a game that a bot needs: its record types and the names of its cards.
pub trait GameTypes: Send + Sync + Sized + 'static {
    /// Name and revision, for example `daihinmin/1`. The revision is raised by a change that breaks
    /// existing bots.
    const ID: &'static str;
    /// The information that a seat has at a decision.
    type View: Framed;
    /// An event of the public record of a deal.
    type Event: Framed;
    /// One legal action, or a range of amounts.
    type Action: Framed;
    /// Names of the cards in the order of their numbers, separated by spaces. The default of
    /// [`GameTypes::card_name`] searches them, which is slow for large packs.
    const CARDS: &'static str = "";
    /// Description of the numbering of cards and seats ([`Schema::doc`]).
    const NUMBERING: &'static [&'static str] = &[];
    /// Named numbers for authors of bots ([`Schema::constants`]).
    const CONSTANTS: &'static [Constant] = &[];
    /// The description of all records of the game.
    const SCHEMA: Schema = Schema {
        game: Self::ID,
        doc: Self::NUMBERING,
        constants: Self::CONSTANTS,
        frames: &[Self::Action::FRAME, Self::Event::FRAME, Self::View::FRAME],
    };

    /// Returns the lowest and highest amount of `action`, or `None` if it takes no amount.
    #[inline]
    fn amounts(_action: &Self::Action) -> Option<(i64, i64)> {
        None
    }
    /// Returns the name of a card by its number in card sets, or `None` if there is no such card.
    fn card_name(card: u8) -> Option<&'static str> {
        Self::CARDS.split_ascii_whitespace().nth(card.into())
    }
    /// Returns the faces of cards for a [`Scene`]. Omits numbers without a card.
    fn faces(numbers: impl IntoIterator<Item = u8>) -> String {
        let names = numbers.into_iter().filter_map(Self::card_name);
        scene::faces(names.map(|name| cards::face(Some(name))))
    }
}

/// A choice of a seat: a legal action, and an amount if the action is a range of amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move<A> {
    /// An action from [`Game::legal`].
    pub action: A,
    /// The amount, within the range of the action; 0 if the action takes no amount.
    pub amount: i64,
}

/// Makes the choice of an action that takes no amount.
impl<A> From<A> for Move<A> {
    fn from(action: A) -> Move<A> {
        Move { action, amount: 0 }
    }
}

/// A chance event that [`Game::luck`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChanceEvent<'a> {
    /// Index of the event's kind in [`Game::chances`].
    pub kind: usize,
    /// Index into the history: the event that reveals the result of the chance event, or the first
    /// event after it.
    pub event: usize,
    /// The value for each player, in units of 1 / [`LUCK_PARTS`] of a payoff. The sum is zero, up
    /// to rounding.
    pub worth: &'a [i64],
}

/// The options of the rules of a game, which [`options!`](crate::options!) declares.
pub trait GameOptions:
    Clone + Default + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// Names of the presets, see [`Game::presets`].
    const PRESETS: &'static [&'static str] = &["default"];

    /// Returns the options of a preset, see [`Game::preset`].
    fn preset(name: &str) -> Option<Self> {
        (name == Self::PRESETS[0]).then(Self::default)
    }
    /// Returns the texts of given deals, see [`Game::deals`].
    fn deals(&mut self) -> Option<&mut Vec<String>> {
        None
    }
}

/// Declares the type of an option with named values, which leagues write in kebab case. The first
/// value is the default. The declaring package must depend on `serde`.
#[macro_export]
macro_rules! choices {
    ($(
        $(#[$about:meta])*
        pub enum $name:ident {
            $(#[$first_about:meta])* $first:ident,
            $( $(#[$value_about:meta])* $value:ident, )*
        }
    )*) => { $(
        $(#[$about])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize,
        )]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $(#[$first_about])*
            #[default]
            $first,
            $( $(#[$value_about])* $value, )*
        }
    )* };
}

/// Declares a struct with the default of each field.
///
/// ```
/// hattari_games::defaults! {
///     #[derive(Debug, PartialEq)]
///     pub struct Settings {
///         /// Number of samples.
///         pub samples: u32 = 20,
///     }
/// }
/// assert_eq!(Settings::default(), Settings { samples: 20 });
/// ```
#[macro_export]
macro_rules! defaults {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $( $(#[$field_about:meta])* pub $field:ident : $ty:ty = $default:expr ),* $(,)?
        }
    ) => {
        $(#[$about])*
        pub struct $name {
            $( $(#[$field_about])* pub $field: $ty, )*
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $( $field: $default, )* }
            }
        }
    };
}

/// Declares the options of a game, each with its default, and presets that differ from it. Reading
/// options from JSON refuses unknown keys. The declaring package must depend on `serde`.
///
/// ```
/// hattari_games::options! {
///     /// The options of the rules.
///     pub struct Options {
///         /// Number of cards of each player.
///         pub cards: u32 = 3,
///     }
///     presets {
///         "short" {},
///         /// Ten cards.
///         "long" { cards: 10 },
///     }
/// }
/// assert_eq!(Options::preset("short"), Some(Options::default()));
/// assert_eq!(Options::preset("long").unwrap().cards, 10);
/// ```
///
/// `given deals` after the fields, with a documentation, adds the option `deals` for the texts of
/// given deals.
#[macro_export]
macro_rules! options {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $( $(#[$field_about:meta])* pub $field:ident : $ty:ty = $default:expr ),* $(,)?
        }
        $( $(#[$deals_about:meta])* given $deals:ident )?
        $(presets {
            $(
                $(#[$preset_about:meta])*
                $preset:literal { $( $changed:ident : $value:expr ),* $(,)? }
            ),* $(,)?
        })?
    ) => {
        $crate::defaults! {
            $(#[$about])*
            #[derive(Clone, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
            #[serde(deny_unknown_fields, default)]
            pub struct $name {
                $( $(#[$field_about])* pub $field: $ty = $default, )*
                $(
                    $(#[$deals_about])*
                    #[serde(skip_serializing_if = "Vec::is_empty")]
                    pub $deals: Vec<String> = Vec::new(),
                )?
            }
        }

        impl $crate::GameOptions for $name {
            $(
                const PRESETS: &'static [&'static str] = &[$($preset),*];

                fn preset(name: &str) -> Option<$name> {
                    $name::preset(name)
                }
            )?
            $(fn deals(&mut self) -> Option<&mut Vec<String>> {
                Some(&mut self.$deals)
            })?
        }

        $(impl $name {
            /// The names of the presets.
            pub const PRESETS: &'static [&'static str] = <$name as $crate::GameOptions>::PRESETS;

            /// Returns the preset `name`, or `None` if there is no such preset.
            ///
            $( $(#[$preset_about])* )*
            pub fn preset(name: &str) -> Option<$name> {
                let default = $name::default();
                match name {
                    $( $preset => Some($name { $( $changed: $value, )* ..default }), )*
                    _ => None,
                }
            }
        })?
    };
}

/// Checks an option that must be within a range.
///
/// # Errors
/// Returns the name, the value and the range if the value is not within the range.
pub fn check_range<T: PartialOrd + Display>(
    name: &str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), String> {
    if range.contains(&value) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(format!("{name} is {value}, must be {least} to {most}"))
}

/// The block of a game.
pub type BlockState<G> = Block<<G as Game>::Memory>;

/// Number of units of [`Game::luck`] in a payoff of 1.
pub const LUCK_PARTS: i64 = 1_000_000;

/// The rule by which players get their seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seating {
    /// The order of the players is the same in all deals of a block; they may move around the
    /// table. Leagues in which three or more different bots meet draw it for every block,
    /// because a bot that always sits next to a weak opponent has an advantage.
    Ordered,
    /// The game draws the seats, for the players in the order of [`Block::numbers`].
    Drawn,
    /// Every player keeps its seat, and seats have different chances. Reports then compare bots of
    /// one table only if deals are duplicated, and the rotations seat each of them like the other.
    Fixed,
}

/// The rules of a game with their options.
///
/// Players keep their numbers within a [`Block`]; seats may change from deal to deal. The host calls
/// `new_block, (deal, (to_act, legal, view, apply)*, finish)*`.
///
/// Two guarantees are tested for every game. Views and history do not depend on cards that the seat
/// may not know. The cards of a deal depend only on the generator and the state of the block.
pub trait Game: GameTypes {
    /// The options of the rules.
    type Options: GameOptions;
    /// The features by which a review groups decisions; `()` if the game has none.
    type Features: Features<Self>;
    /// The state that the rules keep from deal to deal, in addition to that of [`Block`].
    type Memory: Clone + Send;
    /// The true state of a deal, including its public record.
    type Deal: Clone + Send;

    /// Generation of the rules. Raise it when the same seed and choices no longer give the same
    /// deals, because the rules or the dealing of cards changed. Stores save it with every
    /// block and ignore blocks of other generations.
    const GENERATION: u32 = 1;
    /// Texts for the default of [`Game::line`], by the value of the first field with a code; a
    /// single text if there is no such field. Names of fields in braces stand for their values, as
    /// in `plays {card}`.
    const LINES: &'static [&'static str] = &[];
    /// Texts for the default of [`Game::offer`], as in [`Game::LINES`].
    const OFFERS: &'static [&'static str] = &[];

    /// Creates the rules for `options`.
    ///
    /// # Errors
    /// Returns a message for the author of the league if the options are not valid.
    fn new(options: Self::Options) -> Result<Self, String>;
    /// Returns the options with which the rules were created.
    fn options(&self) -> &Self::Options;
    /// Returns the option `deals`: the texts of the given deals. Returns `None` if the game has no
    /// such option.
    fn deals(options: &mut Self::Options) -> Option<&mut Vec<String>> {
        options.deals()
    }
    /// Parses a file of deals that a league refers to, for example `deals: {file: boards.pbn}`.
    ///
    /// # Errors
    /// Returns a message if the text is not valid.
    fn read_deals(text: &str) -> Result<Vec<String>, String> {
        given::deal_lines(text)
    }
    /// Returns for each given deal of the options the index of the first one with the same cards;
    /// empty if all deals are random. By default, the texts are compared.
    fn given_deals(&self) -> Vec<usize> {
        let mut options = self.options().clone();
        let deals = Self::deals(&mut options).map(std::mem::take);
        given::first_equal(deals.unwrap_or_default())
    }
    /// Returns the options for bots. Secrets are removed, such as the cards of given deals.
    fn visible_options(&self) -> Self::Options {
        let mut told = self.options().clone();
        if let Some(deals) = Self::deals(&mut told) {
            deals.clear();
        }
        told
    }
    /// Returns the options of a preset, or `None` if there is no such preset.
    fn preset(name: &str) -> Option<Self::Options> {
        Self::Options::preset(name)
    }
    /// Returns the names of the presets, at least one; the first is the default.
    fn presets() -> &'static [&'static str] {
        Self::Options::PRESETS
    }
    /// Returns the minimum and maximum number of players at a table.
    fn players() -> (usize, usize);
    /// Returns the rules for people, as Markdown with a table of the options, or an empty string if
    /// the game has no such text.
    fn rules() -> &'static str {
        ""
    }
    /// Returns the minimum and maximum number of players for these options, within
    /// [`Game::players`].
    fn tables(&self) -> (usize, usize) {
        Self::players()
    }
    /// Returns the unit of payoffs in the plural, for reports: "0.3 points per deal".
    fn score_unit() -> &'static str {
        "points"
    }
    /// Returns the unit of a deal's score in reports. `is_duplicate` is `true` for duplicate deals.
    fn unit(&self, _is_duplicate: bool) -> &'static str {
        Self::score_unit()
    }
    /// Returns the default number of deals in a block.
    fn block_deals(&self) -> u32 {
        100
    }
    /// Returns the lowest payoff of a player in one deal, which is the score of a forfeited deal.
    /// If there is no bound, returns a loss that is rarely exceeded.
    fn worst_payoff(&self) -> i64;

    /// Returns an additional unit for payoffs: its name and its value in points, such as the big
    /// blind of hold'em. Returns `None` if there is none.
    fn stake(&self) -> Option<(&'static str, i64)> {
        None
    }

    /// Returns the memory before the first deal. `deals` is the planned number of deals.
    fn memory(&self, players: usize, deals: u32) -> Self::Memory;
    /// Creates a block before its first deal. `deals` is the planned number of deals.
    ///
    /// # Panics
    /// Panics if [`Game::players`] excludes this number of players.
    fn new_block(&self, players: usize, deals: u32) -> BlockState<Self> {
        let (least, most) = Self::players();
        assert!(
            (least..=most).contains(&players),
            "{} has {least} to {most} players, not {players}",
            Self::ID
        );
        Block::new(players, deals, self.memory(players, deals))
    }
    /// Creates a deal for [`Game::deal`] to fill. The host reuses it, so that play does not
    /// allocate memory.
    fn new_deal(&self) -> Self::Deal;
    /// Starts a deal: assigns seats, deals cards and makes all random draws that the deal needs.
    fn deal<R: Rng>(&self, block: &mut BlockState<Self>, chance: &mut R, deal: &mut Self::Deal);
    /// Returns the seat that decides, or `None` if the deal is over. In bridge, declarer's seat
    /// decides for dummy.
    fn to_act(&self, deal: &Self::Deal) -> Option<u8>;
    /// Returns the player who decides for `seat`. By default, player and seat numbers are equal.
    #[inline]
    fn player_at(&self, _deal: &Self::Deal, seat: u8) -> usize {
        usize::from(seat)
    }
    /// Returns the seat of `player` in this deal.
    ///
    /// # Panics
    /// May panic if there is no such player.
    fn seat_of(&self, deal: &Self::Deal, player: usize) -> u8 {
        (0..u8::MAX)
            .find(|&seat| self.player_at(deal, seat) == player)
            .expect("the player sits at the table")
    }
    /// Replaces `actions` by the legal actions of the seat to act, at least one. The first must be
    /// the one that commits least (pass, check or fold), because it is played after a fault.
    fn legal(&self, deal: &Self::Deal, actions: &mut Vec<Self::Action>);
    /// Returns what [`Game::legal`] writes.
    fn legal_actions(&self, deal: &Self::Deal) -> Vec<Self::Action> {
        let mut actions = Vec::new();
        self.legal(deal, &mut actions);
        actions
    }
    /// Writes the information of `seat` to `view`. Overwrites every byte.
    fn view(&self, block: &BlockState<Self>, deal: &Self::Deal, seat: u8, view: &mut Self::View);
    /// Returns what [`Game::view`] writes.
    fn view_of(&self, block: &BlockState<Self>, deal: &Self::Deal, seat: u8) -> Self::View {
        let mut view = Self::View::zeroed();
        self.view(block, deal, seat, &mut view);
        view
    }
    /// Returns the public record of the deal so far.
    fn history<'a>(&self, deal: &'a Self::Deal) -> &'a [Self::Event];
    /// Applies a choice of the seat to act. The action must be one of [`Game::legal`].
    fn apply(&self, deal: &mut Self::Deal, choice: Move<Self::Action>);
    /// Redeals everything that `seat` cannot see now. The deal can be continued with the result.
    /// Draws uniformly from the deals that are consistent with the seat's views, the public record
    /// and its own choices. A deal counts once for each way in which hidden choices of other seats
    /// could have led to it.
    ///
    /// Does not consider how likely the other seats were to choose as they did.
    fn resample<R: Rng>(&self, deal: &mut Self::Deal, seat: u8, chance: &mut R);
    /// Returns the start from which `choices` lead to `later`, or `None` if the game does not
    /// support this. `later` is the result of [`Game::resample`] for a deal that began with `start`
    /// and in which `choices` were made. Replaces the secret choices of other seats in `choices` by
    /// ones that fit `later`.
    fn origin(
        &self,
        _start: &Self::Deal,
        _later: &Self::Deal,
        _choices: &mut [Move<Self::Action>],
    ) -> Option<Self::Deal> {
        None
    }
    /// Writes the payoffs of a finished deal by player, all entries.
    fn payoffs(&self, block: &BlockState<Self>, deal: &Self::Deal, payoffs: &mut [i64]);
    /// Updates the memory after a finished deal, which the totals already contain.
    fn remember(&self, _block: &mut BlockState<Self>, _deal: &Self::Deal) {}
    /// Closes a finished deal: writes the payoffs by player (all entries) and updates the block.
    fn finish(&self, block: &mut BlockState<Self>, deal: &Self::Deal, payoffs: &mut [i64]) {
        debug_assert!(self.to_act(deal).is_none(), "the deal is not over");
        self.payoffs(block, deal, payoffs);
        for (total, payoff) in block.totals.iter_mut().zip(payoffs) {
            *total = total.saturating_add(*payoff);
        }
        block.finished += 1;
        self.remember(block, deal);
    }
    /// Returns the names, for reports, of the kinds of chance event that [`Game::luck`] reports.
    /// The list is empty if the game reports no luck.
    fn chances(&self) -> &'static [&'static str] {
        &[]
    }
    /// Calls `tell` with the value of every chance event of a finished deal. Called only if the list
    /// of [`Game::chances`] is not empty.
    ///
    /// The value of a card is an estimate of the payoffs after it, minus the mean estimate over all
    /// cards that could have come. The expected value is therefore zero, up to rounding, **for any
    /// behaviour of the players and any quality of the estimate**. If the mean is sampled, `chance`
    /// gives new samples for every deal. (Chance nodes as in MIVAT, White and Bowling 2009, and
    /// AIVAT, Burch and others 2018.)
    fn luck<R: Rng>(
        &self,
        _deal: &Self::Deal,
        _chance: &mut R,
        _tell: impl FnMut(ChanceEvent<'_>),
    ) {
    }
    /// Returns how players get their seats.
    fn seating(&self) -> Seating {
        Seating::Ordered
    }
    /// Returns the number of rotations in which a duplicate deal is played. From one rotation to
    /// the next, every entrant moves by one seat.
    fn rotations(players: usize) -> usize {
        players
    }
    /// Returns the score of an entrant for a duplicate deal from the payoffs in all rotations, or
    /// `None` if every rotation counts as a deal of its own.
    fn joint_payoff(&self, _payoffs: &[i64]) -> Option<i64> {
        None
    }
    /// Returns `true` if the block ends before its planned number of deals, for example because a
    /// player has no chips.
    fn block_over(&self, _block: &BlockState<Self>) -> bool {
        false
    }

    /// Returns the view as a scene for people. It shows nothing that the seat may not know.
    fn scene(&self, view: &Self::View) -> Scene;
    /// Returns an event as text for people, to be read after the name of the player.
    fn line(&self, event: &Self::Event) -> Line {
        default_line::<Self>(event)
    }
    /// Returns a legal action as text and cards, for people to select. In the default, the first
    /// field with a card is the card that the action takes from the hand.
    fn offer(&self, action: &Self::Action) -> Offer {
        let card = first_number(action, |meaning| matches!(meaning, Meaning::Card));
        Offer {
            words: filled::<Self, _>(Self::OFFERS, action),
            faces: Self::faces(card),
        }
    }
}

/// Returns an event as text from [`Game::LINES`], for games whose [`Game::line`] has exceptions.
pub fn default_line<G: Game>(event: &G::Event) -> Line {
    let seat = first_number(event, |meaning| matches!(meaning, Meaning::Seat));
    Line {
        seat: seat.filter(|&seat| seat != NOBODY),
        words: filled::<G, _>(G::LINES, event),
    }
}

/// Returns the number in the first field with a meaning, or `None` if there is no such field.
fn first_number<R: Framed>(record: &R, is_wanted: fn(Meaning) -> bool) -> Option<u8> {
    let mut fields = R::FRAME.fields.iter();
    let field = fields.find(|field| is_wanted(field.meaning))?;
    u8::try_from(field.number(bytes_of(record))?).ok()
}

/// Returns the text of a record's kind with the values of its fields for people: cards with suit
/// symbols, the highest number of a set first, and ordinal numbers as `1st`.
fn filled<G: GameTypes, R: Framed>(texts: &[&str], record: &R) -> String {
    let kind = first_number(record, |meaning| matches!(meaning, Meaning::Code(_)));
    let kind = usize::from(kind.unwrap_or(0));
    let mut words = texts.get(kind).copied().unwrap_or("?").to_owned();
    for field in R::FRAME.fields {
        let Some(number) = field.number(bytes_of(record)) else {
            continue;
        };
        let value = match (field.meaning, u8::try_from(number)) {
            (Meaning::Card, Ok(card)) => spoken(&G::faces([card])),
            (Meaning::Cards, _) => {
                let set = u64::try_from(number).unwrap_or(0);
                spoken(&G::faces(cards::descending(set)))
            }
            (Meaning::Ordinal, Ok(place)) => ordinal(place),
            _ => number.to_string(),
        };
        words = words.replace(&format!("{{{}}}", field.name), &value);
    }
    words
}
