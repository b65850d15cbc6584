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

pub use deal::{Block, Deal};
pub use options::{CARDS_MAX, LeadRule, Options, PassRule};
pub use records::{Action, Event, NONE, PLAYERS_MAX, View, event, kind, rule};

use crate::cards::{members, set_of};
use crate::features::Features;
use crate::frame::{Constant, Framed};
use crate::given::{self, FixedDeal};
use crate::scene::Scene;
use crate::{ChanceEvent, Game, GameTypes, LUCK_PARTS, Move, chance};
use bytemuck::Zeroable;
use rand::Rng;
use std::sync::LazyLock;

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
    const NUMBERING: &'static [&'static str] = &[
        "Cards differ only in strength. They are numbered from 0, the weakest.",
        "In text, strengths start at 1, so card 0 is written \"1\".",
        "A set of cards has bit 1 << n for card n.",
        "",
        "Seats are numbered from 0 in the order of play; seat 0 leads the deal.",
        "A set of seats has bit 1 << n for seat n.",
    ];
    const CONSTANTS: &'static [Constant] = &[
        Constant::number(
            "PLAYERS_MAX",
            PLAYERS_MAX as u64,
            "Maximum number of players at a table.",
        ),
        Constant::number(
            "CARDS_MAX",
            CARDS_MAX as u64,
            "Maximum number of cards in a hand.",
        ),
        Constant::number(
            "NONE",
            NONE as u64,
            "Value for no seat, player, place or card.",
        ),
    ];

    /// Returns the strength, counted from 1.
    fn card_name(card: u8) -> Option<&'static str> {
        static NAMES: LazyLock<Vec<String>> =
            LazyLock::new(|| (1..=60).map(|strength: u8| strength.to_string()).collect());
        NAMES.get(usize::from(card)).map(String::as_str)
    }
}

impl Game for Tanhinmin {
    type Options = Options;
    type Block = Block;
    type Deal = Deal;

    const LINES: &'static [&'static str] = &[
        "passes",
        "plays {card}",
        "leads: the trick is over",
        "comes {place}",
    ];
    const OFFERS: &'static [&'static str] = &["Pass", "Play {card}"];

    fn new(options: Options) -> Result<Tanhinmin, String> {
        let given = options.check()?;
        Ok(Tanhinmin { options, given })
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn rules() -> &'static str {
        include_str!("RULES.md")
    }

    fn players() -> (usize, usize) {
        (2, PLAYERS_MAX)
    }

    /// Returns the smallest number of players for which all given hands and cards are dealt, and
    /// the maximum number of players.
    fn tables(&self) -> (usize, usize) {
        let given = self.given.iter().flat_map(|deal| &deal.hands);
        let needed = given.flatten().max().map_or(0, |&strongest| {
            usize::from(strongest) / self.options.cards as usize + 1
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
        assert!(
            (2..=PLAYERS_MAX).contains(&players),
            "tanhinmin has two to six players"
        );
        Block {
            players: u8::try_from(players).expect("six at most"),
            planned: deals,
            ..Block::default()
        }
    }

    fn number_block(&self, block: &mut Block, number: u64) {
        block.number = number;
    }

    fn new_deal(&self) -> Deal {
        Deal::new()
    }

    fn deal<R: Rng>(&self, block: &mut Block, chance: &mut R, deal: &mut Deal) {
        let (count, cards) = (usize::from(block.players), self.options.cards as usize);
        let mut players: [u8; PLAYERS_MAX] = [0, 1, 2, 3, 4, 5];
        chance::shuffle(&mut players[..count], chance);
        players[count..].fill(NONE);
        let mut deck: [u8; 64] = std::array::from_fn(|card| card.to_le_bytes()[0]);
        let deck = &mut deck[..count * cards];
        chance::shuffle(deck, chance);
        let given =
            given::next_given_deal(&self.given, block.number, block.planned, block.finished);
        let given_hands = given.into_iter().flat_map(|deal| &deal.hands);
        for (hand, place) in given_hands.zip((0..).step_by(cards)) {
            given::place_cards(deck, place, hand);
        }
        let mut cards_left = [0; PLAYERS_MAX];
        cards_left[..count].fill((self.options.cards & 15) as u8);
        deal.hands = [0; PLAYERS_MAX];
        for (hand, cards) in deal.hands.iter_mut().zip(deck.chunks(cards)) {
            *hand = set_of(cards);
        }
        deal.dealt = deal.hands;
        deal.to_act = 0;
        deal.history.clear();
        deal.public = View {
            size: View::SIZE,
            seats: block.players,
            cards: cards_left[0],
            table: NONE,
            table_seat: NONE,
            rules: self.options.flags(),
            players,
            cards_left,
            places: [NONE; PLAYERS_MAX],
            ..View::zeroed()
        };
    }

    #[inline]
    fn to_act(&self, deal: &Deal) -> Option<u8> {
        (deal.to_act != NONE).then_some(deal.to_act)
    }

    #[inline]
    fn player_at(&self, deal: &Deal, seat: u8) -> usize {
        let player = deal.public.players.get(usize::from(seat));
        player.copied().unwrap_or(NONE).into()
    }

    /// Lists the pass, unless the seat leads, then the cards from weak to strong.
    #[inline]
    fn legal(&self, deal: &Deal, actions: &mut Vec<Action>) {
        debug_assert_ne!(deal.to_act, NONE, "the deal is over");
        actions.clear();
        let mut cards = deal.hands[usize::from(deal.to_act) % PLAYERS_MAX];
        let table = deal.public.table;
        if table != NONE {
            actions.push(Action::PASS);
            cards = cards >> table >> 1 << 1 << table;
        }
        members(cards).for_each(|card| actions.push(Action::play(card)));
    }

    #[inline]
    fn view(&self, block: &Block, deal: &Deal, seat: u8, view: &mut View) {
        let points = |player| block.points.get(usize::from(player)).copied();
        *view = View {
            deal: block.finished,
            deals: block.planned,
            seat,
            hand: deal.hands[usize::from(seat) % PLAYERS_MAX],
            points: deal
                .public
                .players
                .map(|player| points(player).unwrap_or(0)),
            ..deal.public
        };
    }

    #[inline]
    fn history<'a>(&self, deal: &'a Deal) -> &'a [Event] {
        &deal.history
    }

    #[inline]
    fn apply(&self, deal: &mut Deal, choice: Move<Action>) {
        deal.play(&self.options, &choice.action);
    }

    /// Redeals the cards of the other seats. A pass gives no information about cards, because it is
    /// always legal.
    fn resample<R: Rng>(&self, deal: &mut Deal, seat: u8, chance: &mut R) {
        let before = deal.hands;
        chance::redeal(
            &mut deal.hands[..usize::from(deal.public.seats)],
            seat,
            chance,
        );
        for (dealt, (before, now)) in deal.dealt.iter_mut().zip(before.iter().zip(deal.hands)) {
            *dealt = *dealt & !before | now;
        }
    }

    fn origin(&self, start: &Deal, later: &Deal, _choices: &mut [Move<Action>]) -> Option<Deal> {
        let mut deal = start.clone();
        (deal.hands, deal.dealt) = (later.dealt, later.dealt);
        Some(deal)
    }

    fn finish(&self, block: &mut Block, deal: &Deal, payoffs: &mut [i64]) {
        debug_assert_eq!(deal.to_act, NONE, "the deal is not over");
        let View {
            players, places, ..
        } = deal.public;
        for (player, place) in players.into_iter().zip(places).take(block.players.into()) {
            let points = block.players - place;
            payoffs[usize::from(player)] = points.into();
            let sum = &mut block.points[usize::from(player)];
            *sum = sum.saturating_add(points.into());
        }
        block.finished += 1;
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

    /// Reports the luck of the lead, then of the cards. The value of a card is the square of its
    /// strength.
    fn luck<R: Rng>(&self, deal: &Deal, _chance: &mut R, mut tell: impl FnMut(ChanceEvent<'_>)) {
        if self.chances().is_empty() {
            return;
        }
        let (players, count) = (deal.hands().len(), i64::from(deal.public.seats));
        // Reports values by seat, in units of 1 / `parts` of a point, minus their mean.
        let mut report = |kind, values: [i64; PLAYERS_MAX], parts: i64| {
            let sum: i64 = values.iter().sum();
            let mut worth = [0; PLAYERS_MAX];
            for (player, value) in deal.public.players.into_iter().zip(values).take(players) {
                worth[usize::from(player)] = (count * value - sum) * LUCK_PARTS / (count * parts);
            }
            tell(ChanceEvent {
                kind,
                event: 0,
                worth: &worth[..players],
            });
        };
        let all_cards = count * i64::from(deal.public.cards);
        let square = |card: u8| i64::from(card).pow(2);
        report(0, [1, 0, 0, 0, 0, 0], 1);
        let hands = deal.dealt.map(|hand| members(hand).map(square).sum());
        report(1, hands, all_cards * all_cards);
    }

    fn features() -> Option<&'static dyn Features<Self>> {
        Some(&features::TanhinminFeatures)
    }

    fn scene(&self, view: &View) -> Scene {
        scene::scene(view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn card_names_are_strengths_counted_from_1() {
        for card in 0..=u8::MAX {
            let expected = (card < 60).then(|| (u32::from(card) + 1).to_string());
            assert_eq!(Tanhinmin::card_name(card).map(str::to_owned), expected);
        }
    }
}
