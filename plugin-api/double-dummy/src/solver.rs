//! The solver's door: positions in, tricks out.

use crate::order::{beats_card, suit_of};
use crate::position::Position;
use crate::search::{LANES, Search, Trick};
use hattari_games::bridge::{Card, CardSet, Side, Strain};

/// Memory of a [`Solver::default`] in MiB.
pub const MEMORY_MIB_DEFAULT: usize = 128;

/// Solves positions, one after another; what it learnt of one helps with others of the same hands
/// and strain, whoever leads or led which card.
///
/// One solver serves one thread; make as many as there are threads.
pub struct Solver {
    search: Search,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(MEMORY_MIB_DEFAULT)
    }
}

impl Solver {
    /// A solver that remembers positions in about `memory_mib` MiB at most. Less memory makes it
    /// slower, never wrong.
    pub fn new(memory_mib: usize) -> Self {
        Self {
            search: Search::new(memory_mib),
        }
    }

    /// Tricks that `side` takes from here with perfect play of all four, the trick under way
    /// included.
    pub fn solve(&mut self, position: &Position, side: Side) -> u8 {
        let mut root = Root::new(&mut self.search, position);
        let Some(first) = root.choices.first().map(|choice| choice.0) else {
            return 0;
        };
        let best = if root.choices.len() == 1 {
            root.north_south(first, root.guess())
        } else {
            root.best()
        };
        root.of_side(best, side)
    }

    /// For every card that may be played, lowest spade first, the tricks that `side` takes from
    /// here when it is played.
    ///
    /// Empty when the play is over.
    pub fn all_cards(&mut self, position: &Position, side: Side) -> Vec<(Card, u8)> {
        let mut root = Root::new(&mut self.search, position);
        let mut tricks = Vec::new();
        let mut guess = root.guess();
        for (card, class) in root.choices.clone() {
            guess = root.north_south(card, guess);
            let side_tricks = root.of_side(guess, side);
            tricks.extend(class.into_iter().map(|card| (card, side_tricks)));
        }
        tricks.sort_by_key(|&(card, _)| card);
        tricks
    }

    /// For every card that may be played, lowest spade first, whether `side` takes `goal` tricks or
    /// more from here when it is played: one question a card, where [`Solver::all_cards`] asks
    /// until it knows the tricks.
    ///
    /// Empty when the play is over.
    pub fn reaching(&mut self, position: &Position, side: Side, goal: u8) -> Vec<(Card, bool)> {
        let mut root = Root::new(&mut self.search, position);
        let mut reached = Vec::new();
        for (card, class) in root.choices.clone() {
            let is_reached = root.reaches(card, side, goal);
            reached.extend(class.into_iter().map(|card| (card, is_reached)));
        }
        reached.sort_by_key(|&(card, _)| card);
        reached
    }

    /// Cards that the search has played for the last question: a measure of work that no other load
    /// disturbs.
    pub fn nodes(&self) -> u64 {
        self.search.nodes
    }
}

/// A position made ready for search.
struct Root<'s> {
    search: &'s mut Search,
    seat: usize,
    trick: Trick,
    tricks: i8,
    /// One card of each run of touching cards, with the run.
    choices: Vec<(u64, CardSet)>,
}

impl<'s> Root<'s> {
    fn new(search: &'s mut Search, position: &Position) -> Self {
        let mut before = position.hands();
        for (n, &card) in position.table().iter().enumerate() {
            before[position.leader().after(n) as usize].insert(card);
        }
        let all: CardSet = before.iter().flat_map(|&hand| hand).collect();
        let bit = |card: Card| {
            let below = all.of_suit(card.suit()).0 & ((1 << card.index()) - 1);
            1u64 << (16 * card.suit() as u32 + below.count_ones())
        };
        let bits = |cards: CardSet| cards.into_iter().map(bit).fold(0, |set, bit| set | bit);
        let trump = match position.strain() {
            Strain::Trump(suit) => suit as usize,
            Strain::NoTrump => 4,
        };
        search.reset(before.map(bits), trump);
        let leader = position.leader() as usize;
        let mut trick = Trick {
            led: 0,
            best: 0,
            winner: leader,
            played: 0,
            cards: 0,
            all: bits(all),
        };
        for (n, &card) in position.table().iter().enumerate() {
            let (seat, card) = (position.leader().after(n) as usize, bit(card));
            search.take(seat, card);
            if n == 0 || beats_card(card, trick.best, trump) {
                trick.best = card;
                trick.winner = seat;
            }
            if n == 0 {
                trick.led = card;
            }
            trick.cards |= card;
            trick.played += 1;
        }
        let mut choices: Vec<(u64, CardSet)> = Vec::new();
        for card in position.legal() {
            let bit = bit(card);
            match choices.last_mut() {
                Some((last, class)) if suit_of(*last) == suit_of(bit) && *last << 1 == bit => {
                    *last = bit;
                    class.insert(card);
                }
                _ => choices.push((bit, CardSet::from_iter([card]))),
            }
        }
        let tricks = i8::try_from(position.tricks_left()).expect("at most 13 tricks");
        Self {
            search,
            seat: position.to_play() as usize,
            trick,
            tricks,
            choices,
        }
    }

    /// A first guess at North-South's tricks: in proportion to the high cards.
    fn guess(&self) -> i8 {
        let mut weights = [0u32; 2];
        for (seat, hand) in self.search.hands.iter().enumerate() {
            for lane in LANES {
                let all = self.trick.all & lane;
                let mut cards = hand & lane;
                while cards != 0 {
                    let card = cards & cards.wrapping_neg();
                    weights[seat & 1] += 13 >> (all & !(card - 1) & !card).count_ones().min(3);
                    cards ^= card;
                }
            }
        }
        let total = (weights[0] + weights[1]).max(1);
        let tricks = self.tricks.unsigned_abs();
        i8::try_from((u32::from(tricks) * weights[0] + total / 2) / total).expect("at most 13")
    }

    /// North-South's tricks when the seat to play plays that card.
    fn north_south(&mut self, card: u64, guess: i8) -> i8 {
        let (seat, trick) = (self.seat, self.trick);
        self.converge(guess, |search, target| {
            search.play(seat, card, &trick, target).0
        })
    }

    /// Whether a side takes so many tricks when the seat to play plays that card.
    fn reaches(&mut self, card: u64, side: Side, goal: u8) -> bool {
        let (seat, trick, all) = (self.seat, self.trick, self.tricks);
        let goal = i8::try_from(goal).unwrap_or(i8::MAX);
        if goal <= 0 || all < goal {
            return goal <= 0;
        }
        match side {
            Side::NorthSouth => self.search.play(seat, card, &trick, goal).0,
            Side::EastWest => !self.search.play(seat, card, &trick, all - goal + 1).0,
        }
    }

    /// North-South's tricks when the seat to play plays its best card.
    fn best(&mut self) -> i8 {
        let (seat, trick, guess) = (self.seat, self.trick, self.guess());
        self.converge(guess, |search, target| {
            if trick.played == 0 {
                search.lead(seat, target).0
            } else {
                search.follow(seat, &trick, target).0
            }
        })
    }

    /// The highest target that is reached, from questions that begin at a guess.
    fn converge(&mut self, guess: i8, mut reached: impl FnMut(&mut Search, i8) -> bool) -> i8 {
        let (mut lower, mut upper) = (0, self.tricks);
        let mut target = guess.clamp(lower, upper).max(1);
        while lower < upper {
            if reached(self.search, target) {
                lower = target;
                target += 1;
            } else {
                upper = target - 1;
                target -= 1;
            }
        }
        lower
    }

    fn of_side(&self, north_south: i8, side: Side) -> u8 {
        match side {
            Side::NorthSouth => north_south.unsigned_abs(),
            Side::EastWest => (self.tricks - north_south).unsigned_abs(),
        }
    }
}
