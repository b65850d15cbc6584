//! A deal and a block, and how a deal is set up: by chance or from a record.

use super::by_seat::BySeat;
use super::card::{self, CardSet, PACK, PACK_SIZE, SUITED};
use super::moves::Situation;
use super::records::{Action, Event, NONE, PLAYERS, View, event, flag, phase};
use super::{Daihinmin, exchange, view};
use crate::chance;
use bytemuck::Zeroable;
use rand::Rng;

/// What persists from deal to deal. Players keep their numbers throughout.
#[derive(Clone, Debug)]
pub struct Block {
    /// Deals that are finished.
    pub(super) finished: u32,
    /// Deals that are planned.
    pub(super) planned: u32,
    /// Player in each seat.
    pub(super) players: [u8; PLAYERS],
    /// Title of each player: the place of the last deal, [`NONE`] before the first.
    pub(super) titles: [u8; PLAYERS],
    /// Points of each player.
    pub(super) points: [i32; PLAYERS],
    /// The same by the seats of the current deal.
    pub(super) seat_points: [i32; PLAYERS],
}

/// A deal: the true state and its record.
///
/// What changes from turn to turn stands in few words, so that nothing is read in a wider piece than it was written in:
/// at a few tens of nanoseconds a turn, waiting for such a write is most of the time.
#[derive(Clone, Debug)]
pub struct Deal {
    /// The table, for the next play.
    pub(super) situation: Situation,
    /// State of the table as events show it.
    pub(super) flags: u8,
    /// Seat that is to decide, [`NONE`] when the deal is over.
    pub(super) to_act: u8,
    /// Seat that leads the trick or has played last in it.
    pub(super) last: u8,
    /// Seats that have passed in this trick.
    pub(super) passed: u8,
    /// Seats that are out of cards.
    pub(super) out: u8,
    /// Seats that have got their place.
    pub(super) placed: u8,
    /// As in [`View::phase`].
    pub(super) phase: u8,
    /// As in [`View::fresh`].
    pub(super) fresh: u8,
    /// As in [`View::ask_last`].
    pub(super) ask_last: u8,
    /// Passes since the last play.
    pub(super) passes: u32,
    /// Deals planned for the block.
    pub(super) planned: u32,
    /// Cards played.
    pub(super) gone: CardSet,
    /// As in [`View::players`].
    pub(super) players: BySeat,
    /// As in [`View::cards_left`].
    pub(super) cards_left: BySeat,
    /// As in [`View::titles`].
    pub(super) titles: BySeat,
    /// As in [`View::places`].
    pub(super) places: BySeat,
    /// Cards of each seat.
    pub(super) hands: Sets,
    /// Cards that each seat has given away in the exchange.
    pub(super) given: Sets,
    /// Cards that each seat knows to have got in the exchange.
    pub(super) received: Sets,
    /// Seats in the order in which the deadlock rule would place them.
    pub(super) deadlock_order: [u8; PLAYERS],
    /// The public record.
    pub(super) history: Vec<Event>,
}

/// A set of cards for each seat, with room for every value of three bits: [`at`] needs no check.
pub(super) type Sets = [CardSet; 8];

/// Where a seat's entry stands.
#[inline]
pub(super) fn at(seat: u8) -> usize {
    usize::from(seat & 7)
}

/// Everything that is settled before the first decision of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Player in each seat: a permutation of 0 to 4.
    pub players: [u8; PLAYERS],
    /// Title of each seat, a permutation of 0 to 4; all [`NONE`] in a fresh deal.
    pub titles: [u8; PLAYERS],
    /// Cards of each seat as dealt, before the exchange.
    pub hands: [CardSet; PLAYERS],
    /// Seats in the order in which the deadlock rule would place them: a permutation of 0 to 4.
    pub deadlock_order: [u8; PLAYERS],
}

impl Setup {
    /// Whether this can be played: permutations where they are due, and hands of 1 to 11 cards, 3 or more where they
    /// are exchanged. Cards in no hand count as played, so that the end of a deal can be set up too.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self) -> Result<(), &'static str> {
        let permutation = |order: &[u8; PLAYERS]| (0..5).all(|number| order.contains(&number));
        if !permutation(&self.players) {
            return Err("the players in the seats are not 0 to 4, each once");
        }
        let titled = self.titles != [NONE; PLAYERS];
        if titled && !permutation(&self.titles) {
            return Err("the titles are neither 0 to 4, each once, nor none at all");
        }
        if !permutation(&self.deadlock_order) {
            return Err("the deadlock order is not the seats 0 to 4, each once");
        }
        let fewest = if titled { 3 } else { 1 };
        if self.hands.iter().any(|hand| !(fewest..=11).contains(&hand.count_ones())) {
            return Err("a hand has more than 11 cards, or none, or too few for the exchange");
        }
        let cards: u32 = self.hands.iter().map(|hand| hand.count_ones()).sum();
        if self.union() & !PACK != 0 || self.union().count_ones() != cards {
            return Err("a card stands in two hands, or a hand holds something else than cards");
        }
        Ok(())
    }

    fn union(&self) -> CardSet {
        self.hands.iter().fold(0, |union, hand| union | hand)
    }
}

impl Block {
    /// A block before its first deal.
    #[must_use]
    pub fn new(deals: u32) -> Block {
        Block {
            finished: 0,
            planned: deals,
            players: [0, 1, 2, 3, 4],
            titles: [NONE; PLAYERS],
            points: [0; PLAYERS],
            seat_points: [0; PLAYERS],
        }
    }

    /// Deals that are finished.
    #[must_use]
    pub fn finished(&self) -> u32 {
        self.finished
    }

    /// Points of each player so far.
    #[must_use]
    pub fn points(&self) -> &[i32; PLAYERS] {
        &self.points
    }

    pub(super) fn update_seat_points(&mut self) {
        self.seat_points = self.players.map(|player| self.points[usize::from(player)]);
    }
}

impl Deal {
    /// An empty deal, over before it has begun. Its record has room for any deal that is not played to spite it.
    #[must_use]
    pub fn new() -> Deal {
        Deal {
            situation: Situation { table: Action::zeroed(), lock: false, reversed: false, rules: 0 },
            flags: flag::EMPTY,
            to_act: NONE,
            last: 0,
            passed: 0,
            out: 0,
            placed: 0,
            phase: phase::OVER,
            fresh: 0,
            ask_last: 0,
            passes: 0,
            planned: 0,
            gone: 0,
            players: [0, 1, 2, 3, 4].into(),
            cards_left: [0; PLAYERS].into(),
            titles: [NONE; PLAYERS].into(),
            places: [NONE; PLAYERS].into(),
            hands: [0; 8],
            given: [0; 8],
            received: [0; 8],
            deadlock_order: [0, 1, 2, 3, 4],
            history: Vec::with_capacity(512),
        }
    }

    /// Cards of each seat: god's view.
    #[must_use]
    pub fn hands(&self) -> [CardSet; PLAYERS] {
        std::array::from_fn(|seat| self.hands[seat])
    }

    /// Puts other cards into the hands, for look-ahead over what a seat cannot see.
    ///
    /// # Errors
    /// Where the hands are not the same cards in all, or a hand has another number of them than before.
    pub fn set_hands(&mut self, hands: [CardSet; PLAYERS]) -> Result<(), &'static str> {
        let all = |hands: &[CardSet; PLAYERS]| hands.iter().fold(0, |union, hand| union | hand);
        let sizes = |hands: &[CardSet; PLAYERS]| hands.map(CardSet::count_ones);
        if all(&hands) != all(&self.hands()) || sizes(&hands) != sizes(&self.hands()) {
            return Err("the hands must hold the same cards, as many in each as before");
        }
        self.hands[..PLAYERS].copy_from_slice(&hands);
        Ok(())
    }

    /// What decides, besides the hand of the seat to act, which plays are legal.
    #[must_use]
    pub fn situation(&self) -> &Situation {
        &self.situation
    }

    /// What every seat may know: a view that is no seat's.
    #[must_use]
    pub fn public(&self, block: &Block) -> View {
        let mut view = View::zeroed();
        view::fill(block, self, 0, &mut view);
        View { seat: NONE, give: 0, hand: 0, given: 0, received: 0, ..view }
    }

    /// The public record so far.
    #[must_use]
    pub fn history(&self) -> &[Event] {
        &self.history
    }

    #[inline]
    pub(super) fn record(&mut self, kind: u8, seat: u8, place: u8, action: [u64; 3]) {
        self.history.push(Event::packed(kind, seat, self.flags, place, action));
    }

    /// Gives a seat the next place.
    pub(super) fn place(&mut self, seat: u8) {
        let place = (self.placed.count_ones() & 7) as u8;
        self.placed |= 1 << seat;
        self.places.set(seat, place);
        self.record(event::OUT, seat, place, [0; 3]);
    }
}

impl Default for Deal {
    fn default() -> Deal {
        Deal::new()
    }
}

impl Daihinmin {
    /// Deals from a setup: takes the tribute and comes to the first decision. Where the three of diamonds is in no hand
    /// seat 0 leads. The seats become the block's.
    ///
    /// # Errors
    /// As [`Setup::check`].
    pub fn start(&self, block: &mut Block, setup: &Setup, deal: &mut Deal) -> Result<(), &'static str> {
        setup.check()?;
        block.players = setup.players;
        self.begin(block, setup, deal);
        Ok(())
    }

    /// Draws a setup: the cards first, then who gets the first one, the deadlock order, and seats where they are due.
    pub(super) fn draw<R: Rng>(&self, block: &mut Block, chance: &mut R) -> Setup {
        let fresh = block.finished.is_multiple_of(self.options.rank_reset);
        let mut hands = piles(chance);
        let random_first = chance::below(chance, 5) as usize;
        let mut deadlock_order = [0, 1, 2, 3, 4];
        chance::shuffle(&mut deadlock_order, chance);
        if self.redraws_seats(block.finished) {
            chance::shuffle(&mut block.players, chance);
        }
        let titles =
            if fresh { [NONE; PLAYERS] } else { block.players.map(|player| block.titles[usize::from(player)]) };
        // One card at a time round the table, so the first seats to get one have the larger hands: the daifugo's on.
        let first = titles.iter().position(|&title| title == 0).unwrap_or(random_first);
        hands.rotate_right(first);
        Setup { players: block.players, titles, hands, deadlock_order }
    }

    /// Whether seats are drawn before the deal that follows `finished` others.
    fn redraws_seats(&self, finished: u32) -> bool {
        match self.options.seat_redraw {
            0 => false,
            1 => finished == 0,
            every => finished.is_multiple_of(every),
        }
    }

    pub(super) fn begin(&self, block: &mut Block, setup: &Setup, deal: &mut Deal) {
        block.update_seat_points();
        let fresh = setup.titles[0] == NONE;
        deal.situation = Situation { table: Action::zeroed(), lock: false, reversed: false, rules: self.rules };
        deal.flags = flag::EMPTY;
        deal.passed = 0;
        deal.out = 0;
        deal.placed = 0;
        deal.phase = phase::PLAY;
        deal.fresh = u8::from(fresh);
        deal.ask_last = u8::from(self.options.ask_last_player_again);
        deal.passes = 0;
        deal.planned = block.planned;
        deal.gone = PACK & !setup.union();
        deal.players = setup.players.into();
        deal.cards_left = setup.hands.map(|hand| (hand.count_ones() & 63) as u8).into();
        deal.titles = setup.titles.into();
        deal.places = [NONE; PLAYERS].into();
        deal.hands[..PLAYERS].copy_from_slice(&setup.hands);
        deal.given = [0; 8];
        deal.received = [0; 8];
        deal.deadlock_order = setup.deadlock_order;
        deal.history.clear();
        if fresh || !self.options.exchange {
            deal.lead_first();
        } else {
            exchange::take_tribute(deal);
        }
    }
}

/// The pack in five piles of 11, 11, 11, 10 and 10 cards, every division equally likely.
fn piles<R: Rng>(chance: &mut R) -> [CardSet; PLAYERS] {
    const SIZES: [usize; PLAYERS] = [11, 11, 11, 10, 10];
    let mut deck = DECK;
    let mut undealt = 53; // PACK_SIZE, as the generator's bound
    let mut piles = [0; PLAYERS];
    // What is left after the other piles is the first pile, in whatever order.
    for (pile, size) in piles.iter_mut().zip(SIZES).skip(1) {
        for _ in 0..size {
            let drawn = chance::below(chance, undealt) as usize;
            undealt -= 1;
            *pile |= 1 << deck[drawn];
            deck[drawn] = deck[undealt as usize];
        }
    }
    piles[0] = PACK & !(piles[1] | piles[2] | piles[3] | piles[4]);
    piles
}

/// The cards of the pack, the joker last.
const DECK: [u8; PACK_SIZE] = {
    // The suited cards have the numbers from 4 on without a gap.
    assert!(SUITED == ((1 << (PACK_SIZE - 1)) - 1) << 4);
    let mut deck = [card::JOKER; PACK_SIZE];
    let mut card = 4;
    let mut index = 0;
    while index < PACK_SIZE - 1 {
        deck[index] = card;
        index += 1;
        card += 1;
    }
    deck
};
