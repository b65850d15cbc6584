//! The Swiss format: each round pairs entrants with similar points, and no entrant is eliminated.

use super::round_builder::{Attendance, RoundBuilder, ScoreTally, rank};
use super::round_schedule::RoundStanding;
use super::seating::{PastMeetings, avoid_rematches};
use super::{League, NamedEntrants, Problem, Reader, TournamentFormat};
use crate::league::keys::{IntegerRange, RoundByEntrant, keys};
use hattari_agents::text::counted;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum number of rounds.
const ROUNDS_MAX: u32 = 1_000;
/// Maximum number of ways to assign the byes that are tried to avoid rematches.
const BYES_TRIED: usize = 32;

/// A number of rounds at tables of entrants with similar points.
///
/// Tables of the first round follow the order of the league file, tables of later rounds the
/// standings. The standings are ordered by points, then by the sum of all opponents' points
/// (Buchholz), then by mean score, then by name. A table gives one point for each opponent with a
/// lower score, and half a point for each with the same score. Entrants with equal points are
/// divided into as many slices as a table has places. Each table gets one entrant of every slice:
/// of ten entrants at tables of two, the first meets the sixth. Entrants that are left over join
/// those with the next lower points.
///
/// Rematches are avoided if possible; otherwise they are few and distributed evenly. With up to 128
/// entrants, tables without rematches are found unless the search takes too many steps.
///
/// If the tables do not have places for all entrants, some with the fewest byes so far get a bye.
/// These are the last in the standings, or others if that avoids a rematch. A bye gives half as
/// many points as a table has players, which is a win at a table of two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Swiss {
    /// Number of rounds.
    pub rounds: u32,
    /// Number of players at a table.
    pub size: usize,
    /// The round in which each late entrant joins, without points.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub late: BTreeMap<String, u32>,
    /// The last round of each entrant that withdraws; it keeps its points.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub withdrawn: BTreeMap<String, u32>,
}

impl Swiss {
    /// Returns tables and byes for the `present` entrants, best first.
    fn draw(
        &self,
        present: &[usize],
        tallies: &[ScoreTally],
        bye_counts: &[u32],
        met: &PastMeetings,
    ) -> (Vec<Vec<usize>>, Vec<usize>) {
        let bye_count = present.len() % self.size;
        let mut last_first: Vec<usize> = present.iter().rev().copied().collect();
        last_first.sort_by_key(|&entrant| bye_counts[entrant]);
        let earlier_byes =
            |choice: &[usize]| -> u32 { choice.iter().map(|&entrant| bye_counts[entrant]).sum() };
        let fewest = earlier_byes(&last_first[..bye_count]);
        let choices = (0..=last_first.len() - bye_count)
            .map(|first| &last_first[first..first + bye_count])
            .take_while(|choice| earlier_byes(choice) == fewest)
            .take(if bye_count == 0 { 1 } else { BYES_TRIED });
        // Take the first draw without rematches, or the first with the lowest cost of rematches.
        let mut lowest_cost = u64::MAX;
        let mut best = (Vec::new(), present.to_vec());
        for byes in choices {
            let mut order = present.to_vec();
            order.retain(|entrant| !byes.contains(entrant));
            let ideal = self.slices(&order, tallies);
            let points = |entrant: usize| tallies[entrant].points;
            let tables = avoid_rematches(ideal, &order, points, met);
            let cost = tables.iter().map(|table| met.cost_of(table)).sum();
            if cost < lowest_cost {
                lowest_cost = cost;
                best = (tables, byes.to_vec());
            }
            if cost == 0 {
                break;
            }
        }
        best
    }

    /// Returns tables of entrants with equal points; ignores rematches.
    fn slices(&self, order: &[usize], tallies: &[ScoreTally]) -> Vec<Vec<usize>> {
        let (mut tables, mut bracket) = (Vec::new(), Vec::new());
        for (index, &entrant) in order.iter().enumerate() {
            bracket.push(entrant);
            let is_last = order
                .get(index + 1)
                .is_none_or(|&next| tallies[next].points < tallies[entrant].points);
            if is_last {
                let count = bracket.len() / self.size;
                let left_over = bracket.split_off(count * self.size);
                let slice = |table: usize| bracket[table..].iter().step_by(count).copied();
                tables.extend((0..count).map(|table| slice(table).collect()));
                bracket = left_over;
            }
        }
        tables
    }
}

keys! {
    /// [in rounds](#deciding-as-it-goes); entrants with similar standings meet
    Keys = "a swiss tournament", kind "swiss";
    /// number of rounds, up to 1,000
    rounds = IntegerRange<u32>(1, ROUNDS_MAX), needs "rounds: 7";
    /// number of players at a table, 2 to 64
    size = IntegerRange<usize>(2, 64), or "the table size of the game, if it has only one";
    /// entrants that join in a later round, as in `{mine: 3}`
    late = RoundByEntrant(2), or "none";
    /// entrants that leave, each with its last round, as in `{mine: 3}`
    withdrawn = RoundByEntrant(1), or "none";
}

impl Swiss {
    pub(super) fn read(reader: &Reader<'_>, keys: Keys<'_>) -> Option<Swiss> {
        let size = reader.size(&keys.fields, keys.size);
        let (late, withdrawn) = reader.attendance(&keys.fields, keys.late, keys.withdrawn);
        Some(Swiss {
            rounds: keys.rounds?,
            size: size?,
            late,
            withdrawn,
        })
    }
}

impl TournamentFormat for Swiss {
    fn count(&self, league: &League) -> Result<u64, Problem> {
        if let Some((name, round)) = self.late.iter().find(|(_, round)| **round > self.rounds) {
            return Err(Problem::of_file(
                format!(
                    "`{name}` would join in round {round}, but there are {}",
                    counted(self.rounds.into(), "round")
                ),
                "give an earlier round under `late`, or more `rounds`",
            ));
        }
        let attendance = Attendance::of(league, &self.late, &self.withdrawn);
        for round in 1..=self.rounds {
            let present = (0..league.entrants.len())
                .filter(|&entrant| attendance.is_present(entrant, round))
                .count();
            if present < self.size {
                return Err(Problem::of_file(
                    format!(
                        "in round {round} there would be {} for tables of {}",
                        counted(present as u64, "entrant"),
                        self.size
                    ),
                    "let fewer entrants join late or withdraw, or lower `rounds`",
                ));
            }
        }
        Ok(u64::from(self.rounds) * (league.entrants.len() / self.size) as u64)
    }

    fn decide(&self, league: &League, rounds: &mut RoundBuilder<'_>) -> Option<()> {
        let everybody = 0..league.entrants.len();
        let attendance = Attendance::of(league, &self.late, &self.withdrawn);
        let mut tallies = vec![ScoreTally::default(); league.entrants.len()];
        let mut bye_counts = vec![0; league.entrants.len()];
        let mut opponents = vec![Vec::new(); league.entrants.len()];
        let mut met = PastMeetings::new(league.entrants.len());
        // Without results, the order is that of the league file.
        let mut ranking: Vec<usize> = everybody.clone().collect();
        for round in 1..=self.rounds {
            let mut present = ranking;
            present.retain(|&entrant| attendance.is_present(entrant, round));
            let (tables, byes) = self.draw(&present, &tallies, &bye_counts, &met);
            let results = rounds.play(
                format!("round {round}"),
                tables,
                &byes,
                league.blocks,
                |_, _| false,
            )?;
            for entrant in byes {
                bye_counts[entrant] += 1;
                tallies[entrant].points += self.size as f64 / 2.0;
            }
            for table in &results {
                met.add_table(&table.entrants);
                ScoreTally::add(&mut tallies, table);
                for &entrant in &table.entrants {
                    let others = table.entrants.iter().filter(|&&other| other != entrant);
                    opponents[entrant].extend(others.copied());
                }
            }
            ranking = rank(league, everybody.clone(), |entrant| {
                let tally = &tallies[entrant];
                let buchholz = opponents[entrant]
                    .iter()
                    .map(|&other| tallies[other].points)
                    .sum();
                [tally.points, buchholz, tally.mean_score()]
            });
            rounds.close(
                ranking
                    .iter()
                    .filter(|entrant| attendance.first_round(**entrant) <= round)
                    .map(|&entrant| RoundStanding {
                        entrant,
                        points: tallies[entrant].points,
                        note: attendance.note(entrant, round + 1),
                    })
                    .collect(),
            );
        }
        Some(())
    }

    fn entrants_per_table(&self) -> usize {
        self.size
    }

    fn named_entrants(&mut self) -> NamedEntrants<'_> {
        NamedEntrants {
            table_size: Some(self.size),
            rounds: vec![&mut self.late, &mut self.withdrawn],
            ..NamedEntrants::default()
        }
    }

    fn description(&self, league: &League) -> String {
        format!(
            "a swiss tournament of {} entrants, {} at tables of {}",
            league.entrants.len(),
            counted(self.rounds.into(), "round"),
            self.size
        )
    }
}
