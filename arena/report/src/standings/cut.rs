//! Shortens text and pages of many bots to what a reader can use. CSV and JSON hold the rest.

use super::luck::{Luck, LuckFound};
use super::rounds::Rounds;
use super::types::{Answer, Congeniality, CongenialityCell, LeftOut, PairStanding, Standings, VerdictKind};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Pairs up to which nothing is left out.
const PAIRS_MAX: usize = 2_000;
/// Bots whose pairs are kept where pairs are more than that: the first ones.
const BOTS_KEPT: usize = 30;
/// Line-ups that are kept then.
const LINE_UPS_KEPT: usize = 300;
/// Tables of rounds that are kept then, those of the last rounds.
const TABLES_KEPT: usize = 500;

impl Standings {
    /// The standings without what no reader could use of so many pairs: those among the first bots are kept, and the last rounds.
    #[must_use]
    pub fn for_readers(&self) -> Cow<'_, Standings> {
        if self.pairs.len() <= PAIRS_MAX || self.left_out.is_some() {
            return Cow::Borrowed(self);
        }
        let kept: HashSet<&str> = self.bots.iter().take(BOTS_KEPT).map(|bot| bot.name.as_str()).collect();
        let is_kept = |a: &str, b: &str| kept.contains(a) && kept.contains(b);
        let pairs = self.pairs.iter().filter(|pair| is_kept(&pair.a, &pair.b));
        Cow::Owned(Standings {
            about: self.about.clone(),
            settings: self.settings,
            progress: self.progress,
            bots: self.bots.clone(),
            pairs: pairs.cloned().collect(),
            family: self.family,
            sequential: self.sequential,
            rounds: self.rounds.as_ref().map(last_rounds),
            relation: self.relation.clone(),
            ratings: self.ratings.clone(),
            congeniality: self.congeniality.as_ref().map(|table| {
                let cells = |cells: &[CongenialityCell]| {
                    cells.iter().filter(|cell| is_kept(&cell.row, &cell.column)).cloned().collect()
                };
                Congeniality {
                    names: table.names.iter().filter(|name| kept.contains(name.as_str())).cloned().collect(),
                    by_block: cells(&table.by_block),
                    by_deal: cells(&table.by_deal),
                    error_ratio: table.error_ratio,
                }
            }),
            luck: self
                .luck
                .as_ref()
                .map(|luck| Luck { is_removed: luck.is_removed, found: luck_of(&luck.found, is_kept) }),
            published: self.published.clone(),
            line_ups: self.line_ups.iter().take(LINE_UPS_KEPT).cloned().collect(),
            cautions: self.cautions.clone(),
            left_out: Some(LeftOut {
                pairs: self.pairs.len() as u64,
                bots: kept.len() as u64,
                tallies: self.tallies(),
            }),
        })
    }

    /// Of how many others each bot is ahead, behind, equal, and of how many that cannot be told; in the order of the bots.
    #[must_use]
    pub fn tallies(&self) -> Vec<[usize; 4]> {
        let places: HashMap<&str, usize> = self.bots.iter().map(|bot| bot.name.as_str()).zip(0..).collect();
        let mut tallies = vec![[0; 4]; self.bots.len()];
        for PairStanding { a, b, verdict, .. } in &self.pairs {
            let (first, second) = match verdict.kind {
                VerdictKind::Ahead => (0, 1),
                VerdictKind::Behind => (1, 0),
                VerdictKind::Equal => (2, 2),
                VerdictKind::CannotTell => (3, 3),
            };
            for (name, column) in [(a, first), (b, second)] {
                if let Some(&place) = places.get(name.as_str()) {
                    tallies[place][column] += 1;
                }
            }
        }
        tallies
    }
}

fn luck_of(found: &Answer<LuckFound>, is_kept: impl Fn(&str, &str) -> bool) -> Answer<LuckFound> {
    match found {
        Answer::NotTestable(why) => Answer::NotTestable(why.clone()),
        Answer::Tested(found) => Answer::Tested(LuckFound {
            share: found.share,
            kinds: found.kinds.clone(),
            bots: found.bots.clone(),
            pairs: found.pairs.iter().filter(|pair| is_kept(&pair.a, &pair.b)).cloned().collect(),
        }),
    }
}

/// The last rounds, as many as have no more tables than are kept.
fn last_rounds(rounds: &Rounds) -> Rounds {
    let mut tables = 0;
    let is_kept = |round: &&super::rounds::Round| {
        tables += round.tables.len();
        tables <= TABLES_KEPT
    };
    let last = rounds.rounds.iter().rev().take_while(is_kept).count().max(1).min(rounds.rounds.len());
    let first = rounds.rounds.len() - last;
    // Where bots stood is short, and a course of places.
    let kept = rounds.rounds.iter().enumerate().map(|(at, round)| super::rounds::Round {
        tables: if first <= at { round.tables.clone() } else { Vec::new() },
        byes: if first <= at { round.byes.clone() } else { Vec::new() },
        ..super::rounds::Round {
            name: round.name.clone(),
            tables: Vec::new(),
            byes: Vec::new(),
            standing: if rounds.rounds.len() <= at + STANDINGS_KEPT { round.standing.clone() } else { Vec::new() },
        }
    });
    Rounds { is_over: rounds.is_over, is_chosen: rounds.is_chosen, rounds: kept.collect() }
}

/// Rounds whose standings are kept.
const STANDINGS_KEPT: usize = 21;
