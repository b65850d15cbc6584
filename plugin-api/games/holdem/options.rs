//! The options of the rules.

use super::records::{Action, Event, View};
use crate::poker::{
    BetLimit, BettingStructure, Block, CHIPS_MAX, Deal, FirstToAct, Phase, SEATS_MAX, Street,
    Variant, check_chips,
};
use crate::scene::{OwnCards, Scene, name_at};
use crate::{check_range, options};

options! {
    /// The options of the rules. The default is the preset `cash`.
    pub struct Options {
        /// Betting limit: `no-limit`, `pot-limit` or `fixed-limit`.
        pub limit: BetLimit = BetLimit::NoLimit,
        /// Small blind in chips, at most the big blind. Heads-up, the button posts it.
        pub small_blind: i64 = 50,
        /// Big blind in chips and minimum bet; at fixed limit, the bet of the first two streets.
        pub big_blind: i64 = 100,
        /// Bet of the last two streets at fixed limit.
        pub big_bet: i64 = 200,
        /// Ante of every seat in chips.
        pub ante: i64 = 0,
        /// Antes by position, if they differ; otherwise empty. With `[0, 100]` the big blind posts
        /// the ante for all. Positions start left of the button; missing positions pay nothing.
        pub antes: Vec<i64> = Vec::new(),
        /// `true` if all antes belong to the main pot. `false`: a seat that could not pay its whole
        /// ante wins only the same amount of each other ante.
        pub dead_antes: bool = false,
        /// Forced bets by position, for more than two blinds, otherwise empty: `[50, 100, 200]` has
        /// a straddle. All seats must match the highest, and the seat after it acts first. A
        /// negative amount is posted too, but does not influence who acts first.
        pub posts: Vec<i64> = Vec::new(),
        /// Initial chips of a seat.
        pub stack: i64 = 10_000,
        /// Initial chips by position in every deal. Positions that are missing have `stack`.
        pub stacks: Vec<i64> = Vec::new(),
        /// `true` if stacks are carried from deal to deal; otherwise each deal starts with full
        /// stacks.
        pub carry: bool = false,
        /// Chips that a seat without chips gets before the next deal, if stacks are carried. With
        /// 0, the block ends instead.
        pub rebuy: i64 = 0,
        /// Maximum number of bets and raises per street, not counting blinds; 0 for no limit.
        pub raises_max: u8 = 0,
        /// Maximum number of raises on the first street; `None` for the value of `raises_max`.
        pub raises_max_preflop: Option<u8> = None,
        /// `true` if a seat that could check may fold. Servers of the Annual Computer Poker
        /// Competition do not allow it.
        pub free_folds: bool = true,
        /// `true` if a seat that has acted may raise again after an all-in raise of less than a
        /// whole raise.
        pub short_raise_reopens: bool = false,
        /// Minimum total after an all-in raise of less than a whole raise, except at fixed limit,
        /// where it is one bet above the new total. `true`: the old minimum,
        /// or the new total plus the amount that the raise added, whichever is higher (the rule of
        /// the Annual Computer Poker Competition). `false`: one whole raise above the new total.
        pub short_raise_counts: bool = false,
        /// `true` if, at fixed limit, an all-in raise of half a bet or more counts as a whole raise
        /// (rule 47 of the Poker Tournament Directors Association, 2019).
        pub half_bet_counts: bool = true,
        /// `true` if the other seats must match the full big blind even if it was posted short.
        /// `false`: they must match the amount posted.
        pub whole_blind: bool = true,
    }
    /// Given deals. Blocks play them in turn and start again after the last. Hands start left
    /// of the button and are separated by `/`; `|` precedes the community cards. Cards that are
    /// not named are random. If the list is empty, all deals are random.
    given deals
    presets {
        /// - `cash`: no-limit, blinds 50 and 100, 10,000 chips in every deal.
        "cash" {},
        /// - `serial`: the rules of a Japanese magazine serial on game programming. Blinds 1 and 2,
        ///   200 chips, at most 4 bets and raises per street, carried stacks, rebuys of 100 chips.
        "serial" {
            small_blind: 1,
            big_blind: 2,
            stack: 200,
            carry: true,
            rebuy: 100,
            raises_max: 4,
        },
        /// - `limit`: bets of 100 and 200, at most 4 per street; an all-in of half a bet counts as
        ///   a whole bet.
        "limit" {
            limit: BetLimit::FixedLimit,
            raises_max: 4,
        },
        /// - `pot-limit`: `cash` with raises of at most the pot.
        "pot-limit" {
            limit: BetLimit::PotLimit,
        },
        /// - `acpc`: the no-limit rules of the Annual Computer Poker Competition. Blinds 50 and
        ///   100, 20,000 chips in every deal, no free folds; after any raise all seats may act
        ///   again.
        "acpc" {
            stack: 20_000,
            free_folds: false,
            short_raise_reopens: true,
            short_raise_counts: true,
            half_bet_counts: false,
        },
        /// - `acpc-limit`: the fixed-limit rules of that competition. Blinds 5 and 10, bets of 10
        ///   and 20, 3 raises on the first street and 4 on the others, enough chips for all bets of
        ///   a deal.
        "acpc-limit" {
            limit: BetLimit::FixedLimit,
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
        },
    }
}

/// The names of the streets.
const STREETS: &[&str] = &["preflop", "flop", "turn", "river"];

impl Variant for Options {
    const ID: &'static str = "holdem/1";
    const RULES: &'static str = include_str!("RULES.md");
    const PLAYERS_MAX: usize = SEATS_MAX;
    /// A multiple of most numbers of players, so that all players have the button equally often.
    const BLOCK_DEALS: u32 = 120;
    const CHANCES: &'static [&'static str] = &[
        "the hands dealt",
        "cards when all are in",
        "the flop",
        "the turn",
        "the river",
    ];
    const NO_CARD: u8 = 0;
    type Features = Self;
    type View = View;
    type Event = Event;
    type Action = Action;

    fn form(&self) -> Result<BettingStructure, String> {
        check_chips("big_blind", self.big_blind, 1)?;
        check_range("small_blind", self.small_blind, 1..=self.big_blind)
            .map_err(|error| error + " (the big blind)")?;
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
                    "{name} has {} entries, must have at most {SEATS_MAX}",
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
        if self.limit == BetLimit::FixedLimit
            && !(self.big_blind..=CHIPS_MAX).contains(&self.big_bet)
        {
            return Err(format!(
                "big_bet is {}, must be {} (the big blind) to {CHIPS_MAX}",
                self.big_bet, self.big_blind
            ));
        }
        if self.limit == BetLimit::StreetPot {
            return Err(
                "limit `street-pot` is available for stud only; use no-limit, pot-limit or \
                 fixed-limit"
                    .into(),
            );
        }
        let late_bet = if self.limit == BetLimit::FixedLimit {
            self.big_bet
        } else {
            self.big_blind
        };
        let street = |first, down, community, bet| Street {
            down,
            community,
            first,
            bet,
            ..Street::default()
        };
        let mut form = BettingStructure {
            streets: vec![
                street(FirstToAct::AfterBlinds, 2, 0, self.big_blind),
                street(FirstToAct::LeftOfButton, 0, 3, self.big_blind),
                street(FirstToAct::LeftOfButton, 0, 1, late_bet),
                street(FirstToAct::LeftOfButton, 0, 1, late_bet),
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
            stack: self.stack,
            stacks: self.stacks.clone(),
            carry: self.carry,
            rebuy: self.rebuy,
            ..BettingStructure::default()
        };
        form.set_given_deals(&self.deals, SEATS_MAX)?;
        Ok(form)
    }

    fn stake(&self) -> Option<(&'static str, i64)> {
        Some(("big blind", self.big_blind))
    }

    fn streets(&self) -> &'static [&'static str] {
        STREETS
    }

    #[inline]
    fn view(form: &BettingStructure, block: &Block, deal: &Deal, seat: u8, view: &mut View) {
        view.fill(form, block, deal, seat);
        view.small_blind = form.blinds[0];
        view.big_blind = form.blinds[1];
        view.over = u8::from(deal.phase == Phase::Over);
        view.raises_max = form.raises_max_on(&form.streets[usize::from(deal.street)]);
    }

    fn scene(&self, _form: &BettingStructure, view: &View) -> Scene {
        let street = match view.over {
            0 => name_at(STREETS, view.street, "over"),
            _ => "over",
        };
        let facts = vec![
            ("street", street.to_owned()),
            ("pot", view.pot.to_string()),
            ("blinds", format!("{}/{}", view.small_blind, view.big_blind)),
        ];
        let own = OwnCards {
            hand: view.hidden(),
            facts: Vec::new(),
        };
        view.table_scene(facts, "board", |_| 2, own)
    }
}
