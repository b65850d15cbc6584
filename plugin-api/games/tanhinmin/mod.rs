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

pub use deal::{Block, Deal};
pub use options::{CARDS_MAX, LeadRule, Options, PassRule};
pub use records::{Action, Event, NONE, PLAYERS_MAX, View, event, kind, rule};

use crate::cards::{NUMBERS, members, set_of};
use crate::frame::{Constant, Framed};
use crate::given::{self, FixedDeal};
use crate::scene::{OwnCards, Pile, Scene, SceneSeat, Tableau, ordinal};
use crate::{ChanceEvent, Game, GameTypes, LUCK_PARTS, Move, Seating, chance};
use bytemuck::Zeroable;
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
    /// Strengths, counted from 1.
    const CARDS: &'static str = concat!(
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 ",
        "31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60"
    );
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
}

impl Game for Tanhinmin {
    type Options = Options;
    type Features = Self;
    type Memory = ();
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

    fn given_deals(&self) -> Vec<usize> {
        given::first_with_same_cards(&self.given)
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

    fn memory(&self, _players: usize, _deals: u32) {}

    fn seating(&self) -> Seating {
        Seating::Drawn
    }

    fn new_deal(&self) -> Deal {
        Deal {
            public: View::zeroed(),
            hands: [0; PLAYERS_MAX],
            played: [0; PLAYERS_MAX],
            to_act: NONE,
            history: Vec::with_capacity(256),
        }
    }

    fn deal<R: Rng>(&self, block: &mut Block, chance: &mut R, deal: &mut Deal) {
        let (count, cards) = (usize::from(block.players), self.options.cards as usize);
        let mut players: [u8; PLAYERS_MAX] = std::array::from_fn(|place| block.numbers[place]);
        chance::shuffle(&mut players[..count], chance);
        players[count..].fill(NONE);
        let mut deck = NUMBERS;
        let deck = &mut deck[..count * cards];
        chance::shuffle(deck, chance);
        if let Some(given) = block.given_deal(&self.given) {
            for (hand, place) in given.hands.iter().zip((0..).step_by(cards)) {
                given::place_cards(deck, place, hand);
            }
        }
        let mut cards_left = [0; PLAYERS_MAX];
        cards_left[..count].fill((self.options.cards & 15) as u8);
        deal.hands = [0; PLAYERS_MAX];
        for (hand, cards) in deal.hands.iter_mut().zip(deck.chunks(cards)) {
            *hand = set_of(cards);
        }
        deal.played = [0; PLAYERS_MAX];
        deal.to_act = 0;
        deal.history.clear();
        deal.public = View {
            size: View::SIZE,
            deal: block.finished,
            deals: block.planned,
            seats: block.players,
            cards: cards_left[0],
            table: NONE,
            table_seat: NONE,
            rules: (u8::from(self.options.pass == PassRule::Free) * rule::FREE_PASS)
                | (u8::from(self.options.lead == LeadRule::Lowest) * rule::LOWEST_LEADS),
            players,
            cards_left,
            places: [NONE; PLAYERS_MAX],
            points: block.totals_of(players),
            ..View::zeroed()
        };
    }

    #[inline]
    fn to_act(&self, deal: &Deal) -> Option<u8> {
        (deal.to_act != NONE).then_some(deal.to_act)
    }

    #[inline]
    fn player_at(&self, deal: &Deal, seat: u8) -> usize {
        deal.public.players[usize::from(seat) % PLAYERS_MAX].into()
    }

    /// Lists the pass, unless the seat leads, then the cards from weak to strong.
    #[inline]
    fn legal(&self, deal: &Deal, actions: &mut Vec<Action>) {
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
        *view = View {
            seat,
            hand: deal.hands[usize::from(seat) % PLAYERS_MAX],
            ..deal.public
        };
        // After the end of the deal, the block counts it.
        if view.deal != block.finished {
            view.deal = block.finished;
            view.points = block.totals_of(view.players);
        }
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
        let seats = usize::from(deal.public.seats);
        chance::redeal(&mut deal.hands[..seats], seat, chance);
    }

    fn origin(&self, start: &Deal, later: &Deal, _choices: &mut [Move<Action>]) -> Option<Deal> {
        let (hands, start) = (later.dealt(), start.clone());
        Some(Deal { hands, ..start })
    }

    fn payoffs(&self, block: &Block, deal: &Deal, payoffs: &mut [i64]) {
        let places = deal.public.players.into_iter().zip(deal.public.places);
        for (player, place) in places.take(block.players.into()) {
            payoffs[usize::from(player)] = (block.players - place).into();
        }
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
        let hands = deal.dealt().map(|hand| members(hand).map(square).sum());
        report(1, hands, all_cards * all_cards);
    }

    fn scene(&self, view: &View) -> Scene {
        let pile = (view.table != NONE).then(|| Pile {
            name: "to beat",
            seat: Some(view.table_seat),
            faces: Tanhinmin::faces([view.table]),
        });
        let places = (0..view.seats).map(|seat| {
            let at = usize::from(seat);
            let is_out = view.places[at] != NONE;
            let note = match view.passed >> seat & 1 {
                _ if is_out => ordinal(view.places[at]),
                1 => "passed".to_owned(),
                _ => String::new(),
            };
            SceneSeat {
                player: view.players[at],
                held: view.cards_left[at],
                facts: vec![("points", view.points[at].to_string())],
                note,
                is_out,
                ..SceneSeat::default()
            }
        });
        Scene {
            table: Tableau {
                facts: vec![("played", Tanhinmin::faces(members(view.gone)))],
                piles: pile.into_iter().collect(),
                places: places.collect(),
            },
            own: OwnCards {
                hand: Tanhinmin::faces(members(view.hand)),
                facts: Vec::new(),
            },
        }
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
