//! A deal of any poker game.
//!
//! The deck is fixed before the first decision, with a place for every card that a seat may get.
//! Betting therefore does not influence the cards that come. The exception is seven-card stud with
//! eight players: the deck is too short, and folds influence which seat gets which of the last
//! cards.

use super::balance;
use super::betting::{Betting, SeatSet};
use super::block::Block;
use super::card::{CardSet, DECK, DECK_SIZE, set_of};
use super::event::{self, Entry};
use super::luck::StreetState;
use super::street::{BettingStructure, NOBODY, SEATS_MAX, STREETS_MAX};
use crate::cards::{NUMBERS, union_of};
use crate::seats::wrapped;
use crate::{chance, given};
use rand::Rng;

/// Maximum number of cards of a seat.
pub const CARDS_EACH_MAX: usize = 7;

/// The kind of action that a deal waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The seat to act bets, calls or folds.
    Bet,
    /// The seat to act turns a hidden card up.
    Open,
    /// The deal is over, and no action is possible.
    Over,
}

/// A move of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatMove {
    /// Give up the pot.
    Fold,
    /// Add the chips that are owed, possibly zero.
    Call,
    /// Post the bring-in.
    BringIn,
    /// Bet, raise or complete to this total of the street.
    RaiseTo(i64),
    /// Turn this hidden card up.
    Open(u8),
}

/// The true state of a deal, including its public record.
#[derive(Clone, Debug)]
pub struct Deal {
    /// Kind of action that the deal waits for.
    pub phase: Phase,
    /// Number of the street, from 0.
    pub street: u8,
    /// Seat with the button.
    pub button: u8,
    /// Seat to act, or [`NOBODY`] if the deal is over.
    pub to_act: u8,
    /// The chips, and the state of the betting.
    pub betting: Betting,
    /// Cards dealt to each seat so far.
    pub hands: [CardSet; SEATS_MAX],
    /// Face-up cards of each seat.
    pub up: [CardSet; SEATS_MAX],
    /// Cards of each seat that all players have seen: face-up cards, and cards shown at the end.
    pub shown: [CardSet; SEATS_MAX],
    /// Seats that discard their hands unseen at the showdown and cannot win. Set before the deal
    /// begins, to replay games that were recorded elsewhere; otherwise empty.
    pub mucked: SeatSet,
    /// Community cards dealt so far.
    pub community: CardSet,
    /// The public record.
    pub history: Vec<Entry>,
    /// Deck, in the order fixed before the deal.
    pub(super) deck: [u8; DECK_SIZE],
    /// Places in the deck of each seat's cards, in the order of dealing.
    pub(super) places: [[u8; CARDS_EACH_MAX]; SEATS_MAX],
    /// Number of places in the deck per seat.
    pub(super) each: u8,
    /// Place of the next community card.
    pub(super) community_place: u8,
    /// Seats that must still choose a card to turn up.
    pub(super) choosing: SeatSet,
    /// Cards that are turned up together, as indices into the cards of each seat.
    pub(super) chosen: [u8; SEATS_MAX],
    /// Number of deals that each of two seats was still to win before this one, if decks are
    /// balanced; otherwise 0.
    pub(super) to_win: [u32; 2],
    /// State of the deal when the cards of each street were dealt, from the second street on.
    pub(super) street_states: [StreetState; STREETS_MAX],
}

impl Deal {
    /// Creates an empty, finished deal.
    pub fn new() -> Deal {
        Deal {
            phase: Phase::Over,
            street: 0,
            button: 0,
            to_act: NOBODY,
            betting: Betting::new(),
            hands: [0; SEATS_MAX],
            up: [0; SEATS_MAX],
            shown: [0; SEATS_MAX],
            mucked: 0,
            community: 0,
            history: Vec::with_capacity(128),
            deck: UNSHUFFLED,
            places: [[0; CARDS_EACH_MAX]; SEATS_MAX],
            each: 0,
            community_place: 0,
            choosing: 0,
            chosen: [0; SEATS_MAX],
            to_win: [0; 2],
            street_states: [StreetState::default(); STREETS_MAX],
        }
    }

    /// Returns the deck. Only places that a deal can use are shuffled; the rest holds the remaining
    /// cards.
    pub fn deck(&self) -> &[u8; DECK_SIZE] {
        &self.deck
    }

    /// Returns the places in the deck of the cards of `seat`, in the order of dealing.
    pub fn places(&self, seat: u8) -> &[u8] {
        let seat = usize::from(seat);
        &self.places[seat][..self.hands[seat].count_ones() as usize]
    }

    /// Returns the cards that `seat` can see: its own, shown cards of others, and the community
    /// cards.
    pub fn seen_by(&self, seat: u8) -> CardSet {
        self.hands[usize::from(seat)] | self.community | union_of(&self.shown)
    }

    /// Sets the deck, before the deal begins.
    ///
    /// # Errors
    /// Returns an error if the deck does not consist of the 52 cards.
    pub(super) fn set_deck(&mut self, deck: &[u8; DECK_SIZE]) -> Result<(), &'static str> {
        if deck.iter().any(|&card| usize::from(card) >= DECK_SIZE) || set_of(deck) != DECK {
            return Err("the deck must contain each of the 52 cards once");
        }
        self.deck = *deck;
        self.to_win = [0; 2];
        Ok(())
    }

    /// Implements [`crate::Game::resample`]: shuffles the cards that the seat cannot see.
    pub(super) fn resample(&mut self, form: &BettingStructure, seat: u8, chance: &mut impl Rng) {
        let seen = self.seen_by(seat);
        let places: Vec<usize> = (0..DECK_SIZE)
            .filter(|&place| seen >> self.deck[place] & 1 == 0)
            .collect();
        let mut cards: Vec<u8> = places.iter().map(|&place| self.deck[place]).collect();
        loop {
            chance::shuffle(&mut cards, chance);
            for (&place, &card) in places.iter().zip(&cards) {
                self.deck[place] = card;
            }
            if balance::accepts_deck(form, self, chance) {
                break;
            }
        }
        self.look_up_hands();
    }

    /// Replaces the hands by the cards at their places in the deck.
    pub(super) fn look_up_hands(&mut self) {
        for seat in 0..SEATS_MAX {
            let count = self.hands[seat].count_ones() as usize;
            self.hands[seat] = self.cards_at(&self.places[seat][..count]);
        }
    }

    /// Returns the cards at these places in the deck.
    #[inline]
    pub(super) fn cards_at(&self, places: &[u8]) -> CardSet {
        let cards = places.iter().map(|&place| self.deck[usize::from(place)]);
        cards.fold(0, |set, card| set | 1 << card)
    }

    /// Shuffles the part of the deck that a deal can use. The number of draws does not depend on
    /// play.
    pub fn shuffle(&mut self, form: &BettingStructure, players: u8, chance: &mut impl Rng) {
        let wanted = usize::from(players * form.cards_per_seat() + form.community());
        self.deck = UNSHUFFLED;
        let mut left = 52; // DECK_SIZE, as the generator's bound
        for place in 0..wanted.min(DECK_SIZE) {
            self.deck
                .swap(place, place + chance::below(chance, left) as usize);
            left -= 1;
        }
    }

    /// Moves the given cards of the block's next deal to their places in the shuffled deck. The
    /// first hand is that of the seat left of the button.
    pub fn place_given_cards(&mut self, form: &BettingStructure, block: &Block) {
        let Some(deal) = block.given_deal(&form.given) else {
            return;
        };
        let each = usize::from(form.places_each(block.players));
        let mut seat = block.after(block.memory.button);
        for hand in &deal.hands {
            given::place_cards(&mut self.deck, usize::from(seat) * each, hand);
            seat = block.after(seat);
        }
        let end = usize::from(block.players) * each;
        given::place_cards(&mut self.deck, end, &deal.community);
    }

    /// Exchanges all cards that two seats will get, before the deal begins.
    ///
    /// # Panics
    /// Panics if the deck has no place for all of their cards.
    pub fn exchange_cards(&mut self, form: &BettingStructure, one: u8, other: u8) {
        let each = usize::from(form.cards_per_seat());
        for number in 0..each {
            self.deck.swap(
                usize::from(one) * each + number,
                usize::from(other) * each + number,
            );
        }
    }

    /// Starts the deal: antes, blinds and first cards, up to the first decision.
    pub fn begin(&mut self, form: &BettingStructure, block: &Block) {
        let players = block.players;
        self.betting.start(players, &block.stacks(form));
        self.button = block.memory.button;
        self.hands = [0; SEATS_MAX];
        self.up = [0; SEATS_MAX];
        self.shown = [0; SEATS_MAX];
        self.community = 0;
        self.choosing = 0;
        self.history.clear();
        self.each = form.places_each(players);
        self.community_place = players * self.each;
        self.street = 0;
        self.phase = Phase::Bet;
        self.to_act = NOBODY;
        self.post_antes(form);
        let blind = self.post_blinds(form);
        self.deal_street(form);
        self.open_betting(form, blind);
        if self.to_act == NOBODY {
            self.end_street(form);
        }
    }

    fn post_antes(&mut self, form: &BettingStructure) {
        if form.ante == 0 && form.antes.is_empty() {
            return;
        }
        for (position, seat) in (0..).zip(self.clockwise_from(self.next_seat(self.button))) {
            let ante = form.ante_of(position);
            if ante != 0 {
                let chips = self.betting.ante(form, seat, ante);
                self.record(event::ANTE, seat, chips, 0);
            }
        }
    }

    /// Posts the blinds or other forced bets. Returns the full amount of the largest forced bet.
    fn post_blinds(&mut self, form: &BettingStructure) -> i64 {
        let players = self.betting.players();
        // Heads-up, the button posts the small blind before the other seat posts the big blind.
        let mut position = if players == 2 { 1 } else { 0 };
        let mut most = 0;
        for seat in self.clockwise_from(self.at_position(position)) {
            let post = form.post_of(position, players).abs();
            position = wrapped(position + 1, players);
            most = most.max(post);
            let chips = self.betting.post(seat, post);
            if chips != 0 {
                self.record(event::BLIND, seat, chips, 0);
            }
        }
        most
    }

    /// Returns the seat after the largest post. A straddle that was posted short has no influence.
    pub(super) fn after_posts(&self, form: &BettingStructure) -> u8 {
        let players = self.betting.players();
        let bet = |seat: u8| self.betting.bets[usize::from(seat)];
        if form.posts.is_empty() {
            let (small, big) = if players == 2 { (1, 0) } else { (0, 1) };
            let [small, big] = [small, big].map(|position| self.at_position(position));
            // Only the two blinds exist: take the larger one.
            if bet(small).max(bet(big)) > 0 {
                return self.next_seat(if bet(big) < bet(small) { small } else { big });
            }
        }
        let posted = |position: u8| {
            let bet = bet(self.at_position(position));
            // Of equal posts the last counts. Heads-up, that is the big blind, which has position
            // 0.
            let order = if players == 2 { 1 - position } else { position };
            (bet * form.post_of(position, players).signum(), order)
        };
        let last = (0..players).max_by_key(|&position| posted(position));
        self.next_seat(self.at_position(last.unwrap_or(0)))
    }

    /// Returns the seat of a position. Position 0 is the seat left of the button.
    fn at_position(&self, position: u8) -> u8 {
        wrapped(self.button + 1 + position, self.betting.players())
    }

    pub(super) fn next_seat(&self, seat: u8) -> u8 {
        wrapped(seat + 1, self.betting.players())
    }

    /// Returns all seats clockwise from `first`.
    pub(super) fn clockwise_from(&self, first: u8) -> impl DoubleEndedIterator<Item = u8> + use<> {
        let players = self.betting.players();
        (0..players).map(move |step| wrapped(first + step, players))
    }

    /// Returns the seats in play clockwise from `first`.
    pub(super) fn in_play_from(&self, first: u8) -> impl DoubleEndedIterator<Item = u8> + use<> {
        let in_play = self.betting.in_play;
        self.clockwise_from(first)
            .filter(move |seat| in_play & 1 << seat != 0)
    }

    pub(super) fn is_in_play(&self, seat: u8) -> bool {
        self.betting.in_play & 1 << seat != 0
    }

    #[inline]
    pub(super) fn record(&mut self, kind: u8, seat: u8, amount: i64, cards: CardSet) {
        let all_in = seat != NOBODY && self.betting.stacks[usize::from(seat)] == 0;
        let flags = if all_in && event::moves_chips_in(kind) {
            event::ALL_IN
        } else {
            0
        };
        self.history.push(Entry {
            kind,
            seat,
            street: self.street,
            flags,
            reserved: 0,
            amount,
            cards,
        });
    }
}

impl Default for Deal {
    fn default() -> Deal {
        Deal::new()
    }
}

/// The deck in ascending order.
const UNSHUFFLED: [u8; DECK_SIZE] = *NUMBERS.first_chunk().expect("at most 64 cards");
