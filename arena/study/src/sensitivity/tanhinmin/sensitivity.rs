//! Chance-node sensitivity of every hand of player 0 in a game of a given size: how much the best
//! lead depends on the hidden cards.

use super::search::{Conventions, Solver};
use super::table::Memory;
use hattari_play::play_blocks::each_job;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// The size of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Size {
    /// Number of cards per player.
    pub cards: u32,
    /// Number of players.
    pub players: u32,
}

/// The reason why a size cannot be solved.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SizeError(&'static str);

/// The leads that count as best in case of a tie.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieRule {
    /// All best leads.
    #[default]
    Every,
    /// The best lead with the weakest card.
    Weakest,
    /// The best lead with the strongest card.
    Strongest,
}

/// The result for one hand of player 0.
#[derive(Clone, Debug, Serialize)]
pub struct HandReport {
    /// Strengths of the cards, counted from 1, weakest first.
    pub hand: Vec<u32>,
    /// For each card, the number of deals in which it is a best lead.
    pub best: Vec<u64>,
    /// For each card, the number of deals in which it is the only best lead.
    pub sole: Vec<u64>,
    /// Number of deals of the other cards, which is the size of the information set.
    pub deals: u64,
}

/// The result of solving a game of one size.
#[derive(Debug, Serialize)]
pub struct SizeReport {
    /// Size of the game that was solved.
    pub size: Size,
    /// Number of different hands of player 0.
    pub hands: u64,
    /// Number of deals of the other cards for each hand of player 0.
    pub deals: u64,
    /// Number of hands with sensitivity 0: one lead is best in every deal.
    pub zero: u64,
    /// Smallest `HandReport::best_deals` of all hands.
    pub worst: u64,
    /// Pairs of a value of `HandReport::best_deals` and the number of hands with this value, in
    /// ascending order.
    pub histogram: Vec<(u64, u64)>,
}

impl Size {
    /// Checks that the size can be solved.
    ///
    /// # Errors
    /// Returns an error if the size is out of range or a position does not fit into 64 bits.
    pub fn check(self) -> Result<Size, SizeError> {
        if self.cards < 1 || !(2..=6).contains(&self.players) {
            return Err(SizeError(
                "tanhinmin needs 1 or more cards per player and 2 to 6 players",
            ));
        }
        let bits = if self.players <= 4 { 2 } else { 3 };
        let key = self
            .cards
            .saturating_mul(self.players)
            .saturating_mul(bits)
            .saturating_add(1 + 5 + 2 * bits + self.players);
        if key > 64 {
            Err(SizeError(
                "a deal can have at most 26 cards for 2 players, 24 for 3 or 4, 15 for 5, 12 for 6",
            ))
        } else {
            Ok(self)
        }
    }

    /// Returns the number of cards in a deal.
    pub(crate) fn cards_per_deal(self) -> u32 {
        self.cards * self.players
    }

    /// Returns the number of deals to all players (table 1 of the paper). Exact up to 2^53.
    pub fn all_deals(self) -> f64 {
        // Number of ways to choose the cards of one hand from the remaining cards.
        let hand = |held: u32| {
            (1..=self.cards)
                .map(|card| f64::from(held + card) / f64::from(card))
                .product::<f64>()
        };
        (0..self.players)
            .map(|player| hand(player * self.cards))
            .product::<f64>()
            .round()
    }
}

impl HandReport {
    /// Returns the largest entry of [`HandReport::best`]: the number of deals in which the most
    /// reliable lead is best.
    pub(crate) fn best_deals(&self) -> u64 {
        self.best.iter().copied().max().unwrap_or(0)
    }
}

impl SizeReport {
    /// Returns the chance-node sensitivity of the worst hand (equation 6 of the paper): the
    /// variance of the indicator "the lead is best".
    pub fn worst_variance(&self) -> f64 {
        let share = self.worst as f64 / self.deals as f64;
        share * (1.0 - share)
    }

    /// Returns the square root of [`SizeReport::worst_variance`], which the paper prints.
    pub fn worst_deviation(&self) -> f64 {
        self.worst_variance().sqrt()
    }
}

/// Returns all hands of player 0 in a game of this size as bit sets (bit 0 is the weakest card), in
/// ascending order.
pub(crate) fn hands(size: Size) -> Vec<u32> {
    (0..1_u32 << size.cards_per_deal())
        .filter(|hand| hand.count_ones() == size.cards)
        .collect()
}

/// Solves all deals of the other cards for one hand of player 0.
pub(crate) fn hand_report(solver: &Solver, size: Size, hand: u32, ties: TieRule) -> HandReport {
    let others: Vec<usize> = (0..size.cards_per_deal() as usize)
        .filter(|&place| hand >> place & 1 == 0)
        .collect();
    let first =
        (1..size.players).flat_map(|player| std::iter::repeat_n(player, size.cards as usize));
    let mut dealt: Vec<u8> = first
        .map(|player| u8::try_from(player).expect("at most 6 players"))
        .collect();
    let mut owners = vec![0_u8; size.cards_per_deal() as usize];
    let mut places = Vec::new();
    let mut report = HandReport {
        hand: (0..size.cards_per_deal())
            .filter(|place| hand >> place & 1 == 1)
            .map(|place| place + 1)
            .collect(),
        best: vec![0; size.cards as usize],
        sole: vec![0; size.cards as usize],
        deals: 0,
    };
    loop {
        for (&place, &owner) in others.iter().zip(&dealt) {
            owners[place] = owner;
        }
        solver.lead_places(&owners, &mut places);
        report.deals += 1;
        let best = places.iter().copied().min();
        let leads: Vec<usize> = (0..places.len())
            .filter(|&card| Some(places[card]) == best)
            .collect();
        if let [card] = leads[..] {
            report.sole[card] += 1;
        }
        let counted = match ties {
            TieRule::Every => &leads[..],
            TieRule::Weakest => &leads[..1],
            TieRule::Strongest => &leads[leads.len() - 1..],
        };
        for &card in counted {
            report.best[card] += 1;
        }
        if !next_permutation(&mut dealt) {
            return report;
        }
    }
}

/// Solves a size on `threads` threads. Returns the result for the size and the result for each
/// hand. `progress` is called with the number of hands so far.
///
/// # Errors
/// Returns an error if the size cannot be solved.
pub fn solve_size(
    size: Size,
    conventions: Conventions,
    ties: TieRule,
    memory: Memory,
    threads: usize,
    progress: &dyn Fn(usize),
) -> Result<(SizeReport, Vec<HandReport>), SizeError> {
    let solver = Solver::new(size.check()?.players, conventions, memory);
    let hands = hands(size);
    let mut reports = Vec::new();
    let work = |&hand: &u32| Ok::<_, SizeError>(hand_report(&solver, size, hand, ties));
    each_job(
        &hands,
        threads,
        &AtomicBool::new(false),
        work,
        |_, report| {
            reports.push(report);
            progress(reports.len());
            Ok(true)
        },
    )?;
    reports.sort_by(|a, b| a.hand.cmp(&b.hand));
    Ok((summary(size, &reports), reports))
}

/// Summarises the results of all hands.
fn summary(size: Size, reports: &[HandReport]) -> SizeReport {
    let mut histogram = std::collections::BTreeMap::new();
    for report in reports {
        *histogram.entry(report.best_deals()).or_insert(0) += 1;
    }
    let deals = reports.first().map_or(0, |report| report.deals);
    SizeReport {
        size,
        hands: reports.len() as u64,
        deals,
        zero: histogram.get(&deals).copied().unwrap_or(0),
        worst: histogram.keys().next().copied().unwrap_or(0),
        histogram: histogram.into_iter().collect(),
    }
}

/// Replaces `items` by the next permutation in lexicographic order. Returns `false` and leaves them
/// unchanged after the last one.
fn next_permutation(items: &mut [u8]) -> bool {
    let Some(pivot) = (1..items.len()).rev().find(|&i| items[i - 1] < items[i]) else {
        return false;
    };
    let larger = (pivot..items.len())
        .rev()
        .find(|&i| items[i] > items[pivot - 1])
        .expect("the pivot's neighbour is larger");
    items.swap(pivot - 1, larger);
    items[pivot..].reverse();
    true
}
