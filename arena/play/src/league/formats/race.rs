//! The race format (adaptive allocation): challengers play against the same field, and further
//! blocks go only to challengers that are still undecided.

use super::challenge::tables;
use super::round_builder::RoundBuilder;
use super::round_schedule::{Pairing, Round, RoundStanding};
use super::{League, NamedEntrants, Problem, Reader, TournamentFormat, different, join_names};
use crate::league::ENTRANTS_MAX;
use crate::league::keys::{
    DeferredNode, EntrantList, EntrantNames, Flag, HalfOpenInterval, IntegerRange, KeyType, OneOf,
    OpenInterval, keys,
};
use hattari_agents::text::counted;
use hattari_stats::luck;
use hattari_stats::race::{ArmStanding, Goal, Race as RaceState, RaceOptions, Side};
use serde::{Deserialize, Serialize};

/// A race, which decides a question with as few blocks as possible. Every challenger takes the
/// first place at a table with the same field. The blocks of the next round depend on all earlier
/// rounds ([`hattari_stats::race`] describes the method and its guarantees). The league's `blocks`
/// are the maximum per challenger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Race {
    /// Entrants that take the first place of the line-up in turn.
    pub challengers: Vec<String>,
    /// The other entrants at the table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub field: Vec<String>,
    /// The question to decide.
    pub goal: Goal,
    /// Maximum probability of a false claim, over all rounds and challengers together.
    pub error: f64,
    /// Difference in points per deal that is considered irrelevant.
    pub margin: f64,
    /// True for luck-adjusted scores. The adjustment of a round is fitted to the earlier rounds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_luck: bool,
}

/// Goals by keyword, except `top`.
const GOALS: [(&str, Goal); 3] = [
    ("best", Goal::Best),
    ("ranking", Goal::Ranking),
    ("pairs", Goal::Pairs),
];

impl Race {
    fn options(&self, league: &League) -> RaceOptions {
        let default = RaceOptions::new(self.goal);
        RaceOptions {
            error: self.error,
            margin: self.margin,
            first_blocks: default.first_blocks.min(league.blocks),
            max_blocks: Some(league.blocks),
            ..default
        }
    }

    /// Returns the standings after the rounds so far, and a text about the number of further
    /// blocks, which may be empty.
    fn standing(&self, tables: &[Vec<usize>], race: &RaceState) -> (Vec<RoundStanding>, String) {
        let standing = race.standing();
        let group = match self.goal {
            Goal::Top(k) if k != 1 => format!("among the {k} best"),
            _ => "the best".to_owned(),
        };
        let note = |arm: &ArmStanding| match (arm.side, arm.ranks) {
            (Some(Side::In), _) if self.margin > 0.0 => {
                format!("certainly {group}, or within {} of it", self.margin)
            }
            (Some(Side::In), _) => format!("certainly {group}"),
            (Some(Side::Out), _) => format!("certainly not {group}"),
            (None, Some((high, low))) if high == low => format!("certainly of rank {high}"),
            (None, Some((high, low))) => format!("between ranks {high} and {low}"),
            _ => "open".to_owned(),
        };
        let standings = standing.order.iter().map(|&number| {
            let arm = &standing.arms[number];
            let blocks = counted(arm.blocks.into(), "block");
            RoundStanding {
                entrant: tables[number][0],
                points: arm.mean,
                note: format!("{}; {blocks}", note(arm)),
            }
        });
        let outlook = match standing.to_go {
            Some(blocks) if blocks > 0 => format!(
                "; deciding the rest would take about {} more",
                counted(blocks, "block")
            ),
            None if race.end().is_some() => {
                "; the rest is not expected to be decided at the estimated strengths".to_owned()
            }
            _ => String::new(),
        };
        (standings.collect(), outlook)
    }
}

keys! {
    /// challengers in turn at a table with the same `field`, [until the best is known](#race)
    Keys = "a race", kind "race";
    /// the entrants that take the first place in turn
    challengers = EntrantNames(EntrantList::Distinct), needs "challengers: [base, all-k]";
    /// the other entrants at the table; an entrant may be listed several times
    field = EntrantNames(EntrantList::Any), or "none";
    /// `best`, `ranking` (the rank of every challenger) or `pairs` (the order of each pair)
    goal = OneOf<Goal>(&GOALS), or "`best`";
    /// instead of `goal`: find this number of best entrants
    top = DeferredNode(|| IntegerRange(1, ENTRANTS_MAX as u64).schema());
    /// maximum probability of a false claim, over all rounds and challengers together
    error = OpenInterval(0.000_001, 0.5), or "0.05";
    /// differences up to this size, in points per deal, do not matter
    margin = HalfOpenInterval(0.0, 1e9), or "0";
    /// use luck-adjusted scores
    without_luck = Flag, or "false";
}

impl Race {
    pub(super) fn read(reader: &Reader<'_>, keys: Keys<'_>) -> Option<Race> {
        let goal = match (keys.fields.get("goal"), keys.top) {
            (Some(_), Some(node)) => {
                reader.problem(
                    node,
                    "`goal` and `top` cannot both be given",
                    "remove one of them",
                );
                None
            }
            (Some(_), None) => keys.goal,
            (None, Some(node)) => {
                let most = keys
                    .challengers
                    .as_ref()
                    .map_or(64, |all| all.len().saturating_sub(1).max(1) as u64);
                reader.integer(node, "top", 1..=most).map(Goal::Top)
            }
            (None, None) => Some(Goal::Best),
        };
        let (challengers, field) = (keys.challengers?, keys.field.unwrap_or_default());
        if challengers.len() < 2 {
            reader.problem(
                keys.fields.node,
                "a race needs at least two challengers",
                "give two or more `challengers`",
            );
        }
        reader.check_players(keys.fields.node, 1 + field.len());
        Some(Race {
            challengers,
            field,
            goal: goal?,
            error: keys.error.unwrap_or(0.05),
            margin: keys.margin.unwrap_or_default(),
            without_luck: keys.without_luck.unwrap_or_default(),
        })
    }
}

impl TournamentFormat for Race {
    fn count(&self, league: &League) -> Result<u64, Problem> {
        RaceState::new(self.challengers.len(), self.options(league)).map_err(|error| {
            Problem::of_file(
                error.to_string(),
                "give `blocks` of at least 10, and an `error` below 0.5",
            )
        })?;
        Ok(self.challengers.len() as u64)
    }

    fn decide(&self, league: &League, rounds: &mut RoundBuilder<'_>) -> Option<()> {
        let tables = tables(league, &self.challengers, &self.field);
        let mut race = RaceState::new(tables.len(), self.options(league))
            .expect("`count` creates the same race when the league is checked");
        let mut blocks_played = vec![0; tables.len()];
        let mut luck_fit = luck::RunningFit::default();
        while race.end().is_none() {
            let pairing = |(arm, target): (usize, u32)| {
                let first = std::mem::replace(&mut blocks_played[arm], target);
                let pairing = Pairing {
                    entrants: tables[arm].clone(),
                    blocks: first..target,
                };
                (arm, pairing)
            };
            let (arms, pairings): (Vec<usize>, Vec<Pairing>) =
                race.next_round().into_iter().map(pairing).unzip();
            rounds.rounds.push(Round {
                name: format!("round {}", rounds.number()),
                pairings: pairings.clone(),
                byes: Vec::new(),
                standing: Vec::new(),
            });
            // The challenger, the table and the number of each block.
            let blocks = || {
                arms.iter().zip(&pairings).flat_map(|(&arm, pairing)| {
                    pairing
                        .blocks
                        .clone()
                        .map(move |block| (arm, &pairing.entrants, block))
                })
            };
            let results = rounds.results;
            let score = |(arm, table, block): (usize, &Vec<usize>, u32)| {
                Some((arm, results.scores(table, block)?[0]))
            };
            let mut scores = blocks().map(score).collect::<Option<Vec<(usize, f64)>>>()?;
            if self.without_luck {
                let luck: Vec<Vec<f64>> = blocks()
                    .map(|(_, table, block)| results.luck(table, block))
                    .collect();
                let mut round: Vec<_> = scores
                    .iter_mut()
                    .zip(&luck)
                    .map(|((arm, score), luck)| ((0, *arm), score, &luck[..]))
                    .collect();
                luck_fit.remove_from_round(&mut round);
            }
            for (arm, score) in scores {
                race.push(arm, score)
                    .expect("means of payoffs are finite, with and without luck");
            }
            let (standing, outlook) = self.standing(&tables, &race);
            let round = rounds.rounds.last_mut()?;
            round.standing = standing;
            round.name += &outlook;
        }
        Some(())
    }

    fn challengers(&self) -> Option<(&[String], &[String])> {
        Some((&self.challengers, &self.field))
    }

    fn entrants_per_table(&self) -> usize {
        1 + different(&self.field)
    }

    fn named_entrants(&mut self) -> NamedEntrants<'_> {
        NamedEntrants {
            field: &self.field,
            lists: vec![&mut self.challengers],
            ..NamedEntrants::default()
        }
    }

    fn description(&self, _: &League) -> String {
        let goal = match self.goal {
            Goal::Best => "the best".to_owned(),
            Goal::Top(k) => format!("the {k} best"),
            Goal::Ranking => "their ranking".to_owned(),
            Goal::Pairs => "the order of every pair".to_owned(),
        };
        let count = counted(self.challengers.len() as u64, "challenger");
        let (error, margin) = (self.error, self.margin);
        let mut text = format!("a race of {count}");
        if !self.field.is_empty() {
            text += &format!(" against {}", join_names(&self.field));
        }
        text += &format!(" for {goal}");
        if margin > 0.0 {
            text += &format!(", to within {margin}");
        }
        text + &format!(", with error probability at most {error}")
    }
}
