//! Replays of blocks: the bots play again from the same seeds, or their recorded answers are read
//! from the store.

use hattari_agents::agent::Agent;
use hattari_agents::agent::recorded::Answers;
use hattari_agents::record::{JobId, Record, Timing};
use hattari_agents::table::{BlockObserver, BlockPlan, TypedObserver, Unfinished};
use hattari_agents::text::quoted;
use hattari_play::play_blocks::SeatedBlock;
use hattari_play::prepared::{PrepareError, PreparedLeague};
use hattari_play::store::{Store, StoreError};
use hattari_plugin::games::Game;

/// A block that can be replayed.
pub struct Rerun<'a> {
    pub(super) prepared: &'a PreparedLeague,
    pub(super) job: JobId,
    stored: Option<Record>,
    answers: Option<Answers>,
}

/// The reason why a block cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum RerunError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A program or client took part, and its answers are not recorded.
    #[error("{0}")]
    MissingAnswers(String),
}

impl<'a> Rerun<'a> {
    /// Prepares the block of a job, with its record and answers from the store.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read, or if programs or clients took part and their
    /// answers are not recorded. Programs are not run again, because they may play differently.
    pub fn new(
        prepared: &'a PreparedLeague,
        store: Option<&Store>,
        job: JobId,
    ) -> Result<Self, RerunError> {
        let stored = store.map(|store| store.record(job)).transpose()?.flatten();
        let answers = store.map(|store| store.answers(job)).transpose()?.flatten();
        let clients: Vec<&str> = prepared
            .line_up(job)
            .iter()
            .map(|&entrant| &prepared.league.entrants[entrant])
            .filter(|entrant| entrant.is_program())
            .map(|entrant| entrant.name.as_str())
            .collect();
        if answers.is_none() && !clients.is_empty() {
            let why = match stored {
                Some(_) => "and the store does not contain their answers",
                None => {
                    "and the store does not contain this block: play the league first \
                     (hattari run)"
                }
            };
            let clients = quoted(clients);
            let message = format!(
                "{job}: the games cannot be replayed. Programs ({clients}) may play differently \
                 each time, {why}"
            );
            return Err(RerunError::MissingAnswers(message));
        }
        Ok(Rerun {
            prepared,
            job,
            stored,
            answers,
        })
    }

    /// Prepares the block of a job without a store. With `answers`, which were recorded when the
    /// block was played, no bots are run.
    pub fn of_answers(prepared: &'a PreparedLeague, job: JobId, answers: Option<Answers>) -> Self {
        Rerun {
            prepared,
            job,
            stored: None,
            answers,
        }
    }

    /// Returns the stored record of the block; `None` if the store does not contain it.
    pub fn stored(&self) -> Option<&Record> {
        self.stored.as_ref()
    }

    /// Returns `true` if the block is replayed from recorded answers, without running bots.
    pub fn is_recorded(&self) -> bool {
        self.answers.is_some()
    }

    /// Plays the block to its end or until the observer has seen enough. If the replay equals the
    /// stored record, returns the stored record, including its fault texts.
    ///
    /// # Errors
    /// Returns an error if a bot cannot be opened or the block cannot be finished.
    pub fn play(self, observer: &mut dyn BlockObserver) -> Result<RerunResult, PrepareError> {
        let game = self.prepared.game()?;
        self.play_with(
            |answers| game.recorded(answers),
            |seated| seated.play_any(&*game, observer),
        )
    }

    /// Plays the block with an observer that knows the type of the game.
    ///
    /// # Errors
    /// Returns the same errors as [`Rerun::play`].
    pub fn play_as<G: Game>(
        self,
        game: &G,
        observer: &mut impl TypedObserver<G>,
    ) -> Result<RerunResult, PrepareError> {
        self.play_with(Answers::agents::<G>, |seated| seated.play(game, observer))
    }

    fn play_with(
        self,
        recorded: impl FnOnce(Answers) -> Vec<Box<dyn Agent>>,
        play: impl FnOnce(SeatedBlock<'_>) -> Result<(Record, Timing), Unfinished>,
    ) -> Result<RerunResult, PrepareError> {
        let Rerun {
            prepared,
            job,
            stored,
            answers,
        } = self;
        let plan = prepared.league.block_plan();
        let (mut agents, plan) = match answers {
            // Recorded answers have no time limit.
            Some(answers) => (
                recorded(answers),
                BlockPlan {
                    budget_us: 0,
                    block_us: 0,
                    ..plan
                },
            ),
            None => (prepared.open(job)?, plan),
        };
        let played = play(SeatedBlock {
            job,
            plan,
            chance: &prepared.chance(job),
            agents: &mut agents,
        });
        let (record, _) = played.map_err(|unfinished| prepared.explain(job, &unfinished))?;
        Ok(match stored {
            Some(stored) if record.is_same_play(&stored) => RerunResult {
                record: stored,
                is_same: Some(true),
            },
            stored => RerunResult {
                record,
                is_same: stored.map(|_| false),
            },
        })
    }
}

/// The result of a replay.
pub struct RerunResult {
    /// The record of the replay.
    pub record: Record,
    /// `true` if the replay equals the stored record, ignoring fault texts; `false` if it differs
    /// or the block was not finished; `None` if the store has no record of the block.
    pub is_same: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{markdown, sections};
    use crate::standings::{self, ReportOptions};
    use hattari_agents::record::FaultKind;
    use hattari_play::mock::Folder;
    use hattari_play::schedule::Schedule;
    use std::sync::Arc;

    fn prepare(
        folder: &Folder,
        league: &hattari_play::league::League,
        bots: &str,
    ) -> PreparedLeague {
        let mut seats = Folder::seats(league);
        if !bots.is_empty() {
            let bot: Arc<dyn hattari_agents::agent::AgentFactory> = Arc::new(
                hattari_play::mock::Mock(hattari_play::mock::Style::named(bots)),
            );
            seats
                .iter_mut()
                .for_each(|seat| seat.bot = Arc::clone(&bot));
        }
        assert!(folder.path("x.sqlite").exists());
        PreparedLeague {
            schedule: Schedule::of(league),
            league: league.clone(),
            seats,
        }
    }

    #[test]
    fn recorded_answers_replay_a_block_without_its_bots() {
        for more in [
            "",
            "duplicate: true",
            "faults: forfeit",
            "restarts: 2\nduplicate: true",
        ] {
            let folder = Folder::new("[first-once, faulty, random, mortal]");
            let league = folder.league(&format!(
                "format: {{kind: line-ups, size: 3}}\nblocks: 4\ndeals: 9\n{more}"
            ));
            let records = folder.play_all("x.sqlite", &league, 2);
            let faults: usize = records.iter().map(|record| record.faults.len()).sum();
            assert!(faults > 20, "{faults}");
            let store = folder.read("x.sqlite");
            // The bot `bomb` fails whenever it is called: the replay must not call any bot.
            let prepared = prepare(&folder, &league, "bomb");
            for record in &records {
                // The last line-up, without the first entrant, has no recorded answers.
                let rerun = Rerun::new(&prepared, Some(&store), record.job).unwrap();
                assert_eq!(
                    (rerun.is_recorded(), rerun.stored()),
                    (record.job.line_up < 3, Some(record))
                );
                if rerun.is_recorded() {
                    let remade = rerun.play(&mut ()).unwrap();
                    assert_eq!(
                        (&remade.record, remade.is_same),
                        (record, Some(true)),
                        "{more}"
                    );
                }
            }
        }
    }

    #[test]
    fn answers_of_time_dependent_blocks_are_stored() {
        let play = |budget: &str| {
            let folder = Folder::new("[first, late, random]");
            let more = format!(
                "format: {{kind: line-ups, size: 2}}\nblocks: 12\ndeals: 9\nbudget: {{{budget}}}"
            );
            let records = folder.play_all("x.sqlite", &folder.league(&more), 1);
            let store = folder.read("x.sqlite");
            let was_late = |record: &Record| {
                record
                    .faults
                    .iter()
                    .any(|fault| fault.kind == FaultKind::Time)
            };
            let kept = |record: &Record| store.answers(record.job).unwrap().is_some();
            records
                .iter()
                .map(|record| (was_late(record), kept(record)))
                .collect::<Vec<_>>()
        };
        let (none, decision, block) = (
            play(""),
            play("decision_ms: 60000"),
            play("block_ms: 60000"),
        );
        assert!(none.iter().any(|block| block.0) && none.iter().any(|block| !block.0));
        assert!(
            none.iter().all(|block| !block.1),
            "only a bot's seed makes it late"
        );
        assert!(
            decision.iter().all(|block| block.1 == block.0),
            "{decision:?}"
        );
        assert!(
            block.iter().all(|block| block.1),
            "what is left of the time is told to bots"
        );
    }

    #[test]
    fn a_block_with_a_clock_fault_is_stored_and_can_be_replayed() {
        let folder = Folder::new("[first, overrun, random]");
        let league = folder.league("format: {kind: line-ups, size: 2}\nblocks: 12\ndeals: 9");
        let records = folder.play_all("x.sqlite", &league, 2);
        assert_eq!(records.len(), 36);
        let store = folder.read("x.sqlite");
        // The bot `bomb` fails whenever it is called: the replay must not call any bot.
        let prepared = prepare(&folder, &league, "bomb");
        let mut stopped = 0;
        for record in &records {
            let is_stopped = record
                .faults
                .iter()
                .any(|fault| fault.kind == FaultKind::Clock);
            assert_eq!(store.answers(record.job).unwrap().is_some(), is_stopped);
            if is_stopped {
                let rerun = Rerun::new(&prepared, Some(&store), record.job).unwrap();
                assert_eq!(rerun.play(&mut ()).unwrap().is_same, Some(true));
                stopped += 1;
            }
        }
        assert!((1..24).contains(&stopped), "{stopped}");
        let (standings, _) = standings::of_store(&store, None, &ReportOptions::default()).unwrap();
        let text = markdown::render(&sections::brief(&standings));
        assert!(
            text.contains("A fault of the kind `clock` depends on the machine"),
            "{text}"
        );
    }

    #[test]
    fn replaying_with_answers_of_another_block_is_detected() {
        let folder = Folder::new("[first-once, random]");
        let league = folder.league("format: {kind: line-ups, size: 2}\nblocks: 2\ndeals: 9");
        let records = folder.play_all("x.sqlite", &league, 1);
        let (store, prepared) = (folder.read("x.sqlite"), prepare(&folder, &league, ""));
        let mut rerun = Rerun::new(&prepared, Some(&store), records[0].job).unwrap();
        rerun.answers = store.answers(records[1].job).unwrap();
        let remade = rerun.play(&mut ()).unwrap();
        assert_eq!(remade.is_same, Some(false));
        assert!(remade.record.faults.is_empty() && remade.record.digest != records[0].digest);
    }
}
