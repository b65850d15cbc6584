//! The switches of the rules.

use super::features::StudFeatures;
use super::records::{Action, Event, PLAYERS_MAX, View, phase};
use crate::features::Features;
use crate::frame::Framed;
use crate::poker::card::NO_CARD;
use crate::poker::{self, Block, Deal, First, Form, Limit, OddChips, Poker, Street, check_chips};
use crate::scene::{Own, Scene, spoken};
use bytemuck::Zeroable;
use serde::{Deserialize, Serialize};

/// Which of the two games is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// Five streets at fixed limit, as in card rooms.
    #[default]
    FixedLimit,
    /// Seven turns, on the last two of which a hidden card is turned up, with bets up to the pot.
    SevenTurns,
}

/// Who bets first in seven turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opener {
    /// The first seat, in all deals.
    #[default]
    FirstSeat,
    /// Another seat with every deal, in turn.
    Alternating,
}

/// Every switch of the rules. The default is the preset `fixed-limit`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// `fixed-limit` or `seven-turns`.
    pub variant: Variant,
    /// Chips that every seat puts into the pot before the deal.
    pub ante: i64,
    /// Antes are the main pot's, whoever had too few chips for his; otherwise such a seat can win
    /// as much of the others'.
    pub dead_antes: bool,
    /// Chips that the lowest card has to bet; no more than a small bet. In seven turns there is no
    /// such bet.
    pub bring_in: i64,
    /// The bet of the first two streets. In seven turns the least bet, also of the later ones.
    pub small_bet: i64,
    /// The bet of the later streets. In seven turns without effect.
    pub big_bet: i64,
    /// Most bets, completions and raises of a street; 0 for no bound.
    pub raises_max: u8,
    /// Chips that a seat begins with.
    pub stack: i64,
    /// Stacks are carried from deal to deal; otherwise every deal begins with full ones.
    pub carry: bool,
    /// Where stacks are carried, what a seat without chips is given before the next deal; 0 ends
    /// the block.
    pub rebuy: i64,
    /// An all-in raise that is less than a whole one lets those act again who have acted.
    pub short_raise_reopens: bool,
    /// At fixed limit an all-in that adds half a bet or more does so too (rule 47 of the Poker
    /// Tournament Directors Association, 2019).
    pub half_bet_counts: bool,
    /// Where the bring-in is posted short, the others owe it in full; otherwise what was posted.
    pub whole_bring_in: bool,
    /// Who gets odd chips: `left-of-button`, `high-card`.
    pub odd_chips: OddChips,
    /// Who bets first in seven turns: `first-seat`, `alternating`.
    pub opener: Opener,
    /// For two players: the decks of a block are such that each would win as many showdowns as the
    /// other, in random order.
    pub balanced: bool,
    /// After every deal all hands are shown, given up ones too, with the cards that were still to
    /// come: what the host of an experiment knows.
    pub reveal: bool,
    /// Deals to be played in turn, from block to block, again from the first after the last: hands
    /// with `/` between them, the seat after the one that is dealt last first. What is
    /// not named is drawn. Without them all cards are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deals: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            variant: Variant::FixedLimit,
            ante: 10,
            dead_antes: false,
            bring_in: 15,
            small_bet: 40,
            big_bet: 80,
            raises_max: 4,
            stack: 4000,
            carry: false,
            rebuy: 0,
            short_raise_reopens: false,
            half_bet_counts: true,
            whole_bring_in: true,
            odd_chips: OddChips::HighCard,
            opener: Opener::FirstSeat,
            balanced: false,
            reveal: false,
            deals: Vec::new(),
        }
    }
}

impl Options {
    /// Names of the presets.
    pub const PRESETS: &'static [&'static str] = &["fixed-limit", "fuzzy-2002"];

    /// The preset of that name.
    ///
    /// - `fixed-limit`: ante 10, bring-in 15, bets of 40 and 80, no more than 4 a street, every
    ///   deal with 4,000 chips; all in with half a bet counts as a whole one.
    /// - `fuzzy-2002`: the game of a stud system with fuzzy inference (JSME Intelligent Systems
    ///   Symposium, 2002), for two: seven turns, ante 5, bets from 10 to the pot, one raise in
    ///   answer, 100,000 chips to begin with that are carried until one has none, the first seat
    ///   always bets first, decks that split the showdowns evenly, all cards shown after every
    ///   deal.
    #[must_use]
    pub fn preset(name: &str) -> Option<Options> {
        match name {
            "fixed-limit" => Some(Options::default()),
            "fuzzy-2002" => Some(Options {
                variant: Variant::SevenTurns,
                ante: 5,
                bring_in: 0,
                small_bet: 10,
                big_bet: 10,
                raises_max: 2,
                stack: 100_000,
                carry: true,
                balanced: true,
                reveal: true,
                ..Options::default()
            }),
            _ => None,
        }
    }
}

impl poker::Variant for Options {
    const ID: &'static str = "stud/1";
    const PRESETS: &'static [&'static str] = Options::PRESETS;
    const RULES: &'static str = include_str!("RULES.md");
    const PLAYERS_MAX: usize = PLAYERS_MAX;
    /// The length of a session in the fuzzy system's experiment.
    const BLOCK_DEALS: u32 = 100;
    const CHANCES: &'static [&'static str] = &[
        "the hands dealt",
        "cards when all are in",
        "the fourth cards",
        "the fifth cards",
        "the sixth cards",
        "the seventh cards",
    ];
    const NO_CARD: u8 = NO_CARD;
    type View = View;
    type Event = Event;
    type Action = Action;

    fn preset(name: &str) -> Option<Options> {
        Options::preset(name)
    }

    fn form(&self) -> Result<Form, String> {
        check_chips("ante", self.ante, 0)?;
        check_chips("small_bet", self.small_bet, 1)?;
        check_chips("stack", self.stack, self.small_bet + self.ante)?;
        check_chips("rebuy", self.rebuy, 0)?;
        let (streets, limit) = match self.variant {
            Variant::FixedLimit => {
                check_chips("big_bet", self.big_bet, self.small_bet)?;
                if !(1..=self.small_bet).contains(&self.bring_in) {
                    let small_bet = self.small_bet;
                    return Err(format!(
                        "bring_in is {}, must be 1 to the small bet's {small_bet}",
                        self.bring_in
                    ));
                }
                (fixed_limit(self.small_bet, self.big_bet), Limit::FixedLimit)
            }
            Variant::SevenTurns => {
                if self.bring_in != 0 {
                    return Err(format!(
                        "bring_in is {}, must be 0: the variant `seven-turns` has no bring-in",
                        self.bring_in
                    ));
                }
                (seven_turns(self.small_bet), Limit::StreetPot)
            }
        };
        if self.balanced && !self.deals.is_empty() {
            return Err(
                "deals: a balanced block draws its own deals; set `balanced: false` or remove \
                 `deals`"
                    .into(),
            );
        }
        let mut form = Form {
            streets,
            limit,
            raises_max: self.raises_max,
            raises_max_blinds: self.raises_max,
            free_folds: true,
            short_raise_reopens: self.short_raise_reopens,
            short_raise_counts: false,
            half_bet_counts: self.half_bet_counts,
            whole_blind: self.whole_bring_in,
            ante: self.ante,
            antes: Vec::new(),
            dead_antes: self.dead_antes,
            blinds: [0, 0],
            posts: Vec::new(),
            bring_in: self.bring_in,
            odd_chips: self.odd_chips,
            stack: self.stack,
            stacks: Vec::new(),
            carry: self.carry,
            rebuy: self.rebuy,
            given: Vec::new(),
            balanced: self.balanced,
            fixed_button: self.variant == Variant::SevenTurns && self.opener == Opener::FirstSeat,
            reveal: self.reveal,
        };
        form.give(&self.deals, PLAYERS_MAX)?;
        Ok(form)
    }

    fn stake(&self) -> Option<(&'static str, i64)> {
        (self.variant == Variant::FixedLimit).then_some(("big bet", self.big_bet))
    }

    fn deals(&mut self) -> &mut Vec<String> {
        &mut self.deals
    }

    fn streets(&self) -> &'static [&'static str] {
        match self.variant {
            Variant::FixedLimit => &[
                "third street",
                "fourth street",
                "fifth street",
                "sixth street",
                "seventh street",
            ],
            Variant::SevenTurns => &[
                "turn 1", "turn 2", "turn 3", "turn 4", "turn 5", "turn 6", "turn 7",
            ],
        }
    }

    fn blank(&self, form: &Form) -> View {
        View {
            size: View::SIZE,
            streets: u8::try_from(form.streets.len()).unwrap_or(u8::MAX),
            limit: form.limit as u8,
            raises_max: self.raises_max,
            ante: self.ante,
            bring_in: self.bring_in,
            ..View::zeroed()
        }
    }

    #[inline]
    fn view(form: &Form, block: &Block, deal: &Deal, seat: u8, blank: &View) -> View {
        let betting = &deal.betting;
        View {
            deal: block.finished,
            deals: block.planned,
            seat,
            players: block.players,
            button: deal.button,
            street: deal.street,
            phase: deal.phase as u8,
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
            bet: form.streets[usize::from(deal.street)].bet,
            stacks: seats(&betting.stacks),
            bets: seats(&betting.bets),
            paid: seats(&betting.paid),
            results: seats(&block.results),
            up: seats(&deal.up),
            shown: seats(&deal.shown),
            ..*blank
        }
    }

    fn features() -> Option<&'static dyn Features<Poker<Self>>> {
        Some(&StudFeatures)
    }

    fn scene(&self, form: &Form, view: &View) -> Scene {
        let street = poker::Variant::streets(self).get(usize::from(view.street));
        let street = street.copied().unwrap_or_default();
        let street = match view.phase {
            phase::BET => street.to_owned(),
            phase::OPEN => format!("{street}, cards are turned up"),
            _ => "over".to_owned(),
        };
        let facts = vec![("street", street), ("pot", view.pot.to_string())];
        // All who have not folded hold as many; a community card stands for the last of each.
        let streets = form.streets.iter().take(usize::from(view.street) + 1);
        let dealt: u8 = streets.map(|street| street.down + street.up).sum();
        let dealt = u32::from(dealt) - u32::from(view.community != 0);
        let seen = view.seen();
        let (hand, folded) = match seen.hidden() {
            hidden if seen.is_in_play(view.seat) || hidden.is_empty() => (hidden, String::new()),
            hidden => (String::new(), spoken(&hidden)),
        };
        let own = Own {
            hand,
            facts: vec![("folded", folded)],
        };
        let held = |seat| if seen.is_in_play(seat) { dealt } else { 0 };
        seen.scene(facts, "community card", held, own)
    }
}

/// The seats that stud has.
fn seats<T: Copy>(all: &[T; poker::SEATS_MAX]) -> [T; PLAYERS_MAX] {
    std::array::from_fn(|seat| all[seat])
}

/// Two hidden cards and one face up, three more face up, a last one hidden.
fn fixed_limit(small_bet: i64, big_bet: i64) -> Vec<Street> {
    let street = |down, up, first, bet| Street {
        down,
        up,
        community: 0,
        opens: false,
        first,
        bet,
        must_bet: false,
    };
    vec![
        street(2, 1, First::LowCard, small_bet),
        street(0, 1, First::HighHand, small_bet),
        street(0, 1, First::HighHand, big_bet),
        street(0, 1, First::HighHand, big_bet),
        street(1, 0, First::HighHand, big_bet),
    ]
}

/// The same cards on turns 1 to 5, then two turns on which each turns a hidden card up; the last
/// one stays hidden until the showdown.
fn seven_turns(bet: i64) -> Vec<Street> {
    let turn = |down, up, opens| Street {
        down,
        up,
        community: 0,
        opens,
        first: First::Button,
        bet,
        must_bet: true,
    };
    vec![
        turn(2, 1, false),
        turn(0, 1, false),
        turn(0, 1, false),
        turn(0, 1, false),
        turn(1, 0, false),
        turn(0, 0, true),
        turn(0, 0, true),
    ]
}
