//! The rounds of a league whose format decides as it goes, with what its tables scored.

use super::cut::FirstKept;
use hattari_play::league::{Course, Meeting};
use hattari_play::samples::Samples;
use hattari_play::store::{Store, StoreError};
use serde::Serialize;
use std::collections::HashMap;

/// Who met whom, round by round, and what the format made of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rounds {
    /// Whether the last round was the last one and is played.
    pub is_over: bool,
    /// Whether who met whom hung on results, so that no verdict on pairs is drawn.
    pub is_chosen: bool,
    /// The rounds so far.
    pub rounds: Vec<Round>,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Round {
    /// What people call it.
    pub name: String,
    /// Its tables.
    pub tables: Vec<Table>,
    /// Who had none.
    pub byes: Vec<String>,
    /// Where bots stood after it, the first one first; empty as long as it is not over.
    pub standing: Vec<Placed>,
}

/// One table in one round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// Its number among the line-ups.
    pub line_up: u32,
    /// The first block of the meeting, and the one after its last.
    pub blocks: [u32; 2],
    /// Who sat there, with the mean score a deal as far as it is played, the highest first.
    pub bots: Vec<(String, Option<f64>)>,
}

/// Where a bot stood.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Placed {
    /// The bot.
    pub bot: String,
    /// What the format counts.
    pub points: f64,
    /// What had become of it; empty where nothing is to be said.
    pub note: String,
}

impl Rounds {
    /// The rounds of a store, or, where `is_cut`, the last ones; `None` where line-ups are fixed.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(super) fn of(
        store: &Store,
        samples: &Samples,
        is_cut: bool,
    ) -> Result<Option<Rounds>, StoreError> {
        let Some(Course { rounds, .. }) = store.course() else {
            return Ok(None);
        };
        let first = match is_cut {
            true => FirstKept::of(rounds.iter().map(|round| round.meetings.len())),
            false => FirstKept::default(),
        };
        let course = store.course_from(first.standing)?;
        Ok(course.map(|course| Rounds::of_course(store, samples, &course, &first)))
    }

    fn of_course(store: &Store, samples: &Samples, course: &Course, first: &FirstKept) -> Rounds {
        let Course { rounds, is_over } = course;
        let name = |&entrant: &usize| store.league().entrants[entrant].name.clone();
        let line_ups = &store.schedule().line_ups;
        let numbers: HashMap<&[usize], usize> = line_ups
            .iter()
            .map(|line_up| &line_up.entrants[..])
            .zip(0..)
            .collect();
        let rounds = rounds.iter().enumerate().map(|(at, round)| Round {
            name: round.name.clone(),
            tables: (round.meetings.iter().filter(|_| first.tables <= at))
                .filter_map(|meeting| table(store, samples, meeting, &numbers))
                .collect(),
            byes: round
                .byes
                .iter()
                .filter(|_| first.tables <= at)
                .map(name)
                .collect(),
            standing: (round.standing.iter().filter(|_| first.standing <= at))
                .map(|placed| Placed {
                    bot: name(&placed.entrant),
                    points: placed.points,
                    note: placed.note.clone(),
                })
                .collect(),
        });
        Rounds {
            is_over: *is_over,
            is_chosen: !store.league().format.is_planned(),
            rounds: rounds.collect(),
        }
    }
}

fn table(
    store: &Store,
    samples: &Samples,
    meeting: &Meeting,
    numbers: &HashMap<&[usize], usize>,
) -> Option<Table> {
    let number = *numbers.get(&meeting.entrants[..])?;
    let sample = samples.line_ups.get(number)?;
    let within: Vec<usize> = (0..sample.blocks.len())
        .filter(|&at| {
            let number = sample.blocks[at].label.number();
            number.is_some_and(|block| meeting.blocks.contains(&block))
        })
        .collect();
    let mean = |entrant: usize| {
        let means = &sample.bot(entrant)?.means;
        let scores: Vec<f64> = within
            .iter()
            .filter_map(|&at| means.get(at).copied().flatten())
            .collect();
        (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
    };
    let named = |&entrant: &usize| (store.league().entrants[entrant].name.clone(), mean(entrant));
    let mut bots: Vec<(String, Option<f64>)> = meeting.entrants.iter().map(named).collect();
    bots.sort_by(|a, b| {
        b.1.unwrap_or(f64::NEG_INFINITY)
            .total_cmp(&a.1.unwrap_or(f64::NEG_INFINITY))
    });
    Some(Table {
        line_up: u32::try_from(number).ok()?,
        blocks: [meeting.blocks.start, meeting.blocks.end],
        bots,
    })
}
