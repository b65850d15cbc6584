//! Ordinary multi-world reasoning: samples the hidden cards many times, solves each deal double
//! dummy and chooses the card with the best average (M. Ginsberg, "GIB: Imperfect Information in a
//! Computationally Challenging Game", 2001).

use crate::play::OpenDeal;
use crate::rules::Rules;
use crate::thumb;
use crate::worlds::Worlds;
use hattari_double_dummy::DoubleDummy;
use hattari_plugin::Rng;
use hattari_plugin::bridge::{Card, CardSet, HandConstraints, Seat, View};
use hattari_plugin::games::cards::union_of;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

hattari_plugin::games::defaults! {
    /// Settings of ordinary reasoning.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Reasoning {
        /// Number of deals that are solved for a decision while hands have
        /// [`Reasoning::solves_from`] cards.
        pub samples: u32 = 20,
        /// Maximum number of deals. The number starts at `samples` and doubles with every completed
        /// trick, because solving with one card less per hand takes less than half the time. A
        /// maximum below `samples` has no effect.
        pub samples_max: u32 = 0,
        /// Number of deals for which tricks are counted; all deals if this is 0 or `win` is false.
        /// For the other deals, only the success of the contract is computed, which takes half the
        /// time.
        pub exact: u32 = 0,
        /// True to judge cards by the probability that the contract is made, and by tricks if these
        /// are equal; false to judge them only by tricks.
        pub win: bool = true,
        /// Inference rule: hands have the strengths and lengths that the calls describe.
        pub hcp: bool = true,
        /// Inference rule: third hand plays high to the first trick.
        pub third: bool = true,
        /// Inference rule: the opening lead of a low card against no trumps is the fourth best of
        /// the longest suit.
        pub lead: bool = true,
        /// Inference rule: declarer wins as cheaply as possible.
        pub cheap: bool = false,
        /// Maximum number of cards per hand, at the start of a trick, for which deals are solved.
        /// With more cards, rules of thumb choose the cards of the trick; with 13, they are never
        /// used.
        pub solves_from: u32 = 12,
    }
}

impl Reasoning {
    /// Returns the active inference rules.
    pub fn rules(&self) -> Rules {
        Rules {
            hcp: self.hcp,
            third: self.third,
            lead: self.lead,
            cheap: self.cheap,
        }
    }

    /// Checks the settings. `name` is the prefix of the settings in league files.
    ///
    /// # Errors
    /// Returns an error text for the author of the league if a value is out of range.
    pub(crate) fn check(&self, name: &str) -> Result<(), String> {
        if self.samples == 0 {
            return Err(format!(
                "`{name}samples` is 0; at least one deal has to be solved"
            ));
        }
        if self.solves_from == 0 {
            return Err(format!(
                "`{name}solves_from` is 0; hands have 1 to 13 cards"
            ));
        }
        Ok(())
    }

    /// Returns the number of deals that are solved for this decision.
    pub fn samples_for(&self, view: &View) -> u32 {
        let tricks = self
            .solves_from
            .min(13)
            .saturating_sub(cards_per_hand(view));
        self.samples.max(
            self.samples_max
                .min(self.samples.saturating_mul(1 << tricks.min(13))),
        )
    }
}

/// Returns the number of cards per hand at the start of the trick.
fn cards_per_hand(view: &View) -> u32 {
    13 - u32::from(view.played_count / 4)
}

/// The results of playing one card, over all sampled deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of deals in which the contract is made.
    pub made: u32,
    /// Tricks of declarer's side, summed over all deals.
    pub tricks: u32,
}

impl Tally {
    /// Adds a deal in which declarer's side takes `tricks` tricks and needs `goal`.
    pub(crate) fn add(&mut self, tricks: u8, goal: u8) {
        self.made += u32::from(goal <= tricks);
        self.tricks += u32::from(tricks);
    }
}

/// Returns the index of the best card, for declarer's side if `is_declarer`, otherwise for the
/// defenders. With `win`, the contract counts first and tricks second; otherwise only tricks count.
/// The lowest of equally good cards is chosen, because it reveals least.
pub fn best(tallies: &[Tally], cards: &[Card], is_declarer: bool, win: bool) -> usize {
    let sign = if is_declarer { 1 } else { -1 };
    let key = |&index: &usize| {
        let Tally { made, tricks } = tallies[index];
        (
            if win { sign * i64::from(made) } else { 0 },
            sign * i64::from(tricks),
            std::cmp::Reverse(cards[index].rank()),
        )
    };
    (0..cards.len().min(tallies.len()))
        .max_by_key(key)
        .unwrap_or(0)
}

/// The solver and the random number generator that all reasoning of a bot shares.
pub struct Tools {
    /// Double-dummy solver.
    pub solver: DoubleDummy,
    /// Random number generator for sampled deals.
    pub rng: Rng,
    /// Time after which no further deals are sampled; `None` for no limit.
    pub deadline: Option<Instant>,
}

impl Tools {
    /// Starts a decision with this time limit in milliseconds; 0 for none.
    pub(crate) fn begin(&mut self, milliseconds: u32) {
        self.deadline =
            (milliseconds > 0).then(|| Instant::now() + Duration::from_millis(milliseconds.into()));
    }

    /// Returns `true` if the time limit of the decision is over.
    pub(crate) fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| deadline <= Instant::now())
    }

    /// Returns each legal card with the number of tricks that declarer's side takes in the whole
    /// deal after it, with double-dummy play.
    ///
    /// # Panics
    /// Panics if the solver rejects the position, which does not happen for valid positions.
    pub fn double_dummy_tricks(&mut self, play: &OpenDeal) -> Vec<(Card, u8)> {
        let values = self
            .solver
            .tricks_by_card(&play.position(), play.declarer_side())
            .expect("a valid position can be solved");
        values
            .into_iter()
            .map(|(card, tricks)| (card, tricks + play.won()))
            .collect()
    }

    /// Returns each legal card, and true if declarer's side makes the contract after it with
    /// double-dummy play.
    ///
    /// # Panics
    /// Panics in the same cases as [`Tools::double_dummy_tricks`].
    pub(crate) fn double_dummy_successes(&mut self, play: &OpenDeal) -> Vec<(Card, bool)> {
        let missing = play.goal().saturating_sub(play.won());
        self.solver
            .cards_reaching(&play.position(), play.declarer_side(), missing)
            .expect("a valid position can be solved")
    }

    /// Returns the number of tricks that declarer's side takes in the whole deal with double-dummy
    /// play.
    pub(crate) fn solve(&mut self, play: &OpenDeal) -> u8 {
        let Some(turn) = play.turn() else {
            return play.won();
        };
        let values = self
            .double_dummy_tricks(play)
            .into_iter()
            .map(|value| value.1);
        let is_declarers = Seat::ALL[turn].side() == play.declarer_side();
        if is_declarers {
            values.max()
        } else {
            values.min()
        }
        .unwrap_or_else(|| play.won())
    }
}

/// Returns the results of `cards` over deals that are consistent with `view`. If no deal agrees
/// with the inference rules, returns `None` if `is_strict`; otherwise drops rules until a deal
/// agrees.
pub fn judge(
    view: &View,
    cards: &[Card],
    reasoning: &Reasoning,
    holdings: &[HandConstraints; 4],
    tools: &mut Tools,
    is_strict: bool,
) -> Option<Vec<Tally>> {
    let mut worlds = Worlds::of(view, holdings, reasoning.rules());
    let mut tallies = vec![Tally::default(); cards.len()];
    let exact = if reasoning.win && reasoning.exact > 0 {
        reasoning.exact
    } else {
        u32::MAX
    };
    for sample in 0..reasoning.samples_for(view) {
        if sample > 0 && tools.is_late() {
            break;
        }
        let hands = if is_strict {
            worlds.draw(&mut tools.rng)?
        } else {
            worlds.draw_relaxed(&mut tools.rng)
        };
        let (play, at) = (OpenDeal::of(view, hands), |card: Card| {
            cards.iter().position(|&other| other == card)
        });
        if sample < exact {
            for (card, tricks) in tools.double_dummy_tricks(&play) {
                at(card)
                    .into_iter()
                    .for_each(|at| tallies[at].add(tricks, play.goal()));
            }
        } else {
            for (card, is_made) in tools.double_dummy_successes(&play) {
                at(card)
                    .into_iter()
                    .for_each(|at| tallies[at].made += u32::from(is_made));
            }
        }
    }
    Some(tallies)
}

/// Returns the card that ordinary reasoning plays.
///
/// # Panics
/// Panics if there is no legal card.
pub(crate) fn choose(
    view: &View,
    legal: &[Card],
    reasoning: &Reasoning,
    holdings: &[HandConstraints; 4],
    tools: &mut Tools,
) -> Card {
    if let Some(card) = only_choice(view, legal) {
        return card;
    }
    if cards_per_hand(view) > reasoning.solves_from {
        return thumb::choose(view, legal);
    }
    let tallies = judge(view, legal, reasoning, holdings, tools, false).unwrap_or_default();
    legal[best(&tallies, legal, view.seat == view.declarer, reasoning.win)]
}

/// Returns the lowest legal card if all legal cards are equivalent: they have the same suit, and no
/// other hand holds a card between them. Otherwise returns `None`.
fn only_choice(view: &View, legal: &[Card]) -> Option<Card> {
    let (&first, rest) = legal.split_first()?;
    if rest.iter().any(|card| card.suit() != first.suit()) {
        return None;
    }
    let table = view.table().into_iter().collect::<CardSet>();
    let gone = CardSet(union_of(&view.played) & !table.0);
    let own: CardSet = legal.iter().copied().collect();
    let last = *rest.last().unwrap_or(&first);
    let mut between = (first.index()..=last.index()).filter_map(Card::from_index);
    between
        .all(|card| gone.contains(card) || own.contains(card))
        .then_some(first)
}
