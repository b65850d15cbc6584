//! The switches of the rules.

use super::features::HoldemFeatures;
use super::records::{Action, Event, View};
use crate::features::Features;
use crate::frame::Framed;
use crate::poker::{
    Block, CHIPS_MAX, Deal, First, Form, Limit, OddChips, Phase, Poker, SEATS_MAX, Street, Variant,
    check_chips,
};
use crate::scene::{Own, Scene};
use bytemuck::Zeroable;
use serde::{Deserialize, Serialize};

/// Every switch of the rules. The default is the preset `cash`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// How much may be bet: `no-limit`, `pot-limit` or `fixed-limit`.
    pub limit: Limit,
    /// Chips of the small blind, 1 to the big blind. Heads-up the button posts it.
    pub small_blind: i64,
    /// Chips of the big blind, which is also the least bet; at fixed limit the bet of the first
    /// two streets.
    pub big_blind: i64,
    /// At fixed limit the bet of the last two streets; elsewhere without effect.
    pub big_bet: i64,
    /// Chips that every seat puts into the pot before the deal.
    pub ante: i64,
    /// The same by position, where they differ, as where the big blind antes for all: `[0, 100]`.
    /// Positions count from the seat left of the button; those past the list pay nothing.
    /// Empty: all the same.
    pub antes: Vec<i64>,
    /// Antes are the main pot's, whoever had too few chips for his; otherwise such a seat can win
    /// as much of the others'.
    pub dead_antes: bool,
    /// What seats post by position, the blinds among them, where there is more, as with a
    /// straddle: `[50, 100, 200]`. The highest is what all owe, and the seat after it acts
    /// first. A negative amount is posted too, but moves nobody's turn. Empty: the two blinds.
    pub posts: Vec<i64>,
    /// Chips that a seat begins with.
    pub stack: i64,
    /// The same by position, in every deal anew; positions past the list have `stack`. Empty: all
    /// the same.
    pub stacks: Vec<i64>,
    /// Stacks are carried from deal to deal; otherwise every deal begins with full ones.
    pub carry: bool,
    /// Where stacks are carried, what a seat without chips is given before the next deal; 0 ends
    /// the block.
    pub rebuy: i64,
    /// Most bets and raises of a street, blinds not counted; 0 for no bound.
    pub raises_max: u8,
    /// The same for the first street, where that is another number; `null` for the same.
    pub raises_max_preflop: Option<u8>,
    /// A seat may fold although it owes nothing. Servers of the Annual Computer Poker Competition
    /// have it check.
    pub free_folds: bool,
    /// An all-in raise that is less than a whole one lets those act again who have acted.
    pub short_raise_reopens: bool,
    /// After such a raise the least total to raise to stays what it was, or as much over the raise
    /// as it added, where that is more, as servers of the Annual Computer Poker Competition
    /// have it; otherwise a whole raise more is the least.
    pub short_raise_counts: bool,
    /// At fixed limit an all-in that adds half a bet or more lets those act again who have acted
    /// (rule 47 of the Poker Tournament Directors Association, 2019); elsewhere without
    /// effect.
    pub half_bet_counts: bool,
    /// Where the big blind is posted short, the others owe it in full; otherwise what was posted.
    pub whole_blind: bool,
    /// Deals to be played in turn, from block to block, again from the first after the last: hands
    /// with `/` between them, the seat left of the button first, and community cards behind
    /// `|`. What is not named is drawn. Without them all cards are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deals: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            limit: Limit::NoLimit,
            small_blind: 50,
            big_blind: 100,
            big_bet: 200,
            ante: 0,
            antes: Vec::new(),
            dead_antes: false,
            posts: Vec::new(),
            stack: 10_000,
            stacks: Vec::new(),
            carry: false,
            rebuy: 0,
            raises_max: 0,
            raises_max_preflop: None,
            free_folds: true,
            short_raise_reopens: false,
            short_raise_counts: false,
            half_bet_counts: true,
            whole_blind: true,
            deals: Vec::new(),
        }
    }
}

impl Options {
    /// Names of the presets.
    pub const PRESETS: &'static [&'static str] =
        &["cash", "serial", "limit", "pot-limit", "acpc", "acpc-limit"];

    /// The preset of that name.
    ///
    /// - `cash`: no limit, blinds 50 and 100, every deal with 10,000 chips.
    /// - `serial`: as a Japanese serial on game making plays: blinds 1 and 2, 200 chips, no more
    ///   than 4 bets and raises a street, stacks carried, 100 new chips for who has none.
    /// - `limit`: bets of 100 and 200, no more than 4 a street; all in with half a bet counts as a
    ///   whole one.
    /// - `pot-limit`: as `cash`, with raises by the pot at most.
    /// - `acpc`: no limit as at the Annual Computer Poker Competition: blinds 50 and 100, every
    ///   deal with 20,000 chips, no folding for free, any raise lets all act again.
    /// - `acpc-limit`: fixed limit as there: blinds 5 and 10, bets of 10 and 20, 3 raises on the
    ///   first street and 4 on the others, as many chips as can be lost in a deal.
    #[must_use]
    pub fn preset(name: &str) -> Option<Options> {
        let cash = Options::default();
        match name {
            "cash" => Some(cash),
            "serial" => Some(Options {
                small_blind: 1,
                big_blind: 2,
                stack: 200,
                carry: true,
                rebuy: 100,
                raises_max: 4,
                ..cash
            }),
            "limit" => Some(Options {
                limit: Limit::FixedLimit,
                raises_max: 4,
                ..cash
            }),
            "pot-limit" => Some(Options {
                limit: Limit::PotLimit,
                ..cash
            }),
            "acpc" => Some(Options {
                stack: 20_000,
                free_folds: false,
                short_raise_reopens: true,
                short_raise_counts: true,
                half_bet_counts: false,
                ..cash
            }),
            "acpc-limit" => Some(Options {
                limit: Limit::FixedLimit,
                small_blind: 5,
                big_blind: 10,
                big_bet: 20,
                stack: 240,
                raises_max: 4,
                raises_max_preflop: Some(3),
                free_folds: false,
                short_raise_reopens: true,
                short_raise_counts: true,
                half_bet_counts: false,
                ..cash
            }),
            _ => None,
        }
    }
}

/// Names of the streets.
const STREETS: &[&str] = &["preflop", "flop", "turn", "river"];

impl Variant for Options {
    const ID: &'static str = "holdem/1";
    const PRESETS: &'static [&'static str] = Options::PRESETS;
    const RULES: &'static str = include_str!("RULES.md");
    const PLAYERS_MAX: usize = SEATS_MAX;
    /// As often as not the number of players divides it, so that everybody has the button equally
    /// often.
    const BLOCK_DEALS: u32 = 120;
    const CHANCES: &'static [&'static str] = &[
        "the hands dealt",
        "cards when all are in",
        "the flop",
        "the turn",
        "the river",
    ];
    const NO_CARD: u8 = 0;
    type View = View;
    type Event = Event;
    type Action = Action;

    fn preset(name: &str) -> Option<Options> {
        Options::preset(name)
    }

    fn form(&self) -> Result<Form, String> {
        check_chips("big_blind", self.big_blind, 1)?;
        if !(1..=self.big_blind).contains(&self.small_blind) {
            return Err(format!(
                "small_blind is {}, must be 1 to the big blind's {}",
                self.small_blind, self.big_blind
            ));
        }
        check_chips("ante", self.ante, 0)?;
        check_chips("stack", self.stack, self.big_blind + self.ante)?;
        let by_position = [
            ("antes", &self.antes, 0),
            ("posts", &self.posts, -CHIPS_MAX),
            ("stacks", &self.stacks, 1),
        ];
        for (name, list, least) in by_position {
            if list.len() > SEATS_MAX {
                return Err(format!(
                    "{name} has {} entries, must have {SEATS_MAX} at most",
                    list.len()
                ));
            }
            list.iter()
                .try_for_each(|&chips| check_chips(name, chips, least))?;
        }
        if self.carry && !self.stacks.is_empty() {
            return Err(
                "stacks: every deal begins with these stacks, but `carry` is true; remove one of \
                 the two"
                    .into(),
            );
        }
        check_chips("rebuy", self.rebuy, 0)?;
        if self.limit == Limit::FixedLimit && !(self.big_blind..=CHIPS_MAX).contains(&self.big_bet)
        {
            return Err(format!(
                "big_bet is {}, must be {} (the big blind) to {CHIPS_MAX}",
                self.big_bet, self.big_blind
            ));
        }
        if self.limit == Limit::StreetPot {
            return Err(
                "limit `street-pot` is available for stud only; use no-limit, pot-limit or \
                 fixed-limit"
                    .into(),
            );
        }
        let late_bet = if self.limit == Limit::FixedLimit {
            self.big_bet
        } else {
            self.big_blind
        };
        let street = |first, down, community, bet| Street {
            down,
            up: 0,
            community,
            opens: false,
            first,
            bet,
            must_bet: false,
        };
        let mut form = Form {
            streets: vec![
                street(First::AfterBlinds, 2, 0, self.big_blind),
                street(First::LeftOfButton, 0, 3, self.big_blind),
                street(First::LeftOfButton, 0, 1, late_bet),
                street(First::LeftOfButton, 0, 1, late_bet),
            ],
            limit: self.limit,
            raises_max: self.raises_max,
            raises_max_blinds: self.raises_max_preflop.unwrap_or(self.raises_max),
            free_folds: self.free_folds,
            short_raise_reopens: self.short_raise_reopens,
            short_raise_counts: self.short_raise_counts,
            half_bet_counts: self.half_bet_counts,
            whole_blind: self.whole_blind,
            ante: self.ante,
            antes: self.antes.clone(),
            dead_antes: self.dead_antes,
            blinds: [self.small_blind, self.big_blind],
            posts: self.posts.clone(),
            bring_in: 0,
            odd_chips: OddChips::LeftOfButton,
            stack: self.stack,
            stacks: self.stacks.clone(),
            carry: self.carry,
            rebuy: self.rebuy,
            given: Vec::new(),
            balanced: false,
            fixed_button: false,
            reveal: false,
        };
        form.give(&self.deals, SEATS_MAX)?;
        Ok(form)
    }

    fn stake(&self) -> Option<(&'static str, i64)> {
        Some(("big blind", self.big_blind))
    }

    fn deals(&mut self) -> &mut Vec<String> {
        &mut self.deals
    }

    fn streets(&self) -> &'static [&'static str] {
        STREETS
    }

    fn blank(&self, _form: &Form) -> View {
        View {
            size: View::SIZE,
            limit: self.limit as u8,
            small_blind: self.small_blind,
            big_blind: self.big_blind,
            ante: self.ante,
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
            over: u8::from(deal.phase == Phase::Over),
            raises: betting.raises,
            raises_max: form.raises_max_on(&form.streets[usize::from(deal.street)]),
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
            ..*blank
        }
    }

    fn features() -> Option<&'static dyn Features<Poker<Self>>> {
        Some(&HoldemFeatures)
    }

    fn scene(&self, _form: &Form, view: &View) -> Scene {
        let street = STREETS.get(usize::from(view.street)).copied();
        let street = street.filter(|_| view.over == 0).unwrap_or("over");
        let facts = vec![
            ("street", street.to_owned()),
            ("pot", view.pot.to_string()),
            ("blinds", format!("{}/{}", view.small_blind, view.big_blind)),
        ];
        let seen = view.seen();
        let own = Own {
            hand: seen.hidden(),
            facts: Vec::new(),
        };
        seen.scene(facts, "board", |_| 2, own)
    }
}
