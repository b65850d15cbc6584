//! The ladder format: new entrants climb until their ranks are known; the order of the others does
//! not change.

use super::round_builder::{Attendance, RoundBuilder, check_standings};
use super::round_schedule::RoundStanding;
use super::{League, NamedEntrants, Problem, Reader, TournamentFormat, indices};
use crate::league::keys::{EntrantList, EntrantNames, IntegerRange, RoundByEntrant, keys};
use hattari_agents::text::counted;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// New entrants on a ladder.
///
/// The entrants that are not new form the ladder, in the order of the league file from the top. New
/// entrants join at the bottom, one after the other. Each new entrant plays the entrant above it.
/// If it scores more, it takes the rank of that entrant and plays the next one above. Otherwise it
/// stays, and its rank is known.
///
/// At larger tables, a new entrant plays several entrants at once: the nearest ones above it, one
/// for each other seat. From the lowest of them upwards, it passes those that scored less, up to
/// the first that did not score less. It continues while it passes all of them. Near the top, where
/// too few entrants are above it, entrants just below fill the table; their scores do not count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ladder {
    /// Number of players at a table.
    pub size: usize,
    /// The new entrants in the order in which they join; by default the last one of the league
    /// file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entrants: Vec<String>,
    /// The last round of each entrant that withdraws; entrants below it move up.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub withdrawn: BTreeMap<String, u32>,
}

impl Ladder {
    /// Returns the initial ladder from the top, and the new entrants.
    fn split_entrants(&self, league: &League) -> (Vec<usize>, Vec<usize>) {
        let all = 0..league.entrants.len();
        let new = if self.entrants.is_empty() {
            all.clone().next_back().into_iter().collect()
        } else {
            indices(league, &self.entrants)
        };
        (all.filter(|entrant| !new.contains(entrant)).collect(), new)
    }
}

keys! {
    /// new entrants start at the bottom and play upwards until their ranks are known
    Keys = "a ladder", kind "ladder";
    /// number of players at a table, 2 to 64
    size = IntegerRange<usize>(2, 64), or "the table size of the game, if it has only one";
    /// the new entrants, in the order in which they join
    entrants = EntrantNames(EntrantList::Distinct), or "the last entrant of the league";
    /// entrants that leave, each with its last round, as in `{mine: 3}`
    withdrawn = RoundByEntrant(1), or "none";
}

impl Ladder {
    pub(super) fn read(reader: &Reader<'_>, keys: Keys<'_>) -> Option<Ladder> {
        Some(Ladder {
            size: reader.size(&keys.fields, keys.size)?,
            entrants: keys.entrants.unwrap_or_default(),
            withdrawn: keys.withdrawn.unwrap_or_default(),
        })
    }
}

impl TournamentFormat for Ladder {
    fn count(&self, league: &League) -> Result<u64, Problem> {
        let (ladder, new) = self.split_entrants(league);
        let opponents = self.size - 1;
        if ladder.len() < opponents {
            return Err(Problem::of_file(
                format!(
                    "the ladder has {} without the new ones, but a new entrant needs {}",
                    counted(ladder.len() as u64, "entrant"),
                    counted(opponents as u64, "opponent")
                ),
                "remove entrants from the list of new entrants, or lower `size`",
            ));
        }
        let count = (ladder.len()..ladder.len() + new.len())
            .map(|higher| higher.div_ceil(opponents) as u64)
            .sum();
        check_standings(league, count)?;
        Ok(count)
    }

    fn decide(&self, league: &League, rounds: &mut RoundBuilder<'_>) -> Option<()> {
        let attendance = Attendance::of(league, &BTreeMap::new(), &self.withdrawn);
        let (mut ladder, new) = self.split_entrants(league);
        // Entrants whose rank is known.
        let mut settled: Vec<usize> = Vec::new();
        for newcomer in new {
            if ladder.len() + 1 >= self.size && attendance.is_present(newcomer, rounds.number()) {
                ladder.push(newcomer);
            }
            while let Some(index) = ladder.iter().position(|&entrant| entrant == newcomer)
                && index > 0
                && ladder.len() >= self.size
            {
                let round = rounds.number();
                let higher = index.min(self.size - 1);
                let lower = self.size - 1 - higher;
                let tables = vec![ladder[index - higher..=index + lower].to_vec()];
                let results = rounds.play(
                    format!("round {round}"),
                    tables,
                    &ladder,
                    league.blocks,
                    |_, _| false,
                )?;
                let means: HashMap<usize, f64> = results[0].ranked().into_iter().collect();
                let passed = ladder[index - higher..index]
                    .iter()
                    .rev()
                    .take_while(|&&other| means[&other] < means[&newcomer])
                    .count();
                ladder[index - passed..=index].rotate_right(1);
                let is_settled = passed < higher || passed == index;
                if is_settled {
                    settled.push(newcomer);
                }
                ladder.retain(|&entrant| !attendance.has_left(entrant, round + 1));
                let line = |(number, &entrant): (usize, &usize)| RoundStanding {
                    entrant,
                    points: (ladder.len() - 1 - number) as f64,
                    note: match (settled.contains(&entrant), entrant == newcomer) {
                        (true, _) => format!("found rank {}", number + 1),
                        (_, true) => "still playing upwards".to_owned(),
                        _ => String::new(),
                    },
                };
                let gone = (0..league.entrants.len())
                    .filter(|&entrant| attendance.has_left(entrant, round + 1))
                    .map(|entrant| RoundStanding {
                        entrant,
                        points: 0.0,
                        note: attendance.note(entrant, round + 1),
                    });
                rounds.close(ladder.iter().enumerate().map(line).chain(gone).collect());
                if is_settled {
                    break;
                }
            }
        }
        Some(())
    }

    fn entrants_per_table(&self) -> usize {
        self.size
    }

    fn named_entrants(&mut self) -> NamedEntrants<'_> {
        NamedEntrants {
            table_size: Some(self.size),
            field: &[],
            lists: vec![&mut self.entrants],
            rounds: vec![&mut self.withdrawn],
        }
    }

    fn description(&self, league: &League) -> String {
        let (ladder, new) = self.split_entrants(league);
        let names: Vec<&str> = new
            .iter()
            .map(|&entrant| league.entrants[entrant].name.as_str())
            .collect();
        let verb = if names.len() == 1 { "starts" } else { "start" };
        format!(
            "{} {verb} at the bottom of a ladder of {}, at tables of {}",
            names.join(", "),
            ladder.len(),
            self.size
        )
    }
}
