//! The options of the rules.

use super::records::{Action, Event, PLAYERS_MAX, View, phase};
use crate::poker::card::NO_CARD;
use crate::poker::records::seats;
use crate::poker::{
    self, BetLimit, BettingStructure, Block, Deal, FirstToAct, OddChips, Street, check_chips,
};
use crate::scene::{OwnCards, Scene, name_at, spoken};
use crate::{check_range, choices, options};

choices! {
    /// The variant of the game.
    pub enum Variant {
        /// Five streets at fixed limit, as in card rooms.
        FixedLimit,
        /// Seven turns, with a hidden card turned up on each of the last two, and bets up to the pot.
        SevenTurns,
    }

    /// The seat that bets first in the variant `seven-turns`.
    pub enum Opener {
        /// Seat 0 in all deals.
        FirstSeat,
        /// Each seat in turn, from deal to deal.
        Alternating,
    }
}

options! {
    /// The options of the rules. The default is the preset `fixed-limit`.
    pub struct Options {
        /// Variant: `fixed-limit` or `seven-turns`.
        pub variant: Variant = Variant::FixedLimit,
        /// Ante of every seat in chips.
        pub ante: i64 = 10,
        /// `true` if all antes belong to the main pot. `false`: a seat that could not pay its whole
        /// ante wins only the same amount of each other ante.
        pub dead_antes: bool = false,
        /// Forced bet of the seat with the lowest open card, at most a small bet; not used in seven
        /// turns.
        pub bring_in: i64 = 15,
        /// Bet of the first two streets; the minimum bet in seven turns.
        pub small_bet: i64 = 40,
        /// Bet of the later streets; not used in seven turns.
        pub big_bet: i64 = 80,
        /// Maximum number of bets, completions and raises per street; 0 for no limit.
        pub raises_max: u8 = 4,
        /// Initial chips of a seat.
        pub stack: i64 = 4000,
        /// `true` if stacks are carried from deal to deal; otherwise each deal starts with full
        /// stacks.
        pub carry: bool = false,
        /// Chips that a seat without chips gets before the next deal, if stacks are carried. With
        /// 0, the block ends instead.
        pub rebuy: i64 = 0,
        /// `true` if a seat that has acted may raise again after an all-in raise of less than a
        /// whole raise.
        pub short_raise_reopens: bool = false,
        /// `true` if, at fixed limit, an all-in raise of half a bet or more counts as a whole raise
        /// (rule 47 of the Poker Tournament Directors Association, 2019).
        pub half_bet_counts: bool = true,
        /// `true` if the other seats must match the full bring-in even if it was posted short.
        /// `false`: they must match the amount posted.
        pub whole_bring_in: bool = true,
        /// Receiver of odd chips: `left-of-button` or `high-card`.
        pub odd_chips: OddChips = OddChips::HighCard,
        /// Seat that bets first in seven turns: `first-seat` or `alternating`.
        pub opener: Opener = Opener::FirstSeat,
        /// `true` for balanced decks: each of two players wins half of the showdowns of a block.
        pub balanced: bool = false,
        /// `true` if all hands are shown after every deal, as in the experiment with the fuzzy
        /// system. They include folded hands and the cards that were not dealt because the deal
        /// ended early.
        pub reveal: bool = false,
    }
    /// Given deals. Blocks play them in turn and start again after the last. Hands are
    /// separated by `/`; the first belongs to the seat after the button. Cards that are not
    /// named are random. If the list is empty, all deals are random.
    given deals
    presets {
        /// - `fixed-limit`: ante 10, bring-in 15, bets of 40 and 80, at most 4 per street, 4,000
        ///   chips in every deal; an all-in of half a bet counts as a whole bet.
        "fixed-limit" {},
        /// - `fuzzy-2002`: the game of a stud system with fuzzy inference (JSME Intelligent Systems
        ///   Symposium, 2002) for two players. Seven turns, ante 5, bets from 10 to the pot, one
        ///   raise per turn. Stacks of 100,000 chips are carried until one is empty. The first seat
        ///   always bets first, decks are balanced, and all cards are shown after every deal.
        "fuzzy-2002" {
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
        },
    }
}

impl poker::Variant for Options {
    const ID: &'static str = "stud/1";
    const RULES: &'static str = include_str!("RULES.md");
    const PLAYERS_MAX: usize = PLAYERS_MAX;
    /// The length of a session in the experiment with the fuzzy system.
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
    type Features = Self;
    type View = View;
    type Event = Event;
    type Action = Action;

    fn form(&self) -> Result<BettingStructure, String> {
        check_chips("ante", self.ante, 0)?;
        check_chips("small_bet", self.small_bet, 1)?;
        check_chips("stack", self.stack, self.small_bet + self.ante)?;
        check_chips("rebuy", self.rebuy, 0)?;
        let (streets, limit) = match self.variant {
            Variant::FixedLimit => {
                check_chips("big_bet", self.big_bet, self.small_bet)?;
                check_range("bring_in", self.bring_in, 1..=self.small_bet)
                    .map_err(|error| error + " (the small bet)")?;
                (
                    fixed_limit(self.small_bet, self.big_bet),
                    BetLimit::FixedLimit,
                )
            }
            Variant::SevenTurns => {
                if self.bring_in != 0 {
                    return Err(format!(
                        "bring_in is {}, must be 0: the variant `seven-turns` has no bring-in",
                        self.bring_in
                    ));
                }
                (seven_turns(self.small_bet), BetLimit::StreetPot)
            }
        };
        if self.balanced && !self.deals.is_empty() {
            return Err(
                "deals: a balanced block draws its own deals; set `balanced: false` or remove \
                 `deals`"
                    .into(),
            );
        }
        let mut form = BettingStructure {
            streets,
            limit,
            raises_max: self.raises_max,
            free_folds: true,
            short_raise_reopens: self.short_raise_reopens,
            half_bet_counts: self.half_bet_counts,
            whole_blind: self.whole_bring_in,
            ante: self.ante,
            dead_antes: self.dead_antes,
            bring_in: self.bring_in,
            odd_chips: self.odd_chips,
            stack: self.stack,
            carry: self.carry,
            rebuy: self.rebuy,
            balanced: self.balanced,
            fixed_button: self.variant == Variant::SevenTurns && self.opener == Opener::FirstSeat,
            reveal: self.reveal,
            ..BettingStructure::default()
        };
        form.set_given_deals(&self.deals, PLAYERS_MAX)?;
        Ok(form)
    }

    fn stake(&self) -> Option<(&'static str, i64)> {
        (self.variant == Variant::FixedLimit).then_some(("big bet", self.big_bet))
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

    #[inline]
    fn view(form: &BettingStructure, block: &Block, deal: &Deal, seat: u8, view: &mut View) {
        view.fill(form, block, deal, seat);
        view.streets = u8::try_from(form.streets.len()).unwrap_or(u8::MAX);
        view.raises_max = form.raises_max;
        view.reserved = [0; 3];
        view.bring_in = form.bring_in;
        view.phase = deal.phase as u8;
        view.down = deal.hidden(seat);
        view.street_pot = deal.betting.street_pot;
        view.bet = form.streets[usize::from(deal.street)].bet;
        view.up = seats(&deal.up);
    }

    fn scene(&self, form: &BettingStructure, view: &View) -> Scene {
        let street = name_at(poker::Variant::streets(self), view.street, "");
        let street = match view.phase {
            phase::BET => street.to_owned(),
            phase::OPEN => format!("{street}, cards are turned up"),
            _ => "over".to_owned(),
        };
        let facts = vec![("street", street), ("pot", view.pot.to_string())];
        // All seats in play hold the same number of cards. A community card replaces the last card
        // of each.
        let streets = form.streets.iter().take(usize::from(view.street) + 1);
        let dealt: u8 = streets.map(|street| street.down + street.up).sum();
        let dealt = u32::from(dealt) - u32::from(view.community != 0);
        let (hand, folded) = match view.hidden() {
            hidden if view.is_in_play(view.seat) || hidden.is_empty() => (hidden, String::new()),
            hidden => (String::new(), spoken(&hidden)),
        };
        let own = OwnCards {
            hand,
            facts: vec![("folded", folded)],
        };
        let held = |seat| if view.is_in_play(seat) { dealt } else { 0 };
        view.table_scene(facts, "community card", held, own)
    }
}

/// Returns the streets: two hidden cards and one open card, three open cards, one hidden card.
fn fixed_limit(small_bet: i64, big_bet: i64) -> Vec<Street> {
    let street = |down, up, first, bet| Street {
        down,
        up,
        first,
        bet,
        ..Street::default()
    };
    vec![
        street(2, 1, FirstToAct::LowCard, small_bet),
        street(0, 1, FirstToAct::HighHand, small_bet),
        street(0, 1, FirstToAct::HighHand, big_bet),
        street(0, 1, FirstToAct::HighHand, big_bet),
        street(1, 0, FirstToAct::HighHand, big_bet),
    ]
}

/// Returns the turns: the same cards on turns 1 to 5, then two turns on which each seat turns up a
/// hidden card. One card stays hidden until the showdown.
fn seven_turns(bet: i64) -> Vec<Street> {
    let turn = |down, up, opens| Street {
        down,
        up,
        opens,
        first: FirstToAct::Button,
        bet,
        must_bet: true,
        ..Street::default()
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
