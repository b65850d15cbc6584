//! Makes a course round by round: what has been asked for, what it came to, and where it has to
//! wait.

use super::League;
use super::course::{Course, Meeting, Results, Round, Standing};
use std::collections::{BTreeMap, HashMap};

/// Blocks beyond a meeting's own that a table may play, one at a time, where it must not end level.
pub(super) const MORE_BLOCKS: u32 = 10;
/// Most lines in all standings of a course together: they are made anew whenever somebody asks.
const STANDINGS_MAX: u64 = 4_000_000;

/// A course in the making.
pub(super) struct Rounds<'a> {
    league: &'a League,
    results: &'a dyn Results,
    /// The next block of every table that has met.
    next: HashMap<Vec<usize>, u32>,
    course: Course,
}

/// What a table came to in a round.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Played {
    /// Who sat there.
    pub entrants: Vec<usize>,
    /// Mean score over the blocks, for each of them. Scores that differ by less than a billionth
    /// of a point or so are the same.
    pub means: Vec<f64>,
    /// Blocks played.
    pub blocks: u32,
}

/// Results of a league that has not begun.
struct NoResults;

impl Results for NoResults {
    fn scores(&self, _: &[usize], _: u32) -> Option<Vec<f64>> {
        None
    }
}

impl<'a> Rounds<'a> {
    /// The course that `decide` makes: it plays and closes rounds, and gives up where a round is
    /// not played in full.
    pub(super) fn course(
        league: &'a League,
        results: &'a dyn Results,
        decide: impl FnOnce(&mut Rounds<'a>) -> Option<()>,
    ) -> Course {
        let mut rounds = Rounds {
            league,
            results,
            next: HashMap::new(),
            course: Course::default(),
        };
        let is_over = decide(&mut rounds).is_some();
        Course {
            is_over,
            ..rounds.course
        }
    }

    /// The line-ups that `decide` asks for before anything is known.
    pub(super) fn first(
        league: &League,
        decide: impl FnOnce(&mut Rounds<'_>) -> Option<()>,
    ) -> Vec<Vec<usize>> {
        let first = Rounds::course(league, &NoResults, decide)
            .rounds
            .into_iter()
            .next();
        first.map_or(Vec::new(), |round| {
            round
                .meetings
                .into_iter()
                .map(|meeting| meeting.entrants)
                .collect()
        })
    }

    /// The number of the round that comes next, from 1.
    pub(super) fn number(&self) -> u32 {
        u32::try_from(self.course.rounds.len() + 1).expect("rounds are bounded")
    }

    /// Asks for a round. What its tables came to, in the order given; `None` if they are not played
    /// in full.
    pub(super) fn play(
        &mut self,
        name: String,
        tables: Vec<Vec<usize>>,
        byes: Vec<usize>,
        blocks: u32,
    ) -> Option<Vec<Played>> {
        self.play_on(name, tables, byes, blocks, |_, _| false)
    }

    /// The same, where tables that are `undecided` (given their number and their means) play on,
    /// one block at a time and [`MORE_BLOCKS`] at most.
    pub(super) fn play_on(
        &mut self,
        name: String,
        tables: Vec<Vec<usize>>,
        byes: Vec<usize>,
        blocks: u32,
        undecided: impl Fn(usize, &[f64]) -> bool,
    ) -> Option<Vec<Played>> {
        let mut meetings = Vec::with_capacity(tables.len());
        let mut played = Some(Vec::with_capacity(tables.len()));
        for (number, entrants) in tables.into_iter().enumerate() {
            let entrants = seated(self.league, entrants);
            let first = self.next.get(&entrants).copied().unwrap_or(0);
            let mut asked = first..first + blocks;
            let mut means = self.means(&entrants, asked.clone());
            while asked.end < first + blocks + MORE_BLOCKS
                && means.as_ref().is_some_and(|means| undecided(number, means))
            {
                asked.end += 1;
                means = self.means(&entrants, asked.clone());
            }
            self.next.insert(entrants.clone(), asked.end);
            meetings.push(Meeting {
                entrants: entrants.clone(),
                blocks: asked.clone(),
            });
            match (means, &mut played) {
                (Some(means), Some(played)) => {
                    played.push(Played {
                        entrants,
                        means,
                        blocks: asked.end - asked.start,
                    });
                }
                _ => played = None,
            }
        }
        self.course.rounds.push(Round {
            name,
            meetings,
            byes,
            standing: Vec::new(),
        });
        played
    }

    /// Says where everybody stands after the round that has just been played.
    pub(super) fn close(&mut self, standing: Vec<Standing>) {
        let rounds = &mut self.course.rounds;
        rounds.last_mut().expect("a round has been played").standing = standing;
        if let Some(dropped) = rounds
            .len()
            .checked_sub(self.results.standings_kept().saturating_add(1))
        {
            rounds[dropped].standing = Vec::new();
        }
    }

    fn means(&self, entrants: &[usize], blocks: std::ops::Range<u32>) -> Option<Vec<f64>> {
        let count = f64::from(blocks.end - blocks.start);
        let mut sums = vec![0.0; entrants.len()];
        for block in blocks {
            let scores = self.results.scores(entrants, block)?;
            sums.iter_mut()
                .zip(scores)
                .for_each(|(sum, score)| *sum += score);
        }
        // Sums that are equal on paper must not differ by the order of their parts; and there is
        // one zero.
        Some(
            sums.into_iter()
                .map(|sum| (sum / count * 1e9).round() / 1e9 + 0.0)
                .collect(),
        )
    }
}

impl Played {
    /// Points by place: one for each at the table who scored less, half a point for each who scored
    /// the same.
    pub(super) fn points(&self) -> Vec<f64> {
        let points = |(place, &mean): (usize, &f64)| {
            let others = self
                .means
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != place);
            others
                .map(|(_, &other)| {
                    if other < mean {
                        1.0
                    } else {
                        f64::from(u8::from(other <= mean)) / 2.0
                    }
                })
                .sum()
        };
        self.means.iter().enumerate().map(points).collect()
    }

    /// Who sat there with what they scored, the best first; of equal ones who comes first in the
    /// league's file.
    pub(super) fn ranked(&self) -> Vec<(usize, f64)> {
        let mut ranked: Vec<(usize, f64)> = self
            .entrants
            .iter()
            .copied()
            .zip(self.means.iter().copied())
            .collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked
    }
}

/// What an entrant has come to at its tables so far.
#[derive(Clone, Default)]
pub(super) struct Tally {
    /// Points, of all tables together.
    pub points: f64,
    /// Sum of its mean scores.
    pub scores: f64,
    /// How many tables.
    pub tables: u32,
}

impl Tally {
    /// Adds what a table came to; `tallies` go by entrant.
    pub(super) fn add(tallies: &mut [Tally], table: &Played) {
        for ((&entrant, points), mean) in
            table.entrants.iter().zip(table.points()).zip(&table.means)
        {
            let tally = &mut tallies[entrant];
            tally.points += points;
            tally.scores += mean;
            tally.tables += 1;
        }
    }

    /// The mean score of its tables.
    pub(super) fn mean_score(&self) -> f64 {
        self.scores / f64::from(self.tables.max(1))
    }
}

/// Entrants in the places that they always have at a table of theirs: by name, in the order of its
/// bytes. So the same entrants make the same line-up, whatever asks for it.
pub(super) fn seated(league: &League, mut entrants: Vec<usize>) -> Vec<usize> {
    entrants.sort_by(|&a, &b| league.entrants[a].name.cmp(&league.entrants[b].name));
    entrants
}

/// Who is there in which rounds.
pub(super) struct Attendance {
    /// The first round of every entrant.
    first: Vec<u32>,
    /// The last one.
    last: Vec<u32>,
}

impl Attendance {
    /// Of a checked league's entrants, from who comes late and who goes early.
    pub(super) fn of(
        league: &League,
        late: &BTreeMap<String, u32>,
        withdrawn: &BTreeMap<String, u32>,
    ) -> Attendance {
        let of = |rounds: &BTreeMap<String, u32>, otherwise| {
            league
                .entrants
                .iter()
                .map(|entrant| rounds.get(&entrant.name).copied().unwrap_or(otherwise))
                .collect()
        };
        Attendance {
            first: of(late, 1),
            last: of(withdrawn, u32::MAX),
        }
    }

    /// The round in which an entrant joins.
    pub(super) fn joins(&self, entrant: usize) -> u32 {
        self.first[entrant]
    }

    /// Whether an entrant has joined by `round`, and has not gone before it.
    pub(super) fn is_there(&self, entrant: usize, round: u32) -> bool {
        self.first[entrant] <= round && !self.has_left(entrant, round)
    }

    /// Whether an entrant has gone before `round`.
    pub(super) fn has_left(&self, entrant: usize, round: u32) -> bool {
        self.last[entrant] < round
    }

    /// What a standing says of one who has left; empty of all others.
    pub(super) fn note(&self, entrant: usize, next_round: u32) -> String {
        match self.last[entrant] {
            last if last < next_round => format!("withdrawn after round {last}"),
            _ => String::new(),
        }
    }
}

/// Refuses a course of so many rounds where its standings would be too many to make.
pub(super) fn check_standings(league: &League, rounds: u64) -> Result<(), (String, &'static str)> {
    let lines = rounds.saturating_mul(league.entrants.len() as u64);
    if STANDINGS_MAX < lines {
        let grouped = hattari_agents::text::grouped;
        let message = format!(
            "up to {} rounds of {} entrants are too many; rounds times entrants can be {} at most",
            grouped(rounds),
            league.entrants.len(),
            grouped(STANDINGS_MAX)
        );
        return Err((
            message,
            "take fewer entrants or blocks, or a format of line-ups",
        ));
    }
    Ok(())
}
