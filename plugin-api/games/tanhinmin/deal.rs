//! The state of a deal and of a block, and the effects of play.

use super::options::{LeadRule, Options, PassRule};
use super::records::{Action, Event, NONE, PLAYERS_MAX, View, event};
use crate::cards::{members, union_of};
use crate::frame::Framed;
use crate::seats::next_of;
use crate::{LUCK_PARTS, chance};
use rand::Rng;

/// The state that persists from deal to deal: points, which do not influence play.
#[derive(Clone, Debug)]
pub struct Block {
    /// Player in each seat, or [`NONE`].
    seats: [u8; PLAYERS_MAX],
    players: u8,
    /// Index of the block in its line-up.
    pub(super) number: u64,
    pub(super) planned: u32,
    pub(super) finished: u32,
    /// Points of each player.
    points: [i32; PLAYERS_MAX],
}

/// The true state of a deal, including its public record.
#[derive(Clone, Debug)]
pub struct Deal {
    players: u8,
    /// Number of cards per player.
    cards: u8,
    pass: PassRule,
    lead: LeadRule,
    rules: u8,
    pub(super) hands: [u64; PLAYERS_MAX],
    /// Hands at the start of the deal.
    pub(super) dealt: [u64; PLAYERS_MAX],
    /// Number of cards in each hand.
    cards_left: [u8; PLAYERS_MAX],
    seats: [u8; PLAYERS_MAX],
    places: [u8; PLAYERS_MAX],
    gone: u64,
    /// Card on the table, or [`NONE`].
    table: u8,
    /// Seat that played last in the trick, or that leads it.
    last: u8,
    /// Seat to act, or [`NONE`] if the deal is over.
    to_act: u8,
    passed: u8,
    out: u8,
    pub(super) history: Vec<Event>,
}

impl Block {
    /// Creates a block before its first deal.
    ///
    /// # Panics
    /// Panics if `players` is not 2 to 6.
    #[must_use]
    pub fn new(players: usize, deals: u32) -> Block {
        assert!(
            (2..=PLAYERS_MAX).contains(&players),
            "tanhinmin has two to six players"
        );
        let players = u8::try_from(players).expect("six at most");
        Block {
            seats: [NONE; PLAYERS_MAX],
            players,
            number: 0,
            planned: deals,
            finished: 0,
            points: [0; PLAYERS_MAX],
        }
    }

    /// Returns the number of players.
    #[must_use]
    pub fn players(&self) -> usize {
        usize::from(self.players)
    }

    /// Seats the players in this order, starting with seat 0.
    pub(super) fn set_seats(&mut self, order: &[u8; PLAYERS_MAX]) {
        for (number, (seat, &player)) in (0..).zip(self.seats.iter_mut().zip(order)) {
            *seat = if number < self.players { player } else { NONE };
        }
    }

    pub(super) fn finish(&mut self, deal: &Deal, payoffs: &mut [i64]) {
        debug_assert_eq!(deal.to_act, NONE, "the deal is not over");
        for (&player, &place) in deal.seats.iter().zip(&deal.places).take(self.players()) {
            let points = i32::from(deal.players - place);
            payoffs[usize::from(player)] = i64::from(points);
            let sum = &mut self.points[usize::from(player)];
            *sum = sum.saturating_add(points);
        }
        self.finished += 1;
    }
}

impl Deal {
    /// Creates an empty, finished deal.
    #[must_use]
    pub fn new() -> Deal {
        Deal::with_history(Vec::with_capacity(256))
    }

    /// Creates an empty, finished deal with a list for its record.
    fn with_history(history: Vec<Event>) -> Deal {
        Deal {
            players: 0,
            cards: 0,
            pass: PassRule::Permanent,
            lead: LeadRule::Next,
            rules: 0,
            hands: [0; PLAYERS_MAX],
            dealt: [0; PLAYERS_MAX],
            cards_left: [0; PLAYERS_MAX],
            seats: [NONE; PLAYERS_MAX],
            places: [NONE; PLAYERS_MAX],
            gone: 0,
            table: NONE,
            last: 0,
            to_act: NONE,
            passed: 0,
            out: 0,
            history,
        }
    }

    /// Starts a deal with these hands; seat 0 leads.
    pub(super) fn begin(&mut self, block: &Block, options: &Options, hands: [u64; PLAYERS_MAX]) {
        let mut history = std::mem::take(&mut self.history);
        history.clear();
        *self = Deal {
            players: block.players,
            cards: (options.cards & 15) as u8,
            pass: options.pass,
            lead: options.lead,
            rules: options.flags(),
            hands,
            dealt: hands,
            seats: block.seats,
            to_act: 0,
            ..Deal::with_history(history)
        };
        self.cards_left[..block.players()].fill(self.cards);
    }

    /// Returns the cards of each seat.
    #[must_use]
    pub fn hands(&self) -> &[u64] {
        &self.hands[..usize::from(self.players)]
    }

    /// Returns the luck of each player: first from the lead, then from the cards, see
    /// [`crate::Game::luck`]. The value of a card is the square of its strength.
    pub(super) fn luck(&self) -> [[i64; PLAYERS_MAX]; 2] {
        let [mut seats, mut cards] = [[0; PLAYERS_MAX]; 2];
        let players = usize::from(self.players);
        let count = i64::from(self.players);
        let cards_in_all = count * i64::from(self.cards);
        let mut worths = [0_i64; PLAYERS_MAX];
        for (worth, &hand) in worths.iter_mut().zip(&self.dealt[..players]) {
            *worth = members(hand).map(|card| i64::from(card).pow(2)).sum();
        }
        let sum: i64 = worths.iter().sum();
        for (seat, worth) in worths[..players].iter().enumerate() {
            let player = usize::from(self.seats[seat]);
            seats[player] = (count * i64::from(seat == 0) - 1) * LUCK_PARTS / count;
            cards[player] =
                (count * worth - sum) * LUCK_PARTS / (count * cards_in_all * cards_in_all);
        }
        [seats, cards]
    }

    /// Implements [`crate::Game::resample`]. A pass gives no information about cards, because it is
    /// always legal.
    pub(super) fn resample<R: Rng>(&mut self, seat: u8, chance: &mut R) {
        let before = self.hands;
        chance::redeal(&mut self.hands[..usize::from(self.players)], seat, chance);
        for (dealt, (before, now)) in self.dealt.iter_mut().zip(before.iter().zip(self.hands)) {
            *dealt = *dealt & !before | now;
        }
    }

    /// Replaces the hands before the first play; each keeps its number of cards.
    ///
    /// # Errors
    /// Returns an error if play has begun, if a card occurs twice, or if a hand has the wrong
    /// number of cards.
    pub fn set_hands(&mut self, hands: &[u64]) -> Result<(), &'static str> {
        if self.gone != 0 || hands.len() != usize::from(self.players) {
            return Err(
                "hands can be replaced only before the first play, and for all seats at once",
            );
        }
        let union = union_of(hands);
        let cards: u32 = hands.iter().map(|hand| hand.count_ones()).sum();
        if union.count_ones() != cards
            || hands
                .iter()
                .any(|hand| hand.count_ones() != u32::from(self.cards))
        {
            return Err(
                "every hand must have as many cards as the options say; no card may occur twice",
            );
        }
        self.hands[..hands.len()].copy_from_slice(hands);
        self.dealt = self.hands;
        Ok(())
    }

    /// Returns the seat to act, or `None` if the deal is over.
    #[inline]
    #[must_use]
    pub fn to_act(&self) -> Option<u8> {
        (self.to_act != NONE).then_some(self.to_act)
    }

    /// Returns the player in a seat, or [`NONE`].
    #[inline]
    pub(super) fn player(&self, seat: u8) -> u8 {
        self.seats.get(usize::from(seat)).copied().unwrap_or(NONE)
    }

    fn hand(&self, seat: u8) -> u64 {
        self.hands[usize::from(seat) % PLAYERS_MAX]
    }

    /// Replaces `actions` by the legal actions of the seat to act: first the pass, unless the seat
    /// leads, then cards from weak to strong.
    #[inline]
    pub(super) fn legal(&self, actions: &mut Vec<Action>) {
        debug_assert_ne!(self.to_act, NONE, "the deal is over");
        actions.clear();
        let mut cards = self.hand(self.to_act);
        if self.table != NONE {
            actions.push(Action::PASS);
            cards = cards >> self.table >> 1 << 1 << self.table;
        }
        while cards != 0 {
            actions.push(Action::play((cards.trailing_zeros() & 63) as u8));
            cards &= cards - 1;
        }
    }

    /// Applies an action of the seat to act.
    #[inline]
    pub(super) fn play(&mut self, action: &Action) {
        let seat = self.to_act;
        if action.is_pass() {
            self.passed |= 1 << seat;
            self.note(event::PASS, seat, NONE, NONE);
            return self.advance_turn(seat);
        }
        let card = 1 << action.card;
        debug_assert_ne!(self.hand(seat) & card, 0, "the card is not in the hand");
        self.hands[usize::from(seat) % PLAYERS_MAX] &= !card;
        self.cards_left[usize::from(seat) % PLAYERS_MAX] -= 1;
        self.gone |= card;
        self.table = action.card;
        self.last = seat;
        if self.pass == PassRule::Free {
            self.passed = 0;
        }
        self.note(event::PLAY, seat, action.card, NONE);
        if self.hand(seat) == 0 {
            self.take_place(seat);
            let playing = self.playing();
            if playing & (playing - 1) == 0 {
                self.take_place((playing.trailing_zeros() & 7) as u8);
                self.to_act = NONE;
                return;
            }
        }
        self.advance_turn(seat);
    }

    /// Returns the seats that still hold cards. The set is not empty.
    fn playing(&self) -> u8 {
        ((1 << self.players) - 1) & !self.out
    }

    fn take_place(&mut self, seat: u8) {
        let place = (self.out.count_ones() & 7) as u8;
        self.out |= 1 << seat;
        self.places[usize::from(seat) % PLAYERS_MAX] = place;
        self.note(event::OUT, seat, NONE, place);
    }

    /// Moves the turn from `seat`. The trick ends when all other seats have passed.
    fn advance_turn(&mut self, seat: u8) {
        let playing = self.playing();
        let asked = playing & !self.passed & !(1 << self.last);
        if asked != 0 {
            self.to_act = next_of(asked.into(), seat, self.players);
            return;
        }
        let leads = match self.lead {
            _ if playing >> self.last & 1 == 1 => self.last,
            LeadRule::Next => next_of(playing.into(), self.last, self.players),
            LeadRule::Lowest => (playing.trailing_zeros() & 7) as u8,
        };
        self.table = NONE;
        self.passed = 0;
        self.last = leads;
        self.to_act = leads;
        self.note(event::LEAD, leads, NONE, NONE);
    }

    fn note(&mut self, kind: u8, seat: u8, card: u8, place: u8) {
        self.history.push(Event {
            kind,
            seat,
            card,
            place,
        });
    }

    /// Writes the information of `seat` to `view`. Overwrites every byte.
    #[inline]
    pub(super) fn view(&self, block: &Block, seat: u8, view: &mut View) {
        *view = View {
            size: View::SIZE,
            deal: block.finished,
            deals: block.planned,
            seat,
            seats: self.players,
            cards: self.cards,
            table: self.table,
            table_seat: if self.table == NONE { NONE } else { self.last },
            passed: self.passed,
            out: self.out,
            rules: self.rules,
            players: self.seats,
            cards_left: self.cards_left,
            places: self.places,
            reserved: 0,
            hand: self.hand(seat),
            gone: self.gone,
            points: self
                .seats
                .map(|player| block.points.get(usize::from(player)).copied().unwrap_or(0)),
        };
    }
}

impl Default for Deal {
    fn default() -> Deal {
        Deal::new()
    }
}
