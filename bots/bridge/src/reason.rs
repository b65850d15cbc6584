//! Ordinary multi-world reasoning: deal what cannot be seen many times, solve each deal with open
//! hands, take the card that is best on average (M. Ginsberg, "GIB: Imperfect Information in a
//! Computationally Challenging Game", 2001).

use crate::play::Play;
use crate::rules::Rules;
use crate::thumb;
use crate::worlds::Worlds;
use hattari_double_dummy::Analyst;
use hattari_plugin::Rng;
use hattari_plugin::bridge::{Card, CardSet, Holding, Seat, View};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// How somebody reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reasoning {
    /// Deals that are solved for a decision while hands have all their cards, or
    /// [`Reasoning::solves_from`].
    pub samples: u32,
    /// With every trick that is over twice as many deals are solved, up to so many: with a card
    /// less in each hand one takes less than half the time. No more than `samples` where this
    /// is less.
    pub samples_max: u32,
    /// Of these, the deals whose tricks are counted; of the others only whether the contract
    /// makes, in half the time. 0, or where tricks alone are judged by: all.
    pub exact: u32,
    /// Whether a card is judged by the chance that the contract makes, and only of equal ones by
    /// tricks; else by tricks alone.
    pub win: bool,
    /// Hands are what the calls say of them.
    pub hcp: bool,
    /// Third hand plays high to the first trick.
    pub third: bool,
    /// The opening lead is the fourth best of the longest suit.
    pub lead: bool,
    /// Declarer wins as cheaply as the hand can.
    pub cheap: bool,
    /// While hands have more cards than this (at the trick's start), play is by rules of thumb;
    /// 13: never.
    pub solves_from: u32,
}

impl Default for Reasoning {
    fn default() -> Self {
        Reasoning {
            samples: 20,
            samples_max: 0,
            exact: 0,
            win: true,
            hcp: true,
            third: true,
            lead: true,
            cheap: false,
            solves_from: 12,
        }
    }
}

impl Reasoning {
    /// The rules of inference that are on.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules {
            hcp: self.hcp,
            third: self.third,
            lead: self.lead,
            cheap: self.cheap,
        }
    }

    /// Refuses what makes no sense; `name` is how a league calls it.
    ///
    /// # Errors
    /// What is wrong, in words for the author of the league.
    pub fn check(&self, name: &str) -> Result<(), String> {
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

    /// Whether this decision is left to rules of thumb.
    #[must_use]
    pub fn is_by_thumb(&self, view: &View) -> bool {
        cards_each(view) > self.solves_from
    }

    /// Deals that are solved for this decision.
    #[must_use]
    pub fn samples_for(&self, view: &View) -> u32 {
        let tricks = self.solves_from.min(13).saturating_sub(cards_each(view));
        self.samples.max(
            self.samples_max
                .min(self.samples.saturating_mul(1 << tricks.min(13))),
        )
    }
}

/// Cards of each hand when the trick began.
fn cards_each(view: &View) -> u32 {
    13 - u32::from(view.played_count / 4)
}

/// What a card has brought in all deals together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Deals in which the contract makes.
    pub made: u32,
    /// Tricks of declarer's side in all.
    pub tricks: u32,
}

impl Tally {
    /// Adds a deal of which only this is known.
    pub fn add_made(&mut self, is_made: bool) {
        self.made += u32::from(is_made);
    }

    /// Adds one deal.
    pub fn add(&mut self, tricks: u8, goal: u8) {
        self.made += u32::from(goal <= tricks);
        self.tricks += u32::from(tricks);
    }
}

/// The place of the best card: for declarer's side or against it, by the contract first or by
/// tricks alone; of equal cards the lowest, which gives the least away.
#[must_use]
pub fn best(tallies: &[Tally], cards: &[Card], is_declarer: bool, win: bool) -> usize {
    let worth = |tally: &Tally| {
        let worth = (
            if win { i64::from(tally.made) } else { 0 },
            i64::from(tally.tricks),
        );
        if is_declarer {
            worth
        } else {
            (-worth.0, -worth.1)
        }
    };
    let key = |&index: &usize| {
        (
            worth(&tallies[index]),
            std::cmp::Reverse(cards[index].rank()),
        )
    };
    (0..cards.len().min(tallies.len()))
        .max_by_key(key)
        .unwrap_or(0)
}

/// Solver and generator: what all reasoning of a bot shares.
pub struct Tools {
    /// Solves positions.
    pub analyst: Analyst,
    /// Where worlds come from.
    pub rng: Rng,
    /// Deals that are solved go on being drawn only while there is time; `None` for no limit.
    pub deadline: Option<Instant>,
}

impl Tools {
    /// Begins a decision that may take so many milliseconds; 0 for as many as it takes.
    pub fn begin(&mut self, milliseconds: u32) {
        self.deadline =
            (milliseconds > 0).then(|| Instant::now() + Duration::from_millis(milliseconds.into()));
    }

    /// Whether the decision's time is up.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| deadline <= Instant::now())
    }

    /// Tricks of the whole deal for declarer's side, for every card that may be played now, hands
    /// open.
    ///
    /// # Panics
    /// If the solver refuses the position, which is no fault of the position's.
    pub fn open(&mut self, play: &Play) -> Vec<(Card, u8)> {
        let values = self
            .analyst
            .all_cards(&play.position(), play.declarers())
            .expect("a sound position is solved");
        values
            .into_iter()
            .map(|(card, tricks)| (card, tricks + play.won()))
            .collect()
    }

    /// Whether declarer's side makes the contract, for every card that may be played now, hands
    /// open.
    ///
    /// # Panics
    /// As [`Tools::open`].
    pub fn makes(&mut self, play: &Play) -> Vec<(Card, bool)> {
        let missing = play.goal().saturating_sub(play.won());
        self.analyst
            .reaching(&play.position(), play.declarers(), missing)
            .expect("a sound position is solved")
    }

    /// Tricks of the whole deal for declarer's side with best play of all, hands open.
    pub fn solve(&mut self, play: &Play) -> u8 {
        let Some(turn) = play.turn() else {
            return play.won();
        };
        let values = self.open(play).into_iter().map(|value| value.1);
        let is_declarers = Seat::ALL[turn].side() == play.declarers();
        if is_declarers {
            values.max()
        } else {
            values.min()
        }
        .unwrap_or_else(|| play.won())
    }
}

/// What each of `cards` brings declarer's side on average over what `view` leaves open. `None`
/// where no deal agrees with the rules and `is_strict`; else rules are given up until one does.
pub fn judge(
    view: &View,
    cards: &[Card],
    reasoning: &Reasoning,
    holdings: &[Holding; 4],
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
            worlds.draw_some(&mut tools.rng)
        };
        let (play, at) = (Play::of(view, hands), |card: Card| {
            cards.iter().position(|&other| other == card)
        });
        if sample < exact {
            for (card, tricks) in tools.open(&play) {
                at(card)
                    .into_iter()
                    .for_each(|at| tallies[at].add(tricks, play.goal()));
            }
        } else {
            for (card, is_made) in tools.makes(&play) {
                at(card)
                    .into_iter()
                    .for_each(|at| tallies[at].add_made(is_made));
            }
        }
    }
    Some(tallies)
}

/// The card that ordinary reasoning plays.
///
/// # Panics
/// If there is no legal card.
pub fn choose(
    view: &View,
    legal: &[Card],
    reasoning: &Reasoning,
    holdings: &[Holding; 4],
    tools: &mut Tools,
) -> Card {
    if let Some(card) = only_choice(view, legal) {
        return card;
    }
    if reasoning.is_by_thumb(view) {
        return thumb::choose(view, legal);
    }
    let tallies = judge(view, legal, reasoning, holdings, tools, false).unwrap_or_default();
    legal[best(&tallies, legal, view.seat == view.declarer, reasoning.win)]
}

/// The lowest card, where all that may be played are as good as each other: of one suit with
/// nothing between them.
fn only_choice(view: &View, legal: &[Card]) -> Option<Card> {
    let (&first, rest) = legal.split_first()?;
    if rest.iter().any(|card| card.suit() != first.suit()) {
        return None;
    }
    let table = view.table().into_iter().collect::<CardSet>();
    let gone = CardSet(view.played.iter().fold(0, |gone, played| gone | played) & !table.0);
    let own: CardSet = legal.iter().copied().collect();
    let last = *rest.last().unwrap_or(&first);
    let between = (first.index()..=last.index()).filter_map(Card::of_index);
    between
        .into_iter()
        .all(|card| gone.contains(card) || own.contains(card))
        .then_some(first)
}
