//! The rounds of a league whose format schedules one round after another, with the scores.

use super::cut::FirstKeptRounds;
use hattari_play::league::{Pairing, RoundSchedule};
use hattari_play::samples::Samples;
use hattari_play::store::{Store, StoreError};
use serde::Serialize;
use std::collections::HashMap;

/// The pairings by round and the standings of the format.
#[derive(Debug, Serialize)]
pub struct PlayedRounds {
    /// `true` if the format has ended and its last round is complete.
    pub is_over: bool,
    /// `true` if pairings depended on results; pairs then have no verdicts.
    pub is_chosen: bool,
    /// The rounds so far.
    pub rounds: Vec<PlayedRound>,
}

/// A round of the format.
#[derive(Debug, Serialize)]
pub struct PlayedRound {
    /// Name of the round in reports.
    pub name: String,
    /// Tables of the round, with the mean scores of their bots.
    pub tables: Vec<RoundTable>,
    /// Names of the bots that do not play in this round.
    pub byes: Vec<String>,
    /// The standings after the round, best first; empty until the round is complete.
    pub standing: Vec<PlacedBot>,
}

/// A line-up in a round, with its blocks and scores.
#[derive(Debug, Serialize)]
pub struct RoundTable {
    /// Line-up number of the table.
    pub line_up: u32,
    /// The blocks of the pairing: number of the first block, and number of the block after the
    /// last.
    pub blocks: [u32; 2],
    /// Name of each bot, and its mean score per deal (`None` if no deal was played); highest first.
    pub bots: Vec<(String, Option<f64>)>,
}

/// A bot in the standings of a round.
#[derive(Debug, Serialize)]
pub struct PlacedBot {
    /// Name of the bot.
    pub bot: String,
    /// Points by the rules of the format.
    pub points: f64,
    /// Status of the bot, for example eliminated; may be empty.
    pub note: String,
}

impl PlayedRounds {
    /// Returns the rounds of a store; `None` if line-ups are fixed. If `is_cut`, only the last
    /// rounds have tables and standings ([`FirstKeptRounds`]).
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub(super) fn of(
        store: &Store,
        samples: &Samples,
        is_cut: bool,
    ) -> Result<Option<PlayedRounds>, StoreError> {
        let Some(RoundSchedule { rounds, .. }) = store.round_schedule() else {
            return Ok(None);
        };
        let first = if is_cut {
            FirstKeptRounds::of(rounds.iter().map(|round| round.pairings.len()))
        } else {
            FirstKeptRounds::default()
        };
        let Some(round_schedule) = store.round_schedule_from(first.standing)? else {
            return Ok(None);
        };
        let RoundSchedule { rounds, is_over } = &*round_schedule;
        let name = |&entrant: &usize| store.league().entrants[entrant].name.clone();
        let line_ups = &store.schedule.line_ups;
        let numbers: HashMap<&[usize], usize> =
            line_ups.iter().map(Vec::as_slice).zip(0..).collect();
        let rounds = rounds.iter().enumerate().map(|(index, round)| PlayedRound {
            name: round.name.clone(),
            tables: (round.pairings.iter().filter(|_| first.tables <= index))
                .filter_map(|pairing| table(store, samples, pairing, &numbers))
                .collect(),
            byes: round
                .byes
                .iter()
                .filter(|_| first.tables <= index)
                .map(name)
                .collect(),
            standing: (round.standing.iter().filter(|_| first.standing <= index))
                .map(|placed| PlacedBot {
                    bot: name(&placed.entrant),
                    points: placed.points,
                    note: placed.note.clone(),
                })
                .collect(),
        });
        Ok(Some(PlayedRounds {
            is_over: *is_over,
            is_chosen: !store.league().format.is_planned(),
            rounds: rounds.collect(),
        }))
    }
}

fn table(
    store: &Store,
    samples: &Samples,
    pairing: &Pairing,
    numbers: &HashMap<&[usize], usize>,
) -> Option<RoundTable> {
    let number = *numbers.get(&pairing.entrants[..])?;
    let sample = samples.line_ups.get(number)?;
    let within: Vec<usize> = (0..sample.blocks.len())
        .filter(|&index| {
            sample.blocks[index]
                .label
                .number()
                .is_some_and(|block| pairing.blocks.contains(&block))
        })
        .collect();
    let mean = |entrant: usize| {
        let means = &sample.bot(entrant)?.means;
        let scores: Vec<f64> = within
            .iter()
            .filter_map(|&index| means.get(index).copied().flatten())
            .collect();
        (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
    };
    let mut bots: Vec<(String, Option<f64>)> = pairing
        .entrants
        .iter()
        .map(|&entrant| (store.league().entrants[entrant].name.clone(), mean(entrant)))
        .collect();
    let score = |bot: &(String, Option<f64>)| bot.1.unwrap_or(f64::NEG_INFINITY);
    bots.sort_by(|a, b| score(b).total_cmp(&score(a)));
    Some(RoundTable {
        line_up: u32::try_from(number).ok()?,
        blocks: [pairing.blocks.start, pairing.blocks.end],
        bots,
    })
}
