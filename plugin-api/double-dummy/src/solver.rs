//! The public interface of the solver.

use crate::order::suit_of;
use crate::position::Position;
use crate::search::{LANES, Search, Trick};
use hattari_games::bridge::{Card, CardSet, Side};

/// Memory of [`Solver::default`] in MiB.
pub const MEMORY_MIB_DEFAULT: usize = 128;

/// A solver for positions. A search reuses the results of the previous one if the hands before the
/// current trick and the strain are the same.
///
/// A solver cannot be shared by threads; create one per thread.
pub struct Solver {
    search: Search,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(MEMORY_MIB_DEFAULT)
    }
}

impl Solver {
    /// Creates a solver whose table uses at most about `memory_mib` MiB. With less memory the
    /// solver is slower, but the results are the same.
    pub fn new(memory_mib: usize) -> Self {
        Self {
            search: Search::new(memory_mib),
        }
    }

    /// Returns the number of tricks that `side` takes with perfect play of all hands, including the
    /// current trick.
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

    /// Returns, for every legal card from the lowest spade up, the number of tricks that `side`
    /// takes after it, including the current trick.
    ///
    /// The list is empty if the play is over.
    pub fn tricks_by_card(&mut self, position: &Position, side: Side) -> Vec<(Card, u8)> {
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

    /// Former name of [`Solver::tricks_by_card`].
    #[deprecated(since = "0.3.0", note = "renamed to `tricks_by_card`")]
    pub fn all_cards(&mut self, position: &Position, side: Side) -> Vec<(Card, u8)> {
        self.tricks_by_card(position, side)
    }

    /// Returns, for every legal card from the lowest spade up, whether `side` takes at least `goal`
    /// tricks after it. Faster than [`Solver::tricks_by_card`], because it needs only one search
    /// per card.
    ///
    /// The list is empty if the play is over.
    pub fn cards_reaching(
        &mut self,
        position: &Position,
        side: Side,
        goal: u8,
    ) -> Vec<(Card, bool)> {
        let mut root = Root::new(&mut self.search, position);
        let mut reached = Vec::new();
        for (card, class) in root.choices.clone() {
            let is_reached = root.reaches(card, side, goal);
            reached.extend(class.into_iter().map(|card| (card, is_reached)));
        }
        reached.sort_by_key(|&(card, _)| card);
        reached
    }

    /// Returns the number of cards played by the search for the last position. This measure of the
    /// work does not depend on the load of the machine.
    pub fn nodes(&self) -> u64 {
        self.search.nodes
    }
}

/// A position prepared for search.
struct Root<'s> {
    search: &'s mut Search,
    seat: usize,
    trick: Trick,
    tricks: i8,
    /// One card of each run of touching cards, with the cards of the run.
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
        let trump = position.strain().index().into();
        search.reset(before.map(bits), trump);
        let leader = position.leader() as usize;
        let mut trick = Trick::before_lead(leader, bits(all));
        for (n, &card) in position.table().iter().enumerate() {
            let (seat, card) = (position.leader().after(n) as usize, bit(card));
            search.remove_card(seat, card);
            trick = trick.with(card, seat, trump);
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

    /// Returns an estimate of North-South's tricks from the distribution of high cards.
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

    /// Returns North-South's tricks if the seat to play plays `card`. The search starts with the
    /// number `guess`.
    fn north_south(&mut self, card: u64, guess: i8) -> i8 {
        let (seat, trick) = (self.seat, self.trick);
        self.converge(guess, |search, target| {
            search.play(seat, card, &trick, target).0
        })
    }

    /// Returns `true` if `side` takes at least `goal` tricks after the seat to play plays `card`.
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

    /// Returns North-South's tricks if the seat to play plays its best card.
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

    /// Returns the highest number of tricks for which `reached` returns `true`. The first number
    /// tried is `guess`.
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
